"""An AVR board neither forgets its strip nor hangs: watchdogs, room for the stack."""

from random import Random

import pytest

from firmware_bridge.protocol.events import Connected
from firmware_bridge.protocol.messages import BoardSetup, Reason
from tests.firmware_bridge.firmware.dialogue import Dialogue
from tests.firmware_bridge.firmware.lockstep import Bench, Stream, harmed, unharmed
from tests.support.bridge_line import Faults
from tests.support.simavr_harness import MEGA, UNO, Kind, missing
from tests.support.slow_board import ACK, FILL, PIXELS, frame

pytestmark = pytest.mark.emulator(lacks=missing())

SAFE = bytes([3, 9, 8, 7, 0])
"""Every third LED."""

PATTERN = (b"\x09\x08\x07" + bytes(6)) * 2 + b"\x09\x08\x07"
LED = b"\x11\x22\x33"


def test_the_safe_pattern_is_shown_once() -> None:
    """After a long silence the strip shows the safe pattern, once."""
    with Dialogue(UNO) as talk:
        talk.greet()
        talk.set_up(7, watchdog=300, safe=SAFE)
        talk.fill(LED)
        said = talk.board.now
        talk.hear(2.0)
        _, safe = talk.shown()
        assert PATTERN == safe.data
        assert 0.3 == pytest.approx(safe.began - said, abs=0.005)


def test_any_word_puts_it_off() -> None:
    """While the host sends anything valid, the strip keeps its frame."""
    with Dialogue(UNO) as talk:
        talk.greet()
        talk.set_up(7, watchdog=300, safe=SAFE)
        for _ in range(20):
            talk.ping()
            talk.hear(0.25)
        assert [] == talk.shown()


def test_noise_does_not_put_it_off() -> None:
    """A host that sends only noise is gone, even during an endless frame."""
    whole = frame(PIXELS, 0, 0x8000, bytes(1800))
    with Dialogue(UNO) as talk:
        talk.greet()
        talk.set_up(600, watchdog=300, safe=SAFE)
        began = talk.board.now
        for byte in whole[:100]:
            talk.board.send(bytes([byte]))
            talk.hear(0.01)
        (safe,) = talk.shown()
        assert 0.3 == pytest.approx(safe.began - began, abs=0.01)


def test_afterwards_the_host_must_show_a_whole_frame() -> None:
    """The board has no base then, and takes the next whole frame."""
    with Dialogue(UNO) as talk:
        talk.greet()
        talk.set_up(7, watchdog=300, safe=SAFE)
        talk.pixels(bytes(21), sequence=1)
        talk.hear(0.5)
        ping = talk.ping()
        part = talk.pixels(LED, sequence=2)
        assert (1, Reason.NO_BASE) == (
            getattr(ping, "argument", 0),
            getattr(part, "argument", 0) >> 8,
        )
        assert ACK == getattr(talk.fill(LED, sequence=3), "type", None)
        assert [bytes(21), PATTERN, LED * 7] == [shown.data for shown in talk.shown()]


def test_no_buttons_are_reported_meanwhile() -> None:
    """A board whose host is gone sends nothing, and keeps the presses for it."""
    with Dialogue(UNO) as talk:
        talk.greet()
        talk.set_up(7, watchdog=300, safe=SAFE)
        talk.hear(0.4)
        talk.board.press(1)
        assert [] == talk.hear(0.5)
        talk.board.send(frame(FILL, 0, 0, LED))
        assert {0x82, 0x85} == {heard.type for heard in talk.hear(0.2)}


@pytest.mark.parametrize("kind", [UNO, MEGA], ids=["uno", "mega"])
def test_a_program_that_hangs_starts_again(kind: Kind) -> None:
    """The chip's own watchdog restarts it, and the host goes on with it."""
    with Bench(kind, wanted=BoardSetup(leds=10)) as bench:
        bench.connect()
        bench.show(LED * 10)
        bench.board.hang()
        hung = bench.now
        bench.run_until(lambda event: isinstance(event, Connected))
        bench.run(0.2)
        assert 3.0 > bench.now - hung
        assert LED * 10 == bench.shown()[-1].data
        assert 1 == bench.link.counters.restarts


@pytest.mark.parametrize(("kind", "room"), [(UNO, 12), (MEGA, 100)], ids=["uno", "mega"])
@pytest.mark.parametrize("baud", [500_000, 1_000_000])
def test_the_stack_has_room(kind: Kind, room: int, baud: int) -> None:
    """Under full load this number of bytes below the stack stays unused."""
    random = Random(4)
    bad = Faults(drop=1 / 2000, flip=1 / 2000, insert=1 / 2000, double=1 / 4000, cut=1 / 20_000)
    with Bench(kind, baud=baud, wanted=BoardSetup(leds=200, watchdog=0.3)) as bench:
        bench.board.paint()
        bench.connect()
        for i in range(400):
            for button in random.sample(range(len(kind.pins)), random.randrange(1, 17)):
                bench.press(bench.now + 0.02 * i, button, down=random.random() < 0.5)
        stream = Stream(bench, pixel_bytes=600)
        for seed in range(4):
            bench.to_board, bench.to_host = harmed(bad, seed), harmed(bad, -seed)
            stream.run(1.0)
            bench.to_board = lambda _: b""
            bench.run(0.5)
            bench.to_board = bench.to_host = unharmed
            stream.run(1.0)
        bench.link.close(bench.now)
        bench.run(0.5)
        assert room <= bench.board.untouched()
        assert 0 < bench.link.counters.refused
