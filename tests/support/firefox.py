"""The distribution's Firefox, driven by its own remote protocol, Marionette.

Playwright drives a Firefox of its own only. Marionette speaks JSON over TCP: each message is its
length in bytes, a colon, and `[0, number, command, parameters]`; the answer is `[1, number, error,
value]`.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

from tests.support.timeout import TIMEOUT_S

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
