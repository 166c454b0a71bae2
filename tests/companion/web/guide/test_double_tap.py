"""Forms are sent once, in a real browser, despite quick taps and lost responses."""

from playwright.sync_api import Browser, Page, Route, expect

from companion.rules.game import NewGame, Peg, Undo
from tests.support.browser import Served, fetched, opened, served
from tests.support.real_table import RealTable


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
        page.context.close()


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
        page.context.close()
