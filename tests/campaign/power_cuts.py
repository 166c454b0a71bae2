"""Power cuts: a session on a logged disk, which is cut after any write, mounted and opened again.

Acknowledged operations are there; a running operation is there or not. Some disks are cut again
while their files are being opened.
"""

import random
import subprocess
import tempfile
from bisect import bisect
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.errors import CompanionError
from tests.campaign.figures import Verdicts
from tests.campaign.logged_disk import LoggedDisk, Write, after_cut, make_image, mounted, read_log
from tests.campaign.played import Mark, expected_at, judge, play
from tests.campaign.session import Snapshot, inspect

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
