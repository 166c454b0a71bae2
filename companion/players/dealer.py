"""Dealer of a card game: it deals, asks the players for their cards, and has their points pegged.

The dealer is a generator. It yields a `DealerStep` and gets the answer by `send`. The caller asks
the players, moves the pegs and waits, so the same code runs a simulation of a thousand games and
a game with people at a table.

>>> from companion.board import load_board
>>> from companion.rules.game import HouseRules, Setup, new_game
>>> game = new_game(Setup.make(load_board("classic").track, HouseRules(), sides=(1, 2)))
>>> steps = run_game(game, random.Random(1), cut=False)
>>> steps.send(None).events  # an `Announce` without events: the cards are dealt
()
>>> request = steps.send(None)  # a `Request`, whose answer is two cards
>>> request.seat, len(request.request.hand)
(2, 6)

The game may also change during a step: a referee makes a call, or a player undoes a count or
presses Deal. Then the answer to any step is the changed game, and the dealer follows it:

* All cards that were played stay played. If an undone count had been declared by its side, the side
  declares it again. Then all counts declared after it, even of 0 points, are declared again too,
  the oldest first. Other undone counts are not pegged again.
* A side folds its cards if the change put it out of play (rule Z5) or in a penalty box (Z7).
* After an undone win the hand goes on.
* If the changed game is in another hand, the dealer deals that hand, or the next one if that hand
  already has counts.
* If the change sets another track, rules or sides, or begins the game after a win, the dealer ends.
"""

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from companion.errors import RuleError
from companion.players.player import DiscardRequest, PlayRequest
from companion.players.progress import Counting, GameProgress
from companion.players.steps import Answer, CutForDeal, DealerSteps, DealRecord, Request, Won
from companion.rules import deal
from companion.rules.cards import DECK, HAND, Card
from companion.rules.game import Command, Deal, MoveInBox, State


def run_game(
    state: State,
    rng: random.Random,
    *,
    cut: bool = True,
    declares: bool = False,
    people: Collection[int] = (),
    record: DealRecord | None = None,
    commands: Callable[[], Sequence[Command]] | None = None,
) -> DealerSteps:
    """Run a game from `state` to its win.

    Args:
        state: the game before the first step.
        rng: generator for the cut for deal, the shuffles and the cut of the starter.
        cut: True if a game without counts begins with the cut for deal; False if the dealer of
            `state` deals.
        declares: True if, where the house rule muggins applies (M1, M3), each side says how many
            points its cards make; the points of all other counts are computed from the cards.
        people: sides that move their own pegs in a penalty box (Z7); the dealer moves the pegs of
            all other sides there.
        record: the current hand, if its cards are dealt already; None otherwise.
        commands: returns the commands that were not undone, in order, so that an undone count can
            be declared again; None if nothing is undone.
    """
    declares = declares and state.setup.rules.muggins != "off"
    progress = GameProgress(
        setup=state.setup,
        match=state.match,
        state=state,
        declares=declares,
        record=record,
        commands=commands,
    )
    dealer = _Dealer(game=progress, counting=Counting(progress), rng=rng, people=people)
    yield from dealer.run(cut=cut)


@dataclass(slots=True, kw_only=True)
class _Dealer:
    game: GameProgress
    counting: Counting
    rng: random.Random
    people: Collection[int]

    def run(self, *, cut: bool) -> DealerSteps:
        if self.game.record:
            self.counting.restore(self.game.record)
            yield from self.run_hand()
        elif cut and not self.game.state.counts:
            yield from self.cut_for_deal()
        while self.game.goes_on:
            command = self.before_cards()
            if command:
                yield from self.game.do(command)
            else:
                self.deal_cards()
                yield from self.run_hand()

    @property
    def is_spent(self) -> bool:
        """True if a new hand must begin: this one has cards or counts, or its dealer is boxed."""
        state = self.game.state
        dealer = state.pegs(state.setup.side_of(state.dealer))
        return self.game.is_dealt or state.counts_in_hand > 0 or dealer.boxed is not None

    # Before the cards

    def cut_for_deal(self) -> DealerSteps:
        seats = tuple(range(1, self.game.setup.players + 1))
        while len(seats) > 1:
            cuts = dict(zip(seats, self.rng.sample(DECK, len(seats)), strict=True))
            self.game.note((yield CutForDeal(cuts=cuts)))
            seats = deal.cut_for_deal(cuts)
        yield from self.game.do(Deal(dealer=seats[0]))

    def before_cards(self) -> Deal | MoveInBox | None:
        """Return a command to carry out before the cards are dealt, or None.

        The command begins the next hand, or moves a computer player's peg in a penalty box (Z7).
        """
        if self.is_spent:
            return Deal()
        side = self.game.state.boxed_side()
        moves = side and side not in self.people and self.game.state.is_to_move_in_box(side)
        return MoveInBox(side=side) if side and moves else None

    def deal_cards(self) -> None:
        record = DealRecord(
            hand=self.game.state.hand,
            dealer=self.game.state.dealer,
            boxed=self.game.state.boxed_side(),
            deck=tuple(self.rng.sample(DECK, len(DECK))),
            zero_counts=self.game.declares,
        )
        self.game.begin_hand(record)

    # One hand

    def run_hand(self) -> DealerSteps:
        if self.game.is_dealt:
            yield from self.game.announce(())
        while self.game.hand_goes_on:
            folded = self.game.folded()
            if folded:
                yield from self.game.take(deal.Fold(side=folded[0]))
            elif self.game.retracted:
                yield from self.counting.declare(self.game.retracted)
            elif self.game.hand.due:
                yield from self.counting.count(self.game.hand.due)
            elif self.game.hand.phase is deal.Phase.STARTER:
                yield from self.game.take(self.cut())
            else:
                yield from self.choose()
        if not self.game.is_dealt:
            self.game.record = None  # if an undo leads back to this hand, it is dealt again
        elif self.game.state.winner is not None:
            yield from self.stop(self.game.dealt)

    def stop(self, record: DealRecord) -> DealerSteps:
        """Stop the hand at a win. If the win is undone, go on with the hand."""
        game, hand = self.game, self.game.hand
        if hand.phase is not deal.Phase.OVER:
            yield from game.take(deal.Stop())
        answer = yield Won()
        game.hand, game.record = hand, record
        game.note(answer)
        if game.goes_on:
            yield from self.run_hand()

    def cut(self) -> deal.Command:
        """Return the command to cut the starter (T6); near the finish heels do not score (T7)."""
        seating, track = self.game.hand.seating, self.game.setup.track
        front = self.game.state.pegs(seating.side_of(seating.dealer)).front
        ban = self.game.setup.rules.heels_ban
        return deal.CutStarter(
            seat=seating.cutter,
            at=self.rng.randrange(len(self.game.hand.deck)),
            heels_barred=deal.heels_barred(front, finish=track.finish, ban=ban),
        )

    # Choices

    def choose(self) -> DealerSteps:
        """Ask the seat whose turn it is, or the next seat that must discard (T3).

        The seat is asked until the rules accept its answer or the game has changed.
        """
        hand, refused = self.game.hand, None
        seat = hand.turn or next(each.seat for each in hand.hands if len(each.cards) > HAND)
        discarded = self.game.discarded.get(seat, ())
        request = request_for(self.game.state, hand, seat, discarded=discarded, seen=self.game.seen)
        while True:
            answer = yield Request(seat=seat, request=request, refused=refused)
            if isinstance(answer, State):
                self.game.note(answer)
                return
            try:
                yield from self.game.take(_choice(seat, answer))
            except RuleError as error:
                refused = error
            else:
                return


def _choice(seat: int, answer: Answer) -> deal.Command:
    match answer:
        case tuple():
            return deal.Discard(seat=seat, cards=answer)
        case Card():
            return deal.PlayCard(seat=seat, card=answer)
        case _:
            raise RuleError(
                "seat {seat} cannot say go: it has a card that fits", seat=seat, rule="P8"
            )


def request_for(
    state: State, hand: deal.State, seat: int, *, discarded: tuple[Card, ...], seen: Sequence[Card]
) -> DiscardRequest | PlayRequest:
    """Return the request to a seat, with only what the seat may know.

    Args:
        state: the game.
        hand: the current hand.
        seat: the seat that must choose.
        discarded: the cards that this seat discarded.
        seen: the cards played in this hand, in order.
    """
    setup, own = state.setup, hand.hand(seat)
    side = setup.side_of(seat)
    first = setup.sides.index(side)
    sides = [state.pegs(each) for each in (*setup.sides[first:], *setup.sides[:first])]
    fronts = tuple(pegs.front for pegs in sides)
    boxed = tuple(pegs.boxed.hands if pegs.boxed else 0 for pegs in sides)
    dealer = side == setup.side_of(hand.seating.dealer)
    if hand.phase is deal.Phase.DISCARD:
        return DiscardRequest(
            hand=own.cards, dealer=dealer, fronts=fronts, boxed=boxed, starter=hand.starter
        )
    assert hand.starter is not None  # noqa: S101  # it is turned up before the play
    return PlayRequest(
        hand=own.left,
        discarded=discarded,
        pile=hand.pile,
        starter=hand.starter,
        seen=tuple(seen),
        cards_left=_cards_left(hand, seat, setup.players),
        dealer=dealer,
        fronts=fronts,
        boxed=boxed,
    )


def _cards_left(hand: deal.State, seat: int, players: int) -> tuple[int, ...]:
    """Return the number of cards that each seat can still play, from `seat` round to the left."""
    left = {held.seat: 0 if held.folded else len(held.left) for held in hand.hands}
    return tuple(left.get((seat - 1 + step) % players + 1, 0) for step in range(players))
