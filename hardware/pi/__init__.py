"""What machine this is, what runs on it and what clashes: facts read from its files."""

from hardware.pi.boards import Board, Family
from hardware.pi.boot import Boot
from hardware.pi.machine import Machine, PioOverlay
from hardware.pi.reading import read_machine

__all__ = ["Board", "Boot", "Family", "Machine", "PioOverlay", "read_machine"]
