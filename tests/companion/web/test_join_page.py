"""Phones are let in at the real program, with browsers that come as other machines do."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browser import TOOLS, far_url, from_menu, live, served
from tests.support.program import Program, running
from tests.support.real_table import RealTable

PHONE = {"width": 390, "height": 844}
SETTINGS = """
[web]
host = "0.0.0.0"
"""


class Home:
    """A table that phones of the house reach; `board` is its own screen."""

    def __init__(self, browser: Browser, program: Program) -> None:
        self._browser = browser
        self.program = program
        self.far = far_url(int(program.url.rstrip("/").rpartition(":")[2]))
        self.faults: list[str] = []
        self.pages: list[Page] = []
        self.board = self._open(program.url, {"width": 1366, "height": 768})

    def phone(self, path: str = "") -> Page:
        """Open this page of the table on a phone."""
        return self._open(self.far + path, PHONE)

    def _open(self, url: str, viewport: dict[str, int]) -> Page:
        context = self._browser.new_context(viewport=viewport, has_touch=True)  # type: ignore[arg-type]  # as it takes it
        page = context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.pages.append(page)
        page.goto(url)
        live(page)
        return page


@pytest.fixture
def home(browser: Browser, tmp_path: Path) -> Iterator[Home]:
    """Run a table of two sides, open to the house; no page may end with an error."""
    settings = tmp_path / "settings.toml"
    settings.write_text(SETTINGS)
    with running(tmp_path, "--config", str(settings)) as program:
        home = Home(browser, program)
        yield home
        for page in home.pages:
            page.context.close()
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr
        assert [] == home.faults


def ask(home: Home, page: Page, name: str) -> None:
    """Request to be let in, which the table's own page shows."""
    page.get_by_label("What is this phone called?").fill(name)
    page.locator(".join").get_by_role("button", name="Join").click()
    expect(page.locator(".join .lead")).to_contain_text("at the table for a second.")
    expect(requests(home.board)).to_contain_text([name])


def requests(page: Page) -> Locator:
    """Return the requests that a page shows."""
    return page.locator("main > .join-request > li:visible")


def join(home: Home, page: Page, name: str) -> None:
    """Let a phone in."""
    ask(home, page, name)
    requests(home.board).get_by_role("button", name="Let it in").click()
    expect(requests(home.board)).to_have_count(0)


def test_a_phone_joins_scores_and_is_forgotten(home: Home) -> None:
    """It enters counts; once forgotten, it only watches, and says so."""
    phone = home.phone("pad?side=1")
    expect(phone.locator("#keys")).to_be_hidden()
    join(home, phone, "Anna")
    phone.get_by_role("button", name="count 7").tap()
    phone.get_by_role("button", name="Enter").tap()
    expect(phone.locator("#front")).to_have_text("On hole 7")
    assert 7 == home.program.table()["teams"]["1"]["front"]
    home.board.get_by_role("button", name="Phones").click()
    expect(home.board.locator("#phones .in .name")).to_have_text(["Anna"])
    home.board.get_by_role("button", name="Forget Anna").click()
    expect(home.board.locator("#phones .in li")).to_have_count(0)
    phone.get_by_role("button", name="+1").tap()
    expect(phone.locator("#lost")).to_contain_text("Not sent: +1: this phone only watches")
    expect(phone.get_by_label("What is this phone called?")).to_be_visible()
    assert 0 == home.program.table()["teams"]["1"]["pending"]


def test_two_phones_and_the_panel_make_one_count(home: Home) -> None:
    """All presses build the same pending count, which everybody sees."""
    phones = [home.phone("pad?side=2") for _ in range(2)]
    for number, phone in enumerate(phones):
        join(home, phone, f"phone {number}")
    phones[0].get_by_role("button", name="+5").tap()
    home.program.press("2.plus_one")
    phones[1].get_by_role("button", name="count 3").tap()
    for phone in phones:
        expect(phone.locator("#pending")).to_have_text("+9")
        expect(phone.locator("#lands")).to_have_text("9 lands on 9")
    expect(home.board.locator("[data-side='2'] .pending")).to_have_text("+9")
    phones[0].get_by_role("button", name="Undo").tap()
    expect(phones[1].locator("#pending")).to_have_text("+8")
    home.program.press("2.enter")
    for phone in phones:
        expect(phone.locator("#front")).to_have_text("On hole 8")
        expect(phone.locator("#pending")).to_be_empty()
        expect(phone.locator("#told li")).to_have_text(["White counts eight, to 8. P7"])


def test_two_phones_that_enter_the_same_hand_are_asked(home: Home) -> None:
    """The second must confirm its count; else the hand counts once."""
    phones = [home.phone("pad?side=1") for _ in range(2)]
    for number, phone in enumerate(phones):
        join(home, phone, f"phone {number}")
    for phone in phones:
        phone.get_by_role("button", name="count 4").tap()
        phone.get_by_role("button", name="Enter").tap()
        expect(phone.locator("#front .hole")).to_have_text("4")
    second = phones[1].get_by_role("alertdialog")
    expect(second).to_contain_text("Amber counted 4 a moment ago")
    second.get_by_role("button", name="Take 4 back").tap()
    expect(second).to_have_count(0)
    expect(phones[0].locator("#pending")).to_be_empty()
    phones[1].get_by_role("button", name="count 4").tap()
    phones[1].get_by_role("button", name="Enter").tap()
    second.get_by_role("button", name="Enter 4").tap()
    for phone in phones:
        expect(phone.locator("#front .hole")).to_have_text("8")


def test_two_phones_that_type_the_same_hand_at_once_are_asked(home: Home) -> None:
    """Their presses are one pending count, whose sum each must confirm."""
    phones = [home.phone("pad?side=1") for _ in range(2)]
    for number, phone in enumerate(phones):
        join(home, phone, f"phone {number}")
        phone.get_by_role("button", name="count 4").tap()
    expect(phones[0].locator("#pending")).to_have_text("+8")
    phones[0].get_by_role("button", name="Enter").tap()
    question = phones[0].get_by_role("alertdialog")
    expect(question).to_contain_text("8 points are pending, and another phone")
    for _ in range(4):
        phones[1].get_by_role("button", name="Undo").tap()
    question.get_by_role("button", name="Enter 4").tap()
    expect(phones[1].locator("#front .hole")).to_have_text("4")


def test_taking_back_anothers_count_is_held(home: Home) -> None:
    """A short Undo shows how; a long one takes it back."""
    phone = home.phone("pad?side=1")
    join(home, phone, "Anna")
    home.program.press("2.plus_five", "2.enter")
    expect(phone.locator("#others .hole")).to_have_text("5")
    undo = phone.get_by_role("button", name="Undo")
    undo.tap()
    expect(phone.locator("#feedback")).to_contain_text("hold Undo for a second")
    undo.hover()
    phone.mouse.down()
    expect(phone.locator("#others .hole")).to_have_text("0")
    phone.mouse.up()
    expect(phone.locator("#told li")).to_contain_text(["Taken back: White counts five"])


@pytest.mark.parametrize(
    ("path", "button", "hold"), [("pad?side=2", "2.enter", "Enter of White"), ("", "deal", "Deal")]
)
def test_a_phone_is_let_in_by_a_held_button(home: Home, path: str, button: str, hold: str) -> None:
    """Its side's Enter, or Deal to run the table, shines; its hold counts nothing."""
    phone = home.phone(path)
    if not path:
        phone.get_by_role("button", name="Join").click()
    home.program.press("2.plus_five")
    ask(home, phone, "Bert")
    expect(requests(home.phone())).to_contain_text([f": hold {hold} for a second to let it in"])
    expect(home.board.locator("#panel button.hint")).to_have_attribute("data-button", button)
    home.board.locator(f"#panel [data-button='{button}']").hover()
    home.board.mouse.down()
    expect(requests(home.board)).to_have_count(0)
    home.board.mouse.up()
    expect(phone.locator(".join")).to_have_count(0)
    table = home.program.table()
    assert (0, 5) == (table["seq"], table["teams"]["2"]["pending"])


def test_a_tapped_enter_is_a_count_and_lets_nobody_in(home: Home) -> None:
    """A stranger who names a side does not get to run the table by its Enter, either."""
    stranger = {"name": "Mallory", "right": "run", "side": 1}
    assert httpx.post(f"{home.far}api/join", json=stranger).is_success
    home.program.press("1.plus_five", "1.enter")
    home.program.press("1.enter", seconds=1.2)
    expect(requests(home.board)).to_contain_text(["Mallory"])
    assert 5 == home.program.table()["teams"]["1"]["front"]


def test_a_stranger_keeps_no_phone_out(home: Home) -> None:
    """All requests are listed; a refused stranger must wait, and the phone is let in."""
    stranger = {"name": "Mallory", "right": "score", "side": 1}
    assert httpx.post(f"{home.program.url}api/join", json=stranger).is_success
    phone = home.phone("pad?side=1")
    phone.get_by_label("What is this phone called?").fill("Anna")
    phone.get_by_role("button", name="Join").click()
    expect(phone.locator(".join .lead")).to_contain_text("“Mallory” asked before")
    waiting = requests(home.board)
    expect(waiting).to_contain_text(["hold Enter of Amber", "waits for the phone before it"])
    requests(home.board).first.get_by_role("button", name="Refuse").click()
    expect(phone.locator(".join .lead")).to_contain_text("Hold Enter of Amber at the table")
    assert 429 == httpx.post(f"{home.program.url}api/join", json=stranger).status_code
    home.program.press("1.enter", seconds=1.2)
    expect(phone.get_by_role("button", name="+1")).to_be_visible()
    assert 0 == home.program.table()["seq"]


def test_a_page_loaded_anew_goes_on_with_its_request(home: Home) -> None:
    """A phone that was refused, or has waited too long, asks again."""
    phone = home.phone("pad?side=1")
    ask(home, phone, "Anna")
    phone.reload()
    expect(phone.locator(".join .lead")).to_contain_text("Hold Enter of Amber at the table")
    requests(home.board).get_by_role("button", name="Refuse").click()
    expect(phone.locator(".join .refusal")).to_contain_text("has not let this phone in")
    expect(phone.get_by_label("What is this phone called?")).to_be_visible()


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "<b>\u202e</b><script>x</script>"]
)
def test_a_phones_name_is_text(home: Home, name: str) -> None:
    """The name of a stranger's phone never becomes markup."""
    phone = home.phone("pad?side=1")
    ask(home, phone, name[:40])
    home.board.get_by_role("button", name="Phones").click()
    expect(home.board.locator("#phones .join-request")).to_contain_text(name[:40])
    home.board.locator("#phones .join-request").get_by_role("button", name="Let it in").click()
    expect(home.board.locator("#phones .in .name")).to_have_text([name[:40]])
    expect(home.board.locator(":is(.join-request, .in) :is(img, b, script)")).to_have_count(0)


def test_a_phone_joins_to_run_the_table(home: Home) -> None:
    """It asks from the board's page, and gets referee, demo, cards and phones."""
    phone = home.phone()
    phone.get_by_role("button", name="Join").click()
    join(home, phone, "Anna")
    buttons = phone.locator(".tools").get_by_role("button")
    expect(buttons).to_have_text(TOOLS)
    from_menu(phone, "Demo")
    expect(home.board.locator("#sign")).to_be_visible()
    phone.get_by_role("button", name="End the demo").click()
    expect(home.board.locator("#sign")).to_be_hidden()
    phone.get_by_role("button", name="Phones").click()
    expect(phone.locator("#phones .may")).to_contain_text(["runs the table"])
    expect(phone.locator("#phones .may")).to_contain_text(["this phone"])
    phone.get_by_role("button", name="Forget Anna").click()
    expect(phone.get_by_role("button", name="Join")).to_be_visible()


DRAWN = """async () => {
    const all = [...document.querySelectorAll(".codes img")];
    await Promise.all(all.map((one) => one.decode()));
    return all.map((one) => one.naturalWidth);
}"""
"""The widths of the codes, once they are there."""


def test_the_board_shows_codes_for_cameras(home: Home) -> None:
    """Each playing side and the board have one, with an address that phones reach."""
    home.board.get_by_role("button", name="Phones").click()
    dialog = home.board.get_by_role("dialog", name="Phones")
    expect(dialog.get_by_role("link")).to_have_count(3)
    links = [link.get_attribute("href") for link in dialog.get_by_role("link").all()]
    assert [home.far, f"{home.far}pad?side=1", f"{home.far}pad?side=2"] == links
    widths = home.board.evaluate(DRAWN)
    assert (3, True) == (len(widths), all(widths))
    expect(dialog.locator(".unreachable")).to_be_hidden()
    expect(dialog.get_by_role("img")).to_have_count(3)


def test_hands_of_cards_have_addresses_that_phones_reach(home: Home) -> None:
    """A reloaded page still has them, but not those of an earlier game."""
    board = home.board
    board.get_by_role("button", name="Cards").click()
    board.locator("#dealing").get_by_label("White").select_option("child")
    board.locator("#dealing").get_by_role("button", name="Deal", exact=True).click()
    link = board.locator("#dealing").get_by_role("link", name="Your hand")
    expect(link).to_be_visible()
    href = str(link.get_attribute("href"))
    assert href.startswith("/hand?hand=")
    expect(board.get_by_role("img", name="Code to scan: Your hand")).to_be_visible()
    board.evaluate("localStorage.hand = '/hand?hand=of-an-earlier-game'")
    board.reload()
    live(board)
    board.get_by_role("button", name="The hands").click()
    link = board.locator("#dealing").get_by_role("link", name="Your hand")
    expect(link).to_have_attribute("href", href)
    phone = home.phone(href.removeprefix("/"))
    expect(phone.locator("#who")).to_have_text("Amber, seat 1")


@pytest.mark.parametrize(("host", "offers"), [("127.0.0.1", 1), ("0.0.0.0", 0)])  # noqa: S104
def test_only_what_is_not_set_is_offered(browser: Browser, host: str, offers: int) -> None:
    """A machine without a network says so, and offers nothing useless."""
    with served(RealTable(web={"host": host})) as table:
        page = browser.new_page()
        page.goto(table.url)
        live(page)
        page.get_by_role("button", name="Phones").click()
        reach = page.locator("#phones .unreachable")
        expect(reach.get_by_role("button", name="Let phones in")).to_have_count(offers)
        words = "cannot reach this machine" if offers else "is in no network"
        expect(reach).to_contain_text(words)
        page.close()
