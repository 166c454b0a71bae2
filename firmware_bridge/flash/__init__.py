"""Flashing: firmware is written to a board."""
