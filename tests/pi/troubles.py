"""USB sticks, no clock, and a kernel that hangs. `make test-pi` runs them."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from companion.rules.game import Command, NewGame, Peg
from tests.appliance.machine import ReleaseKey, built, repacked
from tests.appliance.page import until
from tests.companion.journal.scribe import Scribe
from tests.pi.machine import CARD, PAGE_S, VIRT, Pi, powered
from tests.pi.parts import RELEASE, layer, missing_package, run, stick, tool

pytestmark = [pytest.mark.timeout(1500), pytest.mark.tool(lacks=missing_package())]
ANSWER_S = 60.0
UPDATE_S = 600.0
NETWORK_TIME = 1_900_000_000
"""Seconds since 1970, in the year 2030."""
NO_CLOCK = ("-rtc", "base=1970-01-01T00:00:00")
WATCHDOG = ("-device", "i6300esb")
WATCHDOG_S = 400.0
PAST = 100_000


@pytest.fixture(scope="module")
def own_card(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the card of the Pi that the stories share."""
    return layer(installed, tmp_path_factory.mktemp("pi") / CARD)


@pytest.fixture(scope="module")
def pi(own_card: Path) -> Iterator[Pi]:
    """Return a Pi that has no clock, as its first start without a network."""
    with powered(VIRT, own_card, own_card.parent, options=(*NO_CLOCK, *WATCHDOG)) as pi:
        pi.page()
        pi.press("1.plus_one", "1.enter")
        until(lambda: 1 == pi.get("/api/table")["seq"], ANSWER_S, "a count")
        yield pi


def full(image: Path) -> Path:
    """Make a stick without room for a backup."""
    films = image.with_name("films")
    said = run(*tool("mdir"), "-i", stick(image, megabytes=2), "::")
    [free] = re.findall(r"([\d ]+) bytes free", said)
    films.write_bytes(bytes(int(free.replace(" ", ""))))
    return stick(image, films, megabytes=2)


def said_of_sticks(pi: Pi) -> list[str]:
    """Return what the page says of the sticks."""
    lines = (line.partition(": ") for line in pi.news()["notices"])
    return [said for name, _, said in lines if name.startswith("USB stick")]


@pytest.mark.parametrize(
    ("make", "protected", "line"),
    [
        (stick, False, "a backup was made"),
        (partial(stick, kind="exfat"), False, "a backup was made"),
        (stick, True, "it is write-protected: no backup"),
        (full, False, "it is full: no backup"),
    ],
    ids=["fat", "exfat", "protected", "full"],
)
def test_a_stick(
    pi: Pi, tmp_path: Path, make: Callable[[Path], Path], protected: bool, line: str
) -> None:
    """The page has one line about it, and lists its backup, until it is pulled out."""
    image = make(tmp_path / f"stick-{tmp_path.name}")
    pi.plug_in(image, protected=protected)
    until(lambda: [line] == said_of_sticks(pi), ANSWER_S, line)
    has_backup = any(each["on_stick"] for each in pi.ask("/api/backups"))
    assert has_backup == (line == "a backup was made")
    pi.pull_out(image)
    until(lambda: [] == said_of_sticks(pi), ANSWER_S, "no line")


def test_a_version_on_a_stick(pi: Pi, tmp_path: Path) -> None:
    """A signed version is installed, and it is proved, with the game as it was."""
    key, version = ReleaseKey(tmp_path), f"9.0~{RELEASE}"
    pi.run(f"cat >/usr/share/cribwars/release-key.pem <<'end'\n{key.public}end")
    package = repacked(built(RELEASE, "arm64"), tmp_path, version)
    seq = pi.get("/api/table")["seq"]
    image = stick(tmp_path / "update", package, key.sign(package), megabytes=128)
    pi.plug_in(image)
    line = f"version {version} was installed"
    until(lambda: line in str(said_of_sticks(pi)), UPDATE_S, line)
    unproven = "ls /var/lib/cribwars-update/unproven"
    until(lambda: "cannot access" in pi.run(unproven, check=False), UPDATE_S, "the proof")
    assert version == pi.run("dpkg-query -W -f '${Version}' cribwars")
    assert seq == pi.page()["seq"]
    pi.pull_out(image)
    until(lambda: [] == said_of_sticks(pi), ANSWER_S, "no line")


def test_the_network_has_the_time(pi: Pi) -> None:
    """The clock leaps by years while a count is being entered: it is kept, and the game goes on."""
    pi.run(
        "mkdir -p /run/systemd/timesyncd.conf.d; cd /run/systemd/timesyncd.conf.d\n"
        "printf '[Time]\\nNTP=127.0.0.1\\n' >here.conf"
    )
    seq = pi.get("/api/table")["seq"]
    pi.press("1.plus_five")
    until(lambda: 5 == pi.get("/api/table")["teams"]["1"]["pending"], ANSWER_S, "five points")
    assert int(pi.run("date +%s")) < NETWORK_TIME
    pi.run(f"ntp {NETWORK_TIME} & systemctl restart systemd-timesyncd")
    until(lambda: int(pi.run("date +%s")) >= NETWORK_TIME, ANSWER_S, "the network's time")
    assert 5 == pi.get("/api/table")["teams"]["1"]["pending"]
    pi.press("1.plus_one", "1.enter")
    until(lambda: seq + 1 == pi.get("/api/table")["seq"], ANSWER_S, "the count")
    pi.run("systemctl start cribwars-backup")
    assert pi.ask("/api/backups")


def test_a_kernel_that_hangs(pi: Pi, own_card: Path, tmp_path: Path) -> None:
    """The watchdog restarts the Pi, and a game after 100,000 commands is there again.

    This is the last story, because it ends the Pi that all of them share.
    """
    game: list[Command] = [NewGame(), *(Peg(side=1 + n % 2, points=1) for n in range(39))]
    Scribe(tmp_path).sit().do(*(game * (PAST // len(game)))).close()
    image = stick(tmp_path / "past", tmp_path / "journal.sqlite", megabytes=128)
    pi.plug_in(image)
    until(lambda: ["a backup was made"] == said_of_sticks(pi), ANSWER_S, "a backup")
    journal = "/var/lib/cribwars/journal"
    pi.run(f"systemctl stop cribwars; rm {journal}*")
    pi.run(
        f"install -o cribwars -g cribwars /run/cribwars-sticks/*/journal.sqlite {journal}.sqlite"
    )
    pi.run("systemctl start cribwars", seconds=PAGE_S)
    assert PAST == pi.page()["seq"]
    pi.press("1.plus_five", "1.enter")
    until(lambda: PAST + 1 == pi.get("/api/table")["seq"], ANSWER_S, "a count")
    pi.type("echo c >/proc/sysrq-trigger\n")
    pi.listen(WATCHDOG_S)
    assert 0 == pi.process.wait(ANSWER_S), pi.last_words()
    with powered(VIRT, own_card, tmp_path, log_in=False) as again:
        assert PAST + 1 == again.page()["seq"]
