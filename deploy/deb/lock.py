"""Renews the lock files: each version with the hashes of its files, for every target.

Run it with the Python of the development environment: `make locks`. It asks pip alone, and names
no host.
"""

import json
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from targets import ALL

HERE: Final = Path(__file__).parent
SOURCES: Final = ("lgpio>=0.2.2", "rpi-ws281x>=5.0")
"""Packages to compile. Where lgpio has no wheel, pip would take an empty old one."""
BUILDERS: Final = ("hatchling>=1.26", "setuptools>=75", "swig>=4.5")
UNUSED: Final = frozenset({"setuptools"})
"""Packages that others require but never import, such as colorzero."""

_Pins = dict[tuple[str, str], set[str]]


def main() -> None:
    """Write the lock files."""
    project = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    needed = project["project"]["dependencies"]
    needed += project["project"]["optional-dependencies"]["night"]
    _write("wheels", (_without_unused(resolved(*each.pip_options, *needed)) for each in ALL))
    _write("build", (resolved(*each.pip_options, *BUILDERS) for each in ALL))
    _write("source", [resolved("--no-deps", "--no-binary=:all:", *SOURCES)])


def resolved(*arguments: str) -> _Pins:
    """Return names and versions that pip would install, with the hashes of their files."""
    pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    report = ["--dry-run", "--ignore-installed", "--target=none", "--report=-"]
    run = subprocess.run([*pip, *report, *arguments], stdout=subprocess.PIPE, check=True)
    pins: _Pins = {}
    for item in json.loads(run.stdout)["install"]:
        name, version = item["metadata"]["name"], item["metadata"]["version"]
        hashes = item["download_info"]["archive_info"]["hashes"]
        pins[name.lower().replace("_", "-"), version] = {f"sha256:{hashes['sha256']}"}
    return pins


def _without_unused(pins: _Pins) -> _Pins:
    return {key: hashes for key, hashes in pins.items() if key[0] not in UNUSED}


def _write(name: str, found: Iterable[_Pins]) -> None:
    merged: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for pins in found:
        for key, hashes in pins.items():
            merged[key] |= hashes
    versions = dict(merged)
    if len({project for project, _ in versions}) < len(versions):
        sys.exit(f"lock.py: {name}: the targets have different versions: {sorted(versions)}")
    lines = [
        " \\\n".join([f"{project}=={version}", *(f"    --hash={each}" for each in sorted(hashes))])
        for (project, version), hashes in sorted(versions.items())
    ]
    file = HERE / "locks" / f"{name}.txt"
    file.write_text("# Made by `make locks`.\n" + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
