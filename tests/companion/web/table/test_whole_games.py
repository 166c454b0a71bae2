"""Whole games at the page without a mouse: by the keyboard, and by a screen reader."""

import time
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.support.browser import live, opened, served
from tests.support.limits import TIMEOUT_S
from tests.support.real_table import RealTable

BOARD = "classic-61"
COUNTS = [(1, 29), (2, 12), (1, 29), (2, 7), (1, 3)]
"""Counts of a game to 61, each in a hand of its own: what both games are made of."""


def test_a_game_by_keyboard_alone(browser: Browser) -> None:
    """From sign-up to win, Tab reaches all that has no key of its own."""
    with served(RealTable(board=BOARD)) as table:
        page = opened(browser, table)
        for side, points in COUNTS:
            one, five, enter = {1: ("q", "w", "e"), 2: ("a", "s", "d")}[side]
            for key in [five] * (points // 5) + [one] * (points % 5) + [enter]:
                page.keyboard.press(key)
            if (side, points) != COUNTS[-1]:
                page.keyboard.press("Space")
        expect(page.locator("#win-title")).to_have_text("Amber wins")
        expect(page.locator("[data-side='1'] .front")).to_have_text("61")
        tab_to(page, "White, Undo")
        page.keyboard.down("Enter")
        expect(page.locator("#win")).to_be_hidden()
        page.keyboard.up("Enter")
        expect(page.locator("[data-side='1'] .front")).to_have_text("58")
        tab_to(page, "Correct")
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Correct a count")
        expect(dialog.get_by_label("Points")).to_have_value("7")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        for key in ("q", "q", "q", "e"):
            page.keyboard.press(key)
        expect(page.locator("#win")).to_be_visible()
        tab_to(page, "Deal")
        page.keyboard.press("Enter")
        expect(page.locator("#win")).to_be_hidden()
        expect(page.locator("[data-side='1'] .front")).to_have_text("0")
        page.context.close()


def tab_to(page: Page, name: str) -> None:
    """Press Tab until a button has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        focused = page.evaluate(
            "document.activeElement.ariaLabel ?? document.activeElement.textContent"
        )
        if focused == name:
            return
    raise AssertionError(name)


class Reader:
    """A screen reader's view of a page: the accessibility tree, and clicks on its nodes."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session: CDPSession = page.context.new_cdp_session(page)

    def nodes(self) -> list[dict[str, Any]]:
        """Return the nodes of the tree."""
        tree = self._session.send("Accessibility.getFullAXTree")["nodes"]
        return [node for node in tree if not node["ignored"]]

    def press(self, name: str) -> None:
        """Press the button of this name, as assistive programs do."""
        (button,) = (
            node
            for node in self.nodes()
            if node["role"]["value"] == "button" and node["name"]["value"] == name
        )
        assert not any(p["name"] == "disabled" for p in button.get("properties", ()))
        found = self._session.send("DOM.resolveNode", {"backendNodeId": button["backendDOMNodeId"]})
        self._session.send(
            "Runtime.callFunctionOn",
            {
                "objectId": found["object"]["objectId"],
                "functionDeclaration": "function () { this.click(); }",
            },
        )

    def hears(self, words: str) -> None:
        """Wait until a text of the tree has these words."""
        end = time.monotonic() + TIMEOUT_S
        while not any(words in str(node.get("name", {}).get("value")) for node in self.nodes()):
            assert time.monotonic() < end, words
            self._page.evaluate("new Promise(requestAnimationFrame)")


def test_a_game_by_the_accessibility_tree_alone(browser: Browser) -> None:
    """Buttons have names; pending counts, score and win are texts of the tree."""
    with served(RealTable(board=BOARD)) as table:
        page = opened(browser, table)
        live(page)
        reader = Reader(page)
        reader.press("Amber, Enter")
        reader.hears("Amber has no count to enter")
        holes = {1: 0, 2: 0}
        for side, points in COUNTS:
            name = {1: "Amber", 2: "White"}[side]
            for key in ["+5"] * (points // 5) + ["+1"] * (points % 5):
                reader.press(f"{name}, {key}")
            reader.hears(f"+{points}")
            reader.press(f"{name}, Enter")
            holes[side] += points
            reader.hears(f"Amber {holes[1]}, White {holes[2]}.")
            if (side, points) != COUNTS[-1]:
                reader.press("Deal")
        reader.hears("Amber wins")
        reader.press("Deal")
        reader.hears("Hand 1, ")
        page.context.close()
