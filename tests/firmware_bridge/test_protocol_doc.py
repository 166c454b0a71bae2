"""firmware/PROTOCOL.md says what the code does: numbers, examples, the picture of the states."""

import re

from firmware_bridge.protocol.framing import Decoder, Frame, encode
from firmware_bridge.protocol.messages import BoardSetup, Reason, Type, hello, setup
from firmware_bridge.protocol.states import diagram
from tests.support import link_script, slow_board
from tests.support.program import ROOT

TEXT = (ROOT / "firmware_bridge" / "firmware" / "PROTOCOL.md").read_text("utf-8")
SETUP = BoardSetup(leds=3, safe_step=10)


def rows(cells: int) -> list[list[str]]:
    """Return the lines of all tables with so many cells."""
    lines = (line.strip("|").split("|") for line in TEXT.splitlines() if line.startswith("|"))
    return [[cell.strip() for cell in line] for line in lines if len(line) == cells]


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
