"""The pages' modules and languages in a real browser, their reloads, and phones that stay awake."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from companion.rules.game.commands import RULINGS
from companion.web.http.endpoint import LANGUAGE_COOKIE as COOKIE
from companion.web.pages import preloads
from tests.companion.web.said import OWN_SCRIPTS, NoPhraseError, said, unsaid
from tests.companion.web.table.test_page_standing import outlook
from tests.support.browser import Served, faultless, from_menu, live, opened, served, stop_clock
from tests.support.catalogues import PSEUDO, entries_of, marked, third_language
from tests.support.real_table import RealTable, entry, stand

__all__ = ["third_language"]


SCRIPT = '<script type="module" src="/static/{}"></script>'
PAGES = {"": "main.js", "tv": "tv.js", "pad?side=1": "pad.js", "records": "records/records.js"}


def links(head: str) -> list[str]:
    """Return the addresses of the modules named in a head."""
    return re.findall(r'<link rel="modulepreload" href="([^"]+)">', head)


MODULES = [file for file in OWN_SCRIPTS if file.name != "language.js"]
GAME = "Crib Wars"
PLACE = re.compile(r"\{(\w+)\}")
SPACE = "\u00a0"
SEEN = """() => {
    const seen = new Set();
    for (const part of document.querySelectorAll("details")) part.open = true;
    const both = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
    const walk = document.createTreeWalker(document, both);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const apart = "script, style, noscript, code, kbd, [translate=no]";
        if (node.parentElement?.closest(apart)) continue;
        const spoken = ["aria-label", "placeholder", "alt", "title"];
        const texts = [node.nodeValue, ...spoken.map((name) => node.getAttribute?.(name))];
        for (const text of texts) if (/[a-z]{2}/i.test(text ?? "")) seen.add(text.trim());
    }
    return [...seen];
}"""
NAMES = re.compile(
    r"Amber|White|Magenta|Anna|Crib Wars|Cribbage|English|Français"
    r"|crib-wars|classic(-61)?|virtual|serial|rpi_ws281x:\w+|spi:\w+|pio:/dev/leds0"
)
SAME = re.compile(r"[Mm]ode|Points|Pause|Actions|Places|Port|Muggins|Menu|Questions")
"""Words that are the same in both languages."""
WORDS = (
    ("", "#leader", ("White leads by 93", "Blanc mène de 93")),
    ("rules", "h1", ("How to play Cribbage", "Comment jouer à Cribbage")),
    ("tv", "#connection", ("Live", "En direct")),
    ("pad", "#connection", ("Live", "En direct")),
    ("pad?side=1", "#hand", ("Hand 4, Amber deals, your crib", "Main 4, Ambre donne, votre chien")),
    ("counter?side=1", "#points", ("Tap 5 more cards", "Encore 5 cartes")),
    ("hand", "#ask", ("Choose 1 card for the crib", "Choisir 1 carte pour le chien")),
    ("setup", "#questions .progress", ("Question 1 of 6", "Question 1 sur 6")),
    ("records", "#of", ("No game has been won yet.", "Aucune partie n'a encore été gagnée.")),
)
"""Each page, and what it says where once it has told all."""


def dictionary() -> dict[str, tuple[str, ...]]:
    """Return all phrases of the pages, singular and plural, with their French forms."""
    entries = [each for each in entries_of("fr") if each.context == "page"]
    return {text: entry.texts for entry in entries for text in entry.english}


@contextmanager
def shown(browser: Browser, real_table: RealTable, path: str = "") -> Iterator[tuple[Page, Served]]:
    """Open a page of this table, which must end without an error or a breach of its policy."""
    locale = real_table.settings.language
    with served(real_table) as table, faultless(browser, locale=locale) as page:
        page.goto(table.hand() if path == "hand" else table.url + path)
        yield page, table


def speaking(language: str, folder: Path | None = None) -> RealTable:
    """Serve a table in the middle of a game that shows something of everything."""
    real_table = RealTable(sides=3, language=language, folder=folder)
    blue = stand("trap-130:2", folded=True, progress=130)
    real_table.tell(
        seq=1,
        table={"sides": {"1": stand(37, pending=5), "2": blue, "3": stand(22, boxed=2)}, "hand": 4},
        boxes={"3": {"hands": 2, "may_move": True}},
        match={"games": {"1": 1, "2": 0, "3": 2}, "to": 7, "winner": None},
        saved=False,
    )
    outcomes = [outlook(5, "red-slide", 62), outlook(7, "time-trap", 130), outlook(9, front=121)]
    real_table.advise({"1": {"outlooks": outcomes, "lead_five_to": [2]}})
    return real_table


def requests_of(page: Page) -> list[str]:
    """Return a list that grows with the addresses that a page requests from now on."""
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    return requested


LOOKS_MS = 2000
"""Time in which a page that waits looks several times."""
PATH = "pad?side=1"
PLAYS = """() => {
  const video = document.querySelector("video");
  return video && !video.paused && video.currentTime > 0 && !video.loop;
}"""
IN_VIEW = """() => new Promise((resolve) => {
  const tell = ([{ intersectionRatio }]) => resolve(intersectionRatio);
  new IntersectionObserver(tell).observe(document.querySelector("video"));
})"""
APPLE = "Object.defineProperty(navigator, 'vendor', { value: 'Apple Computer, Inc.' })"
LOCKS = "navigator.wakeLock.request = async () => void (window.locks = (window.locks ?? 0) + 1)"


def tapped(page: Page, address: str) -> None:
    """Tap a page of a pad once it is alive."""
    page.goto(address)
    live(page)
    page.locator("#who").click()


def come_back(page: Page) -> None:
    """Send a page the event that it is visible again."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_modules_are_named_however_far_away() -> None:
    """Each is named once, also several imports away, unless it is loaded on use."""
    named = links(preloads(SCRIPT.format("main.js")))
    assert {"/static/vendor/preact.js", "/static/net/storage.js"} <= set(named)
    assert len(named) == len(set(named))
    assert not {"/static/main.js", "/static/table/corrections.js"} & set(named)


def test_a_page_without_script_names_none() -> None:
    """A page to print names none."""
    assert preloads('<link rel="stylesheet" href="/static/style.css">') == ""


@pytest.mark.browser
@pytest.mark.parametrize(("path", "script"), PAGES.items())
def test_they_are_what_the_browser_loads(
    browser: Browser, table: Served, path: str, script: str
) -> None:
    """Chromium, which follows the imports by itself, requests these modules and no others."""
    page = browser.new_page()
    body = httpx.get(table.url + path).text
    without = re.sub(r'<link rel="modulepreload"[^>]*>', "", body)
    page.route(
        table.url + path, lambda route: route.fulfill(body=without, content_type="text/html")
    )
    page.route("**/api/about", lambda route: route.abort())  # no module runs beyond its imports
    loaded = list[str]()
    page.on("request", lambda request: loaded.append(urlsplit(request.url).path))
    page.goto(table.url + path)  # returns after the load event
    page.close()
    modules = {name for name in loaded if name.endswith(".js")} - {"/static/ui/theme.js"}
    assert modules == {*links(body), f"/static/{script}"}


def test_no_text_is_shown_unsaid() -> None:
    """All text that a module writes into the page goes through `say`, except names."""
    found = {file: unsaid(file.read_text("utf-8")) - {GAME, "Anna"} for file in MODULES}
    assert {} == {file: texts for file, texts in found.items() if texts}


def test_french_is_well_set() -> None:
    """`: ; ? !` and guillemets have a hard space; outer spaces are as in English."""
    wrong = re.compile(rf"[^{SPACE}][:;?!»]|«[^{SPACE}]")
    assert {} == {
        english: french
        for english, forms in dictionary().items()
        for french in forms
        if wrong.search(french) or english[0].isspace() != french[0].isspace()
    }


def test_what_is_said_is_written_out() -> None:
    """A phrase must be a text in its call, or else it could not be found here."""
    many = 'many(n, one, "{n} games")'
    for source in ("say(words[2])", "say(`a ${b}`)", many, "sayings(TABLE)"):
        with pytest.raises(NoPhraseError):
            said(source)


def test_what_is_said_is_found() -> None:
    """Nested calls, tables and several lines are read; keys and comments are no phrases."""
    source = r"""
        // say("never")
        const LABELS = sayings({ "two-of": "Two", one: "One" });
        make("p", "lead", many(n, "{n} hand", "{n} hands", { who: say("no" +
            "body") }));
        write(document, "#a", `${say("Seat {seat}", { seat })} bare`);
    """
    phrases = {("Two",), ("One",), ("{n} hand", "{n} hands"), ("nobody",), ("Seat {seat}",)}
    assert phrases == set(said(source))
    assert {" bare"} == unsaid(source)
    markup = 'html`<p title="Never">Bare ${say("a")} ${on ? "loose" : many(n, "x", "y")}</p>`'
    assert {"Never", "Bare", "loose"} == unsaid(markup)
    within = 'html`<ul class="a">${all.map((one) => html`<li id="bc">Inner ${one}</li>`)}</ul>`'
    assert {"Inner"} == unsaid(within)
    assert {"alone"} == unsaid('make("p", "lead", now ? "alone" : say("both"))')


@pytest.mark.parametrize(("path", "where", "words"), WORDS, ids=lambda value: str(value)[:12])
def test_a_french_page_shows_no_english(
    browser: Browser, tmp_path: Path, path: str, where: str, words: tuple[str, str]
) -> None:
    """Each text of a page, shown or spoken, differs in French, except names."""
    found = []
    for language, wanted in zip(("en", "fr"), words, strict=True):
        (folder := tmp_path / language).mkdir()
        with shown(browser, speaking(language, folder), path) as (page, _):
            expect(page.locator(where)).to_have_text(wanted)
            expect(page.locator("html")).to_have_attribute("lang", language)
            found.append(set(page.evaluate(SEEN)))
    english, french = found
    same = {SAME.sub("", NAMES.sub("", text)) for text in english & french}
    assert [] == [text for text in same if re.search(r"[A-Za-z]{2}", text)]


def test_how_the_game_goes_is_reported_in_french(browser: Browser) -> None:
    """The lead, the standing and the effect of counts have French words."""
    with shown(browser, speaking("fr")) as (page, table):
        expect(page.locator("#leader")).to_have_text("Blanc mène de 93")
        score = f"Match en 7{SPACE}: Ambre 1, Blanc 0, Magenta 2"
        expect(page.locator("#match")).to_have_text(score)
        expect(page.locator("#hand")).to_have_text("Main 4, Ambre donne")
        expect(page.locator(".side .games")).to_have_text(["1 partie", "0 partie", "2 parties"])
        boxed = f"en case de pénalité, encore 2 mains{SPACE}: Valider pour avancer"
        expect(page.locator(".side .state")).to_have_text(
            ["", "sur la voie bleue, main couchée jusqu'à la donne", boxed]
        )
        page.get_by_role("button", name="Affichage").click()
        page.get_by_role("switch", name="Conseils sur les pièges").check()
        page.get_by_role("button", name="Fermer").click()
        advice = f"5{SPACE}: saut à 62{SPACE}· 7{SPACE}: piège bleu"
        expect(page.locator(".side .advice").first).to_contain_text(advice)
        table.do(
            lambda real_table: real_table.accept(
                entry(1, "Amber compte neuf."), entry(2, "White donne.")
            )
        )
        log = page.locator("#events[lang=fr] li")
        expect(log).to_contain_text(["White donne.", "Amber compte neuf."])
        winner = {"winner": 2}
        table.do(lambda real_table: real_table.tell(seq=2, table=winner))
        expect(page.locator("#win-title")).to_have_text("Blanc gagne")
        expect(page.locator("#leader")).to_have_text("Blanc a gagné avec 93 d'avance")


def test_the_dialogs_speak_french(browser: Browser) -> None:
    """Referee, seats and phones are in French; texts from the table stay as they are."""
    with shown(browser, speaking("fr")) as (page, table):
        from_menu(page, "Arbitre")
        referee = page.get_by_role("dialog", name="Arbitre")
        expect(referee.locator(".found")).to_have_text(f"{len(RULINGS) + 1} règles")
        referee.get_by_text("Crier muggins").click()
        for words in (f"Qui s'est trompé{SPACE}?", "Pendant le jeu", "Rendus"):
            expect(referee.get_by_text(words, exact=True)).to_be_visible()
        referee.get_by_role("button", name="Fermer").click()
        page.locator("#tools").get_by_role("button", name="Cartes").click()
        dealing = page.get_by_role("dialog", name="Cartes")
        dealing.get_by_label("Blanc").select_option("Requin, un ordinateur")
        dealing.get_by_role("button", name="Donner", exact=True).click()
        table.until(lambda real_table: real_table.services.cards.news() is not None)
        news = table.do(lambda real_table: real_table.services.cards.news())
        assert news
        assert {1: "person", 2: "shark", 3: "person"} == news.seats
        expect(page.get_by_role("link", name="Ambre")).to_be_visible()


def test_an_english_page_loads_no_dictionary(browser: Browser) -> None:
    """Only a French page loads the words."""
    for language, words in (("en", 0), ("fr", 1)):
        with served(RealTable()) as table:
            page = browser.new_page(locale=language)
            requested = requests_of(page)
            page.goto(table.url)
            expect(page.locator("#connection")).to_have_text("En direct" if words else "Live")
            assert words == len([url for url in requested if url.endswith("/api/words")])
            page.close()


def test_each_device_has_its_language(browser: Browser) -> None:
    """A page has its browser's language until one is chosen; other devices keep theirs."""
    with served(RealTable()) as table:
        phone, laptop = (browser.new_context(locale=locale) for locale in ("fr-CH", "en-GB"))
        pages = [window.new_page() for window in (phone, laptop)]
        for page, words in zip(pages, ("En direct", "Live"), strict=True):
            page.goto(table.url + "pad?side=2")
            expect(page.locator("#connection")).to_have_text(words)
            expect(page.locator("#who")).to_have_text("Blanc" if words == "En direct" else "White")
        pages[1].get_by_label("Language").select_option("Français")
        expect(pages[1].locator("#connection")).to_have_text("En direct")
        pages[1].goto(table.url)
        expect(pages[1].locator("html")).to_have_attribute("lang", "fr")
        expect(pages[0].locator("html")).to_have_attribute("lang", "fr")
        pages[1].get_by_role("button", name="Affichage").click()
        pages[1].get_by_label("Langue").select_option("English")
        expect(pages[1].locator("#connection")).to_have_text("Live")


def test_french_is_text(browser: Browser) -> None:
    """Names are shown as typed: they are no markup, and have no places to fill."""
    real_table = speaking("fr")
    name = "<img src=x onerror=alert(1)>{ahead}$&"
    real_table.name(2, name)
    with shown(browser, real_table) as (page, _):
        expect(page.locator("#leader")).to_have_text(f"{name} mène de 93")
        expect(page.locator("#leader *")).to_have_count(0)


@pytest.mark.usefixtures("third_language")
def test_the_page_speaks_it(browser: Browser) -> None:
    """A device that has chosen it reads its words, and may choose another."""
    with served(RealTable()) as table:
        window = browser.new_context()
        window.add_cookies([{"name": COOKIE, "value": PSEUDO, "url": table.url}])
        page = window.new_page()
        page.goto(table.url + "pad?side=1")
        expect(page.locator("#connection")).to_have_text(marked("En direct"))
        expect(page.locator("html")).to_have_attribute("lang", PSEUDO)
        expect(page.locator("#who")).to_have_text(marked("Ambre"))


def test_a_reload_waits_while_somebody_types(browser: Browser) -> None:
    """After the table's restart neither focus nor entered text is lost."""
    with served(RealTable()) as table:
        port = table.port
        page = opened(browser, table)
        page.evaluate("window.isOld = true")
        from_menu(page, "Referee")
        search = page.get_by_role("searchbox")
        search.fill("renege")
    with served(RealTable(), port=port):
        live(page)
        stop_clock(page)
        for text in ("renege", ""):
            search.fill(text)
            assert page.evaluate("window.isOld")
            search.blur()
            page.clock.run_for(LOOKS_MS)
        page.wait_for_function("() => !window.isOld")


@pytest.mark.parametrize(
    ("browser_is", "sounds"), [("", 0), (APPLE, 1)], ids=["any browser", "Safari"]
)
def test_a_film_plays_where_no_lock_is_offered(
    browser: Browser, browser_is: str, sounds: int
) -> None:
    """It stays in view over any drawing, and goes on when the phone comes back."""
    with served(RealTable(), everywhere=True) as table:
        page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
        page.add_init_script(browser_is)
        tapped(page, table.far + PATH)
        page.wait_for_function(PLAYS)
        film = page.locator("video")
        assert sounds == film.evaluate("video => video.srcObject.getAudioTracks().length")
        assert bool(sounds) is not film.evaluate("video => video.muted")
        table.do(lambda table: table.peg(1, 3))
        page.locator("#told li").wait_for()
        film.evaluate("video => video.pause()")
        come_back(page)
        page.wait_for_function(PLAYS)
        assert 1 == page.evaluate(IN_VIEW)
        assert (2, 2) == tuple(film.evaluate("v => [v.clientWidth, v.clientHeight]"))


def test_a_secure_page_has_a_lock(browser: Browser) -> None:
    """The lock ends while the page is hidden, and is taken again."""
    with served(RealTable()) as table:
        page = browser.new_context().new_page()
        page.add_init_script(LOCKS)
        tapped(page, table.url + PATH)
        page.wait_for_function("() => window.locks === 1")
        come_back(page)
        page.wait_for_function("() => window.locks === 2")
        assert 0 == page.locator("video").count()
