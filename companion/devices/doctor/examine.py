"""Examination of a machine for faults, also while a table's program runs on it.

The examination lights no strip and writes no file of the table. It opens the pins of buttons if
they are free, and closes them. It does not open a microcontroller board that a table uses. This
module itself examines the model, its voltage, its Wi-Fi, its pins and the voice.
"""

import os
import platform
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

from companion.commentary.speech import find_voice
from companion.devices.assembly import Assembly, assemble, strip_budget
from companion.devices.doctor.finding import (
    HERE,
    Finding,
    clash_findings,
    data_finding,
    settings_findings,
    unseen_finding,
    upkeep_findings,
)
from companion.devices.doctor.strip import (
    driver_findings,
    overlay_findings,
    package_findings,
    spi_findings,
    supply_findings,
)
from companion.devices.network_manager import WIFI_IS_OFF, WIFI_REMEDY, is_wifi_off
from companion.errors import SettingsError, Text, as_text
from companion.settings.schema import Settings
from companion.settings.sd_card import card_faults
from hardware.buttons import BusyPinError, Buttons
from hardware.errors import ButtonError
from hardware.pi import Family, Machine, read_machine
from hardware.pi.machine import is_kernel_device, mode_of
from hardware.pins import LGPIO_USER, are_mock_pins_requested, missing_pins_remedy, open_pin_factory

_VOICE = Text("voice")
_BUTTONS = Text("buttons")
_SUPPLY = Text(
    "use a supply of 5.1 V made for this Pi with a short, thick cable, and feed the strip from a "
    "supply of its own"
)


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
    yield from (Finding.of_fault(fault) for fault in card_faults(root))
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


def voice_findings(
    settings: Settings, root: Path = HERE, *, path: str | None = None
) -> Iterator[Finding]:
    """Yield findings about the voice if the settings switch it on.

    Args:
        settings: settings for the voice in games and in the demo.
        root: folder of the machine's files.
        path: folders in which to find the speech program; None for the variable `PATH`.
    """
    in_demo = settings.demo.voice and settings.was_set("demo.voice")
    if settings.voice == "off" and not in_demo:
        return
    yield _voice(root, find_voice(path))
    driver = settings.strip.driver
    if mode_of(driver) == "pwm":
        text = "{driver} uses the hardware of the headphone socket, which stays silent"
        remedy = Text(
            "connect the loudspeaker to HDMI or to a USB sound card, or set another [strip] driver"
        )
        yield Finding.note(_VOICE, Text(text, driver=driver), remedy)


def _voice(root: Path, program: str | None) -> Finding:
    if program is None:
        remedy = Text("install espeak-ng (sudo apt install)")
        return Finding.fix(_VOICE, Text("no speech program is installed"), remedy)
    devices = sorted(root.glob("dev/snd/pcmC*p"))
    if (root / "proc").is_dir() and not devices:  # systems without /proc have no files for sound
        remedy = Text("connect HDMI with sound or a USB sound card, or turn the voice off")
        return Finding.fix(_VOICE, Text("there is no sound card"), remedy)
    if devices and not any(os.access(device, os.R_OK | os.W_OK) for device in devices):
        text = "{device} may not be opened by this user"
        remedy = Text("add the user to the group audio, sudo usermod -aG audio $USER")
        return Finding.fix(_VOICE, Text(text, device=devices[0]), remedy)
    return Finding.ok(
        _VOICE, Text("{program} can speak, as far as the files show", program=program)
    )


def pin_findings(machine: Machine, pins: Mapping[str, int]) -> Iterator[Finding]:
    """Yield findings about the pins of this machine, and about each pin that cannot be opened.

    `pins` has the BCM pin of each button; it must be empty in a process that has the pins open.
    """
    factory, missing = open_pin_factory(simulate=False)
    if missing:
        is_wanted = machine.model is not None and not are_mock_pins_requested()
        yield (
            Finding.fix(_BUTTONS, missing, missing_pins_remedy())
            if is_wanted
            else Finding.note(_BUTTONS, missing)
        )
        return
    held, refused = [], False
    tried = Buttons({}, lambda _: None, pin_factory=factory, clock=lambda: 0.0)
    with closing(tried) as buttons:
        for button, pin in pins.items():
            try:
                buttons.open(button, pin)
            except ButtonError as error:
                if isinstance(error, BusyPinError) and error.user == LGPIO_USER:
                    held.append(pin)
                else:
                    refused = True
                    yield Finding.of(_BUTTONS, error)
    if held:
        text = "a program that uses lgpio, such as a running table, has the pins {pins} open"
        yield Finding.note(_BUTTONS, Text(text, pins=", ".join(map(str, held))))
    elif not refused:
        yield Finding.ok(_BUTTONS, Text("the pins of this machine can be used"))


def machine_findings(machine: Machine, root: Path) -> Iterator[Finding]:
    """Yield findings about the model, its system, its voltage and its Wi-Fi."""
    kernel = ".".join(map(str, machine.kernel)) or Text("unknown")
    text = "{system}, kernel {kernel}, Python {python_version}"
    runs = Text(text, system=_system(root), kernel=kernel, python_version=platform.python_version())
    if machine.model is None:
        why = Text("{runs}; strip and buttons of a microcontroller work here too", runs=runs)
        yield Finding.note(Text("not a Raspberry Pi: mock panel and virtual strip"), why)
        return
    if machine.family is None:
        text = "{runs}; this version does not know this model, nor which strips it can drive"
        remedy = Text("see whether there is a newer version")
        yield Finding.note(as_text(machine.model), Text(text, runs=runs), remedy)
    else:
        yield Finding.ok(as_text(machine.model), runs)
    yield _voltage(machine)
    if is_wifi_off(root):
        yield Finding.note(Text("Wi-Fi"), WIFI_IS_OFF, WIFI_REMEDY)


def _voltage(machine: Machine) -> Finding:
    what = Text("supply voltage")
    if machine.undervolted is None:
        return Finding.note(what, Text("unknown: this Pi or its kernel does not measure it"))
    if machine.undervolted:
        why = Text("too low just now; the effects can look like faults of the program")
        return Finding.fix(what, why, _SUPPLY)
    return Finding.ok(what, Text("the kernel reports no undervoltage just now"))


def _system(root: Path) -> str:
    for file in (root / "etc/os-release", root / "usr/lib/os-release"):
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if name := re.search(r'^PRETTY_NAME="?([^"\n]+)', text, re.MULTILINE):
            return name[1]
    return platform.system()
