"""Letting phones in: a code from the table's console, a press at the table, a token for the phone.

`Pairing` has no clock, no file and no chance: times are arguments, what it must remember is a
value, codes and tokens are given to it. `now` is a clock that never steps, for waiting; `date` is
that of the calendar, seconds since 1970, for what outlasts a restart. Only a token's hash is
remembered. Wrong codes are counted over all callers, since an address costs nothing, and are
remembered over a restart.
"""

import hashlib
from collections.abc import Callable
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from companion.errors import CompanionError, Message

CODE_TIMEOUT_S: Final = 120.0
"""Seconds in which the code must be entered."""
PRESS_TIMEOUT_S: Final = 60.0
"""Seconds after that in which a button must be pressed at the table."""
PHONE_LIFETIME_S: Final = 366 * 24 * 3600.0
"""Seconds after which a phone must be let in anew."""
WRONG_CODE_LIMITS: Final = ((60.0, 3), (600.0, 5), (3600.0, 10))
"""Pairs of seconds and number of wrong codes; after as many within them none is taken (D.4)."""
PHONE_LIMIT: Final = 64

Grant = Literal["score", "run"]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]


class PairingError(CompanionError, ValueError):
    """A phone is not let in: the code is wrong or late, or it must wait.

    `wait` is how many seconds until it may be tried again, 0 if that does not help.
    """

    def __init__(self, text: str, *, wait: float = 0.0) -> None:
        super().__init__(text)
        self.wait = wait


class GoneError(CompanionError, LookupError):
    """Nobody waits under this visit any more, or there is no such phone."""


class StoreError(CompanionError, OSError):
    """Data that must outlast a restart cannot be stored; nothing is changed."""


class Phone(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A phone that was let in: the hash of its token, and when (seconds since 1970, UTC)."""

    id: Annotated[str, Meta(max_length=64)]
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    right: Grant
    hash: Hash
    since: float


class StoredPairing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that outlasts a restart: the phones, and when wrong codes were entered."""

    phones: tuple[Phone, ...] = ()
    wrong: tuple[float, ...] = ()


class WaitingPhone(msgspec.Struct, frozen=True, kw_only=True):
    """A phone that waits; `pressing` once its code was right and only the press is missing.

    `side` is that for which it is to keep score, if it has said.
    """

    visit: str
    name: str
    right: Grant
    code: str
    until: float
    side: int | None = None
    pressing: bool = False


class Pairing:
    """Phones that were let in, and the one that waits.

    Args:
        stored: as `store` was last given it.
        store: writes what must outlast a restart; called before any request is answered.
    """

    def __init__(self, stored: StoredPairing, *, store: Callable[[StoredPairing], None]) -> None:
        self._stored, self._store = stored, store
        self._waiting: WaitingPhone | None = None

    @property
    def phones(self) -> tuple[Phone, ...]:
        """The phones that were let in, the latest last."""
        return self._stored.phones

    def waiting(self, now: float) -> WaitingPhone | None:
        """Return the phone that waits, None if none does."""
        if self._waiting and now >= self._waiting.until:
            self._waiting = None
        return self._waiting

    def request(
        self,
        name: str,
        right: Grant,
        *,
        visit: str,
        code: str,
        now: float,
        date: float,
        side: int | None = None,
    ) -> WaitingPhone:
        """Ask to be let in; the code is shown at the table.

        Raises:
            PairingError: another phone waits, or too many codes have been wrong.
        """
        self._check_pace(date)
        waiting = self.waiting(now)
        if waiting:
            text = "another phone is being let in: try again in a moment"
            raise PairingError(text, wait=waiting.until - now)
        self._waiting = WaitingPhone(
            visit=visit, name=name, right=right, code=code, until=now + CODE_TIMEOUT_S, side=side
        )
        return self._waiting

    def enter_code(self, visit: str, code: str, *, now: float, date: float) -> WaitingPhone:
        """Enter the code; from then on a press at the table is waited for.

        Raises:
            GoneError: nobody waits under this visit.
            PairingError: the code is wrong, and can be entered again; or too many have been.
        """
        self._check_pace(date)
        phone = self.waiting(now)
        if phone is None or phone.visit != visit or phone.pressing:
            raise GoneError("this code is too old: ask for another")
        if code != phone.code:
            self._remember(wrong=(*self._recent(date), date))
            raise PairingError("that was not the code that the table shows: enter it again")
        self._waiting = msgspec.structs.replace(phone, pressing=True, until=now + PRESS_TIMEOUT_S)
        return self._waiting

    def pair(self, visit: str, *, token: str, now: float, date: float, held: bool = False) -> Phone:
        """Let in the phone whose press has come; the token is its own from now on.

        A button that was `held` for it at the table stands for the code too.

        Raises:
            GoneError: nobody waits for a press under this visit.
        """
        waiting = self.waiting(now)
        if waiting is None or waiting.visit != visit or not (waiting.pressing or held):
            raise GoneError("nobody pressed a button at the table in time: ask again")
        self._waiting = None
        digest = _hash(token)
        phone = Phone(
            id=digest[:16], name=waiting.name, right=waiting.right, hash=digest, since=date
        )
        living = tuple(each for each in self.phones if date < each.since + PHONE_LIFETIME_S)
        self._remember(phones=(*living, phone)[-PHONE_LIMIT:])
        return phone

    def cancel(self, visit: str) -> None:
        """Forget a phone that waits, if it does: it has gone, or nobody let it in."""
        if self._waiting and self._waiting.visit == visit:
            self._waiting = None

    def find(self, token: str, date: float) -> Phone | None:
        """Return the phone with this token, None if it was not let in or is forgotten."""
        if not token:
            return None
        digest = _hash(token)
        return next(
            (p for p in self.phones if p.hash == digest and date < p.since + PHONE_LIFETIME_S), None
        )

    def forget(self, phone: str) -> None:
        """Let a phone only watch from now on.

        Raises:
            GoneError: there is none of this id.
        """
        left = tuple(each for each in self.phones if each.id != phone)
        if left == self.phones:
            raise GoneError("there is no such phone: it has been forgotten already")
        self._remember(phones=left)

    def _remember(self, **changes: object) -> None:
        changed = msgspec.structs.replace(self._stored, **changes)
        self._store(changed)
        self._stored = changed

    def _recent(self, date: float) -> tuple[float, ...]:
        longest = max(seconds for seconds, _ in WRONG_CODE_LIMITS)
        return tuple(t for t in self._stored.wrong if date - longest < t <= date)

    def _check_pace(self, date: float) -> None:
        recent = self._recent(date)
        wait = max(
            (
                recent[-most] + seconds - date
                for seconds, most in WRONG_CODE_LIMITS
                if len(recent) >= most and recent[-most] > date - seconds
            ),
            default=0.0,
        )
        if wait > 0:
            text = Message(
                "too many wrong codes: try again in {minutes} min", max(1, round(wait / 60))
            )
            raise PairingError(text, wait=wait)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
