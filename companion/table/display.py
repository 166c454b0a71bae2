"""Display of a table: it shows the game and the pending counts (not yet entered) on the lights.

After each change the display makes a view (all that the lights show) and gives it to the lights; a
tour (an explanation of the lights), a replay or another view can replace it. Pegs move when an
entry (an allowed command) is on disk. For example, side 1 enters 6 and the disk is slow: the trail
(the holes of the count) and the ghost (its landing hole) stay until the entry is written, then the
peg moves. If side 1 begins another count meanwhile, its trail starts where the peg will be.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import count
from typing import Final, NamedTuple, Protocol

from companion.buttons import BUTTONS, DEAL
from companion.journal.resume import Accepted
from companion.lights import Flash, Motion, SignUpView, View, flashing, plan
from companion.lights.scene.tour import TourSign, sign_duration, sign_views
from companion.rules.game import Command, Peg, State
from companion.signals import Signal
from companion.table.command_queue import CommandQueue
from companion.table.panel.actions import Hint
from companion.table.panel.modes import SignUp
from companion.table.panel.panel import Panel
from companion.table.panel.presses import Doubt


class Tapped(NamedTuple):
    """Result of a tap (a press on a score pad of a phone); `hint` is its notice to people, or None.

    `counted` is False if the tap only woke the board, or if the player must resolve a `doubt`.
    """

    counted: bool
    hint: Hint | None
    doubt: Doubt | None = None


class Lights(Protocol):
    """Lights that show the views of a table: the lights thread, or the lights of a demo."""

    brightness: float

    def show(self, view: View) -> None:
        """Show a view from the next frame on, and return at once."""


BRIGHTNESS: Final = (0.1, 0.25, 0.5, 1.0)
"""The steps of brightness; a press of Mode selects the next one. 1.0 is full light."""


class Display:
    """Display of a table on its lights.

    Each view of the `queue`'s game and the `panel`'s pending counts goes to the `lights`.

    Attributes:
        view: the view of the game.
        replayed: view of another game in a replay, or None. A replay runs in place of the demo.
        instead: view that is shown in place of the view of the game, or None.
        announced: a count that is shown before it is pegged, or None.
        hint: the newest hint, or None after the next press or command.
        redrawn: signals each new view of the game, with the view before it.
    """

    def __init__(
        self,
        queue: CommandQueue,
        panel: Panel,
        lights: Lights,
        *,
        calm: bool,
        speed: float,
        clock: Callable[[], float],
    ) -> None:
        self._queue, self._panel, self._lights = queue, panel, lights
        self._clock = clock
        self.set_pace(calm=calm, speed=speed)
        self._motion = Motion()
        self._numbers = count(1)
        self._flashes: tuple[Flash, ...] = ()
        self.replayed: View | None = None
        self.instead: View | None = None
        self.announced: Peg | None = None
        self.hint: Hint | None = None
        self.redrawn = Signal()
        self.view = self._make_view()
        queue.acknowledged.subscribe(self._move)

    def set_pace(self, *, calm: bool, speed: float) -> None:
        """Change the pace of later moves."""
        self._calm, self._speed = calm, speed
        self._tour_shown: tuple[float, View] | None = None
        self._panel.sign_s = sign_duration(calm=calm, speed=speed)

    def give(self, hint: Hint) -> None:
        """Flash a hint on the board, and show it on the page until the next press."""
        flash = Flash(kind=hint.kind.flash, side=hint.side, t0=self._clock())
        self._flashes = flashing(self._flashes, flash)
        self.hint = replace(hint, number=next(self._numbers))

    def _move(self, before: State, accepted: Accepted) -> None:
        """Begin the motion of an acknowledged entry."""
        planned = plan(before, accepted.entry, self._clock(), calm=self._calm, speed=self._speed)
        self._motion = self._motion.joined(planned)

    def note_press(self) -> None:
        """Clear the hint of the last press, and move pegs in motion to their holes at once."""
        self.hint = None
        self._motion = self._motion.skipped(self._clock())

    def step_brightness(self) -> None:
        """Go on to the next brighter step; after the brightest step comes the dimmest."""
        brighter = (step for step in BRIGHTNESS if step > self._lights.brightness)
        self._lights.brightness = next(brighter, BRIGHTNESS[0])

    def refresh(self) -> None:
        if not self._panel.idle.show:
            self.replayed = None
        before, view = self.view, self._make_view()
        if view != before:  # the lights paint a new object again, even an equal one
            self.view = view
            self.redrawn.notify(before, view)
        self._lights.show(self._tour_view or self.replayed or self.instead or self.view)

    @property
    def sign(self) -> TourSign | None:
        tour = self._panel.tour
        return tour.at(self._clock()) if tour else None

    @property
    def _tour_view(self) -> View | None:
        """The view of the fact (sign) that a tour shows, one object for each sign; or None."""
        tour, sign = self._panel.tour, self.sign
        if tour is None or sign is None:
            return None
        begun = tour.start_of(sign)
        if self._tour_shown is None or self._tour_shown[0] != begun:
            setup = self._queue.shown.setup
            views = sign_views(setup, begun, calm=self._calm, speed=self._speed)
            self._tour_shown = begun, views[sign]
        return self._tour_shown[1]

    def _make_view(self) -> View:
        panel, queue, announced = self._panel, self._queue, self.announced
        asked = frozenset(request.button for request in panel.consents.waiting)
        pending = {announced.side: announced.points} if announced else {}
        pending |= {side: entered.points for side, entered in panel.counts.by_side.items()}
        shown, again = trails(queue.waiting, pending)
        return View(
            state=queue.shown,
            ahead=queue.history.state if again else queue.shown,
            pending=shown,
            warned=panel.counts.warned(self._clock()),
            motion=self._motion,
            flashes=self._flashes,
            mode_since=panel.mode_since,
            sign_up=_sign_up_view(panel.sign_up) if panel.sign_up else None,
            awaited=panel.awaited | {BUTTONS[each].side for each in asked} - {0},
            is_deal_awaited=DEAL.key in asked,
            button_test=panel.button_test.view if panel.button_test else None,
            attract=panel.idle.show and self.replayed is None,
            asleep=panel.idle.asleep,
            alert=not queue.saved,
        )


def _sign_up_view(sign_up: SignUp) -> SignUpView:
    return SignUpView(
        people=sign_up.people, choices=len(sign_up.presets), chosen=sign_up.chosen + 1
    )


def trails(
    commands: Iterable[Command], pending: Mapping[int, int]
) -> tuple[tuple[tuple[int, int], ...], bool]:
    """Return the points of each trail, by side, and True if trails start where pegs will be.

    The counts in `commands` are entered and not yet on disk, so their pegs have not moved. The
    first entered count of a side has a trail from its peg, and so has each pending count. But if
    any side has both, only pending counts have trails, which start where the pegs will be.
    """
    entered: dict[int, int] = {}
    for command in commands:
        if isinstance(command, Peg):
            entered.setdefault(command.side, command.points)
    again = bool(entered.keys() & pending.keys())
    shown = pending if again else entered | dict(pending)
    return tuple(sorted(shown.items())), again
