"""The page's parts have their shares of the window; zoom and pan of the board."""

from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.companion.web.table.test_page import lamp
from tests.support.browser import Served, faultless, live, opened, served
from tests.support.real_table import RealTable, entry, stand

LAPTOPS = [(1280, 720), (1366, 768), (1440, 900), (1920, 1080)]
SMALL = [(1024, 768), (390, 844), (844, 390)]
NUMBER_GAP_MM = 9.5
"""Distance between the holes of two lanes."""
BAR_PX = 44
"""Height of the bar below the board, whatever face the system has."""
COLOURS = ("#ffb000", "#ffffff", "#ff5cff")
MEASURE = """() => {
    const box = (element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return [left, top, right, bottom];
    };
    const parts = [...document.querySelectorAll("[data-part]")];
    const [log, tools] = ["log", "tools"].map((p) => document.querySelector(`[data-part=${p}]`));
    return {
        boxes: Object.fromEntries(parts.map((part) => [part.dataset.part, box(part)])),
        words: box(document.querySelector(".word, .tv .masthead")),
        buttons: [...document.querySelectorAll("[data-button]")].map(box),
        line: parseFloat(getComputedStyle(log).lineHeight),
        beyond: tools?.scrollWidth - tools?.clientWidth,
        scroll: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
        letters: [...document.querySelectorAll(".lettering text")]
            .filter((text) => getComputedStyle(text).visibility === "visible")
            .map((text) => parseFloat(getComputedStyle(text).fontSize)),
    };
}"""

LINES = """(elements) => elements.map((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getClientRects().length;
})"""


def table_of(sides: int, language: str, board: str, letters: int = 30) -> RealTable:
    """Serve a table in the middle of a game, with side names of this length."""
    real_table = RealTable(sides=sides, language=language, board=board)
    for side, colour in enumerate(COLOURS[:sides], start=1):
        real_table.name(
            side, f"{'Bartholomea of Great Wishford ' * 2}"[: letters - 1] + str(side), colour
        )
    standing = {str(side): stand(10 * side, pending=6) for side in range(1, sides + 1)}
    real_table.tell(seq=1, table={"sides": standing, "hand": 3})
    real_table.accept(*(entry(seq, f"Counts {seq}.") for seq in range(1, 9)))
    return real_table


def measured(page: Page, size: tuple[int, int]) -> dict[str, Any]:
    """Return the boxes of the parts in a window of this size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found: dict[str, Any] = page.evaluate(MEASURE)
    return found


def share(box: list[float], size: tuple[int, int]) -> float:
    """Return the share of the window that a box covers."""
    return (box[2] - box[0]) * (box[3] - box[1]) / (size[0] * size[1])


def overlap(a: list[float], b: list[float]) -> bool:
    """Return True if two boxes overlap."""
    return min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 1


def say_much(table: Served, sides: int) -> None:
    """Fill every place of the page with its longest text."""
    boxed = {str(side): stand("trap-130:3", boxed=2, pending=29) for side in range(1, sides + 1)}
    boxes = {str(side): {"hands": 2, "may_move": True} for side in range(1, sides + 1)}
    line = "Nothing is pending here, and that is told at some length, since there is a reason"
    news: dict[str, Any] = {
        "hint": {"kind": "nothing-pending", "team": 1},
        "notices": [line],
        "saved": False,
    }
    match = {"games": {str(side): 3 for side in range(1, sides + 1)}, "to": 7, "winner": None}
    table.do(lambda real_table: real_table.tell(feedback=line, match=match, boxes=boxes, **news))
    table.do(lambda real_table: real_table.tell(seq=2, table={"sides": boxed}))
    table.do(lambda real_table: real_table.accept(entry(9, line), entry(10, line)))


def lettering(page: Page, size: tuple[int, int]) -> dict[str, float]:
    """Return the visible texts of the sheet in a window of this size, with their widths in mm."""
    measured(page, size)
    texts: dict[str, float] = page.evaluate(
        """() => {
            const view = document.querySelector("[data-part=board] svg").viewBox.baseVal;
            const scale = view.width / document.querySelector("[data-part=board]").clientWidth;
            const shown = [...document.querySelectorAll(".lettering text")]
                .filter((text) => text.checkVisibility({ visibilityProperty: true }));
            return Object.fromEntries(
                shown.map((text) => [text.textContent, text.getBBox().width * scale])
            );
        }"""
    )
    return texts


def is_laptop(found: dict[str, Any], size: tuple[int, int], *, lines: int = 5) -> None:
    """Check the window of a laptop or a television."""
    boxes = found["boxes"]
    assert {"board", "log", "panel", "tools"} == boxes.keys()
    assert share(boxes["board"], size) >= 0.45
    assert boxes["log"][3] - boxes["log"][1] >= lines * found["line"]
    assert BAR_PX == boxes["tools"][3] - boxes["tools"][1]
    assert found["beyond"] == 0
    assert list(size) == found["scroll"]
    assert not [pair for pair in combinations(boxes, 2) if overlap(*(boxes[part] for part in pair))]
    assert min(found["letters"]) >= 11


def is_small(found: dict[str, Any], size: tuple[int, int]) -> None:
    """Check the window of a phone or a tablet: nothing covers the board."""
    boxes = found["boxes"]
    assert size[0] == found["scroll"][0]
    assert found["beyond"] == 0
    assert not [part for part in boxes if part != "board" and overlap(boxes["board"], boxes[part])]
    assert not overlap(boxes["board"], found["words"])
    assert all(letters >= 11 for letters in found["letters"])


def on_screen(page: Page, place: tuple[float, float]) -> tuple[float, float]:
    """Return a place of the sheet in pixels of the window."""
    return all_on_screen(page, [place])[0]


def all_on_screen(page: Page, places: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return places of the sheet in pixels of the window."""
    found = page.evaluate(
        """(places) => {
            const drawing = document.querySelector("[data-part=board] svg");
            const matrix = drawing.getScreenCTM();
            return places.map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix))
                .map(({ x, y }) => [x, y]);
        }""",
        list(map(list, places)),
    )
    return [(x, y) for x, y in found]


def middle(page: Page, where: str) -> tuple[float, float]:
    """Return the middle of an element in pixels of the window."""
    box = page.locator(where).first.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


VIEW = """document.querySelector("[data-part=board] svg").getAttribute("viewBox")
    .split(" ").map(Number)"""
COVERED = """() => [...document.querySelectorAll(".sheet .holes circle")].filter((circle) => {
    const { left, top, width, height } = circle.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    return seen && !seen.closest(".sheet");
}).length"""


def view(page: Page) -> list[float]:
    """Return the visible part of the sheet: left, top, width, height in millimetres."""
    seen: list[float] = page.evaluate(VIEW)
    return seen


def factor(page: Page, button: str) -> str | None:
    """Press a button. Return the zoom that is shown then."""
    page.get_by_role("button", name=button, exact=True).click()
    return page.locator("[data-zoom=reset]").get_attribute("data-factor")


@pytest.mark.parametrize(
    ("sides", "language", "board"),
    [(2, "en", "crib-wars"), (3, "fr", "crib-wars"), (3, "en", "classic")],
)
def test_the_board_is_the_screen(browser: Browser, sides: int, language: str, board: str) -> None:
    """At every size the board has its share, parts do not overlap, and no text moves them."""
    with served(table_of(sides, language, board)) as table:
        page = browser.new_page(locale=language)
        page.goto(table.url)
        expect(page.locator("#events li")).to_have_count(8)
        before = {size: measured(page, size) for size in (*LAPTOPS, *SMALL)}
        for size in LAPTOPS:
            is_laptop(before[size], size)
        for size in SMALL:
            is_small(before[size], size)
        say_much(table, sides)
        expect(page.locator(".side.hinted .hint")).to_have_count(1)
        for size in LAPTOPS:
            after = measured(page, size)
            is_laptop(after, size)
            assert before[size]["buttons"] == after["buttons"]
            assert before[size]["boxes"]["panel"] == after["boxes"]["panel"]
        page.evaluate("localStorage.adviser = 'on'")
        page.reload()
        for size in LAPTOPS:
            is_laptop(measured(page, size), size)


def test_a_phone_has_everything_at_one_tap(browser: Browser) -> None:
    """The menu below the board has the buttons of the bar, too, and all are in view."""
    with served(table_of(2, "en", "crib-wars")) as table:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(table.url)
        page.get_by_role("button", name="Menu").first.click()
        for name in ("New game", "Cards", "Phones", "Correct", "Demo", "Referee", "How to play"):
            entry = page.locator("#menu").get_by_role("button", name=name)
            expect(entry).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_dealt_cards_leave_room_for_the_log(browser: Browser, language: str) -> None:
    """Five lines are visible even with the cards of three sides, and four below a refusal."""
    with served(table_of(3, language, "crib-wars")) as table:
        table.hand()
        page = browser.new_page(locale=language)
        page.goto(table.url)
        expect(page.locator("main.dealt")).to_have_count(1)
        for size in LAPTOPS:
            is_laptop(measured(page, size), size)
        say_much(table, 3)
        table.do(lambda real_table: real_table.tell(saved=True))
        expect(page.locator("#unsaved")).to_be_hidden()
        expect(page.locator("#feedback")).to_be_visible()
        for size in LAPTOPS:
            is_laptop(measured(page, size), size, lines=4)


def test_the_page_has_the_lettering_of_the_sheet(browser: Browser) -> None:
    """A phone has the title, a laptop the numbers, a larger board the names, then the sentences."""
    with served(table_of(2, "en", "crib-wars")) as table:
        page = opened(browser, table)
        page.wait_for_function("() => document.fonts.check(`500 1em 'Crib Wars Text'`)")
        page.wait_for_function("() => document.fonts.check(`700 1em 'Crib Wars Text'`)")
        page.wait_for_function("() => document.fonts.check(`1em 'Crib Wars Title'`)")
        assert ["CRIB WARS"] == list(lettering(page, (390, 844)))
        laptop = lettering(page, (1366, 768))
        assert {"CRIB WARS", "START", "FINISH", "DEALER", "SKUNK", "120", "315"} <= laptop.keys()
        assert "TIME TRAP" not in laptop
        wide = [text for text, width in laptop.items() if text.isdigit() and width > NUMBER_GAP_MM]
        assert {} == {t: laptop[t] for t in wide}
        large = lettering(page, (2560, 1440))
        assert {"TIME TRAP", "DOUBLE"} <= large.keys()
        assert "The zones" not in large
        expect(page.locator(".note rect").first).to_be_hidden()
        wall = lettering(page, (3840, 2160))
        assert {"The zones", "At once 20 holes on.", "The sides", "Counting"} <= wall.keys()
        expect(page.locator(".note rect").first).to_be_visible()


def test_without_the_web_fonts_the_lettering_is_whole(browser: Browser) -> None:
    """If the network refuses the fonts, the page has the same texts in others, and no error."""
    with (
        served(table_of(2, "en", "crib-wars")) as table,
        faultless(browser, requests_fail=True) as page,
    ):
        page.route("**/*.woff2", lambda route: route.abort())
        page.goto(table.url)
        live(page)
        assert {"CRIB WARS", "START", "FINISH", "120"} <= lettering(page, (1366, 768)).keys()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_keys_of_a_pad_never_move(browser: Browser, language: str) -> None:
    """The buttons stay in place with any text above them."""
    keys = "all => all.map((key) => JSON.stringify(key.getBoundingClientRect()))"
    with served(table_of(3, language, "crib-wars")) as table:
        page = browser.new_page(locale=language, viewport={"width": 390, "height": 844})
        page.goto(table.url + "pad?side=1")
        expect(page.locator("#told li")).to_have_count(1)
        expect(page.locator("#others li")).to_have_count(2)
        before = page.locator("[data-part=keys] .key").evaluate_all(keys)
        say_much(table, 3)
        expect(page.locator("#unsaved")).to_be_visible()
        assert before == page.locator("[data-part=keys] .key").evaluate_all(keys)


@pytest.mark.parametrize("board", ["crib-wars", "classic"])
def test_a_television_has_the_board_and_no_buttons(browser: Browser, board: str) -> None:
    """From 1280 px on the board has 62 % or more, beside scores, match and log."""
    with served(table_of(3, "en", board)) as table:
        page = browser.new_page()
        page.goto(table.url + "tv")
        expect(page.locator("#events li")).to_have_count(8)
        for size in LAPTOPS:
            found = measured(page, size)
            assert share(found["boxes"]["board"], size) >= 0.62
            assert not overlap(found["boxes"]["board"], found["boxes"]["log"])
            assert list(size) == found["scroll"]
        expect(page.get_by_role("button")).to_have_count(0)
        expect(page.locator("#scores .hole")).to_have_text(["10", "20", "30"])


@pytest.mark.parametrize("size", LAPTOPS)
def test_a_television_breaks_no_usual_name(browser: Browser, size: tuple[int, int]) -> None:
    """A word of eleven letters stays in one line beside the chance to win."""
    with served(table_of(2, "en", "crib-wars", letters=11)) as table:
        table.do(lambda real_table: real_table.tell(win_chances={"1": 0, "2": 1}))
        page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        page.goto(table.url + "tv")
        expect(page.locator("#scores .chance")).to_have_count(2)
        lines = page.locator("#scores .name").evaluate_all(LINES)
        assert [1, 1] == lines


def test_a_television_outlives_its_table(browser: Browser) -> None:
    """Another table at the same address is shown without any action at the television."""
    with served(RealTable(sides=2)) as table:
        page = browser.new_page()
        page.goto(table.url + "tv")
        live(page)
    with served(RealTable(sides=3), port=table.port):
        expect(page.locator("#scores li")).to_have_count(3)
        live(page)


def test_a_zone_a_hole_and_a_lamp_say_what_they_are(browser: Browser) -> None:
    """The place under mouse or finger is named, with its effect."""
    with served(RealTable(board="crib-wars")) as table:
        page = opened(browser, table)
        tip = page.locator(".tip")
        for place, words in (
            (table.real_table.places[1, 22], "Hole 22, lane 1. Penalty box: "),
            (table.real_table.places[2, 43], "Hole 43, lane 2. Red slide: "),
            (table.real_table.places[3, 60], "Hole 60, lane 3"),
        ):
            page.mouse.move(*on_screen(page, place))
            expect(tip).to_contain_text(words)
        page.mouse.move(*middle(page, ".lamp.start circle"))
        expect(tip).to_contain_text("Start of lane 1")
        page.mouse.move(0, 0)
        expect(tip).to_be_hidden()


def test_a_browser_s_zoom_covers_no_hole(browser: Browser) -> None:
    """At 200 %, windows of usual screens have half their size; the buttons stay off the board."""
    with served(RealTable(board="crib-wars")) as table:
        page = opened(browser, table)
        expect(page.locator(".sheet .holes").first).to_be_attached()
        for width, height in ((683, 384), (640, 360), (960, 540), (512, 384), (740, 360)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(COVERED) == 0, (width, height)


def test_buttons_zoom_and_say_why_they_cannot(page: Page) -> None:
    """They zoom in steps up to eight times; another button shows the whole board."""
    whole = view(page)
    reset = page.get_by_role("button", name="The whole board")
    expect(reset).to_be_disabled()
    expect(reset).to_have_attribute("title", "This is the whole board")
    assert "1.5" == factor(page, "Zoom in")
    assert pytest.approx(whole[2] / 1.5) == view(page)[2]
    while page.get_by_role("button", name="Zoom in").is_enabled():
        factor(page, "Zoom in")
    assert pytest.approx(whole[2] / 8) == view(page)[2]
    assert "1" == factor(page, "The whole board")
    assert whole == view(page)


def test_the_wheel_zooms_about_the_pointer_and_light_follows(page: Page, table: Served) -> None:
    """The hole under the pointer stays there, keeps its name, and is lit there."""
    table.do(lambda real_table: real_table.light({(1, 20): (255, 0, 0)}))
    hole = table.real_table.places[1, 20]
    place = on_screen(page, hole)
    page.mouse.move(*place)
    page.mouse.wheel(0, -300)
    expect(page.locator("[data-zoom=reset]")).not_to_have_attribute("data-factor", "1")
    assert pytest.approx(place, abs=3) == on_screen(page, hole)
    place = on_screen(page, hole)
    page.mouse.move(*place)
    expect(page.locator(".tip")).to_contain_text("Hole 20, lane 1")
    assert lamp(page, hole)[0] > 200
    page.mouse.move(place[0] + 60, place[1] + 40)
    page.mouse.down()
    page.mouse.move(place[0] + 80, place[1] + 50, steps=4)
    page.mouse.up()
    moved = on_screen(page, hole)
    assert pytest.approx((place[0] + 20, place[1] + 10), abs=2) == moved


def test_keys_zoom_and_pan(page: Page) -> None:
    """Plus and minus zoom, 0 shows all, and the arrows stop at the sheet's edge."""
    whole = view(page)
    page.keyboard.press("+")
    page.keyboard.press("+")
    near = view(page)
    assert near[2] < whole[2]
    page.keyboard.press("ArrowRight")
    assert view(page)[0] > near[0]
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    assert pytest.approx(whole[0] + whole[2]) == view(page)[0] + view(page)[2]
    page.keyboard.press("-")
    assert view(page)[2] > near[2]
    page.keyboard.press("0")
    assert whole == view(page)


def test_two_fingers_zoom_and_one_pans(browser: Browser) -> None:
    """Fingers moving apart zoom in, and the place between them stays there."""
    with served(RealTable(board="crib-wars")) as table:
        page = opened(
            browser, table, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
        )
        touch = page.context.new_cdp_session(page)

        def mock_panel(kind: str, *points: tuple[float, float]) -> None:
            touch.send(
                "Input.dispatchTouchEvent",
                {
                    "type": kind,
                    "touchPoints": [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)],
                },
            )

        whole = view(page)
        hole = table.real_table.places[1, 200]
        x, y = on_screen(page, hole)
        mock_panel("touchStart", (x - 20, y), (x + 20, y))
        for spread in (25, 30, 40, 50, 60):
            mock_panel("touchMove", (x - spread, y), (x + spread, y))
        mock_panel("touchEnd")
        assert pytest.approx(whole[2] / 3, rel=0.02) == view(page)[2]
        assert pytest.approx((x, y), abs=3) == on_screen(page, hole)
        before = view(page)
        mock_panel("touchStart", (x, y))
        for step in (10, 20, 40):
            mock_panel("touchMove", (x - step, y))
        mock_panel("touchEnd")
        assert view(page)[0] > before[0]
