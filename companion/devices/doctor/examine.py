"""Examination of a machine for faults, also while a table's program runs on it.

The examination lights no strip and writes no file of the table. It opens the pins of buttons if
they are free, and closes them. It does not open a microcontroller board that a table uses.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from companion.devices.assembly import Assembly, assemble, strip_budget
from companion.devices.doctor.finding import Finding
from companion.devices.doctor.machine import machine_findings, pin_findings, voice_findings
from companion.devices.doctor.settings import (
    clash_findings,
    data_finding,
    settings_findings,
    unseen_finding,
)
from companion.devices.doctor.strip import (
    driver_findings,
    overlay_findings,
    package_findings,
    spi_findings,
    supply_findings,
)
from companion.devices.doctor.upkeep import upkeep_findings
from companion.errors import SettingsError
from companion.settings.schema import Settings
from hardware.pi import Family, Machine, read_machine
from hardware.pi.machine import is_kernel_device

HERE: Final = Path("/")


def examine(
    read_settings: Callable[[], Settings],
    *,
    data: Path,
    clock: Callable[[], float],
    now: float,
    root: Path = HERE,
    is_table: bool = False,
) -> Iterator[Finding]:
    """Yield every finding about a machine, its settings and the folder of its journal.

    Args:
        read_settings: returns the settings in force, or raises `SettingsError`.
        data: the folder of the journal.
        clock: returns monotonic seconds; they limit the wait for microcontroller boards.
        now: seconds since the epoch.
        root: folder of the machine's files; pins and packages are examined only for `HERE`.
        is_table: True in the process of a running table, which has the pins open itself.
    """
    machine = read_machine(root)
    yield from machine_findings(machine, root)
    settings, assembly, faults = _fitted(read_settings)
    yield from settings_findings(faults, settings)
    if settings is not None:
        yield from _of_strip(machine, settings, assembly, root)
        if root == HERE:
            yield from voice_findings(settings)
    if settings is None or assembly is None:
        yield unseen_finding(settings)
    else:
        if not assembly.board_port:
            yield from clash_findings(machine, settings.strip.driver, assembly.pins)
        if assembly.strip_port or assembly.board_port:
            # Only tables with a microcontroller board need a module for serial ports.
            from companion.devices.doctor.bridge import bridge_findings  # noqa: PLC0415

            yield from bridge_findings(settings, assembly, clock, root)
    if root == HERE and not (assembly and assembly.board_port):
        yield from pin_findings(machine, assembly.pins if assembly and not is_table else {})
    yield data_finding(data.absolute())
    yield from upkeep_findings(machine, data.absolute(), root, now=now)


def _fitted(
    read_settings: Callable[[], Settings],
) -> tuple[Settings | None, Assembly | None, SettingsError | None]:
    settings = None
    try:
        settings = read_settings()
        return settings, assemble(settings), None
    except SettingsError as faults:
        return settings, None, faults


def _of_strip(
    machine: Machine, settings: Settings, assembly: Assembly | None, root: Path
) -> Iterator[Finding]:
    driver = settings.strip.driver
    kind, _, device = driver.partition(":")
    spec = assembly.light.strip.spec if assembly else None
    yield from driver_findings(machine, driver, spec, root)
    if root == HERE:
        yield from package_findings(machine, driver)
    if spec is None:
        return
    yield from spi_findings(machine, driver, spec)
    if kind == "pio" and machine.family is Family.FIVE and is_kernel_device(device):
        yield from overlay_findings(machine, driver, spec)
    yield from supply_findings(spec, strip_budget(settings))
