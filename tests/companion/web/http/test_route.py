"""Rate limits, and requests with an idempotency key, which are carried out once."""

import asyncio
import json
from functools import partial
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from companion.rules.game import NewGame
from companion.web.http.route import ANSWER_LIMIT, CALLER_LIMIT, HEADER, KeptAnswers, RateLimiter
from tests.companion.web.client import send
from tests.support.real_table import RealTable, at_table


@given(st.lists(st.floats(0, 0.5), max_size=200))
def test_no_caller_is_faster_than_the_rate(pauses: list[float]) -> None:
    """In any time at most the burst and the rate's share are accepted."""
    pace, now, taken = RateLimiter(rate=10, burst=20), 0.0, []
    for pause in pauses:
        now += pause
        if pace.take("a", now) == 0.0:
            taken.append(now)
    for i, begin in enumerate(taken):
        for j, end in enumerate(taken[i:], start=1):
            assert j <= 20 + (end - begin) * 10 + 1e-6


def test_who_waits_as_told_is_taken() -> None:
    """After the given wait the change is accepted."""
    pace = RateLimiter(rate=2, burst=1)
    assert 0.0 == pace.take("a", 10)
    assert 0.5 == pace.take("a", 10)
    assert 0.0 == pace.take("a", 10.5)


def test_callers_do_not_slow_each_other() -> None:
    """Each has its own rate; the longest silent caller is forgotten."""
    pace = RateLimiter(rate=1, burst=1)
    assert [0.0] * (CALLER_LIMIT + 1) == [pace.take(f"{n}", 0) for n in range(CALLER_LIMIT + 1)]
    assert 1.0 == pace.take(f"{CALLER_LIMIT}", 0)
    assert 0.0 == pace.take("0", 0)


async def begin(table: RealTable, key: str, **choice: object) -> int:
    """Request a new game with a key. Return the status."""
    body, headers = json.dumps(choice).encode(), {HEADER: key}
    return (await send(table.app, "POST", "/api/new-game", body=body, headers=headers)).status_code


def test_a_request_that_is_sent_again_is_carried_out_once() -> None:
    """This holds during the first one, too; another key is another request."""

    async def play(table: RealTable) -> None:
        assert [200] * 3 == await asyncio.gather(*(begin(table, "a" * 22) for _ in range(3)))
        assert 200 == await begin(table, "a" * 22)
        assert 1 == sum(isinstance(command, NewGame) for command in table.commands)
        assert 200 == await begin(table, "b" * 22)
        assert 2 == sum(isinstance(command, NewGame) for command in table.commands)

    at_table(play)


def test_a_refused_request_may_come_again() -> None:
    """It is judged again with the same key; a malformed key is refused."""

    async def play(table: RealTable) -> None:
        assert 400 == await begin(table, "a" * 22, teams=[1])
        assert 200 == await begin(table, "a" * 22, teams=[1, 2])
        assert 400 == await begin(table, "short")

    at_table(play)


def test_a_long_answer_is_whole_each_time(tmp_path: Path) -> None:
    """Each response is compressed separately."""

    async def play(table: RealTable) -> None:
        stamp = (await send(table.app, "GET", "/api/settings")).json()["stamp"]
        body = json.dumps({"changes": {"voice": "full"}, "stamp": stamp}).encode()
        headers = {HEADER: "a" * 22}
        first, second = [
            await send(table.app, "POST", "/api/settings", body=body, headers=headers)
            for _ in range(2)
        ]
        assert first.json() == second.json()

    at_table(play, folder=tmp_path)


def test_the_oldest_answer_is_forgotten() -> None:
    """So no caller can fill the memory."""

    async def carried_out(others: int) -> list[int]:
        answers, numbers = KeptAnswers(), list[int]()

        async def carry_out(number: int) -> None:
            numbers.append(number)

        for number in (*range(others + 1), 0):
            await answers.once(number, partial(carry_out, number))
        return numbers

    for others in (0, ANSWER_LIMIT - 1, ANSWER_LIMIT):
        again = [0] if others == ANSWER_LIMIT else []
        assert [*range(others + 1), *again] == asyncio.run(carried_out(others))
