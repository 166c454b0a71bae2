#!/usr/bin/python3
"""Moves simulated pins: `pins 0:17:down 45:17:up ...`, each at its milliseconds from now.

A pin is a button to ground: down pulls it low. For each move it prints the milliseconds between
which the pin moved, as an emulated clock may keep it waiting.
"""

import os
import sys
import time
from pathlib import Path

PULLS = {"down": b"pull-down", "up": b"pull-up"}

[chip] = Path("/sys/devices/platform").glob("gpio-sim*/gpiochip*")
moves = []
for word in sys.argv[1:]:
    milliseconds, pin, level = word.split(":")
    file = os.open(chip / f"sim_gpio{pin}/pull", os.O_WRONLY)
    moves.append((float(milliseconds) / 1000, file, PULLS[level]))
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
times = []
begin = time.monotonic()
for at, file, pull in moves:
    time.sleep(max(0.0, begin + at - time.monotonic()))
    before = time.monotonic()
    os.pwrite(file, pull, 0)
    times.append((before, time.monotonic()))
for before, after in times:
    print(1000 * (before - begin), 1000 * (after - begin))
