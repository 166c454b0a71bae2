"""The plan of a night: seats by table, and one plan that holds of any two."""

from hypothesis import given
from hypothesis import strategies as st

from companion.night.messages import serialize
from companion.night.plan import (
    ENTRANT_LIMIT,
    PLAN_LIMIT_BYTES,
    ROUND_LIMIT,
    Entrant,
    NightPlan,
    NightRound,
    SeatedPair,
    newer,
    parse_plan,
)

NIGHT = "0123456789abcdef"
REVISIONS = st.builds(
    lambda revision, message: NightPlan(night=NIGHT, revision=revision, message=message),
    st.integers(0, 3),
    st.sampled_from(["", "Tea at nine", "Last round"]),
)


@given(REVISIONS, REVISIONS, REVISIONS)
def test_of_any_plans_the_same_one_holds_in_whatever_order(
    one: NightPlan, two: NightPlan, three: NightPlan
) -> None:
    """The higher revision holds, and programs that see plans in another order agree."""
    assert newer(one, two) == newer(two, one)
    assert newer(newer(one, two), three) == newer(one, newer(two, three))
    assert max(one.revision, two.revision) == newer(one, two).revision


def test_a_table_finds_its_pairing_in_the_newest_round() -> None:
    """Seats of rounds before do not count; a table without a pairing has none."""
    rounds = tuple(
        NightRound(pairs=(SeatedPair(table=4, entrants=pair),)) for pair in ((1, 2), (2, 1))
    )
    plan = NightPlan(night=NIGHT, rounds=rounds)
    found = plan.pair_at(4)
    assert found
    assert (2, 1) == found.entrants
    assert plan.pair_at(5) is None
    assert [1, 2] == [number for number, _ in plan.seats()]


def test_the_plan_of_a_large_night_is_one_message() -> None:
    """The most sides, of two with names of 30 letters, and the most rounds fit into a message."""
    entrants = tuple(
        Entrant(id=each, players=("Ü" * 30, f"{each:Ü>30}")) for each in range(1, ENTRANT_LIMIT + 1)
    )
    pairs = tuple(SeatedPair(table=each, entrants=(each, each + 125)) for each in range(1, 126))
    plan = NightPlan(
        night=NIGHT,
        entrants=entrants,
        rounds=tuple(NightRound(pairs=pairs) for _ in range(ROUND_LIMIT)),
    )
    content = serialize(plan)
    assert len(content) < PLAN_LIMIT_BYTES
    assert plan == parse_plan(content)
