"""What boards with others' firmware make of bytes: one byte at a time, from the facts alone."""

from __future__ import annotations


def adalight(data: bytes) -> tuple[list[list[tuple[int, ...]]], bytes]:
    """Return the frames of an Adalight stream, and the bytes that stand outside of them."""
    frames = []
    outside = bytearray()
    at = 0
    while at < len(data):
        head = data[at : at + 6]
        if head[:3] != b"Ada" or len(head) < 6 or head[3] ^ head[4] ^ 0x55 != head[5]:
            outside.append(data[at])
            at += 1
            continue
        count = head[3] * 256 + head[4] + 1
        at += 6
        frames.append([tuple(data[at + 3 * led : at + 3 * led + 3]) for led in range(count)])
        at += 3 * count
    return frames, bytes(outside)


def awa(data: bytes) -> tuple[list[list[tuple[int, ...]]], int]:
    """Return the frames of an AWA stream whose sums are right, and how many were not."""
    frames, wrong, at = [], 0, 0
    while at < len(data):
        magic = data[at : at + 3]
        assert magic in (b"Awa", b"AWa")
        colours = 4 if magic == b"AWa" else 3
        high, low, check = data[at + 3 : at + 6]
        assert high ^ low ^ 0x55 == check
        count = high * 256 + low + 1
        body = data[at + 6 : at + 6 + count * colours]
        first = second = extra = 0
        for place, byte in enumerate(body):
            first = (first + byte) % 255
            second = (second + first) % 255
            extra = (extra + (byte ^ (place % 256))) % 255
        at += 6 + len(body) + 3
        if bytes([first, second, 0xAA if extra == 0x41 else extra]) != data[at - 3 : at]:
            wrong += 1
            continue
        frames.append([tuple(body[i : i + colours]) for i in range(0, len(body), colours)])
    return frames, wrong


class Ddp:
    """A strip at the end of DDP: packets in, what it shows in `shown`."""

    def __init__(self) -> None:
        self.bytes = bytearray()
        self.kinds: set[int] = set()
        self.sequences: list[int] = []
        self.sizes: list[int] = []
        self.shown: list[bytes] = []

    def take(self, packet: bytes) -> None:
        """Take a packet; the last one of a frame shows it."""
        flags, sequence, kind, destination = packet[:4]
        offset = int.from_bytes(packet[4:8], "big")
        length = int.from_bytes(packet[8:10], "big")
        assert (0x40, 1, length) == (flags & 0xC0, destination, len(packet) - 10)
        self.kinds.add(kind)
        self.sequences.append(sequence)
        self.sizes.append(length)
        self.bytes[offset : offset + length] = packet[10:]
        if flags & 0x01:
            self.shown.append(bytes(self.bytes))
            self.bytes.clear()
