"""The catalogues are complete, current and read as gettext reads them; messages use them."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest

from companion.commentary import languages, load_catalogue, load_phrases
from companion.commentary.catalogue import Catalogue
from companion.errors import Fault, RuleError, Text, plural
from tests.support.catalogues import Entry, entries_of, extracted, python

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
