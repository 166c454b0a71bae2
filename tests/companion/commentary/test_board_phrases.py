"""Phrases for the consequences of counts, awards and deals, in each language."""

import dataclasses

import pytest

from companion.rules.deal import Count, CountKind
from companion.rules.game import Deal, HouseRules, MoveInBox, Peg
from tests.companion.commentary.entries import reported, two
from tests.companion.commentary.tables import commentators
from tests.companion.rules.game.tables import NO_SKUNKS, Table, one_boxed
from tests.support.tracks import CROWDED

EXACT = dataclasses.replace(NO_SKUNKS, finish="exact")
MATCH = dataclasses.replace(NO_SKUNKS, match_to=1)
ON_TRACK = dataclasses.replace(NO_SKUNKS, occupant_advance="track")
AT_FINISH = HouseRules(skunk_at="finish")
"""Skunks that are judged when somebody wins."""


def test_a_count_by_hand() -> None:
    """P7: it has points and hole, as no cards say more."""
    assert ["Amber counts six, to 76.", "Ambre compte six, jusqu'à 76."] == reported(
        two(70), Peg(side=1, points=6)
    )


@pytest.mark.parametrize(
    ("start", "english", "french"),
    [
        (40, "slides to 62", "saute à 62"),
        (128, "falls into the time trap on 130", "tombe dans le piège bleu à 130"),
        (198, "lands on the green advance on 200", "aboutit à la zone verte d'avancée à 200"),
    ],
)
def test_zones(start: int, english: str, french: str) -> None:
    """Z2 to Z4: a slide, a trap and an advance each have the hole."""
    assert [f"Amber counts two, and {english}.", f"Ambre compte deux, et {french}."] == reported(
        two(start), Peg(side=1, points=2)
    )


def test_the_penalty_box_of_two() -> None:
    """Z5, Z6: one goes back and the other on, in one sentence."""
    assert [
        (
            "Amber counts two, folds in the penalty box on 22, and goes back to 2;"
            " White is awarded twenty, to 70."
        ),
        (
            "Ambre compte deux, couche sa main dans la case de pénalité à 22, et recule à 2\u00a0;"
            " Blanc reçoit une prime de vingt, jusqu'à 70."
        ),
    ] == reported(two(20), Peg(side=1, points=2))


def test_an_award_past_a_zone() -> None:
    """Z9: it goes on if it may not end there."""
    line = reported(two(20, 110), Peg(side=1, points=2))
    assert line[0].endswith("White is awarded twenty, and goes past the zone to 133.")
    assert line[1].endswith("Blanc reçoit une prime de vingt, et dépasse la zone, à 133.")


def test_sitting_out() -> None:
    """Z7: there are phrases for the box, the moves in it, and the release."""
    table = Table(rules=NO_SKUNKS, seats=(3, 3), stand={1: 15, 2: 205, 3: 50})
    assert [
        "Amber counts seven, folds in the penalty box on 22, and sits out three hands.",
        (
            "Ambre compte sept, couche sa main dans la case de pénalité à 22,"
            " et patiente pendant trois mains."
        ),
    ] == reported(table, Peg(side=1, points=7))
    assert ["White deals.", "Blanc donne."] == reported(table, Deal())
    assert [
        "Amber serves a hand in the box, on 23.",
        "Ambre passe une main dans la case de pénalité, à 23.",
    ] == reported(table, MoveInBox(side=1))
    for _ in range(2):
        table.deal()
        table.move_in_box(1)
    assert [
        "Amber leaves the penalty box on 24; Magenta deals.",
        "Ambre sort de la case de pénalité à 24\u00a0; Magenta donne.",
    ] == reported(table, Deal())


@pytest.mark.parametrize(
    ("rules", "english", "french"),
    [
        (
            NO_SKUNKS,
            "Amber has a hand less to sit, on 23.",
            "Ambre a une main de moins à patienter, à 23.",
        ),
        (ON_TRACK, "Amber is owed a hole on its release.", "Ambre gagne une place pour sa sortie."),
    ],
)
def test_a_newcomer_in_the_box(rules: HouseRules, english: str, french: str) -> None:
    """Z8: it names what the occupant gains, by house rule."""
    lines = reported(one_boxed(rules), Peg(side=2, points=7))
    assert [english, french] == [line.split("; ")[-1] for line in lines]


@pytest.mark.parametrize(
    ("start", "points", "english", "french"),
    [
        (130, 4, "to 4 on the blue path", "jusqu'à la place 4 de la voie bleue"),
        (130, 8, "and comes off the blue path on 113", "et sort de la voie bleue à 113"),
        (200, 4, "to 4 on the green path", "jusqu'à la place 4 de la voie verte"),
        (200, 8, "and comes off the green path on 237", "et sort de la voie verte à 237"),
    ],
)
def test_side_paths(start: int, points: int, english: str, french: str) -> None:
    """Z3, Z4: down a path and off it are named, even beside the cards' reason."""
    table = two(start, landed=True)
    entry = table.history.decide(Peg(side=1, points=points))
    each = commentators(table.state.setup)
    words = {4: ("four", "quatre"), 8: ("eight", "huit")}[points]
    lines = [f"Amber counts {words[0]}, {english}.", f"Ambre compte {words[1]}, {french}."]
    assert lines == [one.entry(entry) for one in each]
    count = Count(seat=1, points=points, why=CountKind.HAND)
    assert lines == [one.count(count, None, entry.events) for one in each]


def test_on_along_a_path() -> None:
    """Z3: from hole to hole of a path, and from the path onto the track."""
    table = two(130, landed=True)
    table.peg(1, 2)
    assert "Amber counts three, to 5 on the blue path." == reported(table, Peg(side=1, points=3))[0]
    assert (
        "Amber counts two, and comes off the blue path on 112."
        == reported(table, Peg(side=1, points=2))[0]
    )


def test_off_a_path_and_into_a_zone() -> None:
    """Z1, Z3: the rejoin hole or beyond is a landing, told after the path."""
    table = Table(CROWDED, stand={1: 33, 2: 60}, landed=(1,))
    assert (
        "Amber counts five, comes off the blue path on 26, folds in the penalty box on 26,"
        " and goes back to 6; White is awarded twenty, to 80."
        == reported(table, Peg(side=1, points=5))[0]
    )


def test_past_a_trap_where_it_did_not_land() -> None:
    """Z1: a peg that was only set back onto a box hole stays on the track."""
    assert "Amber counts four, to 134." == reported(two(130), Peg(side=1, points=4))[0]


def test_too_many_for_an_exact_finish() -> None:
    """G2: it has the count, and that the peg stays."""
    line = [
        "Amber counts six, and stays on 360, that being too many for an exact finish.",
        "Ambre compte six, et reste à 360, car c'est trop pour finir juste.",
    ]
    table = two(360, rules=EXACT)
    entry = table.history.decide(Peg(side=1, points=6))
    count = Count(seat=1, points=6, why=CountKind.HAND)
    each = commentators(table.state.setup)
    assert line == [one.count(count, None, entry.events) for one in each]
    assert line == reported(table, Peg(side=1, points=6))


def test_an_award_too_long_for_an_exact_finish() -> None:
    """G2, Z6: a forfeited award is called an award."""
    line = reported(two(20, 350, rules=EXACT), Peg(side=1, points=2))[0]
    assert line.endswith(
        "; White is awarded twenty, and stays on 350, that being too many for an exact finish."
    )


def test_winning() -> None:
    """G2: the win ends the sentence, without the hole."""
    assert ["Amber counts six, and wins.", "Ambre compte six, et gagne."] == reported(
        two(358), Peg(side=1, points=6)
    )


def test_winning_the_match() -> None:
    """G6: the match is won with it."""
    assert [
        "Amber counts six, wins, and takes the match.",
        "Ambre compte six, gagne, et remporte le match.",
    ] == reported(two(358, rules=MATCH), Peg(side=1, points=6))


@pytest.mark.parametrize(
    ("other", "english", "french"),
    [
        (
            80,
            "wins for two games; White is skunked",
            "gagne pour deux parties\u00a0; Blanc prend un skunk",
        ),
        (
            50,
            "wins for four games; White is double-skunked",
            "gagne pour quatre parties\u00a0; Blanc prend un double skunk",
        ),
    ],
)
def test_skunks_at_the_finish(other: int, english: str, french: str) -> None:
    """G4: the win's worth precedes the skunked sides."""
    table = two(358, other, rules=AT_FINISH)
    assert [f"Amber counts six, and {english}.", f"Ambre compte six, et {french}."] == reported(
        table, Peg(side=1, points=6)
    )


def test_a_skunk_on_the_way() -> None:
    """G4: a skunk announced at 121 does not separate a count from its landing."""
    table = two(114, 80, rules=HouseRules())
    line = reported(table, Peg(side=1, points=16))[0]
    assert "Amber counts sixteen, and falls into the time trap on 130; White is skunked." == line


def test_the_deal_of_a_partner() -> None:
    """T1, T2: with partners the dealer has a seat."""
    table = Table(seats=(2, 4))
    assert ["White, seat two, deals.", "Blanc, siège deux, donne."] == reported(table, Deal())


@pytest.mark.parametrize(
    ("table", "points", "line"),
    [
        (two(70), 6, ""),
        (
            two(20, 50),
            2,
            "Amber folds in the penalty box on 22, and goes back to 2; White is awarded",
        ),
        (Table(rules=AT_FINISH, stand={1: 360, 2: 80}), 3, "Amber wins for two games; White is"),
    ],
)
def test_highlights(table: Table, points: int, line: str) -> None:
    """Landings, skunks and wins are short, without the count; a plain count is empty."""
    entry = table.history.decide(Peg(side=1, points=points))
    said = commentators(table.state.setup)[0].highlights(entry)
    assert said.startswith(line)
    assert bool(line) == bool(said)
