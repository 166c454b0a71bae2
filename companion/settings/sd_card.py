r"""The file `crib-wars.txt` with which the owner of a board sets it up on its SD card.

The file lies on the part of the card that every computer can read. It is TOML: any setting of the
settings file, the board's name in the network, and the Wi-Fi. `read_card` returns its sound values
and its faults. A line that is not TOML, such as one with typographic quotes, costs only itself:

>>> card = read_card('teams = 9\nlanguage = \u201cfr\u201d\n[wifi]\ncountry = "GB"\n')
>>> card.values, card.country
({}, 'GB')
>>> [str(fault.cause) for fault in card.faults]
['crib-wars.txt: line 2 is not TOML, or is there twice', 'crib-wars.txt: teams: cannot be 9']

The board remembers the text that it has taken, without secrets. `changes_since` compares with it,
so a value that has not changed on the card never replaces what was set elsewhere later.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import msgspec

from companion.errors import Fault, Text
from companion.files import StoredFile
from companion.settings.load import usable
from companion.settings.row import WIFI_NAME, WIFI_PASSWORD
from companion.settings.schema import ROWS
from companion.settings.sources import Source, Values, flat
from companion.toml import ANYTHING, Check, TableReader, Value, ValueKind, parse

CARD_FILE: Final = "crib-wars.txt"
CARD_FOLDER: Final = Path("var/lib/cribwars-card")
"""Folder, below the root, with the text that was taken from the card and the faults of it."""

_COUNTRIES: Final = (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ "
    "BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM "
    "DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS "
    "GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN "
    "KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ "
    "MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM "
    "PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV "
    "SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI "
    "VN VU WF WS YE YT ZA ZM ZW"
)
_HOST: Final = re.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.IGNORECASE)
_HOSTNAME: Final = Check(
    kind=ValueKind.TEXT,
    takes=Text('letters, digits and hyphens, such as "crib-wars"'),
    accepts=lambda value: isinstance(value, str) and _HOST.fullmatch(value) is not None,
)
_COUNTRY: Final = Check(
    kind=ValueKind.TEXT,
    takes=Text('the two letters of a country, such as "GB", "US" or "FR"'),
    accepts=lambda value: isinstance(value, str) and value.upper() in _COUNTRIES.split(),
)
_LINE_REMEDY: Final = Text('write it like the lines around it, with straight quotes (")')


@dataclass(frozen=True, slots=True, kw_only=True)
class Wifi:
    """Name and password of a Wi-Fi network."""

    network: str
    password: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFile:
    """Sound values of the file; None for what is missing or faulty.

    `values` are settings by their whole key.
    """

    values: Values
    wifi: Wifi | None = None
    country: str | None = None
    hostname: str | None = None
    faults: tuple[Fault, ...] = ()

    @property
    def secrets(self) -> dict[str, str]:
        """The passwords among the values, by key."""
        given = self.values.items()
        of_settings = {key: str(value) for key, value in given if key in ROWS and ROWS[key].secret}
        return of_settings | ({"wifi.password": self.wifi.password} if self.wifi else {})


def read_card(text: str, taken: str = "") -> CardFile:
    """Return the sound values of the file's text, and its faults; an empty text is no value.

    Args:
        text: the text now.
        taken: the text that was taken before. A network that is in it needs no password.
    """
    faults: list[Fault] = []
    tables = _given(_tables(text, faults))
    own: Values = {key: tables.pop(key) for key in ("hostname", "wifi") if key in tables}
    reader = TableReader(own, file=CARD_FILE, where="", faults=faults)
    hostname = reader.optional("hostname", _HOSTNAME, None)
    wifi, country = _wifi(reader.table("wifi"), flat(_tables(taken, [])).get("wifi.network"))
    found = usable([Source(origin=CARD_FILE, values=flat(tables))], lambda _: None)
    return CardFile(
        values=found.sources[0].values,
        wifi=wifi,
        country=country,
        hostname=hostname,
        faults=(*faults, *found.faults),
    )


def _given(table: Mapping[str, Value]) -> dict[str, Value]:
    """Return a table without empty values, in the tables within it too."""
    inner = {key: _given(each) if isinstance(each, dict) else each for key, each in table.items()}
    return {key: each for key, each in inner.items() if each not in ("", {})}


def _tables(text: str, faults: list[Fault]) -> dict[str, Value]:
    """Parse the text; if it is not TOML, leave out each line that is not TOML after the others.

    The lines below a faulty heading such as `[wifi]` are left out too, since the table above would
    get them.
    """
    sound, is_headed = "", True
    tables = _parsed(text)
    for number, line in enumerate([] if tables is not None else text.splitlines(), start=1):
        is_heading = line.lstrip().startswith("[")
        if not (is_headed or is_heading):
            continue
        longer = _parsed(f"{sound}{line}\n")
        if longer is not None:
            sound, tables, is_headed = f"{sound}{line}\n", longer, True
            continue
        is_headed = not is_heading
        problem = Text("line {line} is not TOML, or is there twice", line=number)
        faults.append(Fault(file=CARD_FILE, problem=problem, remedy=_LINE_REMEDY))
    return tables or {}


def _parsed(text: str) -> dict[str, Value] | None:
    faults: list[Fault] = []
    tables = parse(text, CARD_FILE, faults)
    return None if faults else tables


def _wifi(table: TableReader, taken: Value) -> tuple[Wifi | None, str | None]:
    """Return the network, if it has a new password, and the country. No fault shows the password.

    `taken` is the network that needs no password.
    """
    country = table.optional("country", _COUNTRY, "").upper() or None
    password: Value = table.optional("password", ANYTHING, None)
    read = table.optional if password is None else table.required
    network = read("network", WIFI_NAME, "")
    table.close()
    if "network" in table and "country" not in table:
        problem = Text("is missing, and without it Wi-Fi stays off")
        table.fault("country", problem, Text("give {takes}", takes=_COUNTRY.takes))
    if password is None:
        if network and network != taken:
            table.required("password", WIFI_PASSWORD, "")
    elif not WIFI_PASSWORD.accepts(password):
        remedy = Text("it takes {error}", error=WIFI_PASSWORD.takes)
        table.fault("password", Text("cannot be what it is"), remedy)
    elif network:
        return Wifi(network=network, password=str(password)), country
    return None, country


def changes_since(taken: str, card: CardFile) -> CardFile:
    """Return the file without the values that were in the text that was taken before."""
    before = read_card(taken, taken)
    return replace(
        card,
        values={each: now for each, now in card.values.items() if before.values.get(each) != now},
        country=None if card.country == before.country else card.country,
        hostname=None if card.hostname == before.hostname else card.hostname,
    )


def without_secrets(text: str, secrets: Mapping[str, str]) -> str:
    r"""Return the text with "" for these secrets by key; other lines and comments stay.

    >>> without_secrets('a = 1\npassword = "two # owls" # mine\n', {"wifi.password": "two # owls"})
    'a = 1\npassword = "" # mine\n'
    """
    return "".join(_blanked(line, secrets) for line in text.splitlines(keepends=True))


def _blanked(line: str, secrets: Mapping[str, str]) -> str:
    key, value = _entry(line)
    if not any(value == secret and whole.endswith(key) for whole, secret in secrets.items()):
        return line
    ends = range(line.index("=") + 1, len(line) + 1)
    end = next(end for end in ends if _entry(line[:end]) == (key, value))
    return f'{line[: ends[0]]} ""{line[end:]}'


def _entry(line: str) -> tuple[str, Value]:
    """Return key and value of a line that is TOML by itself, "" and None if it has none."""
    return next(iter(flat(parse(line, CARD_FILE, [])).items()), ("", None))


class CardReport(msgspec.Struct, frozen=True):
    """Faults of the file when it was last taken."""

    faults: tuple[Fault, ...] = ()


def card_report(root: Path) -> StoredFile[CardReport]:
    """Return the report about the card of the machine whose files are below `root`."""
    return StoredFile(root / CARD_FOLDER / "report.json", CardReport)


def card_faults(root: Path) -> tuple[Fault, ...]:
    """Return the faults of the card's file that the board has found at its power-on."""
    return (card_report(root).load_if_readable() or CardReport()).faults
