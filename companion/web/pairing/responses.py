"""Responses about pairing."""

from typing import Literal, TypedDict


class JoinResponse(TypedDict):
    """A phone that asks to be let in: its unguessable id, and how long its code holds."""

    visit: str
    seconds: int


class WaitingPhoneResponse(TypedDict):
    """The phone that waits; `code` is what its owner must enter, None once that is done."""

    name: str
    right: Literal["score", "run"]
    code: str | None


class WaitingResponse(TypedDict):
    """The phone that waits to be let in, if any."""

    waiting: WaitingPhoneResponse | None


class PairedResponse(TypedDict):
    """A phone has been let in; its cookie comes with this answer."""

    name: str
    right: Literal["score", "run"]


class PhoneEntry(TypedDict):
    """A phone that was let in, and when (UTC)."""

    id: str
    name: str
    right: Literal["score", "run"]
    since: str
    own: bool
