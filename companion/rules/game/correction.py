"""Corrections: an earlier count is changed or removed, and all later commands are done again.

An `Entry` is a command with its events and the state after it. The entry of a correction has the
new events of the corrected command and of all later ones, each after an event `corrected`.
"""

from collections.abc import Iterable, Sequence

from msgspec import structs

from companion.errors import LaterCommandError, RuleError
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
from companion.rules.game.state import Entry, State
from companion.rules.game.turn import refuse_points


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
        first, state = _begin(start, found, entry.command)
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
    first, state = _begin(start, found, command)
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


def _begin(start: State, found: Sequence[Entry], command: Correct) -> tuple[int, State]:
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
    """Return a count with other points; None leaves it 0 points, or a penalty without takers."""
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
