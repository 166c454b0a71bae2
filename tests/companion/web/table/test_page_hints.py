"""Hints of the page: the trap adviser, the match, and forgotten moves."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Served, live, stop_clock

PULSE = """(button) => button.getAnimations({ subtree: true })
    .filter((one) => one.animationName === "hint").map((one) => {
        const { duration, direction } = one.effect.getTiming();
        return (direction === "alternate" ? 2 : 1) * duration;
    })"""
"""Milliseconds of each blink of a button; empty when it does not blink."""


def outlook(points: int, kind: str | None = None, front: int = 0) -> dict[str, object]:
    """Return the advice on a count as the table gives it; on the finish it wins."""
    rest = {"lands": front, "forfeited": False, "wins": front == 121}
    return {"points": points, "kind": kind, "front": front, **rest}


ADVICE = {
    "1": {
        "outlooks": [
            outlook(4, front=24),
            outlook(5, "red-slide", 62),
            outlook(7, "time-trap", 130),
            *(outlook(points, "penalty-box", 2) for points in (9, 10, 11, 13)),
            outlook(20, "green-advance", 200),
            outlook(21, front=121),
        ],
        "lead_five_to": [2],
    },
    "2": {"outlooks": [], "lead_five_to": []},
}


def test_the_adviser_speaks_when_it_is_asked(page: Page, table: Served) -> None:
    """It is off at first; once switched on, it follows the game and stays on."""
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url.removeprefix(table.url)))
    table.do(lambda real_table: real_table.advise(ADVICE))
    lever = page.get_by_role("switch", name="Trap adviser")
    advice = page.locator(".advice")
    page.get_by_role("button", name="View").click()
    expect(lever).not_to_be_checked()
    table.do(lambda real_table: real_table.tell(seq=1, notices=["told"]))
    expect(page.locator("#notices li")).to_have_text(["told"])
    assert "api/advice" not in fetched
    lever.check()
    said = (
        "5 slides to 62 · 7 time trap · 9\N{EN DASH}11, 13 penalty box · 20 green advance · 21 wins"
    )
    expect(advice).to_have_text([f"{said} · lead a five", ""])
    now = {"1": ADVICE["2"], "2": {"outlooks": [outlook(3, "time-trap")], "lead_five_to": []}}
    table.do(lambda real_table: real_table.advise(now))
    table.do(lambda real_table: real_table.tell(seq=2))
    expect(advice).to_have_text(["", "3 time trap"])
    page.reload()
    live(page)
    expect(advice).to_have_text(["", "3 time trap"])
    page.get_by_role("button", name="View").click()
    lever.uncheck()
    expect(advice).to_have_text(["", ""])


def test_the_space_bar_moves_the_switch_that_has_the_focus(page: Page, table: Served) -> None:
    """It deals only if no focused element wants the key."""
    page.get_by_role("button", name="View").click()
    lever = page.get_by_role("switch", name="Trap adviser")
    lever.focus()
    page.keyboard.press("Space")
    expect(lever).to_be_checked()
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    assert table.felt(("mode", True), ("mode", False))


def test_the_match_stands_beside_the_sides(page: Page, table: Served) -> None:
    """Won games show once there is one, the goal from the first game on, and the winner."""
    games = page.locator(".name .games")
    expect(games).to_have_text(["", ""])
    expect(page.locator("#match")).to_have_text("")
    match = {"games": {"1": 0, "2": 0}, "to": 3, "winner": None}
    table.do(lambda real_table: real_table.tell(match=match))
    expect(page.locator("#match")).to_have_text("Match to 3: Amber 0, White 0")
    expect(games).to_have_text(["", ""])
    table.do(lambda real_table: real_table.tell(match={**match, "games": {"1": 0, "2": 1}}))
    expect(games).to_have_text(["0 games", "1 game"])
    table.do(
        lambda real_table: real_table.tell(match={**match, "games": {"1": 0, "2": 4}, "winner": 2})
    )
    expect(games).to_have_text(["0 games", "4 games"])
    expect(page.locator("#match")).to_have_text("White has won the match: Amber 0, White 4")
    single = {**match, "games": {"1": 1, "2": 0}, "to": None}
    table.do(lambda real_table: real_table.tell(match=single))
    expect(games).to_have_text(["1 game", "0 games"])
    expect(page.locator("#match")).to_have_text("")


@pytest.mark.parametrize(("motion", "least_ms"), [("no-preference", 500), ("reduce", 3000)])
def test_deal_blinks_when_it_was_forgotten(
    page: Page, table: Served, motion: str, least_ms: int
) -> None:
    """The button that helps blinks at most twice a second; with reduced motion it swells."""
    page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]  # a str of the two it takes
    deal = page.get_by_role("button", name="Deal", exact=True)
    assert [] == deal.evaluate(PULSE)
    table.do(lambda real_table: real_table.tell(hint={"kind": "deal-forgotten", "team": None}))
    expect(deal).to_have_class("arcade deal hint")
    (pulse,) = deal.evaluate(PULSE)
    assert pulse >= least_ms
    table.do(lambda real_table: real_table.tell(hint={"kind": "refused", "team": 2}))
    expect(deal).to_have_class("arcade deal")
    assert [] == deal.evaluate(PULSE)


def test_feedback_stands_at_its_side_fades_and_comes_again(page: Page) -> None:
    """Each Enter without a count gets the same words, which fade each time."""
    stop_clock(page)
    page.clock.run_for(2_000)  # the jump may cut the stream, which is then opened again
    live(page)
    hint = page.locator("[data-side='2'] p.hint")
    for _ in ("first", "again"):
        page.get_by_role("button", name="White, Enter").click()
        page.clock.run_for(2_000)  # a tap that got lost is sent again
        expect(hint).to_have_text("White has no count to enter: press +1 or +5 first")
        expect(page.locator("#feedback")).to_have_text(hint.inner_text())
        expect(page.locator("[data-side='1'] p.hint")).to_have_text("")
        page.clock.fast_forward(12_000)
        expect(hint).to_have_text("")
        expect(page.locator("[data-side='2'].hinted")).to_have_count(0)
