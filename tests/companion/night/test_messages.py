"""Messages of a night: limited on the way in."""

import pytest

from companion.errors import BadInputError
from companion.night.messages import (
    MESSAGE_LIMIT_BYTES,
    EntryMessage,
    EntryRequest,
    parse,
    serialize,
)

JOURNAL = "0123456789abcdef"


def test_a_message_comes_back_as_it_was() -> None:
    """A message that one end writes is read as the same by the other."""
    peg: dict[str, object] = {"peg": {"team": 1, "points": 2}}
    entry = EntryMessage(journal=JOURNAL, seq=7, game=1, time=0.5, command=peg, events=[])
    assert entry == parse(serialize(entry), EntryMessage)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"\xff",
        b"[" * 60_000,
        b"{}",
        b'{"journal": "0123456789abcdef", "first": -1}',
        b'{"journal": "0123456789ABCDEF", "first": 1}',
        b'{"journal": "0123456789abcdef", "first": 1, "more": 1}',
        b'{"journal": "0123456789abcdef", "first": 99999999999999999999}',
        b" " * (MESSAGE_LIMIT_BYTES + 1),
    ],
)
def test_a_hostile_message_is_refused(content: bytes) -> None:
    """Another form, size, depth or number is an error that says so."""
    with pytest.raises(BadInputError):
        parse(content, EntryRequest)
