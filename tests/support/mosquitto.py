"""Debian's mosquitto on loopback, with the configuration of `deploy/broker`."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from companion.night.broker import BrokerClient, TableTopics
from companion.settings.row import BrokerAddress
from tests.support.limits import TIMEOUT_S

_START: Final = Path(__file__).parents[2] / "deploy" / "broker" / "start"
NIGHT: Final = "friday"


def missing() -> str:
    """Return the programs that this machine lacks; empty if there are all."""
    return "" if shutil.which("mosquitto") else "install mosquitto"


def wait_until(is_true: object, what: str, *, seconds: float = TIMEOUT_S) -> float:
    """Return the seconds until a callable returns something true; fail after `seconds`."""
    assert callable(is_true)
    began = time.monotonic()
    while not is_true():
        assert time.monotonic() < began + seconds, f"not within {seconds} s: {what}"
        time.sleep(0.01)
    return time.monotonic() - began


class Mosquitto:
    """Broker for tables 1 to `tables`, which loses its store when it is killed."""

    def __init__(self, folder: Path, tables: int) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._folder = folder
        made = subprocess.run(
            [_START, str(tables), folder, str(self.port)],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            timeout=TIMEOUT_S,
        )
        self.passwords = dict(line.split() for line in made.stdout.splitlines())
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Address as the settings take it."""
        return f"mqtt://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and return once it answers."""
        with (self._folder / "log").open("ab") as log:
            command = ["mosquitto", "-c", str(self._folder / "cribwars.conf")]
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        wait_until(self._answers, "mosquitto answers")

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        """Kill it. Idempotent."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def log_of(self, user: str) -> list[str]:
        """Return its log lines about the only client of a user."""
        lines = (self._folder / "log").read_text().splitlines()
        (client,) = {line.partition(" as ")[2].split()[0] for line in lines if f"u'{user}'" in line}
        return [line for line in lines if client in line]

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process
        return self._process.pid


@contextmanager
def mosquitto(folder: Path, *, tables: int = 3) -> Iterator[Mosquitto]:
    """Run a broker until the block ends."""
    broker = Mosquitto(folder, tables)
    try:
        broker.start()
        yield broker
    finally:
        broker.kill()


class Listener:
    """Client of a night that keeps the newest message of each topic, and counts connections.

    It is the organiser's client if `user` is not the number of a table.
    """

    def __init__(self, broker: Mosquitto, user: str = "organiser", *topics: str) -> None:
        self.messages: dict[str, bytes] = {}
        self.all: list[tuple[str, bytes]] = []
        self.connections: list[bool] = []
        presence = TableTopics(NIGHT, int(user)).online if user.isdecimal() else ""
        self.client = BrokerClient(
            BrokerAddress(host="127.0.0.1", port=broker.port),
            user=user,
            password=broker.passwords[user],
            presence=presence,
            topics=topics or ("cribwars/#",),
            received=self._take,
            connected=self.connections.append,
        )
        self.client.start()

    def _take(self, topic: str, content: bytes) -> None:
        self.messages[topic] = content
        self.all.append((topic, content))

    def until(self, topic: str, content: bytes) -> None:
        """Wait until a topic has this content."""
        wait_until(
            lambda: self.messages.get(topic) == content,
            f"{topic} is {content!r}, not {self.messages.get(topic)!r}",
        )

    def connected(self) -> None:
        """Wait for its first connection."""
        wait_until(lambda: any(self.connections), "the broker accepts the client")


@contextmanager
def listening(broker: Mosquitto, user: str = "organiser", *topics: str) -> Iterator[Listener]:
    """Connect a listener until the block ends."""
    listener = Listener(broker, user, *topics)
    try:
        listener.connected()
        yield listener
    finally:
        listener.client.close()
