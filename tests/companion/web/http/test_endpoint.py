"""Endpoints are declared at their handlers."""

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from companion.web.http.endpoint import Call, Caller, Right, endpoint, endpoints_of


class Question(msgspec.Struct):
    """A request."""


class Answer(msgspec.Struct):
    """A response."""

    text: str


class Oracle:
    """Object with endpoints, and with a method that is none."""

    def __init__(self, text: str) -> None:
        self._text = text

    def _silent(self) -> Response | None:
        return None if self._text else Response(status_code=404)

    @endpoint("POST", "/z", Right.RUN, precondition=_silent, error_statuses=(404,))
    async def _reply(self, _call: Call[Question]) -> Answer | Response:
        """Reply to a question."""
        return Answer(self._text)

    @endpoint("GET", "/b", Right.WATCH)
    async def _forget(self, _call: Call[None]) -> None:
        """Forget the question."""

    @endpoint("GET", "/a", Right.WATCH, media="text/plain")
    async def _read(self, _call: Call[None]) -> Response:
        """Return the text."""
        return Response(self._text)


def test_what_is_declared_comes_from_the_handler() -> None:
    """Name, description and types are the method's; a 204 and a text have no type."""
    found = [
        (each.name, each.description, each.request_type, each.response_type)
        for each in endpoints_of(Oracle("yes"))
    ]
    assert [
        ("reply", "Reply to a question.", Question, Answer),
        ("forget", "Forget the question.", None, None),
        ("read", "Return the text.", None, None),
    ] == found


def test_each_object_has_endpoints_of_its_own() -> None:
    """A handler and its precondition belong to their object."""
    caller = Caller(address="", right=Right.RUN)
    call = Call(
        body=Question(), caller=caller, language="en", path={}, request=Request({"type": "http"})
    )
    (loud, *_), (mute, *_) = endpoints_of(Oracle("yes")), endpoints_of(Oracle(""))

    async def replies() -> list[object]:
        return [await loud.handler(call), await mute.handler(call)]

    assert [Answer("yes"), Answer("")] == asyncio.run(replies())
    assert loud.precondition() is None
    assert mute.precondition() is not None
