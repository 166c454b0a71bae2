"""Errors of the companion: their cause and their remedy; all are `CompanionError`s."""

from collections.abc import Mapping
from dataclasses import dataclass


class CompanionError(Exception):
    """Root of the companion's errors; its text is one line that a user can act on."""


class RuleError(CompanionError, ValueError):
    """A command that the rules refuse; the state stands as it was.

    `rule` is the rule's number. `{team}` in the text stands for the side of that number: whoever
    knows the sides' names shows the error as `named` returns it.
    """

    def __init__(self, text: str, *, rule: str | None = None, team: int | None = None) -> None:
        super().__init__(text)
        self.text, self.rule, self.team = text, rule, team

    def __str__(self) -> str:
        return self.named({})

    def named(self, names: Mapping[int, str]) -> str:
        """Return the text with the side's name, or its number if it has none.

        >>> error = RuleError("{team} has folded until the next deal", rule="Z5", team=2)
        >>> error.named({2: "White"}), str(error)
        ('White has folded until the next deal', 'side 2 has folded until the next deal')
        """
        if self.team is None:
            return self.text
        return self.text.replace("{team}", names.get(self.team, f"side {self.team}"))


class BadInputError(CompanionError, ValueError):
    """Something given from outside cannot be read: the text says what, where and what to do."""


class BoardFileError(CompanionError, ValueError):
    """A board file with faults; `faults` holds every one, each with file, key and remedy."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class SettingsError(CompanionError, ValueError):
    """A settings file with faults; `faults` holds every one, each with file, key and remedy."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Fault of one setting: its `key`, such as `web.host`, and the problem with its remedy."""

    key: str
    text: str


class UnusableSettingsError(CompanionError, ValueError):
    """Sound settings that this machine cannot use as it is; `faults` holds every one."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("\n".join(f"{fault.key}: {fault.text}" for fault in faults))
        self.faults = faults


class AddressError(BadInputError):
    """An address at which the page cannot be served; `key` is the setting to change."""

    def __init__(self, text: str, *, key: str) -> None:
        super().__init__(text)
        self.key = key


class StaleError(CompanionError, ValueError):
    """What somebody wants to change is no longer what they have seen; nothing was changed."""


class JournalError(CompanionError, OSError):
    """The journal cannot be read or written; the text says which file and what becomes of it."""


class WorkerError(CompanionError, ChildProcessError):
    """A process that worked for this one has died; the text says what it did and what to try."""
