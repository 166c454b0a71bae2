"""Errors and faults of the companion: where, what and what to do; all derive from one root."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from hardware.text import EITHER, PLACE, Text, filled, listed, marked

__all__ = ["EITHER", "PLACE", "Text", "listed", "marked"]


def suggest(name: str, known: Iterable[str], *, otherwise: str | None = None) -> str:
    """Return the remedy for an unknown name: the nearest known one, or else all of them.

    Args:
        name: the unknown name.
        known: the names that there are.
        otherwise: the remedy if none is near; by default the list of the known ones.

    >>> suggest("sharc", ["child", "shark"]), suggest("x", ["child", "shark"])
    ("did you mean 'shark'?", 'there are child, shark')
    """
    names = list(known)
    close = get_close_matches(name, names, n=1)
    if close:
        return Text("did you mean {name}?", name=repr(close[0]))
    if otherwise is None:
        return Text("there are {names}", names=", ".join(names)) if names else "there is none"
    return otherwise


def joined(separator: str, texts: Iterable[str]) -> str:
    """Return several texts as one, of which each and the separator are translated by themselves.

    >>> joined(", ", ["one", Text("{n} more", n=2)])
    'one, 2 more'
    """
    values = list(texts)
    if not values[1:]:
        return values[0] if values else ""
    half = len(values) // 2  # halves, so that a thousand faults are nested in ten levels
    both = (joined(separator, values[:half]), joined(separator, values[half:]))
    template = "{one}" + separator + "{other}"
    return Text(template, one=both[0], other=both[1])


def in_language(text: str, translate: Callable[[str], str]) -> str:
    """Return a text translated: one with a template by that, any other by itself.

    Values that are texts are translated too.

    >>> in_language(Text("{n} cards", n=2), {"{n} cards": "{n} cartes"}.__getitem__)
    '2 cartes'
    """
    if not isinstance(text, Text):
        return translate(text)
    values = {
        name: in_language(value, translate) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    return filled(translate(text.template), values)


def first_line(error: BaseException) -> str:
    r"""Return the text of an error, or of the first of several faults.

    >>> first_line(SettingsError(Fault(problem="is gone"), Fault(problem="is late")))
    'is gone'
    >>> first_line(ValueError("one\ntwo")), first_line(KeyError())
    ('one', 'KeyError')
    """
    text = str(error.faults[0] if isinstance(error, FaultsError) else error)
    return (text if "\n" not in text else text.splitlines()[0]) or type(error).__name__


def system_error(error: BaseException | None) -> int | None:
    """Return the number of the system's error that an error was made of, None without one."""
    while error is not None and getattr(error, "errno", None) is None:
        error = error.__context__
    return getattr(error, "errno", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Fault of a file or a setting, as a value; its text is one line for people.

    Args:
        file: the file, or another origin of settings such as "command line"; "" if unknown.
        key: the key in it, such as `strip.type` or `zone[trap-130].to`; "" for the whole file.
        problem: a description of what is wrong.
        remedy: the thing to do about it; "" if nothing can be said.

    >>> str(Fault(file="c.toml", key="teams", problem="cannot be 9", remedy="it takes 2 or 3"))
    'c.toml: teams: cannot be 9; it takes 2 or 3'
    """

    file: str = ""
    key: str = ""
    problem: str
    remedy: str = ""

    @property
    def text(self) -> str:
        return joined("; ", filter(None, (self.problem, self.remedy)))

    @property
    def cause(self) -> str:
        return joined(": ", filter(None, (self.file, self.key, self.problem)))

    def __str__(self) -> str:
        return joined("; ", filter(None, (self.cause, self.remedy)))


class CompanionError(Exception):
    """Root of the companion's errors; its text is one line that a user can act on.

    Values fill the places of the text, as those of a `Text` do.
    """

    def __init__(self, text: str, /, **values: object) -> None:
        super().__init__(Text(text, **values) if values else text)


class RuleError(CompanionError, ValueError):
    """A command that the rules refuse; the state stands as it was.

    `rule` is the rule's number, which has the place `{rule}` in the text; `values` have the others.
    A problem that is a `Text` has its own.
    `{team}` stands for the side of that number: whoever knows the sides' names shows the error as
    `named` returns it.
    """

    def __init__(
        self,
        problem: str,
        /,
        *,
        rule: str | None = None,
        remedy: str = "",
        side: int | None = None,
        **values: object,
    ) -> None:
        if not isinstance(problem, Text):
            places = PLACE.findall(problem)
            known: dict[str, Any] = {"rule": rule, "team": "{team}"}
            problem = Text(
                problem, **values, **{name: known[name] for name in places if name in known}
            )
        self.text = joined(": ", filter(None, (problem, remedy)))
        super().__init__(self.text)
        self.problem, self.remedy, self.rule, self.side = problem, remedy, rule, side

    def __str__(self) -> str:
        return self.named({})

    def named(self, names: Mapping[int, str]) -> str:
        """Return the text with the side's name, or its number if it has none.

        >>> error = RuleError("{team} has folded until the next deal", rule="Z5", side=2)
        >>> error.named({2: "White"}), str(error)
        ('White has folded until the next deal', 'side 2 has folded until the next deal')
        """
        if self.side is None:
            return str(self.text)
        return self.text.replace("{team}", names.get(self.side, f"side {self.side}"))


class HouseRuleError(RuleError):
    """A house rule that does not fit the others; `key` is the setting to change."""

    def __init__(self, problem: str, /, *, remedy: str, key: str, **values: object) -> None:
        super().__init__(Text(problem, **values), remedy=remedy, rule="G7")
        self.key = key


class LaterCommandError(RuleError):
    """A correction after which a later command would be refused; `number` is that command's."""

    def __init__(self, error: RuleError, *, number: int) -> None:
        text = "command {number} of this game would then be refused: {reason}"
        super().__init__(text, number=number, reason=error.text, rule=error.rule, side=error.side)
        self.cause, self.number = error, number


class BadInputError(CompanionError, ValueError):
    """Something given from outside cannot be read: the text says what, where and what to do."""


class FaultsError(CompanionError, ValueError):
    """Faults found together; the text has a line for each of `faults`."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(joined("\n", map(str, faults)))
        self.faults = faults


class BoardFileError(FaultsError):
    """A board file with faults."""


class SettingsError(FaultsError):
    """A settings file, or another file of this program's own kind, with faults."""


class UnusableSettingsError(FaultsError):
    """Sound settings that this machine cannot use as it is."""


class AddressError(BadInputError):
    """An address at which the page cannot be served; `key` is the setting to change."""

    def __init__(self, text: str, /, *, key: str, **values: object) -> None:
        super().__init__(text, **values)
        self.key = key


class StaleError(CompanionError, ValueError):
    """Conflict: the resource changed since the client read it. Nothing was written."""


class ConsentError(CompanionError, PermissionError):
    """Nobody is asked: the people at the table have refused this asker; `wait` is in seconds."""

    def __init__(self, text: str, *, wait: float) -> None:
        super().__init__(text)
        self.wait = wait


class JournalError(CompanionError, OSError):
    """The journal cannot be read or written; the text says which file and what becomes of it."""


class UnsavedError(JournalError):
    """Commands that could be written nowhere before the table was stopped, and are lost."""


class WorkerError(CompanionError, ChildProcessError):
    """A process that worked for this one has died; the text says what it did and what to try."""
