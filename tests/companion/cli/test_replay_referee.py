"""Replay of penalties, claims and muggins: exact input and output lines."""

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli.replay import replay
from companion.rules.game import HouseRules, Setup
from tests.support.tracks import CRIB_WARS

ON = HouseRules(muggins="on", muggins_counts="missed-and-overcalled")

PENALTY: dict[str, Any] = {"rule": "N9", "by": 1, "taken": [2]}
CLAIM: dict[str, Any] = {"rule": "N10", "by": 1, "game_to": 2}
MUGGINS: dict[str, Any] = {"from": 1, "by": 2, "points": 2, "where": "play", "kind": "missed"}
COMMANDS = {"penalty": PENALTY, "claim": CLAIM, "muggins": MUGGINS}
FIELDS = [(name, field) for name, fields in COMMANDS.items() for field in fields]

START: dict[str, Any] = {
    "teams": {
        "1": {"front": 0, "back": 0, "boxed": 0, "folded": False, "progress": 0},
        "2": {"front": 0, "back": 0, "boxed": 0, "folded": False, "progress": 0},
    },
    "dealer": 1,
    "hand": 1,
    "winner": None,
    "match": {"games": {"1": 0, "2": 0}, "to": None, "winner": None},
}

Answer = dict[str, Any]


def answers(*commands: object, sides: int = 2, rules: HouseRules = ON) -> list[Answer]:
    """Return the answer to each command, read by the standard library."""
    setup = Setup.make(CRIB_WARS, rules, sides=tuple(range(1, sides + 1)))
    lines = [json.dumps(command).encode() for command in commands]
    return [json.loads(line) for line in replay(setup, lines)]


def peg(side: int, points: int) -> dict[str, object]:
    """Return a count as a line has it."""
    return {"peg": {"team": side, "points": points}}


def refusal(command: object, *before: object, rules: HouseRules = ON) -> str | None:
    """Return the rule of a refusal of one line, which must change nothing."""
    *_, last, answer, after = answers(peg(1, 6), *before, command, {"undo": {}}, rules=rules)
    assert {"error", "rule"} == answer.keys()
    assert "\n" not in answer["error"]
    assert answer["error"]
    undone = answers(peg(1, 6), *before, {"undo": {}}, rules=rules)[-1]
    assert undone == after
    assert "error" not in last
    rule = answer["rule"]
    assert rule is None or isinstance(rule, str)
    return rule


def pegs(answer: Answer) -> list[tuple[int, int]]:
    """Return each side's front and back peg."""
    return [(side["front"], side["back"]) for side in answer["teams"].values()]


def test_a_penalty() -> None:
    """N9: it has the event, then a count of two for the taker, and the state."""
    (answer,) = answers({"penalty": PENALTY})
    expected = json.loads(json.dumps(START))
    expected["teams"]["2"] |= {"front": 2, "progress": 2}
    expected["events"] = [
        {"kind": "penalised", "team": 1, "from": 0, "to": 0, "rule": "N9"},
        {"kind": "counted", "team": 2, "from": 0, "to": 2, "points": 2, "rule": "N9"},
    ]
    assert expected == answer


def test_a_penalty_that_all_decline() -> None:
    """N1: with an empty list of takers the penalty is recorded, and nobody moves."""
    (answer,) = answers({"penalty": {"rule": "N1", "by": 2, "taken": []}})
    event = {"kind": "penalised", "team": 2, "from": 0, "to": 0, "rule": "N1"}
    assert START | {"events": [event]} == answer


def test_a_penalty_taken_by_two() -> None:
    """N3: the takers peg in the order of the list."""
    (answer,) = answers({"penalty": {"rule": "N3", "by": 2, "taken": [3, 1]}}, sides=3)
    assert [2, 3, 1] == [event["team"] for event in answer["events"]]
    assert [(2, 0), (0, 0), (2, 0)] == pegs(answer)


def test_a_claim() -> None:
    """N10: the winner's front peg is on the finish, its back where it was; it is one game."""
    *_, answer = answers(peg(2, 9), {"claim": CLAIM})
    expected = json.loads(json.dumps(START))
    expected["teams"]["2"] |= {"front": 363, "back": 9, "progress": 363}
    expected["winner"] = 2
    expected["match"]["games"]["2"] = 1
    expected["events"] = [
        {"kind": "claimed", "team": 2, "from": 9, "to": 363, "rule": "N10"},
        {"kind": "won", "team": 2, "from": 363, "to": 363, "points": 1, "rule": "G2"},
    ]
    assert expected == answer


def test_missed_points() -> None:
    """M1: the event of the side that missed them precedes the caller's count."""
    *_, answer = answers(peg(1, 4), {"muggins": MUGGINS})
    assert [
        {"kind": "penalised", "team": 1, "from": 4, "to": 4, "points": 2, "rule": "M1"},
        {"kind": "counted", "team": 2, "from": 0, "to": 2, "points": 2, "rule": "M1"},
    ] == answer["events"]
    assert [(4, 0), (2, 0)] == pegs(answer)


def test_overcalled_points() -> None:
    """M2: the last count is corrected as by `overpeg`, then the caller pegs the difference."""
    *_, answer = answers(peg(1, 9), {"muggins": MUGGINS | {"kind": "overcalled", "where": "show"}})
    assert [
        {"kind": "penalised", "team": 1, "from": 9, "to": 9, "points": 2, "rule": "M2"},
        {"kind": "overpegged", "team": 1, "from": 9, "to": 0, "points": 2, "rule": "M2"},
        {"kind": "counted", "team": 1, "from": 0, "to": 7, "points": 7, "rule": "P7"},
        {"kind": "counted", "team": 2, "from": 0, "to": 2, "points": 2, "rule": "M2"},
    ] == answer["events"]
    assert [(7, 0), (2, 0)] == pegs(answer)


def test_points_given_back() -> None:
    """M3: the erring side's count follows; `given_back` false is the default."""
    _, back, kept = answers(
        peg(1, 4),
        {"muggins": MUGGINS | {"given_back": True}},
        {"muggins": MUGGINS | {"given_back": False}},
    )
    assert [
        {"kind": "penalised", "team": 1, "from": 4, "to": 4, "points": 2, "rule": "M3"},
        {"kind": "counted", "team": 1, "from": 4, "to": 6, "points": 2, "rule": "M3"},
    ] == back["events"]
    assert [2, 2] == [event["team"] for event in kept["events"][1:]] + [len(kept["events"])]
    assert [(6, 4), (2, 0)] == pegs(kept)


@pytest.mark.parametrize("name", COMMANDS)
def test_one_undo_takes_it_back(name: str) -> None:
    """N: penalty, claim and muggins are one command each."""
    before, _, after = answers(peg(1, 4), {name: COMMANDS[name]}, {"undo": {}})
    assert ["undone"] == [event["kind"] for event in after["events"]]
    assert before | {"events": None} == after | {"events": None}


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ({"penalty": PENALTY | {"rule": "N0"}}, None),
        ({"penalty": PENALTY | {"rule": "M1"}}, None),
        ({"penalty": PENALTY | {"rule": "N1"}}, "N1"),
        ({"penalty": PENALTY | {"rule": "N11"}}, "N11"),
        ({"penalty": PENALTY | {"taken": [1]}}, "N9"),
        ({"penalty": PENALTY | {"taken": [2, 1]}}, "N9"),
        ({"penalty": PENALTY | {"taken": [2, 2]}}, "N9"),
        ({"penalty": PENALTY | {"taken": [3]}}, "T1"),
        ({"penalty": PENALTY | {"by": 3}}, "T1"),
        ({"claim": CLAIM | {"rule": "N99"}}, None),
        ({"claim": CLAIM | {"rule": "N9"}}, "N9"),
        ({"claim": CLAIM | {"game_to": 1}}, "N10"),
        ({"claim": CLAIM | {"game_to": 3}}, "T1"),
        ({"claim": CLAIM | {"by": 0}}, "T1"),
        ({"muggins": MUGGINS | {"by": 1}}, "M1"),
        ({"muggins": MUGGINS | {"by": 3}}, "T1"),
        ({"muggins": MUGGINS | {"from": 3}}, "T1"),
        ({"muggins": MUGGINS | {"points": 0}}, "S5"),
        ({"muggins": MUGGINS | {"points": 30}}, "S5"),
        ({"muggins": MUGGINS | {"points": 7, "kind": "overcalled"}}, "M2"),
        ({"muggins": MUGGINS | {"from": 2, "by": 1, "kind": "overcalled"}}, "M2"),
    ],
)
def test_what_the_rules_refuse(command: object, rule: str | None) -> None:
    """N: the reply is one line with error and rule, and nothing changes."""
    assert rule == refusal(command)


@pytest.mark.parametrize("command", [{name: fields} for name, fields in COMMANDS.items()])
def test_nothing_of_it_after_a_win(command: object) -> None:
    """G2: after a win only `undo` and `new_game` are taken."""
    assert "G2" == refusal(command, {"claim": CLAIM})


def test_muggins_where_the_house_has_none() -> None:
    """M3: if switched off there is none; overcalled is off by default (M2)."""
    assert "M3" == refusal({"muggins": MUGGINS}, rules=dataclasses.replace(ON, muggins="off"))
    overcalled = {"muggins": MUGGINS | {"kind": "overcalled"}}
    assert "M2" == refusal(overcalled, rules=HouseRules())


@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_a_key_that_is_missing(name: str, field: str) -> None:
    """N: every key except `given_back` is required, and a missing one is named."""
    fields = {key: value for key, value in COMMANDS[name].items() if key != field}
    assert refusal({name: fields}) is None
    answer = answers({name: fields})[0]
    assert name in answer["error"]
    assert field in answer["error"]


@pytest.mark.parametrize(("name", "field"), FIELDS)
@pytest.mark.parametrize("value", [None, 1.5, True, {}, [[]], [None], ["2"], "x", -(10**30)])
def test_a_value_of_the_wrong_kind(name: str, field: str, value: object) -> None:
    """N: a wrong side, number, list or word is refused without a traceback."""
    assert refusal({name: COMMANDS[name] | {field: value}}) in (None, "T1", "S5")


@pytest.mark.parametrize("value", [None, 0, 1, "true", []])
def test_given_back_is_true_or_false(value: object) -> None:
    """M3: `given_back` is a boolean and nothing similar."""
    assert refusal({"muggins": MUGGINS | {"given_back": value}}) is None


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("extra", ["erring", "winner", "team", "Rule", ""])
def test_a_key_too_many(name: str, extra: str) -> None:
    """N: an unknown key of a command is refused, not ignored."""
    assert refusal({name: COMMANDS[name] | {extra: 1}}) is None


@given(
    name=st.sampled_from(sorted(COMMANDS)),
    fields=st.dictionaries(
        st.sampled_from(("rule", "by", "taken", "game_to", "from", "points", "where", "kind")),
        st.none() | st.integers() | st.text(max_size=3) | st.lists(st.integers(-1, 4), max_size=3),
    ),
)
def test_whatever_is_asked_is_answered(name: str, fields: dict[str, object]) -> None:
    """N: each reply is a state with its events, or an error with its rule."""
    for given_fields in (fields, COMMANDS[name] | fields):
        (answer,) = answers({name: given_fields})
        assert answer.keys() in ({"error", "rule"}, {"events", *START})
