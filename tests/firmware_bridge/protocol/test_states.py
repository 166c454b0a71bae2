"""The table of a link's states is whole, and firmware/PROTOCOL.md says what the code does."""

import builtins
import re

from firmware_bridge import errors
from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.framing import Decoder, Frame, encode
from firmware_bridge.protocol.messages import BoardSetup, Reason, Type, hello, setup
from firmware_bridge.protocol.states import TRANSITIONS, Cause, State, diagram
from hardware.errors import HardwareError
from tests.support import link_script, slow_board
from tests.support.program import ROOT

TEXT = (ROOT / "firmware_bridge" / "firmware" / "PROTOCOL.md").read_text("utf-8")


def rows(cells: int) -> list[list[str]]:
    """Return the lines of all tables with so many cells."""
    lines = (line.strip("|").split("|") for line in TEXT.splitlines() if line.startswith("|"))
    return [[cell.strip() for cell in line] for line in lines if len(line) == cells]


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


# The page: numbers, examples, the picture of the states


SETUP = BoardSetup(leds=3, safe_step=10)


def examples() -> dict[str, bytes]:
    """Return the messages of the last section, by the words beside them."""
    return {
        what: bytes.fromhex(found[1])
        for what, shown in rows(2)
        if (found := re.fullmatch(r"`(A5 5A [0-9A-F ]+)`", shown))
    }


def pixels(sequence: int, argument: int, payload: bytes) -> Frame:
    """Return a PIXELS."""
    return Frame(type=Type.PIXELS, sequence=sequence, argument=argument, payload=payload)


SAID: dict[str, bytes] = {
    "HELLO": encode(hello(1, session=link_script.SESSION)),
    "INFO": link_script.info(),
    "SETUP": encode(setup(2, boot=link_script.BOOT, wanted=SETUP)),
    "ACK of SETUP": link_script.ack(slow_board.SETUP, 2, clock=1550),
    "PIXELS, whole, latch": encode(pixels(0, 0x8000, bytes(range(1, 10)))),
    "ACK of PIXELS": link_script.ack(slow_board.PIXELS),
    "PIXELS, the second LED, latch": encode(pixels(1, 0x8003, b"\xa5\x5a\x00")),
    "NAK of PIXELS, NO_BASE": link_script.nak(slow_board.PIXELS, slow_board.NO_BASE, 1),
    "FILL, dark": encode(Frame(type=Type.FILL, sequence=2, payload=bytes(3))),
    "PING": encode(Frame(type=Type.PING, sequence=3)),
    "PONG, READY, base shown": link_script.pong(),
    "KEYS, button 1 down": link_script.keys([(1, True, 2097)], down=2),
    "KEYACK": encode(Frame(type=Type.KEYACK, sequence=1)),
    "LOG": link_script.log(b"low supply"),
    "BYE": encode(Frame(type=Type.BYE, sequence=4)),
}
"""Expected bytes of the examples, made by the code or, for a board's, by the slow twin."""


def test_an_example_is_what_the_code_sends() -> None:
    """Each has the bytes that host and slow board make of its words; every type has one."""
    assert SAID == examples()
    frames = [item for data in examples().values() for item in Decoder().feed(data)]
    assert set(Type) == {item.type for item in frames if isinstance(item, Frame)}


def test_the_messages_have_the_numbers_of_the_code() -> None:
    """The table of messages names all types with their numbers, those of a board from 80 on."""
    table = [row for row in rows(5) if re.fullmatch(r"`[0-9A-F]{2}`", row[0])]
    assert [(f"`{kind:02X}`", kind.name) for kind in Type] == [(row[0], row[1]) for row in table]
    assert all(("to the host" == row[2]) == (row[0] >= "`80`") for row in table)


def test_the_reasons_have_the_numbers_of_the_code() -> None:
    """The table of reasons names all of them with their numbers."""
    table = [(row[0], row[1]) for row in rows(3) if row[1].replace("_", "").isupper()]
    assert [(str(reason.value), reason.name) for reason in Reason] == table


def test_the_picture_is_drawn_from_the_table() -> None:
    """The diagram of the host's states is what the table of transitions draws."""
    assert f"```mermaid\n{diagram()}\n```" in TEXT
