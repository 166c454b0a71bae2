"""Tour of the lights at a table: its signs in time, and their views."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.lights import View
from companion.lights.scene.tour import TourSign, sign_views, signs_of
from companion.rules.game import Setup


@dataclass(frozen=True, slots=True, kw_only=True)
class Tour:
    """Tour that began at `since` and shows each of its signs for `sign_s` seconds."""

    since: float
    sign_s: float
    signs: tuple[TourSign, ...]

    @classmethod
    def begin(cls, setup: Setup, now: float, *, sign_s: float) -> Tour:
        """Return a tour of all signs that the board of a game has."""
        return cls(since=now, sign_s=sign_s, signs=signs_of(setup))

    def start_of(self, sign: TourSign) -> float:
        """Return the time at which a sign begins."""
        return self.since + self.sign_s * self.signs.index(sign)

    def at(self, now: float) -> TourSign | None:
        """Return the sign at a time; None when the tour has ended."""
        turn = next((n for n, due in enumerate(self.deadlines()) if now < due), None)
        return None if turn is None else self.signs[turn]

    def deadlines(self) -> Iterator[float]:
        """Yield the times at which each sign ends."""
        return (self.since + self.sign_s * n for n in range(1, len(self.signs) + 1))


class TourViews:
    """Views of a tour, each made once, as a scene compares views by identity."""

    def __init__(self, *, calm: bool, speed: float) -> None:
        self._calm, self._speed = calm, speed
        self._shown: tuple[TourSign, float, View] | None = None

    def view(self, setup: Setup, sign: TourSign, begun: float) -> View:
        if self._shown is None or self._shown[:2] != (sign, begun):
            views = sign_views(setup, begun, calm=self._calm, speed=self._speed)
            self._shown = sign, begun, views[sign]
        return self._shown[2]
