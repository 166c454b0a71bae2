"""The systemd unit is strict, without the two settings that would blind or disarm the program."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.runtime.start import STRIP_TIMEOUT_S

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = DEPLOY / "cribwars.service"
ANALYZE = shutil.which("systemd-analyze")
FIRST_PAGE_S = 10
"""Seconds that a slow Pi may take until the page answers."""

needs_systemd = pytest.mark.tool(lacks="" if ANALYZE else "needs the package systemd")


def analyze(*arguments: str | Path) -> str:
    """Return the output of systemd-analyze on both streams."""
    run = subprocess.run(
        [str(ANALYZE), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return run.stdout


def exposure(unit: Path) -> float:
    """Return the exposure of a unit file with its drop-ins, from 0 (safe) to 10 (exposed)."""
    said = analyze("security", "--offline=true", "--no-pager", unit)
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", said)
    assert found is not None, said
    return float(found[1])


def settings() -> dict[str, str]:
    """Return the unit's settings, the last value of each."""
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("=") for line in lines if "=" in line and not line.startswith("#"))
    return {key: value for key, _, value in pairs}


@pytest.fixture
def pwm_unit(tmp_path: Path) -> Path:
    """Return the unit with the PWM drop-in beside it, running /bin/true."""
    unit = tmp_path / UNIT.name
    runnable = re.sub(r"(?m)^ExecStart=.*$", "ExecStart=/bin/true", UNIT.read_text("utf-8"))
    unit.write_text(runnable, encoding="utf-8")
    drop_ins = tmp_path / "cribwars.service.d"
    drop_ins.mkdir()
    shutil.copy(DEPLOY / "cribwars-pwm.conf", drop_ins)
    return unit


@needs_systemd
def test_the_service_is_exposed_at_most_1_5() -> None:
    """Without root the unit's exposure stays at 1.5 or below."""
    assert exposure(UNIT) <= 1.5


@needs_systemd
def test_the_right_for_pwm_is_fenced_in(pwm_unit: Path) -> None:
    """With the PWM drop-in the exposure stays at 1.8 or below, and is worse than without."""
    assert exposure(UNIT) < exposure(pwm_unit) <= 1.8


@needs_systemd
def test_units_of_sticks_and_updates_are_fenced_in(tmp_path: Path) -> None:
    """A unit that mounts needs the machine's own view of files; one that runs dpkg changes them."""
    assert exposure(DEPLOY / "cribwars-stick@.service") <= 3.5
    for name in ("cribwars-update@.service", "cribwars-prove-update.service"):
        unit = Path(shutil.copy(DEPLOY / "update" / name, tmp_path))
        drop_ins = tmp_path / f"{name}.d"
        drop_ins.mkdir()
        shutil.copy(DEPLOY / "update/confined.conf", drop_ins)
        assert exposure(unit) <= 2.5


@needs_systemd
def test_systemd_understands_every_line(pwm_unit: Path) -> None:
    """Each section and setting of the unit and its drop-in is known to systemd."""
    said = analyze("verify", "--man=no", pwm_unit)
    assert [line for line in said.splitlines() if str(pwm_unit.parent) in line] == []


def test_nothing_hides_the_board_or_its_groups() -> None:
    """Neither the board's revision nor the devices and their groups are hidden."""
    assert set() == {"ProcSubset", "PrivateUsers", "PrivateDevices"} & settings().keys()


def test_its_groups_are_those_of_its_user() -> None:
    """Strip, buttons and sound, which the service may open, its user may open in a shell, too."""
    lines = (DEPLOY / "cribwars.sysusers").read_text(encoding="utf-8").splitlines()
    groups = [line.split()[2] for line in lines if line.startswith("m ")]
    assert groups == settings()["SupplementaryGroups"].split()
    assert {"audio", "gpio", "spi", "dialout"} == set(groups)
    assert "\nDeviceAllow=char-alsa rw\n" in UNIT.read_text(encoding="utf-8")


def test_a_frozen_program_is_back_within_40_seconds() -> None:
    """The time has watchdog, signal, the wait before the next start, and the start."""
    service = settings()
    assert "notify" == service["Type"]
    seconds = sum(int(service[name]) for name in ("WatchdogSec", "TimeoutStopSec", "RestartSec"))
    assert seconds + FIRST_PAGE_S <= 40
    assert STRIP_TIMEOUT_S + int(service["RestartSec"]) + FIRST_PAGE_S <= 40


def test_lgpio_can_make_its_pipe() -> None:
    """The service has a folder for temporary files, where `hardware.pins` lets lgpio make it."""
    assert "yes" == settings()["PrivateTmp"]


def test_the_page_can_save_settings() -> None:
    """Besides its own folders the service can write only the folder of the settings file."""
    service = settings()
    assert ("strict", "-/etc/cribwars") == (service["ProtectSystem"], service["ReadWritePaths"])
    assert "--config /etc/cribwars/cribwars.toml" in service["ExecStart"]


def test_a_start_that_fails_is_tried_for_ever() -> None:
    """It is tried every five seconds without a limit, so that nobody has to log in."""
    service = settings()
    assert ("on-failure", "5", "0") == (
        service["Restart"],
        service["RestartSec"],
        service["StartLimitIntervalSec"],
    )


def test_the_command_line_is_the_installed_one() -> None:
    """The unit starts the program of the package, with the settings that it makes.

    It names nothing else, so that a missing part falls back.
    """
    service = settings()
    assert "/usr/bin/cribwars run --config /etc/cribwars/cribwars.toml" == service["ExecStart"]
    assert ["cribwars"] * 3 == [
        service[f"{kind}Directory"] for kind in ("State", "Cache", "Runtime")
    ]
    assert "yes" == service["RuntimeDirectoryPreserve"]


def test_the_log_is_bounded() -> None:
    """A repeated fault writes a bounded number of lines in each half minute."""
    service = settings()
    assert ("30s", "200") == (service["LogRateLimitIntervalSec"], service["LogRateLimitBurst"])
