"""Files damaged at random: a loss is reported, never silent, and never ends in a traceback.

If the journal or its mirror is damaged, nothing is lost. If both are damaged in different ways, a
start reports the loss. A loss that only the records report counts as silent.
"""

import random
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from companion.errors import CompanionError
from companion.journal.mirror import MIRROR
from companion.journal.store import FILE as JOURNAL
from companion.records.records import Records
from companion.settings.load import load_settings
from companion.settings.sources import PAGE_FILE, page_file
from tests.campaign.figures import Verdicts
from tests.campaign.session import Session, Snapshot, inspect, paths

OPERATIONS: Final = 30
BOTH: Final = 0.5
"""Chance that journal and mirror are both damaged, if one of them is."""


def flip(content: bytearray, chance: random.Random) -> None:
    """Flip one bit."""
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def blank(content: bytearray, chance: random.Random) -> None:
    """Overwrite a sector with zeros."""
    at = chance.randrange(0, len(content), 512)
    content[at : at + 512] = bytes(len(content[at : at + 512]))


def cut(content: bytearray, chance: random.Random) -> None:
    """Cut off the end."""
    del content[chance.randrange(len(content)) :]


def swap(content: bytearray, chance: random.Random) -> None:
    """Overwrite a sector with another one."""
    one, other = (chance.randrange(0, len(content), 512) for _ in range(2))
    content[one : one + 512] = content[other : other + 512]


def scrawl(content: bytearray, chance: random.Random) -> None:
    """Write random bytes at a random place."""
    at = chance.randrange(len(content))
    content[at : at + 64] = chance.randbytes(len(content[at : at + 64]))


DAMAGES: Final[tuple[Callable[[bytearray, random.Random], None], ...]] = (
    flip,
    blank,
    cut,
    swap,
    scrawl,
)


def _recorded(folder: Path) -> tuple[object, list[str]]:
    """Read every game; return their ends, and the damage that the records report."""
    data, _, _ = paths(folder)
    with Records(data) as records:
        games = records.games()
        for game in games:
            records.past(game.number)
        progress = [{side: pegs.progress for side, pegs in game.sides.items()} for game in games]
        return list(zip([game.number for game in games], progress, strict=True)), [
            *map(str, records.faults)
        ]


def _verdict(
    folder: Path, victim: Path, sound: Snapshot, games: object, *, whole: bool
) -> tuple[str | None, str]:
    """Open all files as a start and a page do, and return the verdict.

    The start must have reported each difference; with `whole` there may be no difference.
    """
    _, settings, _ = paths(folder)
    try:
        found, (games_now, faults) = inspect(folder), _recorded(folder)
        if victim in (settings, page_file(settings)):
            load_settings(settings, {}, required=False)
            return None, ""  # a sound file with another value says what it says
    except CompanionError as error:
        return ("lost" if whole else None), str(error)
    except Exception as error:  # noqa: BLE001  # that is the verdict
        return "traceback", f"{type(error).__name__}: {error}"
    stands = msgspec.structs.replace(found, loss=sound.loss)
    same = stands.has(sound) or (victim.suffix == ".zip" and found.game == sound.game)
    is_whole = same and games_now == games and not faults
    example = f"{found}, was {sound}; {games_now}, were {games}; {faults}"
    if not is_whole and not found.loss:
        return "silent", example
    return ("lost" if whole and not is_whole else None), example


def _damage(file: Path, chance: random.Random) -> str:
    """Damage a file in one of the ways; return its name."""
    way = chance.choice(DAMAGES)
    content = bytearray(file.read_bytes())
    way(content, chance)
    file.write_bytes(content)
    return f"{way.__name__} {file.name}"


def damage(points: int, seed: int) -> Verdicts:
    """Damage one file of a table this number of times; return the verdicts."""
    verdicts, chance = Verdicts(("silent", "lost", "traceback")), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        table, copy = Path(name) / "table", Path(name) / "copy"
        Session(table, seed, lambda _: None).play(OPERATIONS)
        sound, (games, _) = inspect(table), _recorded(table)
        victims = [file.relative_to(table) for file in sorted(table.rglob("*")) if _counts(file)]
        for _ in range(points):
            shutil.copytree(table, copy)
            victim = copy / chance.choice(victims)
            is_journal = victim.name in (JOURNAL, MIRROR)
            hit = [victim]
            if is_journal and chance.random() < BOTH:
                hit = [victim.with_name(JOURNAL), victim.with_name(MIRROR)]
            ways = ", ".join(_damage(file, chance) for file in hit)
            whole = is_journal and len(hit) == 1
            verdict, example = _verdict(copy, victim, sound, games, whole=whole)
            verdicts.add(verdict, f"seed {seed}, {ways}: {example}")
            shutil.rmtree(copy)
    return verdicts


def _counts(file: Path) -> bool:
    """Return True for files that a start or a page reads."""
    names = (JOURNAL, MIRROR, PAGE_FILE, "phones.json")
    cache = file.name.startswith("records")
    return file.is_file() and (file.name in names or file.suffix == ".zip" or cache)
