"""Request to restore a backup: carried out by the next start, before it opens the journal."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from companion.errors import CompanionError, Message
from companion.files import write_durably

REQUEST: Final = "restore-request.json"


class _PendingRestore(msgspec.Struct, frozen=True):
    """Backup to restore, its path as bytes, and the day when it was made."""

    file: bytes
    day: str


def request_restore(data: Path, backup: Path, day: str) -> None:
    """Have the next start in a data folder restore a backup.

    Raises:
        OSError: the request cannot be written.
    """
    content = msgspec.json.encode(_PendingRestore(file=os.fsencode(backup.absolute()), day=day))
    write_durably(data / REQUEST, content)


def carry_out_request(data: Path, settings: Path, *, now: Callable[[], float]) -> str | None:
    """Restore the requested backup, once. Return a line about that, None without a request."""
    file = data / REQUEST
    try:
        content = file.read_bytes()
        file.unlink()  # first: a backup that ends the program must not do so again and again
        request = msgspec.json.decode(content, type=_PendingRestore)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        return Message("no backup was restored: {file} cannot be read ({error})", file, error)
    # Late, so that a start without a request lights the board before this is imported.
    from companion.journal.backup.restore import staged  # noqa: PLC0415

    try:
        with staged(Path(os.fsdecode(request.file)), data) as backup:
            restored = backup.put_in_place(settings, now=now())
    except CompanionError as error:
        return Message("no backup was restored: {error}", error)
    previous = ", ".join(path.name for path in restored.previous) or "nothing"
    text = "the backup of {day} is restored; what was there is kept as {previous}"
    return Message(text, request.day, previous)
