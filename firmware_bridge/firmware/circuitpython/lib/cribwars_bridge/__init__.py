"""The board's end of firmware/PROTOCOL.md: bytes in, bytes and light out. No pins and no clock.

It runs unchanged in CircuitPython, MicroPython and CPython, so it keeps to what all three have.
"""

from .session import Board

__all__ = ["Board"]
