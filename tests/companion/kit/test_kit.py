"""The kit: its page and folder, its cards, the wiring, and what power it needs."""

import csv
import dataclasses
import io
import itertools
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element, fromstring

import pypdfium2
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion.board import Board, Lettering, board_names, load_board
from companion.board.drawing.finish import SheetStyle
from companion.buttons import BUTTONS
from companion.cli.main import cribwars
from companion.commentary import languages, load_phrases
from companion.commentary.rules_page import RulesPage
from companion.errors import BadInputError, SettingsError, Text
from companion.files import write_folder
from companion.kit.cards import labels_pdf, rules_pdf
from companion.kit.kit import index_page
from companion.kit.lights_card import FRONT, HEIGHT_MM, WIDTH_MM, draw_card
from companion.kit.parts import cuts_csv, parts, parts_csv
from companion.kit.power import FULL_MA, IDLE_MA, LEAST_V, WIRES_A, PowerSupply, feed, lay_strips
from companion.kit.sheet_pdf import tiles_pdf
from companion.kit.tiling import divide
from companion.kit.wiring_drawing import WiredButton, buttons, data_pin, wiring_svg
from companion.lights import Palette
from companion.lights.scene.tour import sign_views
from companion.lights.wiring import read_plan
from companion.rules.game import HouseRules, Setup
from companion.rules.game.house_rules import PRESETS, preset
from companion.settings.load import load_settings
from companion.settings.sheet_style import sheet_style
from hardware.power import POWER
from tests.support.boards import make_board
from tests.support.program import ROOT

FRENCH = load_phrases("fr")


FILES = {"a.txt": b"a", "grid/b.stl": b"b"}


def texts(pdf: bytes) -> list[str]:
    """The text of each page, in one line."""
    pages = pypdfium2.PdfDocument(pdf)
    return [" ".join(page.get_textpage().get_text_bounded().split()) for page in pages]


def labels(file: Path) -> str:
    """The text of the labels for a settings file."""
    settings, board = load_settings(file, {}), load_board("crib-wars")
    phrases = load_phrases(settings.language)
    panel, style = buttons(board, settings), sheet_style(board, settings)
    (page,) = texts(labels_pdf(board, settings, panel, paper="a4", style=style, phrases=phrases))
    return page


SVG = "{http://www.w3.org/2000/svg}"
FOLD_MM = HEIGHT_MM / 2
MARGIN_MM = 6
PLACE = re.compile(r"translate\((\S+) (\S+)\) scale\((\S+)\)")
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


BUILDS: list[dict[str, object]] = [
    {},
    {"per": "hole"},
    {"channels": 2},
    {"channels": 2, "skipped": [[0, 3], [1, 7]]},
]
WIRED = [WiredButton("deal", 27, 13), WiredButton("mode", 3, 5)]
boards = st.builds(
    make_board, finish=st.integers(61, 200), lanes=st.integers(2, 3), column=st.integers(20, 60)
)
budgets = st.floats(500, 100_000)


def supplies_of(
    board: Board, wiring: dict[str, object], budget_ma: float | tuple[float, ...]
) -> list[PowerSupply]:
    """The supplies of a board wired like this."""
    plan = read_plan(board, wiring)
    return feed(lay_strips(plan), plan.skipped, budget_ma)


def leds_by_hand(board: Board, wiring: dict[str, object]) -> int:
    """LEDs counted from the board file alone."""
    holes = {hole for row in board.rows for hole in row.holes}
    lanes = 1 if wiring.get("per") == "hole" else board.track.lanes
    skipped = wiring.get("skipped", [])
    assert isinstance(skipped, Sequence)
    return len(holes) * lanes + len(board.lamps) + len(skipped)


def test_the_page_speaks_the_language() -> None:
    """Its steps are translated, and its head names the language."""
    page = index_page(load_board("classic-61"), {"parts.csv": "<Quoi acheter>"}, FRENCH)
    assert '<html lang="fr">' in page
    assert "Imprimer la grille de lumière" in page
    assert '<a href="parts.csv">parts.csv</a>\u00a0: &lt;Quoi acheter&gt;' in page


def test_cover_and_labels_speak_the_language() -> None:
    """The cover explains gluing; each tile names its neighbours."""
    board = load_board("crib-wars")
    document = pypdfium2.PdfDocument(
        tiles_pdf(board, divide(board, "a3", (100, 100)), SheetStyle(), FRENCH)
    )
    cover, tile = (document[page].get_textpage().get_text_range() for page in (0, 1))
    assert "cercle sur cercle" in cover
    beside = FRENCH.message(Text("right {tile}", tile="A2"))
    assert beside in tile


@pytest.mark.parametrize("name", ["empty", "new", "new/below"])
def test_a_new_or_an_empty_folder(tmp_path: Path, name: str) -> None:
    """Both take the files, and nothing else is left beside them."""
    (tmp_path / "empty").mkdir()
    write_folder(tmp_path / name, FILES)
    files = {file for file in (tmp_path / name).rglob("*") if file.is_file()}
    assert FILES == {str(file.relative_to(tmp_path / name)): file.read_bytes() for file in files}
    assert files == {file for file in tmp_path.rglob("*") if file.is_file()}


def test_what_is_there_stays(tmp_path: Path) -> None:
    """A folder with anything in it, or a file, is refused."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    for taken in (tmp_path / "full", tmp_path / "full" / "mine"):
        with pytest.raises(BadInputError, match="new or an empty folder"):
            write_folder(taken, FILES)
    assert ["full", "mine"] == sorted(path.name for path in tmp_path.rglob("*"))


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    """A file that cannot be written takes the others with it."""
    with pytest.raises(BadInputError, match="choose another place"):
        write_folder(tmp_path / "kit", {**FILES, "x" * 300: b""})
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("language", "captions", "names"),
    [
        ("en", ("+1", "+5", "Enter", "Undo", "Deal"), ("Amber", "Zoë Łęcka", "Magenta")),
        ("fr", ("+1", "+5", "Valider", "Annuler", "Donner"), ("Ambre", "Zoë Łęcka", "Magenta")),
    ],
)
def test_a_cap_for_every_button(
    tmp_path: Path, language: str, captions: tuple[str, ...], names: tuple[str, ...]
) -> None:
    """A side of the board has four, the table two; names of the sides are on the lane labels."""
    file = tmp_path / "cribwars.toml"
    file.write_text(f'language = "{language}"\n[names]\n"2" = "Zoë Łęcka"\n', "utf-8")
    page = labels(file)
    for caption, number in zip(captions, (3, 3, 3, 3, 1), strict=True):
        assert number == page.count(caption)
    assert all(name in page for name in names)


def test_codes_for_a_first_evening(tmp_path: Path) -> None:
    """The labels have the board's own network and its page there, unless it opens none."""
    file = tmp_path / "cribwars.toml"
    file.write_text('[network]\nname = "Attic"\n[web]\nport = 80\n', "utf-8")
    assert "Attic Password: fifteen-two" in labels(file)
    assert "http://10.42.0.1/setup" in labels(file)
    file.write_text("[network]\nhotspot = false\n", "utf-8")
    assert "Password" not in labels(file)


def test_a_name_in_letters_that_the_sheet_lacks(tmp_path: Path) -> None:
    """The refusal names the key, the letter and the remedy."""
    file = tmp_path / "cribwars.toml"
    file.write_text('[names]\n"1" = "Ж. Ж."\n', "utf-8")
    with pytest.raises(
        SettingsError, match=r"names.1: the sheet has no letter 'Ж'; write it in Latin letters"
    ):
        labels(file)
    line = Lettering(text="Ж", x_mm=50, y_mm=50, size_mm=5)
    board = dataclasses.replace(load_board("classic"), lettering=(line,))
    with pytest.raises(SettingsError, match=r"lettering\[1\].text: the sheet has no letter 'Ж'"):
        sheet_style(board, load_settings(None, {}))


def test_the_card_has_two_sides() -> None:
    """The rules page for all numbers of players fits on two sides, for every preset."""
    missing = []
    for name, kind, language in itertools.product(board_names(), PRESETS, languages()):
        board, rules, phrases = load_board(name), preset(kind), load_phrases(language)
        card = " ".join(texts(rules_pdf(board, rules, phrases)))
        for players, lanes in ((2, (1, 2)), (3, (1, 2, 3)), (4, (1, 2)), (6, (1, 2, 3))):
            setup = Setup.make(board.track, rules, sides=lanes, players=players)
            for section in RulesPage(phrases=phrases, setup=setup).sections():
                lines = [section.title, *(" ".join(line.split()) for line in section.lines)]
                missing += [(name, kind, language, line) for line in lines if line not in card]
    assert [] == missing


@pytest.mark.parametrize("language", languages())
def test_the_card_folds_into_two_sides(language: str) -> None:
    """Gestures and the lights of every evening are on the front, all other lights overleaf.

    No text comes near an edge or the fold.
    """
    board, phrases = load_board("crib-wars"), load_phrases(language)
    setup = Setup.make(board.track, HouseRules(), sides=(1, 2))
    page = ET.fromstring(draw_card(board, setup, Palette.make(), phrases))  # noqa: S314  # our own
    sides = {False: "", True: ""}
    for group in page.iter(f"{SVG}g"):
        if text := group.get("aria-label"):
            place = PLACE.fullmatch(group.attrib["transform"])
            assert place
            x, y, size = map(float, place.groups())
            right = x + size * max(float(use.attrib["x"]) + 0.4 for use in group)
            assert x >= MARGIN_MM
            assert right <= WIDTH_MM - MARGIN_MM, text
            assert MARGIN_MM <= y % FOLD_MM <= FOLD_MM - MARGIN_MM, text
            sides[y > FOLD_MM] += text + " "
    gestures = [gesture for button in BUTTONS.values() for gesture in button.action.gestures]
    for gesture in gestures:
        assert phrases.message(Text(gesture.does))[1:] in sides[False]
    for sign in sign_views(setup, 0.0):
        assert phrases.say(f"signs.{sign}")[1:] in sides[sign not in FRONT]


def test_the_card_in_docs_is_the_one_that_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`cribwars lights card docs/lights-and-buttons.svg` draws the same file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    drawn = CliRunner().invoke(cribwars, ["lights", "card", "-"], catch_exceptions=False)
    assert (ROOT / "docs" / "lights-and-buttons.svg").read_text("utf-8") == drawn.stdout


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


def test_a_strip_by_codes_has_no_clock_wire() -> None:
    """On SPI only the types with a clock line have a second wire."""
    wires = {
        driver: str(data_pin(load_settings(None, {"strip": {"driver": driver}}), 0))
        for driver in ("spi:ws2812b", "spi:sk6812w", "rpi_ws281x:spi", "spi:apa102")
    }
    assert "clock GPIO 11" in wires.pop("spi:apa102")
    assert {"GPIO 10, header 19"} == set(wires.values())


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


def test_the_current_of_an_led_is_that_of_the_limit() -> None:
    """The parts list assumes the same current of an LED as the limit of the lights."""
    usual = POWER["ws2812b"]
    assert (IDLE_MA, FULL_MA) == (usual.idle, usual.idle + 3 * usual.colour)


@pytest.mark.parametrize("wiring", BUILDS)
@pytest.mark.parametrize("name", board_names())
def test_the_sums(name: str, wiring: dict[str, object]) -> None:
    """LEDs, metres and currents of the shopping list follow from the board file."""
    board, leds = load_board(name), leds_by_hand(load_board(name), wiring)
    pieces = lay_strips(read_plan(board, wiring))
    supplies = supplies_of(board, wiring, 4000)
    reported = parts(
        board, strip="ws2812b", pieces=pieces, supplies=supplies, buttons=WIRED, grid_cm3=100
    )
    rows = list(csv.DictReader(io.StringIO(parts_csv(reported, load_phrases("en")))))
    assert ["part", "quantity", "unit", "note"] == list(rows[0])
    amounts = {row["part"]: float(row["quantity"]) for row in rows}
    assert leds == amounts["LEDs"] == amounts["current, dark"]
    assert leds * 55.9 == pytest.approx(amounts["current, full"], rel=1e-5)
    assert 4000 == amounts["current, limited"]
    assert leds * board.pitch_mm / 1000 == pytest.approx(amounts["LED strip"], abs=0.001)
    taps = sum(float(row["quantity"]) for row in rows if row["part"].startswith("tap "))
    wires = sum(float(row["quantity"]) for row in rows if row["part"].endswith(", red"))
    assert taps == pytest.approx(wires, abs=0.02)
    assert 124 == amounts["filament"]
    assert (2, 1, 1) == (amounts["button"], amounts["resistor 1 kΩ"], amounts["resistor 100 Ω"])


@pytest.mark.parametrize("wiring", BUILDS)
def test_the_cut_list(wiring: dict[str, object]) -> None:
    """Every LED but skipped ones is in one piece; a piece is as long as its LEDs' pitches."""
    board = load_board("crib-wars")
    plan = read_plan(board, wiring)
    rows = list(csv.DictReader(io.StringIO(cuts_csv(lay_strips(plan)))))
    lit = leds_by_hand(board, wiring) - len(plan.skipped)
    assert lit == sum(int(row["leds"]) for row in rows)
    assert [str(n) for n in range(1, len(rows) + 1)] == [row["order"] for row in rows]
    for row in rows:
        assert int(row["leds"]) * 6.944 == pytest.approx(float(row["length_mm"]), abs=0.001)
        span = sum(abs(float(row[f"to_{at}_mm"]) - float(row[f"from_{at}_mm"])) for at in "xy")
        assert (int(row["leds"]) - 1) * 6.944 == pytest.approx(span, abs=0.002)


@given(board=boards, budget=budgets, wiring=st.sampled_from(BUILDS))
def test_a_fuse_protects_every_wire(board: Board, budget: float, wiring: dict[str, object]) -> None:
    """The fuse exceeds the budget, but no wire's limit; taps feed each LED once."""
    for supply in supplies_of(board, wiring, budget):
        assert budget / 1000 < supply.fuse_a
        assert 1.3 * budget / 1000 <= supply.rating_a
        for tap in supply.taps:
            assert supply.fuse_a <= WIRES_A[tap.wire_mm2]
            assert tap.worst_a == pytest.approx(min(budget, tap.leds * 55.9) / 1000)
        skipped = len(read_plan(board, wiring).skipped)
        assert leds_by_hand(board, wiring) == sum(tap.leds for tap in supply.taps) + skipped


@pytest.mark.parametrize("name", board_names())
def test_enough_volts_at_the_far_end(name: str) -> None:
    """Up to 10 A on our boards; the loss is that of copper there and back, and of the strip."""
    board = load_board(name)
    for tap in supplies_of(board, {}, 10_000)[0].taps:
        copper = 0.0178 * 2 * tap.length_mm / 1000 / tap.wire_mm2 * tap.worst_a
        assert LEAST_V <= tap.far_v <= 5 - copper


def test_a_supply_a_channel() -> None:
    """Two budgets are two supplies, each with its fuse; one number feeds both channels."""
    board = load_board("crib-wars")
    one, other = supplies_of(board, {"channels": 2}, (4000.0, 2000.0))
    assert ((0,), 5, (1,), 3) == (one.channels, one.fuse_a, other.channels, other.fuse_a)
    assert [(0, 1)] == [both.channels for both in supplies_of(board, {"channels": 2}, 4000)]
    with pytest.raises(
        BadInputError, match=r"budget_ma has 2 numbers, but the wiring has 1 channel"
    ):
        supplies_of(board, {}, (4000.0, 2000.0))
