"""The phones that were let in: their tokens, how long they stay known, and their file."""

from hashlib import sha256
from pathlib import Path

import pytest

from companion.backups.backup_file import PHONES
from companion.errors import Text
from companion.web.pairing import (
    PHONE_LIMIT,
    GoneError,
    Pairing,
    Phone,
    StoreError,
    load_pairing,
)

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


def test_another_token_is_nobodys() -> None:
    """Only the exact token is known."""
    house = House()
    house.let_in("t")
    assert [None] * 4 == [house.pairing.find(token) for token in ("", "T", "t ", "ü")]


def test_no_wall_clock_decides_who_is_let_in() -> None:
    """A phone stays known at any date, and makes no other phone expire."""
    dates = (NEVER_SET, SET, FAR_AHEAD)
    house = House()
    phones = [house.let_in(f"{n}", since=date) for n, date in enumerate([*dates, *dates[::-1]])]
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


def let_in(folder: Path | None, notices: list[Text]) -> None:
    """Let a phone in, whose token is "t"."""
    pairing = load_pairing(folder, notices.append)
    pairing.let_in("Anna", "run", token="t", since=0)  # a test's token


def test_a_phone_is_known_after_a_restart(tmp_path: Path) -> None:
    """Its token identifies it."""
    notices: list[Text] = []
    let_in(tmp_path, notices)
    phone = load_pairing(tmp_path, notices.append).find("t")
    assert phone
    assert ("Anna", []) == (phone.name, notices)


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    """A demo lets phones in only while it runs."""
    let_in(None, [])
    assert [] == list(tmp_path.iterdir())


def test_a_turned_bit_is_noticed(tmp_path: Path) -> None:
    """A name that is still readable is not trusted; the table says that phones are let in again."""
    notices: list[Text] = []
    let_in(tmp_path, notices)
    content = (tmp_path / PHONES).read_bytes()
    (tmp_path / PHONES).write_bytes(content.replace(b"Anna", b"Anoa"))
    let_in(tmp_path, notices)
    assert load_pairing(tmp_path, notices.append).find("t")
    (notice,) = notices
    assert "its checksum is wrong" in str(notice)
    assert str(notice).endswith("kept as phones.damaged.json: let the phones in again")


def test_a_file_that_cannot_be_read_is_never_replaced(tmp_path: Path) -> None:
    """Phones only watch, as those of the file would be lost."""
    (tmp_path / PHONES).mkdir()
    notices: list[Text] = []
    pairing = load_pairing(tmp_path, notices.append, wait=lambda _: None)
    assert ["phones can only watch"] == [str(notice)[-21:] for notice in notices]
    with pytest.raises(StoreError, match="is left unchanged"):
        pairing.let_in("Bert", "run", token="u", since=0)  # a test's token
    assert (tmp_path / PHONES).is_dir()


def test_a_phone_that_cannot_be_kept_is_not_let_in(tmp_path: Path) -> None:
    """A phone that a restart would bring back is not forgotten; a line says why."""
    let_in(tmp_path, [])
    pairing = load_pairing(tmp_path, print)
    (phone,) = pairing.phones
    tmp_path.joinpath(PHONES).unlink()
    tmp_path.rmdir()
    with pytest.raises(StoreError, match="nothing is changed"):
        pairing.forget(phone.id)
    assert (phone,) == pairing.phones
