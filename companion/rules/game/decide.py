"""`decide(state, command) -> events`: a command is checked, then a `Turn` carries it out.

A check that fails raises a `RuleError` with the number of the rule; the game is unchanged.

If the last count had too many points, the game goes back to the state before that count. Then the
right count is made, and later deals and moves in a penalty box are repeated. For example, a side on
26 counts 5 to 31, but its hand made 3. `Overpeg(extra=2)` puts the peg back on 26 and counts 3, so
the landing is judged on 29.
"""

from companion.errors import RuleError, Text, joined
from companion.rules.game import commands
from companion.rules.game.apply import SKUNK_LINE_HOLE
from companion.rules.game.commands import PENALTY_POINTS, SetPegs, ruling
from companion.rules.game.events import Event, Kind
from companion.rules.game.state import LastCount, State
from companion.rules.game.turn import Turn, refuse_points


def place(turn: Turn, command: SetPegs) -> None:
    """Place both pegs of a side, the back peg behind the front peg (rule G1).

    The side path of a time trap leads back, so the front peg's hole may have the smaller number. If
    a penalty box has sent the front peg behind the back peg, both pegs must be put on one hole.
    """
    side, front, back = command.side, command.front, command.back
    track = turn.track
    turn.refuse_boxed(side)
    for hole in (front, back):
        if not track.has(hole):
            paths = joined(
                "",
                (
                    Text(", {first} to {last}", first=zone.path[0], last=zone.path[-1])
                    for zone in track.zones
                    if zone.path
                ),
            )
            raise RuleError(
                "this board has no hole {hole}: its holes are 0 to {finish}{paths}",
                hole=hole,
                finish=track.finish,
                paths=paths,
                rule="G3",
            )
    if front == track.finish:
        raise RuleError(
            "{side} would be on the finish, {front}: enter the count that wins",
            front=front,
            rule="G2",
            side=side,
        )
    way = track.walk(back, track.finish, landed=True)
    if track.progress(back) > track.progress(front) and front not in way:
        raise RuleError(
            "the back peg of {side} on {back} is ahead of its front peg on {front}: "
            "swap them, or put both there",
            back=back,
            front=front,
            rule="G1",
            side=side,
        )
    turn.put(Event(kind=Kind.PLACED, side=side, origin=back, to=front, rule="G1"))


def decide(state: State, command: commands.GameCommand) -> tuple[Event, ...]:
    """Return a command's events, in order; a command that the rules refuse is a `RuleError`."""
    turn = Turn(state)
    _take(turn, command)
    return tuple(turn.events)


def take_again(state: State, command: commands.Deal | commands.MoveInBox) -> tuple[Event, ...]:
    """Return the events of a command that is repeated because an earlier count was corrected.

    If the rules refuse it now, return (). If its dealer is boxed now, the next seat deals.
    """
    turn = Turn(state)
    _take_again(turn, command)
    return tuple(turn.events)


def refuse_after_win(state: State) -> None:
    """Raise a `RuleError` if the game is over (G2)."""
    if state.winner is not None:
        text = "the game is over: {side} won; undo, or begin a new game"
        raise RuleError(text, rule="G2", side=state.winner)


def _take(turn: Turn, command: commands.GameCommand) -> None:
    refuse_after_win(turn.state)
    match command:
        case commands.Peg(side=side, points=points):
            turn.peg(side, points)
        case commands.Deal(dealer=dealer):
            turn.deal(dealer)
        case commands.MoveInBox(side=side):
            turn.move_in_box(side)
        case commands.Overpeg():
            _overpeg(turn, command)
        case commands.Penalty():
            _penalty(turn, command)
        case commands.Claim():
            _claim(turn, command)
        case commands.Muggins():
            _muggins(turn, command)
        case commands.SetPegs():
            place(turn, command)


# Counts with too many points


def _overpeg(turn: Turn, command: commands.Overpeg) -> None:
    """Put the last count right, and give the surplus points to `taken_by` (N11)."""
    last = _last_count(turn.state, command.side, command.extra, rule="N11")
    if command.taken_by is not None:
        _refuse_taker(turn, command.taken_by, command.side, rule="N11")
    _put_right(turn, last, command.extra, rule="N11")
    if command.taken_by is not None and not turn.over:
        turn.refuse_boxed(command.taken_by)
        turn.count(command.taken_by, command.extra, rule="N11")


def _last_count(state: State, side: int, extra: int, *, rule: str) -> LastCount:
    state.pegs(side)
    last = state.last_count
    if last is None or last.side != side:
        raise RuleError("{side} did not make the last count", rule=rule, side=side)
    if not 1 <= extra <= last.points:
        raise RuleError(
            "{extra} of {points} points cannot be too many",
            extra=extra,
            points=last.points,
            rule=rule,
        )
    return last


def _put_right(turn: Turn, last: LastCount, extra: int, *, rule: str) -> None:
    began = last.before.pegs(last.side).front
    turn.emit(Kind.OVERPEGGED, last.side, rule, to=began, points=extra)
    turn.count(last.side, last.points - extra, rule=last.rule)
    for command in last.since:
        _take_again(turn, command)


def _take_again(turn: Turn, command: commands.Deal | commands.MoveInBox) -> None:
    """Repeat a command that followed a corrected count, unless the rules refuse it now."""
    try:
        _take(turn, command)
    except RuleError:
        if isinstance(command, commands.Deal) and not turn.over:
            _take(turn, commands.Deal())  # the seat that dealt sits in the box now


def _refuse_taker(turn: Turn, taker: int, by: int, *, rule: str) -> None:
    turn.state.pegs(taker)
    if taker == by:
        raise RuleError("{side} cannot take points for what it did itself", rule=rule, side=by)


# The referee


def _penalty(turn: Turn, command: commands.Penalty) -> None:
    """Record a penalty, and give two points to each side that takes them (N1 to N17)."""
    found, rule = ruling(command.rule), command.rule
    turn.state.pegs(command.by)
    if command.taken and not found.points:
        raise RuleError("{rule} gives no points: {follows}", follows=found.follows, rule=rule)
    if command.taken and turn.rules.penalty_to == "nobody":
        raise RuleError("the house rule penalty_to gives nobody points", rule=rule)
    if len(set(command.taken)) < len(command.taken):
        raise RuleError(
            "a side takes its {points} points only once", points=PENALTY_POINTS, rule=rule
        )
    for taker in command.taken:
        _refuse_taker(turn, taker, command.by, rule=rule)
        turn.refuse_boxed(taker)
    turn.emit(Kind.PENALISED, command.by, rule)
    for taker in command.taken:
        if not turn.over:
            turn.count(taker, PENALTY_POINTS, rule=rule)


def _claim(turn: Turn, command: commands.Claim) -> None:
    """Give the game to a side, without judging skunks (N10, N13, N14)."""
    found, rule = ruling(command.rule), command.rule
    turn.state.pegs(command.by)
    if not found.claim:
        raise RuleError(
            "{rule} gives no claim to the game: {follows}", follows=found.follows, rule=rule
        )
    turn.state.pegs(command.game_to)
    if command.game_to == command.by:
        text = "{side} cannot claim the game for what it did itself"
        raise RuleError(text, rule=rule, side=command.by)
    turn.emit(Kind.CLAIMED, command.game_to, rule, to=turn.track.finish)
    turn.win(command.game_to)


# Muggins


def muggins_applies(state: State, side: int) -> bool:
    """Return True if others may call muggins on a count that `side` makes in this state (M3)."""
    muggins, front = state.setup.rules.muggins, state.pegs(side).front
    in_alley = isinstance(front, int) and front <= SKUNK_LINE_HOLE
    return muggins == "on" or (muggins == "alley" and in_alley)


def _muggins(turn: Turn, command: commands.Muggins) -> None:
    """Give points that were missed, or counted too many, to the side that calls them (M1 to M3)."""
    _refuse_taker(turn, command.by, command.erring, rule="M1")
    _refuse_outside_alley(turn.state, command.erring)
    refuse_points(command.points)
    last = _overcalled(turn.state, command) if command.kind == "overcalled" else None
    rule = "M3" if command.given_back else "M2" if last else "M1"
    turn.emit(Kind.PENALISED, command.erring, rule, points=command.points)
    if command.given_back and turn.rules.given_back == "nobody":
        return
    if last:
        _put_right(turn, last, command.points, rule="M2")
    if not turn.over:
        taker = command.erring if command.given_back else command.by
        turn.refuse_boxed(taker)
        turn.count(taker, command.points, rule=rule)


def _refuse_outside_alley(state: State, erring: int) -> None:
    """Refuse muggins if the count began on a hole where the house rule does not allow it."""
    if state.setup.rules.muggins == "off":
        raise RuleError("muggins is switched off: see the house rule muggins", rule="M3")
    last = state.last_count
    before = last.before if last and last.side == erring else state
    if not muggins_applies(before, erring):
        raise RuleError(
            "{side} counted from {front}, beyond Muggers Alley",
            front=before.pegs(erring).front,
            rule="M3",
            side=erring,
        )


def _overcalled(state: State, command: commands.Muggins) -> LastCount:
    if state.setup.rules.muggins_counts != "missed-and-overcalled":
        text = "only missed points can be called: see the house rule muggins_counts"
        raise RuleError(text, rule="M2")
    last = _last_count(state, command.erring, command.points, rule="M2")
    if last.rule != "P7":
        raise RuleError(
            Text("the last count was not of cards: it was for {rule}", rule=last.rule), rule="M2"
        )
    return last
