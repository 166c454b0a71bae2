"""The service of the table: its news, its frames and its listeners."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import cast

import msgspec
import numpy as np

from companion.board import Track, load_board
from companion.board.layout import MOST_POINTS
from companion.buttons import BUTTONS, DEFAULT_PINS
from companion.devices.assembly import assemble
from companion.devices.live_settings import LiveSettings
from companion.errors import Text
from companion.lights import View, Wiring
from companion.rules.game import Command, Deal, History, HouseRules, Peg, Setup, Undo, new_game
from companion.settings.load import load_settings
from companion.signals import Signal
from companion.table import Accepted, Table
from companion.table.panel.actions import Hint, HintKind
from companion.table.panel.counts import Pending
from companion.table.panel.modes import SignUp
from companion.toml.values import Value
from companion.web.cards.card_service import CardService
from companion.web.table.broadcast import Broadcast
from companion.web.table.table_service import TableService
from companion.worker import Worker
from tests.support.boards import CRIB_WARS
from tests.support.real_table import as_sent

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


def in_loop(play: Callable[[], Awaitable[None]]) -> None:
    """Run something in an event loop, as a service needs one."""

    async def scene() -> None:
        await play()

    asyncio.run(scene())


def test_the_table_is_reported_as_the_contract_says() -> None:
    """Every key of `GET /api/table` is there, with pending counts."""

    async def play() -> None:
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

    in_loop(play)


def test_news_are_the_table_and_what_is_said_about_it() -> None:
    """They have notices, unsaved counts and words, as JSON."""

    async def play() -> None:
        table = ToldTable(Peg(side=1, points=9))
        hint = Hint(kind=HintKind.HOLD_UNDO, side=2)
        table.queue.saved, table.display.hint = False, hint
        news = as_sent(service_of(table, own_names={"2": "Anna"}).news("en"))
        assert (1, ["a line"], False) == tuple(news[key] for key in ("seq", "notices", "saved"))
        assert {"kind": "hold-undo", "team": 2, "number": 0} == news["hint"]
        assert "Anna" in news["feedback"]

    in_loop(play)


def line_of(service: TableService, language: str) -> str:
    """Return the commentator's line on the last command."""
    return service.entries(language)[-1].line


def test_the_last_command_is_reported_in_words() -> None:
    """The words are in the set language, with the sides' names or those of their colours."""

    async def play() -> None:
        table = ToldTable(Peg(side=1, points=9))
        event = {"kind": "counted", "team": 1, "from": 0, "to": 9, "points": 9, "rule": "P7"}
        reported = {"seq": 1, "line": "Amber counts nine, to 9.", "events": [event], "undone": []}
        assert [reported] == list(map(as_sent, service_of(table).entries("en")))
        assert () == service_of(ToldTable()).entries("en")
        service = service_of(table, {}, {"1": "Anna"})
        assert line_of(service, "fr").startswith("Anna")
        assert "neuf" in line_of(service, "fr")
        assert "nine" in line_of(service, "en")
        sides = service_of(table).facts_in("fr")["teams"]
        assert ["Ambre", "Camp 2"] == [sides[side]["name"] for side in ("1", "2")]

    in_loop(play)


def test_what_was_taken_back_is_reported_in_words() -> None:
    """An undo names what it took back; earlier entries stay as they are."""

    async def play() -> None:
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

    in_loop(play)


def test_sides_without_a_name_go_by_their_number() -> None:
    """A colour without a name gives none."""

    async def play() -> None:
        assert line_of(service_of(ToldTable(Peg(side=2, points=9))), "en").startswith("Side 2")

    in_loop(play)


def test_boxes_and_mode_are_reported() -> None:
    """Z7: hands to sit, a due move of the hand, and a sign-up are there."""

    async def play() -> None:
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

    in_loop(play)


def test_about_names_sides_buttons_and_places() -> None:
    """Sides with unknown colours have numbers as names; each LED has its place."""

    async def play() -> None:
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

    in_loop(play)


def test_a_frame_is_numbered_and_joined_from_its_channels() -> None:
    """Frames count up; channels follow each other; the fourth byte is white light."""

    async def play() -> None:
        service = service_of(ToldTable())
        assert (0, False) == (service.broadcast.frame[0], bool(service.broadcast.frame[1].any()))
        channels = [np.full((2, 4), 7, np.uint8), np.full((3, 4), 9, np.uint8)]
        await asyncio.to_thread(service.broadcast.take_frame, channels)
        number, frame = service.broadcast.frame
        assert (1, [[14] * 3] * 2 + [[18] * 3] * 3) == (number, frame.tolist())

    in_loop(play)


def test_watchers_wake_for_news_and_frames_until_they_leave() -> None:
    """A frame from the lights thread wakes them in the event loop."""

    async def play() -> None:
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

    in_loop(play)
