"""The driver of a Pi's own pins; with the real C library, on a fake Pi, down to the wire."""

from itertools import pairwise, permutations, product
from pathlib import Path

import pytest

from hardware.errors import StripError
from hardware.strips import StripSpec, make_strip
from hardware.strips.ws281x_library import sized_leds, spi_buffer_fault, spi_bytes
from tests.support.fakepi import (
    BOARDS,
    CHILD,
    FRAMES,
    SEED,
    FakePi,
    Outcome,
    decode,
    missing,
    random_frames,
    refusal,
    show,
)
from tests.support.fakepi import case_of as driver_case
from tests.support.machines import BUFSIZ, record

on_a_fake_pi = pytest.mark.emulator(lacks=missing())

MODES = ("pwm", "pcm", "spi")
BLACK_FRAMES = {"pwm": 2, "pcm": 2, "spi": 1}
"""Number of dark frames that a mode sends at the end; DMA needs a second one."""

RGB = StripSpec(leds=(121,))
RGBW = StripSpec(leds=(121,), type="sk6812w", order="GRBW")
NOWHERE = "/dev/null/absent"
"""A root without files: the machine that runs the tests must not be taken for the fake Pi."""


def case_of(mode: str, spec: StripSpec, **options: object) -> dict[str, object]:
    """Return the case for one strip."""
    return driver_case(f"rpi_ws281x:{mode}", spec, root=NOWHERE, **options)


def assert_shown(outcome: Outcome, mode: str, specs: list[StripSpec]) -> None:
    """Assert that the LEDs of each strip showed its frames and went dark."""
    assert (0, "") == (outcome.code, outcome.out), outcome.err
    transfers = iter(outcome.transfers)
    for spec in specs:
        for frame in random_frames(spec, FRAMES, seed=SEED):
            shown = decode(next(transfers), spec)
            assert [pixels.tolist() for pixels in frame] == [pixels.tolist() for pixels in shown]
        for _ in range(BLACK_FRAMES[mode]):
            assert not any(pixels.any() for pixels in decode(next(transfers), spec))
    assert [] == list(transfers)


@on_a_fake_pi
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("mode", MODES)
def test_the_leds_show_the_frames_and_go_dark(mode: str, board: str) -> None:
    """On every board and in every mode the wire carries the colours shown, then black.

    With 1 to 443 LEDs, which the default SPI buffer holds, without white and with it. A frame
    overwritten while it is on the wire would show as the next one.
    """
    specs = [StripSpec(leds=(leds,)) for leds in (1, 2, 3, 121, 399, 443)] + [RGBW]
    outcome = show(FakePi(board=board), *(case_of(mode, spec) for spec in specs))
    assert_shown(outcome, mode, specs)
    assert {mode} == {transfer.kind for transfer in outcome.transfers}


@on_a_fake_pi
@pytest.mark.parametrize("mode", MODES)
def test_long_strips(mode: str) -> None:
    """There may be 1,200 LEDs; SPI then needs a larger buffer."""
    specs = [StripSpec(leds=(leds,)) for leds in (444, 1000, 1200, 5000)]
    pi = FakePi(bufsiz=65536)
    assert_shown(show(pi, *(case_of(mode, spec) for spec in specs)), mode, specs)


@on_a_fake_pi
@pytest.mark.parametrize("board", BOARDS)
def test_two_channels_share_one_transfer(board: str) -> None:
    """Two strips on PWM go in parallel, of any lengths, with or without white."""
    specs = [StripSpec(leds=leds) for leds in ((100, 60), (1, 300), (7, 6), (500, 500))]
    specs.append(StripSpec(leds=(30, 20), type="sk6812w", order="GRBW"))
    assert_shown(show(FakePi(board=board), *(case_of("pwm", spec) for spec in specs)), "pwm", specs)


@on_a_fake_pi
@pytest.mark.parametrize("mode", MODES)
def test_every_order_of_colours(mode: str) -> None:
    """All orders of three colours and of four arrive."""
    specs = [StripSpec(leds=(4,), order="".join(order)) for order in permutations("RGB")]
    specs += [
        StripSpec(leds=(4,), type="sk6812w", order="".join(order)) for order in permutations("RGBW")
    ]
    assert_shown(show(FakePi(), *(case_of(mode, spec) for spec in specs)), mode, specs)


@on_a_fake_pi
@pytest.mark.parametrize("pins", [(12,), (18,), (12, 13), (18, 19)])
def test_other_pins(pins: tuple[int, ...]) -> None:
    """All PWM pins of the header work."""
    spec = StripSpec(leds=(3, 4)[: len(pins)])
    assert_shown(show(FakePi(), case_of("pwm", spec, pins=pins)), "pwm", [spec])


@on_a_fake_pi
@pytest.mark.parametrize("mode", MODES)
def test_other_threads_run_while_a_frame_is_on_its_way(mode: str) -> None:
    """Each transfer waits for another thread of the program, which runs."""
    outcome = FakePi(gate=True).run(CHILD, "gate", f"rpi_ws281x:{mode}", seconds=20)
    assert (0, 2 + BLACK_FRAMES[mode]) == (outcome.code, len(outcome.transfers)), outcome.err


@on_a_fake_pi
@pytest.mark.parametrize("mode", MODES)
def test_a_transfer_is_as_long_as_the_library_sizes_it(mode: str) -> None:
    """For each channel of PWM as long as the longer one's.

    So what the next test finds by calculation is true of the library.
    """
    specs = [StripSpec(leds=(leds,)) for leds in (*range(1, 18), 363, 443, 444, 4999)]
    if mode == "pwm":
        specs += [StripSpec(leds=leds) for leds in ((5, 4), (4, 5), (1, 18), (363, 362))]
    outcome = show(FakePi(bufsiz=65536), *(case_of(mode, spec) | {"frames": 0} for spec in specs))
    channels = 2 if mode == "pwm" else 1
    expected = [
        spi_bytes(sized_leds(max(spec.leds), 3, spi=mode == "spi")) * channels
        for spec in specs
        for _ in range(BLACK_FRAMES[mode])
    ]
    assert expected == [len(transfer.data) for transfer in outcome.transfers]


def test_a_transfer_holds_every_led_and_ends_low() -> None:
    """From 1 to 5,000 LEDs there is room for all, and low at the end, over SPI the whole reset.

    There a line that is high between two transfers would end the reset.
    """
    for leds, colours, spi in product(range(1, 5001), (3, 4), (False, True)):
        symbols = spi_bytes(sized_leds(leds, colours, spi=spi)) * 8
        low = (symbols - leds * colours * 8 * 3) / 2.4
        least = 300 if spi else 55
        assert least <= low <= least + 60, (leds, colours, spi)


@on_a_fake_pi
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("mode", MODES)
def test_between_two_frames_the_wire_is_low_long_enough(mode: str, board: str) -> None:
    """From the last bit to the next first one it is 280 us, after which every LED has its colour.

    The fake's wire takes its true time; a machine under load makes the pause longer only.
    """
    specs = [StripSpec(leds=(1,)), RGB, RGBW] + [StripSpec(leds=(9, 30))] * (mode == "pwm")
    outcome = show(FakePi(board=board, wire=True), *(case_of(mode, spec) for spec in specs))
    assert (0, "") == (outcome.code, outcome.out), outcome.err
    frames = FRAMES + BLACK_FRAMES[mode]
    assert frames * len(specs) == len(outcome.transfers)
    for number, spec in enumerate(specs):
        symbols = max(spec.leds) * spec.colours * 8 * 3
        for one, other in pairwise(outcome.transfers[number * frames :][:frames]):
            assert other.began - one.began - symbols * 1e6 / one.hertz >= 280


@on_a_fake_pi
def test_spi_does_not_wait_for_the_frame_twice() -> None:
    """Between two SPI transfers, which last as long as their frames and resets, is no pause."""
    outcome = show(FakePi(), case_of("spi", StripSpec(leds=(443,))))
    assert {0} == {transfer.waited for transfer in outcome.transfers}


@on_a_fake_pi
@pytest.mark.parametrize("board", BOARDS)
def test_bits_keep_to_the_time_that_leds_understand(board: str) -> None:
    """Three symbols make a bit of 1.25 us, within the 2 % that the Pi 4's crystal costs."""
    outcome = show(FakePi(board=board), *(case_of(mode, RGB) for mode in MODES))
    for transfer in outcome.transfers:
        assert 3e6 / transfer.hertz == pytest.approx(1.25, rel=0.025)


@on_a_fake_pi
@pytest.mark.parametrize("mode", MODES)
def test_a_machine_that_the_library_does_not_know(mode: str) -> None:
    """On a Pi 5 or a PC the start is refused with the driver to set, and the process ends well."""
    line = refusal(show(FakePi(board=None), case_of(mode, RGB)))
    assert "could not start (code -3, Hardware revision is not supported)" in line
    assert 'on a Raspberry Pi 5 set [strip] driver = "pio:/dev/leds0"' in line
    assert '"virtual"' in line


@on_a_fake_pi
@pytest.mark.parametrize(
    ("mode", "device", "code", "remedy"),
    [
        ("spi", "/dev/spidev0.0", -13, "spidev0.0 may not be opened by this user: add the user to"),
        ("spi", "/dev/gpiomem", -13, "gpiomem may not be opened by this user: add the user to the"),
        ("pwm", "/dev/vcio", -9, "program as root"),
        (
            "pwm",
            "/dev/mem",
            -5,
            'run the program as root), or set [strip] driver = "rpi_ws281x:spi"',
        ),
        ("pcm", "/dev/mem", -5, "program as root"),
    ],
)
def test_devices_out_of_reach(mode: str, device: str, code: int, remedy: str) -> None:
    """A device that may not be opened is refused with the remedy, and the process ends well."""
    line = refusal(show(FakePi(refuse=device), case_of(mode, RGB)))
    assert f"(code {code}," in line
    assert remedy in line


@on_a_fake_pi
@pytest.mark.parametrize("mode", ["pwm", "pcm"])
def test_a_dma_channel_in_other_hands(mode: str) -> None:
    """A frame that fails on its way is an error with a remedy, and closing gets through."""
    line = refusal(show(FakePi(dma_fault=True), case_of(mode, RGB)))
    assert "could not show a frame (code -10," in line


@on_a_fake_pi
def test_an_spi_buffer_smaller_than_it_said() -> None:
    """With an unknown buffer size the failed frame names the setting."""
    line = refusal(show(FakePi(bufsiz=1000), case_of("spi", RGB)))
    assert "could not show a frame (code -14," in line
    assert "spidev.bufsiz=" in line


def refused_at_the_start(root: Path, mode: str, leds: int) -> str:
    """Return the refusal of a strip by `open`, after which it can be closed."""
    strip = make_strip(f"rpi_ws281x:{mode}", StripSpec(leds=(leds,)), root=root)
    with pytest.raises(StripError) as refused:
        strip.open()
    strip.close()
    return str(refused.value)


def test_an_spi_buffer_too_small_is_refused_at_the_start(tmp_path: Path) -> None:
    """444 LEDs and more do not fit into 4,096 bytes; the text tells the number to set."""
    root = record(tmp_path, "3b+", {BUFSIZ: "4096\n"})
    for leds, needed in ((444, 4104), (500, 4608), (1206, 10952)):
        assert f"add spidev.bufsiz={needed} to" in refused_at_the_start(root, "spi", leds)


def test_an_spi_buffer_as_delivered() -> None:
    """Into 4,096 bytes go 443 LEDs, 332 with white, 339 of either as the library sizes it."""
    for leds, colours in ((443, 3), (332, 4), (339, None)):
        assert spi_buffer_fault(leds, 4096, colours) is None
        assert spi_buffer_fault(leds + 1, 4096, colours) is not None


def test_a_machine_that_cannot_run_it_is_refused_at_the_start(tmp_path: Path) -> None:
    """A Pi 5, or one whose analogue sound uses the PWM: the text tells the line to change."""
    for mode in MODES:
        text = refused_at_the_start(record(tmp_path / "5", "5"), mode, 363)
        assert 'driver = "pio:/dev/leds0"' in text
    text = refused_at_the_start(record(tmp_path / "4b", "4b"), "pwm", 363)
    assert "dtparam=audio=off" in text


def test_wiring_that_cannot_be_is_refused() -> None:
    """Pins that the mode cannot use, and channels that it does not have, are refused unopened."""
    rows: list[tuple[str, tuple[int, ...], tuple[int, ...] | None, str]] = [
        ("pwm", (3,), (17,), "GPIO 17 cannot be channel 0 of rpi_ws281x:pwm; set 18 or 12"),
        ("pwm", (3,), (13,), "GPIO 13 cannot be channel 0"),
        ("pwm", (3, 3), (18, 12), "GPIO 12 cannot be channel 1 of rpi_ws281x:pwm; set 13 or 19"),
        ("pcm", (3,), (18,), "set 21"),
        ("spi", (3,), (18,), "set 10"),
        ("pwm", (3, 3), (18,), "set one pin for each channel, 2 in all"),
        ("pwm", (3, 3, 3), None, "2 channels, but the wiring has 3; two channels need rpi_ws281x"),
        ("pcm", (3, 3), None, "has one channel, but the wiring has 2"),
        ("spi", (3, 3), None, "has one channel, but the wiring has 2"),
    ]
    for mode, leds, pins, text in rows:
        with pytest.raises(StripError) as refused:
            make_strip(f"rpi_ws281x:{mode}", StripSpec(leds=leds), pins=pins)
        assert text in str(refused.value).replace('"', "")


def test_a_frame_takes_the_time_of_its_colours() -> None:
    """A frame takes 30 us an LED, 40 us with white, and the reset."""
    for mode, (spec, led_seconds) in product(MODES, ((RGB, 30e-6), (RGBW, 40e-6))):
        strip = make_strip(f"rpi_ws281x:{mode}", spec)
        assert strip.wire_seconds == pytest.approx(121 * led_seconds + 300e-6)
