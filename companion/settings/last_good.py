"""The settings of the last start that reached `ready`, kept beside the journal to go back to."""

from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from companion.files import write_durably
from companion.toml.text import toml_text

COPY: Final = "last-good-settings.toml"
"""The name of the copy in the data folder. Its first line names the settings file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """Settings with which a restart failed: the file where they lie, and the reason."""

    file: str
    reason: str


class LastGood:
    """Copy of the settings that are known to work.

    Args:
        file: the settings file; it is read when this is made.
        data: the folder of the journal.
    """

    def __init__(self, file: Path, data: Path) -> None:
        self.file, self.copy = file, data / COPY
        self._head = f"# {toml_text(str(file.absolute()))} at the last good start\n".encode()
        self._started_with = b""
        with suppress(OSError):  # reported by the reader of the settings
            self._started_with = _content(file) or b""

    @property
    def text(self) -> str | None:
        """The last good settings of this file, "" if it was not there; None if none are kept."""
        try:
            content = self._content()
        except OSError:
            return None
        return None if content is None else content.decode(errors="replace")

    def keep_changed(self) -> None:
        """Keep the settings that the file has now: all of them are in force.

        Raises:
            OSError: see `keep`.
        """
        self._started_with = _content(self.file) or b""
        self.keep()

    def keep(self) -> None:
        """Keep the settings that the file had when this object was made.

        Raises:
            OSError: they cannot be kept; the copy is as it was.
        """
        if self._started_with != self._content():
            write_durably(self.copy, self._head + self._started_with)

    def restore(self) -> Path | None:
        """Put the last good settings in force. Return the new place of those of the file.

        None if there are no others to go back to: then nothing is changed.

        Raises:
            OSError: it cannot be done; the file is unchanged.
        """
        good, rejected = self._content(), _content(self.file) or b""
        if good is None or good == rejected:
            return None
        aside = _free(self.file)
        write_durably(aside, rejected)
        write_durably(self.file, good)
        return aside

    @property
    def has_others(self) -> bool:
        """True if the last good settings are others than those of the file."""
        return self.text not in {None, self._started_with.decode(errors="replace")}

    def _content(self) -> bytes | None:
        """Return the last good content of this file; None if the copy is of another, or missing."""
        content = _content(self.copy)
        return (
            content.removeprefix(self._head) if content and content.startswith(self._head) else None
        )


def _content(file: Path) -> bytes | None:
    """Return the bytes of a file; None if there is none."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None


def _free(file: Path) -> Path:
    """Return a name beside a file for rejected settings that none has yet."""
    names = (f"{file.name}.rejected{f'-{n}' if n > 1 else ''}" for n in count(1))
    return next(path for path in map(file.with_name, names) if not path.exists())
