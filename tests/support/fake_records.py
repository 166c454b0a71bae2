"""The records of a table to put before the page: games that a test has made up."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from companion.web.records import responses
from companion.web.table.desk import NoGameError


class FakeRecords:
    """Games that a test puts here; `replays` has every place asked for, None for an end.

    `refusal` is raised whatever is asked, while it is set; `statistics_told` and `matches_told`
    are what is told; `changed` is called after each word about a replay.
    """

    def __init__(self) -> None:
        self.changed: Callable[[], None] = lambda: None
        self.told: dict[int, responses.ToldGame] = {}
        self.replays: list[tuple[int, int] | None] = []
        self.refusal: Exception | None = None
        self.matches_told: list[responses.RecordedMatch] = []
        self.statistics_told: responses.Statistics = {"games": 0, "sides": {}, "names": {}}

    async def games(self, *, before: int | None, most: int) -> responses.Games:
        """The games put here."""
        self._refuse()
        numbers = sorted(n for n in self.told if before is None or n < before)[::-1]
        games = [self.told[number]["game"] for number in numbers[:most]]
        return {"games": games, "more": len(numbers) > most}

    async def game(self, number: int) -> responses.ToldGame:
        """One of them."""
        self._refuse()
        if number not in self.told:
            raise NoGameError(f"there is no game {number}")
        return self.told[number]

    async def matches(self) -> list[responses.RecordedMatch]:
        """What a test has put here."""
        self._refuse()
        return self.matches_told

    async def statistics(self) -> responses.Statistics:
        """What a test has put here."""
        self._refuse()
        return self.statistics_told

    async def export_json(self) -> AsyncIterator[bytes]:
        """Two pieces."""
        self._refuse()
        yield b"{"
        yield b"}"

    async def export_csv(self) -> AsyncIterator[bytes]:
        """Two pieces, one of them empty."""
        self._refuse()
        yield b"game,team\r\n"
        yield b""

    async def backup(self) -> AsyncIterator[bytes]:
        """One piece."""
        self._refuse()
        yield b"PK"

    async def replay(self, number: int, place: int) -> None:
        """Keep what was asked for."""
        await self.game(number)
        self.replays.append((number, place))
        self.changed()

    def end_replay(self) -> None:
        """Keep that it was asked for."""
        self.replays.append(None)
        self.changed()

    def _refuse(self) -> None:
        if self.refusal:
            raise self.refusal
