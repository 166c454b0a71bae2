"""The night limit has hours, which may pass midnight."""

from datetime import datetime, time

import pytest

from companion.lights.night_hours import NightLimit, parse_hours


def test_the_hours() -> None:
    """They last from the first minute to before the last, also over midnight."""
    is_night = {
        "22:00-07:00": {"21:59": 0, "22:00": 1, "00:00": 1, "06:59": 1, "07:00": 0},
        "1:30-5:00": {"01:29": 0, "01:30": 1, "05:00": 0},
    }
    for hours, clocks in is_night.items():
        night = NightLimit.make(hours, 0.02)
        assert night
        for clock, within in clocks.items():
            now = datetime.combine(datetime(2026, 1, 1), time.fromisoformat(clock))  # noqa: DTZ001  # the clock on the wall
            assert (0.02 if within else 1) == night.at(now)


def test_hours_that_are_none() -> None:
    """Valid ones are two times of a day with a hyphen between them."""
    for text in ("22-7", "24:00-07:00", "22:00", "22:60-07:00", "night"):
        with pytest.raises(ValueError, match=r"22:00-07:00"):
            parse_hours(text)
