"""A shark that is blind to zones, with which the real shark is compared."""

from dataclasses import replace
from typing import TypeVar

from companion.players import CountRequest, DiscardRequest, PlayRequest, Shark
from companion.rules.cards import Card
from companion.rules.game import Setup

_Request = TypeVar("_Request", DiscardRequest, PlayRequest)


class BlindShark:
    """Player that sees a plain track, on which each peg has as many holes to go."""

    def __init__(self, setup: Setup) -> None:
        self._track = setup.track
        self._shark = Shark(replace(setup, track=replace(setup.track, zones=())))

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        """Return the discards of a shark on a plain track."""
        return self._shark.discard(self._seen(request))

    def play(self, request: PlayRequest) -> Card | None:
        """Return the card of a shark on a plain track."""
        return self._shark.play(self._seen(request))

    def count(self, request: CountRequest) -> int:
        """Return all points."""
        return request.points

    def _seen(self, request: _Request) -> _Request:
        zones = (self._track.zone_at(front) for front in request.fronts)
        landed = (zone is not None and zone.diverts for zone in zones)
        fronts = (
            self._track.progress(front, landed=there)
            for front, there in zip(request.fronts, landed, strict=True)
        )
        return replace(request, fronts=tuple(fronts))
