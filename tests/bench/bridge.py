"""The bridge to a microcontroller: the host's work, and the shipped firmware on an emulated Uno.

Rates, pulses and times of presses are in the chip's own time, so that other programs do not change
them. A cut is repaired in real time, on a real pty.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from random import Random
from statistics import median
from typing import Final

from firmware_bridge.connection.connection import Connection
from firmware_bridge.protocol.framing import OVERHEAD
from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import BoardSetup
from firmware_bridge.protocol.states import Connected, State
from tests.bench.rig import Report, percentile, row, table
from tests.firmware_bridge.board_on_pty import NATIVE, BoardOnPty, board_on_pty
from tests.firmware_bridge.firmware.avr_board import Bench, Stream, connected, pulses
from tests.support import link_script, simavr_harness, slow_board
from tests.support.limits import TIMEOUT_S
from tests.support.simavr_harness import BOOT_LOADER_OF_MEGA, BOOT_LOADER_OF_OLD_NANO, UNO

_LEDS: Final = 500
_SECONDS: Final = 2.0
_PRESSES: Final = 200
_ROUNDS: Final = 400
_CUTS: Final = 7
_AWAY_S: Final = 4.0
_ARDUINO: Final = 0x2341
_FLOORS: Final = {500_000: 21, 1_000_000: 31}


def measure() -> list[Report]:
    """Return tables of the host's work, of the firmware's, and of a pulled cable."""
    tables: list[Report] = [
        table(f"The host's work for a frame of {_LEDS} LEDs", _host()),
        table("A cable pulled out, and in again under another name", _cuts()),
    ]
    lack = simavr_harness.missing_boot_loaders()
    if lack:
        return [*tables, ("Not measured", ["what", "why"], [["the firmware", lack]])]
    return [
        *tables,
        table(f"{_LEDS} LEDs on an emulated Uno, all new in each frame", _rates()),
        table("From the pin of a button to the event at the host", _presses()),
        table("Behind a boot loader", _boot_loaders()),
    ]


def _host() -> Iterator[list[str]]:
    whole, changed = (_host_us(changed=changed) for changed in (None, 3))
    yield row("processor time, all LEDs new", whole, "us", below=200)
    yield row("processor time, three LEDs new", changed, "us", below=200)


def _host_us(*, changed: int | None) -> float:
    """Return a link's microseconds for a frame sent and acknowledged, as the median of all."""
    link = Link(session=link_script.SESSION, wanted=BoardSetup(leds=_LEDS))
    link.open(0.0)
    for answer in (link_script.info(), link_script.ack(slow_board.SETUP)):
        link.bytes_to_send(0.0)
        link.receive_bytes(answer, 0.0)
    assert link.state is State.RUNNING
    random = Random(1)
    pixels = bytearray(random.randbytes(3 * _LEDS))
    times = []
    for i in range(_ROUNDS):
        if changed is None:
            pixels[:] = random.randbytes(len(pixels))
        for _ in range(changed or 0):
            pixels[random.randrange(len(pixels))] ^= 1
        frame = bytes(pixels)
        begun = time.thread_time()
        link.show(frame)
        sent = link.bytes_to_send(i / 100)
        mid = time.thread_time()
        answer = link_script.ack(slow_board.PIXELS, _last_sequence(sent))
        went_on = time.thread_time()
        link.receive_bytes(answer, i / 100)
        times.append(time.thread_time() - went_on + mid - begun)
    return median(times) * 1e6


def _last_sequence(sent: bytes) -> int:
    """Return the sequence of the last PIXELS among the frames sent."""
    sequence, at = 0, 0
    while at < len(sent):
        if sent[at + 2] == slow_board.PIXELS:
            sequence = sent[at + 3]
        at += OVERHEAD + slow_board.number(sent, at + 6, 2)
    return sequence


def _rates() -> Iterator[list[str]]:
    for baud, floor in _FLOORS.items():
        with connected(UNO, baud=baud, wanted=BoardSetup(leds=_LEDS)) as bench:
            shown = Stream(bench, pixel_bytes=3 * _LEDS).run(_SECONDS)
            what = f"frames a second at {baud:,} baud"
            yield row(what, shown / _SECONDS, "fps", at_least=floor)
    with connected(UNO, wanted=BoardSetup(leds=_LEDS)) as bench:
        bench.link.show(Random(1).randbytes(3 * _LEDS))
        bench.run(0.2)
        high = pulses(bench.board.take_edges()).high
    zeros, ones = high[high < 500], high[high >= 500]
    yield row("a 0 is high, at most", float(zeros.max()), "ns", below=500)
    yield row("a 1 is high, at least", float(ones.min()), "ns", at_least=650)


def _presses() -> Iterator[list[str]]:
    for baud in _FLOORS:
        for streams in (False, True):
            times = _press_ms(baud, streams=streams)
            where = f"{baud:,} baud, {'frames streaming' if streams else 'no frames'}"
            yield row(f"{where}: half of all within", percentile(times, 0.5), "ms", below=8)
            # One show of the strip, in which a board may not speak, and what it has to say.
            most = 25 if streams else 8
            yield row(f"{where}: 99 of 100 within", percentile(times, 0.99), "ms", below=most)


def _press_ms(baud: int, *, streams: bool) -> list[float]:
    """Return the milliseconds from each edge at a pin to its event, with 3 ms of hold time."""
    random = Random(5)
    with connected(UNO, baud=baud, wanted=BoardSetup(leds=_LEDS)) as bench:
        pressed = [bench.now + 0.1 + 0.041 * i + random.uniform(0, 0.01) for i in range(_PRESSES)]
        for i, at in enumerate(pressed):
            bench.press(at, i // 2 % 16, down=i % 2 == 0)
        seconds = 0.041 * _PRESSES + 0.5
        if streams:
            Stream(bench, pixel_bytes=3 * _LEDS).run(seconds)
        else:
            bench.run(seconds)
        reported = [now for now, _ in bench.reported_edges()]
    return [(now - at) * 1e3 for at, now in zip(pressed, reported, strict=True)]


def _cuts() -> Iterator[list[str]]:
    with board_on_pty() as board, closing(_connection(board)) as connection:
        connection.start()
        connection.wait()
        times = [_cut_ms(board, connection, level) for level in range(1, _CUTS + 1)]
    # The first look for the board comes 100 ms after the cut.
    yield row("cut to the newest frame lit again, half", median(times), "ms", below=600)
    yield row("the same, the longest", max(times), "ms")
    for vendor, what in ((NATIVE, "native USB"), (_ARDUINO, "a boot loader's silence")):
        yield row(
            f"plugged in after {_AWAY_S:g} s to set up, {what}", _replug_s(vendor), "s", below=2
        )


def _connection(board: BoardOnPty) -> Connection:
    return Connection(
        board.device,
        BoardSetup(leds=_LEDS),
        ports=board.listing,
        report=lambda _: None,
        clock=time.monotonic,
    )


def _replug_s(vendor: int) -> float:
    """Return the seconds from plugging in until the board is set up again."""
    with board_on_pty(vendor=vendor) as board:
        connection = _connection(board)
        connected = threading.Semaphore(0)
        connection.subscribe(
            lambda event: connected.release() if isinstance(event, Connected) else None
        )
        with closing(connection):
            connection.start()
            connected.acquire(timeout=TIMEOUT_S)
            board.unplug()
            time.sleep(_AWAY_S)
            begun = time.monotonic()
            board.plug_in()
            connected.acquire(timeout=TIMEOUT_S)
            return time.monotonic() - begun


def _boot_loaders() -> Iterator[list[str]]:
    for name, boot_loader in (("Mega", BOOT_LOADER_OF_MEGA), ("old Nano", BOOT_LOADER_OF_OLD_NANO)):
        wanted = BoardSetup(leds=_LEDS)
        with Bench(boot_loader.kind, wanted=wanted, boot_loader=boot_loader) as bench:
            opened = bench.now
            bench.connect()
            yield row(
                f"{name}: from opening the port to set up", bench.now - opened, "s", below=1.8
            )


def _cut_ms(board: BoardOnPty, connection: Connection, level: int) -> float:
    """Return the milliseconds from a cut until a frame shown meanwhile is lit."""
    pixels = bytes([level]) * 3 * _LEDS
    begun = time.monotonic()
    board.unplug()
    board.plug_in()
    connection.show(pixels)
    board.until(lambda: board.board.strip.light == pixels)
    return (time.monotonic() - begun) * 1e3
