"""Questions to a computer player as JSON (asks), and the answers, as `cribwars player` prints them.

An ask has what one seat knows of the cards and pegs in a deal. An impossible ask is refused here,
with the field at fault; the player need not check it again. For example, an ask with
`"cards_left": [3, 4]` and a hand of four cards is refused: "cards_left: the first seat is your
own, with the 4 cards of the hand".
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from companion.board import Hole, Track
from companion.encoding import UNREADABLE
from companion.errors import BadInputError
from companion.players.player import DiscardRequest, Player, PlayRequest
from companion.rules.cards import HAND, THIRTY_ONE, Card
from companion.rules.cards.notation import read_cards, refused
from companion.rules.game.apply import HANDS_IN_BOX
from companion.rules.game.state import PLAYERS

_DEALT = (5, 6)
_DISCARDS = {2: (2,), 3: (1, 2), 4: (1,), 6: (1,)}
"""Cards that a player discards, by number of players (T3). If one of three sits in a penalty box,
the deal skips that player, and the others discard two (Z11)."""
_PLAYERS_UNDER_DECK = 6
"""With six players two discards go under the deck, where the cut may turn one of them up (T3)."""


class _Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask"):
    hand: list[str]
    dealer: bool
    fronts: list[Hole]
    boxed: list[int]


class _DiscardQuestion(_Ask, frozen=True, tag="discard"):
    starter: str | None = None


class _PlayQuestion(_Ask, frozen=True, tag="play"):
    discarded: list[str]
    pile: list[str]
    starter: str
    seen: list[str]
    cards_left: list[int]


def answer(line: str | bytes, player: Player, track: Track) -> dict[str, Any]:
    """Return the player's answer to an ask; an ask that is impossible is a `BadInputError`."""
    try:
        request = msgspec.json.decode(line, type=_DiscardQuestion | _PlayQuestion)
    except UNREADABLE as error:
        raise refused(f"not what is asked for: {error}") from None
    _refuse_pegs(request, track)
    if isinstance(request, _DiscardQuestion):
        return {"discard": [*map(str, player.discard(_discard_ask(request)))]}
    card = player.play(_play_ask(request))
    return {"play": None if card is None else str(card)}


def _discard_ask(request: _DiscardQuestion) -> DiscardRequest:
    hand = read_cards("hand", request.hand)
    _refuse_number("hand", hand, _DEALT)
    starter = None if request.starter is None else read_cards("starter", [request.starter])[0]
    if starter in hand:
        raise refused(f"starter: {starter} is in the hand: a deck holds each card once")
    return DiscardRequest(
        hand=hand,
        dealer=request.dealer,
        fronts=tuple(request.fronts),
        boxed=tuple(request.boxed),
        starter=starter,
    )


def _play_ask(request: _PlayQuestion) -> PlayRequest:
    ask = PlayRequest(
        hand=read_cards("hand", request.hand),
        discarded=read_cards("discarded", request.discarded),
        pile=read_cards("pile", request.pile),
        starter=read_cards("starter", [request.starter])[0],
        seen=read_cards("seen", request.seen),
        cards_left=tuple(request.cards_left),
        dealer=request.dealer,
        fronts=tuple(request.fronts),
        boxed=tuple(request.boxed),
    )
    _refuse_seats(ask)
    _refuse_cards(ask)
    return ask


# Asks that are impossible in a deal


def _refuse_pegs(request: _Ask, track: Track) -> None:
    """Refuse a wrong number of sides (T1), wrong holes, and too many sides in penalty boxes."""
    sides = len(request.fronts)
    if sides not in PLAYERS or sides > track.lanes:
        most = min(track.lanes, max(PLAYERS))
        raise refused(f"fronts: {sides} are given: give one a side, 2 to {most}")
    paths = {hole for zone in track.zones for hole in zone.path}
    for front in request.fronts:
        if front not in paths and front not in range(track.finish):
            text = f"fronts: a peg in play is on a hole from 0 to {track.finish - 1}"
            raise refused(f"{text} or on a side path, not on {front!r}")
    if len(request.boxed) != sides:
        raise refused(f"boxed: {sides} are needed, one a side; {len(request.boxed)} are given")
    boxed = [hands for hands in request.boxed if hands]
    if any(hands not in range(1, HANDS_IN_BOX + 1) for hands in boxed):
        raise refused(f"boxed: a side sits 0 to {HANDS_IN_BOX} hands")
    if len(boxed) > sides - min(PLAYERS):
        raise BadInputError("boxed: one of three sides may sit in a box, but none of two (Z6, Z8)")
    if request.boxed[0]:
        raise BadInputError("boxed: the first side is yours, and a side in a box is not asked (Z7)")


def _refuse_seats(ask: PlayRequest) -> None:
    """Refuse impossible numbers of seats and of cards."""
    seats = len(ask.cards_left)
    if seats not in PLAYERS[len(ask.fronts)]:
        able = " or ".join(map(str, PLAYERS[len(ask.fronts)]))
        raise refused(f"cards_left: {able} are needed, one a seat; {seats} are given")
    if any(left not in range(HAND + 1) for left in ask.cards_left):
        raise refused(f"cards_left: a seat has 0 to {HAND} cards left")
    if ask.cards_left[0] != len(ask.hand):
        text = f"cards_left: the first seat is your own, with the {len(ask.hand)} cards of the hand"
        raise refused(text)
    _refuse_number("discarded", ask.discarded, _DISCARDS[seats])
    if len(ask.seen) + len(ask.hand) > HAND * seats:
        raise refused(f"seen: {seats} seats play at most {HAND} cards each")


def _refuse_cards(ask: PlayRequest) -> None:
    """Refuse a card in two places, a count over 31, and cards in the pile that were not seen."""
    held = Counter((*ask.hand, *ask.discarded, *ask.seen))
    if not (ask.starter in ask.discarded and len(ask.cards_left) == _PLAYERS_UNDER_DECK):
        held[ask.starter] += 1
    for card, times in held.items():
        if times > 1:
            raise refused(f"{card} is in the ask twice: a deck holds each card once")
    if ask.count > THIRTY_ONE:
        raise refused(f"pile: it counts {ask.count}: a count does not pass {THIRTY_ONE} (P1)")
    for card in ask.pile:
        if card not in ask.seen:
            raise refused(f"pile: {card} is not among the cards seen: give it there too")


def _refuse_number(where: str, held: Sequence[Card], numbers: tuple[int, ...]) -> None:
    if len(held) not in numbers:
        able = " or ".join(map(str, numbers))
        raise refused(f"{where}: {able} cards are needed, {len(held)} are given")
