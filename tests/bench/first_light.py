"""`cribwars` with one more strip, `telling`: a virtual one that tells when it is first lit.

`python -m tests.bench.first_light ARGUMENTS` prints the time of the first frame (monotonic, in
seconds) as a line on stderr. Nothing is imported here that `cribwars run` does not import.
"""

import sys
import time

from companion.cli.main import main
from hardware.strips import Frame, StripSpec
from hardware.strips.drivers import DRIVERS, Driver
from hardware.strips.protocol import VirtualStrip

NAME = "telling"
WORDS = "first light at "


def _make(spec: StripSpec) -> VirtualStrip:
    strip = VirtualStrip(spec, clock=time.monotonic)
    reported = False

    def tell(t: float, _frame: Frame) -> None:
        nonlocal reported
        if not reported:
            reported = True
            print(f"{WORDS}{t}", file=sys.stderr, flush=True)

    strip.listen(tell)
    return strip


if __name__ == "__main__":
    assert isinstance(DRIVERS, dict)
    DRIVERS[NAME] = Driver(make=_make)
    main()
