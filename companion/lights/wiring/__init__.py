"""Wiring: holes and lamps mapped to the LEDs of strips, by settings or calibration."""
