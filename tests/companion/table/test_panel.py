"""The panel by the rules of its design: presses, holds, warnings and time-outs at given times."""

from math import inf

import pytest

from companion.rules.game import (
    Claim,
    Command,
    Deal,
    History,
    HouseRules,
    MoveInBox,
    NewGame,
    Peg,
    Setup,
    Undo,
    new_game,
)
from companion.table.actions import (
    Answer,
    BrightnessStep,
    Confirmation,
    ConsentGiven,
    EnteredPoints,
    ResultConfirmed,
)
from companion.table.hints import Hint, HintKind
from companion.table.modes import Idle
from companion.table.panel import Panel
from hardware.debounce import Change
from tests.support.tracks import CRIB_WARS


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


def test_presses_build_a_count_that_enter_makes_one() -> None:
    """P7: +5, +1 and Enter are one count of six; before Enter there is no command."""
    bench = Bench()
    bench.press("1.plus_five", "1.plus_one")
    assert ({1: 6}, []) == (bench.points(), bench.commands)
    bench.press("1.enter")
    assert ({}, [Peg(side=1, points=6)]) == (bench.points(), bench.commands)


def test_a_press_counts_when_it_goes_down() -> None:
    """A count grows with the press, not with the release."""
    bench = Bench()
    bench.down("1.plus_five")
    assert {1: 5} == bench.points()


def test_more_than_29_is_refused_with_a_flash() -> None:
    """S5: no count is greater than 29; the pending count stays as it was."""
    bench = Bench()
    bench.press(*["1.plus_five"] * 5, *["1.plus_one"] * 4)
    assert ({1: 29}, []) == (bench.points(), bench.hints)
    bench.press("1.plus_one")
    assert ({1: 29}, [HintKind.COUNT_LIMIT]) == (bench.points(), bench.kinds())


def test_undo_takes_back_pending_presses_one_by_one() -> None:
    """With presses pending, Undo takes back the last one and leaves the game alone."""
    bench = Bench()
    bench.press("1.plus_five", "1.plus_one", "1.undo")
    assert {1: 5} == bench.points()
    bench.press("1.undo")
    assert ({}, []) == (bench.points(), bench.commands)


def test_undo_held_takes_back_the_whole_pending_count() -> None:
    """Undo held for a second clears the pending count, and nothing else."""
    bench = Bench()
    bench.do(Peg(side=1, points=3))
    bench.press("1.plus_five", "1.plus_five", "1.plus_one")
    bench.press("1.undo", seconds=1.5)
    assert ({}, []) == (bench.points(), bench.commands)


def test_undo_takes_back_the_sides_own_count_at_once() -> None:
    """Undo with nothing pending takes back the last command if it was the side's own count."""
    bench = Bench()
    bench.do(Peg(side=1, points=6))
    bench.press("1.undo")
    assert [Undo()] == bench.commands


@pytest.mark.parametrize("last", [Peg(side=2, points=6), Deal()])
def test_undo_of_anything_else_must_be_held(last: Command) -> None:
    """To undo a command other than the side's own count, Undo is held for a second."""
    bench = Bench()
    bench.do(last)
    bench.press("1.undo", seconds=0.9)
    assert ([], [HintKind.HOLD_UNDO]) == (bench.commands, bench.kinds())
    bench.press("1.undo", seconds=1.1)
    assert [Undo()] == bench.commands


def test_one_hold_of_undo_takes_back_one_command() -> None:
    """A hold is one action, however long it lasts."""
    bench = Bench()
    bench.do(Peg(side=2, points=1), Peg(side=1, points=6))
    bench.press("1.undo", seconds=9.0)
    assert [Undo()] == bench.commands


def test_a_pending_count_warns_and_then_clears_but_never_commits() -> None:
    """The trail warns after 30 s without a press and clears after 120 s. It is never entered."""
    bench = Bench()
    bench.press("1.plus_five")
    bench.wait(29.0)
    assert frozenset() == bench.panel.counts.warned(bench.now)
    bench.wait(1.0)
    assert frozenset({1}) == bench.panel.counts.warned(bench.now)
    bench.wait(88.0)
    assert {1: 5} == bench.points()
    bench.wait(3.0)
    assert ({}, []) == (bench.points(), bench.commands)


def test_another_press_begins_the_time_out_anew() -> None:
    """The time-out runs from the last press."""
    bench = Bench()
    bench.press("1.plus_five")
    bench.wait(100.0)
    bench.press("1.plus_one")
    bench.wait(100.0)
    assert {1: 6} == bench.points()


def test_a_fold_clears_what_is_pending() -> None:
    """Z5: a side that folds loses its pending count; the other side keeps its own."""
    bench = Bench()
    bench.do(Peg(side=1, points=15))
    bench.press("2.plus_one", "1.plus_five")
    bench.do(Peg(side=1, points=7))
    assert {2: 1} == bench.points()


def test_a_win_clears_all_pending_counts() -> None:
    """G2: after a win no side has a count pending."""
    bench = Bench(rules=HouseRules(game_to=10))
    bench.press("1.plus_one")
    bench.do(Peg(side=2, points=10))
    assert (2, {}) == (bench.history.state.winner, bench.points())


def test_a_press_of_a_folded_side_hints_at_the_deal() -> None:
    """Z5: a count refused for a fold makes the Deal lamp blink, as Deal was forgotten."""
    bench = Bench()
    bench.do(Peg(side=1, points=22))
    bench.press("1.plus_one")
    assert {HintKind.DEAL_FORGOTTEN, HintKind.FOLDED} == set(bench.kinds())
    assert {} == bench.points()


def test_enter_with_nothing_pending_is_refused() -> None:
    """Enter without a count flashes for a side that is in no box or does not play."""
    bench = Bench()
    bench.press("1.enter", "3.enter")
    assert ([], [HintKind.NOTHING_PENDING, HintKind.NOT_PLAYING]) == (bench.commands, bench.kinds())


def test_a_boxed_side_cannot_build_a_count() -> None:
    """Z7: presses of a boxed side are refused with a flash, without a hint at Deal."""
    bench = Bench(sides=3)
    bench.do(Peg(side=1, points=22))
    bench.press("1.plus_one")
    assert ({}, [HintKind.BOXED]) == (bench.points(), bench.kinds())


def test_a_side_that_does_not_play_is_refused() -> None:
    """T1: the buttons of the third side have no effect in a game of two sides."""
    bench = Bench()
    bench.press("3.plus_one")
    assert ({}, [HintKind.NOT_PLAYING]) == (bench.points(), bench.kinds())


def test_deal_moves_the_lamp_before_the_first_count() -> None:
    """T2: before the first count every press of Deal moves the dealer, as the cut decides."""
    bench = Bench()
    bench.press("deal", "deal", "deal")
    assert [Deal()] * 3 == bench.commands
    assert (1, 2) == (bench.history.state.hand, bench.history.state.dealer)


def test_deal_without_a_count_since_must_be_held() -> None:
    """T2: without a count since the last Deal it only flashes, unless held for a second."""
    bench = Bench()
    bench.do(Peg(side=1, points=3), Deal())
    bench.press("deal")
    assert ([], [HintKind.NOBODY_COUNTED]) == (bench.commands, bench.kinds())
    bench.press("deal", seconds=1.2)
    assert [Deal()] == bench.commands


def test_deal_with_a_count_pending_must_be_held() -> None:
    """T2: with a count pending Deal only flashes, unless it is held; the count stays."""
    bench = Bench()
    bench.do(Peg(side=1, points=3))
    bench.press("2.plus_one", "deal")
    assert [] == bench.commands
    bench.press("deal", seconds=1.2)
    assert ([Deal()], {2: 1}) == (bench.commands, bench.points())


@pytest.mark.parametrize(
    ("seconds", "steps", "shows", "signs_up", "tours"),
    [
        (0.1, 1, False, False, False),
        (2.5, 0, True, False, False),
        (6.0, 0, False, True, False),
        (8.5, 0, False, False, True),
        (11.0, 0, False, False, False),
    ],
)
def test_mode_acts_on_release_by_how_long_it_was_held(
    seconds: float, steps: int, shows: bool, signs_up: bool, tours: bool
) -> None:
    """Mode steps the brightness; 2 s begin the demo, 5 s a new game, 8 s a tour; 10 s is stuck."""
    bench = Bench()
    bench.press("mode", seconds=seconds)
    panel = bench.panel
    assert (steps, shows) == (bench.brightness_steps, panel.idle.show)
    assert (signs_up, tours) == (panel.sign_up is not None, panel.tour is not None)


def test_mode_tells_since_when_it_is_held() -> None:
    """The panel gives the time since which Mode is down, for the lights."""
    bench = Bench()
    bench.wait(3.0)
    bench.down("mode")
    assert 3.0 == bench.panel.mode_since
    bench.wait(1.0)
    bench.up("mode")
    assert bench.panel.mode_since is None


def test_a_new_game_is_for_the_sides_that_enter() -> None:
    """Mode held 5 s: the sides that press Enter within 10 s take part, Deal starts it."""
    bench = Bench()
    bench.press("mode", seconds=5.0)
    bench.press("1.enter", "3.enter", "deal")
    assert [NewGame(sides=(1, 3), players=2)] == bench.commands
    assert (1, 3) == bench.history.state.setup.sides


def test_nobody_joins_a_new_game_after_ten_seconds() -> None:
    """A late Enter neither joins nor pegs; Deal starts the game for the sides that joined."""
    bench = Bench()
    bench.press("mode", seconds=5.0)
    bench.press("1.enter", "2.enter")
    bench.wait(10.0)
    bench.press("3.enter", "deal")
    assert [NewGame(sides=(1, 2), players=2)] == bench.commands


@pytest.mark.parametrize(("sides", "each"), [(2, 1), (2, 2), (3, 1), (3, 2)])
def test_plus_one_adds_a_person_to_a_side(sides: int, each: int) -> None:
    """T1: 2, 3, 4 or 6 people play, equally many on each side; other numbers are refused."""
    bench = Bench()
    bench.press("mode", seconds=5.0)
    for side in range(1, sides + 1):
        bench.press(f"{side}.plus_one", f"{side}.enter")
        assert [HintKind.SIGN_UP] * side == bench.kinds()
    bench.hints.clear()
    for side in range(1, sides + 1):
        if each > 1:
            bench.press(f"{side}.plus_one")
            if side < sides:
                bench.press("deal")
                assert HintKind.UNEQUAL_SIDES is bench.kinds()[-1]
            bench.press(f"{side}.plus_one")
            assert HintKind.SIDE_FULL is bench.kinds()[-1]
    bench.press("deal")
    assert sides * each == bench.history.state.setup.players


def test_plus_five_steps_through_the_rules_of_the_board() -> None:
    """G7: it steps through the presets and back to the settings, or is refused without presets."""
    bench = Bench(presets=("", "electronic", "family"))
    bench.press("mode", seconds=5.0)
    bench.press("1.enter", "2.enter", "2.plus_five")
    assert bench.panel.sign_up
    assert "electronic" == bench.panel.sign_up.preset
    bench.press("1.plus_five", "3.plus_five", "1.plus_five")
    assert "electronic" == bench.panel.sign_up.preset
    alone = Bench()
    alone.press("mode", seconds=5.0)
    alone.press("1.plus_five")
    assert [HintKind.ONE_PRESET] == alone.kinds()


def test_a_forgotten_move_in_the_box_is_shown_before_it_costs_a_hand() -> None:
    """Z7: Deal refuses while a boxed side has not moved, unless it is held for a second."""
    bench = Bench(sides=3)
    bench.do(Peg(side=1, points=22), Deal(), Peg(side=2, points=1))
    bench.press("deal")
    assert ([HintKind.BOX_FORGOTTEN], []) == (bench.kinds(), bench.commands)
    bench.press("1.enter", "deal")
    assert [MoveInBox(side=1), Deal()] == bench.commands
    bench.press("2.plus_one", "2.enter")
    bench.press("deal", seconds=1.1)
    assert [HintKind.BOX_FORGOTTEN] * 2 == bench.kinds()
    assert Deal() == bench.commands[-1]


def test_a_new_game_takes_two_sides() -> None:
    """T1: Deal does not start a game for one side, and the sign-up ends with its time."""
    bench = Bench()
    bench.press("mode", seconds=5.0)
    bench.press("1.enter", "deal")
    assert [HintKind.TOO_FEW_SIDES] == bench.kinds()
    bench.wait(10.0)
    assert bench.panel.sign_up is None
    assert [] == bench.commands


def test_undo_calls_a_new_game_off() -> None:
    """Undo during a sign-up ends it, and takes nothing back."""
    bench = Bench()
    bench.do(Peg(side=1, points=3))
    bench.press("mode", seconds=5.0)
    bench.press("1.undo")
    assert (None, []) == (bench.panel.sign_up, bench.commands)


def test_a_stuck_button_is_reported_once_and_ignored() -> None:
    """A button down for 10 s is reported and ignored until it has been up."""
    bench = Bench()
    bench.down("deal")
    bench.wait(25.0)
    bench.up("deal")
    assert ([Deal()], [HintKind.STUCK]) == (bench.commands, bench.kinds())
    bench.press("deal")
    assert [Deal()] * 2 == bench.commands


def test_chords_are_presses_in_their_order() -> None:
    """Two buttons held at once are two presses, neither is lost and neither repeats."""
    bench = Bench()
    bench.down("1.plus_five")
    bench.down("1.plus_one")
    bench.wait(5.0)
    bench.up("1.plus_five")
    bench.up("1.plus_one")
    assert ({1: 6}, []) == (bench.points(), bench.commands)


def test_a_press_that_wakes_the_board_is_swallowed() -> None:
    """The first press on a sleeping board only wakes it."""
    bench = Bench()
    bench.wait(1800.0)
    assert bench.panel.idle.asleep
    bench.press("1.plus_five")
    assert (False, {}, [HintKind.AWAKE]) == (bench.panel.idle.asleep, bench.points(), bench.kinds())
    bench.press("1.plus_five")
    assert {1: 5} == bench.points()


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


def test_a_hold_does_not_take_back_what_came_after_it_began() -> None:
    """If the game changes during a hold of Undo, the hold does nothing."""
    bench = Bench()
    bench.do(Peg(side=1, points=3))
    bench.down("2.undo")
    bench.wait(0.5)
    bench.do(Peg(side=1, points=4))
    bench.wait(1.0)
    bench.up("2.undo")
    assert [] == bench.commands


def test_what_is_pressed_during_a_hold_of_undo_stays() -> None:
    """A press during a hold of Undo is not cleared by that hold."""
    bench = Bench()
    bench.press("1.plus_one", "1.plus_one")
    bench.down("1.undo")
    bench.press("1.plus_five")
    bench.wait(2.0)
    assert {1: 6} == bench.points()


def test_a_boxed_peg_moves_once_a_hand_and_then_enter_is_refused() -> None:
    """Z7: Enter moves a boxed peg once a hand after the hand of entry, else gives its reason."""
    bench = Bench(sides=3)
    bench.do(Peg(side=1, points=22))
    bench.press("1.enter")
    assert ([], [HintKind.BOX_ENTERED]) == (bench.commands, bench.kinds())
    bench.do(Deal())
    bench.press("1.enter", "1.enter")
    assert [MoveInBox(side=1)] == bench.commands
    assert [HintKind.BOX_ENTERED, HintKind.BOX_MOVED] == bench.kinds()


def test_a_stuck_button_does_not_keep_the_board_awake() -> None:
    """The board sleeps although an ignored button is down."""
    bench = Bench()
    bench.down("3.plus_one")
    bench.wait(2000.0)
    assert bench.panel.idle.asleep


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
