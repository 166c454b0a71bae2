"""The core for scripts: a game on a board, the points of a hand, and a computer player's choices.

`__all__` names what is public; docs/library.md shows it in use. The commands of a `Game` are those
of `cribwars replay`, with the same names. In Python a side is `side` where JSON has `team`, and the
hole that a peg left is `origin` where JSON has `from`. Input that cannot be used is a `ValueError`
whose text says what is wrong, and nothing changes.
"""

import inspect
import random
import reprlib
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Literal, ParamSpec, TypeVar, get_type_hints

import msgspec

from companion.board import Hole, load_board
from companion.errors import RuleError
from companion.players import ask, make_player
from companion.rules import cards
from companion.rules.cards import Card, Part, PartKind, Show
from companion.rules.cards.notation import refused
from companion.rules.game import (
    Event,
    History,
    HouseRules,
    Kind,
    Setup,
    commands,
    new_game,
    standing,
)
from companion.rules.game.house_rules import choose_rules
from companion.rules.game.notation import (
    MatchValue,
    SideValue,
    match_value,
    read_command,
    side_value,
)
from companion.rules.game.state import PLAYERS, wrong_players

__all__ = [
    "Card",
    "ComputerPlayer",
    "Event",
    "Game",
    "Kind",
    "MatchValue",
    "Part",
    "PartKind",
    "RuleError",
    "Show",
    "SideValue",
    "count",
]

_P = ParamSpec("_P")
_T = TypeVar("_T")


def _checked(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Let a function refuse each argument that is not of the type in its annotation."""
    signature, types = inspect.signature(function), get_type_hints(function)
    types.pop("rules", None)  # each house rule has a parser of its own

    @wraps(function)
    def checked(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        given = signature.bind(*args, **kwargs)
        for name in [each for each in types if each in given.arguments]:
            value = given.arguments[name]
            try:
                given.arguments[name] = msgspec.convert(value, types[name])
            except msgspec.ValidationError:
                takes = inspect.formatannotation(types[name]).replace("collections.abc.", "")
                raise refused(f"{name} cannot be {reprlib.repr(value)}: it takes {takes}") from None
        return function(*given.args, **given.kwargs)

    return checked


count = _checked(cards.count)


class Game:
    """Game on a board, as `cribwars replay` plays it. Each command returns its events.

    Args:
        board: the name of a board, or the path of a board file; by default the preset's board.
        sides: 2 or 3.
        players: 2 or 4 for two sides, 3 or 6 for three; by default one for each side.
        preset: the name of a set of house rules.
        rules: changes to these house rules, by name, such as `finish="exact"` or `game_to=61`.

    >>> game = Game(board="crib-wars", sides=2)
    >>> [event.kind.value for event in game.peg(1, 22)]
    ['counted', 'folded', 'sent_back', 'awarded']
    >>> game.pegs[1].front, game.pegs[2].front, game.pegs[1].folded
    (2, 20, True)
    >>> game.peg(1, 4)
    Traceback (most recent call last):
    companion.errors.RuleError: side 1 has folded until the next deal
    >>> game.undo()[0].kind.value, game.pegs[1].front, game.events
    ('undone', 0, ())
    """

    @_checked
    def __init__(
        self,
        board: str | None = None,
        sides: int = 2,
        *,
        players: int | None = None,
        preset: str = "crib-wars",
        **rules: str | int,
    ) -> None:
        changes = {name: str(value).lower() for name, value in rules.items()}
        chosen, sheet = choose_rules(preset, changes, board, load_board)
        if sides not in PLAYERS:
            raise wrong_players(sides, sides)
        numbers = tuple(range(1, sides + 1))
        setup = Setup.make(sheet.track, chosen, sides=numbers, players=players)
        self._history = History(new_game(setup))

    # State

    @property
    def pegs(self) -> dict[int, SideValue]:
        """Each side's pegs, penalty box and progress, by the number of the side."""
        state = self._history.state
        return {side: side_value(state, side) for side in state.setup.sides}

    @property
    def dealer(self) -> int:
        """The seat that deals this hand."""
        return self._history.state.dealer

    @property
    def hand(self) -> int:
        """The number of the hand, from 1."""
        return self._history.state.hand

    @property
    def winner(self) -> int | None:
        """The side that has won, or None."""
        return self._history.state.winner

    @property
    def match(self) -> MatchValue:
        """The match, with the games that each side has won; a skunk counts for 2 games (G4)."""
        return match_value(self._history.state)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of this game, without those that an undo or a correction has taken back."""
        return tuple(event for entry in standing(*self._history.game) for event in entry.events)

    # Commands

    @_checked
    def do(self, line: str) -> tuple[Event, ...]:
        """Do the command in a line of a replay file, such as `{"deal": {}}`."""
        return self._do(read_command(line))

    def _do(self, command: commands.Command) -> tuple[Event, ...]:
        return self._history.do(command).events

    @_checked
    def deal(self, dealer: int | None = None) -> tuple[Event, ...]:
        """Begin the next hand, or before the first count, only set the seat that deals (T2)."""
        return self._do(commands.Deal(dealer=dealer))

    @_checked
    def peg(self, side: int, points: int) -> tuple[Event, ...]:
        """Make a count of 1 to 29 points (P7)."""
        return self._do(commands.Peg(side=side, points=points))

    @_checked
    def box(self, side: int) -> tuple[Event, ...]:
        """Let a side that sits in a penalty box move its peg there, once a hand (Z7)."""
        return self._do(commands.MoveInBox(side=side))

    @_checked
    def overpeg(self, side: int, extra: int, taken_by: int | None = None) -> tuple[Event, ...]:
        """Take `extra` points from the last count; side `taken_by` pegs them (N11)."""
        return self._do(commands.Overpeg(side=side, extra=extra, taken_by=taken_by))

    @_checked
    def penalty(self, rule: str, by: int, taken: Sequence[int]) -> tuple[Event, ...]:
        """Give two points to each side in `taken`, for a mishap of side `by` (N1 to N17)."""
        return self._do(commands.Penalty(rule=rule, by=by, taken=tuple(taken)))

    @_checked
    def claim(self, rule: str, by: int, game_to: int) -> tuple[Event, ...]:
        """Give the game to side `game_to`, for a mishap of side `by` (N10, N13, N14)."""
        return self._do(commands.Claim(rule=rule, by=by, game_to=game_to))

    @_checked
    def muggins(
        self,
        erring: int,
        by: int,
        points: int,
        where: Literal["play", "show"],
        kind: Literal["missed", "overcalled"],
        *,
        given_back: bool = False,
    ) -> tuple[Event, ...]:
        """Let side `by` take points that side `erring` missed or counted too many (M1 to M4).

        If `given_back` is True, the points go to `erring` after all (M3).
        """
        return self._do(
            commands.Muggins(
                erring=erring, by=by, points=points, where=where, kind=kind, given_back=given_back
            )
        )

    @_checked
    def set_pegs(self, side: int, front: Hole, back: Hole) -> tuple[Event, ...]:
        """Place a side's pegs; no zone acts."""
        return self._do(commands.SetPegs(side=side, front=front, back=back))

    @_checked
    def correct(self, entry: int, points: int | None = None) -> tuple[Event, ...]:
        """Change the points of a count, the `entry`-th command of this game; None removes it."""
        return self._do(commands.Correct(entry=entry, points=points))

    @_checked
    def new_game(self, dealer: int | None = None) -> tuple[Event, ...]:
        """Begin the next game of the match; seat 1 deals first, or `dealer`."""
        return self._do(commands.NewGame(dealer=dealer))

    def undo(self) -> tuple[Event, ...]:
        """Take back the last command with all that followed from it, also over wins."""
        return self._do(commands.Undo())


class ComputerPlayer:
    """Computer player that chooses for one seat, as `cribwars player` answers.

    Cards are one text with spaces, or a text for each card. `fronts` has the hole of each side's
    front peg, `boxed` the number of hands that each side must still sit out (Z7), and `cards_left`
    the number of cards that each seat can still play; the player's own is first, and the others
    follow to the left. `dealer` is True if the own side has the crib.

    Args:
        kind: "child", "regular" or "shark".
        board: the name of a board, or the path of a board file.
        seed: the same seed gives a child the same choices; by default they are random.

    >>> player = ComputerPlayer("regular")
    >>> player.discard("5H 5S 5D JC KD 2S", dealer=True)
    ['KD', '2S']
    >>> cards = {"discarded": "KD 2S", "starter": "AH", "pile": "TC", "seen": "TC"}
    >>> player.play("5H 5S 5D JC", **cards, cards_left=(4, 3), dealer=True)
    '5D'
    >>> player.discard("5H 5S", dealer=True)
    Traceback (most recent call last):
    companion.errors.BadInputError: hand: 5 or 6 cards are needed, 2 are given
    """

    @_checked
    def __init__(self, kind: str, board: str = "crib-wars", *, seed: int | None = None) -> None:
        setup = Setup.make(load_board(board).track, HouseRules(board=board), sides=(1, 2))
        self._track = setup.track
        self._player = make_player(kind, setup, random.Random(seed))  # noqa: S311  # no secrets in cards

    @_checked
    def discard(
        self,
        hand: str | Sequence[str],
        *,
        dealer: bool,
        fronts: Sequence[Hole] = (0, 0),
        boxed: Sequence[int] = (0, 0),
        starter: str | None = None,
    ) -> list[str]:
        """Return the cards to discard, two of six or one of five (T3).

        `starter` is given if it is turned up before the discards (T6).
        """
        asked = ask.DiscardAsk(
            hand=_each(hand),
            dealer=dealer,
            fronts=fronts,
            boxed=boxed,
            starter=starter,
        )
        return ask.discard(asked, self._player, self._track)

    @_checked
    def play(
        self,
        hand: str | Sequence[str],
        *,
        discarded: str | Sequence[str],
        starter: str,
        pile: str | Sequence[str],
        seen: str | Sequence[str],
        cards_left: Sequence[int],
        dealer: bool,
        fronts: Sequence[Hole] = (0, 0),
        boxed: Sequence[int] = (0, 0),
    ) -> str | None:
        """Return the card to play, or None if no card fits (P2).

        `hand` has the cards that the player still holds, `discarded` its own discards, `pile` the
        cards played since the count was 0, and `seen` all cards played in this hand.
        """
        asked = ask.PlayAsk(
            hand=_each(hand),
            dealer=dealer,
            fronts=fronts,
            boxed=boxed,
            discarded=_each(discarded),
            pile=_each(pile),
            starter=starter,
            seen=_each(seen),
            cards_left=cards_left,
        )
        return ask.play(asked, self._player, self._track)


def _each(cards: str | Sequence[str]) -> Sequence[str]:
    """Return the texts of cards that are written as one text with spaces, or one by one."""
    return cards.split() if isinstance(cards, str) else cards
