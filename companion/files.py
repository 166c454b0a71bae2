"""Writing of files with errors for users; files that must not be lost survive a power cut."""

import itertools
import logging
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE, S_ISREG
from typing import Final, Generic, TypeVar

import msgspec

from companion.encoding import UNREADABLE, encode_json
from companion.errors import BadInputError, CompanionError, Text, as_text

RETRY_WAITS_S: Final = (0.05, 0.2, 0.5)
"""Seconds before the second, the third and the last try."""


def attempts(wait: Callable[[float], None]) -> Iterator[int]:
    """Yield the number of each try; call `wait` with the seconds before each try but the first.

    >>> waits = []
    >>> list(attempts(waits.append)), waits
    ([1, 2, 3, 4], [0.05, 0.2, 0.5])
    """
    yield 1
    for number, seconds in enumerate(RETRY_WAITS_S, start=2):
        wait(seconds)
        yield number


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_Content = TypeVar("_Content")
_log = logging.getLogger(__name__)


@contextmanager
def disk_errors(kind: type[CompanionError], text: str, /, **values: object) -> Iterator[None]:
    """Turn an `OSError` of the block into an error for users.

    Args:
        kind: the class of the raised error.
        text: the text of the raised error; `{reason}` is replaced by the system's message.
        values: the values of the other placeholders.
    """
    try:
        yield
    except CompanionError:  # such as a `JournalError`, which is an `OSError` too
        raise
    except OSError as error:
        raise kind(Text(text, reason=error.strerror, **values)) from None


def write_text(file: str, text: str) -> None:
    """Write a whole file. Raise a `BadInputError` if it cannot be written."""
    refusal = "{file} cannot be written ({reason}): choose another place"
    with disk_errors(BadInputError, refusal, file=file):
        Path(file).write_text(text, encoding="utf-8")


def write_durably(file: Path, content: bytes) -> None:
    """Replace a file atomically: a power cut leaves either the whole old or the whole new content.

    The new content is on disk when this function returns. The file keeps its mode, and also its
    owner if this process may set it. If the file is a link, its target is replaced.

    Raises:
        OSError: the file has the old content; or it has the new content, but its folder could not
            be synced to disk.
    """
    file = file.resolve()
    beside = file.with_name(f".{file.name}.new")
    beside.unlink(missing_ok=True)  # a power cut may have left this file
    try:
        with os.fdopen(os.open(beside, _NEW, 0o666), "wb") as new:
            with suppress(FileNotFoundError):
                belong_like(file, new.fileno())
            new.write(content)
            new.flush()
            os.fsync(new.fileno())
        beside.replace(file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder to disk, such as the new name of a renamed file."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def free_name(file: Path) -> Path:
    """Return a free name for a file: its own name, or the stem with `-2`, `-3` and so on.

    No other name in the folder begins with the returned name. So the names of the files that SQLite
    creates beside a database are free, too.
    """
    names = (file.with_stem(f"{file.stem}-{number}") for number in itertools.count(2))
    return next(
        name
        for name in itertools.chain([file], names)
        if not any(other.name.startswith(name.name) for other in file.parent.iterdir())
    )


class StoredFile(Generic[_Content]):
    """Small JSON file in which the program keeps a value; a damaged one is put aside, not lost.

    Args:
        path: the place of the file.
        kind: the class of the value; its `__post_init__` may raise `DecodeError` for a bad value.
        notice: gets a line about a damaged file, by default for the log.
        wait: waits the seconds before each further attempt to read.
    """

    def __init__(
        self,
        path: Path,
        kind: type[_Content],
        notice: Callable[[Text], None] = _log.warning,
        *,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.path, self._kind, self._notice, self._wait = path, kind, notice, wait

    def load(self) -> _Content | None:
        """Return the value, or None if the file is missing or damaged; rename a damaged file.

        Raises:
            OSError: the file cannot be read after several attempts, or it cannot be renamed.
        """
        try:
            return msgspec.json.decode(self._read(), type=self._kind, dec_hook=_restored)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except UNREADABLE as error:
            aside = free_name(self.path.with_suffix(".damaged.json"))
            self.path.rename(aside)
            text = "{file} is damaged ({error}) and is kept as {aside}"
            self._notice(Text(text, file=self.path, error=error, aside=aside.name))
            return None

    def load_if_readable(self) -> _Content | None:
        """Return what `load` returns; if it raises an error, log a warning and return None."""
        try:
            return self.load()
        except OSError as error:
            _log.warning("%s cannot be read (%s) and is ignored", self.path, error)
            return None

    def save(self, value: _Content) -> None:
        """Replace the file durably (`write_durably`).

        Raises:
            OSError: the file cannot be written.
        """
        write_durably(self.path, encode_json(value, _stored))

    def _read(self) -> bytes:
        failed = OSError()
        for _ in attempts(self._wait):
            try:
                return self.path.read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                raise
            except OSError as error:
                failed = error
        raise failed


def _stored(text: Text) -> object:
    """Return a text as a JSON value from which `_restored` makes the same text again."""
    return {"template": text.template, "values": text.values} if text else ""


def _restored(_kind: type[Text], value: object) -> Text:
    match value:
        case {"template": str(template), "values": Mapping() as values}:
            nested = {n: v if isinstance(v, str) else _restored(Text, v) for n, v in values.items()}
            return Text(template, **nested)
        case str():
            return as_text(value)
        case _:
            raise TypeError(f"{value!r} is no stored text")


def belong_like(example: Path, file: Path | int) -> None:
    """Give a file the mode of an example, and also the owner if this process may set it.

    `file` is a path or a file descriptor. If the example is a folder, only the owner is copied.
    """
    found = example.stat()
    with suppress(PermissionError):
        os.chown(file, found.st_uid, found.st_gid)
    if S_ISREG(found.st_mode):
        os.chmod(file, S_IMODE(found.st_mode))  # noqa: PTH101  # `file` may be a descriptor


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
