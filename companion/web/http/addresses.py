"""Addresses at which phones reach the board's page, and QR codes for them.

The addresses are read from the network interfaces, not from the default route, since a network of
only this machine and phones has no default route. The name in multicast DNS, such as `crib.local`,
comes first: it stays the same when the router gives this machine another address, so that a paired
phone's cookie stays valid.
"""

import fcntl
import socket
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from ipaddress import ip_address
from pathlib import Path
from typing import Final

EVERYWHERE: Final = frozenset({"0.0.0.0", "::", ""})  # noqa: S104  # compared, not bound
AVAHI: Final = "/run/avahi-daemon/socket"
"""Socket of Avahi, the multicast DNS service of Linux."""
AVAHI_TIMEOUT_S: Final = 0.3

_IS_LINUX: Final = sys.platform == "linux"
_GET_FLAGS, _GET_ADDRESS = (0x8913, 0x8915) if _IS_LINUX else (0xC0206911, 0xC0206921)
"""Requests to an interface (SIOCGIFFLAGS, SIOCGIFADDR of Linux and of macOS); see netdevice(7)."""
_LOOPBACK, _POINT_TO_POINT, _RUNNING = 0x8, 0x10, 0x40


def own_hosts(avahi: str = AVAHI) -> tuple[str, ...]:
    """Return this machine's name in multicast DNS, if it has one, and its addresses."""
    found = own_addresses()
    name = _mdns_name(found, avahi)
    return (name, *found) if name else found


def own_addresses() -> tuple[str, ...]:
    """Return this machine's IPv4 addresses except loopback and tunnels, self-assigned ones last."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        found = [each for name in _interfaces() if (each := _address(asking, name))]
    return tuple(sorted(found, key=lambda each: ip_address(each).is_link_local))


def _interfaces() -> list[str]:
    """Return the names of the network interfaces.

    On Linux `if_nameindex` opens a netlink socket, which the service's unit forbids.
    """
    if not _IS_LINUX:
        return [name for _, name in socket.if_nameindex()]
    _, _, *rows = Path("/proc/net/dev").read_text(encoding="utf-8").splitlines()
    return [row.partition(":")[0].strip() for row in rows]


def _address(asking: socket.socket, interface: str) -> str | None:
    request = struct.pack("256s", interface.encode())
    with suppress(OSError):
        (flags,) = struct.unpack_from("H", fcntl.ioctl(asking, _GET_FLAGS, request), 16)
        if flags & (_LOOPBACK | _POINT_TO_POINT | _RUNNING) == _RUNNING:
            return socket.inet_ntoa(fcntl.ioctl(asking, _GET_ADDRESS, request)[20:24])
    return None


def _mdns_name(own: tuple[str, ...], service: str) -> str | None:
    """Return this machine's name in multicast DNS; None if no service answers for it."""
    name = f"{socket.gethostname().partition('.')[0].lower()}.local"
    if sys.platform == "darwin":  # the system itself always answers
        return name
    with suppress(OSError), socket.socket(socket.AF_UNIX) as avahi:
        avahi.settimeout(AVAHI_TIMEOUT_S)
        avahi.connect(service)
        avahi.sendall(f"RESOLVE-HOSTNAME-IPV4 {name}\n".encode())
        answer = avahi.recv(256).decode(errors="replace").split()
        return name if answer[:1] == ["+"] and answer[-1] in own else None
    return None


def addresses(
    host: str, port: int, find_own: Callable[[], tuple[str, ...]] = own_hosts
) -> tuple[str, ...]:
    """Return the addresses at which other machines reach a server, the best first.

    Args:
        host: the address at which the server listens.
        port: the server's port.
        find_own: returns this machine's name and addresses, for a server that listens everywhere.

    >>> addresses("127.0.0.1", 8000)
    ()
    >>> addresses("0.0.0.0", 8000, lambda: ("crib.local", "192.168.1.7"))
    ('http://crib.local:8000/', 'http://192.168.1.7:8000/')
    """
    hosts = find_own() if host in EVERYWHERE else (host,)
    named = (f"[{each}]" if ":" in each else each for each in hosts if not is_local(each))
    return tuple(f"http://{each}:{port}/" for each in named)


def is_local(host: str) -> bool:
    """Return True for a loopback address, such as 127.0.0.1, and for "localhost"."""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def qr_svg(text: str) -> bytes:
    """Return a QR code as an SVG drawing, black on white, with its quiet zone."""
    import segno  # noqa: PLC0415  # 1.7 MB; only a QR code needs it

    drawn = BytesIO()
    code = segno.make(text, micro=False, error="m")
    code.save(drawn, kind="svg", xmldecl=False, border=4, omitsize=True, light="#fff")
    return drawn.getvalue()
