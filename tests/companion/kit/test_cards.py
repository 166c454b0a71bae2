"""Labels and the rules card: what they say is what is set."""

import dataclasses
import itertools
from pathlib import Path

import pypdfium2
import pytest

from companion.board import Lettering, board_names, load_board
from companion.commentary import languages, load_phrases
from companion.commentary.rules_page import RulesPage
from companion.errors import SettingsError
from companion.kit.cards import labels_pdf, rules_pdf
from companion.kit.wiring_drawing import buttons
from companion.rules.game import HouseRules, Setup
from companion.rules.game.house_rules import PRESETS, preset, with_rule
from companion.settings.load import load_settings
from companion.settings.sheet_style import sheet_style


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


def test_the_card_shows_the_house_rules() -> None:
    """A rule that is set changes its sentence."""
    board, phrases = load_board("crib-wars"), load_phrases("en")
    rules = with_rule(HouseRules(), "finish", "exact")
    usual, exact = (
        " ".join(texts(rules_pdf(board, each, phrases))) for each in (HouseRules(), rules)
    )
    assert "exactly on hole 363" in exact
    assert "exactly on hole 363" not in usual
