"""A child process: two frames to a strip whose transfers wait until another thread lets them pass.

It ends only if that thread can run while a frame is being sent. Argument: the driver's name.
"""

import os
import sys
from threading import Thread

import numpy as np

from hardware.output import Output
from hardware.strips import StripSpec, make_strip
from hardware.strips.drivers import only_type
from hardware.strips.protocol import usual_order


def let_pass(gate: str) -> None:
    """Let every waiting transfer pass, as long as the process lives."""
    ask = os.open(f"{gate}/ask", os.O_RDWR)
    grant = os.open(f"{gate}/grant", os.O_RDWR)
    while os.read(ask, 1):
        os.write(grant, b"!")


if __name__ == "__main__":
    Thread(target=let_pass, args=(os.environ["FAKEPI_GATE"],), daemon=True).start()
    kind = only_type(sys.argv[1]) or "ws2812b"
    spec = StripSpec(leds=(30,), type=kind, order=usual_order(kind))
    strip = make_strip(sys.argv[1], spec)
    strip.open()
    light = np.random.default_rng(1).random((2, 30, 3), dtype=np.float32)
    for frame in map(Output(spec, 1e6, strip.scale).render, light):
        strip.show(frame)
    strip.close()
