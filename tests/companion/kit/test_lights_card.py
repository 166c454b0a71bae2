"""The card of lights and buttons has all signs and gestures on its two sides, and is in docs/."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from companion.board import load_board
from companion.buttons import BUTTONS
from companion.cli.lights import lights_group
from companion.commentary import languages, load_phrases
from companion.errors import Text
from companion.kit.lights_card import FRONT, HEIGHT_MM, WIDTH_MM, draw_card
from companion.lights import Palette
from companion.lights.scene.tour import sign_views
from companion.rules.game import HouseRules, Setup
from tests.support.program import ROOT

SVG = "{http://www.w3.org/2000/svg}"
FOLD_MM = HEIGHT_MM / 2
MARGIN_MM = 6
PLACE = re.compile(r"translate\((\S+) (\S+)\) scale\((\S+)\)")


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
    drawn = CliRunner().invoke(lights_group, ["card", "-"], catch_exceptions=False)
    assert (ROOT / "docs" / "lights-and-buttons.svg").read_text("utf-8") == drawn.stdout
