"""Texts of the board's page and of the television are whole, and none lies over another."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.companion.web.table.test_demo_page import demo, hand
from tests.companion.web.test_small_windows import ASKING
from tests.support.browser import Served, served
from tests.support.real_table import RealTable, entry, stand

SIZES = (
    *((3840, 2160), (1920, 1080), (1440, 900), (1366, 768), (1280, 720), (1024, 768)),
    *((390, 844), (844, 390)),
)
LINES = {
    "en": "White counts fifteen, to 42, and slides to 62.",
    "fr": "Blanc compte quinze, jusqu'à 42.",
}
LONG_NAMES = {
    1: "The Bartholomews from the far North West",
    2: "Christopher and Alexandra of Lakeside Rd",
}
NO_NAMES: Mapping[str, str] = MappingProxyType({})
FACES = [hand(2, "4C 6C 7D AH"), hand(1, "TH TS 2D KC")]
BACKS = [hand(2, "-- -- -- -- -- --"), hand(1, "-- -- -- -- -- --")]
PLAYED = [hand(2, "4C -- -- --", played="4C"), hand(1, "TH TS -- --", played="TH TS")]
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


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_no_text_is_cut_and_none_lies_over_another(
    browser: Browser, size: tuple[int, int], language: str
) -> None:
    """This holds in each phase of an evening."""
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


@pytest.mark.parametrize("letters", [24, 40])
def test_long_names_are_whole_on_a_television(browser: Browser, letters: int) -> None:
    """They are smaller than short ones while cards are played, and so is the line of the turn."""
    names = {str(side): name[:letters] for side, name in LONG_NAMES.items()}
    with shown(browser, (1366, 768), "en", names) as (table, pages):
        page = pages["tv"]
        for number, phase in enumerate(("play", "show", "count", "muggins"), start=101):
            tell(table, number, PHASES[phase])
            expect(page.locator("#hand")).to_contain_text(f"{number}")
            assert (phase, []) == (phase, faults_of(page))


def faults_of(page: Page) -> list[str]:
    """Return the faults that stay once what moves and what is still loaded have had their time."""
    faults: list[str] = page.evaluate(LASTING, REST_MS)
    return faults


@contextmanager
def shown(
    browser: Browser, size: tuple[int, int], language: str, names: Mapping[str, str] = NO_NAMES
) -> Iterator[tuple[Served, dict[str, Page]]]:
    """Serve a table of two sides with dealt cards; show its page and its television."""
    real_table = RealTable(sides=2, language=language, board="crib-wars", names=dict(names))
    counted = {"kind": "counted", "team": 2, "from": 27, "to": 42, "points": 15, "rule": "P7"}
    real_table.accept(*(entry(seq, LINES[language], counted) for seq in range(1, 30)))
    with served(real_table) as table:
        table.hand("person", "regular")
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
