"""Edges that are read late and in bundles give the same as a look each millisecond."""

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.firmware.circuitpython.lib.cribwars_bridge.frames import Counters
from firmware_bridge.firmware.circuitpython.lib.cribwars_bridge.keys import QUEUE_SIZE, KeyQueue
from tests.support.slow_board import SlowKeys

BUTTONS = 3

# Milliseconds until a change, its button, and True if the edges so far are reported then.
changes = st.tuples(st.integers(0, 9), st.integers(0, BUTTONS - 1), st.booleans())


def listed(keys: KeyQueue) -> bytes:
    """Return the queue as it is sent, after the bitmap."""
    buffer = bytearray(4 + 5 * QUEUE_SIZE)
    return bytes(buffer[: keys.put(buffer, 0, 0)])


@given(st.lists(changes, max_size=QUEUE_SIZE), st.integers(1, 8))
def test_what_is_reported_late_is_judged_as_of_its_time(
    happening: list[tuple[int, int, bool]], hold: int
) -> None:
    """At any reading times the queue is that of a look each millisecond."""
    levels = [False] * BUTTONS
    seen = list(levels)
    slow = SlowKeys(levels, QUEUE_SIZE)
    keys = KeyQueue(list(levels), Counters())
    slow.hold = keys.hold = hold
    untold: list[tuple[int, int]] = []
    clock = 0
    for wait, pressed_button, is_reported in [*happening, (9, 0, True)]:
        for _ in range(wait):
            clock += 1
            slow.look(clock)
            untold += (
                (clock, button) for button in range(BUTTONS) if levels[button] != seen[button]
            )
            seen[:] = levels
        if is_reported:
            for when, button in untold:
                keys.edge(button, when, is_down=not keys._level[button])
            untold.clear()
            keys.settle(clock)
            assert slow.listed() == listed(keys)
            assert slow.before() == keys.down_before().to_bytes(4, "little")
        levels[pressed_button] ^= True


def pressed(keys: KeyQueue, button: int, when: int) -> None:
    """Press a button for 10 ms."""
    keys.edge(button, when, is_down=True)
    keys.edge(button, when + 10, is_down=False)
    keys.settle(when + 20)


def test_a_full_queue_counts_what_it_loses() -> None:
    """A press without room is two lost edges; one that lasts is reported later."""
    counters = Counters()
    keys = KeyQueue([False] * BUTTONS, counters)
    for i in range(QUEUE_SIZE // 2):
        pressed(keys, 0, 100 * i)
    assert QUEUE_SIZE == keys.queued
    pressed(keys, 1, 5000)
    keys.edge(2, 6000, is_down=True)
    keys.settle(6100)
    assert (QUEUE_SIZE, 2, 0) == (keys.queued, counters.lost_edges, keys.down_before())
    keys.acknowledge(QUEUE_SIZE)
    assert (1 << 2).to_bytes(4, "little") + b"\x82" + (6000).to_bytes(4, "little") == listed(keys)


def test_a_bounce_while_the_queue_is_full_is_nothing() -> None:
    """A level that returns before the hold is still reported later."""
    counters = Counters()
    keys = KeyQueue([False] * BUTTONS, counters)
    for i in range(QUEUE_SIZE // 2):
        pressed(keys, 0, 100 * i)
    keys.edge(1, 5000, is_down=True)
    keys.settle(5100)
    keys.edge(1, 5101, is_down=False)
    keys.edge(1, 5103, is_down=True)
    keys.settle(5200)
    keys.acknowledge(QUEUE_SIZE)
    assert (1, 0) == (keys.queued, counters.lost_edges)


def test_presses_of_two_buttons_are_reported_in_the_order_of_their_times() -> None:
    """Of edges read together the earlier one comes first."""
    keys = KeyQueue([False] * BUTTONS, Counters())
    keys.edge(2, 100, is_down=True)
    keys.edge(0, 101, is_down=True)
    keys.settle(200)
    assert b"\x82\x64\0\0\0\x80\x65\0\0\0" == listed(keys)[4:]


def test_a_level_reported_again_is_no_edge() -> None:
    """A scanner's report of a button known to be down changes nothing."""
    keys = KeyQueue([True] * BUTTONS, Counters())
    keys.edge(1, 100, is_down=True)
    keys.settle(200)
    assert 0 == keys.queued


def test_they_are_due_at_once_and_every_50_ms() -> None:
    """The queue is due after an event, and every 50 ms until it is empty."""
    keys = KeyQueue([False] * BUTTONS, Counters())
    assert not keys.are_due(0)
    pressed(keys, 0, 100)
    assert keys.are_due(120)
    keys.put(bytearray(200), 0, 120)
    assert not keys.are_due(169)
    assert keys.are_due(170)
    keys.acknowledge(2)
    assert not keys.are_due(300)


def test_a_foreign_acknowledgement_takes_nothing_off() -> None:
    """Only numbers from the oldest event to the newest one count."""
    keys = KeyQueue([False] * BUTTONS, Counters())
    pressed(keys, 0, 100)
    keys.acknowledge(3)
    keys.acknowledge(255)
    assert (2, 0) == (keys.queued, keys.first)
    keys.acknowledge(1)
    assert (1, 1) == (keys.queued, keys.first)
