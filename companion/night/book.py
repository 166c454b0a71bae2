"""Book of a table: a file with its games of a game night and the plan (the pairs of each round).

The journal has the games themselves; `JournalTail` reads its end while another thread writes it.
The book has the round of each game, and the sides that have confirmed its result. For example, the
game that runs when round 3 is seated, or else the next, is the game of round 3; after both sides
have confirmed it, further games belong to no round. If the book is lost or damaged, the table loses
its confirmations, but it loses no game.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from companion.journal.journal_file import FileIdentity, identity
from companion.journal.reader import JournalReader
from companion.journal.replay import begins_game, current_series
from companion.journal.store import FILE, NO_JOURNAL, Store
from companion.night.messages import (
    SIDES,
    JournalId,
    NightGame,
    NightId,
    NightMessage,
    NightPlan,
    Number,
    SeatedPair,
    newer,
)
from companion.rules.game import Setup, State
from companion.web.table.news import NightStanding

GAME_LIMIT: Final = 60
"""Most games of a book: enough for a long night and the night before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalPosition:
    """Position of a table in its journal.

    Attributes:
        journal: id of the journal, 16 hexadecimal digits.
        seq: number of the last command in the journal.
        head: number of the last command that is not undone; after an undo it is lower than `seq`.
        game: number of the present game.
    """

    journal: str = NO_JOURNAL
    seq: int = 0
    head: int = 0
    game: int = 0


class JournalTail:
    """End of the journal in a data folder, for one thread; each method may raise `JournalError`.

    If another file has replaced the journal, the new file is opened.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reader: JournalReader | None = None
        self._identity: FileIdentity | None = None
        self._position = JournalPosition()

    def close(self) -> None:
        if self._reader:
            self._reader.close()
        self._reader, self._position = None, JournalPosition()

    def position(self) -> JournalPosition:
        """Return the position of the table after the last command on disk."""
        with self._opened().store() as store:
            if not self._position.game or self._position.seq != store.last_seq:
                self._position = _position(store)
        return self._position

    def _opened(self) -> JournalReader:
        found = identity(self._folder / FILE)
        if self._reader is None or found != self._identity:
            self.close()
            self._reader, self._identity = JournalReader(self._folder), found
        return self._reader


def _position(store: Store) -> JournalPosition:
    journal, last = store.id, store.last_seq
    row = store.log_row(last)
    if row and row.head == last and not begins_game(row):  # usual: no search is needed
        return JournalPosition(journal=journal, seq=last, head=last, game=row.game)
    newest = next(current_series(store), None)
    if newest is None:
        return JournalPosition(journal=journal, seq=last)
    head = newest.last or newest.game.begun_by
    return JournalPosition(journal=journal, seq=last, head=head, game=newest.game.number)


class BookedGame(NightMessage, frozen=True, kw_only=True):
    """Game of a night; `won_by` is the winning command's number in `journal`, or 0 before a win."""

    night: NightId
    journal: JournalId
    won_by: Number = 0
    game: NightGame


class RoundStart(NightMessage, frozen=True, kw_only=True):
    """Start of a round at a table; `game` is the first game in `journal` that had no count yet."""

    night: NightId
    round: Number
    journal: JournalId
    game: Number


class Book(NightMessage, frozen=True, kw_only=True):
    """Book of a table: games (oldest first), the newest plan, and the last start of a round."""

    plan: NightPlan | None = None
    start: RoundStart | None = None
    games: tuple[BookedGame, ...] = ()

    def games_of_night(self) -> tuple[NightGame, ...]:
        return tuple(each.game for each in self.games if self._is_of_night(each))

    def _is_of_night(self, booked: BookedGame) -> bool:
        return self.plan is not None and booked.night == self.plan.night

    def game_at(self, position: JournalPosition) -> NightGame | None:
        where = position.journal, position.game
        found = (e for e in self.games if (e.journal, e.game.game) == where)
        booked = next(found, None)
        return booked.game if booked and self._is_of_night(booked) else None

    def seated(self, table: int) -> tuple[int, SeatedPair] | None:
        """Return the number of the newest round, and the pair that must still play it at a table.

        Return None if no pair is seated there, or if both sides have confirmed the pair's result.
        """
        pair = self.plan.pair_at(table) if self.plan else None
        if self.plan is None or pair is None:
            return None
        number = len(self.plan.rounds)
        entrants = set(pair.entrants)
        over = any(
            game.round == number and is_certified(game) and entrants == set(game.entrants.values())
            for game in self.games_of_night()
        )
        return None if over else (number, pair)


def is_certified(game: NightGame) -> bool:
    """Return True if both sides have confirmed the result."""
    return len(game.confirmed) == SIDES


def take_plan(book: Book, plan: NightPlan) -> Book:
    """Return the book with the organiser's plan, unless it has a newer plan of the same night."""
    known = book.plan
    if known and known.night == plan.night:
        plan = newer(known, plan)
    return msgspec.structs.replace(book, plan=plan)


def note_game(book: Book, table: int, position: JournalPosition, state: State) -> Book:
    """Return the book with the present state of a table's game.

    At its first count a game gets the round that is the newest then, and keeps it. If an undo has
    led back to an earlier game, later games are removed. An undone win loses its confirmations.
    """
    journal = position.journal
    book = _note_start(book, table, position, state)
    games = [
        each for each in book.games if each.journal != journal or each.game.game < position.game
    ]
    before = next(
        (e for e in book.games if (e.journal, e.game.game) == (journal, position.game)), None
    )
    booked = _note(book, table, position, state, before)
    kept = (*games, booked) if booked else tuple(games)
    return msgspec.structs.replace(book, games=kept[-GAME_LIMIT:])


def _note_start(book: Book, table: int, position: JournalPosition, state: State) -> Book:
    """Return the book; if the newest round is new to this table, add the start of the round."""
    seated, start = book.seated(table), book.start
    if book.plan is None or seated is None:
        return book
    night, round_ = book.plan.night, seated[0]
    journals = (position.journal, NO_JOURNAL)
    if start and (start.night, start.round) == (night, round_) and start.journal in journals:
        return book
    game = position.game + bool(state.counts)
    start = RoundStart(night=night, round=round_, journal=position.journal, game=game)
    return msgspec.structs.replace(book, start=start)


def _note(
    book: Book, table: int, position: JournalPosition, state: State, before: BookedGame | None
) -> BookedGame | None:
    """Return the book's entry for a table's game, or None if it belongs to no night."""
    sides = state.setup.sides
    if len(sides) != SIDES or not state.counts:
        return None
    is_older = book.start is None or position.game < book.start.game
    is_over = state.winner is not None and (before is not None or is_older)
    night, round_, entrants = _seats_of(book, table, state, before, is_over=is_over)
    if not entrants:
        return None
    won_by = position.head if state.winner else 0
    game = NightGame(
        game=position.game,
        round=round_,
        entrants=entrants,
        progress={str(side): state.progress(side) for side in sides},
        finish=state.setup.track.finish,
        winner=str(state.winner) if state.winner else None,
        confirmed=before.game.confirmed if before and before.won_by == won_by else (),
    )
    return BookedGame(night=night, journal=position.journal, won_by=won_by, game=game)


def _seats_of(
    book: Book, table: int, state: State, before: BookedGame | None, *, is_over: bool
) -> tuple[str, int, dict[str, int]]:
    """Return night, round and entrants by side; no entrants if the game belongs to no night.

    A running game gets the pair that is seated now, because the organiser can exchange pairs. If
    `is_over` is True, the game keeps its pair.
    """
    seated = book.seated(table)
    if book.plan and seated and not is_over:
        round_, pair = seated
        its_own = before and (before.night, before.game.round) == (book.plan.night, round_)
        if before is None or its_own:
            entrants = zip(map(str, state.setup.sides), pair.entrants, strict=True)
            return book.plan.night, round_, dict(entrants)
    if before is None:
        return "", 0, {}
    return before.night, before.game.round, before.game.entrants


def confirm(book: Book, position: JournalPosition, side: int) -> Book:
    """Return the book; if a game was won at `position`, add a side's confirmation of this win."""

    def confirmed(booked: BookedGame) -> BookedGame:
        key = booked.journal, booked.game.game, booked.won_by
        if key != (position.journal, position.game, position.head):
            return booked
        sides = tuple(sorted({*booked.game.confirmed, str(side)}))
        game = msgspec.structs.replace(booked.game, confirmed=sides)
        return msgspec.structs.replace(booked, game=game)

    return msgspec.structs.replace(book, games=tuple(map(confirmed, book.games)))


def standing_of(book: Book, table: int, position: JournalPosition, setup: Setup) -> NightStanding:
    """Return round, names and confirmations of the game that a table plays, or plays next."""
    plan = book.plan
    if plan is None:
        return NightStanding(table=table)
    none = NightStanding(table=table, message=plan.message)
    game = book.game_at(position)
    if game and not (is_certified(game) and book.seated(table)):
        names = {side: plan.name_of(entrant) for side, entrant in game.entrants.items()}
        return msgspec.structs.replace(
            none, round=game.round, names=names, awaited=_awaited(game), confirmed=game.confirmed
        )
    seated = book.seated(table)
    if seated is None or len(setup.sides) != SIDES:
        return none
    number, pair = seated
    names = {
        str(side): plan.name_of(entrant)
        for side, entrant in zip(setup.sides, pair.entrants, strict=True)
    }
    return msgspec.structs.replace(none, round=number, names=names)


def _awaited(game: NightGame) -> tuple[str, ...]:
    if game.winner is None:
        return ()
    return tuple(side for side in sorted(game.entrants) if side not in game.confirmed)
