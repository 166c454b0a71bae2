"""Evenings at the pins: presses go through the kernel's GPIO to the journal. `make test-pi`."""

import base64
import math
import time
from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.board import load_board
from companion.buttons import DEFAULT_PINS
from companion.lights import Wiring
from tests.appliance.page import until
from tests.pi.machine import PAGE_S, VIRT, Pi, powered, resumed
from tests.pi.parts import HELD, missing_package
from tests.support.lamp_reader import led_of

pytestmark = [pytest.mark.timeout(1200), pytest.mark.tool(lacks=missing_package())]
SETTINGS = "/etc/cribwars/cribwars.toml"
ONE, FIVE, ENTER, DEAL, MODE = (
    DEFAULT_PINS[name] for name in ("1.plus_one", "1.plus_five", "1.enter", "deal", "mode")
)
ANSWER_S = 30.0
HOLD_MS, BOUNCE_MS = 3.0, 40.0
"""The debouncer's times: a level that holds less is a spike; then the contact may bounce."""
BRIGHT = 60
TRIES = 10
BOUNCING = [*((t, "up" if t % 2 else "down") for t in range(21)), (150, "up")]
OPENING = [(0, "down"), (80, "up"), (81, "down"), (160, "up")]
SPIKE = [(0, "down"), (1, "up")]


@pytest.fixture(scope="module")
def shared_pi(started: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pi]:
    """Return the Pi that the stories share; it plays for three sides."""
    with resumed(started, tmp_path_factory.mktemp("pi")) as pi:
        pi.run(f"sed -i '1i teams = 3' {SETTINGS} && systemctl restart cribwars")
        until(lambda: 3 == len(pi.get("/api/table")["teams"]), PAGE_S, "three sides")
        yield pi


@pytest.fixture
def pi(shared_pi: Pi) -> Pi:
    """Return the Pi at the beginning of a game of three sides, begun at its pins."""
    before = shared_pi.get("/api/table")["seq"]
    shared_pi.press("mode", seconds=5.5)
    until(lambda: shared_pi.news()["mode"], ANSWER_S, "the sign-up")
    shared_pi.press("1.enter", "2.enter", "3.enter", "deal")
    until(lambda: shared_pi.get("/api/table")["seq"] > before, ANSWER_S, "the new game")
    until(lambda: shared_pi.news()["mode"] is None, ANSWER_S, "the end of the sign-up")
    return shared_pi


def pending(pi: Pi, side: int) -> int:
    """Return the points that a side has pressed and not entered."""
    return int(pi.get("/api/table")["teams"][str(side)]["pending"])


def expect_pending(pi: Pi, side: int, points: int) -> None:
    """Wait until a side has these pending points."""
    until(lambda: points == pending(pi, side), ANSWER_S, f"{points} points of side {side}")


def expect(pi: Pi, **facts: object) -> None:
    """Wait until the table shows these facts."""
    until(lambda: facts.items() <= pi.get("/api/table").items(), ANSWER_S, str(facts))


def frames(pi: Pi) -> Iterator[NDArray[np.uint8]]:
    """Yield the changes of the strip's frames, (LEDs, 5): the LED in two bytes, then its colour."""
    for kind, data in pi.events():
        if kind == "frame":
            yield np.frombuffer(base64.b64decode(data), np.uint8).reshape(-1, 5)


def brightest(pi: Pi) -> int:
    """Return the greatest value of the whole frame that is shown now."""
    return int(next(frames(pi))[:, 2:].max())


def wait_for_light(pi: Pi, led: int) -> None:
    """Wait until the frames of the strip light an LED brightly."""
    deadline = time.monotonic() + ANSWER_S
    for changes in frames(pi):
        leds = changes[:, 0] + 256 * changes[:, 1].astype(int)
        if changes[leds == led, 2:].max(initial=0) >= BRIGHT:
            return
        assert time.monotonic() < deadline, f"LED {led} stays dark"


def test_every_button_acts_once(pi: Pi) -> None:
    """Each of the fourteen buttons has its effect, once a press."""
    start = int(pi.get("/api/table")["seq"])
    for side in (1, 2, 3):
        pi.press(f"{side}.plus_one", f"{side}.plus_five")
        expect_pending(pi, side, 6)
        pi.press(f"{side}.undo")
        expect_pending(pi, side, 1)
        pi.press(f"{side}.enter")
        expect(pi, seq=start + side)
        assert 1 == pi.get("/api/table")["teams"][str(side)]["front"]
    hand = pi.get("/api/table")["hand"]
    pi.press("deal")
    expect(pi, hand=hand + 1)
    before = brightest(pi)
    pi.press("mode")
    until(lambda: before != brightest(pi), ANSWER_S, "the next brightness")


def presses(*times: tuple[float, bool]) -> int:
    """Return the presses in a contact's levels: an oracle of the debouncer.

    A press counts at its first edge once the level has held. Then the contact is ignored for a
    while, and what its level is after that counts in the same way.
    """
    number, is_down, deaf_until = 0, False, -BOUNCE_MS
    levels = [*times, (math.inf, times[-1][1])]
    for (at, down), (next_at, _) in pairwise(levels):
        begin = max(at, deaf_until)
        if down != is_down and next_at - begin >= HOLD_MS:
            is_down, deaf_until = down, begin + BOUNCE_MS
            number += down
    return number


@pytest.mark.parametrize("levels", [BOUNCING, OPENING, SPIKE], ids=["bouncing", "opening", "spike"])
def test_contacts_by_the_times_of_their_moves(pi: Pi, levels: Sequence[tuple[int, str]]) -> None:
    """Bouncing for 20 ms is one press, a contact that opens for a moment too, a spike is none."""
    for _ in range(TRIES):
        moved = pi.move_pins(*(f"{at}:{ONE}:{level}" for at, level in levels))
        downs = [level == "down" for _, level in levels]
        possible = {
            presses(*zip((time[end] for time in moved), downs, strict=True)) for end in (0, 1)
        }
        pi.press("1.plus_five")
        until(lambda: pending(pi, 1) >= 5, ANSWER_S, "five points")
        assert pending(pi, 1) - 5 in range(min(possible), max(possible) + 1)
        sure = possible == {presses(*((float(at), level == "down") for at, level in levels))}
        pi.press("1.undo", seconds=1.5)
        expect_pending(pi, 1, 0)
        if sure:
            return
    pytest.fail("the emulated pins are too slow")


def test_a_chord_is_both_presses(pi: Pi) -> None:
    """Two buttons that go down and up within a millisecond count both."""
    pi.move_pins(f"0:{ONE}:down", f"1:{FIVE}:down", f"90:{ONE}:up", f"91:{FIVE}:up")
    expect_pending(pi, 1, 6)


def test_a_game_to_its_win(pi: Pi) -> None:
    """Pins alone play a game to its win; after each count the strip lights the side's front peg.

    After the first hand one side alone pegs, so that the game is short.
    """
    board = load_board("crib-wars")
    wiring = Wiring.make(board)
    for hand in count(1):
        for side in (1, 2, 3) if hand == 1 else (1,):
            table = pi.get("/api/table")
            front = table["teams"][str(side)]["front"]
            points = min(25, board.track.finish - front)
            while board.track.zone_at(front + points):
                points -= 1
            keys = ["plus_five"] * (points // 5) + ["plus_one"] * (points % 5) + ["enter"]
            pi.press(*(f"{side}.{key}" for key in keys))
            expect(pi, seq=table["seq"] + 1)
            table = pi.get("/api/table")
            assert front + points == table["teams"][str(side)]["front"]
            if table["winner"]:
                assert (side, board.track.finish) == (table["winner"], front + points)
                return
            spot = led_of(wiring, wiring.points.index(side, front + points))
            assert spot
            wait_for_light(pi, spot[0] * wiring.leds[0] + spot[1])
        pi.press("deal")
        expect(pi, hand=hand + 1)


def test_a_button_held_at_power_on(card: Path, tmp_path: Path) -> None:
    """Mode begins the test of buttons and lamps, and ends it; a pin that 1-Wire has is named."""
    wire = '/ { onewire { compatible = "w1-gpio"; gpios = <&header 4 0>; }; };'
    line = f"{HELD}={MODE} wire.search_count=1"
    with powered(VIRT, card, tmp_path, line=line, tree=wire) as pi:
        pi.page()
        until(lambda: pi.news()["mode"], ANSWER_S, "the test of buttons")
        pi.move_pins(f"0:{MODE}:up")
        pi.press("mode")
        until(lambda: pi.news()["mode"] is None, ANSWER_S, "the end of the test")
        assert "pin 4 is in use by onewire" in str(pi.news()["notices"])
        pi.press("1.plus_five", "1.enter")
        expect(pi, seq=1)
