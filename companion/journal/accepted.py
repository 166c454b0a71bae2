"""The commands accepted before a table started, those taken back included: the log of the page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.errors import BadInputError
from companion.journal.branch import begins_game
from companion.journal.replay import ReplayStep, fold
from companion.journal.resume import Resumed
from companion.journal.store import LogRow, Store
from companion.rules.game import Entry, Event, State, Undo
from companion.rules.game.notation import read_command, read_events


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """Accepted command with its number, and the events that it took back if it is an undo."""

    seq: int
    entry: Entry
    undone: tuple[Event, ...] = ()


def read_accepted(store: Store, resumed: Resumed) -> list[Accepted]:
    """Return all commands of the game that goes on, after those of earlier games that stand.

    Of a game since which another was taken back, or of which a command cannot be read, those that
    stand are returned.
    """
    rows = [position.seq for position in resumed.positions if position.row]
    entries = resumed.history.latest(len(rows))
    standing = dict(zip(rows[-len(entries) :], entries, strict=True)) if entries else {}
    found = [Accepted(seq=seq, entry=entry) for seq, entry in standing.items()]
    if not resumed.positions:
        return found
    begun_by = resumed.positions[-1].game.row.begun_by
    start, _ = resumed.history.game
    newest_first = store.log_rows(at_most=store.last_seq, after=begun_by)
    try:
        running = _running_game(start, reversed(list(newest_first)), standing)
    except BadInputError:
        return found
    return [each for each in found if each.seq <= begun_by] + running


def _running_game(
    start: State, rows: Iterable[LogRow], standing: Mapping[int, Entry]
) -> list[Accepted]:
    steps: list[ReplayStep] = []
    found: list[Accepted] = []
    for row in rows:
        command = read_command(row.command)
        if begins_game(row) or (steps and row.parent != steps[-1].seq):
            raise BadInputError("it is of a game that was taken back")
        if isinstance(command, Undo):
            undone = steps.pop().entry.events if steps else ()
            state = steps[-1].entry.state if steps else start
            entry = Entry(command=command, events=read_events(row.events), state=state)
            found.append(Accepted(seq=row.seq, entry=entry, undone=undone))
        else:
            entry = standing.get(row.seq) or fold(start, steps, row)
            steps.append(ReplayStep(row=row, entry=entry))
            found.append(Accepted(seq=row.seq, entry=entry))
    return found
