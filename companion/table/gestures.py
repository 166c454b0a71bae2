"""Gestures: what can be done with the buttons, by tap or hold; their words are phrases."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from companion.table.held_buttons import HOLD_S
from companion.table.panel import DEMO_HOLD_S, NEW_GAME_HOLD_S, TOUR_HOLD_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Gesture:
    """A tap on a button, or a hold of `seconds`; with `power_on` held while the table starts."""

    key: str
    seconds: float = 0.0
    power_on: bool = False


GESTURES: Final[Mapping[str, Gesture]] = {
    "add-one": Gesture(key="plus_one"),
    "add-five": Gesture(key="plus_five"),
    "enter": Gesture(key="enter"),
    "enter-box": Gesture(key="enter"),
    "enter-hold": Gesture(key="enter", seconds=HOLD_S),
    "undo": Gesture(key="undo"),
    "undo-hold": Gesture(key="undo", seconds=HOLD_S),
    "deal": Gesture(key="deal"),
    "deal-hold": Gesture(key="deal", seconds=HOLD_S),
    "brightness": Gesture(key="mode"),
    "demo": Gesture(key="mode", seconds=DEMO_HOLD_S),
    "new-game": Gesture(key="mode", seconds=NEW_GAME_HOLD_S),
    "tour": Gesture(key="mode", seconds=TOUR_HOLD_S),
    "button-test": Gesture(key="mode", power_on=True),
}
"""The language of the buttons, by the keys of its phrases."""
