"""The card of lights and buttons has all signs and gestures on one page, and is in docs/."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from companion.board import load_board
from companion.buttons import BUTTONS
from companion.cli.lights import lights_group
from companion.commentary import languages, load_phrases
from companion.errors import Text
from companion.kit.lights_card import HEIGHT_MM, WIDTH_MM, draw_card
from companion.lights import Palette
from companion.lights.scene.tour import sign_views
from companion.rules.game import HouseRules, Setup
from tests.support.program import ROOT

SVG = "{http://www.w3.org/2000/svg}"
CHARACTER_MM = 1.48
"""Greatest mean width of a character at the size of the text."""


@pytest.mark.parametrize("language", languages())
def test_all_signs_and_gestures_are_on_one_page(language: str) -> None:
    """Each sign and gesture has its words, and no text leaves the paper."""
    board, phrases = load_board("crib-wars"), load_phrases(language)
    setup = Setup.make(board.track, HouseRules(), sides=(1, 2))
    page = ET.fromstring(draw_card(board, setup, Palette.make(), phrases))  # noqa: S314  # our own
    written = {str(each.text): each for each in page.iter(f"{SVG}text")}
    gestures = [gesture for button in BUTTONS.values() for gesture in button.action.gestures]
    lines = [phrases.say(f"signs.{sign}") for sign in sign_views(setup, 0.0)]
    for line in (*lines, *(phrases.message(Text(gesture.does)) for gesture in gestures)):
        text = written[line[:1].upper() + line[1:]]
        assert float(text.attrib["y"]) <= HEIGHT_MM - 10
        assert float(text.attrib["x"]) + CHARACTER_MM * len(line) <= WIDTH_MM, line


def test_the_card_in_docs_is_the_one_that_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`cribwars lights card docs/lights-and-buttons.svg` draws the same file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    drawn = CliRunner().invoke(lights_group, ["card", "-"], catch_exceptions=False)
    assert (ROOT / "docs" / "lights-and-buttons.svg").read_text("utf-8") == drawn.stdout
