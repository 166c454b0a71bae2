"""The doctor on the voice: a program that speaks, a sound card, a strip on PWM."""

import tomllib
from pathlib import Path

import pytest

from companion.devices.doctor.voice import voice_findings
from companion.settings.load import load_settings

PWM = '[strip]\ndriver = "rpi_ws281x:pwm"\n'


def levels(root: Path, text: str) -> list[tuple[str, str]]:
    """Return level and reason of each finding on a machine."""
    settings = load_settings(None, tomllib.loads(text))
    found = voice_findings(settings, root, path=str(root / "bin"))
    return [(each.level, each.why) for each in found]


@pytest.mark.parametrize("text", ["", PWM, "[demo]\nvoice = false\n"])
def test_a_voice_that_nobody_asked_for(tmp_path: Path, text: str) -> None:
    """Nothing is said about it, though a demo would speak where it can."""
    assert [] == levels(tmp_path, text)


@pytest.mark.parametrize("text", ['voice = "short"\n', "[demo]\nvoice = true\n"])
def test_what_a_voice_lacks(tmp_path: Path, text: str) -> None:
    """A program, then a sound card; elsewhere than on Linux cards are not files."""
    assert [("fix", "no program speaks here")] == levels(tmp_path, text)
    speaker = tmp_path / "bin/espeak-ng"
    speaker.parent.mkdir()
    speaker.touch(0o755)
    found = ("ok", f"{speaker} speaks, as far as files can tell")
    assert [found] == levels(tmp_path, text)
    (tmp_path / "proc").mkdir()
    assert [("fix", "there is no sound card")] == levels(tmp_path, text)
    device = tmp_path / "dev/snd/pcmC0D0p"
    device.parent.mkdir(parents=True)
    device.touch(0o660)
    assert [found] == levels(tmp_path, text)


def test_beside_a_strip_on_pwm(tmp_path: Path) -> None:
    """The note says that the headphone socket stays silent."""
    assert (
        "note",
        "rpi_ws281x:pwm has the hardware of the headphone socket, which stays silent",
    ) == (levels(tmp_path, f'voice = "full"\n{PWM}')[-1])
