"""Addresses of the page for phones, and the code that a camera reads."""

import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from ast import literal_eval
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from socketserver import StreamRequestHandler, UnixStreamServer

import pytest

from companion.web.http.addresses import addresses, own_addresses, own_hosts, qr_svg
from tests.companion.web.client import fetch
from tests.support.real_table import RealTable


def test_loopback_is_for_this_machine_alone() -> None:
    """A phone cannot reach it."""
    for host in ("127.0.0.1", "localhost", "::1", "127.1.2.3"):
        assert () == addresses(host, 8000)


def test_an_address_is_written_as_browsers_read_it() -> None:
    """IPv6 addresses are in brackets."""
    written = {"192.168.1.7": "192.168.1.7", "fd00::7": "[fd00::7]", "crib.lan": "crib.lan"}
    for host, text in written.items():
        assert (f"http://{text}:8000/",) == addresses(host, 8000)


def test_everywhere_is_reported_as_hosts_that_can_be_typed() -> None:
    """The best one comes first; without a network there is none."""
    hosts = ("crib.local", "192.168.1.7", "fd00::7")
    found = ("http://crib.local:80/", "http://192.168.1.7:80/", "http://[fd00::7]:80/")
    for host in ("0.0.0.0", "::", ""):  # noqa: S104  # nobody binds to it here
        assert found == addresses(host, 80, lambda: hosts)
        assert () == addresses(host, 80, tuple)


@contextmanager
def avahi(socket_file: Path, address: str) -> Iterator[str]:
    """Run a service that resolves the name of this machine to an address."""

    class Answer(StreamRequestHandler):
        def handle(self) -> None:
            command, name = self.rfile.readline().decode().split()
            assert "RESOLVE-HOSTNAME-IPV4" == command
            self.wfile.write(f"+ 2 0 {name} {address}\n".encode())

    with UnixStreamServer(str(socket_file), Answer) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        yield str(socket_file)
        thread.join()


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux: avahi is its service")
@pytest.mark.parametrize("is_own", [True, False])
def test_the_name_in_multicast_dns_comes_first(tmp_path: Path, is_own: bool) -> None:
    """It does so if it resolves to this machine, as another one may have it."""
    found = own_addresses()
    if not found:
        pytest.skip("needs a machine in a network: an address besides 127.0.0.1")
    with avahi(tmp_path / "socket", found[0] if is_own else "192.0.2.77") as service:
        hosts = own_hosts(service)
    assert found == tuple(host for host in hosts if not host.endswith(".local"))
    assert is_own == hosts[0].endswith(".local")
    assert found == own_hosts(str(tmp_path / "nothing"))


NETWORK = """
ip link add crib0 type veth peer name crib1 && ip address add 192.168.77.5/24 dev crib0 \\
    && ip link set crib1 up && {up} && ip address add 192.168.78.5/24 dev crib1 || exit 77
exec {python} -c 'from companion.web.http.addresses import *; print(own_addresses())'
"""
"""Networks of a machine that lead no further: two ends of a cable, and no route besides."""


@pytest.mark.tool
@pytest.mark.skipif(which("unshare") is None, reason="needs Linux and the package util-linux")
@pytest.mark.parametrize(
    ("up", "found"), [("ip link set crib0 up", ("192.168.77.5", "192.168.78.5")), ("true", ())]
)
def test_a_network_without_a_default_route_is_one(up: str, found: tuple[str, ...]) -> None:
    """Its address is found without a route to the internet, but not without a cable."""
    script = NETWORK.format(up=up, python=sys.executable)
    command = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", script]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        pytest.skip(f"needs the right to make a network: {run.stderr.strip()}")
    assert set(found) == set(literal_eval(run.stdout))


def test_pages_know_whether_the_settings_let_phones_in() -> None:
    """A setting that is made already is not offered, even without a network."""
    for host, local_only in (("127.0.0.1", True), ("0.0.0.0", False)):  # noqa: S104  # no server listens
        about = fetch(RealTable(web={"host": host}), "GET", "/api/about").json()
        assert ([], local_only) == (about["pages"], about["local_only"])


def test_a_code_is_drawn_with_its_quiet_zone() -> None:
    """It is black on white and scalable, without styles that the policy forbids."""
    drawing = ET.fromstring(qr_svg("http://192.168.1.7:8000/pad?side=1"))  # noqa: S314  # ours
    *_, width, height = map(int, (drawing.get("viewBox") or "").split())
    assert width == height
    assert width >= 25 + 2 * 4
    assert not [part for part in drawing.iter() if part.get("style")]


def test_the_code_of_a_page_is_served_where_phones_find_it() -> None:
    """Elsewhere it is refused with the remedy."""
    app = RealTable(pages=lambda: ("http://192.168.1.7:8000/",))
    for path in ("/qr.svg", "/qr.svg?side=1", "/qr.svg?side=3"):
        answer = fetch(app, "GET", path)
        assert (200, "image/svg+xml") == (answer.status_code, answer.headers["content-type"])
    for path in ("/qr.svg?side=4", "/qr.svg?side=x", "/qr.svg?size=1", "/qr.svg?side=1&side=2"):
        assert 400 == fetch(app, "GET", path).status_code
    for host, named in (("127.0.0.1", True), ("0.0.0.0", False)):  # noqa: S104  # no server listens
        away = fetch(RealTable(web={"host": host}), "GET", "/qr.svg")
        assert (404, named) == (away.status_code, "[web] host" in away.json()["error"])
