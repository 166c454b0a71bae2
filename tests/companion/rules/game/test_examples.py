"""The examples in `examples.txt`, played; and what the trap adviser foretells is what happens then.

Each example has what each command does, and what it leaves unchanged. A line at the margin is a
rule with its number, as the docstring of a test is. Below it, a line that begins with `at` begins
an example. It has the holes of the front pegs (`131*` landed there; `new` begins a game), then what
is not as in Crib Wars without skunks. Each line after it is a command with its events and, after
the semicolon, all that has changed:

    at 15 80
    peg 1 7: 1 counted 15>22, 1 folded 22, 1 sent_back 22>2, 2 awarded 80>100; 1 2/15 folded ...
    peg 1 2: refused Z5

A command is a word of the contract and its values in order. An event is a side, a kind and the way,
with `=` the points that the way does not tell, and a rule that is not the usual one. A side has a
front and a back peg, `~` and its progress if that is not the front peg's hole, and hands to sit.
"""

import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board import Hole, Track, ZoneKind
from companion.board.layout import Zone
from companion.errors import RuleError
from companion.rules.game import Command, Event, HouseRules, Kind, Peg, State, Undo
from companion.rules.game.advice import Outcome, fives_to_lead, outcomes
from companion.rules.game.house_rules import preset, with_rule
from companion.rules.game.notation import read_command
from tests.companion.rules.game.tables import NO_SKUNKS, Table, one_boxed
from tests.support.boards import CLASSIC, CRIB_WARS, CROWDED, advance, penalty_box, slide, trap
from tests.support.program import ROOT

EXAMPLES = ROOT / "tests/companion/rules/game/examples.txt"
TRACKS = {"crib-wars": CRIB_WARS, "classic": CLASSIC, "crowded": CROWDED}
ZONES: Mapping[str, Callable[..., Zone]] = {
    "box": penalty_box,
    "red": slide,
    "blue": trap,
    "green": advance,
}
VALUES = {
    "peg": ("team", "points"),
    "deal": ("dealer",),
    "box": ("team",),
    "overpeg": ("team", "extra", "taken_by"),
    "penalty": ("rule", "by", "taken"),
    "claim": ("rule", "by", "game_to"),
    "muggins": ("from", "by", "points", "where", "kind", "given_back"),
    "set_pegs": ("team", "front", "back"),
    "correct": ("entry", "points"),
    "new_game": ("lanes", "dealer"),
    "undo": (),
}
"""The values of each command in the order of its line."""
USUAL = {
    "counted": "P7",
    "slid": "Z2",
    "trapped": "Z3",
    "advanced": "Z4",
    "folded": "Z5",
    "boxed": "Z7",
    "sent_back": "Z6",
    "awarded": "Z6",
    "skipped": "Z9",
    "box_moved": "Z7",
    "released": "Z7",
    "forfeited": "G2",
    "overpegged": "N11",
    "skunked": "G4",
    "won": "G2",
    "dealt": "T2",
    "placed": "G1",
    "match_won": "G6",
}
"""The usual rule of each kind of event; penalties and claims have others."""


def value(word: str) -> object:
    """Return a number, a list or a truth as JSON has it, or else the word."""
    try:
        return json.loads(word)
    except ValueError:
        return word


def command_of(line: str) -> Command:
    """Return the command of a line, which the notation reads from JSON."""
    word, *values = line.split()
    fields = dict(zip(VALUES[word], map(value, values), strict=False))
    return read_command(json.dumps({word: fields}))


def zone_of(text: str) -> Zone:
    """Return a zone: `red-1@5>20/3` has its first hole, where it leads, and the holes of it."""
    name, _, place = text.partition("@")
    place, _, length = place.partition("/")
    kind = name.partition("-")[0]
    size = {"path" if kind in ("blue", "green") else "size": int(length)} if length else {}
    return ZONES[kind](name, *map(int, place.split(">")), **size)


def track_of(text: str) -> Track:
    """Return a board of tests, or one with this finish and these zones."""
    finish, *zones = text.split(",")
    return TRACKS.get(text) or Track(finish=int(finish), lanes=3, zones=tuple(map(zone_of, zones)))


def table_of(line: str) -> Table:
    """Return the table that a line describes."""
    words = (
        line.removeprefix("at ")
        .replace("overcalls", "muggins_counts=missed-and-overcalled")
        .split()
    )
    options = dict(word.split("=") for word in words if "=" in word)
    holes = [word for word in words if "=" not in word and word != "new"]
    sides = int(options.pop("sides", len(holes) or 2))
    players = int(options.pop("players", sides))
    track = track_of(options.pop("track", "crib-wars"))
    rules = preset(options.pop("preset")) if "preset" in options else NO_SKUNKS
    for name, text in options.items():
        rules = with_rule(rules, name, text)
    stand: dict[int, Hole] = {
        side: int(word) if word.isdigit() else word
        for side, word in enumerate((word.strip("*") for word in holes), 1)
    }
    landed = [side for side, word in enumerate(holes, 1) if word.endswith("*")]
    return Table(track, rules, seats=(sides, players), stand=stand, landed=landed)


def event_text(event: Event) -> str:
    """Return side, kind and way of an event, its points and its rule."""
    origin, to, points = event.origin, event.to, event.points
    walked = abs(to - origin) if isinstance(origin, int) and isinstance(to, int) else None
    return (
        (f"{event.side} " if event.side else "")
        + event.kind.value
        + (f" {origin}" if origin is not None else "")
        + (f">{to}" if to != origin else "")
        + ("" if points in (None, walked) else f" ={points}")
        + ("" if event.rule == USUAL.get(event.kind.value) else f" {event.rule}")
    )


def side_text(state: State, side: int) -> str:
    """Return the pegs of a side and all that the contract shows of it."""
    pegs, progress = state.pegs(side), state.progress(side)
    return (
        f"{side} {pegs.front}/{pegs.back}"
        + (f"~{progress}" if progress != pegs.front else "")
        + (" folded" if pegs.folded else "")
        + (f" boxed {pegs.boxed.hands}" if pegs.boxed else "")
    )


def facts(state: State) -> Iterator[str]:
    """Yield all facts of a state that a command may change."""
    yield from (side_text(state, side) for side in state.setup.sides)
    yield f"hand {state.hand}"
    yield f"dealer {state.dealer}"
    yield f"first dealer {state.first_dealer}"
    yield f"sides {state.setup.sides} of {state.setup.players}"
    if state.setup.rules.skunk_at == "121":
        yield f"at 121: {state.first_at_121}, caught {dict(state.skunked)}"
    yield f"winner {state.winner}"
    yield f"games {dict(state.match.games)}"
    yield f"match to {state.match.winner}"


def done(table: Table, command: Command) -> str:
    """Return the events of a command and all that it changed, or the rule that refuses it.

    A refusal is one line and changes nothing; an undo takes back all that a command did.
    """
    before = table.state
    try:
        events = table.do(command)
    except RuleError as error:
        assert before is table.state
        assert "\n" not in str(error)  # noqa: PT017  # either way is right
        return f"refused {error.rule}"
    if not isinstance(command, Undo):
        after = table.state
        table.undo()
        assert before is table.state
        assert (events, after) == (table.do(command), table.state)
    changes = set(facts(table.state)) - set(facts(before))
    changed = [fact for fact in facts(table.state) if fact in changes]
    return "; ".join(filter(None, (", ".join(map(event_text, events)), ", ".join(changed))))


def examples(file: Path = EXAMPLES) -> Iterator[tuple[str, list[str]]]:
    """Yield each example: the rule that it shows, and its parts."""
    for paragraph in re.split(r"\n(?=\S)", file.read_text("utf-8").strip()):
        rule, *cases = re.split(r"\n    (?=at )", paragraph)
        for case in cases:
            yield rule, re.sub(r"[ \n]+", " ", case).split(" | ")


def numbers(rule: str) -> list[str]:
    """Return the numbers before the colon."""
    return rule.partition(":")[0].split(", ")


def played(lines: list[str]) -> list[str]:
    """Return an example as the game plays it."""
    table = table_of(lines[0])
    commands = [line.partition(": ")[0] for line in lines[1:]]
    return [lines[0], *(f"{text}: {done(table, command_of(text))}" for text in commands)]


NUMBERS = sorted({number for rule, _ in examples() for number in numbers(rule)})
LANDINGS = {
    Kind.SLID: ZoneKind.RED_SLIDE,
    Kind.TRAPPED: ZoneKind.TIME_TRAP,
    Kind.ADVANCED: ZoneKind.GREEN_ADVANCE,
    Kind.FOLDED: ZoneKind.PENALTY_BOX,
}
HOUSE_RULES = st.builds(
    HouseRules,
    game_to=st.none() | st.integers(30, 140),
    finish=st.sampled_from(("overshoot", "exact")),
    back_lands=st.booleans(),
    award_lands=st.booleans(),
)


def outlook(table: Table, side: int, points: int) -> Outcome:
    """Return the advice on one count."""
    found = outcomes(table.state, side)[points - 1]
    assert points == found.points
    return found


def landing(events: tuple[Event, ...]) -> ZoneKind | None:
    """Return the kind of zone in which a count's events say that its side landed."""
    side = events[0].side
    own = [event.kind for event in events if event.side == side and event.kind in LANDINGS]
    return LANDINGS[own[0]] if own else None


@pytest.mark.parametrize("number", NUMBERS)
def test_rule(number: str) -> None:
    """The examples of a rule are what happens in play."""
    expected = [lines for rule, lines in examples() if number in numbers(rule)]
    assert expected == list(map(played, expected))


@given(
    track=st.sampled_from((CROWDED, CROWDED, CRIB_WARS, CLASSIC)),
    rules=HOUSE_RULES,
    sides=st.integers(2, 3),
    stand=st.tuples(*[st.integers(0, 120)] * 3),
    before=st.lists(st.integers(1, 29), max_size=3),
)
def test_the_game_does_what_was_predicted(
    track: Track, rules: HouseRules, sides: int, stand: tuple[int, ...], before: list[int]
) -> None:
    """Z1: for every count the adviser names the hole, the zone and the end that the game gives."""
    finish = min(track.finish, rules.game_to or track.finish)
    fronts: dict[int, Hole] = {side: stand[side - 1] % finish for side in range(1, sides + 1)}
    table = Table(track, rules, seats=(sides, sides), stand=fronts)
    for points in before:
        if outcomes(table.state, 1):
            table.peg(1, points)
            if table.state.winner is None:
                table.deal()
    for reported in outcomes(table.state, 1):
        events = table.do(Peg(side=1, points=reported.points))
        assert events[0].to == reported.lands
        assert landing(events) == reported.kind
        assert table.pegs(1)[0] == reported.front
        assert (events[0].kind is Kind.FORFEITED) == reported.forfeited
        assert (table.state.winner == 1) == reported.wins
        table.undo()


def test_every_count_has_its_outlook() -> None:
    """P7: a count is 1 to 29, and the adviser speaks of each."""
    assert list(range(1, 30)) == [reported.points for reported in outcomes(Table().state, 1)]


@pytest.mark.parametrize(
    ("front", "points", "expected"),
    [
        (20, 1, (21, None, 21)),
        (20, 2, (22, ZoneKind.PENALTY_BOX, 2)),
        (40, 3, (43, ZoneKind.RED_SLIDE, 63)),
        (125, 5, (130, ZoneKind.TIME_TRAP, 130)),
        (190, 12, (202, ZoneKind.GREEN_ADVANCE, 202)),
    ],
)
def test_what_a_zone_would_do(
    front: int, points: int, expected: tuple[Hole, ZoneKind | None, Hole]
) -> None:
    """Z1: where a count lands, the zone that is there, and where the peg ends."""
    reported = outlook(Table(stand={1: front, 2: 90}), 1, points)
    assert expected == (reported.lands, reported.kind, reported.front)
    assert (False, False) == (reported.forfeited, reported.wins)


def test_the_way_out_of_a_trap() -> None:
    """Z3: from a trap the outlook goes down the blue path and on from the rejoin hole."""
    table = Table(stand={1: 131}, landed=(1,))
    assert [f"trap-1:{hole}" for hole in range(1, 7)] == [
        outlook(table, 1, points).lands for points in range(1, 7)
    ]
    assert (112, 113) == (outlook(table, 1, 7).lands, outlook(table, 1, 8).lands)


def test_the_win_and_what_is_too_long() -> None:
    """G2: at an exact finish one count wins, shorter ones do not, longer ones are forfeited."""
    rules = dataclasses.replace(NO_SKUNKS, finish="exact")
    table = Table(CLASSIC, rules, stand={1: 118})
    reported = [(each.wins, each.forfeited) for each in outcomes(table.state, 1)]
    assert [(False, False)] * 2 + [(True, False)] + [(False, True)] * 26 == reported
    assert (118, 118) == (outlook(table, 1, 4).lands, outlook(table, 1, 4).front)


def test_another_may_win_by_it() -> None:
    """Z6: a count into a box may give the game away, which is no win of the side that made it."""
    reported = outlook(Table(stand={1: 345, 2: 350}), 1, 1)
    assert (ZoneKind.PENALTY_BOX, False) == (reported.kind, reported.wins)


def test_who_may_not_count_has_no_outlook() -> None:
    """Z5: a folded side has none, nor a boxed one (Z7), nor anybody after the win (G2)."""
    folded = Table(stand={1: 15, 2: 80})
    folded.peg(1, 7)
    assert () == outcomes(folded.state, 1)
    assert 29 == len(outcomes(folded.state, 2))
    assert () == outcomes(one_boxed().state, 1)
    over = Table(stand={1: 362})
    over.peg(1, 1)
    assert () == outcomes(over.state, 1) == outcomes(over.state, 2)


@pytest.mark.parametrize(
    ("front", "near"),
    [
        (19, False),
        (20, True),
        (21, True),
        (22, True),
        (24, False),
        (127, False),
        (128, True),
        (129, True),
        (345, True),
        (40, False),
        (41, False),
        (198, False),
        (199, False),
        (0, False),
    ],
)
def test_a_five_to_lead(front: int, *, near: bool) -> None:
    """Z1: a five is led to who is within two holes of a trap or a box, never of red or green."""
    table = Table(stand={1: 21, 2: front})
    assert ((2,) if near else ()) == fives_to_lead(table.state, 1)


def test_fives_to_several() -> None:
    """Z1: whoever of the others stands near, in the order of the lanes; never oneself."""
    table = Table(seats=(3, 3), stand={1: 128, 2: 21, 3: 345})
    assert [(2, 3), (1, 3), (1, 2)] == [fives_to_lead(table.state, side) for side in (1, 2, 3)]


def test_no_five_to_who_leaves_by_the_path() -> None:
    """Z3: a peg that landed in a trap goes down the path next, past the rest of the box."""
    stand = {1: 9, 2: 130}
    assert () == fives_to_lead(Table(stand=stand, landed=(2,)).state, 1)
    assert (2,) == fives_to_lead(Table(stand=stand).state, 1)


def test_no_five_to_who_may_not_count() -> None:
    """Z5: a side that has folded, or sits in a box (Z7), is put into nothing by a five."""
    table = Table(CROWDED, stand={1: 60, 2: 43})
    table.peg(2, 2)
    assert (25, True) == (table.pegs(2)[0], table.state.pegs(2).folded)
    assert () == fives_to_lead(table.state, 1)
    table.deal()
    assert (2,) == fives_to_lead(table.state, 1)
    assert () == fives_to_lead(one_boxed().state, 2)
