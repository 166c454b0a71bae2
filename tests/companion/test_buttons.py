"""Rows of the buttons: complete and without conflicts."""

from companion.buttons import BUTTONS, DEFAULT_PINS, DEFAULT_PLACES, SIDE_ACTIONS, TABLE_ACTIONS
from companion.errors import Text
from firmware_bridge.drivers.bridge_board import place_faults
from hardware.buttons import pin_faults


def test_no_two_buttons_share_a_name_a_key_a_pin_or_a_place() -> None:
    """No default pin is used twice or by ID, SPI0, UART, PWM or PCM data."""
    actions = (*SIDE_ACTIONS, *TABLE_ACTIONS)
    codes = [code for action in actions for code in action.codes]
    assert 3 * len(SIDE_ACTIONS) + len(TABLE_ACTIONS) == len(BUTTONS) == len(set(codes))
    others = dict.fromkeys((0, 1, 7, 8, 9, 10, 11, 14, 15, 12, 13, 18, 21), Text("a strip"))
    assert [] == pin_faults(DEFAULT_PINS, others, BUTTONS) == place_faults(DEFAULT_PLACES)
