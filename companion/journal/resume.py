"""The start of a table from its journal: the last game goes on, or a new game begins.

The last game goes on if the settings still ask for its board, sides and players. The history then
holds the commands of this game and of the games before it, so that all can be taken back: with 90
counts, `new_game` and 60 counts, the history has 151 commands. Otherwise a new game begins. Its row
is written with the first command, so a start with wrong settings leaves no row.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from companion.errors import BadInputError, CompanionError, Text, first_line, joined, plural
from companion.journal.replay import (
    Branch,
    Past,
    ReplayStep,
    begins_game,
    current_series,
    fold,
    read_past,
)
from companion.journal.setup import (
    Continuation,
    GameRequest,
    continuation,
    find_board_file,
    parse_board_file,
    read_setup,
    write_setup,
)
from companion.journal.store import GameRow, LogRow, Store, checksum_of
from companion.rules.game import Entry, Event, History, NewGame, Setup, State, Undo, new_game
from companion.rules.game.notation import read_command, read_events

HISTORY_LIMIT: Final = 2_000
"""Most commands that a table can take back, or all of the last two games if these are more."""

LEFT_BEHIND: Final = Text(
    "the last game was begun with another board or other sides: it stays in the journal, and a "
    "new game begins"
)


Games = dict[int, tuple[GameRow, bytes]]
"""Games with their board files, by number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """The history that a table continues, its games, and the row of each of its commands.

    `games` is empty before the first command. `notice` says what was lost or not continued.
    """

    history: History
    games: Games = field(default_factory=dict)
    rows: list[LogRow] = field(default_factory=list)
    notice: Text | None = None


def recover_games(store: Store, request: GameRequest) -> Iterator[Text]:
    """Yield a notice for each game that has lost its `game` row; make the row again if possible.

    The new row has the board and rules of the settings, if the game's commands fit these rules.
    """
    for number in store.games_without_row():
        rows = [row for row in store.log_rows(at_most=store.last_seq) if row.game == number][::-1]
        text = (
            "game {number} is lost with its {commands} commands, because its row is damaged in "
            "the journal and in its mirror; restore a backup"
        )
        if game := _recovered(store, request, rows):
            store.add_game(game, request.board_file)
            text = (
                "the row of game {number} was lost, but its {commands} commands were found: the "
                "game goes on with the board, rules and names of the settings"
            )
        yield Text(text, number=number, commands=len(rows))


def _recovered(store: Store, request: GameRequest, rows: Sequence[LogRow]) -> GameRow | None:
    """Return the row of a game with these commands, or None if they do not fit the settings."""
    begun_by, asked = rows[0].parent, request.setup
    opening = store.log_row(begun_by)
    try:
        command = read_command(opening.command) if opening else NewGame()
        if not isinstance(command, NewGame):
            return None
        sides = command.sides or asked.sides
        setup = Setup.make(asked.board_track, asked.rules, sides=sides, players=command.players)
        start = new_game(setup, dealer=command.dealer or 1)
    except CompanionError:
        return None
    game = GameRow(
        number=rows[0].game,
        t=rows[0].t,
        begun_by=begun_by,
        setup=write_setup(start, request),
        board_checksum=checksum_of(request.board_file),
    )
    last = rows[-1].parent if begins_game(rows[-1]) else rows[-1].head
    branch = Branch(
        game=game, last=last if last > begun_by else None, t=0, ended_by=last, newest=False
    )
    try:
        past = read_past(store, branch, asked.board_track)
    except CompanionError:
        return None
    return game if past.cut is None else None


def resume(store: Store, request: GameRequest, lost: int = 0) -> Resumed:
    """Return the past of the last game if it fits the settings, or else the start of a new game.

    `lost` is the number of commands that are known to be missing; the notice has this number.
    """
    notice: Text | None = LEFT_BEHIND
    try:
        series = current_series(store)
        newest = next(series, None)
        if newest is None:
            notice = None
        elif resumed := _resume_from(store, request, newest, series, lost):
            return resumed
    except CompanionError as error:
        notice = Text(
            "the last game cannot be read ({line}), and a new game begins; restore a backup, or "
            "place the pegs as they stood",
            line=first_line(error),
        )
    start = new_game(request.setup)
    history = History(start, limit=HISTORY_LIMIT, next_setup=request.setup)
    notice = joined("; ", (_missing(lost), notice)) or None
    return Resumed(history=history, notice=notice)


def _missing(lost: int) -> Text | None:
    one = (
        "{n} command is damaged in the journal and in its mirror, and is lost: "
        "enter it again, or restore a backup"
    )
    more = (
        "{n} commands are damaged in the journal and in its mirror, and are lost: "
        "enter again what is missing, or restore a backup"
    )
    return plural(lost, one, more) if lost else None


def _resume_from(
    store: Store, request: GameRequest, newest: Branch, before: Iterator[Branch], lost: int
) -> Resumed | None:
    """Return the newest game and the games before it, or None if the newest game does not go on."""
    board_file, past = _read(store, request, newest)
    if not _goes_on(request.setup, newest.game, past.start.setup):
        return None
    played = [(newest.game, past)]
    games, entries = {newest.game.number: (newest.game, board_file)}, len(past.steps) + 1
    for branch in before:  # until the history is full
        try:
            board_file, earlier = _read(store, request, branch)
        except CompanionError:
            break
        entries += len(earlier.steps) + 1
        if earlier.cut is not None or entries > HISTORY_LIMIT:
            break
        games[branch.game.number] = branch.game, board_file
        played.insert(0, (branch.game, earlier))
    history, rows = History(played[0][1].start, limit=HISTORY_LIMIT, next_setup=request.setup), []
    for game, each in played:
        if each is not played[0][1] and (row := store.log_row(game.begun_by)):
            rows.append(row)
            history.add(Entry(command=read_command(row.command), events=(), state=each.start))
        for step in each.steps:
            rows.append(step.row)
            history.add(step.entry)
    return Resumed(history=history, games=games, rows=rows, notice=_loss(store, newest, past, lost))


def _read(store: Store, request: GameRequest, branch: Branch) -> tuple[bytes, Past]:
    board_file = find_board_file(store, branch.game, request.board_file)
    track = parse_board_file(board_file, read_setup(branch.game).board).track
    return board_file, read_past(store, branch, track)


def _loss(store: Store, branch: Branch, past: Past, missing: int) -> Text | None:
    """Return a notice about missing or unreadable commands, or None."""
    read_up_to = branch.ended_by if past.cut is None else past.cut
    unread = store.count(after=read_up_to)
    if not unread:
        return _missing(missing)
    t = past.steps[-1].t if past.steps else branch.game.t
    when = datetime.fromtimestamp(t).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    fault = past.fault or Text("row {read_up_to} is damaged", read_up_to=read_up_to + 1)
    one = (
        "the journal is damaged ({fault}): {n} command is lost, and the game goes on as it stood "
        "at {when}; enter again what is missing, or restore a backup"
    )
    more = (
        "the journal is damaged ({fault}): {n} commands are lost, and the game goes on as it stood "
        "at {when}; enter again what is missing, or restore a backup"
    )
    lost = max(unread + missing, store.last_seq - read_up_to)  # gaps in the numbers are losses too
    return plural(lost, one, more, fault=fault, when=when)


def _goes_on(new: Setup, row: GameRow, old: Setup) -> bool:
    """Return True if new settings fit a game's board, and its sides or those of its settings."""
    row_setup = read_setup(row)
    sides = row_setup.asked or old.sides
    players = row_setup.asked_players or old.players // len(old.sides) * len(sides)
    requested = dataclasses.replace(old, sides=sides, players=players)
    return any(continuation(each, new) is not Continuation.NEW_GAME for each in (old, requested))


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """An accepted command with its number; if it is an undo, it took back the events `undone`."""

    seq: int
    entry: Entry
    undone: tuple[Event, ...] = ()


def read_accepted(store: Store, resumed: Resumed) -> list[Accepted]:
    """Return earlier games' commands that were not taken back, then all of the present game.

    If a later game was taken back, or if a command of the present game cannot be read, only the
    commands that were not taken back are returned.
    """
    entries = resumed.history.latest(len(resumed.rows))
    standing = {row.seq: entry for row, entry in zip(resumed.rows, entries, strict=True)}
    found = [Accepted(seq=seq, entry=entry) for seq, entry in standing.items()]
    if not resumed.games:
        return found
    begun_by = resumed.games[max(resumed.games)][0].begun_by
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
            raise BadInputError("it belongs to a game that was taken back")
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
