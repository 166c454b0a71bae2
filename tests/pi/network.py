"""First evening without a network, with the kernel's emulated radios. `make test-card` runs it.

The first radio is the board's; the second is the home's access point, the third a phone. Those two
are in network namespaces of their own, so the board reaches them over the air alone.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.network import HOTSPOT_ADDRESS, JoinFailure, NetworkStage
from tests.appliance.page import until
from tests.pi.machine import PAGE_S, Pi, resumed
from tests.pi.parts import missing_package

pytestmark = [pytest.mark.timeout(1200), pytest.mark.tool(lacks=missing_package())]
STAGE_S = 300.0
HOTSPOT = "cribwars-hotspot"
HOME, PASSWORD = "Annas home", "fifteen # two"
HOME_ADDRESS = "192.168.77."
IN_HOME, ON_PHONE = "ip netns exec home", "ip netns exec phone"
ACCESS_POINT = """
network={{
 ssid="{name}"
 mode=2
 frequency=2437
 key_mgmt=WPA-PSK
 proto=RSN
 pairwise=CCMP
 psk="{password}"
}}
"""
STATION = 'network={{\n ssid="{name}"\n psk="{password}"\n scan_ssid=1\n}}\n'
DHCP = (
    "dnsmasq --interface=wlan1 --bind-interfaces --port=0 --conf-file=/dev/null"
    " --pid-file=/run/home.pid --dhcp-leasefile=/run/home.leases"
    f" --dhcp-range={HOME_ADDRESS}57,{HOME_ADDRESS}60,1h"
)


@pytest.fixture(scope="module")
def pi(started: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pi]:
    """Return a Pi without a cable, in reach of a home and of a phone."""
    with resumed(started, tmp_path_factory.mktemp("pi")) as pi:
        pi.run("nmcli device disconnect eth0; modprobe mac80211_hwsim radios=3")
        for radio, place in (("wlan1", "home"), ("wlan2", "phone")):
            pi.run(f"ip netns add {place}")
            pi.run(f"iw phy $(cat /sys/class/net/{radio}/phy80211/name) set netns name {place}")
            pi.run(f"ip netns exec {place} ip link set {radio} up")
        pi.run(f"{IN_HOME} ip address add {HOME_ADDRESS}1/24 dev wlan1")
        start_supplicant(pi, IN_HOME, "wlan1", ACCESS_POINT.format(name=HOME, password=PASSWORD))
        yield pi


def start_supplicant(pi: Pi, place: str, radio: str, network: str) -> None:
    """Have a radio open or join a network."""
    pi.run(f"cat >/run/{radio}.conf <<'end'\n{network}end")
    pi.run(f"{place} wpa_supplicant -B -D nl80211 -i {radio} -c /run/{radio}.conf")


def network(pi: Pi) -> dict[str, Any]:
    """Return what the page says of the board's network."""
    return dict(pi.ask("/api/network"))


def until_stage(pi: Pi, stage: NetworkStage) -> dict[str, Any]:
    """Return what the page says as soon as the board is in a stage."""
    until(lambda: network(pi)["stage"] == stage, STAGE_S, stage)
    return network(pi)


def expect_failure(pi: Pi, name: str, password: str, failure: JoinFailure) -> None:
    """Ask the board to join; it tells why it cannot, and its hotspot is open again.

    The emulated board may be too slow for a join, and then says just that.
    """
    pi.ask("/api/network", name=name, password=password)
    until(lambda: network(pi)["failure"], STAGE_S, "a failure")
    told = until_stage(pi, NetworkStage.HOTSPOT)["failure"]
    assert told in {failure, JoinFailure.TIMED_OUT}


def test_a_first_evening_without_a_network(pi: Pi) -> None:
    """A phone finds the board's page in its hotspot; after three failures the board gets home."""
    hotspot = until_stage(pi, NetworkStage.HOTSPOT)["hotspot"]
    pi.press("1.plus_five", "1.enter")
    until(lambda: 1 == pi.ask("/api/table")["seq"], PAGE_S, "a count")
    password = pi.run(
        f"nmcli --show-secrets -g 802-11-wireless-security.psk connection show {HOTSPOT}"
    )
    start_supplicant(pi, ON_PHONE, "wlan2", STATION.format(name=hotspot, password=password.strip()))
    pi.run(f"{ON_PHONE} ip address add 10.42.0.77/24 dev wlan2")
    page = f"PAGE={HOTSPOT_ADDRESS} {ON_PHONE} ask /api/table"
    until(lambda: '"seq":1' in pi.run(page, check=False), STAGE_S, "the page on the phone")
    expect_failure(pi, HOME, "another one", JoinFailure.WRONG_PASSWORD)
    expect_failure(pi, "Nowhere", PASSWORD, JoinFailure.NOT_FOUND)
    expect_failure(pi, HOME, PASSWORD, JoinFailure.NO_ADDRESS)
    pi.run(f"{IN_HOME} {DHCP}")
    pi.ask("/api/network", name=HOME, password=PASSWORD)
    joined = until_stage(pi, NetworkStage.JOINED)
    assert (HOME, None) == (joined["asked"], joined["failure"])
    assert HOME_ADDRESS in pi.run("ip -4 address show wlan0")
