"""A child process: two frames to a strip whose transfers wait until another thread lets them pass.

It ends only if that thread can run while a frame is being sent. Argument: the driver's name.
"""

import os
import sys
from threading import Thread

from hardware.strips import StripSpec, make_strip
from tests.support.fakepi import random_frames


def let_pass(gate: str) -> None:
    """Let every transfer pass that asks for it, for as long as the process lives."""
    ask = os.open(f"{gate}/ask", os.O_RDWR)
    grant = os.open(f"{gate}/grant", os.O_RDWR)
    while os.read(ask, 1):
        os.write(grant, b"!")


if __name__ == "__main__":
    Thread(target=let_pass, args=(os.environ["FAKEPI_GATE"],), daemon=True).start()
    spec = StripSpec(leds=(30,))
    strip = make_strip(sys.argv[1], spec)
    strip.open()
    for frame in random_frames(spec, 2, seed=1):
        strip.show(frame)
    strip.close()
