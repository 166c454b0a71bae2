"""Report of a game: its line in the list, its steps in words, and its race."""

from pathlib import Path

import msgspec
import pytest

from companion.errors import BadInputError, SettingsError
from companion.records.games import Race, RecordedGame, WholeGame
from companion.records.records import Records
from companion.rules.game import Claim, Deal, HouseRules, NewGame, Peg, Undo
from tests.companion.journal.scribe import NOON, begun, changed, played

WIN = Claim(rule="N10", by=1, game_to=2)


def test_a_game_is_listed_with_its_board_sides_and_rules(tmp_path: Path) -> None:
    """Board, names, players, and the house rules that differ from the defaults are told."""
    rules = HouseRules(finish="exact", skunk=None)
    requested = begun(players=4, rules=rules, names={"2": "Bert & Bo"})
    with Records(played(tmp_path, Peg(side=1, points=5), requested=requested)) as records:
        (game,) = records.games()
    assert {
        "number": 1,
        "standing": "running",
        "begun": NOON,
        "ended": None,
        "board": "crib-wars",
        "title": "Crib Wars",
        "finish": 363,
        "players": 4,
        "rules": {"finish": "exact", "skunk": "off"},
        "sides": {
            "1": {"name": None, "progress": 5, "caught": 0},
            "2": {"name": "Bert & Bo", "progress": 0, "caught": 0},
        },
        "winner": None,
        "worth": None,
        "counts": 1,
        "hands": 1,
    } == msgspec.json.decode(msgspec.json.encode(game))


def test_rules_that_either_program_does_not_know_have_their_default(tmp_path: Path) -> None:
    """A journal of an older or a newer program is told all the same."""
    folder = played(tmp_path, Peg(side=1, points=5))
    changed(folder, "UPDATE game SET setup = json_set(setup, '$.rules.of_tomorrow', 'yes')")
    changed(folder, "UPDATE game SET setup = json_remove(setup, '$.rules.back_lands')")
    with Records(folder) as records:
        assert {} == records.games()[0].rules


def test_each_step_tells_what_happened_and_how_all_stand(tmp_path: Path) -> None:
    """The first step is the start; each other one has command, events, words and pegs."""
    played(tmp_path, Peg(side=1, points=15), Deal(), Peg(side=1, points=7))
    with Records(tmp_path) as records:
        whole = records.game(1)
    start, *_, last = msgspec.to_builtins(whole.steps, str_keys=True)
    pegs = {"front": 0, "back": 0, "boxed": 0, "folded": False, "progress": 0}
    assert {
        "t": NOON,
        "command": None,
        "events": (),
        "words": "",
        "hand": 1,
        "dealer": 1,
        "winner": None,
        "sides": {"1": pegs, "2": pegs},
    } == start
    assert {"peg": {"team": 1, "points": 7}} == last["command"]
    assert ["counted", "folded", "sent_back", "awarded"] == [
        event["kind"] for event in last["events"]
    ]
    assert last["words"].startswith("Side 1 counts seven")
    assert (2, 2, 20) == (last["hand"], last["dealer"], last["sides"]["2"]["front"])
    assert pegs | {"front": 2, "back": 15, "folded": True, "progress": 2} == last["sides"]["1"]


def test_words_are_in_the_language_and_with_the_names_given(tmp_path: Path) -> None:
    """A side goes by its name in the game, else the given one; an unknown language is an error."""
    pegs = Peg(side=1, points=5), Peg(side=2, points=4)
    played(tmp_path, *pegs, requested=begun(names={"1": "Ann"}))
    with Records(tmp_path) as records:
        words = [step.words for step in records.game(1, names={1: "Amber", 2: "White"}).steps]
        french = records.game(1, language="fr").steps[2].words
        with pytest.raises(SettingsError, match="fr"):
            records.game(1, language="tlh")
    assert ["", "Ann counts five, to 5.", "White counts four, to 4."] == words
    assert "quatre" in french


@pytest.mark.parametrize("number", [0, -1, 2, 99])
def test_a_game_that_is_not_there_is_said(tmp_path: Path, number: int) -> None:
    """No game of that number, or one that was taken back: one line, and where to look."""
    played(tmp_path, Peg(side=1, points=5), NewGame(), Undo())
    with Records(tmp_path) as records, pytest.raises(BadInputError, match="there is no game"):
        records.game(number)


def test_the_race_has_a_point_for_the_start_and_each_step_but_the_deals(tmp_path: Path) -> None:
    """Progress of each side over what moved pegs; the steps' numbers lead back to the replay."""
    commands = Deal(), Peg(side=1, points=15), Deal(), Peg(side=2, points=4), Peg(side=1, points=7)
    with Records(played(tmp_path, *commands)) as records:
        race = records.game(1).race
    assert Race(steps=[0, 2, 4, 5], progress={1: [0, 15, 15, 2], 2: [0, 0, 4, 25]}) == race


def test_json_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    """The shapes are their own JSON: what was written is read back as the same values."""
    played(tmp_path, Peg(side=1, points=15), Peg(side=1, points=7), Deal(), WIN)
    with Records(tmp_path) as records:
        games, whole = records.games(), records.game(1)
    assert games == msgspec.json.decode(msgspec.json.encode(games), type=list[RecordedGame])
    assert whole == msgspec.json.decode(msgspec.json.encode(whole), type=WholeGame)
