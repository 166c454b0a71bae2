"""The play, the show, and the effects of the board on them: the examples in `examples.txt`, played.

The examples have the form of those of the game. A line that begins with `at` has the hands, by name
or by seat, the dealer and the crib. `cards` are played by their holders, and all their counts are
pegged; after `play`, which plays one card, each count that is due has its own `count`, behind which
stand the sides that it folds. Behind the semicolon is what has changed beside the cards.
"""

import pytest

from companion.errors import RuleError
from companion.rules.cards import Card, PartKind, cards
from companion.rules.deal import (
    Command,
    ConfirmCount,
    CutStarter,
    Fold,
    Played,
    Seating,
    State,
    Stop,
    decide,
    kept_deal,
)
from tests.companion.rules.deal.tables import FOUR, THREE, TWO, Table, play
from tests.companion.rules.game.test_examples import examples, numbers
from tests.support.program import ROOT

HANDS = {"two": TWO, "three": THREE, "four": FOUR}
EXAMPLES = list(examples(ROOT / "tests/companion/rules/deal/examples.txt"))


def table_of(line: str) -> Table:
    """Return the table of a line: hands of four by name or seat, the dealer, starter and crib."""
    words = line.removeprefix("at ").split()
    options = dict(word.split("=") for word in words if "=" in word)
    hands = HANDS.get(words[0]) or {
        int(seat): text.replace(",", " ") for seat, text in options.items() if seat.isdigit()
    }
    crib = options.get("crib", "").replace(",", " ")
    return before_the_play(hands, dealer=int(options["dealer"]), crib=crib)


def before_the_play(hands: dict[int, str], *, dealer: int, crib: str = "") -> Table:
    """Return a table just before the play, with hands by seat."""
    seating = Seating.make(players=len(hands), dealer=dealer)
    held = {seat: cards(hand) for seat, hand in hands.items()}
    table = Table(kept_deal(seating, held, starter=Card.parse("KD"), crib=cards(crib)))
    table.do(CutStarter(seat=seating.cutter))
    return table


def command_of(line: str) -> Command:
    """Return the command of a line."""
    word, *values = line.split()
    match word:
        case "play":
            return play(int(values[0]), values[1])
        case "count":
            return ConfirmCount(folded=tuple(map(int, values)))
        case "fold":
            return Fold(side=int(values[0]))
    return Stop()


def facts(state: State) -> list[str]:
    """Return what a command may change beside the cards."""
    due = f"{state.due.points} due" if state.due else "none due"
    folded = [hand.seat for hand in state.hands if hand.folded]
    return [f"turn {state.turn}", str(state.phase), due, f"folded {folded}"]


def done(table: Table, line: str) -> str:
    """Return the events of a line and all that it changed, or the rule that refuses it."""
    before = table.state
    try:
        all_pegged = line.startswith("cards ")
        events = table.play(line[6:]) if all_pegged else table.do(command_of(line))
    except RuleError as error:
        assert before is table.state
        assert "\n" not in str(error)  # noqa: PT017  # either way is right
        return f"refused {error.rule}"
    changed = [fact for fact in facts(table.state) if fact not in facts(before)]
    return "; ".join(filter(None, (", ".join(events), ", ".join(changed))))


def played(lines: list[str]) -> list[str]:
    """Return an example as the deal plays it."""
    table = table_of(lines[0])
    texts = [line.partition(":")[0] for line in lines[1:]]
    return [lines[0], *(f"{text}: {done(table, text)}" for text in texts)]


@pytest.mark.parametrize("number", sorted({n for rule, _ in EXAMPLES for n in numbers(rule)}))
def test_rule(number: str) -> None:
    """The examples of a rule are what happens in a deal."""
    expected = [lines for rule, lines in EXAMPLES if number in numbers(rule)]
    assert expected == list(map(played, expected))


def test_what_a_card_made() -> None:
    """P5, P6: a card played tells the count it made and each part of its points."""
    table = before_the_play({1: "5H 5S 9C KH", 2: "5D 6S 7S QH"}, dealer=2)
    table.play("5H 5D")
    played, _ = decide(table.state, play(1, "5S"))
    assert isinstance(played, Played)
    assert 15 == played.count
    kinds = [(part.kind, part.points) for part in played.parts]
    assert [(PartKind.FIFTEEN, 2), (PartKind.PAIR_ROYAL, 6)] == kinds
