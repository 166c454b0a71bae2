"""Choice of pins: the machine's own, or mock ones and the reason for them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import Device, Factory
from gpiozero.pins.mock import MockFactory

from hardware.buttons import open_pin_factory

REVISION = Path("/proc/device-tree/system/linux,revision")


@pytest.fixture
def default_factory() -> Iterator[None]:
    """No default factory of gpiozero yet; what was there is put back."""
    before, Device.pin_factory = Device.pin_factory, None
    yield
    Device.pin_factory = before


def test_simulation_has_its_own_mock_pins() -> None:
    """Simulated pins are new ones each time, and gpiozero's default stays as it was."""
    default = Device.pin_factory
    one, why = open_pin_factory(simulate=True)
    other, _ = open_pin_factory(simulate=True)

    assert isinstance(one, MockFactory)
    assert one is not other
    assert why == "mock panel: simulated, as asked"
    assert Device.pin_factory is default


@pytest.mark.usefixtures("default_factory")
def test_mock_pins_by_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """GPIOZERO_PIN_FACTORY=mock is honoured: the factory that gpiozero itself uses."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    factory, why = open_pin_factory(simulate=False)

    assert factory is Device.pin_factory
    assert isinstance(factory, MockFactory)
    assert why == "mock panel: GPIOZERO_PIN_FACTORY asks for it"


@pytest.mark.usefixtures("default_factory")
def test_real_pins_have_no_reason() -> None:
    """Real pins of gpiozero are used, without a reason."""
    Device.pin_factory = Factory()
    assert (Device.pin_factory, None) == open_pin_factory(simulate=False)


@pytest.mark.usefixtures("default_factory")
def test_unknown_pin_factory_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A factory that cannot be had gives mock pins and says which it was."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nonsense")
    factory, why = open_pin_factory(simulate=False)

    assert isinstance(factory, MockFactory)
    assert why == "mock panel: no GPIO here (Unable to find pin factory 'nonsense')"


@pytest.mark.usefixtures("default_factory")
def test_talkative_pin_factory_keeps_off_stdout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Output of a failing pin library goes to stderr: stdout has a contract."""
    (tmp_path / "pigpio.py").write_text("print('no daemon')\nraise ImportError('no\\n daemon')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "pigpio")
    _, why = open_pin_factory(simulate=False)

    assert why == "mock panel: no GPIO here (no daemon)"
    assert capsys.readouterr() == ("", "no daemon\n")


@pytest.mark.skipif(REVISION.exists(), reason="this is a Raspberry Pi: it has real pins")
@pytest.mark.usefixtures("default_factory")
def test_machine_without_gpio_falls_back_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without GPIO: mock pins, the reason on one line, no warning and nothing on stdout."""
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    factory, why = open_pin_factory(simulate=False)

    assert isinstance(factory, MockFactory)
    assert why is not None
    assert why.startswith("mock panel: no GPIO here (Falling back from lgpio: ")
    assert "\n" not in why
    assert capsys.readouterr().out == ""
