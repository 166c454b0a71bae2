"""The page on a phone's home screen has all that browsers require."""

import struct

import msgspec

from companion.web.server import STATIC
from tests.companion.web.client import fetch
from tests.support.real_table import RealTable

MANIFEST = msgspec.json.decode((STATIC / "manifest.webmanifest").read_bytes())


def test_the_manifest_is_served_as_one() -> None:
    """It has its own media type, so that browsers accept it."""
    answer = fetch(RealTable(), "GET", "/static/manifest.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    assert MANIFEST == answer.json()


def test_every_icon_is_there_in_its_size() -> None:
    """Each is a PNG of the size in the manifest, or a drawing of any size."""
    with RealTable() as table:
        for icon in MANIFEST["icons"]:
            answer = fetch(table, "GET", icon["src"])
            assert icon["type"] == answer.headers["content-type"]
            if icon["type"] == "image/png":
                width, height = struct.unpack(">II", answer.content[16:24])
                assert f"{width}x{height}" == icon["sizes"]


def test_the_page_starts_where_the_board_is() -> None:
    """The background before loading is the page's own, too."""
    page = fetch(RealTable(), "GET", MANIFEST["start_url"]).text
    assert '<link rel="manifest" href="/static/manifest.webmanifest">' in page
    assert f'<meta name="theme-color" content="{MANIFEST["theme_color"]}">' in page
