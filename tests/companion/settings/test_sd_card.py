"""Each mistake in the file of a new card is a fault that costs nothing else."""

from pathlib import Path

import pytest

from companion.settings.row import WIFI_NAME, WIFI_PASSWORD
from companion.settings.sd_card import (
    CardFile,
    Wifi,
    changes_since,
    read_card,
    without_secrets,
)

TEMPLATE = (Path(__file__).parents[3] / "deploy/card/crib-wars.txt").read_text("utf-8")

HOME = '[wifi]\nnetwork = "Home"\npassword = "two owls"\ncountry = "gb"\n'
TAKEN = without_secrets(HOME, {"wifi.password": "two owls"})


def faults(text: str, taken: str = "") -> list[str]:
    """Return the faults of a text, without the name of the file."""
    return [str(fault).removeprefix("crib-wars.txt: ") for fault in read_card(text, taken).faults]


def test_a_whole_file_gives_settings_network_country_and_name() -> None:
    """Any setting may be in it; a text that is empty is not set."""
    text = 'hostname = "Board-2"\nteams = 3\nlanguage = ""\n[names]\n1 = "Zoë"\n2 = ""\n' + HOME
    found = read_card(text)
    assert () == found.faults
    assert {"teams": 3, "names.1": "Zoë"} == found.values
    assert Wifi(network="Home", password="two owls") == found.wifi
    assert ("GB", "Board-2") == (found.country, found.hostname)


def test_the_file_as_it_is_shipped_sets_only_the_hostname() -> None:
    """So a newer folder, laid on the card of an installed board, changes none of its settings."""
    assert CardFile(values={}, hostname="crib-wars") == read_card(TEMPLATE)


LINE = (
    "line {} is not TOML, or is there twice; "
    'write it like the lines around it, with straight quotes (")'
)
MISTAKES = {
    "teams = 9": "teams: cannot be 9; it takes a whole number from 2 to 3",
    'language = "fench"': 'language: cannot be "fench"; it takes "en" or "fr"',
    'languge = "fr"': "languge: there is no such setting; did you mean 'language'?",
    "language = fr": LINE.format(1),
    "language = “fr”": LINE.format(1),
    "hello": LINE.format(1),
    'hostname = "crib wars"': 'hostname: cannot be "crib wars"; it takes letters, digits and '
    'hyphens, such as "crib-wars"',
    'wifi = "Home"': 'wifi: cannot be "Home"; write [wifi] and its keys below',
    '[wifi]\ncountry = "UK"': 'wifi.country: cannot be "UK"; it takes the two letters of a '
    'country, such as "GB", "US" or "FR"',
    '[wifi]\nnetwrok = "Home"': "wifi.netwrok: there is no such key; did you mean 'network'?",
    '[wifi]\npassword = "two owls"\ncountry = "GB"': "wifi.network: is missing; "
    f"give {WIFI_NAME.takes}",
    f'[wifi]\nnetwork = "{"é" * 17}"\npassword = "two owls"\ncountry = "GB"': "wifi.network: "
    f'cannot be "{"é" * 17}"; it takes {WIFI_NAME.takes}',
    '[wifi]\nnetwork = "Home"\ncountry = "GB"': "wifi.password: is missing; "
    f"give {WIFI_PASSWORD.takes}",
    '[wifi]\nnetwork = "Home"\npassword = "owl"\ncountry = "GB"': "wifi.password: cannot be what "
    f"it is; it takes {WIFI_PASSWORD.takes}",
    '[wifi]\nnetwork = "Home"\npassword = "two owls"': "wifi.country: is missing, and without it "
    'Wi-Fi stays off; give the two letters of a country, such as "GB", "US" or "FR"',
    "teams = 2\nteams = 3": LINE.format(2),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_says_what_where_and_what_to_do(text: str) -> None:
    """It is one line, which does not show a password."""
    assert [MISTAKES[text]] == faults(text)


@pytest.mark.parametrize("mistake", ["teams = 9", "language = “fr”", "hello", "hostname = 5"])
def test_a_mistake_costs_only_itself(mistake: str) -> None:
    """The other values are taken, with the line ends of Windows too."""
    found = read_card(f"players = 4\n{mistake}\n{HOME}".replace("\n", "\r\n"))
    assert 1 == len(found.faults)
    assert {"players": 4} == found.values
    assert Wifi(network="Home", password="two owls") == found.wifi


def test_below_a_faulty_heading_nothing_is_taken() -> None:
    """Otherwise the password would be the name of a side."""
    found = read_card(f"[names]\n1 = 'Ada'\n{HOME.replace(']', '')}[demo]\nspeed = 2\n")
    assert ({"names.1": "Ada", "demo.speed": 2}, None) == (found.values, found.wifi)
    assert [f"crib-wars.txt: {LINE.format(3)}"] == [*map(str, found.faults)]


def test_a_network_that_was_taken_needs_no_password() -> None:
    """Another one does, and so does the same one with a new password."""
    assert [] == faults(TAKEN, TAKEN)
    assert read_card(TAKEN, TAKEN).wifi is None
    assert 1 == len(faults(TAKEN.replace("Home", "Work"), TAKEN))
    assert Wifi(network="Home", password="two owls") == read_card(HOME, TAKEN).wifi


def test_only_changes_are_taken() -> None:
    """A value that the text had before is not taken twice."""
    before = f'hostname = "board"\nteams = 3\n[strip]\nwhite_balance = [1, 1, 0.9]\n{TAKEN}'
    now = before.replace("3", "2").replace('"gb"', '"fr"')
    changed = changes_since(before, read_card(now, before))
    assert ({"teams": 2}, None, "FR", None) == (
        changed.values,
        changed.wifi,
        changed.country,
        changed.hostname,
    )


@pytest.mark.parametrize(
    ("line", "blank"),
    [
        ("password = 'two owls' # \"mine\"\r\n", 'password = "" # "mine"\r\n'),
        ('  wifi.password="two owls"', '  wifi.password= ""'),
        ('network = "two owls"\n', 'network = "two owls"\n'),
        ('password = "two owls', 'password = "two owls'),
        ('players = ["two owls"]\n', 'players = ["two owls"]\n'),
    ],
)
def test_secrets_are_taken_out(line: str, blank: str) -> None:
    """Nothing else of the text changes."""
    assert blank == without_secrets(line, {"wifi.password": "two owls"})


def test_the_secrets_are_the_passwords() -> None:
    """They are those of the network and of settings."""
    found = read_card(f'[night]\npassword = "three owls"\n{HOME}')
    assert {"wifi.password": "two owls", "night.password": "three owls"} == found.secrets
