"""The language of a request: chosen on the device, accepted by its browser, or the table's."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from companion.web.http.language import COOKIE, language_of


@pytest.mark.parametrize(
    ("accepted", "cookie", "language"),
    [
        ("", "", "fr"),
        ("*", "", "fr"),
        ("en-GB,en;q=0.9", "", "en"),
        ("tlh, en;q=0.2, fr;q=0.8", "", "fr"),
        ("en;q=0, de", "", "fr"),
        ("en;q=x", "", "fr"),
        ("EN-us", "", "en"),
        ("en", "fr", "fr"),
        ("en", "../fr", "en"),
    ],
)
def test_the_language_of_a_request(accepted: str, cookie: str, language: str) -> None:
    """The device's choice goes before what its browser accepts, that before the table's: fr."""
    headers = [(b"accept-language", accepted.encode())] * bool(accepted)
    headers += [(b"cookie", f"{COOKIE}={cookie}".encode())] * bool(cookie)
    assert language == language_of(HTTPConnection({"type": "http", "headers": headers}), "fr")
