"""Attacks on the files of a table: damage, kills, errors of the disk, and power cuts."""

import random
import re
import shutil
import subprocess
import sys
import tempfile
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
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
from tests.campaign.logged_disk import LoggedDisk, Write, after_cut, make_image, mounted, read_log
from tests.campaign.session import Report, Session, Snapshot, inspect, paths
from tests.support.program import ROOT

# Sessions in a process of their own, and the states of the files that a cut may leave


@dataclass(frozen=True, slots=True)
class Mark:
    """A report of the session, and the position of the disk's log at its arrival."""

    position: int
    report: Report


def play(
    folder: Path,
    *,
    seed: int,
    operations: int,
    controls: Sequence[str] = (),
    tracer: Sequence[str] = (),
    position: Callable[[], int] = lambda: 0,
) -> Iterator[Mark]:
    """Run a session in a process of its own; yield each report with the position at that time.

    Raises:
        AssertionError: it ends with a traceback.
    """
    entry = ("-m", "tests.campaign.session", str(folder), str(seed), str(operations), *controls)
    with subprocess.Popen(
        [*tracer, sys.executable, *entry],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        for line in process.stdout:
            report = msgspec.json.decode(line, type=Report)
            yield Mark(position(), report)
            if report.done or report.failed:
                with suppress(BrokenPipeError):
                    process.stdin.write(b"\n")
                    process.stdin.flush()
        errors = process.stderr.read().decode()
    if process.returncode > 0:
        raise AssertionError(errors)


def expected_at(marks: Sequence[Mark], position: float = inf) -> tuple[Snapshot, ...]:
    """Return the states of the files that a cut at a position of the log may leave.

    They are the last acknowledged state, and the state of an operation that was running.
    """
    reached: Snapshot | None = None
    intent: Snapshot | None = None
    for mark in marks:
        if mark.report.intent:
            intent = mark.report.intent  # what is under way may have been written before it is read
        elif mark.position > position:
            break
        elif mark.report.done and intent:
            reached, intent = intent, None
    return tuple(filter(None, (reached, intent)))


def judge(folder: Path, expected: Sequence[Snapshot]) -> tuple[str | None, str]:
    """Open the files of a session that was cut off; return the verdict on them, and an example."""
    try:
        found = inspect(folder)
    except CompanionError as error:
        return "corrupt", str(error)
    if found.loss:
        return "corrupt", found.loss
    if any(found.has(each) for each in expected):
        return None, ""
    return "lost", f"{found}, expected {expected}"


# Files damaged at random: a loss is reported, never silent, and never ends in a traceback.
#
# If the journal or its mirror is damaged, nothing is lost. If both are damaged in different ways, a
# start reports the loss. A loss that only the records report counts as silent.


DAMAGED_OPERATIONS: Final = 30
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


def _verdict_of_damage(
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
        Session(table, seed, lambda _: None).play(DAMAGED_OPERATIONS)
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
            verdict, example = _verdict_of_damage(copy, victim, sound, games, whole=whole)
            verdicts.add(verdict, f"seed {seed}, {ways}: {example}")
            shutil.rmtree(copy)
    return verdicts


def _counts(file: Path) -> bool:
    """Return True for files that a start or a page reads."""
    names = (JOURNAL, MIRROR, PAGE_FILE, "phones.json")
    cache = file.name.startswith("records")
    return file.is_file() and (file.name in names or file.suffix == ".zip" or cache)


# kill -9 at the writing system calls of a session, one after the other


CALLS: Final = "write,pwrite64,fsync,fdatasync,ftruncate,rename,unlink,mkdir"

CALL: Final = re.compile(r"^(\d+) +(\w+)\(", re.MULTILINE)
OPERATIONS: Final = 14


def missing() -> str:
    """Return why this machine cannot run the campaign, "" if it can."""
    return "" if shutil.which("strace") else "needs the package strace"


def strace(log: Path, *injections: str, files: tuple[Path, ...] = ()) -> tuple[str, ...]:
    """Return a tracer that injects a fault, only at calls about these files if there are any."""
    names = (word for file in files for word in ("-P", str(file)))
    injected = (word for injection in injections for word in ("-e", f"inject={injection}"))
    traced = f"trace={','.join(injection.partition(':')[0] for injection in injections)}"
    return ("strace", "-f", "-qq", "-o", str(log), *names, "-e", traced, *injected)


def calls_of(seed: int, names: str = CALLS) -> list[tuple[str, int]]:
    """Return the system calls of a session as strace counts them: name, number in its thread."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        tracer = ("strace", "-f", "-qq", "-o", str(log), "-e", f"trace={names}")
        list(play(Path(folder) / "table", seed=seed, operations=OPERATIONS, tracer=tracer))
        made = Counter(CALL.findall(log.read_text()))
    return sorted({(name, n + 1) for (_, name), most in made.items() for n in range(most)})


def kills(points: int, seed: int) -> Verdicts:
    """Kill a session at this number of its calls, spread over all; return the verdicts."""
    verdicts, calls = Verdicts(("lost", "corrupt")), calls_of(seed)
    for point in range(points):
        name, number = calls[point * len(calls) // points]
        with tempfile.TemporaryDirectory() as folder:
            tracer = strace(Path(folder) / "log", f"{name}:signal=KILL:when={number}")
            table = Path(folder) / "table"
            marks = list(play(table, seed=seed, operations=OPERATIONS, tracer=tracer))
            expected = expected_at(marks)
            if expected:  # it had begun
                verdict, example = judge(table, expected)
                verdicts.add(verdict, f"seed {seed}, killed at {name} {number}: {example}")
    return verdicts


# Errors of the disk under a session: at each read and write, once, for good, and for a while.
#
# A refused operation changes nothing, an acknowledged one lasts, and nothing ends in a traceback.


READS: Final = "pread64"

WRITES: Final = "pwrite64,fsync,fdatasync,ftruncate,rename,unlink,mkdir"
ERRORS: Final = {READS: ("EIO", "ENOMEM"), WRITES: ("ENOSPC", "EIO", "EROFS")}
SPANS: Final = ("{}", "{}+", "{}..{}")
"""Spans of an error: one call, all calls from then on, and some calls."""


def files_of(folder: Path) -> tuple[Path, ...]:
    """Return the paths at which errors are injected."""
    data, by_hand, backups = paths(folder)
    settings = page_file(by_hand)
    journal = [data / f"{JOURNAL}{suffix}" for suffix in ("", "-wal", "-shm")]
    beside = settings.with_name(f".{settings.name}.new")
    phones = (data / "phones.json", data / ".phones.json.new")
    return (data, *journal, *phones, settings.parent, settings, beside, backups)


def cases(seed: int) -> Iterator[str]:
    """Yield injections without end: each call that a session makes, each error, each span."""
    chance = random.Random(seed)
    calls = [(names, *call) for names in ERRORS for call in calls_of(seed, names)]
    while True:
        names, call, number = chance.choice(calls)
        when = chance.choice(SPANS).format(number, number + 8)
        yield f"{call}:error={chance.choice(ERRORS[names])}:when={when}"


FIELDS: Final = ("game", "undo", "settings", "phones")
ACKNOWLEDGED: Final = {"settings": ("settings",), "pair": ("phones",), "back_up": ()}
"""Fields that an operation saves; the others save all. Counts may still wait for the disk then."""


def _allowed(marks: Sequence[Mark], field: str) -> list[object]:
    """Return a field in the states from the last acknowledged one on, and in the refused ones.

    A refused state may be there all the same, as a new file whose folder could not be synced.
    """
    since: list[object] = []
    refused: list[object] = []
    for mark in marks:
        operation = mark.report.operation
        if mark.report.intent:
            since.append(getattr(mark.report.intent, field))
        elif since and operation != "end":
            refused += since[-1:] if mark.report.failed else []
            saved = mark.report.done and field in ACKNOWLEDGED.get(operation, FIELDS)
            del since[: -1 if saved else 0]
    return since + refused


def _verdict(folder: Path, marks: Sequence[Mark]) -> tuple[str | None, str]:
    """Compare the files with all allowed states."""
    if not any(mark.report.intent for mark in marks):
        return None, ""
    try:
        found = inspect(folder)
    except CompanionError as error:
        return "corrupt", str(error)
    for field in FIELDS:
        if getattr(found, field) not in (allowed := _allowed(marks, field)):
            return "lost", f"{field} of {msgspec.to_builtins(found)}, allowed {allowed}"
    return None, ""


def disk_errors(points: int, seed: int) -> Verdicts:
    """Play this number of sessions, each on a disk with an error; return the verdicts."""
    verdicts = Verdicts(("lost", "corrupt", "traceback"))
    for case, _ in zip(cases(seed), range(points), strict=False):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "table"
            tracer = strace(Path(name) / "log", case, files=files_of(folder))
            marks: list[Mark] = []
            try:
                marks += play(folder, seed=seed, operations=OPERATIONS, tracer=tracer)
                verdict, example = _verdict(folder, marks)
            except AssertionError as error:
                verdict, example = "traceback", str(error)
            verdicts.add(verdict, f"seed {seed}, {case}: {example}")
    return verdicts


# Power cuts: a session on a logged disk, which is cut after any write, mounted and opened again.
#
# Acknowledged operations are there; a running operation is there or not. Some disks are cut again
# while their files are being opened.


MEMORY: Final = Path("/dev/shm")  # noqa: S108  # a folder of its own is made in it

SECOND_CUT_EACH: Final = 10
"""Number of states of which one is cut again while it is opened."""


class PowerCuts:
    """Cuts of one session; `folder` is for disks and should be in memory."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder, self._seed = folder, seed
        self._chance = random.Random(seed)
        self._image = make_image(folder / "image")
        self.verdicts = Verdicts(("lost", "corrupt", "unmountable"))
        self._marks: list[Mark] = []
        self._writes: list[Write] = []
        self._ends: list[int] = []

    def record(self, operations: int, *controls: str) -> None:
        """Play the session on a logged disk."""
        with LoggedDisk(self._folder, self._image) as disk:
            self._marks = list(
                play(
                    disk.files,
                    position=lambda: disk.position,
                    seed=self._seed,
                    operations=operations,
                    controls=controls,
                )
            )
            end = disk.position
            self._writes, self._ends = read_log(self._folder / "log", end)

    def cut(self, states: int) -> Verdicts:
        """Cut it at a number of places, spread over the session, and judge the files.

        It is also cut after each acknowledgement, before any other write: then a name that was
        not synced is certainly lost.
        """
        done = [bisect(self._ends, mark.position) for mark in self._marks if mark.report.done]
        spread = range(done[0], len(self._ends) + 1)
        places = {spread[number * len(spread) // states] for number in range(states)}
        for number, place in enumerate(sorted(places.union(done))):
            expected = expected_at(self._marks, self._ends[place - 1])
            disk, image = self._folder / "cut", self._image.read_bytes()
            disk.write_bytes(after_cut(image, self._writes[:place], self._chance))
            self._judge(disk, expected, f"seed {self._seed}, cut after write {place}")
            if number % SECOND_CUT_EACH == SECOND_CUT_EACH - 1:
                self._cut_again(disk, expected, place)
        return self.verdicts

    def _cut_again(self, disk: Path, expected: tuple[Snapshot, ...], place: int) -> None:
        """Open the files of a cut disk on a logged disk, and cut that after one of its writes."""
        with tempfile.TemporaryDirectory(dir=self._folder) as inner:
            folder, image = Path(inner), Path(inner) / "image"
            image.write_bytes(disk.read_bytes())
            with suppress(subprocess.CalledProcessError), LoggedDisk(folder, image) as logged:
                with suppress(CompanionError):
                    inspect(logged.files)
                writes, _ = read_log(folder / "log", logged.position)
                number = self._chance.randint(0, len(writes))
            again = folder / "again"
            again.write_bytes(after_cut(image.read_bytes(), writes[:number], self._chance))
            self._judge(
                again, expected, f"seed {self._seed}, cut after write {place}, again after {number}"
            )

    def _judge(self, disk: Path, expected: tuple[Snapshot, ...], name: str) -> None:
        try:
            with mounted(disk, self._folder / "cut-files") as files:
                verdict, example = judge(files, expected)
        except subprocess.CalledProcessError as error:
            verdict, example = "unmountable", error.stderr
        self.verdicts.add(verdict, f"{name}: {example}")


def power_cuts(states: int, seed: int, *controls: str, operations: int = 40) -> Verdicts:
    """Record a session, cut it at this number of places, and return the verdicts."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        cuts = PowerCuts(Path(folder), seed)
        cuts.record(operations, *controls)
        return cuts.cut(states)
