"""Facts about USB sticks at an installed board: what became of each, in small files.

The first line of a file is the kind of the fact, each other line one of its values. Beside the
mount point `sda1` scripts of root leave `sda1.mount` and `sda1.update`; the backup, which is not
root's, leaves `sda1` in the runtime folder of its unit. A stick that was pulled out has no mount
point and no files of root's any more, and then what the backup left is past.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

BACKUP_FACTS: Final = Path("/run/cribwars-backup")
"""Runtime folder of the backup's unit."""
_SOURCES: Final = (".mount", ".backup", ".update")
_LONGEST: Final = 500
"""Characters of a file that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StickFact:
    """Fact about a stick: its kind, and the values that go with it."""

    kind: str
    values: tuple[str, ...] = ()


def leave_fact(folder: Path, stick: str, fact: StickFact) -> None:
    """Leave a fact about a stick for `stick_facts`; an `OSError` if it cannot be written."""
    new = folder / f".{stick}.new"
    new.write_text("\n".join((fact.kind, *fact.values, "")), encoding="utf-8")
    new.replace(folder / stick)


def stick_facts(sticks: Path, backups: Path = BACKUP_FACTS) -> Mapping[str, tuple[StickFact, ...]]:
    """Return by name the facts about the sticks that are in, in the order in which they came.

    Nothing on a stick is touched: one that does not answer keeps nobody waiting.
    """
    with suppress(OSError):
        names = sorted(os.listdir(sticks))  # noqa: PTH208  # a look at each would ask the stick
        places = {name: sticks / name for name in names}
        mounted = [name for name in names if "." not in name]
        places |= {f"{name}.backup": backups / name for name in mounted}
        known = dict.fromkeys(name.partition(".")[0] for name in names)
        found = {
            stick: tuple(filter(None, (_read(places.get(stick + source)) for source in _SOURCES)))
            for stick in known
        }
        return {stick: facts for stick, facts in found.items() if facts}
    return {}


def _read(file: Path | None) -> StickFact | None:
    with suppress(OSError):
        if file:
            text = file.read_text(encoding="utf-8", errors="replace")[:_LONGEST]
            kind, *values = text.splitlines() or [""]
            return StickFact(kind=kind, values=tuple(values))
    return None
