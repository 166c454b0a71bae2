"""The notation: whatever is written is read back, and nothing else is read."""

import json
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import structs

from companion.errors import BadInputError
from companion.rules.game import Command, Event, Kind, Peg
from companion.rules.game.notation import command_value, read_command, read_events

KINDS: tuple[type[Command], ...] = get_args(Command)
WHOLE = st.integers(-(2**40), 2**40)
HOLES = st.one_of(st.none(), st.integers(0, 400), st.text(max_size=12))
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | WHOLE
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside),
    max_leaves=6,
)


def commands_of(kind: type[Command]) -> st.SearchStrategy[Command]:
    """Commands of one kind with any values that their fields can hold."""
    whole = {int: WHOLE, int | None: st.none() | WHOLE}
    hints = get_type_hints(kind)
    fields: dict[str, Any] = {
        field.name: whole.get(hints[field.name], st.from_type(hints[field.name]))
        for field in structs.fields(kind)
    }
    return st.builds(kind, **fields)


COMMANDS = st.one_of([commands_of(kind) for kind in KINDS])
EVENTS = st.builds(
    Event,
    kind=st.sampled_from(Kind),
    side=st.none() | st.integers(1, 3),
    origin=HOLES,
    to=HOLES,
    rule=st.none() | st.text(max_size=4),
    points=st.none() | st.integers(0, 29),
)


def encoded(value: object) -> bytes:
    """JSON by the standard library, which nothing here uses."""
    return json.dumps(value).encode()


@given(COMMANDS)
def test_every_command_is_read_back(command: Command) -> None:
    """A command, written by any encoder, is the same command again."""
    assert command == read_command(encoded(command_value(command)))
    assert command == read_command(msgspec.json.encode(command_value(command)))


@given(st.lists(EVENTS, max_size=5))
def test_every_event_is_read_back(events: list[Event]) -> None:
    """Events, written in order, are the same events again."""
    assert tuple(events) == read_events(encoded(msgspec.to_builtins(events)))


@given(EVENTS)
def test_an_event_has_the_keys_of_the_contract(event: Event) -> None:
    """Kind, side, from, to, rule; points where the kind has them."""
    keys = {"kind", "team", "from", "to", "rule"} | (
        {"points"} if event.points is not None else set()
    )
    assert keys == msgspec.to_builtins(event).keys()


@given(COMMANDS, st.text(max_size=8), ANYTHING)
def test_a_key_that_is_not_the_commands_own_is_refused(
    command: Command, key: str, value: object
) -> None:
    """A misspelt field is an error and not passed over."""
    ((name, fields),) = command_value(command).items()
    assert isinstance(fields, dict)
    known = {field.encode_name for field in structs.fields(command)}
    if key not in known:
        with pytest.raises(BadInputError, match=rf"^{name}: "):
            read_command(encoded({name: {**fields, key: value}}))


@example({"\n": 0})
@given(ANYTHING)
def test_whatever_json_comes_is_a_command_or_one_line(value: object) -> None:
    """Any value is read as a command or refused in a single line."""
    for line in (encoded(value), encoded({"peg": value}), encoded({"deal": value})):
        try:
            read_command(line)
        except BadInputError as error:
            assert "\n" not in str(error)  # noqa: PT017  # either way is right
    try:
        read_events(encoded([value]))
    except BadInputError as error:
        assert str(error).startswith("not events in JSON: ")  # noqa: PT017  # the same


@given(st.binary(max_size=40))
def test_whatever_bytes_come_are_one_line(line: bytes) -> None:
    """Bytes that are no JSON, or no UTF-8, are refused and raise nothing else."""
    with pytest.raises(BadInputError, match=r"^not a command in JSON: "):
        read_command(b"\xff" + line)


@pytest.mark.parametrize("line", [b'{"peg": ' + b"[" * 100_000, b"[" * 100_000, b'{"a":' * 100_000])
def test_brackets_without_end_are_refused(line: bytes) -> None:
    """Nesting deeper than a program can follow is a bad line like any other."""
    with pytest.raises(BadInputError):
        read_command(line)
    with pytest.raises(BadInputError):
        read_events(line)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"pge": {"team": 1, "points": 2}}', "no command 'pge': did you mean 'peg'?"),
        ('{"xyzzy": {}}', "no command 'xyzzy': there are deal, peg, "),
        ("{}", "an object with one key"),
        ('{"deal": {}, "undo": {}}', "an object with one key"),
        ('{"peg": {"team": 1}}', "peg: Object missing required field `points`"),
        ('{"peg": {"team": "1", "points": 2}}', "peg: Expected `int`, got `str`"),
        ('{"peg": {"team": true, "points": 2}}', "peg: Expected `int`, got `bool`"),
        ('{"peg": {"team": 1, "points": 2.5}}', "peg: Expected `int`, got `float`"),
        ("", "not a command in JSON"),
    ],
)
def test_a_bad_line_says_what_is_wrong(line: str, words: str) -> None:
    """The text names the command, the field and what was expected."""
    with pytest.raises(BadInputError) as refused:
        read_command(line)
    assert words in str(refused.value)


def test_what_is_not_set_is_left_out() -> None:
    """A field that is None is not written, and reads as None."""
    assert {"peg": {"team": 1, "points": 6}} == command_value(Peg(side=1, points=6))
    assert b'{"deal":{}}' == msgspec.json.encode(
        command_value(read_command('{"deal": {"dealer": null}}'))
    )
