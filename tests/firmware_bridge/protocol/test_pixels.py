"""Updates of the board's buffer to a new frame, with as few bytes as possible."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocol.events import FrameRefused, FrameShown
from firmware_bridge.protocol.framing import OVERHEAD, Frame
from firmware_bridge.protocol.messages import Reason, Type
from firmware_bridge.protocol.pixels import MAX_PARTS, PixelSender, changed_ranges, update
from tests.support.slow_board import Incoming, SlowStrip

FRAMES = [bytes([light]) * 29 + b"\x00" for light in range(5)]


@st.composite
def two_frames(draw: st.DrawFn) -> tuple[bytes, bytes, int]:
    """Two frames of the same size that are alike in part, and the bytes of their LEDs."""
    colours = draw(st.sampled_from([3, 4]))
    leds = draw(st.integers(1, 300))
    old = draw(st.binary(min_size=colours, max_size=colours)) * leds
    new = bytearray(old)
    for _ in range(draw(st.integers(0, 50))):
        new[draw(st.integers(0, len(new) - 1))] = draw(st.integers(0, 255))
    return old, bytes(new), colours


def cost(frames: list[Frame]) -> int:
    """Bytes on the wire."""
    return sum(OVERHEAD + len(frame.payload) for frame in frames)


def incoming(frame: Frame) -> Incoming:
    """Return a frame as the slow board takes it."""
    size = len(frame.payload).to_bytes(2, "little")
    header = bytes([0xA5, 0x5A, frame.type, frame.sequence]) + frame.argument.to_bytes(2, "little")
    return Incoming(header=header + size, refusal=0, body=bytearray(frame.payload))


@given(two_frames(), st.booleans())
def test_an_update_makes_the_board_show_the_frame(
    frames: tuple[bytes, bytes, int], has_base: bool
) -> None:
    """The slow board's strip accepts each part of an update, and then has the new frame."""
    old, new, colours = frames
    strip = SlowStrip()
    strip.set_up(len(old) // colours, colours)
    strip.buffer[:] = old
    strip.has_base = has_base
    parts = update(old if has_base else None, new, colours=colours, first=1)
    for n, part in enumerate(parts):
        one = incoming(part)
        assert 0 == strip.refusal(one)
        if part.type == Type.PIXELS:
            for at, byte in enumerate(part.payload):
                strip.write(one, at, byte)
        assert (n == len(parts) - 1) == strip.take(one)
    assert new == strip.light
    assert len(parts) <= MAX_PARTS
    assert cost(parts) <= len(new) + OVERHEAD


@given(two_frames())
def test_the_ranges_are_those_of_a_slow_look(frames: tuple[bytes, bytes, int]) -> None:
    """Ranges cover each change; the gaps between them cost more than another message."""
    old, new, _ = frames
    changed = [i for i in range(len(new)) if old[i] != new[i]]
    slow: list[tuple[int, int]] = []
    for i in changed:
        if slow and i - slow[-1][1] <= OVERHEAD:
            slow[-1] = slow[-1][0], i + 1
        else:
            slow.append((i, i + 1))
    assert (slow or [(0, 0)]) == changed_ranges(old, new)


def test_changes_all_over_the_strip_go_out_whole() -> None:
    """Up to 32 ranges go out as parts; more of them as one whole frame."""
    base = bytes(range(256)) * 3
    for changes, parts in ((32, 32), (33, 1)):
        pixels = bytearray(base)
        for n in range(changes):
            pixels[20 * n] ^= 1
        assert parts == len(update(base, bytes(pixels), colours=3, first=0))


def test_leds_all_alike_take_one_fill() -> None:
    """A frame of one colour goes out as the bytes of one LED."""
    assert [Frame(type=Type.FILL, sequence=7, payload=b"\x01\x02\x03")] == update(
        None, b"\x01\x02\x03" * 500, colours=3, first=7
    )


def make_sender() -> PixelSender:
    """Return a sender for LEDs of three colours."""
    sender = PixelSender(colours=3, byte_seconds=0.0)
    sender.begin(credit=2)
    return sender


def sequences(sender: PixelSender, now: float = 0.0) -> list[int]:
    """Return the sequence numbers of the messages that are due now."""
    return [frame.sequence for frame in sender.compose(now)]


def test_the_answer_to_the_second_frame_answers_the_first() -> None:
    """Of two frames on their way the later ACK is enough: the strip shows the newer one."""
    sender = make_sender()
    for frame in FRAMES[1:4]:
        sender.show(frame)
        sequences(sender)
    assert [FrameShown(ticket=2)] == sender.acknowledge(1)
    assert [] == sender.acknowledge(0)
    assert [2] == sequences(sender)


def test_on_top_of_a_frame_without_answer_everything_goes_out() -> None:
    """While a frame is on its way the next one is whole: nobody knows what the board holds."""
    sender = make_sender()
    sender.show(FRAMES[1])
    sequences(sender)
    sender.acknowledge(0)
    sender.show(FRAMES[1][:-1] + b"\x09")
    assert [1] == [len(frame.payload) for frame in sender.compose(0.0)]
    sender.show(FRAMES[1])
    assert [30] == [len(frame.payload) for frame in sender.compose(0.0)]


def test_a_board_that_begins_anew_has_all_its_credit() -> None:
    """Messages under way to a board that restarted are forgotten, and their answers too."""
    sender = make_sender()
    for frame in FRAMES[1:3]:
        sender.show(frame)
        sequences(sender)
    sender.begin(credit=1)
    assert sender.is_idle
    assert [2] == sequences(sender)
    assert [] == sender.acknowledge(1)


def test_an_older_frame_refused_is_not_sent_again() -> None:
    """A NAK to a frame that is not the newest causes no message."""
    sender = make_sender()
    for frame in FRAMES[1:3]:
        sender.show(frame)
        sequences(sender)
    refused = [FrameRefused(ticket=1, reason=Reason.DAMAGED)]
    assert refused == sender.refuse(0, Reason.DAMAGED, now=0.0)
    assert [] == sequences(sender)
    assert [FrameShown(ticket=2)] == sender.acknowledge(1)


def test_a_refused_part_refuses_the_frame_once() -> None:
    """Parts of a frame share its fate; the NAKs to the other parts say nothing more."""
    sender = make_sender()
    base = bytes(range(200)) + bytes(100)
    sender.show(base)
    sequences(sender)
    sender.acknowledge(0)
    sender.show(b"\x99" + base[1:100] + b"\x99" + base[101:])
    assert [1, 2] == sequences(sender)
    assert [FrameRefused(ticket=2, reason=Reason.DAMAGED)] == sender.refuse(
        1, Reason.DAMAGED, now=0.0
    )
    assert [] == sender.refuse(2, Reason.NO_BASE, now=0.0)
    assert [3] == sequences(sender)


def test_sequences_count_modulo_256() -> None:
    """After 255 comes 0, and answers still find their frame."""
    sender = make_sender()
    for n in range(300):
        ticket = sender.show(FRAMES[n % 5])
        assert [n % 256] == sequences(sender)
        assert [FrameShown(ticket=ticket)] == sender.acknowledge(n % 256)


def test_a_board_that_refuses_everything_is_not_asked_without_pause() -> None:
    """The first refusal is mended at once; then the pause grows to a quarter of a second."""
    sender = make_sender()
    sender.show(FRAMES[1])
    now, pauses = 0.0, []
    for _ in range(40):
        (sequence,) = sequences(sender, now)
        sender.refuse(sequence, Reason.WRONG_SIZE, now=now)
        pauses.append(max(0.0, sender.deadline - now))
        now += pauses[-1]
    assert [0.0, 0.01, 0.02] == [round(pause, 6) for pause in pauses[:3]]
    assert 0.25 == round(pauses[-1], 6)
    (sequence,) = sequences(sender, now)
    sender.acknowledge(sequence)
    sender.show(FRAMES[2])
    assert 1 == len(sequences(sender, now))


def test_a_slow_wire_has_more_time() -> None:
    """The deadline of an answer grows with the wire's time for what was sent, and the show's."""
    slow = PixelSender(colours=3, byte_seconds=10 / 115_200)
    slow.show(bytes(range(250)) * 30)
    slow.compose(0.0)
    assert 0.25 + 7514 * 10 / 115_200 + 7500 * 15e-6 == pytest.approx(slow.deadline)
