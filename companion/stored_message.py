"""Texts for people that one start leaves to the next, which may show them in any language."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.errors import Text


class StoredMessage(msgspec.Struct, frozen=True):
    """Text for people as it is stored: the template and the values of its places."""

    template: str
    values: Mapping[str, str | StoredMessage]


def stored(text: str) -> str | StoredMessage:
    """Return a text so that it can be shown in another language after it was encoded.

    >>> stored(Text("{n} cards", n=2))
    StoredMessage(template='{n} cards', values={'n': '2'})
    """
    if not isinstance(text, Text):
        return text
    texts = {n: value if isinstance(value, str) else str(value) for n, value in text.values.items()}
    return StoredMessage(text.template, {name: stored(value) for name, value in texts.items()})


def restored(text: str | StoredMessage) -> str:
    """Return a text that was stored.

    >>> restored(stored(Text("{n} cards", n=2)))
    '2 cards'
    """
    if isinstance(text, str):
        return text
    values = {name: restored(value) for name, value in text.values.items()}
    return Text(text.template, **values)
