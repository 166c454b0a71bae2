"""The service of the table: news, frames and listeners, win chances, a new game, the referee."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any, cast

import msgspec
import numpy as np
import pytest

from companion.board import Track, load_board
from companion.board.layout import MOST_POINTS
from companion.buttons import BUTTONS, DEFAULT_PINS
from companion.devices.assembly import assemble
from companion.devices.live import Broadcast, LiveSettings
from companion.errors import Text
from companion.lights import View, Wiring
from companion.players.values.win_chance import win_chances
from companion.rules.game import (
    Command,
    Deal,
    History,
    HouseRules,
    Peg,
    Setup,
    Undo,
    apply_all,
    decide,
    new_game,
)
from companion.rules.game.commands import RULINGS
from companion.settings.load import load_settings
from companion.signals import Signal
from companion.table import Accepted, Table
from companion.table.panel.actions import Hint, HintKind
from companion.table.panel.modes import SignUp
from companion.table.panel.presses import Pending
from companion.toml import Value
from companion.web.card_service import CardService
from companion.web.table.table_service import TableService, WinChances
from companion.worker import Worker
from tests.companion.web.client import fetch, send
from tests.support.boards import CRIB_WARS
from tests.support.card_games import setup_for
from tests.support.limits import TIMEOUT_S
from tests.support.program import HTTP, Program, running
from tests.support.real_table import RealTable, as_sent, at_table
from tests.support.scenes import in_loop, run_by

BOARD = load_board("classic")
COLOURS = MappingProxyType({"2": "#123456"})


class NoCards:
    """Card service without dealt cards."""

    def news(self, _words: object = None) -> None:
        """Return no news."""


class ToldTable:
    """A table that has only what pages show."""

    def __init__(self, *commands: Command, sides: int = 2, track: Track = BOARD.track) -> None:
        lanes = tuple(range(1, sides + 1))
        history = History(new_game(Setup.make(track, HouseRules(), sides=lanes)))
        for command in commands:
            history.do(command)
        last, self.changed = history.last, Signal()
        self.queue = SimpleNamespace(
            seq=len(history),
            saved=True,
            history=SimpleNamespace(has_new_rules=False),
            accepted=(Accepted(seq=len(history), entry=last, undone=()),) if last else (),
        )
        view = View(state=history.state, ahead=history.state)
        self.display = SimpleNamespace(view=view, hint=None, sign=None)
        self.panel = SimpleNamespace(
            counts=SimpleNamespace(by_side={2: Pending(presses=(5, 1), last=0.0)}),
            consents=SimpleNamespace(waiting=()),
            held=SimpleNamespace(stuck=()),
            sign_up=None,
        )
        self.notices = SimpleNamespace(lines=(Text("a line"),))


def service_of(
    table: ToldTable,
    colours: Mapping[str, str] = COLOURS,
    own_names: Mapping[str, str] = MappingProxyType({}),
    language: str = "en",
) -> TableService:
    """Return the service of a table."""
    own: dict[str, Value] = {"names": dict(own_names), "lights": {"colours": dict(colours)}}
    settings = load_settings(None, {"board": "classic", "language": language, **own})
    assembly = assemble(settings)
    return TableService(
        cast("Table", table),
        LiveSettings(settings, assembly),
        mock=False,
        broadcast=Broadcast(sum(assembly.light.wiring.leds)),
        closing=asyncio.Event(),
        restarts=lambda: False,
        night=lambda: None,
        cards=cast("CardService", NoCards()),
        mode=lambda: None,
        demo=lambda: None,
        thinking=Worker("thinking"),
    )


def line_of(service: TableService, language: str) -> str:
    """Return the commentator's line on the last command."""
    return service.entries(language)[-1].line


PATH = "/api/new-game"


async def begin(table: RealTable, **choice: object) -> dict[str, Any]:
    """Request a new game. Return the table in the response."""
    answer = await send(table.app, "POST", PATH, body=json.dumps(choice).encode())
    assert 200 == answer.status_code, answer.text
    return dict(answer.json())


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """Run the program for tests that change nothing."""
    with running(tmp_path_factory.mktemp("home")) as program:
        yield program


def ask(program: Program, command: dict[str, object]) -> tuple[int, Any]:
    """Return the status and the response to a command."""
    answer = HTTP.post(f"{program.url}api/command", json=command)
    return answer.status_code, answer.json()


@run_by(in_loop)
async def test_the_table_is_reported_as_the_contract_says() -> None:
    """Every key of `GET /api/table` is there, with pending counts."""
    service = service_of(ToldTable(Deal(), Peg(side=1, points=9), Peg(side=1, points=3)))
    still = {"boxed": 0, "folded": False}
    assert {
        "seq": 3,
        "teams": {
            "1": {"front": 12, "back": 9, **still, "progress": 12, "pending": 0},
            "2": {"front": 0, "back": 0, **still, "progress": 0, "pending": 6},
        },
        "dealer": 2,
        "hand": 1,
        "winner": None,
    } == as_sent(service.snapshot())


@run_by(in_loop)
async def test_news_are_the_table_and_what_is_said_about_it() -> None:
    """They have notices, unsaved counts and words, as JSON."""
    table = ToldTable(Peg(side=1, points=9))
    hint = Hint(kind=HintKind.HOLD_UNDO, side=2)
    table.queue.saved, table.display.hint = False, hint
    news = as_sent(service_of(table, own_names={"2": "Anna"}).news("en"))
    assert (1, ["a line"], False) == tuple(news[key] for key in ("seq", "notices", "saved"))
    assert {"kind": "hold-undo", "team": 2, "number": 0} == news["hint"]
    assert "Anna" in news["feedback"]


@run_by(in_loop)
async def test_the_last_command_is_reported_in_words() -> None:
    """The words are in the set language, with sides' names, those of their colours, or numbers."""
    table = ToldTable(Peg(side=1, points=9))
    event = {"kind": "counted", "team": 1, "from": 0, "to": 9, "points": 9, "rule": "P7"}
    reported = {"seq": 1, "line": "Amber counts nine, to 9.", "events": [event], "undone": []}
    assert [reported] == list(map(as_sent, service_of(table).entries("en")))
    assert () == service_of(ToldTable()).entries("en")
    service = service_of(table, {}, {"1": "Anna"})
    assert line_of(service, "fr").startswith("Anna")
    assert "neuf" in line_of(service, "fr")
    assert "nine" in line_of(service, "en")
    assert line_of(service_of(ToldTable(Peg(side=2, points=9))), "en").startswith("Side 2")
    sides = service_of(table).facts_in("fr")["teams"]
    assert ["Ambre", "Camp 2"] == [sides[side]["name"] for side in ("1", "2")]


@run_by(in_loop)
async def test_what_was_taken_back_is_reported_in_words() -> None:
    """An undo names what it took back; earlier entries stay as they are."""
    table = ToldTable(Peg(side=1, points=9))
    (counted,) = table.queue.accepted
    real_table = service_of(table)
    (reported,) = real_table.entries("en")
    history = History(new_game(table.display.view.state.setup))
    history.do(counted.entry.command)
    undone = counted.entry.events
    table.queue.accepted = (counted, Accepted(seq=2, entry=history.do(Undo()), undone=undone))
    assert reported is real_table.entries("en")[0]
    assert reported.events == real_table.entries("en")[1].undone
    assert "Taken back: Amber counts nine, to 9." == line_of(real_table, "en")


@run_by(in_loop)
async def test_boxes_and_mode_are_reported() -> None:
    """Z7: hands to sit, a due move of the hand, and a sign-up are there."""
    table = ToldTable(Peg(side=1, points=22), Deal(), sides=3, track=CRIB_WARS)
    news = as_sent(service_of(table).news("en"))
    assert {"1": {"hands": 3, "may_move": True}} == news["boxes"]
    assert news["mode"] is None
    table.panel.sign_up = SignUp(since=0.0, people=((1, 1), (3, 2)), presets=("lurch",))
    news = as_sent(service_of(table).news("en"))
    assert news["mode"] == {
        "state": "sign-up",
        "joined": [1, 3],
        "people": {"1": 1, "3": 2},
        "joining": True,
        "preset": "lurch",
        "words": "Lurch: one skunk line, muggins",
        "presets": ["lurch"],
    }


@run_by(in_loop)
async def test_about_names_sides_buttons_and_places() -> None:
    """Sides with unknown colours have numbers as names; each LED has its place."""
    about = service_of(ToldTable()).facts_in("en")
    assert {
        "1": {"name": "Amber", "colour": "#ffb000"},
        "2": {"name": "Side 2", "colour": "#123456"},
        "3": {"name": "Magenta", "colour": "#ff60d0"},
    } == about["teams"]
    assert (list(DEFAULT_PINS), False) == (about["buttons"], about["mock"])
    assert (list(BUTTONS), MOST_POINTS) == (list(about["panel"]), about["most_points"])
    assert "virtual" == about["strip"]
    places = cast("list[tuple[float, float]]", about["leds"])
    assert sum(Wiring.make(BOARD).leds) == len(places)
    assert (BOARD.width_mm, BOARD.height_mm) == (about["width_mm"], about["height_mm"])
    msgspec.json.encode(about)


@run_by(in_loop)
async def test_a_frame_is_numbered_and_joined_from_its_channels() -> None:
    """Frames count up; channels follow each other; the fourth byte is white light."""
    service = service_of(ToldTable())
    assert (0, False) == (service.broadcast.frame[0], bool(service.broadcast.frame[1].any()))
    channels = [np.full((2, 4), 7, np.uint8), np.full((3, 4), 9, np.uint8)]
    await asyncio.to_thread(service.broadcast.take_frame, channels)
    number, frame = service.broadcast.frame
    assert (1, [[14] * 3] * 2 + [[18] * 3] * 3) == (number, frame.tolist())


@run_by(in_loop)
async def test_watchers_wake_for_news_and_frames_until_they_leave() -> None:
    """A frame from the lights thread wakes them in the event loop."""
    service = service_of(ToldTable())
    woken = asyncio.Event()
    leave = service.broadcast.subscribe(woken.set)
    await asyncio.to_thread(service.broadcast.take_frame, [np.zeros((1, 3), np.uint8)])
    await asyncio.wait_for(woken.wait(), 20)
    woken.clear()
    service.broadcast.notify()
    assert woken.is_set()
    woken.clear()
    leave()
    service.broadcast.notify()
    assert not woken.is_set()


@run_by(in_loop)
async def test_chances_come_later_and_are_of_the_newest_state() -> None:
    """They are None at first, then of the last known state; other games have none."""
    changed = asyncio.Event()
    feed = WinChances(changed.set, Worker("thinking"))

    async def next_change() -> None:
        changed.clear()
        await asyncio.wait_for(changed.wait(), TIMEOUT_S)

    setup: Setup = setup_for(2, board="classic")
    first = new_game(setup)
    second = apply_all(first, decide(first, Peg(side=1, points=29)))
    assert feed.of(first) is None
    await next_change()
    assert win_chances(first) == feed.of(first) == feed.of(second)
    await next_change()
    assert win_chances(second) == feed.of(second)
    assert feed.of(first, demo=object()) is None
    assert feed.of(new_game(setup_for(3, board="classic"))) is None


@run_by(in_loop)
async def test_chances_stand_no_longer_than_their_game() -> None:
    """Old ones end with a win, a new game, or the return from it."""
    states = [new_game(setup_for(2, board="classic"))]
    for _ in range(5):
        states.append(apply_all(states[-1], decide(states[-1], Peg(side=1, points=29))))
    standing = set()
    for before, after in ((0, 1), (1, 2), (2, 1), (2, 0), (0, 2), (2, 5), (5, 2)):
        changed = asyncio.Event()
        feed = WinChances(changed.set, Worker("thinking"))
        feed.of(states[before])
        await asyncio.wait_for(changed.wait(), TIMEOUT_S)
        standing |= {(before, after)} if feed.of(states[after]) else set()
    assert {(0, 1), (1, 2), (2, 1)} == standing


@run_by(at_table)
async def test_a_new_game_begins_at_any_time(table: RealTable) -> None:
    """It has the same sides by default, and one Undo takes it back."""
    await table.lit.table.execute(Peg(side=1, points=7))
    after = await begin(table)
    assert [0, 0] == [side["front"] for side in after["teams"].values()]
    assert 2 == after["dealer"]  # the side furthest behind
    await table.lit.table.execute(Undo())
    assert 7 == table.snapshot()["teams"]["1"]["front"]


@run_by(at_table)
async def test_a_new_game_takes_the_sides_people_and_rules_that_are_chosen(
    table: RealTable,
) -> None:
    """The choices are those of `GET /api/new-game`."""
    options = (await send(table.app, "GET", PATH)).json()
    assert (3, [1, 2], 2, "") == (
        options["lanes"],
        options["teams"],
        options["players"],
        options["preset"],
    )
    assert "" in options["presets"]
    after = await begin(table, teams=[1, 2, 3], players=6, preset=options["presets"][-1])
    assert ["1", "2", "3"] == list(after["teams"])
    setup = table.lit.table.state.setup
    assert (6, options["presets"][-1]) == (setup.players, setup.preset)


@run_by(at_table, preset="family")
async def test_the_rules_of_the_settings_stay_a_choice(table: RealTable) -> None:
    """G7: they have the name of their preset, also in the first games of a journal."""
    for preset in ("", "lurch"):
        options = (await send(table.app, "GET", PATH)).json()
        assert ("family", preset) == (options["settings"], options["preset"])
        assert ["", "classic-121", "electronic", "lurch"] == options["presets"]
        await begin(table, preset="lurch")


@pytest.mark.parametrize("choice", [{"teams": [1, 1]}, {"teams": [1, 2], "players": 3}])
def test_sides_that_cannot_play_are_refused(choice: dict[str, object]) -> None:
    """T1: the refusal gives the reason, and the game goes on."""
    table = RealTable()
    answer = fetch(table, "POST", PATH, body=json.dumps(choice).encode())
    assert (409, "T1") == (answer.status_code, answer.json().get("rule"))


def test_the_rules_are_those_in_force() -> None:
    """They are in the table's language, with the finish of its board."""
    reported = fetch(RealTable(), "GET", "/api/rules").json()
    assert "How to play Cribbage" == reported["title"]
    assert "hole 121" in reported["sections"][0]["lines"][0]


@pytest.mark.program
def test_a_penalty_is_pegged_acknowledged_and_undone(tmp_path: Path) -> None:
    """N9: each taker counts two; a held Undo takes all of it back."""
    with running(tmp_path) as program:
        status, table = ask(program, {"penalty": {"rule": "N9", "by": 1, "taken": [2]}})
        assert (200, 1, 2) == (status, table["seq"], table["teams"]["2"]["front"])
        program.press("1.undo", seconds=1.2)
        assert 0 == program.until(2)["teams"]["2"]["front"]


@pytest.mark.program
def test_what_the_rules_refuse_changes_nothing(program: Program) -> None:
    """A refusal has its reason and rule; other commands belong to the buttons."""
    status, refusal = ask(program, {"claim": {"rule": "N9", "by": 1, "game_to": 2}})
    assert (409, "N9") == (status, refusal["rule"])
    status, refusal = ask(program, {"peg": {"team": 1, "points": 3}})
    assert (400, True) == (status, "penalty, claim, muggins, overpeg" in refusal["error"])
    assert (400, 0) == (ask(program, {"penalty": {}})[0], program.table()["seq"])


@pytest.mark.program
def test_rulings_and_advice_are_served(program: Program) -> None:
    """The page gets every ruling, and the effect of each count from 1 to 29."""
    options = HTTP.get(f"{program.url}api/referee").json()
    assert list(RULINGS) == [ruling["rule"] for ruling in options["rulings"]]
    assert ("every-other-side", [1, 2]) == (
        options["grants"]["penalty_to"],
        options["grants"]["takers"],
    )
    advice = HTTP.get(f"{program.url}api/advice").json()
    outcomes = {outlook["points"]: outlook for outlook in advice["1"]["outlooks"]}
    assert list(range(1, 30)) == list(outcomes)
    assert ("penalty-box", 2) == (outcomes[22]["kind"], outcomes[22]["front"])


@pytest.mark.program
def test_sides_are_called_as_the_settings_say(tmp_path: Path) -> None:
    """A side's name in the settings is its name on the page."""
    file = tmp_path / "cribwars.toml"
    file.write_text('[names]\n1 = "Anna"\n', encoding="utf-8")
    with running(tmp_path, "--config", str(file)) as program:
        sides = HTTP.get(f"{program.url}api/about").json()["teams"]
        assert ["Anna", "White"] == [sides["1"]["name"], sides["2"]["name"]]
