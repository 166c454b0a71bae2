"""Limits on open connections and streams, for each client network and for all networks together.

Each connection or stream takes a place. The table's own machine has separate places, so that a
crowd cannot keep its page out.
"""

from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final

THIS_MACHINE: Final = frozenset({"127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Places: `own` for this machine, `others` for the other machines, `share` for one network."""

    own: int
    others: int
    share: int

    def admit(self, opened: Collection[str], network: str) -> bool:
        """Return True if `network` gets a place; `opened` has the network of each taken place.

        >>> Limits(own=1, others=2, share=1).admit(["10.0.0.7"], "10.0.0.7")
        False
        """
        own = [each for each in opened if each in THIS_MACHINE]
        if network in THIS_MACHINE:
            return len(own) < self.own
        taken = sum(each == network for each in opened)
        return taken < self.share and len(opened) - len(own) < self.others


CONNECTIONS: Final = Limits(own=64, others=96, share=12)
"""Limits of connections; a browser opens at most six to one server."""
STREAMS: Final = Limits(own=32, others=32, share=8)
"""Limits of streams; each stream also takes a connection."""


def network_of(address: str) -> str:
    """Return the network that counts as one client: an IPv4 address, or the /64 of an IPv6 one.

    A link-local address counts by itself, since all link-local addresses share one /64.

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
