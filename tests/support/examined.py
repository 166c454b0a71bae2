"""Recorded machines examined by `cribwars doctor`, and readers of its findings."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.commands import Ask
from tests.support.machines import ALARM, BUFSIZ, CONFIG, STOCK_CONFIG, Files, overlay, record

FIX = 1
SPI_STRIP = '[strip]\ndriver = "rpi_ws281x:spi"\n'
PWM_STRIP = '[strip]\ndriver = "rpi_ws281x:pwm"\n'
PIO_STRIP = '[strip]\ndriver = "pio:/dev/leds0"\n'
SPI_PIXELS = '[strip]\ndriver = "neopixel:D10"\n'
TWO_CHANNELS = f"{PIO_STRIP}[wiring]\nchannels = 2\n"
PIXELS_ON_NINE = '[strip]\ndriver = "neopixel:D9"\n'
ON_FOUR: Files = {**dict.fromkeys(overlay(1206)), **overlay(1206, gpio=4)}
SMALL_BUFFER: Files = {BUFSIZ: "4096\n"}
STOCK: Files = {CONFIG: STOCK_CONFIG}
UNDERVOLTED: Files = {ALARM: "1\n"}

Finding = dict[str, str]
Examined = Callable[..., tuple[int, list[Finding]]]


@pytest.fixture
def examined(ask: Ask, tmp_path: Path) -> Examined:
    """Return the exit code and the findings about a recorded machine with these settings."""

    def examine(
        machine: str, settings: str = "", changes: Files | None = None
    ) -> tuple[int, list[Finding]]:
        file = tmp_path / "cribwars.toml"
        file.write_text(settings)
        root = record(tmp_path / "machine", machine, changes)
        answer = ask("doctor", "--json", "--config", str(file), "--root", str(root))
        assert "" == answer.err
        findings: list[Finding] = json.loads(answer.out)
        return answer.code, findings

    return examine


def fixes(findings: list[Finding]) -> list[str]:
    """Return each finding to fix, with its cause and remedy in one text."""
    return [
        f"{finding['what']} | {finding['why']} | {finding['remedy']}"
        for finding in findings
        if finding["level"] == "fix"
    ]


def about(findings: list[Finding], words: str) -> Finding:
    """Return the one finding with these words in `what`."""
    (found,) = [finding for finding in findings if words in finding["what"]]
    return found
