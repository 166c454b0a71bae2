"""Power for the LED strips: the supplies, fuses, taps and wires that a board's wiring needs.

The wiring gives the pieces of strip in the order of the data. Pieces that lie side by side share a
tap: a pair of wires that begins at the fuse of their supply. The program limits the current, but a
fuse protects the wires, so every wire behind a fuse must bear the fuse's current. A wire is also
thick enough to leave 4.7 V at the far end of its strips when they draw the whole limit.

With one LED for each hole of each lane and a limit of 4 A, crib-wars has 1,206 LEDs on one supply
of 6 A with a fuse of 5 A. The tap of holes 1 to 40 feeds three pieces of 40 LEDs. It is 326 mm of
wire of 0.75 mm2, and 4.88 V are left at its far end. Places are millimetres from the sheet's
lower left corner, y up.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.board import load_board
from companion.board.layout import Board
from companion.errors import BadInputError, Text
from companion.kit.tiling import Point
from companion.lights.compositor import Per
from companion.lights.wiring import Run, Spot, WiringPlan
from companion.settings.schema import Settings

IDLE_MA: Final = 1.0
"""Milliamps of a dark LED; like `FULL_MA` the estimate of `hardware.power` for a WS2812B."""
FULL_MA: Final = IDLE_MA + 3 * 18.3
"""Milliamps of an LED in full white."""
SUPPLY_V: Final = 5.0
LEAST_V: Final = 4.7
"""Volts below which the far end of a strip turns yellow."""

# Sizes on sale, up to the sizes for the largest budget of the settings, 100 A.
_FUSES_A = (0.5, 1, 2, 3, 4, 5, 7.5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125)
_SUPPLIES_A = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 50, 60, 80, 100, 120, 150)
_SUPPLY_RESERVE = 1.3
WIRES_A = {
    0.25: 2.0,
    0.5: 4.0,
    0.75: 6.0,
    1.0: 10.0,
    1.5: 15.0,
    2.5: 20.0,
    4.0: 30.0,
    6.0: 40.0,
    10.0: 60.0,
    16.0: 80.0,
    25.0: 100.0,
    35.0: 125.0,
}
"""Amperes that a copper wire of each size in mm2 bears for hours, close to other wires."""
_COPPER_OHM_MM2_M = 0.0178
_STRIP_OHM_M = 0.2
"""Resistance of both rails of a strip together."""
_LEAD_MM = 300.0
"""Length of the wire from the supply's fuse to the edge of the sheet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece of strip with `leds` LEDs; the data enters at `start`.

    `order` counts the pieces in the order of the data, from 1. Pieces with the same `tap` lie side
    by side.
    """

    channel: int
    order: int
    name: str
    tap: str
    leds: int
    length_mm: float
    start: Point
    end: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerTap:
    """Pair of wires from the fuse to pieces side by side, and the volts at the pieces' far end.

    `worst_a` is the most current that its LEDs draw within the limit.
    """

    name: str
    channel: int
    leds: int
    worst_a: float
    wire_mm2: float
    length_mm: float
    far_v: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerSupply:
    """Supply of one channel or of all, with its fuse and the currents that its LEDs draw."""

    channels: tuple[int, ...]
    leds: int
    idle_a: float
    limited_a: float
    full_a: float
    rating_a: float
    fuse_a: float
    taps: tuple[PowerTap, ...]


def wiring_for(board: Board, settings: Settings) -> Mapping[str, object]:
    """Return the settings' wiring; if they name another board, only keys that fit any board."""
    wiring = settings.wiring
    if not wiring or load_board(settings.board).name == board.name:
        return wiring
    return {key: wiring[key] for key in ("per", "channels") if key in wiring}


def lay_strips(plan: WiringPlan) -> list[Piece]:
    """Return every piece of strip; skipped LEDs (under no hole) belong to no piece."""
    runs = [(channel, run) for channel, runs in enumerate(plan.channels) for run in runs]
    return [_piece(plan, order, *each) for order, each in enumerate(runs, start=1)]


def feed(
    pieces: Sequence[Piece], skipped: Collection[Spot], budget_ma: float | tuple[float, ...]
) -> list[PowerSupply]:
    """Return the supplies for pieces of strip.

    Args:
        pieces: the pieces of all channels.
        skipped: the LEDs under no hole, which a supply feeds too.
        budget_ma: the most milliamps of one supply for all channels, or of each channel's supply.

    Raises:
        BadInputError: there are several supplies, but not one for each channel.
    """
    channels = sorted({piece.channel for piece in pieces})
    budgets = budget_ma if isinstance(budget_ma, tuple) else (budget_ma,)
    shares = [(channel,) for channel in channels] if len(budgets) > 1 else [tuple(channels)]
    if len(shares) != len(budgets):
        text = "strip.budget_ma has {budgets} numbers, but the wiring has {channels} channels"
        problem = Text(text, budgets=len(budgets), channels=len(channels))
        raise BadInputError(
            "{problem}: give one number for all, or one for each channel", problem=problem
        )
    return [
        _supply(share, pieces, skipped, budget / 1000)
        for share, budget in zip(shares, budgets, strict=True)
    ]


def _piece(plan: WiringPlan, order: int, channel: int, run: Run) -> Piece:
    board, per_lane = plan.points.board, plan.points.per is Per.HOLE_AND_LANE
    tap = run.name.partition(":")[2] if per_lane else run.name
    (x1, y1), (x2, y2) = run.places[0], run.places[-1]
    return Piece(
        channel=channel,
        order=order,
        name=run.name,
        tap="lamps" if run.is_lamp else tap,
        leds=len(run.points),
        length_mm=len(run.points) * board.pitch_mm,
        start=Point(x1, board.height_mm - y1),
        end=Point(x2, board.height_mm - y2),
    )


def _supply(
    channels: tuple[int, ...], pieces: Sequence[Piece], skipped: Collection[Spot], limited_a: float
) -> PowerSupply:
    fed = [piece for piece in pieces if piece.channel in channels]
    leds = sum(piece.leds for piece in fed) + sum(channel in channels for channel, _ in skipped)
    fuse_a = next(fuse for fuse in _FUSES_A if fuse > limited_a)
    return PowerSupply(
        channels=channels,
        leds=leds,
        idle_a=leds * IDLE_MA / 1000,
        limited_a=limited_a,
        full_a=leds * FULL_MA / 1000,
        rating_a=next(size for size in _SUPPLIES_A if size >= _SUPPLY_RESERVE * limited_a),
        fuse_a=fuse_a,
        taps=tuple(_taps(fed, limited_a, fuse_a)),
    )


def _taps(pieces: list[Piece], limited_a: float, fuse_a: float) -> Iterator[PowerTap]:
    """Yield a tap for each group of pieces side by side, in the order of the data."""
    groups: dict[tuple[int, str], list[Piece]] = {}
    for piece in pieces:
        groups.setdefault((piece.channel, piece.tap), []).append(piece)
    entry = pieces[0].start
    for (channel, name), group in groups.items():
        leds = sum(piece.leds for piece in group)
        worst = min(limited_a, leds * FULL_MA / 1000)
        length = _LEAD_MM + max(_way(entry, piece) for piece in group)
        # All the current that the limit allows may flow through one piece.
        strip = max(
            _STRIP_OHM_M * piece.length_mm / 1000 / 2 * min(worst, piece.leds * FULL_MA / 1000)
            for piece in group
        )
        wire = _wire(fuse_a, worst, length, SUPPLY_V - strip)
        yield PowerTap(
            name=name,
            channel=channel,
            leds=leds,
            worst_a=worst,
            wire_mm2=wire,
            length_mm=length,
            far_v=SUPPLY_V - strip - _drop_v(wire, worst, length),
        )


def _way(entry: Point, piece: Piece) -> float:
    """Return the length along x and y from the supply's first piece to a piece's nearer end."""
    return min(abs(end.x - entry.x) + abs(end.y - entry.y) for end in (piece.start, piece.end))


def _wire(fuse_a: float, current_a: float, length_mm: float, volts: float) -> float:
    """Return the thinnest wire that bears the fuse and brings enough volts, or the thickest one."""
    bearing = [wire for wire, bears in WIRES_A.items() if bears >= fuse_a]
    enough = (wire for wire in bearing if volts - _drop_v(wire, current_a, length_mm) >= LEAST_V)
    return next(enough, bearing[-1])


def _drop_v(wire_mm2: float, current_a: float, length_mm: float) -> float:
    return 2 * _COPPER_OHM_MM2_M * length_mm / 1000 / wire_mm2 * current_a
