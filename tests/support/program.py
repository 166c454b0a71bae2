"""The real program in a process of its own, commands with their output, cables, another user."""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from companion.cli import main
from tests.support.limits import TIMEOUT_S

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


# Commands in this process or in one of their own


WRONG_USE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Result of a command."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, object]]:
        """Its stdout as one JSON value for each line."""
        return [json.loads(line) for line in self.out.splitlines()]


Ask = Callable[..., Answer]


@pytest.fixture
def ask(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> Ask:
    """Run `cribwars` with these arguments in this process, in a home of its own."""
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    for name in OWN_VARIABLES:
        monkeypatch.delenv(name, raising=False)

    def answer(*arguments: str, stdin: bytes = b"") -> Answer:
        monkeypatch.setattr(sys, "argv", ["cribwars", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code: object = 0
        try:
            main.main()
        except SystemExit as ended:
            code = ended.code or 0
        assert isinstance(code, int)
        said = capsysbinary.readouterr()
        return Answer(code=code, out=said.out.decode(), err=said.err.decode())

    return answer


def run_command(folder: Path, *arguments: str, stdin: bytes = b"", **variables: str) -> Answer:
    """Run `cribwars` with these arguments in a process of its own, as a user does."""
    done = subprocess.run(
        [sys.executable, *MAIN, *arguments],
        input=stdin,
        capture_output=True,
        cwd=ROOT,
        env=environment(folder, **variables),
        timeout=TIMEOUT_S,
        check=False,
    )
    return Answer(code=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())


def on_node(package: str, harness: str, *arguments: str, text: str) -> Any:  # noqa: ANN401  # JSON
    """Return what a harness beside this file prints, or skip if its package@version is lacking."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node (apt install nodejs npm)")
    if not (ROOT / "node_modules" / package.rpartition("@")[0]).is_dir():
        pytest.skip(f"needs npm install --no-save {package}")
    command = [node, str(Path(__file__).with_name(harness)), *arguments]
    done = subprocess.run(
        command, input=text, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "" == done.stderr
    return json.loads(done.stdout)


def assert_refused(answer: Answer, words: str) -> None:
    """Assert exit 2, an empty stdout, and one line with these words on stderr, no traceback."""
    assert (WRONG_USE, "") == (answer.code, answer.out)
    assert words in answer.err
    assert {"cribwars"} == {line.partition(":")[0] for line in answer.err.splitlines()}


# Cable between programs and a port of this machine, which a test can pull out.


class Cable:
    """Port that passes everything on to another one, unless it is pulled out.

    A pulled cable is silent: neither end notices. Once it is back in, the old connections drop.
    """

    def __init__(self, target: int, loop: asyncio.AbstractEventLoop) -> None:
        self.port = 0
        self._target, self._loop = target, loop
        self._is_whole = asyncio.Event()
        self._is_whole.set()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    async def serve(self) -> None:
        """Begin to accept connections."""
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        """Close it and its connections, in its event loop."""
        if self._server:
            self._server.close()
        self._drop()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        await self._is_whole.wait()
        with suppress(OSError):
            there, far = await asyncio.open_connection("127.0.0.1", self._target)
            self._writers.add(far)
            await asyncio.wait(
                [
                    asyncio.ensure_future(self._pass_on(reader, far)),
                    asyncio.ensure_future(self._pass_on(there, writer)),
                ]
            )
        writer.close()
        self._writers.discard(writer)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                await self._is_whole.wait()
                writer.write(data)
                await writer.drain()
        writer.close()
        self._writers.discard(writer)

    def pull(self) -> None:
        """Pull it out: nothing passes."""
        self._loop.call_soon_threadsafe(self._is_whole.clear)

    def plug(self) -> None:
        """Put it back in: new connections pass."""
        self._loop.call_soon_threadsafe(self._plug)

    def _plug(self) -> None:
        self._drop()
        self._is_whole.set()

    def _drop(self) -> None:
        for writer in self._writers:
            writer.transport.abort()


@contextmanager
def cables(target: int, number: int) -> Iterator[list[Cable]]:
    """Connect this number of cables to a port until the block ends."""
    ready, loop = threading.Event(), asyncio.new_event_loop()
    laid = [Cable(target, loop) for _ in range(number)]

    async def serve() -> None:
        for cable in laid:
            await cable.serve()
        ready.set()

    async def end() -> None:
        for cable in laid:
            cable.close()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def run() -> None:
        loop.run_until_complete(serve())
        loop.run_forever()
        loop.run_until_complete(end())
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        assert ready.wait(TIMEOUT_S), "the cables are not laid"
        yield laid
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(TIMEOUT_S)
        assert not thread.is_alive(), "the cables' thread does not end"


# Another user, for tests of files that a user may not read or write.


NOBODY: Final = 54321
"""A user without files, home or name."""


@contextmanager
def as_nobody() -> Iterator[None]:
    """Become a user who is bound by file modes: root becomes another user until the block ends.

    Nothing can be imported meanwhile, since that user may be unable to read the checkout.
    """
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
