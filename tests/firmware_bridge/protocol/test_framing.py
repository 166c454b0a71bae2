"""Frames, messages and pixels: bytes of the protocol."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import SetupError
from firmware_bridge.protocol.framing import HOST_LIMIT, OVERHEAD, Damage, Decoder, Frame, encode
from firmware_bridge.protocol.messages import (
    BoardCounters,
    BoardInfo,
    BoardSetup,
    Reason,
    Type,
    setup,
)
from firmware_bridge.protocol.pixels import MAX_PARTS, PixelSender, changed_ranges, update
from firmware_bridge.protocol.states import FrameRefused, FrameShown
from tests.support import link_script
from tests.support.link_script import read, slow_crc32, slow_decode
from tests.support.slow_board import Incoming, SlowStrip, frame

LIMIT = 40

frames = st.builds(
    Frame,
    type=st.integers(0, 255),
    sequence=st.integers(0, 255),
    argument=st.integers(0, 0xFFFF),
    payload=st.binary(max_size=LIMIT + 2),
)


@st.composite
def damaged_frames(draw: st.DrawFn) -> bytes:
    """Return the bytes of a frame with some lost, changed, inserted or doubled."""
    data = bytearray(encode(draw(frames)))
    at = draw(st.integers(0, len(data) - 1))
    match draw(st.integers(0, 4)):
        case 0:
            del data[at]
        case 1:
            data[at] ^= 1 << draw(st.integers(0, 7))
        case 2:
            data.insert(at, draw(st.integers(0, 255)))
        case 3:
            data[at:at] = data[:at]
        case _:
            del data[at:]
    return bytes(data)


streams = st.lists(
    st.one_of(
        frames.map(encode),
        damaged_frames(),
        st.sampled_from([b"\xa5", b"\xa5\x5a", b"\xa5\xa5\x5a", b"\xa5\x5a\xa5\x5a"]),
        st.binary(max_size=12),
    ),
    max_size=8,
).map(b"".join)


def decoded(stream: bytes, cuts: list[int], limit: int = LIMIT) -> list[Frame | Damage]:
    """Return the result of a decoder for a stream in pieces."""
    decoder = Decoder(limit=limit)
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    return [item for a, b in pairwise(edges) for item in decoder.feed(stream[a:b])]


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


def sequences(sender: PixelSender, now: float = 0.0) -> list[int]:
    """Return the sequence numbers of the messages that are due now."""
    return [frame.sequence for frame in sender.compose(now)]


def make_sender(*lights: bytes) -> PixelSender:
    """Return a sender for LEDs of three colours, after these frames were shown one by one."""
    sender = PixelSender(colours=3, byte_seconds=0.0)
    sender.begin(credit=2)
    for light in lights:
        sender.show(light)
        sequences(sender)
    return sender


# Frames are found in any bytes that have them, and nothing else is


@given(frames)
def test_a_frame_has_fourteen_bytes_beside_its_payload(frame: Frame) -> None:
    """These are A5 5A, type, sequence, argument, length, header check and CRC-32."""
    data = encode(frame)
    assert OVERHEAD + len(frame.payload) == len(data)
    header = bytes([0xA5, 0x5A, frame.type, frame.sequence])
    header += frame.argument.to_bytes(2, "little") + len(frame.payload).to_bytes(2, "little")
    checked = header + slow_crc32(header).to_bytes(4, "little")[:2] + frame.payload
    assert checked + slow_crc32(checked).to_bytes(4, "little") == data


def test_the_slow_crc_is_the_one_that_is_published() -> None:
    """The oracle's CRC-32 has the check value of the catalogues."""
    assert slow_crc32(b"123456789") == 0xCBF43926


@given(streams, st.lists(st.integers(0, 400), max_size=6))
def test_the_decoder_is_its_slow_twin(stream: bytes, cuts: list[int]) -> None:
    """It finds the same frames as its twin, in any bytes and pieces, also byte by byte."""
    expected = slow_decode(stream, LIMIT)
    assert expected == decoded(stream, cuts) == decoded(stream, list(range(len(stream))))


@given(st.lists(frames.filter(lambda frame: len(frame.payload) <= LIMIT)))
def test_frames_come_out_as_they_went_in(sent: list[Frame]) -> None:
    """On a clean line exactly the encoded frames are decoded, in order."""
    assert sent == decoded(b"".join(map(encode, sent)), [])


def test_a_stray_first_byte_hides_no_header() -> None:
    """A5 A5 5A and half headers before a frame do not swallow it."""
    frame = Frame(type=0x84, sequence=9)
    for garbage in (b"\xa5", b"\xa5\xa5", b"\xa5\x5a", b"\xa5\x5a\xa5", encode(frame)[:9]):
        assert frame in decoded(garbage + encode(frame), [])


def test_a_length_over_the_limit_is_no_header() -> None:
    """The decoder does not wait for a payload over the limit."""
    decoder = Decoder(limit=8)
    assert [Damage.HEADER] == decoder.feed(encode(Frame(type=3, sequence=0, payload=bytes(9)))[:10])
    assert not decoder.inside


def test_a_frame_within_a_broken_one_is_found() -> None:
    """A frame that lost a byte does not take the next one with it."""
    lost, kept = Frame(type=0x85, sequence=1, payload=bytes(30)), Frame(type=0x82, sequence=2)
    assert [Damage.PAYLOAD, kept] == decoded(encode(lost)[:20] + encode(kept) + bytes(20), [])


def test_silence_breaks_off_a_frame_and_frees_what_is_in_it() -> None:
    """The waiting frame is dropped, and the frames inside it are found."""
    decoder = Decoder()
    kept = Frame(type=0x82, sequence=2)
    half = encode(Frame(type=0x85, sequence=1, payload=bytes(200)))[:20]
    assert [] == decoder.feed(half + half + encode(kept))
    assert decoder.inside
    assert [Damage.BROKEN_OFF, Damage.BROKEN_OFF, kept] == decoder.break_off()
    assert not decoder.inside
    assert [] == decoder.break_off()


def test_a_half_header_survives_silence() -> None:
    """Less than a header is no frame yet, so silence keeps it."""
    decoder = Decoder()
    data = encode(Frame(type=0x84, sequence=9))
    decoder.feed(data[:9])
    assert not decoder.inside
    assert [] == decoder.break_off()
    assert [Frame(type=0x84, sequence=9)] == decoder.feed(data[9:])


def test_reset_forgets_half_a_frame() -> None:
    """After a reset the stream begins again."""
    decoder = Decoder()
    data = encode(Frame(type=0x84, sequence=9))
    decoder.feed(data[:12])
    decoder.reset()
    assert not decoder.inside
    assert [] == decoder.feed(data[12:])


def test_a_million_bytes_of_noise_hold_no_frame() -> None:
    """Noise gives no frame, and less than one frame of it is kept."""
    noise = Random(7).randbytes(1_000_000)
    decoder = Decoder()
    received = decoder.feed(noise)
    assert not [item for item in received if isinstance(item, Frame)]
    assert len(decoder._buffer) <= HOST_LIMIT + OVERHEAD


def test_the_worst_bytes_cost_a_bounded_number_of_looks() -> None:
    """Valid headers within headers cost a bounded number of looks at each byte."""
    nested = encode(Frame(type=0x85, sequence=0, payload=bytes(HOST_LIMIT)))[:10]
    decoder = Decoder()
    # Every header covers 26 others: a hundred thousand of them are through in one call.
    received = decoder.feed(nested * 100_000)
    assert {Damage.PAYLOAD} == set(received)
    assert 100_000 - 27 <= len(received)
    assert len(decoder._buffer) <= HOST_LIMIT + OVERHEAD


# Requests are checked when they are made, a board's messages when they are read


def test_a_setup_that_has_no_bytes_is_refused() -> None:
    """The error names the values out of bounds, and the bounds."""
    rows: list[tuple[str, Any]] = [
        ("leds", -1),
        ("leds", 10_923),
        ("colours", 2),
        ("colours", 5),
        ("hold", 0.0005),
        ("hold", 0.2),
        ("watchdog", -1.0),
        ("watchdog", 66.0),
        ("safe_step", 256),
        ("safe_colour", b"\x01\x02\x03\x04"),
        ("buttons", 33),
    ]
    for key, value in rows:
        said = rf"a board takes (bytes of )?{key}.* from \d+ to \d+, not"
        with pytest.raises(SetupError, match=said):
            BoardSetup(**{"leds": 10, key: value})


def test_the_most_that_can_be_reported_is_reported() -> None:
    """The largest values fit into SETUP."""
    most = BoardSetup(
        leds=8192,
        colours=4,
        hold=0.1,
        watchdog=65.535,
        safe_step=255,
        safe_colour=b"\xff\xff\xff\xff",
        buttons=32,
    )
    payload = setup(0, boot=2**32 - 1, wanted=most).payload
    assert bytes.fromhex("ffffffff 0020 04 64 ffff ff ffffffff") == payload
    with pytest.raises(SetupError, match="bytes of a frame"):
        BoardSetup(leds=8193, colours=4, safe_colour=bytes(4))


def test_info_is_read_as_the_slow_board_says_it() -> None:
    """Every field of INFO has the board's value."""
    data = link_script.info(
        down=0x80000001, sequence=200, formats=3, lost=4, name=b"Uno\x07", credit=2, clock=77
    )
    expected = BoardInfo(
        clock=77,
        session=link_script.SESSION,
        protocol=1,
        protocols=(1, 1),
        boot=link_script.BOOT,
        firmware="1.0.0",
        credit=2,
        pixel_bytes=1800,
        formats=frozenset({3, 4}),
        buttons=14,
        buttons_down=0x80000001,
        key_sequence=200,
        counters=BoardCounters(
            shown=2, bad_headers=0, damaged=1, broken_off=0, overruns=0, lost_edges=4, watchdog=0
        ),
        id="",
        name="Uno?",
    )
    assert expected == read(data)


def test_what_makes_no_sense_is_no_message() -> None:
    """Right frames with wrong contents say nothing, and raise nothing."""
    frames = [
        link_script.info(name=b""),
        link_script.info(name=b"n" * 33),
        link_script.info(buttons=33),
        link_script.info(credit=0),
        link_script.nak(3, 8),
        link_script.keys([(32, True, 0)]),
        frame(0x85, 0, 0, bytes(10)),
        frame(0x86, 0, 0, bytes(3)),
        frame(0x82, 0, 0, bytes(7)),
        frame(0xFF, 0, 0, b""),
    ]
    assert [None] * len(frames) == [read(data) for data in frames]


# Updates of the board's buffer to a new frame, with as few bytes as possible


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


def test_the_answer_to_the_second_frame_answers_the_first() -> None:
    """Of two frames on their way the later ACK is enough: the strip shows the newer one."""
    sender = make_sender(*FRAMES[1:4])
    assert [FrameShown(ticket=2)] == sender.acknowledge(1)
    assert [] == sender.acknowledge(0)
    assert [2] == sequences(sender)


def test_on_top_of_a_frame_without_answer_everything_goes_out() -> None:
    """While a frame is on its way the next one is whole: nobody knows what the board holds."""
    sender = make_sender(FRAMES[1])
    sender.acknowledge(0)
    sender.show(FRAMES[1][:-1] + b"\x09")
    assert [1] == [len(frame.payload) for frame in sender.compose(0.0)]
    sender.show(FRAMES[1])
    assert [30] == [len(frame.payload) for frame in sender.compose(0.0)]


def test_a_board_that_begins_anew_has_all_its_credit() -> None:
    """Messages under way to a board that restarted are forgotten, and their answers too."""
    sender = make_sender(*FRAMES[1:3])
    sender.begin(credit=1)
    assert sender.is_idle
    assert [2] == sequences(sender)
    assert [] == sender.acknowledge(1)


def test_an_older_frame_refused_is_not_sent_again() -> None:
    """A NAK to a frame that is not the newest causes no message."""
    sender = make_sender(*FRAMES[1:3])
    refused = [FrameRefused(ticket=1, reason=Reason.DAMAGED)]
    assert refused == sender.refuse(0, Reason.DAMAGED, now=0.0)
    assert [] == sequences(sender)
    assert [FrameShown(ticket=2)] == sender.acknowledge(1)


def test_a_refused_part_refuses_the_frame_once() -> None:
    """Parts of a frame share its fate; the NAKs to the other parts say nothing more."""
    base = bytes(range(200)) + bytes(100)
    sender = make_sender(base)
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
