"""Facts about this machine, read from its files: which drivers it runs and what conflicts."""

from hardware.pi.boards import Family, PiBoard
from hardware.pi.boot import Boot
from hardware.pi.machine import Machine, PioOverlay
from hardware.pi.reading import read_machine

__all__ = ["Boot", "Family", "Machine", "PiBoard", "PioOverlay", "read_machine"]
