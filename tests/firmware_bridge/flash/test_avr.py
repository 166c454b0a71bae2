"""Arduinos that are known by their USB entries, and the images for them."""

import pytest

from firmware_bridge.connection.discovery import BoardPort, data_ports
from firmware_bridge.flash.avr import AVR_BOARDS, BAUDS, image_of, kind_of, may_be_avr


@pytest.mark.parametrize(
    ("vendor", "product", "kind", "is_likely"),
    [
        (0x2341, 0x0043, "uno", True),
        (0x2A03, 0x0042, "mega", True),
        (0x1A86, 0x7523, None, True),
        (0x2341, 0x8036, None, True),
        (0x239A, 0x80F4, None, False),
        (0x2E8A, 0x0005, None, False),
        (None, None, None, False),
    ],
)
def test_the_kind_of_a_board_by_its_usb_product(
    vendor: int | None, product: int | None, kind: str | None, is_likely: bool
) -> None:
    """An Uno and a Mega are named; behind an adapter it may be any of them."""
    port = BoardPort(device="/dev/x", vendor=vendor, product=product)
    assert (kind, is_likely) == (kind_of(port), may_be_avr(port))


@pytest.mark.parametrize("kind", AVR_BOARDS)
@pytest.mark.parametrize("baud", BAUDS)
def test_there_is_an_image_for_each(kind: str, baud: int) -> None:
    """The package has them."""
    assert image_of(kind, baud).read_text().startswith(":10")


def test_the_data_port_of_a_board_is_none_of_its_consoles() -> None:
    """CircuitPython has names for its two ports."""
    console, data = (
        BoardPort(device=f"/dev/ttyACM{n}", vendor=0x239A, interface=f"CircuitPython {name}")
        for n, name in enumerate(("CDC control", "CDC2 control"))
    )
    assert [data] == data_ports([console, data, BoardPort(device="/dev/ttyS0")])
