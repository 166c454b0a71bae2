"""Commands, events and states as JSON: the one form that replay, the journal and the page share.

A command is an object with one key, its kind. No other module checks types or fields again.
"""

from collections.abc import Mapping, Sequence

import msgspec

from companion.board.layout import Hole
from companion.encoding import UNREADABLE
from companion.errors import BadInputError, suggest
from companion.rules.game import commands
from companion.rules.game.events import Event
from companion.rules.game.state import State

_COMMANDS: Mapping[str, type[commands.Command]] = {
    "deal": commands.Deal,
    "peg": commands.Peg,
    "box": commands.MoveInBox,
    "overpeg": commands.Overpeg,
    "penalty": commands.Penalty,
    "claim": commands.Claim,
    "muggins": commands.Muggins,
    "set_pegs": commands.SetPegs,
    "correct": commands.Correct,
    "new_game": commands.NewGame,
    "undo": commands.Undo,
}
_NAMES = {kind: name for name, kind in _COMMANDS.items()}
_DECODERS = {name: msgspec.json.Decoder(kind) for name, kind in _COMMANDS.items()}
_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_EVENTS = msgspec.json.Decoder(tuple[Event, ...])


def command_shapes(name: str, keys: Sequence[str]) -> type[msgspec.Struct]:
    """Return a type called `name`: an object whose single key is one of the kinds in `keys`."""
    fields = [(each, _COMMANDS[each] | msgspec.UnsetType, msgspec.UNSET) for each in keys]
    return msgspec.defstruct(
        name, fields, namespace={"one_field": True}, forbid_unknown_fields=True
    )


def read_command(line: str | bytes) -> commands.Command:
    """Parse a command from a line of JSON; anything else is a `BadInputError`.

    >>> read_command('{"peg": {"team": 1, "points": 6}}')
    Peg(side=1, points=6, why=None)
    """
    try:
        fields = _FIELDS.decode(line)
    except UNREADABLE as error:
        raise BadInputError("not a command in JSON: {error}", error=_one_line(error)) from None
    if len(fields) != 1:
        text = "a command is an object with one key, such as {example}"
        raise BadInputError(text, example='{"deal": {}}')
    ((name, raw),) = fields.items()
    if name not in _COMMANDS:
        raise BadInputError(
            "no command {name}: {known}", name=repr(name), known=suggest(name, _COMMANDS)
        )
    try:
        return _DECODERS[name].decode(raw)
    except UNREADABLE as error:
        raise BadInputError("{name}: {error}", name=name, error=_one_line(error)) from None


def _one_line(error: Exception) -> str:
    # Names of fields in the error may have line breaks.
    return " ".join(str(error).split())


def command_value(command: commands.Command) -> dict[str, object]:
    """Return a command as `read_command` reads it, but leave out the fields that are None."""
    fields = msgspec.to_builtins(command)
    return {
        _NAMES[type(command)]: {name: fields[name] for name in fields if fields[name] is not None}
    }


def read_events(text: str | bytes) -> tuple[Event, ...]:
    """Parse events from a JSON array; anything else is a `BadInputError`."""
    try:
        return _EVENTS.decode(text)
    except UNREADABLE as error:
        raise BadInputError("not events in JSON: {error}", error=_one_line(error)) from None


class SideValue(msgspec.Struct, frozen=True, kw_only=True):
    """A side's JSON value; `boxed` is the number of hands that the side must still sit out.

    >>> side = SideValue(front=2, back=15, boxed=0, folded=True, progress=2)
    >>> msgspec.json.encode(side).decode()
    '{"front":2,"back":15,"boxed":0,"folded":true,"progress":2}'
    """

    front: Hole
    back: Hole
    boxed: int
    folded: bool
    progress: int


class MatchValue(msgspec.Struct, frozen=True, kw_only=True):
    """Match: `games` won by each side, and `to`, the number that wins; None means no end.

    >>> MatchValue(games={1: 4, 2: 1}, to=4, winner=1).games[1]
    4
    """

    games: dict[int, int]
    to: int | None
    winner: int | None


def side_value(state: State, side: int) -> SideValue:
    """Return a side's JSON value."""
    pegs = state.pegs(side)
    return SideValue(
        front=pegs.front,
        back=pegs.back,
        boxed=pegs.boxed.hands if pegs.boxed else 0,
        folded=pegs.folded,
        progress=state.progress(side),
    )


def match_value(state: State) -> MatchValue:
    """Return the JSON value of the match that a game belongs to."""
    match = state.match
    games = {side: match.won(side) for side in state.setup.sides}
    return MatchValue(games=games, to=state.setup.rules.match_to, winner=match.winner)


def state_value(state: State) -> dict[str, object]:
    """Return a state as `replay` prints it beside the events."""
    return {
        "teams": {side: side_value(state, side) for side in state.setup.sides},
        "dealer": state.dealer,
        "hand": state.hand,
        "winner": state.winner,
        "match": match_value(state),
    }
