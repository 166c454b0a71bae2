"""Colour of dim light by driver: what the eye gets from the bytes, beside plain rounding.

The light of an even field of 32 LEDs, or of one LED alone, is averaged over a cycle of frames, and
its distance from the palette's colour is that of the chromaticities u'v' of CIE 1976: 0.004 is just
visible. Each figure is the worst within a tenth of the level.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.board import load_board
from companion.board.zone_kinds import ZoneKind
from companion.devices.light_thread import LightSource, LightThread
from companion.lights import Palette, Scene, View, Wiring
from companion.rules.game import new_game
from hardware.output import Output
from hardware.strips import StripSpec
from hardware.strips.protocol import usual_order
from hardware.strips.scale import BYTES, WORDS, CurrentScale, Scale
from hardware.strips.virtual import NullStrip
from tests.bench.promise import HEADER, Table, row
from tests.bench.rig import BOARD, BRIGHTNESS, BUDGET_MA, begun

_LEVELS: Final = (0.005, 0.01, 0.02, 0.05)
_AROUND: Final = np.linspace(0.9, 1.1, 41)
_FIELD: Final = 32
_WATCHED_S: Final = 4.0
_XYZ: Final = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)

_Seen: TypeAlias = Callable[[NDArray[np.float32]], NDArray[np.float64]]
"""Function that returns the mean light of LEDs that should show a light."""


def measure() -> list[Table]:
    """Return the table of errors, and of the promised ones among them."""
    worst = {
        (colour, level, way): _worst(light, level, seen)
        for colour, light in _colours().items()
        for level in _LEVELS
        for way, seen in _WAYS.items()
    }
    rows = [
        [f"{colour} at {level:.1%}", *(f"{worst[colour, level, way]:.4f}" for way in _WAYS)]
        for colour in _colours()
        for level in _LEVELS
    ]
    title = "Error of dim colours, du'v' of the mean light (0.004 is just visible)"
    return [
        (title, ["colour and light", *_WAYS], rows),
        ("Dim colours, what we stand by", HEADER, [*_promises(worst)]),
    ]


class _Quick(NullStrip):
    """A strip that sends 200 frames a second."""

    is_quick = True
    wire_seconds = 0.005


def _load_percent(*, dithers: bool) -> float:
    """Return the processor share of a still board of about 400 LEDs."""
    board, begun_game = load_board(BOARD), new_game(begun().setup)
    wiring, palette = Wiring.make(board, {"per": "hole"}), Palette.make()
    strip = _Quick(StripSpec(leds=wiring.leds))
    output = Output(strip.spec, BUDGET_MA)
    output.brightness = BRIGHTNESS
    scene = Scene(board, palette, points=wiring.points)
    light = LightSource(
        palette=palette, scene=scene, wiring=wiring, output=output, strip=strip, dithers=dithers
    )
    lamps = LightThread(light, seen=lambda _frame: None, clock=time.monotonic, now=datetime.now)
    lamps.start(View(state=begun_game, ahead=begun_game))
    used, at = time.process_time(), time.perf_counter()
    time.sleep(_WATCHED_S)
    share = (time.process_time() - used) / (time.perf_counter() - at)
    lamps.stop()
    return 100 * share


def _promises(worst: Mapping[tuple[str, float, str], float]) -> Iterator[list[str]]:
    targets = {"APA102": 0.004, "HD108": 0.004, "1 bit": 0.011}
    for way, target in targets.items():
        largest = max(
            error for (_, level, by), error in worst.items() if by == way and level >= _LEVELS[1]
        )
        yield row(f"{way}: from 1 % on, at most", largest, "du'v'", below=target)
    yield row("of a processor, 400 LEDs at rest", _load_percent(dithers=False), "%", below=1)
    yield row("the same while dithering", _load_percent(dithers=True), "%", below=3)


def _colours() -> Mapping[str, NDArray[np.float32]]:
    palette = Palette.make()
    return {
        "amber": palette.side(1),
        "white": palette.side(2),
        "magenta": palette.side(3),
        "time trap": palette.zone(ZoneKind.TIME_TRAP),
        "penalty box": palette.zone(ZoneKind.PENALTY_BOX),
        "green advance": palette.zone(ZoneKind.GREEN_ADVANCE),
    }


def _worst(colour: NDArray[np.float32], level: float, seen: _Seen) -> float:
    return max(_apart(seen(colour * np.float32(level * part)), colour) for part in _AROUND)


def _apart(one: NDArray[np.floating], other: NDArray[np.floating]) -> float:
    (u, v), (other_u, other_v) = map(_chromaticity, (one, other))
    return float(np.hypot(u - other_u, v - other_v))


def _chromaticity(light: NDArray[np.floating]) -> tuple[float, float]:
    x, y, z = map(float, _XYZ @ light)
    total = x + 15 * y + 3 * z
    return (4 * x / total, 9 * y / total) if total else (0.0, 0.0)


def _rounded(light: NDArray[np.float32]) -> NDArray[np.float64]:
    return np.asarray(np.rint(light * 255.0) / 255)


def _by(kind: str, scale: Scale, bits: int = 0, leds: int = _FIELD) -> _Seen:
    output = Output(StripSpec(leds=(leds,), type=kind, order=usual_order(kind)), 1e6, scale)

    def seen(light: NDArray[np.float32]) -> NDArray[np.float64]:
        frames = output.cycle(np.tile(light, (leds, 1)), bits)
        shown = [scale.light(frames.frame(turn)[0]) for turn in range(1 << bits)]
        return np.asarray(np.mean(shown, axis=(0, 1)))

    return seen


_WAYS: Final[Mapping[str, _Seen]] = {
    "rounded": _rounded,
    "no dither": _by("ws2812b", BYTES),
    "1 bit": _by("ws2812b", BYTES, 1),
    "1 bit, alone": _by("ws2812b", BYTES, 1, leds=1),
    "2 bits": _by("ws2812b", BYTES, 2),
    "2 bits, alone": _by("ws2812b", BYTES, 2, leds=1),
    "APA102": _by("apa102", CurrentScale()),
    "HD108": _by("hd108", WORDS),
}
