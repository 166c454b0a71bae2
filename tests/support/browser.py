"""Real browsers at a real server, so that tests of the page see what a user sees."""

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import which
from threading import Event
from typing import Any, BinaryIO, Final, TypeVar

import pytest
from playwright.sync_api import (
    APIResponse,
    Browser,
    BrowserContext,
    Page,
    Route,
    expect,
    sync_playwright,
)

from companion.rules.game import Command
from companion.web.http.addresses import addresses, own_addresses
from companion.web.server import listening, serve
from tests.support.limits import TIMEOUT_S
from tests.support.real_table import RealTable

# Chromium


Answer = TypeVar("Answer")

CLOCK_JUMP_S = 5
"""Seconds by which a page's clock jumps when it is stopped, as it can stop only in its future.

They are fewer than the silence after which the page takes its stream for dead.
"""

TOOLS = ("New game", "Cards", "Phones", "Correct", "Menu", "View")
"""Names of the buttons in the board page's bar, for people who may run the table."""
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""Chromium, if possible the build without windows, which takes half the time."""
VISITED = "try { localStorage.visited ??= 'yes' } catch {}"
"""Script that marks a device as known, unless a test says otherwise."""
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start the distribution's Chromium for one module; skip without it.

    Playwright keeps an event loop running in this thread, so a test that calls `asyncio.run`
    belongs into another module.
    """
    found = next(filter(None, map(which, PROGRAMS)), None)
    if found is None:
        pytest.skip("needs the package chromium")
    expect.set_options(timeout=1000 * TIMEOUT_S)
    with sync_playwright() as playwright:
        yield _acquainted(playwright.chromium.launch(executable_path=Path(found), args=ARGUMENTS))


def _acquainted(browser: Browser) -> Browser:
    """Mark a browser's pages as known, so that none shows the card of a first visit."""
    make_context, make_page = browser.new_context, browser.new_page

    def new_context(**how: object) -> BrowserContext:
        context = make_context(**how)  # type: ignore[arg-type]  # as Playwright names them
        context.add_init_script(VISITED)
        return context

    def new_page(**how: object) -> Page:
        page = make_page(**how)  # type: ignore[arg-type]  # as Playwright names them
        page.context.add_init_script(VISITED)
        return page

    browser.new_context = new_context  # type: ignore[method-assign]  # Playwright has no such hook
    browser.new_page = new_page  # type: ignore[method-assign]
    return browser


@contextmanager
def faultless(browser: Browser, *, requests_fail: bool = False, **how: object) -> Iterator[Page]:
    """Open a page in a window of its own; it must end without an error or a breach of its policy.

    With `requests_fail` a failed request is no error, as the test makes it fail.
    """
    faults: list[str] = []
    window = browser.new_context(**how)  # type: ignore[arg-type]  # as Playwright names them
    page = window.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    yield page
    window.close()
    failed = "Failed to load resource" if requests_fail else "\n"
    assert [] == [line for line in faults if not line.startswith(failed)]


class Served:
    """A real table behind its page, on a port of this machine."""

    def __init__(self, real_table: RealTable, loop: asyncio.AbstractEventLoop, port: int) -> None:
        self.real_table = real_table
        self.port = port
        self.url = f"http://127.0.0.1:{port}/"
        self._loop = loop
        self.hand_url = ""

    @property
    def far(self) -> str:
        """The address at which other machines find it."""
        return far_url(self.port)

    def do(self, call: Callable[[RealTable], Answer]) -> Answer:
        """Call something with the table in its own event loop, and wait for the result."""

        async def call_there() -> Answer:
            return call(self.real_table)

        return asyncio.run_coroutine_threadsafe(call_there(), self._loop).result(TIMEOUT_S)

    def execute(self, command: Command) -> None:
        """Carry out a command at the table."""
        done = asyncio.run_coroutine_threadsafe(
            self.real_table.lit.table.execute(command), self._loop
        )
        done.result(TIMEOUT_S)

    def hand(self, *seats: str) -> str:
        """Deal cards, by default to people. Return the address of the hand asked first."""
        deal = asyncio.run_coroutine_threadsafe(self.real_table.dealt_hand(*seats), self._loop)
        path, _ = deal.result(TIMEOUT_S)
        return f"{self.url}hand?hand={path.rpartition('/')[2]}"

    def until(self, true: Callable[[RealTable], bool]) -> None:
        """Wait until a condition of the table is true."""
        asyncio.run_coroutine_threadsafe(self.real_table.until(true), self._loop).result()

    def felt(self, *presses: tuple[str, bool]) -> bool:
        """Wait for as many edges as these; return True if they came in this order."""
        self.until(lambda real_table: len(real_table.presses) >= len(presses))
        return self.do(lambda real_table: real_table.presses == list(presses))


def far_url(port: int) -> str:
    """Return the page's address by which this machine counts as another; skip without a network.

    The server must listen at all addresses.
    """
    found = addresses("0.0.0.0", port, own_addresses)  # noqa: S104  # where phones reach a server
    if not found:
        pytest.skip("needs a machine in a network: an address besides 127.0.0.1")
    return found[0]


@contextmanager
def served(real_table: RealTable, *, port: int = 0, everywhere: bool = False) -> Iterator[Served]:
    """Serve a table from a thread of its own until the block ends, if asked to other machines."""
    ready = threading.Event()
    there: list[Served] = []

    async def run() -> None:
        host = "0.0.0.0" if everywhere else "127.0.0.1"  # noqa: S104  # only while a test runs
        with listening(host, port) as sockets:
            real_port = sockets[0].getsockname()[1]
            real_table.pages = lambda: addresses(host, real_port)

            def on_ready() -> None:
                there.append(Served(real_table, asyncio.get_running_loop(), real_port))
                ready.set()

            async with real_table:
                await serve(real_table.app, sockets, on_ready=on_ready, stop=real_table.closing)

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    try:
        assert ready.wait(TIMEOUT_S)
        yield there[0]
    finally:
        if there:
            there[0].do(lambda real_table: real_table.closing.set())
        thread.join(TIMEOUT_S)
        assert not thread.is_alive()


@contextmanager
def served_anew(page: Page, real_table: RealTable, *, port: int) -> Iterator[Served]:
    """Serve another table in place of the one before, and wait until the page has reloaded."""
    page.evaluate("window.isOld = true")
    with served(real_table, port=port) as table:
        page.wait_for_function("() => !window.isOld", timeout=1000 * TIMEOUT_S)
        live(page)
        yield table


def opened(browser: Browser, table: Served, **how: object) -> Page:
    """Open the page in a window of its own, which is closed after the test."""
    page = browser.new_context(**how).new_page()  # type: ignore[arg-type]  # as Playwright names them
    page.goto(table.url)
    live(page)
    return page


def newcomer(browser: Browser, table: Served, **how: object) -> Page:
    """Open the page on a device that has never opened it, in a window of its own."""
    page = opened(browser, table, **how)
    page.evaluate("localStorage.visited = ''")
    page.reload()
    live(page)
    return page


def stop_clock(page: Page) -> None:
    """Stop a page's clock; only `run_for` and `fast_forward` move it on."""
    page.clock.install()
    page.clock.pause_at(time.time() + CLOCK_JUMP_S)


def fetched(route: Route) -> APIResponse:
    """Return the table's answer to a request of a page.

    The request is repeated if its connection, which Playwright reuses, was just closed as idle.
    """
    return route.fetch(max_retries=3)


def from_menu(page: Page, name: str) -> None:
    """Press a button of the board page's menu."""
    page.locator("[popovertarget=menu]").filter(visible=True).first.click()
    page.locator("#menu").get_by_role("button", name=name).click()


def live(page: Page) -> None:
    """Wait until the page has its stream, and its keys act."""
    expect(page.locator("#connection")).to_have_text("Live")
    expect(page.locator("html")).not_to_have_class(re.compile("single-keys-rest"))


# Firefox, driven by its own remote protocol, Marionette


PROGRAM: Final = shutil.which("firefox-esr") or shutil.which("firefox") or ""

POLL_S: Final = 0.05
PREFERENCES: Final = """
user_pref("marionette.port", 0);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
"""


class Firefox:
    """A window of a running Firefox."""

    def __init__(self, sender: socket.socket, answers: BinaryIO) -> None:
        self._sender, self._answers = sender, answers
        self._read()  # what it is
        self._do("WebDriver:NewSession", capabilities={})

    def goto(self, url: str) -> None:
        """Open a page, and wait until it is loaded."""
        self._do("WebDriver:Navigate", url=url)

    def run(self, script: str) -> Any:  # noqa: ANN401  # whatever the script returns
        """Return what a script returns in the page."""
        return self._do("WebDriver:ExecuteScript", script=script, args=[])["value"]

    def click(self, selector: str) -> None:
        """Click an element."""
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def shows(self, selector: str, text: str) -> bool:
        """Wait until an element contains a text; return False at the timeout."""
        script = f"return document.querySelector({json.dumps(selector)})?.textContent ?? ''"
        end = time.monotonic() + TIMEOUT_S
        while text not in self.run(script):
            if time.monotonic() > end:
                return False
            time.sleep(POLL_S)
        return True

    def quit(self) -> None:
        """End the browser."""
        self._do("Marionette:Quit")

    def _do(self, command: str, **parameters: object) -> dict[str, Any]:
        message = json.dumps([0, 0, command, parameters]).encode()
        self._sender.sendall(b"%d:" % len(message) + message)
        _, _, error, value = self._read()
        assert error is None, error
        return dict(value or {})

    def _read(self) -> Any:  # noqa: ANN401  # a JSON value
        size = b""
        while (digit := self._answers.read(1)).isdigit():
            size += digit
        return json.loads(self._answers.read(int(size)))


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """Run a Firefox without visible windows, with its profile in a folder."""
    (folder / "user.js").write_text(PREFERENCES)
    command = [PROGRAM, "--headless", "--marionette", "--no-remote", "--profile", str(folder)]
    with (
        (folder / "output").open("wb") as output,
        subprocess.Popen(
            command, stdout=output, stderr=output, env={**os.environ, "HOME": str(folder)}
        ) as process,
    ):
        try:
            port = _port(folder / "MarionetteActivePort")
            with (
                socket.create_connection(("127.0.0.1", port), TIMEOUT_S) as connection,
                connection.makefile("rb") as answers,
            ):
                browser = Firefox(connection, answers)
                yield browser
                browser.quit()
            process.wait(TIMEOUT_S)
        finally:
            process.kill()


def _port(file: Path) -> int:
    end = time.monotonic() + TIMEOUT_S
    while not (file.exists() and file.read_text()):
        assert time.monotonic() < end, "Firefox does not start"
        time.sleep(POLL_S)
    return int(file.read_text())


# TCP proxy that falls silent: nothing is forwarded any more, and nothing is closed.
#
# So it is behind a router that was switched off, or with a server that hangs. What comes meanwhile
# is forwarded once the proxy speaks again.


LOCAL: Final = "127.0.0.1"

STREAM: Final = b"text/event-stream"
CONNECTION_LIMIT: Final = 64


class SilentProxy:
    """Proxy before a port of this machine; `url` is its own address, ending in a slash."""

    def __init__(self, port: int, pool: ThreadPoolExecutor) -> None:
        self._behind, self._pool = port, pool
        self._streams, self._others = Event(), Event()
        self._listener = socket.create_server((LOCAL, 0))
        self._sockets = [self._listener]
        self.url = f"http://{LOCAL}:{self._listener.getsockname()[1]}/"
        self.speak()
        pool.submit(self._accept)

    def silence(self, *, streams_only: bool = False) -> None:
        """Forward nothing from now on; or all but the event streams."""
        self._streams.clear()
        if not streams_only:
            self._others.clear()

    def speak(self) -> None:
        """Forward all again."""
        self._streams.set()
        self._others.set()

    def close(self) -> None:
        """End all connections."""
        for each in self._sockets:
            with suppress(OSError):  # it has ended by itself
                each.shutdown(socket.SHUT_RDWR)
        self.speak()

    def close_sockets(self) -> None:
        """Close the sockets, which no thread uses any more."""
        for each in self._sockets:
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):  # the proxy closes
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection((LOCAL, self._behind))
                self._sockets += [near, far]
                self._pool.submit(self._pump, near, far)
                self._pool.submit(self._pump, far, near)

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        gate = self._others
        with suppress(OSError):  # the other end has gone
            while data := source.recv(1 << 16):
                gate = self._streams if STREAM in data else gate
                gate.wait()
                sink.sendall(data)
            sink.shutdown(socket.SHUT_RDWR)


@contextmanager
def silent_proxy(port: int) -> Iterator[SilentProxy]:
    """Put a proxy before a port until the block ends."""
    with ThreadPoolExecutor(2 * CONNECTION_LIMIT) as pool:
        proxy = SilentProxy(port, pool)
        try:
            yield proxy
        finally:
            proxy.close()
    proxy.close_sockets()
