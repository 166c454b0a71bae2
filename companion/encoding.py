"""JSON of values that contain texts for users, or names of files that may not be UTF-8."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from companion.errors import Text

UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)
"""Errors of msgspec for bytes that are not the expected JSON, or are nested too deeply."""

Say: TypeAlias = Callable[[Text], object]
"""Function that returns the JSON value to write for a `Text`, such as its sentence in French."""


def encode_json(value: object, say: Say = str) -> bytes:
    r"""Return a value as JSON; `say` replaces each `Text` in it, by default with English words.

    In names of files, bytes that are not UTF-8 are replaced.

    >>> encode_json({"file": "Zo\udceb", "why": Text("{n} cards", n=2)}).decode()
    '{"file":"Zo\ufffd","why":"2 cards"}'
    """

    def said(value: object) -> object:
        if isinstance(value, Text):
            return say(value)
        raise NotImplementedError(f"{type(value).__name__} is no JSON value")

    try:
        return msgspec.json.encode(value, enc_hook=said)
    except UnicodeEncodeError:
        return msgspec.json.encode(_readable(msgspec.to_builtins(value, enc_hook=said)))


def _readable(value: object) -> object:
    match value:
        case str():
            return value.encode(errors="surrogateescape").decode(errors="replace")
        case dict():
            return {_readable(key): _readable(each) for key, each in value.items()}
        case list():
            return list(map(_readable, value))
        case _:
            return value
