"""The organiser can be killed and started elsewhere without loss, and reports what it needs."""

from __future__ import annotations

import asyncio
import csv
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from random import Random
from shutil import rmtree

import msgspec
import pytest

from companion.errors import BadInputError, JournalError
from companion.night.attention import Action, matters
from companion.night.broker import ABSENT_AFTER_S, TableTopics, plan_topic
from companion.night.messages import NightPlan, parse_plan, serialize
from companion.night.night_commands import (
    AddEntrants,
    AnyCommand,
    EnterResult,
    SeatRound,
    SetMessage,
)
from companion.night.night_endpoints import cards_csv, standings_csv
from companion.night.organiser import Organiser, StoredNight
from companion.night.program import NightFile
from companion.night.views import hall_view
from tests.support.night_tables import game, plan_of, play, state

FRIDAY = "friday"
PLAN = plan_of("Ann", "Bob", "Cleo", "Dan", rounds=1)
FIRST, SECOND = PLAN.rounds[0].pairs


class Broker:
    """Broker of one organiser, which keeps its retained messages."""

    def __init__(self, plan: NightPlan | None = None) -> None:
        self.retained: dict[str, bytes] = {}
        self.reachable = True
        self.deliver: Callable[[str, bytes], None] = lambda _topic, _content: None
        if plan:
            self.retained[plan_topic(FRIDAY)] = serialize(plan)

    def publish(self, plan: NightPlan) -> bool:
        """Retain the plan and send it back, as to any subscriber."""
        if self.reachable:
            self.retained[plan_topic(FRIDAY)] = serialize(plan)
            self.deliver(plan_topic(FRIDAY), serialize(plan))
        return self.reachable

    @property
    def plan(self) -> NightPlan:
        """The retained plan."""
        return parse_plan(self.retained[plan_topic(FRIDAY)])


class RunningOrganiser:
    """Organiser at a broker, with its stored content and its own time."""

    def __init__(self, broker: Broker, stored: StoredNight | None = None) -> None:
        self.broker, self.time, self.is_full = broker, 100.0, False
        self.saved = stored or StoredNight(plan=NightPlan(night="e" * 16))
        self.organiser = Organiser(
            FRIDAY, self.saved, save=self._save, publish=broker.publish, clock=lambda: self.time
        )
        broker.deliver = self.organiser.receive
        self.organiser.connection(connected=True)
        for topic, content in tuple(broker.retained.items()):
            self.organiser.receive(topic, content)
        self.organiser.settle()

    def _save(self, content: StoredNight) -> None:
        if self.is_full:
            raise JournalError("no room")
        self.saved = content

    def change(self, command: AnyCommand) -> None:
        """Carry out a command."""
        asyncio.run(self.organiser.change(command))

    def receive(self, table: int, content: bytes, what: str = "state") -> None:
        """Receive a message of a table; the broker retains it."""
        topic = getattr(TableTopics(FRIDAY, table), what)
        self.broker.retained[topic] = content
        self.organiser.receive(topic, content)

    @property
    def sentences(self) -> list[str]:
        """Return the texts of all matters."""
        return [str(each.text) for each in matters(self.organiser)]


def test_an_organiser_that_is_moved_has_the_broker_s_plan() -> None:
    """An organiser that starts with another data folder takes the plan of the broker."""
    broker = Broker()
    running = RunningOrganiser(broker)
    running.change(AddEntrants(lines="Ann\nBob"))
    running.change(SeatRound(round=1))
    moved = RunningOrganiser(broker)
    assert running.organiser.plan == moved.organiser.plan
    assert running.organiser.plan == moved.saved.plan


def test_a_table_s_copy_stands_in_for_file_and_broker() -> None:
    """If the broker has lost its store and the organiser its file, a table has the plan."""
    broker = Broker()
    running = RunningOrganiser(broker)
    plan = SetMessage(text="Tea").carry_out(PLAN, {})
    running.receive(2, serialize(plan), "plan")
    assert plan == running.organiser.plan == running.saved.plan == broker.plan


def test_a_broker_with_an_older_plan_gets_the_file_s() -> None:
    """Changes made while the broker was away are published when it is back."""
    broker = Broker(PLAN)
    newer = SetMessage(text="Tea").carry_out(PLAN, {})
    running = RunningOrganiser(broker, StoredNight(plan=newer))
    assert newer == running.organiser.plan == broker.plan


def test_an_empty_program_overwrites_nothing() -> None:
    """A new organiser publishes nothing before its first change."""
    broker = Broker()
    RunningOrganiser(broker)
    assert {} == broker.retained


def test_a_change_without_the_broker_is_saved() -> None:
    """The night goes on without a broker; the broker's absence is the first matter."""
    broker = Broker()
    running = RunningOrganiser(broker)
    broker.reachable = False
    running.organiser.connection(connected=False)
    running.change(AddEntrants(lines="Ann\nBob"))
    assert ["Ann", "Bob"] == [each.name for each in running.saved.plan.entrants]
    assert "The broker cannot be reached" in running.sentences[0]
    broker.reachable = True
    running.organiser.connection(connected=True)
    running.organiser.settle()
    assert running.organiser.plan == broker.plan


def test_a_change_that_cannot_be_saved_is_not_made() -> None:
    """After a refused command or on a full disk the plan is as before."""
    running = RunningOrganiser(Broker(PLAN))
    with pytest.raises(BadInputError):
        running.change(SeatRound(round=7))
    running.is_full = True
    with pytest.raises(JournalError):
        running.change(SetMessage(text="Tea"))
    assert PLAN == running.organiser.plan


def test_results_and_plans_count_though_they_cannot_be_saved(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """On a full disk messages of tables and broker are taken, with a line in the log."""
    running = RunningOrganiser(Broker(PLAN))
    running.is_full = True
    newer = SetMessage(text="Tea").carry_out(PLAN, {})
    running.receive(2, serialize(newer), "plan")
    running.receive(1, serialize(state(game(FIRST, winner="1", loser_at=100))))
    assert newer == running.organiser.plan
    assert 1 == hall_view(running.organiser)["done"]
    assert ["no room"] * 2 == caplog.messages


def test_results_outlast_table_and_broker() -> None:
    """The organiser's file has the result of a game whose table has gone."""
    running = RunningOrganiser(Broker(PLAN))
    running.receive(1, serialize(state(game(FIRST, winner="1", loser_at=100))))
    elsewhere = RunningOrganiser(Broker(), running.saved)
    assert hall_view(running.organiser)["standings"] == hall_view(elsewhere.organiser)["standings"]
    assert 2 == hall_view(elsewhere.organiser)["standings"][0].points


def test_an_older_state_takes_nothing_back() -> None:
    """An old state from the broker's store does not undo a result."""
    running = RunningOrganiser(Broker(PLAN))
    running.receive(1, serialize(state(game(FIRST, winner="1", loser_at=100), seq=9)))
    running.receive(1, serialize(state(game(FIRST, loser_at=90), seq=8)))
    assert 1 == hall_view(running.organiser)["done"]


def test_a_silent_table_is_off_and_is_reported() -> None:
    """It is grey after 4 s, reported 5 s later, and back with its next message."""
    running = RunningOrganiser(Broker(PLAN))
    running.receive(1, b"true", "online")
    running.receive(1, serialize(state(game(FIRST, loser_at=3))))
    running.time += ABSENT_AFTER_S
    running.organiser.check_presence()
    assert hall_view(running.organiser)["boards"][0]["online"]
    running.time += 0.1
    running.organiser.check_presence()
    assert not hall_view(running.organiser)["boards"][0]["online"]
    assert not any("has been off" in each for each in running.sentences)
    running.time += 36.0
    assert "Table 1 has been off for 40 s" in running.sentences[0]
    running.receive(1, b"true", "online")
    assert not any("has been off" in each for each in running.sentences)


def test_two_tables_with_one_number_are_reported() -> None:
    """They are reported if two journals alternate; one journal may replace another once."""
    running = RunningOrganiser(Broker(PLAN))
    for seq, journal in enumerate("ab", start=1):
        running.receive(1, serialize(state(journal=journal * 16, seq=seq)))
    assert not any("Two tables" in each for each in running.sentences)
    running.receive(1, serialize(state(journal="a" * 16, seq=3)))
    assert "Two tables say that they are table 1" in running.sentences[0]


def test_what_is_to_do_follows_the_night() -> None:
    """Names, round 1, results by hand, confirmations, the next round and the end are matters."""
    running = RunningOrganiser(Broker())
    assert [Action.ADD] == [each.action for each in matters(running.organiser)]
    running.change(AddEntrants(lines="Ann\nBob\nCleo\nDan"))
    assert ["4 sides are on the list: seat round 1."] == running.sentences
    running.change(SeatRound(round=1))
    assert "No lights at table 1, 2" in running.sentences[0]
    running.receive(1, b"true", "online")
    (pair, _) = running.organiser.plan.rounds[0].pairs
    night = running.organiser.plan.night
    won = game(pair, winner="2", loser_at=110, confirmed=("2",))
    running.receive(1, serialize(state(won, night=night)))
    winner, loser = (running.organiser.plan.name_of(each) for each in pair.entrants[::-1])
    assert f"{winner} has won by 11; {loser} must still confirm it" in running.sentences[0]
    for table in (1, 2):
        running.change(EnterResult(round=1, table=table, winner="1", plus=3, minus=3))
    assert ["Round 1 is over: seat round 2."] == running.sentences


@pytest.fixture
def refusals(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Return the lines of the log."""
    with caplog.at_level(logging.WARNING):
        yield caplog


def test_hostile_messages_are_refused_in_one_line(refusals: pytest.LogCaptureFixture) -> None:
    """They change nothing, and each is one short line in the log."""
    running = RunningOrganiser(Broker(PLAN))
    before = hall_view(running.organiser)
    for what in ("state", "plan", "online"):
        for content in (b"[" * 50_000, b"{}", b"x" * 70_000, b"\xff", b"maybe"):
            running.receive(1, content, what)
            assert before == hall_view(running.organiser)
            (record,) = refusals.records
            assert len(record.getMessage()) < 400
            refusals.clear()


def test_a_refusal_s_line_has_nothing_that_the_message_wrote_into_it(
    refusals: pytest.LogCaptureFixture,
) -> None:
    """Line breaks and escape sequences in a field's name cannot forge or colour a log line."""
    running = RunningOrganiser(Broker(PLAN))
    running.receive(1, b'{"journal": "0123456789abcdef", "a\\nb\\u001b[2J": 1}')
    (line,) = [each.getMessage() for each in refusals.records]
    assert line.isprintable()


def test_topics_of_no_table_are_refused(refusals: pytest.LogCaptureFixture) -> None:
    """A number that no table can have adds no table, and logs a line."""
    running = RunningOrganiser(Broker(PLAN))
    for topic in ("cribwars/friday/x/state", "cribwars/friday/0/online", "a/b"):
        running.organiser.receive(topic, b"true")
    assert (3, 0) == (len(refusals.records), len(running.organiser.presence))


def test_jumps_are_refused_and_lock_nobody_out(refusals: pytest.LogCaptureFixture) -> None:
    """A table's plan that is far ahead is refused, as is a state older than the known one."""
    running = RunningOrganiser(Broker(PLAN))
    running.receive(1, serialize(msgspec.structs.replace(PLAN, revision=2**53)), "plan")
    running.change(SetMessage(text="Tea"))
    assert "Tea" == running.broker.plan.message
    latest = state(game(FIRST, winner="1"), seq=9)
    running.receive(1, serialize(latest))
    running.receive(1, serialize(state(seq=8)))
    assert latest == running.organiser.state_of(1)
    assert 2 == len(refusals.records)


def test_many_journals_at_one_table_do_not_fill_the_memory() -> None:
    """More than eight journals of one number are refused; the known ones are still updated."""
    running = RunningOrganiser(Broker(PLAN))
    for number in range(40):
        running.receive(1, serialize(state(journal=f"{number:016x}")))
    assert 8 == len(running.organiser.states)


def test_the_file_lasts_and_says_what_to_do_if_it_cannot(tmp_path: Path) -> None:
    """Its folder is made; an error names another folder, or asks for room on the disk."""
    folder = tmp_path / "data"
    file = NightFile(folder, FRIDAY)
    assert file.load() is None
    file.save(StoredNight(plan=PLAN))
    assert StoredNight(plan=PLAN) == file.load()
    rmtree(folder)
    with pytest.raises(JournalError, match="make room"):
        file.save(StoredNight(plan=PLAN))
    folder.touch()
    with pytest.raises(BadInputError, match="--data"):
        file.load()


def test_the_exports_are_what_was_played() -> None:
    """Standings and cards as tables agree with sums over the games themselves."""
    plan = plan_of(*(f'Side "{at}", {at}' for at in range(8)), "=Eve", rounds=3)
    running = RunningOrganiser(Broker(plan))
    chance = Random(5)
    won, spread = Counter[str](), Counter[str]()
    for table in range(1, 5):
        pair = plan.rounds[0].pairs[table - 1]
        games = [play(pair, chance, round_=number) for number in (1, 2, 3)]
        running.receive(table, serialize(state(*games)))
        for each in games:
            names = {side: plan.name_of(entrant) for side, entrant in each.entrants.items()}
            loser = names["2" if each.winner == "1" else "1"]
            gap = abs(each.progress["1"] - each.progress["2"])
            won[names[each.winner or ""]] += 1
            spread[names[each.winner or ""]] += gap
            spread[loser] -= gap
    rows = list(csv.DictReader(StringIO(standings_csv(running.organiser).decode())))
    assert 9 == len(rows)
    for row in rows:
        name = row["name"].removeprefix("'")
        assert (won[name], spread[name]) == (int(row["games_won"]), int(row["net_spread"]))
    lines = list(csv.DictReader(StringIO(cards_csv(running.organiser).decode())))
    assert 24 == len(lines)
    plus = Counter[str]()
    for line in lines:
        plus[line["name"]] += int(line["plus"]) - int(line["minus"])
    assert {name: net for name, net in spread.items() if net} == {
        name: net for name, net in plus.items() if net
    }
