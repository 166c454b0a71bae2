"""The spine, from a contact on a pin to bytes on a strip; kills at any moment; and a whole match.

No kill loses an acknowledged command. The match is played by presses and set-up alone. A slow twin
keeps its score: it knows the ordinary board, where a front peg is the sum of its counts. A game
goes to 61, and later to 40. A side below 31 is skunked (G5), the match goes to seven (G6), and the
loser deals.
"""

import asyncio
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from companion.journal.writer import Journal
from companion.rules.game import Deal, History, Peg
from companion.table.panel.actions import HintKind
from tests.support.program import HTTP, ROOT, Program, running
from tests.support.program_children import COMMANDS
from tests.support.spine import HeldCommit, Spine, begun, play_before

AMBER, WHITE, HALF_RED = (255, 111, 0), (255, 255, 255), (128, 0, 0)
AMBER_GHOST, WHITE_GHOST = (153, 66, 0), (153, 153, 153)
AMBER_BACK = (77, 33, 0)
DIED = -9
CHILDREN = "tests.support.program_children"
needs_strace = pytest.mark.tool(lacks="" if shutil.which("strace") else "needs the package strace")
BEFORE = (Deal(), Peg(side=1, points=20), Peg(side=2, points=16), Peg(side=1, points=16))
"""Commands that bring amber to 36 and white to 16."""


def restarted(folder: Path) -> tuple[History, int]:
    """Return the game with which the next start goes on."""
    journal = Journal(folder, now=time.time)
    history, seq = journal.begin(begun())
    journal.close()
    return history, seq


SIDES = tuple[dict[str, Any], ...]


def sides(table: dict[str, Any]) -> SIDES:
    """Return the state of the sides without derived values."""
    keys = ("front", "back", "boxed", "folded")
    return tuple({key: side[key] for key in keys} for side in table["teams"].values())


def side(front: int, back: int, *, boxed: int = 0, folded: bool = False) -> dict[str, Any]:
    """Return the state of one side."""
    return {"front": front, "back": back, "boxed": boxed, "folded": folded}


TWENTY_TWO = ("1.plus_five",) * 4 + ("1.plus_one",) * 2 + ("1.enter",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Death:
    """A short game whose last press kills the program, with the state after row `at`."""

    presses: tuple[str, ...]
    stand: SIDES
    at: int = 1
    sides: int = 2
    dealer: int = 1


WRITING = {"fdatasync,fsync": 1, "pwrite64": 3, "ftruncate,unlink": 1}
"""The calls by which SQLite changes its files, with the step: a kill at each, or each third."""


def killed_runs(folder: Path, call: str, step: int) -> Iterator[tuple[Path, int]]:
    """Yield the journal and the number of acknowledged commands after each kill."""
    for number in range(1, 1000, step):
        data = folder / str(number)
        acknowledged, killed = killed_run(data, f"{call}:signal=KILL:when={number}")
        yield data, acknowledged
        if not killed:
            return


def killed_run(data: Path, inject: str) -> tuple[int, bool]:
    """Play a game under strace; return the acknowledged commands, and whether it was killed."""
    # when= counts in each thread by itself: the folder is prepared, so that nearly all calls are
    # the journal thread's.
    play_before(data)
    call = inject.partition(":")[0]
    done, _ = traced(data, "-e", f"trace={call}", "-e", f"inject={inject}")
    assert done.returncode in (0, DIED)
    return len(done.stdout.split()), done.returncode == DIED


def traced(data: Path, *options: str) -> tuple[subprocess.CompletedProcess[bytes], list[str]]:
    """Play a game under strace. Return its system calls."""
    log = data.with_suffix(".log")
    run = [sys.executable, "-m", CHILDREN, "journal", str(data)]
    done = subprocess.run(
        [shutil.which("strace") or "strace", "-f", "-qq", "-o", str(log), *options, *run],
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert b"" == done.stderr
    return done, log.read_text().splitlines()


SETTINGS = """
preset = "classic-61"
[rules]
match_to = 7
"""
TO = 7
SKUNK_BELOW, SKUNK_WORTH = 31, 2


@dataclass
class Twin:
    """The score as people would keep it with a pencil; `seq` is the number of lines."""

    sides: int
    goal: int = 61
    next_goal: int = 61
    fronts: list[int] = field(default_factory=list)
    games: list[int] = field(default_factory=list)
    dealer: int = 1
    first: int = 1
    winner: int | None = None
    champion: int | None = None
    seq: int = 0

    def __post_init__(self) -> None:
        """Put all pegs at the start."""
        self.fronts = [0] * self.sides
        self.games = [0] * self.sides

    def is_won(self) -> bool:
        """Return True once a side has won the game."""
        return self.winner is not None

    def count(self, side: int, points: int) -> None:
        """Count for a side."""
        self.seq += 1
        self.fronts[side - 1] = min(self.goal, self.fronts[side - 1] + points)
        if self.fronts[side - 1] == self.goal:
            self.winner = side
            skunked = any(front < SKUNK_BELOW for front in self.fronts)
            self.games[side - 1] += SKUNK_WORTH if skunked else 1
            if self.games[side - 1] >= TO:
                self.champion = side

    def deal(self) -> None:
        """Deal the next hand, or after a win the next game, from the first of the lowest sides."""
        self.seq += 1
        if self.winner is None:
            self.dealer = self.dealer % self.sides + 1
            return
        left = [(self.first + step) % self.sides + 1 for step in range(self.sides)]
        self.first = self.dealer = min(left, key=lambda seat: self.fronts[seat - 1])
        if self.champion:
            self.games, self.champion = [0] * self.sides, None
        self.fronts, self.winner, self.goal = [0] * self.sides, None, self.next_goal

    def reported(self) -> dict[str, Any]:
        """Return the state that the table must send."""
        sides = range(1, self.sides + 1)
        return {
            "fronts": self.fronts,
            "dealer": self.dealer,
            "winner": self.winner,
            "games": {f"{side}": self.games[side - 1] for side in sides},
            "champion": self.champion,
        }


def reported(program: Program, seq: int) -> dict[str, Any]:
    """Return the state that the table sends by its stream once `seq` commands are on disk."""
    news = next(news for news in program.news() if news["seq"] >= seq)
    table, match = news["table"], news["match"]
    return {
        "fronts": [side["front"] for side in table["teams"].values()],
        "dealer": table["dealer"],
        "winner": table["winner"],
        "games": match["games"],
        "champion": match["winner"],
    }


def enter(program: Program, side: int, points: int) -> None:
    """Enter a count by presses."""
    keys = ["plus_five"] * (points // 5) + ["plus_one"] * (points % 5) + ["enter"]
    program.press(*(f"{side}.{key}" for key in keys))


def play_game(program: Program, twin: Twin, rng: random.Random) -> None:
    """Count and deal at random until a side has won."""
    while not twin.is_won():
        side, points = rng.randint(1, twin.sides), rng.choice((5, 10, 11, 15, 20, 25))
        enter(program, side, points)
        twin.count(side, points)
        if not twin.is_won() and not rng.randrange(3):
            program.press("deal")
            twin.deal()
    assert twin.reported() == reported(program, twin.seq)


def begin_next_game(program: Program, twin: Twin) -> None:
    """Press Deal after a win, undo it and the win, and play the win again."""
    won, winner = twin.reported(), twin.winner
    assert winner
    program.press("deal")
    program.press(f"{winner}.undo", seconds=1.2)
    assert won == reported(program, twin.seq + 2)
    program.press(f"{winner}.undo")
    before = reported(program, twin.seq + 3)
    assert before["winner"] is None
    enter(program, winner, twin.goal - before["fronts"][winner - 1])
    twin.seq += 4
    assert won == reported(program, twin.seq)
    program.press("deal")
    twin.deal()
    assert twin.reported() == reported(program, twin.seq)


def change_rules(program: Program, changes: dict[str, object]) -> None:
    """Change house rules as the set-up page does, which warns that the running game goes on."""

    def get(path: str) -> dict[str, Any]:
        return dict(HTTP.get(f"{program.url}{path}").json())

    def post(path: str, value: object) -> httpx.Response:
        return HTTP.post(f"{program.url}{path}", json=value)

    body = {"changes": changes, "stamp": get("api/settings")["stamp"]}
    assert {"game": "next-game"} == post("api/settings/preview", body).json()
    assert "next-game" == post("api/settings", body).json()["game"]
    assert 204 == post("api/restart", {"run": get("api/about")["run"]}).status_code
    program.started_again()


def test_a_pin_driven_low_ends_as_bytes_on_the_strip(tmp_path: Path) -> None:
    """A press shows its ghost where the count would land; Enter makes the peg walk there."""
    play_before(tmp_path, *BEFORE)

    async def scene() -> None:
        async with Spine(tmp_path) as spine:
            assert AMBER == spine.pixel(1, 36)
            await spine.press("1.plus_one", "1.plus_one", "1.plus_one")
            await spine.until(lambda: spine.pixel(1, 39) == AMBER_GHOST)
            assert (4, AMBER) == (spine.table.queue.seq, spine.pixel(1, 36))
            assert 36 == spine.table.display.view.state.pegs(1).front
            await spine.press("1.enter")
            await spine.until(
                lambda: (spine.pixel(1, 39), spine.pixel(1, 36)) == (AMBER, AMBER_BACK)
            )
            assert (5, 39) == (spine.table.queue.seq, spine.table.display.view.state.pegs(1).front)

    asyncio.run(scene())
    assert 39 == restarted(tmp_path)[0].state.pegs(1).front


def test_a_slide_slides(tmp_path: Path) -> None:
    """Z2: the ghost beats between the side's colour and red; the peg ends in the second box."""
    play_before(tmp_path, *BEFORE)

    async def scene() -> None:
        async with Spine(tmp_path) as spine:
            await spine.press("1.plus_five", "1.plus_one")
            for colour in (AMBER, HALF_RED, AMBER):
                await spine.until(lambda colour=colour: spine.pixel(1, 42) == colour)  # type: ignore[misc]  # bound here
            await spine.press("1.enter")
            await spine.until(
                lambda: (spine.pixel(1, 62), spine.pixel(1, 36)) == (AMBER, AMBER_BACK)
            )
            assert AMBER != spine.pixel(1, 42)

    asyncio.run(scene())
    assert 62 == restarted(tmp_path)[0].state.pegs(1).front


def test_the_penalty_box_sends_back_and_awards(tmp_path: Path) -> None:
    """Z6: a side goes back 20 and folds, the other side goes 20 on; an undo reverts both."""
    play_before(tmp_path, *BEFORE)

    async def scene() -> None:
        async with Spine(tmp_path) as spine:
            await spine.press("2.plus_five", "2.plus_one", "2.enter")
            await spine.until(lambda: (spine.pixel(2, 2), spine.pixel(1, 56)) == (WHITE, AMBER))
            await spine.press("2.plus_one")
            hint = spine.table.display.hint
            assert hint
            assert HintKind.DEAL_FORGOTTEN is hint.kind
            await spine.press("2.undo")
            await spine.until(lambda: (spine.pixel(2, 16), spine.pixel(1, 36)) == (WHITE, AMBER))

    asyncio.run(scene())
    history, seq = restarted(tmp_path)
    assert (16, 36, 6) == (history.state.pegs(2).front, history.state.pegs(1).front, seq)


def test_the_end_is_black(tmp_path: Path) -> None:
    """After the end of the table no light is left on."""

    async def scene() -> Spine:
        async with Spine(tmp_path) as spine:
            assert any(channel.any() for channel in spine.strip.last or ())
        return spine

    spine = asyncio.run(scene())
    assert not any(channel.any() for channel in spine.strip.last or ())


def test_a_slow_card_freezes_neither_lights_nor_ghosts(tmp_path: Path) -> None:
    """While a commit is held, other ghosts appear and frames go on, but no peg moves."""
    play_before(tmp_path, *BEFORE)
    commit = HeldCommit()

    async def scene() -> None:
        async with Spine(tmp_path, commit=commit) as spine:
            commit.hold()
            await spine.press("1.plus_one", "1.plus_one", "1.plus_one", "1.enter")
            assert await asyncio.to_thread(commit.begun.wait, 20)
            await spine.press("2.plus_one", "2.plus_one")
            await spine.until(lambda: spine.pixel(2, 18) == WHITE_GHOST)
            sent = spine.frames
            await spine.until(lambda: spine.frames > sent + 1)
            assert (4, 36) == (spine.table.queue.seq, spine.table.display.view.state.pegs(1).front)
            assert (AMBER, AMBER_GHOST) == (spine.pixel(1, 36), spine.pixel(1, 39))
            commit.let_go()
            await spine.until(lambda: spine.pixel(1, 39) == AMBER)
            assert 5 == spine.table.queue.seq

    asyncio.run(scene())


def test_counts_entered_while_the_card_is_slow_keep_their_order(tmp_path: Path) -> None:
    """Counts that are entered during a held commit are written in their order."""
    play_before(tmp_path, *BEFORE)
    commit = HeldCommit()

    async def scene() -> None:
        async with Spine(tmp_path, commit=commit) as spine:
            commit.hold()
            for button in ("1.plus_one", "2.plus_five", "1.plus_five"):
                await spine.press(button, f"{button[0]}.enter")
            assert 4 == spine.table.queue.seq
            commit.let_go()
            await spine.until(lambda: spine.seqs[-1] == 7)
            assert sorted(spine.seqs) == spine.seqs

    asyncio.run(scene())
    history, seq = restarted(tmp_path)
    assert ((42 + 20, 21), 7) == ((history.state.pegs(1).front, history.state.pegs(2).front), seq)


@pytest.mark.parametrize(
    "death",
    [
        Death(presses=("deal",), stand=(side(0, 0), side(0, 0)), dealer=2),
        Death(presses=("1.plus_five", "1.enter"), stand=(side(5, 0), side(0, 0))),
        Death(presses=TWENTY_TWO, stand=(side(2, 0, folded=True), side(20, 0))),
        Death(
            presses=TWENTY_TWO,
            stand=(side(22, 0, boxed=3, folded=True), side(0, 0), side(0, 0)),
            sides=3,
        ),
        Death(presses=(*TWENTY_TWO, "1.undo"), stand=(side(0, 0), side(0, 0)), at=2),
    ],
    ids=["the cut", "a count", "a fold", "a penalty box", "an undo"],
)
@pytest.mark.program
def test_a_kill_between_commit_and_light_loses_nothing(tmp_path: Path, death: Death) -> None:
    """The restart has a committed count that was never shown, and can undo it."""
    requested = ("--teams", str(death.sides))
    entry = ("-m", CHILDREN, "killed")
    with running(tmp_path, *requested, entry=entry, KILLED_AT=str(death.at)) as program:
        for button in death.presses[:-1]:
            program.press(button)
        program.until(death.at - 1)  # an undo must not overtake its count
        with suppress(httpx.TransportError):  # the answer may be quicker than the commit
            program.press(death.presses[-1])
        assert (DIED, "") == program.ended()
    with running(tmp_path, *requested) as program:
        table = program.table()
        assert (death.stand, death.dealer, death.at) == (
            sides(table),
            table["dealer"],
            table["seq"],
        )
        if death.presses[-1] == "1.enter":
            program.press("1.undo")
            after = program.until(death.at + 1)
            assert {0} == {stand["front"] for stand in sides(after)}
        assert (0, "") == program.stop()


@needs_strace
def test_every_acknowledgement_follows_a_sync(tmp_path: Path) -> None:
    """A command is acknowledged only after the disk has confirmed a sync."""
    _, calls = traced(tmp_path / "data", "-e", "trace=fdatasync,fsync,write")
    steps = "".join(  # an answer counts from its beginning, a sync once it has ended
        "ack " if "write(1," in call else "sync " if "sync" in call.split("unfinished")[-1] else ""
        for call in calls
    )
    since_last = steps.split("ack ")[:-1]
    assert len(COMMANDS) == len(since_last)
    assert all("sync" in since for since in since_last), steps


@pytest.mark.timeout(240)
@pytest.mark.parametrize(("call", "step"), WRITING.items())
@needs_strace
def test_a_kill_at_any_write_leaves_whole_commands(tmp_path: Path, call: str, step: int) -> None:
    """After a death at any write every acknowledged command is there, and none in part."""
    twin = History(begun_state := restarted(tmp_path / "fresh")[0].state)
    states = [begun_state]
    for command in COMMANDS:
        twin.do(command)
        states.append(twin.state)
    deaths = []
    for data, acknowledged in killed_runs(tmp_path, call, step):
        history, seq = restarted(data)
        assert acknowledged <= seq <= acknowledged + 1
        assert states[seq] == history.state
        deaths.append(acknowledged)
    assert deaths == sorted(deaths)
    assert len(COMMANDS) == deaths[-1] == seq


@pytest.mark.program
@pytest.mark.parametrize("sides", [2, 3])
def test_a_match_is_played_through_by_presses(tmp_path: Path, sides: int) -> None:
    """Seven games are won, with a kill, changed rules and undone wins; then a new match begins."""
    settings = tmp_path / "cribwars.toml"
    settings.write_text(SETTINGS)
    requested = ("--config", str(settings), "--teams", str(sides))
    twin, rng = Twin(sides), random.Random(sides)
    with running(tmp_path, *requested) as program:
        play_game(program, twin, rng)
        begin_next_game(program, twin)
        enter(program, 1, 20)
        twin.count(1, 20)
        assert twin.reported() == reported(program, twin.seq)
    with running(tmp_path, *requested) as program:  # the block before has killed it
        assert twin.reported() == reported(program, twin.seq)
        change_rules(program, {"rules.game_to": "40"})
        twin.next_goal = 40
        assert twin.reported() == reported(program, twin.seq)
        while not twin.champion:
            play_game(program, twin, rng)
            if not twin.champion:
                begin_next_game(program, twin)
        begin_next_game(program, twin)
        enter(program, 2, 5)
        twin.count(2, 5)
        assert twin.reported() == reported(program, twin.seq)
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr
