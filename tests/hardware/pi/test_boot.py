"""Boards by their revision codes, and config.txt as the firmware of one board reads it."""

from hardware.pi import Family, PiBoard
from hardware.pi.boot import board_of, parse_boot
from tests.support.machines import CONFIG, PIS

ZERO_2_W, THREE_PLUS, FOUR = (board_of(PIS[name].revision) for name in ("zero-2-w", "3b+", "4b"))


def test_families_by_revision_code() -> None:
    """Modules and keyboards count as their namesakes; new boards by their processor."""
    families = {
        0x0010: Family.ONE,  # numbered one by one before 2015
        0x1000010: Family.ONE,  # the same with a warranty bit
        0x900093: Family.ZERO,
        0xA01041: Family.TWO,
        0xA22042: Family.TWO,  # a 2 with the processor of a 3
        0xA020A0: Family.THREE,  # CM3
        0xA03140: Family.FOUR,  # CM4
        0xB04180: Family.FIVE,  # CM5
        0xD04190: Family.FIVE,  # 500
        0xD04FF0: Family.FIVE,  # a board to come, with the processor of a 5
        0xD0FFF0: None,  # one with a processor to come
    }
    assert families == {code: getattr(board_of(code), "family", None) for code in families}


def test_sections_of_config_txt() -> None:
    """Models replace each other, other conditions are not met, [all] ends them."""
    rows: list[tuple[str, PiBoard | None, int]] = [
        ("core_freq=250", FOUR, 250),
        ("#core_freq=250", FOUR, 0),
        (" core_freq = 250 \r\n", FOUR, 250),
        ("core_freq=250\ncore_freq=300", FOUR, 300),
        ("[pi4]\ncore_freq=500", FOUR, 500),
        ("[pi3]\ncore_freq=250\n[all]\n", FOUR, 0),
        ("[pi3]\ncore_freq=250\n[pi4]\ncore_freq=500", FOUR, 500),
        ("[pi4]\ncore_freq=500\n[pi3]\ncore_freq=250", FOUR, 500),
        ("[none]\ncore_freq=1\n[all]\ncore_freq=2", FOUR, 2),
        ("[pi3+]\ncore_freq=250", THREE_PLUS, 250),
        ("[pi3]\ncore_freq=250", THREE_PLUS, 250),
        ("[pi02]\ncore_freq=250", ZERO_2_W, 250),
        ("[pi0w]\ncore_freq=250", ZERO_2_W, 250),
        ("[pi0]\ncore_freq=250", ZERO_2_W, 250),
        ("[pi4]\ncore_freq=250", None, 0),
        ("[board-type=0x11]\ncore_freq=500", FOUR, 500),
        ("[board-type=0x14]\ncore_freq=500", FOUR, 0),
        ("[board-type=x]\ncore_freq=500", FOUR, 0),
        ("[EDID=VSC-TD2220]\ncore_freq=500", FOUR, 0),
        ("[0x12345678]\n[pi4]\ncore_freq=500", FOUR, 0),
        ("[gpio4=1]\n[all]\n[pi4]\ncore_freq=500", FOUR, 500),
        ("core_freq=much", FOUR, 0),
        ("core_freq=0xfa", FOUR, 250),
        ("core_freq=250mhz", FOUR, 0),
        ("core_freq=", FOUR, 0),
    ]
    assert rows == [
        (text, board, parse_boot(text, file=CONFIG, board=board).number("core_freq", 0))
        for text, board, _ in rows
    ]


def test_parameters_of_the_board() -> None:
    """Graphics overlays take `audio` until a line dtoverlay= ends that."""
    switched = {
        "": (None, None),
        "dtparam=audio=on": (True, None),
        "dtparam=spi,audio=off": (False, True),
        "dtparam=audio=on\ndtparam=audio=off": (False, None),
        "dtparam=audio=on\ndtoverlay=vc4-kms-v3d\ndtparam=audio=off,spi=on": (True, True),
        "dtparam=audio=on\ndtoverlay=vc4-kms-v3d\ndtoverlay=\ndtparam=audio=off": (False, None),
        "dtparam=audio=on\ndtoverlay=w1-gpio\ndtparam=audio=off": (False, None),
    }
    boots = {text: parse_boot(text, file=CONFIG, board=FOUR) for text in switched}
    assert switched == {
        t: (boot.switched("audio"), boot.switched("spi")) for t, boot in boots.items()
    }


def test_overlays_of_config_txt() -> None:
    """Each loaded one has its parameters; a line that only ends a scope is none."""
    text = "dtoverlay=vc4-kms-v3d,noaudio\ndtoverlay=w1-gpio:gpiopin=5\ndtoverlay=\n"
    boot = parse_boot(f"{text}[pi5]\ndtoverlay=ws2812-pio,gpio=10\n", file=CONFIG, board=FOUR)
    assert ("vc4-kms-v3d,noaudio", "w1-gpio:gpiopin=5") == boot.overlays
    assert (True, True) == (boot.loads("vc4-kms-v3d"), boot.loads("w1-gpio"))
    assert not boot.loads("ws2812-pio")
