"""Power-on of a board whose card has a new `crib-wars.txt`: the board takes what is new in it.

systemd runs this module as root before table and network start, unless the file is as it was taken
before. Settings go into the set-up page's file, so that of card and page the last change counts.
The Wi-Fi goes into NetworkManager's store, its country into the kernel's command line, and the
hostname into the system's files. Then the passwords are removed from the card.

The text that was taken is kept for the next power-on, before the card is written. If the plug is
pulled anywhere, the next power-on takes the same values once more.
"""

import os
import pwd
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from companion.devices.assembly import assemble
from companion.devices.network_manager import HOME, home_connection
from companion.errors import Fault, SettingsError, Text
from companion.files import write_durably
from companion.settings.file import SettingsFile
from companion.settings.schema import Settings, split_key
from companion.settings.sd_card import (
    CARD_FILE,
    CARD_FOLDER,
    CardReport,
    Wifi,
    card_report,
    changes_since,
    read_card,
    without_secrets,
)
from companion.settings.sources import Values, without
from companion.toml import decode

_BOOT: Final = Path("boot/firmware")
_COUNTRY: Final = "cfg80211.ieee80211_regdom="
_OWN_ADDRESS: Final = "127.0.1.1"
_USER: Final = "cribwars"
_KEPT: Final = "taken.txt"
_RESTART: Final = Text("restart the board; if it happens again, use another card")


def main() -> None:
    """Take the file of this machine's card."""
    try:
        take_card(Path("/"), run=_run)
    except OSError as error:
        sys.exit(f"{CARD_FILE} cannot be taken: {error}")


def _run(*command: str) -> None:
    """Run a command of the system, if it is installed."""
    with suppress(FileNotFoundError, subprocess.TimeoutExpired):
        subprocess.run(command, check=False, timeout=10)  # noqa: S603  # the words are ours


def take_card(root: Path, *, run: Callable[..., None]) -> None:
    """Take what is new in the card's file, remove its passwords, and report its faults.

    Args:
        root: folder of the machine's files.
        run: runs a command, given as its words, that acts until the power goes.

    Raises:
        OSError: the card cannot be read, or the report cannot be written.
    """
    file = root / _BOOT / CARD_FILE
    (root / CARD_FOLDER).mkdir(parents=True, exist_ok=True)
    faults: list[Fault] = []
    content = file.read_bytes()
    text = decode(content, CARD_FILE, faults)
    if not faults:
        try:
            emptied = _take(root, text, faults, run).encode()
            _write_private(root / CARD_FOLDER / _KEPT, emptied)
            if emptied != content:
                write_durably(file, emptied)
        except (OSError, ValueError) as error:  # such as a system's file that is damaged
            reason = error.strerror if isinstance(error, OSError) else error
            problem = Text("could not be taken completely ({reason})", reason=reason)
            faults.append(Fault(file=CARD_FILE, problem=problem, remedy=_RESTART))
    report = card_report(root)
    if faults:
        report.save(CardReport(faults=tuple(faults)))
    else:
        report.path.unlink(missing_ok=True)


def _take(root: Path, text: str, faults: list[Fault], run: Callable[..., None]) -> str:
    """Take what is new; return the text without passwords."""
    kept = root / CARD_FOLDER / _KEPT
    old = kept.read_text(encoding="utf-8") if kept.exists() else ""
    card = read_card(text, old)
    faults += card.faults
    new = changes_since(old, card)
    new = replace(new, values=_take_settings(root, new.values, faults))
    if new.hostname:
        _set_hostname(root, new.hostname, run)
    if new.country:
        _set_country(root, new.country, run)
    if new.wifi:
        _set_wifi(root, new.wifi)
    emptied = without_secrets(text, new.secrets)
    for key in new.secrets.keys() & read_card(emptied).secrets:
        problem, remedy = Text("is still in the file"), Text('write "" there: the board has it')
        faults.append(Fault(file=CARD_FILE, key=key, problem=problem, remedy=remedy))
    return emptied


def _take_settings(root: Path, values: Values, faults: list[Fault]) -> Values:
    """Write settings into the set-up page's file, and return those that the board can use."""
    file = SettingsFile(root / "etc/cribwars/cribwars.toml", {}, check=assemble)
    reading = file.read()
    usable = values
    while wanted := _not_in_force(usable, reading.settings):
        try:
            proposal = file.propose(wanted, reading.stamp)
        except SettingsError as error:
            faults += (replace(fault, file=CARD_FILE) for fault in error.faults)
            less = usable
            for fault in error.faults:
                less = without(less, fault.key)
            usable = {} if less == usable else less
        else:
            with _user_of_the_table():
                write_durably(file.file, proposal.content)
            break
    return usable


def _not_in_force(values: Values, settings: Settings) -> Values:
    """Return the values that differ from the settings, so that those stay where they were set."""
    return {
        key: value
        for key, value in values.items()
        if split_key(key)[0] == "rules" or settings.with_values({key: value}) != settings
    }


@contextmanager
def _user_of_the_table() -> Iterator[None]:
    """Write as the table's user, who owns the folder: a link there reaches no file of root."""
    user = next((user for user in pwd.getpwall() if user.pw_name == _USER), None)
    if user is None or os.geteuid():  # in tests
        yield
        return
    os.setegid(user.pw_gid)
    os.seteuid(user.pw_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


def _set_hostname(root: Path, name: str, run: Callable[..., None]) -> None:
    hosts = root / "etc/hosts"
    lines = hosts.read_text(encoding="utf-8").splitlines() if hosts.exists() else []
    others = [line for line in lines if line.split()[:1] != [_OWN_ADDRESS]]
    write_durably(hosts, "\n".join([*others, f"{_OWN_ADDRESS}\t{name}", ""]).encode())
    write_durably(root / "etc/hostname", f"{name}\n".encode())
    run("hostname", name)


def _set_country(root: Path, country: str, run: Callable[..., None]) -> None:
    """Allow Wi-Fi by the rules of a country. Raspberry Pi OS keeps the radio off until then."""
    file = root / _BOOT / "cmdline.txt"
    if file.exists():
        line, *others = file.read_text(encoding="utf-8").split("\n")
        options = [each for each in line.split(" ") if not each.startswith(_COUNTRY)]
        text = "\n".join([" ".join([*options, f"{_COUNTRY}{country}"]), *others])
        write_durably(file, text.encode())
    state = root / "var/lib/NetworkManager/NetworkManager.state"
    if state.exists():
        text = state.read_text(encoding="utf-8")
        write_durably(state, text.replace("WirelessEnabled=false", "WirelessEnabled=true").encode())
    for saved in root.glob("var/lib/systemd/rfkill/*:wlan"):
        saved.write_text("0\n", encoding="ascii")
    run("iw", "reg", "set", country)
    run("rfkill", "unblock", "wlan")


def _set_wifi(root: Path, wifi: Wifi) -> None:
    """Write the connection; others of its name, such as one that was made on Set-up, end."""
    file = root / "etc/NetworkManager/system-connections/home.nmconnection"
    _write_private(file, home_connection(wifi.network, wifi.password).encode())
    for other in file.parent.glob("*.nmconnection"):
        if other != file and f"\nid={HOME}\n".encode() in other.read_bytes():
            other.unlink()


def _write_private(file: Path, content: bytes) -> None:
    file.touch(mode=0o600)  # `write_durably` keeps the mode
    write_durably(file, content)


if __name__ == "__main__":
    main()
