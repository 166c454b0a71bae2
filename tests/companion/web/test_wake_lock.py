"""Score pads keep the screen of a phone on, in a real browser."""

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browser import live, served
from tests.support.real_table import RealTable

PATH = "pad?side=1"
PLAYS = """() => {
  const video = document.querySelector("video");
  return video && !video.paused && video.currentTime > 0 && !video.loop;
}"""
SEEN = """() => new Promise((resolve) => {
  const tell = ([{ intersectionRatio }]) => resolve(intersectionRatio);
  new IntersectionObserver(tell).observe(document.querySelector("video"));
})"""
APPLE = "Object.defineProperty(navigator, 'vendor', { value: 'Apple Computer, Inc.' })"
LOCKS = "navigator.wakeLock.request = async () => void (window.locks = (window.locks ?? 0) + 1)"


def tapped(page: Page, address: str) -> None:
    """Tap a page of a pad once it is alive."""
    page.goto(address)
    live(page)
    page.locator("#who").click()


def come_back(page: Page) -> None:
    """Send a page the event that it is visible again."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


@pytest.mark.parametrize(
    ("browser_is", "sounds"), [("", 0), (APPLE, 1)], ids=["any browser", "Safari"]
)
def test_a_film_plays_where_no_lock_is_offered(
    browser: Browser, browser_is: str, sounds: int
) -> None:
    """It stays in view over any drawing, and goes on when the phone comes back."""
    with served(RealTable(), everywhere=True) as table:
        page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
        page.add_init_script(browser_is)
        tapped(page, table.far + PATH)
        page.wait_for_function(PLAYS)
        film = page.locator("video")
        assert sounds == film.evaluate("video => video.srcObject.getAudioTracks().length")
        assert bool(sounds) is not film.evaluate("video => video.muted")
        table.do(lambda table: table.peg(1, 3))
        page.locator("#told li").wait_for()
        film.evaluate("video => video.pause()")
        come_back(page)
        page.wait_for_function(PLAYS)
        assert 1 == page.evaluate(SEEN)
        assert (2, 2) == tuple(film.evaluate("v => [v.clientWidth, v.clientHeight]"))
        page.context.close()


def test_a_secure_page_has_a_lock(browser: Browser) -> None:
    """The lock ends while the page is hidden, and is taken again."""
    with served(RealTable()) as table:
        page = browser.new_context().new_page()
        page.add_init_script(LOCKS)
        tapped(page, table.url + PATH)
        page.wait_for_function("() => window.locks === 1")
        come_back(page)
        page.wait_for_function("() => window.locks === 2")
        assert 0 == page.locator("video").count()
        page.context.close()
