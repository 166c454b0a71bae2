"""Loader of board files. A file is checked when it is read, so that every `Board` is valid.

A file is read in two passes. The first reads each table by itself. For a missing or wrong key it
adds a fault and uses a default. The second compares the tables: zones with the finish, rows with
the holes, strips with the sheet. It skips faulty tables, because their defaults could cause further
faults. A wrong `lanes`, for example, is only one fault:

>>> parse_board(board_source("classic").replace(b"lanes = 3", b"lanes = 4"), file="a.toml")
Traceback (most recent call last):
companion.errors.BoardFileError: a.toml: lanes: cannot be 4; it takes a whole number from 2 to 3
"""

from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import TypeVar

from companion.board import keys, manufacturing, validate
from companion.board.layout import (
    MOST_POINTS,
    NOTES,
    STYLES,
    Board,
    District,
    Lamp,
    Lettering,
    Mark,
    Note,
    Track,
    Zone,
)
from companion.board.manufacturing import BoardFault, RowDefinition
from companion.board.zone_kinds import ZoneKind
from companion.errors import BoardFileError, Fault, Text, suggest
from companion.toml import TableReader, choice, decode, number, parse

_SHIPPED = resources.files("companion.board") / "boards"
_LARGEST_FILE = 1 << 18
_DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_MOST_HOLES = 1000
_MOST_TARGETS = {"to": _MOST_HOLES, "path": 60, "rejoin": _MOST_HOLES}
"""Greatest value of each key that says where a zone sends a peg; `path` is a number of holes."""
_NO_NEXT_HOLE = "no hole follows hole {hole}, as the finish is {finish}"
_Part = TypeVar("_Part")


def board_names() -> tuple[str, ...]:
    """Return the names of the shipped boards, in alphabetical order."""
    files = (file.name for file in _SHIPPED.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


def load_board(name_or_path: str) -> Board:
    """Load a shipped board by its name, or another board by the path of its `.toml` file.

    Raises:
        BoardFileError: the board has faults; the error lists all of them.
    """
    return parse_board(board_source(name_or_path), file=_file(name_or_path))


def board_source(name_or_path: str) -> bytes:
    """Return the bytes of a board's file, by the name of a shipped board or by a path.

    Raises:
        BoardFileError: there is no such board, or it cannot be read.
    """
    if name_or_path in board_names():
        return (_SHIPPED / f"{name_or_path}.toml").read_bytes()
    if not name_or_path.endswith(".toml"):
        remedy = Text(
            "{remedy} (a file's name ends in .toml)", remedy=suggest(name_or_path, board_names())
        )
        raise _refusal(name_or_path, Text("no board of this name"), remedy)
    return _content(name_or_path)


def check_board(name_or_path: str) -> tuple[Fault, ...]:
    """Return every fault of a board, which is given by name or path as in `load_board`."""
    try:
        load_board(name_or_path)
    except BoardFileError as error:
        return error.faults
    return ()


def parse_board(content: bytes, *, file: str) -> Board:
    """Parse the bytes of a board file; `file` is the name that faults show.

    Raises:
        BoardFileError: the board has faults; the error lists all of them.
    """
    faults: list[Fault] = []
    values = parse(decode(content, file, faults), file, faults)
    board = None if faults else _read_board(TableReader(values, file=file, where="", faults=faults))
    if board is None:
        raise BoardFileError(*faults)
    return board


def _file(name_or_path: str) -> str:
    return f"{name_or_path}.toml" if name_or_path in board_names() else name_or_path


def _content(path: str) -> bytes:
    try:
        if not Path(path).is_file():
            raise _refusal(path, Text("no such file"), Text("check the path"))
        with Path(path).open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except (OSError, UnicodeEncodeError) as error:
        reason = getattr(error, "strerror", None) or Text("not a possible path")
        raise _refusal(
            path, Text("cannot be read ({reason})", reason=reason), Text("check the path")
        ) from error
    if len(content) > _LARGEST_FILE:
        raise _refusal(path, Text("more than 256 kB: not a board file"), Text("check the path"))
    return content


def _refusal(path: str, problem: Text, remedy: Text) -> BoardFileError:
    return BoardFileError(Fault(file=repr(path), problem=problem, remedy=remedy))


def _read_board(head: TableReader) -> Board | None:
    """Return the board of a file, or None after adding the faults of the file to `head.faults`."""
    reading = _BoardTables(head)
    head.faults += [Fault(file=head.file, **fault._asdict()) for fault in reading.faults()]
    return None if head.faults else reading.board()


class _BoardTables:
    """Tables of a board file.

    `_unclear` has the names of tables with a fault, such as "zone".
    """

    def __init__(self, head: TableReader) -> None:
        self._head = head
        self._unclear: set[str] = set()
        self._name, self._title = head.required("name", keys.ID, ""), keys.text(head, "title", 60)
        self._finish = keys.whole(head, "finish", 61, _MOST_HOLES)
        self._lanes = keys.whole(head, "lanes", 2, 3)
        sheet = self._sheet = head.table("sheet")
        self._size = (
            keys.number(sheet, "width_mm", 100, keys.MOST_MM),
            keys.number(sheet, "height_mm", 100, keys.MOST_MM),
        )
        self._pitch = keys.number(sheet, "pitch_mm", 1, 100)
        sheet.close()
        self._marks = self._read("mark", _mark)
        self._zones = self._read("zone", _zone)
        self._entries = self._read("row", self._entry)
        self._lamps = self._read("lamp", _lamp)
        self._lettering = self._read("lettering", _lettering)
        self._notes = self._read("note", _note)
        self._district = _district(head)
        head.close()

    def board(self) -> Board:
        """Return the board. The file must have no fault."""
        width, height = self._size
        return Board(
            name=self._name,
            title=self._title,
            track=self._track(),
            width_mm=width,
            height_mm=height,
            pitch_mm=self._pitch,
            rows=tuple(
                entry.row(lane) for entry in self._entries for lane in range(1, self._lanes + 1)
            ),
            lamps=tuple(self._lamps),
            marks=tuple(self._marks),
            lettering=tuple(self._lettering),
            notes=tuple(self._notes),
            district=self._district,
        )

    def faults(self) -> Iterator[BoardFault]:
        yield from self._zone_faults()
        yield from self._note_faults()
        yield from self._row_faults()
        if self._head.good("lanes") and "lamp" not in self._unclear:
            yield from _lamp_id_faults([lamp.id for lamp in self._lamps], self._lanes)
        if self._sheet.clean:
            yield from self._sheet_faults()

    def _zone_faults(self) -> Iterator[BoardFault]:
        finish = self._finish if self._head.good("finish") else _MOST_HOLES
        for mark in self._marks:
            if mark.hole >= finish:
                yield BoardFault(
                    "mark.hole",
                    Text(_NO_NEXT_HOLE, hole=mark.hole, finish=finish),
                    Text("mark a hole before the finish"),
                )
        faults = tuple(validate.zone_faults(self._zones, finish))
        yield from faults
        if not faults and "zone" not in self._unclear and self._head.good("finish", "lanes"):
            yield from validate.track_faults(self._track())

    def _note_faults(self) -> Iterator[BoardFault]:
        subjects = [*NOTES, *(zone.id for zone in self._zones)]
        for note in self._notes:
            if note.about not in subjects and "zone" not in self._unclear:
                problem = Text('nothing is called "{about}"', about=note.about)
                yield BoardFault("note.about", problem, suggest(note.about, subjects))
        if self._district and self._head.good("finish") and self._district.last >= self._finish:
            problem = Text(_NO_NEXT_HOLE, hole=self._district.last, finish=self._finish)
            yield BoardFault("district.last", problem, Text("let it end before the finish"))

    def _row_faults(self) -> Iterator[BoardFault]:
        if "row" in self._unclear:
            return
        if self._head.good("finish"):
            yield from manufacturing.coverage_faults(self._entries, "", self._finish)
        paths = {zone.id: len(zone.path) for zone in self._zones if zone.path}
        for zone, length in paths.items():
            yield from manufacturing.coverage_faults(self._entries, zone, length)
        for entry in self._entries:
            if entry.zone and entry.zone not in paths and "zone" not in self._unclear:
                problem = Text('no zone "{zone}" has a side path', zone=entry.zone)
                remedy = suggest(entry.zone, paths) if paths else Text("take the row out")
                yield BoardFault(f"{entry.key}.zone", problem, remedy)

    def _sheet_faults(self) -> Iterator[BoardFault]:
        yield from manufacturing.pitch_faults(self._pitch)
        yield from manufacturing.lettering_faults(self._lettering, self._size)
        if self._head.good("lanes"):
            yield from manufacturing.strip_faults(self._entries, self._lanes, self._size)
            yield from manufacturing.lamp_faults(
                self._lamps, self._entries, self._lanes, self._size
            )

    def _track(self) -> Track:
        return Track(finish=self._finish, lanes=self._lanes, zones=tuple(self._zones))

    def _read(self, key: str, build: Callable[[TableReader], _Part]) -> list[_Part]:
        """Build a part of a board from each table `[[key]]`; a fault adds `key` to `_unclear`."""
        parts: dict[str, _Part] = {}
        for table in self._head.tables(key):
            part = build(table)
            if table.where in parts:
                table.fault(
                    "id", Text("two tables have this id"), Text("give each an id of its own")
                )
            if table.close():
                parts[table.where] = part
            else:
                self._unclear.add(key)
        if not self._head.good(key):
            self._unclear.add(key)
        return list(parts.values())

    def _entry(self, table: TableReader) -> RowDefinition:
        zone = table.optional("zone", keys.ID, "")
        first, last = (
            keys.whole(table, "first", 1, _MOST_HOLES),
            keys.whole(table, "last", 1, _MOST_HOLES),
        )
        if table.good("first", "last") and last < first:
            text = "{last} comes before first = {first}"
            table.fault("last", Text(text, last=last, first=first), Text("swap them"))
        x, y = _DIRECTIONS[keys.choice(table, "direction", *_DIRECTIONS)]
        step = keys.number(table, "lane_step_mm", -100, 100)
        return RowDefinition(
            key=table.where,
            zone=zone,
            first=first,
            last=last,
            start=keys.point(table, "lane_1_mm"),
            along=(x * self._pitch, y * self._pitch),
            across=(step, 0.0) if y else (0.0, step),
        )


def _mark(table: TableReader) -> Mark:
    hole, caption = keys.whole(table, "hole", 1, _MOST_HOLES), keys.text(table, "caption", 40)
    before = table.optional("line", choice("after", "before"), "after") == "before"
    return Mark(hole=hole, caption=caption, before=before)


def _zone(table: TableReader) -> Zone:
    name = _name_by_id(table, "zone")
    kind = ZoneKind(keys.choice(table, "kind", *ZoneKind))
    first = keys.whole(table, "first", 1, _MOST_HOLES)
    length = table.optional("holes", number(1, MOST_POINTS, whole=True), 3)
    targets = dict.fromkeys(_MOST_TARGETS, 0)
    if table.good("kind"):
        wanted = kind.facts.target_keys
        targets |= {key: keys.whole(table, key, 1, _MOST_TARGETS[key]) for key in wanted}
        for key in [key for key in targets if key not in wanted]:
            problem = Text("a {kind} has no such key", kind=kind)
            table.refuse(key, problem, Text("take it out, or give another kind"))
    else:
        table.allow(*targets)
    to = targets["to"]
    return Zone(
        id=name,
        kind=kind,
        box=tuple(range(first, first + length)),
        to=tuple(range(to, to + length)) if to else (),
        path=tuple(f"{name}:{n}" for n in range(1, targets["path"] + 1)),
        rejoin=targets["rejoin"],
    )


def _lamp(table: TableReader) -> Lamp:
    name = _name_by_id(table, "lamp")
    x, y = keys.point(table, "at_mm")
    return Lamp(id=name, x_mm=x, y_mm=y)


def _lettering(table: TableReader) -> Lettering:
    text = keys.text(table, "text", 80)
    x, y = keys.point(table, "at_mm")
    return Lettering(
        text=text,
        x_mm=x,
        y_mm=y,
        size_mm=keys.number(table, "size_mm", 1, 100),
        anchor=table.optional("anchor", choice("start", "middle", "end"), "middle"),
        style=table.optional("style", choice(*STYLES), "plain"),
        turn_deg=float(table.optional("turn_deg", number(-180, 180), 0.0)),
    )


def _district(head: TableReader) -> District | None:
    table = head.table("district")
    if "district" not in head:
        return None
    outline: list[list[float]] = table.required("outline_mm", keys.OUTLINE, [])
    last = keys.whole(table, "last", 1, _MOST_HOLES)
    table.close()
    return District(last=last, outline_mm=tuple((float(x), float(y)) for x, y in outline))


def _note(table: TableReader) -> Note:
    about = table.required("about", keys.ID, "")
    x, y = keys.point(table, "at_mm")
    return Note(
        about=about,
        x_mm=x,
        y_mm=y,
        width_mm=keys.number(table, "width_mm", 10, keys.MOST_MM),
        turn_deg=float(table.optional("turn_deg", number(-180, 180), 0.0)),
    )


def _name_by_id(table: TableReader, kind: str) -> str:
    name = table.required("id", keys.ID, "")
    if table.good("id"):
        table.where = f"{kind}[{name}]"
    return name


def _lamp_id_faults(ids: list[str], lanes: int) -> Iterator[BoardFault]:
    wanted = [f"start-{lane}" for lane in range(1, lanes + 1)]
    wanted += [f"dealer-{seat}" for seat in range(1, 2 * lanes + 1)]
    for name in wanted:
        if name not in ids:
            problem = Text('"{name}" is missing for {lanes} lanes', name=name, lanes=lanes)
            yield BoardFault("lamp", problem, Text("add a [[lamp]] with this id"))
    for name in ids:
        if name not in wanted:
            problem = Text("a board of {lanes} lanes has no lamp with this id", lanes=lanes)
            yield BoardFault(f"lamp[{name}].id", problem, suggest(name, wanted))
