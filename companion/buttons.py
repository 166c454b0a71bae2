"""Buttons of the panel and their functions: one row for each action.

Each side has a button for each of `SIDE_ACTIONS`. The table has one button for each of
`TABLE_ACTIONS`. The name of a side's button begins with the number of the side:

>>> BUTTONS["2.plus_five"].action.points, DEFAULT_PINS["2.plus_five"]
(5, 19)

The default settings, the web requests, the panel, the pages and the printed kit use these rows.
Texts for users are in English here, and are translated where they are shown (`Phrases.message`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class ActionKind(StrEnum):
    """Kind of action, which decides the effect of a press."""

    COUNT = "count"
    ENTER = "enter"
    UNDO = "undo"
    DEAL = "deal"
    MODE = "mode"


HOLD_S: Final = 1.0
"""Seconds for which Enter, Undo or Deal must be held for the effect of a hold."""
DEMO_HOLD_S, NEW_GAME_HOLD_S, TOUR_HOLD_S = 2.0, 5.0, 8.0
"""Seconds for which Mode must be held. A shorter press changes the brightness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gesture:
    """Tap on a button, or a hold of `seconds`; `does` describes the effect.

    If `at_table`, score pads on phones ignore it. If `power_on`, it works only at program start.
    """

    does: str
    seconds: float = 0.0
    at_table: bool = False
    power_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonAction:
    """Action of one button of the table, or of one button for each side.

    Attributes:
        kind: the effect of a press.
        key: the name in settings and requests.
        label: the text on the cap of the button.
        gestures: the taps and holds that have an effect.
        points: the number of holes that a press adds to the count of the button's side.
        runs_table: True if a page may press the button only with the right to run the table.
        codes: the key that presses each button on a page (`KeyboardEvent.code`).
        pins: the default BCM pin of each button; a button without a pin needs a setting.
        places: the default number of each button on a microcontroller that reads the buttons.
    """

    kind: ActionKind
    key: str
    label: str
    gestures: tuple[Gesture, ...]
    codes: tuple[str, ...]
    points: int = 0
    runs_table: bool = False
    pins: tuple[int, ...] = ()
    places: tuple[int, ...] = ()

    @property
    def hold_s(self) -> float:
        """The longest hold in seconds that has an effect on a score pad."""
        return max(each.seconds for each in self.gestures if not each.at_table)


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """Button of the panel; `side` is 0 for a button of the table."""

    action: ButtonAction
    side: int = 0

    @property
    def name(self) -> str:
        """The name in settings and requests."""
        return f"{self.side}.{self.action.key}" if self.side else self.action.key

    @property
    def index(self) -> int:
        """The index of this button's key, pin and place in the tuples of its action."""
        return max(self.side - 1, 0)

    @property
    def code(self) -> str:
        """The key that presses this button on a page."""
        return self.action.codes[self.index]


# The pins avoid SPI0, PWM channel 0, the PCM data pin, UART and the ID pins.
PLUS_ONE: Final = ButtonAction(
    kind=ActionKind.COUNT,
    key="plus_one",
    label="+1",
    gestures=(Gesture(does="adds a hole to the side's count; at sign-up, a person to the side"),),
    points=1,
    codes=("KeyQ", "KeyA", "KeyZ"),
    pins=(4, 17, 23),
    places=(0, 4, 8),
)
PLUS_FIVE: Final = ButtonAction(
    kind=ActionKind.COUNT,
    key="plus_five",
    label="+5",
    gestures=(Gesture(does="adds five holes to the side's count"),),
    points=5,
    codes=("KeyW", "KeyS", "KeyX"),
    pins=(5, 19, 24),
    places=(1, 5, 9),
)
ENTER: Final = ButtonAction(
    kind=ActionKind.ENTER,
    key="enter",
    label="Enter",
    gestures=(
        Gesture(does="pegs the count that the trail shows; at sign-up, joins the game"),
        Gesture(does="with no count, in the penalty box: moves the peg in the box, once a hand"),
        Gesture(
            does="lets in the phone for which the start lamp blinks, and enters nothing",
            seconds=HOLD_S,
            at_table=True,
        ),
    ),
    codes=("KeyE", "KeyD", "KeyC"),
    pins=(6, 20, 25),
    places=(2, 6, 10),
)
UNDO: Final = ButtonAction(
    kind=ActionKind.UNDO,
    key="undo",
    label="Undo",
    gestures=(
        Gesture(does="takes back a press of the count, or else the side's own last count"),
        Gesture(
            does="takes back the whole count being entered, or else whatever came last",
            seconds=HOLD_S,
        ),
    ),
    codes=("KeyR", "KeyF", "KeyV"),
    pins=(16, 22, 26),
    places=(3, 7, 11),
)
DEAL: Final = ButtonAction(
    kind=ActionKind.DEAL,
    key="deal",
    label="Deal",
    gestures=(
        Gesture(
            does="next hand; before the first count the next dealer; after a win the next game"
        ),
        Gesture(
            does="deals although a count is pending; while the dealer's lamp asks, lets a phone in",
            seconds=HOLD_S,
        ),
    ),
    codes=("Space",),
    pins=(27,),
    places=(12,),
)
MODE: Final = ButtonAction(
    kind=ActionKind.MODE,
    key="mode",
    label="Mode",
    gestures=(
        Gesture(does="next step of brightness"),
        Gesture(does="the board plays alone, until any press", seconds=DEMO_HOLD_S),
        Gesture(
            does="sign-up for a new game: Enter joins, Deal starts, Undo calls it off",
            seconds=NEW_GAME_HOLD_S,
        ),
        Gesture(does="shows every light with its meaning, until any press", seconds=TOUR_HOLD_S),
        Gesture(
            does="each button lights its part of its lane, all lamps take turns; Mode ends it",
            power_on=True,
        ),
    ),
    codes=("KeyM",),
    runs_table=True,
    pins=(3,),  # this pin has a pull-up of its own, and wakes a halted Pi
    places=(13,),
)

SIDE_ACTIONS: Final = (PLUS_ONE, PLUS_FIVE, ENTER, UNDO)
TABLE_ACTIONS: Final = (DEAL, MODE)

_OF_SIDES: Final = (Button(action=each, side=side) for side in (1, 2, 3) for each in SIDE_ACTIONS)
_OF_TABLE: Final = (Button(action=each) for each in TABLE_ACTIONS)
BUTTONS: Final[Mapping[str, Button]] = {each.name: each for each in (*_OF_SIDES, *_OF_TABLE)}
"""All buttons by name, in panel order: the buttons of each side, then the table's."""

DEFAULT_PINS: Final[Mapping[str, int]] = {
    name: pin for name, each in BUTTONS.items() for pin in each.action.pins[each.index :][:1]
}
DEFAULT_PLACES: Final[Mapping[str, int]] = {
    name: place for name, each in BUTTONS.items() for place in each.action.places[each.index :][:1]
}


def button_names(lanes: int) -> tuple[str, ...]:
    """Return the names of the buttons for a board with this number of lanes, in panel order.

    >>> "2.undo" in button_names(1), "2.undo" in button_names(2)
    (False, True)
    """
    return tuple(name for name, button in BUTTONS.items() if button.side <= lanes)
