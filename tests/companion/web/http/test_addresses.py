"""Addresses of the page for phones, and the code that a camera reads."""

import xml.etree.ElementTree as ET
from ipaddress import ip_address

import pytest

from companion.web.http.addresses import addresses, qr_svg
from tests.companion.web.client import fetch
from tests.support.real_table import RealTable


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.1.2.3"])
def test_loopback_is_for_this_machine_alone(host: str) -> None:
    """No phone finds it."""
    assert () == addresses(host, 8000)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("192.168.1.7", "http://192.168.1.7:8000/"),
        ("fd00::7", "http://[fd00::7]:8000/"),
        ("crib.lan", "http://crib.lan:8000/"),
    ],
)
def test_an_address_is_written_as_browsers_read_it(host: str, expected: str) -> None:
    """IPv6 stands in brackets."""
    assert (expected,) == addresses(host, 8000)


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # noqa: S104  # nobody binds to it here
def test_all_addresses_are_reported_as_one_that_can_be_typed(host: str) -> None:
    """The one towards the network; none where there is no network."""
    for address in addresses(host, 8000):
        own = address.removeprefix("http://").removesuffix(":8000/")
        assert not ip_address(own).is_unspecified


def test_a_code_is_drawn_with_its_quiet_zone() -> None:
    """Black on white, scalable, without a style that the page's policy forbids."""
    drawing = ET.fromstring(qr_svg("http://192.168.1.7:8000/pad?side=1"))  # noqa: S314  # ours
    *_, width, height = map(int, (drawing.get("viewBox") or "").split())
    assert width == height
    assert width >= 25 + 2 * 4
    assert not [part for part in drawing.iter() if part.get("style")]


def test_the_code_of_a_page_is_served_where_phones_find_it() -> None:
    """And refused with the remedy where they do not."""
    app = RealTable(pages=lambda: ("http://192.168.1.7:8000/",))
    for path in ("/qr.svg", "/qr.svg?side=1", "/qr.svg?side=3"):
        answer = fetch(app, "GET", path)
        assert (200, "image/svg+xml") == (answer.status_code, answer.headers["content-type"])
    for path in ("/qr.svg?side=4", "/qr.svg?side=x", "/qr.svg?size=1", "/qr.svg?side=1&side=2"):
        assert 400 == fetch(app, "GET", path).status_code
    away = fetch(RealTable(), "GET", "/qr.svg")
    assert 404 == away.status_code
    assert "[web] host" in away.json()["error"]
