"""The phones that were let in, each with the hash of its token.

`Pairing` has no clock, no file and no chance: its state is one value, and tokens are given to it.
Nothing expires by date, since the machine may not know the date: a phone stays let in until it is
forgotten, or until `PHONE_LIMIT` others have been used since. The order of use is stored with the
next change of the phones.
"""

import hashlib
from collections.abc import Callable
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from companion.errors import CompanionError

PHONE_LIMIT: Final = 64

Grant = Literal["score", "run"]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]


class GoneError(CompanionError, LookupError):
    """There is no such visit any more, or no such phone."""


class StoreError(CompanionError, OSError):
    """Data that must outlast a restart cannot be stored; nothing is changed."""


class Phone(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A phone that was let in.

    `since` is the time of that in seconds since 1970, by the machine's clock, for people.
    """

    id: Annotated[str, Meta(max_length=64)]
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    right: Grant
    hash: Hash
    since: float


class Pairing:
    """Phones that were let in, the one used last at the end.

    Args:
        phones: the phones that `store` was last given.
        store: writes the phones durably; it is called before the request is answered.
    """

    def __init__(
        self, phones: tuple[Phone, ...], *, store: Callable[[tuple[Phone, ...]], None]
    ) -> None:
        self.phones, self._store = phones, store

    def let_in(self, name: str, right: Grant, *, token: str, since: float) -> Phone:
        """Let a phone in, which has this token from now on."""
        digest = _hash(token)
        phone = Phone(id=digest[:16], name=name, right=right, hash=digest, since=since)
        self._remember((*self.phones, phone)[-PHONE_LIMIT:])
        return phone

    def find(self, token: str) -> Phone | None:
        """Return the phone with this token, and note its use; None if there is no such phone."""
        digest = _hash(token)
        phone = next((each for each in self.phones if each.hash == digest), None)
        if phone and phone is not self.phones[-1]:
            self.phones = (*(each for each in self.phones if each is not phone), phone)
        return phone

    def forget(self, phone: str) -> None:
        """Let a phone only watch from now on.

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
