"""The table of a link's states is whole, and so are the kinds of its errors."""

import builtins

from firmware_bridge import errors
from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.states import TRANSITIONS, Cause, State, diagram
from hardware.errors import HardwareError


def reachable(start: State) -> set[State]:
    """Return the states that can be reached from one."""
    seen, fresh = {start}, {start}
    while fresh:
        fresh = {to for state in fresh for to in TRANSITIONS[state].values()} - seen
        seen |= fresh
    return seen


def test_every_state_can_be_reached_and_closed() -> None:
    """From the beginning there is a way to each state, and from each a way to the end."""
    assert set(State) == set(TRANSITIONS) == reachable(State.IDLE)
    assert all(State.CLOSED in reachable(state) for state in State)


def test_every_cause_leads_somewhere() -> None:
    """There is no cause that no state knows."""
    assert set(Cause) == {cause for ways in TRANSITIONS.values() for cause in ways}


def test_whoever_is_not_closing_can_be_opened_and_closed() -> None:
    """The port may be opened again, and the link be closed, in all states but the last two."""
    last = {State.CLOSING, State.CLOSED}
    for state in set(State) - last:
        assert State.GREETING is TRANSITIONS[state][Cause.OPENED]
        assert TRANSITIONS[state][Cause.CLOSE] in last
    assert not {Cause.OPENED, Cause.CLOSE} & {
        cause for state in last for cause in TRANSITIONS[state]
    }


def test_the_picture_has_a_line_for_each_way() -> None:
    """The picture shows every way of the table, the beginning and the end."""
    ways = sum(map(len, TRANSITIONS.values()))
    assert ways + 3 == len(diagram().splitlines())


def test_an_error_is_a_built_in_kind() -> None:
    """Each can be caught as the built-in kind, as the bridge's, and as the hardware's."""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    ours = [kind for kind in kinds if issubclass(kind, BridgeError) and kind is not BridgeError]
    assert ours
    for kind in ours:
        built_in = {base for base in kind.__mro__ if vars(builtins).get(base.__name__) is base}
        assert {BaseException, Exception, object} < built_in
        assert issubclass(kind, HardwareError)
