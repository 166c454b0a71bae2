"""HTTP connections: their number is limited, and silent ones are cut.

A connection is always in one phase: it waits for the head of a request, for the body, for our
response, for the client to read the response, or for the next request. A timer runs in each phase
in which we wait for the client. A client that sends `GET / HT` and then nothing, for example, is
cut five seconds after it connected.

The number of connections is limited (see `Limits`). A connection is silent while we wait for its
client. If a new connection exceeds a limit, the server cuts the connection of the same network (see
`network_of`) that has been silent longest. If none is silent, the new connection gets a 503.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv6Address, ip_address
from typing import Any, ClassVar, Final

import h11
from uvicorn.protocols.http.flow_control import CLOSE_HEADER
from uvicorn.protocols.http.h11_impl import H11Protocol

THIS_MACHINE: Final = frozenset({"127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Most connections of this machine (`own`), all `others` in sum, and one network (`share`)."""

    own: int
    others: int
    share: int

    def admit(self, opened: Collection[str], network: str) -> bool:
        """Return True if `network` may add a connection; `opened` has the network of each open one.

        >>> Limits(own=1, others=2, share=1).admit(["10.0.0.7"], "10.0.0.7")
        False
        """
        own = [each for each in opened if each in THIS_MACHINE]
        if network in THIS_MACHINE:
            return len(own) < self.own
        taken = sum(each == network for each in opened)
        return taken < self.share and len(opened) - len(own) < self.others


CONNECTIONS: Final = Limits(own=64, others=96, share=12)
"""Limits of connections; a browser opens at most six to one server."""
STREAMS: Final = Limits(own=32, others=32, share=8)
"""Limits of open event streams (see `sse`); each stream also takes a connection."""


def network_of(address: str) -> str:
    """Return the network that counts as one client: an IPv4 address, or the /64 of an IPv6 one.

    A link-local address counts by itself, since all link-local addresses share one /64.

    >>> network_of("::ffff:192.168.1.7"), network_of("2001:db8::a:b:c:d"), network_of("::1")
    ('192.168.1.7', '2001:db8::', '::1')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    if parsed.is_loopback or parsed.is_link_local:
        return str(parsed)
    return str(IPv6Address(int(parsed) >> 64 << 64))


_BUSY: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 5\r\n"
    b"Content-Type: text/plain\r\n\r\n"
    b"Too many connections are open: close some, or try again in 5 s.\n"
)


class ConnectionPhase(Enum):
    """Phase of a connection; the value names what the connection waits for."""

    HEAD = "the head of a request"
    BODY = "the rest of its body"
    ANSWER = "the response to it"
    READING = "the client to take the response"
    IDLE = "the next request"


class HttpConnection(H11Protocol):
    """HTTP connection that counts against the limits and has a timeout for each phase."""

    timeout_s: ClassVar[Mapping[ConnectionPhase, float]] = {  # without ANSWER
        ConnectionPhase.HEAD: 5.0,
        ConnectionPhase.BODY: 10.0,
        ConnectionPhase.READING: 30.0,
        ConnectionPhase.IDLE: 30.0,  # uvicorn closes after 5 s, but not while data is unsent
    }
    """Longest duration of each phase in seconds; then the connection is cut."""

    network: str
    silent_since: float | None

    def __init__(self, opened: list[HttpConnection], **how: Any) -> None:  # noqa: ANN401  # for uvicorn
        super().__init__(**how)
        self._opened = opened
        self._phase: tuple[ConnectionPhase, object] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(  # type: ignore[override]  # uvicorn narrows the type too
        self, transport: asyncio.Transport
    ) -> None:
        super().connection_made(transport)
        self.network = network_of(self.client[0] if self.client else "")
        self._follow()
        if self._has_place():
            self._opened.append(self)
        else:
            transport.write(_BUSY)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer:
            self._timer.cancel()
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._follow()

    def handle_events(self) -> None:
        """Begin a request; if it states two body lengths, close the connection after the response.

        h11 obeys Transfer-Encoding. A proxy that obeys Content-Length could take the end of the
        body for another request (RFC 9112, 6.1).
        """
        super().handle_events()
        names = {name for name, _ in self.headers or ()}
        if {b"content-length", b"transfer-encoding"} <= names and CLOSE_HEADER not in self.headers:
            self.headers.append(CLOSE_HEADER)

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not HTTP; if a response has begun, only close the connection.

        uvicorn alone would begin a second response, for which h11 raises an error.
        """
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            super().send_400_response(msg)
        else:
            self.transport.close()
        if self.cycle is not None:
            self.cycle.disconnected = True

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._follow()

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        super().pause_writing()
        self._follow()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._follow()

    def _has_place(self) -> bool:
        if CONNECTIONS.admit([each.network for each in self._opened], self.network):
            return True
        own = (each for each in self._opened if each.network == self.network)
        silent = [(each.silent_since, each) for each in own if each.silent_since is not None]
        if silent:
            _, longest = min(silent, key=lambda each: each[0])
            longest._leave()  # noqa: SLF001  # of this class
            longest.transport.abort()
        return bool(silent)

    def _leave(self) -> None:
        if self in self._opened:
            self._opened.remove(self)

    def _follow(self) -> None:
        """Start the timer of the present phase, if the phase is new."""
        phase = self._phase_now()
        if (phase, self.cycle) == self._phase:
            return
        self._phase = (phase, self.cycle)
        silent = phase is not ConnectionPhase.ANSWER
        self.silent_since = self.loop.time() if silent else None
        if self._timer:
            self._timer.cancel()
        self._timer = (
            self.loop.call_later(self.timeout_s[phase], self.transport.abort) if silent else None
        )

    def _phase_now(self) -> ConnectionPhase:
        cycle = self.cycle  # None before the first request
        if self.flow.write_paused or self.transport.is_closing():
            return ConnectionPhase.READING
        if cycle is None:
            return ConnectionPhase.HEAD
        if self.conn.their_state is h11.SEND_BODY:
            return ConnectionPhase.BODY
        if not cycle.response_complete:
            return ConnectionPhase.ANSWER
        part, _ = self.conn.trailing_data
        return ConnectionPhase.HEAD if part else ConnectionPhase.IDLE
