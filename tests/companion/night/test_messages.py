"""Messages of a night: limited on the way in, harmless twice, gaps seen."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadInputError
from companion.night.messages import (
    MESSAGE_LIMIT_BYTES,
    EntryMessage,
    EntryRequest,
    Side,
    TableLog,
    parse,
    serialize,
)

JOURNAL = "0123456789abcdef"


def entry(seq: int, game: int = 1, winner: int | None = None) -> EntryMessage:
    """Return the message of an entry."""
    return EntryMessage(
        journal=JOURNAL,
        seq=seq,
        game=game,
        time=float(seq),
        command={"peg": {"team": 1, "points": 2}},
        finish=121,
        sides={"1": Side(front=seq, progress=seq), "2": Side(front="trap:1", progress=0)},
        winner=winner,
    )


ENTRIES = st.lists(
    st.builds(entry, st.integers(0, 30), st.integers(1, 3), st.sampled_from([None, 1, 2])),
    unique_by=lambda each: each.seq,
)


@given(ENTRIES, st.randoms())
def test_entries_in_any_order_and_twice_make_the_same_games(
    entries: list[EntryMessage], chance: Random
) -> None:
    """The newest entry of each game counts, whatever came first and however often."""
    again = entries + chance.choices(entries, k=5) if entries else []
    chance.shuffle(again)
    log = TableLog(JOURNAL)
    assert len(entries) == sum(log.add(each) for each in again)
    assert {each.game for each in entries} == set(log.games)
    for game, newest in log.games.items():
        assert max(each.seq for each in entries if each.game == game) == newest.seq


@given(st.sets(st.integers(0, 40)), st.integers(0, 40), st.integers(0, 40))
def test_the_lowest_missing_entry_is_found(come: set[int], first: int, last: int) -> None:
    """Of the numbers between two the lowest that has not come is the gap to ask for."""
    log = TableLog(JOURNAL)
    for seq in come:
        log.add(entry(seq))
    missing = [seq for seq in range(first, last + 1) if seq not in come]
    assert next(iter(missing), None) == log.first_missing(first, last)


def test_a_message_comes_back_as_it_was() -> None:
    """What one end writes the other reads."""
    assert entry(7) == parse(serialize(entry(7)), EntryMessage)


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
