"""The shipped AVR firmware on an emulated chip: its bytes, buttons and strip's line.

Its time is the chip's, and passes only in `SimulatedBoard.run`.
"""

import ctypes
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

HERTZ: Final = 16_000_000
FIRMWARE: Final = Path(__file__).parents[2] / "firmware_bridge" / "firmware" / "avr"

_SOURCES: Final = sorted(Path(__file__).parent.glob("simavr_*.c"))
_PAINT: Final = 0xC5
_ROOM: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of board: its image's name, its chip, its most LEDs, the pin of each button."""

    image: str
    chip: str
    leds: int
    pins: tuple[str, ...]

    def hex_file(self, baud: int) -> Path:
        """Return the shipped firmware of this kind."""
        return FIRMWARE / "hex" / f"{self.image}-{baud}.hex"


def _port(name: str, *bits: int) -> tuple[str, ...]:
    return tuple(f"{name}{bit}" for bit in bits)


UNO: Final = Kind(
    image="uno",
    chip="atmega328p",
    leds=600,
    pins=_port("D", *range(2, 8)) + _port("B", *range(1, 5)) + _port("C", *range(6)),
)
MEGA: Final = Kind(
    image="mega",
    chip="atmega2560",
    leds=2500,
    pins=sum((_port(name, *range(8)) for name in "ACFK"), ()),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BootLoader:
    """A boot loader of Debian's package arduino-core-avr, and its address."""

    name: str
    kind: Kind
    address: int

    @property
    def file(self) -> Path:
        """Its image."""
        return _BOOT_LOADERS / self.name

    def plain_hex(self) -> str:
        """Return the image without start addresses, which simavr does not read."""
        records = self.file.read_text(encoding="ascii").splitlines(keepends=True)
        return "".join(record for record in records if record[7:9] != "03")


_BOOT_LOADERS: Final = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders")

BOOT_LOADER_OF_MEGA: Final = BootLoader(
    name="stk500v2/stk500boot_v2_mega2560.hex", kind=MEGA, address=0x3E000
)
BOOT_LOADER_OF_OLD_NANO: Final = BootLoader(
    name="atmega/ATmegaBOOT_168_atmega328.hex", kind=UNO, address=0x7800
)


class SimulatedBoard:
    """A board that has just got power, at the end of a line of `baud`.

    Edges of the strip's line are twice the cycle, plus the new level. With a boot loader every
    reset starts the boot loader first.
    """

    def __init__(
        self,
        kind: Kind,
        *,
        baud: int,
        image: Path | None = None,
        boot_loader: BootLoader | None = None,
    ) -> None:
        self.kind = kind
        self.baud = baud
        file = image or kind.hex_file(baud)
        self._library = _library()
        self._board = self._library.board_open(kind.chip.encode(), str(file).encode(), baud)
        if not self._board:
            raise ValueError(f"simavr does not take {file} for an {kind.chip}")
        if boot_loader is not None:
            self._add_boot_loader(boot_loader)
        for port in {pin[0] for pin in kind.pins}:
            self._library.board_join_port(self._board, port.encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._library.board_close(self._board)

    @property
    def now(self) -> float:
        """The seconds since the board got power."""
        return int(self._library.board_cycle(self._board)) / HERTZ

    @property
    def overruns(self) -> int:
        """The number of bytes that the chip lost, as the firmware read them too late."""
        return int(self._library.board_overruns(self._board))

    @property
    def unsent(self) -> int:
        """The number of bytes that are still on their way to the board."""
        return int(self._library.board_unsent(self._board))

    def run(self, until: float) -> bytes:
        """Let time pass until then, or until the board sends bytes. Return these bytes."""
        now = int(self._library.board_cycle(self._board))
        self._library.board_run(self._board, max(round(until * HERTZ), now + 1))
        if self._library.board_has_stopped(self._board):
            raise RuntimeError("the emulated processor gave up")
        room = ctypes.create_string_buffer(_ROOM)
        length = self._library.board_said(self._board, room, _ROOM)
        return room.raw[:length]

    def send(self, data: bytes) -> None:
        """Put bytes on the line to the board, after the bytes that are there."""
        self._library.board_send(self._board, data, len(data))

    def press(self, button: int, *, down: bool = True) -> None:
        """Pull a button's pin low, or release it."""
        pin = self.kind.pins[button]
        self._library.board_set_pin(self._board, pin[0].encode(), int(pin[1]), not down)

    def take_edges(self) -> NDArray[np.uint64]:
        """Return the edges of the strip's line since the last call."""
        edges = np.empty(self._library.board_edge_count(self._board), np.uint64)
        self._library.board_take_edges(self._board, edges.ctypes.data)
        return edges

    def reset(self) -> None:
        """Pull the reset pin low for a moment."""
        self._library.board_reset(self._board)

    def hang(self) -> None:
        """Make the program hang for ever."""
        self._library.board_hang(self._board)

    def paint(self) -> None:
        """Fill the memory with a pattern before the program begins."""
        memory = self._memory()
        memory[:] = _PAINT

    def untouched(self) -> int:
        """Return the bytes between variables and stack that were never written."""
        touched = np.flatnonzero(np.concatenate(([True], self._memory() != _PAINT, [True])))
        return int(np.diff(touched).max()) - 1

    def _add_boot_loader(self, boot_loader: BootLoader) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".hex", encoding="ascii") as plain:
            plain.write(boot_loader.plain_hex())
            plain.flush()
            file, address = plain.name.encode(), boot_loader.address
            if not self._library.board_add_boot_loader(self._board, file, address):
                raise ValueError(f"simavr does not take {boot_loader.file}")

    def _memory(self) -> NDArray[np.uint8]:
        end = self._library.board_memory_end(self._board) + 1
        data = self._library.board_memory(self._board)
        start = 0x100 if self.kind is UNO else 0x200
        return np.ctypeslib.as_array(data, (end,))[start:]


def missing() -> str:
    """Return the missing package for emulated boards, or nothing."""
    if shutil.which("gcc") is None:
        return "needs gcc (apt install gcc)"
    if not Path("/usr/include/simavr").is_dir():
        return "needs simavr's library (apt install libsimavr-dev)"
    return ""


def missing_boot_loaders() -> str:
    """Return the missing package for boards with boot loaders, or nothing."""
    if not _BOOT_LOADERS.is_dir():
        return "needs the boot loaders of Arduinos (apt install arduino-core-avr)"
    return missing()


def missing_compiler() -> str:
    """Return the missing packages for building the firmware, or nothing."""
    if shutil.which("avr-gcc") is None or shutil.which("make") is None:
        return "needs avr-gcc (apt install gcc-avr avr-libc binutils-avr make)"
    return ""


@cache
def _library() -> ctypes.CDLL:
    """Return the harness, which is compiled once a process and removed with it."""
    library = ctypes.CDLL(str(_compile(Path(_keep().name))))
    board, text, bytes_in = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p
    size, cycles = ctypes.c_size_t, ctypes.c_uint64
    signatures: dict[str, tuple[Any, ...]] = {
        "board_open": (board, text, text, ctypes.c_uint32),
        "board_close": (None, board),
        "board_run": (None, board, cycles),
        "board_cycle": (cycles, board),
        "board_send": (None, board, bytes_in, size),
        "board_unsent": (size, board),
        "board_said": (size, board, ctypes.c_char_p, size),
        "board_overruns": (cycles, board),
        "board_edge_count": (size, board),
        "board_take_edges": (None, board, ctypes.c_void_p),
        "board_has_stopped": (ctypes.c_int, board),
        "board_join_port": (None, board, ctypes.c_char),
        "board_set_pin": (None, board, ctypes.c_char, ctypes.c_int, ctypes.c_int),
        "board_reset": (None, board),
        "board_add_boot_loader": (ctypes.c_int, board, text, ctypes.c_uint32),
        "board_hang": (None, board),
        "board_memory_end": (ctypes.c_uint32, board),
        "board_memory": (ctypes.POINTER(ctypes.c_uint8), board),
    }
    for name, (result, *arguments) in signatures.items():
        function = library[name]
        function.restype, function.argtypes = result, arguments
        setattr(library, name, function)
    return library


def _compile(directory: Path) -> Path:
    target = directory / "simavr_harness.so"
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    command = ["gcc", *flags, "-o", str(target), *map(str, _SOURCES), "-lsimavr"]
    subprocess.run(command, check=True)
    return target


@cache
def _keep() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="simavr-")
