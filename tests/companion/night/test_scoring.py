"""Standings are a total order, which does not depend on the order of the results."""

from collections import Counter, defaultdict
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from companion.night.scoring import CardLine, GameResult, Place, ScoringName, lines_of, standings
from companion.night.seating import Round, draw_round, meetings

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay")


def game(winner: str, loser: str, progress: int, finish: int = 121, number: int = 1) -> GameResult:
    """Return the result of a game between two entrants."""
    spread = finish - progress
    return GameResult(
        round=number,
        table=1,
        winner=winner,
        loser=loser,
        spread=spread,
        minus=spread,
        finish=finish,
    )


def cards_of(games: list[GameResult], scoring: ScoringName = "acc") -> dict[str, list[CardLine]]:
    """Return the cards of some games, with lines in the order of the games."""
    cards: dict[str, list[CardLine]] = defaultdict(list)
    for each in games:
        for name, line in lines_of(each, scoring).items():
            cards[name].append(line)
    return cards


GAMES = st.lists(
    st.tuples(st.permutations(NAMES), st.sampled_from((85, 101, 111))).map(
        lambda drawn: game(drawn[0][0], drawn[0][1], drawn[1])
    ),
    max_size=20,
)


def test_a_win_is_two_points_and_by_31_three() -> None:
    """ACC 12.1: a win has two points, by 31 or more three; both cards have the spread."""
    assert [2, 3] == [lines_of(game("Ann", "Bob", at), "acc")["Ann"].points for at in (91, 90)]
    assert (0, 31) == (
        lines_of(game("Ann", "Bob", 90), "acc")["Bob"].points,
        lines_of(game("Ann", "Bob", 90), "acc")["Bob"].minus,
    )


def test_a_third_of_the_track_saves_from_the_skunk() -> None:
    """Crib Wars: a win has three points if the loser is not past a third of the track."""
    assert [2, 3] == [
        lines_of(game("Ann", "Bob", at, finish=363), "crib-wars")["Ann"].points for at in (122, 121)
    ]


@given(GAMES, st.randoms())
def test_the_order_of_results_does_not_matter(games: list[GameResult], chance: Random) -> None:
    """The same results make the same standings in any order."""
    shuffled = list(games)
    chance.shuffle(shuffled)
    assert standings(cards_of(games)) == standings(cards_of(shuffled))


def better(one: Place, other: Place, games: list[GameResult]) -> bool:
    """Return True if one place is above another, computed from all games."""

    def key(place: Place) -> tuple[int, int, int, int]:
        won = [each for each in games if each.winner == place.name]
        lost = [each for each in games if each.loser == place.name]
        plus = sum(each.spread for each in won)
        points = sum(3 if each.spread > 30 else 2 for each in won)
        return points, len(won), plus - sum(each.spread for each in lost), plus

    return key(one) > key(other)


@given(GAMES)
def test_the_order_is_total_and_antisymmetric(games: list[GameResult]) -> None:
    """Of two places one is above, or they are equal; better totals are never below."""
    places = standings(cards_of(games))
    assert sorted({name for each in games for name in (each.winner, each.loser)}) == sorted(
        place.name for place in places
    )
    for above, below in combinations(places, 2):
        assert above.rank <= below.rank
        assert not better(below, above, games)


def test_plus_points_decide_between_equal_spreads() -> None:
    """With the same net spread, +20 and -10 is above +10 alone, as it has more plus points."""
    games = [game("Zoe", "Bob", 101), game("Cleo", "Zoe", 111), game("Ann", "Dan", 111)]
    places = {place.name: place for place in standings(cards_of(games))}
    zoe, ann = places["Zoe"], places["Ann"]
    assert (2, 1, 10, 20) == (zoe.points, zoe.won, zoe.net, zoe.plus)
    assert (2, 1, 10, 10) == (ann.points, ann.won, ann.net, ann.plus)
    assert zoe.rank < ann.rank


def test_equals_share_a_place_in_the_order_of_their_names() -> None:
    """They are listed by name, whatever the order of the cards."""
    games = [game("Zoe", "Bob", 100), game("Ann", "Dan", 100)]
    assert [("Ann", 1), ("Zoe", 1), ("Bob", 3), ("Dan", 3)] == [
        (place.name, place.rank) for place in standings(cards_of(games))
    ]


def test_equals_are_ordered_by_their_own_games() -> None:
    """Two entrants with equal totals are ordered by the game between them."""
    games = [game("Bob", "Ann", 100), game("Ann", "Cleo", 100), game("Dan", "Bob", 100)]
    assert [("Dan", 1), ("Bob", 2), ("Ann", 3), ("Cleo", 4)] == [
        (place.name, place.rank) for place in standings(cards_of(games))
    ]


def test_one_in_four_qualifies_rounded_up() -> None:
    """ACC 13.2: two of five entrants qualify, and one of four."""
    cards: dict[str, list[CardLine]] = {
        name: [CardLine(round=1, table=1, opponent="-", points=at, plus=1)]
        for at, name in enumerate(NAMES[:5])
    }
    assert ["Eve", "Dan"] == [each.name for each in standings(cards) if each.qualifies]
    del cards["Ann"]
    assert ["Eve"] == [each.name for each in standings(cards) if each.qualifies]


# Seating


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
