"""The drivers of the bridge for `hardware.strips`, found by the entry points of this distribution.

The module of a driver is imported when the driver is made.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from firmware_bridge.connection.serial_port import parse_baud
from hardware.strips import Driver, Strip, StripSpec


def _from_module(module: str, name: str) -> Callable[..., Strip]:
    def make(spec: StripSpec, *arguments: str, **options: object) -> Strip:
        strip_class = getattr(import_module(f"firmware_bridge.drivers.{module}"), name)
        return cast("Strip", strip_class(spec, *arguments, **options))

    return make


def _parse_bool(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError("write true or false")
    return text == "true"


serial = Driver(
    make=_from_module("strip", "BridgeStrip"),
    options={"baud": parse_baud},
    argument="port",
    example="auto",
    default="auto",
    internal=frozenset({"patient"}),
)
adalight = Driver(
    make=_from_module("adalight", "AdalightStrip"),
    options={"baud": parse_baud, "wled": _parse_bool},
    argument="port",
    example="/dev/ttyUSB0",
)
awa = Driver(
    make=_from_module("awa", "AwaStrip"),
    options={"baud": parse_baud, "white": _parse_bool},
    argument="port",
    example="/dev/ttyUSB0",
)
ddp = Driver(make=_from_module("ddp", "DdpStrip"), argument="host", example="wled.local")
