"""The driver of a Pi's own pins; with the real C library, on a fake Pi, down to the wire."""

import json
from itertools import permutations
from pathlib import Path

import pytest

from hardware.errors import StripError
from hardware.strips import StripSpec, make_strip
from tests.support.fakepi import BOARDS, FakePi, Outcome, decode, missing, random_frames

on_a_fake_pi = pytest.mark.skipif(bool(missing()), reason=missing() or "runs")

MODES = ("pwm", "pcm", "spi")
BLACK_FRAMES = {"pwm": 2, "pcm": 2, "spi": 1}
"""How many dark frames a mode sends at the end; the DMA's first one needs a second behind it."""

FRAMES, SEED = 3, 363

RGB = StripSpec(leds=(121,))
RGBW = StripSpec(leds=(121,), type="sk6812w", order="GRBW")
ROOMY = {"bufsiz_path": "/dev/null/absent"}


def case_of(mode: str, spec: StripSpec, **options: object) -> dict[str, object]:
    """Return what `fakepi_show` takes for one strip."""
    return {
        "name": f"rpi_ws281x:{mode}",
        "leds": spec.leds,
        "type": spec.type,
        "order": spec.order,
        "options": options,
        "frames": FRAMES,
        "seed": SEED,
    }


def show(pi: FakePi, *cases: dict[str, object]) -> Outcome:
    """Show the frames of each case on a fake Pi, one strip after the other."""
    return pi.run("tests.support.fakepi_show", json.dumps(cases))


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


def refusal(outcome: Outcome) -> str:
    """Return the one line of a start that was refused, the process having ended well."""
    assert outcome.code == 0, outcome.err
    (line,) = outcome.out.splitlines()
    return line


@on_a_fake_pi
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("mode", MODES)
def test_the_leds_show_the_frames_and_go_dark(mode: str, board: str) -> None:
    """On every board and in every mode the wire carries the colours shown, then black.

    With 3 to 339 LEDs, which the default SPI buffer holds, without white and with it. A frame
    overwritten while it is on the wire would show as the next one.
    """
    specs = [StripSpec(leds=(leds,)) for leds in (1, 3, 121, 339)] + [RGBW]
    outcome = show(FakePi(board=board), *(case_of(mode, spec) for spec in specs))
    assert_shown(outcome, mode, specs)
    assert {mode} == {transfer.kind for transfer in outcome.transfers}


@on_a_fake_pi
@pytest.mark.parametrize("mode", MODES)
def test_long_strips(mode: str) -> None:
    """Up to 1,200 LEDs; over SPI with a buffer that was raised."""
    specs = [StripSpec(leds=(leds,)) for leds in (340, 363, 1000, 1200)]
    pi = FakePi(bufsiz=65536)
    options = ROOMY if mode == "spi" else {}
    assert_shown(show(pi, *(case_of(mode, spec, **options) for spec in specs)), mode, specs)


@on_a_fake_pi
@pytest.mark.parametrize("board", BOARDS)
def test_two_channels_share_one_transfer(board: str) -> None:
    """Two strips on PWM go out side by side, of the same length or not, with white or not."""
    specs = [StripSpec(leds=leds) for leds in ((100, 60), (1, 300), (500, 500))]
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
    """All PWM pins of the header do."""
    spec = StripSpec(leds=(3, 4)[: len(pins)])
    assert_shown(show(FakePi(), case_of("pwm", spec, pins=pins)), "pwm", [spec])


@on_a_fake_pi
@pytest.mark.parametrize("mode", MODES)
def test_other_threads_run_while_a_frame_is_on_its_way(mode: str) -> None:
    """Each transfer waits until another thread of the program lets it pass, and it does pass."""
    outcome = FakePi(gate=True).run("tests.support.fakepi_gate", f"rpi_ws281x:{mode}", seconds=20)
    assert (0, 2 + BLACK_FRAMES[mode]) == (outcome.code, len(outcome.transfers)), outcome.err


@on_a_fake_pi
def test_spi_does_not_wait_for_the_frame_twice() -> None:
    """Between two SPI transfers, which last as long as their frames, there is the reset only."""
    outcome = show(FakePi(), case_of("spi", StripSpec(leds=(339,))))
    assert max(transfer.waited for transfer in outcome.transfers) <= 300


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
    assert '[strip] driver = "virtual"' in line


@on_a_fake_pi
@pytest.mark.parametrize(
    ("mode", "device", "code", "remedy"),
    [
        ("spi", "/dev/spidev0.0", -13, "dtparam=spi=on"),
        ("spi", "/dev/gpiomem", -13, "groups spi and gpio"),
        ("pwm", "/dev/vcio", -9, "run as root"),
        ("pwm", "/dev/mem", -5, 'run as root, or set [strip] driver = "rpi_ws281x:spi"'),
        ("pcm", "/dev/mem", -5, "run as root"),
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
    """Where the kernel does not tell its buffer's size, the failed frame names the setting."""
    line = refusal(show(FakePi(bufsiz=1000), case_of("spi", RGB, **ROOMY)))
    assert "could not show a frame (code -14," in line
    assert "spidev.bufsiz=" in line


@pytest.mark.parametrize(("leds", "needed"), [(340, 4104), (363, 4376), (1000, 12024)])
def test_an_spi_buffer_too_small_is_refused_at_the_start(
    leds: int, needed: int, tmp_path: Path
) -> None:
    """340 LEDs and more do not fit into 4,096 bytes; the text tells the number to set."""
    bufsiz = tmp_path / "bufsiz"
    bufsiz.write_text("4096\n")
    strip = make_strip("rpi_ws281x:spi", StripSpec(leds=(leds,)), bufsiz_path=bufsiz)
    with pytest.raises(StripError, match=f"add spidev.bufsiz={needed} to"):
        strip.open()
    strip.close()


@pytest.mark.parametrize(
    ("mode", "leds", "pins", "text"),
    [
        ("pwm", (3,), (17,), "GPIO 17 cannot be channel 0 of rpi_ws281x:pwm; set 18 or 12"),
        ("pwm", (3,), (13,), "GPIO 13 cannot be channel 0"),
        ("pwm", (3, 3), (18, 12), "GPIO 12 cannot be channel 1 of rpi_ws281x:pwm; set 13 or 19"),
        ("pcm", (3,), (18,), "set 21"),
        ("spi", (3,), (18,), "set 10"),
        ("pwm", (3, 3), (18,), "set one a channel, 2"),
        ("pwm", (3, 3, 3), None, 'has 2 channel(s), the wiring 3; two channels need "rpi_ws281x'),
        ("pcm", (3, 3), None, "has 1 channel(s), the wiring 2"),
        ("spi", (3, 3), None, "has 1 channel(s), the wiring 2"),
    ],
)
def test_wiring_that_cannot_be_is_refused(
    mode: str, leds: tuple[int, ...], pins: tuple[int, ...] | None, text: str
) -> None:
    """Pins that the mode cannot use, and channels that it does not have, are refused unopened."""
    with pytest.raises(StripError) as refused:
        make_strip(f"rpi_ws281x:{mode}", StripSpec(leds=leds), pins=pins)
    assert text in str(refused.value)


def test_the_library_always_sends_four_colours() -> None:
    """A frame takes 40 us an LED of the longest channel, with white or without."""
    for spec in (RGB, RGBW):
        strip = make_strip("rpi_ws281x:pwm", spec)
        assert strip.wire_seconds == pytest.approx(121 * 40e-6 + 300e-6)
