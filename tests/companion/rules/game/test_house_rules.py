"""Presets and house rules: what is said to a wrong one, and short games under each preset."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import HouseRuleError, RuleError
from companion.rules.game import Event, HouseRules, Kind, NewGame, Peg
from companion.rules.game.house_rules import (
    PRESETS,
    Measure,
    SkunkLine,
    as_settings,
    fit_skunk_lines,
    preset,
    with_rule,
)
from tests.companion.rules.game.tables import Table
from tests.support.boards import CLASSIC, CRIB_WARS

NAMES = ("crib-wars", "classic-121", "classic-61", "electronic", "lurch", "family")
TABLE = {
    "board": ("crib-wars", "classic", "classic-61", "classic", "classic", "classic"),
    "game_to": ("whole", "121", "61", "121", "121", "121"),
    "finish": ("overshoot",) * 6,
    "skunk_at": ("121", "finish", "finish", "finish", "finish", "finish"),
    "skunk": ("below 91", "below 91", "below 31", "margin 30", "below 91", "below 61"),
    "double_skunk": ("below 61", "below 61", "off", "margin 60", "off", "off"),
    "muggins": ("alley", "off", "off", "off", "on", "off"),
    "muggins_counts": ("missed", "missed", "missed", "missed-and-overcalled", "missed", "missed"),
    "given_back": ("side",) * 6,
    "worth_told": ("true",) * 6,
    "heels_ban": ("3", "0", "0", "0", "0", "0"),
    "starter": (*["after-discards"] * 3, "before-discards", *["after-discards"] * 2),
    "penalty_to": ("every-other-side", "opponents", "opponents", "nobody", *["opponents"] * 2),
    "match_to": ("off", "off", "off", "7", "off", "off"),
    "first_dealer": ("loser",) * 6,
    "occupant_advance": ("box",) * 6,
    "back_lands": ("false",) * 6,
    "award_lands": ("true",) * 6,
}
"""The table under rule G7, row by row, and the defaults that N8, Z8 and Z10 name."""
BOARDS = {"classic": CLASSIC, "classic-61": CLASSIC, "crib-wars": CRIB_WARS}
HOME = {
    61: (29, 29, 3),
    121: (29, 29, 29, 29, 29),
    363: (29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 26, 18),
}
"""Counts that bring a side to each finish; on the long track they land in no zone."""
WORTH = {
    # Judged when the winner passes 121 in the fifth hand, wherever the loser gets later.
    "crib-wars": "29 10 21: 4, 29 10 22: 2, 29 10 28 23: 2, 29 10 28 24: 1,"
    " 29 10 21 0 0 29 9: 4, 29 10 28 22 1 29: 2, 29 10 28 22 2: 1",
    # At the finish: not past 60 four games, not past 90 two.
    "classic-121": "29 29 2: 4, 29 29 3: 2, 29 29 29 3: 2, 29 29 29 4: 1, 29 29 29 29 4: 1,: 4",
    # Lurches of two games, without a double: below 31, below 91, below 61.
    "classic-61": "29 1: 2, 29 2: 1, 29 29: 1,: 2",
    "lurch": "29 29 29 3: 2, 29 29 29 4: 1, 29 29 2: 2,: 2",
    "family": "29 29 2: 2, 29 29 3: 1, 29 29 29 3: 1,: 2",
    # By more than 30 two points, by more than 60 four; by 30 or 60 itself not yet.
    "electronic": "29 29 29 4: 1, 29 29 29 3: 2, 29 29 3: 2, 29 29 2: 4,: 4",
}
"""The loser's counts, and the games that the winner gets."""


def sit_down(name: str) -> Table:
    """Two sides at the start of a game under a preset, on its own board."""
    rules = preset(name)
    return Table(BOARDS[rules.board], rules)


def play(table: Table, loser: Sequence[int]) -> list[Event]:
    """Play hands in which side 2 makes its counts and side 1 comes home; all that happened.

    A count of 0 is a hand in which side 2 pegs nothing.
    """
    winner = HOME[table.state.setup.track.finish]
    events: list[Event] = []
    for hand, points in enumerate(winner):
        if hand < len(loser) and loser[hand]:
            events += table.do(Peg(side=2, points=loser[hand]))
        events += table.do(Peg(side=1, points=points))
        if table.state.winner is None:
            table.deal()
    assert 1 == table.state.winner
    return events


def worth(name: str, loser: Sequence[int]) -> int:
    """Games that the winner gets, as the win and the series both tell it."""
    table = sit_down(name)
    events = play(table, loser)
    assert sum(loser) == table.state.progress(2)
    (won,) = (event for event in events if event.kind is Kind.WON)
    assert won.points == table.state.match.won(1)
    return table.state.match.won(1)


def test_the_presets() -> None:
    """G7: there are six presets."""
    assert set(NAMES) == set(PRESETS)


@pytest.mark.parametrize("row", TABLE)
def test_a_row_of_the_table(row: str) -> None:
    """G7: each preset sets each house rule as the table of presets says."""
    assert TABLE[row] == tuple(as_settings(preset(name))[row] for name in NAMES)


def test_every_house_rule_has_its_row() -> None:
    """G7: no house rule is missing from the table, and each can be set by its name."""
    assert set(HouseRules.__slots__) == set(TABLE)
    assert set(TABLE) == set(as_settings(HouseRules()))


def test_crib_wars_is_the_default() -> None:
    """G7: house rules that nobody set are those of Crib Wars."""
    assert HouseRules() == preset("crib-wars")


@pytest.mark.parametrize(
    ("name", "finish", "skunk", "double_skunk"),
    [
        ("lurch", 121, "below 91", "off"),
        ("lurch", 61, "below 31", "off"),
        ("lurch", 100, "below 50", "off"),
        ("lurch", 363, "below 182", "off"),
        ("family", 61, "below 31", "off"),
        ("classic-121", 61, "off", "off"),
        ("classic-121", 91, "off", "below 61"),
        ("classic-121", 92, "below 91", "below 61"),
        ("classic-61", 61, "below 31", "off"),
        ("crib-wars", 121, "below 91", "below 61"),
        ("electronic", 31, "margin 30", "margin 60"),
    ],
)
def test_skunk_lines_fit_the_length(name: str, finish: int, skunk: str, double_skunk: str) -> None:
    """G4, G5: a lurch follows the length, a skunk line is off where it is not below the finish."""
    rules = fit_skunk_lines(preset(name), preset=name, finish=finish, by_name=())
    assert (skunk, double_skunk) == (
        as_settings(rules)["skunk"],
        as_settings(rules)["double_skunk"],
    )


@pytest.mark.parametrize("name", ["skunk", "double_skunk"])
def test_a_line_set_by_name_stands(name: str) -> None:
    """G7: it is never moved; at the finish or beyond, rule and value are named."""
    rules = with_rule(preset("lurch"), name, "below 60")
    kept = fit_skunk_lines(rules, preset="lurch", finish=61, by_name={name})
    assert "below 60" == as_settings(kept)[name]
    with pytest.raises(HouseRuleError, match=f"{name} cannot be 'below 60': the game ends at 60"):
        fit_skunk_lines(rules, preset="lurch", finish=60, by_name={name})


@pytest.mark.parametrize("start", NAMES)
@pytest.mark.parametrize("goal", NAMES)
def test_a_preset_is_only_a_set_of_rules(start: str, goal: str) -> None:
    """G7: every rule can be changed by name, so any preset can be made from any other."""
    rules = preset(start)
    for name, value in as_settings(preset(goal)).items():
        rules = with_rule(rules, name, value)
    assert preset(goal) == rules


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("game_to", "61", 61),
        ("game_to", "whole", None),
        ("finish", "exact", "exact"),
        ("skunk_at", "off", "off"),
        ("skunk", "91", SkunkLine(measure=Measure.BELOW, points=91)),
        ("skunk", "margin 30", SkunkLine(measure=Measure.MARGIN, points=30)),
        ("skunk", "margin-30", SkunkLine(measure=Measure.MARGIN, points=30)),
        ("double_skunk", "off", None),
        ("match_to", "7", 7),
        ("match_to", "off", None),
        ("heels_ban", "0", 0),
        ("back_lands", "true", True),
        ("award_lands", "false", False),
        ("occupant_advance", "track", "track"),
        ("board", "my-board.toml", "my-board.toml"),
    ],
)
def test_one_rule_changed(name: str, value: str, expected: object) -> None:
    """G7: a rule set by name has its value, and no other rule has changed."""
    changed = with_rule(HouseRules(), name, value)
    assert expected == getattr(changed, name)
    was, now = as_settings(HouseRules()), as_settings(changed)
    assert {key for key in was if was[key] != now[key]} <= {name}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("skunks", "skunk"),
        ("gameto", "game_to"),
        ("award_land", "award_lands"),
        ("Finish", "finish"),
    ],
)
def test_an_unknown_rule_gets_a_suggestion(name: str, meant: str) -> None:
    """G7: a misspelt rule is an error that names the rule that was meant."""
    with pytest.raises(RuleError, match=f"{name!r}: did you mean {meant!r}") as caught:
        with_rule(HouseRules(), name, "off")
    assert "G7" == caught.value.rule


def test_an_unlikely_rule_gets_the_list() -> None:
    """G7: where nothing comes near, the error lists what there is."""
    with pytest.raises(RuleError, match=r"game_to.*award_lands"):
        with_rule(HouseRules(), "zzz", "off")


def test_an_unknown_preset_gets_a_suggestion() -> None:
    """G7: the same for presets."""
    with pytest.raises(RuleError, match="did you mean 'crib-wars'") as caught:
        preset("cribwars")
    assert "G7" == caught.value.rule
    with pytest.raises(RuleError, match="there are crib-wars, classic-121"):
        preset("zzz")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("game_to", "0"),
        ("game_to", "-5"),
        ("game_to", "61.0"),
        ("game_to", "٦١"),
        ("game_to", "99999"),
        ("game_to", ""),
        ("match_to", "0"),
        ("match_to", "whole"),
        ("heels_ban", "off"),
        ("finish", "Exact"),
        ("skunk_at", "120"),
        ("skunk", "above 91"),
        ("skunk", "below"),
        ("back_lands", "yes"),
        ("back_lands", "True"),
        ("first_dealer", "both"),
        ("board", ""),
    ],
)
def test_a_wrong_value(name: str, value: str) -> None:
    """G7: a value that a rule does not take is one line with rule, value and what it takes."""
    with pytest.raises(RuleError) as caught:
        with_rule(HouseRules(), name, value)
    assert f"house rule {name} cannot be {value!r}: it takes " in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "G7" == caught.value.rule


@given(value=st.text(max_size=12), name=st.sampled_from(sorted(TABLE)))
def test_any_value_is_taken_or_refused_in_words(value: str, name: str) -> None:
    """G7: no text breaks a rule's reader, and what it takes it gives back."""
    try:
        changed = with_rule(HouseRules(), name, value)
    except RuleError:
        return
    assert changed == with_rule(HouseRules(), name, as_settings(changed)[name])


@pytest.mark.parametrize(
    ("name", "finish"), [*zip(NAMES, (363, 121, 61, 121, 121, 121), strict=True)]
)
def test_a_game_ends_where_the_preset_says(name: str, finish: int) -> None:
    """G3: ordinary games go to 121 or 61, Crib Wars to the end of the long track."""
    table = sit_down(name)
    play(table, [4])
    assert finish == table.pegs(1)[0] == table.state.progress(1)
    assert len(HOME[finish]) == table.state.hand
    assert "G2" == table.refusal(Peg(side=2, points=1))


@pytest.mark.parametrize("name", NAMES)
def test_what_a_win_is_worth(name: str) -> None:
    """G4, G5, G6: skunks and lurches as the preset has them, up to their last hole."""
    for row in WORTH[name].split(","):
        loser, games = row.split(":")
        assert int(games) == worth(name, [*map(int, loser.split())]), row


def test_a_match_to_seven() -> None:
    """G6: 4, 2 and 1 points make seven and win the match; the next game begins another."""
    table = sit_down("electronic")
    for loser, points in (([29], 4), ([29, 29, 29], 6)):
        assert Kind.MATCH_WON not in [event.kind for event in play(table, loser)]
        assert points == table.state.match.won(1)
        table.do(NewGame())
    last = play(table, [29, 29, 29, 29])[-1]
    assert ("match_won", 1, 7, "G6") == (last.kind.value, last.side, last.points, last.rule)
    assert 1 == table.state.match.winner
    table.do(NewGame())
    play(table, [29, 29, 29, 29])
    assert 1 == table.state.match.won(1)


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "electronic"])
def test_no_other_preset_plays_a_match(name: str) -> None:
    """G6: elsewhere the games add up beyond seven and nobody wins a match."""
    table = sit_down(name)
    for _ in range(8):
        assert Kind.MATCH_WON not in [event.kind for event in play(table, [])]
        table.do(NewGame())
    assert table.state.match.won(1) > 7
    assert table.state.match.winner is None


@pytest.mark.parametrize(
    ("name", "rule", "value", "games"),
    [
        ("classic-121", "game_to", "61", 4),
        ("classic-121", "double_skunk", "off", 2),
        ("classic-61", "skunk", "off", 1),
        ("lurch", "double_skunk", "below 61", 4),
        ("family", "skunk_at", "off", 1),
        ("crib-wars", "skunk_at", "off", 1),
        ("electronic", "double_skunk", "margin 121", 2),
    ],
)
def test_one_rule_of_a_preset_changed(name: str, rule: str, value: str, games: int) -> None:
    """G7: a preset with one rule changed by name is played so; the loser stands on 10."""
    rules = with_rule(preset(name), rule, value)
    table = Table(BOARDS[rules.board], rules)
    play(table, [10])
    assert games == table.state.match.won(1)
