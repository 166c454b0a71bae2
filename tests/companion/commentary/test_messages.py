"""Messages in other languages: every refusal has its words, and no words are left over."""

import errno
import gc
import inspect
import os
from collections.abc import Callable

import pytest

from companion.buttons import BUTTONS
from companion.cli.translated_help import MODULES
from companion.commentary import languages, load_phrases
from companion.errors import Fault, RuleError, Text, in_language
from companion.rules.game.house_rules import preset
from companion.rules.game.rulings import RULINGS, ruling
from companion.settings.describe import describe
from companion.settings.first_run import STEPS
from companion.settings.schema import Settings
from tests.support.catalogues import entries_of
from tests.support.command_help import help_texts
from tests.support.user_texts import Texts

ENGLISH = "en"
OTHERS = [language for language in languages() if language != ENGLISH]
SAME = {
    *("ModemManager", "brltty", "SPI", ":memory:"),
    *(".venv/bin/pip install", "sudo python3 -m pip install --break-system-packages"),
}
"""Names and commands, which are the same in all languages."""


def of_settings() -> set[str]:
    """Return the texts of each setting."""
    return {
        text
        for each in describe(Settings())
        for text in (each.label, each.help, each.group, each.unit, each.other, *each.words.values())
        if text
    }


def rulings() -> set[str]:
    """Return the texts of each ruling."""
    return {text for each in RULINGS.values() for text in (each.what, each.follows, each.words)}


def messages(language: str) -> set[str]:
    """Return the English texts that a catalogue has, but for phrases and texts of the pages."""
    return {text for each in entries_of(language) if not each.context for text in each.english}


@pytest.fixture(scope="module")
def texts() -> Texts:
    """Return the texts of all modules.

    Syntax trees have no cycles, and to look for some takes most of the time.
    """
    gc.disable()
    try:
        return Texts()
    finally:
        gc.enable()


def test_a_text_with_values_has_places(texts: Texts) -> None:
    """A formatted string cannot be looked up: a message has places, and its values beside it."""
    assert [] == texts.formatted


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_has_its_words(language: str, texts: Texts) -> None:
    """Errors, faults, findings, rulings, questions of a new board, helps of all kinds."""
    wanted = texts.found | of_settings() | help_texts() | rulings()
    wanted |= {text for step in STEPS for text in (step.title, step.help)}
    labels = {each.action.label for each in BUTTONS.values()}
    wanted |= {label for label in labels if any(map(str.isalpha, label))}
    assert set() == wanted - messages(language) - SAME


@pytest.mark.parametrize("language", OTHERS)
def test_no_words_are_left_over(language: str, texts: Texts) -> None:
    """Each English text that is translated stands in the program."""
    left = messages(language) - texts.constants - rulings()
    left -= of_settings() | help_texts()
    left -= {os.strerror(number) for number in errno.errorcode}
    of_click = "".join(map(inspect.getsource, MODULES))
    assert set() == {text for text in left if text not in of_click}


def test_a_message_is_filled_again_in_the_other_language() -> None:
    """Values keep their places; those that are texts are translated too."""
    french = {"{who} sits: {left}": "{left}, {who} attend", "{n} hands": "{n} mains", "A": "A"}
    message = Text("{who} sits: {left}", who="A", left=Text("{n} hands", n=2))
    assert "A sits: 2 hands" == message
    assert "2 mains, A attend" == in_language(message, french.__getitem__)


def test_each_separator_of_a_fault_is_as_the_language_has_it() -> None:
    """However many parts it has: French puts a space before a colon."""
    fault = Fault(file="c.toml", key="teams", problem="cannot be 9", remedy="mend that line")
    french = "c.toml\u00a0: teams\u00a0: cannot be 9\u00a0; corrigez cette ligne"
    assert french == load_phrases("fr").message(str(fault))


def test_a_refusal_names_its_side_in_the_language() -> None:
    """By its translated name, or by its number."""
    error = RuleError("{team} has folded until the next deal", rule="Z5", side=2)
    phrases = load_phrases("fr")
    folded = "a couché sa main jusqu'à la prochaine donne"
    assert f"Blanc {folded}" == phrases.refusal(error, {2: "White"})
    assert f"Camp 2 {folded}" == phrases.refusal(error, {})
    remedied = RuleError(
        "{players} players cannot be {sides} sides", players=5, sides=2, remedy="wait"
    )
    assert "5 personnes ne peuvent pas former 2 camps\u00a0: wait" == phrases.refusal(remedied, {})


@pytest.mark.parametrize(
    ("refuse", "french"),
    [
        (preset, "pas de jeu de règles 'X9'\u00a0: "),
        (ruling, "pas de pénalité 'X9'\u00a0: il y a N1, "),
    ],
)
def test_a_refusal_that_is_a_filled_message_is_in_the_language(
    refuse: Callable[[str], object], french: str
) -> None:
    """Its own template is translated, not the text that it makes."""
    with pytest.raises(RuleError) as refused:
        refuse("X9")
    assert load_phrases("fr").refusal(refused.value, {}).startswith(french)
