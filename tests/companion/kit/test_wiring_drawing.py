"""Drawing of the wiring: every strip in its place, in the order and direction of its data."""

import re
from functools import cache
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest

from companion.board import load_board
from companion.commentary import load_phrases
from companion.kit.power import feed, lay_strips
from companion.kit.wiring_drawing import buttons, data_pin, wiring_svg
from companion.lights.wiring.wiring import read_plan
from companion.settings.load import load_settings

SVG = "{http://www.w3.org/2000/svg}"
HEADER = {4: 7, 5: 29, 6: 31, 16: 36, 17: 11, 19: 35, 20: 38, 22: 15, 23: 16, 24: 18, 25: 22}
HEADER |= {26: 37, 27: 13, 3: 5, 10: 19, 18: 12, 13: 33}
"""Places on the header of a Raspberry Pi by BCM number, from its pinout."""
WIRINGS = {
    "one channel": "",
    "two channels": 'per = "hole-and-lane"\nchannels = 2',
    "shared": 'per = "hole"',
    "backwards": (
        'per = "hole"\n[[wiring.chains]]\nchannel = 0\nreversed = ["21-40", "41-61"]\n'
        'rows = ["21-40", "1-20", "41-61"]'
    ),
}
every_wiring = pytest.mark.parametrize("wiring", WIRINGS)


@cache
def drawing(wiring: str, folder: Path) -> Element:
    """Return the wiring drawing of the small board's kit."""
    file = folder / "cribwars.toml"
    driver = '[strip]\ndriver = "rpi_ws281x:pwm"\n'
    file.write_text(f"{driver}[wiring]\n{WIRINGS[wiring]}\n", "utf-8")
    board, settings = load_board("classic-61"), load_settings(file, {})
    values = settings.wiring
    plan = read_plan(board, values)
    pieces = lay_strips(plan)
    svg = wiring_svg(
        board,
        pieces=pieces,
        supplies=feed(pieces, plan.skipped, settings.strip.budget_ma),
        data_pins=[data_pin(settings, channel) for channel in {each.channel for each in pieces}],
        buttons=buttons(board, settings),
        phrases=load_phrases("en"),
    )
    return fromstring(svg)  # noqa: S314  # our own


def numbers(text: str) -> list[float]:
    """Return every number in path data."""
    return [float(found) for found in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", text)]


def strips(tree: Element) -> list[Element]:
    """Return the group of each piece of strip, in the order of the drawing."""
    return [group for group in tree.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]


def said(tree: Element) -> list[str]:
    """Return every line of text beside the strips."""
    return [text.text or "" for text in tree.findall(f"{SVG}text")]


@every_wiring
def test_strips_lie_under_their_runs(wiring: str, tmp_path: Path) -> None:
    """They have numbers, reach from first to last LED, and end with an arrow."""
    board, tree = load_board("classic-61"), drawing(wiring, tmp_path)
    values = load_settings(tmp_path / "cribwars.toml", {}).wiring
    runs = [run for runs in read_plan(board, values).channels for run in runs]
    pieces = strips(tree)
    assert len(runs) == len(pieces)
    for number, (run, piece) in enumerate(zip(runs, pieces, strict=True), start=1):
        title, (line, tip) = piece.findtext(f"{SVG}title") or "", piece.findall(f"{SVG}path")
        assert title.startswith(f"{number}. {run.name}: {len(run.points)} LEDs, ")
        assert str(number) == piece.findtext(f"{SVG}text")
        ends = [*run.places[0], *run.places[-1]]
        assert ends == pytest.approx(numbers(line.get("d", "")), abs=0.001)
        x, y = numbers(tip.get("d", ""))[2:4]
        assert abs(x - ends[2]) + abs(y - ends[3]) == pytest.approx(1, abs=0.01)


@every_wiring
def test_data_goes_from_piece_to_piece(wiring: str, tmp_path: Path) -> None:
    """A dashed wire leads from each piece's end to the next start of its channel."""
    tree = drawing(wiring, tmp_path)
    lines = [numbers(piece.findall(f"{SVG}path")[0].get("d", "")) for piece in strips(tree)]
    inks = [piece.findall(f"{SVG}path")[0].get("stroke") for piece in strips(tree)]
    expected = [
        [*before[2:], *after[:2]]
        for before, after, one, other in zip(lines, lines[1:], inks, inks[1:], strict=False)
        if one == other
    ]
    wires = [path for path in tree.findall(f"{SVG}path") if path.get("stroke-dasharray")]
    assert expected == [numbers(wire.get("d", "")) for wire in wires]
    assert (2 if wiring == "two channels" else 1) == len(set(inks))


@every_wiring
def test_pins(wiring: str, tmp_path: Path) -> None:
    """Each channel has its data pin, level shifter and resistors, each button pin and place."""
    lines = said(drawing(wiring, tmp_path))
    data = [18, 13][: 2 if wiring == "two channels" else 1]
    for channel, pin in enumerate(data):
        place = f"GPIO {pin}, header {HEADER[pin]}"
        assert f"channel {channel}: {place} > 74AHCT125 > 330 Ω > DIN" in lines
        assert f"10 kΩ from {place} to ground" in lines
    pins = load_settings(tmp_path / "cribwars.toml", {}).panel.pins
    for name, number in pins.items():
        pin = int(str(number))
        ohms = "100 Ω" if pin == 3 else "1 kΩ"
        assert f"{name}: GPIO {pin}, header {HEADER[pin]}, {ohms}" in lines


@every_wiring
def test_power(wiring: str, tmp_path: Path) -> None:
    """Each supply has its fuse, and each tap once its wire and voltage."""
    lines = said(drawing(wiring, tmp_path))
    taps = [line for line in lines if line.startswith("tap ")]
    assert 1 == sum(line.startswith("Power for channel ") and "fuse" in line for line in lines)
    assert len(taps) == len({line.partition(":")[0] for line in taps}) >= 3
    assert all(
        re.search(r": [\d.]+ m of [\d.]+ mm², 4\.[7-9]\d V at its far end$", t) for t in taps
    )
