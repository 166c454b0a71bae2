"""Sides and seats, the history of a table, corrections, rulings, and the notation of commands.

That a corrected game is the fold of the corrected list is proved in `test_against_slow_game`. What
each ruling gives in play is among the examples.
"""

import json
from dataclasses import replace
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import structs

from companion.board.layout import Hole
from companion.errors import BadInputError, LaterCommandError, RuleError
from companion.rules.game import (
    Claim,
    Command,
    Correct,
    Deal,
    Event,
    History,
    HouseRules,
    Kind,
    MoveInBox,
    NewGame,
    Overpeg,
    Peg,
    Setup,
    State,
    Undo,
    new_game,
)
from companion.rules.game.commands import PENALTY_POINTS, RULINGS, ruling
from companion.rules.game.history import standing
from companion.rules.game.notation import command_value, read_command, read_events
from tests.companion.rules.game.tables import NO_SKUNKS, Table
from tests.support.boards import CLASSIC, CRIB_WARS

NEXT = replace(NO_SKUNKS, first_dealer="next")
A_LONG_EVENING: tuple[Command, ...] = (
    Deal(),
    Peg(side=1, points=22),
    Peg(side=2, points=29),
    Overpeg(side=2, extra=3, taken_by=3),
    Deal(),
    MoveInBox(side=1),
    Peg(side=2, points=16),
    Peg(side=3, points=19),
    Deal(),
    NewGame(),
    Deal(dealer=3),
    Peg(side=3, points=12),
)
"""Three sides: a box, a slide, an overpeg, a newcomer in the box, a new game."""


def states_of(table: Table, commands: tuple[Command, ...]) -> list[State]:
    """Return the state before the first command and after each."""
    states = [table.state]
    for command in commands:
        table.do(command)
        states.append(table.state)
    return states


def played(*commands: Command, sides: int = 2) -> Table:
    """Return a table at which these commands were given."""
    table = Table(seats=(sides, sides))
    for command in commands:
        table.do(command)
    return table


NUMBERS = tuple(f"N{number}" for number in range(1, 18))
KINDS: tuple[type[Command], ...] = get_args(Command)
WHOLE = st.integers(-(2**40), 2**40)
HOLES = st.one_of(st.none(), st.integers(0, 400), st.text(max_size=12))
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | WHOLE
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside),
    max_leaves=6,
)


def commands_of(kind: type[Command]) -> st.SearchStrategy[Command]:
    """Commands of one kind with any values that their fields can hold."""
    whole = {int: WHOLE, int | None: st.none() | WHOLE}
    hints = get_type_hints(kind)
    fields: dict[str, Any] = {
        field.name: whole.get(hints[field.name], st.from_type(hints[field.name]))
        for field in structs.fields(kind)
    }
    return st.builds(kind, **fields)


COMMANDS = st.one_of([commands_of(kind) for kind in KINDS])
EVENTS = st.builds(
    Event,
    kind=st.sampled_from(Kind),
    side=st.none() | st.integers(1, 3),
    origin=HOLES,
    to=HOLES,
    rule=st.none() | st.text(max_size=4),
    points=st.none() | st.integers(0, 29),
)


def encoded(value: object) -> bytes:
    """JSON by the standard library, which nothing here uses."""
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    ("lanes", "owners"),
    [
        ((1, 2), [1, 2]),
        ((1, 2, 3), [1, 2, 3]),
        ((1, 2), [1, 2, 1, 2]),
        ((1, 2, 3), [1, 2, 3, 1, 2, 3]),
        ((1, 3), [1, 3, 1, 3]),
    ],
)
def test_partners_sit_opposite_each_other(lanes: tuple[int, ...], owners: list[int]) -> None:
    """T1: seats go round to the left and alternate between the sides, whatever their lanes."""
    setup = Setup.make(CRIB_WARS, HouseRules(), sides=lanes, players=len(owners))
    assert owners == [setup.side_of(seat) for seat in range(1, setup.players + 1)]


@pytest.mark.parametrize(
    ("lanes", "players"),
    [((1,), 1), ((1, 2), 3), ((1, 2), 6), ((1, 2, 3), 4), ((1, 2, 3), 2), ((1, 2, 4), 3)],
)
def test_no_other_number_of_players_or_sides(lanes: tuple[int, ...], players: int) -> None:
    """T1: two sides are 2 or 4 players, three are 3 or 6, each with a lane of its own."""
    with pytest.raises(RuleError) as caught:
        Setup.make(CRIB_WARS, HouseRules(), sides=lanes, players=players)
    assert "T1" == caught.value.rule


# The first dealer of the next game (T2)


@pytest.mark.parametrize(
    ("stand", "players", "first", "dealer"),
    [
        ({1: 100, 2: 50}, 2, 1, 2),
        ({1: 100, 2: 50}, 2, 2, 2),
        ({1: 50, 2: 100}, 2, 2, 1),
        ({1: 100, 2: 50}, 4, 1, 2),
        ({1: 100, 2: 50}, 4, 2, 4),
        ({1: 100, 2: 50}, 4, 4, 2),
        ({1: 100, 2: 50}, 4, 3, 4),
        ({1: 100, 2: 50, 3: 40}, 3, 1, 3),
        ({1: 0, 2: 50, 3: 40}, 6, 1, 4),
        ({1: 100, 2: 50, 3: 50}, 6, 2, 3),
        ({1: 100, 2: 50, 3: 50}, 6, 6, 2),
    ],
)
def test_the_loser_deals_first(
    stand: dict[int, Hole], players: int, first: int, dealer: int
) -> None:
    """T2: of the side with the lowest progress, the seat that follows the last first dealer."""
    table = Table(seats=(len(stand), players), stand=stand)
    state = structs.replace(table.state, first_dealer=first)
    assert dealer == state.next_first_dealer()


def test_the_loser_is_found_by_progress_and_not_by_hole() -> None:
    """T2: a peg caught in a time trap has further to go than one that stands behind it."""
    stand: dict[int, Hole] = {1: 200, 2: 131, 3: 128}
    for landed, dealer in (((2,), 2), ((), 3)):
        table = Table(seats=(3, 3), stand=stand, landed=landed)
        assert dealer == table.state.next_first_dealer()


@pytest.mark.parametrize(("first", "dealer"), [(1, 2), (2, 3), (3, 4), (4, 1)])
def test_the_next_seat_deals_first(first: int, dealer: int) -> None:
    """T2: with `next` the first deal goes round to the left, whoever has lost."""
    table = Table(rules=NEXT, seats=(2, 4), stand={1: 100, 2: 50})
    assert dealer == structs.replace(table.state, first_dealer=first).next_first_dealer()


def test_the_cut_and_not_a_later_hand_names_the_first_dealer() -> None:
    """T2: Deals before the first count are the cut; those after it pass the deal on."""
    table = Table(rules=NEXT)
    table.deal()
    table.peg(1, 5)
    table.deal()
    assert (1, 2) == (table.state.dealer, table.state.first_dealer)
    assert 1 == table.state.next_first_dealer()


def test_undo_over_a_whole_evening() -> None:
    """Every state of an evening comes back in turn, over boxes, an overpeg and a new game."""
    table = Table(rules=HouseRules(), seats=(3, 3))
    states = states_of(table, A_LONG_EVENING)
    for state in reversed(states[:-1]):
        table.undo()
        assert state == table.state
    assert 0 == len(table.history)


def test_deciding_changes_nothing() -> None:
    """An entry may be decided and added later, or never; an undo as any command."""
    table = Table()
    before = table.state
    entry = table.history.decide(Peg(side=1, points=5))
    assert before is table.state
    assert table.history.last is None
    table.history.add(entry)
    assert entry is table.history.last
    assert entry.state is table.state
    undo = table.history.decide(Undo())
    assert 1 == len(table.history)
    table.history.add(undo)
    assert before == table.state


def test_a_long_evening_is_kept_by_whole_games() -> None:
    """Beyond the limit the oldest games go when one begins; the last two can be taken back."""
    history = History(Table().state, limit=8)
    for _ in range(5):
        for command in (Peg(side=1, points=1), Peg(side=2, points=2), NewGame()):
            history.do(command)
        assert len(history) <= 8
    for _ in range(len(history)):
        history.do(Undo())
    assert (0, 0) == (len(history), history.state.pegs(1).front)
    for _ in range(20):
        history.do(Peg(side=1, points=1))
    history.do(NewGame())
    history.do(Undo())
    assert 20 == history.state.pegs(1).front


def test_a_preset_is_chosen_for_a_game_and_the_longer_one_comes_back() -> None:
    """G7: on the board's whole track, whatever the last game was; kept until another is chosen."""
    short = Setup.make(CLASSIC, HouseRules(board="classic", game_to=61), sides=(1, 2))
    history = History(new_game(short), next_setup=short)
    assert ("", "classic-121", "electronic", "lurch", "family") == tuple(history.presets)

    def finish(preset: str | None) -> int:
        return history.do(NewGame(preset=preset)).state.setup.track.finish

    assert [121, 121, 61, 61] == [finish(preset) for preset in ("electronic", None, "", None)]
    history.do(NewGame(preset="family"))
    assert not history.has_new_rules
    history.do(Undo())
    assert "" == history.state.setup.preset


def test_a_preset_of_another_board_is_no_choice() -> None:
    """G7: the board that lies on the table is not changed by a button."""
    history = History(new_game(Setup.make(CLASSIC, HouseRules(board="classic"), sides=(1, 2))))
    with pytest.raises(RuleError, match="no choice"):
        history.do(NewGame(preset="crib-wars"))


def test_a_later_count_that_is_refused_refuses_the_correction() -> None:
    """Z5: a side that would have folded could not have counted; the error names which and why."""
    table = played(Peg(side=1, points=5), Peg(side=2, points=1), Peg(side=1, points=6))
    with pytest.raises(LaterCommandError, match=r"command 3 .* has folded") as caught:
        table.do(Correct(entry=1, points=22))
    assert ("Z5", 3, 1) == (caught.value.rule, caught.value.number, caught.value.side)


def test_a_correction_is_corrected_by_its_count() -> None:
    """A correction is no count itself: another one of the same count replaces it."""
    table = played(Peg(side=1, points=3), Correct(entry=1, points=4))
    with pytest.raises(RuleError, match="only a count"):
        table.do(Correct(entry=2, points=5))
    table.do(Correct(entry=1, points=5))
    assert (5, 0) == table.pegs(1)


def test_a_move_in_the_box_without_a_box_is_dropped() -> None:
    """Z7: corrected out of the box, a side has no move to make there."""
    table = played(Peg(side=1, points=22), Deal(), MoveInBox(side=1), sides=3)
    table.do(Correct(entry=1, points=21))
    _, entries = table.history.game
    assert () == standing(Table(seats=(3, 3)).state, entries)[2].events


def test_the_referees_rulings() -> None:
    """N: each of the seventeen numbers, in order, has sentences and two sheets or others.

    What happened is one sentence. Where there are points, each other side may take two.
    """
    assert NUMBERS == tuple(RULINGS) == tuple(each.rule for each in RULINGS.values())
    assert 2 == PENALTY_POINTS
    sheets = {"N9": ("000", "003", "004"), "N17": ("004",)}
    for number in NUMBERS:
        reported = ruling(number)
        what, follows = str(reported.what), str(reported.follows)
        assert (1, ".", ".") == (what.count("."), what[-1], follows[-1])
        assert sheets.get(number, ("000", "003")) == reported.sources


@pytest.mark.parametrize("number", ["N0", "N18", "n1", "", "M1", "G2", "N1 "])
def test_a_number_that_is_none_of_the_referees(number: str) -> None:
    """N: an unknown number is refused in one line that lists what there is."""
    with pytest.raises(RuleError, match=r"N1, N2, .*N17") as caught:
        ruling(number)
    assert caught.value.rule is None
    assert "\n" not in str(caught.value)


def test_nobody_claims_for_what_it_did() -> None:
    """N13: the game goes to another side than the one that did wrong."""
    with pytest.raises(RuleError, match=r"^side 1 cannot claim the game for what it did itself$"):
        Table().do(Claim(rule="N13", by=1, game_to=1))


@given(COMMANDS)
def test_every_command_is_read_back(command: Command) -> None:
    """A command, written by any encoder, is the same command again."""
    assert command == read_command(encoded(command_value(command)))
    assert command == read_command(msgspec.json.encode(command_value(command)))


@given(st.lists(EVENTS, max_size=5))
def test_every_event_is_read_back(events: list[Event]) -> None:
    """Events, written in order, are the same events again."""
    assert tuple(events) == read_events(encoded(msgspec.to_builtins(events)))


@given(EVENTS)
def test_an_event_has_the_keys_of_the_contract(event: Event) -> None:
    """Kind, side, from, to, rule; points where the kind has them."""
    keys = {"kind", "team", "from", "to", "rule"} | (
        {"points"} if event.points is not None else set()
    )
    assert keys == msgspec.to_builtins(event).keys()


@given(COMMANDS, st.text(max_size=8), ANYTHING)
def test_a_key_that_is_not_the_commands_own_is_refused(
    command: Command, key: str, value: object
) -> None:
    """A misspelt field is an error and not passed over."""
    ((name, fields),) = command_value(command).items()
    assert isinstance(fields, dict)
    known = {field.encode_name for field in structs.fields(command)}
    if key not in known:
        with pytest.raises(BadInputError, match=rf"^{name}: "):
            read_command(encoded({name: {**fields, key: value}}))


@example({"\n": 0})
@given(ANYTHING)
def test_whatever_json_comes_is_a_command_or_one_line(value: object) -> None:
    """Any value is read as a command or refused in a single line."""
    for line in (encoded(value), encoded({"peg": value}), encoded({"deal": value})):
        try:
            read_command(line)
        except BadInputError as error:
            assert "\n" not in str(error)  # noqa: PT017  # either way is right
    try:
        read_events(encoded([value]))
    except BadInputError as error:
        assert str(error).startswith("not events in JSON: ")  # noqa: PT017  # the same


@given(st.binary(max_size=40))
def test_whatever_bytes_come_are_one_line(line: bytes) -> None:
    """Bytes that are no JSON, or no UTF-8, are refused and raise nothing else."""
    with pytest.raises(BadInputError, match=r"^not a command in JSON: "):
        read_command(b"\xff" + line)


@pytest.mark.parametrize("line", [b'{"peg": ' + b"[" * 100_000, b"[" * 100_000, b'{"a":' * 100_000])
def test_brackets_without_end_are_refused(line: bytes) -> None:
    """Nesting deeper than a program can follow is a bad line like any other."""
    with pytest.raises(BadInputError):
        read_command(line)
    with pytest.raises(BadInputError):
        read_events(line)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"pge": {"team": 1, "points": 2}}', "no command 'pge': did you mean 'peg'?"),
        ('{"xyzzy": {}}', "no command 'xyzzy': there are deal, peg, "),
        ("{}", "an object with one key"),
        ('{"deal": {}, "undo": {}}', "an object with one key"),
        ('{"peg": {"team": 1}}', "peg: Object missing required field `points`"),
        ('{"peg": {"team": "1", "points": 2}}', "peg: Expected `int`, got `str`"),
        ('{"peg": {"team": true, "points": 2}}', "peg: Expected `int`, got `bool`"),
        ('{"peg": {"team": 1, "points": 2.5}}', "peg: Expected `int`, got `float`"),
        ("", "not a command in JSON"),
    ],
)
def test_a_bad_line_says_what_is_wrong(line: str, words: str) -> None:
    """The text names the command, the field and what was expected."""
    with pytest.raises(BadInputError) as refused:
        read_command(line)
    assert words in str(refused.value)


def test_what_is_not_set_is_left_out() -> None:
    """A field that is None is not written, and reads as None."""
    assert {"peg": {"team": 1, "points": 6}} == command_value(Peg(side=1, points=6))
    assert b'{"deal":{}}' == msgspec.json.encode(
        command_value(read_command('{"deal": {"dealer": null}}'))
    )
