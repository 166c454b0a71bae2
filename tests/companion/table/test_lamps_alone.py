"""Evenings played on mock pins, read from the lamps alone."""

from __future__ import annotations

import random

import pytest

from companion.lights import Per
from companion.lights.colour.colour import EYES
from companion.lights.colour.palette import LOWEST_BRIGHTNESS
from companion.lights.scene.quiet_lights import (
    Sign,
    is_heels_banned,
    light_of,
    start_lamp_light,
)
from tests.companion.table.bench import at_table
from tests.support.evening import Evening
from tests.support.lamp_reader import LaneReading, Reading


def true_reading(evening: Evening) -> Reading:
    """Return what the lamps should tell, from the state of the table."""
    view = evening.table.news.view
    state, lanes = view.state, {}
    for team in state.setup.lanes:
        side = state.side(team)
        light = start_lamp_light(state, team, view.awaited)
        lanes[team] = LaneReading(
            front=side.front,
            back=side.back,
            pending=dict(view.pending).get(team, 0),
            hands=side.boxed.hands if side.boxed else None,
            folded=light is light_of(Sign.FOLDED),
            move_due=light is light_of(Sign.BOX_MOVE),
            awaited=light is light_of(Sign.TURN),
            skunk=dict(state.skunked).get(team, 0),
        )
    between = (state.winner is not None or not state.counts) and not view.pending
    return Reading(
        lanes=lanes,
        dealer=state.dealer,
        heels_banned=is_heels_banned(state),
        winner=state.winner,
        match={team: state.match.won(team) if between else 0 for team in lanes},
    )


class Check:
    """Comparison of an evening's lamps with its state."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.seen: set[str] = set()
        self.moments = 0

    def __call__(self) -> None:
        """Read the lamps at a quiet moment."""
        true = true_reading(self.evening)
        read = self.evening.reader.read(self.evening.look())
        assert true == read, self.evening.table.news.view.state.sides
        self.moments += 1
        self.seen |= {"winner"} if true.winner else set()
        for lane in true.lanes.values():
            self.seen |= {
                name
                for name in ("pending", "hands", "folded", "move_due", "skunk")
                if getattr(lane, name)
            }

    async def count(self, team: int, points: int) -> None:
        """Press a count, read the lamps, enter it, and read them again."""
        await self.evening.press(
            *[f"{team}.plus_five"] * (points // 5), *[f"{team}.plus_one"] * (points % 5)
        )
        self()
        await self.evening.press(f"{team}.enter")
        self()


async def play(check: Check, teams: int, seed: int) -> None:
    """Play a game of random counts, in which the first side counts most, to its end."""
    evening, rng = check.evening, random.Random(seed)  # a game
    table = evening.table

    def over() -> bool:
        return table.state.winner is not None

    while not over():
        for _ in range(4):
            free = [
                team
                for team in range(1, teams + 1)
                if not table.state.side(team).folded and not table.state.side(team).boxed
            ]
            if free and not over():
                heavy = [team for team in free if team == 1] * 3
                await check.count(rng.choice([*free, *heavy]), rng.randint(1, 29))
        for team in range(1, teams + 1):
            if not over() and table.state.is_to_move_in_box(team):
                await evening.press(f"{team}.enter")
                check()
        if not over():
            await evening.press("deal", seconds=1.2)
            check()


@pytest.mark.deep
@pytest.mark.parametrize("board", ["crib-wars", "classic", "classic-61"])
@pytest.mark.parametrize("per", Per)
@pytest.mark.parametrize("teams", [2, 3])
@pytest.mark.parametrize(("seed", "eye"), [*enumerate(EYES)])
def test_the_lamps_alone_tell_the_evening(
    seed: int, eye: str, teams: int, per: Per, board: str
) -> None:
    """Everything but who sits where is read without a screen, at the lowest brightness."""
    evening = Evening(teams=teams, eye=eye, brightness=LOWEST_BRIGHTNESS, board=board, per=per)
    check = Check(evening)

    async def scene(_: object) -> None:
        evening.reader.learn(evening.look())
        check()
        await play(check, teams, seed)
        await evening.press("deal")
        check()
        await check.count(2, 5)

    at_table(evening, scene)
    seen = {"pending", "winner"}
    if board == "crib-wars":
        seen |= {"folded"} if teams == 2 else {"hands", "move_due"}
    assert seen <= check.seen
