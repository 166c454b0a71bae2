"""A board out of the tables of its file; what can be judged without the faulty rest is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from companion.board.definition import manufacturing, validate
from companion.board.definition.manufacturing import Entry
from companion.board.definition.toml_table import Table
from companion.board.layout import STYLES, Board, Lamp, Lettering
from companion.board.track import Track, Zone, ZoneKind
from companion.errors import Fault, suggest

_DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_MOST_HOLES, _MOST_BOX, _MOST_PATH = 1000, 29, 60
_MOST_MM = 2000.0
_Part = TypeVar("_Part")


def read_board(head: Table) -> Board | None:
    """The board of a file; None if it has any fault, all of which the table has noted then."""
    reading = _Reading(head)
    head.faults += [replace(fault, file=head.file) for fault in reading.faults()]
    return None if head.faults else reading.board()


class _Reading:
    """What the tables of a board file say; of faulty tables only that there are some."""

    def __init__(self, head: Table) -> None:
        self._head = head
        self._unclear: set[str] = set()
        self._name, self._title = head.word("name"), head.text("title", 60)
        self._finish = head.whole("finish", 61, _MOST_HOLES)
        self._lanes = head.whole("lanes", 2, 3)
        sheet = self._sheet = head.table("sheet")
        self._size = (
            sheet.number("width_mm", 100, _MOST_MM),
            sheet.number("height_mm", 100, _MOST_MM),
        )
        self._pitch = sheet.number("pitch_mm", 1, 100)
        sheet.close()
        self._marks = self._read("mark", _mark)
        self._zones = self._read("zone", _zone)
        self._entries = self._read("row", self._entry)
        self._lamps = self._read("lamp", _lamp)
        self._lettering = self._read("lettering", _lettering)
        head.close()

    def board(self) -> Board:
        """The board; only for a reading without a fault."""
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
        )

    def faults(self) -> Iterator[Fault]:
        """What is wrong between the parts, as far as they are readable."""
        yield from self._zone_faults()
        yield from self._row_faults()
        if self._head.good("lanes") and "lamp" not in self._unclear:
            yield from _lamp_id_faults([lamp.id for lamp in self._lamps], self._lanes)
        if self._sheet.clean:
            yield from self._sheet_faults()

    def _zone_faults(self) -> Iterator[Fault]:
        finish = self._finish if self._head.good("finish") else _MOST_HOLES
        for hole, _ in self._marks:
            if hole >= finish:
                problem = f"hole {hole} has no next one, the finish being {finish}"
                yield Fault(key="mark.hole", problem=problem, remedy="mark one before it")
        faults = tuple(validate.zone_faults(self._zones, finish))
        yield from faults
        if not faults and "zone" not in self._unclear and self._head.good("finish", "lanes"):
            yield from validate.track_faults(self._track())

    def _row_faults(self) -> Iterator[Fault]:
        if "row" in self._unclear:
            return
        if self._head.good("finish"):
            yield from manufacturing.coverage_faults(self._entries, "", self._finish)
        paths = {zone.id: len(zone.path) for zone in self._zones if zone.path}
        for zone, length in paths.items():
            yield from manufacturing.coverage_faults(self._entries, zone, length)
        for entry in self._entries:
            if entry.zone and entry.zone not in paths and "zone" not in self._unclear:
                problem = f'no zone "{entry.zone}" has a side path'
                remedy = suggest(entry.zone, paths)
                yield Fault(key=f"{entry.key}.zone", problem=problem, remedy=remedy)

    def _sheet_faults(self) -> Iterator[Fault]:
        yield from manufacturing.pitch_faults(self._pitch)
        yield from manufacturing.lettering_faults(self._lettering, self._size)
        if self._head.good("lanes"):
            yield from manufacturing.strip_faults(self._entries, self._lanes, self._size)
            yield from manufacturing.lamp_faults(
                self._lamps, self._entries, self._lanes, self._size
            )

    def _track(self) -> Track:
        return Track(finish=self._finish, lanes=self._lanes, zones=tuple(self._zones))

    def _read(self, key: str, build: Callable[[Table], _Part]) -> list[_Part]:
        """The readable ones of the tables `[[key]]`; notes if there are others."""
        parts: dict[str, _Part] = {}
        for table in self._head.tables(key):
            part = build(table)
            if table.where in parts:
                table.fault("id", "two have this id", "give each one of its own")
            if table.close():
                parts[table.where] = part
            else:
                self._unclear.add(key)
        if not self._head.good(key):
            self._unclear.add(key)
        return list(parts.values())

    def _entry(self, table: Table) -> Entry:
        zone = table.word("zone", default="")
        first, last = table.whole("first", 1, _MOST_HOLES), table.whole("last", 1, _MOST_HOLES)
        if table.good("first", "last") and last < first:
            table.fault("last", f"{last} comes before first = {first}", "swap them")
        x, y = _DIRECTIONS[table.choice("direction", tuple(_DIRECTIONS))]
        step = table.number("lane_step_mm", -100, 100)
        return Entry(
            key=table.where,
            zone=zone,
            first=first,
            last=last,
            start=table.point("lane_1_mm", _MOST_MM),
            along=(x * self._pitch, y * self._pitch),
            across=(step, 0.0) if y else (0.0, step),
        )


def _mark(table: Table) -> tuple[int, str]:
    return table.whole("hole", 1, _MOST_HOLES), table.text("caption", 40)


def _zone(table: Table) -> Zone:
    name = _name_by_id(table, "zone")
    kind = ZoneKind(table.choice("kind", tuple(ZoneKind)))
    first = table.whole("first", 1, _MOST_HOLES)
    length = table.whole("holes", 1, _MOST_BOX, default=3)
    to, path, rejoin = 0, 0, 0
    if not table.good("kind"):
        table.pass_over("to", "path", "rejoin")
    elif kind is ZoneKind.RED_SLIDE:
        to = table.whole("to", 1, _MOST_HOLES)
        _refuse(table, kind, "path", "rejoin")
    elif kind is ZoneKind.PENALTY_BOX:
        _refuse(table, kind, "to", "path", "rejoin")
    else:
        path = table.whole("path", 1, _MOST_PATH)
        rejoin = table.whole("rejoin", 1, _MOST_HOLES)
        _refuse(table, kind, "to")
    return Zone(
        id=name,
        kind=kind,
        box=tuple(range(first, first + length)),
        to=tuple(range(to, to + length)) if to else (),
        path=tuple(f"{name}:{n}" for n in range(1, path + 1)),
        rejoin=rejoin,
    )


def _refuse(table: Table, kind: ZoneKind, *keys: str) -> None:
    for key in keys:
        table.refuse(key, f"a {kind} has none", "take it out, or give another kind")


def _lamp(table: Table) -> Lamp:
    name = _name_by_id(table, "lamp")
    x, y = table.point("at_mm", _MOST_MM)
    return Lamp(id=name, x_mm=x, y_mm=y)


def _lettering(table: Table) -> Lettering:
    text = table.text("text", 80)
    x, y = table.point("at_mm", _MOST_MM)
    return Lettering(
        text=text,
        x_mm=x,
        y_mm=y,
        size_mm=table.number("size_mm", 1, 100),
        anchor=table.choice("anchor", ("start", "middle", "end"), default="middle"),
        style=table.choice("style", STYLES, default="plain"),
        turn_deg=table.number("turn_deg", -180, 180, default=0),
    )


def _name_by_id(table: Table, kind: str) -> str:
    """The id, by which faults then name the table instead of its number."""
    name = table.word("id")
    if table.good("id"):
        table.where = f"{kind}[{name}]"
    return name


def _lamp_id_faults(ids: list[str], lanes: int) -> Iterator[Fault]:
    wanted = [f"start-{lane}" for lane in range(1, lanes + 1)]
    wanted += [f"dealer-{seat}" for seat in range(1, 2 * lanes + 1)]
    for name in wanted:
        if name not in ids:
            problem = f'"{name}" is missing, lanes being {lanes}'
            yield Fault(key="lamp", problem=problem, remedy="add a [[lamp]] with this id")
    for name in ids:
        if name not in wanted:
            problem = f"no lamp for {lanes} lanes"
            yield Fault(key=f"lamp[{name}].id", problem=problem, remedy=suggest(name, wanted))
