"""Flashing of Arduinos: avrdude writes a firmware image of this package to the board."""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Final

from firmware_bridge.connection.discovery import BoardPort
from firmware_bridge.connection.serial_port import close_port, open_port
from firmware_bridge.errors import FlashError
from hardware.errors import Text

BAUDS: Final = (500_000, 1_000_000)  # baud rates of the images
_TOOL: Final = "avrdude"
_TIMEOUT_S: Final = 180.0
_TAIL_LINES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AvrBoard:
    """Kind of Arduino: image, chip, and the protocol and baud rate of its boot loader.

    `info_name` is a part of the name that the board sends in INFO.
    """

    image: str
    chip: str
    programmer: str
    baud: int
    info_name: str


_UNO: Final = AvrBoard(
    image="uno", chip="atmega328p", programmer="arduino", baud=115_200, info_name="Uno"
)
AVR_BOARDS: Final[Mapping[str, AvrBoard]] = {
    "uno": _UNO,
    "nano": _UNO,
    "nano-old": replace(_UNO, baud=57_600),
    "mega": AvrBoard(
        image="mega", chip="atmega2560", programmer="wiring", baud=115_200, info_name="Mega"
    ),
}
"""Boards with an image, by name."""

_ARDUINO_VENDORS: Final = (0x2341, 0x2A03)
_BY_USB: Final[Mapping[tuple[int, int], str]] = {
    (vendor, product): kind
    for vendor in _ARDUINO_VENDORS
    for kind, products in (("uno", (0x01, 0x43, 0x243)), ("mega", (0x10, 0x42, 0x242)))
    for product in products
}

_POSSIBLE_VENDORS: Final = frozenset({0x0403, 0x10C4, 0x1A86, *_ARDUINO_VENDORS})


def kind_of(port: BoardPort) -> str | None:
    """Return the kind of board with this USB product; None for a USB adapter, as Nanos have."""
    return _BY_USB.get((port.vendor or 0, port.product or 0))


def may_be_avr(port: BoardPort) -> bool:
    """Return True for ports of Arduinos and of USB adapters, which many Nanos have."""
    return port.vendor in _POSSIBLE_VENDORS


def image_of(kind: str, baud: int) -> Path:
    """Return the file of the image for a kind of board and a baud rate."""
    folder = Path(str(resources.files("firmware_bridge"))) / "firmware" / "avr" / "hex"
    return folder / f"{AVR_BOARDS[kind].image}-{baud}.hex"


def find_tool() -> str:
    """Return the path of avrdude.

    Raises:
        FlashError: avrdude is not installed.
    """
    tool = shutil.which(_TOOL)
    if tool is None:
        remedy = Text("install it: sudo apt install {tool}", tool=_TOOL)
        raise FlashError("there is no {tool} here", tool=_TOOL, remedy=remedy)
    return tool


def write_image(kind: str, port: str, baud: int) -> None:
    """Write the image for a kind of board through its boot loader, in about ten seconds.

    Raises:
        BridgeError: the port is absent or in use, or avrdude has failed.
    """
    tool, image, board = find_tool(), image_of(kind, baud), AVR_BOARDS[kind]
    # This reports at once if the port is in use; avrdude would try for a minute.
    close_port(open_port(port, board.baud))
    arguments = [
        *("-p", board.chip, "-c", board.programmer, "-P", port, "-b", str(board.baud)),
        # avrdude splits -U at colons; a path may contain them, but these file names do not.
        *("-D", "-U", f"flash:w:{image.name}:i"),
    ]
    try:
        done = subprocess.run(  # noqa: S603  # no shell, and the port has just been opened
            [tool, *arguments],
            cwd=image.parent,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        text = "{tool} could not write the firmware ({error})"
        raise FlashError(text, tool=_TOOL, error=error, remedy=_remedy(kind)) from error
    if done.returncode:
        code = Text("exit code {returncode}", returncode=done.returncode)
        said = _output_tail(done.stderr or done.stdout) or code
        raise FlashError("{tool} failed ({said})", tool=_TOOL, said=said, remedy=_remedy(kind))


def _output_tail(output: bytes) -> str:
    lines = [line.strip() for line in output.decode("ascii", "replace").splitlines()]
    tail = " / ".join([line for line in lines if line][-_TAIL_LINES:])
    return "".join(c if c.isprintable() else "?" for c in tail)


def _remedy(kind: str) -> Text:
    others = {"nano": "nano-old", "nano-old": "nano"}
    if kind in others:
        text = "try --board {others}, the same board with another boot loader"
        return Text(text, others=others[kind])
    return Text(
        "press the reset button and try again; check that --board names the right kind of board"
    )
