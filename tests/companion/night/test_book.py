"""Rules of a table's book: the journal's end, rounds of games, valid confirmations."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import RuleError
from companion.journal.reader import JournalReader
from companion.journal.replay import all_branches
from companion.journal.store import NO_JOURNAL
from companion.night.book import (
    Book,
    JournalPosition,
    JournalTail,
    confirm,
    note_game,
    standing_of,
    take_plan,
)
from companion.night.messages import Entrant, NightPlan, NightRound, SeatedPair
from companion.rules.game import (
    Claim,
    Command,
    History,
    HouseRules,
    NewGame,
    Peg,
    Setup,
    State,
    Undo,
    new_game,
)
from tests.companion.journal.scribe import Scribe, begun
from tests.support.boards import CRIB_WARS

COUNT = Peg(side=1, points=5)
WIN = Claim(rule="N10", by=1, game_to=2)


def plan_of(
    *pairs: tuple[int, int], revision: int = 1, night: str = "0123456789abcdef"
) -> NightPlan:
    """Return a plan in which table 1 has a pair in each round."""
    names = enumerate(("Ann", "Bob", "Cleo"), 1)
    return NightPlan(
        night=night,
        revision=revision,
        entrants=tuple(Entrant(id=number, players=(name,)) for number, name in names),
        rounds=tuple(NightRound(pairs=(SeatedPair(table=1, entrants=pair),)) for pair in pairs),
    )


def state_after(*commands: Command, lanes: tuple[int, ...] = (1, 2)) -> State:
    """Return a game after commands."""
    history = History(new_game(Setup.make(CRIB_WARS, HouseRules(), sides=lanes)))
    for command in commands:
        history.do(command)
    return history.state


def at(seq: int, *, game: int = 1, head: int | None = None) -> JournalPosition:
    """Return a position in the journal of these tests."""
    return JournalPosition(journal="f" * 16, seq=seq, head=head or seq, game=game)


def rounds(book: Book) -> list[tuple[int, int, dict[str, int], str | None, tuple[str, ...]]]:
    """Return number, round, entrants, winner and confirmations of a book's games."""
    return [
        (g.game, g.round, g.entrants, g.winner, g.confirmed)
        for g in (each.game for each in book.games)
    ]


RUNNING = note_game(take_plan(Book(), plan_of((2, 1))), 1, at(1), state_after(COUNT))
WON = note_game(RUNNING, 1, at(2), state_after(COUNT, WIN))
CERTIFIED = confirm(confirm(WON, at(2), 1), at(2), 2)


def test_a_game_is_the_newest_rounds_from_its_first_count_on() -> None:
    """Side 1 is the first of the pair. Three sides, no count or no seat make no such game."""
    assert [(1, 1, {"1": 2, "2": 1}, None, ())] == rounds(RUNNING)
    seated = take_plan(Book(), plan_of((2, 1)))
    assert [] == rounds(note_game(seated, 1, at(1), state_after()))
    assert [] == rounds(note_game(seated, 1, at(1), state_after(COUNT, lanes=(1, 2, 3))))
    assert [] == rounds(note_game(seated, 2, at(1), state_after(COUNT)))
    assert [] == rounds(note_game(Book(), 1, at(1), state_after(COUNT)))


def test_a_round_that_is_seated_later_is_that_of_the_running_game() -> None:
    """A game that runs when its round is seated belongs to it; a game that was over does not."""
    before = note_game(Book(), 1, at(1), state_after(COUNT))
    late = take_plan(before, plan_of((1, 2)))
    assert 1 == len(rounds(note_game(late, 1, at(2), state_after(COUNT, COUNT))))
    assert [] == rounds(note_game(late, 1, at(2), state_after(COUNT, WIN)))


def test_a_game_that_began_after_its_round_was_seated_counts_however_late_it_is_noted() -> None:
    """A full disk may delay the note until its win; a game won before the round is not noted."""
    nowhere = JournalPosition()
    seated = note_game(take_plan(Book(), plan_of((2, 1))), 1, nowhere, state_after())
    late = note_game(seated, 1, at(2), state_after(COUNT, WIN))
    assert [(1, 1, {"1": 2, "2": 1}, "2", ())] == rounds(late)
    following = take_plan(CERTIFIED, plan_of((2, 1), (1, 3), revision=2))
    practice = note_game(following, 1, at(4, game=2), state_after(COUNT, WIN))
    assert rounds(CERTIFIED) == rounds(practice)
    second = note_game(practice, 1, at(6, game=3), state_after(COUNT, WIN))
    assert [1, 3] == [number for number, *_ in rounds(second)]


def test_a_running_game_follows_its_round_seated_anew() -> None:
    """It follows if other entrants are seated; it keeps its round if the next is seated."""
    anew = take_plan(RUNNING, plan_of((3, 1), revision=2))
    assert [(1, 1, {"1": 3, "2": 1}, None, ())] == rounds(
        note_game(anew, 1, at(2), state_after(COUNT, COUNT))
    )
    after = take_plan(RUNNING, plan_of((2, 1), (1, 3), revision=2))
    assert rounds(RUNNING) == rounds(note_game(after, 1, at(2), state_after(COUNT, COUNT)))


def test_a_result_is_certified_once_both_sides_have_confirmed() -> None:
    """A side confirms once; confirmations of another position have no effect."""
    assert ("1",) == rounds(confirm(confirm(WON, at(2), 1), at(2), 1))[0][-1]
    assert () == rounds(confirm(WON, at(3), 1))[0][-1]
    assert ("1", "2") == rounds(CERTIFIED)[0][-1]
    assert None is CERTIFIED.seated(1)


def test_an_undo_takes_confirmations_and_games_back() -> None:
    """A win after an undo needs new confirmations, and a game that was taken back is removed."""
    undone = note_game(CERTIFIED, 1, at(3, head=1), state_after(COUNT))
    assert rounds(RUNNING) == rounds(undone)
    again = note_game(undone, 1, at(4), state_after(COUNT, WIN))
    assert rounds(WON) == rounds(again)
    next_round = take_plan(CERTIFIED, plan_of((2, 1), (1, 3), revision=2))
    second = note_game(next_round, 1, at(4, game=2), state_after(COUNT))
    assert [1, 2] == [number for number, *_ in rounds(second)]
    back = note_game(second, 1, at(6, head=2), state_after(COUNT, WIN))
    assert rounds(CERTIFIED) == rounds(back)


def test_a_certified_round_takes_no_second_game() -> None:
    """A game between a confirmed result and the next round is not of the night."""
    assert rounds(CERTIFIED) == rounds(note_game(CERTIFIED, 1, at(4, game=2), state_after(COUNT)))


def test_the_newest_plan_of_a_night_is_kept() -> None:
    """An older revision changes nothing, and games of another night are not of this one."""
    newest = plan_of((1, 2), revision=5)
    book = take_plan(take_plan(Book(), newest), plan_of((2, 1), revision=4))
    assert newest == book.plan
    other = take_plan(CERTIFIED, plan_of((1, 2), night="f" * 16))
    assert ((), 1) == (other.games_of_night(), len(other.games))


def test_the_standing_names_the_pair_and_who_is_to_confirm() -> None:
    """A page shows the pair of the running game, or the pair that should play next."""
    setup = state_after().setup
    seated = standing_of(take_plan(Book(), plan_of((2, 1))), 1, at(0, game=0), setup)
    assert (1, {"1": "Bob", "2": "Ann"}, ()) == (seated.round, seated.names, seated.awaited)
    assert ("1", "2") == standing_of(WON, 1, at(2), setup).awaited
    assert (("2",), ("1",)) == (
        (one := standing_of(confirm(WON, at(2), 1), 1, at(2), setup)).awaited,
        one.confirmed,
    )
    following = take_plan(CERTIFIED, plan_of((2, 1), (1, 3), revision=2))
    assert {"1": "Ann", "2": "Cleo"} == standing_of(following, 1, at(2), setup).names


COMMANDS: tuple[Command, ...] = (Peg(side=1, points=2), Undo(), NewGame(), Undo())


@settings(max_examples=15)
@given(st.lists(st.sampled_from(COMMANDS), max_size=12))
def test_the_tail_follows_undos_and_new_games(
    tmp_path_factory: pytest.TempPathFactory, commands: list[Command]
) -> None:
    """After each command its game, and the command that it stands on, are those of the branch."""
    folder = tmp_path_factory.mktemp("tail")
    scribe = Scribe(folder).sit()
    tail = JournalTail(folder)
    assert JournalPosition() == tail.position()
    accepted = 0
    for command in commands:
        try:
            scribe.do(command)
        except RuleError:
            continue
        accepted += 1
        position = tail.position()
        with closing(JournalReader(folder)) as reader, reader.store() as store:
            newest = next(all_branches(store, at_most=store.last_seq))
        head = newest.last or newest.game.begun_by
        assert (accepted, head, newest.game.number) == (position.seq, position.head, position.game)
        with closing(JournalTail(folder)) as another:
            assert NO_JOURNAL != position.journal == another.position().journal
    tail.close()
    scribe.close()


def test_a_journal_that_was_replaced_is_opened_again(tmp_path: Path) -> None:
    """The position is that of the file at the path, which has another id."""
    Scribe(tmp_path).sit().do(Peg(side=1, points=2)).close()
    with closing(JournalTail(tmp_path)) as tail:
        first = tail.position()
        for file in tmp_path.glob("journal.sqlite*"):
            file.unlink()
        Scribe(tmp_path).sit(begun(note="another")).do(
            Peg(side=1, points=2), Peg(side=1, points=2)
        ).close()
        second = tail.position()
    assert (1, 2, True) == (first.seq, second.seq, first.journal != second.journal)
