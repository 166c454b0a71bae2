"""Power: sums derived again by hand, and no wire that bears less than its fuse."""

import csv
import io
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board import Board, board_names, load_board
from companion.commentary import load_phrases
from companion.errors import BadInputError
from companion.kit.parts import cuts_csv, parts, parts_csv
from companion.kit.power import FULL_MA, IDLE_MA, LEAST_V, WIRES_A, PowerSupply, feed, lay_strips
from companion.kit.wiring_drawing import WiredButton
from companion.lights.wiring.wiring import read_plan
from hardware.power import POWER
from tests.support.boards import make_board

BUILDS: list[dict[str, object]] = [
    {},
    {"per": "hole"},
    {"channels": 2},
    {"channels": 2, "skipped": [[0, 3], [1, 7]]},
]
BUTTONS = [WiredButton("deal", 27, 13), WiredButton("mode", 3, 5)]
boards = st.builds(
    make_board, finish=st.integers(61, 200), lanes=st.integers(2, 3), column=st.integers(20, 60)
)
budgets = st.floats(500, 100_000)


def supplies_of(
    board: Board, wiring: dict[str, object], budget_ma: float | tuple[float, ...]
) -> list[PowerSupply]:
    """The supplies of a board wired like this."""
    plan = read_plan(board, wiring)
    return feed(lay_strips(plan), plan.skipped, budget_ma)


def leds_by_hand(board: Board, wiring: dict[str, object]) -> int:
    """LEDs counted from the board file alone."""
    holes = {hole for row in board.rows for hole in row.holes}
    lanes = 1 if wiring.get("per") == "hole" else board.track.lanes
    skipped = wiring.get("skipped", [])
    assert isinstance(skipped, Sequence)
    return len(holes) * lanes + len(board.lamps) + len(skipped)


def test_the_current_of_an_led_is_that_of_the_limit() -> None:
    """The parts list assumes the same current of an LED as the limit of the lights."""
    usual = POWER["ws2812b"]
    assert (IDLE_MA, FULL_MA) == (usual.idle, usual.idle + 3 * usual.colour)


@pytest.mark.parametrize("wiring", BUILDS)
@pytest.mark.parametrize("name", board_names())
def test_the_sums(name: str, wiring: dict[str, object]) -> None:
    """LEDs, metres and currents of the shopping list follow from the board file."""
    board, leds = load_board(name), leds_by_hand(load_board(name), wiring)
    pieces = lay_strips(read_plan(board, wiring))
    supplies = supplies_of(board, wiring, 4000)
    reported = parts(
        board, strip="ws2812b", pieces=pieces, supplies=supplies, buttons=BUTTONS, grid_cm3=100
    )
    rows = list(csv.DictReader(io.StringIO(parts_csv(reported, load_phrases("en")))))
    assert ["part", "quantity", "unit", "note"] == list(rows[0])
    amounts = {row["part"]: float(row["quantity"]) for row in rows}
    assert leds == amounts["LEDs"] == amounts["current, dark"]
    assert leds * 55.9 == pytest.approx(amounts["current, full"], rel=1e-5)
    assert 4000 == amounts["current, limited"]
    assert leds * board.pitch_mm / 1000 == pytest.approx(amounts["LED strip"], abs=0.001)
    taps = sum(float(row["quantity"]) for row in rows if row["part"].startswith("tap "))
    wires = sum(float(row["quantity"]) for row in rows if row["part"].endswith(", red"))
    assert taps == pytest.approx(wires, abs=0.02)
    assert 124 == amounts["filament"]
    assert (2, 1, 1) == (amounts["button"], amounts["resistor 1 kΩ"], amounts["resistor 100 Ω"])


@pytest.mark.parametrize("wiring", BUILDS)
def test_the_cut_list(wiring: dict[str, object]) -> None:
    """Every LED but skipped ones is in one piece; a piece is as long as its LEDs' pitches."""
    board = load_board("crib-wars")
    plan = read_plan(board, wiring)
    rows = list(csv.DictReader(io.StringIO(cuts_csv(lay_strips(plan)))))
    lit = leds_by_hand(board, wiring) - len(plan.skipped)
    assert lit == sum(int(row["leds"]) for row in rows)
    assert [str(n) for n in range(1, len(rows) + 1)] == [row["order"] for row in rows]
    for row in rows:
        assert int(row["leds"]) * 6.944 == pytest.approx(float(row["length_mm"]), abs=0.001)
        span = sum(abs(float(row[f"to_{at}_mm"]) - float(row[f"from_{at}_mm"])) for at in "xy")
        assert (int(row["leds"]) - 1) * 6.944 == pytest.approx(span, abs=0.002)


@given(board=boards, budget=budgets, wiring=st.sampled_from(BUILDS))
def test_a_fuse_protects_every_wire(board: Board, budget: float, wiring: dict[str, object]) -> None:
    """The fuse exceeds the budget, but no wire's limit; taps feed each LED once."""
    for supply in supplies_of(board, wiring, budget):
        assert budget / 1000 < supply.fuse_a
        assert 1.3 * budget / 1000 <= supply.rating_a
        for tap in supply.taps:
            assert supply.fuse_a <= WIRES_A[tap.wire_mm2]
            assert tap.worst_a == pytest.approx(min(budget, tap.leds * 55.9) / 1000)
        skipped = len(read_plan(board, wiring).skipped)
        assert leds_by_hand(board, wiring) == sum(tap.leds for tap in supply.taps) + skipped


@pytest.mark.parametrize("name", board_names())
def test_enough_volts_at_the_far_end(name: str) -> None:
    """Up to 10 A on our boards; the loss is that of copper there and back, and of the strip."""
    board = load_board(name)
    for tap in supplies_of(board, {}, 10_000)[0].taps:
        copper = 0.0178 * 2 * tap.length_mm / 1000 / tap.wire_mm2 * tap.worst_a
        assert LEAST_V <= tap.far_v <= 5 - copper


def test_a_supply_a_channel() -> None:
    """Two budgets are two supplies, each with its fuse; one number feeds both channels."""
    board = load_board("crib-wars")
    one, other = supplies_of(board, {"channels": 2}, (4000.0, 2000.0))
    assert ((0,), 5, (1,), 3) == (one.channels, one.fuse_a, other.channels, other.fuse_a)
    assert [(0, 1)] == [both.channels for both in supplies_of(board, {"channels": 2}, 4000)]
    with pytest.raises(
        BadInputError, match=r"budget_ma has 2 numbers, but the wiring has 1 channel"
    ):
        supplies_of(board, {}, (4000.0, 2000.0))
