"""Phrases for rulings and for the table's own commands, in each language."""

from dataclasses import replace

from companion.rules.game import Claim, Correct, NewGame, Overpeg, Peg, Penalty, SetPegs, Undo
from companion.rules.game.rulings import RULINGS
from tests.companion.commentary.entries import (
    EVERYWHERE,
    counted,
    missed,
    overcalled,
    reported,
    two,
)
from tests.companion.commentary.tables import commentators


def test_a_count_set_right() -> None:
    """N11: it names the excess, the right count, and the other side's points."""
    table = two(70)
    table.peg(1, 8)
    assert [
        "Amber pegged two too many, and counts six, to 76; White takes two, to 52.",
        (
            "Ambre a marqué deux de trop, et compte six, jusqu'à 76\u00a0;"
            " Blanc prend deux, jusqu'à 52."
        ),
    ] == reported(table, Overpeg(side=1, extra=2, taken_by=2))


def test_a_count_of_nothing() -> None:
    """N11: the whole count was too many."""
    table = two(70)
    table.peg(1, 2)
    assert [
        "Amber pegged two too many, and counts nothing.",
        "Ambre a marqué deux de trop, et ne compte rien.",
    ] == reported(table, Overpeg(side=1, extra=2))


def test_a_penalty() -> None:
    """N15: it names the error, and who takes two for it."""
    assert [
        "Amber mixed its cards with the crib; White takes two, to 52.",
        "Ambre a mêlé ses cartes au chien\u00a0; Blanc prend deux, jusqu'à 52.",
    ] == reported(two(70), Penalty(rule="N15", by=1, taken=(2,)))


def test_every_penalty_has_words_of_its_own() -> None:
    """N1 to N17: each ruling has its own words for the offender."""
    each = [reported(two(70), Penalty(rule=rule, by=1, taken=())) for rule in RULINGS]
    for name, lines in zip(("Amber ", "Ambre "), zip(*each, strict=True), strict=True):
        assert len(RULINGS) == len(set(lines))
        assert all(line.startswith(name) for line in lines)


def test_a_claim() -> None:
    """N13: the game is claimed and won."""
    assert ["White claims the game, and wins.", "Blanc réclame la partie, et gagne."] == reported(
        two(70), Claim(rule="N13", by=1, game_to=2)
    )


def test_muggins() -> None:
    """M1: it names the missed points and the caller."""
    assert [
        "Amber missed two; White calls muggins and takes two, to 52.",
        "Ambre a oublié de compter deux\u00a0; Blanc crie muggins et prend deux, jusqu'à 52.",
    ] == reported(counted(4), missed(2))


def test_muggins_for_too_many() -> None:
    """M2: the count is corrected, in one sentence."""
    assert [
        (
            "Amber counted two too many, and counts six, to 6;"
            " White calls muggins and takes two, to 52."
        ),
        (
            "Ambre a compté deux de trop, et compte six, jusqu'à 6\u00a0;"
            " Blanc crie muggins et prend deux, jusqu'à 52."
        ),
    ] == reported(counted(8), overcalled(2))


def test_muggins_given_back() -> None:
    """M3: the erring side pegs them, or nobody does."""
    call = missed(2, given_back=True)
    assert [
        "Amber miscounted by two, and is given two back, to 10.",
        "Ambre a fait une erreur de deux, et se voit rendre deux, jusqu'à 10.",
    ] == reported(counted(8, EVERYWHERE), call)
    assert [
        "Amber miscounted by two and is let off.",
        "Ambre a fait une erreur de deux, sans suite.",
    ] == reported(counted(8, replace(EVERYWHERE, given_back="nobody")), call)


def test_undo() -> None:
    """An undo names what it takes back, if that is known."""
    table = two(70)
    done = table.history.do(Peg(side=1, points=6))
    undone = table.history.do(Undo())
    each = commentators(table.state.setup)
    assert ["The last command is taken back.", "La dernière commande est reprise."] == [
        one.entry(undone) for one in each
    ]
    assert [
        "Taken back: Amber counts six, to 76.",
        "Repris\u00a0: Ambre compte six, jusqu'à 76.",
    ] == [one.entry(undone, undone=done.events) for one in each]


def test_a_correction_is_reported_without_what_it_repeats() -> None:
    """It has side and points; pegs placed by hand have the front hole."""
    table = two(70)
    table.do(SetPegs(side=2, front=60, back=55))
    for points in (6, 7):
        table.do(Peg(side=1, points=points))
    assert [
        "Amber has an earlier count corrected to five.",
        "Ambre corrige un compte précédent à cinq.",
    ] == reported(table, Correct(entry=2, points=5))
    assert (
        "White has its pegs set, the front one on 61."
        == reported(table, SetPegs(side=2, front=61, back=60))[0]
    )


def test_a_new_game() -> None:
    """A new game is told, and nothing else."""
    assert ["A new game.", "Une nouvelle partie."] == reported(two(70), NewGame())
