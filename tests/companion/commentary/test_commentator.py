"""One line for each event of the cards, and one for each count, in each language."""

import pytest

from companion.commentary import Commentator
from companion.rules.cards import Card, cards, count_play, count_show
from companion.rules.deal import (
    Count,
    CountKind,
    Discarded,
    Folded,
    Pegged,
    Phase,
    PhaseBegan,
    Played,
    Reset,
    SaidGo,
    Shown,
    Turned,
)
from companion.rules.deal import Event as CardEvent
from companion.rules.game import Peg
from tests.companion.commentary.tables import commentators, setup_of
from tests.companion.rules.game.tables import Table


def played(seat: int, pile: str) -> Played:
    """Return the last card of a pile, played by a seat."""
    held = cards(pile)
    play = count_play(held)
    return Played(seat=seat, card=held[-1], count=play.count, parts=play.parts)


def shown(seat: int, hand: str, starter: str, *, crib: bool = False) -> Shown:
    """Return a hand or a crib of a seat."""
    show = count_show(cards(hand), Card.parse(starter), crib=crib)
    return Shown(seat=seat, show=show)


def count_of(made_by: Played | Shown) -> Count:
    """Return the count that a card or a hand makes."""
    if isinstance(made_by, Played):
        points = sum(part.points for part in made_by.parts)
        return Count(seat=made_by.seat, points=points, why=CountKind.PLAY)
    why = CountKind.CRIB if made_by.show.crib else CountKind.HAND
    return Count(seat=made_by.seat, points=made_by.show.points, why=why)


def test_the_example() -> None:
    """Z2: a hand that adds up and lands on red is one sentence."""
    hand = shown(1, "6H 9S 6D KC", "AC")
    entry = Table(stand={1: 36}).history.decide(Peg(side=1, points=6))
    reported = [
        each.count(count_of(hand), hand, entry.events) for each in commentators(setup_of(2))
    ]
    assert [
        "Amber counts fifteen-two, fifteen-four and a pair is six, and slides to 62.",
        "Ambre compte quinze-deux, quinze-quatre, et une paire qui fait six, et saute à 62.",
    ] == reported


@pytest.mark.parametrize(
    ("event", "english", "french"),
    [
        (
            Discarded(seat=1, cards=cards("5H 5S"), under_deck=False),
            "Amber throws two cards into the crib.",
            "Ambre met deux cartes au chien.",
        ),
        (
            Discarded(seat=2, cards=cards("5H"), under_deck=False),
            "White throws a card into the crib.",
            "Blanc met une carte au chien.",
        ),
        (
            Discarded(seat=1, cards=cards("5H"), under_deck=True),
            "Amber puts a card under the deck.",
            "Ambre glisse une carte sous le paquet.",
        ),
        (
            Turned(card=Card.parse("AS"), at=7),
            "The starter is the ace of spades.",
            "La carte de départ est l'as de pique.",
        ),
        (
            played(2, "5H QD"),
            "White plays the queen of diamonds: fifteen.",
            "Blanc joue la dame de carreau\u00a0: quinze.",
        ),
        (
            played(1, "5H 7D 9C"),
            "Amber plays the nine of clubs: twenty-one.",
            "Ambre joue le neuf de trèfle\u00a0: vingt et un.",
        ),
        (SaidGo(seat=2), "White says go.", "Blanc dit go."),
        (
            Reset(lead=1),
            "A new count: Amber leads.",
            "Le compte repart de zéro\u00a0: Ambre commence.",
        ),
        (shown(1, "2H 4S 6D KC", "QS"), "Amber has nothing.", "Ambre n'a rien."),
        (
            shown(2, "2H 4H 6H KH", "QS", crib=True),
            "White finds nothing in the crib.",
            "Blanc ne trouve rien dans le chien.",
        ),
        (shown(1, "2H 3S 6D KC", "QS"), "", ""),
        (Pegged(), "", ""),
        (Folded(side=1), "", ""),
        (PhaseBegan(phase=Phase.SHOW), "", ""),
    ],
)
def test_cards(event: CardEvent, english: str, french: str) -> None:
    """P1 to P4, S1: events without points have a line; others have none here."""
    if isinstance(event, Played):
        event = Played(seat=event.seat, card=event.card, count=event.count, parts=())
    assert [english, french] == [each.cards(event) for each in commentators(setup_of(2))]


@pytest.mark.parametrize(
    ("made_by", "english", "french"),
    [
        (
            played(1, "TD 5S"),
            "Amber plays the five of spades: fifteen-two.",
            "Ambre joue le cinq de pique\u00a0: quinze-deux.",
        ),
        (
            played(2, "7D 8S 9H 7C"),
            "White plays the seven of clubs: thirty-one for two and a run of three is five.",
            (
                "Blanc joue le sept de trèfle\u00a0: trente et un pour deux"
                ", et une suite de trois qui fait cinq."
            ),
        ),
        (
            played(1, "4D 4S"),
            "Amber plays the four of spades to eight: a pair for two.",
            "Ambre joue le quatre de pique, huit\u00a0: une paire pour deux.",
        ),
        (
            played(1, "5D 5S 5H"),
            "Amber plays the five of hearts: fifteen-two and a pair royal is eight.",
            "Ambre joue le cinq de cœur\u00a0: quinze-deux, et un brelan qui fait huit.",
        ),
        (
            played(2, "3D 3S 3H 3C"),
            "White plays the three of clubs to twelve: a double pair royal for twelve.",
            "Blanc joue le trois de trèfle, douze\u00a0: un carré pour douze.",
        ),
        (
            shown(2, "2H 4S 6D KC", "2S"),
            "White counts a pair for two.",
            "Blanc compte une paire pour deux.",
        ),
        (
            shown(2, "2H 4H 6H KH", "QH", crib=True),
            "White counts the crib: a flush of five for five.",
            "Blanc compte son chien\u00a0: une couleur de cinq pour cinq.",
        ),
        (
            shown(1, "7H 7S 8D 9C", "8C"),
            (
                "Twenty-four! Amber counts fifteen-two, fifteen-four, fifteen-six, fifteen-eight"
                " and a double double run of three is twenty-four."
            ),
            (
                "Vingt-quatre\u00a0! Ambre compte quinze-deux, quinze-quatre, quinze-six,"
                " quinze-huit, et une quadruple suite de trois qui fait vingt-quatre."
            ),
        ),
    ],
)
def test_counts_of_cards(made_by: Played | Shown, english: str, french: str) -> None:
    """P5 to P7, S2 to S5: a line has a card's points, or a hand's sum."""
    reported = [each.count(count_of(made_by), made_by) for each in commentators(setup_of(2))]
    assert [english, french] == reported


@pytest.mark.parametrize(
    ("why", "points", "english", "french"),
    [
        (
            CountKind.HEELS,
            2,
            "Amber counts two for heels.",
            "Ambre compte deux pour le valet retourné.",
        ),
        (CountKind.GO, 1, "Amber counts one for the go.", "Ambre compte un pour le go."),
        (
            CountKind.LAST,
            1,
            "Amber counts one for the last card.",
            "Ambre compte un pour la dernière carte.",
        ),
        (CountKind.HAND, 8, "Amber counts eight.", "Ambre compte huit."),
    ],
)
def test_counts_that_are_only_points(
    why: CountKind, points: int, english: str, french: str
) -> None:
    """P2, P3, T7: points without cards, and those of a hand not given, are only stated."""
    count = Count(seat=1, points=points, why=why)
    assert [english, french] == [each.count(count) for each in commentators(setup_of(2))]


def test_a_go_is_not_reported_by_the_card_before_it() -> None:
    """P7: the point of a go is a count of its own."""
    commentator = commentators(setup_of(2))[0]
    count = Count(seat=1, points=1, why=CountKind.GO)
    assert "Amber counts one for the go." == commentator.count(count, played(1, "TD 5S"))


def test_partners_have_their_seats_named() -> None:
    """T1: partners play and show on their own; go, heels and crib are their side's."""
    english, french = commentators(setup_of(4))
    hand = shown(3, "2H 4S 6D KC", "2S")
    assert "Amber, seat three, says go." == english.cards(SaidGo(seat=3))
    assert "Ambre, siège trois, dit go." == french.cards(SaidGo(seat=3))
    assert "Amber, seat three, counts a pair for two." == english.count(count_of(hand), hand)
    go = Count(seat=3, points=1, why=CountKind.GO)
    assert "Amber counts one for the go." == english.count(go)
    crib = shown(3, "2H 4S 6D KC", "2S", crib=True)
    assert "Amber counts the crib: a pair for two." == english.count(count_of(crib), crib)


def test_a_partner_goes_on_as_the_same_one() -> None:
    """T1, Z2: the effects of a partner's hand follow in the same clause."""
    hand = shown(3, "2H 4S 6D KC", "2S")
    entry = Table(seats=(2, 4), stand={1: 40}).history.decide(Peg(side=1, points=2))
    line = commentators(setup_of(4))[0].count(count_of(hand), hand, entry.events)
    assert "Amber, seat three, counts a pair for two, and slides to 62." == line


def test_sides_without_a_name() -> None:
    """A side that nobody named has its number; a name that the language knows is translated."""
    french = Commentator.make("fr", {1: "Les Rouges"}, setup_of(2))
    reported = [french.cards(SaidGo(seat=seat)) for seat in (1, 2)]
    assert ["Les Rouges dit go.", "Camp 2 dit go."] == reported


def test_names_are_words_and_nothing_else() -> None:
    """A name with braces is spoken as it is."""
    commentator = Commentator.make("en", {1: "{who}"}, setup_of(2))
    assert "{who} says go." == commentator.cards(SaidGo(seat=1))


def test_what_the_speech_program_calls_it() -> None:
    """Each language has the name of its voice."""
    assert ["en", "fr"] == [each.phrases.say("voice") for each in commentators(setup_of(2))]
