"""install.sh on a fake root: what it writes, and what it leaves alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"
INSTALL = DEPLOY / "install.sh"
STOCK_CONFIG = (
    "dtparam=audio=on\ndtoverlay=vc4-kms-v3d\n\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n\n[all]"
)
STOCK_CMDLINE = "console=serial0,115200 console=tty1 root=PARTUUID=5a2b rootfstype=ext4 rootwait\n"

pytestmark = pytest.mark.skipif(
    sys.platform != "linux",
    reason="install.sh needs GNU tools: run on Linux",
)


def install(*arguments: str | Path, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run install.sh in the C locale."""
    environment = {"PATH": path or os.environ["PATH"], "LC_ALL": "C"}
    return subprocess.run(
        [str(INSTALL), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


def install_on(root: Path, *arguments: str) -> str:
    """Run install.sh on a fake root and return its output."""
    run = install("--root", root, *arguments)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def tree(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file below a directory, with its mode and content."""
    return {
        str(file.relative_to(root)): (file.stat().st_mode, file.read_bytes())
        for file in root.rglob("*")
        if file.is_file()
    }


@pytest.fixture(params=["boot/firmware", "boot"])
def pi(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a fake root with the stock boot files, in their new or old directory."""
    boot = tmp_path / str(request.param)
    boot.mkdir(parents=True)
    (boot / "config.txt").write_text(STOCK_CONFIG, encoding="utf-8")
    (boot / "cmdline.txt").write_text(STOCK_CMDLINE, encoding="utf-8")
    return tmp_path


def boot_file(root: Path, name: str) -> Path:
    """Find the boot file of a name in the fake root."""
    (file,) = (root / "boot").rglob(name)
    return file


@pytest.mark.parametrize("options", [[], ["--pwm"]])
def test_a_second_run_changes_nothing(pi: Path, options: list[str]) -> None:
    """Two runs leave exactly the files that one run leaves."""
    install_on(pi, *options)
    once = tree(pi)
    install_on(pi, *options)
    assert once == tree(pi)


def test_a_dry_run_changes_nothing(pi: Path) -> None:
    """--dry-run names every file that a real run then writes, and writes none."""
    before = tree(pi)
    said = install_on(pi, "--dry-run")
    assert before == tree(pi)
    install_on(pi)
    after = tree(pi)
    assert [
        f for f, was in after.items() if was != before.get(f) and f"{pi}/{f}\n" not in said
    ] == []


def test_settings_of_the_user_stay(pi: Path) -> None:
    """A settings file that exists is kept byte for byte, and the run says so."""
    settings = pi / "etc/cribwars/cribwars.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('board = "classic"  # ours\n', encoding="utf-8")
    said = install_on(pi)
    assert settings.read_text(encoding="utf-8") == 'board = "classic"  # ours\n'
    assert f"kept your settings: {settings}" in said


@pytest.mark.parametrize(("options", "owner"), [((), "cribwars"), (("--pwm",), "root")])
def test_the_settings_are_whose_the_service_is(options: tuple[str, ...], owner: str) -> None:
    """So that the page can change them; whoever was the owner before."""
    said = install("--dry-run", *options).stdout
    assert f"would run: chown --recursive {owner}: /etc/cribwars\n" in said


def test_first_settings_are_the_defaults(pi: Path) -> None:
    """The settings file of a first install sets nothing."""
    install_on(pi)
    assert tomllib.loads((pi / "etc/cribwars/cribwars.toml").read_text(encoding="utf-8")) == {}


def test_suggested_settings_exist() -> None:
    """Every setting that the first file suggests is one of the program's, in the same table."""
    template = (DEPLOY / "cribwars.toml").read_text(encoding="utf-8")
    suggested = tomllib.loads(re.sub(r"(?m)^#(?! )", "", template))
    defaults = tomllib.loads(
        (DEPLOY.parent / "companion/settings/defaults.toml").read_text("utf-8")
    )
    assert {"board", "strip", "web", "wiring"} == suggested.keys()
    assert suggested.keys() <= defaults.keys()
    assert suggested["strip"].keys() <= defaults["strip"].keys()
    assert suggested["web"].keys() <= defaults["web"].keys()


def test_boot_lines_are_added_below_what_was_there(pi: Path) -> None:
    """config.txt begins as before, then has our block, whose last filter is [all] again."""
    install_on(pi)
    config = boot_file(pi, "config.txt").read_text(encoding="utf-8")
    block = (DEPLOY / "boot/config.txt").read_text(encoding="utf-8")
    assert f"{STOCK_CONFIG}\n{block}" == config
    assert config.endswith("\n[all]\n")


def test_boot_lines_of_the_user_stay(pi: Path) -> None:
    """A block edited by hand and a buffer size chosen by hand are left as they are."""
    install_on(pi)
    edited = boot_file(pi, "config.txt")
    edited.write_text(edited.read_text(encoding="utf-8").replace("=250", "=400"), encoding="utf-8")
    own = boot_file(pi, "cmdline.txt")
    own.write_text("root=PARTUUID=5a2b spidev.bufsiz=65536\n", encoding="utf-8")
    before = tree(pi)
    assert "sudo reboot" not in install_on(pi)
    assert before == tree(pi)


def test_the_kernel_command_line_stays_one_line(pi: Path) -> None:
    """The buffer size joins the first and only line of cmdline.txt."""
    said = install_on(pi)
    cmdline = boot_file(pi, "cmdline.txt").read_text(encoding="utf-8")
    assert f"{STOCK_CMDLINE.rstrip()} spidev.bufsiz=32768\n" == cmdline
    assert "sudo reboot" in said


def test_sound_goes_off_only_for_pwm(pi: Path) -> None:
    """Only --pwm turns analogue sound off and makes the service root's."""
    drop_in = pi / "etc/systemd/system/cribwars.service.d/pwm.conf"
    install_on(pi)
    assert not drop_in.exists()
    assert "audio=off" not in boot_file(pi, "config.txt").read_text(encoding="utf-8")
    install_on(pi, "--pwm")
    assert (DEPLOY / "cribwars-pwm.conf").read_bytes() == drop_in.read_bytes()
    assert "audio=off" in boot_file(pi, "config.txt").read_text(encoding="utf-8")


def test_a_machine_without_boot_files_is_told(tmp_path: Path) -> None:
    """Without config.txt the rest is installed and one line says what was left out."""
    said = install_on(tmp_path)
    assert "boot lines left out" in said
    assert (tmp_path / "etc/systemd/system/cribwars.service").is_file()


def test_the_environment_sees_lgpio_of_the_system() -> None:
    """The lgpio module comes from apt, into an environment that sees system packages."""
    said = install("--dry-run").stdout.splitlines()
    (packages,) = (line for line in said if line.startswith("would run: apt-get install"))
    assert "python3-lgpio" in packages.split()
    assert "would run: python3 -m venv --system-site-packages /opt/cribwars/venv" in said
    assert (
        f"would run: /opt/cribwars/venv/bin/python -m pip install --upgrade {DEPLOY.parent}[pi]"
        in (said)
    )


def test_the_packages_of_blinka_on_a_pi_5_are_asked_for() -> None:
    """They come only when asked for, beside the others."""
    said = install("--dry-run", "--pi5").stdout
    assert f"pip install --upgrade {DEPLOY.parent}[pi,pi5]\n" in said


def test_without_root_it_stops_in_one_line(tmp_path: Path) -> None:
    """Any other user gets one line that says how to run it, and exit 2."""
    somebody = tmp_path / "id"
    somebody.write_text("#!/bin/sh\necho 1000\n", encoding="utf-8")
    somebody.chmod(0o755)
    run = install(path=f"{tmp_path}:{os.environ['PATH']}")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.splitlines() == ["install.sh: needs root: run it as  sudo deploy/install.sh"]


@pytest.mark.parametrize("arguments", [["--fast"], ["--root"], ["--root", "/nowhere/at/all"]])
def test_wrong_use_is_one_line(arguments: list[str]) -> None:
    """An unknown option or a missing directory is exit 2 and one line."""
    run = install(*arguments)
    assert (run.returncode, run.stdout, len(run.stderr.splitlines())) == (2, "", 1)


def test_going_back_to_spi_takes_the_rights_of_root_away(tmp_path: Path) -> None:
    """The drop-in that runs the service as root for PWM goes with the next run without --pwm."""
    install_on(tmp_path, "--pwm")
    drop_in = tmp_path / "etc/systemd/system/cribwars.service.d/pwm.conf"
    assert drop_in.is_file()
    assert f"would remove: {drop_in}" in install("--root", tmp_path, "--dry-run").stdout
    install_on(tmp_path)
    assert not drop_in.exists()
