"""State table of a link, and its diagram.

The diagram is part of `firmware/PROTOCOL.md`; a test compares them.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final


class State(Enum):
    """State of a link."""

    IDLE = "idle"
    GREETING = "greeting"
    SETTING_UP = "setting_up"
    RUNNING = "running"
    LOST = "lost"
    REFUSED = "refused"
    CLOSING = "closing"
    CLOSED = "closed"


class Cause(Enum):
    """Cause of a transition."""

    OPENED = "the port is open"
    INFO_FITS = "INFO fits"
    INFO_UNFIT = "INFO does not fit"
    SETUP_TAKEN = "SETUP acknowledged"
    SETUP_REFUSED = "SETUP refused"
    BOARD_FORGOT = "the board is not ready"
    BOARD_RESTARTED = "INFO of another boot"
    SILENCE = "silence"
    CUT = "the port failed"
    CLOSE = "closed by the program"
    GOODBYE = "BYE acknowledged"


_WITHOUT_BOARD: Final = {Cause.OPENED: State.GREETING, Cause.CLOSE: State.CLOSED}
_WITH_BOARD: Final = {
    Cause.OPENED: State.GREETING,
    Cause.INFO_UNFIT: State.REFUSED,
    Cause.SILENCE: State.LOST,
    Cause.CUT: State.LOST,
    Cause.CLOSE: State.CLOSING,
}
_SET_UP: Final = {Cause.BOARD_FORGOT: State.GREETING, Cause.BOARD_RESTARTED: State.SETTING_UP}
TRANSITIONS: Final[Mapping[State, Mapping[Cause, State]]] = {
    State.IDLE: _WITHOUT_BOARD,
    State.GREETING: {Cause.INFO_FITS: State.SETTING_UP, **_WITH_BOARD},
    State.SETTING_UP: {
        Cause.SETUP_TAKEN: State.RUNNING,
        Cause.SETUP_REFUSED: State.REFUSED,
        **_SET_UP,
        **_WITH_BOARD,
    },
    State.RUNNING: _SET_UP | _WITH_BOARD,
    State.LOST: _WITHOUT_BOARD,
    State.REFUSED: _WITHOUT_BOARD,
    State.CLOSING: dict.fromkeys((Cause.GOODBYE, Cause.SILENCE, Cause.CUT), State.CLOSED),
    State.CLOSED: {},
}


def diagram() -> str:
    """Return the table as a Mermaid state diagram."""
    lines = ["stateDiagram-v2", f"    [*] --> {State.IDLE.value}"]
    for state, ways in TRANSITIONS.items():
        lines += (f"    {state.value} --> {to.value}: {cause.value}" for cause, to in ways.items())
    lines.append(f"    {State.CLOSED.value} --> [*]")
    return "\n".join(lines)
