"""`cribwars bridge`: flashes, asks, watches and tests microcontroller boards at serial ports.

If a port is absent or in use, the exit status is 2 (wrong use). If a board does not answer or fails
in a soak test, the status is 1 (a fault). `monitor` and `soak` send frames to a board as
fast as it takes them, for the longest strip that fits its memory: 600 LEDs in an Uno's 1,800 bytes.
"""

import queue
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from math import inf
from typing import Final

import click
import msgspec
import numpy as np

from companion.cli.flash import flash_command
from companion.cli.language import console, tell
from companion.cli.options import FAULTY, CompletedText, WholeGroup, json_option
from companion.errors import Text
from firmware_bridge.connection.connection import Connection
from firmware_bridge.connection.discovery import AUTO, lasting_name, likely_boards, serial_ports
from firmware_bridge.connection.sharing import Connections
from firmware_bridge.errors import BridgeError, CutError, SetupError
from firmware_bridge.protocol.compatibility import LinkCounters, counts_since
from firmware_bridge.protocol.messages import BoardCounters, BoardInfo, BoardSetup
from firmware_bridge.protocol.states import (
    BoardRestarted,
    Connected,
    Event,
    FrameShown,
    KeyEdge,
    Log,
    Lost,
)

DEFAULT_BAUD: Final = 500_000

_baud = click.option(
    "--baud", type=int, default=DEFAULT_BAUD, show_default=True, help="The firmware's speed."
)

PORT: Final = CompletedText(
    lambda: (AUTO, *(port.device for port in likely_boards(serial_ports()))), files=True
)
"""Type of the name of a serial port."""


@click.group("bridge", cls=WholeGroup)
def bridge_group() -> None:
    """Find, flash, ask, watch and test a microcontroller that has the strip and the buttons.

    PORT is a serial port, such as /dev/ttyACM0, or auto for the only board that is plugged in.
    """


@bridge_group.command("list")
@json_option
def list_command(*, as_json: bool) -> None:
    """List the ports where a board may be, without opening them.

    Each line ends with the board's name for the settings, which stays the same when others are
    plugged in.
    """
    ports = serial_ports()
    boards = likely_boards(ports)
    names = [lasting_name(board, ports) for board in boards]
    if as_json:
        values = [asdict(board) | {"name": name} for board, name in zip(boards, names, strict=True)]
        click.echo(msgspec.json.encode(values))
        return
    for board, name in zip(boards, names, strict=True):
        known = f"{board.device}  {board.kind}  {board.usb_name}  {board.description}"
        click.echo(f"{known}  serial:{name}")
    if not boards:
        tell("no board is plugged in; use a data cable, not one that only charges", err=True)


@bridge_group.command("identify")
@click.argument("port", type=PORT, default=AUTO)
@_baud
@json_option
def identify_command(*, port: str, baud: int, as_json: bool) -> None:
    """Ask a board what it is. Its strip goes dark."""
    with _connected(port, baud) as (_, info):
        pass
    value = _board_value(info)
    if as_json:
        click.echo(msgspec.json.encode(value))
        return
    for name, part in value.items():
        click.echo(f"{name:>9}  {_in_words(part)}")


@bridge_group.command("monitor")
@click.argument("port", type=PORT, default=AUTO)
@_baud
@click.option("--seconds", type=click.FloatRange(min=0), help="How long; by default until Ctrl-C.")
def monitor_command(*, port: str, baud: int, seconds: float | None) -> None:
    """Print each press of a button, and every second the counters and the frames a second.

    The strip flickers: it gets frames as fast as the board takes them.
    """
    with _connected(port, baud) as (connection, info):
        _watch(connection, info, seconds)


@bridge_group.command("soak")
@click.argument("port", type=PORT, default=AUTO)
@_baud
@click.option("--seconds", type=click.FloatRange(min=0.1), default=60.0, show_default=True)
@json_option
def soak_command(*, port: str, baud: int, seconds: float, as_json: bool) -> None:
    """Send a board its longest frames as fast as it takes them, and count what fails.

    The exit code is 1 if anything failed.
    """
    with _connected(port, baud) as (connection, info):
        soaked = _watch(connection, info, seconds, quiet=True)
    if as_json:
        click.echo(msgspec.json.encode(_as_values(soaked)))
    else:
        text = "{leds} LEDs, {seconds} s: {summary}"
        tell(text, leds=soaked.leds, seconds=f"{soaked.seconds:.1f}", summary=_summary(soaked))
    if soaked.faults:
        sys.exit(FAULTY)


bridge_group.add_command(flash_command)


_CHANGED_LEDS: Final = 3
_HOST_FAULTS: Final = (
    *("bad_headers", "damaged", "broken_off", "echoes", "unknown"),
    *("refused", "unanswered", "restarts", "losses"),
)
_BOARD_FAULTS: Final = ("bad_headers", "damaged", "broken_off", "overruns", "lost_edges")


@dataclass(frozen=True, slots=True, kw_only=True)
class _SoakResult:
    """Counters of both ends since the start of a soak test."""

    seconds: float
    leds: int
    host: LinkCounters
    board: BoardCounters

    @property
    def frames_per_second(self) -> float:
        return self.host.shown / self.seconds if self.seconds else 0.0

    @property
    def faults(self) -> dict[str, int]:
        host = {f"host {name}": getattr(self.host, name) for name in _HOST_FAULTS}
        board = {f"board {name}": getattr(self.board, name) for name in _BOARD_FAULTS}
        return {name: count for name, count in (host | board).items() if count}


class _Soak:
    """A running soak test: until `end`, the next frame is sent when the last one is shown.

    Frames of new colours alternate with frames that change three LEDs, so that both whole and
    partial frames are sent.

    Args:
        connection: connection to a board, set up for the longest strip that the board can drive.
        info: the board's INFO message, with its name and counters.
        now: monotonic seconds.
    """

    def __init__(self, connection: Connection, info: BoardInfo, now: float) -> None:
        self._connection = connection
        self._started_at = now
        self._host = replace(connection.link.counters)
        self._board = connection.link.board.counters or info.counters
        self._random = np.random.default_rng(0)
        self._colours = connection.wanted.colours
        self._pixels = np.zeros(connection.wanted.pixel_bytes, np.uint8)
        self._is_whole = False
        connection.subscribe(self._handle)
        self._show_next()

    def result(self, now: float) -> _SoakResult:
        link = self._connection.link
        return _SoakResult(
            seconds=now - self._started_at,
            leds=self._connection.wanted.leds,
            host=counts_since(self._host, link.counters),
            board=counts_since(self._board, link.board.counters or self._board),
        )

    def end(self) -> None:
        self._connection.unsubscribe(self._handle)

    def _handle(self, event: Event) -> None:
        if isinstance(event, Connected | FrameShown):
            self._show_next()

    def _show_next(self) -> None:
        if not len(self._pixels):
            return
        self._is_whole = not self._is_whole
        if self._is_whole:
            self._pixels = self._random.integers(0, 32, len(self._pixels), np.uint8)
        else:
            leds = self._random.integers(0, len(self._pixels) // self._colours, _CHANGED_LEDS)
            self._pixels[leds * self._colours] ^= 0x10
        self._connection.show(self._pixels.tobytes())


@contextmanager
def _connected(port: str, baud: int) -> Iterator[tuple[Connection, BoardInfo]]:
    """Connect to a board; exit with `FAULTY` if the board fails; raise if the port fails."""
    connections = Connections(clock=time.monotonic)
    try:
        connection = connections.acquire(port, BoardSetup(leds=0), baud=baud)
    except (CutError, SetupError):
        raise
    except BridgeError as error:
        console().report(Text("{port}: {error}", port=port, error=error))
        sys.exit(FAULTY)
    try:
        yield connection, connection.wait()
    finally:
        connections.release(connection, strip=False)


def _watch(
    connection: Connection, info: BoardInfo, seconds: float | None, *, quiet: bool = False
) -> _SoakResult:
    colours = min(info.formats, default=3)
    wanted = BoardSetup(
        leds=info.pixel_bytes // colours, colours=colours, safe_colour=bytes(colours)
    )
    connection.set_up(wanted)
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    soak = _Soak(connection, connection.wait(), time.monotonic())
    connection.subscribe(events.put)
    try:
        for line in _lines(events, soak.result, seconds):
            if not quiet:
                tell(line)
    except KeyboardInterrupt:
        pass  # without --seconds only Ctrl-C ends the command
    finally:
        soak.end()
    return soak.result(time.monotonic())


def _lines(
    events: queue.SimpleQueue[Event], result: Callable[[float], _SoakResult], seconds: float | None
) -> Iterator[Text]:
    now = time.monotonic()
    end = inf if seconds is None else now + seconds
    next_line = now + 1
    while now < end:
        try:
            line = _line(events.get(timeout=max(0.0, min(next_line, end) - now)))
        except queue.Empty:
            next_line += 1
            line = _summary(result(time.monotonic()))
        if line is not None:
            yield line
        now = time.monotonic()


def _line(event: Event) -> Text | None:
    """Return an event in words; None if the event is only counted."""
    match event:
        case KeyEdge():
            text = "button {button} down" if event.down else "button {button} up"
            return Text(text, button=event.button)
        case BoardRestarted():
            return Text("the board has restarted")
        case Lost():
            return Text("lost: {error}", error=event.error)
        case Log():
            return Text("the board says: {text}", text=event.text)
        case _:
            return None


def _summary(soaked: _SoakResult) -> Text:
    faults = ", ".join(f"{name} {count}" for name, count in soaked.faults.items())
    text = "{shown} frames, {frames_per_second} a second, {edges} edges of buttons; {value}"
    shown, edges, rate = soaked.host.shown, soaked.host.edges, f"{soaked.frames_per_second:.1f}"
    return Text(
        text, shown=shown, frames_per_second=rate, edges=edges, value=faults or Text("no faults")
    )


def _board_value(info: BoardInfo) -> dict[str, object]:
    return {
        "protocol": info.protocol,
        "firmware": info.firmware,
        "board": info.name,
        "id": info.id,
        "leds": info.most_leds,
        "buttons": info.buttons,
        "counters": asdict(info.counters),
    }


def _in_words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in value.items())
    return str(value) or "none"


def _as_values(soaked: _SoakResult) -> dict[str, object]:
    return {
        **asdict(soaked),
        "frames_per_second": soaked.frames_per_second,
        "faults": soaked.faults,
    }
