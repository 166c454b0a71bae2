"""JSON of values with names of files in them, which need not be text."""

from __future__ import annotations

import msgspec


def encode_json(value: object) -> bytes:
    r"""Return a value as JSON; what is not UTF-8 in the name of a file is replaced.

    >>> encode_json({"file": "Zo\udceb"}).decode()
    '{"file":"Zo\ufffd"}'
    """
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(_readable(msgspec.to_builtins(value)))


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
