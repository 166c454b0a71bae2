"""The page in a real browser: what it shows and survives, its buttons, and settings of a device."""

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.companion.web.test_accessible import dealt
from tests.support.browser import (
    TOOLS,
    Served,
    fetched,
    live,
    opened,
    served,
    served_anew,
    stop_clock,
)
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


def with_bad_colour(route: Route) -> None:
    """Respond as the server does, but with a colour that is not one value."""
    answer = fetched(route)
    facts = answer.json()
    facts["teams"]["1"]["colour"] = "red; background: url(//elsewhere.example)"
    route.fulfill(response=answer, json=facts)


INK = "getComputedStyle(document.body).color"


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


def test_another_table_at_the_same_place_is_loaded_anew(browser: Browser) -> None:
    """After a restart with other sides the page shows these."""
    with served(RealTable(sides=2)) as table:
        page = opened(browser, table)
    with served(RealTable(sides=3), port=table.port):
        expect(page.get_by_role("heading", name="Magenta")).to_be_visible()


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


def test_a_press_by_mouse_reaches_the_pin(page: Page, table: Served) -> None:
    """The button is down while the mouse holds it, and looks pressed."""
    button = page.get_by_role("button", name="Amber, +1")
    button.hover()
    page.mouse.down()
    assert table.felt(("1.plus_one", True))
    expect(button).to_have_class("arcade plus_one down")
    page.mouse.up()
    assert table.felt(("1.plus_one", True), ("1.plus_one", False))
    expect(button).to_have_class("arcade plus_one")


def test_a_press_slips_off_the_button(page: Page, table: Served) -> None:
    """A release beside the button releases it, too."""
    page.get_by_role("button", name="mode").hover()
    page.mouse.down()
    assert table.felt(("mode", True))
    page.mouse.move(5, 5)
    page.mouse.up()
    assert table.felt(("mode", True), ("mode", False))


def test_keys_press_from_anywhere(page: Page, table: Served) -> None:
    """A held key is one press however often it repeats; space deals, even after a click."""
    page.get_by_role("button", name="White, undo").click()
    assert table.felt(("2.undo", True), ("2.undo", False))
    for _ in range(3):
        page.keyboard.down("e")
    page.keyboard.up("e")
    presses = [("2.undo", True), ("2.undo", False), ("1.enter", True), ("1.enter", False)]
    assert table.felt(*presses)
    page.keyboard.press("Space")
    assert table.felt(*presses, ("deal", True), ("deal", False))


@pytest.mark.parametrize(
    ("code", "key", "button"),
    [("KeyQ", "a", "1.plus_one"), ("KeyZ", "w", "3.plus_one"), ("KeyA", "ф", "2.plus_one")],
    ids=["AZERTY", "AZERTY, lower row", "Cyrillic"],
)
def test_keys_press_by_their_place(browser: Browser, code: str, key: str, button: str) -> None:
    """The letters on them may differ: the browser knows these, and the buttons show them."""
    layout = f"navigator.keyboard.getLayoutMap = async () => new Map([['{code}', '{key}']])"
    with served(RealTable(sides=3)) as table:
        context = browser.new_context()
        context.add_init_script(layout)
        page = context.new_page()
        page.goto(table.url)
        live(page)
        for event in ("keyDown", "keyUp"):
            keyboard = context.new_cdp_session(page)
            keyboard.send("Input.dispatchKeyEvent", {"type": event, "code": code, "key": key})
        assert table.felt((button, True), (button, False))
        shown = page.locator(f"[data-button='{button}']")
        expect(shown).to_have_attribute("aria-keyshortcuts", key.upper())


def test_keys_rest_after_a_load(browser: Browser, table: Served) -> None:
    """They act after a second without a key, so that typing during the load presses nothing."""
    page = browser.new_page()
    stop_clock(page)
    page.goto(table.url)
    expect(page.locator("#connection")).to_have_text("Live")
    for key in "qwas":
        page.keyboard.press(key)
        page.clock.run_for(900)
    expect(page.locator("html")).to_have_class("single-keys-rest")
    page.clock.run_for(100)
    live(page)
    page.keyboard.press("w")
    assert table.felt(("1.plus_five", True), ("1.plus_five", False))


def test_a_focused_button_is_pressed_by_the_space_bar(page: Page, table: Served) -> None:
    """Tab moves the focus, and space presses the focused button."""
    page.get_by_role("button", name="White, enter").focus()
    page.keyboard.press("Space")
    assert table.felt(("2.enter", True), ("2.enter", False))


def test_a_screen_reader_presses_by_a_click_alone(page: Page, table: Served) -> None:
    """A click without pointer or key, as assistive programs make it, is a short press."""
    page.get_by_role("button", name="Amber, +5").dispatch_event("click")
    assert table.felt(("1.plus_five", True), ("1.plus_five", False))


def test_a_window_that_loses_the_focus_lets_up(page: Page, table: Served) -> None:
    """A window in the background may miss the key's release."""
    page.keyboard.down("m")
    assert table.felt(("mode", True))
    page.evaluate("dispatchEvent(new Event('blur'))")
    assert table.felt(("mode", True), ("mode", False))


def test_a_closed_page_lets_up(browser: Browser, table: Served) -> None:
    """If a page is closed while it holds a button, the end of its stream releases it."""
    page = opened(browser, table)
    page.keyboard.down("m")
    assert table.felt(("mode", True))
    page.context.close()
    assert table.felt(("mode", True), ("mode", False))


def test_a_finger_presses_and_holds(browser: Browser, table: Served) -> None:
    """A touch is a press for as long as it lasts."""
    page = opened(browser, table, has_touch=True, is_mobile=True)
    box = page.get_by_role("button", name="Amber, enter").bounding_box()
    assert box
    at = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + 20}]
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
    assert table.felt(("1.enter", True))
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert table.felt(("1.enter", True), ("1.enter", False))


def test_without_a_mock_panel_there_is_nothing_to_press(browser: Browser) -> None:
    """With real buttons the panel shows only numbers, but the table can be run."""
    with served(RealTable(mock=False)) as table:
        page = opened(browser, table)
        expect(page.locator(".front")).to_have_count(2)
        expect(page.locator("#panel .arcade")).to_have_count(0)
        expect(page.locator("#panel img")).to_have_count(0)
        buttons = page.locator(".tools").get_by_role("button")
        expect(buttons).to_have_text(TOOLS)


def test_a_table_with_real_buttons_shows_the_codes_of_its_pads(browser: Browser) -> None:
    """On its own screen each side has a code to scan in place of buttons."""
    with served(RealTable(mock=False), everywhere=True) as table:
        page = opened(browser, table)
        codes = page.locator("#panel").get_by_role("img")
        expect(codes).to_have_count(2)
        expect(codes.first).to_have_accessible_name("Code to scan: Amber's score pad")
        expect(codes.last).to_have_attribute("src", "/qr.svg?side=2")


def test_whoever_only_watches_has_nothing_to_press(browser: Browser) -> None:
    """A page on another machine shows numbers, how to be let in, and harmless tools."""
    with served(RealTable(), everywhere=True) as table:
        page = browser.new_page()
        page.goto(table.far)
        live(page)
        expect(page.locator(".front")).to_have_count(2)
        expect(page.locator("#panel .arcade")).to_have_count(0)
        tools = page.locator(".tools").get_by_role("button")
        expect(tools).to_have_text(["Phones", "Join", "Menu", "View"])
        page.get_by_role("button", name="Menu").click()
        expect(page.get_by_role("link", name="Score pad")).to_be_visible()


def test_every_button_has_its_name_and_its_key(page: Page) -> None:
    """A screen reader gets the side of a button, and the key that presses it."""
    names = {
        button.get_attribute("aria-label"): button.get_attribute("aria-keyshortcuts")
        for button in page.locator("#panel .arcade").all()
    }
    assert names == {
        "Amber, +1": "Q",
        "Amber, +5": "W",
        "Amber, Enter": "E",
        "Amber, Undo": "R",
        "White, +1": "A",
        "White, +5": "S",
        "White, Enter": "D",
        "White, Undo": "F",
        "Deal": "Space",
        "Mode": "M",
    }


def test_the_theme_is_the_devices_until_one_is_chosen(browser: Browser, table: Served) -> None:
    """A choice survives a reload, applies to every page, and can be reset."""
    page = opened(browser, table, color_scheme="light")
    theme = page.locator("html")
    expect(theme).to_have_attribute("data-theme", "light")
    dark = page.evaluate(INK)
    page.emulate_media(color_scheme="dark")
    expect(theme).to_have_attribute("data-theme", "dark")
    assert dark != page.evaluate(INK)
    page.get_by_role("button", name="View").click()
    choice = page.get_by_role("dialog", name="View").get_by_label("Theme")
    choice.select_option("Light theme")
    expect(theme).to_have_attribute("data-theme", "light")
    page.goto(table.url + "records")
    expect(theme).to_have_attribute("data-theme", "light")
    page.goto(table.url)
    page.get_by_role("button", name="View").click()
    choice.select_option("As the device")
    expect(theme).to_have_attribute("data-theme", "dark")


def test_a_key_shows_all_keys(page: Page) -> None:
    """Each is listed with its button; nothing is pressed meanwhile."""
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="View")
    for key, name in (
        ("Q", "Amber, +1"),
        ("D", "White, Enter"),
        ("Space", "Deal"),
        ("+", "Zoom in"),
    ):
        row = dialog.locator("dl > div").filter(has=page.get_by_text(name, exact=True))
        expect(row.locator("kbd")).to_have_text(key)
    page.keyboard.press("q")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("[data-side='1'] .pending")).to_have_text("")


def test_the_log_names_rules_for_who_wants_them(page: Page, table: Served) -> None:
    """A switch shows their numbers, and the device remembers it."""
    counted = {"kind": "counted", "team": 1, "from": 0, "to": 6, "points": 6, "rule": "P7"}
    table.do(lambda real_table: real_table.accept(entry(1, "Amber counts six, to 6.", counted)))
    expect(page.locator("#events .rule")).to_be_hidden()
    page.get_by_role("button", name="View").click()
    page.get_by_role("switch", name="Numbers of the rules in the log").check()
    page.reload()
    expect(page.locator("#events .rule")).to_be_visible()


def test_the_log_has_the_cut_before_its_deal(page: Page, table: Served) -> None:
    """The cut for deal has its place in time, as it is made and when the page is opened later."""
    lines = ["White deals.", "Amber cuts the nine of clubs.", "A new game."]
    shown = page.locator("#events li")
    table.do(lambda real_table: real_table.accept(entry(1, lines[2])))
    expect(shown).to_have_text(lines[2:])
    table.do(lambda real_table: real_table.tell(cards={**dealt()["cards"], "cut": lines[1]}))
    expect(shown).to_have_text(lines[1:])
    event = {"kind": "dealt", "team": None, "from": 1, "to": 2, "rule": None}
    table.do(lambda real_table: real_table.accept(entry(2, lines[0], event)))
    expect(shown).to_have_text(lines)
    table.do(lambda real_table: real_table.tell(seq=2))
    page.reload()
    expect(shown).to_have_text(lines)


def test_keys_of_a_single_character_are_switched_off(page: Page, table: Served) -> None:
    """Then they do not count, zoom or help; a focused button still works."""
    page.get_by_role("button", name="View").click()
    page.get_by_role("switch", name="Shortcuts of a single key").uncheck()
    for reload in (False, True):
        if reload:
            page.reload()
            live(page)
        page.keyboard.press("Escape")
        for key in ("q", "+", "?"):
            page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.locator("kbd >> visible=true")).to_have_count(0)
        assert "1" == page.locator("[data-zoom=reset]").get_attribute("data-factor")
    page.get_by_role("button", name="White, +1").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-side='2'] .pending")).to_have_text("+1")
    assert ("2.plus_one", True) == table.do(lambda real_table: real_table.presses)[0]
