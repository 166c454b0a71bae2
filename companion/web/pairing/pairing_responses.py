"""Responses about pairing."""

from typing import TypedDict

from companion.web.pairing.pairing import Grant


class JoinResponse(TypedDict):
    """A phone that asks to be let in: its unguessable id, and the number of its request."""

    visit: str
    number: int


class PairedResponse(TypedDict):
    """A phone has been let in; its cookie comes with this answer."""

    name: str
    right: Grant


class PhoneEntry(PairedResponse):
    """A phone that was let in, and when (UTC)."""

    id: str
    since: str
    own: bool
