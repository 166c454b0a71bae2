"""Restart after a crash. CircuitPython runs it instead of boot.py and code.py in safe mode.

Without it a hard fault or a watchdog reset in the middle of a game would leave the board waiting
for somebody to press its reset button. Safe mode that was asked for, by the button or by a program,
and errors that a restart repeats at once, stay: then the drive can be reached.
"""

import time

import microcontroller
import supervisor

PAUSE_S = 1
"""Time for the supply to settle after a brownout, and between restarts if the fault persists."""

REPEATING = ("USER", "PROGRAMMATIC", "NO_CIRCUITPY", "SAFE_MODE_PY_ERROR", "USB")
"""Beginnings of the names of reasons to stay in safe mode."""

reason = str(supervisor.runtime.safe_mode_reason).split(".")[-1]
if not reason.startswith(REPEATING):
    time.sleep(PAUSE_S)
    microcontroller.reset()
