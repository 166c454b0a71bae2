"""The rulings: what each says and what it gives in play, one by one."""

import pytest

from companion.errors import RuleError
from companion.rules.game import Claim, Command, Penalty
from companion.rules.game.rulings import PENALTY_POINTS, RULINGS, ruling
from tests.companion.rules.game.tables import Table

NUMBERS = tuple(f"N{number}" for number in range(1, 18))
NOTHING = [0, 0, 0]
TWO_EACH = [0, 2, 2]


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


def refused_by(table: Table, command: Command) -> str | None:
    """The rule that refuses a command, None where it is taken."""
    try:
        table.do(command)
    except RuleError as error:
        return error.rule
    return None


def follows(rule: str) -> tuple[list[int], bool]:
    """Return each side's points for the first side's fault, and whether another may claim."""
    table = Table(seats=(3, 3), stand={1: 26, 2: 50, 3: 70})
    before = table.state
    refused = refused_by(table, Penalty(rule=rule, by=1, taken=(2, 3)))
    gains = [table.state.progress(side) - before.progress(side) for side in (1, 2, 3)]
    assert refused == (rule if gains == NOTHING else None)
    if not refused:
        table.undo()
    assert before is table.state
    refused = refused_by(table, Claim(rule=rule, by=1, game_to=3))
    assert refused == (rule if table.state.winner is None else None)
    claimed = table.state.winner == 3
    if claimed:
        table.undo()
    assert before is table.state
    return gains, claimed


def test_n1_help_asked_for() -> None:
    """N1: no points and no claim for asking for help."""
    assert (NOTHING, False) == follows("N1")


def test_n2_a_card_of_the_dealer_exposed() -> None:
    """N2: at most a new deal, no points and no claim."""
    assert (NOTHING, False) == follows("N2")


def test_n3_a_card_of_another_exposed() -> None:
    """N3: two points for the others, no claim."""
    assert (TWO_EACH, False) == follows("N3")


def test_n4_too_few_cards() -> None:
    """N4: a new deal, no points and no claim."""
    assert (NOTHING, False) == follows("N4")


def test_n5_too_many_cards() -> None:
    """N5: two points for the others, no claim."""
    assert (TWO_EACH, False) == follows("N5")


def test_n6_the_dealer_has_too_many() -> None:
    """N6: a new deal or a card drawn, no points and no claim."""
    assert (NOTHING, False) == follows("N6")


def test_n7_a_card_face_up_in_the_deck() -> None:
    """N7: as a card exposed, so that there may be two points (N3), no claim."""
    assert (TWO_EACH, False) == follows("N7")


def test_n8_wrong_after_the_discard() -> None:
    """N8: two points for the others, no claim."""
    assert (TWO_EACH, False) == follows("N8")


def test_n9_a_wrong_go() -> None:
    """N9, P8: two points for the others, no claim."""
    assert (TWO_EACH, False) == follows("N9")


def test_n10_a_penalty_not_paid() -> None:
    """N10: no points, the game may be claimed."""
    assert (NOTHING, True) == follows("N10")


def test_n11_pegged_too_many() -> None:
    """N11: neither points nor claim: the count itself is put right."""
    assert (NOTHING, False) == follows("N11")


def test_n12_both_own_pegs_taken_out() -> None:
    """N12: two points for the others, no claim."""
    assert (TWO_EACH, False) == follows("N12")


def test_n13_the_front_peg_of_another_taken_out() -> None:
    """N13: no points, the game may be claimed."""
    assert (NOTHING, True) == follows("N13")


def test_n14_pegs_out_of_place() -> None:
    """N14: two points for a move out of turn, or a claim for both pegs."""
    assert (TWO_EACH, True) == follows("N14")


def test_n15_cards_mixed_with_the_crib() -> None:
    """N15: two points for the others, no claim."""
    assert (TWO_EACH, False) == follows("N15")


def test_n16_the_deck_handled() -> None:
    """N16: two points for the others, no claim."""
    assert (TWO_EACH, False) == follows("N16")


def test_n17_an_error_of_the_deal_found() -> None:
    """N17: two points for the others, no claim."""
    assert (TWO_EACH, False) == follows("N17")
