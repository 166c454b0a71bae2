"""A game night on a real broker: most tables play in this process, three are real programs.

In each round a third of the tables, programs among them, is cut off while it plays and confirms.
The broker is killed and restarted without its retained messages, the organiser with an empty data
folder. In the end the standings must be those of a fold over all journals that does not use the
night's code, and three screens must have shown them in time.
"""

from __future__ import annotations

import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from tests.campaign.figures import Verdicts
from tests.campaign.night_tables import Screen, SimulatedTable, folded, judge_standings
from tests.support.mosquitto import NIGHT, Mosquitto, mosquitto, wait_until
from tests.support.program import HTTP, Program, cables, running, started

REAL_TABLES: Final = 3
ROUNDS: Final = 9
BROKER_DIES: Final = (3, 7)
ORGANISER_MOVES: Final = (2, 5, 7)
CABLES: Final = 3
SCREENS: Final = ("hall", "hall", "night")
LONG_CUTS: Final = (1, 6, 8)
"""Rounds of long cuts, one for each third of the tables."""
CUT_S: Final = 2.4
"""Seconds of a long cut, for each table of the night: two minutes with 50."""
LEAST_CUT_S: Final = 10.0
SCREEN_S: Final = 1.0
GREY_S: Final = 5.0
TIMEOUT_S: Final = 120.0


@contextmanager
def organiser(folder: Path, broker: Mosquitto, port: int) -> Iterator[Program]:
    """Run the organiser's program with an empty data folder."""
    folder.mkdir()
    at = ("--broker", broker.url, "--name", NIGHT, "--port", str(port), "--data", str(folder))
    password = broker.passwords["organiser"]
    with started(folder, "night", *at, CRIBWARS_NIGHT_PASSWORD=password) as program:
        yield program


def change(program: Program, command: str, **values: object) -> None:
    """Have the organiser's program carry out a command."""
    answer = HTTP.post(f"{program.url}api/night", json={"change": {"command": command, **values}})
    assert answer.is_success, answer.text


def _real_table(folder: Path, broker: Mosquitto, port: int, number: int) -> Path:
    """Write the settings of a real table. Return their file."""
    folder.mkdir()
    file = folder / "cribwars.toml"
    file.write_text(
        f'board = "classic-61"\n[night]\nbroker = "mqtt://127.0.0.1:{port}"\nname = "{NIGHT}"\n'
        f'table = {number}\npassword = "{broker.passwords[str(number)]}"\n'
    )
    return file


class Evening:
    """All tables of a night with the organiser, the broker and the screens."""

    def __init__(
        self, folder: Path, tables: int, seed: int, found: Verdicts, opened: ExitStack
    ) -> None:
        self._folder, self._found = folder, found
        self._cut_s = max(LEAST_CUT_S, CUT_S * tables)
        (folder / "broker").mkdir()
        self.broker = opened.enter_context(mosquitto(folder / "broker", tables=tables))
        self._cables = opened.enter_context(cables(self.broker.port, CABLES))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port: int = free.getsockname()[1]
        self.screens = [
            Screen(f"http://127.0.0.1:{self._port}/api/{each}/stream") for each in SCREENS
        ]
        for screen in self.screens:
            opened.callback(screen.close)
        self._homes = 0
        self._organisers = opened.enter_context(ExitStack())
        self.organiser = self._start_organiser()
        real = min(REAL_TABLES, tables)
        self.real: dict[int, Program] = {}
        for number in range(1, real + 1):
            home = folder / f"table-{number}"
            config = _real_table(home, self.broker, self._port_of(number), number)
            self.real[number] = opened.enter_context(running(home, "--config", str(config)))
        self.simulated = [
            SimulatedTable(
                folder / f"table-{number}", self.broker, self._port_of(number), number, seed
            )
            for number in range(real + 1, tables + 1)
        ]
        for table in self.simulated:
            opened.callback(table.close)

    def _port_of(self, table: int) -> int:
        return self._cables[table % CABLES].port

    def _start_organiser(self) -> Program:
        self._homes += 1
        home = self._folder / f"organiser-{self._homes}"
        return self._organisers.enter_context(organiser(home, self.broker, self._port))

    def step_until(self, is_true: Callable[[], object], what: str) -> float:
        """Step the simulated tables until a condition is true. Return the seconds."""

        def stepped() -> bool:
            for table in self.simulated:
                table.step()
            return bool(is_true())

        return wait_until(stepped, what, seconds=TIMEOUT_S)

    def play_round(self, number: int) -> None:
        """Play and confirm a round, with a third of the tables cut off from the broker."""
        change(self.organiser, "seat-round", round=number)
        self._begin(number)
        cut = {
            table: program for table, program in self.real.items() if self._is_cut(table, number)
        }
        with self._cut_off(number), self._trouble(number):
            self._play_simulated()
            for program in cut.values():
                self._play_real(program, number)
        self._found.measure("tables connected again after, s", self._wait_for_tables())
        for table, program in self.real.items():
            if table not in cut:
                self._play_real(program, number)
        if number in ORGANISER_MOVES:
            self.organiser = self._start_organiser()
        self._judge_screens(number)

    def _is_cut(self, table: int, number: int) -> bool:
        return (table - number) % CABLES == 0

    def _begin(self, number: int) -> None:
        for table in self.simulated:
            table.begin()
        for program in self.real.values():
            if program.table()["winner"] is not None:
                program.press("deal")
        self.step_until(
            lambda: all(table.standing.round == number for table in self.simulated),
            f"all tables know round {number}",
        )
        for program in self.real.values():
            self._until_news(program, lambda night: night["round"] == number)

    @contextmanager
    def _cut_off(self, number: int) -> Iterator[None]:
        """Pull the cable of a third of the tables, in some rounds for long."""
        cable = self._cables[number % CABLES]
        began = time.monotonic()
        cable.pull()
        if number in LONG_CUTS:
            seconds = self.step_until(lambda: self._is_grey(number), "cut tables are grey")
            self._find_late("grey", seconds, GREY_S)
        yield
        if number in LONG_CUTS:
            self.step_until(lambda: time.monotonic() > began + self._cut_s, "the cut has lasted")
        self._found.measure("tables cut off for, s", time.monotonic() - began)
        cable.plug()

    def _is_grey(self, number: int) -> bool:
        return all(
            screen.view
            and not any(
                each["online"]
                for each in screen.view["boards"]
                if self._is_cut(each["table"], number)
            )
            for screen in self.screens
        )

    @contextmanager
    def _trouble(self, number: int) -> Iterator[None]:
        """Stop the broker or the organiser for a while, in some rounds."""
        if number in BROKER_DIES:
            self.broker.kill()
        if number in ORGANISER_MOVES:
            self._organisers.close()
        yield
        if number in BROKER_DIES:
            self.broker.start()

    def _play_simulated(self) -> None:
        """Play and confirm a game at each simulated table."""
        playing = self.simulated
        while playing:
            playing = [table for table in playing if not table.play()]
            for table in self.simulated:
                table.step()
        for table in self.simulated:
            table.confirm()

    def _wait_for_tables(self) -> float:
        """Return the seconds until all tables are connected."""
        began = time.monotonic()
        self.step_until(
            lambda: all(table.standing.connected for table in self.simulated),
            "the tables are connected",
        )
        for program in self.real.values():
            self._until_news(program, lambda night: night["connected"])
        return time.monotonic() - began

    def _judge_screens(self, number: int) -> None:
        """Measure how soon all screens show a round, after its last Enter or a restart."""
        try:
            seconds = self.step_until(lambda: self._agree(number), f"round {number} on screens")
        except AssertionError as error:
            boards = [
                [each for each in screen.view.get("boards", ()) if each["status"] != "done"]
                for screen in self.screens
            ]
            raise AssertionError(f"{error}: {boards}") from None
        when = "organiser's ready" if number in ORGANISER_MOVES else "last Enter"
        self._find_late("screen", seconds, SCREEN_S, f" after the {when}")

    def _agree(self, number: int) -> bool:
        """Return True if all screens show the same results of a round."""
        first, *others = [screen.view for screen in self.screens]
        return (
            bool(first)
            and (number, first["games"]) == (first["round"], first["done"])
            and all(first == other for other in others)
        )

    def judge_dead_table(self) -> None:
        """Kill a table; its board must turn grey on each screen."""
        self.real[1]._process.kill()

        def is_grey() -> bool:
            return not any(screen.view["boards"][0]["online"] for screen in self.screens)

        self._find_late("grey", self.step_until(is_grey, "the dead table is grey"), GREY_S)

    def _find_late(self, what: str, seconds: float, most: float, when: str = "") -> None:
        self._found.add(f"late {what}" if seconds > most else None, f"{seconds:.2f} s{when}")
        self._found.measure(f"{what}{when}, s", seconds, most)

    def _play_real(self, table: Program, number: int) -> None:
        for _ in range(3):
            table.press(*[f"{number % 2 + 1}.plus_five"] * 5, f"{number % 2 + 1}.enter")
        self._until_news(table, lambda night: night["awaited"] == ["1", "2"])
        table.press("1.enter", "2.enter")

    def _until_news(self, table: Program, is_true: Callable[[Any], object]) -> None:
        """Wait for a standing of a real table, while the simulated tables go on."""
        news = iter(table.news())
        self.step_until(lambda: is_true(next(news)["night"]), "the table's page shows it")

    def folders(self) -> dict[int, Path]:
        """Return the folder of each table's journal."""
        found = {table.number: table.folder for table in self.simulated}
        return found | {number: self._folder / f"table-{number}" / "data" for number in self.real}


def game_night(tables: int, seed: int) -> Verdicts:
    """Play a night at this number of tables, and judge the screens."""
    found = Verdicts(("wrong standing", "lost or doubled", "late screen", "late grey"))
    folder = Path(tempfile.mkdtemp(prefix="night-"))
    try:
        with ExitStack() as opened:
            _play(Evening(folder, tables, seed, found, opened), tables, found)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return found


def _play(evening: Evening, tables: int, found: Verdicts) -> None:
    names = "\n".join(f"Player {number}" for number in range(1, 2 * tables + 1))
    change(evening.organiser, "add-entrants", lines=names)
    seats = []
    for number in range(1, ROUNDS + 1):
        evening.play_round(number)
        seats.append(evening.screens[0].view["seats"]["pairs"])
    standings = evening.screens[0].view["standings"]
    judge_standings(standings, folded(evening.folders(), seats), ROUNDS, found)
    found.measure("results", sum(each["won"] for each in standings))
    evening.judge_dead_table()
