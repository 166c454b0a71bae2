"""Night limit: how bright an LED may be in some hours of the day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time
from typing import Final

_HOURS: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-3]):([0-5]\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class NightLimit:
    """Limit of an LED's light from `begins` to `ends`: `limit`, 0 to 1, is a part of full light."""

    begins: time
    ends: time
    limit: float

    @classmethod
    def make(cls, hours: str, limit: float) -> NightLimit | None:
        """Return the limit for hours such as "22:00-07:00", or None if `hours` is empty."""
        if not hours:
            return None
        begins, ends = parse_hours(hours)
        return cls(begins=begins, ends=ends, limit=limit)

    def at(self, now: datetime) -> float:
        """Return the limit at a time of day; outside the hours it is 1."""
        clock = now.time()
        if self.begins <= self.ends:
            is_night = self.begins <= clock < self.ends
        else:
            is_night = clock >= self.begins or clock < self.ends
        return self.limit if is_night else 1.0


def parse_hours(text: str) -> tuple[time, time]:
    """Return the start and end of hours such as "22:00-07:00"; may raise ValueError.

    >>> parse_hours("22:00-7:30")
    (datetime.time(22, 0), datetime.time(7, 30))
    """
    found = _HOURS.fullmatch(text)
    if found is None:
        raise ValueError('hours such as "22:00-07:00", or ""')
    begin_hour, begin_minute, end_hour, end_minute = map(int, found.groups())
    return time(begin_hour, begin_minute), time(end_hour, end_minute)
