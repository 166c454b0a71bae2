"""Wiring: every light point has one LED on any board, and faults come all at once."""

import itertools
import math
from collections.abc import Mapping
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board.layout import Board
from companion.board.load import load_board
from companion.errors import SettingsError
from companion.lights import Per, Points, Wiring
from companion.lights.wiring import runs, serpentine
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


def faults(table: Mapping[str, object]) -> tuple[str, ...]:
    """Return the faults of a `[wiring]` table for the small board."""
    with pytest.raises(SettingsError) as caught:
        Wiring.make(SMALL, table)
    return tuple(map(str, caught.value.faults))


def numbered(points: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return light with a different level at each point."""
    return np.arange(1, points + 1, dtype=np.float32)[:, None] * np.ones(3, dtype=np.float32)


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
