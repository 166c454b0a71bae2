"""Writing of a whole folder at once: a fault or an interruption leaves no part of the folder."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from companion.errors import BadInputError, Text


def check_free(folder: Path) -> Path:
    """Return the path, with links resolved, of a folder that is new or empty.

    Raises:
        BadInputError: the path exists and is no empty folder, or it cannot be read.
    """
    try:
        place = folder.resolve()
        taken = place.exists() and not (place.is_dir() and not any(place.iterdir()))
    except (OSError, RuntimeError) as error:
        raise _refusal(folder, error) from None
    if taken:
        text = "{folder} exists and is not empty: name a new or an empty folder"
        raise BadInputError(text, folder=folder)
    return place


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a new or empty folder with these files, whose paths are relative to it.

    Raises:
        BadInputError: the folder is not empty, or cannot be written; no new file is left.
    """
    place = check_free(folder)
    beside = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        beside.mkdir(parents=True)
        for name, content in files.items():
            file = beside / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        beside.replace(place)
    except OSError as error:
        raise _refusal(folder, error) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _refusal(folder: Path, error: Exception) -> BadInputError:
    reason = getattr(error, "strerror", None) or Text("not a possible path")
    text = "{folder} cannot be written ({reason}): choose another place"
    return BadInputError(text, folder=folder, reason=reason)
