"""Messages in other languages: every refusal has its words, and no words are left over."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion
from companion.commentary import languages, load_phrases
from companion.errors import Message, RuleError, in_language
from companion.rules.game.rulings import RULINGS
from companion.settings.describe import describe
from companion.settings.first_run import STEPS
from companion.settings.load import load_settings

ROOT = Path(companion.__file__).parent
ENGLISH = "en"
OTHERS = [language for language in languages() if language != ENGLISH]
REFUSALS = {
    "RuleError": 0,
    "Message": 0,
    "GoneError": 0,
    "NoHandError": 0,
    "NoSetupError": 0,
    "PairingError": 0,
    "_say": 0,
    "StaleError": 0,
    "refuse": 1,
}
"""Calls whose text people see on a page, and the place of that text among the arguments."""
PROGRAMS = ("notation.py", "store.py", "house_rules.py")
"""Modules whose errors concern files and programs, and are told in English."""
SOURCES = [
    ROOT / "cli" / "terminal_game.py",
    *(
        file
        for part in ("rules", "table", "web")
        for file in sorted((ROOT / part).rglob("*.py"))
        if file.name not in PROGRAMS
    ),
]
LETTERS = re.compile(r"[A-Za-z]{2}")
PLACE = re.compile(r"\{\w+\}")


def refused(tree: ast.AST) -> Iterator[str]:
    """The English texts of the refusals in a module."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name | ast.Attribute):
            name = call.func.id if isinstance(call.func, ast.Name) else call.func.attr
            place = REFUSALS.get(name)
            if place is not None and place < len(call.args):
                yield from texts(tree, call.args[place])


def texts(tree: ast.AST, shown: ast.expr) -> Iterator[str]:
    """The texts that an expression may be, or the name of a variable in the module."""
    match shown:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr():
            yield f"line {shown.lineno}: a Message has places, a formatted string has none"
        case ast.IfExp(body=body, orelse=other):
            yield from (*texts(tree, body), *texts(tree, other))
        case ast.Name(id=name):
            for assigned in ast.walk(tree):
                if isinstance(assigned, ast.Assign) and any(
                    isinstance(target, ast.Name) and target.id == name
                    for target in assigned.targets
                ):
                    yield from texts(tree, assigned.value)


def helps() -> set[str]:
    """Return the purpose of each setting."""
    return {setting.help for setting in describe(load_settings(None, {}))}


def constants() -> set[str]:
    """Every text in the program."""
    files = (*ROOT.rglob("*.py"), *(ROOT.parent / "hardware").rglob("*.py"))
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in files)
    return {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@pytest.mark.parametrize("language", OTHERS)
def test_every_refusal_has_its_words(language: str) -> None:
    """Whatever the rules, the cards, the table or its page refuse, and every ruling."""
    known = load_phrases(language).messages
    wanted = {text for ruling in RULINGS.values() for text in (ruling.what, ruling.follows)}
    wanted |= {text for step in STEPS for text in (step.title, step.help)} | helps()
    for file in SOURCES:
        wanted |= set(refused(ast.parse(file.read_text(encoding="utf-8"))))
    assert set() == {text for text in wanted - known.keys() if LETTERS.search(PLACE.sub("", text))}


@pytest.mark.parametrize("language", OTHERS)
def test_no_words_are_left_over(language: str) -> None:
    """Each English text that is translated stands in the program."""
    assert set() == load_phrases(language).messages.keys() - constants() - helps()


def test_a_message_is_filled_again_in_the_other_language() -> None:
    """Values keep their places; those that are texts are translated too."""
    french = {"{team} sits: {left}": "{left}, {team} attend", "{n} hands": "{n} mains"}.__getitem__
    message = Message("{team} sits: {left}", left=Message("{n} hands", n=2))
    assert "{team} sits: 2 hands" == message
    assert "2 mains, {team} attend" == in_language(message, french)


def test_a_refusal_names_its_side_in_the_language() -> None:
    """By its translated name, or by its number."""
    error = RuleError("{team} has folded until the next deal", rule="Z5", team=2)
    phrases = load_phrases("fr")
    folded = "a couché sa main jusqu'à la prochaine donne"
    assert f"Blanc {folded}" == phrases.refusal(error, {2: "White"})
    assert f"Camp 2 {folded}" == phrases.refusal(error, {})
    remedied = RuleError(
        "{players} players cannot be {sides} sides", remedy="wait", players=5, sides=2
    )
    assert "5 personnes ne peuvent pas former 2 camps\u00a0: wait" == phrases.refusal(remedied, {})
