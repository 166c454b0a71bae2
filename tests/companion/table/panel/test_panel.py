"""The panel by the rules of its design: presses, holds, warnings and time-outs at given times.

The examples in `panel.txt` have the form of those of the rules. A line is presses of buttons one
after the other, a hold of so many seconds, a wait, or a command of the game; behind the colon are
the commands and hints that it makes, and behind the semicolon is what has changed.
"""

from math import inf

import msgspec

from companion.rules.game import Claim, Command, History, HouseRules, NewGame, Setup, new_game
from companion.rules.game.notation import command_value
from companion.table.panel.actions import (
    Answer,
    BrightnessStep,
    Confirmation,
    ConsentGiven,
    EnteredPoints,
    Hint,
    HintKind,
    ResultConfirmed,
)
from companion.table.panel.modes import Idle
from companion.table.panel.panel import Panel
from hardware.debounce import Change
from tests.companion.rules.game.test_examples import command_of, examples
from tests.support.boards import CRIB_WARS
from tests.support.program import ROOT


class Bench:
    """A panel with a game, which carries out commands at once, as a table would."""

    def __init__(
        self,
        *,
        sides: int = 2,
        show_after: float = inf,
        rules: HouseRules | None = None,
        presets: tuple[str, ...] = ("",),
    ) -> None:
        self._presets = presets
        lanes = tuple(range(1, sides + 1))
        self.history = History(new_game(Setup.make(CRIB_WARS, rules or HouseRules(), sides=lanes)))
        self.now = 0.0
        self.hints: list[Hint] = []
        self.brightness_steps = 0
        self.commands: list[Command] = []
        self.entered: list[tuple[int, int]] = []
        self.confirmed: list[int] = []
        self.panel = Panel(
            self.history.state,
            actions={},
            lanes=3,
            idle=Idle(sleep_after=1800.0, show_after=show_after),
        )
        self.panel.update(self.history.state, last_by=None, presets=presets)

    def wait(self, seconds: float) -> None:
        """Let time pass, with a tick at every deadline of the panel."""
        end = self.now + seconds
        while (due := self.panel.deadline(self.now)) is not None and due <= end:
            self.now = due
            self.take(self.panel.tick(due))
        self.now = end

    def down(self, button: str) -> None:
        """Press a button and keep it down."""
        self.take(self.panel.press(Change(button=button, down=True, t=self.now)))

    def up(self, button: str) -> None:
        """Release a button."""
        self.take(self.panel.press(Change(button=button, down=False, t=self.now)))

    def press(self, *buttons: str, seconds: float = 0.1) -> None:
        """Press buttons one after the other, each for `seconds`."""
        for button in buttons:
            self.down(button)
            self.wait(seconds)
            self.up(button)
            self.wait(0.1)

    def take(self, answers: list[Answer]) -> None:
        """Keep hints and points, and carry out commands."""
        for answer in answers:
            match answer:
                case Hint():
                    self.hints.append(answer)
                case BrightnessStep():
                    self.brightness_steps += 1
                case EnteredPoints():
                    self.entered.append((answer.side, answer.points))
                case ResultConfirmed():
                    self.confirmed.append(answer.side)
                case ConsentGiven():
                    raise AssertionError("nobody has asked")
                case _:
                    self.commands.append(answer)
                    self.do(answer)

    def do(self, *commands: Command) -> None:
        """Carry out commands of any origin in the game."""
        for command in commands:
            entry = self.history.do(command)
            last = self.history.last
            by = getattr(last.command, "side", None) if last else None
            self.panel.update(entry.state, last_by=by, presets=self._presets)

    def points(self) -> dict[int, int]:
        """Return the pending points by side."""
        return {side: pending.points for side, pending in self.panel.counts.by_side.items()}

    def kinds(self) -> list[HintKind]:
        """Return the kinds of the hints so far."""
        return [hint.kind for hint in self.hints]


def facts(bench: Bench) -> list[str]:
    """Return what the lights and the page see of the panel."""
    panel = bench.panel
    sign_up = panel.sign_up.preset or "open" if panel.sign_up else "none"
    return [
        f"pending {bench.points()}",
        f"brightness {bench.brightness_steps}",
        f"show {panel.idle.show}",
        f"asleep {panel.idle.asleep}",
        f"sign-up {sign_up}",
        f"tour {panel.tour is not None}",
        f"warned {sorted(panel.counts.warned(bench.now))}",
        f"mode since {panel.mode_since}",
    ]


def said(command: Command) -> str:
    """Return a command in the words of the contract."""
    ((name, fields),) = msgspec.to_builtins(command_value(command)).items()
    return " ".join([name, *map(str, fields.values())])


def done(bench: Bench, line: str) -> str:
    """Return the commands and the hints that a line makes, and all that it changed."""
    word, *values = line.split()
    before, commands, hints = facts(bench), len(bench.commands), len(bench.hints)
    match word:
        case "press":
            bench.press(*values)
        case "hold":
            bench.press(values[0], seconds=float(values[1]))
        case "down":
            bench.down(values[0])
        case "up":
            bench.up(values[0])
        case "wait":
            bench.wait(float(values[0]))
        case _:
            bench.do(command_of(line))
    made = [*map(said, bench.commands[commands:]), *map(str, bench.kinds()[hints:])]
    changed = [fact for fact in facts(bench) if fact not in before]
    return "; ".join(filter(None, (", ".join(made), ", ".join(changed))))


def played(lines: list[str]) -> list[str]:
    """Return an example as the panel plays it."""
    options = dict(word.split("=") for word in lines[0].split()[1:] if "=" in word)
    game_to = options.get("game_to")
    bench = Bench(
        sides=int(options.get("sides", "2")),
        rules=HouseRules(game_to=int(game_to)) if game_to else None,
        presets=tuple(options.get("presets", "").split(",")),
    )
    texts = [line.partition(":")[0] for line in lines[1:]]
    return [lines[0], *(": ".join(filter(None, (text, done(bench, text)))) for text in texts)]


def test_the_examples() -> None:
    """Each example in `panel.txt` is what happens at the panel."""
    expected = list(examples(ROOT / "tests/companion/table/panel/panel.txt"))
    assert expected == [(rule, played(lines)) for rule, lines in expected]


def test_who_stirs_without_a_press_wakes_the_board_and_ends_the_show() -> None:
    """A command from the page is activity too: the idle time restarts."""
    bench = Bench(show_after=600.0)
    bench.wait(600.0)
    assert bench.panel.idle.show
    bench.panel.note_activity(bench.now)
    assert not bench.panel.idle.show
    bench.wait(599.0)
    assert not bench.panel.idle.show
    bench.wait(1.0)
    assert bench.panel.idle.show


def test_the_show_may_be_asked_for_without_a_press() -> None:
    """It wakes a sleeping board, and the next press only ends it."""
    bench = Bench()
    bench.wait(1e6)
    assert bench.panel.idle.asleep
    bench.panel.note_activity(bench.now, show=True)
    assert (True, False) == (bench.panel.idle.show, bench.panel.idle.asleep)
    bench.wait(1e6)
    assert (True, False) == (bench.panel.idle.show, bench.panel.idle.asleep)
    bench.press("1.plus_one")
    assert (False, {}) == (bench.panel.idle.show, dict(bench.panel.counts.by_side))


def test_an_idle_panel_asks_for_no_time_but_its_rest() -> None:
    """With no count pending and no button down, the only deadline is that of sleep."""
    bench = Bench()
    bench.press("1.plus_one", "1.enter")
    assert bench.now + 1790.0 < (bench.panel.deadline(bench.now) or 0)
    bench.wait(2000.0)
    assert bench.panel.deadline(bench.now) is None


def test_a_won_game_of_a_night_is_confirmed_before_the_next() -> None:
    """Enter of an awaited side confirms. Until all have, only a held Deal begins the next game."""
    bench = Bench()
    bench.do(Claim(rule="N10", by=1, game_to=2))
    bench.panel.confirmation = Confirmation(awaited=frozenset({1, 2}), confirm=lambda _: None)
    bench.press("1.enter", "3.enter")
    assert [1] == bench.confirmed
    bench.press("deal")
    assert ([], HintKind.RESULT_AWAITED) == (bench.commands, bench.hints[-1].kind)
    bench.press("deal", seconds=1.2)
    assert [NewGame] == [type(command) for command in bench.commands]


def test_a_running_game_is_not_confirmed() -> None:
    """Enter does not confirm a win that was taken back."""
    bench = Bench()
    bench.panel.confirmation = Confirmation(awaited=frozenset({1, 2}), confirm=lambda _: None)
    bench.press("1.enter")
    assert ([], frozenset()) == (bench.confirmed, bench.panel.awaited)
