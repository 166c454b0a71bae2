"""Debounce against a slow twin that reads the level at every tick."""

from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.debounce import Change, Debouncer, Edge

Trace = list[tuple[int, bool]]
"""Edges as (tick, down); whole ticks, so that twin and core agree to the last one."""

HOLDS = st.integers(1, 4)
BOUNCES = st.integers(0, 15)


def edges(button: str, *levels: tuple[float, int]) -> list[Edge]:
    """Return edges from (milliseconds, 1 for down or 0 for up)."""
    return [Edge(button=button, down=bool(down), t=t / 1000) for t, down in levels]


def settled(*traces: list[Edge], until: float = 10.0) -> list[tuple[str, bool, float]]:
    """Return the changes after all edges, fed in the order of their times."""
    debouncer = Debouncer(hold=0.003, bounce=0.040)
    for edge in sorted((edge for trace in traces for edge in trace), key=lambda edge: edge.t):
        debouncer.feed(edge)
    return [(change.button, change.down, change.t) for change in debouncer.settle(until)]


def twin(trace: Trace, *, hold: int, bounce: int, ticks: int) -> list[tuple[bool, int, int]]:
    """Return level, time and decision time of every change, from each tick of the trace."""
    at = dict(trace)
    decided = level = False
    held = hold
    ignored_until = 0
    first: int | None = None
    changes = []
    for now in range(ticks):
        if now == ignored_until:
            first = now - held if level != decided else None
        if now >= ignored_until and first is not None and held >= hold:
            if level != decided:
                changes.append((level, first, now))
                decided, ignored_until = level, first + bounce
            first = None
        if at.get(now, level) != level:
            level, held = at[now], 0
            unrest = first is not None and now - first <= bounce
            if now >= ignored_until and level != decided and not unrest:
                first = now
        held += 1
    return changes


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    """Return edges at rising ticks; a level may repeat, as if an edge was missed."""
    gap = st.one_of(st.integers(1, 4), st.integers(1, 4), st.integers(1, 40))
    now = 0
    trace = []
    for step, down in draw(st.lists(st.tuples(gap, st.booleans()), max_size=40)):
        now += step
        trace.append((now, down))
    return trace


def end_of(trace: Trace) -> int:
    """Return a tick by which everything is settled."""
    return (trace[-1][0] if trace else 0) + 40


def decided(trace: Trace, *, hold: int, bounce: int, ticks: int) -> list[tuple[bool, float, float]]:
    """Return the debouncer's changes for a trace, settled at each deadline, like `twin`."""
    debouncer = Debouncer(hold=hold, bounce=bounce)
    changes = []
    for t, down in [*trace, (ticks, False)]:
        while (deadline := debouncer.deadline) is not None and deadline <= t:
            [change] = debouncer.settle(deadline)
            changes.append((change.down, change.t, deadline))
        debouncer.feed(Edge(button="deal", down=down, t=t))
    return changes


@given(trace=traces(), hold=HOLDS, bounce=BOUNCES)
@settings(deadline=None)
def test_agrees_with_its_twin(trace: Trace, hold: int, bounce: int) -> None:
    """Settled at each deadline, every change and its time are those of the twin."""
    ticks = end_of(trace)
    expected = twin(trace, hold=hold, bounce=bounce, ticks=ticks)
    assert expected == decided(trace, hold=hold, bounce=bounce, ticks=ticks)


@pytest.mark.parametrize(("hold", "bounce"), [(2, 5), (3, 2)])
def test_agrees_with_its_twin_on_every_short_trace(hold: int, bounce: int) -> None:
    """This holds for all 8,192 traces of 13 ticks with an edge at each."""
    for levels in product((False, True), repeat=13):
        trace = list(enumerate(levels))
        expected = twin(trace, hold=hold, bounce=bounce, ticks=30)
        assert expected == decided(trace, hold=hold, bounce=bounce, ticks=30), levels


@given(trace=traces(), hold=HOLDS, bounce=BOUNCES, looks=st.sets(st.integers(0, 300)))
@settings(deadline=None)
def test_looking_changes_nothing(trace: Trace, hold: int, bounce: int, looks: set[int]) -> None:
    """The changes do not depend on when and how often they are settled."""
    once, often = Debouncer(hold=hold, bounce=bounce), Debouncer(hold=hold, bounce=bounce)
    answers: list[Change] = []
    for t in range(end_of(trace)):
        for edge in (Edge(button="deal", down=down, t=at) for at, down in trace if at == t):
            once.feed(edge)
            often.feed(edge)
        if t in looks:
            answers += often.settle(t)

    assert once.settle(end_of(trace)) == answers + often.settle(end_of(trace))


@given(
    fed=st.lists(
        st.tuples(st.sampled_from("ab"), st.booleans(), st.floats(0, 1), st.booleans()), max_size=60
    )
)
@settings(deadline=None)
def test_any_order_is_taken(fed: list[tuple[str, bool, float, bool]]) -> None:
    """Edges in any order raise nothing; each button goes down and up in turn."""
    debouncer = Debouncer()
    answers: list[Change] = []
    for button, down, t, look in fed:
        debouncer.feed(Edge(button=button, down=down, t=t))
        if look:
            answers += debouncer.settle(t)
    answers += debouncer.settle(2.0)

    for button in "ab":
        mine = [change for change in answers if change.button == button]
        assert [n % 2 == 0 for n in range(len(mine))] == [change.down for change in mine]
        assert all(one.t <= other.t for one, other in pairwise(mine))
    assert debouncer.deadline is None


def test_spike_is_nothing() -> None:
    """A level that holds less than 3 ms is no press, and costs the real press no time."""
    spike = edges("deal", (0, 1), (1, 0))
    press = edges("deal", (10, 1), (200, 0))

    assert settled(spike) == []
    assert settled(spike, press) == [("deal", True, 0.010), ("deal", False, 0.200)]


@pytest.mark.parametrize("down", [1, 0])
def test_bounce_train_is_one_change(down: int) -> None:
    """20 ms of bouncing, at a press or a release, is one change at the time of its first edge."""
    before = edges("deal", *([] if down else [(0, 1)]))
    train = edges("deal", *((1000 + t, down ^ (t % 2)) for t in range(21)))

    assert ("deal", bool(down), 1.0) == settled(before, train)[-1]
    assert len(settled(before)) + 1 == len(settled(before, train))


def test_noise_does_not_date_a_press_back() -> None:
    """Spikes for half a second, then a press: it began at most the bounce time before it held."""
    noise = edges("deal", *((t, t % 2) for t in range(1, 501)))
    press = edges("deal", (501, 1))

    [(_, down, t)] = settled(noise, press)
    assert down
    assert 0.461 <= t <= 0.501


def test_release_within_the_bounce_time_is_not_lost() -> None:
    """It counts when that time is over, with the time of its edge."""
    debouncer = Debouncer()
    for edge in edges("deal", (0, 1), (20, 0)):
        debouncer.feed(edge)

    assert [Change(button="deal", down=True, t=0.0)] == debouncer.settle(0.039)
    assert debouncer.deadline == 0.040
    assert [Change(button="deal", down=False, t=0.020)] == debouncer.settle(0.040)


def test_two_buttons_come_in_the_order_of_their_times() -> None:
    """The first press is first, even if its contact bounced longer."""
    bouncing = edges("2.enter", (10, 1), (11, 0), (12, 1), (13, 0), (14, 1))
    clean = edges("1.enter", (11, 1))

    assert settled(clean, bouncing) == [("2.enter", True, 0.010), ("1.enter", True, 0.011)]


def test_a_bouncing_button_keeps_nobody_waiting() -> None:
    """A press is delivered when decided, whatever another contact does."""
    debouncer = Debouncer()
    for edge in edges("1.enter", (0, 1), (1, 0), (2, 1)) + edges("2.enter", (1, 1)):
        debouncer.feed(edge)

    assert [Change(button="2.enter", down=True, t=0.001)] == debouncer.settle(0.0045)
    assert [Change(button="1.enter", down=True, t=0.0)] == debouncer.settle(0.005)


def test_no_deadline_at_rest() -> None:
    """An idle panel, up or held down, has none."""
    debouncer = Debouncer()
    assert debouncer.deadline is None
    debouncer.feed(Edge(button="deal", down=True, t=0.0))
    debouncer.settle(1.0)
    assert debouncer.deadline is None


def test_deadline_has_passed_for_a_change_that_waits() -> None:
    """A change decided on the way to a later edge is due at once."""
    debouncer = Debouncer()
    for edge in edges("deal", (0, 1), (100, 0)):
        debouncer.feed(edge)

    deadline = debouncer.deadline
    assert deadline is not None
    assert deadline <= 0.100
