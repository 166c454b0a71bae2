"""Changes of the settings by the set-up page. The page has its own file beside the user's file.

The user writes one file by hand; this program never changes it. A change begins as a proposal: all
resulting settings are checked, and the game table can try them, before writing. A proposal has
a stamp, which is a hash of both files. If two phones have read the files and both change the
strip, the first change is written, and the second gets a `StaleError`. A change that acts only from
the next start is on probation: if that start fails, the change is taken back.
"""

import hashlib
import tomllib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from companion.errors import BadInputError, Fault, SettingsError, StaleError, Text
from companion.files import disk_errors, write_durably
from companion.settings.load import Usable, load_settings, merge, usable
from companion.settings.probation import (
    Probation,
    content_of,
    load_probation,
    save_probation,
    stamp_of,
)
from companion.settings.schema import COMMAND_LINE, Settings, acts_at_once
from companion.settings.sources import Source, changed, flat, page_file, page_text, read_sources
from companion.toml import TOO_DEEP, Value, is_too_deep, parse


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The settings in the files at the time of reading.

    `usual` are the settings without the page's file. `faults` are the reasons why values were left
    out. `stamp` is the hash of the files.
    """

    settings: Settings
    usual: Settings
    faults: tuple[Fault, ...]
    stamp: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A checked change that is not written yet, so that it can be tried.

    `before` and `after` are the settings without and with the change. Both ignore the values of the
    command line for the changed settings, because the next start may have another command line.
    `content` is the new content of the page's file. `by_hand` has the values of the file written by
    hand. `stamp` is the hash of both files before the change.
    """

    changes: Mapping[str, Value | None]
    by_hand: Mapping[str, Value]
    before: Settings
    after: Settings
    content: bytes
    stamp: str


class SettingsFile:
    """Settings file that the user writes by hand, and the page's file; both may be missing.

    Args:
        by_hand: path of the settings file; the page's file lies beside it.
        command_line: settings of the command line, which replace settings of the files.
        check: raises an error if no game table can be built from settings, as `assemble` does.
    """

    def __init__(
        self,
        by_hand: Path,
        command_line: Mapping[str, Value],
        *,
        check: Callable[[Settings], object],
    ) -> None:
        self.by_hand, self.file = by_hand, page_file(by_hand)
        self._command_line, self._check = command_line, check
        self._writing = Lock()

    def load(self) -> Settings:
        """Return the settings in force.

        Raises:
            SettingsError: every fault of the files, a line each.
        """
        return load_settings(self.by_hand, self._command_line, required=False)

    def read(self) -> Reading:
        """Return the settings that are in the files now, without faulty values.

        Raises:
            BadInputError: the page's file cannot be read.
        """
        stamp, found = self._stamp(), self._usable()
        by_hand, _, command_line = found.sources
        usual = usable([by_hand, command_line], lambda _: None).settings
        return Reading(settings=found.settings, usual=usual, faults=found.faults, stamp=stamp)

    def propose(self, changes: Mapping[str, Value | None], stamp: str) -> Proposal:
        """Return a change as a proposal, after a check of the resulting settings.

        Args:
            changes: values by key, such as `strip.driver`; None removes a setting.
            stamp: the stamp of the files on which the change is based.

        Raises:
            StaleError: the files do not have this stamp any more.
            SettingsError: every fault of the settings after the change, a line each.
            BadInputError: the page's file cannot be read.
        """
        old = self._seen(stamp)
        problem, remedy = TOO_DEEP
        deep = [key for key, value in changes.items() if is_too_deep(value)]
        if deep:
            raise SettingsError(*(Fault(key=key, problem=problem, remedy=remedy) for key in deep))
        by_hand, page, command_line = self._usable().sources
        values = changed(page.values, changes, by_hand.values)
        new = Source(origin=page.origin, values=values)
        self._check(merge([by_hand, new, command_line]))
        content = old or b""
        if values != page.values:
            content = _content(values, self.by_hand.name, changes)
        given = {key: each for key, each in command_line.values.items() if key not in changes}
        others = Source(origin=COMMAND_LINE, values=given)
        after = merge([by_hand, new, others])
        if others != command_line:
            self._check(after)
        return Proposal(
            changes=changes,
            by_hand=by_hand.values,
            before=usable([by_hand, page, others], lambda _: None).settings,
            after=after,
            content=content,
            stamp=stamp,
        )

    def write(self, proposal: Proposal) -> Reading:
        """Write a change; if it acts only from the next start, put it on probation.

        Raises:
            StaleError: the files have changed since the proposal; nothing is written.
            BadInputError: the page's file cannot be read or written; it is unchanged.
        """
        text = (
            "{file} cannot be written ({reason}), so it stays as it was: "
            "let this program write in {folder}"
        )
        with self._writing:
            old = self._seen(proposal.stamp)
            if proposal.content != (old or b""):
                with disk_errors(BadInputError, text, file=self.file, folder=self.file.parent):
                    self.file.parent.mkdir(parents=True, exist_ok=True)
                    save_probation(self.file, self._probation(old, proposal))
                    write_durably(self.file, proposal.content)
            return self.read()

    def change(self, changes: Mapping[str, Value | None], stamp: str | None = None) -> Reading:
        """Write a change without a trial; if `stamp` is None, the present stamp is taken."""
        return self.write(self.propose(changes, self.read().stamp if stamp is None else stamp))

    def _probation(self, old: bytes | None, proposal: Proposal) -> Probation | None:
        """Return the probation to save with a change; None if the whole change acts at once.

        An earlier change that waits for a start stays on probation. If it is taken back, the page's
        file gets its old text, so new settings that act at once are written into this text too.
        """
        waiting = load_probation(self.file)
        if waiting and waiting.after != stamp_of(old):
            waiting = None
        live = {key: value for key, value in proposal.changes.items() if acts_at_once(key)}
        if not waiting and len(live) == len(proposal.changes):
            return None
        before = (
            waiting.before if waiting else None if old is None else old.decode(errors="replace")
        )
        if live:
            values = changed(flat(parse(before or "", "", [])), live, proposal.by_hand)
            before = page_text(values, self.by_hand.name)
        if before is not None and before.encode() == proposal.content:
            return None
        attempted = waiting is not None and waiting.attempted and len(live) == len(proposal.changes)
        return Probation(before=before, after=stamp_of(proposal.content), attempted=attempted)

    def _usable(self) -> Usable[object]:
        faults: list[Fault] = []
        files = read_sources(self.by_hand, faults)
        command_line = Source(origin=COMMAND_LINE, values=flat(self._command_line))
        return usable([*files, command_line], self._check, faults)

    def _seen(self, stamp: str) -> bytes | None:
        if self._stamp() != stamp:
            text = "{file} has changed since this page was loaded: load the page again"
            raise StaleError(text, file=self.file)
        return content_of(self.file)

    def _stamp(self) -> str:
        by_hand = None
        with suppress(OSError):  # `_usable` reports the error as a fault
            by_hand = content_of(self.by_hand)
        text = "{file} cannot be read ({reason}): let this program read it"
        with disk_errors(BadInputError, text, file=self.file):
            both = stamp_of(by_hand) + stamp_of(content_of(self.file))
        return hashlib.sha256(both.encode()).hexdigest()


def _content(values: Mapping[str, Value], by_hand: str, keys: Iterable[str]) -> bytes:
    """Return the content of the page's file with these values.

    Raises:
        SettingsError: TOML cannot express one of the values.
    """
    with suppress(ValueError):
        text = page_text(values, by_hand)
        if flat(tomllib.loads(text)) == values:
            return text.encode()
    problem, remedy = Text("cannot be written into this file"), Text("give another value")
    raise SettingsError(*(Fault(key=key, problem=problem, remedy=remedy) for key in keys))
