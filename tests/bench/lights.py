"""Time of a frame of light, and colour of dim light by driver, beside plain rounding.

The light of an even field of 32 LEDs, or of one LED alone, is averaged over a cycle of frames, and
its distance from the palette's colour is that of the chromaticities u'v' of CIE 1976: 0.004 is just
visible. Each figure is the worst within a tenth of the level.
"""

import dataclasses
import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from statistics import median
from timeit import repeat
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.board import Board, load_board
from companion.board.zone_kinds import ZoneKind
from companion.devices.light_thread import LightSource, LightThread
from companion.lights import Light, Palette, Per, Points, Scene, View, Wiring, plan
from companion.rules.game import Entry, History, HouseRules, Peg, Setup, new_game
from hardware.output import Output
from hardware.strips import StripSpec
from hardware.strips.protocol import NullStrip, usual_order
from hardware.strips.scale import BYTES, WORDS, CurrentScale, Scale
from tests.bench.rig import BOARD, BRIGHTNESS, BUDGET_MA, Report, row, table
from tests.companion.journal.scribe import begun

_FRAMES: Final = 2_000
_FPS: Final = 60
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


def frames() -> list[Report]:
    """Return tables of microseconds a frame: the compositor by view, and the wiring."""
    board = load_board("crib-wars")
    return [
        ("Compositor, us a frame", ["view", *map(str, Per)], _compositor(board)),
        ("Wiring, us a frame", ["LEDs", "us"], _wiring(board)),
    ]


def _compositor(board: Board) -> list[list[str]]:
    views = _views(board)
    scenes = [Scene(board, Palette.make(), points=Points(board, per)) for per in Per]
    rows = [
        [name, *(f"{_frames(scene, view):.1f}" for scene in scenes)] for name, view in views.items()
    ]
    changing = _alternately(views["a ghost in a time trap"], views["static"])
    return [*rows, ["each frame another view", *(f"{changing(scene):.1f}" for scene in scenes)]]


def _views(board: Board) -> dict[str, View]:
    """Return the views of the design's numbers; motion begins at time 0."""
    setup = Setup.make(board.track, HouseRules(), sides=(1, 2, 3))
    history = History(new_game(setup))
    for side, points in ((1, 29), (2, 17), (3, 28), (1, 29), (1, 29), (1, 29)):
        history.do(Peg(side=side, points=points))
    before = history.state
    slide = _walk_into_a_slide(history)
    still = View(state=before, ahead=before)
    return {
        "static": still,
        "two pegs moving": dataclasses.replace(
            still, motion=plan(before, slide, 0.0).joined(plan(before, _count(history), 0.0))
        ),
        "a ghost in a time trap": dataclasses.replace(still, pending=((1, 14), (2, 5))),
        "attract": dataclasses.replace(still, attract=True),
    }


def _walk_into_a_slide(history: History) -> Entry:
    front = history.state.pegs(2).front
    return history.decide(Peg(side=2, points=42 - int(front)))


def _count(history: History) -> Entry:
    return history.decide(Peg(side=3, points=29))


def _frames(scene: Scene, view: View) -> float:
    """Return microseconds a frame over the first second and a half of a view, repeated."""
    times = [n / _FPS for n in range(int(1.5 * _FPS))]
    return _microseconds(lambda t: scene.compose(view, t), times)


def _alternately(one: View, other: View) -> Callable[[Scene], float]:
    def run(scene: Scene) -> float:
        views = itertools.cycle((one, other))
        return _microseconds(lambda t: scene.compose(next(views), t), [0.0, 0.5])

    return run


def _wiring(board: Board) -> list[list[str]]:
    rows = []
    for per in Per:
        wiring = Wiring.make(board, {"per": str(per)})
        light = np.ones((wiring.points.size, 3), dtype=np.float32)
        rows.append([str(sum(wiring.leds)), f"{_spreading(wiring, light):.1f}"])
    return rows


def _spreading(wiring: Wiring, light: Light) -> float:
    return _microseconds(lambda _: wiring.spread(light), [0.0])


def _microseconds(act: Callable[[float], object], times: list[float]) -> float:
    """Return the median of ten runs, so that other work on the machine counts for little."""

    def run() -> None:
        for t in itertools.islice(itertools.cycle(times), _FRAMES // 10):
            act(t)

    return median(repeat(run, number=1, repeat=10)) / (_FRAMES // 10) * 1e6


def dim_light() -> list[Report]:
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
        table("Dim colours, what we stand by", _promises(worst)),
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
