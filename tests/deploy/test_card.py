"""The folder for a new card: its files fit together, and cloud-init and systemd understand them."""

import hashlib
import lzma
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.settings.sd_card import CARD_FILE, CARD_FOLDER
from tests.deploy.test_deb import DEPLOY, analyze, exposure, needs_systemd

CLOUD_INIT = shutil.which("cloud-init")
BUILD = runpy.run_path(str(DEPLOY / "card/build.py"))
UNIT = DEPLOY / "cribwars-card.service"
SCRIPT = "crib-wars-install.sh"
PACKAGE = "cribwars_1.2~trixie_arm64.deb"


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """Return the folder with a package."""
    package = tmp_path / PACKAGE
    package.write_bytes(b"a package")
    folder = tmp_path / "dist/card"
    BUILD["lay_out"](folder, package)
    return folder


def test_the_folder_has_all_that_the_first_start_needs(card: Path) -> None:
    """It installs the package that it has; another version is another instance of cloud-init."""
    texts = {file.name: file.read_bytes() for file in card.iterdir()}
    of_cloud_init = {"meta-data", "network-config", "user-data"}
    assert {PACKAGE, CARD_FILE, SCRIPT, *of_cloud_init} == texts.keys()
    assert f"install -D /boot/firmware/{SCRIPT} ".encode() in texts["user-data"]
    assert f" --install {PACKAGE} >".encode() in texts[SCRIPT]
    assert b"\ninstance-id: cribwars-1.2~trixie\n" in texts["meta-data"]
    assert b"@" not in b"".join(texts.values())


@pytest.mark.tool(lacks="" if CLOUD_INIT else "needs the package cloud-init")
def test_cloud_init_understands_the_folder(card: Path) -> None:
    """Each key of the user data has the type that cloud-init wants."""
    command = [str(CLOUD_INIT), "schema", "--config-file", str(card / "user-data")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (0, "") == (run.returncode, run.stderr)


def test_an_image_is_offered_with_its_checksum(tmp_path: Path) -> None:
    """Sizes and checksum are of this file; its customisation is that of Raspberry Pi OS.

    A manifest for other machines names none of this machine's files.
    """
    content = b"image" * 1000
    image = tmp_path / "2025-11-24-raspios-trixie-arm64-lite.img.xz"
    image.write_bytes(lzma.compress(content))
    entry = BUILD["image_entry"](image)
    assert (len(content), image.stat().st_size) == (
        entry["extract_size"],
        entry["image_download_size"],
    )
    assert hashlib.sha256(content).hexdigest() == entry["extract_sha256"]
    assert ("2025-11-24", "cloudinit-rpi") == (entry["release_date"], entry["init_format"])
    assert image.as_uri() == entry["url"]
    public = f"https://example.com/{image.name}"
    handed_on = BUILD["image_entry"](image, public)
    assert public == handed_on["url"]
    assert "file:" not in str(handed_on)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("raspios.img.xz", b"", "is no image of Raspberry Pi OS Lite, such as"),
        ("2025-11-24-raspios-trixie-arm64-lite.img.xz", b"<html>", "cannot be read"),
        ("2025-11-24-raspios-trixie-arm64-lite.img", None, "cannot be read"),
    ],
)
def test_another_file_is_no_image(
    tmp_path: Path, name: str, content: bytes | None, why: str
) -> None:
    """The line names it, the problem, and what to do."""
    image = tmp_path / name
    if content is not None:
        image.write_bytes(content)
    with pytest.raises(SystemExit) as refused:
        BUILD["image_entry"](image)
    assert f"make card: {image} {why}" in str(refused.value)


def test_an_unchanged_card_costs_no_time_at_power_on() -> None:
    """The unit compares the files that the program writes, before table and network start."""
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    on_card, kept = f"/boot/firmware/{CARD_FILE}", f"/{CARD_FOLDER}/taken.txt"
    assert f"ExecCondition=/bin/sh -c '! cmp -s {on_card} {kept}'" in lines
    assert f"ConditionPathExists={on_card}" in lines
    assert f"StateDirectory={CARD_FOLDER.name}" in lines
    (before,) = (line for line in lines if line.startswith("Before="))
    assert {"cribwars.service", "NetworkManager.service"} <= {
        *before.removeprefix("Before=").split()
    }


@needs_systemd
def test_the_unit_is_fenced_in(tmp_path: Path) -> None:
    """It changes the system's files, and little else; systemd knows every line."""
    unit = tmp_path / UNIT.name
    text = UNIT.read_text(encoding="utf-8")
    unit.write_text(text.replace("/usr/lib/cribwars/bin/python", "/bin/true"), encoding="utf-8")
    assert exposure(unit) <= 4
    assert [] == [
        line for line in analyze("verify", "--man=no", unit).splitlines() if UNIT.name in line
    ]
