"""Parts that cannot be had as the settings ask: the table plays without them and tries again.

Each part has one check, which tries it and returns the fault that keeps it away. One loop repeats
the checks. A fault is written to the console when it comes and when it goes, and is on the page
while it lasts.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from companion.devices.assembly import Assembly, assemble, settings_faults
from companion.errors import CompanionError, Fault, FaultsError, Message, SettingsError, joined
from companion.settings.last_good import LastGood
from companion.settings.schema import COMMAND_LINE, Settings
from companion.worker import Worker
from hardware.errors import HardwareError

RETRY_S: Final = 5.0
"""Seconds between two rounds of checks."""

Check: TypeAlias = Callable[[], Fault | None]
"""Try a part once more. Return the fault that keeps it away, None if there is none."""


class Fallbacks:
    """Faults with which a table plays on, each with its check.

    Args:
        settings: tell where each was set.
        report: is given a line for the console when a fault comes or goes.
        strict: True while a start that fails goes back to other settings: then none may fall back.
    """

    def __init__(
        self, settings: Settings, *, report: Callable[[str], None], strict: bool = False
    ) -> None:
        self._settings, self._report, self._strict = settings, report, strict
        self._found: dict[Check, Fault | None] = {}

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults that last, in the order of their checks."""
        return tuple(fault for fault in self._found.values() if fault)

    def fault(self, key: str, error: CompanionError | HardwareError) -> Fault:
        """Return an error of a part as the fault of its setting."""
        return settings_faults(self._settings, key, error)[0]

    def accept(self, key: str, error: CompanionError | HardwareError) -> Fault:
        """Return the fault of a part without which the table starts.

        Raises:
            CompanionError, HardwareError: the error itself: the start is strict, or the setting was
                given on the command line.
        """
        if self._strict or self._settings.origin(key) == COMMAND_LINE:
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
        meanwhile: str = "",
    ) -> None:
        """Start without a part that has failed; attempt it in every round until it works.

        Args:
            key: its setting.
            error: the reason for its failure.
            attempt: raises such an error again, or has the part working when it returns.
            meanwhile: the end of the remedy.

        Raises:
            CompanionError, HardwareError: see `accept`.
        """
        done = False

        def once() -> None:
            nonlocal done
            done = done or bool(attempt()) or True

        self.accept(key, error)
        self._note(self._attempting(key, once, meanwhile), self._described(key, error, meanwhile))

    def attempt(self, key: str, attempt: Callable[[], None], *, meanwhile: str = "") -> None:
        """Attempt a part now and in every round, as long as the table runs; see `retry`.

        Any start goes on without it, and the attempt does nothing while the part works.
        """
        self.watch(self._attempting(key, attempt, meanwhile))

    def _attempting(self, key: str, attempt: Callable[[], None], meanwhile: str) -> Check:
        def check() -> Fault | None:
            try:
                attempt()
            except (CompanionError, HardwareError) as error:
                return self._described(key, error, meanwhile)
            return None

        return check

    def _described(self, key: str, error: CompanionError | HardwareError, meanwhile: str) -> Fault:
        fault = self.fault(key, error)
        return replace(fault, remedy=joined("; ", filter(None, (fault.remedy, meanwhile))))

    async def run(self, show: Callable[[tuple[Fault, ...]], None]) -> None:
        """Repeat the checks until cancelled; `show` is given the faults after every round."""
        reader = Worker("checks")
        try:
            while True:
                show(self.faults)
                await asyncio.sleep(RETRY_S)
                for check in tuple(self._found):
                    self._note(check, await reader.do(check))
        finally:
            reader.close()

    def _note(self, check: Check, fault: Fault | None) -> None:
        before = self._found.get(check)
        self._found[check] = fault
        if fault and fault != before:
            self._report(str(fault))
        elif before and not fault:
            self._report(Message("mended: {fault}", before.cause))


def usable_settings(
    load: Callable[[], Settings], last_good: LastGood | None, read: Callable[[str], Settings]
) -> tuple[Settings, Assembly, Check | None]:
    """Return the settings to start with and their parts: the last good ones if others are faulty.

    Args:
        load: loads the settings in force.
        last_good: those of the last start that was ready; None if there can be none.
        read: returns the settings in force if their file had this text.

    Returns:
        The check of the settings file as well if it is faulty.

    Raises:
        FaultsError: every fault: nothing can be made of the last good settings either, or the
            command line is at fault.
    """
    good = last_good.text if last_good else None

    def attempt() -> tuple[Settings, Assembly]:
        if good and last_good and not last_good.file.exists():
            remedy = "put it back, or save an empty one for the defaults"
            raise SettingsError(Fault(file=str(last_good.file), problem="is gone", remedy=remedy))
        settings = load()
        return settings, assemble(settings)

    def check() -> Fault | None:
        try:
            settings, _ = attempt()
        except FaultsError as error:
            first, *others = error.faults
            more = [Message("{n} more: cribwars doctor lists them", len(others))] if others else []
            meanwhile = "until then the last good settings are in force"
            remedy = joined("; ", (first.remedy, *more, meanwhile))
            return replace(first, remedy=remedy)
        if settings == fallback:
            return None
        problem = "is in order again, while the last good settings are in force"
        return Fault(
            file=str(last_good and last_good.file), problem=problem, remedy="start the table again"
        )

    try:
        return (*attempt(), None)
    except FaultsError as error:
        if good is None or any(fault.file == COMMAND_LINE for fault in error.faults):
            raise
        try:
            fallback = read(good)
            return fallback, assemble(fallback), check
        except FaultsError:
            raise error from None
