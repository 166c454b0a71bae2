"""`cribwars count`: each line of input has a line of output."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli.count import count_lines, count_text, count_value, play_lines
from companion.commentary import load_phrases
from companion.errors import BadInputError
from companion.rules.cards import Card, count_show
from tests.companion.rules.cards.test_card import FIVES
from tests.support.program import Ask, ask, assert_refused

__all__ = ["ask"]

TWENTY_NINE = {"points": 29, "fifteens": 16, "pairs": 12, "runs": 0, "flush": 0, "nobs": 1}

ENGLISH = load_phrases("en")
SPOKEN = (
    "fifteen-two, fifteen-four, fifteen-six, a double run of three is fourteen and nobs is fifteen"
)


def counted(*lines: str | bytes) -> list[dict[str, object]]:
    """Return the replies to lines of hands."""
    given = [line.encode() if isinstance(line, str) else line for line in lines]
    return [json.loads(answer) for answer in count_lines(given)]


def played(*lines: str) -> list[dict[str, object]]:
    """Return the replies to lines of played cards."""
    return [json.loads(answer) for answer in play_lines(line.encode() for line in lines)]


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


def test_a_crib() -> None:
    """S3: `crib` requires five of a suit."""
    (answer,) = counted('{"hand": "2H 4H 8H TH", "starter": "KS", "crib": true}')
    assert 0 == answer["flush"] == answer["points"]


def test_lines_of_cribs() -> None:
    """`--crib` holds for each line without a value of its own."""
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
    assert (
        count_show(hand, starter, crib=crib).points
        == points
        == sum(int(str(kind)) for kind in kinds)
    )
    *parts, total = count_text(" ".join(texts), str(starter), phrases=ENGLISH, crib=crib)
    assert f"{points} in all" == total
    spoken = parts.pop() if parts else ENGLISH.number(0)
    assert spoken.endswith(ENGLISH.number(points))
    assert points == sum(int(part.partition(":")[0].split()[-1]) for part in parts)


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
