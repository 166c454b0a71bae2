"""The night limit has hours, which may pass midnight."""

from datetime import datetime, time

import pytest

from companion.lights.night_hours import NightLimit, parse_hours


@pytest.mark.parametrize(
    ("hours", "clock", "is_night"),
    [
        ("22:00-07:00", "21:59", False),
        ("22:00-07:00", "22:00", True),
        ("22:00-07:00", "00:00", True),
        ("22:00-07:00", "06:59", True),
        ("22:00-07:00", "07:00", False),
        ("1:30-5:00", "01:29", False),
        ("1:30-5:00", "01:30", True),
        ("1:30-5:00", "05:00", False),
    ],
)
def test_the_hours(hours: str, clock: str, *, is_night: bool) -> None:
    """They last from the first minute to before the last, also over midnight."""
    night = NightLimit.make(hours, 0.02)
    assert night
    now = datetime.combine(datetime(2026, 1, 1), time.fromisoformat(clock))  # noqa: DTZ001  # the clock on the wall
    assert (0.02 if is_night else 1) == night.at(now)


@pytest.mark.parametrize("text", ["22-7", "24:00-07:00", "22:00", "22:60-07:00", "night"])
def test_hours_that_are_none(text: str) -> None:
    """Valid ones are two times of a day with a hyphen between them."""
    with pytest.raises(ValueError, match=r"22:00-07:00"):
        parse_hours(text)
