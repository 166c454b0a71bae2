"""Lines of commentary: one for a count or other command, or for an event such as a played card.

Each event becomes a clause: a subject and a predicate from the phrases of the language. Clauses in
a row with the same subject are joined, and all clauses of a command make one sentence. No line
names a card that lies face down.

>>> from companion.board import load_board
>>> from companion.rules.game import History, HouseRules, Peg, new_game
>>> setup = Setup.make(load_board("classic").track, HouseRules(), sides=(1, 2))
>>> commentator = Commentator.make("en", {1: "Anna"}, setup)
>>> str(commentator.entry(History(new_game(setup)).do(Peg(side=1, points=6))))
'Anna counts six, to 6.'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final

from companion.commentary.event_phrases import (
    BoardPhrases,
    Clause,
    act_phrase,
    card_phrase,
    count_phrase,
    sum_phrase,
)
from companion.commentary.phrases import Phrases, load_phrases
from companion.rules.cards import Card, Part
from companion.rules.deal import Count, CountKind, Discarded, Played, Reset, SaidGo, Shown, Turned
from companion.rules.deal import Event as CardEvent
from companion.rules.deal.declared_count import DeclaredCount
from companion.rules.game import Entry, Event, Kind, NewGame, Peg, Setup, Undo

GREAT = 24  # least points of a hand or crib that is called great (rule S5)

_BY_A_PLAYER = (CountKind.PLAY, CountKind.HAND)  # without HEELS, GO, LAST, CRIB
"""Counts whose line names the player; the line of any other count names the side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commentator:
    """Commentator of games in one language, for one set-up (board, house rules and sides)."""

    phrases: Phrases
    setup: Setup
    board: BoardPhrases

    @classmethod
    def make(cls, language: str, names: Mapping[int, str], setup: Setup) -> Commentator:
        """Return a commentator; a side without an entry in `names` is named by its number."""
        return cls.speaking(load_phrases(language), names, setup)

    @classmethod
    def speaking(cls, phrases: Phrases, names: Mapping[int, str], setup: Setup) -> Commentator:
        board = BoardPhrases(phrases=phrases, setup=setup, names=names)
        return cls(phrases=phrases, setup=setup, board=board)

    def cards(self, event: CardEvent) -> str:
        """Return the line for an event of the cards that makes no points, or "" for other events.

        `count` returns the line of a card or a hand that makes points.
        """
        say = self.phrases.say
        match event:
            case Turned(card=card):
                return self._sentence(say("cards.starter", card=card_phrase(card, self.phrases)))
            case Reset(lead=seat):
                return self._sentence(say("cards.leads", who=self.board.player(seat)))
            case Discarded() | Played() | SaidGo() | Shown():
                predicate = act_phrase(event, self.phrases)
                return self._line([(self.board.player(event.seat), predicate)]) if predicate else ""
            case _:
                return ""

    def cut(self, cuts: Mapping[int, Card]) -> str:
        say, player = self.phrases.say, self.board.player
        return self._line(
            (player(seat), say("cards.cut", card=card_phrase(card, self.phrases)))
            for seat, card in cuts.items()
        )

    def count(
        self, count: Count, made_by: Played | Shown | None = None, events: Sequence[Event] = ()
    ) -> str:
        """Return the line for a count: its sum, and its consequences on the board.

        Args:
            count: the count.
            made_by: the card or hand that scored; None for a line without the parts of the score.
            events: the events on the board that the count led to.
        """
        side = self.setup.side_of(count.seat)
        by_player = count.why in _BY_A_PLAYER
        subject = self.board.player(count.seat) if by_player else self.board.side(side)
        predicate = count_phrase(count, made_by, self.phrases)
        clauses: Iterable[Clause] = [(subject, predicate)]
        if events:
            clauses = self.board.clauses(events, counted=(side, subject, predicate))
        line = self._line(clauses)
        if count.points < GREAT:
            return line
        total = self.phrases.number(count.points)
        return _with_capital(self.phrases.say("counts.great", total=total, line=line))

    def worth(self, count: DeclaredCount, parts: Sequence[Part]) -> str:
        """Return the line with the true points of a count that a side declared, and their parts."""
        key = "worth" if parts else "worth_unexplained" if count.actual else "worth_nothing"
        added = sum_phrase(parts, self.phrases) if parts else ""
        points = self.phrases.number(count.actual)
        predicate = self.phrases.say(f"counts.{key}", points=points, sum=added)
        return self._line([(self.board.player(count.seat), predicate)])

    def entry(self, entry: Entry, *, undone: Sequence[Event] = ()) -> str:
        """Return the line for an accepted command; it does not mention cards.

        `undone` are the events that an undo took back.
        """
        if isinstance(entry.command, NewGame):
            return self._sentence(self.phrases.say("table.new_game"))
        if not isinstance(entry.command, Undo):
            why = entry.command.why if isinstance(entry.command, Peg) else None
            return self._events(entry.events, why)
        if not undone:
            return self._sentence(self.phrases.say("table.undone"))
        return self.phrases.say("table.taken_back", line=self._events(undone))

    def highlights(self, entry: Entry) -> str:
        """Return the line without counts, or "" if no notable event, such as a skunk, happened."""
        if not any(event.kind.facts.is_highlight for event in entry.events):
            return ""
        return self._events([event for event in entry.events if event.kind is not Kind.COUNTED])

    def _events(self, events: Sequence[Event], why: CountKind | None = None) -> str:
        """Return the line for a command's events; for a correction, only for the new count."""
        corrected = events and events[0].kind is Kind.CORRECTED
        return self._line(self.board.clauses(events[:1] if corrected else events, why=why))

    def hint(self, kind: str, *, side: int | None = None, button: str = "") -> str:
        name = "" if side is None else self.board.side(side)
        return _with_capital(self.phrases.say(f"hints.{kind}", side=name, button=button))

    def sign(self, sign: str) -> str:
        return self._sentence(self.phrases.say(f"signs.{sign}"))

    def _line(self, clauses: Iterable[Clause]) -> str:
        line = ""
        for subject, group in groupby(clauses, key=itemgetter(0)):
            predicate = self.phrases.joined("clauses", [predicate for _, predicate in group])
            clause = self.phrases.say("join.clause", who=subject, does=predicate)
            line = self.phrases.say("join.sides", first=line, more=clause) if line else clause
        return self._sentence(line)

    def _sentence(self, clauses: str) -> str:
        return _with_capital(self.phrases.say("join.line", clauses=clauses))


def _with_capital(line: str) -> str:
    return line[:1].upper() + line[1:]


@dataclass(frozen=True, slots=True)
class CommentaryLine:
    """Line of commentary: its text, and the function `say`, which makes it in another language.

    `say` is None for a line that was read from a file.
    """

    text: str
    say: Callable[[Commentator], str] | None = None

    def in_words(self, words: Commentator | None) -> str:
        return self.say(words) if self.say and words else self.text


NO_LINE: Final = CommentaryLine("")
