"""Letting phones in: the code, the press, the token; and how slowly codes can be tried."""

from hashlib import sha256

import pytest

from companion.web.pairing.pairing import (
    CODE_TIMEOUT_S,
    PHONE_LIFETIME_S,
    PHONE_LIMIT,
    PRESS_TIMEOUT_S,
    WRONG_CODE_LIMITS,
    GoneError,
    Grant,
    Pairing,
    PairingError,
    StoredPairing,
)

YEAR = 365.25 * 24 * 3600


class Door:
    """A pairing whose clock, codes and tokens are the test's, and what it has kept."""

    def __init__(self, stored: StoredPairing | None = None) -> None:
        self.stored = stored or StoredPairing()
        self.now = 1e9
        self.pairing = Pairing(self.stored, store=self._store)

    def _store(self, stored: StoredPairing) -> None:
        self.stored = stored

    def knock(self, visit: str = "v", *, right: Grant = "score", name: str = "Anna") -> None:
        """Ask; the code is 123456."""
        self.pairing.request(name, right, visit=visit, code="123456", now=self.now, date=self.now)

    def enter(self, code: str = "123456", visit: str = "v") -> None:
        """Enter a code."""
        self.pairing.enter_code(visit, code, now=self.now, date=self.now)

    def let_in(self, token: str = "t", visit: str = "v") -> str:
        """Press; the phone's id."""
        return self.pairing.pair(visit, token=token, now=self.now, date=self.now).id

    def known(self, token: str = "t") -> str | None:
        """The id of the phone that a token belongs to."""
        phone = self.pairing.find(token, self.now)
        return phone.id if phone else None


def test_code_and_press_let_a_phone_in() -> None:
    """And neither does alone."""
    door = Door()
    door.knock()
    with pytest.raises(GoneError):
        door.let_in()
    door.enter()
    assert door.known() is None
    phone = door.let_in()
    assert phone == door.known()
    assert ("Anna", "score") == (door.pairing.phones[0].name, door.pairing.phones[0].right)


def test_only_the_hash_of_a_token_is_kept() -> None:
    """The stored hash opens nothing."""
    door = Door()
    door.knock()
    door.enter()
    door.let_in("secret")
    assert "secret" not in repr(door.stored)
    assert sha256(b"secret").hexdigest() == door.stored.phones[0].hash


def test_who_was_let_in_is_known_after_a_restart() -> None:
    """Until it is forgotten, or a year has gone."""
    door = Door()
    door.knock()
    door.enter()
    phone = door.let_in()
    later = Door(door.stored)
    assert phone == later.known()
    later.now += PHONE_LIFETIME_S
    assert later.known() is None
    later.now -= 1
    later.pairing.forget(phone)
    assert later.known() is None
    assert StoredPairing() == later.stored
    with pytest.raises(GoneError):
        later.pairing.forget(phone)


@pytest.mark.parametrize("token", ["", "T", "t ", "ü"])
def test_another_token_is_nobodys(token: str) -> None:
    """Only the very token is known."""
    door = Door()
    door.knock()
    door.enter()
    door.let_in("t")
    assert door.known(token) is None


def test_one_phone_waits_at_a_time() -> None:
    """The next is told to wait until the code of the first is too old."""
    door = Door()
    door.knock("first")
    door.now += CODE_TIMEOUT_S - 1
    with pytest.raises(PairingError) as reported:
        door.knock("second")
    assert 1 == reported.value.wait
    door.now += 1
    door.knock("second")
    with pytest.raises(GoneError):
        door.enter(visit="first")


def test_a_code_is_entered_once() -> None:
    """After a wrong digit it is entered again; once it was right, nothing more is."""
    door = Door()
    door.knock()
    with pytest.raises(PairingError, match="not the code"):
        door.enter("000000")
    door.enter()
    with pytest.raises(GoneError):
        door.enter()


def test_a_button_held_for_a_phone_stands_for_its_code() -> None:
    """But not for that of a phone that does not wait."""
    door = Door()
    door.knock()
    phone = door.pairing.pair("v", token="t", now=door.now, date=door.now, held=True)
    assert phone.id == door.known()
    with pytest.raises(GoneError):
        door.pairing.pair("v", token="u", now=door.now, date=door.now, held=True)


def test_a_late_press_lets_nobody_in() -> None:
    """Nor a press after the phone has gone."""
    door = Door()
    door.knock()
    door.enter()
    door.now += PRESS_TIMEOUT_S
    with pytest.raises(GoneError):
        door.let_in()
    door.knock()
    door.enter()
    door.pairing.cancel("another")
    door.pairing.cancel("v")
    with pytest.raises(GoneError):
        door.let_in()


def test_wrong_codes_are_counted_over_a_restart() -> None:
    """After three in a minute everybody waits, also after the plug was pulled."""
    door = Door()
    door.knock()
    for _ in range(3):
        with pytest.raises(PairingError):
            door.enter("000000")
    later = Door(door.stored)
    with pytest.raises(PairingError, match="too many"):
        later.knock()
    later.now += 60
    later.knock()


def test_trying_all_codes_takes_over_ten_years() -> None:
    """However fast somebody asks: an attacker of the pure limiter, for a day (D.6, S5)."""
    door, tried, day = Door(), 0, 24 * 3600
    begun = door.now
    while door.now < begun + day:
        try:
            if door.pairing.waiting(door.now) is None:
                door.knock()
            door.enter("000000")
        except PairingError as error:
            if error.wait:
                door.now += error.wait
            else:
                tried += 1
    assert tried <= 24 * max(most for seconds, most in WRONG_CODE_LIMITS if seconds == 3600) + 10
    assert 10**6 / tried * day > 10 * YEAR


def test_the_oldest_phones_make_room() -> None:
    """A table remembers so many phones, and the file stays small."""
    door = Door()
    for n in range(PHONE_LIMIT + 1):
        door.knock(f"{n}")
        door.enter(visit=f"{n}")
        door.let_in(f"t{n}", f"{n}")
    assert PHONE_LIMIT == len(door.stored.phones)
    assert door.known("t0") is None
    assert door.known("t1")


def test_what_is_kept_is_kept_before_it_is_answered() -> None:
    """Nobody is let in if that cannot be stored."""

    def full(_stored: StoredPairing) -> None:
        raise OSError("no room")

    pairing = Pairing(StoredPairing(), store=full)
    pairing.request("Anna", "run", visit="v", code="123456", now=0, date=0)
    pairing.enter_code("v", "123456", now=0, date=0)
    with pytest.raises(OSError, match="no room"):
        pairing.pair("v", token="t", now=0, date=0)
    assert () == pairing.phones


def test_the_calendar_may_step_while_a_phone_waits() -> None:
    """A machine without a clock learns the date late: who waits goes by seconds that never step."""
    pairing = Pairing(StoredPairing(), store=lambda _: None)
    pairing.request("Anna", "run", visit="v", code="123456", now=5, date=1e9)
    pairing.enter_code("v", "123456", now=6, date=2e9)
    phone = pairing.pair("v", token="t", now=7, date=2e9)
    assert phone == pairing.find("t", 2e9)
    pairing.request("Anna", "run", visit="w", code="123456", now=8, date=1e9)
    assert pairing.waiting(8 + CODE_TIMEOUT_S) is None
