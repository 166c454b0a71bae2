"""The page's referee, and corrections: a count of the log, pegs placed by hand."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from companion.board.layout import Hole
from companion.rules.game import Correct, Peg, SetPegs
from companion.rules.game.commands import RULINGS, Claim, Muggins, Overpeg, Penalty
from tests.support.browser import Served, from_menu, live, opened, served
from tests.support.real_table import RealTable, stand


@pytest.fixture
def three() -> Iterator[Served]:
    """Serve a table of three sides with its page."""
    with served(RealTable(sides=3)) as there:
        yield there


def requested(page: Page) -> Locator:
    """Open the referee's dialog and wait for its rulings."""
    from_menu(page, "Referee")
    dialog = page.get_by_role("dialog", name="Referee")
    expect(dialog.get_by_role("status")).to_contain_text("ruling")
    return dialog


def acting(dialog: Locator, what: str) -> Locator:
    """Open the form behind an entry's button."""
    dialog.get_by_label(what, exact=True).click()
    return dialog.locator("details[open] form")


def pegged(table: Served, side: int, points: int) -> None:
    """Peg a count of a side at the table."""
    table.do(lambda real_table: real_table.peg(side, points))
    table.until(lambda real_table: Peg(side=side, points=points) in real_table.commands)


def choose(form: Locator, group: str, name: str) -> None:
    """Choose one of a group."""
    form.get_by_role("group", name=group).get_by_label(name).check()


@pytest.fixture
def strict() -> Iterator[Served]:
    """Serve a table by whose house rule excessive counts are called, too."""
    with served(RealTable(rules={"muggins_counts": "missed-and-overcalled"})) as there:
        yield there


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


def fronts(table: Served) -> tuple[Hole, ...]:
    """Return the front pegs."""
    return table.do(
        lambda real_table: tuple(side.front for side in real_table.lit.table.state.all_pegs)
    )


def corrected(page: Page, line: str) -> Locator:
    """Tap a line of the log. Return the dialog."""
    page.get_by_role("button", name=line).click()
    return page.get_by_role("dialog", name="Correct a count")


def test_the_dialog_takes_the_focus_and_gives_it_back(page: Page) -> None:
    """Its field has the focus at once; Escape returns it."""
    dialog = requested(page)
    expect(dialog.get_by_role("searchbox", name="What went wrong?")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Menu")).to_be_focused()
    requested(page).get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


def test_without_all_words_the_nearest_are_found(page: Page) -> None:
    """The entry with most of the words is found, accents aside; without any, none is."""
    dialog = requested(page)
    for words, rules, status in (
        ("forgöt to count my points", ["M1"], "No ruling has all these words; the nearest are:"),
        ("spilled beans", ["N14"], "No ruling has all these words; the nearest are:"),
        ("wrong score", ["M1", "N11"], "2 rulings"),
        ("looked at cards", ["N16"], "1 ruling"),
        ("zebra", [], "No ruling has these words"),
    ):
        dialog.get_by_role("searchbox").fill(words)
        expect(dialog.get_by_role("status")).to_have_text(status)
        expect(dialog.locator(".ruling .rule")).to_have_text(rules)


@pytest.mark.parametrize(
    "words", ["", "crib MIXED", "n1", "pegged too far", "spilled", "wrong count", "cheat", "zebra"]
)
def test_the_search_leaves_what_has_all_the_words(page: Page, words: str) -> None:
    """Rulings are found by words of their rule, of the event and of the consequence."""
    dialog = requested(page)
    dialog.get_by_role("searchbox").fill(words)
    found = dialog.get_by_role("listitem").filter(visible=True)
    wanted = [
        ruling
        for ruling in RULINGS.values()
        if all(
            word in f"{ruling.rule} {ruling.what} {ruling.follows} {ruling.words}".lower()
            for word in words.lower().split()
        )
    ]
    expect(found.filter(has_not_text="M1").locator(".follows")).to_have_text(
        [str(ruling.follows) for ruling in wanted]
    )
    expect(found.filter(has_not_text="M1").locator(".rule")).to_have_text(
        [ruling.rule for ruling in wanted]
    )


def test_each_side_takes_its_two_or_not(browser: Browser, three: Served) -> None:
    """All but the offender are offered the points, and each may take them or not."""
    page = opened(browser, three)
    form = acting(requested(page), "Give two points, N9")
    takers = form.get_by_role("group", name="Who takes two?")
    expect(takers).to_be_hidden()
    choose(form, "Who did it?", "White")
    expect(takers.get_by_role("checkbox").filter(visible=True)).to_have_count(2)
    expect(takers.get_by_label("Amber")).to_be_checked()
    takers.get_by_label("Magenta").uncheck()
    form.get_by_role("button", name="Give").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert [Penalty(rule="N9", by=2, taken=(1,))] == three.do(
        lambda real_table: real_table.commands
    )


def test_computers_take_points_only_for_their_gain(browser: Browser) -> None:
    """N9, N11: with dealt cards the form shows the computers' choice, locked."""
    with served(RealTable(sides=3, board="crib-wars")) as there:
        there.hand("person", "shark", "shark")
        for side, front in ((1, 100), (2, 20), (3, 100)):
            there.execute(SetPegs(side=side, front=front, back=0))
        page = opened(browser, there)
        form = acting(requested(page), "Give two points, N9")
        choose(form, "Who did it?", "Amber")
        takers = form.get_by_role("group", name="Who takes two?")
        leaving = takers.get_by_label("White: the computer does better without them")
        taking = takers.get_by_label("Magenta: the computer takes them")
        for each, is_checked in ((leaving, False), (taking, True)):
            expect(each).to_be_disabled()
            expect(each).to_be_checked(checked=is_checked)
        form.get_by_role("button", name="Give").click()
        expect(page.get_by_role("dialog")).to_be_hidden()
        there.execute(Peg(side=1, points=4))
        form = acting(requested(page), "Put the count right, N11")
        form.get_by_label("How many too many?").fill("2")
        expect(form.get_by_label("Magenta: the computer takes them")).to_be_checked()
        form.get_by_role("button", name="Put it right").click()
        expect(page.get_by_role("dialog")).to_be_hidden()
        wanted = [Penalty(rule="N9", by=1, taken=(3,)), Overpeg(side=1, extra=2, taken_by=3)]
        commands = there.do(lambda real_table: real_table.commands)
        assert wanted == [each for each in commands if isinstance(each, Penalty | Overpeg)]


def test_another_offender_takes_other_points(browser: Browser, three: Served) -> None:
    """A side that turns out not to be the offender may take the points."""
    page = opened(browser, three)
    form = acting(requested(page), "Give two points, N16")
    for name in ("White", "Magenta"):
        choose(form, "Who did it?", name)
    form.get_by_role("button", name="Give").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert [Penalty(rule="N16", by=3, taken=(1, 2))] == three.do(
        lambda real_table: real_table.commands
    )


def test_a_game_is_claimed_by_a_second_press(page: Page, table: Served) -> None:
    """The claim is shown before it is sent, with No where a key held too long would press."""
    form = acting(requested(page), "Claim the game, N13")
    choose(form, "Who did it?", "Amber")
    expect(form.get_by_role("group", name="Who gets").get_by_label("White")).to_be_checked()
    form.get_by_role("button", name="Claim the game").click()
    sure = form.get_by_role("group", name="The game ends, and White has won it.")
    expect(sure.get_by_role("button", name="No")).to_be_focused()
    page.keyboard.press("Enter")
    expect(sure).to_be_hidden()
    form.get_by_role("button", name="Claim the game").click()
    assert [] == table.do(lambda real_table: real_table.commands)
    sure.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert [Claim(rule="N13", by=1, game_to=2)] == table.do(lambda real_table: real_table.commands)


def test_a_changed_claim_is_confirmed_anew(browser: Browser, three: Served) -> None:
    """Only the confirmed command is sent."""
    page = opened(browser, three)
    form = acting(requested(page), "Claim the game, N14")
    choose(form, "Who did it?", "Amber")
    choose(form, "Who gets the game?", "White")
    form.get_by_role("button", name="Claim the game").click()
    choose(form, "Who gets the game?", "Magenta")
    expect(form.get_by_role("button", name="Yes")).to_be_hidden()
    form.get_by_role("button", name="Claim the game").click()
    form.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert [Claim(rule="N14", by=1, game_to=3)] == three.do(lambda real_table: real_table.commands)


@pytest.mark.parametrize(("taker", "taken_by"), [("Nobody", None), ("Amber", 1)])
def test_too_many_are_put_right(
    page: Page, table: Served, taker: str, taken_by: int | None
) -> None:
    """The count is reduced by the excess, which another side may get (N11)."""
    pegged(table, 2, 5)
    form = acting(requested(page), "Put the count right, N11")
    expect(form.get_by_label("How many too many?")).to_be_in_viewport(ratio=1)
    expect(form.get_by_role("group", name="Who pegged").get_by_label("White")).to_be_checked()
    form.get_by_label("How many too many?").fill("3")
    choose(form, "Who takes them?", taker)
    form.get_by_role("button", name="Put it right").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    wanted = Overpeg(side=2, extra=3, taken_by=taken_by)
    assert wanted == table.do(lambda real_table: real_table.commands)[-1]


def test_muggins_is_called(browser: Browser, strict: Served) -> None:
    """The dialog asks for side, caller, points, place, kind, and who gets them (M1-M3)."""
    page = opened(browser, strict)
    form = acting(requested(page), "Call muggins, M1")
    choose(form, "Who erred?", "White")
    form.get_by_label("Points", exact=True).fill("2")
    form.get_by_role("button", name="Call it").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    pegged(strict, 1, 6)
    form = acting(requested(page), "Call muggins, M1")
    choose(form, "Who erred?", "Amber")
    form.get_by_label("Points", exact=True).fill("6")
    choose(form, "Where?", "In the play")
    choose(form, "How?", "Counted too many")
    choose(form, "The points are", "Given back")
    form.get_by_role("button", name="Call it").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert [
        Muggins(erring=2, by=1, points=2, where="show", kind="missed"),
        Peg(side=1, points=6),
        Muggins(erring=1, by=2, points=6, where="play", kind="overcalled", given_back=True),
    ] == strict.do(lambda real_table: real_table.commands)


def test_what_is_left_open_is_not_sent(page: Page, table: Served) -> None:
    """A form without its answers stays open, and nothing is sent."""
    form = acting(requested(page), "Give two points, N3")
    form.get_by_role("button", name="Give").click()
    expect(form.get_by_role("group", name="Who did it?").get_by_label("Amber")).to_be_focused()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert [] == table.do(lambda real_table: real_table.commands)


def test_a_refusal_is_reported_in_the_dialog(browser: Browser, table: Served) -> None:
    """The reason is beside the fields, which keep their values."""
    page = opened(browser, table)
    pegged(table, 2, 5)
    form = acting(requested(page), "Put the count right, N11")
    choose(form, "Who pegged too many?", "White")
    form.get_by_label("How many too many?").fill("6")
    choose(form, "Who takes them?", "Nobody")
    form.get_by_role("button", name="Put it right").click()
    expect(form.get_by_role("alert")).to_contain_text("(N11)")
    form.get_by_label("How many too many?").fill("3")
    form.get_by_role("button", name="Put it right").click()
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_who_types_to_the_referee_presses_nothing(page: Page, table: Served) -> None:
    """In the dialog keys are letters; a second after it they press buttons again."""
    dialog = requested(page)
    page.keyboard.type("qwe m")
    expect(dialog.get_by_role("searchbox")).to_have_value("qwe m")
    dialog.get_by_role("heading", name="Referee").click()
    page.keyboard.press("q")
    page.keyboard.press("Escape")
    page.keyboard.press("Space")
    expect(page.locator("#menu")).to_be_visible()
    page.keyboard.press("Escape")
    live(page)
    page.keyboard.press("q")
    assert table.felt(("1.plus_one", True), ("1.plus_one", False))


def test_keys_alone_give_a_penalty(page: Page, table: Served) -> None:
    """The keyboard alone leads from the button to the table."""
    page.get_by_role("button", name="Menu").focus()
    for key in ("Enter", *["Tab"] * 3, "Enter"):
        page.keyboard.press(key)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("status")).to_contain_text("ruling")
    page.keyboard.type("n9")
    for key in ("Tab", "Enter", "Tab", "Space", "ArrowRight", "Tab", "Tab", "Enter"):
        page.keyboard.press(key)
    expect(dialog).to_be_hidden()
    assert [Penalty(rule="N9", by=2, taken=(1,))] == table.do(
        lambda real_table: real_table.commands
    )
    assert [] == table.do(lambda real_table: real_table.presses)


def test_what_the_rules_in_force_grant_is_offered(browser: Browser) -> None:
    """N3, M3: `opponents` take at once, `nobody` takes nothing; without muggins no call."""
    for penalty_to, forms in (("opponents", 1), ("nobody", 0)):
        with served(
            RealTable(sides=3, rules={"penalty_to": penalty_to, "muggins": "off"})
        ) as there:
            page = opened(browser, there)
            dialog = requested(page)
            expect(dialog.get_by_label("Give two points, N9", exact=True)).to_have_count(forms)
            expect(dialog.get_by_label("Call muggins, M1")).to_have_count(0)
            expect(dialog.get_by_label("Put the count right, N11")).to_have_count(0)
            if forms:
                form = acting(dialog, "Give two points, N9")
                choose(form, "Who did it?", "White")
                form.get_by_role("button", name="Give").click()
                expect(dialog).to_be_hidden()
                wanted = [Penalty(rule="N9", by=2, taken=(1, 3))]
                assert wanted == there.do(lambda real_table: real_table.commands)
            page.context.close()


def test_an_award_that_lands_in_a_zone_is_warned_of(browser: Browser) -> None:
    """Z3: a taker is warned if two points lead into the trap; a boxed side takes none."""
    with served(RealTable(sides=3, board="crib-wars")) as there:
        pegged(there, 3, 22)
        placed = {"set_pegs": {"team": 1, "front": 128, "back": 120}}
        httpx.post(f"{there.url}api/command", json=placed).raise_for_status()
        page = opened(browser, there)
        form = acting(requested(page), "Give two points, N9")
        choose(form, "Who did it?", "White")
        expect(
            form.get_by_role("group", name="Who takes two?").get_by_role("checkbox")
        ).to_have_count(1)
        expect(form.locator(".preview .warn")).to_contain_text("time trap on 130")


def test_only_who_plays_is_named(browser: Browser, three: Served) -> None:
    """A side that does not play can neither err nor take; a name is only text."""
    three.do(lambda real_table: real_table.name(2, "<img src=x>"))
    two = {"1": stand(), "2": stand()}
    three.do(lambda real_table: real_table.tell(table={"sides": two}))
    page = opened(browser, three)
    form = acting(requested(page), "Give two points, N9")
    expect(form.get_by_role("group", name="Who did it?").locator(".option")).to_have_text(
        ["Amber", "<img src=x>"]
    )


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (1366, 768)])
def test_the_dialog_fits(browser: Browser, three: Served, width: int, height: int) -> None:
    """On a phone, too, nothing is cut off, and each target fits a finger."""
    page = opened(browser, three, viewport={"width": width, "height": height})
    dialog = requested(page)
    form = acting(dialog, "Call muggins, M1")
    choose(form, "Who erred?", "Amber")
    sizes = page.evaluate("""() => {
        const { scrollWidth, clientWidth } = document.querySelector(".rulings");
        return [scrollWidth, clientWidth];
    }""")
    assert sizes[0] <= sizes[1]
    for place in form.locator(".option, button, input[type=number]").filter(visible=True).all():
        box = place.bounding_box()
        assert box
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    form.get_by_role("button", name="Call it").scroll_into_view_if_needed()
    expect(form.get_by_role("button", name="Call it")).to_be_in_viewport(ratio=1)


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
