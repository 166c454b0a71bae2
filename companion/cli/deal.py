"""`cribwars deal --jsonl`: reads whole deals, and prints the points of each card, hand and crib.

Each line is checked, then played by the rules: the starter is cut, each seat plays its cards, and
points are confirmed as soon as they are due. Points for heels and in the play are those of this
play; points of hands and crib depend on their cards alone. For example, if seat 2 plays KC and
seat 1 plays 5H, the 5H makes fifteen: its `parts` have 2 points, and `pegged` is `[2, 0]`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import click
import msgspec

from companion.board.layout import Hole
from companion.cli.options import FILE, jsonl_option, require_jsonl
from companion.cli.replay import answer_file, answers
from companion.rules.cards import HAND, Card, show_points
from companion.rules.cards.notation import read_cards, refused
from companion.rules.deal import (
    Command,
    ConfirmCount,
    Count,
    CountKind,
    CutStarter,
    Event,
    PlayCard,
    Played,
    Reset,
    Seating,
    apply_all,
    decide,
    heels_barred,
    kept_deal,
)
from companion.rules.game import HouseRules

FINISH = 363  # the last hole of the Crib Wars track
HEELS_BAN = HouseRules().heels_ban


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players: int
    dealer: int
    hands: list[list[str]]
    starter: str
    plays: list[str]
    crib: list[str] | None = None
    fronts: list[Hole] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _DealRequest:
    """Checked line: no card comes twice, and every card played is in a hand."""

    seating: Seating
    hands: dict[int, tuple[Card, ...]]
    starter: Card
    crib: tuple[Card, ...]
    heels_barred: bool
    plays: tuple[Card, ...]


@click.command("deal")
@click.argument("file", type=FILE, default="-")
@jsonl_option
def deal_command(*, file: str, jsonl: bool) -> None:
    """Play whole hands of cards, and print their points.

    FILE has one line of JSON for each hand; - is stdin.
    """
    require_jsonl("deal", given=jsonl)
    answer_file(file, deal_lines)


def deal_lines(
    lines: Iterable[bytes], *, finish: int = FINISH, heels_ban: int = HEELS_BAN
) -> Iterator[str]:
    """Yield the points of the deal in each line, or its error; blank lines are skipped.

    A line has the hands after the discard, and the cards in the order of play; goes are inferred.
    If cards are missing at the end of the play, the answer has the points of the play so far. Hands
    and crib are always counted.

    Args:
        lines: requests.
        finish: the last hole of the track; the front pegs in `fronts` are on holes before it.
        heels_ban: the number of holes before the finish on which a dealer scores no heels (T7).
    """
    return answers(lines, lambda line: _answer(_read(line, finish, heels_ban)))


# Request


def _read(line: bytes, finish: int, heels_ban: int) -> _DealRequest:
    request = msgspec.json.decode(line, type=_Line)
    seating = Seating.make(players=request.players, dealer=request.dealer)
    if len(request.hands) != request.players:
        text = f"hands: {request.players} are needed, one a seat; {len(request.hands)} are given"
        raise refused(text)
    hands = {
        seat: read_cards(f"hand of seat {seat}", hand, number=HAND)
        for seat, hand in enumerate(request.hands, start=1)
    }
    starter = read_cards("starter", [request.starter])[0]
    crib = () if request.crib is None else read_cards("crib", request.crib, number=HAND)
    held = [card for hand in hands.values() for card in hand]
    for card, times in Counter([*held, starter, *crib]).items():
        if times > 1:
            raise refused(f"{card} is in the deal twice: a deck holds each card once")
    return _DealRequest(
        seating=seating,
        hands=hands,
        starter=starter,
        crib=crib,
        heels_barred=_barred(seating, request.fronts, finish, heels_ban),
        plays=_plays(request.plays, held),
    )


def _plays(texts: list[str], held: list[Card]) -> tuple[Card, ...]:
    plays = read_cards("plays", texts)
    for card in plays:
        if card not in held:
            raise refused(f"plays: {card} is in nobody's hand; play cards of the hands")
    return plays


def _barred(seating: Seating, fronts: list[Hole] | None, finish: int, heels_ban: int) -> bool:
    if fronts is None:
        return False
    if len(fronts) != len(seating.sides):
        text = f"fronts: {len(seating.sides)} are needed, one a side; {len(fronts)} are given"
        raise refused(text)
    for front in fronts:
        if isinstance(front, int) and not 0 <= front < finish:
            raise refused(f"fronts: a peg in play is on a hole from 0 to {finish - 1}, not {front}")
    front = fronts[seating.side_of(seating.dealer) - 1]
    return heels_barred(front, finish=finish, ban=heels_ban)


# Answer


def _answer(request: _DealRequest) -> dict[str, object]:
    events = list(_events(request))
    pegged = Counter[int]()
    for event in events:
        shown = (CountKind.HAND, CountKind.CRIB)  # without HEELS, PLAY, GO, LAST
        if isinstance(event, Count) and event.why not in shown:
            pegged[event.seat] += event.points
    heels = [event for event in events if isinstance(event, Count) and event.why is CountKind.HEELS]
    answer: dict[str, object] = {
        "heels": sum(count.points for count in heels),
        "plays": list(_plays_value(events)),
        "pegged": [pegged[seat] for seat in request.hands],
        "shows": [
            {"seat": seat, "points": show_points(request.hands[seat], request.starter)}
            for seat in request.seating.seats
        ],
    }
    if request.crib:
        points = show_points(request.crib, request.starter, crib=True)
        answer["crib"] = {"seat": request.seating.dealer, "points": points}
    return answer


def _events(request: _DealRequest) -> Iterator[Event]:
    state = kept_deal(request.seating, request.hands, starter=request.starter)
    for command in _commands(request):
        events = decide(state, command)
        yield from events
        state = apply_all(state, events)
        while state.due:
            events = decide(state, ConfirmCount())
            yield from events
            state = apply_all(state, events)


def _commands(request: _DealRequest) -> Iterator[Command]:
    yield CutStarter(seat=request.seating.cutter, heels_barred=request.heels_barred)
    holder = {card: seat for seat, hand in request.hands.items() for card in hand}
    for card in request.plays:
        yield PlayCard(seat=holder[card], card=card)


def _plays_value(events: Iterable[Event]) -> Iterator[dict[str, object]]:
    for event in events:
        match event:
            case Played(seat=seat, card=card, count=count, parts=parts):
                made = [{"kind": part.kind, "points": part.points} for part in parts]
                yield {"seat": seat, "card": str(card), "count": count, "parts": made}
            case Count(seat=seat, points=points, why=(CountKind.GO | CountKind.LAST) as why):
                yield {"seat": seat, why: points}
            case Reset():
                yield {"reset": True}
            case _:
                pass
