"""A line for each event and each count, in each language; catalogues are complete and current."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest

from companion.commentary import Commentator, languages, load_catalogue, load_phrases
from companion.commentary.phrases import Catalogue
from companion.errors import Fault, RuleError, Text, plural
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
from tests.companion.commentary.tables import commentators, rows_of, setup_of
from tests.companion.rules.game.tables import Table
from tests.support.catalogues import Entry, entries_of, extracted, python


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


OTHERS = sorted({*languages()} - {"en"})
OF_CLICK = "click"
"""Context of click's texts: our commands show few of them, and another version has others."""
PLACE = re.compile(r"\{[^}]*\}")
POLISH = r"""
#, fuzzy
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && "
"(n%100<10 || n%100>=20) ? 1 : 2);\n"

#: companion/rules
msgctxt "page"
msgid "{n} game"
msgid_plural "{n} games"
msgstr[0] "{n} gra"
msgstr[1] "{n} gry"
msgstr[2] "{n} gier"

msgid ""
"a \"long\" text\n"
"in two lines"
msgstr ""
"\"długi\" tekst\n"
"w dwóch wierszach"

#, fuzzy
msgid "guessed"
msgstr "zgadnięte"

msgid "not yet"
msgstr ""

#~ msgid "gone"
#~ msgstr "znikło"
"""


def whole(entry: Entry) -> bool:
    """Return True if an entry is translated."""
    return all(entry.texts)


@pytest.fixture(scope="module")
def texts() -> set[tuple[str, ...]]:
    """Return the texts of the sources as Babel extracts them, without click's."""
    return keys(extracted())


def keys(entries: Iterator[Entry]) -> set[tuple[str, ...]]:
    """Return context and English of entries, without those of click's."""
    return {(each.context, *each.english) for each in entries if each.context != OF_CLICK}


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


COUNTS = """
played 1 TD 5S
| Amber plays the five of spades: fifteen-two.
| Ambre joue le cinq de pique\u00a0: quinze-deux.
played 2 7D 8S 9H 7C
| White plays the seven of clubs: thirty-one for two and a run of three is five.
| Blanc joue le sept de trèfle\u00a0: trente et un pour deux, et une suite de trois qui fait cinq.
played 1 4D 4S
| Amber plays the four of spades to eight: a pair for two.
| Ambre joue le quatre de pique, huit\u00a0: une paire pour deux.
played 1 5D 5S 5H
| Amber plays the five of hearts: fifteen-two and a pair royal is eight.
| Ambre joue le cinq de cœur\u00a0: quinze-deux, et un brelan qui fait huit.
played 2 3D 3S 3H 3C
| White plays the three of clubs to twelve: a double pair royal for twelve.
| Blanc joue le trois de trèfle, douze\u00a0: un carré pour douze.
hand 2 2H 4S 6D KC 2S
| White counts a pair for two.
| Blanc compte une paire pour deux.
crib 2 2H 4H 6H KH QH
| White counts the crib: a flush of five for five.
| Blanc compte son chien\u00a0: une couleur de cinq pour cinq.
hand 1 7H 7S 8D 9C 8C
| Twenty-four! Amber counts fifteen-two, fifteen-four, fifteen-six, fifteen-eight and a double
  double run of three is twenty-four.
| Vingt-quatre\u00a0! Ambre compte quinze-deux, quinze-quatre, quinze-six, quinze-huit, et une
  quadruple suite de trois qui fait vingt-quatre.
"""
"""Played cards since the count was 0, or a hand and its starter, behind the seat."""


@pytest.mark.parametrize(("cause", "english", "french"), rows_of(COUNTS))
def test_counts_of_cards(cause: str, english: str, french: str) -> None:
    """P5 to P7, S2 to S5: a line has a card's points, or a hand's sum."""
    word, seat, held = cause.split(maxsplit=2)
    made_by: Played | Shown = (
        played(int(seat), held)
        if word == "played"
        else shown(int(seat), held[:-3], held[-2:], crib=word == "crib")
    )
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


def test_the_log_says_that_a_count_is_for_heels() -> None:
    """T7: the line of an entry has the reason of its count, if it is known."""
    table = Table()
    entry = table.history.do(Peg(side=1, points=2, why=CountKind.HEELS))
    english, french = (each.entry(entry) for each in commentators(table.state.setup))
    assert "Amber counts two for heels, to 2." == english
    assert "Ambre compte deux pour le valet retourné, jusqu'à 2." == french


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


def test_entries_are_read_as_gettext_defines_them() -> None:
    """Multi-line strings and escapes are read; fuzzy, empty and old entries are not."""
    polish = Catalogue(POLISH)
    long = 'a "long" text\nin two lines'
    assert '"długi" tekst\nw dwóch wierszach' == polish.gettext(long)
    for text in ("guessed", "not yet", "gone", "{n} game"):
        assert text == polish.gettext(text)


def test_the_forms_of_a_plural_are_the_languages_own() -> None:
    """The header gives the form of a number, here and in the pages."""
    polish = Catalogue(POLISH)
    words = polish.page_words()
    for n, form in ((1, 0), (2, 1), (5, 2), (12, 2), (22, 1), (112, 2), (122, 1)):
        wanted = ["{n} gra", "{n} gry", "{n} gier"][form]
        assert wanted == polish.npgettext("page", "{n} game", "{n} games", n)
        assert wanted == words["texts"]["{n} game"][words["forms"][n]]


def test_english_has_no_catalogue() -> None:
    """Each text is shown as it is."""
    assert "says go" == load_catalogue("en").pgettext("cards.said_go", "says go")
    assert {} == load_catalogue("en").page_words()["texts"]


def test_every_entry_is_read_as_babel_reads_it() -> None:
    """The reader here agrees with Babel's."""
    for language in OTHERS:
        catalogue = load_catalogue(language)
        for entry in filter(whole, entries_of(language)):
            english, context = entry.english, (entry.context,) if entry.context else ()
            lookups: dict[tuple[int, int], Callable[..., str]] = {
                (0, 1): catalogue.gettext,
                (1, 1): catalogue.pgettext,
                (0, 2): catalogue.ngettext,
                (1, 2): catalogue.npgettext,
            }
            lookup = lookups[len(context), len(english)]
            numbers = [(n,) for n in range(10)] if english[1:] else [()]
            read = {lookup(*context, *english, *number) for number in numbers}
            assert set(entry.texts) == read


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated(language: str, texts: set[tuple[str, ...]]) -> None:
    """`make catalogues` adds a new text, which then needs a translation."""
    assert set() == texts - keys(filter(whole, entries_of(language)))


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_left_over(language: str, texts: set[tuple[str, ...]]) -> None:
    """`make catalogues` removes texts that the sources lack."""
    assert set() == keys(entries_of(language)) - texts


@pytest.mark.parametrize("language", OTHERS)
def test_the_places_are_those_of_the_english(language: str) -> None:
    """Each is filled once; a plural form may leave places out."""
    wrong = []
    for entry in filter(whole, entries_of(language)):
        wanted = [Counter(PLACE.findall(text)) for text in entry.english]
        for text in entry.texts:
            found = Counter(PLACE.findall(text))
            if found not in wanted and not (wanted[1:] and found <= wanted[0] | wanted[1]):
                wrong.append((entry.english, text))
    assert [] == wrong


def test_a_template_without_its_values_is_refused() -> None:
    """So each call in the sources gives its template exactly its values by name."""
    for call in (
        b'Text("{a} b")',
        b'Text("a", b=1)',
        b'Text(f"{a} b")',
        b't = "a"\nXError(t, b=1)',
    ):
        with pytest.raises(ValueError, match="line "):
            [*python(BytesIO(call), options={"calls": ["Text"], "no_texts": []})]


# Messages


def test_a_message_is_filled_again_in_the_other_language() -> None:
    """Values keep their places; values that are texts are translated, each in its plural form."""
    french = load_phrases("fr")
    for n, english, translated in ((2, "2 hands", "2 mains"), (1, "1 hand", "1 main")):
        hands = plural(n, "{n} hand to sit", "{n} hands to sit")
        message = Text("{one} and {other}", one="A", other=hands)
        assert f"A and {english} to sit" == str(message)
        assert f"A et encore {translated}" == french.message(message)


def test_each_separator_of_a_fault_is_as_the_language_has_it() -> None:
    """With any number of parts French puts a space before a colon."""
    fault = Fault(
        file="c.toml", key="teams", problem=Text("cannot be 9"), remedy=Text("mend that line")
    )
    french = "c.toml\u00a0: teams\u00a0: cannot be 9\u00a0; corrigez cette ligne"
    assert french == load_phrases("fr").message(fault.line)


def test_a_refusal_names_its_side_in_the_language() -> None:
    """The side has its translated name, or its number."""
    error = RuleError("{side} has folded until the next deal", rule="Z5", side=2)
    phrases = load_phrases("fr")
    folded = "a couché sa main jusqu'à la prochaine donne"
    assert f"Blanc {folded}" == phrases.message(error.text, {2: "White"})
    assert f"Camp 2 {folded}" == phrases.message(error.text)
    remedied = RuleError(
        "{players} players cannot be {sides} sides", players=5, sides=2, remedy=Text("wait")
    )
    assert "5 personnes ne peuvent pas former 2 camps\u00a0: wait" == phrases.message(remedied.text)
