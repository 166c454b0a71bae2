"""Notifications to systemd over a real socket, failed starts in a row, and safe starts."""

import asyncio
import os
import socket
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from companion.commentary import load_phrases
from companion.errors import Text, as_text
from companion.runtime.fallbacks import usable_settings
from companion.runtime.service_manager import (
    MAX_FAILED_STARTS,
    FailedStarts,
    Starts,
    StartStage,
    failed_starts,
    feed_watchdog,
    has_mock_buttons,
    notify,
    safe_options,
    safety_fault,
    update_fault,
    watchdog_interval,
)
from hardware.errors import StripError
from tests.support.program import HTTP, running

DYING = """
import os
from hardware.strips import pio
pio.PioStrip.open = lambda self: os._exit(70)
from companion.cli.main import main
main()
"""
"""A program that ends as soon as it opens the strip of a Pi 5."""


STUCK = """
import ctypes
from companion.runtime import start
from hardware.strips import pio
start.STRIP_TIMEOUT_S = 0.1
pio.PioStrip.open = lambda self: ctypes.PyDLL(None).sleep(60)
from companion.cli.main import main
main()
"""
"""A program whose strip keeps the interpreter and does not come back."""


def fail(folder: Path, *, stage: StartStage = StartStage.BEGUN) -> None:
    """Start and fail, as a process that raises an error."""
    with suppress(ValueError), FailedStarts(folder) as starts:
        starts.reach(stage)
        raise ValueError("no strip")


def test_the_fourth_start_is_safe(tmp_path: Path) -> None:
    """It follows three failed ones, and knows stage and reason of the last."""
    for _ in range(MAX_FAILED_STARTS):
        fail(tmp_path, stage=StartStage.LIT)
    starts = failed_starts({"RUNTIME_DIRECTORY": f"{tmp_path}:/run/other"})
    assert starts.calls_for_safety
    assert (
        Starts(count=MAX_FAILED_STARTS, stage=StartStage.LIT, reason=as_text("no strip"))
        == starts.before
    )


def test_a_process_that_is_killed_has_failed(tmp_path: Path) -> None:
    """A start counts from its first moment until it is called good."""
    for _ in range(MAX_FAILED_STARTS):
        assert not FailedStarts(tmp_path).calls_for_safety
    assert FailedStarts(tmp_path).calls_for_safety


@pytest.mark.parametrize("end", ["stopped", "good for a minute"])
def test_a_good_start_forgets_those_that_failed(tmp_path: Path, end: str) -> None:
    """A start is good if it was stopped or has run for a minute."""
    for _ in range(MAX_FAILED_STARTS - 1):
        fail(tmp_path)
    if end == "stopped":
        with FailedStarts(tmp_path):
            pass
    else:
        starts = FailedStarts(tmp_path)
        starts.succeed()
        starts.fail(Text("much later"))
    assert Starts() == FailedStarts(tmp_path).before


def test_without_a_folder_nothing_is_counted(tmp_path: Path) -> None:
    """Nothing is counted if the record cannot be read or written, either."""
    (tmp_path / "starts.json").mkdir()
    for folder in (None, tmp_path, tmp_path / "gone"):
        starts = FailedStarts(folder)
        starts.reach(StartStage.READY)
        assert Starts() == starts.before
    assert Starts() == failed_starts({}).before


@pytest.mark.parametrize(
    ("stage", "driver", "mock"),
    [
        (StartStage.BEGUN, "virtual", False),
        (StartStage.LIT, "rpi_ws281x:spi", True),
        (StartStage.READY, "virtual", False),
    ],
)
def test_the_part_that_failed_is_left_out(
    tmp_path: Path, stage: StartStage, driver: str, *, mock: bool
) -> None:
    """It is the strip, or the buttons if the strip was lit before the failure."""
    file = tmp_path / "cribwars.toml"
    file.write_text('teams = 3\n[strip]\ndriver = "rpi_ws281x:spi"\nbudget_ma = 4000\n')
    failed = Starts(count=3, stage=stage)
    settings, *_ = usable_settings(file, safe_options({"players": 6}, failed), required=True)
    assert (driver, 3, 6) == (settings.strip.driver, settings.teams, settings.players)
    assert mock is has_mock_buttons(failed)


def test_the_fault_says_why_and_what_is_left_out() -> None:
    """It has words for the page; without a reason it refers to the log."""
    text = str(safety_fault(Starts(count=3, reason=Text("no strip"))))
    assert "after 3 failed starts in a row (no strip): the lights are on the page only" in text
    assert "the log has the reason" in str(safety_fault(Starts(count=3, stage=StartStage.LIT)))


def test_the_reason_is_known_in_every_language(tmp_path: Path) -> None:
    """The record has template and values, also of errors of the hardware."""
    with suppress(StripError), FailedStarts(tmp_path):
        raise StripError("the strip is not open", key="strip.driver")
    text = load_phrases("fr").message(safety_fault(FailedStarts(tmp_path).before).line)
    assert "1 démarrages manqués de suite (strip.driver\u00a0: le ruban n'est pas ouvert)" in text


@pytest.mark.program
def test_three_failed_starts_end_in_a_page_with_the_reason(tmp_path: Path) -> None:
    """The fourth start leaves out a strip that ends the process, and says so."""
    settings = tmp_path / "cribwars.toml"
    settings.write_text('[strip]\ndriver = "pio:/dev/leds0"\n')
    options = ("--config", str(settings))
    started = partial(running, entry=("-c", DYING), simulate=False, RUNTIME_DIRECTORY=str(tmp_path))
    for _ in range(MAX_FAILED_STARTS):
        with started(tmp_path, *options) as program:
            assert 70 == program.ended()[0]
    with started(tmp_path, *options) as program:
        assert "virtual" == HTTP.get(f"{program.url}api/about").json()["strip"]
        assert "safe start after 3 failed starts in a row" in program.stderr
        program.stop()
    assert not (tmp_path / "starts.json").exists()


@pytest.mark.program
def test_a_strip_that_does_not_come_back_ends_a_service(tmp_path: Path) -> None:
    """It ends in time, though no thread can run; the next start knows the reason."""
    settings = tmp_path / "cribwars.toml"
    settings.write_text('[strip]\ndriver = "pio:/dev/leds0"\n')
    systemd = {"NOTIFY_SOCKET": str(tmp_path / "gone"), "RUNTIME_DIRECTORY": str(tmp_path)}
    options = ("--config", str(settings))
    with running(tmp_path, *options, entry=("-c", STUCK), simulate=False, **systemd) as program:
        assert 1 == program.ended()[0]
    assert "the strip's driver did not answer" in str(safety_fault(FailedStarts(tmp_path).before))


def test_a_report_names_both_versions(tmp_path: Path) -> None:
    """They are the one that failed, and the one that is back; no or a bad report is no fault."""
    report = tmp_path / "report.json"
    assert update_fault(report) is None
    for content in (b"", b"{}", b"\xff"):
        report.write_bytes(content)
        assert update_fault(report) is None
    report.write_text('{"failed": "0.2", "running": "0.1"}\n')
    fault = update_fault(report)
    assert fault
    assert "version 0.2 failed in its first minute; version 0.1 runs again" == str(fault.problem)


def test_a_message_is_one_datagram(tmp_path: Path) -> None:
    """It reaches the socket that systemd names, a file or an abstract one, if there is one."""
    for address in (f"{tmp_path}/notify", f"@cribwars-test-{os.getpid()}"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
            systemd.bind(address.replace("@", "\0"))
            notify("READY=1", {"NOTIFY_SOCKET": address})
            assert b"READY=1" == systemd.recv(100)
    notify("READY=1", {})
    notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "gone")})


def test_three_signs_of_life_in_the_time_of_one() -> None:
    """The interval is a third of systemd's; another process's watchdog is ignored."""
    usec = {"WATCHDOG_USEC": "15000000"}
    assert watchdog_interval({}) is watchdog_interval(usec | {"WATCHDOG_PID": "1"}) is None
    own = usec | {"WATCHDOG_PID": str(os.getpid())}
    assert 5.0 == watchdog_interval(usec) == watchdog_interval(own)


def test_a_frozen_part_ends_the_signs_of_life() -> None:
    """The reason is recorded first, then systemd must act at once."""
    said: list[object] = []
    stuck = Text("the strip is stuck")
    answers, alive = iter([None, None, stuck]), ("WATCHDOG=1", "5 s")

    async def sleep(seconds: float) -> None:
        said.append(f"{seconds:g} s")

    asyncio.run(
        feed_watchdog(5.0, lambda: next(answers), said.append, send=said.append, sleep=sleep)
    )
    assert ["WATCHDOG_USEC=15000000", *alive, *alive, stuck, "WATCHDOG=trigger"] == said
