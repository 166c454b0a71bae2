"""Admission: this machine has places of its own, each other address has a share."""

import random
from collections import Counter

import pytest

from companion.web.http.admission import CONNECTIONS, STREAMS, THIS_MACHINE, Limits, network_of

LIMITS = Limits(own=5, others=6, share=3)
NEAR = "127.0.0.1"


@pytest.mark.parametrize("seed", range(30))
def test_no_crowd_takes_more_than_its_places(seed: int) -> None:
    """An address is refused only at its share, or if all common places are taken."""
    chance = random.Random(seed)
    opened: list[str] = []
    for _ in range(200):
        network = chance.choice([NEAR, *(f"10.0.0.{n}" for n in range(5))])
        taken, near = Counter(opened)[network], opened.count(NEAR)
        full = near == 5 if network == NEAR else taken == 3 or len(opened) - near == 6
        assert LIMITS.admit(opened, network) is not full
        if not full:
            opened.append(network)
        if chance.random() < 0.2:
            opened.pop(chance.randrange(len(opened)))


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:a::1", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("fe80::1", "fe80::1"),
        ("::1", "::1"),
        ("::ffff:127.0.0.1", "127.0.0.1"),
        ("", ""),
    ],
)
def test_an_ipv6_network_counts_as_one(address: str, network: str) -> None:
    """An IPv6 address counts as its /64; all link-local addresses count as one."""
    assert network == network_of(address)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine_is_known_by_its_loopback_address(address: str) -> None:
    """Any other address, even of the loopback network, uses the common places."""
    assert network_of(address) in THIS_MACHINE
    assert network_of("127.0.0.2") not in THIS_MACHINE


def test_every_stream_finds_a_connection() -> None:
    """As a stream needs a connection, there are half as many again of these."""
    for name in ("own", "others", "share"):
        assert 2 * getattr(CONNECTIONS, name) >= 3 * getattr(STREAMS, name)
