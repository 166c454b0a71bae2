"""`cribwars lights test` by its contract: the dump, the words for people, the exit codes."""

import json
import os
from pathlib import Path
from typing import cast

import pytest

from tests.support.program import Answer, Ask, ask, assert_refused

__all__ = ["ask"]

LIGHTS = ("lights", "test")
ON_THREE = (*LIGHTS, "--strip", "virtual", "--leds", "3", "--pattern", "index")


def channels_of(answer: Answer) -> list[list[list[list[int]]]]:
    """Return the channels of each frame in the dump on stdout."""
    return cast("list[list[list[list[int]]]]", [line["channels"] for line in answer.lines])


def shape_of(channels: list[list[list[int]]]) -> list[tuple[int, set[int]]]:
    """Return the number of LEDs of each channel, and of their colours."""
    return [(len(pixels), {len(pixel) for pixel in pixels}) for pixels in channels]


def settings_file(folder: Path, text: str) -> str:
    """Return a settings file."""
    file = folder / "settings.toml"
    file.write_text(text)
    return str(file)


# The dump


@pytest.mark.parametrize("pattern", ["index", "order", "white", "zones"])
@pytest.mark.parametrize(
    ("strip", "leds", "expected"),
    [
        ("virtual", "7", [(7, {3})]),
        ("null,type=sk6812w", "7", [(7, {4})]),
        ("virtual,type=ws2811,order=RGB", "4,6", [(4, {3}), (6, {3})]),
        ("virtual,order=WGRB,type=sk6812w", "4,6", [(4, {4}), (6, {4})]),
    ],
)
def test_a_line_a_frame(
    ask: Ask, pattern: str, strip: str, leds: str, expected: list[tuple[int, set[int]]]
) -> None:
    """K frames are K lines with the time from the first, the LEDs' bytes, and milliamperes."""
    options = ("--strip", strip, "--leds", leds, "--pattern", pattern, "--frames", "3")
    answer = ask(*LIGHTS, *options, "--dump", "-")
    assert (0, 3) == (answer.code, len(answer.lines))
    assert {("t", "channels", "milliamps")} == {tuple(line) for line in answer.lines}
    assert [expected] * 3 == list(map(shape_of, channels_of(answer)))
    times = [cast("float", line["t"]) for line in answer.lines]
    assert 0.0 == times[0]
    assert sorted(set(times)) == times
    values = {n for frame in channels_of(answer) for row in frame for pixel in row for n in pixel}
    assert {int} == set(map(type, values))
    assert values <= set(range(256))


def test_index_colours(ask: Ask) -> None:
    """The LEDs of all channels have the first colours in order of their sums, red first."""
    answer = ask(*LIGHTS, "--leds", "3,2", "--pattern", "index", "--frames", "1", "--dump", "-")
    expected = [[[2, 0, 0], [0, 2, 0], [0, 0, 2]], [[4, 0, 0], [2, 2, 0]]]
    assert [expected] == channels_of(answer)


def test_white_on_a_strip_that_has_it(ask: Ask) -> None:
    """Full white is the white LED if there is one, else all three colours."""
    options = ("--leds", "1", "--pattern", "white", "--frames", "1", "--dump", "-")
    assert [[[[255, 255, 255]]]] == channels_of(ask(*LIGHTS, *options))
    assert [[[[0, 0, 0, 255]]]] == channels_of(
        ask(*LIGHTS, *options, "--strip", "null,type=sk6812w")
    )


def test_the_budget_holds(ask: Ask) -> None:
    """No frame draws more than allowed, and dimming is reported."""
    options = ("--leds", "100", "--pattern", "white", "--frames", "10", "--budget-ma", "1000")
    answer = ask(*LIGHTS, *options, "--dump", "-")
    drawn = [cast("float", line["milliamps"]) for line in answer.lines]
    assert 900 < max(drawn) <= 1000
    assert (
        "white: full white needs 5590 mA; the supply limits the light from level 17% up"
        in answer.err
    )


def test_a_dump_in_a_file(ask: Ask, tmp_path: Path) -> None:
    """A file replaces stdout, and its old content is overwritten."""
    file = tmp_path / "dump.jsonl"
    file.write_text("old\n" * 100)
    answer = ask(*ON_THREE, "--frames", "2", "--dump", str(file))
    assert (0, "") == (answer.code, answer.out)
    written = [json.loads(line)["channels"] for line in file.read_text().splitlines()]
    assert [[[[2, 0, 0], [0, 2, 0], [0, 0, 2]]]] * 2 == written


# What people see


def test_people_are_told_on_stderr(ask: Ask) -> None:
    """Without a dump stdout is empty, and stderr says what strip it is and what should be seen.

    It also says that the strip `null` lights nothing.
    """
    answer = ask(*LIGHTS, "--strip", "null", "--leds", "5", "--pattern", "order", "--frames", "3")
    assert (0, "") == (answer.code, answer.out)
    first, second, *_, last = answer.err.splitlines()
    assert first.startswith("null: 5 LEDs, type ws2812b, order GRB")
    assert "no strip is lit: set [strip] driver, or give --strip" == second
    assert "order: all of channel 0 blue: 23 mA" == last


def test_all_of_it_by_itself(ask: Ask) -> None:
    """Without arguments the settings' strip shows each pattern for the requested frames."""
    answer = ask(*LIGHTS, "--frames", "2", "--dump", "-")
    assert (0, 8) == (answer.code, len(answer.lines))
    assert answer.err.startswith("virtual: 1206 LEDs, type ws2812b")
    reported = dict.fromkeys(line.partition(":")[0] for line in answer.err.splitlines()[2:])
    assert ["index", "order", "white", "zones"] == list(reported)
    assert "zones: the printed zones of Crib Wars, as wired in the settings" in answer.err


def test_a_file_that_stands_in_for_a_strip_is_reported(ask: Ask, tmp_path: Path) -> None:
    """It is overwritten, so a mistyped path is noticed."""
    file = tmp_path / "strip"
    file.touch()
    answer = ask(*ON_THREE, "--frames", "1", "--strip", f"pio:{file}")
    first, second, *_ = answer.err.splitlines()
    assert first.startswith(f"pio:{file}: 3 LEDs")
    assert f"{file} is a file, not a strip: it is overwritten" == second


def test_a_pipe_that_nobody_reads_is_refused(ask: Ask, tmp_path: Path) -> None:
    """The command does not wait for a reader."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    answer = ask(*ON_THREE, "--frames", "1", "--strip", f"pio:{pipe}")
    assert_refused(answer, f"{pipe} is neither the device of a strip nor a file")


def test_the_help_says_how_fast_it_runs(ask: Ask) -> None:
    """The help has the frame rate, for users who count frames."""
    assert "A second has 30 frames" in " ".join(ask(*LIGHTS, "--help").out.split())


def test_zones_of_the_settings_board(ask: Ask, tmp_path: Path) -> None:
    """On a strip of another length the board is shown along its track."""
    file = settings_file(tmp_path, 'board = "classic"\n')
    options = ("--leds", "121", "--pattern", "zones", "--frames", "1", "--config", file)
    answer = ask(*LIGHTS, *options)
    assert "zones: LED n shows hole n + 1 of Cribbage" in answer.err


# The strip: as given, else as in the settings

SET = """
[strip]
driver = "rpi_ws281x:pwm"
type = "sk6812w"
order = "WRGB"
pins = [12]
budget_ma = 50
"""


@pytest.mark.parametrize(
    ("strip", "expected"),
    [
        ("null", "type sk6812w, order WRGB"),
        ("null,order=RGBW", "type sk6812w, order RGBW"),
        ("null,type=sk6812w", "type sk6812w, order GRBW"),
        ("null,type=ws2815", "type ws2815, order GRB"),
        ("null,type=sk6812", "type sk6812, order GRB"),
        ("null,type=sk6812,order=RGBW", "type sk6812w, order RGBW"),
        ("null,type=sk6812,order=BRG", "type sk6812, order BRG"),
        ("null,order=GRB", "type sk6812, order GRB"),
        ("null,type=sk6812w,order=BRG", "type sk6812, order BRG"),
        ("null,order=grb", "type sk6812, order GRB"),
        ("null,type=SK6812,order=grbw", "type sk6812w, order GRBW"),
        ("null,type=WS2815", "type ws2815, order GRB"),
    ],
)
def test_what_a_strip_leaves_out(ask: Ask, tmp_path: Path, strip: str, expected: str) -> None:
    """Type and order are the settings' unless given; a type alone has its usual order.

    The settings' pins are for another driver and ignored. SK6812 LEDs become the variant with or
    without white that the order needs. Upper and lower case do not matter.
    """
    options = (*ON_THREE, "--frames", "1", "--config", settings_file(tmp_path, SET))
    answer = ask(*options, "--strip", strip)
    assert 0 == answer.code, answer.err
    assert f"3 LEDs, {expected};" in answer.err


@pytest.mark.parametrize("strip", [(), ("--strip", "null")])
def test_a_type_alone_has_its_usual_order(ask: Ask, tmp_path: Path, strip: tuple[str, ...]) -> None:
    """The same holds in the settings' file; upper and lower case do not matter."""
    file = settings_file(tmp_path, '[strip]\ntype = "SK6812W"\n')
    options = (*LIGHTS, "--leds", "3", "--pattern", "index", "--frames", "1", "--config", file)
    assert "3 LEDs, type sk6812w, order GRBW;" in ask(*options, *strip).err
    settings_file(tmp_path, '[strip]\norder = "rgb"\n')
    assert "3 LEDs, type ws2812b, order RGB;" in ask(*options, *strip).err


@pytest.mark.parametrize(("leds", "milliamps"), [("100", 600), ("100,100", 1500)])
def test_of_supplies_a_channel_a_spare_strip_has_the_first(
    ask: Ask, tmp_path: Path, leds: str, milliamps: float
) -> None:
    """A list of budgets fits its number of channels; else the first counts."""
    file = settings_file(tmp_path, "[strip]\nbudget_ma = [600, 900]\n")
    options = ("--leds", leds, "--pattern", "white", "--frames", "1", "--dump", "-")
    answer = ask(*LIGHTS, *options, "--config", file)
    assert milliamps - 100 < cast("float", answer.lines[0]["milliamps"]) <= milliamps


@pytest.mark.parametrize("strip", [(), ("--strip", "rpi_ws281x:pwm")])
def test_the_settings_pins_are_their_drivers(
    ask: Ask, tmp_path: Path, strip: tuple[str, ...]
) -> None:
    """The settings' driver, named or not, keeps its pins unless --strip has others."""
    file = settings_file(tmp_path, SET.replace("[12]", "[4]"))
    options = ("--leds", "3", "--pattern", "index", "--config", file)
    assert_refused(ask(*LIGHTS, *options, *strip), "GPIO 4 cannot be channel 0")
    other = ask(*LIGHTS, *options, "--strip", "rpi_ws281x:pwm,pins=5")
    assert_refused(other, "GPIO 5 cannot be channel 0")
