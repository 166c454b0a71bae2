"""The package for arm64, its program run by QEMU: collected by name alone, as it needs minutes."""

import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.appliance.machine import DPKG_DEB, built, extracted_root, missing_package, overlay
from tests.appliance.page import until

QEMU = shutil.which("qemu-aarch64-static")
START_S = 300.0
"""Seconds that a start may take: a Pi's processor is emulated, and nothing is compiled before."""

pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.tool(lacks=missing_package() if QEMU else "needs the package qemu-user-static"),
]


@pytest.fixture(scope="module")
def package(release: str) -> Path:
    """Return the package of the release for a Raspberry Pi."""
    return built(release, "arm64")


def test_the_program_runs_on_a_processor_of_a_pi(
    release: str, package: Path, port: int, tmp_path: Path
) -> None:
    """Its page answers, a count is accepted, and its compiled modules load."""
    with ExitStack() as opened:
        root = overlay(extracted_root(release, "arm64"), tmp_path / "machine", opened)
        subprocess.run([DPKG_DEB, "-x", str(package), str(root)], check=True, timeout=60)
        shutil.copy(str(QEMU), root / "qemu")
        python = ("/usr/sbin/chroot", str(root), "/qemu", "/usr/lib/cribwars/bin/python", "-sP")
        driver = (*python, "-c", "import _lgpio, _rpi_ws281x; _rpi_ws281x.new_ws2811_t()")
        subprocess.run(driver, check=True, timeout=START_S)
        options = ("--simulate", "--port", str(port), "--data", "/games")
        program = subprocess.Popen([*python, "/usr/lib/cribwars/bin/cribwars", "run", *options])
        opened.callback(program.wait, 30)
        opened.callback(program.kill)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as page:
            until(lambda: page.get("/api/table").is_success, START_S, "the page")
            for button in ("1.plus_five", "1.enter"):
                press = {"button": button, "seconds": 0.02}
                page.post("/api/press", json=press).raise_for_status()
            until(lambda: page.get("/api/table").json()["seq"] == 1, 60, "an accepted count")
