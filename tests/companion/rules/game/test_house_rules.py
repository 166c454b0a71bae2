"""Presets, single house rules, and what is said to a wrong one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import HouseRuleError, RuleError
from companion.rules.game import HouseRules
from companion.rules.game.house_rules import (
    PRESETS,
    Measure,
    SkunkLine,
    as_settings,
    preset,
    with_rule,
)
from companion.rules.game.skunk_lines import fit_skunk_lines

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
    "starter": (
        "after-discards",
        "after-discards",
        "after-discards",
        "before-discards",
        "after-discards",
        "after-discards",
    ),
    "penalty_to": (
        "every-other-side",
        "opponents",
        "opponents",
        "nobody",
        "opponents",
        "opponents",
    ),
    "match_to": ("off", "off", "off", "7", "off", "off"),
    "first_dealer": ("loser",) * 6,
    "occupant_advance": ("box",) * 6,
    "back_lands": ("false",) * 6,
    "award_lands": ("true",) * 6,
}
"""The table under rule G7, row by row, and the defaults that N8, Z8 and Z10 name."""


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
