"""Rate limits of changes."""

from hypothesis import given
from hypothesis import strategies as st

from companion.web.http.route import CALLER_LIMIT, RateLimiter


@given(st.lists(st.floats(0, 0.5), max_size=200))
def test_no_caller_is_faster_than_the_rate(pauses: list[float]) -> None:
    """In any time at most the burst and the rate's share are accepted."""
    pace, now, taken = RateLimiter(rate=10, burst=20), 0.0, []
    for pause in pauses:
        now += pause
        if pace.take("a", now) == 0.0:
            taken.append(now)
    for i, begin in enumerate(taken):
        for j, end in enumerate(taken[i:], start=1):
            assert j <= 20 + (end - begin) * 10 + 1e-6


def test_who_waits_as_told_is_taken() -> None:
    """After the given wait the change is accepted."""
    pace = RateLimiter(rate=2, burst=1)
    assert 0.0 == pace.take("a", 10)
    assert 0.5 == pace.take("a", 10)
    assert 0.0 == pace.take("a", 10.5)


def test_callers_do_not_slow_each_other() -> None:
    """Each has its own rate; the longest silent caller is forgotten."""
    pace = RateLimiter(rate=1, burst=1)
    assert [0.0] * (CALLER_LIMIT + 1) == [pace.take(f"{n}", 0) for n in range(CALLER_LIMIT + 1)]
    assert 1.0 == pace.take(f"{CALLER_LIMIT}", 0)
    assert 0.0 == pace.take("0", 0)
