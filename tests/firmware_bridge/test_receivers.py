"""Receivers of third-party protocols, checked with literal frames."""

from tests.firmware_bridge.receivers import AdalightSketch, HyperSerial, WledDdp, WledSerial

RED_AND_BLUE = [(255, 0, 0), (0, 0, 255)]

# "Ada", count less one, 00 ^ 01 ^ 55, two LEDs.
ADALIGHT = bytes.fromhex("41 64 61 00 01 54 FF 00 00 00 00 FF")

# "Awa", the same header; FF is 0 modulo 255; the last sum is of FF^0, 0^1, 0^2, 0^3, 0^4, FF^5.
AWA = bytes.fromhex("41 77 61 00 01 54 FF 00 00 00 00 FF 00 00 05")

# "AWa" with two LEDs of four bytes: 1, 2, 3, 4 and 5, 6, 7, 8.
AWA_WHITE = bytes.fromhex("41 57 61 00 01 54 01 02 03 04 05 06 07 08 24 78 20")

# Version 1 and push, no sequence, RGB of 8 bits, display, offset 0, six bytes.
DDP = bytes.fromhex("41 00 0B 01 00 00 00 00 00 06 FF 00 00 00 00 FF")


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


def test_awa() -> None:
    """Both firmwares show a frame whose three checksums are right, and no other."""
    for firmware in (HyperSerial(), HyperSerial(is_pico_rgbw=True)):
        firmware.receive(AWA + AWA[:-1] + b"\x06" + AWA)
        assert ([RED_AND_BLUE] * 2, 1) == (firmware.shown, firmware.bad)


def test_awa_with_white_is_dark_on_an_esp32() -> None:
    """Only a Pico's firmware for RGBW knows "AWa"."""
    pico, esp32 = HyperSerial(is_pico_rgbw=True), HyperSerial()
    for firmware in (pico, esp32):
        firmware.receive(AWA_WHITE)
    assert ([[(1, 2, 3, 4), (5, 6, 7, 8)]], []) == (pico.shown, esp32.shown)


def test_ddp() -> None:
    """WLED drops what seems late by the sequence that it remembers; sequence 0 is never late."""
    is_shown = {(0, 1): 1, (7, 3): 0, (7, 2): 1, (3, 1): 0, (3, 14): 0, (7, 0): 1}
    for (remembered, sequence), frames in is_shown.items():
        wled = WledDdp(2, last_sequence=remembered)
        wled.receive(DDP[:1] + bytes([sequence]) + DDP[2:])
        assert [RED_AND_BLUE] * frames == wled.shown
