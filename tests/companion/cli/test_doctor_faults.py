"""`cribwars doctor` on recorded machines with faults: its findings and remedies."""

import json
from pathlib import Path

import pytest

from tests.support.machines import (
    CARDS,
    CONFIG,
    FIX,
    HDMI_CARD,
    KERNEL,
    ON_FOUR,
    PIO_STRIP,
    PIXELS_ON_NINE,
    PWM_STRIP,
    SMALL_BUFFER,
    SPI,
    SPI_PIXELS,
    SPI_STRIP,
    STOCK,
    TWO_CHANNELS,
    UNDERVOLTED,
    Examined,
    Files,
    about,
    examined,
    fixes,
    overlay,
)
from tests.support.program import Ask, ask

__all__ = ["ask", "examined"]


@pytest.mark.parametrize(
    ("machine", "settings", "changes", "said"),
    [
        ("5", SPI_STRIP, {}, "not know the Raspberry Pi 5 Model B Rev 1.0 | set [strip] driver"),
        ("5", SPI_STRIP, {"dev/leds0": None, **STOCK}, "num_leds=1206,brightness=0 to /boot"),
        ("zero-w", PIO_STRIP, {}, "has no PIO, which came with the Raspberry Pi 5 | set [strip]"),
        ("pc", SPI_STRIP, {}, 'only on a Raspberry Pi | set driver = "virtual"'),
        ("3b+", PWM_STRIP, {}, "analogue sound uses the PWM"),
        ("4b", SPI_STRIP, {SPI: None, CONFIG: "force_turbo=1\n"}, "add dtparam=spi=on to"),
        ("4b", SPI_STRIP, SMALL_BUFFER, "add spidev.bufsiz=10952 to"),
        ("4b", SPI_PIXELS, SMALL_BUFFER, "add spidev.bufsiz=14496 to"),
        ("zero-w", SPI_STRIP, STOCK, "flickers or turns white | add core_freq=250 to"),
        ("zero-2-w", SPI_STRIP, STOCK, "flickers or turns white | add core_freq=250 to"),
        ("3b+", SPI_STRIP, {CONFIG: "[pi4]\ncore_freq=250\n"}, "add core_freq=250 to"),
        ("4b", SPI_STRIP, STOCK, "add core_freq=500 and core_freq_min=500 to"),
        ("400", SPI_STRIP, {CONFIG: "core_freq=500\n"}, "core_freq=500 and core_freq_min=500 to"),
        ("4b", "", UNDERVOLTED, "supply voltage | too low just now"),
        ("5", "", UNDERVOLTED, "supply voltage | too low just now"),
        ("5", PIO_STRIP, {"dev/leds0": None, **STOCK}, "there is no /dev/leds0 | add dtoverlay="),
        ("5", PIO_STRIP, overlay(60), "num_leds=60, but the longest channel has 1206 LEDs"),
        ("5", PIO_STRIP, overlay(1206, rgbw=True), "has rgbw"),
        ("5", PIO_STRIP, overlay(1206, brightness=30), "has brightness=30"),
        ("5", PIO_STRIP, {KERNEL: "6.12.47+rpt-rpi-2712\n"}, "has brightness=0"),
        (
            "5",
            PIO_STRIP,
            {SPI: ""},
            "SPI is on and uses the pin of the strip too | take dtparam=spi=on",
        ),
        (
            "5",
            TWO_CHANNELS,
            {},
            "/dev/leds1 does not exist | add the line dtoverlay=ws2812-pio,gpio=18,num_leds=1206,",
        ),
        ("5", PIO_STRIP, ON_FOUR, "button 1.plus_one: pin 4 is in use for the strip (to free this"),
        ("4b", PIXELS_ON_NINE, {}, '"D9" cannot drive a strip here; only the pins 10, 12, 13, 18'),
        (
            "5",
            '[strip]\ndriver = "neopixel:x9"\n',
            {},
            "is not one of the pins 0 to 27 | set [strip] driver",
        ),
    ],
)
def test_what_is_wrong_is_reported_with_its_remedy(
    examined: Examined, machine: str, settings: str, changes: Files, said: str
) -> None:
    """One thing needs a fix, which is given, with exit code 1."""
    code, findings = examined(machine, settings, changes)
    (only,) = fixes(findings)
    assert (FIX, True) == (code, said in only), only
    driver = next(finding["what"] for finding in findings if "driver = " in finding["what"])
    assert f"{driver.partition('= ')[2]} would not run here" not in {
        finding["what"] for finding in findings
    }


def test_what_the_line_of_the_overlay_says_is_reported(examined: Examined) -> None:
    """The doctor names the pin of the strip's data, for the wires."""
    assert "1206 LEDs on GPIO 10; the" in about(examined("5", PIO_STRIP)[1], "overlay")["why"]
    reported = fixes(examined("5", PIO_STRIP, ON_FOUR)[1])
    assert "write gpio=10 in" in reported[0]


def test_a_line_of_cmdline_txt_is_its_only_one(examined: Examined) -> None:
    """A second line there would not be read."""
    (only,) = fixes(examined("4b", SPI_STRIP, SMALL_BUFFER)[1])
    assert (
        "add spidev.bufsiz=10952 to the end of the one line of /boot/firmware/cmdline.txt" in only
    )


@pytest.mark.parametrize(
    ("changes", "several"),
    [
        ({}, False),
        (SMALL_BUFFER, False),
        ({**SMALL_BUFFER, **STOCK}, True),
        ({SPI: None, **STOCK}, True),
    ],
)
def test_if_several_things_lack_for_spi_one_command_does_them(
    examined: Examined, changes: Files, several: bool
) -> None:
    """The install script makes all settings for SPI."""
    _, findings = examined("4b", SPI_STRIP, changes)
    remedies = {finding["remedy"] for finding in findings}
    assert several is (
        "make all these settings with: sudo /usr/lib/cribwars/prepare-machine" in remedies
    )


def test_without_analogue_sound_pwm_is_in_order(examined: Examined) -> None:
    """The machine has only the card of HDMI."""
    assert 0 == examined("3b+", PWM_STRIP, {CARDS: HDMI_CARD})[0]


@pytest.mark.parametrize("board", ["classic", "crib-wars"])
def test_a_short_strip_fits_into_the_buffer_as_delivered(examined: Examined, board: str) -> None:
    """4,096 bytes hold either board with an LED a hole."""
    settings = f'board = "{board}"\n{SPI_STRIP}[wiring]\nper = "hole"\n'
    code, findings = examined("3b+", settings, SMALL_BUFFER)
    assert (0, "ok") == (code, about(findings, "SPI buffer")["level"])


@pytest.mark.parametrize(
    ("settings", "config", "clash"),
    [
        ("[panel.pins]\ndeal = 8\n", "", "button deal: pin 8 is in use for SPI"),
        ("", "dtparam=i2c_arm=on\n", "button mode: pin 3 is in use for I2C"),
        ("[panel.pins]\ndeal = 14\n", "enable_uart=1\n", "pin 14 is in use for the serial port"),
        ("", "dtoverlay=w1-gpio\n", "button 1.plus_one: pin 4 is in use for 1-Wire"),
        ("", "dtoverlay=w1-gpio,gpiopin=17\n", "2.plus_one: pin 17 is in use for 1-Wire"),
    ],
)
def test_a_button_on_a_pin_that_is_taken(
    examined: Examined, settings: str, config: str, clash: str
) -> None:
    """Boot settings use the pin; the button and the setting are named."""
    code, findings = examined("4b", settings, {CONFIG: config})
    (only,) = fixes(findings)
    assert (FIX, True) == (code, clash in only), only
    assert only.endswith("in [panel.pins]")


def test_every_fault_of_the_settings_is_found(examined: Examined, tmp_path: Path) -> None:
    """Faults of the file and its parts are findings, not wrong use."""
    code, findings = examined("pc", "teams = 7\nbord = 1\n")
    reported = fixes(findings)
    assert (FIX, 2) == (code, len(reported))
    assert f"{tmp_path / 'cribwars.toml'}: teams: cannot be 7" in reported[0]
    assert "did you mean 'board'?" in reported[1]

    settings = '[strip]\ndriver = "rpi_ws281x:spj"\n[panel.pins]\ndeal = 4\n'
    code, findings = examined("4b", settings)
    reported = fixes(findings)
    assert (FIX, True) == (code, 'did you mean "rpi_ws281x:spi"?' in reported[0])
    assert "pin 4 is in use for button 1.plus_one" in reported[1]

    code, findings = examined("5", f"{SPI_STRIP}[panel.pins]\ndeal = 4\n")
    assert (FIX, "fix") == (code, about(findings, "[strip] driver")["level"])


def test_a_fault_is_reported_once_with_its_own_remedy(examined: Examined, tmp_path: Path) -> None:
    """It has place, problem and remedy, and the checks that it prevented."""
    file, at = tmp_path / "cribwars.toml", "(at line 1, column 9)"
    for settings, why, remedy, unseen in (
        ("teams = 7\n", f"{file}: teams: cannot be 7", "it takes a whole number from 2 to 3", True),
        ("board = \n", f"{file}: is not TOML (Invalid value {at})", "mend that line", True),
        ("players = 3\n", f"{file}: players: 3 players cannot be 2 sides", "set players or", True),
        ('[wiring]\nper = "mile"\n', f'{file}: wiring.per: cannot be "mile"', "it takes ", False),
    ):
        _, findings = examined("4b", settings)
        (fault,) = [finding for finding in findings if finding["level"] == "fix"]
        assert ("settings", why) == (fault["what"], fault["why"])
        assert fault["remedy"].startswith(remedy)
        seen = about(findings, "not examined")
        assert ("note", unseen) == (seen["level"], "which strip is set" in seen["why"])


def test_settings_that_cannot_be_read_are_a_finding(ask: Ask, tmp_path: Path) -> None:
    """A missing file is reported like any other fault."""
    answer = ask("doctor", "--json", "--config", str(tmp_path / "none.toml"))
    assert (FIX, "") == (answer.code, answer.err)
    (fault,) = [finding for finding in json.loads(answer.out) if finding["level"] == "fix"]
    assert fault["why"].endswith("none.toml: cannot be read (No such file or directory)")
    assert "give a file that is there and may be read" == fault["remedy"]


def test_a_budget_below_the_dark_current_is_found(examined: Examined) -> None:
    """The supply must feed at least the dark strip; the rest is given as a share."""
    code, findings = examined("4b", f"{SPI_STRIP}budget_ma = 1000\n")
    assert (FIX, True) == (code, "1206 mA" in fixes(findings)[0])
    code, findings = examined("4b", f"{SPI_STRIP}budget_ma = 8000\n")
    found = about(findings, "budget_ma = 8000 for the 1206 LEDs")
    assert (0, True) == (code, "allows 10% of full white" in found["why"])
