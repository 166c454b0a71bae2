"""Cases for `fakepi_show`, and its outcome as tests read it."""

import json
from typing import Final

from hardware.strips.protocol import StripSpec
from tests.support.fakepi import FakePi, Outcome

FRAMES: Final = 3
SEED: Final = 363


def case_of(name: str, spec: StripSpec, **options: object) -> dict[str, object]:
    """Return a strip by its driver's name and options, with frames to show on it."""
    return {
        "name": name,
        "leds": spec.leds,
        "type": spec.type,
        "order": spec.order,
        "options": options,
        "frames": FRAMES,
        "seed": SEED,
    }


def show(pi: FakePi, *cases: dict[str, object]) -> Outcome:
    """Show the frames of each case on a fake Pi, one strip after the other."""
    return pi.run("tests.support.fakepi_show", json.dumps(cases))


def refusal(outcome: Outcome) -> str:
    """Return the line of the refusal of a strip; the process must have ended well."""
    assert outcome.code == 0, outcome.err
    (line,) = outcome.out.splitlines()
    return line
