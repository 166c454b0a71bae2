"""History of the games at a table: every accepted command with its events and the state after it.

States share most of their parts in memory, so a history can keep every state. An undo drops the
last command with all its effects: slides, boxes, a win or a new game.

>>> from companion.board import load_board
>>> from companion.rules.game.commands import Peg
>>> setup = Setup.make(load_board("classic").track, HouseRules(), sides=(1, 2))
>>> history = History(new_game(setup))
>>> history.do(Peg(side=1, points=6)).state.pegs(1).front, history.do(Undo()).state.pegs(1).front
(6, 0)

A correction changes or removes an earlier count, and all later commands are done again. The entry
of the correction has all new events: those of each command follow an event `corrected`.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import structs

from companion.errors import LaterCommandError, RuleError, suggest
from companion.rules.game.apply import apply_all
from companion.rules.game.commands import (
    Command,
    Correct,
    Deal,
    GameCommand,
    MoveInBox,
    Muggins,
    NewGame,
    Peg,
    Penalty,
    Undo,
)
from companion.rules.game.decide import decide, refuse_after_win, take_again
from companion.rules.game.events import Event, Kind
from companion.rules.game.house_rules import HouseRules, presets_for
from companion.rules.game.state import Entry, Setup, State, new_game
from companion.rules.game.turn import refuse_points


def surplus_entries(begins: Sequence[bool], limit: int) -> int:
    """Return the number of entries to drop: the oldest games, but never the last two games.

    Args:
        begins: for each entry, oldest first, True if the entry begins a game.
        limit: the most entries to keep.

    >>> surplus_entries([False, True, False, True, False], 4), surplus_entries([True], 4)
    (2, 0)
    """
    if len(begins) <= limit:
        return 0
    starts = [number for number, begun in enumerate(begins, start=1) if begun][:-1]
    fitting = (start for start in starts if len(begins) - start <= limit)
    return next(fitting, starts[-1] if starts else 0)


class History:
    """The state at the beginning, and an entry for each command accepted since, in order.

    `decide` returns an entry, and `add` adds it later, so that it can be saved in between.

    Args:
        start: the state at the beginning.
        limit: the most entries to keep, or None for all. If there are more when a game begins, the
            oldest games are dropped; the last two games are always kept.
        next_setup: the board and the house rules of the next games, or None for the present ones.
    """

    def __init__(
        self, start: State, *, limit: int | None = None, next_setup: Setup | None = None
    ) -> None:
        self._start, self._limit, self._next_setup = start, limit, next_setup
        self._entries: list[Entry] = []

    @property
    def state(self) -> State:
        return self._entries[-1].state if self._entries else self._start

    @property
    def last(self) -> Entry | None:
        return self._entries[-1] if self._entries else None

    def latest(self, limit: int) -> list[Entry]:
        return self._entries[-limit:]

    @property
    def game(self) -> tuple[State, list[Entry]]:
        """The first state of the running game, and the game's entries; entry 1 is the first."""
        first = len(self._entries)
        while first and not isinstance(self._entries[first - 1].command, NewGame):
            first -= 1
        start = self._entries[first - 1].state if first else self._start
        return start, self._entries[first:]

    @property
    def has_new_rules(self) -> bool:
        return self._choice(None)[1] != self.state.setup.rules

    @property
    def presets(self) -> Mapping[str, HouseRules]:
        """The house rules to choose from for the next game; "" names the rules of the settings."""
        return presets_for((self._next_setup or self.state.setup).rules)

    def __len__(self) -> int:
        return len(self._entries)

    def decide(self, command: Command) -> Entry:
        """Return the entry of a command without adding it; raise `RuleError` if it is refused."""
        match command:
            case Undo():
                return self._undo()
            case NewGame():
                return Entry(command=command, events=(), state=self._begin(command))
            case Correct():
                return correct(*self.game, command)
            case _:
                events = decide(self.state, command)
                return Entry(command=command, events=events, state=apply_all(self.state, events))

    def add(self, entry: Entry) -> None:
        """Add a decided entry; the entry of an undo removes the entry before it."""
        if isinstance(entry.command, Undo):
            self._entries.pop()
        else:
            self._entries.append(entry)
            if isinstance(entry.command, NewGame) and self._limit is not None:
                self._forget_oldest(self._limit)

    def _forget_oldest(self, limit: int) -> None:
        begins = [isinstance(entry.command, NewGame) for entry in self._entries]
        if first := surplus_entries(begins, limit):
            self._start = self._entries[first - 1].state
            del self._entries[:first]

    def do(self, command: Command) -> Entry:
        entry = self.decide(command)
        self.add(entry)
        return entry

    def _undo(self) -> Entry:
        if not self._entries:
            raise RuleError("nothing is left to take back")
        side = getattr(self._entries[-1].command, "side", None)
        event = Event(kind=Kind.UNDONE, side=side, origin=None, to=None, rule=None)
        state = self._entries[-2].state if len(self._entries) > 1 else self._start
        return Entry(command=Undo(), events=(event,), state=state)

    def _begin(self, command: NewGame) -> State:
        old = self.state.setup
        sides = old.sides if command.sides is None else command.sides
        preset, rules = self._choice(command.preset)
        setup = Setup.make(
            (self._next_setup or old).board_track,
            rules,
            sides=sides,
            players=command.players or old.players // len(old.sides) * len(sides),
            preset=preset,
        )
        dealer = 1 if command.dealer is None else command.dealer
        return new_game(setup, self.state.match, dealer=dealer)

    def _choice(self, preset: str | None) -> tuple[str, HouseRules]:
        choices, old = self.presets, self.state.setup.preset
        if preset is None:
            preset = old if old in choices else ""
        if preset not in choices:
            remedy = suggest(preset, [name for name in choices if name])
            raise RuleError(
                "the preset {preset} is no choice here",
                preset=repr(preset),
                remedy=remedy,
                rule="G7",
            )
        return preset, choices[preset]


def standing(start: State, entries: Iterable[Entry]) -> list[Entry]:
    """Return a game's entries, changed by its corrections, in the order of their numbers.

    In the result, the entries of removed counts and of corrections have no events.

    Raises:
        ValueError, LookupError: the events of a correction do not fit the entries before it.
    """
    found: list[Entry] = []
    for entry in entries:
        if not isinstance(entry.command, Correct):
            found.append(entry)
            continue
        first, state = _place(start, found, entry.command)
        commands = _commands(found[first:], entry.command)
        groups = zip(commands, _split(entry.events), strict=True)
        for number, (command, events) in enumerate(groups, start=first):
            state = apply_all(state, events)
            found[number] = Entry(command=command, events=events, state=state)
        found.append(Entry(command=entry.command, events=(), state=state))
    return found


def correct(start: State, entries: Sequence[Entry], command: Correct) -> Entry:
    """Return the entry of a correction.

    A later deal or move in a penalty box is left out if the rules now refuse it.

    Raises:
        LaterCommandError: a later command of another kind would be refused.
        RuleError: there is no such count, no count can have these points, or the game is over.
    """
    found = standing(start, entries)
    first, state = _place(start, found, command)
    refuse_after_win(found[-1].state)
    side, points = counting_side(found[first].command), command.points or 0
    marker = Event(kind=Kind.CORRECTED, side=side, origin=None, to=None, rule=None, points=points)
    made: list[Event] = []
    for number, each in enumerate(_commands(found[first:], command), start=command.entry):
        try:
            events = _play(state, each)
        except RuleError as error:
            if number == command.entry:
                raise
            raise LaterCommandError(error, number=number) from error
        made += marker, *events
        state = apply_all(state, events)
    return Entry(command=command, events=tuple(made), state=state)


def counting_side(command: Command) -> int | None:
    """Return the side of a count that can be corrected or removed, or None."""
    match command:
        case Peg(side=side):
            return side
        case Muggins():
            return command.erring if command.given_back else command.by
        case Penalty(taken=(side, *_)):
            return side
        case _:
            return None


def _place(start: State, found: Sequence[Entry], command: Correct) -> tuple[int, State]:
    """Return the index of the entry to correct, and the state before it."""
    if not 1 <= command.entry <= len(found):
        raise RuleError(
            "this game has no command {entry}: its commands are 1 to {entries}",
            entry=command.entry,
            entries=len(found),
        )
    first = command.entry - 1
    return first, found[first - 1].state if first else start


def _commands(found: Sequence[Entry], command: Correct) -> list[Command]:
    first, *later = (entry.command for entry in found)
    return [_changed(first, command.points), *later]


def _changed(command: Command, points: int | None) -> GameCommand:
    """Return a command with other points; None makes a count of 0, or a penalty without takers."""
    if points is not None:
        refuse_points(points)
    match command:
        case Peg() | Muggins():
            return structs.replace(command, points=points or 0)
        case Penalty() if points is None:
            return structs.replace(command, taken=())
        case _:
            raise RuleError("only a count can be corrected; a penalty can only be removed")


def _play(state: State, command: Command) -> tuple[Event, ...]:
    match command:
        case Deal() | MoveInBox():
            return take_again(state, command)
        case Peg(points=0) | Muggins(points=0) | Correct() | NewGame() | Undo():
            return ()
        case _:
            return decide(state, command)


def _split(events: Sequence[Event]) -> list[tuple[Event, ...]]:
    marks = [index for index, event in enumerate(events) if event.kind is Kind.CORRECTED]
    ends = [*marks[1:], len(events)]
    return [tuple(events[mark + 1 : end]) for mark, end in zip(marks, ends, strict=True)]
