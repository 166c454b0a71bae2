"""Boards with their real boot loaders, which an early byte keeps waiting for ever."""

import pytest

from firmware_bridge.connection.discovery import BOOT_QUIET_S
from firmware_bridge.protocol.events import Connected, Lost
from firmware_bridge.protocol.messages import BoardSetup
from tests.firmware_bridge.firmware.dialogue import Dialogue
from tests.firmware_bridge.firmware.lockstep import Bench
from tests.support import simavr_harness
from tests.support.simavr_harness import BOOT_LOADER_OF_MEGA, BOOT_LOADER_OF_OLD_NANO, BootLoader
from tests.support.slow_board import INFO

BOOT_LOADERS = [BOOT_LOADER_OF_MEGA, BOOT_LOADER_OF_OLD_NANO]
LEDS = 12

pytestmark = pytest.mark.emulator(lacks=simavr_harness.missing_boot_loaders())


def bench_with(boot_loader: BootLoader) -> Bench:
    """Return a board whose port resets it when it is opened."""
    return Bench(boot_loader.kind, wanted=BoardSetup(leds=LEDS), boot_loader=boot_loader)


@pytest.mark.parametrize("boot_loader", BOOT_LOADERS)
def test_a_board_connects_behind_its_boot_loader(boot_loader: BootLoader) -> None:
    """The first HELLO after the silence gets a reply, and frames are shown."""
    with bench_with(boot_loader) as bench:
        opened = bench.now
        bench.connect()
        assert BOOT_QUIET_S <= bench.now - opened < BOOT_QUIET_S + 0.05
        assert bytes(range(3 * LEDS)) == bench.show(bytes(range(3 * LEDS))).data


@pytest.mark.parametrize("boot_loader", BOOT_LOADERS)
def test_a_reset_in_the_middle_of_a_game(boot_loader: BootLoader) -> None:
    """PINGs keep a Mega's boot loader waiting, so a reopened port resets the board."""
    with bench_with(boot_loader) as bench:
        bench.connect()
        bench.board.reset()
        bench.run_until(lambda event: isinstance(event, Connected))
        assert bytes([7] * 3 * LEDS) == bench.show(bytes([7] * 3 * LEDS)).data


def test_early_bytes_keep_a_mega_waiting() -> None:
    """A HELLO every 250 ms never reaches the program: so there is a silence."""
    with bench_with(BOOT_LOADER_OF_MEGA) as bench:
        bench.board.reset()
        bench.link.open(bench.now)
        bench.run_until(lambda event: isinstance(event, Lost))


def test_a_program_started_late_by_a_boot_loader_has_its_own_speed() -> None:
    """A Mega's boot loader that got a byte leaves the UART at double speed."""
    with Dialogue(BOOT_LOADER_OF_MEGA.kind, boot_loader=BOOT_LOADER_OF_MEGA) as talk:
        talk.board.reset()
        talk.hear(0.3)
        assert talk.say(b"\x41", patience=10) is None
        answer = talk.greet()
        assert (answer and answer.type) == INFO
