"""Replay and count: each line of input has a line of output, and a bad line changes nothing.

What a command does in play is proved by the examples of the rules.
"""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli.count import count_lines, count_text, count_value, play_lines
from companion.cli.replay import replay
from companion.commentary import load_phrases
from companion.errors import BadInputError, RuleError
from companion.rules.cards import Card, count_show
from companion.rules.game import (
    Claim,
    Command,
    Correct,
    Deal,
    History,
    HouseRules,
    MoveInBox,
    Muggins,
    NewGame,
    Overpeg,
    Peg,
    Penalty,
    SetPegs,
    Setup,
    Undo,
    new_game,
)
from companion.rules.game.commands import RULINGS
from companion.rules.game.notation import command_value
from tests.companion.rules.cards.test_card import FIVES
from tests.support.boards import CRIB_WARS
from tests.support.program import Ask, ask, assert_refused

MUGGINS_ON = HouseRules(muggins="on", muggins_counts="missed-and-overcalled")
PENALTY: dict[str, Any] = {"rule": "N9", "by": 1, "taken": [2]}
CLAIM: dict[str, Any] = {"rule": "N10", "by": 1, "game_to": 2}
MUGGINS: dict[str, Any] = {"from": 1, "by": 2, "points": 2, "where": "play", "kind": "missed"}
REFEREE = {"penalty": PENALTY, "claim": CLAIM, "muggins": MUGGINS}
FIELDS = [(name, field) for name, fields in REFEREE.items() for field in fields]
__all__ = ["ask"]

TWENTY_NINE = {"points": 29, "fifteens": 16, "pairs": 12, "runs": 0, "flush": 0, "nobs": 1}

ENGLISH = load_phrases("en")


def setup(sides: int = 2) -> Setup:
    """Return a game of this number of sides, with muggins everywhere."""
    return Setup.make(CRIB_WARS, MUGGINS_ON, sides=tuple(range(1, sides + 1)))


def answers(*lines: str, sides: int = 2) -> list[dict[str, Any]]:
    """Return the answers, read by the standard library."""
    return [json.loads(line) for line in replay(setup(sides), [line.encode() for line in lines])]


def line(command: Command) -> str:
    """A command as a line."""
    return json.dumps(command_value(command))


def refused(name: str, fields: dict[str, Any]) -> str:
    """Return the error of a line between two others, which must change nothing."""
    lines = [line(Peg(side=1, points=6)), json.dumps({name: fields}), line(Undo())]
    _, answer, undone = answers(*lines)
    assert {"error", "rule"} == answer.keys()
    assert answer["rule"] in (None, "T1", "S5")
    assert undone == answers(lines[0], lines[2])[-1]
    error: str = answer["error"]
    assert error
    assert "\n" not in error
    return error


def counted(*lines: str | bytes) -> list[dict[str, object]]:
    """Return the replies to lines of hands."""
    given = [line.encode() if isinstance(line, str) else line for line in lines]
    return [json.loads(answer) for answer in count_lines(given)]


def played(*lines: str) -> list[dict[str, object]]:
    """Return the replies to lines of played cards."""
    return [json.loads(answer) for answer in play_lines(line.encode() for line in lines)]


# Replay


def test_an_answer_has_the_keys_of_the_contract() -> None:
    """These are exactly events, sides, dealer, hand, winner and match."""
    (answer,) = answers('{"peg": {"team": 1, "points": 6}}')
    assert {
        "events": [{"kind": "counted", "team": 1, "from": 0, "to": 6, "points": 6, "rule": "P7"}],
        "teams": {
            "1": {"front": 6, "back": 0, "boxed": 0, "folded": False, "progress": 6},
            "2": {"front": 0, "back": 0, "boxed": 0, "folded": False, "progress": 0},
        },
        "dealer": 1,
        "hand": 1,
        "winner": None,
        "match": {"games": {"1": 0, "2": 0}, "to": None, "winner": None},
    } == answer


def test_the_penalty_box_of_two_and_of_three() -> None:
    """Z6, Z7: the events are in the contract's order; on entry three hands are to sit."""
    (two,) = answers('{"peg": {"team": 1, "points": 22}}')
    (three,) = answers('{"peg": {"team": 1, "points": 22}}', sides=3)
    assert ["counted", "folded", "sent_back", "awarded"] == [e["kind"] for e in two["events"]]
    assert ["counted", "folded", "boxed"] == [e["kind"] for e in three["events"]]
    fronts = [two["teams"][side]["front"] for side in ("1", "2")]
    assert ([2, 20], 3) == (fronts, three["teams"]["1"]["boxed"])


def test_the_pegs_of_the_contracts_example() -> None:
    """15, then 22 in a box, back to 2: front 2, back 15."""
    lines = [line(Peg(side=1, points=points)) for points in (15, 7)]
    side = answers(*lines)[-1]["teams"]["1"]
    assert (2, 15) == (side["front"], side["back"])


def test_a_trap_leads_back_by_its_side_path() -> None:
    """From 131 on a trap with six path holes and rejoin 112, eight points end on 113."""
    lines = [line(Peg(side=1, points=points)) for points in (29, 29, 29, 29, 15, 8)]
    fronts = [answer["teams"]["1"]["front"] for answer in answers(*lines)]
    assert [131, 113] == fronts[-2:]


def test_before_the_first_count_a_deal_is_the_cut() -> None:
    """Only the dealer moves; after a count a deal begins the next hand."""
    deal, peg = line(Deal()), line(Peg(side=1, points=1))
    reported = [
        (answer["dealer"], answer["hand"])
        for answer in answers(deal, line(Deal(dealer=1)), peg, deal, deal)
    ]
    assert [(2, 1), (1, 1), (1, 1), (2, 2), (1, 3)] == reported


def test_pegs_are_placed_and_undone() -> None:
    """Both pegs are placed, also on a path, without a landing; undo restores them."""
    lines = [
        '{"set_pegs": {"team": 1, "front": 130, "back": 118}}',
        '{"peg": {"team": 1, "points": 2}}',
        '{"set_pegs": {"team": 2, "front": "trap-1:3", "back": 131}}',
        '{"undo": {}}',
    ]
    placed, counted, on_path, undone = answers(*lines)
    assert [{"kind": "placed", "team": 1, "from": 118, "to": 130, "rule": "G1"}] == placed["events"]
    assert (130, 118, 130) == tuple(placed["teams"]["1"][k] for k in ("front", "back", "progress"))
    assert 132 == counted["teams"]["1"]["front"]
    assert "trap-1:3" == on_path["teams"]["2"]["front"]
    assert counted["teams"] == undone["teams"]


def test_a_correction_of_an_earlier_count() -> None:
    """Commands are numbered from 1; a later one that would be refused is named."""
    pegs = [line(Peg(side=side, points=points)) for side, points in ((1, 10), (2, 5), (1, 6))]
    corrections = [line(Correct(entry=1, points=points)) for points in (4, 22)]
    changed, refused = answers(*pegs, *corrections)[-2:]
    assert (10, 4) == (changed["teams"]["1"]["front"], changed["teams"]["1"]["back"])
    assert "Z5" == refused["rule"]
    assert "command 3 " in refused["error"]


def test_a_refused_line_changes_nothing_and_the_next_is_taken() -> None:
    """The error has the rule's number, or null for a line that is no command."""
    first = line(Peg(side=1, points=6))
    before, *errors, after = answers(
        first, line(Peg(side=1, points=30)), line(Peg(side=3, points=1)), "{", '{"pge": {}}', first
    )
    assert [{"error", "rule"}] * 4 == [set(error) for error in errors]
    assert ["S5", "T1", None, None] == [error["rule"] for error in errors]
    assert (6, 12) == (before["teams"]["1"]["front"], after["teams"]["1"]["front"])


def test_lines_without_text_are_passed_over() -> None:
    """Empty lines and other systems' line ends are no commands."""
    assert 1 == len(answers("", "  ", line(Deal()) + "\r", "\r"))


def test_undo_steps_over_new_games_until_nothing_is_left() -> None:
    """Each accepted command can be undone; then it is an error without a rule."""
    lines = [line(c) for c in (Peg(side=1, points=6), NewGame(), Undo(), Undo(), Undo())]
    fronts = [a["teams"]["1"]["front"] if "teams" in a else a["rule"] for a in answers(*lines)]
    assert [6, 0, 6, 0, None] == fronts


SIDES = st.integers(0, 4)
RULES = st.sampled_from(["N0", *RULINGS])
COMMANDS: st.SearchStrategy[Command] = st.one_of(
    st.builds(Peg, side=SIDES, points=st.integers(0, 30)),
    st.builds(Peg, side=SIDES, points=st.sampled_from([22, 42, 29])),
    st.builds(Deal, dealer=st.none() | st.integers(0, 4)),
    st.builds(MoveInBox, side=SIDES),
    st.builds(Overpeg, side=SIDES, extra=st.integers(0, 9), taken_by=st.none() | SIDES),
    st.builds(NewGame, dealer=st.none() | SIDES),
    st.builds(SetPegs, side=SIDES, front=st.integers(0, 364), back=st.integers(0, 364)),
    st.builds(Correct, entry=st.integers(0, 9), points=st.none() | st.integers(0, 30)),
    st.builds(Penalty, rule=RULES, by=SIDES, taken=st.lists(SIDES, max_size=3).map(tuple)),
    st.builds(Claim, rule=RULES, by=SIDES, game_to=SIDES),
    st.builds(
        Muggins,
        erring=SIDES,
        by=SIDES,
        points=st.integers(0, 30),
        where=st.sampled_from(["play", "show"]),
        kind=st.sampled_from(["missed", "overcalled"]),
        given_back=st.booleans(),
    ),
    st.builds(Undo),
)


@given(st.lists(COMMANDS, max_size=30), st.sampled_from([2, 3]))
def test_every_answer_is_the_games_own(commands: list[Command], sides: int) -> None:
    """Each reply is a history's reply, and each refusal is its refusal."""
    twin = History(new_game(setup(sides)))
    for command, answer in zip(commands, answers(*map(line, commands), sides=sides), strict=True):
        try:
            entry = twin.do(command)
        except RuleError as error:
            assert {"error": str(error), "rule": error.rule} == answer  # noqa: PT017  # the twin
            continue
        fronts = [answer["teams"][str(side)]["front"] for side in entry.state.setup.sides]
        assert [pegs.front for pegs in twin.state.all_pegs] == fronts
        assert list(msgspec.to_builtins(entry.events)) == answer["events"]
        assert (twin.state.dealer, twin.state.hand) == (answer["dealer"], answer["hand"])


# Penalties, claims and muggins: their keys


@pytest.mark.parametrize("name", REFEREE)
def test_a_command_of_the_referee_has_the_keys_of_the_contract(name: str) -> None:
    """N: each is accepted as it stands, and one undo takes it back."""
    before, after, undone = answers(
        line(Peg(side=1, points=4)), json.dumps({name: REFEREE[name]}), line(Undo())
    )
    kind = "penalised" if name != "claim" else "claimed"
    assert (kind, 2) == (after["events"][0]["kind"], after["events"][-1]["team"])
    assert before | {"events": None} == undone | {"events": None}


def test_points_given_back() -> None:
    """M3: the erring side's count follows; `given_back` false is the default."""
    _, back, kept = answers(
        line(Peg(side=1, points=4)),
        json.dumps({"muggins": MUGGINS | {"given_back": True}}),
        json.dumps({"muggins": MUGGINS | {"given_back": False}}),
    )
    assert [[1, 1], [1, 2]] == [[e["team"] for e in each["events"]] for each in (back, kept)]


@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_a_key_that_is_missing(name: str, field: str) -> None:
    """N: every key except `given_back` is required, and a missing one is named."""
    fields = {key: value for key, value in REFEREE[name].items() if key != field}
    error = refused(name, fields)
    assert name in error
    assert field in error


@pytest.mark.parametrize(("name", "field"), [*FIELDS, ("muggins", "given_back")])
def test_a_value_of_the_wrong_kind(name: str, field: str) -> None:
    """N: a wrong side, number, list, truth or word is refused without a traceback."""
    wrong: list[object] = [None, 1.5, {}, [[]], [None], ["2"], "x", -(10**30), 0, True]
    for value in wrong[: -1 if field == "given_back" else None]:
        refused(name, REFEREE[name] | {field: value})


@pytest.mark.parametrize("name", REFEREE)
def test_a_key_too_many(name: str) -> None:
    """N: an unknown key of a command is refused, not ignored."""
    for extra in ("erring", "winner", "team", "Rule", ""):
        refused(name, REFEREE[name] | {extra: 1})


# Count


def test_a_hand() -> None:
    """A hand is a list of cards or one text; without `crib` it is no crib."""
    assert [TWENTY_NINE] * 3 == counted(
        '{"hand": ["5H", "5S", "5D", "JC"], "starter": "5C", "crib": false}',
        '{"hand": "5H 5S 5D JC", "starter": "5C"}',
        '{"starter": "5C", "hand": ["5H", "5S", "5D", "JC"], "crib": true}',
    )


def test_the_order_of_the_kinds() -> None:
    """The kinds are in the order of the contract."""
    (answer,) = count_lines([b'{"hand": "2H 4H 8H TH", "starter": "KS"}'])
    expected = '{"points":4,"fifteens":0,"pairs":0,"runs":0,"flush":4,"nobs":0}'
    assert expected == answer


def test_cribs() -> None:
    """S3: `crib` requires five of a suit; `--crib` holds for lines without a value of their own."""
    (answer,) = counted('{"hand": "2H 4H 8H TH", "starter": "KS", "crib": true}')
    assert 0 == answer["flush"] == answer["points"]
    hand = '{"hand": "2H 4H 8H TH", "starter": "KS"'
    lines = [f"{hand}}}".encode(), f'{hand}, "crib": false}}'.encode()]
    points = [json.loads(answer)["points"] for answer in count_lines(lines, crib=True)]
    assert [0, 4] == points


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"hand": "5H 5S 5D", "starter": "5C"}', "4 cards are needed, 3 are given"),
        ('{"hand": "5H 5S 5H JC", "starter": "5C"}', "5H is given twice"),
        ('{"hand": "5H 5S 5D JC", "starter": "5D"}', "5D is in the hand and turned up"),
        ('{"hand": "5H 5S 5D JX", "starter": "5C"}', "'JX' is no card"),
        ('{"hand": "5H 5S 5D JC"}', "missing required field `starter`"),
        ('{"hand": 5, "starter": "5C"}', "not what is asked for"),
        ('{"hand": "5H 5S 5D JC", "starter": "5C", "crib": 1}', "not what is asked for"),
        ('{"hand": "5H 5S 5D JC", "starter": "5C", "crb": true}', "unknown field `crb`"),
        ("5H 5S 5D JC", "not what is asked for"),
        (b'{"hand": "\xff", "starter": "5C"}', "not what is asked for"),
    ],
)
def test_a_bad_line(line: str | bytes, said: str) -> None:
    """An unreadable line gets an error without a rule, and the next is counted."""
    error, *others = counted(line, "", '{"hand": "5H 5S 5D JC", "starter": "5C"}')
    assert ["error", "rule"] == list(error)
    assert error["rule"] is None
    assert said in str(error["error"])
    assert [TWENTY_NINE] == others


@given(st.binary())
def test_any_bytes(line: bytes) -> None:
    """Any line gets at most one line of JSON, and no traceback."""
    for lines in (count_lines, play_lines):
        answers = list(lines([line]))
        assert bool(line.strip()) == len(answers)
        assert all("error" in json.loads(answer) for answer in answers)


@given(FIVES, st.booleans())
def test_text_and_value_agree(five: list[Card], crib: bool) -> None:
    """The kinds add up to the points, and so do the lines for people."""
    *hand, starter = five
    texts = [str(card) for card in hand]
    value = count_value(texts, str(starter), crib=crib)
    points, *kinds = value.values()
    assert points == sum(int(str(kind)) for kind in kinds)
    assert points == count_show(hand, starter, crib=crib).points
    *parts, total = count_text(" ".join(texts), str(starter), phrases=ENGLISH, crib=crib)
    assert f"{points} in all" == total
    spoken = parts.pop() if parts else ENGLISH.number(0)
    assert spoken.endswith(ENGLISH.number(points))
    assert points == sum(int(part.partition(":")[0].split()[-1]) for part in parts)


SPOKEN = (
    "fifteen-two, fifteen-four, fifteen-six, a double run of three is fourteen and nobs is fifteen"
)


def test_a_hand_explained() -> None:
    """People read the reason and the cards of each point."""
    assert [
        "Fifteen 2: 5S JD",
        "Fifteen 2: 4H 5S 6D",
        "Fifteen 2: 4H 5S 6C",
        "Pair 2: 6D 6C",
        "Run 3: 4H 5S 6D",
        "Run 3: 4H 5S 6C",
        "Nobs 1: JD",
        SPOKEN,
        "15 in all",
    ] == list(count_text("6c 5s 4h jd", "6d", phrases=ENGLISH))
    french = list(count_text("6C 5S 4H JD", "6D", phrases=load_phrases("fr")))
    assert ["Quinze 2: 5S JD", "15 en tout"] == [french[0], french[-1]]


def test_bad_cards_from_a_person() -> None:
    """Bad cards on a command line are refused like those of a line."""
    with pytest.raises(BadInputError, match="4 cards are needed, 5 are given"):
        count_value("5H 5S 5D JC 2C", "5C")
    with pytest.raises(BadInputError, match="'5Z' is no card"):
        list(count_text("5H 5S 5D JC", "5Z", phrases=ENGLISH))


def test_plays() -> None:
    """P7: a played card gets the count, its points and their parts in order."""
    assert [
        {
            "count": 15,
            "points": 8,
            "parts": [{"kind": "fifteen", "points": 2}, {"kind": "pair-royal", "points": 6}],
        },
        {"count": 30, "points": 3, "parts": [{"kind": "run", "points": 3}]},
        {"count": 1, "points": 0, "parts": []},
        {"count": 0, "points": 0, "parts": []},
    ] == played(
        '{"cards": ["5H", "5S", "5D"]}',
        '{"cards": "JH QS KD"}',
        '{"cards": ["AS"]}',
        '{"cards": []}',
    )


def test_bad_plays() -> None:
    """P1: a card over 31 gets that rule; other bad lines have none; all go on."""
    answers = played(
        '{"cards": "KH QS JD 2C"}', '{"cards": "KH KH"}', '{"card": "KH"}', '{"cards": ["AS"]}'
    )
    assert ["P1", None, None] == [answer["rule"] for answer in answers[:3]]
    assert 1 == answers[3]["count"]


@pytest.mark.parametrize(("crib", "mean"), [(False, 4.769152), (True, 4.734819)])
def test_distribution(ask: Ask, crib: bool, mean: float) -> None:
    """S5: each number of points from 0 to 29 has its count; the mean is the published one."""
    (value,) = ask("count", "--distribution", "--json", *["--crib"] * crib).lines
    counts = value["counts"]
    assert isinstance(counts, dict)
    assert [str(points) for points in range(30)] == list(counts)
    assert (4, 76, 0) == (counts["29"], counts["28"], counts["19"])
    assert mean == pytest.approx(value["mean"], abs=5e-7)


@pytest.mark.parametrize("more", [["5H 5S 5D JC"], ["--starter", "5C"], ["--play"], ["--jsonl"]])
def test_the_distribution_is_of_all_hands(ask: Ask, more: list[str]) -> None:
    """A hand or its options beside the distribution are wrong use."""
    assert_refused(ask("count", "--distribution", *more), "--distribution counts all hands")
