"""Admission of connections and streams: places for each kind of client, a share for each address.

Pure: what is open is an argument, and so is the time since when each client has been silent. A new
client that finds its address's share or its kind's places taken gets the place of the
longest-silent client of the address that has most; if all are being served, it is refused. The
places of one kind are never given to another, so strangers keep out neither paired phones nor the
table's own machine.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv6Address, ip_address
from typing import Final


class ClientKind(Enum):
    """Kind of client; each has places of its own."""

    STRANGER = "stranger"
    PHONE = "phone"
    """A paired phone."""
    THIS_MACHINE = "this machine"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Client:
    """Client with an open connection or stream; compared by identity.

    Attributes:
        network: its address, or the network that counts as one, see `network_of`.
        kind: whose places it takes.
        silent_since: time since when the server has waited for it; None while it is served.
    """

    network: str
    kind: ClientKind
    silent_since: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Number of places for each kind, and how many of them one network elsewhere may take."""

    places: Mapping[ClientKind, int]
    share: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Decision about a new client; `evicted` is the client whose place it gets, if it gets one."""

    accepted: bool
    evicted: Client | None = None


CONNECTIONS: Final = Limits(
    places={ClientKind.STRANGER: 48, ClientKind.PHONE: 48, ClientKind.THIS_MACHINE: 64}, share=12
)
"""Limits of connections; a browser opens at most six to one server."""
STREAMS: Final = Limits(
    places={ClientKind.STRANGER: 16, ClientKind.PHONE: 16, ClientKind.THIS_MACHINE: 32}, share=8
)
"""Limits of streams, each of which takes a connection too."""


def decide(clients: Iterable[Client], new: Client, limits: Limits) -> Decision:
    """Accept a new client, evict another for it, or refuse it.

    >>> silent = Client(network="10.0.0.7", kind=ClientKind.STRANGER, silent_since=1.0)
    >>> new = Client(network="10.0.0.8", kind=ClientKind.STRANGER)
    >>> decide([silent], new, Limits(places={ClientKind.STRANGER: 1}, share=1)).evicted is silent
    True
    """
    rivals = [each for each in clients if each.kind is new.kind]
    own = [each for each in rivals if each.network == new.network]
    if new.kind is not ClientKind.THIS_MACHINE and len(own) >= limits.share:
        rivals = own
    elif len(rivals) < limits.places[new.kind]:
        return Decision(accepted=True)
    counts = Counter(each.network for each in rivals)
    silent = [
        (-counts[each.network], each.silent_since, index)
        for index, each in enumerate(rivals)
        if each.silent_since is not None
    ]
    if not silent:
        return Decision(accepted=False)
    return Decision(accepted=True, evicted=rivals[min(silent)[2]])


def network_of(address: str) -> str:
    """Return the network of an address that counts as one client: for IPv6 its /64.

    A link-local address counts by itself, since all of a house are in the same /64.

    >>> network_of("::ffff:192.168.1.7"), network_of("2001:db8::a:b:c:d"), network_of("::1")
    ('192.168.1.7', '2001:db8::', '::1')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    if parsed.is_loopback or parsed.is_link_local:
        return str(parsed)
    return str(IPv6Address(int(parsed) >> 64 << 64))


def kind_of(network: str, *, paired: bool) -> ClientKind:
    """Return the kind of a client; only 127.0.0.1 and ::1 have the places of this machine."""
    if network in {"127.0.0.1", "::1"}:
        return ClientKind.THIS_MACHINE
    return ClientKind.PHONE if paired else ClientKind.STRANGER
