"""Commands change the plan, or are refused with a remedy if they do not fit it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.errors import BadInputError
from companion.night.messages import PLAN_LIMIT_BYTES, Correction, NightPlan, parse_plan, serialize
from companion.night.night_commands import (
    AddEntrants,
    AnyCommand,
    BeginAnew,
    CorrectCard,
    EnterResult,
    MovePair,
    RemoveEntrant,
    SeatRound,
    SetEntrant,
    SetFormat,
    SetMessage,
    WithdrawRound,
)
from companion.night.outcomes import outcomes
from companion.night.seating import next_round
from tests.support.night_tables import NIGHT, game, plan_of, state

EMPTY = NightPlan(night=NIGHT)
PLAN = plan_of("Ann", "Bob", "Cleo", "Dan", "Eve", rounds=1)


def changed(plan: NightPlan, *commands: AnyCommand) -> NightPlan:
    """Return the plan after some commands."""
    for command in commands:
        plan = command.carry_out(plan, {})
    return plan


def test_a_pasted_list_makes_sides() -> None:
    """Each line is a side, & joins players, blank lines and spaces are ignored; ids continue."""
    plan = changed(EMPTY, AddEntrants(lines=" Ann \n\nBob&Cleo & Dan\n"), AddEntrants(lines="Eve"))
    assert ["Ann", "Bob & Cleo & Dan", "Eve"] == [each.name for each in plan.entrants]
    assert [1, 2, 3] == [each.id for each in plan.entrants]
    assert 2 == plan.revision


LEAVERS = st.lists(st.sets(st.integers(1, 12), max_size=2), min_size=6, max_size=6)


@given(LEAVERS, st.integers(0, 2))
def test_nobody_meets_twice_whoever_comes_and_goes(leavers: list[set[int]], late: int) -> None:
    """In six rounds of 20 sides that come and go, nobody meets twice and byes are spread."""
    plan = changed(EMPTY, AddEntrants(lines="\n".join(f"side {each}" for each in range(20))))
    for number, leaving in enumerate(leavers, start=1):
        for entrant in leaving:
            name = plan.name_of(entrant)
            plan = changed(plan, SetEntrant(id=entrant, name=name, playing=False))
        arriving = "\n".join(f"late {number}.{each}" for each in range(late))
        plan = changed(plan, AddEntrants(lines=arriving), SeatRound(round=number))
        assert plan == parse_plan(serialize(plan))
    met = Counter(frozenset(pair.entrants) for _, pair in plan.seats())
    assert {1} == set(met.values())
    assert {1} >= set(Counter(each.bye for each in plan.rounds if each.bye).values())


def test_the_next_round_is_the_one_that_is_seated() -> None:
    """The pairs that the hall screen shows in advance are those that get seated."""
    expected = next_round(PLAN)
    assert expected == changed(PLAN, SeatRound(round=2)).rounds[-1]


def test_pairs_sit_at_the_tables_of_the_format() -> None:
    """Table numbers may have gaps; too few tables are refused with the number needed."""
    form = SetFormat(title="", finish=121, scoring="acc", planned_rounds=3, tables=(2, 5))
    plan = changed(PLAN, form, SeatRound(round=2))
    assert [2, 5] == [pair.table for pair in plan.rounds[-1].pairs]
    more = changed(plan, AddEntrants(lines="Fay"))
    with pytest.raises(BadInputError, match="3 pairs need as many tables, and there are 2"):
        SeatRound(round=3).carry_out(more, {})


def test_a_pair_moves_to_another_table_with_its_seat() -> None:
    """A pair can leave a broken table; a pair at the new table changes places with it."""
    moved = changed(PLAN, MovePair(table=1, to=9), MovePair(table=9, to=2))
    assert {2: (1, 2), 9: (3, 4)} == {pair.table: pair.entrants for _, pair in moved.seats()}


def test_a_new_night_keeps_who_is_there() -> None:
    """Sides that have left, rounds and results are removed; the revision grows."""
    over = changed(
        PLAN,
        EnterResult(round=1, table=1, winner="1", plus=5, minus=5),
        SetEntrant(id=5, name="Eve", playing=False),
        BeginAnew(night="f" * 16),
    )
    assert (["Ann", "Bob", "Cleo", "Dan"], (), ()) == (
        [each.name for each in over.entrants],
        over.rounds,
        over.results,
    )
    assert ("f" * 16, PLAN.revision + 3) == (over.night, over.revision)


UNFIT: list[tuple[AnyCommand, str]] = [
    (AddEntrants(lines="ann"), "add a word that tells the two apart"),
    (AddEntrants(lines="A & B & C & D"), "one to three players"),
    (AddEntrants(lines="x" * 61), "at most 60 letters"),
    (SetEntrant(id=9, name="Zoe", playing=True), "load the page again"),
    (RemoveEntrant(id=1), "mark the side as gone"),
    (SeatRound(round=1), "seated already"),
    (WithdrawRound(round=2), "not the newest"),
    (MovePair(table=7, to=1), "no pair sits at table 7"),
    (EnterResult(round=1, table=7, winner="1", plus=1, minus=1), "see the seating"),
    (EnterResult(round=1, table=1, winner="1", plus=122, minus=1), "at most 121 holes"),
    (CorrectCard(correction=Correction(round=2, entrant=1, points=2, plus=1)), "no game"),
    (CorrectCard(correction=Correction(round=1, entrant=1, points=2)), "enter one of them"),
]


def test_a_command_that_does_not_fit_is_refused() -> None:
    """The refusal says what to do, and the plan is unchanged."""
    for command, remedy in UNFIT:
        with pytest.raises(BadInputError, match=remedy):
            command.carry_out(PLAN, {})


def test_a_round_that_has_begun_is_not_withdrawn() -> None:
    """A round can be withdrawn before its first count, but not later."""
    (pair, *_) = PLAN.rounds[0].pairs
    begun = outcomes(PLAN, {(1, "a" * 16): state(game(pair, loser_at=4))})
    with pytest.raises(BadInputError, match="has begun"):
        WithdrawRound(round=1).carry_out(PLAN, begun)
    waiting = outcomes(PLAN, {})
    assert () == WithdrawRound(round=1).carry_out(PLAN, waiting).rounds


def test_a_plan_that_no_table_would_take_is_not_made() -> None:
    """A command is refused if its plan would exceed the size of a message."""
    correction = Correction(round=1, entrant=1, points=2, plus=9, reason="x" * 200)
    corrections = (correction,) * (PLAN_LIMIT_BYTES // len(correction.reason))
    with pytest.raises(BadInputError, match="begin a new night"):
        SetMessage(text="Tea").carry_out(replace(PLAN, corrections=corrections), {})


def test_the_message_is_one_line() -> None:
    """Each run of line breaks and spaces in a pasted message becomes one space."""
    assert "Tea at nine" == changed(EMPTY, SetMessage(text=" Tea\n at  nine ")).message


def test_a_plan_that_is_not_sound_is_refused() -> None:
    """A received plan with an entrant twice, or a seat without an entrant, is refused."""
    twice, named_twice = PLAN.entrants * 2, plan_of("Ann", "Ann").entrants
    for entrants in (named_twice, PLAN.entrants[:2], twice):
        with pytest.raises(BadInputError):
            parse_plan(serialize(replace(PLAN, entrants=entrants)))
