"""Games of cards over the real program: a whole one by the rules, and one that is cut off."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import combinations
from pathlib import Path
from typing import Any

import httpx
import pytest

from companion.errors import RuleError
from companion.journal.store import FILE
from companion.rules.cards import cards
from companion.rules.deal import Phase
from tests.companion.rules.cards.slow_count import slow_show
from tests.support.limits import TIMEOUT_S
from tests.support.program import HTTP, Program, running
from tests.support.real_table import RealTable, as_sent, at_table

SETTINGS = """
board = "classic"
[rules]
game_to = 61
muggins = "off"
[demo]
speed = 100
"""
FACE = re.compile(r'"([A2-9TJQK][SHDC])"')
PHASES = [phase.value for phase in Phase]
CUT_FOR_DEAL = " cuts the "
IN_WORDS = re.compile(r"\b(\w+) of (spades|hearts|diamonds|clubs)\b")
RANKS = dict(
    zip(
        ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
        "A23456789T",
        strict=True,
    ),
    jack="J",
    queen="Q",
    king="K",
)


def begins(phase: str, before: str) -> bool:
    """Return True if a hand was dealt between two reports; some between them may be missing."""
    return PHASES.index(phase) < PHASES.index(before)


class Dealt:
    """Cards of one hand by seat: as dealt, discarded and played."""

    def __init__(self) -> None:
        self.dealt: dict[int, set[str]] = {1: set(), 2: set()}
        self.thrown: dict[int, set[str]] = {1: set(), 2: set()}
        self.played: dict[int, list[str]] = {1: [], 2: []}
        self.turned: set[str] = set()

    @property
    def open(self) -> set[str]:
        """Return all faces that may be named: those played, seen or not, and those turned up."""
        return self.turned.union(*self.played.values())

    def check(self, reported: dict[str, Any], shown: dict[str, Any], *, seat: int | None) -> None:
        """Check that only own faces and played or shown ones are named (P1, T8)."""
        faces = set(FACE.findall(json.dumps({**reported, "lines": []})))
        over = sum(map(len, self.played.values())) == 8 and shown["phase"] in {"show", "over"}
        for other in {1, 2} - {seat}:
            order = self.played[other]
            seen = faces & (self.dealt[other] - self.thrown[other])
            assert set(order[: len(seen)]) == seen
            assert over or not faces & self.thrown[other]


class Person:
    """Holder of one token, who plays the first cards that the rules accept."""

    def __init__(self, url: str, seat: int) -> None:
        self.url, self.seat = url, seat
        self.refusals: list[str] = []

    def poll(self) -> dict[str, Any] | None:
        """Return the own hand; None when there is none any more."""
        answer = HTTP.get(self.url)
        return answer.json() if answer.status_code == 200 else None

    def send(self, *cards: str) -> httpx.Response:
        """Return the response to these cards."""
        return HTTP.post(self.url, json={"cards": cards})

    def answer(self, reported: dict[str, Any], dealt: Dealt) -> None:
        """Choose the requested cards."""
        for chosen in combinations(self.held(reported), reported["ask"]["cards"]):
            answer = self.send(*chosen)
            if answer.status_code == 200:
                if reported["ask"]["for"] == "discard":
                    dealt.thrown[self.seat] |= set(chosen)
                else:
                    dealt.played[self.seat] += chosen
                return
            self.refusals.append(answer.json()["error"])
            if "already" in self.refusals[-1]:
                return

    def held(self, reported: dict[str, Any]) -> list[str]:
        """Return the cards of the own hand that are not played yet."""
        own = next(hand for hand in reported["shown"]["hands"] if hand["seat"] == self.seat)
        return [card["card"] for card in own["cards"] if not card["played"]]


class Game:
    """The game as two people and an onlooker see it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        seats = {"seats": ["person", "person"]}
        answer = HTTP.post(f"{program.url}api/cards", json=seats)
        self.people = [
            Person(f"{program.url}api/cards/{href.removeprefix('/hand?hand=')}", int(seat))
            for seat, href in answer.json()["hands"].items()
        ]
        self.deals: list[Dealt] = []
        self.phase = "over"
        self.reported: list[tuple[int, dict[str, Any], dict[str, Any], int]] = []
        self.lines: list[str] = []

    def play(self) -> None:
        """Play to the win, and look at each change as the page does."""
        for news in self.program.news():
            if news["cards"] is None or news["table"]["winner"] is not None:
                return
            for person in self.people:
                reported = person.poll()
                if reported and reported["shown"]:
                    self.note(person, reported)
                    if reported["ask"]:
                        person.answer(reported, self.deals[-1])
            if news["table"]["winner"] is not None:
                return

    def note(self, person: Person, reported: dict[str, Any]) -> None:
        """Keep a person's report, with its hand."""
        shown = reported["shown"]
        if begins(shown["phase"], self.phase):
            self.deals.append(Dealt())
        self.phase = shown["phase"]
        dealt = self.deals[-1]
        own = next(hand for hand in shown["hands"] if hand["seat"] == person.seat)
        dealt.dealt[person.seat] |= {card["card"] for card in own["cards"]}
        dealt.turned |= {shown["starter"] or "", *filter(None, shown["crib"])}
        new = [line for line in reported["lines"] if line not in self.lines[-20:]]
        self.lines += new
        self.reported.append((len(self.deals) - 1, reported, shown, person.seat))
        hands = " ".join(line for line in new if CUT_FOR_DEAL not in line)
        named = {RANKS[rank] + suit[0].upper() for rank, suit in IN_WORDS.findall(hands)}
        assert named <= set().union(*(known.open for known in self.deals[-2:]))


class Onlooker(threading.Thread):
    """Client that keeps all public reports up to the line about the win."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._events = program.events("news", "entry")
        self.heard = [next(self._events)]

    def run(self) -> None:
        """Read the stream."""
        with suppress(httpx.TransportError):
            for event in self._events:
                self.heard.append(event)
                if "wins" in event.get("line", ""):
                    return


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """Run a fast table of two sides."""
    settings = tmp_path / "settings.toml"
    settings.write_text(SETTINGS)
    with running(tmp_path, "--config", str(settings)) as program:
        yield program
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr


def check_public(heard: list[dict[str, Any]], game: Game) -> int:
    """Check all public reports of cards. Return their number."""
    number, phase, checked = -1, "over", 0
    for news in heard:
        if news.get("cards"):
            news["cards"].pop("cut")  # the cards cut for deal go back into the deck
        assert not IN_WORDS.search(json.dumps(news))
        shown = (news.get("cards") or {}).get("shown")
        if not shown:
            assert not FACE.search(json.dumps(news))
            continue
        number += begins(shown["phase"], phase)
        phase = shown["phase"]
        game.deals[number].check(news, shown, seat=None)
        checked += 1
    return checked


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


@pytest.mark.program
def test_two_people_play_a_game_and_no_hidden_card_is_reported(program: Program) -> None:
    """All that a hand's page and the stream get is searched for the others' faces."""
    onlooker = Onlooker(program)
    onlooker.start()
    game = Game(program)
    game.play()
    onlooker.join(TIMEOUT_S)
    assert program.table()["winner"] is not None
    assert any("wins" in reported.get("line", "") for reported in onlooker.heard)
    assert len(game.deals) > 1
    for number, reported, shown, seat in game.reported:
        game.deals[number].check(reported, shown, seat=seat)
    assert 20 < check_public(onlooker.heard, game)


@pytest.mark.program
def test_what_cannot_be_played_is_refused_in_words(program: Program) -> None:
    """Wrong cards and a second game get 409 with the reason; then the cards go away."""
    game = Game(program)
    for news in program.news():
        if news["cards"]["awaited"]:
            break
    hands = [person.poll() for person in game.people]
    requested = next(n for n, reported in enumerate(hands) if reported and reported["ask"])
    person, reported, other = game.people[requested], hands[requested], hands[1 - requested]
    assert reported
    assert other
    own, others = person.held(reported), game.people[1 - requested].held(other)
    for chosen in ((), own[:1], own[:3], others[:2], (own[0], others[0])):
        answer = person.send(*chosen)
        assert (409, "T3") == (answer.status_code, answer.json()["rule"])
    assert reported == person.poll()
    seats = {"seats": ["child", "person"]}
    again = HTTP.post(f"{program.url}api/cards", json=seats)
    assert 409 == again.status_code
    ended = HTTP.post(f"{program.url}api/cards/end", json={})
    assert 200 == ended.status_code
    assert [None, None] == [person.poll() for person in game.people]
    assert 404 == person.send(*own[:2]).status_code
    assert next(program.news())["cards"] is None


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
