"""A table's past: every accepted command with its events and the state it led to, so as to undo."""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import RuleError
from companion.rules.game.apply import apply_all
from companion.rules.game.commands import Command, NewGame, Undo
from companion.rules.game.decide import decide
from companion.rules.game.events import Event, Kind
from companion.rules.game.state import Setup, State, new_game


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An accepted command, what followed from it, and the state after it."""

    command: Command
    events: tuple[Event, ...]
    state: State


class History:
    """Accepted commands in order, on top of the state they began from.

    `undo` steps back over any of them, wins and new games included. The entries are values: an
    entry may be decided, put on disk, and only then added.
    """

    def __init__(self, start: State) -> None:
        self._start = start
        self._entries: list[Entry] = []

    @property
    def state(self) -> State:
        """The game as it stands."""
        return self._entries[-1].state if self._entries else self._start

    @property
    def last(self) -> Entry | None:
        """The entry that `undo` would take back."""
        return self._entries[-1] if self._entries else None

    def __len__(self) -> int:
        return len(self._entries)

    def decide(self, command: Command) -> Entry:
        """Return the entry of a command without adding it. Refused: `RuleError`."""
        match command:
            case Undo():
                return self._undo()
            case NewGame(lanes=lanes):
                return Entry(command=command, events=(), state=self._begin(lanes))
            case _:
                events = decide(self.state, command)
                return Entry(command=command, events=events, state=apply_all(self.state, events))

    def restore(self, command: Command, events: tuple[Event, ...]) -> None:
        """Add what was accepted once already: its events stand, nothing is decided anew."""
        if isinstance(command, Undo | NewGame):
            self.add(self.decide(command))
        else:
            self.add(Entry(command=command, events=events, state=apply_all(self.state, events)))

    def add(self, entry: Entry) -> None:
        """Make a decided entry part of the past, or take its predecessor out of it (undo)."""
        if isinstance(entry.command, Undo):
            self._entries.pop()
        else:
            self._entries.append(entry)

    def do(self, command: Command) -> Entry:
        """Decide and add at once."""
        entry = self.decide(command)
        self.add(entry)
        return entry

    def _undo(self) -> Entry:
        if not self._entries:
            raise RuleError("nothing is left to take back")
        team = getattr(self._entries[-1].command, "team", None)
        event = Event(kind=Kind.UNDONE, team=team, origin=None, to=None, rule=None)
        state = self._entries[-2].state if len(self._entries) > 1 else self._start
        return Entry(command=Undo(), events=(event,), state=state)

    def _begin(self, lanes: tuple[int, ...] | None) -> State:
        setup = self.state.setup
        if lanes is None or lanes == setup.lanes:
            return new_game(setup, self.state.match)
        each = setup.players // len(setup.lanes)
        return new_game(
            Setup.make(setup.track, setup.rules, lanes=lanes, players=each * len(lanes)),
            self.state.match,
        )
