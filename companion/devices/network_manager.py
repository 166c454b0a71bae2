r"""The board's own way into a network, by NetworkManager's command nmcli.

`BoardNetwork` follows the state machine of `companion.network`; `NetworkManager` calls nmcli.

Each command has its own process, without a shell. A password goes to nmcli by its standard input,
because every user can read the arguments of a process. In nmcli's terse output a colon ends a
field, and a backslash precedes colons and backslashes in fields: `home\: 5 GHz:70:WPA2`.

A network is joined with a new connection of its own name. Only once it has an address does it
replace the connection `home`, so a wrong password changes nothing. The hotspot's connection is
never written to the disk.
"""

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Final, NamedTuple

from companion.errors import Text, joined
from companion.network import (
    HOTSPOT_ADDRESS,
    JoinFailure,
    NetworkAction,
    NetworkStage,
    NetworkState,
    NetworkStatus,
    Security,
    WifiNetwork,
    after_join,
    after_poll,
    joining,
)

PROGRAM: Final = "nmcli"
HOME: Final = "home"
"""Name of the connection with the home network."""
_HOTSPOT, _TRIED = "cribwars-hotspot", "cribwars-tried"
_JOIN_S, _COMMAND_S = 80, 20
"""Seconds until nmcli gives up; joining waits for the radio (25 s) and for an address (45 s)."""
_TIMED_OUT: Final = 3  # exit status of nmcli
_WIFI: Final = "802-11-wireless"
_ESTABLISHED: Final = "01"
POLL_S: Final = 2.0  # seconds between two looks at the network

WIFI_IS_OFF: Final = Text("Wi-Fi is off, as on a new card until it has a country")
WIFI_REMEDY: Final = Text(
    "give the country in crib-wars.txt on the card, or with sudo raspi-config"
)

_FAILURES: Final[Mapping[str, JoinFailure]] = {
    "Secrets were required": JoinFailure.WRONG_PASSWORD,
    "802.1X supplicant": JoinFailure.WRONG_PASSWORD,
    "network could not be found": JoinFailure.NOT_FOUND,
    "IP configuration could not be reserved": JoinFailure.NO_ADDRESS,
    "DHCP client": JoinFailure.NO_ADDRESS,
}
"""Reason of a failed join by words of nmcli's message; messages have no other marks."""
_KEY_MANAGEMENT: Final = {Security.PASSWORD: "wpa-psk", Security.WPA3: "sae"}  # without OPEN

_log = logging.getLogger(__name__)


class _Completed(NamedTuple):
    """Exit status of nmcli, its output, and its error in one line, "" if it has succeeded."""

    status: int
    output: str
    error: str


class NetworkManager:
    """NetworkManager's hotspot and Wi-Fi of this machine.

    Args:
        addresses: returns this machine's IPv4 addresses.
        root: folder of the machine's files.
    """

    def __init__(self, addresses: Callable[[], tuple[str, ...]], *, root: Path = Path("/")) -> None:
        self._addresses, self._root = addresses, root
        self._is_known = False

    @property
    def is_off(self) -> bool:
        """True if Wi-Fi is off."""
        return is_wifi_off(self._root)

    def poll(self) -> NetworkStatus:
        """Return the present state of the network, from the kernel alone."""
        found = self._addresses()
        others = (each for each in found if each != HOTSPOT_ADDRESS)
        return NetworkStatus(
            is_connected=any(not ip_address(each).is_link_local for each in others),
            is_hotspot=HOTSPOT_ADDRESS in found,
            is_used=HOTSPOT_ADDRESS in found and self._is_used(),
            is_known=self._is_known,
        )

    async def scan(self) -> tuple[WifiNetwork, ...]:
        """Return the networks in reach that the board can join, the strongest first.

        While the hotspot is open, the radio finds no others.
        """
        fields = "IN-USE,SSID,SIGNAL,SECURITY"
        listed = await self._ask("-f", fields, "device", "wifi", "list", "--rescan", "auto")
        found: dict[str, WifiNetwork] = {}
        for each in sorted(_networks(listed.output), key=lambda each: -each.signal):
            found.setdefault(each.name, each)
        return tuple(found.values())

    async def open_hotspot(self, name: str, password: str) -> str | Text:
        """Open the hotspot. Return the reason if that fails, or ""."""
        radio = await self._radio()
        if radio is None:
            return WIFI_IS_OFF if self.is_off else Text("no Wi-Fi device is ready")
        self._is_known = any(
            kind == _WIFI and automatic == "yes"
            for kind, automatic in await self._rows("TYPE,AUTOCONNECT", "connection", "show")
        )
        await self._ask("connection", "delete", _HOTSPOT)
        made = await self._ask(
            *("connection", "add", "save", "no", "type", "wifi", "con-name", _HOTSPOT),
            *("ifname", radio, "ssid", name, "autoconnect", "no"),
            *(f"{_WIFI}.mode", "ap", f"{_WIFI}.band", "bg"),
            # Some phones cannot join a Pi's hotspot with protected management frames.
            *("wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.pmf", "disable", "wifi-sec.proto", "rsn"),
            *("wifi-sec.pairwise", "ccmp", "wifi-sec.group", "ccmp"),
            *("ipv4.method", "shared", "ipv4.addresses", f"{HOTSPOT_ADDRESS}/24"),
            *("ipv6.method", "disabled"),
        )
        opened = made if made.status else await self._up(_HOTSPOT, radio, password, _COMMAND_S)
        return opened.error

    async def close_hotspot(self) -> None:
        """Close the hotspot; NetworkManager then joins a network that it knows."""
        await self._ask("connection", "down", _HOTSPOT)

    async def join(self, name: str, password: str, security: Security) -> JoinFailure | None:
        """Join a network and know it from now on. Return the reason if that fails, or None."""
        radio = await self._radio()
        if radio is None:
            return JoinFailure.OTHER
        await self._ask("connection", "delete", _TRIED)
        key = _KEY_MANAGEMENT.get(security)
        made = await self._ask(
            *("connection", "add", "type", "wifi", "con-name", _TRIED, "ifname", "*"),
            *("ssid", name, "autoconnect", "no", f"{_WIFI}.hidden", "yes"),
            *("connection.auth-retries", "1", "ipv4.may-fail", "no"),
            *(("wifi-sec.key-mgmt", key) if key else ()),
        )
        answer = made if made.status else await self._up(_TRIED, radio, password, _JOIN_S)
        if answer.status:
            await self._ask("connection", "delete", _TRIED)
            return _failure(answer)
        before = await self._rows("NAME,UUID", "connection", "show")
        await self._ask(
            *("connection", "modify", _TRIED, "connection.id", HOME),
            *("connection.autoconnect", "yes", "connection.auth-retries", "-1"),
        )
        for name_before, uuid in before:
            if name_before == HOME:
                await self._ask("connection", "delete", uuid)
        return None

    async def _radio(self) -> str | None:
        """Return the name of a Wi-Fi device that can be used, or None."""
        for device, kind, state in await self._rows("DEVICE,TYPE,STATE", "device", "status"):
            if kind == "wifi" and state not in {"unmanaged", "unavailable"}:
                return device
        return None

    def _is_used(self) -> bool:
        """Return True if another machine has a connection to the hotspot's address."""
        own = socket.inet_aton(HOTSPOT_ADDRESS)[::-1].hex().upper()
        with suppress(OSError):
            lines = (self._root / "proc/net/tcp").read_text().splitlines()[1:]
            rows = (line.split() for line in lines)
            return any(row[1].startswith(own) and row[3] == _ESTABLISHED for row in rows)
        return False

    async def _up(self, connection: str, radio: str, password: str, wait: int) -> _Completed:
        command = ("--wait", str(wait), "connection", "up", connection, "ifname", radio)
        if not password:
            return await self._ask(*command)
        escaped = password.replace("\\", "\\\\").replace(" ", "\\ ")
        line = f"{_WIFI}-security.psk:{escaped}\n"
        return await self._ask(*command, "passwd-file", "/dev/stdin", secret=line)

    async def _rows(self, fields: str, *command: str) -> Iterator[list[str]]:
        return _rows((await self._ask("-f", fields, *command)).output)

    async def _ask(self, *command: str, secret: str = "") -> _Completed:
        """Return the answer of nmcli; `secret` is what it reads."""
        process = await asyncio.create_subprocess_exec(
            *(PROGRAM, "--terse", *command),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            # In another language the states and messages would have other words.
            env=dict(os.environ) | {"LC_ALL": "C.UTF-8", "LANGUAGE": ""},
        )
        try:
            output, error = await process.communicate(secret.encode())
        finally:
            if process.returncode is None:
                process.kill()
        lines = error.decode(errors="replace").splitlines()
        said = "; ".join(each for each in lines if each.startswith("Error: "))
        return _Completed(process.returncode or 0, output.decode(errors="replace"), said)


def is_wifi_off(root: Path) -> bool:
    """Return True if every Wi-Fi radio of the machine whose files are below `root` is off."""
    radios = root.glob("sys/class/rfkill/*")
    with suppress(OSError):
        return {
            (radio / "soft").read_text().strip()
            for radio in radios
            if (radio / "type").read_text().strip() == "wlan"
        } == {"1"}
    return False


def home_connection(name: str, password: str) -> str:
    r"""Return NetworkManager's file of the connection `home` to the network with this name.

    The name is written as a list of bytes, which has the same meaning for every name. Spaces and
    backslashes of the password are escaped, because NetworkManager strips and unescapes values.

    >>> lines = home_connection("Ada", "\\o/ owls").splitlines()
    >>> lines[1], lines[5], lines[8]
    ('id=home', 'ssid=65;100;97;', 'psk=\\\\o/\\sowls')
    """
    ssid = "".join(f"{byte};" for byte in name.encode())
    psk = password.replace("\\", "\\\\").replace(" ", "\\s")
    return (
        f"[connection]\nid={HOME}\nuuid=5a2f2d4e-6c1b-4c53-9b1d-0c7a3f0a9e11\ntype=wifi\n"
        f"[wifi]\nssid={ssid}\n"
        f"[wifi-security]\nkey-mgmt=wpa-psk\npsk={psk}\n"
        "[ipv4]\nmethod=auto\n[ipv6]\nmethod=auto\n"
    )


def _rows(output: str) -> Iterator[list[str]]:
    r"""Yield the fields of each line of terse output.

    >>> list(_rows("*:a\\:b\\\\:70\n:c:60"))
    [['*', 'a:b\\', '70'], ['', 'c', '60']]
    """
    for line in output.splitlines():
        fields = line.replace("\\\\", "\0").replace("\\:", "\1").split(":")
        yield [each.replace("\1", ":").replace("\0", "\\") for each in fields]


def _networks(output: str) -> Iterator[WifiNetwork]:
    for mark, name, signal, how in _rows(output):
        security = _security(how.split())
        if name and security:
            yield WifiNetwork(
                name=name, signal=int(signal), security=security, is_joined=mark == "*"
            )


def _security(kinds: list[str]) -> Security | None:
    """Return how a network lets devices in; None if the board cannot join it.

    >>> _security(["WPA2", "WPA3"]), _security(["WPA2", "802.1X"])
    (<Security.PASSWORD: 'password'>, None)
    """
    if not kinds:
        return Security.OPEN
    if "802.1X" in kinds:
        return None
    if "WPA1" in kinds or "WPA2" in kinds:
        return Security.PASSWORD
    return Security.WPA3 if "WPA3" in kinds else None


def _failure(answer: _Completed) -> JoinFailure:
    if answer.status == _TIMED_OUT:
        return JoinFailure.TIMED_OUT
    found = (failure for words, failure in _FAILURES.items() if words in answer.error)
    return next(found, JoinFailure.OTHER)


class BoardNetwork:
    """The board's network; `run` follows it.

    Attributes:
        state: the present state.
        name: the name of the hotspot.

    Args:
        password: the password of the hotspot.
        clock: returns monotonic seconds.
        report: prints a line on the table's console.
        sleep: waits for a number of seconds.
    """

    def __init__(
        self,
        manager: NetworkManager,
        *,
        name: str,
        password: str,
        clock: Callable[[], float],
        report: Callable[[Text], None],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._manager, self._password = manager, password
        self._clock, self._report, self._sleep = clock, report, sleep
        self._asked: tuple[str, str] | None = None
        self._networks: tuple[WifiNetwork, ...] = ()
        self._hotspot_fault: str | Text = ""
        self.name = name
        self.state = NetworkState(since=clock())

    @property
    def fault(self) -> Text | None:
        """Reason why no Wi-Fi network can be joined, with its remedy; None if there is none."""
        return joined(": ", (WIFI_IS_OFF, WIFI_REMEDY)) if self._manager.is_off else None

    async def networks(self) -> tuple[WifiNetwork, ...]:
        """Return the networks in reach; while the hotspot is open, those from before."""
        may_scan = NetworkStage.SEARCHING, NetworkStage.JOINED  # without HOTSPOT, JOINING
        if self.state.stage in may_scan:
            self._networks = await self._manager.scan()
        return tuple(each for each in self._networks if each.name != self.name)

    def join(self, name: str, password: str) -> None:
        """Begin to join a network; an empty password is for an open network."""
        self._asked = name, password
        self.state = joining(self.state, name, self._clock())

    async def run(self) -> None:
        """Follow the network until cancelled. An error is logged, and the next look follows."""
        while True:
            try:
                await self._follow()
            except Exception:  # noqa: BLE001  # the board must find its way into a network
                _log.exception("the board's network cannot be followed")
            await self._sleep(POLL_S)

    async def _follow(self) -> None:
        self.state, action = after_poll(self.state, self._manager.poll(), self._clock())
        if self._asked:
            await self._join(*self._asked)
        elif action is NetworkAction.OPEN_HOTSPOT:
            await self._open_hotspot()
        elif action is NetworkAction.CLOSE_HOTSPOT:
            await self._manager.close_hotspot()

    async def _open_hotspot(self) -> None:
        await self.networks()
        fault = await self._manager.open_hotspot(self.name, self._password)
        opened = Text("the board is in no network and has opened its own, {name}", name=self.name)
        failed = Text("the board's own network could not be opened: {reason}", reason=fault)
        if not fault or fault != self._hotspot_fault:
            self._report(failed if fault else opened)
        self._hotspot_fault = fault

    async def _join(self, name: str, password: str) -> None:
        found = {each.name: each.security for each in self._networks}
        usual = Security.PASSWORD if password else Security.OPEN
        self.state = joining(self.state, name, self._clock())
        failure: JoinFailure | None = JoinFailure.OTHER
        try:
            failure = await self._manager.join(name, password, found.get(name, usual))
        finally:
            self._asked = None
            self.state = after_join(self.state, failure, self._clock())
