"""Packages for the machines: built by `make deb`, and repacked as other versions."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DPKG_DEB: Final = "/usr/bin/dpkg-deb"
_BUILD_S: Final = 300


def built(release: str, arch: str = "amd64") -> Path:
    """Return the package for a release and a processor, rebuilt if sources have changed."""
    found = list((ROOT / "dist").glob(f"cribwars_*~{release}_{arch}.deb"))
    folders = [ROOT / name for name in ("companion", "deploy", "firmware_bridge", "hardware")]
    sources = [file.stat().st_mtime for folder in folders for file in folder.rglob("*.*")]
    if len(found) == 1 and found[0].stat().st_mtime > max(sources):
        return found[0]
    build = [sys.executable, str(ROOT / "deploy/deb/build.py"), "--release", release]
    options = ["--arch", arch]
    made = subprocess.run(
        [*build, *options], stdout=subprocess.PIPE, check=True, text=True, timeout=_BUILD_S
    )
    return Path(made.stdout.strip())


def repacked(package: Path, folder: Path, version: str, *changes: tuple[str, str]) -> Path:
    """Return the package as another version, with text appended to some files."""
    arch = package.stem.rpartition("_")[2]
    tree, file = folder / version, folder / f"cribwars_{version}_{arch}.deb"
    subprocess.run([DPKG_DEB, "-R", str(package), str(tree)], check=True)
    control = tree / "DEBIAN/control"
    text = control.read_text()
    control.write_text(re.sub(r"(?m)^Version: .*$", f"Version: {version}", text))
    for name, content in changes:
        (tree / name).write_text(content)
    build = [DPKG_DEB, "-Znone", "--root-owner-group", "-b", str(tree), str(file)]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    return file
