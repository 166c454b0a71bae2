"""The connection to a real broker: presence, rights, and automatic reconnection."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from companion.night.broker import BrokerClient, TableTopics, plan_topic
from companion.settings.row import BrokerAddress
from tests.support.mosquitto import NIGHT, Listener, listening, missing, mosquitto, wait_until

TABLE = TableTopics(NIGHT, 1)
ROOT = Path(__file__).parents[3]


def _start(script: str, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", script, *arguments], cwd=ROOT)


def test_nothing_is_published_without_a_broker() -> None:
    """Without a broker a message is refused at once, and closing does not wait."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = BrokerAddress(host="127.0.0.1", port=closed.getsockname()[1])
        client = BrokerClient(address, user="1", received=lambda *_: None, connected=lambda _: None)
        client.start()
        assert not client.publish("cribwars/x", b"y", receipt=True)
        client.close()


@pytest.mark.program(lacks=missing())
def test_the_last_will_of_a_table_says_that_it_is_gone(tmp_path: Path) -> None:
    """The broker notices a frozen table by its keep-alive, and a killed one at once."""
    with mosquitto(tmp_path) as broker, listening(broker) as organiser:
        script = (
            "import signal, sys; from tests.support.mosquitto import *;"
            "broker = type('Known', (), {'port': int(sys.argv[1]),"
            " 'passwords': {'1': sys.argv[2]}}); Listener(broker, '1'); signal.pause()"
        )
        table = _start(script, str(broker.port), broker.passwords["1"])
        try:
            organiser.until(TABLE.online, b"true")
            os.kill(table.pid, signal.SIGSTOP)
            organiser.until(TABLE.online, b"false")
            os.kill(table.pid, signal.SIGCONT)
            organiser.until(TABLE.online, b"true")
        finally:
            table.kill()
            table.wait()
        organiser.until(TABLE.online, b"false")
        frozen, *_, killed = (line for line in broker.log_of("1") if "New" not in line)
        assert ("timeout" in frozen, "timeout" in killed) == (True, False)


@pytest.mark.program(lacks=missing())
def test_a_client_comes_back_to_a_broker_that_has_forgotten_all(tmp_path: Path) -> None:
    """After a restart of a broker without a store, presence and subscriptions are restored."""
    with mosquitto(tmp_path) as broker, listening(broker) as organiser:
        with listening(broker, "1"):
            organiser.until(TABLE.online, b"true")
            broker.kill()
            organiser.messages.clear()
            wait_until(lambda: False in organiser.connections, "the organiser sees the loss")
            broker.start()
            organiser.until(TABLE.online, b"true")
        organiser.until(TABLE.online, b"false")


@pytest.mark.program(lacks=missing())
def test_a_table_writes_only_its_own_branch(tmp_path: Path) -> None:
    """The broker drops what a table writes elsewhere, and a table cannot read other tables."""
    with (
        mosquitto(tmp_path) as broker,
        listening(broker) as organiser,
        listening(broker, "1") as table,
    ):
        for topic in (
            TableTopics(NIGHT, 2).state,
            "cribwars/friday/organiser/night",
            "cribwars/x/2/state",
        ):
            table.client.publish(topic, b"forged", receipt=True)
        table.client.publish(TABLE.state, b"own", receipt=True)
        organiser.until(TABLE.state, b"own")
        organiser.client.publish(plan_topic(NIGHT), b"plan", receipt=True)
        table.until(plan_topic(NIGHT), b"plan")
        assert b"forged" not in organiser.messages.values()
        assert {plan_topic(NIGHT)} == set(table.messages)


@pytest.mark.program(lacks=missing())
def test_a_wrong_password_is_refused(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A client that the broker refuses logs that, and publishes nothing."""
    with mosquitto(tmp_path) as broker:
        broker.passwords["1"] = "wrong"
        table = Listener(broker, "1")
        try:
            wait_until(lambda: "refuses" in caplog.text, "the refusal is in the log")
            assert not table.client.publish(TABLE.state, b"{}")
        finally:
            table.client.close()
