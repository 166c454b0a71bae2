"""Another emulator, independent of simavr, sees the firmware do the same."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
import pytest

from firmware_bridge.protocol.framing import Decoder, Frame
from tests.firmware_bridge.firmware.ws281x import decode, pulses
from tests.support.simavr_harness import HERTZ, UNO
from tests.support.slow_board import ACK, HELLO, INFO, PIXELS, SETUP, frame, packed

ROOT: Final = Path(__file__).parents[3]
HARNESS: Final = ROOT / "tests" / "support" / "avr8js_harness.cjs"
LEDS = 500


def node(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run node where the packages in the tree's root are found."""
    command = [shutil.which("node") or "node", *arguments]
    return subprocess.run(
        command, input=text, cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.fixture
def _avr8js() -> None:
    if shutil.which("node") is None:
        pytest.skip("needs node (apt install nodejs npm)")
    if node("-e", "require.resolve('avr8js')").returncode:
        pytest.skip("needs avr8js (npm install --no-save avr8js@0.21.1)")


@pytest.mark.emulator
@pytest.mark.usefixtures("_avr8js")
def test_avr8js_sees_the_same() -> None:
    """In avr8js the image shows the frames with the same pulses, and replies."""
    lights = [Random(i).randbytes(3 * LEDS) for i in range(3)]
    setup = packed(0, 4) + packed(LEDS, 2) + bytes([3, 3]) + bytes(7)
    script = [
        (0.06, frame(HELLO, 0, 0, packed(5, 4) + b"\1\1")),
        (0.08, frame(SETUP, 1, 0, setup)),
        *((0.1 + 0.06 * i, frame(PIXELS, i, 0x8000, light)) for i, light in enumerate(lights)),
    ]
    text = json.dumps([(round(time * HERTZ), data.hex()) for time, data in script])
    done = node(str(HARNESS), str(UNO.hex_file(500_000)), str(3 * HERTZ // 10), text=text)
    assert "" == done.stderr
    seen = json.loads(done.stdout)

    answers = Decoder().feed(bytes.fromhex(seen["said"]))
    kinds = [answer.type for answer in answers if isinstance(answer, Frame)]
    assert [INFO, ACK, ACK, ACK, ACK] == kinds
    edges = np.array(seen["edges"], np.uint64)
    assert [bytes(3 * UNO.leds), *lights] == [shown.data for shown in decode(edges)]
    assert {312.5, 750.0} == set(pulses(edges).high)
