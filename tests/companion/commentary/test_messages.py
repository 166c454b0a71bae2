"""Messages in other languages: templates are translated, and filled with the same values."""

from companion.commentary import load_phrases
from companion.errors import Fault, RuleError, Text, plural


def test_a_message_is_filled_again_in_the_other_language() -> None:
    """Values keep their places; values that are texts are translated, each in its plural form."""
    french = load_phrases("fr")
    for n, english, translated in ((2, "2 hands", "2 mains"), (1, "1 hand", "1 main")):
        hands = plural(n, "{n} hand to sit", "{n} hands to sit")
        message = Text("{one} and {other}", one="A", other=hands)
        assert f"A and {english} to sit" == str(message)
        assert f"A et encore {translated}" == french.message(message)


def test_each_separator_of_a_fault_is_as_the_language_has_it() -> None:
    """With any number of parts French puts a space before a colon."""
    fault = Fault(
        file="c.toml", key="teams", problem=Text("cannot be 9"), remedy=Text("mend that line")
    )
    french = "c.toml\u00a0: teams\u00a0: cannot be 9\u00a0; corrigez cette ligne"
    assert french == load_phrases("fr").message(fault.line)


def test_a_refusal_names_its_side_in_the_language() -> None:
    """The side has its translated name, or its number."""
    error = RuleError("{side} has folded until the next deal", rule="Z5", side=2)
    phrases = load_phrases("fr")
    folded = "a couché sa main jusqu'à la prochaine donne"
    assert f"Blanc {folded}" == phrases.message(error.text, {2: "White"})
    assert f"Camp 2 {folded}" == phrases.message(error.text)
    remedied = RuleError(
        "{players} players cannot be {sides} sides", players=5, sides=2, remedy=Text("wait")
    )
    assert "5 personnes ne peuvent pas former 2 camps\u00a0: wait" == phrases.message(remedied.text)
