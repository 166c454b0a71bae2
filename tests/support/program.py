"""The real program in a process of its own, which tests start, press, read, stop and kill."""

import json
import os
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx

from tests.support.timeout import TIMEOUT_S

MAIN = ("-c", "from companion.cli.main import main; main()")
OWN_VARIABLES = (
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "STATE_DIRECTORY",
    "CACHE_DIRECTORY",
    "RUNTIME_DIRECTORY",
    "GPIOZERO_PIN_FACTORY",
    *("LC_ALL", "LC_MESSAGES", "LANG"),
    *("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM"),
)
"""Environment variables that the program reads."""
ROOT = Path(__file__).parents[2]
HTTP = httpx.Client(
    timeout=TIMEOUT_S,
    verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
    limits=httpx.Limits(max_keepalive_connections=0),
    cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
)
"""Client for single requests, as `httpx.get` loads certificates for 20 ms each time."""


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return this environment with a home of its own and without the caller's settings."""
    kept = {name: value for name, value in os.environ.items() if name not in OWN_VARIABLES}
    return kept | {"HOME": str(home)} | more


class Program:
    """A running program; `url` is what its ready line says, ending in a slash."""

    def __init__(self, process: subprocess.Popen[str], stderr: Path) -> None:
        self._process = process
        self._stderr = stderr
        assert process.stdout is not None
        self.ready = process.stdout.readline()
        self.url = self.ready.removeprefix("ready ").strip()

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def stderr(self) -> str:
        """The text on stderr so far."""
        return self._stderr.read_text()

    def table(self) -> dict[str, Any]:
        """Return the answer to `GET /api/table`."""
        return dict(HTTP.get(f"{self.url}api/table").json())

    def news(self) -> Iterator[dict[str, Any]]:
        """Return the next news of the stream."""
        return self.events("news")

    def events(self, *names: str) -> Iterator[dict[str, Any]]:
        """Yield the values of the stream's events with these names."""
        with HTTP.stream("GET", f"{self.url}api/stream") as stream:
            name = ""
            for line in stream.iter_lines():
                key, _, value = line.partition(": ")
                name = value if key == "event" else name
                if key == "data" and name in names:
                    yield json.loads(value)

    def demo(self, *, on: bool) -> httpx.Response:
        """Return the response to a page that begins or ends the demo."""
        return HTTP.post(f"{self.url}api/demo", json={"on": on})

    def press(self, *buttons: str, seconds: float = 0.02) -> dict[str, Any]:
        """Press buttons one after the other. Return the table from the last response.

        Raises an `httpx.TransportError` if the program dies meanwhile.
        """
        assert self.url, f"it did not start: {self.stderr}"
        for button in buttons:
            requested = {"button": button, "seconds": seconds}
            answer = HTTP.post(f"{self.url}api/press", json=requested)
            assert 200 == answer.status_code, answer.text
        return dict(answer.json())

    def until(self, seq: int) -> dict[str, Any]:
        """Return the table once this number of commands is acknowledged, as the stream reports."""
        next(news for news in self.news() if news["seq"] >= seq)
        return self.table()

    def started_again(self) -> None:
        """Wait for the ready line of the process that has replaced it."""
        assert self._process.stdout is not None
        self.ready = self._process.stdout.readline()
        assert self.ready, f"it ended instead: {self.stderr}"
        self.url = self.ready.removeprefix("ready ").strip()

    def terminate(self) -> None:
        """Send SIGTERM, as systemd does."""
        self._process.send_signal(signal.SIGTERM)

    def ended(self) -> tuple[int, str]:
        """Return its exit code once it has ended, and its stdout after the ready line."""
        rest, _ = self._process.communicate(timeout=TIMEOUT_S)
        return self._process.returncode, rest

    def stop(self) -> tuple[int, str]:
        """Send SIGTERM and wait for the end; see `ended`."""
        self.terminate()
        return self.ended()


@contextmanager
def started(
    folder: Path,
    *requested: str,
    entry: Sequence[str] = MAIN,
    tracer: Sequence[str] = (),
    python: str = sys.executable,
    **variables: str,
) -> Iterator[Program]:
    """Run `cribwars` with these arguments in a home of its own, until the block ends."""
    said = folder / "stderr"
    with said.open("w") as stderr:
        process = subprocess.Popen(
            [*tracer, python, *entry, *requested],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            cwd=ROOT,
            env=environment(folder, **variables),
        )
    try:
        yield Program(process, said)
    finally:
        process.kill()
        process.communicate()


@contextmanager
def running(
    folder: Path,
    *arguments: str,
    entry: Sequence[str] = MAIN,
    tracer: Sequence[str] = (),
    simulate: bool = True,
    **variables: str,
) -> Iterator[Program]:
    """Run `cribwars run` on a free port with its journal in `folder / "data"`.

    `tracer` is a command that runs the program as its own process, such as `strace -D`.
    """
    requested = ["run", "--port", "0", "--data", str(folder / "data"), *arguments]
    if simulate:
        requested.append("--simulate")
    with started(folder, *requested, entry=entry, tracer=tracer, **variables) as program:
        yield program
