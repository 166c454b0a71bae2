"""HTTP connections that are admitted, watched while they are silent, and cut if that lasts."""

from __future__ import annotations

import asyncio
import select
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from typing import Any, ClassVar, Final

import h11
from uvicorn.protocols.http.flow_control import CLOSE_HEADER
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.web.http.admission import (
    CONNECTIONS,
    Client,
    ClientKind,
    decide,
    kind_of,
    network_of,
)

PHONE_NETWORK_LIMIT: Final = 64
"""Networks of paired phones that are remembered."""
_BUSY: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 5\r\n"
    b"Content-Type: text/plain\r\n\r\n"
    b"Too many connections are open: close some, or try again in 5 s.\n"
)


class ConnectionPhase(Enum):
    """Phase of a connection, by what is waited for."""

    HEAD = "the head of a request"
    BODY = "the rest of its body"
    ANSWER = "the response to it"
    READING = "the client to take the response"
    IDLE = "the next request"


class ConnectionTable:
    """Open connections of a server, and the networks from which paired phones have called."""

    def __init__(self) -> None:
        self._open: dict[HttpConnection, None] = {}
        self._phones: OrderedDict[str, None] = OrderedDict()

    def admit(self, new: HttpConnection) -> bool:
        """Give a connection a place, that of a silent one if need be; return False for none."""
        clients = self._clients()
        decision = decide(clients, new.client_row, CONNECTIONS)
        if decision.evicted:
            evicted = clients[decision.evicted]
            self.discard(evicted)
            evicted.transport.abort()
        if decision.accepted:
            self._open[new] = None
        return decision.accepted

    def discard(self, connection: HttpConnection) -> None:
        self._open.pop(connection, None)

    def kind_of(self, network: str) -> ClientKind:
        return kind_of(network, paired=network in self._phones)

    def remember_phone(self, network: str) -> None:
        """Give a network the places of paired phones from now on."""
        self._phones[network] = None
        self._phones.move_to_end(network)
        if len(self._phones) > PHONE_NETWORK_LIMIT:
            self._phones.popitem(last=False)

    def _clients(self) -> dict[Client, HttpConnection]:
        """Return the open clients; one whose bytes have come, unread as yet, is not silent."""
        sockets = {each.fileno(): each for each in self._open}
        poll = select.poll()
        for number in sockets:
            poll.register(number, select.POLLIN)
        heard = {sockets[number] for number, _ in poll.poll(0)}
        return {
            replace(each.client_row, silent_since=None) if each in heard else each.client_row: each
            for each in self._open
        }


class HttpConnection(H11Protocol):
    """Connection that takes a place in a table, and is cut once it has been silent too long."""

    timeout_s: ClassVar[Mapping[ConnectionPhase, float]] = {  # without ANSWER
        ConnectionPhase.HEAD: 5.0,
        ConnectionPhase.BODY: 10.0,
        ConnectionPhase.READING: 30.0,
        ConnectionPhase.IDLE: 30.0,  # uvicorn closes it long before if the client reads
    }
    """Seconds after which a connection is cut, from the beginning of the phase."""

    client_row: Client

    def __init__(self, table: ConnectionTable, **how: Any) -> None:  # noqa: ANN401  # as uvicorn's
        super().__init__(**how)
        self._table = table
        self._phase: tuple[ConnectionPhase, object] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def fileno(self) -> int:
        return int(self.transport.get_extra_info("socket").fileno())

    def connection_made(  # type: ignore[override]  # as uvicorn's own
        self, transport: asyncio.Transport
    ) -> None:
        super().connection_made(transport)
        self._follow()
        if not self._table.admit(self):
            transport.write(_BUSY)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer:
            self._timer.cancel()
        self._table.discard(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._follow()

    def handle_events(self) -> None:
        """Begin a request; the connection ends with one whose length is given in two ways.

        A proxy might believe the other one, and take the rest of it for a request (RFC 9112, 6.1).
        """
        super().handle_events()
        names = {name for name, _ in self.headers or ()}
        if {b"content-length", b"transfer-encoding"} <= names and CLOSE_HEADER not in self.headers:
            self.headers.append(CLOSE_HEADER)

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are no HTTP, unless a response has begun: then only end.

        uvicorn would send a second response head, and then the first one's end: two tracebacks.
        """
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            super().send_400_response(msg)
        else:
            self.transport.close()
        if self.cycle is not None:
            self.cycle.disconnected = True

    def on_response_complete(self) -> None:
        """Go on to the next request; a paired phone's network is remembered."""
        if self.scope["state"].get("phone"):
            self._table.remember_phone(self.client_row.network)
        super().on_response_complete()
        self._follow()

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        super().pause_writing()
        self._follow()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._follow()

    def _follow(self) -> None:
        """Note the phase, and since when the client is silent in it."""
        phase = self._phase_now()
        if (phase, self.cycle) == self._phase:
            return
        self._phase = (phase, self.cycle)
        network = network_of(self.client[0] if self.client else "")
        silent = phase is not ConnectionPhase.ANSWER
        self.client_row = Client(
            network=network,
            kind=self._table.kind_of(network),
            silent_since=self.loop.time() if silent else None,
        )
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
