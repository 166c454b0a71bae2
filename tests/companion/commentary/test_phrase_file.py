"""A language's file: whole, or every fault of it told at once."""

import re
from importlib import resources

import pytest

from companion.commentary import languages, load_phrases, parse_phrases
from companion.commentary.phrase_file import reference
from companion.errors import SettingsError
from tests.companion.commentary.tables import LANGUAGES

ENGLISH = (resources.files("companion.commentary") / "phrases" / "en.toml").read_text()


def faults(content: str) -> tuple[str, ...]:
    """Return the faults of a file."""
    with pytest.raises(SettingsError) as caught:
        parse_phrases(content.encode(), language="xx")
    return tuple(map(str, caught.value.faults))


def changed(pattern: str, to: str) -> str:
    """The English file with one line of it changed."""
    content, times = re.subn(pattern, to, ENGLISH, flags=re.MULTILINE)
    assert 1 == times
    return content


def test_the_languages() -> None:
    """A language is a file; those that are shipped are whole."""
    assert set(LANGUAGES) <= set(languages())
    for language in languages():
        assert language == load_phrases(language).language


def test_a_third_language_is_a_file() -> None:
    """Any text with the same places does: the sentence is the language's to order."""
    content = changed(r"^said_go = .*$", 'said_go = "passt"')
    content = content.replace('clause = "{who} {does}"', 'clause = "({does}) {who}"')
    phrases = parse_phrases(content.encode(), language="xx")
    said = phrases.say("join.clause", who="Amber", does=phrases.say("cards.said_go"))
    assert "(passt) Amber" == said


@pytest.mark.parametrize(
    ("pattern", "to", "fault"),
    [
        (r"^said_go = .*$", "", "xx.toml: cards.said_go: is missing; give it a text"),
        (
            r"^said_go = .*$",
            'said_go = "goes"\nsaid_og = "x"',
            "xx.toml: cards.said_og: is no key of a language; did you mean 'cards.said_go'?",
        ),
        (r"^said_go = .*$", "said_go = 7", "xx.toml: cards.said_go: cannot be 7; it takes a text"),
        (
            r"^said_go = .*$",
            'said_go = " "',
            'xx.toml: cards.said_go: cannot be " "; it takes words in quotes',
        ),
        (
            r"^said_go = .*$",
            r'said_go = "a\\nb"',
            r'xx.toml: cards.said_go: cannot be "a\nb"; it takes a text without control characters',
        ),
        (
            r"^said_go = .*$",
            'said_go = "says {card}"',
            "xx.toml: cards.said_go: no place {card} is filled here; there is none",
        ),
        (
            r"^plain = .*$",
            'plain = "counts"',
            "xx.toml: counts.plain: has no place {points}; put it in",
        ),
        (
            r"^plain = .*$",
            'plain = "{points} {points!r}"',
            "xx.toml: counts.plain: no place {points!r} is filled here; there is {points}",
        ),
        (
            r"^plain = .*$",
            'plain = "{points} {points.real}"',
            "xx.toml: counts.plain: no place {points.real} is filled here; there is {points}",
        ),
        (
            r"^plain = .*$",
            'plain = "{points"',
            (
                "xx.toml: counts.plain: the braces do not fit (expected '}' before end of string)"
                "; write a place as {name}"
            ),
        ),
        (
            r"^ranks = \[$",
            "ranks = [ 1,",
            (
                'xx.toml: ranks: cannot be [1, "the ace", "the two", "the three", "the four", "the '
                "five...; it takes a list of 13 words"
            ),
        ),
        (
            r"^\[names\].*$",
            "[names]\nWhite = 1",
            "xx.toml: names.White: cannot be 1; it takes a text",
        ),
    ],
)
def test_faults(pattern: str, to: str, fault: str) -> None:
    """Missing and unknown keys, texts that are none, places that are not filled: each is told."""
    assert fault in faults(changed(pattern, to))


def test_all_faults_at_once() -> None:
    """A file that holds nothing tells of every key, lists included."""
    assert len(reference()) == len(faults(""))


@pytest.mark.parametrize("content", [b"[", b"\xff", b"a = " + b"[" * 4000])
def test_what_is_no_toml(content: bytes) -> None:
    """A file that cannot be read at all is one fault."""
    with pytest.raises(SettingsError, match=r"^xx.toml: .*(is not TOML|is not UTF-8|too deep).*; "):
        parse_phrases(content, language="xx")
