"""prepare-machine on a fake root writes first settings and boot lines, and keeps the user's."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from companion.settings.load import load_settings

DEPLOY = Path(__file__).parents[2] / "deploy"
STOCK_CONFIG = (
    "dtparam=audio=on\ndtoverlay=vc4-kms-v3d\n\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n\n[all]"
)
STOCK_CMDLINE = "console=serial0,115200 console=tty1 root=PARTUUID=5a2b rootfstype=ext4 rootwait\n"
SETTINGS = "etc/cribwars/cribwars.toml"
DROP_IN = "etc/systemd/system/cribwars.service.d/pwm.conf"

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="prepare-machine needs GNU tools: run on Linux"
)


def prepare(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run prepare-machine in the C locale, from the files of the repository."""
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "CRIBWARS_SHARE": str(DEPLOY)}
    command = ["sh", str(DEPLOY / "prepare-machine"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def prepare_root(root: Path, *arguments: str) -> str:
    """Run it on a fake root and return its output."""
    run = prepare("--root", root, *arguments)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def tree(root: Path) -> dict[str, bytes]:
    """Return every file below a directory."""
    files = (file for file in root.rglob("*") if file.is_file())
    return {str(file.relative_to(root)): file.read_bytes() for file in files}


def make_model(root: Path, model: str) -> None:
    """Give the fake machine the name of a board."""
    (root / "proc/device-tree").mkdir(parents=True)
    (root / "proc/device-tree/model").write_text(f"{model}\0", encoding="utf-8")


@pytest.fixture(params=["boot/firmware", "boot"])
def pi(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a fake root with the stock boot files, in their new or old directory."""
    boot = tmp_path / str(request.param)
    boot.mkdir(parents=True)
    (tmp_path / "run").mkdir()
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
    prepare_root(pi, *options)
    once = tree(pi)
    prepare_root(pi, *options)
    assert once == tree(pi)


def test_settings_of_the_user_stay(pi: Path) -> None:
    """A settings file that exists is kept byte for byte."""
    settings = pi / SETTINGS
    settings.parent.mkdir(parents=True)
    settings.write_text('board = "classic"  # ours\n', encoding="utf-8")
    make_model(pi, "Raspberry Pi 4 Model B Rev 1.4")
    prepare_root(pi)
    assert settings.read_text(encoding="utf-8") == 'board = "classic"  # ours\n'


@pytest.mark.parametrize(
    ("model", "driver"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0", "rpi_ws281x:spi"),
        ("Raspberry Pi 4 Model B Rev 1.4", "rpi_ws281x:spi"),
        ("Raspberry Pi 5 Model B Rev 1.0", "virtual"),
        ("Raspberry Pi Compute Module 5 Rev 1.0", "virtual"),
        ("Some other board", "virtual"),
        (None, "virtual"),
    ],
)
def test_first_settings(tmp_path: Path, model: str | None, driver: str) -> None:
    """The page is open to the house; the strip is on SPI where that drives one."""
    if model:
        make_model(tmp_path, model)
    prepare_root(tmp_path)
    settings = load_settings(tmp_path / SETTINGS, {})
    assert (driver, "0.0.0.0") == (  # noqa: S104  # a setting
        settings.strip.driver,
        settings.web.host,
    )


def test_suggested_settings_exist() -> None:
    """Every setting that the first file suggests is one of the program's, in the same table."""
    template = (DEPLOY / "cribwars.toml").read_text(encoding="utf-8")
    suggested = re.sub(r"(?m)^#(?! )", "", template)
    assert {"board", "strip", "web", "wiring"} == tomllib.loads(suggested).keys()
    load_settings(None, tomllib.loads(suggested))


def test_boot_lines_are_added_below_what_was_there(pi: Path) -> None:
    """config.txt begins as before, then has our block, whose last filter is [all] again."""
    assert "restart the Pi once" in prepare_root(pi)
    config = boot_file(pi, "config.txt").read_text(encoding="utf-8")
    block = (DEPLOY / "boot/config.txt").read_text(encoding="utf-8")
    assert f"{STOCK_CONFIG}\n{block}" == config
    assert config.endswith("\n[all]\n")


def test_boot_lines_of_the_user_stay(pi: Path) -> None:
    """A block edited by hand and a buffer size chosen by hand are left as they are."""
    prepare_root(pi)
    edited = boot_file(pi, "config.txt")
    edited.write_text(edited.read_text(encoding="utf-8").replace("=250", "=400"), encoding="utf-8")
    own = boot_file(pi, "cmdline.txt")
    own.write_text("root=PARTUUID=5a2b spidev.bufsiz=65536\n", encoding="utf-8")
    (pi / "run/reboot-required").unlink()
    before = tree(pi)
    assert "" == prepare_root(pi)
    assert before == tree(pi)


def test_the_kernel_command_line_stays_one_line(pi: Path) -> None:
    """The buffer size joins the first and only line of cmdline.txt."""
    prepare_root(pi)
    cmdline = boot_file(pi, "cmdline.txt").read_text(encoding="utf-8")
    assert f"{STOCK_CMDLINE.rstrip()} spidev.bufsiz=32768\n" == cmdline


def test_registers_and_silence_only_for_pwm(pi: Path) -> None:
    """Only --pwm turns analogue sound off and lets the service write registers; --spi ends that.

    An update replaces the drop-in of an earlier version.
    """
    prepare_root(pi)
    assert not (pi / DROP_IN).exists()
    assert "audio=off" not in boot_file(pi, "config.txt").read_text(encoding="utf-8")
    prepare_root(pi, "--pwm")
    assert (DEPLOY / "cribwars-pwm.conf").read_bytes() == (pi / DROP_IN).read_bytes()
    assert "audio=off" in boot_file(pi, "config.txt").read_text(encoding="utf-8")
    (pi / DROP_IN).write_text("[Service]\nUser=root\n", encoding="utf-8")
    prepare_root(pi)
    assert (DEPLOY / "cribwars-pwm.conf").read_bytes() == (pi / DROP_IN).read_bytes()
    prepare_root(pi, "--spi")
    assert not (pi / DROP_IN).exists()


def test_wrong_use_is_one_line() -> None:
    """An unknown option or a missing directory is exit 2 and one line."""
    for arguments in (["--fast"], ["--root"], ["--root", "/nowhere/at/all"]):
        run = prepare(*arguments)
        assert (run.returncode, run.stdout, len(run.stderr.splitlines())) == (2, "", 1)
