"""Players by name."""

import random

import pytest

from companion.errors import BadInputError
from companion.players import KINDS, Child, Regular, Shark, make_player
from tests.support.card_games import setup_for


def test_the_kinds() -> None:
    """There are three kinds, from the weakest to the strongest."""
    made = [type(make_player(kind, setup_for(2), random.Random(1))) for kind in KINDS]
    assert [Child, Regular, Shark] == made


@pytest.mark.parametrize(("kind", "instead"), [("sharc", "did you mean 'shark'"), ("x", "child")])
def test_no_such_kind(kind: str, instead: str) -> None:
    """The error is one line that lists the kinds."""
    with pytest.raises(BadInputError, match=instead):
        make_player(kind, setup_for(2), random.Random(1))
