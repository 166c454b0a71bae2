"""The strip in memory: its frames, their times, and its listeners."""

from itertools import count

import numpy as np

from hardware.strips import Frame, StripSpec, VirtualStrip

SPEC = StripSpec(leds=(2, 1))


def frame_of(level: int) -> Frame:
    """Return a frame with all bytes at one level."""
    return [np.full((leds, 3), level, np.uint8) for leds in SPEC.leds]


def levels(frame: Frame) -> list[int]:
    """Return the first byte of each channel."""
    return [int(pixels[0, 0]) for pixels in frame]


def open_strip(keep: int = 1) -> VirtualStrip:
    """Return an open strip whose clock goes on by one with each frame."""
    ticks = count(1.0)
    strip = VirtualStrip(SPEC, clock=lambda: next(ticks), keep=keep)
    strip.open()
    return strip


def test_only_the_last_frame_is_kept() -> None:
    """By default memory has one frame."""
    strip = open_strip()
    assert strip.last is None
    for level in (1, 2, 3):
        strip.show(frame_of(level))
    assert strip.last is not None
    assert [3, 3] == levels(strip.last)
    assert [3.0] == [time for time, _ in strip.frames]


def test_as_many_frames_are_kept_as_asked_for() -> None:
    """The record has the latest frames with their times."""
    strip = open_strip(keep=2)
    for level in (1, 2, 3):
        strip.show(frame_of(level))
    assert [(2.0, [2, 2]), (3.0, [3, 3])] == [(time, levels(each)) for time, each in strip.frames]


def test_a_frame_shown_is_not_touched_any_more() -> None:
    """Later changes of the arrays change no LED, as on a real strip."""
    strip = open_strip()
    frame = frame_of(7)
    strip.show(frame)
    frame[0][:] = 9
    assert strip.last is not None
    assert [7, 7] == levels(strip.last)


def test_listeners_get_every_frame() -> None:
    """Each listener gets time and frame, also of the dark one at the end."""
    strip = open_strip()
    heard: list[tuple[float, list[int]]] = []
    strip.show(frame_of(1))
    strip.listen(lambda time, frame: heard.append((time, levels(frame))))
    strip.show(frame_of(2))
    strip.close()
    assert [(2.0, [2, 2]), (3.0, [0, 0])] == heard
