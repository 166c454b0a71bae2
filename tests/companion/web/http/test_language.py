"""The language of a request: chosen on the device, accepted by its browser, or the table's."""

import pytest
from starlette.requests import HTTPConnection

from companion.web.http.requests import LANGUAGE_COOKIE as COOKIE
from companion.web.http.requests import language_of
from tests.companion.web.client import fetch
from tests.support.real_table import RealTable


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
    """The device's choice precedes the browser's languages, and these the table's."""
    headers = [(b"accept-language", accepted.encode())] * bool(accepted)
    headers += [(b"cookie", f"{COOKIE}={cookie}".encode())] * bool(cookie)
    assert language == language_of(HTTPConnection({"type": "http", "headers": headers}), "fr")


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        (
            "en",
            (
                "nothing of that name",
                "White did not make the last count",
                "send one of penalty",
                "Somebody",
            ),
        ),
        (
            "fr",
            (
                "rien de ce nom",
                "Blanc n'a pas fait le dernier compte",
                "envoyez un seul de penalty",
                "Quelqu'un",
            ),
        ),
    ],
)
def test_refusals_and_rulings_are_reported_in_it(language: str, texts: tuple[str, ...]) -> None:
    """All refusals and rulings are in it, with a side's name in that language."""
    headers = {"Accept-Language": language}
    overpeg = b'{"overpeg": {"team": 2, "extra": 1}}'
    with RealTable() as table:
        answers = (
            fetch(table, "GET", "/api/cards/none", headers=headers),
            fetch(table, "POST", "/api/preview", headers=headers, body=overpeg),
            fetch(table, "POST", "/api/preview", headers=headers, body=b"{}"),
            fetch(table, "GET", "/api/referee", headers=headers),
        )
    for text, answer in zip(texts, answers, strict=True):
        assert text in answer.text
