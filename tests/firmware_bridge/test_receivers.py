"""Receivers of third-party protocols, and the decoder of a data line, checked with literals."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.firmware_bridge.firmware.avr_board import UnreadableError, decode
from tests.firmware_bridge.receivers import AdalightSketch, HyperSerial, WledDdp, WledSerial
from tests.support.simavr_harness import HERTZ

RED_AND_BLUE = [(255, 0, 0), (0, 0, 255)]

# "Ada", count less one, 00 ^ 01 ^ 55, two LEDs.
ADALIGHT = bytes.fromhex("41 64 61 00 01 54 FF 00 00 00 00 FF")

ZERO, ONE = (5, 15), (12, 8)


def line(*bits: tuple[int, int]) -> NDArray[np.uint64]:
    """Return edges of a line that is high and low for these numbers of cycles."""
    times = np.cumsum([1000, *(cycles for bit in bits for cycles in bit)])[:-1]
    edges: NDArray[np.uint64] = (2 * times + (np.arange(len(times)) % 2 == 0)).astype(np.uint64)
    return edges


def test_adalight() -> None:
    """Sketch and WLED take the same frame; noise before it costs nothing."""
    sketch, wled = AdalightSketch(), WledSerial(leds=2)
    for receiver in (sketch, wled):
        receiver.receive(b"Ad" + ADALIGHT)
        receiver.receive(ADALIGHT)
    assert RED_AND_BLUE == sketch.shown[0] == sketch.shown[1]
    assert RED_AND_BLUE == wled.shown[-1]


def test_wled_executes_bytes_outside_of_frames() -> None:
    """B6 is "1 Mbaud": such a byte among the colours of a torn frame would be obeyed."""
    for order in (0xB0, 0xB6, *b"Ivlo{"):
        wled = WledSerial(leds=2)
        wled.receive(ADALIGHT + bytes([order]) + ADALIGHT)
        assert (bytes([order]), 2) == (bytes(wled.commands), len(wled.shown))


# "Awa", the same header; FF is 0 modulo 255; the last sum is of FF^0, 0^1, 0^2, 0^3, 0^4, FF^5.
AWA = bytes.fromhex("41 77 61 00 01 54 FF 00 00 00 00 FF 00 00 05")


def test_awa() -> None:
    """Both firmwares show a frame whose three checksums are right, and no other."""
    for firmware in (HyperSerial(), HyperSerial(is_pico_rgbw=True)):
        firmware.receive(AWA + AWA[:-1] + b"\x06" + AWA)
        assert ([RED_AND_BLUE] * 2, 1) == (firmware.shown, firmware.bad)


# "AWa" with two LEDs of four bytes: 1, 2, 3, 4 and 5, 6, 7, 8.
AWA_WHITE = bytes.fromhex("41 57 61 00 01 54 01 02 03 04 05 06 07 08 24 78 20")


def test_awa_with_white_is_dark_on_an_esp32() -> None:
    """Only a Pico's firmware for RGBW knows "AWa"."""
    pico, esp32 = HyperSerial(is_pico_rgbw=True), HyperSerial()
    for firmware in (pico, esp32):
        firmware.receive(AWA_WHITE)
    assert ([[(1, 2, 3, 4), (5, 6, 7, 8)]], []) == (pico.shown, esp32.shown)


# Version 1 and push, no sequence, RGB of 8 bits, display, offset 0, six bytes.
DDP = bytes.fromhex("41 00 0B 01 00 00 00 00 00 06 FF 00 00 00 00 FF")


def test_ddp() -> None:
    """WLED drops what seems late by the sequence that it remembers; sequence 0 is never late."""
    is_shown = {(0, 1): 1, (7, 3): 0, (7, 2): 1, (3, 1): 0, (3, 14): 0, (7, 0): 1}
    for (remembered, sequence), frames in is_shown.items():
        wled = WledDdp(2, last_sequence=remembered)
        wled.receive(DDP[:1] + bytes([sequence]) + DDP[2:])
        assert [RED_AND_BLUE] * frames == wled.shown


def test_highest_bit_comes_first() -> None:
    """A byte is read from its highest bit down."""
    assert b"\xa0" == decode(line(ONE, ZERO, ONE, *[ZERO] * 5))[0].data


PAUSE = HERTZ // 1000


def test_frames_are_apart_by_the_latch() -> None:
    """A long low level ends a frame."""
    long_zero = (5, PAUSE)
    frames = decode(line(*[ZERO] * 7, long_zero, *[ONE] * 8))
    assert [b"\0", b"\xff"] == [shown.data for shown in frames]


def test_what_is_cut_off_counts_as_far_as_it_is_whole() -> None:
    """Of a frame cut by a reset, the LEDs have the whole bytes."""
    edges = line(*[ONE] * 8, *[ZERO] * 5)
    assert b"\xff" == decode(edges[:-1], is_cut=True)[0].data


@pytest.mark.parametrize(
    "bits",
    [[(9, 11)], [(8, 12)], [ZERO, (5, 5 * HERTZ // 10**6)], [ZERO, (5, HERTZ // 10_000)]],
    ids=["between 0 and 1", "500 ns", "5 us low", "100 us low"],
)
def test_what_no_led_can_read_is_refused(bits: list[tuple[int, int]]) -> None:
    """Times between those of the data sheets have no meaning."""
    with pytest.raises(UnreadableError):
        decode(line(*bits, *[ZERO] * (8 - len(bits))))


def test_half_a_byte_is_refused() -> None:
    """A frame has whole bytes."""
    with pytest.raises(UnreadableError, match="12 bits"):
        decode(line(*[ONE] * 12))
