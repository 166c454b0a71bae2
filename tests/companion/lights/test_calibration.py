"""Calibration finds any wiring by lighting LEDs, and refuses impossible answers."""

import random
from collections.abc import Mapping

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.board import Board, load_board
from companion.errors import BadInputError, StaleError
from companion.lights import Per, Points, Wiring
from companion.lights.calibration import Calibration
from companion.lights.tracer import QuestionKind
from companion.lights.wiring import read_plan, runs, serpentine
from tests.companion.lights.built_strips import (
    BuiltStrips,
    answered,
    dead_points,
    random_strips,
    refused,
    shown,
)
from tests.support.boards import make_board

SMALL = make_board()
"""Of small boards the runs are short, so that the odd cases are frequent."""

TINY = make_board(finish=16, lanes=1, column=4, zones=(), seats=2)


def found(board: Board, per: Per, strips: BuiltStrips) -> Wiring:
    """Return the wiring that calibration finds."""
    calibration = Calibration(board, per=per, channels=len(strips.channels))
    answered(calibration, strips)
    return Wiring.make(board, calibration.result())


def row(name: str, board: Board = SMALL, per: Per = Per.HOLE) -> tuple[int, ...]:
    """Return the points of a run in the order of its holes."""
    return runs(Points(board, per))[name].points


def in_order(board: Board, per: Per) -> list[int | None]:
    """Return one channel in the soldering order."""
    return [point for run in serpentine(Points(board, per)) for point in run.points]


@given(
    st.integers(0),
    st.sampled_from((SMALL, TINY)),
    st.sampled_from(Per),
    st.integers(1, 2),
    st.integers(0, 8),
)
def test_any_wiring_is_found(seed: int, board: Board, per: Per, channels: int, skips: int) -> None:
    """Runs have any order, direction and channel, with any skipped LEDs."""
    chance = random.Random(seed)
    strips = random_strips(board, per, chance, channels=channels, skips=skips, dead=0)
    assert strips.shown() == shown(found(board, per, strips))


@given(st.integers(0), st.sampled_from(Per), st.integers(0, 5), st.integers(1, 20))
def test_dead_leds_take_nothing_from_the_lit_ones(
    seed: int, per: Per, skips: int, dead: int
) -> None:
    """Each LED that lights shows its hole if two in each row do."""
    strips = random_strips(SMALL, per, random.Random(seed), channels=1, skips=skips, dead=dead)
    lit = {point for *_, point in strips.shown()}
    rows = [set(run.points) for run in runs(Points(SMALL, per)).values() if not run.is_lamp]
    assume(all(len(points & lit) > 1 for points in rows))
    calibration = Calibration(SMALL, per=per)
    answered(calibration, strips)
    result = calibration.result()
    wiring = Wiring.make(SMALL, result)
    assert strips.shown() == shown(wiring)
    wired = {point for run in read_plan(SMALL, result).channels[0] for point in run.points}
    assert {strips.channels[0][led] for _, led in strips.dead} & wired == dead_points(SMALL, result)


@pytest.mark.parametrize(
    ("per", "most"), [(Per.HOLE_AND_LANE, 51 + 10), (Per.HOLE, 23 + 10)], ids=str
)
def test_a_board_takes_one_tap_a_run_and_a_few(per: Per, most: int) -> None:
    """Without skipped and dead LEDs each piece of strip takes little more than a tap."""
    board = load_board("crib-wars")
    strips = random_strips(board, per, random.Random(7), channels=1, skips=0, dead=0)
    calibration = Calibration(board, per=per)
    assert most >= answered(calibration, strips)
    assert {"per", "chains"} == set(calibration.result())


def test_a_skipped_led_takes_no_more_taps_than_halving_its_run() -> None:
    """One in the middle of a row of 49 takes seven more taps."""
    board = load_board("crib-wars")
    calibration = Calibration(board, per=Per.HOLE)
    wire = in_order(board, Per.HOLE)
    plain = answered(calibration, BuiltStrips(channels=[list(wire)]))
    at = wire.index(runs(calibration.points)["170-218"].points[20])
    wire[at:at] = [None]
    calibration = Calibration(board, per=Per.HOLE)
    assert plain + 8 >= answered(calibration, BuiltStrips(channels=[wire]))
    assert [[0, at]] == calibration.result()["skipped"]


def test_what_is_found_is_what_a_person_would_write() -> None:
    """It has only chains in the order of the wire, reversed rows, skipped and dead LEDs."""
    names = ["41-60", "1-20", "trap-26:1-3", "21-40", "green-34:1-3", "start-1"]
    wire: list[int | None] = [None, *row("41-60"), *row("1-20")[::-1], *row("trap-26:1-3"), None]
    wire += [None, *row("21-40"), *row("green-34:1-3")[::-1], *row("start-1"), None]
    wire.insert(30, None)
    strips = BuiltStrips(channels=[wire], dead={(0, 10), (0, len(wire) - 3)})
    calibration = Calibration(SMALL, per=Per.HOLE)
    answered(calibration, strips)
    wanted: Mapping[str, object] = {
        "per": "hole",
        "chains": [{"channel": 0, "rows": names, "reversed": ["1-20", "green-34:1-3"]}],
        "skipped": [[0, 0], [0, 30], [0, 45], [0, 46]],
        "dead": [[0, 10], [0, len(wire) - 3]],
    }
    assert wanted == calibration.result()
    assert tuple(names) == calibration.found


def test_a_lone_gap_may_be_long() -> None:
    """A long piece of strip under nothing is not searched LED by LED."""
    wire = in_order(SMALL, Per.HOLE)
    wire[20:20] = [None] * 60
    calibration = Calibration(SMALL, per=Per.HOLE)
    assert 45 >= answered(calibration, BuiltStrips(channels=[wire]))
    assert [[0, led] for led in range(20, 80)] == calibration.result()["skipped"]


def test_a_row_without_any_light_is_named() -> None:
    """A wire that ends early gives an error with the dark rows."""
    wire = in_order(SMALL, Per.HOLE)[:40]
    calibration = Calibration(SMALL, per=Per.HOLE)
    answered(calibration, BuiltStrips(channels=[wire]))
    assert ("41-60", "trap-26:1-3", "green-34:1-3") == calibration.missing
    with pytest.raises(BadInputError, match="no light was seen in 41-60, trap-26:1-3, green-34"):
        calibration.result()


def test_every_answer_can_be_taken_back() -> None:
    """Undo repeats the earlier questions, back to the first one."""
    strips = random_strips(SMALL, Per.HOLE, random.Random(3), channels=2, skips=4, dead=3)
    calibration = Calibration(SMALL, per=Per.HOLE, channels=2)
    requested = []
    reported: set[int] = set()
    while (lit := calibration.question) is not None:
        requested.append(lit)
        point = strips.reply(lit, reported)
        reported |= {point} if lit.kind is QuestionKind.DARK and point is not None else set()
        calibration.answer(point)
    result = calibration.result()
    for lit in reversed(requested):
        calibration.undo()
        assert lit == calibration.question
    calibration.undo()
    assert (requested[0], 0) == (calibration.question, calibration.answers)
    answered(calibration, strips)
    assert result == calibration.result()


def test_what_cannot_be_is_refused_and_asked_again() -> None:
    """Such are taps in mid-row or in a known row, and light that was not there."""
    calibration = Calibration(SMALL, per=Per.HOLE)
    first = calibration.question
    assert refused(calibration, row("1-20")[7]).startswith("a piece of strip begins at an end")
    assert (first, 0) == (calibration.question, 0)
    assert "there is no light point 999" in refused(calibration, 999)
    assert not refused(calibration, row("1-20")[0])
    assert not refused(calibration, row("21-40")[0])
    assert refused(calibration, row("1-20")[19]).startswith("that piece of strip was found already")
    assert ("1-20", "21-40") == calibration.found


def test_light_between_two_leds_lies_between_them() -> None:
    """While a row is halved, a tap elsewhere is impossible."""
    wire = in_order(SMALL, Per.HOLE)
    wire[5:5] = [None]
    calibration, strips = Calibration(SMALL, per=Per.HOLE), BuiltStrips(channels=[wire])
    while calibration.question is not None and calibration.question.first != 10:
        calibration.answer(strips.reply(calibration.question, set()))
    assert calibration.question is not None
    assert set(row("1-20")[9:11]) == set(calibration.question.likely)
    assert refused(calibration, row("1-20")[3]).startswith("this LED lies between two LEDs that")


def test_light_that_was_seen_is_somewhere() -> None:
    """If one of several LEDs was seen, questions go on until it is known."""
    wire = in_order(SMALL, Per.HOLE)
    wire[0:0] = [None] * 3
    calibration, strips = Calibration(SMALL, per=Per.HOLE), BuiltStrips(channels=[wire])
    for lit in iter(lambda: calibration.question, None):
        if (lit.first, lit.kind) == (3, QuestionKind.WHERE):
            break
        calibration.answer(strips.reply(lit, set()))
    assert refused(calibration, None).startswith("light was seen just now")


def test_a_tap_means_the_likely_light_close_by() -> None:
    """As fingers are wide, an end of a row is meant rather than its neighbour."""
    calibration = Calibration(SMALL, per=Per.HOLE)
    x, y = SMALL.place(2, 1)
    beside = SMALL.place(2, 2)
    assert row("1-20")[0] == calibration.tapped(x + 3, y)
    assert row("1-20")[0] == calibration.tapped(*beside)
    assert row("1-20")[6] == calibration.tapped(*SMALL.place(2, 7))
    assert row("1-20")[0] == calibration.tapped(*SMALL.place(1, 1))


def test_a_hole_is_tapped_by_its_name() -> None:
    """The page knows lane and hole; an unknown hole is refused."""
    calibration = Calibration(SMALL, per=Per.HOLE_AND_LANE)
    assert Points(SMALL).index(2, "trap-26:1") == calibration.point(2, "trap-26:1")
    with pytest.raises(BadInputError, match="there is no hole 61 in lane 1"):
        calibration.point(1, 61)


def test_nothing_is_reported_before_its_time() -> None:
    """There is no result during questions, and no answer without one."""
    calibration = Calibration(SMALL, per=Per.HOLE)
    with pytest.raises(StaleError, match="answer the question"):
        calibration.result()
    answered(calibration, BuiltStrips(channels=[in_order(SMALL, Per.HOLE)]))
    with pytest.raises(StaleError, match="the wiring is known"):
        calibration.answer(None)
