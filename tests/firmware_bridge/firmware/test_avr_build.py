"""The kept images of the AVR firmware are those of the sources, and work wherever they run."""

import json
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import numpy as np
import pytest

from firmware_bridge.connection.discovery import BOOT_QUIET_S
from firmware_bridge.connection.sharing import Connections
from firmware_bridge.drivers.bridge_board import BridgeButtons, BridgeStrip
from firmware_bridge.protocol.framing import Decoder, Frame
from firmware_bridge.protocol.messages import BoardSetup
from firmware_bridge.protocol.states import Connected, Lost
from hardware.debounce import Edge
from hardware.strips import StripSpec
from tests.firmware_bridge.board_on_pty import UnoOnPty, uno_on_pty
from tests.firmware_bridge.firmware.avr_board import SILENCE, Bench, Dialogue, decode, pulses
from tests.support import simavr_harness
from tests.support.limits import TIMEOUT_S
from tests.support.program import on_node
from tests.support.simavr_harness import (
    BOOT_LOADER_OF_MEGA,
    BOOT_LOADER_OF_OLD_NANO,
    FIRMWARE,
    HERTZ,
    UNO,
    BootLoader,
    missing_compiler,
)
from tests.support.slow_board import ACK, HELLO, INFO, PIXELS, SETUP, frame, packed

NAMES = ("mega-1000000", "mega-500000", "uno-1000000", "uno-500000")
built = pytest.mark.emulator(lacks=missing_compiler())
BOOT_LOADERS = [BOOT_LOADER_OF_MEGA, BOOT_LOADER_OF_OLD_NANO]
LEDS = 12


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the firmware, built from a copy of its sources elsewhere."""
    target = tmp_path_factory.mktemp("firmware") / "avr"
    ignored = shutil.ignore_patterns("build", "hex")
    shutil.copytree(FIRMWARE, target, ignore=ignored)
    subprocess.run(
        [shutil.which("make") or "make", "-C", str(target)], check=True, capture_output=True
    )
    return target / "build"


def bench_with(boot_loader: BootLoader) -> Bench:
    """Return a board whose port resets it when it is opened."""
    return Bench(boot_loader.kind, wanted=BoardSetup(leds=LEDS), boot_loader=boot_loader)


def test_the_kept_images_are_all_there() -> None:
    """Each board and baud has its image in the package."""
    assert NAMES == tuple(sorted(file.stem for file in (FIRMWARE / "hex").glob("*.hex")))


@built
@pytest.mark.parametrize("name", NAMES)
def test_a_kept_image_is_what_the_sources_make(build: Path, name: str) -> None:
    """The named compiler makes the same bytes."""
    command = [shutil.which("avr-gcc") or "avr-gcc", "-dumpversion"]
    here = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    kept = (FIRMWARE / "hex" / "COMPILER").read_text().strip()
    if here != kept:
        pytest.skip(f"needs avr-gcc {kept} (Debian 12: apt install gcc-avr), here is {here}")
    fresh = (build / f"{name}.hex").read_bytes()
    assert (FIRMWARE / "hex" / f"{name}.hex").read_bytes() == fresh


FLASH = {"mega": 256 * 1024 - 8192, "uno": 32 * 1024 - 2048}
"""Bytes beside the largest bootloader in use."""


@pytest.mark.parametrize("name", NAMES)
def test_an_image_fits(name: str) -> None:
    """It leaves room for the bootloader."""
    lines = (FIRMWARE / "hex" / f"{name}.hex").read_text().split()
    size = sum(int(line[1:3], 16) for line in lines if line[7:9] == "00")
    assert 4096 < size < FLASH[name.partition("-")[0]]


@built
@pytest.mark.parametrize("name", NAMES)
def test_an_elf_is_left_beside_each_image(build: Path, name: str) -> None:
    """`make` leaves the ELF files, too, for debuggers and emulators."""
    assert b"\x7fELF" == (build / f"{name}.elf").read_bytes()[:4]


# Boards with their real boot loaders, which an early byte keeps waiting for ever


@pytest.mark.emulator(lacks=simavr_harness.missing_boot_loaders())
@pytest.mark.parametrize("boot_loader", BOOT_LOADERS)
def test_a_board_connects_behind_its_boot_loader(boot_loader: BootLoader) -> None:
    """The first HELLO after the silence gets a reply, and frames are shown."""
    with bench_with(boot_loader) as bench:
        opened = bench.now
        bench.connect()
        assert BOOT_QUIET_S <= bench.now - opened < BOOT_QUIET_S + 0.05
        assert bytes(range(3 * LEDS)) == bench.show(bytes(range(3 * LEDS))).data


@pytest.mark.emulator(lacks=simavr_harness.missing_boot_loaders())
@pytest.mark.parametrize("boot_loader", BOOT_LOADERS)
def test_a_reset_in_the_middle_of_a_game(boot_loader: BootLoader) -> None:
    """PINGs keep a Mega's boot loader waiting, so a reopened port resets the board."""
    with bench_with(boot_loader) as bench:
        bench.connect()
        bench.board.reset()
        bench.run_until(lambda event: isinstance(event, Connected))
        assert bytes([7] * 3 * LEDS) == bench.show(bytes([7] * 3 * LEDS)).data


@pytest.mark.emulator(lacks=simavr_harness.missing_boot_loaders())
def test_early_bytes_keep_a_mega_waiting() -> None:
    """A HELLO every 250 ms never reaches the program: so there is a silence."""
    with bench_with(BOOT_LOADER_OF_MEGA) as bench:
        bench.board.reset()
        bench.link.open(bench.now)
        bench.run_until(lambda event: isinstance(event, Lost))


@pytest.mark.emulator(lacks=simavr_harness.missing_boot_loaders())
def test_a_program_started_late_by_a_boot_loader_has_its_own_speed() -> None:
    """A Mega's boot loader that got a byte leaves the UART at double speed."""
    with Dialogue(BOOT_LOADER_OF_MEGA.kind, boot_loader=BOOT_LOADER_OF_MEGA) as talk:
        talk.board.reset()
        talk.hear(0.3)
        assert SILENCE == talk.say(b"\x41", patience=10)
        assert INFO == talk.greet().type


# Another emulator, independent of simavr, sees the firmware do the same


MANY_LEDS = 500


@pytest.mark.emulator
def test_avr8js_sees_the_same() -> None:
    """In avr8js the image shows the frames with the same pulses, and replies."""
    lights = [Random(i).randbytes(3 * MANY_LEDS) for i in range(3)]
    setup = packed(0, 4) + packed(MANY_LEDS, 2) + bytes([3, 3]) + bytes(7)
    script = [
        (0.06, frame(HELLO, 0, 0, packed(5, 4) + b"\1\1")),
        (0.08, frame(SETUP, 1, 0, setup)),
        *((0.1 + 0.06 * i, frame(PIXELS, i, 0x8000, light)) for i, light in enumerate(lights)),
    ]
    text = json.dumps([(round(time * HERTZ), data.hex()) for time, data in script])
    arguments = ("avr8js_harness.cjs", str(UNO.hex_file(500_000)), str(3 * HERTZ // 10))
    seen = on_node("avr8js@0.21.1", *arguments, text=text)
    answers = Decoder().feed(bytes.fromhex(seen["said"]))
    kinds = [answer.type for answer in answers if isinstance(answer, Frame)]
    assert [INFO, ACK, ACK, ACK, ACK] == kinds
    edges = np.array(seen["edges"], np.uint64)
    assert [bytes(3 * UNO.leds), *lights] == [shown.data for shown in decode(edges)]
    assert {312.5, 750.0} == set(pulses(edges).high)


# At the end of a real pty: nothing in between is ours, and no speed is that of a real Uno


STRIP_LEDS = 60


@pytest.fixture
def uno() -> Iterator[UnoOnPty]:
    """Yield an Uno that has just been given power."""
    with uno_on_pty() as uno:
        uno.plug_in()
        yield uno


class Given:
    """A sink of edges."""

    def __init__(self) -> None:
        self.edges: list[tuple[str, bool]] = []
        self._changed = threading.Condition()

    def put(self, edge: Edge) -> None:
        """Take an edge; one that tells the level anew is none."""
        with self._changed:
            was = next((down for name, down in reversed(self.edges) if name == edge.button), False)
            if was != edge.down:
                self.edges.append((edge.button, edge.down))
            self._changed.notify_all()

    def wait_for(self, button: str, *, down: bool) -> None:
        """Wait until this is the latest edge; an AssertionError if it never is."""
        with self._changed:
            assert self._changed.wait_for(lambda: (button, down) in self.edges[-1:], TIMEOUT_S)


@pytest.mark.emulator(lacks=simavr_harness.missing())
def test_lights_and_buttons_of_a_real_firmware(uno: UnoOnPty) -> None:
    """Frames arrive on the pin bit by bit, presses as edges once and in order; the end is dark."""
    connections = Connections(clock=time.monotonic, ports=uno.listing)
    frames = np.random.default_rng(1).integers(0, 256, (5, STRIP_LEDS, 3), np.uint8)
    presses = [("mode", 13, True), ("deal", 0, True), ("mode", 13, False), ("deal", 0, False)]
    strip = BridgeStrip(StripSpec(leds=(STRIP_LEDS,), order="RGB"), "auto", connections=connections)
    given = Given()
    strip.open()
    with closing(BridgeButtons({"deal": 0, "mode": 13}, given.put, connections=connections)):
        for frame, (name, button, down) in zip(frames, [*presses, presses[0]], strict=True):
            strip.show([frame])
            uno.press(button, down=down)
            given.wait_for(name, down=down)
        uno.wait_for(frames[-1].tobytes())
        strip.close()
    assert [(name, down) for name, _, down in [*presses, presses[0]]] == given.edges
    with uno.changed:
        shown = uno.shown()
    lit = {data for data in shown if any(data)}
    assert {frame.tobytes() for frame in frames} >= lit
    assert (False, 0) == (any(shown[-1]), uno.board.overruns)
