"""Commands, events and states as JSON: the one form that replay, the journal and the page share.

A command is an object with one key, its kind. What comes in is checked here and trusted inside.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import MISSING
from typing import get_type_hints

import msgspec

from companion.errors import BadInputError, suggest
from companion.rules.game.commands import (
    Claim,
    Command,
    Correct,
    Deal,
    MoveInBox,
    Muggins,
    NewGame,
    Overpeg,
    Peg,
    Penalty,
    SetPegs,
    Undo,
)
from companion.rules.game.events import Event, Kind
from companion.rules.game.state import State

_COMMANDS: Mapping[str, type[Command]] = {
    "deal": Deal,
    "peg": Peg,
    "box": MoveInBox,
    "overpeg": Overpeg,
    "penalty": Penalty,
    "claim": Claim,
    "muggins": Muggins,
    "set_pegs": SetPegs,
    "correct": Correct,
    "new_game": NewGame,
    "undo": Undo,
}
_NAMES = {kind: name for name, kind in _COMMANDS.items()}
_WRITTEN = {"erring": "from"}
"""Fields that are written otherwise: `from` is a word of Python."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""Errors of msgspec at bytes of another form; the last at brackets too deep."""


def _shape(name: str, kind: type[Command]) -> type[msgspec.Struct]:
    """Return the command's fields as msgspec checks them; it does not check plain dataclasses."""
    hints = get_type_hints(kind)
    fields = [
        (f.name, hints[f.name], msgspec.NODEFAULT if f.default is MISSING else f.default)
        for f in dataclasses.fields(kind)
    ]
    return msgspec.defstruct(name, fields, forbid_unknown_fields=True, rename=_WRITTEN)


_SHAPES = {name: _shape(name, kind) for name, kind in _COMMANDS.items()}


def command_shapes(name: str, commands: Sequence[str]) -> type[msgspec.Struct]:
    """Return the type of an object in which one of these commands stands under its own name."""
    fields = [(each, _SHAPES[each] | msgspec.UnsetType, msgspec.UNSET) for each in commands]
    return msgspec.defstruct(
        name, fields, namespace={"one_field": True}, forbid_unknown_fields=True
    )


def read_command(line: str | bytes) -> Command:
    """Parse a command from a line of JSON; anything else is a `BadInputError`.

    >>> read_command('{"peg": {"team": 1, "points": 6}}')
    Peg(team=1, points=6, why=None)
    """
    try:
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except UNREADABLE as error:
        raise BadInputError(f"not a command in JSON: {_one_line(error)}") from None
    if len(fields) != 1:
        raise BadInputError('a command is an object with one key, such as {"deal": {}}')
    ((name, raw),) = fields.items()
    if name not in _SHAPES:
        raise BadInputError(f"no command {name!r}: {suggest(name, _SHAPES)}")
    try:
        shape = msgspec.json.decode(raw, type=_SHAPES[name])
    except UNREADABLE as error:
        raise BadInputError(f"{name}: {_one_line(error)}") from None
    return _COMMANDS[name](**msgspec.structs.asdict(shape))


def _one_line(error: Exception) -> str:
    """Return the text of an error, which may have names of fields in it, as one line."""
    return " ".join(str(error).split())


def command_value(command: Command) -> dict[str, object]:
    """Return a command as the JSON value that `read_command` reads back, without unset fields."""
    fields = {
        _WRITTEN.get(name, name): value
        for name, value in dataclasses.asdict(command).items()
        if value is not None
    }
    return {_NAMES[type(command)]: fields}


def event_value(event: Event) -> dict[str, object]:
    """Return an event as a JSON value; `points` only where the kind has them."""
    value: dict[str, object] = {
        "kind": event.kind.value,
        "team": event.team,
        "from": event.origin,
        "to": event.to,
    }
    if event.points is not None:
        value["points"] = event.points
    return value | {"rule": event.rule}


class _EventShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Kind
    team: int | None
    origin: int | str | None = msgspec.field(name="from")
    to: int | str | None
    rule: str | None
    points: int | None = None


def read_events(text: str | bytes) -> tuple[Event, ...]:
    """Events from the JSON array of their values; anything else is a `BadInputError`."""
    try:
        found = msgspec.json.decode(text, type=tuple[_EventShape, ...])
    except UNREADABLE as error:
        raise BadInputError(f"not events in JSON: {_one_line(error)}") from None
    return tuple(Event(**msgspec.structs.asdict(event)) for event in found)


def side_value(state: State, team: int) -> dict[str, object]:
    """Return a side as the contract has it: both pegs, hands to sit, folded, progress."""
    side = state.side(team)
    return {
        "front": side.front,
        "back": side.back,
        "boxed": side.boxed.hands if side.boxed else 0,
        "folded": side.folded,
        "progress": state.progress(team),
    }


def state_value(state: State) -> dict[str, object]:
    """Return a state as `replay` prints it beside the events."""
    lanes = state.setup.lanes
    return {
        "teams": {str(team): side_value(state, team) for team in lanes},
        "dealer": state.dealer,
        "hand": state.hand,
        "winner": state.winner,
        "match": {
            "games": {str(team): state.match.won(team) for team in lanes},
            "to": state.setup.rules.match_to,
            "winner": state.match.winner,
        },
    }
