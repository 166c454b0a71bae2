"""The lights of a start replace the game until a press, or for a minute."""

from asyncio import CancelledError
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path

from companion.lights.scene.view import MachineFault, StartReport
from companion.network import JoinFailure, NetworkStage, NetworkState
from companion.runtime.service_manager import MAX_FAILED_STARTS, FailedStarts
from companion.runtime.start_lights import POLL_S, SHOWN_S, StartLights, look_at_machine
from tests.companion.table.bench import Bench
from tests.support.scenes import in_loop, run_by

FULL = frozenset({MachineFault.DISK_FULL})


def test_a_start_looks_at_its_machine(tmp_path: Path) -> None:
    """A full disk and a safe start are faults; a sound start has none."""
    for _ in range(MAX_FAILED_STARTS):
        FailedStarts(tmp_path)
    faults = {MachineFault.DISK_FULL, MachineFault.SAFE_START}
    assert faults <= look_at_machine(Path("/proc"), FailedStarts(tmp_path))[0]
    assert not faults & look_at_machine(tmp_path, FailedStarts(None))[0]


class Started:
    """A table that starts on a machine with an address from the test."""

    def __init__(self, *, is_wanted: bool = True) -> None:
        self.bench = Bench()
        self.address: str | None = None
        self.network: NetworkState | None = None
        self.slept = 0.0
        self.act: Callable[[], Coroutine[None, None, None]] | None = None
        self.seen: list[StartReport | None] = []
        self.lights = StartLights(
            self.bench.table,
            lambda: (FULL, self.address),
            network=lambda: self.network,
            is_wanted=is_wanted,
            sleep=self._sleep,
        )

    @property
    def shown(self) -> StartReport | None:
        """Return the report that the lights show."""
        return self.bench.lamps.view.start_report if self.bench.lamps.view else None

    async def _sleep(self, seconds: float) -> None:
        self.slept += seconds
        self.seen.append(self.shown)
        if self.act:
            await self.act()


@run_by(in_loop)
async def test_step_by_step_then_the_game() -> None:
    """The steps come first, then faults and address for a minute, then the game."""
    started = Started()
    assert StartReport(step=1) == started.shown
    started.lights.step(3)
    assert StartReport(step=3) == started.shown
    started.address = "192.168.1.57"
    await started.lights.report()
    assert {StartReport(step=4, faults=FULL, address=57)} == set(started.seen)
    assert SHOWN_S == started.slept
    assert started.shown is None


@run_by(in_loop)
async def test_a_network_that_comes_late_is_shown() -> None:
    """Its absence is a fault, which the next check replaces by the address."""
    started = Started()

    async def connect() -> None:
        started.address = "10.0.0.9"

    started.act = connect
    await started.lights.report()
    without = FULL | {MachineFault.NO_NETWORK}
    assert StartReport(step=4, faults=without) == started.seen[0]
    assert StartReport(step=4, faults=FULL, address=9) == started.seen[1]


@run_by(in_loop)
async def test_a_press_shows_the_game_at_once() -> None:
    """The press counts as usual, and the lights of the start stay away."""
    started = Started()
    started.bench.table.start()

    async def press() -> None:
        await started.bench.press("1.plus_one")

    started.act = press
    await started.lights.report()
    assert POLL_S == started.slept
    assert started.shown is None
    assert 1 == started.bench.table.panel.counts.by_side[1].points
    started.bench.table.presses.stop()


@run_by(in_loop)
async def test_a_table_that_is_no_service_shows_its_game() -> None:
    """It does so from the beginning."""
    started = Started(is_wanted=False)
    started.lights.step(2)
    await started.lights.report()
    assert 0.0 == started.slept
    assert started.shown is None


class Evening(Started):
    """A table that follows its network; `course` has each stage with the seconds that it lasts."""

    def __init__(self, *course: tuple[NetworkStage | JoinFailure, int]) -> None:
        super().__init__()
        self._course = [each for each, seconds in course for _ in range(int(seconds / POLL_S))]
        self.act = self._go_on
        self.bench.table.start()

    async def follow(self) -> list[StartReport | None]:
        """Return what the lights show during the course."""
        await self._go_on()
        with suppress(CancelledError):
            await self.lights.report()
        self.bench.table.presses.stop()
        return self.seen

    async def _go_on(self) -> None:
        if not self._course:
            raise CancelledError
        match self._course.pop(0):
            case JoinFailure() as failure:
                self.network = NetworkState(stage=NetworkStage.HOTSPOT, since=0, failure=failure)
            case NetworkStage() as stage:
                self.network = NetworkState(stage=stage, since=0)
        self.address = (
            "10.0.0.9" if self.network and self.network.stage is NetworkStage.JOINED else None
        )


def said(network: NetworkStage | JoinFailure) -> StartReport:
    """Return the report of a board on its way into a network."""
    return StartReport(step=4, faults=FULL, network=network)


SEARCHES = StartReport(
    step=4, faults=FULL | {MachineFault.NO_NETWORK}, network=NetworkStage.SEARCHING
)
JOINED = StartReport(step=4, faults=FULL, network=NetworkStage.JOINED, address=9)


@run_by(in_loop)
async def test_the_stages_of_a_first_evening() -> None:
    """Search and hotspot last until a press; the address is shown for a minute."""
    evening = Evening(
        (NetworkStage.SEARCHING, 2 * SHOWN_S),
        (NetworkStage.HOTSPOT, 2 * SHOWN_S),
        (NetworkStage.JOINING, 10),
        (NetworkStage.JOINED, 2 * SHOWN_S),
    )
    seen = await evening.follow()
    stages = [SEARCHES, said(NetworkStage.HOTSPOT), said(NetworkStage.JOINING), JOINED, None]
    assert stages == list(dict.fromkeys(seen))
    assert SHOWN_S / POLL_S == seen.count(JOINED)


@run_by(in_loop)
async def test_a_join_comes_back_to_the_lights() -> None:
    """A press has ended them, such as the hold of Deal that lets the owner's phone in."""
    wrong = JoinFailure.WRONG_PASSWORD
    evening = Evening((NetworkStage.HOTSPOT, 4), (NetworkStage.JOINING, 4), (wrong, 4))
    await evening.bench.press("1.plus_one")
    seen = await evening.follow()
    assert [None, said(NetworkStage.JOINING), said(wrong)] == list(dict.fromkeys(seen))
