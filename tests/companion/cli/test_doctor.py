"""`cribwars doctor` on recorded machines in order: its findings and its exit code."""

import json
from pathlib import Path

import pytest

from tests.support.machines import (
    BUFSIZ,
    CONFIG,
    FIX,
    KERNEL,
    PIO_STRIP,
    PIS,
    SPI_STRIP,
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
    first = findings[0]
    expected = ("note", "not a Raspberry Pi: mock panel and virtual strip")
    assert expected == (first["level"], first["what"])
    assert "Debian GNU/Linux 13 (trixie), kernel 6.12.43, Python 3." in first["why"]


def test_this_machine_is_examined_without_a_root(ask: Ask) -> None:
    """The real machine with its pins gets findings with the four keys."""
    answer = ask("doctor", "--json")
    findings = json.loads(answer.out)
    assert {("level", "what", "why", "remedy")} == {tuple(finding) for finding in findings}
    assert {"ok", "note", "fix"} >= {finding["level"] for finding in findings}
    assert "buttons" in {finding["what"] for finding in findings}
    assert (answer.code == FIX) is bool(fixes(findings))


def test_people_read_it_in_two_or_three_lines(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have level, subject, cause, and the remedy behind an arrow."""
    monkeypatch.setenv("COLUMNS", "400")
    root = record(tmp_path / "machine", "4b", UNDERVOLTED)
    answer = ask("doctor", "--root", str(root))
    lines = answer.out.splitlines()
    at = lines.index("fix   supply voltage")
    assert (FIX, "") == (answer.code, answer.err)
    assert lines[at + 1].startswith("      too low just now")
    assert lines[at + 2].startswith("      -> use a supply of 5.1 V")
    assert {"ok", "note", "fix"} == {line.split()[0] for line in lines if line[0] != " "}


def test_its_lines_are_as_wide_as_the_terminal(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Continued lines are indented below their text, and no word is lost."""
    root = record(tmp_path / "machine", "4b", UNDERVOLTED)
    outputs = []
    for columns in ("400", "60"):
        monkeypatch.setenv("COLUMNS", columns)
        outputs.append(ask("doctor", "--root", str(root)).out)
    whole, wrapped = outputs
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
    for machine, driver in (("3b+", "rpi_ws281x:spi"), ("5", "pio:/dev/leds0")):
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
