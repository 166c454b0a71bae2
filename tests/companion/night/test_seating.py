"""Pairings: everybody once a round, nobody twice, byes spread."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.night.seating import Round, draw_rounds, meetings


def ids(number: int) -> list[int]:
    """Return the ids of entrants, as many as that."""
    return list(range(1, number + 1))


def players(drawn: Round) -> list[int]:
    """Return those who play or sit out, in the order of their ids; 0 if all play."""
    return sorted([each for pair in drawn.pairs for each in pair] + [drawn.bye or 0])


@pytest.mark.parametrize("number", range(2, 25))
def test_in_a_full_turn_all_meet_once(number: int) -> None:
    """An even field needs one round fewer than entrants; an odd one has a bye for each."""
    rounds = draw_rounds(ids(number), number - 1 + number % 2)
    met = meetings(rounds)
    assert number * (number - 1) // 2 == len(met)
    assert {1} == set(met.values())
    byes = Counter(each.bye for each in rounds)
    assert dict.fromkeys(ids(number) if number % 2 else [None], byes.total() // len(byes)) == byes


@given(st.integers(2, 40), st.integers(1, 12))
def test_everybody_has_a_seat_in_every_round(number: int, rounds: int) -> None:
    """Each round has each entrant once, at a table or sitting out."""
    for drawn in draw_rounds(ids(number), rounds):
        assert sorted([*ids(number), *([] if number % 2 else [0])]) == players(drawn)


@given(st.integers(4, 24), st.integers(1, 9), st.integers(1, 8))
def test_a_night_drawn_in_two_goes_is_the_same(number: int, first: int, then: int) -> None:
    """The rounds after those played are those that were drawn with them."""
    together = draw_rounds(ids(number), first + then)
    assert together[first:] == draw_rounds(ids(number), then, together[:first])
