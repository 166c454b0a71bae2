"""The pages for keyboards, screen readers and small windows, with texts that are whole (S9)."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from types import MappingProxyType
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.companion.web.table.test_demo_page import demo, hand
from tests.support.browser import Served, live, served
from tests.support.program import ROOT
from tests.support.real_table import RealTable, entry, stand

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
THEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
LOOKS: dict[str, tuple[int, int, Literal["light", "dark"]]] = {
    "phone": (390, 844, "dark"),
    "laptop": (1366, 768, "light"),
    "tv": (1920, 1080, "dark"),
}
PAGES = ("", "tv", "pad?side=1", "pad", "counter?side=1", "hand", "records", "rules", "setup")
FIND = """async () => {
    const found = await axe.run(document, { resultTypes: ["violations"] });
    return found.violations.filter((each) => ["serious", "critical"].includes(each.impact))
        .map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(" ")}`);
}"""


@pytest.fixture(scope="module")
def table() -> Iterator[Served]:
    """A table of two sides behind its pages."""
    with served(RealTable()) as there:
        there.hand_url = there.hand()
        yield there


STATES: dict[str, dict[str, Any]] = {
    "counts pending": {"table": {"sides": {"1": stand(42, pending=6), "2": stand("trap-130:2")}}},
    "boxed and folded": {
        "table": {"sides": {"1": stand(24, boxed=2), "2": stand(30, folded=True)}},
        "boxes": {"1": {"hands": 2, "may_move": True}},
    },
    "refused": {
        "feedback": "White has folded (Z5)",
        "hint": {"kind": "folded", "team": 2, "number": 1},
    },
    "in trouble": {"saved": False, "notices": ["the card is full"]},
    "won": {"table": {"winner": 2}, "match": {"games": {"1": 0, "2": 1}, "to": 3, "winner": None}},
    "sign-up": {
        "mode": {
            "state": "sign-up",
            "joined": [2],
            "people": {"2": 2},
            "joining": True,
            "preset": "",
            "words": "",
            "presets": ["", "club"],
        }
    },
    "demo": {"demo": demo(hands=[hand(1, "4C 6C 7D AH"), hand(2, "5S JH KD 2C")])},
}


def found_in(page: Page) -> list[str]:
    """Return the serious findings of axe: the rule, and the elements."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(FIND)
    return found


WINDOWS = ((683, 384), (667, 375), (512, 384), (844, 390), (390, 844))
NAMES = ("Wolfgang Amadeus Mozarts", "Maximiliane Oberhammerin", "M" * 24)
JOINING = {"state": "sign-up", "joined": [1, 3], "people": {"1": 1, "3": 2}, "joining": True}
ASKING = [
    {"number": number, "kind": "score", "name": "M" * 40, "button": f"{number}.enter"}
    for number in (1, 2)
]
OPENERS = (
    "#new-game",
    "#see-cards",
    "#see-phones",
    "#correct",
    "#see-view",
    "#see-referee",
    "#place",
)
OUT_OF_REACH = """() => {
    const slack = 12;  // a rim that is cut leaves most of a button
    const axes = [["left", "right", "X", innerWidth], ["top", "bottom", "Y", innerHeight]];
    const isOut = (button) => axes.some(([start, end, axis, size]) => {
        let { [start]: from, [end]: to } = button.getBoundingClientRect();
        for (let box = button.parentElement; box !== document.body; box = box.parentElement) {
            const style = getComputedStyle(box);
            const { [start]: first, [end]: last } = box.getBoundingClientRect();
            if (/auto|scroll/.test(style["overflow" + axis])) [from, to] = [first, last];
            else if (style["overflow" + axis] !== "visible"
                && (from < first - slack || to > last + slack)) return true;
            if (style.position === "fixed") return from < -slack || to > size + slack;
        }
        const page = document.documentElement;
        const [far, moved] = axis === "X" ? [size, 0] : [page.scrollHeight, scrollY];
        return from + moved < -slack || to + moved > far + slack;
    });
    const isSeen = (button) => button.checkVisibility({ visibilityProperty: true })
        && (button.closest("dialog") || !document.querySelector("dialog[open]"))
        && button.offsetWidth > 1 && button.offsetHeight > 1;
    const buttons = [...document.querySelectorAll("button, a, input, select, summary")];
    return buttons.filter((button) => isSeen(button) && isOut(button))
        .map((button) => button.innerText || button.ariaLabel || button.id);
}"""
COVERED = """banner => {
    const { left, top, width, height } = banner.getBoundingClientRect();
    const parts = [...Array(40).keys()].map((part) => (part + 0.5) / 40);
    return parts.some((x) => parts.some((y) => (
        document.elementFromPoint(left + x * width, top + y * height).closest("#zoom"))));
}"""


@pytest.fixture
def crowded() -> Iterator[Served]:
    """Serve a table of three sides with names of 24 letters."""
    real_table = RealTable(sides=3, board="crib-wars")
    for side, name in enumerate(NAMES, start=1):
        real_table.name(side, name, ("#ffb000", "#ffffff", "#ff5cff")[side - 1])
    with served(real_table) as crowded:
        yield crowded


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open the page in French, whose buttons are the wider ones."""
    with closing(browser.new_context(locale="fr", has_touch=True)) as window:
        yield window.new_page()


def reachable(page: Page, where: str) -> None:
    """Check that every visible button can be scrolled into the window, at every size."""
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        assert (where, width, height, []) == (where, width, height, page.evaluate(OUT_OF_REACH))


WIDE = ((3840, 2160), (1920, 1080), (1440, 900), (1366, 768))
NARROW = ((1280, 720), (1024, 768), (390, 844), (844, 390))
LINES = {
    "en": "White counts fifteen, to 42, and slides to 62.",
    "fr": "Blanc compte quinze, jusqu'à 42.",
}
LONG_NAMES = {
    1: "The Bartholomews from the far North West",
    2: "Christopher and Alexandra of Lakeside Rd",
    3: "Marguerite-Antoinette de la Fontaine-Roy",
}
ONE_LINE = 24
"""Most letters of a name that has one line on a television."""
ROWS = """() => [...document.querySelectorAll(".seats")].map((seats) => {
    const [name, face] = [".name", ".face"].map((part) => seats.querySelector(part));
    const lines = Math.round(name.offsetHeight / parseFloat(getComputedStyle(name).lineHeight));
    return [lines, face.offsetHeight / innerHeight];
})"""
"""The lines of each side's name, and the height of its cards as a share of the window's height."""
LEAST_CARD = 0.05
NO_NAMES: Mapping[str, str] = MappingProxyType({})
FACES = [hand(2, "4C 6C 7D AH"), hand(1, "TH TS 2D KC"), hand(3, "9H 9S 3D QC")]
BACKS = [hand(2, "-- -- -- -- -- --"), hand(1, "-- -- -- -- -- --"), hand(3, "-- -- -- -- -- --")]
PLAYED = [
    hand(2, "4C -- -- --", played="4C"),
    hand(1, "TH TS -- --", played="TH TS"),
    hand(3, "-- -- -- --"),
]
SHOWN: dict[str, Any] = {"phase": "show", "turn": None, "count": 0, "pile": [], "hands": FACES}
COUNT = {"seat": 2, "team": 2, "why": "hand"}
OPEN = {
    "points": 12,
    "callers": [1],
    "undecided": [1],
    "given_back": "nobody",
    "only_missed": False,
}
SIGN_UP = {
    "state": "sign-up",
    "joined": [1, 2],
    "people": {"1": 2, "2": 2},
    "joining": True,
    "preset": "",
    "words": "",
    "presets": ["", "club"],
}
NEWS: dict[str, Any] = {"cards": None, "demo": None, "mode": None, "consents": [], "feedback": None}
QUIET = {**NEWS, "hint": None, "saved": True}


def dealt(*, to_count: object = None, open_count: object = None, **cards: object) -> dict[str, Any]:
    """Return the news of a game of cards."""
    news: dict[str, Any] = {"session": 1, "seats": {1: "person", 2: "regular"}, "awaited": 2}
    shown = demo(**cards)["cards"]
    asked = {"to_count": to_count, "open_count": open_count, "box_movers": [], "cut": ""}
    return {"cards": {**news, "shown": shown, **asked}}


PHASES: dict[str, dict[str, Any]] = {
    "game": {},
    "discard": dealt(phase="discard", turn=None, starter=None, count=0, pile=[], hands=BACKS),
    "play": dealt(hands=PLAYED),
    "show": dealt(**SHOWN, showing=2),
    "crib": dealt(**SHOWN, showing="crib", crib=["5C", "5D", "JH", "QS"]),
    "count": dealt(**SHOWN, showing=2, to_count=COUNT),
    "muggins": dealt(**SHOWN, showing=2, open_count={**COUNT, **OPEN}),
    "sign-up": {"mode": SIGN_UP},
    "refused": {"feedback": "-", "hint": {"kind": "folded", "team": 2, "number": 1}},
    "not saved": {"saved": False},
    "pairing": {"consents": ASKING[:1]},
    "demo": {"demo": demo(hands=FACES)},
    "demo's show": {"demo": demo(**SHOWN, showing=2)},
    "win": {"table": {"winner": 1}},
}
FAULTS = """async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const LAYERS = ".join-request, .guide-card, #sign, #over";  // they cover what is below
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const [seen, faults] = [[], []];
    const clips = (box, { left, top, right, bottom }) => {
        let isApart = false;  // true for what an ancestor further out places
        for (let at = box; at !== document.documentElement; at = at.parentElement) {
            const style = getComputedStyle(at), edge = at.getBoundingClientRect();
            if (isApart && style.position === "static") continue;
            for (const [axis, from, to, first, last] of [
                ["X", left, right, edge.left, edge.right],
                ["Y", top, bottom, edge.top, edge.bottom],
            ]) {
                const overflow = style["overflow" + axis];
                if (overflow === "visible" || (from > first - 2 && to < last + 2)) continue;
                if (to > first + 1 && from < last - 1) return "cut";
                return /auto|scroll/.test(overflow) ? "scrolled" : "out";
            }
            if (style.position === "fixed") break;
            isApart = style.position === "absolute";
        }
        return "";
    };
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const box = node.parentElement;
        if (!node.data.trim() || box.closest("svg, script, option, .hidden, .elsewhere, .measuring")
            || !box.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const lines = [...range.getClientRects()].map(({ left, top, right, bottom }) => {
            const air = 0.18 * (bottom - top);  // above and below the letters
            return { left, top: top + air, right, bottom: bottom - air };
        });
        const ends = lines.map((line) => clips(box, line));
        if (ends.includes("cut") || (ends.includes("out") && ends.includes(""))) {
            faults.push(`cut: ${node.data}`);
        }
        const layer = box.closest(LAYERS);
        lines.forEach((line, at) => ends[at] || seen.push({ ...line, node, layer }));
    }
    const meet = (a, b) => a.node !== b.node && a.layer === b.layer
        && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    seen.forEach((a, at) => seen.slice(at + 1).filter((b) => meet(a, b)).forEach((b) => {
        faults.push(`over: ${a.node.data} / ${b.node.data}`);
    }));
    return [...new Set(faults)];
}"""
"""Texts that an ancestor cuts, and pairs of texts of which one lies over the other."""
LASTING = f"""async (most) => {{
    const end = performance.now() + most;
    for (;;) {{
        const faults = await ({FAULTS})();
        if (!faults.length || performance.now() > end) return faults;
    }}
}}"""
"""The faults that are still there after some milliseconds."""
REST_MS = 5000
WHOLE = """() => {
    const bottom = (box) => box.getBoundingClientRect().bottom;
    const edge = bottom(document.querySelector(".log")) + 1;
    return [...document.querySelectorAll("#events li")].filter((line) => (
        line.checkVisibility({ opacityProperty: true }) && bottom(line) <= edge)).length;
}"""
"""The number of lines of the log that are seen whole."""


def faults_of(page: Page) -> list[str]:
    """Return the faults that stay once what moves and what is still loaded have had their time."""
    faults: list[str] = page.evaluate(LASTING, REST_MS)
    return faults


@contextmanager
def shown(
    browser: Browser, size: tuple[int, int], language: str, names: Mapping[str, str] = NO_NAMES
) -> Iterator[tuple[Served, dict[str, Page]]]:
    """Serve a table with dealt cards, by default of two sides; show its page and its television."""
    sides = len(names) or 2
    real_table = RealTable(sides=sides, language=language, board="crib-wars", names=dict(names))
    counted = {"kind": "counted", "team": 2, "from": 27, "to": 42, "points": 15, "rule": "P7"}
    real_table.accept(*(entry(seq, LINES[language], counted) for seq in range(1, 30)))
    with served(real_table) as table:
        table.hand("person", *["regular"] * (sides - 1))
        viewport: Any = {"width": size[0], "height": size[1]}
        window = browser.new_context(locale=language, viewport=viewport)
        pages = {path: window.new_page() for path in ("", "tv")}
        for path, page in pages.items():
            page.goto(table.url + path)
            expect(page.locator("#connection[data-state=live]")).to_have_count(1)
            expect(page.locator(".lettering text").first).to_be_attached()
        yield table, pages
        window.close()


def tell(table: Served, number: int, news: dict[str, Any]) -> None:
    """Show a phase, with a number of the hand by which the page is known to show it."""
    sides = {"1": stand(62, pending=6), "2": stand("trap-130:3")}
    state = {"sides": sides, "hand": number, "winner": None, **news.get("table", {})}
    if "demo" in news:
        news["demo"]["table"]["hand"] = number
    shown = {**QUIET, **news, "table": state, "seq": number}
    table.do(lambda real_table: real_table.tell(**shown))


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious(browser: Browser, table: Served, path: str) -> None:
    """Names, roles, contrast and landmarks satisfy the rules of WCAG, in each look."""
    if not AXE.exists():
        pytest.skip("needs axe-core (npm install --no-save axe-core@4)")
    with closing(browser.new_context(reduced_motion="reduce")) as window:
        page = window.new_page()
        page.goto(table.hand_url if path == "hand" else table.url + path)
        page.wait_for_load_state("load")
        for look, (width, height, theme) in LOOKS.items():
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=theme)
            assert (look, []) == (look, found_in(page))


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_serious_in_a_state(browser: Browser, state: str) -> None:
    """Page and television pass in every state that they show."""
    if not AXE.exists():
        pytest.skip("needs axe-core (npm install --no-save axe-core@4)")
    real_table = RealTable()
    real_table.accept(
        entry(1, "Amber counts six, and slides to 62."), entry(2, "White counts two.")
    )
    real_table.tell(**STATES[state])
    with served(real_table) as shown:
        window = browser.new_context(
            viewport={"width": 1366, "height": 768}, reduced_motion="reduce"
        )
        page = window.new_page()
        for path in ("", "tv"):
            page.goto(shown.url + path)
            live(page)
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)
                assert (theme, []) == (theme, found_in(page))


@pytest.mark.parametrize("dialog", ["Menu", "Cards", "View", "Phones", "New game"])
def test_axe_finds_nothing_serious_in_a_dialog(
    browser: Browser, table: Served, dialog: str
) -> None:
    """The dialogs that open over the page pass, too."""
    if not AXE.exists():
        pytest.skip("needs axe-core (npm install --no-save axe-core@4)")
    window = browser.new_context()
    page = window.new_page()
    page.goto(table.url)
    live(page)
    page.get_by_role("button", name=dialog).click()
    page.locator("dialog[open], #menu:popover-open").wait_for()
    assert [] == found_in(page)


def test_a_chosen_part_has_the_systems_colours(browser: Browser, table: Served) -> None:
    """In forced colours the system's highlight marks the chosen part."""
    window = browser.new_context(forced_colors="active")
    page = window.new_page()
    page.goto(f"{table.url}setup")
    page.evaluate("document.querySelector('nav a').setAttribute('aria-current', 'page')")
    assert page.evaluate("""() => {
        const probe = document.body.appendChild(document.createElement("p"));
        Object.assign(probe.style, { background: "Highlight", forcedColorAdjust: "none" });
        const colour = (one) => getComputedStyle(one).backgroundColor;
        return colour(probe) === colour(document.querySelector("nav a"));
    }""")


@pytest.mark.parametrize("path", ["", "pad", "pad?side=1", "pad?side=3", "counter?side=1", "tv"])
def test_every_button_of_a_page(page: Page, crowded: Served, path: str) -> None:
    """No name pushes a button out of the window."""
    page.goto(crowded.url + path)
    expect(page.locator("#connection[data-state=live], #deck")).to_have_count(1)
    reachable(page, path)


def test_nothing_lies_over_a_request(page: Page, crowded: Served) -> None:
    """A request to be let in can be answered at every size."""
    crowded.do(lambda real_table: real_table.tell(consents=ASKING))
    page.goto(crowded.url)
    banner = page.locator("main > .join-request")
    expect(banner).to_be_visible()
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        assert (width, height, False) == (width, height, banner.evaluate(COVERED))


def test_every_button_of_a_dialog(page: Page, crowded: Served) -> None:
    """A dialog can be scrolled to its end."""
    page.goto(crowded.url)
    expect(page.locator("#connection[data-state=live]")).to_have_count(1)
    for opener in OPENERS:
        page.locator(opener).dispatch_event("click")
        dialog = page.locator("dialog[open]")
        expect(dialog.locator("button, select, summary").nth(1)).to_be_visible()
        reachable(page, opener)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)


def test_every_button_of_a_dealt_hand(page: Page, crowded: Served) -> None:
    """This holds for the sign-up, the board with cards dealt, and the page of a hand."""
    page.goto(crowded.url)
    crowded.do(lambda real_table: real_table.tell(mode={**JOINING, "presets": [""]}))
    expect(page.locator(".sign-up")).to_be_visible()
    reachable(page, "sign-up")
    crowded.do(lambda real_table: real_table.tell(mode=None))
    hand = crowded.hand()
    expect(page.locator("main.dealt")).to_have_count(1)
    reachable(page, "dealt")
    page.goto(hand)
    expect(page.locator("#own button")).to_have_count(5)
    reachable(page, "hand")


@pytest.mark.parametrize(
    ("size", "language"),
    [(size, "fr") for size in (*WIDE, *NARROW)] + [(size, "en") for size in NARROW],
    ids=str,
)
def test_no_text_is_cut_and_none_lies_over_another(
    browser: Browser, size: tuple[int, int], language: str
) -> None:
    """This holds in each phase of an evening; French is longer, English is judged where narrow."""
    with shown(browser, size, language) as (table, pages):
        faults = {}
        for number, phase in enumerate(PHASES, start=101):
            tell(table, number, PHASES[phase])
            for path, page in pages.items():
                expect(page.locator("#hand")).to_contain_text(f"{number}")
                faults[path, phase] = faults_of(page)
        assert {} == {where: found for where, found in faults.items() if found}


def test_a_small_laptop_shows_whose_turn_it_is_and_six_lines(browser: Browser) -> None:
    """The turn has a line of its own, as wide as the column, and the log whole lines."""
    with shown(browser, (1280, 720), "fr") as (table, pages):
        tell(table, 101, PHASES["play"])
        for path, size in (("", "20px"), ("tv", "28.8px")):
            turn = pages[path].locator(".turn")
            expect(turn).to_have_text("À Ambre de jouer")
            expect(turn).to_have_css("font-size", size)
        page = pages[""]
        boxes = page.locator("#demo, .turn").evaluate_all(
            "all => all.map((one) => one.offsetWidth)"
        )
        assert boxes[0] == boxes[1]
        for number, phase in enumerate(("play", "game", "refused"), start=102):
            tell(table, number, PHASES[phase])
            expect(page.locator("#hand")).to_contain_text(f"{number}")
            assert (phase, []) == (phase, faults_of(page))
            assert page.evaluate(WHOLE) >= 6


@pytest.mark.parametrize(("letters", "sides"), [(15, 2), (24, 2), (24, 3), (40, 2)])
def test_long_names_are_whole_on_a_television(browser: Browser, letters: int, sides: int) -> None:
    """They are smaller than short ones while cards are played, and so is the line of the turn.

    A name of at most 24 letters has one line, so that the cards below it keep their height.
    """
    names = {str(side): LONG_NAMES[side][:letters] for side in range(1, sides + 1)}
    standing = {side: stand("trap-130:3" if side == "2" else 262, pending=6) for side in names}
    with shown(browser, (1280, 720), "en", names) as (table, pages):
        page = pages["tv"]
        for number, phase in enumerate(("play", "show", "count", "muggins"), start=101):
            tell(table, number, {**PHASES[phase], "table": {"sides": standing}})
            expect(page.locator("#hand")).to_contain_text(f"{number}")
            for width, height in ((1280, 720), (1920, 1080)):
                page.set_viewport_size({"width": width, "height": height})
                assert (phase, width, []) == (phase, width, faults_of(page))
                if letters <= ONE_LINE:
                    lines, cards = zip(*page.evaluate(ROWS), strict=True)
                    assert (1,) * sides == lines
                    assert min(cards) >= LEAST_CARD


def test_a_sign_up_with_long_names_leaves_the_scores_free(browser: Browser) -> None:
    """On a television the banner and the names beside the scores are then smaller."""
    names = {str(side): LONG_NAMES[side] for side in (1, 2)}
    with shown(browser, (1366, 768), "en", names) as (table, pages):
        page = pages["tv"]
        for number, phase in enumerate(("game", "sign-up"), start=101):
            tell(table, number, PHASES[phase])
            expect(page.locator("#hand")).to_contain_text(f"{number}")
            assert (phase, []) == (phase, faults_of(page))
        page.set_viewport_size({"width": 1024, "height": 768})
        assert [] == faults_of(page)
