"""The counts of a game, what putting one right does to them, and figures counted by hand."""

from pathlib import Path

import msgspec

from companion.board import ZoneKind
from companion.journal.replay import play_back
from companion.journal.setup import GameRequest
from companion.journal.store import LogRow
from companion.records.counts import ByReason, ReplayedCount, SideFigures, Swing, counts, leads
from companion.records.records import Records
from companion.rules.game import (
    Claim,
    Command,
    Correct,
    CountKind,
    Deal,
    History,
    HouseRules,
    MoveInBox,
    Muggins,
    NewGame,
    Overpeg,
    Peg,
    Penalty,
    new_game,
)
from companion.rules.game.notation import command_value
from tests.companion.journal.scribe import begun, changed, played


def made(
    *commands: Command, sides: int = 2, rules: HouseRules | None = None
) -> list[ReplayedCount]:
    """The counts of a game of these commands."""
    setup = begun(sides=tuple(range(1, sides + 1)), rules=rules).setup
    history = History(new_game(setup))
    rows = []
    for number, command in enumerate(commands, start=1):
        entry = history.do(command)
        events = msgspec.json.encode(entry.events)
        text = msgspec.json.encode(command_value(command))
        rows.append(log_row(number, text, events))
    past = play_back(new_game(setup), rows)
    assert history.state == past.end
    return counts(past)


def log_row(seq: int, command: bytes, events: bytes) -> LogRow:
    """A row that builds on the one before it."""
    return LogRow(seq=seq, parent=seq - 1, head=seq, game=1, t=0.0, command=command, events=events)


def reported(found: list[ReplayedCount]) -> list[tuple[int, int, int, str]]:
    """Step, side, points and rule of each count."""
    return [(count.step, count.side, count.points, count.rule) for count in found]


def test_counts_are_those_of_the_corrected_game() -> None:
    """A corrected count has its new points in its own step; a removed one is gone."""
    commands = (Peg(side=1, points=22), Peg(side=2, points=5), Peg(side=1, points=6))
    three = (*commands[:2], Deal(), commands[2])
    assert [(1, 1, 21, "P7"), (2, 2, 5, "P7"), (4, 1, 6, "P7")] == reported(
        made(*three, Correct(entry=1, points=21))
    )
    corrections = Correct(entry=2, points=7), Correct(entry=1)
    assert [(2, 2, 7, "P7"), (4, 1, 6, "P7")] == reported(made(*three, *corrections))


def test_a_count_ends_with_the_last_of_its_consequences() -> None:
    """P7, Z6: fold, minus 20 and the other side's award all belong to the count that landed."""
    (_, count) = made(Peg(side=1, points=15), Peg(side=1, points=7))
    assert (22, 2, 15) == (count.events[0].to, count.after.pegs(1).front, count.after.pegs(1).back)
    assert [(1, ZoneKind.PENALTY_BOX)] == list(count.met)
    assert (15, -15) == leads(count.before)
    assert (-18, 18) == leads(count.after)
    assert "box-22" == (count.zone.id if count.zone else None)


def test_a_landing_of_an_award_is_not_the_counts_own() -> None:
    """Z10: where an award of 20 lands is a zone that the other side met, not who counted."""
    to_227 = [Peg(side=2, points=29)] * 7 + [Peg(side=2, points=24)]
    count = made(*to_227, Peg(side=1, points=22))[-1]
    assert (22, 247) == (count.events[0].to, count.after.pegs(2).front)
    expected = (1, ZoneKind.PENALTY_BOX), (2, ZoneKind.GREEN_ADVANCE)
    assert expected == count.met


def test_a_deal_is_no_part_of_the_count_before_it() -> None:
    """A release and a deal after a count change nothing of what it brought (Z7, T2)."""
    box, four, hand = Peg(side=1, points=22), Peg(side=2, points=4), (Deal(), MoveInBox(side=1))
    found = made(box, *hand, *hand, *hand, Deal(), four, sides=3)
    assert [(1, 1, 22, "P7"), (9, 2, 4, "P7")] == reported(found)
    boxed = found[0].after.pegs(1).boxed
    assert 3 == (boxed.hands if boxed else None)


def test_two_who_take_a_penalty_make_two_counts() -> None:
    """N: each side that takes its two points has counted, in one step."""
    found = made(Penalty(rule="N9", by=1, taken=(2, 3)), sides=3)
    assert [(1, 2, 2, "N9"), (1, 3, 2, "N9")] == reported(found)
    fronts = [(count.before.pegs(2).front, count.after.pegs(2).front) for count in found]
    assert [(0, 2), (2, 2)] == fronts


def test_a_count_that_was_put_right_is_the_smaller_one_or_none() -> None:
    """N11: what was right stands at the step that put it right; without it there was no count."""
    found = made(Peg(side=1, points=9), Deal(), Overpeg(side=1, extra=4, taken_by=2))
    assert [(3, 1, 5, "P7"), (3, 2, 4, "N11")] == reported(found)
    found = made(Peg(side=2, points=3), Peg(side=1, points=4), Overpeg(side=1, extra=4))
    assert [(1, 2, 3, "P7")] == reported(found)


def test_what_came_since_is_no_part_of_a_count_put_right() -> None:
    """N11: a box move, a release and a deal that are taken again stay apart from the count."""
    boxed = Peg(side=1, points=22), Deal(), MoveInBox(side=1), Deal(), MoveInBox(side=1), Deal()
    four, right = Peg(side=2, points=4), Overpeg(side=2, extra=1)
    moved = made(*boxed, four, MoveInBox(side=1), right, sides=3)[-1]
    released = made(*boxed, MoveInBox(side=1), four, Deal(), right, sides=3)[-1]
    for count in (moved, released):
        assert ["counted"] == [event.kind.value for event in count.events]
        assert 3 == count.points
        assert 3 == leads(count.after)[1] - leads(count.before)[1]


def test_a_zone_met_by_mistake_was_never_met() -> None:
    """N11: the box that a count too large landed in does not count."""
    (count,) = made(Peg(side=1, points=22), Overpeg(side=1, extra=1))
    assert ((), 21, 0) == (count.met, count.after.pegs(1).front, count.after.pegs(2).front)


def test_muggins_is_distinguished() -> None:
    """M1 to M3: points called, or given back, are a count; an overcalled one is put right."""
    rules = HouseRules(muggins="on", muggins_counts="missed-and-overcalled")
    missed = Muggins(erring=1, by=2, points=3, where="show", kind="missed")
    over = Muggins(erring=1, by=2, points=2, where="show", kind="overcalled")
    back = Muggins(erring=1, by=2, points=3, where="show", kind="missed", given_back=True)
    five = Peg(side=1, points=5)
    assert [(1, 1, 5, "P7"), (2, 2, 3, "M1")] == reported(made(five, missed, rules=rules))
    assert [(2, 1, 3, "P7"), (2, 2, 2, "M2")] == reported(made(five, over, rules=rules))
    assert [(1, 1, 5, "P7"), (2, 1, 3, "M3")] == reported(made(five, back, rules=rules))


def test_a_forfeited_count_is_one_that_moved_nothing() -> None:
    """G2: too long for an exact finish, it is a count of cards without a hole."""
    rules = HouseRules(finish="exact", game_to=61)
    found = made(Peg(side=1, points=29), Peg(side=1, points=29), Peg(side=1, points=9), rules=rules)
    assert [False, False, True] == [count.forfeited for count in found]
    assert ("P7", 58, None) == (found[-1].rule, found[-1].after.pegs(1).front, found[-1].zone)


def test_a_forfeited_award_is_no_count() -> None:
    """Z6: an award too long for an exact finish belongs to the count that gave it."""
    rules = HouseRules(finish="exact", game_to=61)
    pegs = Peg(side=2, points=29), Peg(side=2, points=24), Peg(side=1, points=22)
    found = made(*pegs, rules=rules)
    assert [1, 2, 3] == [count.step for count in found]
    assert ["counted", "folded", "sent_back", "forfeited"] == [
        event.kind.value for event in found[-1].events
    ]


def test_what_a_count_was_for_is_read_where_the_journal_says_it(tmp_path: Path) -> None:
    """A `why` of a count in the journal is told; counts from buttons have none."""
    played(tmp_path, Peg(side=1, points=5), Peg(side=2, points=4))
    why = "UPDATE log SET command = json_set(command, '$.peg.why', 'crib') WHERE seq = 1"
    with Records(changed(tmp_path, why)) as records:
        past = records.past(1)
    assert [CountKind.CRIB, None] == [count.why for count in counts(past)]
    assert Peg(side=1, points=5, why=CountKind.CRIB) == past.steps[0].entry.command


def test_a_game_ends_before_the_first_row_that_cannot_be_read() -> None:
    """The readable rows stand; the row after them is named, in one line."""
    rows = [log_row(1, b'{"deal": {}}', b"[]"), log_row(2, b'{"peg": {"team": 1}}', b"[]")]
    past = play_back(new_game(begun().setup), rows)
    assert (1, 1) == (len(past.steps), past.cut)
    assert (str(past.fault or "")).startswith("row 2: peg: Object missing required field `points`")


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
    nine, over = Peg(side=1, points=9), Overpeg(side=1, extra=4, taken_by=2)
    after = Peg(side=1, points=12), missed, Penalty(rule="N9", by=2, taken=(1,))
    found = sides(tmp_path, nine, over, *after, requested=begun(rules=rules))
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
    penalty = Penalty(rule="N9", by=2, taken=(1,))
    side = sides(tmp_path, *pegs, missed, penalty, requested=requested)[1]
    taken = side.penalty_points, side.muggins_points
    assert (2, 58, 2, 0, 60) == (side.counts, side.points, *taken, side.holes)


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
    assert {
        1: (Swing(holes=15, step=1), Swing(holes=-33, step=3)),
        2: (Swing(holes=33, step=3), Swing(holes=-15, step=1)),
    } == {side: (figures.best_swing, figures.worst_swing) for side, figures in found.items()}


def test_a_side_in_the_box_sits_in_on_no_deal(tmp_path: Path) -> None:
    """Z7, Z11: hands that a side sat out are not its deals or cribs."""
    box = Deal(), MoveInBox(side=1)
    commands = Deal(dealer=2), Peg(side=1, points=22), *box, *box, *box, Deal()
    found = sides(tmp_path, *commands, requested=begun(sides=(1, 2, 3)))
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
    assert ByReason(hand=8, crib=4, pegging=6) == first[1].by_reason
    assert ByReason(hand=6, crib=0, pegging=0) == first[2].by_reason
    assert (None, None) == (second[1].by_reason, second[2].by_reason)
    forget = "UPDATE log SET command = json_remove(command, '$.peg.why') WHERE seq = 6"
    with Records(changed(tmp_path, forget)) as records:
        assert None is records.game(1).figures[1].by_reason
