"""A game of cards in a terminal between a person and a computer player.

Counts and commentary are those of a card game on the real board. The generator `run_game` deals: it
yields steps, and this game answers them. A request to the computer's seat goes to the computer
player. For a request to the person, the game prints a prompt and reads lines until it understands
one. For example, the prompt is "Type 2 cards to throw, such as 2H 5C." and the person types "5c,
2h"; if a card is not in the hand, the prompt comes again.
"""

import random
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from companion.board.layout import MOST_POINTS
from companion.commentary import Commentator, Phrases
from companion.errors import NO_TEXT, BadInputError, CompanionError, RuleError, Text, joined
from companion.players import DiscardRequest, Player, PlayRequest
from companion.players.dealer import run_game
from companion.players.player import CountRequest, discard_count
from companion.players.steps import (
    Announce,
    Answer,
    Apply,
    Challenge,
    CutForDeal,
    DealerStep,
    Declare,
    Request,
    Won,
)
from companion.players.values.win_chance import best_option
from companion.rules.cards import Card, cards
from companion.rules.deal import Shown
from companion.rules.deal.declared_count import DeclaredCount, corrections, may_call
from companion.rules.game import Command, History, NewGame, Setup, State, new_game

NAMES: Final = {1: "Amber", 2: "White"}
_PERSON: Final = 1  # seat and side of the person; the computer has number 2
_QUIT: Final = ("q", "quit", "exit")
_Typed = TypeVar("_Typed")


class EndOfInputError(CompanionError, EOFError):
    """End of the game by the person, or end of the input."""


class TerminalGame:
    """Game, or match, between a person and a computer.

    Args:
        setup: setup with two sides of one player each.
        player: the computer player.
        kind: name of the kind of computer player.
        rng: random numbers for cuts and deals.
        phrases: words in the language of the lines.
        read: returns the next line, None at the end of the input.
        write: prints a line.

    `history` has all commands of the game.
    """

    def __init__(
        self,
        setup: Setup,
        player: Player,
        kind: str,
        *,
        rng: random.Random,
        phrases: Phrases,
        read: Callable[[], str | None],
        write: Callable[[str], None],
    ) -> None:
        self._player, self._kind, self._rng = player, kind, rng
        self._read, self._write = read, write
        self.history = History(new_game(setup))
        self._phrases = phrases
        self._commentator = Commentator.speaking(phrases, NAMES, setup)
        self._names = {side: phrases.side(side, NAMES) for side in NAMES}
        self._challenged: DeclaredCount | None = None

    def play(self) -> None:
        """Play a game, or all games of a match.

        Raises:
            EndOfInputError: the person has stopped.
        """
        rules, finish = self._state.setup.rules, self._state.setup.track.finish
        you, other = self._names.values()
        self._say(
            "You are {you}. {other} is the computer ({kind}).",
            you=you,
            other=other,
            kind=self._kind,
        )
        if rules.match_to:
            self._say("A match to {games} games.", games=rules.match_to)
        self._say("The first side at hole {finish} wins. Type q to end.", finish=finish)
        self._play_game(cut=True)
        while rules.match_to and self._state.match.winner is None:
            self._write(self._standing())
            self._ask(Text("Press Enter for the next game."), lambda _: True)
            self._do(NewGame(dealer=self._state.next_first_dealer()))
            self._play_game(cut=False)
        self._write(self._standing())

    @property
    def _state(self) -> State:
        return self.history.state

    def _play_game(self, *, cut: bool) -> None:
        steps = run_game(self._state, self._rng, cut=cut, declares=True)
        answer: Answer = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration:
                return
            answer = self._answer(step)

    def _answer(self, step: DealerStep) -> Answer:
        match step:
            case CutForDeal(cuts=cuts):
                self._write(self._commentator.cut(cuts))
            case Request():
                return self._choose(step)
            case Declare():
                return self._declare(step)
            case Challenge():
                return self._challenge(step)
            case Apply():
                return self._apply(step)
            case Announce():
                self._announce(step)
            case Won():
                pass  # the line of the last count has announced the win
        return None

    # Events

    def _apply(self, step: Apply) -> State:
        entry = self.history.do(step.command)
        words = self._commentator
        line = step.count and words.count(step.count, step.cause, entry.events)
        self._write(line or words.entry(entry))
        return self._state

    def _do(self, command: Command) -> State:
        self._write(self._commentator.entry(self.history.do(command)))
        return self._state

    def _announce(self, step: Announce) -> None:
        if not step.events:
            self._write("")
            self._say("Hand {hand}. {standing}", hand=self._state.hand, standing=self._standing())
        for event in step.public_events:
            if isinstance(event, Shown):
                side, show = self._names[self._state.setup.side_of(event.seat)], event.show
                shown = _with_starter(show.hand, show.starter, crib=show.crib)
                self._say("{side} shows {cards}.", side=side, cards=shown)
            line = self._commentator.cards(event)
            if line:
                self._write(line)

    def _standing(self) -> str:
        say, games = self._phrases.message, dict(self._state.match.games)
        holes = {name: self._state.pegs(side).front for side, name in self._names.items()}
        places = [Text("{side} on {hole}", side=name, hole=hole) for name, hole in holes.items()]
        line = f"{', '.join(map(say, places))}."
        if not self._state.setup.rules.match_to:
            return line
        won = ", ".join(f"{name} {games.get(side, 0)}" for side, name in self._names.items())
        return f"{line} {say(Text('Games: {won}.', won=won))}"

    def _say(self, template: str, /, **values: object) -> None:
        self._write(self._phrases.message(Text(template, **values)))

    # Input of the person

    def _choose(self, step: Request) -> Answer:
        request = step.request
        if step.seat != _PERSON:
            return step.answer_of(self._player)
        if isinstance(request, DiscardRequest):
            return self._ask(_discard_prompt(request), lambda line: _discards(line, request))
        return self._ask(_play_prompt(request), lambda line: _card(line, request))

    def _declare(self, step: Declare) -> int:
        if step.count.seat != _PERSON:
            return self._player.count(step.request)
        if _is_lead(step.request):
            return 0
        prompt = "You have {cards}. How many points?"
        return self._ask(Text(prompt, cards=_cards_to_count(step.request)), _points)

    def _challenge(self, step: Challenge) -> Answer:
        count = step.count
        if count is self._challenged or _is_lead(step.request):
            return None
        self._challenged = count
        if count.side != _PERSON:
            name, held = self._names[count.side], _cards_to_count(step.request)
            text = "{side} counts {points} for {cards}."
            self._say(text, side=name, points=count.declared, cards=held)
            prompt = Text("Muggins? Type the difference, or Enter to go on.")
            points = self._ask(prompt, _difference)
        else:
            found = self._player.count(step.request)
            points = abs(found - (count.declared or 0)) if found == count.actual else 0
        by = next(side for side in NAMES if side != count.side)
        return self._call(count, by, points) if points and may_call(count, by) else None

    def _call(self, count: DeclaredCount, by: int, points: int) -> Answer:
        """Carry out a call of muggins (M3); the computer calls only if its chance to win rises."""
        overcalls_score = self._state.setup.rules.muggins_counts == "missed-and-overcalled"
        try:
            options = corrections(count, by, points, overcalls_score=overcalls_score)
            command = options[0] if by == _PERSON else best_option(self._state, by, options)
            return self._do(command) if command else None
        except RuleError as error:
            self._write(self._phrases.message(error.text, NAMES))
            return None

    def _ask(self, prompt: Text, read: Callable[[str], _Typed | None]) -> _Typed:
        self._write(self._phrases.message(prompt))
        while True:
            line = self._read()
            if line is None or line.strip().lower() in _QUIT:
                raise EndOfInputError("no more input")
            try:
                typed = read(line.strip())
            except BadInputError:
                typed = None
            if typed is not None:
                return typed
            self._say("That is not understood. {prompt}", prompt=prompt)


def _sorted(held: Iterable[Card]) -> str:
    return " ".join(map(str, sorted(held)))


def _discard_prompt(request: DiscardRequest) -> Text:
    text = "You hold {hand}; the crib is {whose}.{starter} Type {n} cards to throw, such as {some}."
    starter = Text(" The starter is {starter}.", starter=request.starter)
    return Text(
        text,
        hand=_sorted(request.hand),
        whose=Text("yours") if request.dealer else Text("the other side's"),
        starter=NO_TEXT if request.starter is None else starter,
        n=discard_count(request),
        some=_sorted(request.hand[:2]),
    )


def _play_prompt(request: PlayRequest) -> Text:
    text = "The count is {count}. You hold {hand}. Type a card to play: {playable}."
    return Text(
        text, count=request.count, hand=_sorted(request.hand), playable=_sorted(request.playable)
    )


def _is_lead(request: CountRequest) -> bool:
    return request.starter is None and len(request.cards) == 1


def _cards_to_count(request: CountRequest) -> Text:
    """Return the cards of a hand or crib in order, or the cards of the play as they were played."""
    if request.starter is None:
        return joined(" ", request.cards)
    return _with_starter(request.cards, request.starter, crib=request.crib)


def _with_starter(held: Iterable[Card], starter: Card, *, crib: bool) -> Text:
    hand = "{cards} and the starter {starter}"
    text = "the crib {cards} and the starter {starter}" if crib else hand
    return Text(text, cards=_sorted(held), starter=starter)


def _typed_cards(line: str) -> tuple[Card, ...]:
    return cards(line.upper().replace(",", " "))


def _discards(line: str, request: DiscardRequest) -> tuple[Card, ...] | None:
    typed = _typed_cards(line)
    held = set(typed) <= set(request.hand)
    return typed if held and len(typed) == discard_count(request) else None


def _card(line: str, request: PlayRequest) -> Card | None:
    typed = _typed_cards(line)
    return typed[0] if len(typed) == 1 and typed[0] in request.playable else None


def _points(line: str) -> int | None:
    return next((points for points in range(MOST_POINTS + 1) if line == str(points)), None)


def _difference(line: str) -> int | None:
    return _points(line) if line else 0
