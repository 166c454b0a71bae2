"""Organiser (a program) of a game night on many tables: the plan, and each table's newest state.

Copies of the plan (the entrants, and the pairs of each round) are in the organiser's file, on an
MQTT broker and on every table. A copy with a higher revision replaces a copy with a lower one. The
program can therefore be killed at any time and started on another machine: if the broker offers
revision 41 to an organiser whose file has revision 38, the organiser goes on with revision 41.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from companion.errors import BadInputError, JournalError, as_text
from companion.night.broker import (
    ABSENT_AFTER_S,
    ONLINE,
    PLAN,
    STATE,
    parse_table_topic,
    plan_topic,
)
from companion.night.messages import (
    NightGame,
    NightPlan,
    TableState,
    log_refusal,
    newer,
    parse,
    parse_plan,
)
from companion.night.night_commands import AnyCommand
from companion.night.outcomes import Seat, SeatedGame, outcomes
from companion.signals import Signal

SETTLE_S: Final = 1.0
"""Seconds after a connection within which the broker sends its retained messages."""
RECEIPT_TIMEOUT_S: Final = 1.5
"""Seconds that a change may take to come back from the broker."""
JOURNALS_LIMIT: Final = 8
"""Most journals (files of commands) for one table number; states from a further one are refused."""
TURNS_LIMIT: Final = 2
"""Most turns at one table number; a turn is an unbroken series of states from one journal. A second
turn means that the table has a new journal. A third means that two tables claim the number."""
REVISIONS_AT_ONCE: Final = 10_000
"""Most revisions by which a table's copy of the plan may be ahead; a night has fewer changes."""

_log = logging.getLogger(__name__)


class StoredState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """State of a table, with the number of the table."""

    table: int
    state: TableState


class StoredNight(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Content of the organiser's file."""

    plan: NightPlan
    states: tuple[StoredState, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """Presence of a table on the broker; `heard` is the time of the table's last message."""

    online: bool
    heard: float


class Organiser:
    """State of the organiser's program for one night; only its event loop may use it.

    Args:
        night: the night's name in topics.
        stored: the content of the organiser's file.
        save: stores new content, and returns when the content is on disk.
        publish: sends the plan to the broker; returns False without a connection.
        clock: returns monotonic seconds.

    `version` grows with each change. `states` has the newest state by table and journal. `presence`
    has each table that was ever on the broker.
    """

    def __init__(
        self,
        night: str,
        stored: StoredNight,
        *,
        save: Callable[[StoredNight], None],
        publish: Callable[[NightPlan], bool],
        clock: Callable[[], float],
    ) -> None:
        self.night, self._save, self._publish, self.now = night, save, publish, clock
        self.plan = stored.plan
        self.states = {(each.table, each.state.journal): each.state for each in stored.states}
        self.presence: dict[int, Presence] = {}
        self._speakers: dict[int, list[str]] = {}
        self._received_revision = -1
        self._received = asyncio.Event()
        self.changed = Signal()
        self.version = 0
        self.connected = False
        self._outcomes: dict[Seat, SeatedGame] | None = None

    @property
    def outcomes(self) -> Mapping[Seat, SeatedGame]:
        if self._outcomes is None:
            self._outcomes = outcomes(self.plan, self.states)
        return self._outcomes

    @property
    def contested(self) -> tuple[int, ...]:
        """Table numbers that two tables claim: states of two journals arrive alternately."""
        return tuple(
            sorted(table for table, spoken in self._speakers.items() if len(spoken) > TURNS_LIMIT)
        )

    def state_of(self, table: int) -> TableState | None:
        """Return the last state that a table sent, or else a stored one, or else None."""
        spoken = self._speakers.get(table, [])
        known = [state for (number, _), state in self.states.items() if number == table]
        last = [state for state in known if spoken and state.journal == spoken[-1]]
        return next(iter(last or known[-1:]), None)

    async def change(self, command: AnyCommand) -> None:
        """Carry out a command; return when the plan is on disk, and a connected broker has it.

        Raises:
            BadInputError: the command does not fit the plan.
            JournalError: the new plan could not be saved; the old plan stays.
        """
        plan = command.carry_out(self.plan, self.outcomes)
        self._save(self._content(plan))
        self._adopt(plan)
        if not self._publish(plan):
            return
        self._received.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(RECEIPT_TIMEOUT_S):
                while self.connected and self._received_revision < plan.revision:
                    await self._received.wait()
                    self._received.clear()

    def connection(self, *, connected: bool) -> None:
        """Note that the broker was reached; or that it was lost, which marks all tables as off."""
        self.connected = connected
        if not connected:
            self._received_revision = -1
            self._mark_off(lambda _: True)
        self._changed()

    def check_presence(self) -> None:
        """Mark tables that have been silent for too long as off."""
        oldest = self.now() - ABSENT_AFTER_S
        if any(each.online and each.heard < oldest for each in self.presence.values()):
            self._mark_off(lambda each: each.heard < oldest)
            self._changed()

    def _mark_off(self, lost: Callable[[Presence], bool]) -> None:
        self.presence = {
            table: replace(each, online=each.online and not lost(each))
            for table, each in self.presence.items()
        }

    def settle(self) -> None:
        """Publish the plan if the broker has retained an older plan, or has no plan."""
        if self.plan.revision > max(0, self._received_revision):
            self._publish(self.plan)

    def receive(self, topic: str, content: bytes) -> None:
        """Take a message, or refuse a bad one with a line in the log."""
        try:
            self._receive(topic, content)
        except BadInputError as error:
            log_refusal(topic, error)

    def _receive(self, topic: str, content: bytes) -> None:
        if topic == plan_topic(self.night):
            self._take_plan(content, of_broker=True)
            return
        table, kind = parse_table_topic(topic)
        if kind == STATE:
            self._take_state(table, parse(content, TableState))
        elif kind == ONLINE:
            self._take_presence(table, content)
        elif kind == PLAN and content:
            self._take_plan(content)

    def _take_plan(self, content: bytes, *, of_broker: bool = False) -> None:
        plan = parse_plan(content)
        if of_broker:
            self._received_revision = plan.revision
            self._received.set()
        elif plan.revision > self.plan.revision + REVISIONS_AT_ONCE:
            raise BadInputError(
                as_text(f"revision {plan.revision} of the plan, and {self.plan.revision} here")
            )
        if newer(plan, self.plan) != self.plan:
            self._store(plan)
            self._adopt(plan)
            if not of_broker:
                self._publish(plan)
        elif of_broker and plan != self.plan:
            self._publish(self.plan)
        self._changed()

    def _take_state(self, table: int, state: TableState) -> None:
        own = [journal for number, journal in self.states if number == table]
        if state.journal not in own and len(own) >= JOURNALS_LIMIT:
            raise BadInputError(as_text(f"more than {JOURNALS_LIMIT} journals at this table"))
        known = self.states.get((table, state.journal))
        if known and known.seq > state.seq:
            raise BadInputError(as_text(f"command {state.seq} comes after {known.seq}"))
        spoken = self._speakers.setdefault(table, [])
        if spoken[-1:] != [state.journal]:
            spoken.append(state.journal)
        self.states[table, state.journal] = state
        self._outcomes = None
        if _won(state) != _won(known):
            self._store(self.plan)
        self._changed()

    def _take_presence(self, table: int, content: bytes) -> None:
        if content not in {b"true", b"false"}:
            raise BadInputError("neither true nor false")
        known, online = self.presence.get(table), content == b"true"
        if online or known is None or known.online:
            self.presence[table] = Presence(online=online, heard=self.now())
        if not online:
            self._speakers[table] = self._speakers.get(table, [])[-1:]
        if known is None or known.online != online:
            self._changed()

    def _adopt(self, plan: NightPlan) -> None:
        self.plan, self._outcomes = plan, None
        self._changed()

    def _store(self, plan: NightPlan) -> None:
        """Save a plan and the states; only log a failure, since broker and tables have both."""
        try:
            self._save(self._content(plan))
        except JournalError as error:
            _log.warning("%s", error)

    def _content(self, plan: NightPlan) -> StoredNight:
        states = tuple(
            StoredState(table=table, state=state)
            for (table, _), state in self.states.items()
            if state.games
        )
        return StoredNight(plan=plan, states=states)

    def _changed(self) -> None:
        self.version += 1
        self.changed.notify()


def _won(state: TableState | None) -> list[NightGame]:
    return [game for game in state.games if game.winner] if state else []
