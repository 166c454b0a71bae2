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
    template = getattr(text, "template", None)  # a `Text`, or a `Text` of the hardware
    if template is None:
        return text
    values = getattr(text, "values", {}).items()
    texts = {name: value if isinstance(value, str) else str(value) for name, value in values}
    return StoredMessage(template, {name: stored(value) for name, value in texts.items()})


def restored(text: str | StoredMessage) -> str:
    """Return a text that was stored.

    >>> restored(stored(Text("{n} cards", n=2)))
    '2 cards'
    """
    if isinstance(text, str):
        return text
    values = {name: restored(value) for name, value in text.values.items()}
    return Text(text.template, **values)
