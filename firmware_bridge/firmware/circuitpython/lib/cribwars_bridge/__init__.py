"""The board's end of firmware_bridge/firmware/PROTOCOL.md: bytes in, bytes and pixels out.

No pins, no clock. It uses only what CircuitPython, MicroPython and CPython all have.
"""

from .session import BoardEnd

__all__ = ["BoardEnd"]
