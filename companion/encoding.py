"""JSON of values that contain texts for users, or names of files that may not be UTF-8."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias, TypeVar

import msgspec

from companion.errors import Text, as_text

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""Errors of msgspec for bytes that are not the expected JSON, or are nested too deeply."""

_Content = TypeVar("_Content")
_log = logging.getLogger(__name__)

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


def stored(text: Text) -> object:
    """Return a text as a JSON value from which `restored` makes the same text again.

    >>> encode_json(Text("{n} cards", n=2), stored).decode()
    '{"template":"{n} cards","values":{"n":"2"}}'
    """
    return {"template": text.template, "values": text.values} if text else ""


def restored(_kind: type[Text], value: object) -> Text:
    """Return the text of a value made by `stored`; this is a `dec_hook` of msgspec.

    >>> restored(Text, {"template": "{n} cards", "values": {"n": "2"}})
    Text('{n} cards', n='2')
    """
    match value:
        case {"template": str(template), "values": Mapping() as values}:
            nested = {n: v if isinstance(v, str) else restored(Text, v) for n, v in values.items()}
            return Text(template, **nested)
        case str():
            return as_text(value)
        case _:
            raise TypeError(f"{value!r} is no stored text")


def read_json(file: Path, kind: type[_Content]) -> _Content | None:
    """Return a JSON file's value, or None if the file is missing or damaged; log damage."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind, dec_hook=restored)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, *UNREADABLE) as error:
        _log.warning("%s cannot be read (%s) and is ignored", file, error)
    return None


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
