"""Muggins: points missed go to who calls them, where the house plays so."""

import dataclasses
from typing import Literal

import pytest

from companion.rules.game import Muggins, Overpeg, Peg
from companion.rules.game.house_rules import preset
from tests.companion.rules.game.calls import ALLEY, EVERYWHERE, counted, missed, overcalled
from tests.companion.rules.game.tables import Table, one_boxed
from tests.support.tracks import CLASSIC, CRIB_WARS


@pytest.mark.parametrize("where", ["play", "show"])
def test_missed_points_go_to_the_caller(where: Literal["play", "show"]) -> None:
    """M1: in the play or the show, the caller pegs them as a count; who missed them stays."""
    table = counted(4)
    events = table.do(missed(6, where=where))
    assert [("penalised", 1, 4, 4, 6, "M1"), ("counted", 2, 50, 56, 6, "M1")] == [
        (e.kind.value, e.side, e.origin, e.to, e.points, e.rule) for e in events
    ]
    assert [(4, 0), (56, 50)] == [table.pegs(1), table.pegs(2)]


def test_points_missed_altogether() -> None:
    """M1: a side that pegged nothing at all has missed its points too."""
    table = Table(rules=EVERYWHERE)
    assert ["penalised", "counted"] == table.kinds(missed(8))
    assert (8, 0) == table.pegs(2)


def test_missed_points_land() -> None:
    """M1: what the caller pegs is a count and lands as counts do (Z1)."""
    table = Table(rules=EVERYWHERE, stand={2: 40})
    assert ["penalised", "counted", "slid"] == table.kinds(missed(2))
    assert (62, 40) == table.pegs(2)


def test_missed_points_may_win() -> None:
    """M1: what the caller pegs can win the game (G2), and the undo takes it back."""
    table = Table(rules=EVERYWHERE, stand={1: 3, 2: 362})
    assert ["penalised", "counted", "won"] == table.kinds(missed(1))
    assert "G2" == table.refusal(missed(1))
    table.undo()
    assert (None, (362, 0)) == (table.state.winner, table.pegs(2))


def test_a_folded_side_may_call() -> None:
    """M1: a fold is of hand and crib; what others miss may still be called (Z5)."""
    table = Table(rules=EVERYWHERE, stand={1: 80, 2: 15})
    table.peg(2, 7)
    assert ["penalised", "counted"] == table.kinds(missed(2))


def test_a_boxed_side_pegs_nothing() -> None:
    """M1: a boxed side's peg is refused (Z7)."""
    assert "Z7" == one_boxed(EVERYWHERE).refusal(missed(2, erring=2, by=1))


def test_what_a_boxed_side_missed() -> None:
    """M1: the peg of who missed the points may stand in a box; only the caller's moves."""
    assert ["penalised", "counted"] == one_boxed(EVERYWHERE).kinds(missed(2))


def test_nobody_calls_its_own() -> None:
    """M1: the caller is another side."""
    assert "M1" == Table(rules=EVERYWHERE).refusal(missed(by=1))


@pytest.mark.parametrize("points", [-1, 0, 30])
def test_what_is_called_is_a_count(points: int) -> None:
    """M1: points that are called are 1 to 29, as any count is (S5)."""
    assert "S5" == Table(rules=EVERYWHERE).refusal(missed(points))


@pytest.mark.parametrize(("erring", "by"), [(3, 1), (1, 3), (0, 1), (1, 0)])
def test_only_sides_that_play(erring: int, by: int) -> None:
    """T1: a side that takes no part neither misses points nor calls them."""
    assert "T1" == Table(rules=EVERYWHERE).refusal(missed(erring=erring, by=by))


def test_points_called_are_the_last_count() -> None:
    """N11: the caller has counted last, and may have pegged too many."""
    table = counted(4)
    table.do(missed(6))
    assert "N11" == table.refusal(Overpeg(side=1, extra=1))
    assert ["overpegged", "counted"] == table.overpeg(2, 4)
    assert (52, 50) == table.pegs(2)


# M3: where, and given back


@pytest.mark.parametrize(("front", "rule"), [(0, None), (1, None), (121, None), (122, "M3")])
def test_the_alley_is_the_first_121_holes(front: int, rule: str | None) -> None:
    """M3: it is judged by the front peg of who missed the points."""
    table = Table(rules=ALLEY, stand={1: front, 2: 300})
    if rule:
        assert rule == table.refusal(missed())
    else:
        assert ["penalised", "counted"] == table.kinds(missed())


def test_a_blue_path_is_not_in_the_alley() -> None:
    """M3: a side path is none of the first 121 holes of the track."""
    assert "M3" == Table(rules=ALLEY, stand={1: "trap-1:6"}).refusal(missed())


@pytest.mark.parametrize(("start", "rule"), [(121, None), (122, "M3")])
def test_it_is_judged_before_the_count(start: int, rule: str | None) -> None:
    """M3: a count that began in the alley is called there, wherever it ended."""
    for command in (missed(), overcalled()):
        table = counted(6, ALLEY, start=start)
        if rule:
            assert rule == table.refusal(command)
        else:
            assert "penalised" == table.kinds(command)[0]


def test_points_missed_after_another_count() -> None:
    """M3: once another side has counted, what was missed was missed where the peg stands now."""
    table = counted(6, ALLEY, start=120)
    table.peg(2, 1)
    assert "M3" == table.refusal(missed())


@pytest.mark.parametrize("front", [0, 362])
def test_switched_off(front: int) -> None:
    """M3: a house without muggins takes no call, given back or not."""
    table = Table(rules=dataclasses.replace(ALLEY, muggins="off"), stand={1: front, 2: 9})
    assert "M3" == table.refusal(missed())
    assert "M3" == table.refusal(missed(given_back=True))


def test_everywhere() -> None:
    """M3: a house with muggins everywhere takes a call on the last hole too."""
    table = Table(rules=EVERYWHERE, stand={1: 362, 2: 9})
    assert ["penalised", "counted"] == table.kinds(missed())


BACK = [missed(3, given_back=True), overcalled(3, given_back=True)]
PENALISED = ("penalised", 1, 8, 8, 3, "M3")


@pytest.mark.parametrize(
    ("command", "follows"),
    [
        (BACK[0], [("counted", 1, 8, 11, 3, "M3")]),
        (
            BACK[1],
            [
                ("overpegged", 1, 8, 0, 3, "M2"),
                ("counted", 1, 0, 5, 5, "P7"),
                ("counted", 1, 5, 8, 3, "M3"),
            ],
        ),
    ],
)
def test_given_back_at_once(command: Muggins, follows: list[tuple[object, ...]]) -> None:
    """M3: the caller may give the points back: the erring side pegs them as a count of its own."""
    table = counted(8, ALLEY)
    assert [PENALISED, *follows] == [
        (e.kind.value, e.side, e.origin, e.to, e.points, e.rule) for e in table.do(command)
    ]
    assert (50, 0) == table.pegs(2)


@pytest.mark.parametrize("command", BACK)
def test_given_back_to_nobody(command: Muggins) -> None:
    """M3: a house may give them back to nobody: no peg moves, the last count is the last."""
    table = counted(8, dataclasses.replace(ALLEY, given_back="nobody"))
    sides = table.state.all_pegs
    assert ["penalised"] == table.kinds(command)
    assert sides == table.state.all_pegs
    assert ["overpegged", "counted"] == table.overpeg(1, 2)


def test_given_back_into_a_box() -> None:
    """M3: points given back land as counts do, and a side in a box cannot take them (Z7)."""
    table = counted(20, ALLEY)
    assert ["penalised", "counted", "folded", "sent_back", "awarded"] == table.kinds(
        missed(2, given_back=True)
    )
    assert (2, 20) == table.pegs(1)
    assert "Z7" == one_boxed(ALLEY).refusal(missed(given_back=True))


def test_what_cannot_be_called_cannot_be_given_back() -> None:
    """M3: points are given back that could have been taken."""
    assert "M2" == counted(5, ALLEY).refusal(overcalled(6, given_back=True))
    assert "M3" == Table(rules=ALLEY, stand={1: 200}).refusal(missed(given_back=True))


@pytest.mark.parametrize(
    ("name", "front", "rule"),
    [
        ("crib-wars", 121, None),
        ("crib-wars", 122, "M3"),
        ("classic-121", 0, "M3"),
        ("classic-61", 0, "M3"),
        ("electronic", 0, "M3"),
        ("lurch", 120, None),
        ("family", 0, "M3"),
    ],
)
def test_muggins_in_the_presets(name: str, front: int, rule: str | None) -> None:
    """M3: Crib Wars plays it in the alley, ordinary cribbage not unless the sheet says so."""
    rules = preset(name)
    track = CLASSIC if rules.board == "classic" else CRIB_WARS
    table = Table(track, rules, stand={1: front, 2: 9})
    if rule:
        assert rule == table.refusal(missed())
    else:
        assert ["penalised", "counted"] == table.kinds(missed())


# M4: the go


@pytest.mark.parametrize("muggins", ["off", "alley", "on"])
def test_the_point_for_a_go(muggins: str) -> None:
    """M4: a go is a count of its own, pegged like any other, whatever the house says of muggins."""
    table = Table(rules=dataclasses.replace(EVERYWHERE, muggins=muggins), stand={1: 39})
    table.peg(1, 2)
    assert ["counted", "slid"] == table.kinds(Peg(side=1, points=1))
    assert (62, 41) == table.pegs(1)
