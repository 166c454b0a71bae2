"""Connection to the MQTT 3.1.1 broker of a game night; the client connects again after each loss.

A thread of the library paho-mqtt keeps the connection and calls the callbacks. While there is no
connection, nothing is queued: a table publishes its newest state once it is connected again.
Each table writes to topics below its own number, such as `cribwars/friday/5/state`; the broker
keeps the last message of each topic for clients that come later.
"""

from __future__ import annotations

import logging
import re
import secrets
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from companion.errors import BadInputError
from companion.settings.row import BrokerAddress

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

ROOT: Final = "cribwars"
ONLINE, STATE, PLAN = "online", "state", "plan"
"""Kinds of topics of a table: presence, state, and copy of the plan (the pairs of each round)."""
_OF_TABLE: Final = re.compile(rf"{ROOT}/[^/]*/([1-9][0-9]{{0,4}})/({ONLINE}|{STATE}|{PLAN})")


class TableTopics:
    """Topics of one table of a night.

    Attributes:
        online: the topic of the table's presence, and of its last will.
        state: the topic of the table's state.
        plan: the topic of the table's copy of the plan, used while the organiser's plan is missing.
    """

    def __init__(self, night: str, table: int) -> None:
        self.night, self.table = night, table
        self.online, self.state, self.plan = (
            f"{ROOT}/{night}/{table}/{kind}" for kind in (ONLINE, STATE, PLAN)
        )


def plan_topic(night: str) -> str:
    """Return the topic of the organiser's plan."""
    return f"{ROOT}/{night}/organiser/night"


def organiser_topics(night: str) -> tuple[str, ...]:
    """Return the topic filters of the organiser's subscription."""
    kinds = (ONLINE, STATE, PLAN)
    return (plan_topic(night), *(f"{ROOT}/{night}/+/{kind}" for kind in kinds))


def parse_table_topic(topic: str) -> tuple[int, str]:
    """Return the table and the kind of a table's topic.

    >>> parse_table_topic("cribwars/friday/5/state")
    (5, 'state')

    Raises:
        BadInputError: the topic does not belong to a table, or the table's number is malformed.
    """
    found = _OF_TABLE.fullmatch(topic)
    if found is None:
        raise BadInputError("this is not the topic of a table")
    return int(found[1]), found[2]


KEEP_ALIVE_S: Final = 2
"""Seconds of silence after which a client pings the broker. If the pings stop, mosquitto sends the
client's last will after 3 to 8 s. Missing presence messages reveal a lost table within 4 s."""
PRESENCE_S: Final = 1.5
"""Seconds between two presence messages of a table."""
ABSENT_AFTER_S: Final = 4.0
"""Seconds without a presence message after which a table counts as off."""
RETRY_S: Final = (1, 4)
"""Least and most seconds between two tries to connect."""
QUEUE_LIMIT: Final = 1000
"""Most messages that can wait for the broker's receipt."""
CLOSE_TIMEOUT_S: Final = 0.5

_log = logging.getLogger(__name__)


class BrokerClient:
    """Client of a broker; the library's thread calls the callbacks.

    Args:
        address: the broker's address.
        user: the client's user name at the broker.
        password: the client's password; empty if the client needs no password.
        presence: topic of the client's presence, which is `true` or `false`. The client's last will
            is `false`. If `presence` is empty, the client has no last will.
        topics: topic filters of the client's subscription.
        received: is called with the topic and the content of each message.
        connected: is called with True after each connection, and with False when it is lost.

    Raises:
        BadInputError: the library is missing.
    """

    def __init__(
        self,
        address: BrokerAddress,
        *,
        user: str,
        password: str = "",
        presence: str = "",
        topics: Sequence[str] = (),
        received: Callable[[str, bytes], None],
        connected: Callable[[bool], None],
    ) -> None:
        self._address, self._user, self._password = address, user, password
        self._presence, self._topics = presence, topics
        self._received, self._connected = received, connected
        self._client = self._make()

    def _make(self) -> Client:
        try:  # imported here, so that only a table with a broker loads the library
            from paho.mqtt.client import Client  # noqa: PLC0415
            from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415
        except ImportError:
            text = "a game night needs the package paho-mqtt: {python} -m pip install paho-mqtt"
            raise BadInputError(text, python=sys.executable) from None
        name = f"cribwars-{secrets.token_hex(6)}"
        client = Client(CallbackAPIVersion.VERSION2, client_id=name)
        client.username_pw_set(self._user, self._password or None)
        if self._address.tls:
            client.tls_set()
        if self._presence:
            client.will_set(self._presence, b"false", qos=1, retain=True)
        client.max_queued_messages_set(QUEUE_LIMIT)
        client.reconnect_delay_set(*RETRY_S)
        client.connect_timeout = CLOSE_TIMEOUT_S * 4
        client.on_connect = self._on_connect
        client.on_disconnect = lambda *_: self._connected(False)  # noqa: FBT003  # its only argument
        client.on_message = self._on_message
        return client

    def start(self) -> None:
        """Begin to connect; the library tries again until a broker answers."""
        address = self._address
        self._client.connect_async(address.host, address.port, keepalive=KEEP_ALIVE_S)
        self._client.loop_start()

    def publish(
        self, topic: str, content: bytes, *, retain: bool = False, receipt: bool = False
    ) -> bool:
        """Send a message; return False if there is no connection, or too many messages wait.

        Args:
            topic: the topic of the message.
            content: the message; an empty message deletes a retained message.
            retain: True if the broker keeps the message for later subscribers.
            receipt: True to repeat the message until the broker confirms it (QoS 1).
        """
        if not self._client.is_connected():
            return False
        sent = self._client.publish(topic, content, qos=int(receipt), retain=retain)
        return sent.rc == 0

    def signal_presence(self) -> None:
        """Publish that this client is present; the caller repeats this every `PRESENCE_S`."""
        self.publish(self._presence, b"true", retain=True)

    def close(self) -> None:
        """Publish absence and disconnect; do not wait for a broker that does not answer."""
        if self._presence:
            self.publish(self._presence, b"false", retain=True)
        self._client.disconnect()
        stopping = threading.Thread(target=self._stop, daemon=True)
        stopping.start()
        stopping.join(CLOSE_TIMEOUT_S)

    def _stop(self) -> None:
        with suppress(AttributeError):  # the thread has already ended by itself
            self._client.loop_stop()

    # In the library's thread

    def _on_connect(
        self, client: Client, _data: object, _flags: object, reason: object, _: object
    ) -> None:
        if getattr(reason, "is_failure", False):
            _log.warning("the broker refuses this client: %s", reason)
            return
        if self._topics:
            client.subscribe([(topic, 1) for topic in self._topics])
        if self._presence:
            self.signal_presence()
        self._connected(True)  # noqa: FBT003  # a callback's only argument

    def _on_message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        try:
            self._received(message.topic, bytes(message.payload))
        except Exception:  # noqa: BLE001  # the thread must live
            _log.exception("a message of the night could not be processed")
