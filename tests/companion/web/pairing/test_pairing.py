"""The phones that were let in: their tokens, and how long they stay known."""

from hashlib import sha256

import pytest

from companion.web.pairing.pairing import PHONE_LIMIT, GoneError, Pairing, Phone, StoreError

NEVER_SET, SET, FAR_AHEAD = 60.0, 1.7e9, 4.1e9
"""Dates of a machine: started in 1970 without a clock, set by the network, set to 2099."""


class House:
    """A pairing that keeps what it stores."""

    def __init__(self, stored: tuple[Phone, ...] = ()) -> None:
        self.stored = stored
        self.pairing = Pairing(stored, store=self._store)

    def _store(self, phones: tuple[Phone, ...]) -> None:
        self.stored = phones

    def let_in(self, token: str = "t", *, since: float = SET) -> Phone:
        """Let a phone in."""
        return self.pairing.let_in("Anna", "score", token=token, since=since)


def test_only_the_hash_of_a_token_is_stored() -> None:
    """The stored hash gives no access, and identifies the phone after a restart."""
    house = House()
    phone = house.let_in("secret")
    assert "secret" not in repr(house.stored)
    assert sha256(b"secret").hexdigest() == house.stored[0].hash
    assert phone == House(house.stored).pairing.find("secret")


@pytest.mark.parametrize("token", ["", "T", "t ", "ü"])
def test_another_token_is_nobodys(token: str) -> None:
    """Only the exact token is known."""
    house = House()
    house.let_in("t")
    assert house.pairing.find(token) is None


@pytest.mark.parametrize("since", [NEVER_SET, SET, FAR_AHEAD])
def test_no_wall_clock_decides_who_is_let_in(since: float) -> None:
    """A phone stays known at any date, and makes no other phone expire."""
    house = House()
    phones = [house.let_in("t", since=since)]
    phones += [house.let_in(f"{date}", since=date) for date in (NEVER_SET, SET, FAR_AHEAD)]
    assert phones == list(House(house.stored).pairing.phones)


def test_the_phone_unused_longest_makes_room() -> None:
    """The file stays small, and a phone in use is not forgotten for others."""
    house = House()
    for n in range(PHONE_LIMIT):
        house.let_in(f"{n}")
    assert house.pairing.find("0")
    house.let_in("new")
    later = House(house.stored).pairing
    assert PHONE_LIMIT == len(later.phones)
    assert [True, False, True] == [bool(later.find(token)) for token in ("0", "1", "new")]


def test_a_phone_is_forgotten_once() -> None:
    """It only watches from then on."""
    house = House()
    phone = house.let_in()
    house.pairing.forget(phone.id)
    assert (None, ()) == (house.pairing.find("t"), house.stored)
    with pytest.raises(GoneError):
        house.pairing.forget(phone.id)


def test_a_phone_that_cannot_be_stored_is_not_let_in() -> None:
    """A phone is stored before it gets its answer."""

    def full(_phones: tuple[Phone, ...]) -> None:
        raise StoreError("no room")

    pairing = Pairing((), store=full)
    with pytest.raises(StoreError):
        pairing.let_in("Anna", "run", token="t", since=SET)  # a test's token
    assert () == pairing.phones
