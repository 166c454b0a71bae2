"""`cribwars doctor` on recorded machines: its findings, its remedies and its exit code."""

import json
import os
from pathlib import Path

import pytest

from companion.cli import doctor
from tests.support.machines import (
    BUFSIZ,
    CARDS,
    CODED_STRIP,
    CONFIG,
    FIX,
    HDMI_CARD,
    KERNEL,
    ON_FOUR,
    PIO_STRIP,
    PIS,
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
    record,
)
from tests.support.program import Ask, ask, run_command, running

__all__ = ["ask", "examined"]

# Machines that are in order


@pytest.mark.parametrize(
    ("machine", "settings"), [*((name, SPI_STRIP) for name in PIS if name != "5"), ("5", PIO_STRIP)]
)
def test_an_installed_pi_is_in_order(examined: Examined, machine: str, settings: str) -> None:
    """After the installation each model's strip can run: nothing to fix, exit 0."""
    code, findings = examined(machine, settings)
    assert (0, []) == (code, fixes(findings))
    assert "ok" == about(findings, PIS[machine].model)["level"]
    assert "ok" == about(findings, "[strip] driver")["level"]


def test_an_ordinary_machine_is_in_order(examined: Examined) -> None:
    """A PC plays on the page: that it is no Pi is only a note."""
    code, findings = examined("pc")
    assert (0, []) == (code, fixes(findings))
    first, what = findings[0], "not a Raspberry Pi: mock panel and virtual strip"
    assert ("note", what) == (first["level"], first["what"])
    assert "Debian GNU/Linux 13 (trixie), kernel 6.12.43, Python 3." in first["why"]


def test_this_machine_is_examined_without_a_root(ask: Ask) -> None:
    """The real machine with its pins gets findings with the four keys."""
    answer = ask("doctor", "--json")
    findings = json.loads(answer.out)
    assert {("level", "what", "why", "remedy")} == {tuple(finding) for finding in findings}
    assert {"ok", "note", "fix"} >= {finding["level"] for finding in findings}
    assert "buttons" in {finding["what"] for finding in findings}
    assert (answer.code == FIX) is bool(fixes(findings))


@pytest.mark.parametrize("is_root", [True, False])
def test_root_examines_the_service(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_root: bool
) -> None:
    """On an installed board, root's own settings and games matter to nobody."""
    file, data = tmp_path / "service.toml", tmp_path / "service"
    file.write_text("teams = 9\n")
    monkeypatch.setattr(doctor, "SERVICE_FILE", file)
    monkeypatch.setattr(doctor, "SERVICE_DATA", data)
    monkeypatch.setattr(os, "geteuid", lambda: 0 if is_root else 1000)
    said = ask("doctor", "--json").out
    assert [is_root] * 2 == [f"{file}: teams" in said, f"data folder {data}" in said]


def test_people_read_it_in_two_or_three_lines(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have level, subject, cause, and the remedy behind an arrow.

    Lines that are continued at a narrow terminal are indented below their text; no word is lost.
    """
    root = record(tmp_path / "machine", "4b", UNDERVOLTED)
    answers = []
    for columns in ("400", "60"):
        monkeypatch.setenv("COLUMNS", columns)
        answers.append(ask("doctor", "--root", str(root)))
    whole, wrapped = (answer.out for answer in answers)
    lines = whole.splitlines()
    at = lines.index("fix   supply voltage")
    assert [(FIX, "")] * 2 == [(answer.code, answer.err) for answer in answers]
    assert lines[at + 1].startswith("      too low just now")
    assert lines[at + 2].startswith("      -> use a supply of 5.1 V")
    assert {"ok", "note", "fix"} == {line.split()[0] for line in lines if line[0] != " "}
    assert whole.split() == wrapped.split()
    assert all(len(line) <= 60 or " " not in line.strip() for line in wrapped.splitlines())
    lines = wrapped.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("      -> use a supply"))
    assert lines[at + 1].startswith(" " * 9)


@pytest.mark.program
def test_a_running_table_is_left_alone(tmp_path: Path) -> None:
    """The doctor finds the same beside a running table, which plays on."""
    data = str(tmp_path / "data")
    with running(tmp_path) as program:
        program.press("1.plus_one")
        during = run_command(tmp_path, "doctor", "--json", "--data", data)
        assert 1 == program.press("1.enter")["seq"]
        assert (0, "") == program.stop()
    after = run_command(tmp_path, "doctor", "--json", "--data", data)
    assert (0, "", "") == (during.code, during.err, after.err)
    level = {finding["what"]: finding["level"] for finding in json.loads(after.out)}
    assert level == {finding["what"]: finding["level"] for finding in json.loads(during.out)}


# Worth knowing


def test_a_pi_without_a_strip_is_told_which_it_could_have(examined: Examined) -> None:
    """A note names the driver of that model, as the lights are only on the page."""
    for machine, driver in (("3b+", "spi:ws2812b"), ("5", "spi:ws2812b")):
        code, findings = examined(machine)
        found = about(findings, '[strip] driver = "virtual"')
        assert (0, "note") == (code, found["level"])
        assert f'set driver = "{driver}"' in found["remedy"]


def test_the_drivers_that_would_not_run_are_notes(examined: Examined) -> None:
    """They have their causes, and none needs a fix."""
    _, on_three = examined("3b+", SPI_STRIP)
    assert "analogue sound" in about(on_three, '"rpi_ws281x:pwm" would not run here')["why"]
    on_pio = about(on_three, '"pio:/dev/leds0" would not run here')
    assert (True, "") == ("has no PIO" in on_pio["why"], on_pio["remedy"])
    _, on_five = examined("5", PIO_STRIP)
    assert "note" == about(on_five, '"rpi_ws281x:spi" would not run here')["level"]


def test_wifi_that_is_off_is_a_note(examined: Examined) -> None:
    """A board on a cable needs none; a radio that is on is no finding."""
    radio = "sys/class/rfkill/rfkill0"
    for soft, level in (("1\n", "note"), ("0\n", None)):
        _, findings = examined("4b", SPI_STRIP, {f"{radio}/type": "wlan\n", f"{radio}/soft": soft})
        levels = {finding["what"]: finding["level"] for finding in findings}
        assert level == levels.get("Wi-Fi")


def test_what_is_unknown_is_reported_as_unknown(examined: Examined) -> None:
    """Unmeasured voltage, buffer and clock are notes, with exit 0."""
    code, findings = examined("zero-2-w", SPI_STRIP, {BUFSIZ: None, CONFIG: None})
    notes = {finding["what"] for finding in findings if finding["level"] == "note"}
    assert 0 == code
    assert {"supply voltage", "SPI buffer", "core clock, from which SPI takes its clock"} <= notes


@pytest.mark.parametrize(
    ("kernel", "remedy"),
    [
        ("6.12.62+rpt\n", "dtoverlay=ws2812-pio,gpio=10,num_leds=1206,brightness=0"),
        ("6.12.47+rpt\n", "sudo apt full-upgrade"),
    ],
)
def test_a_table_of_the_kernel_is_a_note(examined: Examined, kernel: str, remedy: str) -> None:
    """An overlay without brightness=0 has fewer dark steps; old kernels lack it."""
    changes: Files = {**overlay(1206, brightness=255), KERNEL: kernel}
    code, findings = examined("5", PIO_STRIP, changes)
    found = about(findings, "ws2812-pio overlay")
    assert (0, "note") == (code, found["level"])
    assert remedy in found["remedy"]


def test_a_pi_to_come_is_a_note(examined: Examined) -> None:
    """A board that this version does not know may work."""
    changes: Files = {"proc/device-tree/system/linux,revision": bytes.fromhex("00d0fff0")}
    code, findings = examined("5", PIO_STRIP, changes)
    assert (0, "note", PIS["5"].model) == (code, findings[0]["level"], findings[0]["what"])


def test_a_report_of_a_walk_replaces_no_file(ask: Ask, tmp_path: Path) -> None:
    """An existing file is kept, and the walk does not begin."""
    report = tmp_path / "walk.json"
    report.write_text("ours")
    answer = ask("doctor", "--walk", str(report))
    assert (2, "ours") == (answer.code, report.read_text())
    assert "is there already: give another name" in answer.err


# Machines with faults

SPI_IS_ON = "SPI is on and uses the pin of the strip too"
SECOND_OVERLAY = "add the line dtoverlay=ws2812-pio,gpio=18,num_leds=1206,"
NEOPIXEL_ON_X9 = '[strip]\ndriver = "neopixel:x9"\n'


@pytest.mark.parametrize(
    ("machine", "settings", "changes", "said"),
    [
        ("5", SPI_STRIP, {}, "not know the Raspberry Pi 5 Model B Rev 1.0 | set [strip] driver"),
        ("5", SPI_STRIP, {"dev/leds0": None, **STOCK}, "num_leds=1206,brightness=0 to /boot"),
        ("zero-w", PIO_STRIP, {}, "has no PIO, which came with the Raspberry Pi 5 | set [strip]"),
        ("pc", SPI_STRIP, {}, 'only on a Raspberry Pi | set driver = "virtual"'),
        ("3b+", PWM_STRIP, {}, "analogue sound uses the PWM"),
        ("4b", SPI_STRIP, {SPI: None, CONFIG: "force_turbo=1\n"}, "add dtparam=spi=on to"),
        ("4b", SPI_STRIP, SMALL_BUFFER, "spidev.bufsiz=10952 to the end of the one line of /boot"),
        ("4b", CODED_STRIP, SMALL_BUFFER, "add spidev.bufsiz=10952 to"),
        ("5", CODED_STRIP, {SPI: "", **SMALL_BUFFER}, "add spidev.bufsiz=10952 to"),
        ("5", CODED_STRIP, STOCK, "there is no /dev/spidev0.0 | add dtparam=spi=on to"),
        ("pc", CODED_STRIP, {}, "there is no /dev/spidev0.0 | switch SPI on as the maker"),
        ("pc", CODED_STRIP, {SPI: "", **SMALL_BUFFER}, "add spidev.bufsiz=10952 to"),
        ("zero-w", CODED_STRIP, STOCK, "flickers or turns white | add core_freq=250 to"),
        ("3b+", SPI_STRIP, {"dev/gpiomem": None}, 'gpiomem | set [strip] driver = "spi:ws2812b"'),
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
        ("5", PIO_STRIP, {SPI: ""}, f"{SPI_IS_ON} | take dtparam=spi=on"),
        ("5", TWO_CHANNELS, {}, f"/dev/leds1 does not exist | {SECOND_OVERLAY}"),
        ("5", PIO_STRIP, ON_FOUR, "button 1.plus_one: pin 4 is in use for the strip (to free this"),
        ("4b", PIXELS_ON_NINE, {}, '"D9" cannot drive a strip here; only the pins 10, 12, 13, 18'),
        ("5", NEOPIXEL_ON_X9, {}, "is not one of the pins 0 to 27 | set [strip] driver"),
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


def test_codes_on_spi_need_no_fix_where_spi_is_on(examined: Examined) -> None:
    """Buffer and driver are in order on every Pi and on other boards, as is a steady clock."""
    for machine in ("zero-w", "4b", "5", "pc"):
        code, findings = examined(machine, CODED_STRIP, {SPI: "", BUFSIZ: "32768\n"})
        assert (0, "ok") == (code, about(findings, "SPI buffer")["level"])
        clock = [finding["level"] for finding in findings if "core clock" in finding["what"]]
        assert (["ok"] if machine in {"zero-w", "4b"} else []) == clock


def test_what_the_line_of_the_overlay_says_is_reported(examined: Examined) -> None:
    """The doctor names the pin of the strip's data, for the wires."""
    assert "1206 LEDs on GPIO 10; the" in about(examined("5", PIO_STRIP)[1], "overlay")["why"]
    assert "write gpio=10 in" in fixes(examined("5", PIO_STRIP, ON_FOUR)[1])[0]


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
