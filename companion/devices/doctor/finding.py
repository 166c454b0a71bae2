"""Findings of the doctor, which examines a machine and its settings for faults."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from companion.errors import NO_TEXT, Fault, Text, joined
from hardware.errors import HardwareError


class Level(StrEnum):
    """Severity of a finding: all is well, it is worth knowing, or something must be repaired."""

    OK = "ok"
    NOTE = "note"
    FIX = "fix"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One finding: its subject `what`, the reason `why`, and a `remedy`, which may be empty."""

    level: Level
    what: Text
    why: Text
    remedy: Text

    @classmethod
    def ok(cls, what: Text, why: Text) -> Finding:
        return cls(level=Level.OK, what=what, why=why, remedy=NO_TEXT)

    @classmethod
    def note(cls, what: Text, why: Text, remedy: Text = NO_TEXT) -> Finding:
        return cls(level=Level.NOTE, what=what, why=why, remedy=remedy)

    @classmethod
    def fix(cls, what: Text, why: Text, remedy: Text = NO_TEXT) -> Finding:
        return cls(level=Level.FIX, what=what, why=why, remedy=remedy)

    @classmethod
    def of(cls, what: Text, error: HardwareError, level: Level = Level.FIX) -> Finding:
        return cls(level=level, what=what, why=error.problem, remedy=error.remedy)

    @classmethod
    def of_fault(cls, fault: Fault) -> Finding:
        what = joined(": ", (fault.file, fault.key)) or Text("the running table")
        return cls(level=Level.FIX, what=what, why=fault.problem, remedy=fault.remedy)

    def lines(self, columns: int, say: Callable[[Text], str]) -> Iterator[str]:
        """Yield the finding as lines of at most `columns` characters, without breaking words."""
        margin = " " * 6
        for mark, text in (
            (f"{self.level:<{len(margin)}}", self.what),
            (margin, self.why),
            (f"{margin}-> ", self.remedy),
        ):
            yield from textwrap.wrap(
                say(text),
                columns,
                initial_indent=mark,
                subsequent_indent=" " * len(mark),
                break_long_words=False,
                break_on_hyphens=False,
            )
