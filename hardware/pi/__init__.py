"""Facts about this machine, from its files, and reasons why a strip driver does not run on it."""

from hardware.pi.boot import Boot, Family, PiBoard
from hardware.pi.machine import Machine, PioOverlay
from hardware.pi.reading import read_machine

__all__ = ["Boot", "Family", "Machine", "PiBoard", "PioOverlay", "read_machine"]
