"""The board's end of firmware/PROTOCOL.md: bytes in, bytes and pixels out. No pins, no clock.

It runs in CircuitPython, MicroPython and CPython and uses only what all three have.
"""

from .session import BoardEnd

__all__ = ["BoardEnd"]
