"""The addresses at which phones find the page, and the code that a camera reads them from."""

import socket
from contextlib import suppress
from io import BytesIO

import segno

UNUSED_ADDRESS = "192.0.2.1"
"""Reserved address (RFC 5737): nothing is sent there; it only picks our outgoing address."""


def addresses(host: str, port: int) -> tuple[str, ...]:
    """Return the addresses at which other machines reach a server; empty if only this machine does.

    >>> addresses("127.0.0.1", 8000)
    ()
    >>> addresses("192.168.1.7", 8000)
    ('http://192.168.1.7:8000/',)
    """
    if host in {"0.0.0.0", "::", ""}:  # noqa: S104  # compared, not bound
        host = own_address() or ""
    if not host or host == "localhost" or host.startswith("127.") or host == "::1":
        return ()
    named = f"[{host}]" if ":" in host else host
    return (f"http://{named}:{port}/",)


def own_address() -> str | None:
    """Return the address of this machine in the network; None if it is in none."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect((UNUSED_ADDRESS, 9))
        return str(asking.getsockname()[0])
    return None


def qr_svg(text: str) -> bytes:
    """Return a QR code as an SVG drawing, black on white, with its quiet zone."""
    drawn = BytesIO()
    code = segno.make(text, micro=False, error="m")
    code.save(drawn, kind="svg", xmldecl=False, border=4, omitsize=True, light="#fff")
    return drawn.getvalue()
