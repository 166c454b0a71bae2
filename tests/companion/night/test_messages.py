"""Messages of a night: limited on the way in, harmless twice, gaps seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadInputError
from companion.night.messages import (
    MESSAGE_LIMIT_BYTES,
    EntryMessage,
    EntryRequest,
    ReceivedEntries,
    parse,
    serialize,
)

JOURNAL = "0123456789abcdef"


@given(st.lists(st.integers(0, 30)), st.integers(0, 31), st.integers(0, 31))
def test_the_lowest_missing_entry_is_found(come: list[int], first: int, last: int) -> None:
    """Entries come in any order and twice; the gap to ask for is the lowest one missing."""
    received = ReceivedEntries(JOURNAL)
    assert len(set(come)) == sum(received.add(seq) for seq in come)
    missing = [seq for seq in range(first, last + 1) if seq not in come]
    assert next(iter(missing), None) == received.first_missing(first, last)


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
