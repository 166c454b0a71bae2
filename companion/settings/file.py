"""The user's settings file, changed from the page: checked whole first, then replaced at once.

What the table started with is kept beside it as `.bak` before the first change: settings that are
known to work, for whoever has locked themselves out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from companion.errors import BadInputError, SettingsError, StaleError
from companion.files import write_durably
from companion.settings.edit import changed
from companion.settings.load import Settings, Value, read_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The settings as the file has them just now, and the stamp of that text for `change`."""

    settings: Settings
    stamp: str


class SettingsFile:
    """The file in which a table's settings are changed; it may not be there yet.

    Args:
        file: where it is, or is to be made.
        command_line: what was given there when the table started, which goes over the file.
        check: refuses settings of which nothing can be made: `devices.assembly.fit`.
    """

    def __init__(
        self,
        file: Path,
        command_line: Mapping[str, Value],
        *,
        check: Callable[[Settings], object],
    ) -> None:
        self.file = file
        self.backup = file.with_name(f"{file.name}.bak")
        self._command_line = command_line
        self._check = check
        self._started_with = self._content()
        self._writing = Lock()

    def read(self) -> Reading:
        """What the file says just now.

        Raises:
            BadInputError: it cannot be read.
            SettingsError: every fault in it, a line each.
        """
        content = self._content()
        return Reading(settings=self._settings(_text(self.file, content)), stamp=_stamp(content))

    def change(self, changes: Mapping[str, Value | None], stamp: str) -> Reading:
        """Set settings, or take them out so that their defaults hold; they count from a restart on.

        Args:
            changes: values by key, such as `strip.driver`; None takes out.
            stamp: of the text that whoever changes it has seen.

        Raises:
            StaleError: the file says something else by now; nothing is written.
            SettingsError: every fault of what would come of it, a line each; nothing is written.
            BadInputError: the file cannot be read or written; it says what it said.
        """
        with self._writing:
            content = self._content()
            if _stamp(content) != stamp:
                text = f"{self.file} was changed meanwhile: load the page again, then change it"
                raise StaleError(text)
            old = _text(self.file, content)
            self._settings(old)
            new = changed(old, changes)
            settings = self._settings(new)
            self._check(settings)
            if new != old:
                self._write(new.encode())
            return Reading(settings=settings, stamp=_stamp(new.encode()))

    def _settings(self, text: str) -> Settings:
        return read_settings(text, str(self.file), self._command_line)

    def _content(self) -> bytes | None:
        """The bytes of the file; None if there is none."""
        try:
            return self.file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            text = f"{self.file} cannot be read ({error.strerror}): let this program read it"
            raise BadInputError(text) from None

    def _write(self, content: bytes) -> None:
        try:
            if self._started_with is not None:
                write_durably(self.backup, self._started_with)
                self._started_with = None
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write_durably(self.file, content)
        except OSError as error:
            text = f"{self.file} cannot be written ({error.strerror}), so it stays as it was: "
            remedy = f"let this program write in {self.file.parent}"
            raise BadInputError(f"{text}{remedy}") from None


def _text(file: Path, content: bytes | None) -> str:
    try:
        return (content or b"").decode()
    except UnicodeDecodeError as error:
        raise SettingsError((f"{file}: is not TOML ({error}): mend that line",)) from None


def _stamp(content: bytes | None) -> str:
    """A mark of what a file says: two of the same say the same."""
    return "" if content is None else hashlib.sha256(content).hexdigest()
