"""The head of a page names exactly the modules that its browser would load by itself."""

import re
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser

from companion.web.pages import preloads
from tests.support.browser import Served

SCRIPT = '<script type="module" src="/static/{}"></script>'
PAGES = {"": "main.js", "tv": "tv.js", "pad?side=1": "pad.js", "records": "records/records.js"}


def links(head: str) -> list[str]:
    """Return the addresses of the modules named in a head."""
    return re.findall(r'<link rel="modulepreload" href="([^"]+)">', head)


def test_modules_are_named_however_far_away() -> None:
    """Each is named once, also several imports away, unless it is loaded on use."""
    named = links(preloads(SCRIPT.format("main.js")))
    assert {"/static/vendor/preact.js", "/static/net/storage.js"} <= set(named)
    assert len(named) == len(set(named))
    assert not {"/static/main.js", "/static/table/corrections.js"} & set(named)


def test_a_page_without_script_names_none() -> None:
    """A page to print names none."""
    assert preloads('<link rel="stylesheet" href="/static/style.css">') == ""


@pytest.mark.browser
@pytest.mark.parametrize(("path", "script"), PAGES.items())
def test_they_are_what_the_browser_loads(
    browser: Browser, table: Served, path: str, script: str
) -> None:
    """Chromium, which follows the imports by itself, requests these modules and no others."""
    page = browser.new_page()
    body = httpx.get(table.url + path).text
    without = re.sub(r'<link rel="modulepreload"[^>]*>', "", body)
    page.route(
        table.url + path, lambda route: route.fulfill(body=without, content_type="text/html")
    )
    page.route("**/api/about", lambda route: route.abort())  # no module runs beyond its imports
    loaded = list[str]()
    page.on("request", lambda request: loaded.append(urlsplit(request.url).path))
    page.goto(table.url + path)  # returns after the load event
    page.close()
    modules = {name for name in loaded if name.endswith(".js")} - {"/static/ui/theme.js"}
    assert modules == {*links(body), f"/static/{script}"}
