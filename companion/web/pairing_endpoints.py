"""Pairing of a phone: the phone asks, and the people at the table let it in.

`POST /api/join` stores the phone's request as a visit with a secret name. The phone waits for the
answer to `POST /api/join/<visit>`. Meanwhile somebody holds a button at the table, or chooses
*Let it in* or *Refuse* on the board's page. A phone that is let in gets its cookie. If it has lost
its connection, it can repeat `POST /api/join/<visit>` for two minutes.
"""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Final, TypedDict

import msgspec
from msgspec import Meta
from starlette.responses import JSONResponse, Response

from companion.errors import ConsentError, Text
from companion.table.panel.consents import REQUEST_TIMEOUT_S, ConsentRequest
from companion.web.http.connection import network_of
from companion.web.http.endpoint import COOKIE, Call, Name, Nothing, Right, endpoint
from companion.web.http.security import refuse
from companion.web.http.sse import has_left, running
from companion.web.pairing import GoneError, Grant, Pairing, StoreError
from companion.web.table.table_service import TableService

COOKIE_LIFETIME_S: Final = 400 * 24 * 3600
"""Longest time for which a browser keeps a cookie."""


class JoinRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/join`: a phone asks to be let in, to score or to run the table."""

    name: Name
    right: Grant = "score"
    side: Annotated[int, Meta(ge=1, le=3)] | None = None

    @property
    def button(self) -> str:
        """Button whose hold lets the phone in: Enter of the side that it scores for, else Deal."""
        return f"{self.side}.enter" if self.side and self.right == "score" else "deal"


class ForgetRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/phones/forget`: the id of a phone that may only watch from now on."""

    id: Annotated[str, Meta(max_length=64)]


class AnswerRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/consents/<number>`: true grants the request, false refuses it."""

    granted: bool


class JoinResponse(TypedDict):
    """Answer to a phone that asks: the secret name of its visit, the number of its request."""

    visit: str
    number: int


class PairedResponse(TypedDict):
    """Name and right of a phone that has been let in."""

    name: str
    right: Grant


class PhoneEntry(PairedResponse):
    """Paired phone; `since` is the time of pairing (UTC), `own` is true for the caller's phone."""

    id: str
    since: str
    own: bool


@dataclass(slots=True, kw_only=True)
class _Visit:
    """Phone that has asked; `fault` is the error that kept it out after consent was given."""

    body: JoinRequest
    token: str
    fault: StoreError | None = None


class PairingEndpoints:
    """Endpoints that let phones in.

    Args:
        console: prints a line on the table's console.
        calendar: returns seconds since 1970, UTC.
    """

    def __init__(
        self,
        table: TableService,
        pairing: Pairing,
        *,
        console: Callable[[Text], None],
        calendar: Callable[[], float],
    ) -> None:
        self._table, self._pairing, self._console = table, pairing, console
        self._calendar = calendar
        self._visits: dict[str, tuple[_Visit, asyncio.Future[bool]]] = {}
        """Each visit by its name, with the answer that it awaits."""

    def find_phone(self, token: str) -> tuple[str, Right] | None:
        """Return the id and the right of the phone with a token, or None if no phone has it."""
        phone = self._pairing.find(token)
        return (phone.id, Right[phone.right.upper()]) if phone else None

    @endpoint("POST", "/api/join", Right.WATCH)
    async def _join(self, call: Call[JoinRequest]) -> JoinResponse | Response:
        """Ask to be let in; a later request of the same phone replaces the earlier one."""
        body, network = call.body, network_of(call.caller.address)
        request = ConsentRequest(
            kind=body.right,
            name=body.name,
            button=body.button,
            asker=call.caller.address,
            network=network,
        )
        visit = _Visit(body=body, token=secrets.token_urlsafe(32))
        try:
            number, answer = self._table.table.ask(request, partial(self._let_in, visit))
        except ConsentError as error:
            return _later(error)
        name = secrets.token_urlsafe(16)
        self._visits[name] = visit, answer
        answer.add_done_callback(lambda done: self._end(name, granted=done.result()))
        scores = "a phone asks to keep score: {name}; hold Enter of its side to let it in"
        runs = "a phone asks to run the table: {name}; hold Deal to let it in"
        text = runs if body.button == "deal" else scores
        self._console(Text(text, name=_quoted(body.name)))
        return {"visit": name, "number": number}

    def _let_in(self, visit: _Visit) -> None:
        body, since = visit.body, self._calendar()
        try:
            self._pairing.let_in(body.name, body.right, token=visit.token, since=since)
        except StoreError as error:
            visit.fault = error

    def _end(self, name: str, *, granted: bool) -> None:
        """Remove a refused visit; keep a granted one for a phone that has lost its connection."""
        wait = REQUEST_TIMEOUT_S if granted else 0
        asyncio.get_running_loop().call_later(wait, self._visits.pop, name, None)

    @endpoint(
        "POST",
        "/api/join/{visit}",
        Right.WATCH,
        response_type=PairedResponse,
        error_statuses=(404, 408, 503),
    )
    async def _wait(self, call: Call[Nothing]) -> Response:
        """Wait for the consent of the people at the table, and set the phone's cookie."""
        visit, answer = self._visits.get(call.path["visit"], (None, None))
        if not visit or not answer:
            raise GoneError(_NOBODY)
        async with running(
            _done(answer), has_left(call.request.receive), self._table.closing.wait()
        ) as tasks:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done() or not answer.result():
            return refuse(408, _NOBODY)
        if visit.fault:
            raise visit.fault
        response = JSONResponse({"name": visit.body.name, "right": visit.body.right})
        response.set_cookie(
            COOKIE,
            visit.token,
            max_age=COOKIE_LIFETIME_S,
            path="/",
            httponly=True,
            samesite="strict",
        )
        return response

    @endpoint("POST", "/api/consents/{number}", Right.NEAR, error_statuses=(404,))
    async def _consent(self, call: Call[AnswerRequest]) -> None:
        """Grant a request to the people at the table, or refuse it and block its sender."""
        if not self._table.table.consent(int(call.path["number"]), granted=call.body.granted):
            raise GoneError("this request is gone, or only a button held at the table can grant it")

    @endpoint("GET", "/api/phones", Right.RUN)
    async def _phones(self, call: Call[None]) -> list[PhoneEntry]:
        """List the phones that were let in, the one used last at the end."""
        return [
            {
                "id": phone.id,
                "name": phone.name,
                "right": phone.right,
                "since": datetime.fromtimestamp(phone.since, UTC).isoformat(timespec="seconds"),
                "own": phone.id == call.caller.phone,
            }
            for phone in self._pairing.phones
        ]

    @endpoint("POST", "/api/phones/forget", Right.RUN, error_statuses=(404, 503))
    async def _forget_phone(self, call: Call[ForgetRequest]) -> None:
        """Let a phone only watch from now on."""
        self._pairing.forget(call.body.id)


_NOBODY = "the table has not let this phone in: ask again"


async def _done(answer: asyncio.Future[bool]) -> None:
    await asyncio.wait({answer})  # cancelling this does not cancel the answer


def _quoted(name: str) -> str:
    r"""Return a name without control characters, which a stranger could send to the terminal.

    >>> _quoted("Anna\x1b[2J")
    "'Anna?[2J'"
    """
    return "'" + "".join(c if c.isprintable() else "?" for c in name) + "'"


def _later(error: ConsentError) -> Response:
    answer = refuse(429, error.text)
    answer.headers["Retry-After"] = str(max(1, round(error.wait)))
    return answer
