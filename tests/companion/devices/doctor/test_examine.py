"""The pins of the buttons and the place of the journal, as the doctor finds them."""

import tempfile
import tomllib
from pathlib import Path

import pytest

from companion.buttons import DEFAULT_PINS
from companion.devices.doctor.examine import pin_findings, voice_findings
from companion.devices.doctor.finding import MIN_FREE_BYTES, Finding, Level, data_finding
from companion.journal.store import FILE
from companion.settings.load import load_settings
from hardware.pi import read_machine
from tests.support.machines import FakeChip, chip, record
from tests.support.program import as_nobody

__all__ = ["chip"]


def findings(folder: Path, machine: str = "3b+") -> list[Finding]:
    """Return the findings about the default pins of a recorded machine."""
    return [*pin_findings(read_machine(record(folder, machine)), DEFAULT_PINS)]


def test_pins_that_can_be_used(tmp_path: Path, chip: FakeChip) -> None:
    """Each is opened and released again."""
    (found,) = findings(tmp_path)
    assert (Level.OK, {}) == (found.level, chip.watched)


def test_pins_that_something_else_has(tmp_path: Path, chip: FakeChip) -> None:
    """They need a fix, except those of a program with lgpio, which may be a table."""
    chip.users |= {4: "onewire@4", 5: "lg", 27: "lg"}
    busy, held = findings(tmp_path)
    assert Level.FIX is busy.level
    assert "button 1.plus_one: pin 4 is in use by onewire@4" == str(busy.why)
    assert (Level.NOTE, True) == (held.level, "has the pins 5, 27 open" in str(held.why))


def test_a_pi_without_gpio_is_to_be_mended(
    tmp_path: Path, chip: FakeChip, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a Pi mock pins are dead buttons unless requested; elsewhere they are usual."""
    chip.is_there = False
    (found,) = findings(tmp_path / "pi")
    none = "mock panel: no GPIO here (can not open gpiochip)"
    assert (Level.FIX, none) == (found.level, str(found.why))
    assert "/dev/gpiochip0" in str(found.remedy)
    assert [Level.NOTE] == [each.level for each in findings(tmp_path / "pc", "pc")]
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert [Level.NOTE] == [each.level for each in findings(tmp_path / "pi")]


PWM = '[strip]\ndriver = "rpi_ws281x:pwm"\n'


def levels(root: Path, text: str) -> list[tuple[str, str]]:
    """Return level and reason of each finding on a machine."""
    settings = load_settings(None, tomllib.loads(text))
    found = voice_findings(settings, root, path=str(root / "bin"))
    return [(each.level, str(each.why)) for each in found]


def test_a_voice_that_nobody_asked_for(tmp_path: Path) -> None:
    """There is no finding, though a demo would use it."""
    for text in ("", PWM, "[demo]\nvoice = false\n"):
        assert [] == levels(tmp_path, text)


@pytest.mark.parametrize("text", ['voice = "short"\n', "[demo]\nvoice = true\n"])
def test_what_a_voice_lacks(tmp_path: Path, text: str) -> None:
    """It lacks a program or a sound card; only on Linux are cards files."""
    assert [("fix", "no speech program is installed")] == levels(tmp_path, text)
    speaker = tmp_path / "bin/espeak-ng"
    speaker.parent.mkdir()
    speaker.touch(0o755)
    found = ("ok", f"{speaker} can speak, as far as the files show")
    assert [found] == levels(tmp_path, text)
    (tmp_path / "proc").mkdir()
    assert [("fix", "there is no sound card")] == levels(tmp_path, text)
    device = tmp_path / "dev/snd/pcmC0D0p"
    device.parent.mkdir(parents=True)
    device.touch(0o660)
    assert [found] == levels(tmp_path, text)


def test_beside_a_strip_on_pwm(tmp_path: Path) -> None:
    """The note says that the headphone socket is silent."""
    assert (
        "note",
        "rpi_ws281x:pwm uses the hardware of the headphone socket, which stays silent",
    ) == (levels(tmp_path, f'voice = "full"\n{PWM}')[-1])


# The place of the journal


def test_a_folder_to_be_made_is_in_order(tmp_path: Path) -> None:
    """A missing folder is judged by its parent, and is not made."""
    folder = tmp_path / "a" / "b"
    found = data_finding(folder)
    assert (Level.OK, f"data folder {folder}") == (found.level, str(found.what))
    assert [] == list(tmp_path.iterdir())


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """A folder cannot be made in a file, either."""
    file = tmp_path / "file"
    file.write_text("")
    for place in (file, file / "data"):
        found = data_finding(place)
        assert (Level.FIX, f"{file} is no folder") == (found.level, str(found.why))


def test_a_full_disk(tmp_path: Path) -> None:
    """Too little room for a future journal needs a fix before it is full."""
    found = data_finding(tmp_path, free=lambda _: MIN_FREE_BYTES - 1)
    assert (Level.FIX, "only 50 MB are left on the disk") == (found.level, str(found.why))
    assert Level.OK is data_finding(tmp_path, free=lambda _: MIN_FREE_BYTES).level


def test_what_this_user_may_not_write() -> None:
    """It may be another user's, as after a first start with sudo."""
    with tempfile.TemporaryDirectory() as parent:  # unlike tmp_path one that others may enter
        Path(parent).chmod(0o755)
        closed, theirs = Path(parent, "closed"), Path(parent, "theirs")
        closed.mkdir()
        closed.chmod(0o555)
        theirs.mkdir()
        theirs.chmod(0o777)  # the folder is open, the journal in it is not
        (theirs / FILE).write_text("")
        (theirs / FILE).chmod(0o444)
        with as_nobody():
            said = [str(data_finding(place).why) for place in (closed / "data", theirs)]
    assert [f"this user may not write to {place}" for place in (closed, theirs / FILE)] == said
