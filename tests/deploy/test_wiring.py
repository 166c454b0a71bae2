"""The pins in wiring.md agree with gpiozero's header, and with the program's pins."""

from pathlib import Path

import pytest
from gpiozero.pins.pi import PiBoardInfo

from companion.buttons import BUTTONS, DEFAULT_PINS

WIRING = (Path(__file__).parents[2] / "deploy" / "wiring.md").read_text(encoding="utf-8")
REVISIONS = {"Zero 2 W": 0x902120, "3 B": 0xA02082, "4 B": 0xC03111, "5": 0xD04170}
STRIP_PINS = {
    10: "strip, SPI or PIO",
    13: "strip, PWM channel 1",
    18: "strip, PWM channel 0",
    21: "strip, PCM",
}


def table(*header: str) -> list[list[str]]:
    """Return the rows of the only table with this header, as cells without markup."""
    lines = iter(WIRING.splitlines())
    assert "| " + " | ".join(header) + " |" in lines
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip(" `*") for cell in line.strip("|").split("|")])
    return rows


def header_table() -> dict[int, tuple[str, str]]:
    """Return signal and use of each header pin from wiring.md."""
    found = {}
    for row in table("Use", "Signal", "Pin", "Pin", "Signal", "Use"):
        use, signal, odd, even, other_signal, other_use = row
        found[int(odd)] = (signal, use)
        found[int(even)] = (other_signal, other_use)
    return found


@pytest.mark.parametrize("revision", REVISIONS.values(), ids=REVISIONS.keys())
def test_the_header_is_the_real_one(revision: int) -> None:
    """Each pin has the signal that gpiozero knows for this model, each button its BCM pin."""
    real = PiBoardInfo.from_revision(revision).headers["J8"].pins
    assert {number: pin.name for number, pin in real.items()} == {
        number: signal for number, (signal, _) in header_table().items()
    }
    for name, _, bcm, pin in table("Button", "Key", "BCM", "Header"):
        assert (name, f"GPIO{bcm}") == (name, real[int(pin)].name)


def test_the_buttons_are_those_of_the_program() -> None:
    """The table of buttons has every default button, in order, on its BCM pin."""
    rows = {key: (name, int(bcm)) for name, key, bcm, _ in table("Button", "Key", "BCM", "Header")}
    labels = {name: each.action.label for name, each in BUTTONS.items()}
    named = {
        name: (f"Side {name[0]}, {labels[name]}" if "." in name else labels[name], pin)
        for name, pin in DEFAULT_PINS.items()
    }
    assert list(named.items()) == list(rows.items())


def test_both_tables_tell_the_same() -> None:
    """The uses in the header are the buttons' names and the strip's pins, each once."""
    uses = {signal: use for signal, use in header_table().values() if signal.startswith("GPIO")}
    buttons = {
        f"GPIO{bcm}": name.replace(",", "")
        for name, _, bcm, _ in table("Button", "Key", "BCM", "Header")
    }
    strips = {f"GPIO{bcm}": use for bcm, use in STRIP_PINS.items()}
    named = {signal: use for signal, use in uses.items() if signal in buttons | strips}
    assert buttons | strips == named
    assert {"free", "never (ID)", "held by SPI", "serial console"} == set(uses.values()) - set(
        named.values()
    )
