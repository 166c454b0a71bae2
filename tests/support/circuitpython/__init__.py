"""A Raspberry Pi Pico with CircuitPython, as far as our boot.py and code.py see it."""
