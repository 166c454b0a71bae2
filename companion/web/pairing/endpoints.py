"""Pairing of a phone: it asks, its owner enters the console's code, a button is pressed."""

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.errors import Message
from companion.web.http.endpoint import COOKIE, Call, Right, endpoint
from companion.web.http.requests import Name, Nothing
from companion.web.http.security import refuse
from companion.web.http.sse import has_left, running
from companion.web.pairing import responses
from companion.web.pairing.pairing import (
    CODE_TIMEOUT_S,
    PHONE_LIFETIME_S,
    PRESS_TIMEOUT_S,
    Grant,
    Pairing,
    PairingError,
    WaitingPhone,
)
from companion.web.table.service import TableService


class JoinRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/join`: a phone asks to be let in under a name, to score or to run the table."""

    name: Name
    right: Grant = "score"
    side: Annotated[int, Meta(ge=1, le=3)] | None = None


class CodeRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/join/<visit>`: the code that the table's console shows."""

    code: Annotated[str, Meta(pattern=r"^[0-9]{6}$")]


class ForgetRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/phones/forget`: a phone that was let in shall watch only."""

    id: Annotated[str, Meta(max_length=64)]


class PairingEndpoints:
    """Endpoints that let phones in.

    Args:
        console: is given the line that the table's console shows.
        clock: seconds that never step.
        calendar: seconds since 1970, UTC.
        press_s: seconds to wait for the press.
    """

    def __init__(
        self,
        table: TableService,
        pairing: Pairing,
        *,
        console: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        calendar: Callable[[], float] = time.time,
        press_s: float = PRESS_TIMEOUT_S,
    ) -> None:
        self._table, self._pairing, self._console = table, pairing, console
        self._clock, self._calendar = clock, calendar
        self._press_s = press_s

    def find_phone(self, token: str) -> tuple[str, Right] | None:
        """Return the id and the right of the phone with a token, None if there is none."""
        phone = self._pairing.find(token, self._calendar())
        return (phone.id, Right[phone.right.upper()]) if phone else None

    def waiting_phone(self) -> dict[str, object] | None:
        """Return the phone that waits as every page may see it: without the code."""
        phone = self._pairing.waiting(self._clock())
        if phone is None:
            return None
        stage = "press" if phone.pressing else "code"
        return {"name": phone.name, "right": phone.right, "side": phone.side, "for": stage}

    @endpoint("POST", "/api/join", Right.WATCH)
    async def _join(self, call: Call[JoinRequest]) -> responses.JoinResponse | Response:
        """Ask to be let in; the table's console shows a code to enter."""
        body = call.body
        code = f"{secrets.randbelow(10**6):06}"
        visit = secrets.token_urlsafe(16)
        try:
            self._pairing.request(
                body.name, body.right, visit=visit, code=code, side=body.side, **self._times()
            )
        except PairingError as error:
            return _later(error)
        scores = "a phone wants to keep score: {name}; its code: {code}"
        runs = "a phone wants to run the table: {name}; its code: {code}"
        text = runs if body.right == "run" else scores
        self._console(Message(text, _quoted(body.name), code))
        self._table.broadcast.notify()
        return {"visit": visit, "seconds": int(CODE_TIMEOUT_S)}

    @endpoint(
        "POST",
        "/api/join/{visit}",
        Right.WATCH,
        response_type=responses.PairedResponse,
        error_statuses=(408, 503),
    )
    async def _enter_code(self, call: Call[CodeRequest]) -> Response:
        """Enter the code; answers when a button was pressed at the table."""
        visit = call.path["visit"]
        try:
            self._pairing.enter_code(visit, call.body.code, **self._times())
        except PairingError as error:
            self._table.broadcast.notify()
            return _later(error)
        self._table.broadcast.notify()
        try:
            approval = self._table.table.phones.press()
            pressed = await self._approved(approval, call.request, self._press_s)
            return self._pair(visit) if pressed else refuse(408, _NOBODY)
        finally:
            self._pairing.cancel(visit)
            self._table.broadcast.notify()

    @endpoint(
        "POST",
        "/api/join/{visit}/hold",
        Right.WATCH,
        response_type=responses.PairedResponse,
        error_statuses=(408, 503),
    )
    async def _wait_for_hold(self, call: Call[Nothing]) -> Response:
        """Wait for a button held at the table: the side's own Enter, or Deal to run the table."""
        visit = call.path["visit"]
        phone = self._pairing.waiting(self._clock())
        if phone is None or phone.visit != visit:
            return refuse(404, _NOBODY)
        approval = self._table.table.phones.hold(button_of(phone))
        if not await self._approved(approval, call.request, phone.until - self._clock()):
            return refuse(408, _NOBODY)
        answer = self._pair(visit, held=True)
        self._table.broadcast.notify()
        return answer

    async def _approved(
        self, approval: Coroutine[None, None, None], request: Request, timeout_s: float
    ) -> bool:
        """Return True if the approval comes from the table while the phone waits for it."""
        async with running(
            approval, has_left(request.receive), self._table.closing.wait()
        ) as tasks:
            await asyncio.wait(tasks, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            press, *_ = tasks
            return press.done() and not press.cancelled()

    def _pair(self, visit: str, *, held: bool = False) -> Response:
        token = secrets.token_urlsafe(32)
        phone = self._pairing.pair(visit, token=token, held=held, **self._times())
        answer = JSONResponse({"name": phone.name, "right": phone.right})
        answer.set_cookie(
            COOKIE, token, max_age=int(PHONE_LIFETIME_S), path="/", httponly=True, samesite="strict"
        )
        return answer

    def _times(self) -> dict[str, float]:
        return {"now": self._clock(), "date": self._calendar()}

    @endpoint("GET", "/api/join", Right.NEAR)
    async def _waiting(self, _call: Call[None]) -> responses.WaitingResponse:
        """Return the phone that waits, and the code that its owner must enter."""
        phone = self._pairing.waiting(self._clock())
        if phone is None:
            return {"waiting": None}
        code = None if phone.pressing else phone.code
        return {"waiting": {"name": phone.name, "right": phone.right, "code": code}}

    @endpoint("GET", "/api/phones", Right.RUN)
    async def _phones(self, call: Call[None]) -> list[responses.PhoneEntry]:
        """List the phones that were let in."""
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


_NOBODY = "nobody pressed a button at the table in time: ask again"


def button_of(phone: WaitingPhone) -> str:
    """Return the action of the button that lets a phone in if it is held."""
    return "deal" if phone.side is None else f"{phone.side}.enter"


def _quoted(name: str) -> str:
    r"""Return a name as one printable line: it comes from a stranger, and goes to a terminal.

    >>> _quoted("Anna\x1b[2J")
    "'Anna?[2J'"
    """
    return "'" + "".join(c if c.isprintable() else "?" for c in name) + "'"


def _later(error: PairingError) -> Response:
    answer = refuse(429 if error.wait else 403, str(error))
    if error.wait:
        answer.headers["Retry-After"] = str(max(1, round(error.wait)))
    return answer
