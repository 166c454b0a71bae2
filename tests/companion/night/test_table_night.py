"""Tables of a night as real programs at a real broker: their results and failures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from companion.night.broker import ABSENT_AFTER_S, TableTopics, plan_topic
from companion.night.messages import (
    Entrant,
    NightPlan,
    NightRound,
    SeatedPair,
    TableState,
    parse,
    serialize,
)
from tests.support.mosquitto import (
    NIGHT,
    Listener,
    Mosquitto,
    listening,
    missing,
    mosquitto,
    wait_until,
)
from tests.support.program import Program, running

pytestmark = pytest.mark.program(lacks=missing())
TABLE = TableTopics(NIGHT, 1)
ANN, BOB, CLEO = (
    Entrant(id=n, players=(name,)) for n, name in enumerate(("Ann", "Bob", "Cleo"), 1)
)


def plan_of(*pairs: tuple[int, int], revision: int = 1) -> NightPlan:
    """Return a plan in which table 1 has a pair in each round."""
    rounds = tuple(NightRound(pairs=(SeatedPair(table=1, entrants=pair),)) for pair in pairs)
    return NightPlan(
        night="0123456789abcdef", revision=revision, entrants=(ANN, BOB, CLEO), rounds=rounds
    )


@contextmanager
def table_of_night(folder: Path, broker: Mosquitto) -> Iterator[Program]:
    """Run a table of the night."""
    folder.mkdir(exist_ok=True)
    config = folder / "cribwars.toml"
    config.write_text(
        f'board = "classic-61"\n[night]\nbroker = "{broker.url}"\nname = "{NIGHT}"\n'
        f'table = 1\npassword = "{broker.passwords["1"]}"\n'
    )
    with running(folder, "--config", str(config)) as table:
        yield table


def state_of(organiser: Listener) -> TableState | None:
    """Return the newest state of table 1, None before the first."""
    content = organiser.messages.get(TABLE.state)
    return parse(content, TableState) if content else None


def send_plan(organiser: Listener, plan: NightPlan) -> None:
    """Publish a plan as the organiser does."""
    assert organiser.client.publish(plan_topic(NIGHT), serialize(plan), retain=True)


def win(table: Program) -> None:
    """Play a game that Amber wins in three counts."""
    for _ in range(3):
        table.press(*["1.plus_five"] * 5, "1.enter")


def wait_for_games(organiser: Listener, *expected: tuple[int, str | None, tuple[str, ...]]) -> None:
    """Wait until table 1 publishes these rounds, winners and confirmations."""

    def games() -> list[tuple[int, str | None, tuple[str, ...]]]:
        state = state_of(organiser)
        return [(g.round, g.winner, g.confirmed) for g in state.games] if state else []

    wait_until(lambda: [*expected] == games(), f"games are {expected}")


def wait_for_night(table: Program, **expected: object) -> None:
    """Wait until the page of a table shows a standing in the night."""
    for news in table.news():
        if expected.items() <= (news["night"] or {}).items():
            return


def test_a_result_counts_once_both_sides_have_confirmed_it(tmp_path: Path) -> None:
    """A published game has its round; both sides confirm the win, and an undo takes that back."""
    with (
        mosquitto(tmp_path) as broker,
        listening(broker) as organiser,
        table_of_night(tmp_path / "one", broker) as table,
    ):
        send_plan(organiser, plan_of((2, 1)))
        wait_for_night(table, round=1, names={"1": "Bob", "2": "Ann"})
        win(table)
        wait_for_night(table, awaited=["1", "2"])
        table.press("1.enter")
        wait_for_games(organiser, (1, "1", ("1",)))
        table.press("1.undo")
        wait_for_games(organiser, (1, None, ()))
        table.press(*["1.plus_five"] * 5, "1.enter")
        wait_for_night(table, awaited=["1", "2"])
        table.press("2.enter", "1.enter")
        wait_for_games(organiser, (1, "1", ("1", "2")))
        table.press("deal")
        send_plan(organiser, plan_of((2, 1), (1, 3), revision=2))
        wait_for_night(table, round=2, names={"1": "Ann", "2": "Cleo"})
        table.press("2.plus_one", "2.enter")
        wait_for_games(organiser, (1, "1", ("1", "2")), (2, None, ()))
        first = state_of(organiser)
        assert first is not None
        assert {"1": 2, "2": 1} == first.games[0].entrants
        assert "mqtt" not in table.stderr


def test_a_night_survives_broker_organiser_and_table(tmp_path: Path) -> None:
    """The table plays on without a broker; after its return without a store, all is restored."""
    plan = plan_of((1, 2), revision=7)
    with mosquitto(tmp_path) as broker:
        with listening(broker) as organiser, table_of_night(tmp_path / "one", broker) as table:
            send_plan(organiser, plan)
            wait_for_night(table, round=1, connected=True)
            broker.kill()
            wait_for_night(table, connected=False)
            win(table)
            wait_for_night(table, awaited=["1", "2"])
            table.press("1.enter", "2.enter")
            wait_for_night(table, confirmed=["1", "2"])
            organiser.client.close()
            broker.start()
            with listening(broker) as elsewhere:
                wait_for_games(elsewhere, (1, "1", ("1", "2")))
                elsewhere.until(TABLE.plan, serialize(plan))
                send_plan(elsewhere, msgspec.structs.replace(plan, revision=8))
                elsewhere.until(TABLE.plan, b"")
            assert (0, "") == table.stop()
        with listening(broker) as organiser, table_of_night(tmp_path / "one", broker) as table:
            wait_for_night(table, connected=True, confirmed=["1", "2"])
            wait_for_games(organiser, (1, "1", ("1", "2")))


def test_a_table_says_that_it_is_there(tmp_path: Path) -> None:
    """Presence messages come in quick succession; a table that stops reports that at once."""
    with (
        mosquitto(tmp_path) as broker,
        listening(broker, "organiser", "cribwars/+/+/online") as organiser,
        table_of_night(tmp_path / "one", broker) as table,
    ):
        seconds = [
            wait_until(
                lambda number=number: len(organiser.all) >= number, f"sign {number} of presence"
            )
            for number in range(1, 5)
        ]
        assert min(seconds[1:]) < ABSENT_AFTER_S
        assert (0, "") == table.stop()
        organiser.until(TABLE.online, b"false")
