"""Flashing: the firmware put onto a board."""
