"""Releases and processors that packages are built for."""

import platform
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

PYTHONS: Final = {"bookworm": "3.11", "trixie": "3.13"}
"""Version of Debian's Python in each release."""
MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}
"""Name of each architecture outside of Debian."""
_GLIBC: Final = ("2_28", "2_27", "2_17")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Release and architecture of a package."""

    release: str
    arch: str

    @property
    def python(self) -> str:
        """Version of the target's Python, such as 3.11."""
        return PYTHONS[self.release]

    @property
    def compiler(self) -> str:
        """Command of the C compiler that builds for the target on this machine."""
        machine = MACHINES[self.arch]
        return "gcc" if machine == platform.machine() else f"{machine}-linux-gnu-gcc"

    @property
    def pip_options(self) -> list[str]:
        """Options with which pip takes wheels for the target, whatever Python pip runs on."""
        machine = MACHINES[self.arch]
        platforms = [f"--platform=manylinux_{glibc}_{machine}" for glibc in _GLIBC]
        return [
            *("--only-binary=:all:", "--implementation=cp", f"--python-version={self.python}"),
            *(*platforms, f"--platform=manylinux2014_{machine}"),
        ]


ALL: Final = [Target(release=release, arch=arch) for release, arch in product(PYTHONS, MACHINES)]


def target_here(root: Path = Path("/")) -> Target:
    """Return the target of this machine, which may be no release or architecture of ours."""
    fields = dict(
        line.partition("=")[::2] for line in (root / "etc/os-release").read_text().splitlines()
    )
    release = fields.get("VERSION_CODENAME", "")
    arch = {machine: arch for arch, machine in MACHINES.items()}.get(platform.machine(), "")
    return Target(release=release, arch=arch)
