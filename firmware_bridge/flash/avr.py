"""New firmware for an Arduino: the images of this package, written by avrdude."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Final

from firmware_bridge.connection.discovery import BoardPort
from firmware_bridge.connection.serial_port import close_line, open_line
from firmware_bridge.errors import FlashError

BAUDS: Final = (500_000, 1_000_000)
"""The speeds that there are images for."""

_TOOL: Final = "avrdude"
_PATIENCE_S: Final = 180.0
_TOLD: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AvrBoard:
    """A kind of Arduino: its image, its chip, and how its boot loader is talked to.

    `called` is what its firmware calls it, in part.
    """

    image: str
    chip: str
    programmer: str
    baud: int
    called: str


_UNO: Final = AvrBoard(
    image="uno", chip="atmega328p", programmer="arduino", baud=115_200, called="Uno"
)
AVR_BOARDS: Final[Mapping[str, AvrBoard]] = MappingProxyType(
    {
        "uno": _UNO,
        "nano": _UNO,
        "nano-old": AvrBoard(
            image="uno", chip="atmega328p", programmer="arduino", baud=57_600, called="Uno"
        ),
        "mega": AvrBoard(
            image="mega", chip="atmega2560", programmer="wiring", baud=115_200, called="Mega"
        ),
    }
)
"""The boards that there are images for, by name."""

_BY_USB: Final[Mapping[tuple[int, int], str]] = MappingProxyType(
    {(vendor, product): "uno" for vendor in (0x2341, 0x2A03) for product in (0x01, 0x43, 0x243)}
    | {(vendor, product): "mega" for vendor in (0x2341, 0x2A03) for product in (0x10, 0x42, 0x242)}
)


_MAY_BE: Final = frozenset({0x0403, 0x10C4, 0x1A86, 0x2341, 0x2A03})


def kind_of(port: BoardPort) -> str | None:
    """The board that USB tells of, None where it tells only of an adapter, as Nanos have."""
    return _BY_USB.get((port.vendor or 0, port.product or 0))


def may_be_avr(port: BoardPort) -> bool:
    """Whether an Arduino may be behind a port: one of its makers', or an adapter."""
    return port.vendor in _MAY_BE


def image_of(kind: str, baud: int) -> Path:
    """The file of the image for a kind of board, talking at a speed."""
    folder = Path(str(resources.files("firmware_bridge"))) / "firmware" / "avr" / "hex"
    return folder / f"{AVR_BOARDS[kind].image}-{baud}.hex"


def find_tool() -> str:
    """Where avrdude is.

    Raises:
        FlashError: it is not installed.
    """
    tool = shutil.which(_TOOL)
    if tool is None:
        raise FlashError(
            f"there is no {_TOOL} here", remedy=f"install it: sudo apt install {_TOOL}"
        )
    return tool


def write_image(kind: str, port: str, baud: int) -> None:
    """Write the image for a kind of board through its boot loader; it takes some ten seconds.

    Raises:
        BridgeError: the port is not there or in use, or avrdude has failed; it says why.
    """
    tool, image, board = find_tool(), image_of(kind, baud), AVR_BOARDS[kind]
    # Whoever has the port open is told here, in one line; avrdude would try for a minute.
    close_line(open_line(port, board.baud))
    arguments = [
        *("-p", board.chip, "-c", board.programmer, "-P", port, "-b", str(board.baud)),
        # A path may have a colon, which parts the words of -U; a name of ours has none.
        *("-D", "-U", f"flash:w:{image.name}:i"),
    ]
    try:
        done = subprocess.run(  # noqa: S603  # no shell, and the port has just been opened
            [tool, *arguments],
            cwd=image.parent,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FlashError(f"{_TOOL} did not do it ({error})", remedy=_remedy(kind)) from error
    if done.returncode:
        said = _last_words(done.stderr or done.stdout) or f"exit code {done.returncode}"
        raise FlashError(f"{_TOOL} failed ({said})", remedy=_remedy(kind))


def _last_words(output: bytes) -> str:
    """The last lines in one, without what could confuse a terminal."""
    lines = [line.strip() for line in output.decode("ascii", "replace").splitlines()]
    told = " / ".join([line for line in lines if line][-_TOLD:])
    return "".join(c if c.isprintable() else "?" for c in told)


def _remedy(kind: str) -> str:
    others = {"nano": "nano-old", "nano-old": "nano"}
    if kind in others:
        return f"try --board {others[kind]}, which is the same with another boot loader"
    return "press the reset button and try again; see that the board is the one that --board says"
