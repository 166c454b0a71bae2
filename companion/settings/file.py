"""The user's settings file, changed from the page: checked whole first, then replaced at once."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from companion.errors import BadInputError, Fault, SettingsError, StaleError
from companion.files import disk_errors, write_durably
from companion.settings.edit import changed
from companion.settings.load import read_settings
from companion.settings.schema import Settings, split_key
from companion.toml.table import TOO_DEEP, decode, is_too_deep
from companion.toml.text import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The settings as the file has them just now, and the stamp of that text for `change`."""

    settings: Settings
    stamp: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A sound change that is not written yet, for a trial.

    The settings `before` and `after` it have those of its `keys` as the file does, whatever the
    command line says of them: it may not be given at another start. `content` is that of the file
    after the change, `stamp` that of the file before it.
    """

    keys: tuple[str, ...]
    before: Settings
    after: Settings
    content: bytes
    stamp: str


class SettingsFile:
    """The file in which a table's settings are changed; it may not be there yet.

    Args:
        file: its place.
        command_line: the settings given there when the table started, which go over the file.
        check: refuses settings of which nothing can be made: `devices.assembly.assemble`.
    """

    def __init__(
        self, file: Path, command_line: Mapping[str, Value], *, check: Callable[[Settings], object]
    ) -> None:
        self.file = file
        self._command_line = command_line
        self._check = check
        self._writing = Lock()

    def read(self) -> Reading:
        """Return the settings as the file has them just now.

        Raises:
            BadInputError: it cannot be read.
            SettingsError: every fault in it, a line each.
        """
        content = self._content()
        return Reading(settings=self._settings(_text(self.file, content)), stamp=_stamp(content))

    def propose(self, changes: Mapping[str, Value | None], stamp: str) -> Proposal:
        """Check what would come of setting settings, or of taking them out; nothing is written.

        Args:
            changes: values by key, such as `strip.driver`; None takes out.
            stamp: of the text that whoever changes it has seen.

        Raises:
            StaleError: the file says something else by now.
            SettingsError: every fault of what would come of it, a line each.
            BadInputError: the file cannot be read.
        """
        content = self._seen(stamp)
        old = _text(self.file, content)
        self._settings(old)
        problem, remedy = TOO_DEEP
        deep = [key for key, value in changes.items() if is_too_deep(value)]
        if deep:
            raise SettingsError(*(Fault(key=key, problem=problem, remedy=remedy) for key in deep))
        new = changed(old, changes)
        self._check(self._settings(new))
        overrides = _of_others(self._command_line, changes)
        before, after = (read_settings(text, str(self.file), overrides) for text in (old, new))
        if overrides != self._command_line:
            self._check(after)
        return Proposal(
            keys=tuple(changes), before=before, after=after, content=new.encode(), stamp=stamp
        )

    def write(self, proposal: Proposal) -> Reading:
        """Write a change, which counts from a restart on.

        Raises:
            StaleError: the file says something else by now; nothing is written.
            BadInputError: the file cannot be read or written; it says what it said.
        """
        with self._writing:
            if proposal.content != (self._seen(proposal.stamp) or b""):
                self._write(proposal.content)
            return self.read()

    def change(self, changes: Mapping[str, Value | None], stamp: str | None = None) -> Reading:
        """Write a change without a trial, of any text if no stamp; see `propose` and `write`."""
        return self.write(self.propose(changes, self.read().stamp if stamp is None else stamp))

    def _seen(self, stamp: str) -> bytes | None:
        """Return the content of the file that has this stamp."""
        content = self._content()
        if _stamp(content) != stamp:
            text = "{file} was changed meanwhile: load the page again, then change it"
            raise StaleError(text, self.file)
        return content

    def _settings(self, text: str) -> Settings:
        return read_settings(text, str(self.file), self._command_line)

    def _content(self) -> bytes | None:
        """Return the bytes of the file; None if there is none."""
        text = "{file} cannot be read ({reason}): let this program read it"
        with disk_errors(BadInputError, text, self.file), suppress(FileNotFoundError):
            return self.file.read_bytes()
        return None

    def _write(self, content: bytes) -> None:
        text = (
            "{file} cannot be written ({reason}), so it stays as it was: "
            "let this program write in {folder}"
        )
        with disk_errors(BadInputError, text, self.file, self.file.parent):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write_durably(self.file, content)


def _of_others(command_line: Mapping[str, Value], keys: Iterable[str]) -> Mapping[str, Value]:
    """Return what the command line says of other settings than these."""
    others = deepcopy(dict(command_line))
    for table, name in map(split_key, keys):
        inner = others.get(table) if table else others
        if isinstance(inner, dict):
            inner.pop(name, None)
    return others


def _text(file: Path, content: bytes | None) -> str:
    faults: list[Fault] = []
    text = decode(content or b"", str(file), faults)
    if faults:
        raise SettingsError(*faults)
    return text


def _stamp(content: bytes | None) -> str:
    """Return the hash of a file's content; "" without a file."""
    return "" if content is None else hashlib.sha256(content).hexdigest()
