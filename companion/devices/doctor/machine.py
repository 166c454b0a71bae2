"""Findings about the machine itself and its supply."""

import platform
import re
from collections.abc import Iterator
from pathlib import Path

from companion.devices.doctor.finding import Finding
from companion.errors import Text
from hardware.pi import Machine

_SUPPLY = (
    "use a supply of 5.1 V made for this Pi with a short, thick cable, and feed the strip from a "
    "supply of its own"
)


def machine_findings(machine: Machine, root: Path) -> Iterator[Finding]:
    """Yield findings about the model, its system and its voltage."""
    kernel = ".".join(map(str, machine.kernel)) or "unknown"
    text = "{system}, kernel {kernel}, Python {python_version}"
    runs = Text(text, system=_system(root), kernel=kernel, python_version=platform.python_version())
    if machine.model is None:
        why = Text("{runs}; a strip or panel behind a cable does not mind", runs=runs)
        yield Finding.note("not a Raspberry Pi: mock panel and virtual strip", why)
        return
    if machine.family is None:
        text = "{runs}; a board that this version does not know: which strips it drives is open"
        remedy = "see whether there is a newer version"
        yield Finding.note(machine.model, Text(text, runs=runs), remedy)
    else:
        yield Finding.ok(machine.model, runs)
    yield _voltage(machine)


def _voltage(machine: Machine) -> Finding:
    what = "supply voltage"
    if machine.undervolted is None:
        return Finding.note(what, "cannot tell: this board or its kernel does not measure it")
    if machine.undervolted:
        why = "too low just now; what comes of that looks like faults of the program"
        return Finding.fix(what, why, _SUPPLY)
    return Finding.ok(what, "the kernel sees no drop just now")


def _system(root: Path) -> str:
    """Return the name that the operating system gives itself."""
    for file in (root / "etc/os-release", root / "usr/lib/os-release"):
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if name := re.search(r'^PRETTY_NAME="?([^"\n]+)', text, re.MULTILINE):
            return name[1]
    return platform.system()
