"""Connections of a real server under floods of silent clients and hostile bytes."""

import asyncio
import logging
import random
import socket
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from http.client import HTTPConnection
from itertools import product

import httpx
import pytest
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from companion.web.http.connection import (
    CONNECTIONS,
    STREAMS,
    THIS_MACHINE,
    ConnectionPhase,
    HttpConnection,
    Limits,
    network_of,
)
from companion.web.server import LOOPBACK, listening, serve
from tests.support.browser import Served, served
from tests.support.limits import TIMEOUT_S
from tests.support.real_table import RealTable

ATTACKERS = CONNECTIONS.own + CONNECTIONS.others + 1
HEAD = b"Host: localhost\r\nContent-Type: application/json\r\n"


@pytest.fixture
def table() -> Iterator[Served]:
    """Serve a table with its page."""
    with served(RealTable()) as table:
        yield table


@contextmanager
def connected(table: Served, source: str = "127.0.0.1") -> Iterator[socket.socket]:
    """Open a connection from an address of the loopback network."""
    address = ("127.0.0.1", table.port)
    with socket.create_connection(address, TIMEOUT_S, (source, 0)) as client:
        yield client


class Flood:
    """Silent connections from one address, which are reopened as soon as they are cut."""

    def __init__(self, table: Served, address: str, stack: ExitStack) -> None:
        self._table, self._address, self._stack = table, address, stack
        self._open: list[socket.socket] = []
        self.renew()

    def renew(self) -> None:
        """Replace the connections that were cut."""
        self._open = [each for each in self._open if not _is_cut(each)]
        while len(self._open) < ATTACKERS:
            client = self._stack.enter_context(connected(self._table, self._address))
            client.settimeout(0)
            self._open.append(client)


def _is_cut(client: socket.socket) -> bool:
    """Return True if the server has closed a connection."""
    try:
        return bool(client.recv(1)) or True
    except BlockingIOError:
        return False
    except OSError:
        return True


def answered(table: Served, source: str) -> bool:
    """Return True if a new connection from an address gets the table."""
    asking = HTTPConnection("127.0.0.1", table.port, TIMEOUT_S, (source, 0))
    with closing(asking):
        asking.request("GET", "/api/table")
        return asking.getresponse().status == 200


@pytest.mark.parametrize(
    ("address", "rounds"),
    [
        pytest.param(LOOPBACK, 2, id="this machine, shortly"),
        pytest.param("127.0.1.1", 2, id="one address, shortly"),
        pytest.param(LOOPBACK, 28, id="this machine", marks=pytest.mark.deep),
        pytest.param("127.0.1.1", 28, id="one address", marks=pytest.mark.deep),
    ],
)
def test_a_flood_keeps_nobody_out(table: Served, address: str, rounds: int) -> None:
    """Meanwhile the table's own page and a new address are answered each time."""
    with ExitStack() as stack:
        flood = Flood(table, address, stack)
        for _ in range(rounds):
            assert answered(table, LOOPBACK)
            assert answered(table, "127.0.2.1")
            flood.renew()


def test_this_machine_has_places_that_others_cannot_take() -> None:
    """Others can take all common places, but not those of this machine."""
    places, share = CONNECTIONS.others, CONNECTIONS.share

    async def app(scope: Scope, _receive: Receive, send: Send) -> None:
        if scope["path"] == "/wait":
            begun.put_nowait(None)
            await stop.wait()
        await Response(status_code=204)(scope, _receive, send)

    async def ask(path: str, source: str) -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        writers.append(writer)
        return reader

    async def status(path: str, source: str) -> bytes:
        return await (await ask(path, source)).read(12)

    async def scene() -> list[bytes]:
        await ready.wait()
        for n in range(places):
            await ask("/wait", f"127.0.1.{n // share + 1}")
            await begun.get()
        found = [await status("/", source) for source in ("127.0.4.1", "127.0.0.1")]
        stop.set()
        return found

    async def run(sockets: list[socket.socket]) -> list[bytes]:
        serving = asyncio.create_task(serve(app, sockets, on_ready=ready.set, stop=stop))
        try:
            return await scene()
        finally:
            stop.set()
            await serving
            for writer in writers:
                writer.close()

    begun: asyncio.Queue[None] = asyncio.Queue()
    stop, ready, writers = asyncio.Event(), asyncio.Event(), list[asyncio.StreamWriter]()
    with listening("127.0.0.1", 0) as sockets:
        port = sockets[0].getsockname()[1]
        found = asyncio.run(run(sockets))
    assert [b"HTTP/1.1 503", b"HTTP/1.1 204"] == found


def test_a_client_that_keeps_silent_loses_its_place(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that never begins or never ends is cut."""
    monkeypatch.setattr(HttpConnection, "timeout_s", dict.fromkeys(ConnectionPhase, 0.05))
    for sent in (b"", b"GET / HT", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"):
        # it may be cut before it has sent
        with connected(table) as client, suppress(ConnectionError):
            client.sendall(sent)
            with client.makefile("rb") as answer:
                answer.read()  # to the end: it has been cut


def test_bytes_that_trickle_win_no_time(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A head is timed from its first byte, however slowly others follow."""
    monkeypatch.setattr(HttpConnection, "timeout_s", dict.fromkeys(ConnectionPhase, 0.2))
    with connected(table) as client, suppress(OSError):
        client.sendall(b"GET / HTTP/1.1\r\nHost: ")
        client.settimeout(0.02)
        for _ in range(TIMEOUT_S * 50):
            client.sendall(b"x")
            with suppress(TimeoutError):
                assert client.recv(1) == b""
                break
        else:
            pytest.fail("it has not been cut")


def test_a_client_that_takes_nothing_loses_its_place(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that never reads its stream is dropped, and its buttons are released."""
    patience = {**HttpConnection.timeout_s, ConnectionPhase.READING: 0.01}
    monkeypatch.setattr(HttpConnection, "timeout_s", patience)
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", table.port))
        client.sendall(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        table.until(lambda real_table: real_table.watchers == 1)
        long = "x" * 8_000_000
        table.do(lambda real_table: real_table.tell(notices=[long]))
        table.until(lambda real_table: real_table.watchers == 0)


def test_a_quiet_stream_keeps_its_place(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that only listens is no silent client."""
    patience = {**dict.fromkeys(ConnectionPhase, 0.01), ConnectionPhase.HEAD: TIMEOUT_S}
    monkeypatch.setattr(HttpConnection, "timeout_s", patience)
    with httpx.stream("GET", f"{table.url}api/stream") as stream:
        lines = stream.iter_lines()
        assert any("event: news" in line for line in lines)
        for notice in ("one", "two", "three"):
            table.do(partial(RealTable.tell, notices=[notice]))
            assert any(f'"{notice}"' in line for line in lines)


def test_a_length_given_in_two_ways_ends_the_connection(table: Served) -> None:
    """Bytes that may be another request to a proxy are not read (RFC 9112, 6.1)."""
    smuggled = b"GET /api/table HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connected(table) as client:
        client.sendall(
            b"POST /api/demo HTTP/1.1\r\n" + HEAD + b"Content-Length: 4\r\n"
            b'Transfer-Encoding: chunked\r\n\r\nb\r\n{"on":true}\r\n0\r\n\r\n' + smuggled
        )
        with client.makefile("rb") as answer:
            text = answer.read()
    assert 1 == text.count(b"HTTP/1.1")
    assert text.startswith(b"HTTP/1.1 200")
    assert b"connection: close" in text.lower()


CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
LEAVING = {
    "in a head": b"POST /api/demo HTT",
    "in a body": b"POST /api/demo HTTP/1.1\r\n" + HEAD + b"Content-Length: 9\r\n\r\n{",
    "in a chunk": b"POST /api/demo HTTP/1.1\r\n" + CHUNKED + b"ff\r\n{",
    "in a stream": b"GET /api/stream HTTP/1.1\r\n" + HEAD + b"\r\n",
    "in a download": b"GET /api/export.csv HTTP/1.1\r\n" + HEAD + b"\r\n",
    "in a file": b"GET /static/main.js HTTP/1.1\r\n" + HEAD + b"\r\n",
    "in a long press": b"POST /api/press HTTP/1.1\r\n"
    + HEAD
    + b'Content-Length: 35\r\n\r\n{"button": "deal", "seconds": 0.05}',
    "in a chunk that is none": b"POST /api/demo HTTP/1.1\r\n" + CHUNKED + b"zz\r\n",
    "in a body after a refusal": b"POST /api/nothing HTTP/1.1\r\n" + CHUNKED + b"2\r\n{}\r\nzz\r\n",
    "in a body that nobody reads": b"GET /api/table HTTP/1.1\r\n" + CHUNKED + b"zz\r\n",
    "with nonsense behind": b"GET /api/table HTTP/1.1\r\n" + HEAD + b"\r\n\0\0\r\n\r\n",
    "with nonsense behind a stream": b"GET /api/stream HTTP/1.1\r\n" + HEAD + b"\r\n\0\r\n\r\n",
}


def test_a_client_that_leaves_is_no_line_in_the_log(
    table: Served, caplog: pytest.LogCaptureFixture
) -> None:
    """This holds at any moment, with or without a proper end of the connection."""
    caplog.set_level(logging.WARNING)
    logged = {}
    for moment, sent in LEAVING.items():
        for reset, read in product((True, False), repeat=2):
            with connected(table) as client:
                client.sendall(sent)
                if read:
                    client.settimeout(0.1)
                    with suppress(OSError):
                        client.recv(16)
                if reset:
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        assert answered(table, "127.0.0.1")
        table.until(lambda real_table: real_table.watchers == 0)
        logged[moment] = list(caplog.messages)
        caplog.clear()
    assert {moment: [] for moment in LEAVING} == logged


LIMITS = Limits(own=5, others=6, share=3)
NEAR = "127.0.0.1"


def test_no_crowd_takes_more_than_its_places() -> None:
    """An address is refused only at its share, or if all common places are taken."""
    chance = random.Random(1)
    opened: list[str] = []
    for _ in range(6000):
        network = chance.choice([NEAR, *(f"10.0.0.{n}" for n in range(5))])
        taken, near = Counter(opened)[network], opened.count(NEAR)
        full = near == 5 if network == NEAR else taken == 3 or len(opened) - near == 6
        assert LIMITS.admit(opened, network) is not full
        if not full:
            opened.append(network)
        if chance.random() < 0.2:
            opened.pop(chance.randrange(len(opened)))


def test_an_ipv6_network_counts_as_one() -> None:
    """An IPv6 address counts as its /64; all link-local addresses count as one."""
    networks = {
        "192.168.1.7": "192.168.1.7",
        "::ffff:10.0.0.1": "10.0.0.1",
        "2001:db8:1:2:a::1": "2001:db8:1:2::",
        "2001:db8:1:3::1": "2001:db8:1:3::",
        "fe80::1": "fe80::1",
        "::1": "::1",
        "::ffff:127.0.0.1": "127.0.0.1",
        "": "",
    }
    assert networks == {address: network_of(address) for address in networks}


def test_this_machine_is_known_by_its_loopback_address() -> None:
    """Any other address, even of the loopback network, uses the common places."""
    own = ["127.0.0.1", "::1", "::ffff:127.0.0.1"]
    assert own == [each for each in (*own, "127.0.0.2") if network_of(each) in THIS_MACHINE]


def test_every_stream_finds_a_connection() -> None:
    """As a stream needs a connection, there are half as many again of these."""
    for name in ("own", "others", "share"):
        assert 2 * getattr(CONNECTIONS, name) >= 3 * getattr(STREAMS, name)
