"""Bodies and languages of requests are accepted, or refused with one clear line."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import HTTPConnection

from companion.errors import BadInputError
from companion.web.http.requests import LANGUAGE_COOKIE, Nothing, language_of, read, read_query
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


def test_bad_presses_are_reported_in_one_line() -> None:
    """Each fault is one line with the expected form."""
    for body in BAD_PRESSES:
        with pytest.raises(BadInputError, match=r"\A.*send a JSON object with button, seconds\Z"):
            read(body, PressRequest)


def test_presses_within_the_limits_are_taken() -> None:
    """A press lasts 0.01 to 15 seconds, both included."""
    for seconds in ("0.01", "1", "15", "15.0"):
        body = f'{{"button": "deal", "seconds": {seconds}}}'.encode()
        assert PressRequest(button="deal", seconds=float(seconds)) == read(body, PressRequest)


def test_a_refusal_without_fields_to_name_is_a_whole_sentence() -> None:
    """A request that may have no fields is refused without an empty list of them."""
    with pytest.raises(BadInputError, match=r"; send a JSON object without fields$"):
        read(b'{"a": 1}', Nothing)
    with pytest.raises(BadInputError, match=r"; this address takes no query$"):
        read_query([("a", "1")], Nothing)
    with pytest.raises(BadInputError, match=r"gives 'a' twice: give it once$"):
        read_query([("a", "1"), ("a", "2")], Nothing)


@given(st.binary())
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    """No bytes raise any error except that of the border."""
    with suppress(BadInputError):
        assert isinstance(read(body, PressRequest), PressRequest)


LANGUAGES = [
    ("", "", "fr"),
    ("*", "", "fr"),
    ("en-GB,en;q=0.9", "", "en"),
    ("tlh, en;q=0.2, fr;q=0.8", "", "fr"),
    ("en;q=0, de", "", "fr"),
    ("en;q=x", "", "fr"),
    ("EN-us", "", "en"),
    ("en", "fr", "fr"),
    ("en", "../fr", "en"),
]


def test_the_language_of_a_request() -> None:
    """The device's choice precedes the browser's languages, and these the table's."""
    found = []
    for accepted, cookie, _ in LANGUAGES:
        headers = [(b"accept-language", accepted.encode())] * bool(accepted)
        headers += [(b"cookie", f"{LANGUAGE_COOKIE}={cookie}".encode())] * bool(cookie)
        request = HTTPConnection({"type": "http", "headers": headers})
        found.append((accepted, cookie, language_of(request, "fr")))
    assert LANGUAGES == found


ENGLISH = [
    "nothing here has that name",
    "White did not make the last count",
    "send exactly one of these fields: penalty",
    "Somebody",
]
FRENCH = [
    "rien ici ne porte ce nom",
    "Blanc n'a pas fait le dernier compte",
    "envoyez un seul de ces champs : penalty",
    "Quelqu'un",
]


def test_refusals_and_rulings_are_reported_in_it() -> None:
    """All refusals and rulings are in it, with a side's name in that language."""
    overpeg = b'{"overpeg": {"team": 2, "extra": 1}}'
    with RealTable() as table:
        for language, texts in (("en", ENGLISH), ("fr", FRENCH)):
            headers = {"Accept-Language": language}
            answers = (
                fetch(table, "GET", "/api/cards/none", headers=headers),
                fetch(table, "POST", "/api/preview", headers=headers, body=overpeg),
                fetch(table, "POST", "/api/preview", headers=headers, body=b"{}"),
                fetch(table, "GET", "/api/referee", headers=headers),
            )
            for text, answer in zip(texts, answers, strict=True):
                assert text in answer.text
