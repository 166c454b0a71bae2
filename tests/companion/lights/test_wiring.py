"""Wiring: every light point has one LED on any board, and calibration finds it."""

import itertools
import math
import random
from collections.abc import Mapping
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.board import Board, load_board
from companion.errors import BadInputError, SettingsError, StaleError
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
from tests.companion.lights.games import SMALL
from tests.support.boards import make_board
from tests.support.lamp_reader import led_of

boards = st.builds(
    lambda finish, lanes, column, seats: make_board(
        finish=finish, lanes=lanes, column=column, seats=seats
    ),
    st.integers(60, 90),
    st.integers(2, 3),
    st.integers(5, 30),
    st.integers(0, 6),
)
ALL_ROWS = list(runs(Points(SMALL)))
SMALL_BOARD = make_board()
"""Of small boards the runs are short, so that the odd cases are frequent."""


def faults(table: Mapping[str, object]) -> tuple[str, ...]:
    """Return the faults of a `[wiring]` table for the small board."""
    with pytest.raises(SettingsError) as caught:
        Wiring.make(SMALL, table)
    return tuple(map(str, caught.value.faults))


def numbered(points: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return light with a different level at each point."""
    return np.arange(1, points + 1, dtype=np.float32)[:, None] * np.ones(3, dtype=np.float32)


def row(name: str, board: Board = SMALL_BOARD, per: Per = Per.HOLE) -> tuple[int, ...]:
    """Return the points of a run in the order of its holes."""
    return runs(Points(board, per))[name].points


def in_order(board: Board, per: Per) -> list[int | None]:
    """Return one channel in the soldering order."""
    return [point for run in serpentine(Points(board, per)) for point in run.points]


# One LED for every point, and faults that come all at once


@settings(deadline=None)
@given(boards, st.sampled_from(Per), st.sampled_from([1, 2]))
def test_wiring_is_a_bijection(board: Board, per: Per, channels: int) -> None:
    """Points and LEDs correspond one to one, on one channel or two."""
    wiring = Wiring.make(board, {"per": str(per), "channels": channels})
    size = wiring.points.size
    assert size == sum(wiring.leds)
    assert sorted(numbered(size)[:, 0]) == sorted(wiring.spread(numbered(size))[:, 0])


@settings(deadline=None)
@given(boards, st.sampled_from(Per))
def test_leds_lie_where_the_points_lie_that_they_show(board: Board, per: Per) -> None:
    """An LED is at its hole, in the middle lane if shared, or at its lamp."""
    wiring = Wiring.make(board, {"per": str(per), "channels": 2})
    spread, places = wiring.spread(numbered(wiring.points.size)), wiring.places
    shown = dict(zip((spread[:, 0] - 1).tolist(), places, strict=True))
    for lamp in board.lamps:
        assert (lamp.x_mm, lamp.y_mm) == shown[wiring.points.lamps[lamp.id]]
    lane = (board.track.lanes + 1) // 2
    assert board.place(lane, 17) == shown[wiring.points.index(lane, 17)]


def test_the_soldering_order_goes_back_and_forth() -> None:
    """Each run begins beside the end of the last, by columns and lanes."""
    chain = serpentine(Points(SMALL))
    assert ["1:1-20", "2:1-20", "3:1-20", "1:21-40"] == [run.name for run in chain[:4]]
    first, second, third, fourth = chain[:4]
    assert (1, 20) == (first.points[0] + 1, first.points[-1] + 1)
    assert second.points == second.points[:1] + tuple(range(second.points[0] - 1, 19, -1))
    assert third.points[0] < third.points[-1]
    assert 60 > math.dist(third.places[-1], fourth.places[0])


def test_the_default_board_needs_no_long_joints() -> None:
    """No wire between runs is longer than the gap between two columns."""
    chain = serpentine(Points(load_board("crib-wars")))
    track = [run for run in chain if not run.is_lamp and "trap" not in run.name]
    columns = [run for run in track if "green" not in run.name]
    joints = [
        math.dist(one.places[-1], other.places[0]) for one, other in itertools.pairwise(columns)
    ]
    assert 90 > max(joints)
    assert 24 == len(columns)


def test_two_channels_share_the_work() -> None:
    """The chain is cut near its middle, between two runs."""
    wiring = Wiring.make(load_board("crib-wars"), {"channels": 2})
    assert 1206 == sum(wiring.leds)
    assert 49 >= abs(wiring.leds[0] - wiring.leds[1])


def test_chains_are_taken_as_written() -> None:
    """Rows have the order of the wire, reversed where marked, by channels."""
    rest = [name for name in ALL_ROWS if name not in ("2:1-20", "start-3")]
    wiring = Wiring.make(
        SMALL,
        {
            "chains": [
                {"channel": 1, "rows": ["start-3", "2:1-20"], "reversed": ["2:1-20"]},
                {"channel": 0, "rows": rest},
            ]
        },
    )
    points = wiring.points
    assert (1, 0) == led_of(wiring, points.lamps["start-3"])
    assert (1, 1) == led_of(wiring, points.index(2, 20))
    assert (1, 20) == led_of(wiring, points.index(2, 1))
    assert (points.size - 21, 21) == wiring.leds


def test_lamps_may_be_left_out() -> None:
    """A builder may omit lamps of empty seats, but no rows."""
    rows = [name for name in ALL_ROWS if name != "dealer-6"]
    wiring = Wiring.make(SMALL, {"chains": [{"rows": rows}]})
    assert led_of(wiring, wiring.points.lamps["dealer-6"]) is None
    assert wiring.points.size - 1 == sum(wiring.leds)


def test_skipped_leds_lie_between_and_dead_ones_stay_dark() -> None:
    """A skipped LED shifts the rest; a dead one keeps its hole and is dark."""
    wiring = Wiring.make(SMALL, {"skipped": [[0, 2], [0, 3]], "dead": [[0, 5]]})
    spread = wiring.spread(numbered(wiring.points.size))[:, 0]
    assert [1, 2, 0, 0, 3, 0, 5] == spread[:7].tolist()
    assert wiring.points.size + 2 == wiring.leds[0]
    assert [None, None] == wiring.places[2:4]
    assert SMALL.place(1, 4) == wiring.places[5]
    assert (0, 4) == led_of(wiring, wiring.points.index(1, 3))


def test_names_go_without_the_lane_where_lanes_share() -> None:
    """With one LED a hole a run is named only by its holes."""
    names = list(runs(Points(SMALL, Per.HOLE)))
    assert ["1-20", "21-40", "41-60", "trap-26:1-3", "green-34:1-3", "start-1"] == names[:6]


def test_each_fault_names_its_key_and_a_remedy() -> None:
    """Each fault has exactly one line."""
    rows: list[tuple[dict[str, object], str]] = [
        ({"pre": 1}, "wiring.pre: there is no such key; did you mean 'per'?"),
        ({"per": "lane"}, 'wiring.per: cannot be "lane"; it takes "hole-and-lane" or "hole"'),
        ({"channels": 3}, "wiring.channels: cannot be 3; it takes a whole number from 1 to 2"),
        ({"channels": True}, "wiring.channels: cannot be true; it takes"),
        ({"chains": 4}, "wiring.chains: cannot be 4; write"),
        ({"chains": []}, "wiring.chains: there is no chain; write"),
        ({"chains": [{"channel": 2, "rows": ALL_ROWS}]}, "wiring.chains[1].channel: cannot be 2"),
        (
            {"chains": [{"rows": [*ALL_ROWS, "1:1-2"]}]},
            "wiring.chains[1].rows: no row '1:1-2'; did",
        ),
        ({"chains": [{"rows": [*ALL_ROWS, "start-1"]}]}, "wiring.chains: 'start-1' comes 2 times"),
        ({"chains": [{"rows": ALL_ROWS[1:]}]}, "wiring.chains: row '1:1-20' is on no chain"),
        ({"chains": [{"row": [], "rows": ALL_ROWS}]}, "wiring.chains[1].row: there is no such key"),
        ({"chains": [{"channel": 1, "rows": ALL_ROWS}]}, "wiring.chains: channel 0 has no chain"),
        ({"chains": [{"rows": ALL_ROWS, "reversed": ["1"]}]}, "wiring.chains[1].reversed: '1' is"),
        ({"chains": [{"rows": ALL_ROWS}], "channels": 1}, "wiring.channels: is for boards without"),
        ({"dead": 5}, "wiring.dead: cannot be 5; it takes a list of pairs of channel and LED"),
        ({"dead": [5]}, "wiring.dead: cannot be [5]; it takes a list of pairs of channel and LED"),
        ({"dead": [[0, 999]]}, "wiring.dead: [0, 999] lies beyond the channel's last LED, 206"),
        ({"dead": [[1, 0]]}, "wiring.dead: [1, 0]: nothing is wired to channel 1"),
        ({"dead": [[0, 1], [0, 1]]}, "wiring.dead: [0, 1] comes 2 times; name it once"),
        ({"dead": [[0, 1]], "skipped": [[0, 1]]}, "wiring.dead: [0, 1] is skipped too"),
    ]
    for table, expected in rows:
        (fault,) = faults(table)
        assert fault.startswith(expected), fault


def test_all_faults_are_reported_at_once() -> None:
    """The settings' faults come together."""
    found = faults(
        {
            "per": "lane",
            "colour": "red",
            "chains": [{"rows": [*ALL_ROWS, "x"]}, {"rows": 3, "channel": "left"}],
            "skipped": [[0, -1]],
        }
    )
    keys = [fault.partition(":")[0] for fault in found]
    assert sorted(
        [
            "wiring.per",
            "wiring.colour",
            "wiring.chains[1].rows",
            "wiring.chains[2].rows",
            "wiring.chains[2].channel",
            "wiring.skipped",
        ]
    ) == sorted(keys)


@settings(deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["per", "channels", "chains", "skipped", "dead"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(["channel", "rows", "reversed"]), inner)
            ),
            max_leaves=8,
        ),
    )
)
def test_any_table_is_wired_or_refused(table: dict[str, object]) -> None:
    """Any table is a wiring, or an error with the reason."""
    with suppress(SettingsError):
        assert sum(Wiring.make(SMALL, table).leds) >= len(SMALL.rows)
        return
    found = faults(table)
    assert found
    assert all(fault.startswith("wiring") for fault in found)


# Calibration finds any wiring by lighting LEDs, and refuses impossible answers


TINY = make_board(finish=16, lanes=1, column=4, zones=(), seats=2)


def found(board: Board, per: Per, strips: BuiltStrips) -> Wiring:
    """Return the wiring that calibration finds."""
    calibration = Calibration(board, per=per, channels=len(strips.channels))
    answered(calibration, strips)
    return Wiring.make(board, calibration.result())


@given(
    st.integers(0),
    st.sampled_from((SMALL_BOARD, TINY)),
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
    strips = random_strips(
        SMALL_BOARD, per, random.Random(seed), channels=1, skips=skips, dead=dead
    )
    lit = {point for *_, point in strips.shown()}
    rows = [set(run.points) for run in runs(Points(SMALL_BOARD, per)).values() if not run.is_lamp]
    assume(all(len(points & lit) > 1 for points in rows))
    calibration = Calibration(SMALL_BOARD, per=per)
    answered(calibration, strips)
    result = calibration.result()
    wiring = Wiring.make(SMALL_BOARD, result)
    assert strips.shown() == shown(wiring)
    wired = {point for run in read_plan(SMALL_BOARD, result).channels[0] for point in run.points}
    assert {strips.channels[0][led] for _, led in strips.dead} & wired == dead_points(
        SMALL_BOARD, result
    )


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
    calibration = Calibration(SMALL_BOARD, per=Per.HOLE)
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
    wire = in_order(SMALL_BOARD, Per.HOLE)
    wire[20:20] = [None] * 60
    calibration = Calibration(SMALL_BOARD, per=Per.HOLE)
    assert 45 >= answered(calibration, BuiltStrips(channels=[wire]))
    assert [[0, led] for led in range(20, 80)] == calibration.result()["skipped"]


def test_a_row_without_any_light_is_named() -> None:
    """A wire that ends early gives an error with the dark rows."""
    wire = in_order(SMALL_BOARD, Per.HOLE)[:40]
    calibration = Calibration(SMALL_BOARD, per=Per.HOLE)
    answered(calibration, BuiltStrips(channels=[wire]))
    assert ("41-60", "trap-26:1-3", "green-34:1-3") == calibration.missing
    with pytest.raises(BadInputError, match="no light was seen in 41-60, trap-26:1-3, green-34"):
        calibration.result()


def test_every_answer_can_be_taken_back() -> None:
    """Undo repeats the earlier questions, back to the first one."""
    strips = random_strips(SMALL_BOARD, Per.HOLE, random.Random(3), channels=2, skips=4, dead=3)
    calibration = Calibration(SMALL_BOARD, per=Per.HOLE, channels=2)
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
    calibration = Calibration(SMALL_BOARD, per=Per.HOLE)
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
    wire = in_order(SMALL_BOARD, Per.HOLE)
    wire[5:5] = [None]
    calibration, strips = Calibration(SMALL_BOARD, per=Per.HOLE), BuiltStrips(channels=[wire])
    while calibration.question is not None and calibration.question.first != 10:
        calibration.answer(strips.reply(calibration.question, set()))
    assert calibration.question is not None
    assert set(row("1-20")[9:11]) == set(calibration.question.likely)
    assert refused(calibration, row("1-20")[3]).startswith("this LED lies between two LEDs that")


def test_light_that_was_seen_is_somewhere() -> None:
    """If one of several LEDs was seen, questions go on until it is known."""
    wire = in_order(SMALL_BOARD, Per.HOLE)
    wire[0:0] = [None] * 3
    calibration, strips = Calibration(SMALL_BOARD, per=Per.HOLE), BuiltStrips(channels=[wire])
    for lit in iter(lambda: calibration.question, None):
        if (lit.first, lit.kind) == (3, QuestionKind.WHERE):
            break
        calibration.answer(strips.reply(lit, set()))
    assert refused(calibration, None).startswith("light was seen just now")


def test_a_tap_means_the_likely_light_close_by() -> None:
    """As fingers are wide, an end of a row is meant rather than its neighbour."""
    calibration = Calibration(SMALL_BOARD, per=Per.HOLE)
    x, y = SMALL_BOARD.place(2, 1)
    beside = SMALL_BOARD.place(2, 2)
    assert row("1-20")[0] == calibration.tapped(x + 3, y)
    assert row("1-20")[0] == calibration.tapped(*beside)
    assert row("1-20")[6] == calibration.tapped(*SMALL_BOARD.place(2, 7))
    assert row("1-20")[0] == calibration.tapped(*SMALL_BOARD.place(1, 1))


def test_a_hole_is_tapped_by_its_name() -> None:
    """The page knows lane and hole; an unknown hole is refused."""
    calibration = Calibration(SMALL_BOARD, per=Per.HOLE_AND_LANE)
    assert Points(SMALL_BOARD).index(2, "trap-26:1") == calibration.point(2, "trap-26:1")
    with pytest.raises(BadInputError, match="there is no hole 61 in lane 1"):
        calibration.point(1, 61)


def test_nothing_is_reported_before_its_time() -> None:
    """There is no result during questions, and no answer without one."""
    calibration = Calibration(SMALL_BOARD, per=Per.HOLE)
    with pytest.raises(StaleError, match="answer the question"):
        calibration.result()
    answered(calibration, BuiltStrips(channels=[in_order(SMALL_BOARD, Per.HOLE)]))
    with pytest.raises(StaleError, match="the wiring is known"):
        calibration.answer(None)
