"""The settings of the last start that reached `ready`, kept beside the journal to go back to."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from companion.files import write_durably

COPY: Final = "last-good-settings.toml"
"""The name of the copy in the data folder; it is empty where there was no settings file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """Settings with which a restart failed: the file where they lie, and the reason.

    The reason is "" if the program was not ready in time.
    """

    file: str
    reason: str


class LastGood:
    """Keeper of the settings that are known to work.

    Args:
        file: the settings file; it is read when this is made.
        data: the folder of the journal.
    """

    def __init__(self, file: Path, data: Path) -> None:
        self.file, self.copy = file, data / COPY
        self._started_with = b""
        with suppress(OSError):  # whoever reads the settings tells of it
            self._started_with = _content(file) or b""

    def keep(self) -> None:
        """Keep what the file said when this was made: a start with it has reached `ready`.

        Raises:
            OSError: it cannot be kept; the copy is as it was.
        """
        if self._started_with != _content(self.copy):
            write_durably(self.copy, self._started_with)

    def restore(self) -> Path | None:
        """Put the last good settings in force; return where those of the file lie now.

        None if there are no others to go back to: then nothing is changed.

        Raises:
            OSError: it cannot be done; the file says what it said.
        """
        good, rejected = _content(self.copy), _content(self.file) or b""
        if good is None or good == rejected:
            return None
        aside = _free(self.file)
        write_durably(aside, rejected)
        write_durably(self.file, good)
        return aside


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
