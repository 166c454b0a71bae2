"""Evenings of dealt cards by the house rules: people count correctly, computers err."""

import asyncio
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from msgspec import structs

from companion.players.values.win_chance import win_chances
from companion.rules.game import Kind, MoveInBox, Muggins, Overpeg, State
from companion.rules.game.house_rules import PRESETS
from tests.companion.web.cards.test_muggins_evening import Evening, truth
from tests.support.card_games import setup_for

NOISE = 0.001
"""Win chances are rounded to this."""


class HonestEvening(Evening):
    """A table whose people count correctly, wait for counts, and call each error that they see."""

    async def act_at(self, seat: int, token: str, hand: dict[str, Any]) -> bool:
        """Do what the page of a seat asks for, but play no card while another count is due."""
        is_due = hand["to_count"] and hand["to_count"]["seat"] != seat
        return await super().act_at(seat, token, hand | {"ask": None} if is_due else hand)

    async def count(self, token: str, seat: int, shown: dict[str, Any], why: str) -> None:
        """Enter the points of the cards."""
        await self.enter(token, seat, truth(shown, {"seat": seat, "why": why}))

    async def answer(
        self, token: str, seat: int, shown: dict[str, Any], rival: dict[str, Any]
    ) -> None:
        """Call muggins if a computer has missed points."""
        missed = truth(shown, rival) - rival["points"]
        self.calls[self.setup.side_of(seat)] += missed > 0
        await self.enter(token, seat, max(0, missed))


@pytest.mark.parametrize(
    ("seats", "game_to"),
    [
        (["person", "child"], "122"),
        pytest.param(["person", "shark"], "whole", marks=pytest.mark.deep),
        (["person", "child", "regular"], "122"),
        pytest.param(["person", "child", "person"], "whole", marks=pytest.mark.deep),
        pytest.param(["person", "child", "shark", "regular"], "whole", marks=pytest.mark.deep),
        (["person", "person", "child", "child", "person", "regular"], "122"),
    ],
)
def test_an_evening_ends_and_no_call_lowers_the_callers_chance(
    seats: list[str], game_to: str
) -> None:
    """M1, M3, Z7: it ends; a computer calls only for its gain, and never beside a person."""
    finish = None if game_to == "whole" else int(game_to)
    rules = replace(PRESETS["crib-wars"], muggins="on", game_to=finish)
    setup = setup_for(len(seats), rules=rules)
    sides = [(setup.side_of(seat), kind) for seat, kind in enumerate(seats, start=1)]
    with_people = {side for side, kind in sides if kind == "person"}
    with_computers = {side for side, kind in sides if kind != "person"}

    async def scene() -> HonestEvening:
        evening = HonestEvening(seats, 3, setup)
        await evening.play(match=False)
        await evening.close()
        return evening

    evening = asyncio.run(scene())
    assert evening.at.table.state.winner is not None
    for before, entry in pairwise(evening.at.entries):
        match entry.command:
            case Muggins(by=side) if side not in with_people:
                assert chance(entry.state, before.state, side) >= chance(
                    before.state, before.state, side
                )
                landed = {event.kind for event in entry.events if event.side == side}
                assert not landed & {Kind.FOLDED, Kind.TRAPPED}
            case Muggins(erring=erring):
                assert erring in with_computers
            case MoveInBox(side=side) if side in with_people:
                assert before.state.is_to_move_in_box(side)
            case Overpeg():
                pytest.fail("nobody has counted too many")
    calls = [e.command for e in evening.at.entries if isinstance(e.command, Muggins)]
    assert sum(evening.calls.values()) >= sum(call.by in with_people for call in calls)


def chance(state: State, before: State, side: int) -> float:
    """Return a side's chance to win at the stage of the deal in which a call was made."""
    return win_chances(structs.replace(state, counts_in_hand=before.counts_in_hand))[side] + (
        0 if state is before else NOISE
    )
