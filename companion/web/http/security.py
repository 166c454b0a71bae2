"""Guard of the server: it checks each request before routing, so that no route can skip it.

A page of another site can make a browser send requests to this machine. If that site's name then
points at this machine (DNS rebinding), the page can even read the answers. Hence the `Host` header
must be an IP address or a name of this machine. A request that changes something must come from a
page of this server, or from no page at all. Headers of a proxy are ignored.

Each endpoint also names the right that its caller needs; see `endpoint`.
"""

import re
import socket
from collections.abc import Iterable
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.commentary import load_phrases
from companion.encoding import encode_json
from companion.errors import Text, filled

CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
OWN_FETCHES = frozenset({"same-origin", "none"})
POLICY = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'; object-src 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_HOST = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?", re.ASCII)


def own_names(configured: Iterable[str] = ()) -> frozenset[str]:
    """Return this machine's names: localhost, its host names, and the configured ones."""
    full = socket.gethostname().lower()
    short = full.partition(".")[0]
    own = {"localhost", full, short, f"{short}.local"}
    return frozenset(own | {name.lower() for name in configured})


def host_is_ours(host: str, names: frozenset[str]) -> bool:
    """Return True if a Host header is an IP address or one of these names, with any port.

    >>> host_is_ours("192.168.1.7:8000", frozenset())
    True
    >>> host_is_ours("rebound.example", frozenset({"localhost"}))
    False
    """
    parts = _HOST.fullmatch(host.lower())
    return parts is not None and (parts["host"] in names or _is_address(parts["host"]))


def _is_address(host: str) -> bool:
    try:
        if host.startswith("["):
            IPv6Address(host[1:-1])
        else:
            IPv4Address(host)
    except AddressValueError:
        return False
    return True


def is_this_machine(client: str | None) -> bool:
    """Return True for a loopback address, such as 127.0.0.1, ::1 or ::ffff:127.0.0.1."""
    try:
        address = ip_address(client or "")
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback


def is_own_page(headers: Headers, scheme: str) -> bool:
    """Return True if a page of this server sent a request, or if no page did."""
    own = f"{scheme}://{headers.get('host', '')}".lower()
    origins = {origin.lower() for origin in headers.getlist("origin")}
    fetches = set(headers.getlist("sec-fetch-site"))
    return origins <= {own} and fetches <= OWN_FETCHES


class Guard:
    """Middleware that refuses foreign requests and adds the security headers to every answer.

    It refuses a request to a host that is not this machine (421), a change that another site's
    page asks for (403), and a change whose body is not JSON but, for example, a form (415). An
    answer without `Cache-Control` gets `no-cache`: browsers must ask again before they use a stored
    copy.
    """

    def __init__(self, app: ASGIApp, *, names: frozenset[str]) -> None:
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(POLICY)
                headers.setdefault("Cache-Control", "no-cache")
            await send(message)

        refusal = _refusal(scope, self._names) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send_with_policy)


def _refusal(scope: Scope, names: frozenset[str]) -> Response | None:
    headers = Headers(scope=scope)
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not host_is_ours(hosts[0], names):
        text = "This machine has no such name: use its address, or set [web] hosts.\n"
        return PlainTextResponse(text, status_code=421)
    if scope["method"] not in CHANGING:
        return None
    if not is_own_page(headers, scope["scheme"]):
        return refuse(403, "a page of another site asked for this; open the table's own page")
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return refuse(415, "send JSON, with content-type application/json")
    return None


class RefusalResponse(Response):
    """Refusal with a JSON value such as `{"error": text}`, in the language of the request."""

    def __init__(self, status: int, value: object) -> None:
        super().__init__(encode_json(value), status, media_type="application/json")
        self._value = value

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        language = scope.get("state", {}).get("language")
        if language:
            self.body = encode_json(self._value, load_phrases(language).message)
            self.headers["content-length"] = str(len(self.body))
        await super().__call__(scope, receive, send)


def refuse(status: int, text: str | Text, /, **values: object) -> Response:
    """Return a refusal with one line that says why."""
    return RefusalResponse(status, {"error": filled(text, values)})
