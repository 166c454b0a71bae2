"""A child process: show light on clocked strips; cases as JSON in argv, the SPI modes on stdout.

A refused strip ends it, with the error on stdout.
"""

import fcntl
import json
import os
import struct
import sys
from typing import Any

import numpy as np

from hardware.errors import StripError
from hardware.output import Output
from hardware.strips import StripSpec, make_strip

_READ_MODE = 0x80016B01


def show(case: dict[str, Any]) -> int:
    """Open a strip, show its light and close it; return the mode that its SPI was in."""
    light = np.array(case["light"], np.float32)
    spec = StripSpec(leds=(len(light),), type=case["chip"], order=case["order"])
    strip = make_strip(f"spi:{case['chip']}", spec, **case["options"])
    strip.open()
    try:
        strip.show(Output(spec, 1e6, strip.scale).render(light))
        spi = os.open("/dev/spidev0.0", os.O_RDWR)
        (mode,) = struct.unpack("B", fcntl.ioctl(spi, _READ_MODE, b"\0"))
        os.close(spi)
    finally:
        strip.close()
    return int(mode)


if __name__ == "__main__":
    try:
        modes = {show(case) for case in json.loads(sys.argv[1])}
        print(json.dumps(sorted(modes)))  # noqa: T201 - stdout is how a child process speaks
    except StripError as error:
        print(error)  # noqa: T201 - the same
