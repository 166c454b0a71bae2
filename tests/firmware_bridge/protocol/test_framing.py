"""Frames are found in any bytes that have them, and nothing else is."""

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocol.framing import HOST_LIMIT, OVERHEAD, Damage, Decoder, Frame, encode
from tests.support.link_script import slow_crc32, slow_decode

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
    """It finds the same frames as its twin, in any bytes and pieces."""
    assert slow_decode(stream, LIMIT) == decoded(stream, cuts)


@given(streams)
def test_byte_by_byte_is_the_same(stream: bytes) -> None:
    """One byte at a time gives what the whole stream gives."""
    assert decoded(stream, []) == decoded(stream, list(range(len(stream))))


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
