"""USB sticks in a board's computer: lines about them for the page, and consent to an update.

Scripts that run as root, and the backup command, write facts about a stick to small files. For the
mount point `sda1`, the scripts write `sda1.mount` and `sda1.update` beside it; the command, which
does not run as root, writes `sda1` in the runtime folder of its systemd unit. The first line of a
file is the kind of the fact; each other line is a value. When a stick is pulled out, its mount
point and the files beside it vanish; the file of the backup command is ignored from then on, and
deleted before the next stick of this name is mounted.

A version of the program without a signature is installed only if somebody holds a button. The
script that installs it writes a text with the hash of the version's file into `sda1.update`. If the
button is held, the program writes the same text into the file `CONSENT`, which the script reads.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.errors import Text, joined
from companion.table import Table
from companion.table.panel.consents import ConsentRequest

BACKUP_FACTS: Final = Path("/run/cribwars-backup")  # runtime folder of the backup's unit
_SOURCES: Final = (".mount", ".backup", ".update")
_LONGEST: Final = 500  # most characters that are read from a file


@dataclass(frozen=True, slots=True, kw_only=True)
class StickFact:
    """Fact about a stick, such as the kind "installed" with the version as value."""

    kind: str
    values: tuple[str, ...] = ()


def leave_fact(folder: Path, stick: str, fact: StickFact) -> None:
    """Write a fact into a file that `stick_facts` can read.

    Raises:
        OSError: the file cannot be written.
    """
    new = folder / f".{stick}.new"
    new.write_text("\n".join((fact.kind, *fact.values, "")), encoding="utf-8")
    new.replace(folder / stick)


def stick_facts(sticks: Path, backups: Path = BACKUP_FACTS) -> Mapping[str, tuple[StickFact, ...]]:
    """Return the facts about each stick that is plugged in, by the stick's name.

    The sticks themselves are not read, because a stick that does not answer would block the reader.
    """
    with suppress(OSError):
        names = sorted(os.listdir(sticks))  # noqa: PTH208  # pathlib would read the sticks
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


POLL_S: Final = 2.0  # seconds between two looks at the sticks
CONSENT: Final = "update-consent"  # name of the file with the table's consent
_NOTHING: Final = "nothing-new"
_WORDS: Final[Mapping[str, Callable[[str], Text]]] = {
    "unmountable": lambda why: Text("it could not be mounted ({why})", why=why),
    "backed-up": lambda _: Text("a backup was made"),
    _NOTHING: lambda _: Text("nothing to do"),
    "write-protected": lambda _: Text("it is write-protected: no backup"),
    "full": lambda _: Text("it is full: no backup"),
    "linked": lambda _: Text("its folder for backups is a link: no backup"),
    "no-backup": lambda why: Text("no backup: {why}", why=why),
    "unsigned": lambda version: Text(
        "version {version} is not signed, and waits to be allowed", version=version
    ),
    "lapsed": lambda version: Text(
        "version {version} is not signed, and nobody held Deal: put the stick in once more",
        version=version,
    ),
    "installing": lambda version: Text("version {version} is being installed", version=version),
    "installed": lambda version: Text("version {version} was installed", version=version),
    "failed": lambda version: Text(
        "version {version} could not be installed: the log has the reason", version=version
    ),
}
"""Function that makes a text from the values of a fact, by the kind of the fact."""


def stick_lines(facts: Mapping[str, tuple[StickFact, ...]]) -> tuple[Text, ...]:
    """Return a line for each stick that has a fact of a known kind.

    >>> installed = StickFact(kind="installed", values=("9",))
    >>> print(*stick_lines({"sda1": (StickFact(kind="nothing-new"), installed)}))
    USB stick sda1: version 9 was installed
    """
    lines = []
    for stick, found in facts.items():
        known = [fact for fact in found if fact.kind in _WORDS]
        said = [fact for fact in known if fact.kind != _NOTHING] or known
        if said:
            texts = (_WORDS[fact.kind](" ".join(fact.values)) for fact in said)
            lines.append(Text("USB stick {stick}: {text}", stick=stick, text=joined("; ", texts)))
    return tuple(lines)


async def watch_sticks(
    table: Table,
    sticks: Path,
    *,
    answers: Path | None,
    backups: Path = BACKUP_FACTS,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Show the lines about sticks, and ask at the table for consent to a version, until cancelled.

    Args:
        table: the running table; its page shows the lines, and its button gives consent.
        sticks: the folder of the mount points.
        answers: the folder for the file `CONSENT`; None to ask for no consent.
        backups: the folder of the backup's facts.
        sleep: waits for a number of seconds.
    """
    asked, number = None, 0
    while True:
        facts = await asyncio.to_thread(stick_facts, sticks, backups)
        table.notices.show_sticks(stick_lines(facts))
        wanted = _unsigned(facts)
        if asked and wanted != asked:
            table.consent(number, granted=False)
        if wanted and wanted != asked and answers:
            number = _ask(table, *wanted, answers)
        asked = wanted
        await sleep(POLL_S)


def _unsigned(facts: Mapping[str, tuple[StickFact, ...]]) -> tuple[str, str] | None:
    """Return the version that waits for consent, and the text for `CONSENT`; None if none waits."""
    for fact in (fact for found in facts.values() for fact in found):
        match fact:
            case StickFact(kind="unsigned", values=(version, asked)):
                return version, asked
            case _:
                continue
    return None


def _ask(table: Table, version: str, asked: str, answers: Path) -> int:
    request = ConsentRequest(
        kind="update", name=version, button="deal", asker=asked, network="", needs_button=True
    )
    number, answer = table.ask(request)

    def finish(done: asyncio.Future[bool]) -> None:
        if done.result():
            leave_fact(answers, CONSENT, StickFact(kind=asked))

    answer.add_done_callback(finish)
    return number
