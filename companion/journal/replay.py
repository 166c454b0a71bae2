"""Replay of recorded games: the branch of each game, and its states.

A command or a game stands if no undo has taken it back. The branch of a game is its commands that
stand. Each row has the numbers of two rows: `parent` is the last row that stood before it came, and
`head` is the last row that stood after it came. So a branch is read backwards: it begins at the
head of the journal's last row, and each row leads to its parent. Example: rows 1 and 2 are counts,
row 3 is an undo with parent 2 and head 1, row 4 is another count with parent 1. The branch is 4,
then 1. If a command cannot be read, the later commands of its branch are left out.

A row of the journal has a command and its events. A replay does not apply the rules again:
`play_back` applies the events of each row to the state before the row, which gives one state for
each row (`Past`). Later changes of the rules therefore cannot change an old game, and a row takes
about 10 us. The row of a correction has the new events of all rows since the corrected row;
`Past.standing` replaces the old events of these rows by the new ones.
"""

import dataclasses
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from msgspec import Struct, structs

from companion.board import Track
from companion.errors import BadInputError, Text
from companion.journal.setup import start_of
from companion.journal.store import GameRow, LogRow, Store
from companion.rules.game import Correct, CountKind, Entry, Peg, State, apply_all, standing
from companion.rules.game.notation import read_command, read_events

_NEW_GAME: Final = b'{"new_game"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A game that stands.

    Attributes:
        last: the number of its last command that stands, or None.
        t: the time of this command, or of the game's start.
        ended_by: the number of the last command that changed the game, such as an undo.
        newest: True for the game that a table continues.
    """

    game: GameRow
    last: int | None
    t: float
    ended_by: int
    newest: bool


def begins_game(row: LogRow) -> bool:
    """Return True if a command is `new_game`."""
    return row.command.startswith(_NEW_GAME)


def all_branches(store: Store, *, at_most: int) -> Iterator[Branch]:
    """Yield every game that stood after the command with the number `at_most`, newest first."""
    below = None
    while True:
        branch = None
        for branch in _series(store, at_most=at_most, below_game=below):
            yield branch
        if branch is None:
            return
        at_most, below = branch.last or at_most, branch.game.number


def current_series(store: Store) -> Iterator[Branch]:
    """Yield the present game, then the game in which its `new_game` was entered, and so on."""
    return _series(store, at_most=store.last_seq)


def read_branch(store: Store, branch: Branch) -> tuple[list[LogRow], int | None]:
    """Return the commands of a game, oldest first, as far as they can be read.

    Returns:
        The commands; and the number of the last command before a lost command, or None.
    """
    game, found, cut = branch.game, list[LogRow](), None
    wanted = branch.last or game.begun_by
    for row in store.log_rows(at_most=wanted, after=game.begun_by):
        if row.seq > wanted:
            continue  # taken back
        if row.seq < wanted or row.game != game.number or begins_game(row):
            # The wanted row is lost: drop the later rows, and go on with the branch up to this row.
            found, cut = [], row.seq - (row.seq == wanted)
            wanted = row.parent if begins_game(row) or row.game != game.number else row.head
        if row.seq == wanted:
            found.append(row)
            wanted = row.parent
    if wanted != game.begun_by:
        return [], game.begun_by
    return found[::-1], cut


def _series(store: Store, *, at_most: int, below_game: int | None = None) -> Iterator[Branch]:
    """Yield the games of `current_series` as they were after the command number `at_most`."""
    standing = None
    with closing(store.log_rows(at_most=at_most, below_game=below_game)) as rows:
        for row in rows:
            standing = _standing_after(store, row)
            # The command that began a game belongs to the game before it.
            if standing and (below_game is None or standing[0].number < below_game):
                break
            standing = None
    newest, ended_by = below_game is None, row.seq if standing else 0
    while standing:
        game, head = standing
        last = None if head <= game.begun_by else store.log_row(head)
        t, seq = (last.t, last.seq) if last else (game.t, None)
        yield Branch(game=game, last=seq, t=t, ended_by=ended_by, newest=newest)
        newest, standing, ended_by = False, None, game.begun_by
        before = store.log_row(game.begun_by)
        earlier = store.game_row(before.game) if before and before.game < game.number else None
        if before and earlier:
            standing = earlier, before.parent


def _standing_after(store: Store, row: LogRow) -> tuple[GameRow, int] | None:
    """Return the game that goes on after a row, and the row's head; None if either is lost."""
    if row.head == 0:  # all commands, even each `new_game`, were taken back: the first game goes on
        game = store.game_row(row.game)
        while game and game.begun_by:
            opening = store.log_row(game.begun_by)
            is_earlier = opening and opening.game < game.number
            game = store.game_row(opening.game) if opening and is_earlier else None
    else:
        named = row if row.head == row.seq else store.log_row(row.head)
        game = None
        if named is None or begins_game(named):
            game = store.game_begun_by(row.head, after=named.game if named else 0)
        if named and game is None:
            game = store.game_row(named.game)
    return (game, row.head) if game else None


class ReplayStep(Struct, frozen=True, kw_only=True):
    """A command that stands: its row in the journal, and its events with the state after them."""

    row: LogRow
    entry: Entry

    @property
    def seq(self) -> int:
        return self.row.seq

    @property
    def t(self) -> float:
        return self.row.t

    @property
    def why(self) -> CountKind | None:
        """The reason of a count, or None if the journal does not have it."""
        command = self.entry.command
        return command.why if isinstance(command, Peg) else None


@dataclass(frozen=True, kw_only=True)
class Past:
    """A game from its start, step by step.

    `cut` is the number of the last command before the first unreadable one, and `fault` says why
    that one cannot be read. Both are None if all commands could be read.
    """

    start: State
    steps: tuple[ReplayStep, ...]
    cut: int | None = None
    fault: Text | None = None

    @property
    def states(self) -> tuple[State, ...]:
        return (self.start, *(step.entry.state for step in self.steps))

    @cached_property
    def standing(self) -> tuple[ReplayStep, ...]:
        """The steps, with their events and states as all corrections have left them."""
        if not any(isinstance(step.entry.command, Correct) for step in self.steps):
            return self.steps
        entries = standing(self.start, (step.entry for step in self.steps))
        steps = zip(self.steps, entries, strict=True)
        return tuple(structs.replace(step, entry=entry) for step, entry in steps)

    @property
    def end(self) -> State:
        return self.steps[-1].entry.state if self.steps else self.start


def read_past(store: Store, branch: Branch, track: Track) -> Past:
    """Return a game that stands, as far as its commands can be read.

    Raises:
        BadInputError, RuleError: the set-up of the game cannot be read.
    """
    start = start_of(branch.game, track)
    rows, cut = read_branch(store, branch)
    past = play_back(start, rows, before=branch.game.begun_by)
    if past.cut is not None or cut is None:
        return past
    text = "row {cut} is damaged or missing"
    return dataclasses.replace(past, cut=cut, fault=Text(text, cut=cut + 1))


def play_back(start: State, rows: Iterable[LogRow], *, before: int = 0) -> Past:
    """Return a game by applying the events of its rows, without applying the rules again.

    The game ends before the first row that is unreadable or does not follow from earlier rows.
    `before` is the number of the command before the first row, or 0.
    """
    steps: list[ReplayStep] = []
    cut = fault = None
    for row in rows:
        try:
            entry = fold(start, steps, row)
        except BadInputError as error:
            cut = steps[-1].seq if steps else before
            fault = Text("row {seq}: {error}", seq=row.seq, error=error)
            break
        steps.append(ReplayStep(row=row, entry=entry))
    return Past(start=start, steps=tuple(steps), cut=cut, fault=fault)


def fold(start: State, steps: list[ReplayStep], row: LogRow) -> Entry:
    """Return the command of a row, its events and the state after them; `steps` come before it.

    Raises:
        BadInputError: the row has no command, or its events cannot follow these steps.
    """
    command, events = read_command(row.command), read_events(row.events)
    state = steps[-1].entry.state if steps else start
    try:
        if isinstance(command, Correct):
            correction = Entry(command=command, events=events, state=state)
            entries = [*(step.entry for step in steps), correction]
            after = standing(start, entries)[-1].state
        else:
            after = apply_all(state, events)
        beyond = max(after.progresses) > after.setup.track.finish
    except (AssertionError, LookupError, TypeError, ValueError) as error:
        raise BadInputError("it does not follow from the rows before it") from error
    if beyond:
        raise BadInputError("a peg is beyond the track")
    return Entry(command=command, events=events, state=after)
