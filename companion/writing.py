"""Files that a command is asked to write."""

from __future__ import annotations

from pathlib import Path

from companion.errors import BadInputError


def write_text(file: str, text: str) -> None:
    """Write a whole file; a `BadInputError` if it cannot be written."""
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        reason = f"{file} cannot be written ({error.strerror}): choose another place"
        raise BadInputError(reason) from None
