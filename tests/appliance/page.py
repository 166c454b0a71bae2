"""Page of a machine that another process runs, as a client on this machine sees it."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final, TypeVar

import httpx

PAGE_S: Final = 20.0
_Found = TypeVar("_Found")


def until(find: Callable[[], _Found | None], seconds: float, what: str) -> _Found:
    """Return a value as soon as there is one, within some seconds.

    To look is work for the machine, so the longer it takes, the more rarely this looks.
    """
    began = time.monotonic()
    while (waited := time.monotonic() - began) < seconds:
        with suppress(httpx.HTTPError, subprocess.CalledProcessError):
            found = find()
            if found:
                return found
        time.sleep(min(max(0.2, waited / 10), 2.0))
    raise AssertionError(f"not within {seconds:.0f} s: {what}")


class Page:
    """The page at a port of this machine; `url` is its address."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._client = httpx.Client(base_url=self.url, timeout=30.0)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def log(self) -> str:
        """Return what the machine said of itself."""
        return ""

    def get(self, path: str) -> Any:  # noqa: ANN401  # JSON
        """Return the page's response."""
        return self._client.get(path).raise_for_status().json()

    def events(self) -> Iterator[tuple[str, str]]:
        """Yield the events of the page's stream: their kinds and data."""
        with self._client.stream("GET", "/api/stream") as stream:
            kind = ""
            for line in stream.iter_lines():
                key, _, value = line.partition(": ")
                kind = value if key == "event" else kind
                if key == "data":
                    yield kind, value
        raise httpx.RemoteProtocolError("the stream has ended")

    def news(self) -> dict[str, Any]:
        """Return the first news of the page's stream."""
        return next(dict(json.loads(value)) for kind, value in self.events() if kind == "news")

    def post(self, path: str, **body: object) -> None:
        """Send a request to the page."""
        self._client.post(path, json=body).raise_for_status()

    def page(self, seconds: float = PAGE_S) -> dict[str, Any]:
        """Return the table as soon as the page answers."""
        try:
            return dict(until(lambda: self.get("/api/table"), seconds, "the page"))
        except AssertionError as error:
            raise AssertionError(f"{error}; {self.log()[-2000:]}") from None

    def press(self, *buttons: str) -> None:
        """Press mock buttons one after the other."""
        for button in buttons:
            self.post("/api/press", button=button, seconds=0.02)

    def count(self) -> int:
        """Enter a count. Return the number of commands that are then accepted."""
        before = int(self.news()["seq"])
        self.press("1.plus_five", "1.enter")
        return int(until(lambda: self._news_after(before), 20, "an accepted count")["seq"])

    def _news_after(self, seq: int) -> dict[str, Any] | None:
        news = self.news()
        return news if news["seq"] > seq else None
