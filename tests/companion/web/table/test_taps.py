"""Taps and mock buttons: each tap counts once, in order, and each pressed button is released."""

import asyncio
import json
import random
from hashlib import sha256
from itertools import pairwise
from typing import Any, cast

import httpx
import pytest

from companion.web.pairing import Grant, Pairing
from companion.web.pairing import Phone as Known
from companion.web.table.taps import PAD_LIMIT, SHORTEST_PRESS_S, MockButtons
from hardware.buttons import MockPanel
from hardware.errors import ButtonError
from tests.companion.web.client import Listener, send
from tests.support.real_table import RealTable, at_table
from tests.support.scenes import in_loop, run_by

PAD = "p" * 22


def _tap(button: str) -> dict[str, object]:
    """Return a tap, or one half of it."""
    halves = {"+": True, "-": False}
    if button[:1] not in halves:
        return {"button": button}
    return {"button": button[1:], "down": halves[button[0]], "held": 0.01}


class Phone:
    """A page that sends taps to a table."""

    def __init__(self, real_table: RealTable) -> None:
        self.real_table, self.app, self._run = real_table, real_table.app, ""

    async def answer(
        self,
        first: int,
        *buttons: str,
        run: str = "",
        pad: str = PAD,
        far: str = "",
        viewer: int | None = None,
    ) -> httpx.Response:
        """The answer to a request; from a phone elsewhere, if that has a cookie.

        "+" or "-" before a button is one half of a tap.
        """
        self._run = self._run or (await send(self.app, "GET", "/api/about")).json()["run"]
        taps = [_tap(button) for button in buttons]
        value = {"pad": pad, "run": run or self._run, "first": first, "taps": taps}
        value |= {} if viewer is None else {"viewer": viewer}
        body = json.dumps(value).encode()
        how: dict[str, Any] = {"headers": {"cookie": far}, "client": "192.168.1.9"} if far else {}
        return await send(self.app, "POST", "/api/taps", body=body, **how)

    async def send(self, first: int, *buttons: str, **how: Any) -> object:  # noqa: ANN401  # as `answer` takes them
        """Return the number of the last taken tap, or the status of a refusal."""
        answer = await self.answer(first, *buttons, **how)
        return answer.json()["taken"] if answer.status_code == 200 else answer.status_code


async def _send_all(phone: Phone, meant: list[str], chance: random.Random, pad: str = PAD) -> None:
    """Send taps over a network where requests and responses are lost, late and doubled."""
    taken = 0
    stray: list[tuple[int, list[str]]] = []
    while taken < len(meant):
        batch = meant[taken : taken + chance.randint(1, 5)]
        match chance.randint(1, 4):
            case 1:  # the request is lost, or comes later
                stray.append((taken + 1, batch))
            case 2:  # the answer is lost
                await phone.send(taken + 1, *batch, pad=pad)
            case 3 if stray:  # one of long ago arrives
                first, old = chance.choice(stray)
                if first <= taken + 1:
                    taken = max(taken, int(str(await phone.send(first, *old, pad=pad))))
            case _:
                taken = int(str(await phone.send(taken + 1, *batch, pad=pad)))


def buttons_of(table: RealTable, **how: float) -> MockButtons:
    """Return the mock buttons of a table."""
    return MockButtons(cast("MockPanel", table.panel), settle_s=0.0, closing=table.closing, **how)


def down(table: RealTable) -> list[str]:
    """The buttons that are down."""
    return [name for name in table.about["buttons"] if table.panel and table.panel.is_down(name)]


class TimedPanel:
    """A panel of one button, which keeps the times of its edges."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def is_down(self, _button: str) -> bool:
        """Return True if the button is down."""
        return len(self.times) % 2 == 1

    def down(self, _button: str) -> None:
        """Press it."""
        self.times.append(asyncio.get_running_loop().time())

    up = down


@run_by(at_table)
async def test_what_was_taken_is_not_taken_again(table: RealTable) -> None:
    """A tap that is sent again counts once; numbers that were never sent may be skipped."""
    phone = Phone(table)
    assert 2 == await phone.send(1, "1.plus_one", "1.plus_one")
    assert 2 == await phone.send(1, "1.plus_one", "1.plus_one")
    assert 3 == await phone.send(2, "1.plus_one", "1.plus_five")
    assert 3 == await phone.send(1, "1.plus_one")
    assert 9 == await phone.send(9, "1.enter")
    kinds = [button for button, _ in phone.real_table.taps]
    assert ["1.plus_one", "1.plus_one", "1.plus_five", "1.enter"] == kinds


@run_by(at_table)
async def test_any_network_counts_every_tap_once(table: RealTable) -> None:
    """The table has all taps once, in order, despite lost requests."""
    chance = random.Random(1)  # no secret
    phone, all_meant = Phone(table), list[str]()
    for pad in range(10):
        meant = [chance.choice(["1.plus_one", "1.plus_five", "1.undo"]) for _ in range(40)]
        await _send_all(phone, meant, chance, f"{pad:022}")
        all_meant += meant
        assert all_meant == [button for button, _ in table.taps]


@run_by(at_table)
async def test_any_network_presses_every_mock_button_once(table: RealTable) -> None:
    """Down and up of a board page's presses reach the pins once, in order."""
    chance = random.Random(1)  # no secret
    names = [chance.choice(["1.plus_one", "1.enter", "2.plus_five"]) for _ in range(32)]
    meant = [half + name for name in names for half in "+-"]
    await _send_all(Phone(table), meant, chance)
    assert [(half[1:], half[0] == "+") for half in meant] == table.presses


@run_by(at_table)
async def test_a_repeated_request_waits_for_no_other(table: RealTable) -> None:
    """A repeated request presses nothing while the first is running; new taps follow."""
    phone = Phone(table)
    halves = ("+1.enter", "-1.enter", "+deal", "-deal")
    sent = [phone.send(1, *halves[:2]), phone.send(1, *halves), phone.send(3, *halves[2:])]
    await asyncio.gather(*sent)
    await table.until(lambda table: len(table.presses) == 4)
    expected = [("1.enter", True), ("1.enter", False), ("deal", True), ("deal", False)]
    assert expected == table.presses


@run_by(at_table)
async def test_a_hold_ends_with_its_stream(table: RealTable) -> None:
    """Without its stream no hold begins: 503, and the page sends it again with another."""
    phone, page = Phone(table), Listener(table.app)
    viewer = json.loads(await page.named("hello"))["viewer"]
    assert 1 == await phone.send(1, "+mode", viewer=viewer)
    await page.leave()
    assert [("mode", True), ("mode", False)] == table.presses
    assert 503 == await phone.send(2, "+mode", viewer=viewer)
    page = Listener(table.app)
    viewer = json.loads(await page.named("hello"))["viewer"]
    assert 3 == await phone.send(2, "+mode", "-mode", viewer=viewer)
    await page.leave()
    assert [("mode", True), ("mode", False)] * 2 == table.presses


@run_by(at_table, mock=False)
async def test_real_buttons_are_not_pressed_by_halves(table: RealTable) -> None:
    """Without a mock panel a hold gets 404."""
    assert 404 == await Phone(table).send(1, "1.plus_one", "+1.enter")
    assert [] == table.taps


@run_by(at_table)
async def test_another_run_of_the_server_is_reported(table: RealTable) -> None:
    """Its numbers mean nothing here: it gets 409, and nothing is pressed."""
    phone = Phone(table)
    assert 409 == await phone.send(1, "1.enter", run="before")
    assert [] == phone.real_table.taps


@run_by(at_table)
async def test_an_unknown_button_presses_none(table: RealTable) -> None:
    """The request is refused as a whole, with the buttons before it."""
    phone = Phone(table)
    for button in ("4.plus_one", "pad 1.enter", "", "1.Enter"):
        assert 400 == await phone.send(1, "1.plus_one", button)
    assert [] == phone.real_table.taps
    assert 1 == await phone.send(1, "1.plus_one")


@run_by(at_table)
async def test_pads_are_told_apart_and_old_ones_forgotten(table: RealTable) -> None:
    """Each has its own numbers; only a limited number of pads is remembered."""
    phone = Phone(table)
    for n in range(PAD_LIMIT + 1):
        assert 1 == await phone.send(1, "1.plus_one", pad=f"{n:022}")
    assert 1 == await phone.send(1, "1.plus_one", pad=f"{PAD_LIMIT:022}")
    assert PAD_LIMIT + 1 == len(phone.real_table.taps)
    assert 1 == await phone.send(1, "1.plus_one", pad=f"{0:022}")
    assert PAD_LIMIT + 2 == len(phone.real_table.taps)


@run_by(at_table)
async def test_a_tap_that_wakes_the_board_takes_its_count_along(table: RealTable) -> None:
    """Taps sent together are one count, as a part of them would be another count."""
    phone = Phone(table)
    table.services.table.table.demo(on=True)
    taps = ["1.plus_five", "1.plus_five", "1.plus_one", "1.enter"]
    answer = (await phone.answer(1, *taps)).json()
    assert (4, []) == (answer["taken"], phone.real_table.taps)
    assert "game-shown" == answer["hint"]["kind"]
    assert 8 == await phone.send(5, *taps)
    assert taps == [button for button, _ in phone.real_table.taps]


@pytest.mark.parametrize(("right", "status"), [("score", 403), ("run", 200)])
def test_mode_is_for_who_may_run_the_table(right: Grant, status: int) -> None:
    """It begins the demo and a new game; a refused request with it presses nothing."""
    known = Known(id="p", name="A", right=right, hash=sha256(b"t").hexdigest(), since=4e9)

    async def play(table: RealTable) -> None:
        phone = Phone(table)
        assert 403 == await phone.send(1, "+1.plus_one", far="cribwars=t")
        answer = await phone.answer(1, "1.plus_one", "mode", far="cribwars=t")
        assert status == answer.status_code
        assert (status == 200) == bool(phone.real_table.taps)

    at_table(play, pairing=Pairing((known,), store=lambda _: None))


@run_by(at_table)
async def test_a_long_press_ends_with_the_server(table: RealTable) -> None:
    """A press of many seconds does not keep a closing server waiting."""
    press = asyncio.create_task(buttons_of(table).press("mode", 15))
    await table.until(lambda table: ["mode"] == down(table))
    table.closing.set()
    await press
    assert [("mode", True), ("mode", False)] == table.presses


@run_by(at_table)
async def test_a_cancelled_press_comes_up(table: RealTable) -> None:
    """A press whose client has gone is released."""
    press = asyncio.create_task(buttons_of(table).press("mode", 15))
    await table.until(lambda table: ["mode"] == down(table))
    press.cancel()
    await asyncio.gather(press, return_exceptions=True)
    assert [("mode", True), ("mode", False)] == table.presses


@run_by(at_table)
async def test_a_hold_ends_by_itself(table: RealTable) -> None:
    """A held button is released at the limit, and can be held again."""
    buttons = buttons_of(table, limit_s=0.01)
    for _ in range(2):
        await buttons.hold("deal", pad="a", viewer=None)
        await table.until(lambda table: [] == down(table))
    assert [("deal", True), ("deal", False)] * 2 == table.presses


@run_by(at_table)
async def test_a_viewer_that_leaves_lets_go_of_its_own_buttons_only(table: RealTable) -> None:
    """The end of a page's stream releases only the buttons that the page holds."""
    buttons = buttons_of(table)
    for button, viewer in (("1.enter", 1), ("1.undo", 1), ("2.enter", 2), ("deal", None)):
        await buttons.hold(button, pad="a", viewer=viewer)
    buttons.leave(1)
    buttons.leave(1)
    assert ["2.enter", "deal"] == down(table)


@run_by(at_table)
async def test_only_the_holder_lets_go(table: RealTable) -> None:
    """A page cannot release another page's button, and a second release does nothing."""
    buttons = buttons_of(table)
    await buttons.hold("deal", pad="a", viewer=1)
    await buttons.release("deal", pad="b", held=0)
    assert ["deal"] == down(table)
    await buttons.release("deal", pad="a", held=0)
    await buttons.release("deal", pad="a", held=0)
    assert [("deal", True), ("deal", False)] == table.presses


@run_by(at_table)
async def test_a_button_that_is_down_stays_as_it_is(table: RealTable) -> None:
    """Two fingers press a button once, and the first releases it; a script is refused."""
    buttons = buttons_of(table)
    for pad in "ab":
        await buttons.hold("deal", pad=pad, viewer=None)
    with pytest.raises(ButtonError):
        await buttons.press("deal", 0.01)
    for pad in "ba":
        await buttons.release("deal", pad=pad, held=0)
    assert [("deal", True), ("deal", False)] == table.presses


@run_by(in_loop)
async def test_late_halves_are_a_whole_press() -> None:
    """Halves that arrive at once are kept apart for the page's time, at least for a press."""
    panel = TimedPanel()
    buttons = MockButtons(cast("MockPanel", panel), settle_s=0.05, closing=asyncio.Event())
    for held in (0, 0.2):
        down = buttons.hold("deal", pad="a", viewer=None)
        await asyncio.gather(down, buttons.release("deal", pad="a", held=held))
    lengths = [after - before for before, after in pairwise(panel.times)]
    wanted = (SHORTEST_PRESS_S, 0.05, 0.2)
    assert all(length >= least for length, least in zip(lengths, wanted, strict=True))
