"""A whole game of the demo on the page of the real program: cards, counts, words, the end."""

import json
import re
import threading
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import httpx
from playwright.sync_api import Browser, expect

from companion.cli.deal import deal_lines
from tests.companion.web.demo_looks import LOOKS, deals, expected, reported_in_all
from tests.support.browser import faultless, from_menu, live
from tests.support.limits import TIMEOUT_S
from tests.support.program import Program, running

GAME_TO = 41
SETTINGS = f"""
board = "classic"
[rules]
game_to = {GAME_TO}
[demo]
speed = 20
players = ["child"]
"""
"""Fast, but not so fast that the stream draws two cards together: it tells 30 times a second."""

BETWEEN_GAMES = re.compile("pegs took|begins soon")
MAIN = """() => {
    const main = document.querySelector("main").cloneNode(true);
    for (const late of main.querySelectorAll("#feedback, .chance")) late.remove();
    return main.outerHTML.replaceAll(' style=""', "");
}"""
"""All of the page but the line about the last press, which is the one that ended the demo, and the
win chances, which are computed beside the game and come when they are known."""
CHANCE = re.compile(r"^\d+%$")
SIZED = re.compile("font-size")
"""The lettering follows the size of the sheet, a frame after that has changed."""


class Eavesdropper(threading.Thread):
    """Another stream of the same table, kept until the demo's first game is over."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self.heard: list[dict[str, Any]] = []
        self._news = cast("Generator[dict[str, Any]]", program.news())
        self.heard.append(next(self._news))

    def run(self) -> None:
        """Listen until the path of the game has been shown, or the test has failed."""
        with suppress(httpx.TransportError):
            while not is_over(self.heard[-1]):
                self.heard.append(next(self._news))
        self._news.close()


def is_over(news: dict[str, Any]) -> bool:
    """Return True if a demo's game is over and the board shows something else."""
    return bool(news["demo"]) and news["demo"]["stage"] != "play"


def test_one_whole_game_and_the_way_back(browser: Browser, tmp_path: Path) -> None:
    """Cards, counts and captions are those of the stream; a press brings the game back."""
    settings = tmp_path / "settings.toml"
    settings.write_text(SETTINGS)
    with running(tmp_path, "--config", str(settings)) as program, faultless(browser) as page:
        program.press("1.plus_five", "1.enter", "2.plus_one", "2.plus_one")
        before = program.until(1)
        page.add_init_script(LOOKS)
        page.goto(program.url)
        live(page)
        expect(page.locator("[data-side='2'] .pending")).to_have_text("+2")
        expect(page.locator(".lettering text").first).to_have_attribute("style", SIZED)
        game = page.evaluate(MAIN)
        other = Eavesdropper(program)
        other.start()
        from_menu(page, "Demo")
        expect(page.locator("#below")).to_have_text(BETWEEN_GAMES)
        other.join(TIMEOUT_S)
        page.keyboard.press("q", delay=80)
        expect(page.locator("main")).to_have_attribute("data-screen", "game")
        page.keyboard.up("q")
        page.wait_for_function(f"(game) => ({MAIN})() === game", arg=game, timeout=1000 * TIMEOUT_S)
        expect(page.locator("[data-side='1'] .chance")).to_have_text(CHANCE)
        assert before == program.table()
        looks: list[dict[str, Any]] = page.evaluate("looks")
    check_each(looks)
    of_game = looks[: next(n for n, look in enumerate(looks) if is_over(look["told"]))]
    check_words(of_game, other.heard)
    check_counts([look["shown"] for look in of_game if look["shown"]["hands"]])


def check_each(looks: list[dict[str, Any]]) -> None:
    """Check that the page shows at every change what it was sent."""
    for look in looks:
        wanted = expected(look["told"]["demo"])
        assert wanted == look["shown"]


def check_words(looks: list[dict[str, Any]], heard: list[dict[str, Any]]) -> None:
    """Check that the page got every line of the game that others got, in the same order."""
    reported = (look["told"]["demo"] for look in looks)
    others = (news["demo"] for news in heard)
    lines, said = (
        reported_in_all([demo["lines"] for demo in of if demo]) for of in (reported, others)
    )
    assert said == lines
    assert len(lines) > 40
    assert [line for line in lines if "wins" in line] == lines[-1:]


def check_counts(shown: list[dict[str, Any]]) -> None:
    """Check that the cards on the page, counted again, make the holes that the pegs have gone."""
    finished = deals(shown)
    assert finished
    for deal, fronts in finished:
        (answer,) = map(json.loads, deal_lines([json.dumps(deal).encode()], finish=GAME_TO))
        made = answer["pegged"]
        for counted in (*answer["shows"], answer["crib"]):
            made[counted["seat"] - 1] += counted["points"]
        assert fronts == [front + n for front, n in zip(deal["fronts"], made, strict=True)]
