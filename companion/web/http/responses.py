"""Responses of every slice, as types: they check the code, and describe the API."""

from typing import NotRequired, TypedDict

Counts = dict[str, int]
"""A number a side or seat, by its number in text."""


class SettingFault(TypedDict):
    """Fault of a setting: its key if it is one of the settings, and the whole line for people."""

    key: str | None
    text: str
    problem: str
    remedy: str


class Refusal(TypedDict):
    """Reason of a refusal in one line; `rule` where the rules of play refuse it.

    `faults` are all those of settings.
    """

    error: str
    rule: NotRequired[str | None]
    faults: NotRequired[list[SettingFault]]
