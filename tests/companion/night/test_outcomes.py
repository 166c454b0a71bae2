"""Games on the cards once both sides have confirmed them; standings are a total order."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.night.messages import (
    Correction,
    NightGame,
    NightPlan,
    ScoringName,
    SeatedPair,
    TableState,
)
from companion.night.night_commands import CorrectCard, EnterResult, WithdrawResult
from companion.night.outcomes import (
    CardLine,
    GameResult,
    Place,
    Status,
    cards,
    foreign_games,
    lines_of,
    outcomes,
    standings,
)
from tests.support.night_tables import game, plan_of, state

PLAN = plan_of("Ann", "Bob", "Cleo", "Dan", rounds=1)
FIRST, SECOND = PLAN.rounds[0].pairs
SEAT = (1, 1)


def heard(*states: TableState, table: int = 1) -> dict[tuple[int, str], TableState]:
    """Return the states as the organiser holds them."""
    return {(table, each.journal): each for each in states}


def totals(plan: NightPlan, states: dict[tuple[int, str], TableState]) -> dict[str, list[int]]:
    """Return game points, plus and minus of each card."""
    drawn = cards(plan, outcomes(plan, states).values())
    return {
        name: [sum(getattr(line, what) for line in lines) for what in ("points", "plus", "minus")]
        for name, lines in drawn.items()
    }


def test_a_game_counts_once_both_sides_have_confirmed_it() -> None:
    """A won game that one side has confirmed waits for the other side, which is named."""
    half = state(game(FIRST, winner="1", loser_at=100, confirmed=("1",)))
    found = outcomes(PLAN, heard(half))[SEAT]
    assert (Status.UNCONFIRMED, (2,)) == (found.status, found.missing)
    assert [0, 0, 0] == totals(PLAN, heard(half))["Ann"]
    whole = state(game(FIRST, winner="1", loser_at=100))
    assert {"Ann": [2, 21, 0], "Bob": [0, 0, 21]}.items() <= totals(PLAN, heard(whole)).items()


def test_the_first_confirmed_game_of_a_round_counts() -> None:
    """Further games of a pair after its confirmed game change nothing."""
    played = game(FIRST, winner="2", loser_at=80)
    fun = [game(FIRST, winner="1", loser_at=60, number=2), game(FIRST, loser_at=5, number=3)]
    assert [3, 41, 0] == totals(PLAN, heard(state(played, *fun)))["Bob"]


def test_games_of_another_night_do_not_count() -> None:
    """A table that still has last week's games adds none of them to this night."""
    old = state(game(FIRST, winner="1", loser_at=100), night="f" * 16)
    assert Status.WAITING is outcomes(PLAN, heard(old))[SEAT].status
    assert [] == list(foreign_games(PLAN, heard(old)))


def test_two_results_of_one_game_are_disputed_until_one_is_entered() -> None:
    """If two tables have one number, neither result counts, but an entered result does."""
    one = state(game(FIRST, winner="1", loser_at=100))
    other = state(game(FIRST, winner="2", loser_at=90), journal="b" * 16)
    states = heard(one, other)
    assert Status.DISPUTED is outcomes(PLAN, states)[SEAT].status
    assert [0, 0, 0] == totals(PLAN, states)["Ann"]
    entered = EnterResult(round=1, table=1, winner="2", plus=31, minus=31).carry_out(PLAN, {})
    assert [3, 31, 0] == totals(entered, states)["Bob"]
    withdrawn = WithdrawResult(round=1, table=1).carry_out(entered, {})
    assert Status.DISPUTED is outcomes(withdrawn, states)[SEAT].status


def test_a_game_on_lanes_1_and_3_counts() -> None:
    """The first of a pair plays on the lower of the two lanes."""
    played = NightGame(
        game=1,
        round=1,
        entrants={"1": 1, "3": 2},
        progress={"1": 100, "3": 121},
        finish=121,
        winner="3",
        confirmed=("1",),
    )
    found = outcomes(PLAN, heard(state(played)))[SEAT]
    assert (Status.UNCONFIRMED, (2,)) == (found.status, found.missing)
    whole = heard(state(replace(played, confirmed=("1", "3"))))
    drawn = totals(PLAN, whole)
    assert ([0, 0, 21], [2, 21, 0]) == (drawn["Ann"], drawn["Bob"])
    assert [] == list(foreign_games(PLAN, whole))


def test_a_pair_that_is_not_seated_there_counts_nothing() -> None:
    """A game of other entrants than the seated ones is foreign, and on no card."""
    strangers = SeatedPair(table=1, entrants=(1, 4))
    states = heard(state(game(strangers, winner="1", loser_at=100)))
    assert [1] == [table for table, _ in foreign_games(PLAN, states)]
    assert Status.WAITING is outcomes(PLAN, states)[SEAT].status


def test_claims_that_differ_go_against_each_side() -> None:
    """ACC 12.2: of +17 and -16 the cards get +16 and -17; skunks go by the winner's card."""
    claimed = EnterResult(round=1, table=2, winner="1", plus=17, minus=16)
    drawn = totals(claimed.carry_out(PLAN, {}), {})
    assert {"Cleo": [2, 16, 0], "Dan": [0, 0, 17]}.items() <= drawn.items()
    claimed = EnterResult(round=1, table=2, winner="1", plus=31, minus=30)
    assert [2, 30, 0] == totals(claimed.carry_out(PLAN, {}), {})["Cleo"]


def test_a_correction_changes_one_card_alone() -> None:
    """ACC 12.2: the opponent's line of the game is unchanged."""
    entered = EnterResult(round=1, table=1, winner="1", plus=31, minus=31).carry_out(PLAN, {})
    corrected = Correction(round=1, entrant=1, points=2, plus=30, reason="pegs moved")
    drawn = totals(CorrectCard(correction=corrected).carry_out(entered, {}), {})
    assert {"Ann": [2, 30, 0], "Bob": [0, 0, 31]}.items() <= drawn.items()


def test_a_renamed_side_keeps_its_games() -> None:
    """Games refer to ids, so a name corrected during the night loses nothing."""
    ann, *others = PLAN.entrants
    renamed = replace(PLAN, entrants=(replace(ann, players=("Anna",)), *others))
    states = heard(state(game(FIRST, winner="1", loser_at=100)))
    assert [2, 21, 0] == totals(renamed, states)["Anna"]


def test_a_crib_wars_table_scores_by_its_own_track() -> None:
    """The spread is the way that the loser had to go on the board of the game."""
    states = heard(state(game(SECOND, winner="1", loser_at=121, finish=363)), table=2)
    plan = replace(PLAN, scoring="crib-wars", finish=363)
    assert [3, 242, 0] == totals(plan, states)["Cleo"]


NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay")


def won(winner: str, loser: str, progress: int, finish: int = 121, number: int = 1) -> GameResult:
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
        lambda drawn: won(drawn[0][0], drawn[0][1], drawn[1])
    ),
    max_size=20,
)


def test_a_win_is_two_points_and_by_31_three() -> None:
    """ACC 12.1: a win has two points, by 31 or more three; both cards have the spread."""
    assert [2, 3] == [lines_of(won("Ann", "Bob", at), "acc")["Ann"].points for at in (91, 90)]
    assert (0, 31) == (
        lines_of(won("Ann", "Bob", 90), "acc")["Bob"].points,
        lines_of(won("Ann", "Bob", 90), "acc")["Bob"].minus,
    )


def test_a_third_of_the_track_saves_from_the_skunk() -> None:
    """Crib Wars: a win has three points if the loser is not past a third of the track."""
    assert [2, 3] == [
        lines_of(won("Ann", "Bob", at, finish=363), "crib-wars")["Ann"].points for at in (122, 121)
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
    games = [won("Zoe", "Bob", 101), won("Cleo", "Zoe", 111), won("Ann", "Dan", 111)]
    places = {place.name: place for place in standings(cards_of(games))}
    zoe, ann = places["Zoe"], places["Ann"]
    assert (2, 1, 10, 20) == (zoe.points, zoe.won, zoe.net, zoe.plus)
    assert (2, 1, 10, 10) == (ann.points, ann.won, ann.net, ann.plus)
    assert zoe.rank < ann.rank


def test_equals_share_a_place_in_the_order_of_their_names() -> None:
    """They are listed by name, whatever the order of the cards."""
    games = [won("Zoe", "Bob", 100), won("Ann", "Dan", 100)]
    assert [("Ann", 1), ("Zoe", 1), ("Bob", 3), ("Dan", 3)] == [
        (place.name, place.rank) for place in standings(cards_of(games))
    ]


def test_equals_are_ordered_by_their_own_games() -> None:
    """Two entrants with equal totals are ordered by the game between them."""
    games = [won("Bob", "Ann", 100), won("Ann", "Cleo", 100), won("Dan", "Bob", 100)]
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
