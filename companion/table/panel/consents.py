"""Consent of the people at the table to a request from outside, such as a phone's wish to join.

Each request names a button, which lamps and pages show. People consent by holding this button for a
second; a tap never consents. Most requests can also be granted on a page of the table's own
machine. If several requests name a button, a hold grants the oldest at the time of the press.

Each asker has one request: a new request replaces the old one, and is the last in the queue. If too
many requests wait, the network with the most requests loses its oldest one, so that one stranger
cannot keep others out. Requests expire. A refused asker cannot ask again for five minutes.

>>> consents, answers = Consents(), []
>>> asked = ConsentRequest(kind="score", name="Anna", button="1.enter", asker="a", network="a")
>>> number = consents.ask(asked, 0.0, answers.append)
>>> consents.first("1.enter").name, consents.first("deal")
('Anna', None)
>>> consents.grant(number, held=True), consents.waiting, answers
(True, (), [True])
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Final, Literal

from companion.errors import ConsentError

REQUEST_TIMEOUT_S: Final = 120.0  # seconds after which a request expires
REFUSAL_S: Final = 300.0  # seconds for which a refused asker cannot ask again
WAITING_LIMIT: Final = 8

ConsentKind = Literal["score", "run", "update"]
"""Subject of a request: to keep score, to run the table, or to install an unsigned version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentRequest:
    """Request that waits for consent.

    Attributes:
        kind: subject of the request.
        name: the name to show.
        button: name of the button to hold, for example `1.enter` or `deal`.
        asker: the machine that asks.
        network: the asker's network, see `companion.web.http.connection.network_of`.
        needs_button: True if only a hold grants it; the press that wakes the board is no such hold.
        number: counts the requests since the start of the program; `Consents.ask` sets it.
        until: time in seconds at which the request expires; `Consents.ask` sets it.
    """

    kind: ConsentKind
    name: str
    button: str
    asker: str
    network: str
    needs_button: bool = False
    number: int = 0
    until: float = 0.0


class Consents:
    """Waiting requests; each has a function that is called with its answer."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._waiting: dict[int, tuple[ConsentRequest, Callable[[bool], None]]] = {}
        self._refused: dict[str, float] = {}

    @property
    def waiting(self) -> tuple[ConsentRequest, ...]:
        """The waiting requests, the oldest first."""
        return tuple(request for request, _ in self._waiting.values())

    def first(self, button: str) -> ConsentRequest | None:
        return next((each for each in self.waiting if each.button == button), None)

    def ask(self, request: ConsentRequest, now: float, answer: Callable[[bool], None]) -> int:
        """Add a request and return its number; call `answer` with True if people grant it.

        Raises:
            ConsentError: the asker was refused a short time ago.
        """
        self._refused = {asker: end for asker, end in self._refused.items() if now < end}
        wait = self._refused.get(request.asker, now) - now
        if wait > 0:
            text, minutes = "the table refused: ask again in {minutes} min", round(wait / 60)
            raise ConsentError(text, minutes=max(1, minutes), wait=wait)
        for each in self.waiting:
            if each.asker == request.asker:
                self._close(each.number, granted=False)
        if len(self._waiting) >= WAITING_LIMIT:
            counts = Counter(each.network for each in self.waiting)
            gives_way = max(self.waiting, key=lambda each: counts[each.network])
            self._close(gives_way.number, granted=False)
        number = next(self._numbers)
        asked = replace(request, number=number, until=now + REQUEST_TIMEOUT_S)
        self._waiting[number] = asked, answer
        return number

    def grant(self, number: int, *, held: bool) -> bool:
        """Grant a request; return False if it is gone, or needs a button that is not `held`."""
        waiting = {each.number: each for each in self.waiting}
        if number not in waiting or (waiting[number].needs_button and not held):
            return False
        return self._close(number, granted=True) is not None

    def refuse(self, number: int, now: float) -> bool:
        """Refuse a request and block its asker; return False if the request is gone."""
        refused = self._close(number, granted=False)
        if refused:
            self._refused[refused.asker] = now + REFUSAL_S
        return refused is not None

    def _close(self, number: int, *, granted: bool) -> ConsentRequest | None:
        request, answer = self._waiting.pop(number, (None, None))
        if answer:
            answer(granted)
        return request

    # Time

    def deadlines(self) -> Iterator[float]:
        return (each.until for each in self.waiting)

    def expire(self, now: float) -> None:
        """End the requests that have waited too long."""
        for each in self.waiting:
            if now >= each.until:
                self._close(each.number, granted=False)
