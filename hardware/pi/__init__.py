"""Facts about this machine, read from its files: which drivers it runs and what conflicts."""

from hardware.pi.boards import Board, Family
from hardware.pi.boot import Boot
from hardware.pi.machine import Machine, PioOverlay
from hardware.pi.reading import read_machine

__all__ = ["Board", "Boot", "Family", "Machine", "PioOverlay", "read_machine"]
