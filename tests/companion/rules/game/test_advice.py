"""The trap adviser: what it foretells is what the game then does."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board import Hole, Track, ZoneKind
from companion.rules.game import Event, HouseRules, Kind, Peg
from companion.rules.game.advice import Outcome, fives_to_lead, outcomes
from tests.companion.rules.game.tables import NO_SKUNKS, Table, one_boxed
from tests.support.boards import CLASSIC, CRIB_WARS, CROWDED

LANDINGS = {
    Kind.SLID: ZoneKind.RED_SLIDE,
    Kind.TRAPPED: ZoneKind.TIME_TRAP,
    Kind.ADVANCED: ZoneKind.GREEN_ADVANCE,
    Kind.FOLDED: ZoneKind.PENALTY_BOX,
}

HOUSE_RULES = st.builds(
    HouseRules,
    game_to=st.none() | st.integers(30, 140),
    finish=st.sampled_from(("overshoot", "exact")),
    back_lands=st.booleans(),
    award_lands=st.booleans(),
)


def outlook(table: Table, side: int, points: int) -> Outcome:
    """Return the advice on one count."""
    found = outcomes(table.state, side)[points - 1]
    assert points == found.points
    return found


def landing(events: tuple[Event, ...]) -> ZoneKind | None:
    """Return the kind of zone in which a count's events say that its side landed."""
    side = events[0].side
    own = [event.kind for event in events if event.side == side and event.kind in LANDINGS]
    return LANDINGS[own[0]] if own else None


@given(
    track=st.sampled_from((CROWDED, CROWDED, CRIB_WARS, CLASSIC)),
    rules=HOUSE_RULES,
    sides=st.integers(2, 3),
    stand=st.tuples(*[st.integers(0, 120)] * 3),
    before=st.lists(st.integers(1, 29), max_size=3),
)
def test_the_game_does_what_was_predicted(
    track: Track, rules: HouseRules, sides: int, stand: tuple[int, ...], before: list[int]
) -> None:
    """Z1: for every count the adviser names the hole, the zone and the end that the game gives."""
    finish = min(track.finish, rules.game_to or track.finish)
    fronts: dict[int, Hole] = {side: stand[side - 1] % finish for side in range(1, sides + 1)}
    table = Table(track, rules, seats=(sides, sides), stand=fronts)
    for points in before:
        if outcomes(table.state, 1):
            table.peg(1, points)
            if table.state.winner is None:
                table.deal()
    for reported in outcomes(table.state, 1):
        events = table.do(Peg(side=1, points=reported.points))
        assert events[0].to == reported.lands
        assert landing(events) == reported.kind
        assert table.pegs(1)[0] == reported.front
        assert (events[0].kind is Kind.FORFEITED) == reported.forfeited
        assert (table.state.winner == 1) == reported.wins
        table.undo()


def test_every_count_has_its_outlook() -> None:
    """P7: a count is 1 to 29, and the adviser speaks of each."""
    assert list(range(1, 30)) == [reported.points for reported in outcomes(Table().state, 1)]


@pytest.mark.parametrize(
    ("front", "points", "expected"),
    [
        (20, 1, (21, None, 21)),
        (20, 2, (22, ZoneKind.PENALTY_BOX, 2)),
        (40, 3, (43, ZoneKind.RED_SLIDE, 63)),
        (125, 5, (130, ZoneKind.TIME_TRAP, 130)),
        (190, 12, (202, ZoneKind.GREEN_ADVANCE, 202)),
    ],
)
def test_what_a_zone_would_do(
    front: int, points: int, expected: tuple[Hole, ZoneKind | None, Hole]
) -> None:
    """Z1: where a count lands, the zone that is there, and where the peg ends."""
    reported = outlook(Table(stand={1: front, 2: 90}), 1, points)
    assert expected == (reported.lands, reported.kind, reported.front)
    assert (False, False) == (reported.forfeited, reported.wins)


def test_the_way_out_of_a_trap() -> None:
    """Z3: from a trap the outlook goes down the blue path and on from the rejoin hole."""
    table = Table(stand={1: 131}, landed=(1,))
    assert [f"trap-1:{hole}" for hole in range(1, 7)] == [
        outlook(table, 1, points).lands for points in range(1, 7)
    ]
    assert (112, 113) == (outlook(table, 1, 7).lands, outlook(table, 1, 8).lands)


def test_the_win_and_what_is_too_long() -> None:
    """G2: at an exact finish one count wins, shorter ones do not, longer ones are forfeited."""
    rules = dataclasses.replace(NO_SKUNKS, finish="exact")
    table = Table(CLASSIC, rules, stand={1: 118})
    reported = [(each.wins, each.forfeited) for each in outcomes(table.state, 1)]
    assert [(False, False)] * 2 + [(True, False)] + [(False, True)] * 26 == reported
    assert (118, 118) == (outlook(table, 1, 4).lands, outlook(table, 1, 4).front)


def test_another_may_win_by_it() -> None:
    """Z6: a count into a box may give the game away, which is no win of the side that made it."""
    reported = outlook(Table(stand={1: 345, 2: 350}), 1, 1)
    assert (ZoneKind.PENALTY_BOX, False) == (reported.kind, reported.wins)


def test_who_may_not_count_has_no_outlook() -> None:
    """Z5: a folded side has none, nor a boxed one (Z7), nor anybody after the win (G2)."""
    folded = Table(stand={1: 15, 2: 80})
    folded.peg(1, 7)
    assert () == outcomes(folded.state, 1)
    assert 29 == len(outcomes(folded.state, 2))
    assert () == outcomes(one_boxed().state, 1)
    over = Table(stand={1: 362})
    over.peg(1, 1)
    assert () == outcomes(over.state, 1) == outcomes(over.state, 2)


@pytest.mark.parametrize(
    ("front", "near"),
    [
        (19, False),
        (20, True),
        (21, True),
        (22, True),
        (24, False),
        (127, False),
        (128, True),
        (129, True),
        (345, True),
        (40, False),
        (41, False),
        (198, False),
        (199, False),
        (0, False),
    ],
)
def test_a_five_to_lead(front: int, *, near: bool) -> None:
    """Z1: a five is led to who is within two holes of a trap or a box, never of red or green."""
    table = Table(stand={1: 21, 2: front})
    assert ((2,) if near else ()) == fives_to_lead(table.state, 1)


def test_fives_to_several() -> None:
    """Z1: whoever of the others stands near, in the order of the lanes; never oneself."""
    table = Table(seats=(3, 3), stand={1: 128, 2: 21, 3: 345})
    assert [(2, 3), (1, 3), (1, 2)] == [fives_to_lead(table.state, side) for side in (1, 2, 3)]


def test_no_five_to_who_leaves_by_the_path() -> None:
    """Z3: a peg that landed in a trap goes down the path next, past the rest of the box."""
    stand = {1: 9, 2: 130}
    assert () == fives_to_lead(Table(stand=stand, landed=(2,)).state, 1)
    assert (2,) == fives_to_lead(Table(stand=stand).state, 1)


def test_no_five_to_who_may_not_count() -> None:
    """Z5: a side that has folded, or sits in a box (Z7), is put into nothing by a five."""
    table = Table(CROWDED, stand={1: 60, 2: 43})
    table.peg(2, 2)
    assert (25, True) == (table.pegs(2)[0], table.state.pegs(2).folded)
    assert () == fives_to_lead(table.state, 1)
    table.deal()
    assert (2,) == fives_to_lead(table.state, 1)
    assert () == fives_to_lead(one_boxed().state, 2)
