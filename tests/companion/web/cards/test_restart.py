"""An evening of six people with cards, cut off during play, show and crib."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from companion.errors import RuleError
from companion.journal.store import FILE
from companion.rules.cards import cards
from tests.companion.rules.cards.slow_count import slow_show
from tests.support.program import HTTP, running
from tests.support.real_table import RealTable, as_sent, at_table

SEATS = 6


def six(folder: Path) -> dict[str, Any]:
    """Run a fast table of three sides and six players."""
    rules = {"muggins": "off"}
    return {"folder": folder, "teams": 3, "players": SEATS, "rules": rules, "demo": {"speed": 100}}


class Evening:
    """Six people who play the first card that fits, up to a moment of a hand."""

    def __init__(self, table: RealTable) -> None:
        self.table, self.cards = table, table.services.cards
        self.tokens = self.cards.tokens(opened=True)

    def own(self, seat: int) -> dict[str, Any]:
        """Return the hand as its holder sees it."""
        return as_sent(self.cards.hand(self.tokens[seat]))

    @property
    def awaited(self) -> int:
        """The seat whose card is awaited, or 0."""
        news = self.cards.news()
        return (news and news.awaited) or 0

    @property
    def shown(self) -> dict[str, Any]:
        """The cards that everybody sees."""
        news = self.cards.news()
        return as_sent(news.shown) if news and news.shown else {}

    def answer(self) -> None:
        """Let the person choose whose card is awaited, if any."""
        own = self.own(self.awaited) if self.awaited else {}
        if own.get("ask"):
            held = next(hand for hand in own["shown"]["hands"] if hand["seat"] == self.awaited)
            left = cards([card["card"] for card in held["cards"] if not card["played"]])
            room = 31 - own["shown"]["count"]
            fits = [card for card in left if own["ask"]["for"] == "discard" or card.value <= room]
            with suppress(RuleError):  # it has answered already
                self.cards.play(self.tokens[self.awaited], tuple(fits[:1]))

    async def until(self, reached: Callable[[Evening], object]) -> None:
        """Play until a condition is true."""

        def look(_table: RealTable) -> bool:
            if reached(self):
                return True
            self.answer()
            return False

        await self.table.until(look)


def in_play(evening: Evening) -> object:
    """Return True if five cards are on the table and a person must play."""
    played = [card for hand in evening.shown.get("hands", ()) for card in hand["cards"]]
    return sum(card["played"] for card in played) == 5 and evening.awaited


def in_show(evening: Evening) -> bool:
    """Return True if the third hand is being counted."""
    hands = evening.shown.get("hands", ())
    return bool(hands) and evening.shown["showing"] == hands[2]["seat"]


def in_crib(evening: Evening) -> bool:
    """Return True if the crib is being counted."""
    return evening.shown.get("showing") == "crib"


def in_second_hand(evening: Evening) -> bool:
    """Return True if the next hand is dealt."""
    return evening.table.snapshot()["hand"] == 2 and bool(evening.awaited)


def pegged(folder: Path) -> Counter[int]:
    """Return the points of hands and cribs in the journal, with their numbers."""
    with closing(sqlite3.connect(folder / FILE)) as database:
        commands = [json.loads(text) for (text,) in database.execute("SELECT command FROM log")]
    pegs = [command["peg"] for command in commands if "peg" in command]
    return Counter(peg["points"] for peg in pegs if peg["why"] in {"hand", "crib"})


def worth(shown: dict[str, Any]) -> Counter[int]:
    """Return the points of all open hands and the crib, counted slowly."""
    hands = [([card["card"] for card in hand["cards"]], False) for hand in shown["hands"]]
    laid = [*hands, (shown["crib"], True)]
    points = [sum(slow_show(hand, shown["starter"], crib=crib).values()) for hand, crib in laid]
    return Counter(filter(None, points))


def test_three_sides_of_six_go_on_after_each_kill(tmp_path: Path) -> None:
    """Links, cards and pegs return, and each hand and the crib are counted once."""
    tokens: list[dict[int, str]] = []
    shown: list[dict[str, Any]] = []

    for number, reached in enumerate((in_play, in_show, in_crib, in_second_hand)):
        folder, following = tmp_path / f"{number}", tmp_path / f"{number + 1}"

        async def scene(
            table: RealTable,
            reached: Callable[[Evening], object] = reached,
            folder: Path = folder,
            following: Path = following,
        ) -> None:
            if not tokens:
                table.services.cards.begin(["person"] * SEATS)
                await table.services.cards.save()
            evening = Evening(table)
            tokens.append(evening.tokens)
            if reached is in_show:
                await evening.until(lambda evening: evening.awaited)
                assert shown[-1] == evening.shown
            await evening.until(reached)
            shown.append(evening.shown)
            shutil.copytree(folder, following)  # as a kill at this moment would leave it

        at_table(scene, **six(folder))
    assert SEATS == len(tokens[0])
    assert [tokens[0]] * 4 == tokens
    assert worth(shown[2]) == pegged(tmp_path / "4")


@pytest.mark.program
def test_a_killed_program_comes_back_with_the_hands(tmp_path: Path) -> None:
    """After kill -9 the same links show the same cards."""
    settings = tmp_path / "settings.toml"
    settings.write_text('teams = 3\nplayers = 6\nboard = "classic"\n[demo]\nspeed = 100\n')
    runs: list[dict[str, Any]] = []
    for _ in range(2):
        with running(tmp_path, "--config", str(settings)) as program:  # killed as the block ends
            if not runs:
                seats = {"seats": ["person"] * SEATS}
                HTTP.post(f"{program.url}api/cards", json=seats)
            next(news for news in program.news() if (news["cards"] or {}).get("awaited"))
            hands = HTTP.get(f"{program.url}api/cards").json()["hands"]
            runs.append(
                {
                    seat: HTTP.get(
                        f"{program.url}api/cards/{path.removeprefix('/hand?hand=')}"
                    ).json()["shown"]
                    for seat, path in hands.items()
                }
                | {"links": hands}
            )
    assert runs[0] == runs[1]
