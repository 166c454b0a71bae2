"""Questions to a computer player as JSON (asks), and the answers, as `cribwars player` prints them.

An ask has what one seat knows of the cards and pegs in a deal. An impossible ask is refused here,
with the field at fault; the player need not check it again. For example, an ask with
`"cards_left": [3, 4]` and a hand of four cards is refused: "cards_left: the first seat is your
own, with the 4 cards of the hand".
"""

from collections import Counter
from collections.abc import Sequence

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
    hand: Sequence[str]
    dealer: bool
    fronts: Sequence[Hole]
    boxed: Sequence[int]


class DiscardAsk(_Ask, frozen=True, tag="discard"):
    """Ask for the cards to discard."""

    starter: str | None = None


class PlayAsk(_Ask, frozen=True, tag="play"):
    """Ask for the card to play."""

    discarded: Sequence[str]
    pile: Sequence[str]
    starter: str
    seen: Sequence[str]
    cards_left: Sequence[int]


def answer(line: str | bytes, player: Player, track: Track) -> dict[str, object]:
    """Return the player's answer to an ask in JSON.

    Raises:
        BadInputError: the line is no ask, or an impossible one.
    """
    try:
        ask = msgspec.json.decode(line, type=DiscardAsk | PlayAsk)
    except UNREADABLE as error:
        raise refused(f"not what is asked for: {error}") from None
    if isinstance(ask, DiscardAsk):
        return {"discard": discard(ask, player, track)}
    return {"play": play(ask, player, track)}


def discard(ask: DiscardAsk, player: Player, track: Track) -> list[str]:
    """Return the cards that the player discards; an impossible ask is a `BadInputError`."""
    _refuse_pegs(ask, track)
    return [*map(str, player.discard(_discard_request(ask)))]


def play(ask: PlayAsk, player: Player, track: Track) -> str | None:
    """Return the card that the player plays; an impossible ask is a `BadInputError`."""
    _refuse_pegs(ask, track)
    card = player.play(_play_request(ask))
    return None if card is None else str(card)


def _discard_request(ask: DiscardAsk) -> DiscardRequest:
    hand = read_cards("hand", ask.hand)
    _refuse_number("hand", hand, _DEALT)
    starter = None if ask.starter is None else read_cards("starter", [ask.starter])[0]
    if starter in hand:
        raise refused(f"starter: {starter} is in the hand: a deck holds each card once")
    return DiscardRequest(
        hand=hand,
        dealer=ask.dealer,
        fronts=tuple(ask.fronts),
        boxed=tuple(ask.boxed),
        starter=starter,
    )


def _play_request(ask: PlayAsk) -> PlayRequest:
    request = PlayRequest(
        hand=read_cards("hand", ask.hand),
        discarded=read_cards("discarded", ask.discarded),
        pile=read_cards("pile", ask.pile),
        starter=read_cards("starter", [ask.starter])[0],
        seen=read_cards("seen", ask.seen),
        cards_left=tuple(ask.cards_left),
        dealer=ask.dealer,
        fronts=tuple(ask.fronts),
        boxed=tuple(ask.boxed),
    )
    _refuse_seats(request)
    _refuse_cards(request)
    return request


# Asks that are impossible in a deal


def _refuse_pegs(ask: _Ask, track: Track) -> None:
    """Refuse a wrong number of sides (T1), wrong holes, and too many sides in penalty boxes."""
    sides = len(ask.fronts)
    if sides not in PLAYERS or sides > track.lanes:
        most = min(track.lanes, max(PLAYERS))
        raise refused(f"fronts: {sides} are given: give one a side, 2 to {most}")
    paths = {hole for zone in track.zones for hole in zone.path}
    for front in ask.fronts:
        if front not in paths and front not in range(track.finish):
            text = f"fronts: a peg in play is on a hole from 0 to {track.finish - 1}"
            raise refused(f"{text} or on a side path, not on {front!r}")
    if len(ask.boxed) != sides:
        raise refused(f"boxed: {sides} are needed, one a side; {len(ask.boxed)} are given")
    boxed = [hands for hands in ask.boxed if hands]
    if any(hands not in range(1, HANDS_IN_BOX + 1) for hands in boxed):
        raise refused(f"boxed: a side sits 0 to {HANDS_IN_BOX} hands")
    if len(boxed) > sides - min(PLAYERS):
        raise BadInputError("boxed: one of three sides may sit in a box, but none of two (Z6, Z8)")
    if ask.boxed[0]:
        raise BadInputError("boxed: the first side is yours, and a side in a box is not asked (Z7)")


def _refuse_seats(request: PlayRequest) -> None:
    """Refuse impossible numbers of seats and of cards."""
    seats = len(request.cards_left)
    if seats not in PLAYERS[len(request.fronts)]:
        able = " or ".join(map(str, PLAYERS[len(request.fronts)]))
        raise refused(f"cards_left: {able} are needed, one a seat; {seats} are given")
    if any(left not in range(HAND + 1) for left in request.cards_left):
        raise refused(f"cards_left: a seat has 0 to {HAND} cards left")
    if request.cards_left[0] != (own := len(request.hand)):
        text = f"cards_left: the first seat is your own, with the {own} cards of the hand"
        raise refused(text)
    _refuse_number("discarded", request.discarded, _DISCARDS[seats])
    if len(request.seen) + len(request.hand) > HAND * seats:
        raise refused(f"seen: {seats} seats play at most {HAND} cards each")


def _refuse_cards(request: PlayRequest) -> None:
    """Refuse a card in two places, a count over 31, and cards in the pile that were not seen."""
    held = Counter((*request.hand, *request.discarded, *request.seen))
    is_under_deck = len(request.cards_left) == _PLAYERS_UNDER_DECK
    if not (is_under_deck and request.starter in request.discarded):
        held[request.starter] += 1
    for card, times in held.items():
        if times > 1:
            raise refused(f"{card} is in the ask twice: a deck holds each card once")
    if request.count > THIRTY_ONE:
        raise refused(f"pile: it counts {request.count}: a count does not pass {THIRTY_ONE} (P1)")
    for card in request.pile:
        if card not in request.seen:
            raise refused(f"pile: {card} is not among the cards seen: give it there too")


def _refuse_number(where: str, held: Sequence[Card], numbers: tuple[int, ...]) -> None:
    if len(held) not in numbers:
        able = " or ".join(map(str, numbers))
        raise refused(f"{where}: {able} cards are needed, {len(held)} are given")
