"""Messages of a night are checked when they arrive, and any two plans have a newer one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadInputError
from companion.night.messages import (
    ENTRANT_LIMIT,
    MESSAGE_LIMIT_BYTES,
    PLAN_LIMIT_BYTES,
    ROUND_LIMIT,
    Entrant,
    NightPlan,
    NightRound,
    SeatedPair,
    TableState,
    newer,
    parse,
    parse_plan,
    serialize,
)
from tests.support.night_tables import game, plan_of, state

HOSTILE = [
    b"",
    b"null",
    b"\xff",
    b"[" * 60_000,
    b"{}",
    b'{"table": 0, "entrants": [1, 2]}',
    b'{"table": 1, "entrants": [1, 2, 3]}',
    b'{"table": 1, "entrants": [1, 2], "more": 1}',
    b'{"table": 99999999999999999999, "entrants": [1, 2]}',
    b" " * (MESSAGE_LIMIT_BYTES + 1),
]


def test_a_hostile_message_is_refused() -> None:
    """A message of another form, size or depth, or with a wild number, is an error."""
    for content in HOSTILE:
        with pytest.raises(BadInputError):
            parse(content, SeatedPair)


def test_a_name_is_a_line_that_can_be_read() -> None:
    """Control characters, direction marks and line breaks are refused; letters are accepted."""
    for name in ("", "Ann\n", "A\x07nn", "\u202ennA", "A\u2028nn", "A\x9bnn", "A" * 61):
        with pytest.raises(BadInputError):
            parse(serialize(Entrant(id=1, players=(name,))), Entrant)
    zoe = Entrant(id=1, players=("Zoë d'Arc 木",))
    assert zoe == parse(serialize(zoe), Entrant)


IMPOSSIBLE = [
    (b'"winner":"1"', b'"winner":"3"'),
    (b'"entrants":{"1":1,"2":2}', b'"entrants":{}'),
    (b'"entrants":{"1":1,"2":2}', b'"entrants":{"1":1,"2":2,"3":3}'),
    (b'"progress":{"1":121,"2":0}', b'"progress":{"1":121}'),
    (b'"finish":121', b'"finish":100000'),
    (b'"journal":"aaaaaaaaaaaaaaaa"', b'"journal":"aaaaaaaaaaaaaaaa\\n"'),
]


def test_a_game_that_cannot_be_is_refused() -> None:
    """A game of the night has two sides, and only one of them can have won it."""
    (pair,) = plan_of("Ann", "Bob", rounds=1).rounds[0].pairs
    content = serialize(state(game(pair, winner="1")))
    assert content == serialize(parse(content, TableState))
    for known, hostile in IMPOSSIBLE:
        assert known in content
        with pytest.raises(BadInputError):
            parse(content.replace(known, hostile), TableState)


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
    """The higher revision is newer, and the order in which plans arrive does not matter."""
    assert newer(one, two) == newer(two, one)
    assert newer(newer(one, two), three) == newer(one, newer(two, three))
    assert max(one.revision, two.revision) == newer(one, two).revision


def test_a_table_finds_its_pairing_in_the_newest_round() -> None:
    """Seats of earlier rounds do not count; a table without a pairing gets None."""
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
    """A message has room for the most sides, each of two 30-letter names, and the most rounds."""
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
