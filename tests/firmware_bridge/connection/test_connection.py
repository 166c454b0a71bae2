"""Real pyserial over a real pty: slow boots, pulled cables, ports in use."""

import os
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest

from firmware_bridge.connection.connection import Connection
from firmware_bridge.connection.discovery import BoardPort
from firmware_bridge.connection.serial_port import open_port, parse_baud
from firmware_bridge.connection.status import ConnectionStatus
from firmware_bridge.errors import (
    BridgeError,
    CutError,
    ForeignDeviceError,
    SetupError,
    SilentBoardError,
    UnfitBoardError,
)
from firmware_bridge.protocol.messages import BoardSetup
from firmware_bridge.protocol.states import Connected, Event, KeyEdge, Lost, Refused, State
from tests.firmware_bridge.board_on_pty import NATIVE, BoardOnPty, Cable, Collector, board_on_pty
from tests.support.link_script import board_info
from tests.support.slow_board import SlowBoard

LEDS = 20
PIXELS = bytes(range(60))


class Report(Collector[Event]):
    """Events of a connection."""

    def of(self, kind: type[Event]) -> list[Event]:
        """Return the events of a kind."""
        return [event for event in self.items if isinstance(event, kind)]


@pytest.fixture
def board() -> Iterator[BoardOnPty]:
    """Yield a board that takes 20 ms to start."""
    with board_on_pty() as on_pty:
        yield on_pty


def connection_to(board: BoardOnPty) -> Connection:
    """Return a connection that finds the board by its USB entry."""
    return Connection(
        board.device, BoardSetup(leds=LEDS), ports=board.listing, clock=time.monotonic
    )


@contextmanager
def connected(board: BoardOnPty, reported: Report) -> Iterator[Connection]:
    """Yield a connection that has set up the board and reports its events."""
    with closing(connection_to(board)) as connection:
        connection.subscribe(reported.put)
        connection.start()
        connection.wait()
        yield connection


def edges(reported: Report) -> list[tuple[int, bool]]:
    """Return the reported edges."""
    return [(each.button, each.down) for each in reported.items if isinstance(each, KeyEdge)]


CUT = CutError("the port failed: gone")


@pytest.fixture
def reported() -> list[str]:
    """Return the reported lines."""
    return []


@pytest.fixture
def standing(reported: list[str]) -> ConnectionStatus:
    """Return the status of a new connection."""
    return ConnectionStatus(lambda text: reported.append(str(text)))


def test_a_slow_boot_is_waited_for_and_not_longer() -> None:
    """A board that takes 0.6 s to start gets the next HELLO, and shows a frame."""
    slow = board_on_pty(SlowBoard(boot_ticks=600))
    with slow as board, closing(connection_to(board)) as connection:
        connection.start()
        assert "slow board" == connection.wait().name
        connection.show(PIXELS)
        board.until(lambda: board.board.strip.light == PIXELS)


def test_keys_come_with_the_hosts_times(board: BoardOnPty) -> None:
    """A press and its release come once, in order, with times of the test."""
    reported = Report()
    with connected(board, reported):
        before = time.monotonic()
        board.press(3)
        reported.until(lambda: edges(reported) == [(3, True)])
        board.press(3, down=False)
        reported.until(lambda: len(edges(reported)) == 2)
        after = time.monotonic()
    assert [(3, True), (3, False)] == edges(reported)
    times = [event.t for event in reported.items if isinstance(event, KeyEdge)]
    # A board's clock is in whole milliseconds.
    assert [before - 0.002, *times, after] == sorted([before - 0.002, *times, after])


def test_a_later_listener_gets_the_buttons_that_are_down(board: BoardOnPty) -> None:
    """A new listener gets a held button at once."""
    first, later = Report(), Report()
    with connected(board, first) as connection:
        board.press(2)
        first.until(lambda: edges(first))
        connection.subscribe(later.put)
        (event,) = later.items
        assert frozenset({2}) == getattr(event, "down", None)


def test_a_listener_that_fails_harms_nobody(
    board: BoardOnPty, caplog: pytest.LogCaptureFixture
) -> None:
    """Its error is logged, and the other listeners are still called."""
    reported = Report()

    def failing(_: Event) -> None:
        raise ZeroDivisionError

    with closing(connection_to(board)) as connection:
        connection.subscribe(failing)
        connection.subscribe(reported.put)
        connection.start()
        connection.wait()
        reported.until(lambda: reported.of(Connected))
        connection.unsubscribe(failing)
    assert "its listener failed" in caplog.text


def test_closing_turns_the_strip_dark_within_a_second(board: BoardOnPty) -> None:
    """The board gets BYE, and a second close does nothing."""
    connection = connection_to(board)
    connection.start()
    connection.wait()
    connection.show(PIXELS)
    board.until(lambda: board.board.strip.light == PIXELS)
    connection.close()
    assert (State.CLOSED, bytes(60)) == (connection.link.state, board.board.strip.light)
    connection.close()


class Pauses(threading.Event):
    """The pauses between attempts, which take no time; some of them start an action."""

    def __init__(self, after_s: float, then: Callable[[], object]) -> None:
        super().__init__()
        self.after: list[float] = []
        self._left_s = after_s
        self._then = then

    def wait(self, timeout: float | None = None) -> bool:
        """Let a pause pass."""
        pause_s = timeout or 0.0
        if self._left_s > 0:
            self._left_s -= pause_s
            if self._left_s <= 0:
                self._then()
        else:
            self.after.append(pause_s)
        return self.is_set()


@pytest.mark.parametrize("unplugged_s", [1.0, 4.0, 60.0, 3600.0])
def test_a_replugged_board_is_found_at_once(board: BoardOnPty, unplugged_s: float) -> None:
    """After any absence the next look comes 0.2 s later at most."""
    connection = connection_to(board)
    pauses = Pauses(unplugged_s, board.plug_in)
    connection._stopping = pauses
    reported = Report()
    with closing(connection):
        connection.subscribe(reported.put)
        connection.start()
        connection.wait()
        board.unplug()
        reported.until(lambda: len(reported.of(Connected)) == 2)
        assert 0.2 >= sum(pauses.after)


def test_a_board_comes_back_under_another_name(board: BoardOnPty) -> None:
    """It is found by its identity, gets the newest frame, and each key comes once."""
    reported = Report()
    with connected(board, reported) as connection:
        old = board.device
        board.unplug()
        reported.until(lambda: reported.of(Lost))
        connection.show(PIXELS)
        board.press(5)
        board.plug_in()
        reported.until(lambda: edges(reported))
        board.until(lambda: board.board.strip.light == PIXELS)
        assert old != board.device
        assert board.device == connection.device
    assert [(5, True)] == edges(reported)
    (lost,) = reported.of(Lost)
    assert isinstance(lost, Lost)
    assert isinstance(lost.error, CutError)


def test_a_board_without_a_serial_number_is_looked_for_where_it_was() -> None:
    """Of several such adapters it is the one in the same socket; one may move."""
    was = BoardPort(device="/dev/ttyUSB0", vendor=0x1A86, product=0x7523, location="1-1")
    moved = BoardPort(device="/dev/ttyUSB2", vendor=0x1A86, product=0x7523, location="1-1")
    other = BoardPort(device="/dev/ttyUSB0", vendor=0x1A86, product=0x7523, location="1-2")
    assert moved == was.find_in([other, moved])
    assert was.find_in([other, BoardPort(device="x", vendor=0x1A86, product=0x7523)]) is None
    assert other == was.find_in([other])
    assert was.find_in([]) is None


def test_a_board_that_restarts_is_set_up_again(board: BoardOnPty) -> None:
    """A reset at any time is noticed, and the newest frame is shown again."""
    with connected(board, Report()) as connection:
        connection.show(PIXELS)
        board.until(lambda: board.board.strip.light == PIXELS)
        with board.changed:
            board.board.start()
            board.board.strip.go_dark()
        board.until(lambda: board.board.strip.light == PIXELS)
        assert 1 == connection.link.counters.restarts


def test_a_second_opener_is_refused(board: BoardOnPty) -> None:
    """A port belongs to one program; the error has the remedy."""
    with closing(connection_to(board)) as connection:
        connection.start()
        with pytest.raises(CutError, match="is in use by another program; stop it first"):
            connection_to(board).start()


@pytest.mark.parametrize(
    ("device", "kind", "text"),
    [
        ("/dev/ttyNONE", CutError, "/dev/ttyNONE is not there; plug the board in; this"),
        ("/dev/null", SetupError, "/dev/null is no serial port; choose another port; this lists"),
        ("nothing://here", BridgeError, "."),
        ("socket://no-port", BridgeError, "."),
    ],
)
def test_a_device_that_cannot_be_opened(device: str, kind: type[BridgeError], text: str) -> None:
    """One line names the command that lists boards; no port is another error than a failed one."""
    with pytest.raises(kind, match=text) as refused:
        Connection(device, BoardSetup(leds=1), clock=time.monotonic).start()
    assert "\n" not in str(refused.value)


def test_boards_are_never_opened_at_1200_baud() -> None:
    """Many boards wait for new firmware then, so it is refused before the opening."""
    cable = Cable()
    for baud in (1200, 0, -1, 10**9):
        with pytest.raises(SetupError, match="is not a speed that boards use"):
            open_port(cable.device, baud)
    cable.pull()


def test_a_speed_that_cannot_be_read() -> None:
    """The error names the possible values."""
    for text in ("1200", "", "fast", "-9600", "9" * 5000, "²"):
        with pytest.raises(ValueError, match="write a speed from 9600 to 12000000"):
            parse_baud(text)


def test_nobody_reads() -> None:
    """A write that blocks ends in a time-out, which the error names."""
    cable = Cable()
    cable.clog()
    ports = [BoardPort(device=cable.device, vendor=NATIVE)]
    with closing(
        Connection(cable.device, BoardSetup(leds=1), ports=lambda: ports, clock=time.monotonic)
    ) as connection:
        connection.start()
        with pytest.raises(CutError, match="the port failed: the device does not read what is"):
            connection.wait()
    cable.pull()


def test_closing_waits_for_no_write() -> None:
    """Although a write is stuck, no thread is left after the close."""
    cable = Cable()
    cable.clog()
    connection = Connection(cable.device, BoardSetup(leds=1), ports=list, clock=time.monotonic)
    connection.start()
    connection.close()
    names = [thread.name for thread in threading.enumerate()]
    assert f"bridge {cable.device}" not in names
    cable.pull()


def test_too_many_leds_are_refused(board: BoardOnPty) -> None:
    """It happens before the first frame, with a remedy."""
    wanted = BoardSetup(leds=601)
    with closing(
        Connection(board.device, wanted, ports=board.listing, clock=time.monotonic)
    ) as connection:
        connection.start()
        with pytest.raises(UnfitBoardError, match="drives at most 600 LEDs, but 601 are wired"):
            connection.wait()
        assert State.REFUSED == connection.link.state


def test_what_is_sent_comes_back() -> None:
    """The loop:// of pyserial is a port, but no board."""
    wanted = BoardSetup(leds=1)
    with closing(
        Connection("loop://", wanted, clock=lambda: 2.5 * time.monotonic())
    ) as connection:  # the clock makes a handshake short
        connection.start()
        with pytest.raises(BridgeError, match="echoes the messages that it gets"):
            connection.wait()


@contextmanager
def relay(device: str) -> Iterator[str]:
    """Yield the URL of a server that passes bytes between one caller and a port."""
    with socket.create_server(("127.0.0.1", 0)) as server, open_port(device, 500_000) as line:
        thread = threading.Thread(target=_pass_on, args=(server, line.fileno()), daemon=True)
        thread.start()
        yield f"socket://127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def _pass_on(server: socket.socket, port: int) -> None:
    caller, _ = server.accept()
    with caller:
        while True:
            ready, _, _ = select.select([caller.fileno(), port], [], [])
            if port in ready:
                caller.sendall(os.read(port, 4096))
            if caller.fileno() in ready:
                data = caller.recv(4096)
                if not data:
                    return
                os.write(port, data)


def test_a_board_behind_a_socket(board: BoardOnPty) -> None:
    """A URL of pyserial works as a port: lights, keys, and a dark end."""
    reported = Report()
    with (
        relay(board.device) as url,
        closing(Connection(url, BoardSetup(leds=LEDS), clock=time.monotonic)) as connection,
    ):
        connection.subscribe(reported.put)
        connection.start()
        connection.wait()
        connection.show(PIXELS)
        board.until(lambda: board.board.strip.light == PIXELS)
        board.press(1)
        reported.until(lambda: edges(reported) == [(1, True)])
        connection.close()
    assert bytes(60) == board.board.strip.light


# Status reports to the owner of a connection


def test_an_error_that_was_raised_is_not_reported(
    standing: ConnectionStatus, reported: list[str]
) -> None:
    """`wait` raises its error, and a first connection is not reported."""
    standing.handle([Lost(error=CUT)], "/dev/x")
    assert (CUT, []) == (standing.error, reported)
    standing.handle([Connected(info=board_info())], "/dev/x")
    assert (None, []) == (standing.error, reported)


def test_an_error_is_reported_once_after_the_wait(
    standing: ConnectionStatus, reported: list[str]
) -> None:
    """The present error is reported once, and later that it works."""
    standing.fail(CUT, "/dev/x")
    standing.start_reporting("/dev/x")
    standing.start_reporting("/dev/x")
    assert ["/dev/x: the port failed: gone (trying again)"] == reported
    standing.handle([Connected(info=board_info())], "/dev/x")
    assert f"/dev/x: connected to the {board_info().name}" == reported[-1]


def test_a_night_without_a_board_is_reported_of_once(
    standing: ConnectionStatus, reported: list[str]
) -> None:
    """The same error is not repeated, but another one is reported."""
    standing.handle([Connected(info=board_info())], "/dev/x")
    for _ in range(3):
        standing.handle([Lost(error=CUT)], "/dev/x")
    standing.handle([Lost(error=SilentBoardError("it is silent"))], "/dev/x")
    standing.handle([Refused(error=ForeignDeviceError("it is foreign"))], "/dev/x")
    assert [str(CUT), "it is silent", "it is foreign"] == [
        line.removeprefix("/dev/x: ").removesuffix(" (trying again)") for line in reported
    ]


def test_a_port_is_named_once(standing: ConnectionStatus, reported: list[str]) -> None:
    """No name precedes an error that names its port, and auto is no name."""
    standing.fail(CutError("/dev/x is not there"), "/dev/x")
    standing.start_reporting("/dev/x")
    standing.fail(CutError("no board is there"), "auto")
    assert ["/dev/x is not there (trying again)", "no board is there (trying again)"] == reported
