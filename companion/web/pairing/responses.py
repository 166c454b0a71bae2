"""Responses about pairing."""

from typing import TypedDict

from companion.web.pairing.pairing import Grant


class JoinResponse(TypedDict):
    """A phone that asks to be let in: its unguessable id, and how long its code holds."""

    visit: str
    seconds: int


class PairedResponse(TypedDict):
    """A phone has been let in; its cookie comes with this answer."""

    name: str
    right: Grant


class WaitingPhoneResponse(PairedResponse):
    """The phone that waits; `code` is what its owner must enter, None once that is done."""

    code: str | None


class WaitingResponse(TypedDict):
    """The phone that waits to be let in, if any."""

    waiting: WaitingPhoneResponse | None


class PhoneEntry(PairedResponse):
    """A phone that was let in, and when (UTC)."""

    id: str
    since: str
    own: bool
