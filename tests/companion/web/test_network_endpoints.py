"""Endpoints of the board's network: who may use them, and what they refuse."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.devices.network_manager import WIFI_IS_OFF, WIFI_REMEDY, BoardNetwork, NetworkManager
from companion.network import NetworkStage
from tests.companion.web.client import fetch
from tests.support.fake_nmcli import FakeNmcli
from tests.support.real_table import RealTable

PATH = "/api/network"
FAR = "192.168.1.9"


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BoardNetwork:
    """Return the network of a board that is in no network."""
    nmcli = FakeNmcli(tmp_path, monkeypatch.setenv)
    nmcli["networks"] = {"Home": {"signal": 70, "security": "WPA2", "password": "12345678"}}
    manager = NetworkManager(nmcli.addresses, root=tmp_path)
    return BoardNetwork(
        manager, name="Crib Wars", password="x" * 8, clock=lambda: 0.0, report=lambda _line: None
    )


def post(table: RealTable, **body: Any) -> tuple[int, str]:  # noqa: ANN401  # JSON
    """Return status and refusal of a request to join."""
    answer = fetch(table, "POST", PATH, body=msgspec.json.encode(body))
    return answer.status_code, answer.json()["error"] if answer.content else ""


def test_the_network_of_a_board(board: BoardNetwork) -> None:
    """It has the networks in reach; a join begins at once, and a second one waits for its end."""
    table = RealTable(network=board)
    home = {"name": "Home", "signal": 70, "security": "password", "is_joined": False}
    told = {"stage": "searching", "hotspot": "Crib Wars", "asked": "", "failure": None}
    told["fault"] = None
    assert told | {"networks": [home]} == fetch(table, "GET", PATH).json()
    assert (204, "") == post(table, name="Home", password="12345678")
    assert NetworkStage.JOINING is board.state.stage
    assert {"stage": "joining", "asked": "Home"}.items() <= fetch(table, "GET", PATH).json().items()
    assert 409 == post(table, name="Home", password="12345678")[0]


@pytest.mark.parametrize(
    ("name", "password", "reason"),
    [
        ("", "12345678", "a name of 1 to 32 letters"),
        ("é" * 17, "12345678", "a name of 1 to 32 letters"),
        ("Home", "short", "a password of 8 to 63 letters"),
        ("Home", "Türschloss", "a password of 8 to 63 letters"),
    ],
)
def test_what_no_network_can_have_is_refused(
    board: BoardNetwork, name: str, password: str, reason: str
) -> None:
    """The refusal says what a network has, and does not repeat the password."""
    status, text = post(RealTable(network=board), name=name, password=password)
    assert (400, True, False) == (status, reason in text, password in text)
    assert NetworkStage.SEARCHING is board.state.stage


def test_wifi_that_is_off(board: BoardNetwork, tmp_path: Path) -> None:
    """The answer says how to switch it on."""
    radio = tmp_path / "sys/class/rfkill/rfkill1"
    radio.mkdir(parents=True)
    (radio / "type").write_text("wlan\n")
    (radio / "soft").write_text("1\n")
    fault = fetch(RealTable(network=board), "GET", PATH).json()["fault"]
    assert f"{WIFI_IS_OFF}: {WIFI_REMEDY}" == fault


def test_a_phone_that_only_watches_learns_nothing(board: BoardNetwork) -> None:
    """Only those who may run the table see and change its network."""
    table = RealTable(network=board)
    for method, body in (("GET", None), ("POST", b'{"name": "Home"}')):
        assert 403 == fetch(table, method, PATH, body=body, client=FAR).status_code
    assert NetworkStage.SEARCHING is board.state.stage


def test_a_table_without_a_network_of_its_own() -> None:
    """It says so, as described; there is nothing to join."""
    table = RealTable()
    described = fetch(table, "GET", "/api/openapi.json").json()["paths"][PATH]["get"]["responses"]
    assert {"200", "204"} <= described.keys()
    assert (204, b"") == (fetch(table, "GET", PATH).status_code, fetch(table, "GET", PATH).content)
    assert (404, "this table does not follow its network") == post(table, name="Home")
