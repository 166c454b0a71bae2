"""LED strips: one protocol, one module a driver, and the drivers by name."""

from hardware.strips.drivers import Driver, driver_names, make_strip, read_options
from hardware.strips.protocol import Frame, Strip, StripSpec, VirtualStrip

__all__ = [
    "Driver",
    "Frame",
    "Strip",
    "StripSpec",
    "VirtualStrip",
    "driver_names",
    "make_strip",
    "read_options",
]
