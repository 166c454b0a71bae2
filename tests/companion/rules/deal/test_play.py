"""The play, the show, the board's effects on them, the seats, and whole deals beside a slow twin.

The examples in `examples.txt` have the form of those of the game. A line that begins with `at` has
the hands, by name or by seat, the dealer and the crib. `cards` are played by their holders, and all
their counts are pegged; after `play`, which plays one card, each count that is due has its own
`count`, behind which stand the sides that it folds. Behind the semicolon is what has changed beside
the cards.
"""

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import RuleError
from companion.rules.cards import DECK, Card, PartKind, cards
from companion.rules.deal import (
    Command,
    ConfirmCount,
    Count,
    CutStarter,
    Discard,
    Event,
    Fold,
    Phase,
    PhaseBegan,
    PlayCard,
    Played,
    Reset,
    Seating,
    State,
    Stop,
    apply_all,
    cut_for_deal,
    decide,
    heels_barred,
    kept_deal,
    new_deal,
)
from companion.rules.deal.state import Starter
from tests.companion.rules.deal.slow_deal import Report, SlowDeal
from tests.companion.rules.deal.tables import FOUR, THREE, TWO, Table, play
from tests.companion.rules.game.test_examples import examples, numbers
from tests.support.limits import share
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


def cut(*texts: str) -> tuple[int, ...]:
    """Return the seats that cut the lowest card; seat 1 cut the first of these."""
    return cut_for_deal({seat: Card.parse(text) for seat, text in enumerate(texts, start=1)})


SEATINGS = st.sampled_from(
    [
        Seating.make(players=players, dealer=dealer, boxed=boxed)
        for players, boxed in ((2, None), (3, None), (4, None), (6, None), (3, 2), (6, 1))
        for dealer in range(1, players + 1)
        if boxed is None or (dealer - 1) % 3 + 1 != boxed
    ]
)
STARTER_RULES: st.SearchStrategy[Starter] = st.sampled_from(("after-discards", "before-discards"))
FOLDING = st.just(frozenset[int]()) | st.frozensets(st.integers(1, 20), max_size=3)


@dataclass
class Story:
    """A deal from the deck to its end, with random legal choices."""

    state: State
    data: st.DataObject
    folding: frozenset[int]
    counts: int = 0

    def __post_init__(self) -> None:
        self.start = self.state
        self.events: list[Event] = []

    def whole(self) -> None:
        """Take every choice until the deal is over."""
        while self.state.phase is not Phase.OVER:
            command = self.next_command()
            before = self.state
            events = decide(before, command)
            assert events == decide(before, command)
            self.events += events
            self.state = apply_all(before, events)
            assert list(DECK) == self.all_cards()
            assert self.state.count <= 31

    def next_command(self) -> ConfirmCount | Discard | CutStarter | PlayCard:
        """Return a random legal command."""
        state = self.state
        if state.due:
            return self.go_on(state.due)
        if state.phase is Phase.DISCARD:
            return self.discard()
        if state.phase is Phase.STARTER:
            at = self.data.draw(st.integers(0, len(state.deck) - 1))
            return CutStarter(seat=state.seating.cutter, at=at)
        assert state.turn is not None
        playable = state.playable(state.turn)
        return PlayCard(seat=state.turn, card=self.data.draw(st.sampled_from(playable)))

    def go_on(self, due: Count) -> ConfirmCount:
        """Peg every count; some of them land in a penalty box."""
        self.counts += 1
        landed = self.counts in self.folding
        return ConfirmCount(folded=(self.state.seating.side_of(due.seat),) if landed else ())

    def discard(self) -> Discard:
        """Discard the first or the last cards of a seat that has not discarded yet."""
        waiting = [hand for hand in self.state.hands if len(hand.cards) > 4]
        hand = self.data.draw(st.sampled_from(waiting))
        thrown = self.state.seating.discards
        first = self.data.draw(st.booleans())
        return Discard(seat=hand.seat, cards=hand.cards[:thrown] if first else hand.cards[-thrown:])

    def all_cards(self) -> list[Card]:
        """Return every card, wherever it is; played ones belong to a hand."""
        state = self.state
        held = [card for hand in state.hands for card in hand.cards]
        starter = [state.starter] if state.starter is not None else []
        return sorted([*held, *state.crib, *state.deck, *starter])

    def reported(self) -> list[Report]:
        """Return the events in the slow twin's words."""
        words: list[Report] = []
        for event in self.events:
            match event:
                case Played(seat=seat, card=card, count=count):
                    words.append(("card", seat, str(card), count))
                case Count(seat=seat, points=points, why=why):
                    words.append(("count", seat, points, str(why)))
                case Reset(lead=lead):
                    words.append(("reset", lead))
        return words


def slow_twin(story: Story) -> SlowDeal:
    """Return the same hand, played by the twin with the same cards in order."""
    state, seating = story.state, story.state.seating
    slow = SlowDeal(
        sorted(seating.seats), seating.dealer, len(seating.sides), folding=story.folding
    )
    plays = [str(event.card) for event in story.events if isinstance(event, Played)]
    hands = {hand.seat: list(map(str, hand.cards)) for hand in state.hands}
    slow.play(hands, list(map(str, state.crib)), str(state.starter), plays)
    return slow


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


@pytest.mark.parametrize(
    ("cuts", "lowest"),
    [
        (("4H", "3S"), (2,)),
        (("AS", "2C", "KD"), (1,)),
        (("9S", "9H", "TD"), (1, 2)),
        (("JS", "QH", "TD", "KD"), (3,)),
        (("KS", "5H", "TD", "5D", "QD", "5C"), (2, 4, 6)),
    ],
)
def test_the_lowest_cut_deals(cuts: tuple[str, ...], lowest: tuple[int, ...]) -> None:
    """T2: the lowest card deals, ace low; those who cut the same rank cut again."""
    assert lowest == cut(*cuts)


@pytest.mark.parametrize(
    ("players", "dealer", "boxed", "dealt"),
    [
        (2, 1, None, ((2, 1), 6, 2, 2)),
        (2, 2, None, ((1, 2), 6, 2, 1)),
        (3, 1, None, ((2, 3, 1), 5, 1, 3)),
        (3, 2, None, ((3, 1, 2), 5, 1, 1)),
        (4, 3, None, ((4, 1, 2, 3), 5, 1, 2)),
        (4, 4, None, ((1, 2, 3, 4), 5, 1, 3)),
        (6, 1, None, ((2, 3, 4, 5, 6, 1), 5, 1, 6)),
        (6, 3, None, ((4, 5, 6, 1, 2, 3), 5, 1, 2)),
        (3, 2, 1, ((3, 2), 6, 2, 3)),
        (6, 1, 2, ((3, 4, 6, 1), 5, 1, 6)),
    ],
)
def test_from_the_dealers_left(
    players: int, dealer: int, boxed: int | None, dealt: tuple[object, ...]
) -> None:
    """P1, S1, T3, T6, Z11: turns from the dealer's left, cards to each, the cut at the right.

    Of two players that is pone. While one side is boxed, cards are dealt as for the others.
    """
    seating = Seating.make(players=players, dealer=dealer, boxed=boxed)
    assert dealt == (seating.seats, seating.dealt, seating.discards, seating.cutter)
    assert not (boxed and any(map(seating.discards_under_deck, seating.seats)))


@pytest.mark.parametrize(
    ("lanes", "sides"),
    [
        (None, (1, 2)),
        (None, (1, 2, 3)),
        (None, (1, 2, 1, 2)),
        (None, (1, 2, 3, 1, 2, 3)),
        ((1, 3), (1, 3, 1, 3)),
    ],
)
def test_partners_sit_opposite(lanes: tuple[int, ...] | None, sides: tuple[int, ...]) -> None:
    """T1: seats alternate between the sides; two may sit at lanes 1 and 3."""
    seating = Seating.make(players=len(sides), dealer=1, sides=lanes)
    assert sides == tuple(map(seating.side_of, range(1, len(sides) + 1)))


def test_whose_discards_go_under_the_deck() -> None:
    """T3: of six players, the dealer and the dealer's partner put theirs under the deck."""
    seating = Seating.make(players=6, dealer=2)
    assert [2, 5] == [seat for seat in range(1, 7) if seating.discards_under_deck(seat)]


@pytest.mark.parametrize(
    ("rule", "players", "dealer", "lanes", "boxed"),
    [
        ("T1", 5, 1, None, None),
        ("T1", 3, 1, (1, 2), None),
        ("T2", 4, 5, None, None),
        ("T2", 4, 0, None, None),
        ("Z11", 2, 1, None, 2),
        ("Z11", 3, 1, None, 4),
        ("Z11", 6, 4, None, 1),
    ],
)
def test_seatings_that_cannot_be(
    rule: str, players: int, dealer: int, lanes: tuple[int, ...] | None, boxed: int | None
) -> None:
    """T1, T2, Z11: a wrong number of players, no such dealer, a side that cannot be skipped."""
    with pytest.raises(RuleError) as caught:
        Seating.make(players=players, dealer=dealer, sides=lanes, boxed=boxed)
    assert rule == caught.value.rule


@pytest.mark.parametrize(
    ("finish", "ban", "barred"),
    [(363, 3, [360, 361, 362]), (121, 2, [119, 120]), (121, 3, [118, 119, 120]), (121, 0, [])],
)
def test_where_heels_are_not_scored(finish: int, ban: int, barred: list[int]) -> None:
    """T7: the house rule says how many of the last holes before the finish bar the heels."""
    holes = [hole for hole in range(finish) if heels_barred(hole, finish=finish, ban=ban)]
    assert barred == holes


def test_a_side_path_bars_no_heels() -> None:
    """T7: a peg on a side path stands on none of the last holes of the track."""
    assert not heels_barred("trap-4:6", finish=363, ban=3)


# A failure is worth minutes: the time is spent on finding the shortest story that shows it.
@pytest.mark.timeout(300)
@settings(max_examples=share(0.5))
@given(data=st.data(), seating=SEATINGS, starter=STARTER_RULES, folding=FOLDING)
def test_whole_deals(
    *, data: st.DataObject, seating: Seating, starter: Starter, folding: frozenset[int]
) -> None:
    """T3 to S5, Z5: counts, resets and cards are the slow twin's; no card is ever lost."""
    deck = data.draw(st.permutations(DECK))
    state = new_deal(seating, deck, starter=starter)
    story = Story(state, data, folding)
    story.whole()
    assert slow_twin(story).reported == story.reported()
    assert story.state == apply_all(story.start, story.events)
    assert PhaseBegan(phase=Phase.OVER) == story.events[-1]
