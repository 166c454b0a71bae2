"""The rulings: what each says. What each gives in play is among the examples."""

import pytest

from companion.errors import RuleError
from companion.rules.game import Claim
from companion.rules.game.rulings import PENALTY_POINTS, RULINGS, ruling
from tests.companion.rules.game.tables import Table

NUMBERS = tuple(f"N{number}" for number in range(1, 18))


def test_there_is_a_ruling_for_each_number() -> None:
    """N: the referee knows seventeen things that go wrong, in the order of the rules."""
    assert NUMBERS == tuple(RULINGS)
    assert NUMBERS == tuple(each.rule for each in RULINGS.values())


def test_a_penalty_is_two_points() -> None:
    """N: where there are points, each other side may take two."""
    assert 2 == PENALTY_POINTS


@pytest.mark.parametrize("number", NUMBERS)
def test_a_ruling_is_reported_in_sentences(number: str) -> None:
    """N: what happened is one sentence, and what follows ends as a sentence does."""
    reported = ruling(number)
    assert 1 == str(reported.what).count(".")
    assert str(reported.what).endswith(".")
    assert str(reported.follows).endswith(".")


@pytest.mark.parametrize("number", NUMBERS)
def test_a_ruling_names_its_sheets(number: str) -> None:
    """N: two sheets have all of them but the last; the wrong go stands on a third too."""
    expected = {"N9": ("000", "003", "004"), "N17": ("004",)}.get(number, ("000", "003"))
    assert expected == ruling(number).sources


@pytest.mark.parametrize("number", ["N0", "N18", "n1", "", "M1", "G2", "N1 "])
def test_a_number_that_is_none_of_the_referees(number: str) -> None:
    """N: an unknown number is refused in one line that lists what there is."""
    with pytest.raises(RuleError, match=r"N1, N2, .*N17") as caught:
        ruling(number)
    assert caught.value.rule is None
    assert "\n" not in str(caught.value)


def test_nobody_claims_for_what_it_did() -> None:
    """N13: the game goes to another side than the one that did wrong."""
    with pytest.raises(RuleError, match=r"^side 1 cannot claim the game for what it did itself$"):
        Table().do(Claim(rule="N13", by=1, game_to=1))
