"""Evenings played on mock pins, in which a reader sees only the lamps."""

import random
from typing import Literal

import pytest

from companion.board.zone_kinds import ZoneKind
from companion.lights import Per
from companion.lights.colour import EYES
from companion.lights.palette import LOWEST_BRIGHTNESS
from companion.lights.scene.quiet_lights import Sign, is_heels_banned, light_of, start_lamp_light
from companion.rules.game import HouseRules
from companion.table.panel.actions import CountEntry
from companion.table.panel.consents import ConsentRequest
from tests.companion.table.bench import at_table
from tests.support.lamp_reader import LaneReading, Reading, SignUpReading
from tests.support.services import Evening


def true_reading(evening: Evening) -> Reading:
    """Return the correct reading of the lamps, from the state of the table."""
    view = evening.table.display.view
    state, lanes = view.state, {}
    for side in state.setup.sides:
        pegs = state.pegs(side)
        light = start_lamp_light(state, side, is_awaited=side in view.awaited)
        lanes[side] = LaneReading(
            front=pegs.front,
            back=pegs.back,
            pending=dict(view.pending).get(side, 0),
            hands=pegs.boxed.hands if pegs.boxed else None,
            folded=light is light_of(Sign.FOLDED),
            move_due=light is light_of(Sign.BOX_MOVE),
            awaited=light is light_of(Sign.TURN),
            skunk=dict(state.skunked).get(side, 0),
        )
    between = (state.winner is not None or not state.counts) and not view.pending
    return Reading(
        lanes=lanes,
        dealer=state.dealer,
        heels_banned=is_heels_banned(state) and not view.is_deal_awaited,
        deal_awaited=view.is_deal_awaited,
        winner=state.winner,
        match={side: state.match.won(side) if between else 0 for side in lanes},
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
        assert true == read, self.evening.table.display.view.state.all_pegs
        self.moments += 1
        self.seen |= {"winner"} if true.winner else set()
        for lane in true.lanes.values():
            self.seen |= {
                name
                for name in ("pending", "hands", "folded", "move_due", "awaited", "skunk")
                if getattr(lane, name)
            }

    async def count(self, side: int, points: int) -> None:
        """Press a count, read the lamps, enter it, and read them again."""
        await self.evening.press(
            *[f"{side}.plus_five"] * (points // 5), *[f"{side}.plus_one"] * (points % 5)
        )
        self()
        await self.evening.press(f"{side}.enter")
        self()


async def land_in_a_box(check: Check, side: int, seed: int) -> None:
    """Take a side from the start into the first penalty box, if the board has one."""
    zones = check.evening.table.state.setup.track.zones
    boxes = [zone.box for zone in zones if zone.kind is ZoneKind.PENALTY_BOX]
    for box in boxes[:1]:
        hole = box[seed % len(box)]
        assert isinstance(hole, int)
        await check.count(side, hole)


async def play(check: Check, sides: int, seed: int) -> None:
    """Play a game of random counts, in which the first side counts most, to its end."""
    evening, rng = check.evening, random.Random(seed)  # a game
    table = evening.table

    def over() -> bool:
        return table.state.winner is not None

    while not over():
        for _ in range(4):
            free = [
                side
                for side in range(1, sides + 1)
                if not table.state.pegs(side).folded and not table.state.pegs(side).boxed
            ]
            if free and not over():
                heavy = [side for side in free if side == 1] * 3
                await check.count(rng.choice([*free, *heavy]), rng.randint(1, 29))
        for side in range(1, sides + 1):
            if not over() and table.state.is_to_move_in_box(side):
                await evening.press(f"{side}.enter")
                check()
        if not over():
            await evening.press("deal", seconds=1.2)
            check()


def true_sign_up(evening: Evening) -> SignUpReading:
    """Return the correct reading of a sign-up, from the state of the table."""
    sign_up = evening.table.display.view.sign_up
    assert sign_up
    people = dict(sign_up.people)
    choice = (sign_up.choices, sign_up.chosen) if sign_up.choices > 1 else (0, 0)
    return SignUpReading(
        people=people, seats=sum(people.values()), choices=choice[0], chosen=choice[1]
    )


@pytest.mark.deep
@pytest.mark.parametrize("per", Per)
@pytest.mark.parametrize("eye", EYES)
def test_the_lamps_alone_tell_a_sign_up(eye: str, per: Per) -> None:
    """T1, G7: they show the sides that take part, their people and the house rules."""
    rules = HouseRules(board="classic")
    evening = Evening(
        sides=3, eye=eye, brightness=LOWEST_BRIGHTNESS, board="classic", per=per, rules=rules
    )
    lines = []

    async def scene(_: object) -> None:
        evening.reader.learn(evening.look())
        await evening.press("mode", seconds=5.5)
        await evening.press("3.enter", "1.enter", "1.plus_one")
        for presses in ([], ["3.plus_one", "1.plus_five"], ["3.plus_five"]):
            await evening.press(*presses)
            lines.append(evening.reader.read_sign_up(evening.look()))
            assert true_sign_up(evening) == lines[-1]
        await evening.press("deal")
        evening.reader.learn(evening.look())
        assert {1, 3} == set(evening.reader.read(evening.look()).lanes)

    at_table(evening, scene)
    assert [3, 4, 4] == [line.seats for line in lines]
    assert 3 == len({line.chosen for line in lines})


@pytest.mark.parametrize("per", Per)
@pytest.mark.parametrize("finish", ["overshoot", "exact"])
def test_the_lamps_alone_tell_a_count_beyond_the_finish(
    finish: Literal["overshoot", "exact"], per: Per
) -> None:
    """G2: all its points can be read, whether they win or are forfeited."""
    rules = HouseRules(board="classic-61", finish=finish)
    evening = Evening(
        sides=2,
        eye="deutan",
        brightness=LOWEST_BRIGHTNESS,
        board="classic-61",
        per=per,
        rules=rules,
    )
    check = Check(evening)

    async def scene(_: object) -> None:
        evening.reader.learn(evening.look())
        for points in (29, 29, 26):
            await check.count(1, points)

    at_table(evening, scene)
    assert (finish == "overshoot") == ("winner" in check.seen)


@pytest.mark.deep
@pytest.mark.parametrize("per", Per)
@pytest.mark.parametrize("eye", EYES)
def test_the_lamps_alone_tell_whose_count_is_awaited(eye: str, per: Per) -> None:
    """M1: if cards are dealt, they show which side must enter its count."""
    evening = Evening(sides=3, eye=eye, brightness=LOWEST_BRIGHTNESS, per=per)
    check = Check(evening)

    async def scene(_: object) -> None:
        evening.reader.learn(evening.look())
        await check.count(2, 7)
        for side in (2, 1, 3):
            evening.table.panel.count_entry = CountEntry(enter=lambda *_: None, awaited=side)
            await evening.wait(0)
            check()

    at_table(evening, scene)
    assert "awaited" in check.seen


@pytest.mark.parametrize("button", ["2.enter", "deal"])
def test_the_lamps_alone_tell_which_button_lets_a_phone_in(button: str) -> None:
    """A side's start lamp or the dealer's lamp shows it; holding the button counts nothing."""
    evening = Evening(sides=2, eye="deutan", brightness=LOWEST_BRIGHTNESS)
    check = Check(evening)

    async def scene(_: object) -> None:
        evening.reader.learn(evening.look())
        request = ConsentRequest(kind="score", name="Anna", button=button, asker="a", network="a")
        _, answer = evening.table.ask(request)
        await evening.settled()
        check()
        view = evening.table.display.view
        assert (button == "deal", {"2.enter": [2]}.get(button, [])) == (
            view.is_deal_awaited,
            [*view.awaited],
        )
        await evening.press(button, seconds=1.2)
        assert answer.result()
        check()
        assert set() == evening.table.display.view.awaited

    at_table(evening, scene)
    assert [] == evening.journal.entries


@pytest.mark.deep
@pytest.mark.parametrize("board", ["crib-wars", "classic", "classic-61"])
@pytest.mark.parametrize("per", Per)
@pytest.mark.parametrize("sides", [2, 3])
@pytest.mark.parametrize(("seed", "eye"), [*enumerate(EYES)])
def test_the_lamps_alone_tell_the_evening(
    seed: int, eye: str, sides: int, per: Per, board: str
) -> None:
    """All but the names of players can be read without a screen, at the lowest brightness."""
    evening = Evening(sides=sides, eye=eye, brightness=LOWEST_BRIGHTNESS, board=board, per=per)
    check = Check(evening)

    async def scene(_: object) -> None:
        evening.reader.learn(evening.look())
        check()
        await land_in_a_box(check, 2, seed)
        await play(check, sides, seed)
        await evening.press("deal")
        check()
        await check.count(2, 5)

    at_table(evening, scene)
    seen = {"pending", "winner"}
    if board == "crib-wars":
        seen |= {"folded"} if sides == 2 else {"hands", "move_due"}
    assert seen <= check.seen
