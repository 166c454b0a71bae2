"""Patterns on a strip: their pace, what is told of each frame, and that the strip ends dark."""

import json
import time

import numpy as np
import pytest

from companion.devices.light_test import FRAME_S, PatternPlayer, play
from companion.devices.pattern_tests import PatternTest, StripUnderTest, pattern_test
from companion.errors import NO_TEXT, Text
from hardware.errors import StripError
from hardware.strips import Frame, StripSpec, VirtualStrip
from tests.support.fakepi import FakePi, missing
from tests.support.machines import shown

SPEC, LONG = StripSpec(leds=(2, 3)), StripSpec(leds=(1900,))


class Time:
    """A clock that goes on only when somebody sleeps, and as long as a frame `takes`."""

    def __init__(self, *, takes: float = 0.0) -> None:
        self.now = 100.0
        self.takes = takes

    def __call__(self) -> float:
        """Return the time of the clock."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Pass the time; nobody sleeps backwards."""
        assert seconds > 0
        self.now += seconds

    def shown(self, _: float, __: Frame) -> None:
        """A frame has been on the wire."""
        self.now += self.takes


class Rig:
    """A virtual strip, a player on it, and what each of them saw."""

    def __init__(
        self, *, spec: StripSpec = SPEC, takes: float = 0.0, strip: VirtualStrip | None = None
    ) -> None:
        self.time = Time(takes=takes)
        self.strip = strip or VirtualStrip(spec, clock=self.time, keep=1000)
        self.strip.listen(self.time.shown)
        self.reported: list[tuple[float, Frame, float]] = []
        self.told: list[str] = []
        self.tested = StripUnderTest(self.strip, budget_ma=2000)
        self.player = PatternPlayer(
            self.tested,
            listener=lambda *frame: self.reported.append(frame),
            clock=self.time,
            sleep=self.time.sleep,
        )

    def play(self, *names: str, frames: int | None, stop_at: int | None = None) -> None:
        """Play patterns; `stop_at`: somebody asks to end after so many frames."""
        play(
            [pattern_test(name, self.tested, None) for name in names],
            self.player,
            driver="virtual",
            frames=frames,
            stopped=lambda: len(self.reported) == stop_at,
            tell=lambda text: self.told.append(str(text)),
        )

    @property
    def times(self) -> list[float]:
        """Return the time of each frame, in seconds from the first."""
        return [t for t, _, _ in self.reported]


class Refusing(VirtualStrip):
    """A strip that fails at its third frame, or cannot even be opened."""

    def __init__(self, *, opens: bool) -> None:
        super().__init__(SPEC, keep=10, clock=time.monotonic)
        self._opens = opens
        self.closed = False

    def _start(self) -> None:
        if not self._opens:
            raise StripError("no such strip")

    def _send(self, frame: Frame) -> None:
        super()._send(frame)
        if 3 == len(self.frames):
            raise StripError("the wire is off")

    def _stop(self) -> None:
        self.closed = True


def is_dark(frame: Frame) -> bool:
    """Return True if no LED of a frame is lit."""
    return not any(pixels.any() for pixels in frame)


def test_each_frame_is_reported_as_the_strip_got_it() -> None:
    """The dump has the bytes on the strip, without the last frame, which is black."""
    rig = Rig()
    rig.play("index", "order", frames=6)
    shown = [frame for _, frame in rig.strip.frames]
    assert 12 == len(rig.reported) == len(shown) - 1
    for (_, reported, _), frame in zip(rig.reported, shown, strict=False):
        assert [pixels.tolist() for pixels in frame] == [pixels.tolist() for pixels in reported]
    assert is_dark(shown[-1])


def test_milliamperes_are_those_of_the_frame() -> None:
    """1 mA an LED in the dark, 18.3 mA more a colour in full; never over the supply."""
    rig = Rig()
    rig.play("white", frames=5)
    totals = [sum(int(pixels.sum()) for pixels in frame) for _, frame, _ in rig.reported]
    expected = [5 + total / 255 * 18.3 for total in totals]
    assert pytest.approx(expected) == [milliamps for _, _, milliamps in rig.reported]


@pytest.mark.parametrize(
    ("spec", "takes", "interval"),
    [(SPEC, 0.8 * FRAME_S, FRAME_S), (LONG, 0.0, LONG.wire_seconds), (SPEC, 1.0, 1.0)],
    ids=["usual", "long strip", "slow frames"],
)
def test_frames_keep_an_even_pace(spec: StripSpec, takes: float, interval: float) -> None:
    """30 frames a second, on into the next pattern; fewer only if strip or frames need longer."""
    rig = Rig(spec=spec, takes=takes)
    rig.play("index", "white", frames=20)
    assert pytest.approx([n * interval for n in range(40)]) == rig.times
    assert LONG.wire_seconds > FRAME_S


def test_the_last_frame_is_seen_as_long_as_the_others() -> None:
    """The strip goes dark when the next frame would have come."""
    rig = Rig()
    rig.play("index", frames=3)
    assert pytest.approx(100 + 3 * FRAME_S) == rig.strip.frames[-1][0]


def test_without_a_number_one_can_follow() -> None:
    """A pattern lasts about ten seconds unless frames are counted."""
    rig = Rig()
    rig.play("index", "white", frames=None)
    assert 600 == len(rig.reported)
    assert rig.reported[299][1][0].tolist() != rig.reported[300][1][0].tolist()


def test_whoever_ends_it_ends_it_dark() -> None:
    """Stopped in the middle, nothing more is shown but black."""
    rig = Rig()
    rig.play("index", "order", "white", frames=10, stop_at=14)
    assert 14 == len(rig.reported)
    assert 15 == len(rig.strip.frames)
    assert is_dark(rig.strip.frames[-1][1])


def test_a_strip_that_refuses_is_reported_of_before_all_else() -> None:
    """A strip that cannot be opened is an error, with no frame given and no word said."""
    rig = Rig(strip=Refusing(opens=False))
    with pytest.raises(StripError, match="no such strip"):
        rig.play("index", frames=3)
    assert ([], []) == (rig.reported, rig.told)


def test_a_strip_that_fails_is_let_go_of() -> None:
    """A frame that cannot be shown is an error; it is not told, and the strip is closed."""
    strip = Refusing(opens=True)
    rig = Rig(strip=strip)
    with pytest.raises(StripError, match="the wire is off"):
        rig.play("index", frames=5)
    assert (2, True) == (len(rig.reported), strip.closed)


def test_what_is_reported_of_a_frame_comes_with_it() -> None:
    """The notes come first, each caption with its current."""
    rig = Rig()
    test = PatternTest(
        name="grey",
        pattern=lambda k, frames: np.full((5, 3), k / frames, np.float32),
        caption=lambda k, _: Text("half") if k == 1 else NO_TEXT,
        notes=(Text("look"),),
    )
    play(
        [test],
        rig.player,
        driver="loud:7",
        frames=2,
        stopped=lambda: False,
        tell=lambda text: rig.told.append(str(text)),
    )
    head = "loud:7: 2 and 3 LEDs, type ws2812b, order GRB; Ctrl-C ends the test"
    assert [head, "grey: look", "grey: half: 143 mA"] == rig.told


# Strips with a clock line


on_a_fake_pi = pytest.mark.emulator(lacks=missing())


@on_a_fake_pi
@pytest.mark.parametrize(
    ("name", "chip", "order"),
    [
        ("spi:apa102", "apa102", "BGR"),
        ("spi:sk9822,lowest_current=1,order=RGB", "sk9822", "RGB"),
        ("spi:hd107s", "hd107s", "BGR"),
        ("spi:hd108,mhz=20", "hd108", "RGB"),
    ],
)
def test_the_dump_is_what_the_leds_show(name: str, chip: str, order: str) -> None:
    """The driver's name gives the type. Light is in 255ths, with fractions."""
    options = ("--pattern", "white", "--frames", "1", "--leds", "6", "--budget-ma", "9.5")
    outcome = FakePi().run("companion", "lights", "test", "--strip", name, *options, "--dump", "-")
    assert 0 == outcome.code, outcome.err
    (frame,) = map(json.loads, outcome.out.splitlines())
    (reported,) = frame["channels"]
    wire = [
        [float(part) * 255 for part in led]
        for led in shown(chip, outcome.transfers[0].data, 6, order)
    ]
    assert [pytest.approx(led, abs=1e-4) for led in reported] == wire
    assert 0 < sum(map(sum, reported))
    assert frame["milliamps"] <= 9.5
