"""Errors and faults of the companion. Each names the place, the problem and a remedy."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from hardware.errors import NO_TEXT, Text, as_text, filled, joined, plural

__all__ = ["NO_TEXT", "Text", "as_text", "filled", "joined", "plural"]

SIDE: Final = "side {number}"
"""Template of a `Text` that stands for a side: `Phrases.message` puts the side's name there."""


def suggest(name: str, known: Iterable[str], *, otherwise: Text | None = None) -> Text:
    """Return the remedy for an unknown name: the nearest known name, or else all known names.

    Args:
        name: the unknown name.
        known: the known names.
        otherwise: the remedy if no known name is near; by default, the list of the known names.

    >>> print(suggest("sharc", ["child", "shark"]), suggest("x", ["child", "shark"]))
    did you mean 'shark'? there are child, shark
    """
    names = list(known)
    close = get_close_matches(name, names, n=1)
    if close:
        return Text("did you mean {name}?", name=repr(close[0]))
    if otherwise is None:
        return Text("there are {names}", names=", ".join(names)) if names else Text("there is none")
    return otherwise


def first_line(error: BaseException) -> Text:
    r"""Return the first line of an error, or of the first of its faults.

    >>> print(first_line(SettingsError(Fault(problem=Text("gone")), Fault(problem=Text("late")))))
    gone
    >>> print(first_line(ValueError("one\ntwo")), first_line(KeyError()))
    one KeyError
    """
    text = as_text(error.faults[0].line if isinstance(error, FaultsError) else error)
    lines = str(text).splitlines() or [type(error).__name__]
    return text if lines == [str(text)] else as_text(lines[0])


def system_error(error: BaseException | None) -> int | None:
    """Return the `errno` of an error, or else of an error that led to it; None if there is none."""
    while error is not None and getattr(error, "errno", None) is None:
        error = error.__context__
    return getattr(error, "errno", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Fault of a file or a setting, as a value; its text is one line for users.

    Args:
        file: the file, or another origin of settings such as "command line"; "" if unknown.
        key: the key, such as `strip.type` or `zone[trap-130].to`; "" for the whole file.
        problem: a description of the problem.
        remedy: a description of the remedy; `NO_TEXT` if there is no remedy.

    >>> print(Fault(file="c.toml", key="teams", problem=Text("cannot be 9"), remedy=Text("take 2")))
    c.toml: teams: cannot be 9; take 2
    """

    file: str = ""
    key: str = ""
    problem: Text
    remedy: Text = NO_TEXT

    @property
    def text(self) -> Text:
        return joined("; ", (self.problem, self.remedy))

    @property
    def cause(self) -> Text:
        return joined(": ", (self.file, self.key, self.problem))

    @property
    def line(self) -> Text:
        return joined("; ", (self.cause, self.remedy))

    def __str__(self) -> str:
        return str(self.line)


class CompanionError(Exception):
    """Root of the companion's errors; its text is one line that a user can act on.

    The values fill the placeholders of the text, as in a `Text`.
    """

    def __init__(self, text: str | Text, /, **values: object) -> None:
        self.text = filled(text, values)
        super().__init__(self.text)


class RuleError(CompanionError, ValueError):
    """A command that the rules refuse; the state is unchanged.

    `rule` is the number of the rule, and `side` is the number of the refused side. The problem can
    have the placeholders `{rule}` and `{side}`; `values` fill all other placeholders.

    >>> print(RuleError("{side} has folded until the next deal", rule="Z5", side=2))
    side 2 has folded until the next deal
    """

    def __init__(
        self,
        problem: str | Text,
        /,
        *,
        rule: str | None = None,
        remedy: Text = NO_TEXT,
        side: int | None = None,
        **values: object,
    ) -> None:
        if not isinstance(problem, Text):
            known = {"rule": rule, "side": Text(SIDE, number=side)}
            values |= {name: value for name, value in known.items() if f"{{{name}}}" in problem}
            problem = Text(problem, **values)
        super().__init__(joined(": ", (problem, remedy)))
        self.problem, self.remedy, self.rule, self.side = problem, remedy, rule, side


class HouseRuleError(RuleError):
    """A house rule that does not fit the others; `key` is the setting to change."""

    def __init__(self, problem: str, /, *, remedy: Text, key: str, **values: object) -> None:
        super().__init__(Text(problem, **values), remedy=remedy, rule="G7")
        self.key = key


class LaterCommandError(RuleError):
    """A refused correction: with it, the rules would have refused the later command `number`."""

    def __init__(self, error: RuleError, *, number: int) -> None:
        text = "command {number} of this game would then be refused: {reason}"
        super().__init__(Text(text, number=number, reason=error), rule=error.rule, side=error.side)
        self.cause, self.number = error, number


class BadInputError(CompanionError, ValueError):
    """Input that cannot be used; the text says what the problem is, where, and what to do."""


class FaultsError(CompanionError, ValueError):
    """Faults that were found together; the text has a line for each of `faults`."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(joined("\n", (fault.line for fault in faults)))
        self.faults = faults


class BoardFileError(FaultsError):
    """A board file with faults."""


class SettingsError(FaultsError):
    """A settings file, or a file that this program wrote, with faults."""


class UnusableSettingsError(FaultsError):
    """Valid settings that this machine cannot use."""


class AddressError(BadInputError):
    """An address at which the web pages cannot be served; `key` is the setting to change."""

    def __init__(self, text: str | Text, /, *, key: str, **values: object) -> None:
        super().__init__(text, **values)
        self.key = key


class StaleError(CompanionError, ValueError):
    """Conflict: the resource changed since the client read it. Nothing was written."""


class ConsentError(CompanionError, PermissionError):
    """The players refused this client before. The client may ask again after `wait` seconds."""

    def __init__(self, text: str, /, *, wait: float, **values: object) -> None:
        super().__init__(text, **values)
        self.wait = wait


class JournalError(CompanionError, OSError):
    """The journal cannot be read or written; the text says which file, and what happens next."""


class UnsavedError(JournalError):
    """Commands that are lost, because no file could be written before the program ended."""


class WorkerError(CompanionError, ChildProcessError):
    """A worker process has died; the text says what the process did, and what to try."""
