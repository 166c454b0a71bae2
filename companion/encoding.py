"""JSON of values with texts for people and names of files in them, which need not be text."""

import msgspec


def encode_json(value: object) -> bytes:
    r"""Return a value as JSON; what is not UTF-8 in the name of a file is replaced.

    >>> encode_json({"file": "Zo\udceb"}).decode()
    '{"file":"Zo\ufffd"}'
    """
    try:
        return msgspec.json.encode(value, enc_hook=_plain_text)
    except UnicodeEncodeError:
        builtins = msgspec.to_builtins(value, enc_hook=_plain_text)
        return msgspec.json.encode(_readable(builtins))


def _plain_text(value: object) -> str:
    """Return the text of a `Message` or a line of commentary."""
    if isinstance(value, str):
        return str.__str__(value)
    raise NotImplementedError(f"{type(value).__name__} is no JSON value")


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
