"""A game claimed: who has it, what it is worth, and that it can be taken back."""

import dataclasses

import pytest

from companion.errors import RuleError
from companion.rules.game import Claim, Deal, HouseRules, NewGame, Peg, Penalty
from companion.rules.game.house_rules import preset
from tests.companion.rules.game.tables import NO_SKUNKS, Table, one_boxed
from tests.support.tracks import CLASSIC, CRIB_WARS


def claim(winner: int = 2, *, rule: str = "N10", by: int = 1) -> Claim:
    """Return a claim: by default the first side would not pay, and the second wins."""
    return Claim(rule=rule, by=by, game_to=winner)


@pytest.mark.parametrize("rule", ["N10", "N13", "N14"])
def test_the_game_is_over(rule: str) -> None:
    """N10: who claims has won; its front peg stands on the finish, its back where it stood."""
    table = Table(stand={1: 200, 2: 17})
    events = table.do(claim(rule=rule))
    assert [("claimed", 2, 17, 363, rule), ("won", 2, 363, 363, "G2")] == [
        (event.kind.value, event.side, event.origin, event.to, event.rule) for event in events
    ]
    assert 2 == table.state.winner
    assert [(200, 0), (363, 17)] == [table.pegs(1), table.pegs(2)]
    assert 363 == table.state.progress(2)


def test_the_finish_of_the_house() -> None:
    """G3: a claimed game ends where the house plays to."""
    table = Table(CLASSIC, preset("classic-61"), stand={2: 30})
    table.do(claim())
    assert (61, 30) == table.pegs(2)


def test_a_peg_in_a_trap_claims() -> None:
    """N13: the winner's peg has left the trap where it had landed."""
    table = Table(stand={1: 9, 2: 131}, landed=(2,))
    table.do(claim(rule="N13"))
    assert 363 == table.state.progress(2)
    assert not table.state.pegs(2).landed


@pytest.mark.parametrize("name", ["classic-121", "classic-61", "electronic", "lurch", "family"])
def test_nobody_is_skunked_by_a_claim(name: str) -> None:
    """N10: nobody has reached the finish, so a claimed game is worth one."""
    table = Table(CLASSIC, preset(name), stand={1: 0, 2: 50})
    assert ["claimed", "won"] == table.kinds(claim())
    assert 1 == table.state.match.won(2)


def test_a_skunk_announced_before_counts() -> None:
    """G4: at 121 the first side caught the others, which counts if it wins by a claim too."""
    table = Table(CRIB_WARS, HouseRules(), stand={1: 60, 2: 115})
    table.peg(2, 6)
    table.do(claim())
    assert 4 == table.state.match.won(2)


def test_a_skunk_announced_before_falls() -> None:
    """G4: if the caught side has the game by a claim it is worth one."""
    table = Table(CRIB_WARS, HouseRules(), stand={1: 60, 2: 115})
    table.peg(2, 6)
    table.do(claim(1, by=2))
    assert (1, 0) == (table.state.match.won(1), table.state.match.won(2))


def test_a_claim_reaches_no_hole() -> None:
    """G4: who claims before anybody reached 121 has not reached it first: nobody is caught."""
    table = Table(CRIB_WARS, HouseRules(), stand={1: 3, 2: 5})
    assert ["claimed", "won"] == table.kinds(claim())
    assert 1 == table.state.match.won(2)
    assert table.state.first_at_121 is None


def test_with_three_sides_one_has_the_game() -> None:
    """N14: the side that the game goes to has it; neither of the others moves."""
    table = Table(seats=(3, 6), stand={1: 100, 2: 90, 3: 80})
    table.do(claim(3, rule="N14", by=2))
    assert [(100, 0), (90, 0), (363, 80)] == [table.pegs(side) for side in (1, 2, 3)]


@pytest.mark.parametrize(("by", "winner"), [(2, 1), (1, 2)])
def test_a_boxed_side_wins_or_loses_a_claim(by: int, winner: int) -> None:
    """N10: a claim moves nobody by a count, so a box does not stand in its way (Z7)."""
    table = one_boxed()
    assert ["claimed", "won"] == table.kinds(claim(winner, by=by))
    assert winner == table.state.winner


def test_a_claim_may_win_the_match() -> None:
    """G6: a claimed game is a game of the match, and may be the last of it."""
    rules = dataclasses.replace(preset("electronic"), match_to=2)
    table = Table(CLASSIC, rules)
    table.do(claim())
    table.do(NewGame())
    assert ["claimed", "won", "match_won"] == table.kinds(claim())
    table.do(NewGame())
    assert (0, None) == (table.state.match.won(2), table.state.match.winner)


def test_after_a_claim() -> None:
    """G2: a claimed game takes neither counts nor deals, penalties nor another claim."""
    table = Table()
    table.do(claim())
    penalty = Penalty(rule="N3", by=1, taken=(2,))
    for command in (Peg(side=1, points=4), Deal(), penalty, claim(), claim(1, by=2)):
        assert "G2" == table.refusal(command)


def test_a_claim_is_taken_back() -> None:
    """N10: one undo gives the game back as it was, the match and the next game with it."""
    table = Table(rules=NO_SKUNKS, stand={1: 200, 2: 17})
    before = table.state
    table.do(claim())
    table.do(NewGame())
    table.undo()
    assert 2 == table.state.winner
    table.undo()
    assert before is table.state


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 16, 17])
def test_no_claim_for_less(number: int) -> None:
    """N10: of all that goes wrong only N10, N13 and N14 give the game away."""
    rule = f"N{number}"
    assert rule == Table().refusal(claim(rule=rule))


@pytest.mark.parametrize("rule", ["N0", "N18", "G2", ""])
def test_no_such_claim(rule: str) -> None:
    """N: a number that is none of the referee's is refused without one."""
    assert Table().refusal(claim(rule=rule)) is None


def test_nobody_claims_for_what_it_did() -> None:
    """N13: the game goes to another side than the one that did wrong."""
    with pytest.raises(RuleError, match=r"^side 1 cannot claim the game for what it did itself$"):
        Table().do(claim(1, rule="N13"))


@pytest.mark.parametrize(("by", "winner"), [(3, 1), (1, 3), (0, 1), (1, 0)])
def test_only_sides_that_play(by: int, winner: int) -> None:
    """T1: a side that takes no part neither has the game nor gives it away."""
    assert "T1" == Table().refusal(claim(winner, by=by))
