"""Restart after a crash. In safe mode CircuitPython runs this file instead of boot.py and code.py.

Without this file a board would stay in safe mode after a hard fault or a watchdog reset, until its
reset button is pressed. The board still stays in safe mode, with its drive accessible, if the
button or a program has asked for it, and after errors that a restart would repeat at once.
"""

import time

import microcontroller
import supervisor

PAUSE_S = 1
"""Time for the supply to settle after a brownout, and between restarts if the fault persists."""

REPEATING = ("USER", "PROGRAMMATIC", "NO_CIRCUITPY", "SAFE_MODE_PY_ERROR", "USB")
"""Beginnings of the names of the reasons for which a board stays in safe mode."""

reason = str(supervisor.runtime.safe_mode_reason).split(".")[-1]
if not reason.startswith(REPEATING):
    time.sleep(PAUSE_S)
    microcontroller.reset()
