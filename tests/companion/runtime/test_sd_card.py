"""A board takes what is new on its card, at its next power-on and once."""

import tomllib
from pathlib import Path

import pytest

from companion.devices.doctor.examine import examine
from companion.devices.doctor.finding import Level
from companion.devices.network_manager import HOME
from companion.errors import Fault
from companion.files import write_durably
from companion.lights.scene.view import MachineFault
from companion.runtime.fallbacks import card_fault
from companion.runtime.sd_card import take_card
from companion.runtime.service_manager import FailedStarts
from companion.runtime.start_lights import look_at_machine
from companion.settings.schema import Settings
from companion.settings.sd_card import card_faults

HOME_NETWORK = '[wifi]\nnetwork = "Home"\npassword = "two owls"  # of the router\ncountry = "GB"\n'


class Board:
    """The files of a board below a folder, as Raspberry Pi OS has them before the first start."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.ran: list[tuple[str, ...]] = []
        for name, text in {
            "boot/firmware/cmdline.txt": "root=/dev/mmcblk0p2  cfg80211.ieee80211_regdom=US\n",
            "etc/hosts": "127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n",
            "etc/hostname": "raspberrypi\n",
            "etc/cribwars/cribwars.toml": "# by hand\n",
            "etc/NetworkManager/system-connections/cable.nmconnection": "[connection]\nid=cable\n",
            "var/lib/NetworkManager/NetworkManager.state": "[main]\nWirelessEnabled=false\n",
            "var/lib/systemd/rfkill/platform-3f300000.mmcnr:wlan": "1\n",
        }.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())

    def read(self, name: str) -> str:
        return (self.root / name).read_bytes().decode()

    @property
    def card(self) -> str:
        """The text of the file on the card."""
        return self.read("boot/firmware/crib-wars.txt")

    @property
    def settings(self) -> dict[str, object]:
        """The settings of the set-up page's file."""
        file = self.root / "etc/cribwars/settings-of-page.toml"
        return tomllib.loads(file.read_text("utf-8")) if file.exists() else {}

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults that page, lights and doctor report."""
        return card_faults(self.root)

    def power_on(self, card: str | None = None) -> None:
        """Take the card, with a new text if one is given."""
        if card is not None:
            self.write("boot/firmware/crib-wars.txt", card)
        take_card(self.root, run=lambda *command: self.ran.append(command))


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """Return a board that was never started."""
    return Board(tmp_path)


def test_settings_act_and_their_file_stays(board: Board) -> None:
    """They are written like those of the set-up page, if they are not in force anyway."""
    board.power_on('teams = 3\nlanguage = "en"\n[names]\n1 = "Ada"\n')
    assert {"teams": 3, "names": {"1": "Ada"}} == board.settings
    assert "# by hand\n" == board.read("etc/cribwars/cribwars.toml")
    assert () == board.faults


def test_the_network_goes_into_the_store_of_the_system(board: Board) -> None:
    """Only root may read it, and the radio may transmit."""
    board.power_on(HOME_NETWORK)
    file = board.root / "etc/NetworkManager/system-connections/home.nmconnection"
    written = file.read_text("utf-8")
    assert "\nssid=72;111;109;101;\n" in written
    assert "\npsk=two\\sowls\n" in written
    assert 0o600 == file.stat().st_mode & 0o777
    command_line = "root=/dev/mmcblk0p2  cfg80211.ieee80211_regdom=GB\n"
    assert command_line == board.read("boot/firmware/cmdline.txt")
    assert "WirelessEnabled=true" in board.read("var/lib/NetworkManager/NetworkManager.state")
    assert "0\n" == board.read("var/lib/systemd/rfkill/platform-3f300000.mmcnr:wlan")
    assert [("iw", "reg", "set", "GB"), ("rfkill", "unblock", "wlan")] == board.ran


def test_the_network_replaces_one_of_set_up(board: Board) -> None:
    """Of card and page the last change counts here too; other connections stay."""
    store = "etc/NetworkManager/system-connections"
    board.write(f"{store}/cribwars-tried.nmconnection", f"[connection]\nid={HOME}\ntype=wifi\n")
    board.power_on(HOME_NETWORK)
    names = {file.name for file in (board.root / store).iterdir()}
    assert {"home.nmconnection", "cable.nmconnection"} == names
    assert f"\nid={HOME}\n" in board.read(f"{store}/home.nmconnection")


def test_the_password_leaves_the_card(board: Board) -> None:
    """Everything else in the file stays, with the line ends of Windows too."""
    board.power_on(f'[night]\npassword = "three owls"\n{HOME_NETWORK}'.replace("\n", "\r\n"))
    emptied = f'[night]\npassword = ""\n{HOME_NETWORK}'.replace("two owls", "").replace(
        "\n", "\r\n"
    )
    assert emptied == board.card == board.read("var/lib/cribwars-card/taken.txt")
    assert {"night": {"password": "three owls"}} == board.settings
    board.power_on()
    assert () == board.faults


def test_a_password_that_cannot_be_removed_is_reported(board: Board) -> None:
    """A table on one line is such a case."""
    board.power_on('wifi = {network = "Home", password = "two owls", country = "GB"}\n')
    expected = (
        'crib-wars.txt: wifi.password: is still in the file; write "" there: the board has it'
    )
    assert [expected] == [*map(str, board.faults)]


def test_the_hostname_is_the_systems(board: Board) -> None:
    """Its file, its line among the hosts, and the running system have it."""
    board.power_on('hostname = "owls"\n')
    assert "owls\n" == board.read("etc/hostname")
    assert "127.0.0.1\tlocalhost\n127.0.1.1\towls\n" == board.read("etc/hosts")
    assert [("hostname", "owls")] == board.ran


def test_only_what_changes_on_the_card_replaces_what_was_set_elsewhere(board: Board) -> None:
    """Of card and page the last change counts."""
    board.power_on('teams = 3\nlanguage = "fr"\nhostname = "owls"\n')
    board.write("etc/cribwars/settings-of-page.toml", 'teams = 2\nlanguage = "en"\n')
    board.write("etc/hostname", "by-hand\n")
    board.power_on('teams = 3\nlanguage = "fr"\nhostname = "owls"\nvoice = "full"\n')
    assert {"teams": 2, "language": "en", "voice": "full"} == board.settings
    assert "by-hand\n" == board.read("etc/hostname")
    board.power_on('teams = 2\nlanguage = "fr"\nvoice = "short"\n')
    assert {"teams": 2, "language": "en", "voice": "short"} == board.settings


def test_a_mended_mistake_is_taken(board: Board) -> None:
    """Until then it is reported, and its password stays on the card."""
    wrong = HOME_NETWORK.replace("two owls", "owl")
    board.power_on(wrong)
    assert ["wifi.password"] == [fault.key for fault in board.faults]
    assert wrong == board.card
    board.power_on(HOME_NETWORK)
    assert () == board.faults
    assert HOME_NETWORK.replace("two owls", "") == board.card


def test_a_mistake_is_a_line_on_the_page_and_a_light(board: Board) -> None:
    """The doctor lists all of them."""
    board.power_on('teams = 9\nlanguage = "xx"\n')
    fault = card_fault(board.root)
    assert fault is not None
    line = "crib-wars.txt: teams: cannot be 9; it takes a whole number from 2 to 3; "
    assert f"{line}1 more: cribwars doctor lists them" == str(fault)
    assert MachineFault.CARD_FILE in look_at_machine(None, FailedStarts(None), board.root)[0]
    found = examine(Settings, data=board.root, clock=lambda: 0.0, now=0.0, root=board.root)
    listed = {"crib-wars.txt: teams", "crib-wars.txt: language"}
    assert listed <= {str(finding.what) for finding in found if finding.level is Level.FIX}
    board.power_on("teams = 2\n")
    assert card_fault(board.root) is None


def test_settings_that_do_not_fit_the_board_are_left_out(board: Board) -> None:
    """The others are taken."""
    board.power_on('voice = "full"\nboard = "clasic"\n')
    assert [("crib-wars.txt", "board")] == [(fault.file, fault.key) for fault in board.faults]
    assert {"voice": "full"} == board.settings


def test_bytes_that_are_no_text_are_reported(board: Board) -> None:
    """Some editors save in other encodings; one that only adds a mark is fine."""
    (board.root / "boot/firmware/crib-wars.txt").write_bytes("teams = 3".encode("utf-16"))
    board.power_on()
    fault = "crib-wars.txt: line 1 is not UTF-8; save the file in that encoding"
    assert [fault] == [*map(str, board.faults)]
    board.power_on("\ufeffteams = 3\n")
    assert ({"teams": 3}, ()) == (board.settings, board.faults)


def test_whatever_power_cut_comes_the_next_power_on_completes(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card loses its password only when everything else is on disk."""
    board.write("boot/firmware/crib-wars.txt", f'hostname = "owls"\nteams = 3\n{HOME_NETWORK}')
    cuts = 0

    def cut_after(writes: int) -> None:
        left = writes

        def write_or_cut(file: Path, content: bytes) -> None:
            nonlocal left
            if not left:
                raise KeyboardInterrupt
            left -= 1
            write_durably(file, content)

        monkeypatch.setattr("companion.runtime.sd_card.write_durably", write_or_cut)

    while True:
        cut_after(cuts)
        try:
            board.power_on()
            break
        except KeyboardInterrupt:
            assert "two owls" in board.card
            cuts += 1
    assert 7 == cuts  # the settings are in force after the first
    assert "two owls" not in board.card
    assert ({"teams": 3}, ()) == (board.settings, board.faults)
    assert "owls\n" == board.read("etc/hostname")


def test_a_disk_that_does_not_take_the_values_is_reported(board: Board) -> None:
    """The next power-on tries again."""
    store = board.root / "etc/NetworkManager"
    store.rename(store.with_name("away"))
    board.power_on(HOME_NETWORK)
    assert ["could not be taken completely (No such file or directory)"] == [
        str(fault.problem) for fault in board.faults
    ]
    store.with_name("away").rename(store)
    board.power_on()
    assert () == board.faults
