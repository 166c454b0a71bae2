"""Serving: ports, stopping, and headers that are not trusted."""

import socket

import httpx
import pytest

from companion.errors import AddressError, BadInputError
from companion.web.server import HEADER_LIMIT, UNACKNOWLEDGED_S, check_address, listening
from tests.support.browser import served
from tests.support.real_table import RealTable


def test_it_answers_once_it_is_ready() -> None:
    """Port 0 picks a port, and the page answers there when `on_ready` is called."""
    with served(RealTable()) as table:
        assert httpx.get(table.url).status_code == 200
        assert table.port > 0


def test_an_open_stream_does_not_hold_up_the_end() -> None:
    """On stop a page gets a goodbye, its stream ends, and serving returns."""
    real_table = RealTable()
    with served(real_table) as table, httpx.stream("GET", f"{table.url}api/stream") as stream:
        table.until(lambda real_table: real_table.watchers == 1)
        table.do(lambda real_table: real_table.closing.set())
        assert "event: goodbye" in list(stream.iter_lines())


def test_a_connection_that_never_ends_is_cut() -> None:
    """A client that sends half a request, or reads nothing, cannot keep the server up."""
    with served(RealTable()) as table:
        half = socket.create_connection(("127.0.0.1", table.port))
        half.sendall(
            b"POST /api/press HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
            b"Content-Type: application/json\r\n\r\n{"
        )
    with half:
        assert half.recv(1) == b""


@pytest.mark.parametrize(
    ("option", "value"),
    [(socket.TCP_NODELAY, 1), (socket.TCP_USER_TIMEOUT, 1000 * UNACKNOWLEDGED_S)],
)
def test_no_connection_waits_for_an_acknowledgement(option: int, value: int) -> None:
    """Parts of a response leave at once; a client that acknowledges none is cut."""
    with (
        listening("127.0.0.1", 0) as [listener],
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as connection,
    ):
        assert value == connection.getsockopt(socket.IPPROTO_TCP, option)


def test_a_forwarded_address_is_not_believed() -> None:
    """The server uses the peer's own address, whatever a header says."""
    with served(RealTable()) as table:
        headers = {"X-Forwarded-For": "10.0.0.1"}
        assert httpx.get(f"{table.url}api/about", headers=headers).json()["press"] is True


def test_a_head_without_end_is_refused() -> None:
    """A request's head is limited, so that it cannot fill the memory."""
    with (
        served(RealTable()) as table,
        socket.create_connection(("127.0.0.1", table.port)) as client,
    ):
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * HEADER_LIMIT)
        assert client.recv(12) == b"HTTP/1.1 400"


def listen_on(host: str, port: int) -> None:
    """Try to listen, as a program would."""
    with listening(host, port):
        pass


def test_a_port_in_use_says_what_to_do() -> None:
    """A port in use gives one line with the remedy."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadInputError) as refusal:
            listen_on("127.0.0.1", port)
    assert f"port {port}" in str(refusal.value)
    assert "--port" in str(refusal.value)


def test_an_address_that_cannot_be_had_is_bad_input() -> None:
    """Another machine's address, a port out of range and no address are refused."""
    for host, port in (("192.0.2.1", 0), ("127.0.0.1", 70_000), ("", -1)):
        with pytest.raises(BadInputError, match="cannot serve on"):
            listen_on(host, port)


def test_an_address_is_tried_without_serving() -> None:
    """A faulty address names its setting; a usable one is released again."""
    for host in ("192.0.2.1", "a b", "a..b", "a\0b", "127.0.0.1"):
        own = host == "127.0.0.1"
        with pytest.raises(AddressError) as refusal:
            check_address(host, 70_000 if own else 0, own=0)
        assert ("web.port" if own else "web.host") == refusal.value.key
    for good in ("127.0.0.1", "localhost", ""):
        check_address(good, 0, own=0)
