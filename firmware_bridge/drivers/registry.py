"""Strip drivers of this package; `hardware.strips` finds them by their entry points."""

from firmware_bridge.connection.serial_port import parse_baud
from hardware.strips import Driver
from hardware.strips.drivers import USB_MA, from_module, paced
from hardware.strips.protocol import ONE_WIRE


def _parse_bool(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError("write true or false")
    return text == "true"


serial = Driver(
    make=from_module("firmware_bridge.drivers.bridge_board", "BridgeStrip"),
    options={"baud": parse_baud},
    argument="port",
    example="auto",
    default="auto",
    internal=frozenset({"patient"}),
    types=ONE_WIRE,
    usb_ma=USB_MA,
)
adalight = Driver(
    make=paced("firmware_bridge.drivers.third_party", "AdalightStrip"),
    options={"baud": parse_baud, "wled": _parse_bool},
    argument="port",
    example="/dev/ttyUSB0",
    usb_ma=USB_MA,
)
awa = Driver(
    make=paced("firmware_bridge.drivers.third_party", "AwaStrip"),
    options={"baud": parse_baud, "white": _parse_bool},
    argument="port",
    example="/dev/ttyUSB0",
    usb_ma=USB_MA,
)
ddp = Driver(
    make=paced("firmware_bridge.drivers.ddp", "DdpStrip"), argument="host", example="wled.local"
)
