"""The guide on the board's page: the first visit, a win, a new game; forms; and sounds."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.rules.game import NewGame, Peg, Undo
from tests.companion.web.table.test_demo_page import demo
from tests.support.browser import Served, fetched, from_menu, live, newcomer, opened, served
from tests.support.limits import TIMEOUT_S
from tests.support.real_table import RealTable, entry

WELCOME = "Welcome to Crib Wars"
WIN_CARD = """async (awaited) => {
    const { WinCard } = await import("/static/guide/win_card.js");
    const { html, render } = await import("/static/vendor/preact.js");
    const place = document.querySelector("#tried") ?? document.createElement("div");
    place.id = "tried";
    document.documentElement.append(place);
    const night = { table: 1, round: 1, names: {}, awaited, confirmed: [], connected: true };
    const news = { table: { winner: 1 }, match: { to: null, winner: null }, night };
    const [amber, white] = ["Amber", "White"].map((name) => ({ name, colour: "#ffffff" }));
    const props = { news, labels: { 1: amber, 2: white }, runs: true };
    render(html`<${WinCard} ...${props} />`, place);
}"""
COVERED = """() => {
    const card = document.querySelector(".guide-card").getBoundingClientRect();
    const rows = [...document.querySelectorAll(".holes")].flatMap((row) => {
        const holes = row.dataset.holes.split(" ").map(Number);
        return [...row.querySelectorAll("circle")].filter((_, at) => holes[at] <= 20);
    });
    const lamps = [...document.querySelectorAll(".lamp[data-lane] circle")];
    return [...rows, ...lamps].map((circle) => circle.getBoundingClientRect())
        .filter(({ right, bottom }) => right > card.left && bottom > card.top)
        .filter(({ left, top }) => left < card.right && top < card.bottom)
        .map(({ left, top }) => [left, top]);
}"""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    """Serve a table that keeps its games."""
    with served(RealTable(folder=tmp_path, sides=3)) as there:
        yield there


def win(table: Served) -> None:
    """Let Amber win, with White far behind."""

    async def play(real_table: RealTable) -> None:
        await real_table.lit.table.execute(Peg(side=2, points=8))
        for points in (29, 20, 20, 20, 20, 20):
            await real_table.lit.table.execute(Peg(side=1, points=points))

    asyncio.run_coroutine_threadsafe(play(table.real_table), table._loop).result(TIMEOUT_S)


def seq_and_players(real_table: RealTable) -> tuple[int, int]:
    """Return the number of the last command, and the number of people."""
    return real_table.snapshot()["seq"], real_table.lit.table.state.setup.players


def games(table: Served) -> int:
    """Return the number of games that were begun."""

    def count(table: RealTable) -> int:
        return sum(isinstance(command, NewGame) for command in table.commands)

    return table.do(count)


def choices(browser: Browser, table: Served) -> Page:
    """Open the board's page with the choices for a new game, while one is running."""
    table.execute(Peg(side=1, points=7))
    page = opened(browser, table)
    page.get_by_role("button", name="New game").click()
    return page


LISTEN = """
window.spoken = [];
window.notes = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.notes += 1; start.apply(this, when); };
speechSynthesis.speak = (words) => window.spoken.push([words.lang, words.text]);
"""
COUNTED = {"kind": "counted", "team": 1, "from": 0, "to": 42, "rule": "P7"}
SLID = {"kind": "slid", "team": 1, "from": 42, "to": 62, "rule": "Z2"}
COUNT, SLIDE = ["en", "Amber counts."], ["en", "Amber slides."]


def test_a_first_visit_is_told_once_and_again_when_asked(browser: Browser, table: Served) -> None:
    """The card has four choices and takes the focus; only the button shows it again."""
    page = newcomer(browser, table)
    welcome = page.get_by_role("region", name=WELCOME)
    expect(welcome.get_by_role("listitem")).to_have_count(3)
    expect(welcome.locator(".go")).to_have_text(
        ["Play together", "Play against the computer", "Watch the demo", "Set up my board"]
    )
    expect(welcome.get_by_role("button", name="Play together")).to_be_focused()
    welcome.get_by_role("button", name="Not now").click()
    page.reload()
    live(page)
    expect(page.locator("#leader")).not_to_be_empty()
    expect(welcome).to_have_count(0)
    from_menu(page, "How to play")
    expect(welcome).to_be_visible()


def test_zones_are_explained_where_there_are_any(browser: Browser) -> None:
    """On a board with zones the card has a fourth line."""
    with served(RealTable(board="crib-wars")) as table:
        page = newcomer(browser, table)
        welcome = page.get_by_role("region", name=WELCOME)
        expect(welcome.get_by_role("listitem")).to_have_count(4)
        expect(welcome).to_contain_text("Red slides you along")


def test_two_clicks_lead_to_a_hand_of_cards(browser: Browser, table: Served) -> None:
    """The own hand against the computer, at a level, opens at once where the board fills a page."""
    page = newcomer(browser, table, viewport={"width": 1000, "height": 768})
    page.get_by_role("button", name="Play against the computer").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Child").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Amber, seat 1")
    page.get_by_role("link", name="Board").click()
    page.get_by_role("link", name="Your hand").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Amber, seat 1")


def test_four_people_play_after_two_clicks(browser: Browser, tmp_path: Path) -> None:
    """The first card or New game, then their number; typed names are those of the sides."""
    (tmp_path / "cribwars.toml").write_text('board = "classic"\n')
    with served(RealTable(folder=tmp_path)) as table:
        page = newcomer(browser, table)
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="New game")
        dialog.get_by_role("button", name="4, two a side").click()
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("region", name=WELCOME)).to_have_count(0)
        assert (1, 4) == table.do(seq_and_players)
        page.locator(".tools").get_by_role("button", name="New game").click()
        dialog.get_by_label("Name of side 2").fill("Anna and Bert")
        dialog.get_by_role("button", name="4, two a side").click()
        expect(page.get_by_role("heading", name="Anna and Bert")).to_be_visible()
        expect(dialog).to_have_count(0)
        assert (2, 4) == table.do(seq_and_players)


@pytest.mark.parametrize("board", ["crib-wars", "classic", "classic-61"])
def test_the_card_covers_neither_start_nor_the_first_pegs(browser: Browser, board: str) -> None:
    """A newcomer sees the lamps of the start and the first twenty holes of each lane."""
    with served(RealTable(board=board, language="fr")) as table:
        page = browser.new_context(locale="fr").new_page()
        page.add_init_script("localStorage.visited = ''")
        page.goto(table.url)
        expect(page.locator(".guide-card .go").first).to_have_text("Jouer ensemble")
        expect(page.locator(".lamp").first).to_be_attached()
        for width, height in ((1024, 768), (1280, 720), (1366, 768), (1920, 1080), (3840, 2160)):
            page.set_viewport_size({"width": width, "height": height})
            assert [] == page.evaluate(COVERED), width


def test_the_card_waits_for_the_end_of_a_demo(browser: Browser, table: Served) -> None:
    """A demo does not take the welcome away from a newcomer."""
    table.do(lambda real_table: real_table.tell(demo=demo()))
    page = newcomer(browser, table)
    welcome = page.get_by_role("region", name=WELCOME)
    expect(page.locator("main")).to_have_attribute("data-screen", "demo")
    expect(welcome).to_have_count(0)
    table.do(lambda real_table: real_table.tell(demo=None))
    expect(welcome).to_be_visible()


def test_the_first_count_puts_the_card_away(browser: Browser, table: Served) -> None:
    """A side that enters a count needs no welcome, and the trail is not covered."""
    page = newcomer(browser, table)
    expect(page.get_by_role("region", name=WELCOME)).to_be_visible()
    page.get_by_role("button", name="Amber, +1").click()
    expect(page.get_by_role("region", name=WELCOME)).to_have_count(0)


def test_the_card_stays_in_its_place_without_a_connection(browser: Browser, tmp_path: Path) -> None:
    """The dimmed page does not move it out of the window."""
    with served(RealTable(folder=tmp_path)) as table:
        page = newcomer(browser, table)
        welcome = page.get_by_role("region", name=WELCOME)
        expect(welcome).to_be_in_viewport(ratio=1)
    expect(page.locator("#connection")).not_to_have_text("Live")
    expect(welcome).to_be_in_viewport(ratio=1)


def test_a_result_of_a_night_is_confirmed_before_the_next_game(
    browser: Browser, table: Served
) -> None:
    """While sides must press Enter, the card of the win says so and begins nothing."""
    page = opened(browser, table)
    rematch = page.get_by_role("button", name="Rematch")
    page.evaluate(WIN_CARD, ["2"])
    expect(page.get_by_text("White, press Enter to confirm the result.")).to_be_visible()
    expect(rematch).to_have_count(0)
    page.evaluate(WIN_CARD, [])
    expect(rematch).to_be_visible()


def test_a_win_tells_its_worth_and_goes_on(browser: Browser, table: Served) -> None:
    """It shows worth, length, best count, turn and race; Rematch begins the next game."""
    page = opened(browser, table)
    win(table)
    won = page.get_by_role("region", name="Amber wins")
    expect(won.locator(".worth")).to_have_text("Double skunk, worth 4 games")
    facts = won.locator("dd")
    turn = "Amber counts twenty-nine, to 29. Chance to win: +"
    expect(facts).to_have_text(["1 hand, 1 minute", "Amber, 29", re.compile(re.escape(turn))])
    expect(won.get_by_role("img", name="at its end Amber 121, White 8, Magenta 0")).to_be_visible()
    again = won.get_by_role("link", name="See it again")
    expect(again).to_have_attribute("href", "/records#game=1&at=0")
    won.get_by_role("button", name="Rematch").click()
    expect(won).to_have_count(0)
    expect(page.locator(".side:not(.away) .front")).to_have_text(["0", "0", "0"])


def test_a_game_begins_anew_with_the_sides_chosen(browser: Browser, table: Served) -> None:
    """A button does that at any time, for any two sides or for all."""
    page = opened(browser, table)
    table.do(lambda real_table: real_table.peg(1, 2))
    page.locator(".tools").get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    expect(dialog.get_by_text("Undo, held for a second, brings it back")).to_be_visible()
    dialog.get_by_label("If two sides play").select_option("Amber and Magenta")
    dialog.get_by_role("button", name="2", exact=True).click()
    expect(dialog).to_have_count(0)
    table.until(lambda real_table: ["1", "3"] == list(real_table.snapshot()["teams"]))


def test_the_rules_of_the_settings_are_named(browser: Browser) -> None:
    """G7: the choice for a new game names them, also after a game by other rules."""
    with served(RealTable(preset="family")) as table:
        page = opened(browser, table)
        for rules, label in (("lurch", "Family"), ("", "Lurch")):
            page.locator(".tools").get_by_role("button", name="New game").click()
            dialog = page.get_by_role("dialog", name="New game")
            choice = dialog.get_by_label("Rules")
            expect(choice.locator("option[value='']")).to_have_text(
                "Family: one skunk line, no muggins (as in the settings)"
            )
            expect(choice.locator("option:checked")).to_contain_text(label)
            choice.select_option(rules)
            dialog.get_by_role("button", name="2", exact=True).click()
            expect(dialog).to_have_count(0)


def test_the_rules_are_read_and_printed(browser: Browser, table: Served) -> None:
    """The card leads to a page of their own, which prints without buttons."""
    page = newcomer(browser, table)
    page.get_by_role("link", name="The rules").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How to play Cribbage")
    expect(page.get_by_role("heading", level=2)).to_have_count(6)
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()


def test_two_taps_make_one_game(browser: Browser) -> None:
    """The second does nothing while the first is running; Undo restores the old game."""
    with served(RealTable()) as table:
        page = choices(browser, table)
        held: list[Route] = []

        def hold(route: Route) -> None:
            if route.request.method == "POST":
                held.append(route)
            else:
                route.continue_()

        page.route("**/api/new-game", hold)
        begin = page.get_by_role("button", name="2", exact=True)
        with page.expect_request(lambda request: request.method == "POST"):
            begin.evaluate("button => { button.click(); button.click(); }")
        expect(begin).to_be_disabled()
        begin.dispatch_event("click")
        assert 1 == len(held)
        held[0].continue_()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert 1 == games(table)
        table.execute(Undo())
        assert 7 == table.do(lambda table: table.snapshot()["teams"]["1"]["front"])


def test_a_lost_answer_begins_no_second_game(browser: Browser) -> None:
    """The form is sent again with the same key until a response arrives."""
    with served(RealTable()) as table:
        page = choices(browser, table)
        keys: list[str | None] = []

        def lose(route: Route) -> None:
            keys.append(route.request.headers.get("idempotency-key"))
            answer = fetched(route)
            if len(keys) < 3:
                route.abort()
            else:
                route.fulfill(response=answer)

        begin = page.get_by_role("button", name="2", exact=True)
        expect(begin).to_be_enabled()
        page.route("**/api/new-game", lose)
        begin.click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert (3, 1, 1) == (len(keys), len(set(keys)), games(table))


@pytest.mark.parametrize(
    ("level", "spoken", "sounds"),
    [
        ("off", [], False),
        ("short", [SLIDE], True),
        ("full", [["en", "Amber counts."], SLIDE], True),
    ],
)
def test_a_device_hears_what_it_wants(
    browser: Browser, level: str, spoken: list[list[str]], sounds: bool
) -> None:
    """Its choice is remembered; events before the page was opened are silent."""
    with served(RealTable()) as table:
        table.do(lambda real_table: real_table.peg(1, 2))
        table.until(lambda real_table: real_table.snapshot()["seq"] == 1)
        context = browser.new_context()
        context.add_init_script(LISTEN)
        page = context.new_page()
        page.goto(table.url)
        live(page)
        page.get_by_role("button", name="View").click()
        page.get_by_label("Sound and speech").select_option(level)
        page.reload()
        live(page)
        page.get_by_role("button", name="View").click()
        expect(page.get_by_label("Sound and speech")).to_have_value(level)
        page.keyboard.press("Escape")
        page.locator("#hand").click()
        lines = ((2, "Amber counts.", COUNTED), (3, "Amber slides.", SLID))
        table.do(lambda real_table: real_table.accept(*(entry(*line) for line in lines)))
        expect(page.locator("#events li").first).to_contain_text("Amber slides.")
        assert spoken == page.evaluate("window.spoken")
        assert sounds == (page.evaluate("window.notes") > 0)
