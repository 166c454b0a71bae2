"""The time that a test waits for what comes: a bound for a busy machine, never a measure."""

from typing import Final

PATIENCE_S: Final = 60
"""Seconds after which it will not come."""
