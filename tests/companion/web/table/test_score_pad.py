"""Score pads: every tap counts once, in order, whatever the network does."""

from __future__ import annotations

import json
import random
from hashlib import sha256

import httpx
import pytest

from companion.web.pairing.pairing import Grant, Pairing, StoredPairing
from companion.web.pairing.pairing import Phone as Known
from companion.web.table.score_pad import PAD_LIMIT
from tests.companion.web.asking import ask
from tests.support.real_table import RealTable, at_table

PAD = "p" * 22


class Phone:
    """A pad that sends taps to a table."""

    def __init__(self, desk: RealTable) -> None:
        self.desk, self.app = desk, desk.app

    async def answer(
        self, first: int, *buttons: str, run: str = "", pad: str = PAD, far: str = ""
    ) -> httpx.Response:
        """The answer to a request; from a phone elsewhere, if that has a cookie."""
        about = (await ask(self.app, "GET", "/api/about")).json()
        taps = [{"button": button} for button in buttons]
        value = {"pad": pad, "run": run or about["run"], "first": first, "taps": taps}
        body = json.dumps(value).encode()
        if not far:
            return await ask(self.app, "POST", "/api/taps", body=body)
        headers = {"cookie": far}
        return await ask(
            self.app, "POST", "/api/taps", body=body, headers=headers, client="192.168.1.9"
        )

    async def send(self, first: int, *buttons: str, **how: str) -> object:
        """The number taken last, or the status of a refusal."""
        answer = await self.answer(first, *buttons, **how)
        return answer.json()["taken"] if answer.status_code == 200 else answer.status_code


def test_taps_are_taken_in_order() -> None:
    """And answered with the last number, the table, and the words about the last press."""

    async def play(table: RealTable) -> None:
        phone = Phone(table)
        assert 2 == await phone.send(1, "1.plus_one", "1.plus_five")
        assert 3 == await phone.send(3, "1.enter")
        assert [("1.plus_one", 0), ("1.plus_five", 0), ("1.enter", 0)] == phone.desk.taps

    at_table(play)


def test_what_was_taken_is_not_taken_again() -> None:
    """Repeated whole or in part, it counts once; numbers that were never sent may be left out."""

    async def play(table: RealTable) -> None:
        phone = Phone(table)
        assert 2 == await phone.send(1, "1.plus_one", "1.plus_one")
        assert 2 == await phone.send(1, "1.plus_one", "1.plus_one")
        assert 3 == await phone.send(2, "1.plus_one", "1.plus_five")
        assert 3 == await phone.send(1, "1.plus_one")
        assert 9 == await phone.send(9, "1.enter")
        kinds = [button for button, _ in phone.desk.taps]
        assert ["1.plus_one", "1.plus_one", "1.plus_five", "1.enter"] == kinds

    at_table(play)


@pytest.mark.parametrize("seed", range(20))
def test_any_network_counts_every_tap_once(seed: int) -> None:
    """Requests and answers that are lost, late and doubled, as a careful pad meets them."""
    chance = random.Random(seed)  # no secret

    async def play(table: RealTable) -> None:
        phone = Phone(table)
        meant = [chance.choice(["1.plus_one", "1.plus_five", "1.undo"]) for _ in range(40)]
        taken = 0
        stray: list[tuple[int, list[str]]] = []
        while taken < len(meant):
            batch = meant[taken : taken + chance.randint(1, 5)]
            match chance.randint(1, 4):
                case 1:  # the request is lost, or comes later
                    stray.append((taken + 1, batch))
                case 2:  # the answer is lost
                    await phone.send(taken + 1, *batch)
                case 3 if stray:  # one of long ago arrives
                    first, old = chance.choice(stray)
                    if first <= taken + 1:
                        taken = max(taken, int(str(await phone.send(first, *old))))
                case _:
                    taken = int(str(await phone.send(taken + 1, *batch)))
        assert meant == [button for button, _ in phone.desk.taps]

    at_table(play)


def test_another_run_of_the_server_is_told() -> None:
    """Its numbers mean nothing here: 409, and nothing pressed."""

    async def play(table: RealTable) -> None:
        phone = Phone(table)
        assert 409 == await phone.send(1, "1.enter", run="before")
        assert [] == phone.desk.taps

    at_table(play)


@pytest.mark.parametrize("button", ["4.plus_one", "pad 1.enter", "", "1.Enter"])
def test_an_unknown_button_presses_none(button: str) -> None:
    """Nothing is half done: what stands before it is not pressed either."""

    async def play(table: RealTable) -> None:
        phone = Phone(table)
        assert 400 == await phone.send(1, "1.plus_one", button)
        assert [] == phone.desk.taps
        assert 1 == await phone.send(1, "1.plus_one")

    at_table(play)


def test_pads_are_told_apart_and_old_ones_forgotten() -> None:
    """Each has its own numbers; only so many are remembered."""

    async def play(table: RealTable) -> None:
        phone = Phone(table)
        for n in range(PAD_LIMIT + 1):
            assert 1 == await phone.send(1, "1.plus_one", pad=f"{n:022}")
        assert 1 == await phone.send(1, "1.plus_one", pad=f"{PAD_LIMIT:022}")
        assert PAD_LIMIT + 1 == len(phone.desk.taps)
        assert 1 == await phone.send(1, "1.plus_one", pad=f"{0:022}")
        assert PAD_LIMIT + 2 == len(phone.desk.taps)

    at_table(play)


def test_a_tap_that_wakes_the_board_takes_its_count_along() -> None:
    """What was sent together was meant as one count: a part of it would be another count."""

    async def play(table: RealTable) -> None:
        phone = Phone(table)
        table.services.table.table.demo(on=True)
        taps = ["1.plus_five", "1.plus_five", "1.plus_one", "1.enter"]
        answer = (await phone.answer(1, *taps)).json()
        assert (4, []) == (answer["taken"], phone.desk.taps)
        assert "game-shown" == answer["hint"]["kind"]
        assert 8 == await phone.send(5, *taps)
        assert taps == [button for button, _ in phone.desk.taps]

    at_table(play)


@pytest.mark.parametrize(("right", "status"), [("score", 403), ("run", 200)])
def test_mode_is_for_who_may_run_the_table(right: Grant, status: int) -> None:
    """It begins the demo and a new game; of a request with it nothing is pressed."""
    known = Known(id="p", name="A", right=right, hash=sha256(b"t").hexdigest(), since=4e9)

    async def play(table: RealTable) -> None:
        phone = Phone(table)
        answer = await phone.answer(1, "1.plus_one", "mode", far="cribwars=t")
        assert status == answer.status_code
        assert (status == 200) == bool(phone.desk.taps)

    at_table(play, pairing=Pairing(StoredPairing(phones=(known,)), keep=lambda _: None))
