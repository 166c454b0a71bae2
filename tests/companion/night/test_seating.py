"""Seating: all meet once in a full turn, and each round seats everybody."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from companion.night.seating import Round, draw_round, meetings


def ids(number: int) -> list[int]:
    """Return the ids of this number of entrants."""
    return list(range(1, number + 1))


def draw(number: int, rounds: int) -> list[Round]:
    """Return the first rounds of a night of this number of entrants."""
    drawn: list[Round] = []
    for _ in range(rounds):
        drawn.append(draw_round(ids(number), drawn))
    return drawn


def test_in_a_full_turn_all_meet_once() -> None:
    """An even number of entrants needs one round less; an odd one has a bye for each."""
    for number in range(2, 25):
        rounds = draw(number, number - 1 + number % 2)
        met = meetings(rounds)
        assert number * (number - 1) // 2 == len(met)
        assert {1} == set(met.values())
        byes = Counter(each.bye for each in rounds)
        each_one = ids(number) if number % 2 else [None]
        assert dict.fromkeys(each_one, byes.total() // len(byes)) == byes


@given(st.integers(2, 40), st.integers(1, 12))
def test_everybody_has_a_seat_in_every_round(number: int, rounds: int) -> None:
    """Each round has each entrant once, at a table or with the bye."""
    for drawn in draw(number, rounds):
        seated = [*(each for pair in drawn.pairs for each in pair), *filter(None, [drawn.bye])]
        assert ids(number) == sorted(seated)
