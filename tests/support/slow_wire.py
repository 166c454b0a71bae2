"""A slow, obvious twin of the frame decoder, with a CRC-32 computed bit by bit."""

from firmware_bridge.protocol.framing import Damage, Frame


def slow_crc32(data: bytes) -> int:
    """Return the CRC-32 of zip and Ethernet, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0xEDB88320 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def is_header(data: bytes, limit: int) -> bool:
    """Return True if ten bytes are a header."""
    check = slow_crc32(data[:8]) & 0xFFFF
    return (
        len(data) == 10
        and data[:2] == b"\xa5\x5a"
        and data[8] + 256 * data[9] == check
        and data[6] + 256 * data[7] <= limit
    )


def slow_decode(stream: bytes, limit: int) -> list[Frame | Damage]:
    """Return the content of a whole stream; frames are tried from each byte in turn."""
    found: list[Frame | Damage] = []
    at = 0
    while at < len(stream):
        header = stream[at : at + 10]
        if not is_header(header, limit):
            if header[:2] == b"\xa5\x5a" and len(header) == 10:
                found.append(Damage.HEADER)
            at += 1
            continue
        end = at + 10 + header[6] + 256 * header[7]
        if end + 4 > len(stream):
            break
        if slow_crc32(stream[at:end]) != int.from_bytes(stream[end : end + 4], "little"):
            found.append(Damage.PAYLOAD)
            at += 1
            continue
        kind, sequence, argument = header[2], header[3], header[4] + 256 * header[5]
        payload = stream[at + 10 : end]
        found.append(Frame(type=kind, sequence=sequence, argument=argument, payload=payload))
        at = end + 4
    return found
