"""Messages in other languages: templates are translated, and filled with the same values."""

from collections.abc import Callable

import pytest

from companion.commentary import load_phrases
from companion.errors import Fault, RuleError, Text, in_language
from companion.rules.game.house_rules import preset
from companion.rules.game.rulings import ruling


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
