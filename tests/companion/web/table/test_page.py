"""The page in a real browser: what it shows, and what it survives."""

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.browser import Served, fetched, live, opened, served, served_anew
from tests.support.real_table import RealTable, entry, stand

LAMP = """async ([x, y, wanted]) => {
    const canvas = document.getElementById("holes");
    const drawing = canvas.parentElement.querySelector("svg");
    const sheet = drawing.getBoundingClientRect();
    const own = canvas.getBoundingClientRect();
    const { x: left, y: top, width } = drawing.viewBox.baseVal;
    const scale = sheet.width / width;
    const [at, down] = [sheet.left + (x - left) * scale, sheet.top + (y - top) * scale];
    const seen = () => [...canvas.getContext("2d").getImageData(
        Math.round((at - own.left) * canvas.width / own.width),
        Math.round((down - own.top) * canvas.height / own.height), 1, 1).data];
    const lit = () => seen()[3] > 0;
    while (lit() !== wanted) await new Promise(requestAnimationFrame);
    return seen();
}"""
"""The canvas's red, green, blue and alpha at a place in millimetres, once it is lit (or dark)."""

HIDE = """(state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def lamp(page: Page, place: tuple[float, float], *, lit: bool = True) -> list[int]:
    """Return the canvas's colour at a place in millimetres, once it is lit, or dark."""
    seen: list[int] = page.evaluate(LAMP, [*place, lit])
    return seen


def test_a_frame_is_light_at_the_leds_place(page: Page, table: Served) -> None:
    """Each LED shines in its colour where its hole is printed, and goes out again."""
    red, ember = table.real_table.places[1, 20], table.real_table.places[2, 60]
    table.do(lambda real_table: real_table.light({(1, 20): (255, 0, 0), (2, 60): (0, 2, 0)}))
    seen = lamp(page, red)
    assert seen[0] > 200
    assert seen[0] > seen[1]
    assert lamp(page, table.real_table.places[3, 90], lit=False)[3] == 0
    faint = lamp(page, ember)
    assert faint[3] > 40
    assert (0, 0) == (faint[0], faint[2])
    table.do(lambda real_table: real_table.light({}))
    assert lamp(page, red, lit=False)[3] == 0


def test_light_swells_where_motion_is_to_be_reduced(page: Page, table: Served) -> None:
    """A lamp that lights at once on the board swells and fades slowly on the page."""
    page.emulate_media(reduced_motion="reduce")
    place = table.do(lambda real: real.places[1, 20])
    table.do(lambda real: real.light({(1, 20): (255, 0, 0)}))
    first = lamp(page, place)[3]
    assert 0 < first < 230
    while lamp(page, place)[3] < first + 20:
        pass
    table.do(lambda real: real.light({}))
    assert lamp(page, place)[3] > 0
    assert 0 == lamp(page, place, lit=False)[3]


def test_news_are_shown_in_numbers_and_words(page: Page, table: Served) -> None:
    """The page shows pegs, pending counts, the last count with its rule, and the lead."""
    sides = {"1": stand(42, pending=6, progress=42), "2": stand("trap-130:2", progress=107)}
    events = [
        {"kind": "counted", "team": 1, "from": 36, "to": 42, "points": 6, "rule": "P7"},
        {"kind": "slid", "team": 1, "from": 42, "to": 62, "rule": "Z2"},
    ]
    table.do(lambda real_table: real_table.tell(seq=1, table={"sides": sides, "hand": 3}))
    table.do(
        lambda real_table: real_table.accept(
            entry(1, "Amber counts six, and slides to 62.", *events)
        )
    )
    expect(page.locator("[data-side='1'] .front")).to_have_text("42")
    expect(page.locator("[data-side='1'] .pending")).to_have_text("+6")
    expect(page.locator("[data-side='2'] .front")).to_have_text("trap 2")
    expect(page.locator("[data-side='2'] .state")).to_have_text("on the blue path")
    said = "Amber counts six, and slides to 62. P7 Z2"
    expect(page.locator("#events li")).to_have_text([said])
    expect(page.locator("#leader")).to_have_text("White leads by 65")
    expect(page.locator("#hand")).to_have_text("Hand 3, Amber deals")


def test_warnings_and_the_winner_are_shown(page: Page, table: Served) -> None:
    """Notices, refusals, an unwritable journal and the win are on the page."""
    expect(page.locator("#unsaved")).to_be_hidden()
    say = {"notices": ["the card is full"], "saved": False, "feedback": "White has folded (Z5)"}
    table.do(lambda real_table: real_table.tell(table={"winner": 2}, **say))
    expect(page.locator("#notices li")).to_have_text(["the card is full"])
    expect(page.locator("#unsaved")).to_be_visible()
    expect(page.locator("#feedback")).to_have_text("White has folded (Z5)")
    expect(page.locator("#win-title")).to_have_text("White wins")


def with_bad_colour(route: Route) -> None:
    """Respond as the server does, but with a colour that is not one value."""
    answer = fetched(route)
    facts = answer.json()
    facts["teams"]["1"]["colour"] = "red; background: url(//elsewhere.example)"
    route.fulfill(response=answer, json=facts)


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "<script>alert(1)</script>"])
def test_text_is_text(browser: Browser, text: str) -> None:
    """Names, notices and events are shown as they are, and never become markup."""
    real_table = RealTable()
    real_table.name(1, text)
    event = {"kind": text, "team": 1, "from": text, "to": text, "rule": text}
    real_table.tell(notices=[text], feedback=text, table={"winner": 1})
    real_table.accept(entry(1, text, event))
    with served(real_table) as table:
        page = browser.new_context().new_page()
        page.route("**/api/about", with_bad_colour)
        page.goto(table.url)
        live(page)
        expect(page.locator("[data-side='1'] .name")).to_have_text(text)
        expect(page.locator("#notices li")).to_have_text([text])
        expect(page.locator("#feedback")).to_have_text(text)
        expect(page.locator("#win-title")).to_have_text(f"{text} wins")
        expect(page.locator("#events li")).to_contain_text(text)
        expect(page.locator("main img")).to_have_count(0)
        expect(page.locator("main script")).to_have_count(0)
        page.context.close()


def test_the_page_comes_back_by_itself(browser: Browser) -> None:
    """The page says that the server is gone, and reloads when another one runs there."""
    with served(RealTable()) as table:
        page = opened(browser, table)
    expect(page.locator("#connection")).not_to_have_text("Live")
    real_table = RealTable()
    real_table.tell(seq=9, table={"sides": {"1": stand(77), "2": stand(70)}})
    real_table.light({(1, 77): (255, 255, 255)})
    with served_anew(page, real_table, port=table.port):
        expect(page.locator("[data-side='1'] .front")).to_have_text("77")
        assert lamp(page, real_table.places[1, 77])[0] > 200
        page.context.close()


def test_another_table_at_the_same_place_is_loaded_anew(browser: Browser) -> None:
    """After a restart with other sides the page shows these."""
    with served(RealTable(sides=2)) as table:
        page = opened(browser, table)
    with served(RealTable(sides=3), port=table.port):
        expect(page.get_by_role("heading", name="Magenta")).to_be_visible()
        page.context.close()


def test_a_hidden_page_closes_its_stream(page: Page, table: Served) -> None:
    """A hidden page costs nothing, and is current again when it is shown."""
    page.evaluate(HIDE, "hidden")
    table.until(lambda real_table: real_table.watchers == 0)
    page.evaluate(HIDE, "visible")
    table.until(lambda real_table: real_table.watchers == 1)
    live(page)


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (1366, 768), (1920, 1080)])
def test_it_fits_from_a_phone_to_a_television(browser: Browser, width: int, height: int) -> None:
    """Nothing is cut off at the side, and the buttons of three sides fit a finger."""
    with served(RealTable(sides=3)) as table:
        page = opened(browser, table, viewport={"width": width, "height": height})
        assert width >= page.evaluate("document.documentElement.scrollWidth")
        for button in page.get_by_role("button").all():
            box = button.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 44
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
        page.context.close()
