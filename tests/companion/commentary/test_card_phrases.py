"""Counts in words, against the worth of each thing by its words alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.commentary import load_phrases
from companion.commentary.card_phrases import sum_phrase
from companion.rules.cards import DECK, Card, cards, count_play, count_show
from tests.companion.commentary.read_back import points_said
from tests.companion.commentary.tables import LANGUAGES


@pytest.mark.parametrize(
    ("hand", "starter", "english", "french"),
    [
        (
            "2H 4S TD JC",
            "5C",
            "fifteen-two, fifteen-four and nobs is five",
            "quinze-deux, quinze-quatre, et le valet de la couleur qui fait cinq",
        ),
        (
            "6H 9S 6D KC",
            "AC",
            "fifteen-two, fifteen-four and a pair is six",
            "quinze-deux, quinze-quatre, et une paire qui fait six",
        ),
        (
            "3H 3S 4D 4C",
            "KC",
            "a pair for two and another pair is four",
            "une paire pour deux, et une autre paire qui fait quatre",
        ),
        ("8H 8S 8D 3C", "2C", "a pair royal for six", "un brelan pour six"),
        (
            "TH JH QH KH",
            "KS",
            "a double run of four for ten and a flush of four is fourteen",
            "une double suite de quatre pour dix, et une couleur de quatre qui fait quatorze",
        ),
        (
            "TH TS TD JC",
            "QC",
            "a triple run of three for fifteen and nobs is sixteen",
            "une triple suite de trois pour quinze, et le valet de la couleur qui fait seize",
        ),
        (
            "4H 4S 5D 6C",
            "6H",
            (
                "fifteen-two, fifteen-four, fifteen-six, fifteen-eight"
                " and a double double run of three is twenty-four"
            ),
            (
                "quinze-deux, quinze-quatre, quinze-six, quinze-huit"
                ", et une quadruple suite de trois qui fait vingt-quatre"
            ),
        ),
        (
            "5H 5S 5D TC",
            "TH",
            (
                "fifteen-two, fifteen-four, fifteen-six, fifteen-eight, fifteen-ten,"
                " fifteen-twelve, fifteen-fourteen, a pair royal is twenty and a pair is twenty-two"
            ),
            (
                "quinze-deux, quinze-quatre, quinze-six, quinze-huit, quinze-dix, quinze-douze,"
                " quinze-quatorze, un brelan qui fait vingt, et une paire qui fait vingt-deux"
            ),
        ),
        (
            "AH 2S 3D 9C",
            "9H",
            "fifteen-two, fifteen-four, a pair is six and a run of three is nine",
            (
                "quinze-deux, quinze-quatre, une paire qui fait six"
                ", et une suite de trois qui fait neuf"
            ),
        ),
    ],
)
def test_hands(hand: str, starter: str, english: str, french: str) -> None:
    """S2 to S4: fifteens, pairs, runs with their pairs, flush and nobs have phrases."""
    parts = count_show(cards(hand), Card.parse(starter)).parts
    reported = [sum_phrase(parts, load_phrases(language)) for language in LANGUAGES]
    assert [english, french] == reported


@pytest.mark.parametrize("language", LANGUAGES)
@given(five=st.permutations(DECK).map(lambda deck: deck[:5]), crib=st.booleans())
def test_any_hand_adds_up(language: str, five: list[Card], *, crib: bool) -> None:
    """S2 to S5: each total is right, and the last is the hand's worth."""
    show = count_show(five[:4], five[4], crib=crib)
    if show.points:
        reported = sum_phrase(show.parts, load_phrases(language))
        assert show.points == points_said(f"{reported}.", language)


@pytest.mark.parametrize("language", LANGUAGES)
@given(
    pile=st.lists(st.sampled_from(DECK), min_size=1, max_size=7, unique=True).filter(
        lambda pile: sum(card.value for card in pile) <= 31
    )
)
def test_any_played_card_adds_up(language: str, pile: list[Card]) -> None:
    """P5 to P7: the same holds for a played card, also for the two of a 31."""
    play = count_play(pile)
    if play.points:
        reported = sum_phrase(play.parts, load_phrases(language))
        assert play.points == points_said(f"{reported}.", language)
