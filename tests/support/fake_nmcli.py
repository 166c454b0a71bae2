"""A stand-in for the program nmcli, with one Wi-Fi radio, as NetworkManager 1.42 and 1.52 answer.

`FakeNmcli` puts it first on the PATH of a test. Each call of the program reads `state.json` and
writes it again. It refuses what the real one refuses, with the same exit status and words.
"""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NoReturn

HOTSPOT: Final = "10.42.0.1"
HOME: Final = "192.168.1.57"
_HERE: Final = Path(__file__)


class FakeNmcli:
    """The program and its state.

    Attributes:
        networks: the networks in reach by name, each with `signal`, `security` and `password`;
            one with `"address": None` gives the board none, one with `"is_slow"` does not answer.
        radio: the state of the Wi-Fi device.
    """

    def __init__(self, folder: Path, setenv: Callable[..., None]) -> None:
        self._file = folder / "state.json"
        program = folder / "nmcli"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -S {_HERE} {self._file} "$@"\n')
        program.chmod(0o755)
        setenv("PATH", str(folder), prepend=":")
        state = {"radio": "disconnected", "networks": {}, "connections": [], "calls": []}
        self._file.write_text(json.dumps(state))

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401  # JSON
        return json.loads(self._file.read_text())[key]

    def __setitem__(self, key: str, value: object) -> None:
        self._file.write_text(json.dumps(json.loads(self._file.read_text()) | {key: value}))

    def addresses(self) -> tuple[str, ...]:
        """Return the addresses that the active connection has brought."""
        return tuple(each["address"] for each in self["connections"] if each.get("address"))

    def known(self) -> dict[str, str]:
        """Return the secret of each connection by its name."""
        return {each["name"]: each.get("secret", "") for each in self["connections"]}


class Refused(Exception):  # noqa: N818  # an exit status and a message
    """Exit status and message of the program."""


def _main(file: Path, arguments: list[str]) -> None:
    state = json.loads(file.read_text())
    state["calls"].append(arguments)
    options, words = _options(arguments)
    try:
        if not (_shows(state, options, words) or _changes(state, words)):
            _refuse(2, f"argument '{words}' not understood")
    except Refused as refused:
        status, message = refused.args
        sys.stderr.write(f"Error: {message}\n")
        sys.exit(status)
    finally:
        file.write_text(json.dumps(state))


def _shows(state: dict[str, Any], options: dict[str, str], words: list[str]) -> bool:
    """Carry out a command that prints a table; return True if it is one."""
    rows: list[dict[str, str]]
    match words:
        case ["device", "status"]:
            rows = [
                {"DEVICE": "lo", "TYPE": "loopback", "STATE": "unmanaged"},
                {"DEVICE": "wlan0", "TYPE": "wifi", "STATE": state["radio"]},
            ]
        case ["device", "wifi", "list", "--rescan", "auto"]:
            rows = [
                {
                    "IN-USE": " ",
                    "SSID": name,
                    "SIGNAL": each["signal"],
                    "SECURITY": each["security"],
                }
                for name, each in state["networks"].items()
            ]
        case ["connection", "show"]:
            rows = [
                {
                    "NAME": each["name"],
                    "UUID": each["uuid"],
                    "TYPE": "802-11-wireless",
                    "AUTOCONNECT": each["properties"].get("autoconnect", "yes"),
                }
                for each in state["connections"]
            ]
        case _:
            return False
    for row in rows:
        fields = (str(row[name]) for name in options["-f"].split(","))
        escaped = (re.sub(r"([\\:])", r"\\\1", each) for each in fields)
        sys.stdout.write(":".join(escaped) + "\n")
    return True


def _changes(state: dict[str, Any], words: list[str]) -> bool:
    """Carry out a command that changes connections; return True if it is one."""
    match words:
        case ["connection", "add", *properties]:
            _add(state, _pairs(properties))
        case ["connection", "modify", name, *properties]:
            _modify(_find(state, name), _pairs(properties))
        case ["connection", "delete", name]:
            state["connections"].remove(_find(state, name))
        case ["connection", "down", name]:
            _find(state, name).pop("address")
        case ["connection", "up", name, "ifname", "wlan0", *secrets]:
            _up(state, _find(state, name), _secret(secrets))
        case _:
            return False
    return True


def _pairs(words: list[str]) -> dict[str, str]:
    return dict(zip(words[::2], words[1::2], strict=True))


def _refuse(status: int, message: str) -> NoReturn:
    raise Refused(status, message)


def _options(arguments: list[str]) -> tuple[dict[str, str], list[str]]:
    options: dict[str, str] = {}
    words = list(arguments)
    while words and words[0] in ("--terse", "-f", "--wait"):
        option = words.pop(0)
        options[option] = "" if option == "--terse" else words.pop(0)
    return options, words


def _find(state: dict[str, Any], name: str) -> dict[str, Any]:
    for each in state["connections"]:
        if name in (each["name"], each["uuid"]):
            found: dict[str, Any] = each
            return found
    _refuse(10, f"unknown connection '{name}'.")


def _add(state: dict[str, Any], properties: dict[str, str]) -> None:
    uuid = f"00000000-0000-4000-8000-{len(state['calls']):012}"
    name = properties["con-name"]
    state["connections"].append({"name": name, "uuid": uuid, "properties": properties})
    sys.stdout.write(f"Connection '{name}' ({uuid}) successfully added.\n")


def _modify(connection: dict[str, Any], properties: dict[str, str]) -> None:
    connection["name"] = properties.pop("connection.id", connection["name"])
    connection["properties"] |= {
        key.removeprefix("connection."): value for key, value in properties.items()
    }


def _secret(words: list[str]) -> str | None:
    """Return the secret as NetworkManager reads it: spaces at the ends go, backslashes escape."""
    if words != ["passwd-file", "/dev/stdin"]:
        return None
    setting, colon, secret = sys.stdin.readline().rstrip("\n").partition(":")
    if not colon or setting != "802-11-wireless-security.psk":
        _refuse(2, "invalid passwd-file '/dev/stdin' at line 1: missing colon")
    kept = re.sub(r"^ +|(?<!\\) +$", "", secret)
    return re.sub(r"\\(.)", r"\1", kept)


def _up(state: dict[str, Any], connection: dict[str, Any], secret: str | None) -> None:
    failed = "Connection activation failed: "
    if state["radio"] == "unavailable":
        _refuse(4, f"{failed}No suitable device found for this connection.")
    for each in state["connections"]:  # there is one radio
        each.pop("address", None)
    properties = connection["properties"]
    connection["secret"] = secret
    if properties.get("802-11-wireless.mode") == "ap":
        connection["address"] = HOTSPOT
        return
    network = state["networks"].get(properties["ssid"])
    if network is None:
        _refuse(4, f"{failed}The Wi-Fi network could not be found")
    if network["password"] != secret or ("wifi-sec.key-mgmt" in properties) != bool(secret):
        _refuse(4, f"{failed}Secrets were required, but not provided")
    if "is_slow" in network:
        _refuse(3, "Timeout expired (80 seconds)")
    address = network.get("address", HOME)
    if address is None:
        reason = "IP configuration could not be reserved (no available address, timeout, etc.)"
        _refuse(4, f"{failed}{reason}")
    connection["address"] = address


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2:])
