"""The phones that were let in, kept beside the journal."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from companion.errors import Text
from companion.files import attempts, free_name, write_durably
from companion.journal.store import checksum_of
from companion.web.pairing.pairing import Pairing, Phone, StoreError

FILE: Final = "phones.json"


class _StoredFile(msgspec.Struct, frozen=True, kw_only=True):
    """Content of the file."""

    phones: tuple[Phone, ...]
    checksum: str


def load_pairing(
    folder: Path | None,
    notice: Callable[[Text], None],
    *,
    wait: Callable[[float], None] = time.sleep,
) -> Pairing:
    """Return the pairing stored in a data folder; without a folder nothing is stored.

    A damaged file is put aside, and its phones must be let in again. A file that cannot be read is
    tried several times; if that does not help, it is left alone, and no phone can be let in. In
    both cases `notice` gets a line about it.
    """
    if folder is None:
        return Pairing((), store=lambda _: None)
    file = folder / FILE
    try:
        stored = _load(file, notice, wait)
    except OSError as error:
        text = Text(
            "{file} cannot be read ({reason}) and stays as it is: see that the disk is sound and "
            "this program may read it, then start it again",
            file=file,
            reason=error.strerror,
        )
        notice(Text("{text}; until then phones only watch", text=text))
        return Pairing((), store=lambda _: _refuse(text))

    def store(phones: tuple[Phone, ...]) -> None:
        try:
            write_durably(file, _encode(phones))
        except OSError as error:
            text = "{file} cannot be written ({reason}): nothing is changed"
            raise StoreError(text, file=file, reason=error.strerror) from error

    return Pairing(stored, store=store)


def _refuse(text: Text) -> None:
    raise StoreError(text)


def _load(
    file: Path, notice: Callable[[Text], None], wait: Callable[[float], None]
) -> tuple[Phone, ...]:
    """Return the phones in a file.

    Raises:
        OSError: the file cannot be read, or a damaged one cannot be put aside.
    """
    try:
        return _decode(_read(file, wait))
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except (UnicodeDecodeError, RecursionError, msgspec.DecodeError) as error:
        file.rename(free_name(file.with_suffix(".damaged.json")))
        notice(
            Text("{file} cannot be read ({error}): let the phones in again", file=file, error=error)
        )
        return ()


def _checksum(phones: tuple[Phone, ...]) -> str:
    rows = [(p.id, p.name, p.right, p.hash, float(p.since)) for p in phones]
    return checksum_of(rows, []).hex()


def _encode(phones: tuple[Phone, ...]) -> bytes:
    return msgspec.json.encode(_StoredFile(phones=phones, checksum=_checksum(phones)))


def _decode(content: bytes) -> tuple[Phone, ...]:
    """Return the phones in the content of a file.

    Raises:
        UnicodeDecodeError, RecursionError, DecodeError: the content is damaged.
    """
    file = msgspec.json.decode(content, type=_StoredFile)
    if file.checksum != _checksum(file.phones):
        raise msgspec.DecodeError("its checksum is wrong")
    return file.phones


def _read(file: Path, wait: Callable[[float], None]) -> bytes:
    failed = OSError()
    for _ in attempts(wait):
        try:
            return file.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            raise
        except OSError as error:
            failed = error
    raise failed
