"""The plug, pulled at random moments with a real kernel, file system and card behind it.

`make test-pi` pulls it some times, `make campaign CAMPAIGN=plug` many times. Each start is both the
proof of the last cut and the evening of the next: what the page had accepted is there. Updates take
as long as all the rest, so their test has a file of its own, which another worker takes.
"""

import random
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

import pytest

from tests.appliance.machine import built, repacked
from tests.appliance.page import until
from tests.campaign.figures import Verdicts
from tests.pi.machine import CARD, VIRT, Pi, powered, resumed, started_pi
from tests.pi.parts import RELEASE, missing_package

pytestmark = [pytest.mark.timeout(2400), pytest.mark.tool(lacks=missing_package())]

KINDS: Final = ("evening", "restore", "update")
"""In an evening, counts are entered while the settings are changed."""
CUTS: Final = 3
"""Times that a test pulls the plug in each kind of work."""
LONGEST_S: Final = {"evening": 15.0, "restore": 20.0, "update": 60.0}
"""Seconds after which the plug is pulled at the latest: the whole of each kind's work."""
ACCEPTED_S: Final = 20.0
TRIES: Final = 10
SETTLED_S: Final = 1200
"""Seconds in which an update that was cut comes to its end, a minute of it being proof."""
UNSETTLED: Final = (
    "dpkg-query --show --showformat '${Status}' cribwars | grep --invert-match 'ok installed'"
    "; ls /var/lib/cribwars-update/unproven 2>/dev/null"
)
"""Prints something while an update is under way."""
REFUSED: Final = re.compile(r"^(Traceback|dpkg: error|head: |\d{3}: |.*connect: )", re.MULTILINE)
"""What the console says of work that has ended before the plug was pulled in it."""
BRIGHTNESS: Final = "lights.brightness"


Standing: TypeAlias = dict[str, int | str]
"""Accepted commands (`seq`), the brightness in percent, and the version of the program."""
Allowed: TypeAlias = dict[str, Sequence[int | str]]
"""The right values of a standing; a change that the cut may have caught leaves several."""


def standing(pi: Pi) -> Standing:
    """Return what is there now."""
    settings = pi.ask("/api/settings")["settings"]
    (brightness,) = (each["value"] for each in settings if each["key"] == BRIGHTNESS)
    seq = pi.get("/api/table")["seq"]
    return {"seq": seq, "brightness": round(100 * brightness), "version": version(pi)}


def version(pi: Pi) -> str:
    """Return the version of the package that dpkg has installed."""
    return pi.run("dpkg-query -W -f '${Version}' cribwars")


def lost(pi: Pi, allowed: Allowed) -> str:
    """Return what is not as it must be after a start, "" if all is."""
    pi.page()
    looks = f'seq {SETTLED_S // 5} | while read n; do [ "$({UNSETTLED})" ] || break; sleep 5; done'
    pi.run(looks, seconds=2 * SETTLED_S)
    pi.page()
    found = standing(pi).items()
    wrong = [
        f"{what} {now}, not {allowed[what]}" for what, now in found if now not in allowed[what]
    ]
    if unsettled := pi.run(UNSETTLED, check=False).strip():
        wrong.append(unsettled)
    if not pi.news()["saved"]:
        wrong.append("the game is not saved")
    return "; ".join(wrong)


def enter_a_count(pi: Pi) -> int:
    """Enter a count, and return its number. A busy machine may move the pins too late for a press.

    Then the button was down for a moment only, which no press is.
    """
    before = int(pi.get("/api/table")["seq"])
    for _ in range(TRIES):
        pi.press("1.plus_one", "1.enter")
        with suppress(AssertionError):
            until(lambda: pi.get("/api/table")["seq"] > before, ACCEPTED_S, "a count")
            break
    return int(pi.get("/api/table")["seq"])


def cut(pi: Pi, kind: str, version: str, folder: Path, chance: random.Random) -> Allowed:
    """Begin a kind's work, pull the plug in it, and return what may be there afterwards.

    An update is to this version.
    """
    now = standing(pi)
    allowed: Allowed = {what: (value,) for what, value in now.items()}
    seq, brightness = int(now["seq"]), int(now["brightness"])
    match kind:
        case "evening":
            pi.type("(brightness & evening)\n")
        case "restore":
            kept = enter_a_count(pi)
            pi.run("systemctl start cribwars-backup")
            allowed["seq"] = (kept, enter_a_count(pi))
            run, backup = pi.get("/api/about")["run"], pi.ask("/api/backups")[0]["name"]
            pi.type(f"""ask /api/backups/restore '{{"run": "{run}", "name": "{backup}"}}'\n""")
        case _:
            package = repacked(built(RELEASE, "arm64"), folder, version)
            allowed["version"] = (now["version"], version)
            pi.plug_in(package.rename(folder / "update"))
            file, size = "/run/cribwars.deb", (folder / "update").stat().st_size
            pi.run("until [ -b /dev/sda ]; do sleep 1; done")
            pi.type(f"head --bytes={size} /dev/sda >{file} && dpkg -i {file}\n")
    said = pi.listen(chance.uniform(0, LONGEST_S[kind]))
    pi.pull_the_plug()
    assert not REFUSED.search(said), said
    if kind == "evening":
        lines = re.findall(r"(count|percent) (\d+)\r\n", said)  # the last one may be cut
        last = {"count": seq, "percent": brightness} | {what: int(number) for what, number in lines}
        allowed["seq"] = range(last["count"], last["count"] + 3)
        allowed["brightness"] = (last["percent"], 20 + (last["percent"] - 19) % 60)
    return allowed


def cuts(kinds: Sequence[str], seed: int) -> Iterator[tuple[str, str]]:
    """Pull the plug once in each of these kinds of work; yield each kind and what it lost."""
    chance = random.Random(seed)
    with TemporaryDirectory(prefix="cribwars-plug-") as name:
        folder = Path(name)
        with resumed(started_pi(built(RELEASE, "arm64")), folder) as pi:
            allowed = cut(pi, kinds[0], f"9.0~{RELEASE}", folder, chance)
        for number, (kind, after) in enumerate(zip(kinds, (*kinds[1:], None), strict=True), 1):
            with powered(VIRT, folder / CARD, folder) as pi:
                yield kind, lost(pi, allowed)
                if after:
                    allowed = cut(pi, after, f"9.{number}~{RELEASE}", folder, chance)


def plug(number: int, seed: int, kinds: Sequence[str] = KINDS) -> Verdicts:
    """Pull the plug this number of times, in each kind of work in turn."""
    verdicts = Verdicts(("lost",))
    for kind, what in cuts([kinds[n % len(kinds)] for n in range(number)], seed):
        verdicts.add("lost" if what else None, f"{kind}, seed {seed}: {what}")
    return verdicts


@pytest.mark.parametrize("kind", ["restore", "evening"] * CUTS)
def test_a_pulled_plug_loses_nothing(kind: str) -> None:
    """What was accepted is there, and it starts."""
    assert {} == plug(1, secrets.randbelow(10**6), [kind]).wrong
