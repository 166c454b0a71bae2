"""Parts, such as buttons, that fail at the program's start: it runs on and tries the parts again.

Each part has one check, which tries the part and returns its fault, or None if the part works. One
loop repeats all checks every 5 s, in a thread. The console shows when a fault comes and when it
goes; the page shows the fault while it lasts. For example, a button is missing because another
program uses pin 17. When that program ends, the next check opens the pin, and the console shows
"mended".
"""

import asyncio
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

from companion.devices.assembly import Assembly, assemble, settings_faults
from companion.errors import NO_TEXT, CompanionError, Fault, Text, joined
from companion.settings.load import Usable, load_settings, usable
from companion.settings.schema import COMMAND_LINE, Settings, split_key
from companion.settings.sd_card import card_faults
from companion.settings.sources import Source, flat, page_file, read_sources
from companion.toml import Value
from companion.worker import Worker
from hardware.errors import HardwareError

RETRY_S: Final = 5.0  # seconds between two rounds of checks
_WITHOUT: Final = Text("until then this value is ignored")

Check: TypeAlias = Callable[[], Fault | None]
"""Function that tries a part again; it returns the part's fault, or None if the part works."""


class Fallbacks:
    """Faults of parts without which the table plays on, each with its check.

    Args:
        settings: the settings; each fault names the file from which its setting comes.
        report: called with a line for the console when a fault comes or goes.
        tried: sections of the settings file, such as [strip], with changes that this start tries
            (see `StartGuard`). If the part of one fails, the start fails too, except in `attempt`.
    """

    def __init__(
        self, settings: Settings, *, report: Callable[[Text], None], tried: Container[str] = ()
    ) -> None:
        self._settings, self._report, self._tried = settings, report, tried
        self._found: dict[Check, Fault | None] = {}

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults that the checks last found, in the order of the checks."""
        return tuple(fault for fault in self._found.values() if fault)

    def fault(self, key: str, error: CompanionError | HardwareError) -> Fault:
        """Return an error of a part as a fault of the part's setting."""
        return settings_faults(self._settings, key, error)[0]

    def accept(self, key: str, error: CompanionError | HardwareError) -> Fault:
        """Return the fault of a part, if the table may start without the part.

        Raises:
            CompanionError, HardwareError: the error itself, if the part's setting is in a section
                of `tried` or was given on the command line.
        """
        if split_key(key)[0] in self._tried or self._settings.origin(key) == COMMAND_LINE:
            raise error
        return self.fault(key, error)

    def watch(self, check: Check) -> None:
        """Check a part now and in every round."""
        self._note(check, check())

    def retry(
        self,
        key: str,
        error: CompanionError | HardwareError,
        attempt: Callable[[], object],
        *,
        meanwhile: Text = NO_TEXT,
    ) -> None:
        """Start without a part that has failed; attempt the part in every round until it works.

        Args:
            key: the part's setting.
            error: the error of the part.
            attempt: function that starts the part, or raises a CompanionError or HardwareError.
            meanwhile: the end of the remedy, such as "until then the page is at port 8001".

        Raises:
            CompanionError, HardwareError: see `accept`.
        """
        done = False

        def once() -> None:
            nonlocal done
            if not done:
                attempt()
                done = True

        self.accept(key, error)
        self._note(self._attempting(key, once, meanwhile), self._described(key, error, meanwhile))

    def attempt(self, key: str, attempt: Callable[[], None], *, meanwhile: Text = NO_TEXT) -> None:
        """Attempt a part now and in every round, even while it works; see `retry`.

        If the part fails, the start goes on without it, even if its setting is being tried.
        """
        self.watch(self._attempting(key, attempt, meanwhile))

    def _attempting(self, key: str, attempt: Callable[[], None], meanwhile: Text) -> Check:
        def check() -> Fault | None:
            try:
                attempt()
            except (CompanionError, HardwareError) as error:
                return self._described(key, error, meanwhile)
            return None

        return check

    def _described(self, key: str, error: CompanionError | HardwareError, meanwhile: Text) -> Fault:
        fault = self.fault(key, error)
        return replace(fault, remedy=joined("; ", (fault.remedy, meanwhile)))

    async def run(self, show: Callable[[tuple[Fault, ...]], None], worker: Worker) -> None:
        """Repeat the checks in `worker` until cancelled; call `show` with the faults each time."""
        while True:
            show(self.faults)
            await asyncio.sleep(RETRY_S)
            for check in tuple(self._found):
                self._note(check, await worker.do(check))

    def _note(self, check: Check, fault: Fault | None) -> None:
        before = self._found.get(check)
        self._found[check] = fault
        if fault and fault != before:
            self._report(fault.line)
        elif before and not fault:
            self._report(Text("mended: {fault}", fault=before.cause))


def usable_settings(
    file: Path | None, command_line: Mapping[str, Value], *, required: bool
) -> tuple[Settings, Assembly, Check | None]:
    """Return the settings to start with, without faulty values, and parts made from the settings.

    Args:
        file: the settings file; None on a machine that cannot have one.
        command_line: the settings of the command line.
        required: True if `file`, or the file that the set-up page writes, must exist.

    Returns:
        The settings, their parts, and a check of settings files (None if no value is faulty).

    Raises:
        FaultsError: the command line is at fault.
    """
    if file and required and _is_missing(file) and _is_missing(page_file(file)):
        load_settings(file, command_line)  # raises the error

    on_command_line = Source(origin=COMMAND_LINE, values=flat(command_line))

    def attempt() -> Usable[Assembly]:
        faults: list[Fault] = []
        files = read_sources(file, faults, required=required) if file else []
        return usable([*files, on_command_line], assemble, faults)

    def check() -> Fault | None:
        found = attempt()
        if found.faults:
            return _in_one(found.faults, _WITHOUT)
        if began.settings.with_live(found.settings) == found.settings:
            return None
        problem = Text("is mended, but not in force yet")
        remedy = Text("start the table again")
        return Fault(file=began.faults[0].file, problem=problem, remedy=remedy)

    began = attempt()
    return began.settings, began.made, check if began.faults else None


def card_fault(root: Path = Path("/")) -> Fault | None:
    """Return the first fault of the file on the SD card, with the number of the others, or None."""
    faults = card_faults(root)
    return _in_one(faults) if faults else None


def _in_one(faults: Sequence[Fault], *remedies: Text) -> Fault:
    first, *others = faults
    more = [Text("{n} more: cribwars doctor lists them", n=len(others))] if others else []
    return replace(first, remedy=joined("; ", (first.remedy, *remedies, *more)))


def _is_missing(file: Path) -> bool:
    with suppress(OSError):
        return not file.exists()
    return False
