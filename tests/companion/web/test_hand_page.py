"""A hand of cards in a real browser: its own page, the board's page, and the counter."""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect
from playwright.sync_api import TimeoutError as PatienceError

from companion.rules.cards import Card
from tests.companion.web.table.test_page_layout import overlap
from tests.companion.web.test_accessible import AXE, found_in
from tests.companion.web.test_evenings import truth
from tests.support.browser import Served, fetched, live, opened, served, served_anew
from tests.support.program import HTTP, Program, running
from tests.support.real_table import RealTable

SETTINGS = """
board = "classic"
[rules]
muggins = "{muggins}"
[demo]
speed = 30
"""
TABLET: ViewportSize = {"width": 1000, "height": 768}
"""Window in which the board's page has no room for a hand."""
MOVED = """(card) => {
    const held = document.querySelector(`#own [data-key="${card}"] button`);
    return !held || held.disabled || document.getElementById("refusal").textContent !== "";
}"""
NOT_PLAYED = {
    "en": "This hand is not being played any more. The board leads to all hands.",
    "fr": "Cette main n'est plus en jeu. Le plateau mène à toutes les mains.",
}
AWAITED = """() => document.getElementById("send") || document.getElementById("counting")"""


@pytest.fixture
def program(tmp_path: Path, muggins: str) -> Iterator[Program]:
    """Run a fast table of two sides."""
    settings = tmp_path / "settings.toml"
    settings.write_text(SETTINGS.format(muggins=muggins))
    with running(tmp_path, "--config", str(settings)) as program:
        yield program
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr


def misses_a_point(program: Program, tokens: dict[int, str]) -> bool:
    """Let each seat act; return True once the first has counted a point too few."""
    for seat, token in tokens.items():
        path = f"{program.url}api/cards/{token}"
        hand = HTTP.get(path).json()
        count, ask, shown = hand["to_count"], hand["ask"], hand["shown"]
        if count and count["seat"] == seat:
            points = truth(shown, count)
            missed = points > 0 and seat == 1
            HTTP.post(f"{path}/points", json={"points": points - missed})
            if missed:
                return True
        elif hand["open_count"] and seat in hand["open_count"]["undecided"]:
            HTTP.post(f"{path}/points", json={"points": 0})
        elif ask:
            HTTP.post(path, json={"cards": ask["choice"][: ask["cards"]]})
    return False


def play_or_go_on(page: Page) -> None:
    """Play the first possible card, or let a count pass."""
    page.wait_for_function(AWAITED)
    go_on = page.get_by_role("button", name="Go on", disabled=False)
    if go_on.is_visible():
        with suppress(PatienceError):  # the others went on meanwhile
            go_on.click(timeout=1000)
    elif page.locator("#send").is_visible():
        play(page)


def sort(page: Page) -> None:
    """Sort up from the ace, down, or as dealt; the page remembers the order."""
    expect(page.locator("#own button")).to_have_count(6)
    orders = {}
    for order in ("dealt", "down", "up"):
        page.get_by_label("Sorted").select_option(order)
        orders[order] = page.locator("#own li").evaluate_all("all => all.map(e => e.dataset.key)")
    assert orders["up"] == orders["down"][::-1] == sorted(orders["dealt"], key=Card.parse)
    page.get_by_label("Sorted").select_option("down")
    page.reload()
    expect(page.locator("#own li").first).to_have_attribute("data-key", orders["up"][-1])
    page.get_by_label("Sorted").select_option("up")


def send_discards(page: Page) -> None:
    """Discard two cards, the second one by the keyboard."""
    expect(page.locator("#ask")).to_have_text("Choose 2 cards for the crib")
    own = page.locator("#own button")
    expect(own).to_have_count(6)
    own.nth(0).click()
    expect(page.locator("#send")).to_be_disabled()
    own.nth(5).focus()
    page.keyboard.press("Space")
    expect(own.nth(5)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Throw into the crib").click()


def throw(page: Page) -> None:
    """Discard two cards, and wait until the other seat has done so too."""
    send_discards(page)
    expect(page.locator("#own button")).to_have_count(4)


def unplayed(page: Page) -> list[str]:
    """Return the unplayed cards of the hand, in order."""
    every = page.locator("#own li:not(.played)").all()
    return [card.get_attribute("data-key") or "" for card in every]


def play(page: Page) -> None:
    """Play the first card that fits by two taps, or by one if no other fits (P1)."""
    expect(page.locator("#ask")).to_have_text(re.compile("^(Play a card|Tap the card to play it)$"))
    count = int(page.locator(".count").inner_text())
    fits = [card.value + count <= 31 for card in map(Card.parse, unplayed(page))]
    assert fits == [
        button.is_enabled() for button in page.locator("#own li:not(.played) button").all()
    ]
    card = page.locator("#own li:has(button:enabled)").first.get_attribute("data-key")
    chosen = page.locator(f"#own [data-key='{card}'] button")
    if fits.count(True) > 1:
        chosen.click()
        expect(page.locator("#ask")).to_have_text("Tap the card again to play it")
    chosen.click()
    page.wait_for_function(MOVED, arg=card)
    expect(page.locator("#refusal")).to_be_empty()


SIZES = [(1280, 720), (1366, 768), (1024, 768), (1920, 1080)]
PHONES = [(390, 844), (844, 390)]
PHONE: ViewportSize = {"width": 390, "height": 844}
LAPTOP: ViewportSize = {"width": 1366, "height": 768}
PARTS = (".sheet", ".masthead", "#demo", ".own-cards", "#panel", ".tools")
ACTION = "#send, #counting:not([aria-busy=true]) [type=submit]:enabled"
MEASURE = """(parts) => parts.map((part) => {
    const { left, top, right, bottom } = document.querySelector(part).getBoundingClientRect();
    return [left, top, right, bottom];
})"""
CUT = """() => [...document.querySelectorAll(".own-cards :not(.cards *)")]
    .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth)
    .map((part) => part.outerHTML)"""


def game(folder: Path | None, language: str = "en") -> RealTable:
    """Return a fast table where people count their cards themselves."""
    return RealTable(
        folder=folder,
        board="crib-wars",
        language=language,
        rules={"muggins": "on"},
        demo={"speed": 100},
    )


def deal(real_table: RealTable, *seats: str) -> str:
    """End the game of cards and deal another. Return the path of the first hand."""
    cards = real_table.services.cards
    cards.end()
    return f"/hand?hand={cards.begin(seats or ('person', 'child'))[1]}"


def hand(table: Served) -> int:
    """Return the number of the hand."""
    number: int = table.do(lambda real_table: real_table.snapshot()["hand"])
    return number


def boxes(page: Page, size: tuple[int, int], parts: tuple[str, ...]) -> list[list[float]]:
    """Check that parts lie within a window of this size, none over another. Return their boxes."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found: list[list[float]] = page.evaluate(MEASURE, list(parts))
    for part, (left, top, right, bottom) in zip(parts, found, strict=True):
        assert left >= 0 <= top, part
        assert right <= size[0], part
        assert bottom <= size[1], part
    return found


def is_in_one_picture(page: Page) -> None:
    """Check board, cards, panel and bar at each size of a laptop."""
    for size in SIZES:
        found = boxes(page, size, PARTS)
        assert not [pair for pair in combinations(found, 2) if overlap(*pair)]
        assert [] == page.evaluate(CUT)
        scroll = page.evaluate("[document.documentElement.scrollHeight, innerHeight]")
        assert scroll[0] == scroll[1]
    page.set_viewport_size(LAPTOP)


def act(page: Page) -> None:
    """Throw, play or count as asked."""
    send = page.locator(ACTION).first
    if send.get_attribute("id") == "send":
        while send.is_disabled():
            page.locator("#own button:enabled:not([aria-pressed=true])").first.click()
    send.click()
    expect(page.locator("main [aria-busy=true]")).to_have_count(0)


def keys(page: Page) -> list[str]:
    """Return the six cards of a new hand."""
    expect(page.locator("#own button:enabled")).to_have_count(6)
    held: list[str] = page.locator("#own li").evaluate_all("all => all.map((e) => e.dataset.key)")
    return held


def is_whole(page: Page, size: tuple[int, int]) -> None:
    """Check header, cards and action in the window of a phone."""
    counts = page.locator("#counting").count()
    cards = "#counting" if page.locator("#counting .card").count() else "#own"
    parts = (".own header", cards, "#counting" if counts else ".act")
    header, _, action = boxes(page, size, parts)
    assert header[3] - header[1] == 44
    assert action[3] == size[1]


@pytest.fixture
def counter(browser: Browser, table: Served) -> Iterator[Page]:
    """Open the counter of side 1 on a phone."""
    window = browser.new_context(viewport=PHONE)
    page = window.new_page()
    page.goto(f"{table.url}counter?side=1")
    yield page
    window.close()


def tap(page: Page, *cards: str) -> None:
    """Tap cards of the deck."""
    for card in cards:
        page.locator(f'#deck button[data-card="{card}"]').click()


@pytest.mark.parametrize("muggins", ["off"])
def test_a_hand_is_played_by_clicking(browser: Browser, program: Program) -> None:
    """It is dealt by the form, opened by its link, played card by card, and narrated."""
    context = browser.new_context(viewport=TABLET)
    faults: list[str] = []
    context.on("weberror", lambda error: faults.append(str(error.error)))
    table = context.new_page()
    table.goto(program.url)
    live(table)
    table.get_by_role("button", name="Cards").click()
    table.locator("#dealing").get_by_label("White").select_option("child")
    table.locator("#dealing").get_by_role("button", name="Deal", exact=True).click()
    link = table.locator("#dealing").get_by_role("link", name="Your hand")
    page = context.new_page()
    page.goto(program.url + str(link.get_attribute("href")).removeprefix("/"))
    live(page)
    expect(page.locator("#who")).to_have_text("Amber, seat 1")
    expect(page.locator("#hand")).to_have_text(
        re.compile("^Hand 1, (Amber deals, your crib|White deals)$")
    )
    expect(page.locator("#fronts li")).to_have_text(
        [re.compile("^Amber 0"), re.compile("^White 0")]
    )
    sort(page)
    throw(page)
    expect(table.locator("#demo .starter li")).to_have_count(1)
    for _ in range(4):
        play(page)
    expect(page.locator("#lines")).to_contain_text("Amber")
    table.get_by_role("button", name="End the game of cards").click()
    expect(page.locator("#ask")).to_have_text(NOT_PLAYED["en"])
    expect(page.locator("#send")).to_be_hidden()
    context.close()
    assert [] == faults


@pytest.mark.parametrize("muggins", ["off"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_hand_that_is_not_played_leads_to_the_board(
    browser: Browser, program: Program, language: str
) -> None:
    """A wrong address says so in the device's language, and links the board."""
    context = browser.new_context(locale=language)
    page = context.new_page()
    for token in ("wrong", "a%2F..%2Fb", "x" * 22):
        page.goto(f"{program.url}hand?hand={token}")
        expect(page.locator("#ask")).to_have_text(NOT_PLAYED[language])
        expect(page.locator("header a")).to_have_attribute("href", "/")


@pytest.mark.parametrize("muggins", ["off"])
def test_an_act_of_another_device_is_shown_without_a_refusal(
    browser: Browser, program: Program
) -> None:
    """If a hand is open twice and both throw cards, the later page goes on with the new hand."""
    dealt = HTTP.post(f"{program.url}api/cards", json={"seats": ["person", "person"]})
    page = browser.new_page()
    page.goto(f"{program.url}{dealt.json()['hands']['1'].removeprefix('/')}")
    live(page)

    def overtake(route: Route) -> None:
        if route.request.method == "POST":
            HTTP.post(route.request.url, json=route.request.post_data_json)
        route.continue_()

    page.route("**/api/cards/*", overtake)
    with page.expect_response(lambda answer: answer.request.method == "POST") as refused:
        send_discards(page)
    assert 409 == refused.value.status
    expect(page.locator("#ask")).to_have_text(re.compile("is to choose"))
    expect(page.locator("#choosing")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#refusal")).to_be_empty()
    page.unroute_all(behavior="wait")  # a request on its way would fail the next test
    page.close()


@pytest.mark.parametrize("muggins", ["on"])
def test_a_person_counts_on_the_hands_page(browser: Browser, program: Program) -> None:
    """M1: +1, +5 and a button count; the table's page shows whose count is awaited."""
    context = browser.new_context(viewport=TABLET)
    table = context.new_page()
    table.goto(program.url)
    live(table)
    dealt = HTTP.post(f"{program.url}api/cards", json={"seats": ["person", "child"]})
    page = context.new_page()
    page.goto(f"{program.url}{dealt.json()['hands']['1'].removeprefix('/')}")
    live(page)
    throw(page)
    counting = page.locator("#counting")
    own = counting.get_by_role("button", name="Count 0")
    while not own.is_visible():
        play_or_go_on(page)
    expect(table.locator(".turn")).to_have_text("Amber is to count the card")
    expect(counting).to_contain_text("Go and last card are counted for you.")
    counting.get_by_role("button", name="+5").click()
    counting.get_by_role("button", name="Clear").click()
    counting.get_by_role("button", name="Count 2").click()
    expect(page.locator("#lines")).to_contain_text("Amber counts two")


def having_gone_on(route: Route) -> None:
    """Respond as if this side had gone on, and others had not yet."""
    answer = fetched(route)
    hand = answer.json()
    (hand["open_count"] or {})["undecided"] = []
    route.fulfill(response=answer, json=hand)


@pytest.mark.parametrize("muggins", ["on"])
def test_a_call_is_kept_or_given_back(browser: Browser, program: Program) -> None:
    """M3: the caller sees both possible landings before it chooses, and may have gone on before."""
    dealt = HTTP.post(f"{program.url}api/cards", json={"seats": ["person", "person"]})
    tokens = {int(seat): path.partition("=")[2] for seat, path in dealt.json()["hands"].items()}
    while not misses_a_point(program, tokens):
        pass
    page = browser.new_page()
    page.goto(f"{program.url}hand?hand={tokens[2]}")
    live(page)
    counting = page.locator("#counting")
    go_on = counting.get_by_role("button", name="Go on")
    expect(go_on).to_be_enabled()
    page.route(f"**/api/cards/{tokens[2]}", having_gone_on)
    page.reload()
    expect(counting.get_by_role("button", name="Clear")).to_be_enabled()
    expect(go_on).to_be_hidden()
    page.unroute_all(behavior="wait")
    counting.get_by_role("button", name="+1").click()
    fronts = {side: pegs["front"] for side, pegs in program.table()["teams"].items()}
    expect(counting.locator(".call p")).to_have_text(
        [
            f"White: 1 lands on {fronts['2'] + 1}",
            f"Amber: 1 lands on {fronts['1'] + 1}",
            "Points counted too many are only taken back.",
        ]
    )
    counting.get_by_role("button", name="Muggins: give 1 back").click()
    expect(page.locator("#lines")).to_contain_text("Amber miscounted by one, and is given one back")
    # The play goes on at once, and may peg a go or a last card for Amber.
    assert fronts["1"] + 1 <= program.table()["teams"]["1"]["front"]
    page.unroute_all(behavior="wait")  # a request on its way would fail the next test


def test_a_person_moves_in_the_box(browser: Browser, tmp_path: Path) -> None:
    """Z7: a due move shows on the hand's page, with a button that does the same as Enter."""
    with running(tmp_path, "--teams", "3") as program:
        pegs = {"team": 1, "front": 20, "back": 20}
        HTTP.post(f"{program.url}api/command", json={"set_pegs": pegs})
        for button in ("1.plus_one", "1.plus_one", "1.enter", "deal"):
            program.press(button)
        dealt = HTTP.post(f"{program.url}api/cards", json={"seats": ["person", "child", "child"]})
        page = browser.new_page()
        page.goto(f"{program.url}{dealt.json()['hands']['1'].removeprefix('/')}")
        live(page)
        expect(page.locator("#box-move")).to_contain_text("or you sit one hand more")
        page.get_by_role("button", name="Move in the box").click()
        expect(page.locator("#box-move")).to_be_hidden()
        assert 2 == program.table()["teams"]["1"]["boxed"]


def test_a_hand_against_the_computer_stays_on_the_boards_page(browser: Browser) -> None:
    """Board, own cards, panel and bar are in one window, in each phase, in French, the longer."""
    with served(game(None, "fr")) as table:
        page = browser.new_context(viewport=LAPTOP, locale="fr").new_page()
        page.goto(table.url)
        page.locator("#see-cards").click()
        page.locator(".level").first.click()
        keys(page)
        expect(page.locator("#dealing")).to_have_count(0)
        seen: set[str] = set()
        while hand(table) == 1:
            action = page.locator(ACTION).first
            action.wait_for()
            kind = action.get_attribute("id") or "count"
            if kind not in seen:
                is_in_one_picture(page)
            seen.add(kind)
            act(page)
        assert {"send", "count"} == seen


def test_a_hand_comes_back_until_it_is_left(browser: Browser, tmp_path: Path) -> None:
    """A reload and a restart show the same cards; the panel counts again after the last hand."""
    with served(game(tmp_path)) as table:
        page = opened(browser, table, viewport=LAPTOP)
        page.locator("#see-cards").click()
        page.locator(".level").first.click()
        held = keys(page)
        page.reload()
        assert held == keys(page)
    with served_anew(page, game(tmp_path), port=table.port):
        assert held == keys(page)
        page.get_by_role("button", name="Leave").click()
        page.get_by_role("button", name="End the game of cards").click()
        expect(page.locator("#panel .of-side")).to_have_count(2)
        expect(page.locator(".own-cards")).to_have_count(0)


def test_the_panel_has_the_buttons_that_are_needed_now(browser: Browser) -> None:
    """Undo and Deal are always there; Enter is there for a peg in a box."""
    with served(RealTable()) as table:
        page = opened(browser, table, viewport=LAPTOP)
        page.goto(table.url.rstrip("/") + table.do(deal))
        buttons = page.locator("#panel .arcade")
        expect(buttons).to_have_text(["Undo", "Deal"])
        hint = {"kind": "folded", "team": 1, "number": 1}
        table.do(lambda real_table: real_table.tell(hint=hint, feedback="Amber has folded (Z5)"))
        expect(page.locator("#feedback")).to_have_text("Amber has folded (Z5)")
        is_in_one_picture(page)
        if AXE.exists():
            assert [] == found_in(page)
        table.do(lambda real_table: real_table.tell(boxes={"1": {"hands": 1, "may_move": True}}))
        expect(buttons).to_have_text(["Enter", "Undo", "Deal"])
        page.get_by_role("button", name="Amber, Undo").click()
        assert table.felt(("1.undo", True), ("1.undo", False))


def test_only_a_device_that_opened_a_hand_shows_it(browser: Browser) -> None:
    """Another device, a smaller window and several people have a link or the list of hands."""
    with served(RealTable()) as table:
        path = table.do(deal)
        page, other = (opened(browser, table, viewport=LAPTOP) for _ in range(2))
        page.locator("#own-hand").click()
        page.get_by_role("link", name="Your hand").click()
        expect(page).to_have_url(table.url)
        keys(page)
        expect(other.locator("#own-hand")).to_have_text("The hands")
        expect(other.locator(".own-cards")).to_have_count(0)
        page.set_viewport_size({"width": 1000, "height": 768})
        expect(page.locator("#own-hand")).to_have_attribute("href", path)
        page.set_viewport_size({"width": 1366, "height": 768})
        keys(page)
        table.do(lambda real_table: deal(real_table, "person", "person"))
        expect(page.locator("#own-hand")).to_have_text("The hands")
        expect(page.locator(".own-cards")).to_have_count(0)
        for each in (page, other):
            each.context.close()


def test_a_phone_has_cards_and_action_whole(browser: Browser) -> None:
    """One line is above, the action at the lower edge, in each phase, in French, the longer."""
    with served(game(None, "fr")) as table:
        path = table.do(deal)
        page = browser.new_context(viewport={"width": 390, "height": 844}, locale="fr").new_page()
        page.goto(table.url.rstrip("/") + path)
        keys(page)
        while hand(table) == 1:
            page.locator(ACTION).first.wait_for()
            for size in PHONES:
                is_whole(page, size)
            act(page)


def test_five_cards_are_counted_and_explained(counter: Page) -> None:
    """Points show at once with each part, its cards and the sum; a crib differs."""
    expect(counter.locator("#points")).to_have_text("Tap 5 more cards")
    tap(counter, "4H", "5H", "6H", "JH", "5C")
    expect(counter.locator("#points")).to_have_text("20 points")
    lines = counter.locator("#parts li")
    expect(lines.first).to_contain_text("Fifteen")
    expect(lines.last).to_contain_text("makes 20")
    counter.get_by_label("Crib").check()
    expect(counter.locator("#points")).to_have_text("16 points")


def test_a_card_can_be_put_back(counter: Page) -> None:
    """A tap frees its place, which has a name for screen readers; Clear frees all."""
    tap(counter, "4H", "5H", "6H", "JH", "5C")
    expect(counter.locator("#deck button:enabled")).to_have_count(0)
    counter.get_by_role("button", name="jack of hearts: put it back").click()
    expect(counter.locator("#points")).to_have_text("Tap the starter")
    expect(counter.locator("#starter .face")).to_have_count(0)
    expect(counter.locator('#deck button[data-card="JH"]')).to_be_enabled()
    counter.get_by_role("button", name="Clear").click()
    expect(counter.locator("#points")).to_have_text("Tap 5 more cards")


def test_a_count_is_taken_along_to_the_pad(counter: Page, table: Served) -> None:
    """There it is tapped but not entered, so that the landing shows first."""
    tap(counter, "7H", "8H", "2C", "KH", "QD")
    counter.get_by_role("button", name="Peg it").click()
    expect(counter).to_have_url(f"{table.url}pad?side=1")
    table.until(lambda real_table: len(real_table.taps) == 2)
    assert [("1.plus_one", 0)] * 2 == table.do(lambda real_table: list(real_table.taps))


def test_nothing_is_pegged_for_nothing(counter: Page) -> None:
    """A hand without points has nothing to pass on."""
    tap(counter, "2H", "4S", "6D", "8C", "KH")
    expect(counter.locator("#points")).to_have_text("0 points")
    expect(counter.get_by_role("button", name="Peg it")).to_be_hidden()
