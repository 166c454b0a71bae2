"""Address of a message broker, as `mqtt://host` or `mqtts://host:port`."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

_PORTS: Final = {"mqtt": 1883, "mqtts": 8883}


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerAddress:
    """Host and port of a broker; `tls` is True for an encrypted connection."""

    host: str
    port: int
    tls: bool = False


def parse_broker(text: str) -> BrokerAddress:
    """Parse the address of a broker.

    >>> parse_broker("mqtt://night.local")
    BrokerAddress(host='night.local', port=1883, tls=False)

    Raises:
        ValueError: the address has another form; the message shows the right one.
    """
    try:
        parts = urlsplit(text)
        port = parts.port or _PORTS[parts.scheme]
        if not parts.hostname or parts.username or parts.path.strip("/") or parts.query:
            raise ValueError(text)  # noqa: TRY301  # all of these are one fault
    except (KeyError, ValueError):
        raise ValueError('an address such as "mqtt://night.local", or mqtts:// with TLS') from None
    return BrokerAddress(host=parts.hostname, port=port, tls=parts.scheme == "mqtts")
