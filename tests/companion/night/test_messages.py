"""Messages of a night: limited on the way in."""

import pytest

from companion.errors import BadInputError
from companion.night.messages import (
    MESSAGE_LIMIT_BYTES,
    TableState,
    parse,
    serialize,
)
from companion.night.plan import Entrant, SeatedPair
from tests.support.night_tables import game, plan_of, state

JOURNAL = "0123456789abcdef"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"\xff",
        b"[" * 60_000,
        b"{}",
        b'{"table": 0, "entrants": [1, 2]}',
        b'{"table": 1, "entrants": [1, 2, 3]}',
        b'{"table": 1, "entrants": [1, 2], "more": 1}',
        b'{"table": 99999999999999999999, "entrants": [1, 2]}',
        b" " * (MESSAGE_LIMIT_BYTES + 1),
    ],
)
def test_a_hostile_message_is_refused(content: bytes) -> None:
    """Another form, size, depth or number is an error that says so."""
    with pytest.raises(BadInputError):
        parse(content, SeatedPair)


@pytest.mark.parametrize(
    "name", ["", "Ann\n", "A\x07nn", "\u202ennA", "A\u2028nn", "A\x9bnn", "A" * 61]
)
def test_a_name_is_a_line_that_can_be_read(name: str) -> None:
    """Control characters, marks of direction and line breaks are refused; letters are not."""
    with pytest.raises(BadInputError):
        parse(serialize(Entrant(id=1, players=(name,))), Entrant)
    zoe = Entrant(id=1, players=("Zoë d'Arc 木",))
    assert zoe == parse(serialize(zoe), Entrant)


@pytest.mark.parametrize(
    ("known", "hostile"),
    [
        (b'"winner":"1"', b'"winner":"3"'),
        (b'"entrants":{"1":1,"2":2}', b'"entrants":{}'),
        (b'"entrants":{"1":1,"2":2}', b'"entrants":{"1":1,"2":2,"3":3}'),
        (b'"progress":{"1":121,"2":0}', b'"progress":{"1":121}'),
        (b'"finish":121', b'"finish":100000'),
        (b'"journal":"aaaaaaaaaaaaaaaa"', b'"journal":"aaaaaaaaaaaaaaaa\\n"'),
    ],
)
def test_a_game_that_cannot_be_is_refused(known: bytes, hostile: bytes) -> None:
    """A game of the night has two sides, one of whom may have won it."""
    (pair,) = plan_of("Ann", "Bob", rounds=1).rounds[0].pairs
    content = serialize(state(game(pair, winner="1")))
    assert content == serialize(parse(content, TableState))
    assert known in content
    with pytest.raises(BadInputError):
        parse(content.replace(known, hostile), TableState)
