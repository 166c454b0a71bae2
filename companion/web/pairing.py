"""The phones that may do more than watch (paired phones), stored with hashes of their tokens.

`Pairing` has no clock, file or random numbers: callers pass tokens, times and a function that
stores the phones. A phone does not expire by date, since the machine may not know the date. It
stays paired until a user removes it, or until `PHONE_LIMIT` other phones have been used after it.
The order of use is stored only when a phone is let in or removed.
"""

import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from companion.backups.backup_file import PHONES
from companion.errors import NO_TEXT, CompanionError, Text
from companion.files import StoredFile, disk_errors
from companion.journal.store import checksum_of

PHONE_LIMIT: Final = 64

Grant = Literal["score", "run"]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]


class GoneError(CompanionError, LookupError):
    """A phone, or a request for the consent of the people at the table, no longer exists."""


class StoreError(CompanionError, OSError):
    """Data that must outlast a restart cannot be stored; nothing is changed."""


class Phone(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Paired phone; `since` is the time of the pairing in seconds since 1970, shown to users."""

    id: Annotated[str, Meta(max_length=64)]
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    right: Grant
    hash: Hash
    since: float


class Pairing:
    """Paired phones, the one used last at the end.

    Args:
        phones: the phones stored so far.
        store: writes the phones durably; it is called before a phone is let in or removed.
    """

    def __init__(
        self, phones: tuple[Phone, ...], *, store: Callable[[tuple[Phone, ...]], None]
    ) -> None:
        self.phones, self._store = phones, store

    def let_in(self, name: str, right: Grant, *, token: str, since: float) -> Phone:
        """Let in the phone with this token."""
        digest = _hash(token)
        phone = Phone(id=digest[:16], name=name, right=right, hash=digest, since=since)
        self._remember((*self.phones, phone)[-PHONE_LIMIT:])
        return phone

    def find(self, token: str) -> Phone | None:
        """Return the phone with this token and count it as used last; None if no phone has it."""
        digest = _hash(token)
        phone = next((each for each in self.phones if each.hash == digest), None)
        if phone and phone is not self.phones[-1]:
            self.phones = (*(each for each in self.phones if each is not phone), phone)
        return phone

    def forget(self, phone: str) -> None:
        """Remove a phone, which may only watch from now on.

        Raises:
            GoneError: no phone has this id.
        """
        left = tuple(each for each in self.phones if each.id != phone)
        if left == self.phones:
            raise GoneError("there is no such phone: it has been forgotten already")
        self._remember(left)

    def _remember(self, phones: tuple[Phone, ...]) -> None:
        self._store(phones)
        self.phones = phones


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class StoredPhones(msgspec.Struct, frozen=True, kw_only=True):
    """Content of the file `phones.json`."""

    phones: tuple[Phone, ...]
    checksum: str

    def __post_init__(self) -> None:
        if self.checksum != _checksum(self.phones):
            raise msgspec.DecodeError("its checksum is wrong")


def _checksum(phones: tuple[Phone, ...]) -> str:
    rows = [(p.id, p.name, p.right, p.hash, float(p.since)) for p in phones]
    return checksum_of(rows, []).hex()


def load_pairing(
    folder: Path | None,
    notice: Callable[[Text], None],
    *,
    wait: Callable[[float], None] = time.sleep,
) -> Pairing:
    """Return the pairing stored in a data folder; without a folder nothing is stored.

    A damaged file is renamed, and its phones must be let in again. A file that still cannot be read
    after several attempts is left alone, and no phone can be let in. In both cases `notice` gets a
    line for users.
    """
    if folder is None:
        return Pairing((), store=lambda _: None)

    def damaged(text: Text) -> None:
        notice(Text("{text}: let the phones in again", text=text))

    file = StoredFile(folder / PHONES, StoredPhones, damaged, wait=wait)
    stored, fault = None, NO_TEXT
    try:
        stored = file.load()
    except OSError as error:
        text = (
            "{file} cannot be read ({reason}) and is left unchanged: check the disk and the file's "
            "permissions, then restart this program"
        )
        fault = Text(text, file=file.path, reason=error.strerror)
        notice(Text("{text}; until then phones can only watch", text=fault))

    def store(phones: tuple[Phone, ...]) -> None:
        if fault:
            raise StoreError(fault)
        text = "{file} cannot be written ({reason}): nothing is changed"
        with disk_errors(StoreError, text, file=file.path):
            file.save(StoredPhones(phones=phones, checksum=_checksum(phones)))

    return Pairing(stored.phones if stored else (), store=store)
