"""The game and its slow twin stay in step, command by command, whatever a table does."""

from typing import Any, Literal, TypeAlias

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from msgspec import structs

from companion.board.zone_kinds import ZoneKind
from companion.errors import RuleError
from companion.rules.game import (
    Claim,
    Command,
    Correct,
    Deal,
    History,
    HouseRules,
    MoveInBox,
    Muggins,
    NewGame,
    Overpeg,
    Peg,
    Pegs,
    Penalty,
    SetPegs,
    Setup,
    Undo,
    apply_all,
    decide,
    new_game,
)
from companion.rules.game.house_rules import Measure, SkunkLine
from companion.rules.game.state import State
from tests.support.boards import CLASSIC, CRIB_WARS, CROWDED
from tests.support.limits import share
from tests.support.slow_game import (
    ALL_RULINGS,
    CLAIMS,
    TWO_POINTS,
    SlowCommand,
    SlowGame,
    SlowRefereedGame,
    SlowTable,
)
from tests.support.slow_moves import SlowPegs, SlowZone

BOARDS = {"crowded": CROWDED, "crib-wars": CRIB_WARS, "classic": CLASSIC}

LINES = st.none() | st.builds(
    SkunkLine, measure=st.sampled_from(Measure), points=st.integers(1, 120)
)

HOUSE_RULES = st.builds(
    HouseRules,
    game_to=st.sampled_from((None, None, 61, 121)) | st.integers(20, 140),
    finish=st.sampled_from(("overshoot", "exact")),
    skunk_at=st.sampled_from(("121", "finish", "off")),
    skunk=LINES,
    double_skunk=LINES,
    muggins=st.sampled_from(("alley", "on", "on", "off")),
    muggins_counts=st.sampled_from(("missed", "missed-and-overcalled")),
    given_back=st.sampled_from(("side", "nobody")),
    penalty_to=st.sampled_from(("every-other-side", "opponents", "nobody")),
    match_to=st.none() | st.integers(1, 7),
    occupant_advance=st.sampled_from(("box", "track")),
    back_lands=st.booleans(),
    award_lands=st.booleans(),
)

SEATINGS = st.sampled_from(
    (((1, 2, 3), 3), ((1, 2, 3), 6), ((1, 2, 3), 3), ((1, 2), 2), ((1, 3), 4))
)

Seating: TypeAlias = tuple[tuple[int, ...], int]
MugginsKind: TypeAlias = Literal["missed", "overcalled"]

SIDES = st.integers(1, 3)
POINTS = st.integers(1, 29)
HOLES = st.integers(0, 361) | st.sampled_from((120, 121, 122))
RULINGS = st.sampled_from(("N0", *ALL_RULINGS, "N18"))
KINDS: st.SearchStrategy[MugginsKind] = st.sampled_from(("missed", "overcalled"))

ANY_COMMAND = st.one_of(
    st.builds(Peg, side=st.integers(0, 4), points=st.integers(-1, 31)),
    st.builds(Deal, dealer=st.none() | st.integers(0, 7)),
    st.builds(MoveInBox, side=SIDES),
    st.builds(Overpeg, side=SIDES, extra=st.integers(-1, 30), taken_by=st.none() | SIDES),
    st.builds(
        Penalty,
        rule=RULINGS,
        by=st.integers(0, 4),
        taken=st.lists(st.integers(0, 4), max_size=3).map(tuple),
    ),
    st.builds(Claim, rule=RULINGS, by=SIDES, game_to=st.integers(0, 4)),
    st.builds(
        Muggins,
        erring=SIDES,
        by=st.integers(0, 4),
        points=st.integers(-1, 31),
        where=st.just("play"),
        kind=KINDS,
        given_back=st.booleans(),
    ),
    st.just(NewGame()),
    st.builds(Correct, entry=st.integers(0, 9), points=st.none() | st.integers(0, 30)),
    st.builds(SetPegs, side=st.integers(0, 4), front=st.integers(-1, 364), back=HOLES),
)


def slow_twin(setup: Setup) -> SlowGame:
    """Return the same table for the twin: plain lists and a dict of house rules."""
    rules = {name: getattr(setup.rules, name) for name in HouseRules.__slots__}
    for name in ("skunk", "double_skunk"):
        line = rules[name]
        rules[name] = None if line is None else (line.measure.value, line.points)
    zones = [
        SlowZone(
            zone.id, zone.kind.value, list(zone.box), list(zone.to), list(zone.path), zone.rejoin
        )
        for zone in setup.track.zones
    ]
    return SlowRefereedGame(setup.track.finish, zones, rules, list(setup.sides), setup.players)


def in_words(command: Command) -> SlowCommand:
    """Return a command in the contract's shape."""
    fields = structs.asdict(command)
    keys = {"erring": "from", "side": "team", "sides": "lanes"}
    given = {keys.get(name, name): value for name, value in fields.items() if value is not None}
    name = {MoveInBox: "box", NewGame: "new_game", SetPegs: "set_pegs"}.get(type(command))
    return {name or type(command).__name__.lower(): given}


def seen(state: State) -> dict[str, Any]:
    """Return the parts of a state that the contract shows."""
    sides = {
        side: (
            pegs.front,
            pegs.back,
            pegs.boxed.hands if pegs.boxed else None,
            pegs.folded,
            state.progress(side),
        )
        for side, pegs in zip(state.setup.sides, state.all_pegs, strict=True)
    }
    match = (dict(state.match.games), state.match.winner)
    table = {"dealer": state.dealer, "hand": state.hand, "winner": state.winner, "match": match}
    return {"teams": sides, **table}


def seen_slowly(game: SlowGame) -> dict[str, Any]:
    """Return the same parts of the twin."""
    sides = {
        side: (pegs.front, pegs.back, pegs.boxed, pegs.folded, game.progress(side))
        for side, pegs in game.pegs.items()
    }
    match = (game.match, game.match_winner)
    table = {"dealer": game.dealer, "hand": game.hand, "winner": game.winner, "match": match}
    return {"teams": sides, **table}


class TwoTables(RuleBasedStateMachine):
    """One table, kept twice."""

    @initialize(
        board=st.sampled_from(("crowded", "crowded", "crib-wars", "classic")),
        rules=HOUSE_RULES,
        seating=SEATINGS,
        stand=st.none() | st.tuples(*[HOLES] * 3),
    )
    def sit_down(
        self, board: str, rules: HouseRules, seating: Seating, stand: tuple[int, ...] | None
    ) -> None:
        """Begin on any board, with any rules and players, and the pegs anywhere."""
        lanes, players = seating
        setup = Setup.make(BOARDS[board], rules, sides=lanes, players=players)
        state = new_game(setup)
        slow = slow_twin(setup)
        if stand is not None:
            fronts = [hole % setup.track.finish for hole in stand[: len(lanes)]]
            sides = tuple(Pegs(front=hole) for hole in fronts)
            state = structs.replace(state, all_pegs=sides, counts=1)
            slow.counts = 1
            slow.pegs = {
                side: SlowPegs(front=hole) for side, hole in zip(lanes, fronts, strict=True)
            }
        self.history = History(state)
        self.slow = SlowTable(slow)

    def both(self, command: Command) -> None:
        """Give a command to both tables, which must reply and become the same."""
        before = self.history.state
        refusals = self.slow.refusals(in_words(command))
        if refusals:
            with pytest.raises(RuleError) as caught:
                self.history.do(command)
            assert None in refusals or caught.value.rule in refusals
            assert before is self.history.state
        else:
            self.slow.do(in_words(command))
            assert self.history.do(command).state is self.history.state
            if not isinstance(command, Undo | NewGame | Correct):
                assert apply_all(before, decide(before, command)) == self.history.state
        assert seen_slowly(self.slow.game) == seen(self.history.state)

    def free_sides(self) -> list[int]:
        """Return the sides whose counts are accepted now."""
        return [side for side in self.slow.game.sides if not self.slow.game.no_peg(side)]

    def over(self) -> bool:
        """Return True if the game is won."""
        return self.history.state.winner is not None

    @rule(command=ANY_COMMAND)
    def anything(self, command: Command) -> None:
        """Give any command, in half of the cases a refused one."""
        self.both(command)

    @precondition(lambda self: not self.over())
    @rule(data=st.data(), kind=st.sampled_from((*ZoneKind, ZoneKind.PENALTY_BOX)))
    def peg_into_a_zone(self, data: st.DataObject, kind: ZoneKind) -> None:
        """Give a count that ends in a zone of this kind, if there is one."""
        track = self.history.state.setup.track
        counts = []
        for side in self.free_sides():
            pegs = self.slow.game.pegs[side]
            way = track.walk(pegs.front, 29, landed=pegs.landed)
            zones = ((points, track.zone_at(hole)) for points, hole in enumerate(way, 1))
            counts += [(side, points) for points, zone in zones if zone and zone.kind is kind]
        if counts:
            side, points = data.draw(st.sampled_from(counts))
            self.both(Peg(side=side, points=points))

    @precondition(lambda self: not self.over())
    @rule(data=st.data(), points=st.lists(POINTS, min_size=1, max_size=4))
    def peg(self, data: st.DataObject, points: list[int]) -> None:
        """Give counts of sides that may peg."""
        for each in points:
            if not self.over() and self.free_sides():
                side = data.draw(st.sampled_from(self.free_sides()))
                self.both(Peg(side=side, points=each))

    @precondition(lambda self: not self.over())
    @rule(own_moves=st.lists(st.booleans(), min_size=1, max_size=3))
    def deal_and_sit(self, own_moves: list[bool]) -> None:
        """Deal hands, in which the boxed side moves its peg or forgets to."""
        for own_move in own_moves:
            self.both(Deal())
            occupant = self.slow.game.occupant()
            if own_move and occupant is not None:
                self.both(MoveInBox(side=occupant))

    @precondition(lambda self: self.slow.game.last is not None and not self.over())
    @rule(data=st.data(), taken_by=st.none() | SIDES)
    def overpeg(self, data: st.DataObject, taken_by: int | None) -> None:
        """Correct the last count, which was too much."""
        last = self.slow.game.last or {}
        extra = data.draw(st.integers(1, max(1, last["points"])))
        self.both(Overpeg(side=last["team"], extra=extra, taken_by=taken_by))

    @precondition(lambda self: not self.over())
    @rule(data=st.data(), ruling=st.sampled_from(TWO_POINTS))
    def penalty(self, data: st.DataObject, ruling: str) -> None:
        """Give a penalty that one side takes, several, none, or the side at fault."""
        sides = st.sampled_from(self.slow.game.sides)
        taken = data.draw(st.lists(sides, max_size=3))
        self.both(Penalty(rule=ruling, by=data.draw(sides), taken=tuple(taken)))

    @precondition(lambda self: not self.over())
    @rule(data=st.data(), ruling=st.sampled_from(CLAIMS), times=st.integers(0, 3))
    def claim(self, data: st.DataObject, ruling: str, times: int) -> None:
        """Claim the game, but seldom, as games would be short."""
        sides = st.sampled_from(self.slow.game.sides)
        if times == 0:
            self.both(Claim(rule=ruling, by=data.draw(sides), game_to=data.draw(sides)))

    @precondition(lambda self: not self.over())
    @rule(data=st.data(), kind=KINDS, given_back=st.booleans())
    def muggins(self, data: st.DataObject, kind: MugginsKind, *, given_back: bool) -> None:
        """Call muggins on the side that counted last, or missed counting."""
        sides = st.sampled_from(self.slow.game.sides)
        erring, by, points = data.draw(sides), data.draw(sides), data.draw(POINTS)
        last = self.slow.game.last
        if kind == "overcalled" and last is not None and last["points"]:
            erring, points = last["team"], data.draw(st.integers(1, last["points"]))
        self.both(
            Muggins(
                erring=erring, by=by, points=points, where="show", kind=kind, given_back=given_back
            )
        )

    @precondition(lambda self: not self.over())
    @rule(data=st.data(), points=st.none() | POINTS)
    def correct(self, data: st.DataObject, points: int | None) -> None:
        """Change or remove an earlier count, perhaps a corrected one."""
        _, entries = self.history.game
        numbers = [n for n, entry in enumerate(entries, 1) if isinstance(entry.command, Peg)]
        if numbers:
            self.both(Correct(entry=data.draw(st.sampled_from(numbers)), points=points))

    @precondition(lambda self: not self.over())
    @rule(data=st.data())
    def set_pegs(self, data: st.DataObject) -> None:
        """Place pegs anywhere on the track or on a side path."""
        track = self.history.state.setup.track
        paths = [hole for zone in track.zones for hole in zone.path]
        holes = st.integers(0, track.finish)
        anywhere = holes | st.sampled_from(paths) if paths else holes
        side = data.draw(st.sampled_from(self.slow.game.sides))
        self.both(SetPegs(side=side, front=data.draw(anywhere), back=data.draw(anywhere)))

    @precondition(lambda self: self.over())
    @rule()
    def new_game(self) -> None:
        """Begin the next game of the match."""
        self.both(NewGame())

    @rule(times=st.integers(1, 3))
    def undo(self, times: int) -> None:
        """Undo commands of any kind until nothing is left."""
        for _ in range(times):
            self.both(Undo())


# A failure is worth minutes: the time is spent on finding the shortest story that shows it.
TestTwoTables = pytest.mark.timeout(400)(TwoTables.TestCase)
TestTwoTables.settings = settings(max_examples=share(0.4), stateful_step_count=30)
