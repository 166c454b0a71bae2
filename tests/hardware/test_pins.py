"""Choice of pins: the machine's own, or mock ones with the reason."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import Device, Factory
from gpiozero.pins.mock import MockFactory

from hardware.pins import open_pin_factory
from tests.support.machines import FakeChip, chip

__all__ = ["chip"]

REVISION = Path("/proc/device-tree/system/linux,revision")


@pytest.fixture
def default_factory() -> Iterator[None]:
    """Remove gpiozero's default factory, and restore it later."""
    before, Device.pin_factory = Device.pin_factory, None
    yield
    Device.pin_factory = before


def test_simulation_has_its_own_mock_pins() -> None:
    """They are new each time, and gpiozero's default is unchanged."""
    default = Device.pin_factory
    one, why = open_pin_factory(simulate=True)
    other, _ = open_pin_factory(simulate=True)

    assert isinstance(one, MockFactory)
    assert one is not other
    assert str(why) == "mock panel: simulated, as asked"
    assert Device.pin_factory is default


@pytest.mark.usefixtures("default_factory")
def test_mock_pins_by_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """GPIOZERO_PIN_FACTORY=mock selects the factory of gpiozero itself."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    factory, why = open_pin_factory(simulate=False)

    assert factory is Device.pin_factory
    assert isinstance(factory, MockFactory)
    assert str(why) == "mock panel: GPIOZERO_PIN_FACTORY asks for it"


@pytest.mark.usefixtures("default_factory")
def test_real_pins_have_no_reason() -> None:
    """Real pins of gpiozero are used without a reason."""
    Device.pin_factory = Factory()
    assert (Device.pin_factory, None) == open_pin_factory(simulate=False)


@pytest.mark.usefixtures("default_factory")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nonsense", "Unable to find pin factory 'nonsense'"),
        ("native", "gpiozero's native pins are not used; unset GPIOZERO_PIN_FACTORY"),
    ],
)
def test_pin_factories_that_cannot_be_had(
    monkeypatch: pytest.MonkeyPatch, name: str, expected: str
) -> None:
    """A missing or unused factory gives mock pins, and is named."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", name)
    factory, why = open_pin_factory(simulate=False)

    assert isinstance(factory, MockFactory)
    assert f"mock panel: no GPIO here ({expected})" == str(why)


def test_lgpio_is_what_is_taken(chip: FakeChip) -> None:
    """Its chip is opened as soon as possible, without another factory meanwhile."""
    chip.is_there = False
    _, why = open_pin_factory(simulate=False)
    assert "mock panel: no GPIO here (can not open gpiochip)" == str(why)
    assert Device.pin_factory is None
    chip.is_there = True
    assert ("LGPIOFactory", None) == (type(open_pin_factory(simulate=False)[0]).__name__, None)


PIPE = """
import os
os.chdir(os.environ.get("LG_WD", "."))
os.mkfifo(".lgd-nfy0")
pipe = os.open(".lgd-nfy0", os.O_RDWR)
"""
"""Module that does what the import of lgpio does."""


@pytest.mark.usefixtures("default_factory")
@pytest.mark.skipif(sys.platform != "linux", reason="lgpio is of Linux")
def test_the_pipe_of_lgpio_is_in_nobodys_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its place can be any folder, and the process's own folder is unchanged."""
    (tmp_path / "lgpio.py").write_text(PIPE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.chdir("/proc")  # nobody can make a file there, not even root
    open_pin_factory(simulate=False)

    assert hasattr(sys.modules.pop("lgpio"), "pipe")
    assert Path("/proc") == Path.cwd()


@pytest.mark.usefixtures("default_factory")
def test_talkative_pin_factory_keeps_off_stdout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pin library's output goes to stderr, as stdout has a contract."""
    (tmp_path / "pigpio.py").write_text("print('no daemon')\nraise ImportError('no\\n daemon')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "pigpio")
    _, why = open_pin_factory(simulate=False)

    assert str(why) == "mock panel: no GPIO here (no daemon)"
    assert capsys.readouterr() == ("", "no daemon\n")


@pytest.mark.skipif(REVISION.exists(), reason="this is a Raspberry Pi: it has real pins")
@pytest.mark.usefixtures("default_factory")
def test_machine_without_gpio_falls_back_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has mock pins and a reason in one line, without warnings or output."""
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    factory, why = open_pin_factory(simulate=False)

    assert isinstance(factory, MockFactory)
    assert why is not None
    assert str(why).startswith("mock panel: no GPIO here (")
    assert "\n" not in str(why)
    assert capsys.readouterr().out == ""
