"""View: all that a scene shows besides time, built by the running table."""

import dataclasses
from dataclasses import dataclass
from enum import StrEnum

from companion.lights.scene.motion import Motion
from companion.lights.scene.start_report import StartReport
from companion.rules.game import State


class FlashKind(StrEnum):
    """Kinds of short signals for things refused, forgotten or wrong."""

    REFUSED = "refused"
    DEAL_HINT = "deal-hint"
    DEAL_HELD = "deal-held"
    STUCK = "stuck"
    WAKE = "wake"


FLASH_DURATIONS_S = {
    FlashKind.REFUSED: 0.75,
    FlashKind.DEAL_HINT: 2.0,
    FlashKind.DEAL_HELD: 0.5,
    FlashKind.STUCK: 3.0,
    FlashKind.WAKE: 0.5,
}


_STILL = Motion()


@dataclass(frozen=True, slots=True, kw_only=True)
class SignUpView:
    """Game that is being set up: each lane that has joined, with its number of people.

    Of the house rules, which are numbered from 1 to `choices`, `chosen` is selected.
    """

    people: tuple[tuple[int, int], ...] = ()
    choices: int = 1
    chosen: int = 1


_DEALERS = (FlashKind.DEAL_HINT, FlashKind.DEAL_HELD, FlashKind.WAKE)  # without REFUSED, STUCK


@dataclass(frozen=True, slots=True, kw_only=True)
class Flash:
    """Signal from `t0` seconds on, at a side's start lamp and pegs or the dealer's lamp."""

    kind: FlashKind
    side: int | None
    t0: float

    @property
    def end(self) -> float:
        return self.t0 + FLASH_DURATIONS_S[self.kind]

    @property
    def lane(self) -> int | None:
        """Lane whose lamps show the flash, or None if it is the dealer's lamp."""
        return None if self.kind in _DEALERS else self.side


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonTestView:
    """Test of the buttons: the actions of those `pressed` so far, and of those `down` now."""

    pressed: frozenset[str] = frozenset()
    down: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """All that a scene shows besides time.

    `state` is on disk and shown. `ahead` is decided but perhaps not on disk; ghosts start from it.
    `pending` pairs sides with points; the counts of sides in `warned` are about to expire. Mode has
    been held down since `mode_since`. Sides in `awaited` must count the cards, confirm a result or
    let a phone in; with `is_deal_awaited`, Deal lets it in. `start_report` is shown instead of the
    game. `alert` is set while something is not saved. Keep the same object while nothing changes: a
    scene compares views by identity.
    """

    state: State
    ahead: State
    pending: tuple[tuple[int, int], ...] = ()
    warned: frozenset[int] = frozenset()
    motion: Motion = _STILL
    flashes: tuple[Flash, ...] = ()
    mode_since: float | None = None
    sign_up: SignUpView | None = None
    awaited: frozenset[int] = frozenset()
    is_deal_awaited: bool = False
    button_test: ButtonTestView | None = None
    start_report: StartReport | None = None
    attract: bool = False
    asleep: bool = False
    alert: bool = False


def flashing(running: tuple[Flash, ...], new: Flash) -> tuple[Flash, ...]:
    """Add a flash to those that are not over yet.

    A lamp shows one signal at a time: a kind that is running there is not started again, another
    kind starts when the running one ends.
    """
    unfinished = tuple(flash for flash in running if flash.end > new.t0)
    same_lamp = [flash for flash in unfinished if flash.lane == new.lane]
    if any(flash.kind is new.kind for flash in same_lamp):
        return unfinished
    start = max((flash.end for flash in same_lamp), default=new.t0)
    return (*unfinished, dataclasses.replace(new, t0=start))
