"""Bodies and languages of requests are accepted, or refused with one clear line."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import HTTPConnection

from companion.errors import BadInputError
from companion.web.http.requests import LANGUAGE_COOKIE, language_of, read
from companion.web.table.table_endpoints import PressRequest
from tests.companion.web.client import fetch
from tests.support.real_table import RealTable

BAD_PRESSES = [
    b"",
    b"null",
    b"[]",
    b"{}",
    b'{"button": 1}',
    b'{"button": null}',
    b'{"button": "deal", "seconds": "0.1"}',
    b'{"button": "deal", "seconds": true}',
    b'{"button": "deal", "seconds": 0}',
    b'{"button": "deal", "seconds": 0.009}',
    b'{"button": "deal", "seconds": 15.01}',
    b'{"button": "deal", "seconds": -1}',
    b'{"button": "deal", "seconds": NaN}',
    b'{"button": "deal", "seconds": Infinity}',
    b'{"button": "deal", "seconds": 1e999}',
    b'{"button": "deal", "second": 1}',
    b'{"button": "deal"} {}',
    b'{"button": "de',
    b"\xff\xfe",
    b'{"button": "\xff"}',
    b'{"button": ' + b"[" * 50_000,
]


@pytest.mark.parametrize("body", BAD_PRESSES)
def test_bad_presses_are_reported_in_one_line(body: bytes) -> None:
    """Each fault is one line with the expected form."""
    with pytest.raises(BadInputError) as refusal:
        read(body, PressRequest)
    assert "\n" not in str(refusal.value)
    assert str(refusal.value).endswith("send a JSON object with button, seconds")


@pytest.mark.parametrize("seconds", ["0.01", "1", "15", "15.0"])
def test_presses_within_the_limits_are_taken(seconds: str) -> None:
    """A press lasts 0.01 to 15 seconds, both included."""
    body = f'{{"button": "deal", "seconds": {seconds}}}'.encode()
    assert PressRequest(button="deal", seconds=float(seconds)) == read(body, PressRequest)


@given(st.binary())
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    """No bytes raise any error except that of the border."""
    with suppress(BadInputError):
        assert isinstance(read(body, PressRequest), PressRequest)


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
    headers += [(b"cookie", f"{LANGUAGE_COOKIE}={cookie}".encode())] * bool(cookie)
    assert language == language_of(HTTPConnection({"type": "http", "headers": headers}), "fr")


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        (
            "en",
            (
                "nothing here has that name",
                "White did not make the last count",
                "send exactly one of these fields: penalty",
                "Somebody",
            ),
        ),
        (
            "fr",
            (
                "rien ici ne porte ce nom",
                "Blanc n'a pas fait le dernier compte",
                "envoyez un seul de ces champs : penalty",
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
