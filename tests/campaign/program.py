"""The running program: a night at the table, and its page under attack."""

import json
import os
import random
import signal
import socket
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from companion.journal.store import FILE as JOURNAL
from companion.rules.game import History, new_game
from companion.rules.game.notation import read_command
from tests.campaign.figures import Verdicts
from tests.companion.journal.scribe import begun
from tests.support.limits import TIMEOUT_S
from tests.support.program import Program, running

# A night at the table: random presses, counts, referee's commands, demos, watchers and restarts.
#
# After every restart the table has the last reported state, which is also that of an independent
# fold of the journal's rows. Memory, files and threads do not grow; the wall clock jumps, and the
# program is stopped for a moment, as on a laptop that sleeps.


FAKETIME: Final = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))), None)

BUTTONS: Final = ("plus_one", "plus_five", "plus_five", "enter", "enter", "undo")
JUMPS: Final = ("-40y", "+0", "+12y", "-1d", "+1d", "-300")
ROUND: Final = 40
"""Actions between two restarts."""
WARM_UP_ROUNDS: Final = 2
MOST_GROWTH: Final = (8.0, 3, 1)
"""Megabytes, files and threads that may vary by chance; a leak grows with the rounds."""


def missing() -> str:
    """Return why this machine cannot run the campaign, "" if it can."""
    return "" if FAKETIME else "needs the package faketime"


@dataclass(frozen=True, slots=True)
class Usage:
    """Memory in megabytes, open files and threads of a process."""

    rss: float
    files: int
    threads: int


def usage(pid: int) -> Usage:
    """Return the present usage of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    files = len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208  # names only
    return Usage(int(status["VmRSS"].split()[0]) / 1024, files, int(status["Threads"]))


def folded(journal: Path) -> dict[str, object]:
    """Return the table as the rows of a journal have it, replayed one by one.

    An undo goes back to the state from before the command that it takes back: a stack.
    """
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as database:
        rows = database.execute("SELECT seq, command FROM log ORDER BY seq").fetchall()
    setup = begun("classic").setup
    history = History(new_game(setup))
    for _, command in rows:
        history.do(read_command(command))
    state = history.state
    return {
        "seq": rows[-1][0] if rows else 0,
        "dealer": state.dealer,
        "hand": state.hand,
        "winner": state.winner,
        "fronts": {str(side): state.pegs(side).front for side in setup.sides},
    }


def reported(table: dict[str, Any]) -> dict[str, object]:
    """Return the same state from the page's interface."""
    fronts = {side: table["teams"][side]["front"] for side in ("1", "2")}
    return {key: table[key] for key in ("seq", "dealer", "hand", "winner")} | {"fronts": fronts}


class Night:
    """A table that random people use; `folder` is its home."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder, self._chance = folder, random.Random(seed)
        self._clock = folder / "clock"
        self._clock.write_text("+0")
        self.verdicts = Verdicts(("lost", "refused wrongly", "traceback", "grown"))
        self.name = f"seed {seed}"

    @contextmanager
    def _started(self) -> Iterator[Program]:
        clock = {
            "LD_PRELOAD": str(FAKETIME),
            "FAKETIME_TIMESTAMP_FILE": str(self._clock),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        arguments = ("--strip", "null", "--board", "classic", "--teams", "2")
        with running(self._folder, *arguments, simulate=True, **clock) as program:
            yield program
            if "Traceback" in program.stderr:
                self.verdicts.add("traceback", program.stderr[-2000:])

    def play(self, rounds: int) -> Verdicts:
        """Play a number of rounds in a few runs of the program, which end in a kill or a stop."""
        while rounds > 0:
            a_run = min(rounds, self._chance.randint(3, 12))
            with self._started() as program:
                self._check_start(program)
                self._run(program, a_run)
                if self._chance.random() < 0.5:  # else it is killed
                    program.stop()
            rounds -= a_run
        return self.verdicts

    def _check_start(self, program: Program) -> None:
        journal = self._folder / "data" / JOURNAL
        found, expected = reported(program.table()), folded(journal)
        self.verdicts.add(
            None if found == expected else "lost", f"{self.name}: {found}, the rows say {expected}"
        )

    def _run(self, program: Program, rounds: int) -> None:
        warm = None
        for number in range(rounds):
            self._round(program)
            warm = usage(program.pid) if number == WARM_UP_ROUNDS else warm
        end = usage(program.pid)
        if warm:
            grown = any(
                after - before > most
                for before, after, most in zip(
                    astuple(warm), astuple(end), MOST_GROWTH, strict=True
                )
            )
            self.verdicts.add("grown" if grown else None, f"{self.name}: {warm}, then {end}")

    def _round(self, program: Program) -> None:
        with httpx.Client(base_url=program.url, timeout=TIMEOUT_S) as client:
            with client.stream("GET", "/api/stream") as stream:
                next(stream.iter_bytes())
                for _ in range(ROUND):
                    self._act(client)
            self._interrupt(program)
            client.post("/api/demo", json={"on": False})
            self._acknowledged(client)

    def _acknowledged(self, client: httpx.Client) -> None:
        """Check that acknowledged counts are in the rows, as they must be on disk before."""
        found = reported(client.get("/api/table").json())
        expected = folded(self._folder / "data" / JOURNAL)
        later = int(str(expected["seq"])) > int(str(found["seq"]))
        right = found == expected or later
        self.verdicts.add(None if right else "lost", f"{self.name}: {found}, rows {expected}")

    def _act(self, client: httpx.Client) -> None:
        side = self._chance.choice((1, 2))
        kind = self._chance.random()
        if kind < 0.7:
            button = f"{side}.{self._chance.choice(BUTTONS)}"
            self._press(client, button)
        elif kind < 0.8:
            self._press(client, self._chance.choice(("deal", "deal", "mode")))
        elif kind < 0.9:
            command = {"penalty": {"rule": "N5", "by": side, "taken": [3 - side]}}
            self._post(client, "/api/command", command)
        else:
            self._post(client, "/api/demo", {"on": self._chance.random() < 0.3})

    def _press(self, client: httpx.Client, button: str) -> None:
        self._post(client, "/api/press", {"button": button, "seconds": 0.05})

    def _post(self, client: httpx.Client, path: str, body: Mapping[str, object]) -> None:
        response = client.post(path, json=body)
        right = response.status_code in {200, 204, 400, 409, 429}
        self.verdicts.add(
            None if right else "refused wrongly", f"{path} {json.dumps(body)}: {response.text}"
        )

    def _interrupt(self, program: Program) -> None:
        self._clock.write_text(self._chance.choice(JUMPS))
        os.kill(program.pid, signal.SIGSTOP)
        os.kill(program.pid, signal.SIGCONT)


def soak(rounds: int, seed: int) -> Verdicts:
    """Play this number of rounds at a table; return the verdicts."""
    with tempfile.TemporaryDirectory() as folder:
        return Night(Path(folder), seed).play(rounds)


# The page of the real program under attack: foreign senders, hostile bytes, floods.
#
# No foreign request changes anything, no response is a server error, no request is read as two, and
# the table's own page is answered all the time.


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
