"""Settings changed in a file's text: what was asked for and not a byte more; comments stay."""

import tomllib
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import SettingsError
from companion.settings.describe import default_text
from companion.settings.edit import changed
from companion.toml.text import Value
from tests.support.searches import share

SERVICE = """\
# Our table.
# It stands in the kitchen.

board = "crib-wars"   # the big one

# what hangs on the pins
[strip]
driver = "rpi_ws281x:spi"  # not on a Pi 5
budget_ma = 4000

# how phones get in
[web]
host = "0.0.0.0"
"""


@pytest.mark.parametrize(
    ("changes", "before", "after"),
    [
        (
            {"strip.driver": "pio:/dev/leds0"},
            'driver = "rpi_ws281x:spi"  # not on a Pi 5\n',
            'driver = "pio:/dev/leds0"  # not on a Pi 5\n',
        ),
        ({"strip.type": "sk6812w"}, "= 4000\n", '= 4000\ntype = "sk6812w"\n'),
        (
            {"strip.driver": None},
            'driver = "rpi_ws281x:spi"  # not on a Pi 5\n',
            "# not on a Pi 5\n",
        ),
        ({"strip.budget_ma": None}, "budget_ma = 4000\n", ""),
        ({"teams": 3}, "# the big one\n", "# the big one\nteams = 3\n"),
        ({"web.port": 80}, 'host = "0.0.0.0"\n', 'host = "0.0.0.0"\nport = 80\n'),
        ({"lights.calm": True}, '"0.0.0.0"\n', '"0.0.0.0"\n\n[lights]\ncalm = true\n'),
        ({"panel.pins.1.undo": 2}, '"0.0.0.0"\n', '"0.0.0.0"\n\n[panel.pins]\n"1.undo" = 2\n'),
        ({"strip.budget_ma": [2000, 2000.5]}, "ma = 4000", "ma = [2000, 2000.5]"),
        (
            {"names.1": 'Zoë "Z" \\ #1'},
            '"0.0.0.0"\n',
            '"0.0.0.0"\n\n[names]\n1 = "Zoë \\"Z\\" \\\\ #1"\n',
        ),
        ({"strip.budget_ma": 4000, "teams": None}, "", ""),
    ],
)
def test_one_change_touches_its_own_line(
    changes: dict[str, Value | None], before: str, after: str
) -> None:
    """Set, added to its table or taken out; every other byte is as it was."""
    assert SERVICE.replace(before, after, 1) == changed(SERVICE, changes)


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        ("", {"teams": 3}, "teams = 3\n"),
        ("", {"strip.driver": "null"}, '[strip]\ndriver = "null"\n'),
        ("# mine\n", {"teams": 3}, "# mine\n\nteams = 3\n"),
        ("teams = 2", {"players": 4}, "teams = 2\nplayers = 4\n"),
        ("teams = 2", {"teams": 3}, "teams = 3\n"),
        ("[web]\nport = 1\n", {"teams": 3}, "teams = 3\n\n[web]\nport = 1\n"),
        ("# ours\n[web]\n", {"teams": 3}, "teams = 3\n\n# ours\n[web]\n"),
        (
            "teams = 2\r\n[web]\r\nport = 1\r\n",
            {"web.port": 2},
            "teams = 2\r\n[web]\r\nport = 2\r\n",
        ),
        (
            "web.port = 1\nteams = 2\n",
            {"web.host": "::"},
            'web.port = 1\nweb.host = "::"\nteams = 2\n',
        ),
        ("web = { port = 1 } # in\n", {"web.host": "::"}, 'web = { port = 1, host = "::" } # in\n'),
        ("web = { port = 1, host = '::' }\n", {"web.port": None}, 'web = { host = "::" }\n'),
        (
            "[panel]\npins.deal = 2\n",
            {"panel.pins.mode": 4},
            "[panel]\npins.deal = 2\npins.mode = 4\n",
        ),
        (
            "[web]\nhosts = [ # all\n  'a', # first\n]  # end\nport = 1\n",
            {"web.hosts": ["b"]},
            '[web]\n# all\n# first\nhosts = ["b"]  # end\nport = 1\n',
        ),
        (
            "[web] # long\n      # story\n",
            {"web.port": 1},
            "[web] # long\n      # story\nport = 1\n",
        ),
        (
            "[lights.colours]\n1 = '#ffffff'\n",
            {"lights.calm": True},
            "[lights.colours]\n1 = '#ffffff'\n\n[lights]\ncalm = true\n",
        ),
        ("teams = 2\n", {"names.1": "A\nB"}, 'teams = 2\n\n[names]\n1 = "A\\nB"\n'),
    ],
)
def test_each_way_of_writing_toml(
    text: str, changes: dict[str, Value | None], expected: str
) -> None:
    """Dotted keys, tables in a line, lists over lines, other line ends, no end of line at all."""
    assert expected == changed(text, changes)


CHAINS = [
    {"channel": 0, "rows": ["1-20", "21-40"], "reversed": ["1-20"]},
    {"channel": 1, "rows": [f"{n}-{n + 9}" for n in range(100, 300, 10)]},
]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[wiring]\nper = 'hole' # one\n\n# the page\n[web]\nport = 1\n",
        "[wiring]\nchannels = 2\n[[wiring.chains]] # left\nrows = []\n# hm\n[web]\nport = 1\n",
        "[[wiring.chains]]\nrows = ['1']\n[[wiring.chains]]\nrows = ['2'] # right\n",
        "[wiring]\nchains = [{rows = ['1']}]\nper = 'hole'\n",
        "wiring.per = 'hole'\nteams = 3\n",
    ],
)
def test_chains_are_written_as_the_guide_does(text: str) -> None:
    """However they stood there; done again it is the same, and taken out nothing is left behind."""
    changes: dict[str, Value | None] = {"wiring.channels": None, "wiring.chains": CHAINS}
    found = changed(text, changes)
    assert CHAINS == tomllib.loads(found)["wiring"]["chains"]
    other = changed(found, {"wiring.chains": CHAINS[:1]})
    assert found == changed(other, changes)
    assert "chains" not in tomllib.loads(changed(found, {"wiring.chains": None})).get("wiring", {})
    for comment in ("# one", "# the page", "# left", "# hm", "# right"):
        assert (comment in text) == (comment in found)


def test_a_table_of_chains_is_readable() -> None:
    """A header a chain, a long list over several lines."""
    found = changed("", {"wiring.per": "hole", "wiring.chains": CHAINS})
    assert found.startswith(
        '[wiring]\nper = "hole"\n\n[[wiring.chains]]\nchannel = 0\nrows = ["1-20", "21-40"]\n'
    )
    assert 'rows = [\n    "100-109", ' in found
    assert all(len(line) <= 100 for line in found.splitlines())


def test_what_cannot_be_changed_is_refused() -> None:
    """A value where a table belongs: one line, and no text comes of it."""
    with pytest.raises(SettingsError, match=r"web.port: web is no table in the file; mend that"):
        changed("web = 1\n", {"web.port": 1})


@pytest.mark.parametrize("value", [[None], "\ud800", float("nan"), object()])
def test_what_toml_has_no_words_for_is_refused(value: object) -> None:
    """One line with the key, and no text comes of it."""
    with pytest.raises(SettingsError, match=r"web.host: cannot be written into this file"):
        changed("", {"web.host": value})


KEYS = (
    "teams",
    "board",
    "strip.driver",
    "strip.pins",
    "lights.calm",
    "lights.colours.1",
    "names.2",
)
LINES = st.sampled_from(
    [
        "",
        "# a comment",
        "   # further",
        "#[strip]",
        'board = "a # b"  # sign',
        "teams = 2",
        "strip.driver = 'x'",
        "[strip]",
        "[strip] # here",
        "driver = '''a\n# no comment\n[web]'''",
        "pins = [ # two\n  18, # left\n  13,\n]",
        "[lights]",
        "calm = true # slow",
        "[lights.colours]",
        "colours = { 1 = '#ff0000' } # red",
        "1 = '#00ff00'",
        "[[wiring.chains]]",
        "rows = ['1'] # one",
        "[names]",
        "2 = 'B'",
    ]
)
VALUES = st.none() | st.booleans() | st.integers(0, 99) | st.text(max_size=9) | st.just([1, 2])


@settings(max_examples=share(2))
@given(st.lists(LINES, max_size=10), st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=3))
def test_any_text_says_what_was_asked_and_keeps_its_comments(
    lines: list[str], changes: dict[str, Value | None]
) -> None:
    """Python's reader finds the changes and nothing else changed; no comment is lost."""
    text = "\n".join(lines)
    try:
        wanted = tomllib.loads(text)
        found = changed(text, changes)
    except (tomllib.TOMLDecodeError, SettingsError):
        return
    for key, value in changes.items():
        put(wanted, key, value)
    assert bare(wanted) == bare(tomllib.loads(found))
    assert not Counter(reported(text)) - Counter(reported(found))
    assert found == changed(found, changes)


def put(tables: dict[str, object], key: str, value: Value | None) -> None:
    """Set a value by its key, in plain dictionaries."""
    *around, name = key.split(".")
    for each in around:
        tables = tables.setdefault(each, {})  # type: ignore[assignment]  # a table
    tables.pop(name, None)
    if value is not None:
        tables[name] = value


def bare(value: object) -> object:
    """The same without empty tables."""
    if not isinstance(value, dict):
        return value
    return {key: bare(each) for key, each in value.items() if bare(each) != {}}


def reported(text: str) -> list[str]:
    """Return the text of the comments among the lines above."""
    known = (
        "# a comment",
        "# further",
        "#[strip]",
        "# sign",
        "# here",
        "# two",
        "# left",
        "# slow",
    )
    return [each for each in (*known, "# red", "# one") for _ in range(text.count(each))]


def test_every_default_can_be_set_and_reset() -> None:
    """The whole file of defaults is sound ground: no change of one loses a comment of another."""
    text = default_text()
    once = changed(text, {"teams": 3, "lights.calm": True, "panel.pins.deal": 2})
    again = changed(once, {"teams": 2, "lights.calm": False, "panel.pins.deal": 27})
    assert text == again
