"""What there is to see besides time: the one argument of a scene, built by the running table."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import StrEnum

from companion.lights.scene.motion import Motion
from companion.rules.game import State


class FlashKind(StrEnum):
    """Short signals: something was refused, forgotten or is wrong."""

    REFUSED = "refused"
    DEAL_HINT = "deal-hint"
    DEAL_HELD = "deal-held"
    STUCK = "stuck"
    WAKE = "wake"


SECONDS = {
    FlashKind.REFUSED: 0.75,
    FlashKind.DEAL_HINT: 2.0,
    FlashKind.DEAL_HELD: 0.5,
    FlashKind.STUCK: 3.0,
    FlashKind.WAKE: 0.5,
}
"""How long each kind lasts."""

_STILL = Motion()
_DEALERS = (FlashKind.DEAL_HINT, FlashKind.DEAL_HELD, FlashKind.WAKE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flash:
    """One signal from `t0` (seconds) on: at a team's start lamp and pegs, or the dealer's lamp."""

    kind: FlashKind
    team: int | None
    t0: float

    @property
    def end(self) -> float:
        """When it is over."""
        return self.t0 + SECONDS[self.kind]

    @property
    def at(self) -> int | None:
        """Whose lamps show it; None is the dealer's lamp."""
        return None if self.kind in _DEALERS else self.team


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """All that a scene shows besides time.

    `state` is on disk and shown; `ahead` is decided, perhaps not yet on disk: ghosts start from
    it. `pending` pairs teams with points, those in `warned` about to expire. `mode_since`: Mode is
    held since then. `sign_up`: the lanes that have joined the game being set up. `alert`:
    something is not saved. Keep the same object while nothing changes: a scene goes by identity.
    """

    state: State
    ahead: State
    pending: tuple[tuple[int, int], ...] = ()
    warned: frozenset[int] = frozenset()
    motion: Motion = _STILL
    flashes: tuple[Flash, ...] = ()
    mode_since: float | None = None
    sign_up: tuple[int, ...] | None = None
    attract: bool = False
    asleep: bool = False
    alert: bool = False


def flashing(running: tuple[Flash, ...], new: Flash) -> tuple[Flash, ...]:
    """The flashes with one more, those that are over gone.

    One lamp shows one signal at a time, so that nothing ever flashes more than three times a
    second: a signal that is running already is not begun again, another kind waits for its end.
    """
    kept = tuple(flash for flash in running if flash.end > new.t0)
    same_lamp = [flash for flash in kept if flash.at == new.at]
    if any(flash.kind is new.kind for flash in same_lamp):
        return kept
    start = max((flash.end for flash in same_lamp), default=new.t0)
    return (*kept, dataclasses.replace(new, t0=start))
