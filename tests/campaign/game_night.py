"""A game night on a real broker: most tables replay games in this process, three are real programs.

The broker is killed and started again without what it retained, the organiser killed and started
with an empty data folder, tables are cut off while they play and confirm. In the end the standings
must be those of a fold over all journals that knows nothing of the night's code.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from companion.errors import RuleError
from companion.journal.records import Records
from companion.night.broker import BrokerClient
from companion.night.publisher import Publisher, TableSnapshot
from companion.night.standing import NightStanding
from companion.night.topics import TableTopics, plan_topic
from companion.rules.game import Deal, HouseRules, NewGame, Peg, Undo
from companion.rules.game.notation import side_value
from companion.settings.broker import parse_broker
from tests.campaign.figures import Verdicts
from tests.companion.journal.scribe import Scribe, begun
from tests.support.mosquitto import NIGHT, Mosquitto, mosquitto, wait_until
from tests.support.program import HTTP, Program, running, started

REAL_TABLES: Final = 3
ROUNDS: Final = 9
BROKER_DIES: Final = (3, 7)
ORGANISER_MOVES: Final = (2, 5, 7)
COMMANDS_A_STEP: Final = 8
SCREEN_S: Final = 1.0
GREY_S: Final = 5.0
PATIENCE_S: Final = 120.0
CLASSIC: Final = HouseRules(board="classic", game_to=121, skunk_at="finish")


class SimulatedTable:
    """Table of a night whose games are played at random, with a journal and a book of its own."""

    def __init__(self, folder: Path, broker: Mosquitto, number: int, seed: int) -> None:
        folder.mkdir()
        self.folder, self.number = folder, number
        self._broker, self._random = broker, random.Random(f"{seed}/{number}")
        self._scribe = Scribe(folder).sit(begun("classic", rules=CLASSIC))
        self._news: deque[bool] = deque()
        self._client = self._connect()
        self._publisher = Publisher(
            topics=TableTopics(NIGHT, number),
            folder=folder,
            board="classic",
            colours={"1": "#ffb000", "2": "#ffffff"},
            connection=self._client,
        )
        self.standing: NightStanding = self.step()

    def _connect(self) -> BrokerClient:
        topics = TableTopics(NIGHT, self.number)
        client = BrokerClient(
            parse_broker(self._broker.url),
            user=str(self.number),
            password=self._broker.passwords[str(self.number)],
            presence=topics.online,
            topics=(plan_topic(NIGHT), topics.request),
            received=self._receive,
            connected=self._news.append,
        )
        client.start()
        return client

    def _receive(self, topic: str, content: bytes) -> None:
        self._publisher.receive(topic, content)

    def cut(self) -> None:
        """Lose the connection to the broker."""
        self._client.close()

    def mend(self) -> None:
        """Connect again."""
        self._client = self._publisher.connection = self._connect()

    def close(self) -> None:
        """End it."""
        self._client.close()
        self._publisher.close()
        self._scribe.close()

    def step(self) -> NightStanding:
        """Publish what is new."""
        while self._news:
            self._publisher.connected(is_connected=self._news.popleft())
        state = self._scribe.history.state
        sides = {str(team): {**side_value(state, team), "pending": 0} for team in state.setup.lanes}
        view = {"teams": sides, "dealer": state.dealer, "hand": state.hand, "winner": state.winner}
        snapshot = TableSnapshot(state=state, seq=0, view=view, saved=True)
        self.standing = self._publisher.step(snapshot)
        return self.standing

    def begin(self) -> None:
        """Begin the next game, unless none has been won."""
        if self._scribe.history.state.winner is not None:
            self._scribe.do(NewGame())

    def play(self) -> bool:
        """Play on a little; return True once the game is won, in one of four games twice."""
        for _ in range(COMMANDS_A_STEP):
            state = self._scribe.history.state
            if state.winner is not None:
                if self._random.random() < 1 / 4:
                    self._scribe.do(Undo())
                    continue
                return True
            team, points = self._random.choice((1, 2)), self._random.randint(1, 24)
            try:
                self._scribe.do(Peg(team=team, points=points))
            except RuleError:
                self._scribe.do(Deal())
            if self._scribe.history.state.counts == 1:
                self.step()  # a table publishes within 0.2 s of its first count
        return False

    def confirm(self) -> None:
        """Confirm the result for both sides."""
        for team in (1, 2):
            self._publisher.confirm(team)


@contextmanager
def organiser(folder: Path, broker: Mosquitto) -> Iterator[Program]:
    """Run the organiser's program with an empty data folder."""
    folder.mkdir()
    arguments = ["--broker", broker.url, "--name", NIGHT, "--port", "0", "--data", str(folder)]
    with started(
        folder, "night", *arguments, CRIBWARS_NIGHT_PASSWORD=broker.passwords["organiser"]
    ) as program:
        yield program


def hall(program: Program) -> dict[str, Any]:
    """Return what a hall screen shows."""
    return dict(HTTP.get(f"{program.url}api/hall").json())


def change(program: Program, command: str, **values: object) -> None:
    """Have the organiser's program carry out a command."""
    answer = HTTP.post(f"{program.url}api/night", json={"change": {"command": command, **values}})
    assert answer.is_success, answer.text


def _real_table(folder: Path, broker: Mosquitto, number: int) -> Path:
    """Write the settings of a real table; return their file."""
    folder.mkdir()
    file = folder / "cribwars.toml"
    file.write_text(
        f'board = "classic-61"\n[night]\nbroker = "{broker.url}"\nname = "{NIGHT}"\n'
        f'table = {number}\npassword = "{broker.passwords[str(number)]}"\n'
    )
    return file


class Evening:
    """All tables of a night with the organiser and the broker."""

    def __init__(self, folder: Path, tables: int, seed: int, opened: ExitStack) -> None:
        self._folder, self._opened = folder, opened
        (folder / "broker").mkdir()
        self.broker = opened.enter_context(mosquitto(folder / "broker", tables=tables))
        self._homes = 0
        self._organisers = opened.enter_context(ExitStack())
        self.organiser = self._start_organiser()
        real = min(REAL_TABLES, tables)
        self.real: dict[int, Program] = {}
        for number in range(1, real + 1):
            home = folder / f"table-{number}"
            config = _real_table(home, self.broker, number)
            self.real[number] = opened.enter_context(running(home, "--config", str(config)))
        self.simulated = [
            SimulatedTable(folder / f"table-{number}", self.broker, number, seed)
            for number in range(real + 1, tables + 1)
        ]
        for table in self.simulated:
            opened.callback(table.close)

    def _start_organiser(self) -> Program:
        self._homes += 1
        home = self._folder / f"organiser-{self._homes}"
        return self._organisers.enter_context(organiser(home, self.broker))

    def step_until(self, is_true: Any, what: str) -> float:  # noqa: ANN401  # a callable without arguments
        """Let the simulated tables go on until something is true; return the seconds."""

        def stepped() -> bool:
            for table in self.simulated:
                table.step()
            return bool(is_true())

        return wait_until(stepped, what, seconds=PATIENCE_S)

    def play_round(self, number: int) -> float:
        """Play and confirm a round; return the seconds from the last Enter to the screen."""
        change(self.organiser, "seat-round", round=number)
        for table in self.simulated:
            table.begin()
        self.step_until(
            lambda: all(table.standing.round == number for table in self.simulated),
            f"all tables know round {number}",
        )
        away = self.simulated[number % 3 :: 3]
        with self._trouble(number):
            for table in away:
                table.cut()
            self._play_simulated()
            for table in away:
                table.mend()
        for program in self.real.values():
            self._play_real(program, number)
        try:
            return self.step_until(lambda: self._shows(number), f"the screen has round {number}")
        except AssertionError as error:
            boards = [each for each in hall(self.organiser)["boards"] if each["status"] != "done"]
            raise AssertionError(f"{error}: {boards}") from None

    @contextmanager
    def _trouble(self, number: int) -> Iterator[None]:
        """Do without the broker or the organiser, in some rounds."""
        if number in BROKER_DIES:
            self.broker.kill()
        if number in ORGANISER_MOVES:
            self._organisers.close()
        yield
        if number in BROKER_DIES:
            self.broker.start()
        if number in ORGANISER_MOVES:
            self.organiser = self._start_organiser()

    def _play_simulated(self) -> None:
        """Play and confirm a game at each simulated table."""
        playing = self.simulated
        while playing:
            playing = [table for table in playing if not table.play()]
            for table in self.simulated:
                table.step()
        for table in self.simulated:
            table.confirm()

    def _shows(self, number: int) -> bool:
        """Return True if the screen has all results of a round."""
        view = hall(self.organiser)
        return (number, view["games"]) == (view["round"], view["done"])

    def _play_real(self, table: Program, number: int) -> None:
        if table.table()["winner"] is not None:
            table.press("deal")
        self._until_news(table, lambda night: night["round"] == number)
        for _ in range(3):
            table.press(*[f"{number % 2 + 1}.plus_five"] * 5, f"{number % 2 + 1}.enter")
        self._until_news(table, lambda night: night["awaited"] == ["1", "2"])
        table.press("1.enter", "2.enter")

    def _until_news(self, table: Program, is_true: Any) -> None:  # noqa: ANN401  # takes the night of the news
        """Wait for a standing of a real table, while the simulated ones go on."""
        news = iter(table.news())
        self.step_until(lambda: is_true(next(news)["night"]), "the table's page shows it")

    def folders(self) -> dict[int, Path]:
        """Return the folder of each table's journal."""
        found = {table.number: table.folder for table in self.simulated}
        return found | {number: self._folder / f"table-{number}" / "data" for number in self.real}


def folded(folders: dict[int, Path], seats: list[list[dict[str, Any]]]) -> list[tuple[object, ...]]:
    """Return the standings by the journals alone: the n-th won game of a table is round n."""
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for table, folder in folders.items():
        with Records(folder) as records:
            games = [(game, game.winner) for game in records.games() if game.winner is not None]
        assert len(games) == len(seats), (table, len(games))
        for (game, winner), pairs in zip(games, seats, strict=True):
            names = next(pair["names"] for pair in pairs if pair["table"] == table)
            (loser,) = game.sides.keys() - {winner}
            finish, progress = (game.sides[team].progress for team in (winner, loser))
            spread, points = finish - progress, 3 if progress * 3 <= finish else 2
            gains = {winner: (points, 1, spread, spread), loser: (0, 0, -spread, 0)}
            for team, gain in gains.items():
                total = totals[names[team - 1]]
                total[:] = map(sum, zip(total, gain, strict=True))
    return sorted(((*total, name) for name, total in totals.items()), key=repr)


def game_night(tables: int, seed: int) -> Verdicts:
    """Play a night at so many tables, and judge what the hall screen shows in the end."""
    found = Verdicts(("wrong standing", "late screen", "late grey"))
    folder = Path(tempfile.mkdtemp(prefix="night-"))
    try:
        with ExitStack() as opened:
            _play(Evening(folder, tables, seed, opened), tables, found)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return found


def _play(evening: Evening, tables: int, found: Verdicts) -> None:
    names = "\n".join(f"Player {number}" for number in range(1, 2 * tables + 1))
    change(evening.organiser, "add-entrants", lines=names)
    seats = []
    for number in range(1, ROUNDS + 1):
        seconds = evening.play_round(number)
        kind = "late screen" if number not in ORGANISER_MOVES and seconds > SCREEN_S else None
        found.add(kind, f"round {number}: {seconds:.1f} s")
        seats.append(hall(evening.organiser)["seats"]["pairs"])
    keys = ("points", "won", "net", "plus", "name")
    shown = sorted(
        (tuple(each[key] for key in keys) for each in hall(evening.organiser)["standings"]),
        key=repr,
    )
    for mine, theirs in zip(folded(evening.folders(), seats), shown, strict=True):
        found.add(None if mine == theirs else "wrong standing", f"{mine} by the journals, {theirs}")
    first = evening.real[1]
    first._process.kill()
    seconds = evening.step_until(
        lambda: not hall(evening.organiser)["boards"][0]["online"], "the dead table is grey"
    )
    found.add("late grey" if seconds > GREY_S else None, f"{seconds:.1f} s")
