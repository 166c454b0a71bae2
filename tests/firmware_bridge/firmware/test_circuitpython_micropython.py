"""The board's protocol module does the same on MicroPython as on CPython."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from firmware_bridge.firmware.circuitpython.lib.cribwars_bridge import BoardEnd
from firmware_bridge.protocol.framing import Decoder, Frame
from tests.firmware_bridge.firmware.dialogue import SESSION
from tests.firmware_bridge.firmware.test_avr_protocol import damaged, messages
from tests.support import micropython_player
from tests.support.circuitpython_machine import FIRMWARE
from tests.support.slow_board import (
    ACK,
    HELLO,
    INFO,
    KEYS,
    NAK,
    PIXELS,
    PONG,
    SETUP,
    frame,
    packed,
)

ROOT: Final = Path(__file__).parents[3]
HARNESS: Final = ROOT / "tests" / "support" / "micropython_harness.mjs"
PACKAGE: Final = "@micropython/micropython-webassembly-pyscript"
VERSION: Final = "1.27.0"
BOOT: Final = 0xB0070001
BUTTONS: Final = 25


def node(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run node where the packages in the tree's root are found."""
    command = [shutil.which("node") or "node", *arguments]
    return subprocess.run(
        command, input=text, cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def _micropython() -> None:
    if shutil.which("node") is None:
        pytest.skip("needs node (apt install nodejs npm)")
    if node("-e", f"require.resolve('{PACKAGE}/micropython.mjs')").returncode:
        pytest.skip(f"needs MicroPython (npm install --no-save {PACKAGE}@{VERSION})")


def on_micropython(what: str, script: dict[str, Any]) -> Any:  # noqa: ANN401  # JSON
    """Return the result of a script in MicroPython."""
    text = json.dumps({**script, "what": what})
    folder = FIRMWARE / "lib" / "cribwars_bridge"
    done = node(str(HARNESS), str(folder), micropython_player.__file__, text=text)
    assert "" == done.stderr
    return json.loads(done.stdout)


def script_of(steps: list[Any], *, pixel_bytes: int = 1800) -> dict[str, Any]:
    """Return a script for a board with a strip of this length."""
    return {"pixel_bytes": pixel_bytes, "buttons": BUTTONS, "boot": BOOT, "steps": steps}


def greeting(leds: int) -> list[Any]:
    """Return the steps to READY."""
    hello = frame(HELLO, 0, 0, packed(SESSION, 4) + b"\1\1")
    setting = packed(BOOT, 4) + packed(leds, 2) + bytes([3, 3]) + packed(700, 2)
    return [[1, [], hello.hex()], [2, [], frame(SETUP, 1, 0, setting + bytes(5)).hex()]]


def happening(random: Random, steps: int) -> list[Any]:
    """Return messages right and wrong, pieces, noise, presses, and some long silences."""
    script, now = greeting(5), 10
    for _ in range(steps):
        edges = []
        for _ in range(random.choice((0, 0, 1, 3))):
            now += random.randrange(1, 6)
            edges.append([random.randrange(BUTTONS), now, random.random() < 0.5])
        now += random.choice((0, 1, 4, 20, 60, 110, 110, 800))
        data = damaged(random, messages(random, BOOT))
        if random.random() < 0.2:
            data = data[: random.randrange(len(data))]
        if random.random() < 0.2:
            data = bytes(random.choices(b"\xa5\x5a\x03\x00\x81", k=random.randrange(40))) + data
        script.append([now, edges, data.hex()])
    return script


@pytest.mark.emulator
@pytest.mark.usefixtures("_micropython")
def test_it_does_the_same_on_micropython() -> None:
    """Both give the same messages and the same lights, byte for byte."""
    script = script_of(happening(Random(1), 3000))
    expected = micropython_player.play(BoardEnd, script)  # type: ignore[no-untyped-call]
    assert expected == on_micropython("play", script)
    said = Decoder().feed(b"".join(bytes.fromhex(words) for words, _ in expected))
    kinds = [item.type for item in said if isinstance(item, Frame)]
    assert all(20 < kinds.count(kind) for kind in (INFO, ACK, NAK, PONG, KEYS))
    assert 50 < sum(len(lights) for _, lights in expected)


@pytest.mark.emulator
@pytest.mark.usefixtures("_micropython")
@pytest.mark.parametrize("leds", [500, 10_922])
def test_a_frame_hardly_takes_memory(leds: int) -> None:
    """Pixels go straight to their place: a frame needs views of the buffer, no copy."""
    light = [
        [100 + i, [], frame(PIXELS, i, 0x8000, bytes([i]) * 3 * leds).hex()] for i in range(10)
    ]
    script = script_of([*greeting(leds), *light], pixel_bytes=0x8000)
    pieces = 3 * leds / micropython_player.READ_AT_ONCE
    costs = on_micropython("cost", script)
    assert 1000 + 40 * pieces > max(costs[2:])
