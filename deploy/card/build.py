"""Makes the folder to lay on a new card, and a manifest for Raspberry Pi Imager: `make card`.

The folder has the package for the card's system and needs what `make deb` needs. The manifest needs
the image of Raspberry Pi OS Lite (trixie, 64 bit) as it was downloaded, because Imager writes only
an image with the right checksum.
"""

import argparse
import hashlib
import json
import lzma
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final, NoReturn

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
CARD: Final = ROOT / "dist/card"
MANIFEST: Final = ROOT / "dist/crib-wars.rpi-imager-manifest"
FILES: Final = ("crib-wars.txt", "crib-wars-install.sh", "meta-data", "network-config", "user-data")
_BLOCK: Final = 1 << 20
_RELEASE: Final = "trixie"
_EXAMPLE: Final = f"2025-11-24-raspios-{_RELEASE}-arm64-lite.img.xz"
_PUBLIC_ICON: Final = "https://downloads.raspberrypi.org/raspios_armhf/Raspberry_Pi_OS_(32-bit).png"
_DEVICES: Final = ("pi5-64bit", "pi4-64bit", "pi3-64bit")
"""Raspberry Pi Imager's names of the models; the Zero 2 W is one of the third."""


def main() -> None:
    """Make folder and manifest, and print their paths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--image", type=Path)
    parser.add_argument("--url", help="the image's public address, for a manifest to hand on")
    asked = parser.parse_args()
    entry = image_entry(asked.image, asked.url) if asked.image else None
    script = str(ROOT / "deploy/deb/build.py")
    build = [sys.executable, script, "--release", _RELEASE, "--arch", "arm64"]
    run = subprocess.run(build, stdout=subprocess.PIPE, check=False, encoding="utf-8")
    if run.returncode:
        sys.exit(run.returncode)
    lay_out(CARD, Path(run.stdout.strip()))
    print(CARD)
    if entry:
        MANIFEST.write_text(json.dumps({"os_list": [entry]}, indent=2) + "\n", encoding="utf-8")
        print(MANIFEST)
    else:
        print("make card: no manifest: name the image of Raspberry Pi OS Lite with IMAGE=...")


def lay_out(folder: Path, package: Path) -> None:
    """Write the files of a card that installs this package."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(package, folder)
    version = package.name.split("_")[1]
    for name in FILES:
        text = (HERE / name).read_text(encoding="utf-8")
        text = text.replace("@PACKAGE@", package.name).replace("@VERSION@", version)
        (folder / name).write_text(text, encoding="utf-8")


def image_entry(image: Path, url: str | None = None) -> dict[str, object]:
    """Return the entry of an image, `.img` or `.img.xz`, in the manifest.

    Args:
        image: the downloaded file.
        url: its public address, if the manifest is for other machines than this one.
    """
    named = re.fullmatch(
        rf"(\d{{4}}-\d\d-\d\d)-raspios-{_RELEASE}-arm64-lite\.img(\.xz)?", image.name
    )
    if not named:
        _stop(f"{image} is no image of Raspberry Pi OS Lite, such as {_EXAMPLE}: name another one")
    digest, size = hashlib.sha256(), 0
    try:
        with lzma.open(image) if named[2] else image.open("rb") as content:
            while block := content.read(_BLOCK):
                digest.update(block)
                size += len(block)
    except (OSError, EOFError, lzma.LZMAError) as error:
        _stop(f"{image} cannot be read ({error}): download it again")
    return {
        "name": "Raspberry Pi OS Lite for a Crib Wars board",
        "description": "Write it without settings, then lay the folder card on it",
        "icon": _PUBLIC_ICON if url else (ROOT / "companion/page/icon.svg").as_uri(),
        "url": url or image.resolve().as_uri(),
        "extract_size": size,
        "extract_sha256": digest.hexdigest(),
        "image_download_size": image.stat().st_size,
        "release_date": named[1],
        "devices": _DEVICES,
        "init_format": "cloudinit-rpi",
    }


def _stop(why: str) -> NoReturn:
    sys.exit(f"make card: {why}")


if __name__ == "__main__":
    main()
