"""The .po files are read as gettext reads them; a text without a translation stays English."""

from companion.commentary import languages, load_catalogue
from companion.commentary.catalogue import Catalogue
from tests.support.catalogues import entries_of

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
    """Strings over several lines and escapes; fuzzy, empty and obsolete entries are left out."""
    polish = Catalogue(POLISH)
    long = 'a "long" text\nin two lines'
    assert '"długi" tekst\nw dwóch wierszach' == polish.gettext(long)
    for text in ("guessed", "not yet", "gone", "{n} game"):
        assert text == polish.gettext(text)


def test_the_forms_of_a_plural_are_the_languages_own() -> None:
    """The header says which form a number has: here and in the pages."""
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
    """The reader here against another one."""
    for language in set(languages()) - {"en"}:
        catalogue = load_catalogue(language)
        for entry in entries_of(language):
            english, context = entry.english, entry.context
            if english[1:]:
                one, more = english
                assert set(entry.texts) == {
                    catalogue.npgettext(context, one, more, n) for n in range(10)
                }
            elif context:
                assert entry.texts == (catalogue.pgettext(context, *english),)
            else:
                assert entry.texts == (catalogue.gettext(*english),)
