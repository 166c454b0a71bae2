"""Bodies of requests are accepted, or refused with one clear line."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadInputError
from companion.web.http.requests import read
from companion.web.table.table_endpoints import PressRequest

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
