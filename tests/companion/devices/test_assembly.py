"""Assembly: everything in the settings is checked before any of it is started."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from companion.board import board_source, check_board
from companion.devices.assembly import (
    ONLY_BOARD,
    assemble,
    in_force,
    strip_budget,
    strip_options,
    with_strip,
)
from companion.errors import SettingsError
from companion.settings.load import load_settings
from companion.settings.schema import Settings
from companion.toml import Value
from firmware_bridge.connection.discovery import AUTO


def settings(tmp_path: Path, text: str, **command_line: Value) -> Settings:
    """Return the settings of a file with this text."""
    file = tmp_path / "cribwars.toml"
    file.write_text(text, encoding="utf-8")
    return load_settings(file, command_line)


def faults(tmp_path: Path, text: str) -> str:
    """Return the faults of a file, one a line."""
    with pytest.raises(SettingsError) as refused:
        assemble(settings(tmp_path, text))
    return str(refused.value)


def test_the_defaults_fit(tmp_path: Path) -> None:
    """They are a board, two sides and a virtual strip with all its LEDs."""
    assembly = assemble(settings(tmp_path, ""))
    assert ("crib-wars", (1, 2)) == (assembly.board.name, assembly.request.setup.sides)
    assert (1089 + 108 + 9,) == assembly.light.wiring.leds
    assert {} == assembly.actions


def test_all_faults_are_reported_together_with_where_they_were_set(tmp_path: Path) -> None:
    """Each part's fault is a line that begins with the file's name."""
    reported = faults(
        tmp_path,
        """
        [wiring]
        bogus = 1
        [strip]
        driver = "rpi_ws281x:spj"
        [lights.colours]
        1 = "red"
        [panel.actions]
        dael = "deal"
        [panel.pins]
        "1.plus_one" = 5
        """,
    )
    lines = reported.splitlines()
    assert all(line.startswith(f"{tmp_path / 'cribwars.toml'}: ") for line in lines)
    for words in ("wiring.bogus", "rpi_ws281x:spi", "'red'", "dael", "1.plus_five"):
        assert 1 == sum(words in line for line in lines), words


def test_a_fault_of_a_part_is_reported_once(tmp_path: Path) -> None:
    """It has the file that set the part, without faults that follow from it."""
    file = tmp_path / "cribwars.toml"
    (wiring,) = faults(tmp_path, '[wiring]\nper = "mile"\n').splitlines()
    assert wiring.startswith(f'{file}: wiring.per: cannot be "mile"')
    (board,) = faults(tmp_path, 'board = "hill"\n').splitlines()
    assert board.startswith(f"{file}: ")
    assert "hill" in board


def test_what_is_in_force_is_there_to_be_printed(tmp_path: Path) -> None:
    """Type, order and wiring are there, even if none of them was set."""
    lines = in_force(settings(tmp_path, '[strip]\ntype = "SK6812W"\n')).toml().splitlines()
    expected = {
        f'type = "sk6812w"  # {tmp_path / "cribwars.toml"}',
        'order = "GRBW"  # default',
        'per = "hole-and-lane"  # default',
        "channels = 1  # default",
        "skipped = []  # default",
    }
    assert expected <= set(lines)
    set_so = '[wiring]\nper = "hole"\nchannels = 2\ndead = [[0, 3]]\n[strip]\norder = "rgb"\n'
    printed = in_force(settings(tmp_path, set_so)).toml()
    wiring = {"per": "hole", "channels": 2, "dead": [[0, 3]], "skipped": []}
    assert wiring == tomllib.loads(printed)["wiring"]
    assert 'order = "RGB"' in printed
    again = in_force(settings(tmp_path, printed)).toml()
    assert tomllib.loads(printed) == tomllib.loads(again)


def test_skunk_lines_go_by_the_length_of_the_game(tmp_path: Path) -> None:
    """G5: a preset's lurch follows `game_to` and the board, but a line that was set stays."""
    skunks = {
        'preset = "lurch"': "below 91",
        'preset = "lurch"\n[rules]\ngame_to = 61': "below 31",
        'preset = "lurch"\nboard = "classic-61"': "below 31",
        'preset = "lurch"\n[rules]\ngame_to = 61\nskunk = "below 41"': "below 41",
        'preset = "classic-121"\nboard = "classic-61"': "off",
    }
    printed = {text: tomllib.loads(in_force(settings(tmp_path, text)).toml()) for text in skunks}
    assert skunks == {text: each["rules"]["skunk"] for text, each in printed.items()}


FAULTS = {
    "cribwars.toml: rules.skunk: house rule skunk cannot be 'below 91'; the game ends at 61": (
        'preset = "lurch"\n[rules]\ngame_to = 61\nskunk = "below 91"'
    ),
    "1206 mA": "[strip]\nbudget_ma = 1000\n",
    "budget_ma is 1, but the number of channels is 2": (
        "[wiring]\nchannels = 2\n[strip]\nbudget_ma = [2000]\n"
    ),
    "pin 21 is in use for the strip": (
        '[strip]\ndriver = "rpi_ws281x:pcm"\n[panel.pins]\ndeal = 21\n'
    ),
    'strip.wled: strip driver "virtual" has no option wled; its options: keep': (
        "[strip]\nwled = true\n"
    ),
    'strip option keep = "many" cannot be read: write a whole number': '[strip]\nkeep = "many"\n',
    "cannot be read: write true or false": '[strip]\ndriver = "adalight:p"\nwled = 1\n',
}


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    """G5: skunk lines fit the game, supplies the dark strip, buttons and options the driver."""
    for fault, text in FAULTS.items():
        assert fault in faults(tmp_path, text)


def test_a_usb_port_gives_500_milliamps(tmp_path: Path) -> None:
    """A setting may give the supply of a strip behind a board."""
    for driver in ("serial", "serial:/dev/ttyACM0", "adalight:x", "awa:x"):
        strip = f'[strip]\ndriver = "{driver}"\n'
        assert "budget_ma = 500  # default" in with_strip(settings(tmp_path, strip)).toml()
        assert 4000 == strip_budget(settings(tmp_path, f"{strip}budget_ma = 4000\n"))
        assert 2000 == strip_budget(settings(tmp_path, strip, strip={"driver": "ddp:x"}))


def test_each_channel_has_a_supply_of_its_own_if_they_are_listed(tmp_path: Path) -> None:
    """Each channel has one, which must feed its own dark LEDs."""
    two = "[wiring]\nchannels = 2\n[strip]\nbudget_ma = "
    first, second = assemble(settings(tmp_path, f"{two}[2000, 3000]\n")).light.wiring.leds
    assert 1089 + 108 + 9 == first + second
    assert f"100 for channel 1 is below the {second} mA" in faults(tmp_path, f"{two}[2000, 100]\n")


DUSKY = """
import numpy as np
from hardware.strips.drivers import Driver
from hardware.strips.protocol import NullStrip
from hardware.strips.scale import LINEAR, TableScale

class DuskyStrip(NullStrip):
    scale = TableScale(np.where(LINEAR < 100 / 255, 0, LINEAR))

driver = Driver(make=DuskyStrip)
"""


def test_the_light_goes_by_the_scale_of_the_strip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a driver's lowest lit byte is 100, a dim LED gets that."""
    info = tmp_path / "dusky_strips-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: dusky-strips\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[cribwars.strips]\ndusky = dusky_strips:driver\n")
    (tmp_path / "dusky_strips.py").write_text(DUSKY)
    monkeypatch.syspath_prepend(tmp_path)
    light = assemble(settings(tmp_path, '[strip]\ndriver = "dusky"\n')).light
    dim = np.zeros((sum(light.wiring.leds), 3), np.float32)
    dim[0, 0] = 0.001
    assert 100 == light.output.render(dim)[0].max()


def test_the_strips_pins_and_options_can_be_set(tmp_path: Path) -> None:
    """Another data pin frees the usual one; a driver on the command line gets none of the file."""
    text = '[strip]\ndriver = "rpi_ws281x:pwm"\npins = [12]\n'
    assert (12,) == assemble(
        settings(tmp_path, f"{text}[panel.pins]\ndeal = 18\n")
    ).light.strip.pins
    virtual: dict[str, Value] = {"driver": "virtual"}
    assert () == assemble(settings(tmp_path, text, strip=virtual)).light.strip.pins
    named: dict[str, Value] = {"driver": "rpi_ws281x:pwm", "pins": [18]}
    assert (18,) == assemble(settings(tmp_path, text, strip=named)).light.strip.pins
    text = '[strip]\ndriver = "adalight:p"\nwled = true\npins = [18]\n'
    assert {} == strip_options(settings(tmp_path, text, strip=virtual))


def test_strip_and_buttons_may_be_behind_one_board_or_two(tmp_path: Path) -> None:
    """Without a port the buttons are on the strip's board, or the only one."""
    for driver, buttons, ports in (
        ("virtual", "gpio", ("", "")),
        ("virtual", "serial", ("", "auto")),
        ("virtual", "serial:/dev/b", ("", "/dev/b")),
        ("serial", "gpio", ("auto", "")),
        ("serial", "serial", ("auto", "auto")),
        ("serial:/dev/a", "serial", ("/dev/a", "/dev/a")),
        ("serial:/dev/a", "serial:/dev/b", ("/dev/a", "/dev/b")),
    ):
        strip = f'[wiring]\nper = "hole"\n[strip]\ndriver = "{driver}"\n'
        assembly = assemble(settings(tmp_path, f'{strip}[panel]\nbuttons = "{buttons}"\n'))
        assert ports == (assembly.strip_port, assembly.board_port)


def test_each_button_has_a_place_of_its_own_on_a_board(tmp_path: Path) -> None:
    """Places start with 0 in the panel's order; others may be set, but not twice."""
    assert list(range(14)) == list(assemble(settings(tmp_path, "")).places.values())
    moved = assemble(settings(tmp_path, "[panel.places]\ndeal = 20\n")).places
    assert (20, 13) == (moved["deal"], moved["mode"])
    reported = faults(tmp_path, "[panel.places]\ndeal = 13\ndael = 1\n")
    assert (
        "button mode: place 13 is in use for button deal" in reported
        or "place 13 is in use for button mode" in reported
    )
    assert 'panel.places.dael: there is no button dael; did you mean "deal"?' in reported


def test_buttons_behind_a_cable_leave_the_pins_to_the_strip(tmp_path: Path) -> None:
    """Without buttons on pins the strip may have any pin."""
    text = '[strip]\ndriver = "rpi_ws281x:pcm"\n[panel]\nbuttons = "serial"\npins.deal = 21\n'
    assert "auto" == assemble(settings(tmp_path, text)).board_port


def test_the_baud_is_that_of_a_board(tmp_path: Path) -> None:
    """It determines the cable's time; a driver without a cable does not get it."""
    text = '[wiring]\nper = "hole"\n[strip]\ndriver = '
    usual, fast, none = (
        assemble(settings(tmp_path, f"{text}{driver}\n")).light.strip.wire_seconds
        for driver in ('"serial"', '"serial"\nbaud = 1000000', '"virtual"\nbaud = 1000000')
    )
    assert none < fast < usual


def test_the_only_board_is_called_as_the_bridge_calls_it() -> None:
    """The word for it is the bridge's."""
    assert AUTO == ONLY_BOARD


@pytest.mark.parametrize(
    ("text", "option", "value"),
    [
        ('driver = "adalight:p"\nwled = true', "_is_wled", True),
        ('driver = "adalight:p"\nwled = false\nbaud = 500000', "_baud", 500_000),
        ('driver = "awa:p"\ntype = "sk6812w"\nwhite = true', "_magic", b"AWa"),
        ('driver = "virtual"\nkeep = 7', "frames", None),
    ],
)
def test_every_option_of_a_driver_is_set_under_strip(
    tmp_path: Path, text: str, option: str, value: object
) -> None:
    """The driver gets it, and `config` prints it with its origin."""
    used = settings(tmp_path, f'[wiring]\nper = "hole"\n[strip]\n{text}\n')
    strip = assemble(used).light.strip
    assert hasattr(strip, option)
    assert value in (None, getattr(strip, option))
    assert f"{text.splitlines()[-1]}  # " in in_force(used).toml()


def test_more_sides_than_the_board_has_lanes(tmp_path: Path) -> None:
    """T1: each side needs a lane; the fault is that of `sides`, at its place."""
    three_lanes = board_source("classic").decode().replace("lanes = 3", "lanes = 2")
    head, *lamps = three_lanes.split("[[lamp]]")
    fitting = [lamp for lamp in lamps if not re.search("start-3|dealer-[56]", lamp)]
    file = tmp_path / "two.toml"
    file.write_text("[[lamp]]".join([head, *fitting]))
    assert not check_board(str(file))
    with pytest.raises(SettingsError) as refused:
        assemble(load_settings(None, {"board": str(file), "teams": 3}))
    (fault,) = refused.value.faults
    assert ("command line", "teams") == (fault.file, fault.key)
    assert "the board has 2 lanes, which do not fit the sides 1, 2, 3" == str(fault.problem)
