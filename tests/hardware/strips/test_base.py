"""The life that all drivers share, where hardware fails."""

import pytest

from hardware.errors import StripError
from hardware.strips import Frame, StripSpec
from hardware.strips.base import StripBase
from hardware.strips.protocol import black

SPEC = StripSpec(leds=(1,))


class FailingStrip(StripBase):
    """A strip whose start or frames fail as told; `done` is what it came to do."""

    def __init__(self, *, starts: bool = True, sends: bool = True) -> None:
        super().__init__(SPEC)
        self.starts = starts
        self.sends = sends
        self.done: list[str] = []

    def _start(self) -> None:
        self.done.append("start")
        if not self.starts:
            raise StripError("no such device")

    def _send(self, frame: Frame) -> None:
        self.done.append(f"send {int(frame[0].max())}")
        if not self.sends:
            raise StripError("no answer")

    def _stop(self) -> None:
        self.done.append("stop")


def test_a_failed_start_leaves_the_strip_closed() -> None:
    """After it closing does nothing, showing is refused, and opening may be tried again."""
    strip = FailingStrip(starts=False)
    with pytest.raises(StripError, match="no such device"):
        strip.open()
    strip.close()
    with pytest.raises(StripError, match="not open"):
        strip.show(black(SPEC))
    strip.starts = True
    strip.open()
    assert ["start", "start"] == strip.done


def test_a_strip_that_no_longer_answers_is_let_go(caplog: pytest.LogCaptureFixture) -> None:
    """Closing stops it all the same, says so in the log and raises nothing."""
    strip = FailingStrip()
    strip.open()
    strip.sends = False
    strip.close()
    assert ["start", "send 0", "stop"] == strip.done
    assert ["the strip may still be lit: no answer"] == caplog.messages


def test_a_frame_that_fails_leaves_the_strip_open() -> None:
    """The next frame may get through: noise is no reason to give up."""
    strip = FailingStrip(sends=False)
    strip.open()
    with pytest.raises(StripError, match="no answer"):
        strip.show(black(SPEC))
    strip.sends = True
    strip.show(black(SPEC))
    assert ["start", "send 0", "send 0"] == strip.done
