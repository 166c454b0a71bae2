"""A child process: show random frames on strips, one case after the other; cases as JSON in argv.

A refused strip ends it, with the error on stdout; the exit code is 0 if Python does not crash.
"""

import json
import sys
from pathlib import Path
from typing import Any

from hardware.errors import StripError
from hardware.strips import StripSpec, make_strip
from tests.support.fakepi import random_frames


def show(case: dict[str, Any]) -> None:
    """Open a strip, show its frames and close it."""
    spec = StripSpec(leds=tuple(case["leds"]), type=case["type"], order=case["order"])
    options = dict(case["options"])
    if "root" in options:
        options["root"] = Path(options["root"])
    strip = make_strip(case["name"], spec, **options)
    try:
        strip.open()
        for frame in random_frames(spec, case["frames"], case["seed"]):
            strip.show(frame)
    finally:
        strip.close()


if __name__ == "__main__":
    try:
        for case in json.loads(sys.argv[1]):
            show(case)
    except StripError as error:
        print(error)  # noqa: T201 - stdout is how a child process speaks
