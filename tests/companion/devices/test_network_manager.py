"""The board's network with a fake nmcli that answers as the real one."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.devices.network_manager import (
    HOME,
    POLL_S,
    WIFI_IS_OFF,
    BoardNetwork,
    NetworkManager,
)
from companion.errors import Text
from companion.network import (
    RETRY_S,
    SEARCH_S,
    JoinFailure,
    NetworkStage,
    Security,
    WifiNetwork,
)
from tests.support.fake_nmcli import HOTSPOT, FakeNmcli

PASSWORD = r" blanks : and \ back "  # noqa: S105  # of a network that is not there
NETWORKS = {
    r"Ann: 5\6": {"signal": 40, "security": "WPA2", "password": PASSWORD},
    "Café": {"signal": 90, "security": "", "password": None},
    "Office": {"signal": 80, "security": "WPA2 802.1X", "password": "x"},
    "New": {"signal": 70, "security": "WPA3", "password": "12345678"},
    "Full": {"signal": 30, "security": "WPA1 WPA2", "password": "12345678", "address": None},
    "Slow": {"signal": 20, "security": "WPA2", "password": "12345678", "is_slow": True},
    "": {"signal": 99, "security": "WPA2", "password": "x"},
}
TCP = "  sl  local_address rem_address   st\n   0: 01002A0A:1F40 07002A0A:C001 {}\n"


class Reached(Exception):  # noqa: N818  # no error
    """The board's network is where a test wants it."""


class House:
    """A board with a fake nmcli, and a clock that goes on while the board waits."""

    def __init__(self, folder: Path, setenv: Callable[..., None]) -> None:
        self.nmcli = FakeNmcli(folder, setenv)
        self.nmcli["networks"] = NETWORKS
        self.lines: list[str] = []
        self.now = 0.0
        self.root = folder
        self.tcp = folder / "proc/net/tcp"
        self.tcp.parent.mkdir(parents=True)
        self.board = BoardNetwork(
            NetworkManager(self.nmcli.addresses, root=folder),
            name="Crib Wars",
            password="fifteen two",
            clock=lambda: self.now,
            report=self._report,
            sleep=self._sleep,
        )

    def reach(self, stage: NetworkStage, *, before: float = 200.0) -> None:
        """Follow the network until a stage; `before` limits the seconds."""
        self._wanted, self._limit = stage, self.now + before
        with pytest.raises(Reached):
            asyncio.run(self.board.run())
        assert stage is self.board.state.stage

    async def _sleep(self, seconds: float) -> None:
        assert POLL_S == seconds
        if self._wanted is self.board.state.stage or self.now >= self._limit:
            raise Reached
        self.now += seconds

    def lose_network(self) -> None:
        """Switch the router off."""
        kept = [each | {"address": None} for each in self.nmcli["connections"]]
        self.nmcli["connections"] = kept

    def _report(self, line: Text) -> None:
        self.lines.append(str(line))

    def join(self, name: str, password: str = "") -> JoinFailure | None:
        """Let the board join a network; return why it failed."""
        self.board.join(name, password)
        assert NetworkStage.JOINING is self.board.state.stage
        self.reach(NetworkStage.JOINED if password == PASSWORD else NetworkStage.HOTSPOT)
        return self.board.state.failure


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """Return a board that is in no network."""
    return House(tmp_path, monkeypatch.setenv)


def test_a_first_evening(house: House) -> None:
    """The hotspot is opened after a minute, the home network joined, and its password kept."""
    house.reach(NetworkStage.HOTSPOT)
    assert SEARCH_S + POLL_S == house.now
    assert ["the board is in no network and has opened its own, Crib Wars"] == house.lines
    assert (HOTSPOT,) == house.nmcli.addresses()
    assert {"cribwars-hotspot": "fifteen two"} == house.nmcli.known()
    assert house.join(r"Ann: 5\6", PASSWORD) is None
    assert PASSWORD == house.nmcli.known()[HOME]
    assert PASSWORD not in str(house.nmcli["calls"])


def test_the_networks_in_reach(house: House) -> None:
    """Hidden ones and those of companies are left out; the hotspot hides them, so they are kept."""
    expected = (
        WifiNetwork(name="Café", signal=90, security=Security.OPEN),
        WifiNetwork(name="New", signal=70, security=Security.WPA3),
        WifiNetwork(name=r"Ann: 5\6", signal=40, security=Security.PASSWORD),
        WifiNetwork(name="Full", signal=30, security=Security.PASSWORD),
        WifiNetwork(name="Slow", signal=20, security=Security.PASSWORD),
    )
    assert expected == asyncio.run(house.board.networks())
    house.reach(NetworkStage.HOTSPOT)
    house.nmcli["networks"] = {"Crib Wars": NETWORKS["New"]}
    assert expected == asyncio.run(house.board.networks())


@pytest.mark.parametrize(
    ("name", "password", "failure"),
    [
        (r"Ann: 5\6", "another one", JoinFailure.WRONG_PASSWORD),
        ("Gone", "12345678", JoinFailure.NOT_FOUND),
        ("Full", "12345678", JoinFailure.NO_ADDRESS),
        ("Slow", "12345678", JoinFailure.TIMED_OUT),
    ],
)
def test_a_failed_join_brings_the_hotspot_back(
    house: House, name: str, password: str, failure: JoinFailure
) -> None:
    """It says why, and forgets the network; the one before is known as before."""
    house.reach(NetworkStage.HOTSPOT)
    house.join(r"Ann: 5\6", PASSWORD)
    before = house.nmcli.known()[HOME]
    house.lose_network()
    house.reach(NetworkStage.HOTSPOT)
    assert failure is house.join(name, password)
    assert {HOME: before, "cribwars-hotspot": "fifteen two"} == house.nmcli.known()


def test_another_home_replaces_the_last(house: House) -> None:
    """There is one connection with that name."""
    house.reach(NetworkStage.HOTSPOT)
    for _ in range(2):
        assert house.join(r"Ann: 5\6", PASSWORD) is None
    assert [HOME] == [each["name"] for each in house.nmcli["connections"] if each["name"] == HOME]


def test_an_open_and_a_new_network(house: House) -> None:
    """One needs no password, the other another kind of key."""
    for name, password, key in (("Café", "", None), ("New", "12345678", "sae")):
        asyncio.run(house.board.networks())
        house.board.join(name, password)
        house.reach(NetworkStage.JOINED)
        (home,) = (each for each in house.nmcli["connections"] if each["name"] == HOME)
        assert key == home["properties"].get("wifi-sec.key-mgmt")


def test_an_unused_hotspot_gives_way_to_a_known_network(house: House) -> None:
    """Not while a phone uses the board there."""
    house.reach(NetworkStage.HOTSPOT)
    house.join(r"Ann: 5\6", PASSWORD)
    house.lose_network()
    house.reach(NetworkStage.HOTSPOT)
    house.tcp.write_text(TCP.format("01"))
    began = house.now
    with pytest.raises(AssertionError):
        house.reach(NetworkStage.SEARCHING, before=2 * RETRY_S)
    house.tcp.write_text(TCP.format("06"))
    house.reach(NetworkStage.SEARCHING)
    assert began + 2 * RETRY_S <= house.now
    assert () == house.nmcli.addresses()


@pytest.mark.parametrize(
    ("kind", "soft", "reason"),
    [
        ("wlan", "0", "no Wi-Fi device is ready"),
        ("bluetooth", "1", "no Wi-Fi device is ready"),
        ("wlan", "1", WIFI_IS_OFF),
    ],
)
def test_a_radio_that_is_not_ready(house: House, kind: str, soft: str, reason: str | Text) -> None:
    """One line says so, however long it lasts, with the reason if the radio is off."""
    radio = house.root / "sys/class/rfkill/rfkill0"
    radio.mkdir(parents=True)
    (radio / "type").write_text(f"{kind}\n")
    (radio / "soft").write_text(f"{soft}\n")
    house.nmcli["radio"] = "unavailable"
    with pytest.raises(AssertionError):
        house.reach(NetworkStage.HOTSPOT, before=3 * SEARCH_S)
    assert [f"the board's own network could not be opened: {reason}"] == house.lines
    house.board.join("Gone", "12345678")
    house.reach(NetworkStage.SEARCHING)
    assert JoinFailure.OTHER is house.board.state.failure


def test_an_error_is_logged_and_the_network_followed(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It ends a join too. Here nmcli is missing for a while, as during an upgrade."""
    monkeypatch.setenv("PATH", str(house.root))
    program = house.root / "nmcli"
    away = program.rename(house.root / "away")
    house.board.join("New", "12345678")
    house.reach(NetworkStage.SEARCHING)
    assert JoinFailure.OTHER is house.board.state.failure
    assert "nmcli" in caplog.text
    away.rename(program)
    house.reach(NetworkStage.HOTSPOT)
