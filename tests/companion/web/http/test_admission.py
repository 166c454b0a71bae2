"""Admission: places for each kind, a share for each address, the longest-silent goes first."""

import random
from collections import Counter
from collections.abc import Iterable

import pytest

from companion.web.http.admission import (
    CONNECTIONS,
    STREAMS,
    Client,
    ClientKind,
    Decision,
    Limits,
    decide,
    kind_of,
    network_of,
)

LIMITS = Limits(
    places={ClientKind.STRANGER: 6, ClientKind.PHONE: 4, ClientKind.THIS_MACHINE: 5}, share=3
)


def client(network: str, silent_since: float | None = None) -> Client:
    """A client; its network's first letter tells its kind."""
    kinds = {"s": ClientKind.STRANGER, "p": ClientKind.PHONE, "m": ClientKind.THIS_MACHINE}
    return Client(network=network, kind=kinds[network[0]], silent_since=silent_since)


def arrive(opened: list[Client], new: Client) -> Decision:
    """Let a client in as decided."""
    decision = decide(opened, new, LIMITS)
    if decision.evicted:
        opened.remove(decision.evicted)
    if decision.accepted:
        opened.append(new)
    return decision


@pytest.mark.parametrize("seed", range(30))
def test_no_crowd_takes_more_than_its_places(seed: int) -> None:
    """Kinds and networks keep to their limits, and served streams stay, in any order."""
    chance = random.Random(seed)
    opened: list[Client] = []
    networks = ["m", "p1", "p2", *(f"s{n}" for n in range(9))]
    for now in range(200):
        network = chance.choice(networks)
        served = [each for each in opened if each.silent_since is None]
        kind = [each for each in opened if each.kind is client(network).kind]
        full = len(kind) >= LIMITS.places[client(network).kind]
        decision = arrive(opened, client(network, chance.choice([None, now])))
        assert set(served) <= set(opened)
        assert decision.evicted is None or decision.evicted.kind is client(network).kind
        if not full and network == "m":
            assert Decision(accepted=True) == decision
        if chance.random() < 0.2:
            opened.pop(chance.randrange(len(opened)))
        assert all(
            number <= LIMITS.places[k] for k, number in Counter(e.kind for e in opened).items()
        )
        assert all(
            number <= LIMITS.share or network == "m" for network, number in _counts(opened).items()
        )


def _counts(opened: Iterable[Client]) -> Counter[str]:
    return Counter(each.network for each in opened)


@pytest.mark.parametrize("seed", range(30))
def test_the_place_comes_from_the_greediest(seed: int) -> None:
    """Found by trying each: no silent client's network has more, none of such is silent longer."""
    chance = random.Random(seed)
    opened = [
        client(f"s{chance.randrange(4)}", chance.choice([None, chance.random()])) for _ in range(6)
    ]
    evicted = decide(opened, client("s9"), LIMITS).evicted
    silent = [each for each in opened if each.silent_since is not None]
    assert bool(silent) == (evicted is not None)
    if evicted:
        counts = _counts(opened)
        assert counts[evicted.network] == max(counts[each.network] for each in silent)
        like = [each for each in silent if counts[each.network] == counts[evicted.network]]
        assert evicted.silent_since == min(each.silent_since or 0 for each in like)


def test_an_address_renews_its_own_places_only() -> None:
    """At its share, the longest-silent of the same address goes; if all are served, it is told."""
    first, second = client("s1", 1.0), client("s1", 2.0)
    opened = [client("s2", 0.0), second, first, client("s1")]
    assert first is arrive(opened, client("s1")).evicted
    assert second is arrive(opened, client("s1")).evicted
    assert Decision(accepted=False) == arrive(opened, client("s1", 3.0))
    assert Decision(accepted=True) == arrive(opened, client("s3"))


def test_strangers_keep_nobody_else_out() -> None:
    """With all their places taken, phones and this machine have all of theirs."""
    opened = [client(f"s{n}") for n in range(6)]
    assert not decide(opened, client("s7"), LIMITS).accepted
    for name in ("p1", "p1", "p2", "p3", *"mmmmm"):
        assert Decision(accepted=True) == arrive(opened, client(name))


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
    """An IPv6 address stands for its whole /64; a house shares its link-local one."""
    assert network == network_of(address)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine_has_places_of_its_own(address: str) -> None:
    """By its loopback address, paired or not; all others are strangers until they are paired."""
    assert ClientKind.THIS_MACHINE is kind_of(network_of(address), paired=False)
    assert ClientKind.STRANGER is kind_of("127.0.0.2", paired=False)
    assert ClientKind.PHONE is kind_of("192.168.1.7", paired=True)


def test_every_stream_finds_a_connection() -> None:
    """A stream takes a connection too: each kind has more of these, by half at least."""
    assert all(2 * CONNECTIONS.places[kind] >= 3 * STREAMS.places[kind] for kind in ClientKind)
    assert 2 * CONNECTIONS.share >= 3 * STREAMS.share
