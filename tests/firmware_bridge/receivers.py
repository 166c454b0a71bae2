"""Receivers of third-party protocols, as their sources treat each byte.

* `AdalightSketch`: adafruit/Adalight, Arduino/LEDstream.
* `WledSerial`: wled/WLED, wled00/wled_serial.cpp, `handleSerial`; with the commands of the fork
  WLED-MM.
* `WledDdp`: wled/WLED, wled00/e131.cpp, `handleDDPPacket`.
* `HyperSerial`: awawa-dev/HyperSerialESP32 and HyperSerialPico, include/main.h, `processData`, and
  include/framestate.h.
"""

from collections.abc import Generator
from typing import TypeAlias

Pixels: TypeAlias = list[tuple[int, ...]]
_Parser: TypeAlias = Generator[None, int, None]


class _Receiver:
    """A parser that gets one byte after the other; `shown` are the frames on its strip."""

    def __init__(self) -> None:
        self.shown: list[Pixels] = []
        self._parser = self._parse()
        next(self._parser)

    def receive(self, data: bytes) -> None:
        """Receive bytes."""
        for byte in data:
            self._parser.send(byte)

    def _parse(self) -> _Parser:
        raise NotImplementedError


class AdalightSketch(_Receiver):
    """The sketch for Arduinos; the `bad` bytes outside of frames have no effect."""

    def __init__(self) -> None:
        self.bad = 0
        super().__init__()

    def _parse(self) -> _Parser:
        window = b""
        while True:
            window += bytes([(yield)])
            if len(window) < 6:
                continue
            high, low, check = window[3:]
            if window[:3] != b"Ada" or high ^ low ^ 0x55 != check:
                window = window[1:]
                self.bad += 1
                continue
            pixels: Pixels = []
            for _ in range(256 * high + low + 1):
                red, green, blue = (yield), (yield), (yield)
                pixels.append((red, green, blue))
            self.shown.append(pixels)
            window = b""


class WledSerial(_Receiver):
    """WLED at its serial port, with a strip of `leds`; `commands` are the bytes it executed."""

    COMMANDS = frozenset(range(0xB0, 0xB8)) | frozenset(b"IvlLoO{^X")

    def __init__(self, leds: int) -> None:
        self.commands = bytearray()
        self._strip: Pixels = [(0, 0, 0)] * leds
        super().__init__()

    def _parse(self) -> _Parser:
        while True:
            byte = yield
            if byte == ord("A"):
                if (yield) == ord("d") and (yield) == ord("a"):
                    yield from self._adalight()
            elif byte == 0xC9:
                if (yield) == 0xDA:
                    high, low = (yield), (yield)
                    yield from self._pixels(high * 256 // 3 + low // 3)
            elif byte in self.COMMANDS:
                self.commands.append(byte)

    def _adalight(self) -> _Parser:
        high, low, check = (yield), (yield), (yield)
        if high ^ low ^ 0x55 == check:
            yield from self._pixels(256 * high + low + 1)

    def _pixels(self, count: int) -> _Parser:
        for led in range(max(1, count)):
            red, green, blue = (yield), (yield), (yield)
            if led < len(self._strip):
                self._strip[led] = red, green, blue
        self.shown.append(list(self._strip))


class HyperSerial(_Receiver):
    """HyperSerial on an ESP32, or on a Pico built for RGBW; `bad` frames had wrong checksums."""

    def __init__(self, *, is_pico_rgbw: bool = False) -> None:
        self.bad = 0
        self._is_pico_rgbw = is_pico_rgbw
        super().__init__()

    def _parse(self) -> _Parser:
        while True:
            if (yield) != ord("A"):
                continue
            second = yield
            has_white = self._is_pico_rgbw and second == ord("W")
            if (second == ord("w") or has_white) and (yield) == ord("a"):
                yield from self._frame(4 if has_white else 3)

    def _frame(self, colours: int) -> _Parser:
        high, low, check = (yield), (yield), (yield)
        count = 256 * high + low + 1
        if high ^ low ^ 0x55 != check or count > 4096:
            return
        first = second = extra = 0
        data = []
        for position in range(count * colours):
            byte = yield
            data.append(byte)
            first = (first + byte) % 255
            second = (second + first) % 255
            extra = (extra + (byte ^ position & 0xFF)) % 255
        for expected in (first, second, 0xAA if extra == 0x41 else extra):
            if (yield) != expected:
                self.bad += 1
                return
        self.shown.append([tuple(data[i : i + colours]) for i in range(0, len(data), colours)])


class WledDdp:
    """WLED's receiver of DDP, which refuses late packets if it is set to; `shown` are its frames.

    `last_sequence` is what it remembers, also of a sender that has restarted.
    """

    def __init__(self, leds: int, *, last_sequence: int = 0, skips_late: bool = True) -> None:
        self.shown: list[Pixels] = []
        self.sizes: list[int] = []
        self._last_sequence = last_sequence
        self._skips_late = skips_late
        self._strip: Pixels = [()] * leds

    def receive(self, packet: bytes) -> None:
        """Receive a packet."""
        flags, sequence, kind, destination = packet[:4]
        assert (0x40, 1) == (flags & 0xC0, destination)
        if self._is_late(sequence & 0xF):
            return
        colours = 4 if kind >> 3 & 0b111 == 0b011 else 3
        start = int.from_bytes(packet[4:8], "big") // colours
        size = int.from_bytes(packet[8:10], "big")
        assert len(packet) == 10 + size
        self.sizes.append(size)
        for led in range(size // colours):
            at = 10 + colours * led
            self._strip[start + led] = tuple(packet[at : at + colours])
        if flags & 0x01:
            self._last_sequence = sequence & 0xF or self._last_sequence
            self.shown.append(list(self._strip))

    def _is_late(self, sequence: int) -> bool:
        last = self._last_sequence
        if not (self._skips_late and last and sequence):
            return False
        if last > 5:
            return last - 5 < sequence < last
        return sequence > 10 + last or sequence < last
