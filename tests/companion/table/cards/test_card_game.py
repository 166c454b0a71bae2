"""A game of cards at the running table is pegged, shown and narrated, whoever plays."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from companion.errors import RuleError
from companion.players import DiscardRequest, Regular
from companion.records.records import Records
from companion.rules.cards import Card
from companion.rules.game import CountKind, Entry, Kind, Peg
from companion.table.cards.card_commands import GHOST_PAUSE_S, ZONE_PAUSE_S, at_speed
from tests.companion.journal.scribe import Scribe, begun
from tests.companion.table.cards.dealt import CardTable, at_cards
from tests.support.card_games import SHORT, children, regulars
from tests.support.scenes import run_by

LANDINGS = {Kind.SLID, Kind.TRAPPED, Kind.ADVANCED, Kind.FOLDED}


def played(make: Callable[[], CardTable]) -> CardTable:
    """Return a table at which a game has been played to its end."""
    return at_cards(make, CardTable.play)


# Computers


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_computers_play_a_game_to_its_win(players: int) -> None:
    """Every count is a command of its own in the journal; the last one wins."""
    table = played(lambda: CardTable(regulars(players)))
    assert table.table.state.winner is not None
    assert len(table.entries) == table.table.queue.seq == len(table.history)
    assert Kind.WON in {event.kind for event in table.entries[-1].events}
    assert "wins" in table.lines[-1]


def counts(table: CardTable) -> list[tuple[Entry, Peg]]:
    """Return the counts that were made."""
    return [(entry, entry.command) for entry in table.entries if isinstance(entry.command, Peg)]


def test_a_count_shows_its_ghost_before_it_walks() -> None:
    """Trail and ghost are shown until the peg walks, and for longer before a zone."""
    table = played(lambda: CardTable(children(2, 3)))
    fateful = 0
    for entry, count in counts(table):
        shown = table.lights.shown
        moved = next(n for n, (_, view) in enumerate(shown) if view.state is entry.state)
        first = moved
        while shown[first - 1][1].pending == ((count.side, count.points),):
            first -= 1
        assert first < moved
        landed = bool(LANDINGS & {event.kind for event in entry.events})
        fateful += landed
        seconds = shown[moved][0] - shown[first][0]
        assert pytest.approx(ZONE_PAUSE_S if landed else GHOST_PAUSE_S) == seconds
        assert () == shown[moved][1].pending
    assert fateful > 0


def test_the_journal_tells_what_each_count_was_for(tmp_path: Path) -> None:
    """Records tell hand, crib and pegging apart, and the table resumes from such rows."""
    requested = begun(rules=SHORT)
    table = played(lambda: CardTable(children(2, 7), setup=requested.setup))
    scribe = Scribe(tmp_path).sit(requested).write(table.entries)
    assert table.table.state == scribe.sit(requested).history.state
    scribe.close()
    with Records(tmp_path) as records:
        (game,) = records.games()
        sides = records.statistics().sides
        deals = records.game(game.number).figures[1].deals
    for side, tally in sides.items():
        own = [peg for _, peg in counts(table) if peg.side == side]
        assert all(peg.why for peg in own)
        hands = sum(peg.points for peg in own if peg.why is CountKind.HAND)
        pegged = sum(peg.points for peg in own if peg.why not in (CountKind.HAND, CountKind.CRIB))
        known = tally.averages
        assert (1, hands / deals, pegged / deals) == (known.games, known.hand, known.pegging)
        assert known.crib


def test_the_next_count_waits_until_the_pegs_stand_still() -> None:
    """No count is announced while a peg walks."""
    table = played(lambda: CardTable(children(3, 1)))
    assert counts(table)
    end = 0.0
    for t, view in table.lights.shown:
        if view.pending:
            assert t >= end
        end = max(end, view.motion.end)


def test_every_count_is_reported_once_in_words() -> None:
    """P7: there are as many lines with points as counts, and each names its side."""
    table = played(lambda: CardTable(regulars(2)))
    telling = [line for line in table.lines if "count" in line or ":" in line]
    assert len(counts(table)) <= len(telling)
    assert all(line.startswith(("Amber", "White", "The ", "A new", "Twenty")) for line in telling)


class Cheat(Regular):
    """Player that throws too few cards."""

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        """Return one card of six."""
        return request.hand[:1]


@run_by(partial(at_cards, lambda: CardTable({1: Cheat(), 2: Cheat()})))
async def test_a_computer_that_plays_wrong_is_reported_of_once(table: CardTable) -> None:
    """T3: the game ends with the error of the rules, as the player would repeat its move."""
    with pytest.raises(RuleError) as refused:
        await table.play()
    assert "T3" == refused.value.rule


# The end


@pytest.mark.parametrize("sleeps", range(1, 40, 3))
@run_by(partial(at_cards, lambda: CardTable(children(2, 1))))
async def test_a_game_that_is_cancelled_leaves_nothing(table: CardTable, sleeps: int) -> None:
    """At any moment a cancelled game leaves no task, no thread and no ghost."""
    left = iter(range(sleeps))
    playing = asyncio.create_task(table.play())

    def cancel() -> None:
        if next(left, None) is None:
            playing.cancel()

    table.time.on_sleep = cancel
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert () == table.table.display.view.pending
    assert table.table.state.winner is None


def test_speed_divides_every_pause() -> None:
    """At a speed of two every pause is half as long."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    asyncio.run(at_speed(2.0, sleep)(3.0))  # type: ignore[arg-type]  # what it gives is a coroutine
    assert [1.5] == slept
