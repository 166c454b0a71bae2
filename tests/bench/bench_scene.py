"""From the scene to the bytes of a strip, ours beside Adafruit's led-animation.

led-animation has no layers: as its guide advises, animations share the pixels in a synchronised
group, each drawing over those before it, on parts of the strip where it must not hide them. That
is less than ours does: it neither blends nor weighs light, brightness and current.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from itertools import cycle, islice
from time import perf_counter
from typing import Any, Final, TypeAlias

from companion.board import Board, load_board
from companion.lights import FlashLimiter, Palette, Per, Scene, View, Wiring, plan
from companion.rules.game import History, Peg, new_game
from hardware.output import Output
from hardware.strips import StripSpec
from tests.bench.promise import Table
from tests.bench.rig import BOARD, BRIGHTNESS, BUDGET_MA, begun, play

_FPS: Final = 60
_ROUNDS: Final = 10
_FRAMES: Final = 60
_AMBER, _MAGENTA, _WHITE = (255, 100, 0), (255, 0, 120), (255, 255, 255)

_PACKAGES: Final = {
    "adafruit_led_animation": "adafruit-circuitpython-led-animation",
    "adafruit_pixelbuf": "adafruit-circuitpython-pixelbuf",
}
"""The packages that modules come from."""

_Draw: TypeAlias = Callable[[float], object]
"""Makes the bytes of a strip for a time."""


def measure() -> list[Table]:
    """The table of microseconds a frame, by what is to be seen and how many LEDs there are."""
    board = load_board(BOARD)
    wirings = [Wiring.make(board, {"per": str(per)}) for per in (Per.HOLE, Per.HOLE_AND_LANE)]
    leds = [sum(wiring.leds) for wiring in wirings]
    rows = [
        [
            f"ours: {name}",
            *(f"{_microseconds(_ours(board, wiring, view)):.0f}" for wiring in wirings),
        ]
        for name, view in _views().items()
    ]
    title = "Scene to bytes, us a frame"
    return [(title, ["LEDs", *map(str, leds)], [*rows, *_their_rows(leds)])]


def _views() -> Mapping[str, View]:
    history = History(new_game(begun().setup))
    for _ in play(history, 8):
        pass
    state = history.state
    still = View(state=state, ahead=state)
    moving = plan(state, history.do(Peg(side=1, points=12)), 0.0)
    return {
        "two pending trails and their ghosts": replace(still, pending=((1, 14), (2, 5))),
        "a peg moving": replace(still, motion=moving),
        "attract, most LEDs moving": replace(still, attract=True),
    }


def _ours(board: Board, wiring: Wiring, view: View) -> _Draw:
    scene = Scene(board, Palette.make(), points=wiring.points)
    limiter = FlashLimiter(sum(wiring.leds))
    output = Output(StripSpec(leds=wiring.leds), BUDGET_MA)
    output.brightness = BRIGHTNESS
    return lambda t: output.render(limiter.limit(wiring.spread(scene.compose(view, t)[0]), t)[0])


def _their_rows(leds: list[int]) -> Iterator[list[str]]:
    lacking = [package for module, package in _PACKAGES.items() if find_spec(module) is None]
    if lacking:
        why = f"led-animation not measured: needs {', '.join(lacking)} (pip install '.[bench]')"
        yield [why, *("" for _ in leds)]
        return
    for name, ground in (("a solid ground", _solid), ("a rainbow", _rainbow)):
        costs = [_microseconds(_theirs(count, ground)) for count in leds]
        reported = f"led-animation: {name}, chase and comet on a quarter each, 10 sparkles"
        yield [reported, *(f"{cost:.0f}" for cost in costs)]


def _theirs(leds: int, ground: Callable[[Any], Any]) -> _Draw:
    pixels = import_module("adafruit_pixelbuf").PixelBuf(leds, byteorder="GRB")
    pixels._transmit = lambda _buffer: None
    part = import_module("adafruit_led_animation.helper").PixelSubset
    chased, quarter = part(pixels, 0, leds // 4), part(pixels, leds // 4, leds // 2)
    group = import_module("adafruit_led_animation.group").AnimationGroup(
        ground(pixels),
        _animation("chase").Chase(chased, speed=0, color=_AMBER, size=3, spacing=6),
        _animation("comet").Comet(quarter, speed=0, color=_MAGENTA, tail_length=10),
        _animation("sparkle").Sparkle(pixels, speed=0, color=_WHITE, num_sparkles=10),
        sync=True,
    )
    return lambda _t: group.animate()


def _solid(pixels: Any) -> Any:  # noqa: ANN401  # the package has no types
    ground = _animation("solid").Solid(pixels, color=_AMBER)
    ground.speed = 0
    return ground


def _rainbow(pixels: Any) -> Any:  # noqa: ANN401  # the package has no types
    return _animation("rainbow").Rainbow(pixels, speed=0)


def _animation(name: str) -> Any:  # noqa: ANN401  # the package has no types
    return import_module(f"adafruit_led_animation.animation.{name}")


def _microseconds(draw: _Draw) -> float:
    """The quickest of some rounds, so that other work on the machine counts for little."""
    times = cycle([n / _FPS for n in range(_FRAMES)])
    rounds = []
    for _ in range(_ROUNDS):
        begun_at = perf_counter()
        for t in islice(times, _FRAMES):
            draw(t)
        rounds.append((perf_counter() - begun_at) / _FRAMES)
    return min(rounds) * 1e6
