"""Endpoints: their declaration, rate limits, repeated requests, bodies, languages and addresses."""

import asyncio
import json
import socket
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from ast import literal_eval
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from shutil import which
from socketserver import StreamRequestHandler, UnixStreamServer

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from companion.errors import BadInputError
from companion.rules.game import NewGame
from companion.web.http.addresses import addresses, own_addresses, own_hosts, qr_svg
from companion.web.http.endpoint import (
    LANGUAGE_COOKIE,
    Call,
    Caller,
    Nothing,
    Right,
    endpoint,
    endpoints_of,
    language_of,
    read_body,
    read_query,
)
from companion.web.http.route import ANSWER_LIMIT, CALLER_LIMIT, HEADER, KeptAnswers, RateLimiter
from companion.web.table.table_endpoints import NewGameRequest, PressRequest
from tests.companion.web.client import fetch, send
from tests.support.real_table import RealTable, at_table
from tests.support.scenes import in_loop, run_by


class Question(msgspec.Struct):
    """A request."""


class Answer(msgspec.Struct):
    """A response."""

    text: str


class Oracle:
    """Object with endpoints, and with a method that is none."""

    def __init__(self, text: str) -> None:
        self._text = text

    def _silent(self) -> Response | None:
        return None if self._text else Response(status_code=404)

    @endpoint("POST", "/z", Right.RUN, precondition=_silent, error_statuses=(404,))
    async def _reply(self, _call: Call[Question]) -> Answer | Response:
        """Reply to a question."""
        return Answer(self._text)

    @endpoint("GET", "/b", Right.WATCH)
    async def _forget(self, _call: Call[None]) -> None:
        """Forget the question."""

    @endpoint("GET", "/a", Right.WATCH, media="text/plain")
    async def _read(self, _call: Call[None]) -> Response:
        """Return the text."""
        return Response(self._text)


async def begin(table: RealTable, key: str, **choice: object) -> int:
    """Request a new game with a key. Return the status."""
    body, headers = json.dumps(choice).encode(), {HEADER: key}
    return (await send(table.app, "POST", "/api/new-game", body=body, headers=headers)).status_code


BAD_PRESSES = [
    *(b"", b"null", b"[]", b"{}", b'{"button": 1}', b'{"button": null}', b'{"button": "de'),
    *(b"\xff\xfe", b'{"button": "\xff"}', b'{"button": ' + b"[" * 50_000),
    *(b'{"button": "deal", "second": 1}', b'{"button": "deal"} {}'),
    *(
        b'{"button": "deal", "seconds": %s}' % seconds
        for seconds in b'"0.1" true 0 0.009 15.01 -1 NaN Infinity 1e999'.split()
    ),
]
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


@contextmanager
def avahi(socket_file: Path, address: str) -> Iterator[str]:
    """Run a service that resolves the name of this machine to an address."""

    class Answer(StreamRequestHandler):
        def handle(self) -> None:
            command, name = self.rfile.readline().decode().split()
            assert "RESOLVE-HOSTNAME-IPV4" == command
            self.wfile.write(f"+ 2 0 {name} {address}\n".encode())

    with UnixStreamServer(str(socket_file), Answer) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        yield str(socket_file)
        thread.join()


NETWORK = """
ip link add crib0 type veth peer name crib1 && ip address add 192.168.77.5/24 dev crib0 \\
    && ip link set crib1 up && {up} && ip address add 192.168.78.5/24 dev crib1 || exit 77
exec {python} -c 'from companion.web.http.addresses import *; print(own_addresses())'
"""
"""Networks of a machine that lead no further: two ends of a cable, and no route besides."""


def test_what_is_declared_comes_from_the_handler() -> None:
    """Name, description and types are the method's; a 204 and a text have no type."""
    found = [
        (each.name, each.description, each.request_type, each.response_type)
        for each in endpoints_of(Oracle("yes"))
    ]
    assert [
        ("reply", "Reply to a question.", Question, Answer),
        ("forget", "Forget the question.", None, None),
        ("read", "Return the text.", None, None),
    ] == found


@run_by(in_loop)
async def test_each_object_has_endpoints_of_its_own() -> None:
    """A handler and its precondition belong to their object."""
    caller = Caller(address="", right=Right.RUN)
    call = Call(
        body=Question(), caller=caller, language="en", path={}, request=Request({"type": "http"})
    )
    (loud, *_), (mute, *_) = endpoints_of(Oracle("yes")), endpoints_of(Oracle(""))
    assert [Answer("yes"), Answer("")] == [await loud.handler(call), await mute.handler(call)]
    assert loud.precondition() is None
    assert mute.precondition() is not None


@given(st.lists(st.floats(0, 0.5), max_size=200))
def test_no_caller_is_faster_than_the_rate(pauses: list[float]) -> None:
    """In any time at most the burst and the rate's share are accepted."""
    pace, now, taken = RateLimiter(rate=10, burst=20), 0.0, []
    for pause in pauses:
        now += pause
        if pace.take("a", now) == 0.0:
            taken.append(now)
    for i, begin in enumerate(taken):
        for j, end in enumerate(taken[i:], start=1):
            assert j <= 20 + (end - begin) * 10 + 1e-6


def test_who_waits_as_told_is_taken() -> None:
    """After the given wait the change is accepted."""
    pace = RateLimiter(rate=2, burst=1)
    assert 0.0 == pace.take("a", 10)
    assert 0.5 == pace.take("a", 10)
    assert 0.0 == pace.take("a", 10.5)


def test_callers_do_not_slow_each_other() -> None:
    """Each has its own rate; the longest silent caller is forgotten."""
    pace = RateLimiter(rate=1, burst=1)
    assert [0.0] * (CALLER_LIMIT + 1) == [pace.take(f"{n}", 0) for n in range(CALLER_LIMIT + 1)]
    assert 1.0 == pace.take(f"{CALLER_LIMIT}", 0)
    assert 0.0 == pace.take("0", 0)


@run_by(at_table)
async def test_a_request_that_is_sent_again_is_carried_out_once(table: RealTable) -> None:
    """This holds during the first one, too; another key is another request."""
    assert [200] * 3 == await asyncio.gather(*(begin(table, "a" * 22) for _ in range(3)))
    assert 200 == await begin(table, "a" * 22)
    assert 1 == sum(isinstance(command, NewGame) for command in table.commands)
    assert 200 == await begin(table, "b" * 22)
    assert 2 == sum(isinstance(command, NewGame) for command in table.commands)


@run_by(at_table)
async def test_a_refused_request_may_come_again(table: RealTable) -> None:
    """It is judged again with the same key; a malformed key is refused."""
    assert 400 == await begin(table, "a" * 22, teams=[1])
    assert 200 == await begin(table, "a" * 22, teams=[1, 2])
    assert 400 == await begin(table, "short")


def test_a_long_answer_is_whole_each_time(tmp_path: Path) -> None:
    """Each response is compressed separately."""

    async def play(table: RealTable) -> None:
        stamp = (await send(table.app, "GET", "/api/settings")).json()["stamp"]
        body = json.dumps({"changes": {"voice": "full"}, "stamp": stamp}).encode()
        headers = {HEADER: "a" * 22}
        first, second = [
            await send(table.app, "POST", "/api/settings", body=body, headers=headers)
            for _ in range(2)
        ]
        assert first.json() == second.json()

    at_table(play, folder=tmp_path)


def test_the_oldest_answer_is_forgotten() -> None:
    """So no caller can fill the memory."""

    async def carried_out(others: int) -> list[int]:
        answers, numbers = KeptAnswers(), list[int]()

        async def carry_out(number: int) -> None:
            numbers.append(number)

        for number in (*range(others + 1), 0):
            await answers.once(number, partial(carry_out, number))
        return numbers

    for others in (0, ANSWER_LIMIT - 1, ANSWER_LIMIT):
        again = [0] if others == ANSWER_LIMIT else []
        assert [*range(others + 1), *again] == asyncio.run(carried_out(others))


def test_bad_presses_are_reported_in_one_line() -> None:
    """Each fault is one line with the expected form."""
    for body in BAD_PRESSES:
        with pytest.raises(BadInputError, match=r"\A.*send a JSON object with button, seconds\Z"):
            read_body(body, PressRequest)


def test_a_refusal_names_the_fields_as_a_request_has_them() -> None:
    """A field whose name in JSON is not its name in the code is given by its name in JSON."""
    with pytest.raises(BadInputError, match=r"; send a JSON object with teams, players, preset$"):
        read_body(b'{"sides": [1, 2]}', NewGameRequest)


def test_presses_within_the_limits_are_taken() -> None:
    """A press lasts 0.01 to 15 seconds, both included."""
    for seconds in ("0.01", "1", "15", "15.0"):
        body = f'{{"button": "deal", "seconds": {seconds}}}'.encode()
        assert PressRequest(button="deal", seconds=float(seconds)) == read_body(body, PressRequest)


def test_a_refusal_without_fields_to_name_is_a_whole_sentence() -> None:
    """A request that may have no fields is refused without an empty list of them."""
    with pytest.raises(BadInputError, match=r"; send a JSON object without fields$"):
        read_body(b'{"a": 1}', Nothing)
    with pytest.raises(BadInputError, match=r"; this address takes no query$"):
        read_query([("a", "1")], Nothing)
    with pytest.raises(BadInputError, match=r"gives 'a' twice: give it once$"):
        read_query([("a", "1"), ("a", "2")], Nothing)


@given(st.binary())
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    """No bytes raise any error except that of the border."""
    with suppress(BadInputError):
        assert isinstance(read_body(body, PressRequest), PressRequest)


def test_the_language_of_a_request() -> None:
    """The device's choice precedes the browser's languages, and these the table's."""
    found = []
    for accepted, cookie, _ in LANGUAGES:
        headers = [(b"accept-language", accepted.encode())] * bool(accepted)
        headers += [(b"cookie", f"{LANGUAGE_COOKIE}={cookie}".encode())] * bool(cookie)
        request = HTTPConnection({"type": "http", "headers": headers})
        found.append((accepted, cookie, language_of(request, "fr")))
    assert LANGUAGES == found


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


def test_loopback_is_for_this_machine_alone() -> None:
    """A phone cannot reach it."""
    for host in ("127.0.0.1", "localhost", "::1", "127.1.2.3"):
        assert () == addresses(host, 8000)


def test_an_address_is_written_as_browsers_read_it() -> None:
    """IPv6 addresses are in brackets."""
    written = {"192.168.1.7": "192.168.1.7", "fd00::7": "[fd00::7]", "crib.lan": "crib.lan"}
    for host, text in written.items():
        assert (f"http://{text}:8000/",) == addresses(host, 8000)


def test_everywhere_is_reported_as_hosts_that_can_be_typed() -> None:
    """The best one comes first; without a network there is none."""
    hosts = ("crib.local", "192.168.1.7", "fd00::7")
    found = ("http://crib.local:80/", "http://192.168.1.7:80/", "http://[fd00::7]:80/")
    for host in ("0.0.0.0", "::", ""):  # noqa: S104  # nobody binds to it here
        assert found == addresses(host, 80, lambda: hosts)
        assert () == addresses(host, 80, tuple)


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux: avahi is its service")
@pytest.mark.parametrize("is_own", [True, False])
def test_the_name_in_multicast_dns_comes_first(tmp_path: Path, is_own: bool) -> None:
    """It does so if it resolves to this machine, as another one may have it."""
    found = own_addresses()
    if not found:
        pytest.skip("needs a machine in a network: an address besides 127.0.0.1")
    with avahi(tmp_path / "socket", found[0] if is_own else "192.0.2.77") as service:
        hosts = own_hosts(service)
    assert found == tuple(host for host in hosts if not host.endswith(".local"))
    assert is_own == hosts[0].endswith(".local")
    assert found == own_hosts(str(tmp_path / "nothing"))


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_addresses_are_found_without_netlink(monkeypatch: pytest.MonkeyPatch) -> None:
    """The service's unit forbids netlink sockets, which `if_nameindex` opens."""
    monkeypatch.delattr(socket, "if_nameindex")
    assert [] == [each for each in own_addresses() if each.startswith("127.")]


@pytest.mark.tool
@pytest.mark.skipif(which("unshare") is None, reason="needs Linux and the package util-linux")
@pytest.mark.parametrize(
    ("up", "found"), [("ip link set crib0 up", ("192.168.77.5", "192.168.78.5")), ("true", ())]
)
def test_a_network_without_a_default_route_is_one(up: str, found: tuple[str, ...]) -> None:
    """Its address is found without a route to the internet, but not without a cable."""
    script = NETWORK.format(up=up, python=sys.executable)
    command = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", script]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        pytest.skip(f"needs the right to make a network: {run.stderr.strip()}")
    assert set(found) == set(literal_eval(run.stdout))


def test_pages_know_whether_the_settings_let_phones_in() -> None:
    """A setting that is made already is not offered, even without a network."""
    for host, local_only in (("127.0.0.1", True), ("0.0.0.0", False)):  # noqa: S104  # no server listens
        about = fetch(RealTable(web={"host": host}), "GET", "/api/about").json()
        assert ([], local_only) == (about["pages"], about["local_only"])


def test_a_code_is_drawn_with_its_quiet_zone() -> None:
    """It is black on white and scalable, without styles that the policy forbids."""
    drawing = ET.fromstring(qr_svg("http://192.168.1.7:8000/pad?side=1"))  # noqa: S314  # ours
    *_, width, height = map(int, (drawing.get("viewBox") or "").split())
    assert width == height
    assert width >= 25 + 2 * 4
    assert not [part for part in drawing.iter() if part.get("style")]


def test_the_code_of_a_page_is_served_where_phones_find_it() -> None:
    """Elsewhere it is refused with the remedy."""
    app = RealTable(pages=lambda: ("http://192.168.1.7:8000/",))
    for path in ("/qr.svg", "/qr.svg?side=1", "/qr.svg?side=3"):
        answer = fetch(app, "GET", path)
        assert (200, "image/svg+xml") == (answer.status_code, answer.headers["content-type"])
    for path in ("/qr.svg?side=4", "/qr.svg?side=x", "/qr.svg?size=1", "/qr.svg?side=1&side=2"):
        assert 400 == fetch(app, "GET", path).status_code
    for host, named in (("127.0.0.1", True), ("0.0.0.0", False)):  # noqa: S104  # no server listens
        away = fetch(RealTable(web={"host": host}), "GET", "/qr.svg")
        assert (404, named) == (away.status_code, "[web] host" in away.json()["error"])
