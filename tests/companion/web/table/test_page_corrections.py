"""Corrections on the board's page: a count of the log, and pegs placed by hand."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from companion.board.layout import Hole
from companion.rules.game import Correct, Peg, SetPegs
from tests.support.browser import Served, from_menu, opened, served
from tests.support.real_table import RealTable


@pytest.fixture
def counted() -> Iterator[Served]:
    """Serve a table on the long track with three counts and its page."""
    with served(RealTable(board="crib-wars")) as there:
        for side, points in ((1, 10), (2, 6), (1, 12)):
            pegged(there, side, points)
        yield there


@pytest.fixture
def its_page(browser: Browser, counted: Served) -> Iterator[Page]:
    """Open the page of that table."""
    shown = opened(browser, counted)
    yield shown
    shown.context.close()


def pegged(table: Served, side: int, points: int) -> None:
    """Peg a count of a side at the table."""
    table.do(lambda real_table: real_table.peg(side, points))
    table.until(lambda real_table: Peg(side=side, points=points) in real_table.commands)


def fronts(table: Served) -> tuple[Hole, ...]:
    """Return the front pegs."""
    return table.do(
        lambda real_table: tuple(side.front for side in real_table.lit.table.state.all_pegs)
    )


def corrected(page: Page, line: str) -> Locator:
    """Tap a line of the log. Return the dialog."""
    page.get_by_role("button", name=line).click()
    return page.get_by_role("dialog", name="Correct a count")


def test_a_tap_on_a_count_corrects_it(its_page: Page, counted: Served) -> None:
    """The changes of pegs and landings are shown first; the last landing was in a box."""
    assert (2, 26) == fronts(counted)
    dialog = corrected(its_page, "Amber counts ten, to 10.")
    points = dialog.get_by_label("Points")
    expect(points).to_have_value("10")
    points.fill("9")
    shown = dialog.get_by_role("status")
    expect(shown).to_contain_text("Amber: from 2 to 21, the back peg on 9")
    expect(shown).to_contain_text("White: from 26 to 6, the back peg on 0")
    expect(shown.locator(".changed")).to_have_count(2)
    assert (2, 26) == fronts(counted)
    dialog.get_by_role("button", name="Correct it").click()
    expect(dialog).to_be_hidden()
    assert Correct(entry=1, points=9) == counted.do(lambda real_table: real_table.commands)[-1]
    assert (21, 6) == fronts(counted)
    reported = its_page.locator("#events")
    expect(reported).to_contain_text("Amber has an earlier count corrected to nine.")


def test_a_count_is_removed(its_page: Page, counted: Served) -> None:
    """Any count of the game can be chosen, even one that the log has dropped."""
    its_page.get_by_role("button", name="Correct", exact=True).click()
    dialog = its_page.get_by_role("dialog", name="Correct a count")
    dialog.get_by_label("Which count?").select_option("White counts six, to 6.")
    dialog.get_by_label("Remove it").check()
    expect(dialog.get_by_role("status")).to_contain_text("White: from 26 to 20")
    dialog.get_by_role("button", name="Correct it").click()
    expect(dialog).to_be_hidden()
    assert Correct(entry=2) == counted.do(lambda real_table: real_table.commands)[-1]


def test_points_that_no_count_has_are_named(its_page: Page) -> None:
    """The dialog names the possible points until they are valid again."""
    dialog = corrected(its_page, "Amber counts ten, to 10.")
    dialog.get_by_label("Points").fill("40")
    fault = dialog.get_by_text("Points are whole numbers from 1 to 29.")
    expect(fault).to_be_visible()
    expect(dialog.get_by_role("button", name="Correct it")).to_be_disabled()
    dialog.get_by_label("Points").fill("9")
    expect(fault).to_have_count(0)


def test_counts_are_chosen_by_hand(its_page: Page, counted: Served) -> None:
    """Each group has the number of its hand. A long line keeps the list within the dialog."""
    its_page.set_viewport_size({"width": 390, "height": 844})
    counted.do(lambda real_table: real_table.lit.table.tap("deal"))
    counted.until(lambda real_table: real_table.lit.table.state.hand == 2)
    pegged(counted, 2, 5)
    from_menu(its_page, "Correct")
    dialog = its_page.get_by_role("dialog")
    groups = dialog.locator("optgroup")
    expect(groups).to_have_count(2)
    assert [["Hand 2", 1], ["Hand 1", 3]] == groups.evaluate_all(
        "(groups) => groups.map((group) => [group.label, group.children.length])"
    )
    ends = "(parts) => parts.map((part) => part.getBoundingClientRect().right)"
    [its_end, end_of_list] = dialog.or_(dialog.locator("select")).evaluate_all(ends)
    assert end_of_list < its_end


def test_a_line_of_the_log_leads_to_its_place(its_page: Page, counted: Served) -> None:
    """An arrow opens the records at the number of its command; it is seen with mouse or focus."""
    accepted = counted.do(lambda real_table: real_table.lit.table.queue.accepted)
    links = its_page.locator("#events .again")
    expect(links).to_have_count(3)
    hrefs = links.evaluate_all("(links) => links.map((link) => link.getAttribute('href'))")
    assert [
        f"/records#seq={seq}" for seq in sorted((each.seq for each in accepted), reverse=True)
    ] == hrefs
    for look in (links.first.hover, links.first.focus):
        its_page.mouse.move(0, 0)
        expect(links.first).to_have_css("opacity", "0")
        look()
        expect(links.first).to_have_css("opacity", "1")


def test_the_log_is_one_tab_stop(its_page: Page) -> None:
    """Arrow keys go through its lines, Enter corrects a count, and Tab leaves the log."""
    its_page.get_by_role("region", name="What happened").focus()
    focused = its_page.locator(":focus")
    for name in ("Amber", "White", "Amber"):
        its_page.keyboard.press("ArrowDown")
        expect(focused).to_contain_text(f"{name} counts")
    its_page.keyboard.press("ArrowRight")
    expect(focused).to_have_accessible_name("See this place again")
    its_page.keyboard.press("Tab")
    assert not focused.evaluate("(element) => element.closest('.log')")
    its_page.keyboard.press("Shift+Tab")
    expect(focused).to_have_accessible_name("What happened")
    its_page.keyboard.press("ArrowDown")
    its_page.keyboard.press("Enter")
    expect(its_page.get_by_role("dialog", name="Correct a count")).to_be_visible()


def test_a_correction_that_a_later_count_forbids(its_page: Page) -> None:
    """Z5: the refused line is named with the reason, and nothing can be sent."""
    dialog = corrected(its_page, "Amber counts ten, to 10.")
    dialog.get_by_label("Points").fill("22")
    expect(dialog.get_by_role("status")).to_contain_text(
        "would then be refused: Amber has folded until the next deal"
    )
    expect(dialog.get_by_role("button", name="Correct it")).to_be_disabled()


def test_pegs_are_placed(its_page: Page, counted: Served) -> None:
    """A side path has holes, too; errors are shown before anything is sent."""
    from_menu(its_page, "Place pegs")
    dialog = its_page.get_by_role("dialog", name="Place pegs")
    dialog.get_by_role("radio", name="White").check()
    dialog.get_by_label("Front peg on").fill("10")
    dialog.get_by_label("Back peg on").fill("20")
    expect(dialog.get_by_role("status")).to_contain_text("is ahead of its front peg on 10")
    dialog.get_by_label("Front peg on").fill("trap-130:3")
    dialog.get_by_label("Back peg on").fill("131")
    dialog.get_by_role("button", name="Place them").click()
    expect(dialog).to_be_hidden()
    wanted = SetPegs(side=2, front="trap-130:3", back=131)
    assert wanted == counted.do(lambda real_table: real_table.commands)[-1]
