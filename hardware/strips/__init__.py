"""Strips of LEDs: one protocol, a module a driver, and the drivers by name."""

from hardware.strips.drivers import make_strip
from hardware.strips.protocol import Frame, Strip, StripSpec
from hardware.strips.virtual import VirtualStrip

__all__ = ["Frame", "Strip", "StripSpec", "VirtualStrip", "make_strip"]
