"""Holes that an event takes a peg through, for ghosts and motion alike."""

from typing import assert_never

from companion.board.track import Hole, Track
from companion.rules.game import Event, Movement


def way(track: Track, event: Event, *, landed: bool) -> tuple[Hole, ...]:
    """Return the holes of a front peg's way after `event.origin`, the last being `event.to`.

    The way of an event that moves no peg is empty. With `landed`, the peg stood where a count had
    ended, so that this count enters the side path.
    """
    if event.origin is None or event.to is None:
        return ()
    match event.kind.facts.movement:
        case Movement.WALKS:
            return track.walk(event.origin, event.points or 0, landed=landed)
        case Movement.STRAIGHT:
            return straight(event.origin, event.to)
        case Movement.AT_ONCE | None:
            return ()
        case _ as way:
            assert_never(way)


def straight(origin: Hole, to: Hole) -> tuple[Hole, ...]:
    """Return the holes along the main track, in either direction; one jump to or from a side path.

    >>> straight(5, 2)
    (4, 3, 2)
    """
    if isinstance(origin, str) or isinstance(to, str):
        return (to,) if origin != to else ()
    step = 1 if to > origin else -1
    return tuple(range(origin + step, to + step, step)) if origin != to else ()
