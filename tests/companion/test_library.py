"""The library: its names are documented, and a `Game` answers as `cribwars replay` does."""

import builtins
import doctest
import inspect
import json
import re
from collections.abc import Callable, Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import library
from companion.board import load_board
from companion.cli.replay import replay
from companion.errors import RuleError
from companion.library import ComputerPlayer, Game, count
from companion.rules.game import Command, Setup
from companion.rules.game.house_rules import choose_rules
from companion.rules.game.notation import command_value
from tests.companion.cli.test_replay import COMMANDS, line
from tests.support.program import ROOT

PAGE = ROOT / "docs" / "library.md"
PUBLIC = {name: getattr(library, name) for name in library.__all__}
KNOWN = {*PUBLIC, *vars(builtins), "Any", "Hole", "Literal", "Sequence"}
"""Names that annotations may have; a `Hole` is an int or a text."""


def annotations(public: object) -> Iterator[object]:
    """Yield the annotations of a function, of a value's fields, or of a class's public methods."""
    yield from inspect.get_annotations(public).values()  # type: ignore[arg-type]  # a class or function
    if getattr(public, "__module__", "") == library.__name__:
        for name, member in vars(public).items():
            function = member.fget if isinstance(member, property) else member
            if inspect.isfunction(function) and not re.match("_[^_]", name):
                yield from inspect.get_annotations(function).values()


def test_the_page_is_true() -> None:
    """What its examples print is printed, and it names everything that is public."""
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert failed == 0 < tried
    _, _, listed = PAGE.read_text("utf-8").partition("## What is public")
    assert {*PUBLIC} == {*re.findall(r"`([A-Za-z]\w+)`", listed)} - {"kind"}


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_explained(name: str) -> None:
    """Its docstring has an example, and its annotations have public and built-in names alone."""
    assert doctest.DocTestParser().get_examples(inspect.getdoc(PUBLIC[name]) or "")
    for each in annotations(PUBLIC[name]):
        words = re.sub(
            r"'\w+'", "", each if isinstance(each, str) else inspect.formatannotation(each)
        )
        assert set() == {word.rpartition(".")[2] for word in re.findall(r"[\w.]*\w", words)} - KNOWN


def call(game: Game, command: Command) -> dict[str, object]:
    """Do a command by the method of its name; return what `replay` would print."""
    (name,) = command_value(command)
    method: Callable[..., object] = getattr(game, name)
    given = {each: getattr(command, each) for each in inspect.signature(method).parameters}
    try:
        events = method(**given)
    except RuleError as error:
        return {"error": str(error), "rule": error.rule}
    state = {"dealer": game.dealer, "hand": game.hand, "winner": game.winner}
    return {"events": events, "teams": game.pegs, "match": game.match} | state


@given(st.lists(COMMANDS, max_size=20), st.sampled_from([2, 3]))
def test_a_game_answers_as_replay_does(commands: list[Command], sides: int) -> None:
    """Each command is a method of the same name, with the same events, state and errors."""
    rules, board = choose_rules("family", {"muggins": "on"}, "crib-wars", load_board)
    setup = Setup.make(board.track, rules, sides=tuple(range(1, sides + 1)))
    game = Game("crib-wars", sides, preset="family", muggins="on")
    answers = replay(setup, [line(command).encode() for command in commands])
    for command, answer in zip(commands, map(json.loads, answers), strict=True):
        assert answer == json.loads(msgspec.json.encode(call(game, command)))
    assert all(event.kind not in ("undone", "corrected") for event in game.events)


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (lambda: Game("crib-war"), "did you mean 'crib-wars'"),
        (lambda: Game(sides=4), "a game takes 2 or 3"),
        (lambda: Game(finnish="exact"), "did you mean 'finish'"),
        (lambda: Game(game_to=50, skunk="below 91"), "the game ends at 50"),
        (lambda: Game().peg(1, 10**30), "a count is 1 to 29"),
        (lambda: Game(sides=10**30), "a game takes 2 or 3"),
        (lambda: Game().peg("x", 2), "side cannot be 'x': it takes int"),  # type: ignore[arg-type]
        (lambda: Game().penalty("N2", 1, {1: 2}), "taken cannot be {1: 2}"),  # type: ignore[arg-type]
        (lambda: Game().do("peg 1 12"), "not a command in JSON"),
        (lambda: Game().do("\udc80"), "not a command in JSON"),
        (lambda: count("5H 5S 5D", "5C"), "4 cards are needed"),
        (lambda: count(None, "5C"), "hand cannot be None"),  # type: ignore[arg-type]
        (lambda: ComputerPlayer("shar"), "did you mean 'shark'"),
        (lambda: ComputerPlayer("child").discard("5H", dealer=True), "5 or 6 cards are needed"),
    ],
)
def test_bad_input_is_a_value_error(use: Callable[[], object], said: str) -> None:
    """The text says what is wrong."""
    with pytest.raises(ValueError, match=re.escape(said)):
        use()
