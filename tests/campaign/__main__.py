"""Campaigns against the program's reliability: `make campaign` runs all, or some by name.

Each takes minutes, and prints a line for each figure. A broken promise is printed with the way to
repeat it.
"""

import argparse
import secrets
import sys
import time
from collections.abc import Callable
from typing import Final

from tests.campaign import game_night, logged_disk, program, storage
from tests.campaign.figures import Figure, Verdicts
from tests.pi.parts import missing_package
from tests.pi.plug import plug
from tests.support import mosquitto

STATES_A_SESSION: Final = 500
EXAMPLES: Final = 5
Campaign = Callable[[int, int], Verdicts]
"""Function that gets the amount to try and a seed."""


def cut_sessions(states: int, seed: int) -> Verdicts:
    """Cut this number of states out of several sessions."""
    found = Verdicts(("lost", "corrupt", "unmountable"))
    for number in range(0, states, STATES_A_SESSION):
        most = min(STATES_A_SESSION, states - number)
        found.join(storage.power_cuts(most, seed + number))
    return found


CAMPAIGNS: Final[dict[str, tuple[Campaign, int, Callable[[], str]]]] = {
    "power-cuts": (cut_sessions, 5_000, logged_disk.missing),
    "kills": (storage.kills, 500, storage.missing),
    "disk-errors": (storage.disk_errors, 300, storage.missing),
    "damage": (storage.damage, 2_000, str),
    "web": (program.web, 10_000, str),
    "game-night": (game_night.game_night, 50, mosquitto.missing),
    "plug": (plug, 90, missing_package),
    "soak": (program.soak, 200, program.missing),
}
"""Each campaign, the amount that it tries, and the check whether this machine can run it."""


def run(name: str, *, share: float, seed: int) -> list[Figure]:
    """Run a campaign, or a share of it; print its figures and return them."""
    campaign, usual, missing = CAMPAIGNS[name]
    if reason := missing():
        print(f"{name}: skipped, {reason}", flush=True)
        return []
    began = time.monotonic()
    verdicts = campaign(max(1, round(usual * share)), seed)
    figures = verdicts.figures(name)
    for line in (*figures, *verdicts.examples[:EXAMPLES]):
        print(line, flush=True)
    print(f"{name}: seed {seed}, {time.monotonic() - began:.0f} s", flush=True)
    return figures


def main() -> int:
    """Run the named campaigns, or all; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(prog="make campaign", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="|".join(CAMPAIGNS))
    parser.add_argument(
        "--share", type=float, default=1.0, help="part of the usual number of tries"
    )
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    options = parser.parse_args()
    if unknown := set(options.names) - set(CAMPAIGNS):
        parser.error(
            f"no campaign {', '.join(sorted(unknown))}: name some of {', '.join(CAMPAIGNS)}"
        )
    figures = [
        figure
        for name in options.names or CAMPAIGNS
        for figure in run(name, share=options.share, seed=options.seed)
    ]
    return int(not all(figure.is_kept for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
