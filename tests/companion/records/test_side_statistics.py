"""Statistics of one game, on games that can be counted by hand."""

from pathlib import Path

from companion.board import ZoneKind
from companion.journal.setup import GameRequest
from companion.records.records import Records
from companion.records.side_statistics import ByReason, SideFigures, Swing
from companion.rules.game import (
    Claim,
    Command,
    Deal,
    HouseRules,
    MoveInBox,
    Muggins,
    NewGame,
    Overpeg,
    Peg,
    Penalty,
)
from tests.companion.journal.scribe import begun, changed, played


def sides(
    folder: Path, *commands: Command, requested: GameRequest | None = None
) -> dict[int, SideFigures]:
    """Return the statistics of each side in a game of these commands."""
    with Records(played(folder, *commands, requested=requested)) as records:
        return records.game(1).figures


def test_counts_of_cards_are_counted_as_they_were_put_right(tmp_path: Path) -> None:
    """Number, points and largest are of cards; points taken are separate."""
    rules = HouseRules(muggins="on")
    missed = Muggins(erring=1, by=2, points=3, where="play", kind="missed")
    found = sides(
        tmp_path,
        Peg(side=1, points=9),
        Overpeg(side=1, extra=4, taken_by=2),
        Peg(side=1, points=12),
        missed,
        Penalty(rule="N9", by=2, taken=(1,)),
        requested=begun(rules=rules),
    )
    expected = {1: (2, 17, 12, 2, 0, 19), 2: (0, 0, 0, 4, 3, 7)}
    assert expected == {
        side: (s.counts, s.points, s.largest, s.penalty_points, s.muggins_points, s.holes)
        for side, s in found.items()
    }


def test_points_that_were_forfeited_are_nobodys(tmp_path: Path) -> None:
    """G2: a count or penalty too long for an exact finish moves nothing."""
    requested = begun(rules=HouseRules(finish="exact", game_to=61, muggins="on"))
    missed = Muggins(erring=2, by=1, points=9, where="play", kind="missed")
    pegs = Peg(side=1, points=29), Peg(side=1, points=29), Peg(side=1, points=9)
    found = sides(
        tmp_path, *pegs, missed, Penalty(rule="N9", by=2, taken=(1,)), requested=requested
    )
    side = found[1]
    assert (2, 58, 2, 0, 60) == (
        side.counts,
        side.points,
        side.penalty_points,
        side.muggins_points,
        side.holes,
    )


def test_zones_and_awards_are_those_a_side_met(tmp_path: Path) -> None:
    """Z1, Z6: a landing counts for its side, an award for its receiver."""
    found = sides(
        tmp_path,
        Peg(side=2, points=22),  # back to 2, and the first side on to 20
        Deal(),
        Peg(side=1, points=22),  # 42, a red slide
        Peg(side=2, points=20),  # 22 once more: the first side on from 62 to 82
    )
    assert {ZoneKind.RED_SLIDE: 1} == found[1].zones
    assert {ZoneKind.PENALTY_BOX: 2} == found[2].zones
    assert (2, 0) == (found[1].awards, found[2].awards)


def test_the_biggest_swing_is_of_one_count_with_all_that_followed(tmp_path: Path) -> None:
    """A box that moves two sides swings the lead by the sum."""
    found = sides(tmp_path, Peg(side=1, points=15), Deal(), Peg(side=1, points=7))
    assert (Swing(holes=15, step=1), Swing(holes=-33, step=3)) == (
        found[1].best_swing,
        found[1].worst_swing,
    )
    assert (Swing(holes=33, step=3), Swing(holes=-15, step=1)) == (
        found[2].best_swing,
        found[2].worst_swing,
    )


def test_a_side_in_the_box_sits_in_on_no_deal(tmp_path: Path) -> None:
    """Z7, Z11: hands that a side sat out are not its deals or cribs."""
    box = Deal(), MoveInBox(side=1)
    found = sides(
        tmp_path,
        Deal(dealer=2),
        Peg(side=1, points=22),
        *box,
        *box,
        *box,
        Deal(),
        requested=begun(sides=(1, 2, 3)),
    )
    # Seats 2 | 3, 2, 3 | 1 dealt: the first side sat out the three in between.
    assert {1: (2, 1), 2: (5, 2), 3: (5, 2)} == {
        side: (figures.deals, figures.cribs) for side, figures in found.items()
    }


def test_a_skunk_is_reported_only_where_it_counted(tmp_path: Path) -> None:
    """G4: one judged at hole 121 counts if the side that was there first wins."""
    to_121 = [Peg(side=1, points=29)] * 4 + [Peg(side=1, points=6)]
    with Records(played(tmp_path, *to_121, Claim(rule="N10", by=2, game_to=1))) as records:
        assert 4 == records.games()[0].sides[2].caught
    other = tmp_path / "other"
    other.mkdir()
    with Records(played(other, *to_121, Claim(rule="N10", by=1, game_to=2))) as records:
        game = records.games()[0]
    assert (1, 0, 0) == (game.worth, game.sides[1].caught, game.sides[2].caught)


def test_points_are_reported_by_reason_where_every_count_has_one(tmp_path: Path) -> None:
    """A dealt game has hand, crib and pegging, unless a count has no reason."""
    pegs = [Peg(side=1, points=points) for points in (8, 4, 2, 1, 3)]
    played(tmp_path, *pegs, Peg(side=2, points=6), NewGame(), Peg(side=2, points=7))
    reasons = ["hand", "crib", "play", "go", "heels", "hand"]
    say = "UPDATE log SET command = json_set(command, '$.peg.why', '{why}') WHERE seq = {seq}"
    known = [say.format(why=why, seq=seq) for seq, why in enumerate(reasons, start=1)]
    with Records(changed(tmp_path, *known)) as records:
        first, second = records.game(1).figures, records.game(2).figures
    assert (ByReason(hand=8, crib=4, pegging=6), ByReason(hand=6, crib=0, pegging=0)) == (
        first[1].by_reason,
        first[2].by_reason,
    )
    assert (None, None) == (second[1].by_reason, second[2].by_reason)
    forget = "UPDATE log SET command = json_remove(command, '$.peg.why') WHERE seq = 6"
    with Records(changed(tmp_path, forget)) as records:
        assert None is records.game(1).figures[1].by_reason
