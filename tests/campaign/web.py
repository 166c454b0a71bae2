"""The page of the real program under attack: foreign senders, hostile bytes, floods.

No foreign request changes anything, no response is a server error, no request is read as two, and
the table's own page is answered all the time.
"""

import random
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx

from tests.campaign.figures import Verdicts
from tests.support.limits import TIMEOUT_S
from tests.support.program import Program, running

FOREIGN_HOSTS: Final = (
    "rebound.example",
    "localhost.example",
    "[::1",
    "127.0.0.1.nip.io",
    "a b",
    "",
)
FOREIGN_HEADERS: Final = (
    {"Origin": "http://other.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
)
FOREIGN_TYPES: Final = (
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "",
)
OUTSIDE: Final = (
    "/static/../errors.py",
    "/static/..%2f..%2fpyproject.toml",
    "/static/%2e%2e/settings/schema.py",
    "/static//etc/passwd",
    "/static/..\\..\\etc\\passwd",
    "/%00",
    "/static/\u0301%ff",
)
TWO_LENGTHS: Final = (
    b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n",
    b"Content-Length: 2\r\nContent-Length: 3\r\n",
    b"Content-Length: +2\r\n",
    b"Content-Length: 0x2\r\n",
    b"Transfer-Encoding: xchunked\r\n",
    b"Transfer-Encoding: chunked, identity\r\n",
    b"Transfer-Encoding : chunked\r\n",
    b"Content-Length: -1\r\n",
)
SMUGGLED: Final = b"{}\r\n0\r\n\r\nGET /api/about HTTP/1.1\r\nHost: localhost\r\n\r\n"
HEAD: Final = b"POST /api/demo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
KINDS: Final = ("taken", "server error", "two answers", "unanswered", "read outside")


class Attack:
    """Attacks on a program's page; `verdicts` has the result of each."""

    def __init__(self, program: Program, seed: int) -> None:
        self._program, self._chance = program, random.Random(seed)
        parts = urlsplit(program.url)
        self._address = (str(parts.hostname), int(parts.port or 0))
        self._client = httpx.Client(base_url=program.url, timeout=TIMEOUT_S)
        self.verdicts = Verdicts(KINDS)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _routes(self) -> Iterator[tuple[str, str]]:
        paths = self._client.get("/api/openapi.json").json()["paths"]
        for path, methods in paths.items():
            for method in methods:
                yield method.upper(), path.replace("{", "").replace("}", "")

    def _judge(self, response: httpx.Response, *, may_be_taken: bool, name: str) -> None:
        status = response.status_code
        verdict = None
        if status >= 500 and status != 503:
            verdict = "server error"
        elif status < 400 and not may_be_taken:
            verdict = "taken"
        self.verdicts.add(verdict, f"{name}: {status} {response.text[:200]}")

    def senders(self) -> None:
        """Send every request with hostile names, origins and types of content."""
        for method, path in self._routes():
            for host in FOREIGN_HOSTS:
                self._send(method, path, {"Host": host})
            if method == "GET":
                continue
            for headers in FOREIGN_HEADERS:
                self._send(method, path, headers)
            for media in FOREIGN_TYPES:
                self._send(method, path, {"Content-Type": media})

    def _send(self, method: str, path: str, headers: dict[str, str]) -> None:
        sent = {"Content-Type": "application/json", **headers}
        response = self._client.request(method, path, headers=sent, content=b"{}")
        self._judge(response, may_be_taken=False, name=f"{method} {path} {headers}")

    def bodies(self, number: int) -> None:
        """Send random bytes, and JSON of any shape, to each endpoint with a body."""
        routes = [path for method, path in self._routes() if method == "POST"]
        for _ in range(number):
            path, body = self._chance.choice(routes), self._body()
            response = self._client.post(
                path, content=body, headers={"Content-Type": "application/json"}
            )
            self._judge(response, may_be_taken=True, name=f"POST {path} {body[:80]!r}")

    def _body(self) -> bytes:
        shapes = (
            self._chance.randbytes(self._chance.randint(0, 300)),
            b"[" * self._chance.choice((10, 3_000, 60_000)),
            b'{"a":' * 3_000,
            b'{"on": ' + str(10 ** self._chance.randint(1, 400)).encode() + b"}",
            b'{"on": 1e999}',
            b'"\\ud800"',
            b" " * self._chance.choice((10, 70_000)),
        )
        return self._chance.choice(shapes)

    def outside(self) -> None:
        """Request files outside of the served folders."""
        for path in OUTSIDE:
            answer = self._raw(b"GET " + path.encode() + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
            wrong = b"passwd:" in answer or b"root:" in answer or b"[project]" in answer
            self.verdicts.add("read outside" if wrong else None, f"{path}: {answer[:100]!r}")

    def lengths(self) -> None:
        """Give two different lengths of a body, with a second request inside it."""
        for length in TWO_LENGTHS:
            answer = self._raw(HEAD + length + b"\r\n" + SMUGGLED)
            two = answer.count(b"HTTP/1.1 ") > 1
            self.verdicts.add("two answers" if two else None, f"{length!r}: {answer[:200]!r}")

    def _raw(self, content: bytes) -> bytes:
        answer = b""
        with socket.create_connection(self._address, TIMEOUT_S) as client, suppress(OSError):
            client.sendall(content)
            client.shutdown(socket.SHUT_WR)
            while more := client.recv(65536):
                answer += more
        return answer

    def flood(self, addresses: int, rounds: int) -> None:
        """Open many silent connections; meanwhile request the table's own page."""
        with ExitStack() as opened:
            for number in range(rounds * 50):
                source = f"127.0.2.{1 + number % addresses}"
                with suppress(OSError):
                    silent = socket.create_connection(self._address, TIMEOUT_S, (source, 0))
                    opened.enter_context(silent)
                if number % 50 == 49:
                    self._ask(f"flood of {addresses}, {number} connections")

    def _ask(self, name: str) -> None:
        try:
            status = httpx.get(f"{self._program.url}api/table", timeout=TIMEOUT_S).status_code
        except httpx.HTTPError as error:
            self.verdicts.add("unanswered", f"{name}: {error!r}")
        else:
            self.verdicts.add(None if status == 200 else "unanswered", f"{name}: {status}")


@contextmanager
def _attacked(seed: int) -> Iterator[Attack]:
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), "--strip", "null") as program,
    ):
        attack = Attack(program, seed)
        try:
            yield attack
        finally:
            attack.close()


def web(requests: int, seed: int) -> Verdicts:
    """Attack the page in each way, with this number of random bodies; return the verdicts."""
    with _attacked(seed) as attack:
        attack.senders()
        attack.bodies(requests)
        attack.outside()
        attack.lengths()
        attack.flood(1, 8)
        attack.flood(60, 8)
        return attack.verdicts
