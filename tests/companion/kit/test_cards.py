"""Labels and the rules card: what they say is what is set."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from companion.board import board_names, load_board
from companion.kit.cards import labels_pdf, rules_pdf
from companion.kit.panel import buttons
from companion.rules.game import HouseRules
from companion.rules.game.house_rules import PRESETS, preset, with_rule
from companion.settings.load import load_settings


def texts(pdf: bytes) -> list[str]:
    """The text of each page, in one line."""
    pages = pypdfium2.PdfDocument(pdf)
    return [" ".join(page.get_textpage().get_text_bounded().split()) for page in pages]


def test_a_cap_for_every_button(tmp_path: Path) -> None:
    """A side of the board has four, the table two; names of the sides are on the lane labels."""
    file = tmp_path / "cribwars.toml"
    file.write_text('[names]\n"2" = "Anna and Bert"\n', "utf-8")
    settings, board = load_settings(file, {}), load_board("crib-wars")
    (page,) = texts(labels_pdf(board, settings, buttons(board, settings), "a4"))
    for caption, number in (("+1", 3), ("+5", 3), ("Enter", 3), ("Undo", 3), ("Deal", 1)):
        assert number == page.count(caption)
    assert all(name in page for name in ("Lane 1", "Anna and Bert", "Lane 3"))


@pytest.mark.parametrize("name", board_names())
@pytest.mark.parametrize("kind", PRESETS)
def test_the_card_has_two_sides(name: str, kind: str) -> None:
    """Each zone of the board is on the front, with its holes; all of it fits for every preset."""
    board = load_board(name)
    front, back = texts(rules_pdf(board, preset(kind)))
    for zone in board.track.zones:
        assert f"{zone.box[0]} to {zone.box[-1]}:" in front
    assert "nobs 1." in back
    assert back.endswith(".")


def test_the_card_tells_the_house_rules() -> None:
    """A rule that is set changes its sentence."""
    board = load_board("crib-wars")
    rules = with_rule(with_rule(HouseRules(), "finish", "exact"), "muggins", "off")
    front, back = texts(rules_pdf(board, rules))
    assert "only an exact count reaches it" in front
    assert "Muggins: not played." in back
    assert "a count may be longer" in texts(rules_pdf(board, HouseRules()))[0]
