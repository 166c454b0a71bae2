"""The kept images of the AVR firmware are those of its sources."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.simavr_harness import FIRMWARE, missing_compiler

NAMES = ("mega-1000000", "mega-500000", "uno-1000000", "uno-500000")
FLASH = {"mega": 256 * 1024 - 8192, "uno": 32 * 1024 - 2048}
"""Bytes beside the largest bootloader in use."""

built = pytest.mark.emulator(lacks=missing_compiler())


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
