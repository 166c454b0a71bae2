"""Cards at a running table: endpoints, hidden faces, a game that leaves no trace, the counter."""

import asyncio
import json
import random
import re
import threading
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from typing import Any
from urllib.parse import urlencode

import pytest

from companion.errors import BadInputError, RuleError
from companion.rules.cards import DECK, Card, cards
from companion.rules.deal import Discarded, Event, Phase, Played, Shown, State, Turned
from companion.rules.deal.declared_count import DeclaredCount
from companion.rules.game import Claim, CountKind, NewGame, Peg
from companion.web.card_service import CardService, NoHandError
from companion.web.card_session import CardsAsked, cards_value
from companion.worker import Worker
from tests.companion.rules.cards.slow_count import slow_show
from tests.companion.table.cards.dealt import CardTable
from tests.companion.web import test_pairing_endpoints as pairing
from tests.companion.web.client import fetch, held, refusal, send
from tests.support.card_games import children, play_out, setup_for
from tests.support.limits import TIMEOUT_S, until
from tests.support.real_table import RealTable, as_sent, at_table
from tests.support.scenes import run_by
from tests.support.services import live_settings


class Party:
    """A table with cards to deal, in an event loop."""

    def __init__(self, broker: str = "") -> None:
        self.at = CardTable({1: None, 2: None})
        self.fails, self.worker = False, Worker("thinking")
        self._changed = asyncio.Event()
        live = live_settings({"demo": {"speed": 100}, "night": {"broker": broker}})
        self.cards = CardService(self.at.table, live, self.worker, changed=self._change)

    def _change(self) -> None:
        self._changed.set()
        if self.fails:
            self.fails = False
            raise OSError("the reader has gone")

    async def until(self, true: Callable[[], object]) -> None:
        """Wait until a condition is true, checked after each change."""
        await until(true, self._changed)


def at_party(scene: Callable[[Party], Coroutine[Any, Any, None]], *, broker: str = "") -> None:
    """Run a scene in an event loop; it must leave no task and no thread."""

    async def play() -> None:
        party = Party(broker)
        party.at.table.start()
        await scene(party)
        await party.cards.close()
        assert {asyncio.current_task()} == asyncio.all_tasks()
        party.worker.close()
        party.at.close()

    before = set(threading.enumerate())
    asyncio.run(play())
    for thread in set(threading.enumerate()) - before:
        thread.join(TIMEOUT_S)
    assert set(threading.enumerate()) <= before


PLAYERS = (2, 3, 4, 6)


def hands(players: int, seed: int) -> Iterator[tuple[State, list[Event]]]:
    """Return every state of the cards in a game, each with the earlier events of its hand."""
    past: list[Event] = []
    for reported in play_out(setup_for(players), children(players, seed), seed=seed).announced:
        past = [*past, *reported.events] if reported.events else []
        yield reported.hand, past


def in_the_open(past: list[Event], dealt: dict[int, tuple[Card, ...]]) -> set[Card]:
    """Return the cards that everybody has seen: turned, played or shown."""
    seen: set[Card] = set()
    hands = dict(dealt)
    crib: set[Card] = set()
    for event in past:
        match event:
            case Discarded(seat=seat, cards=thrown):
                hands[seat] = tuple(card for card in hands[seat] if card not in thrown)
                crib |= set() if event.under_deck else set(thrown)
            case Turned(card=card) | Played(card=card):
                seen.add(card)
            case Shown(seat=seat, show=show):
                seen |= crib if show.crib else set(hands[seat])
    return seen


def faces(value: object) -> set[Card]:
    """Return every card that is named anywhere in a value."""
    match value:
        case dict():
            return {card for inner in value.values() for card in faces(inner)}
        case list():
            return {card for inner in value for card in faces(inner)}
        case str() if len(value) in (2, 3) and value[-1] in "SHDC":
            return {Card.parse(value)}
    return set()


@pytest.fixture(scope="module")
def table() -> Iterator[RealTable]:
    """Serve a table."""
    with RealTable() as table:
        yield table


def count(table: RealTable, **query: str) -> dict[str, Any]:
    """Return the count of a hand."""
    return dict(fetch(table, "GET", f"/api/count?{urlencode(query)}").json())


@run_by(at_party)
async def test_each_person_has_a_token_of_its_own(party: Party) -> None:
    """It cannot be guessed, and differs in each game; computers have none."""
    first = party.cards.begin(["person", "person"])
    party.cards.end()
    second = party.cards.begin(["child", "person"])
    tokens = {*first.values(), *second.values()}
    assert (3, {22}) == (len(tokens), set(map(len, tokens)))
    assert [{1, 2}, {2}] == [set(first), set(second)]
    with pytest.raises(NoHandError):
        party.cards.hand(first[1])
    assert 2 == party.cards.hand(second[2]).seat


@run_by(at_party)
async def test_a_hand_tells_what_is_asked(party: Party) -> None:
    """T3: people discard in any order, and who has discarded is not asked again."""
    tokens = party.cards.begin(["person", "person"])
    with pytest.raises(RuleError, match="wait a moment"):
        party.cards.play(tokens[1], ())
    await party.until(lambda: party.cards.news() and party.cards.hand(tokens[1]).awaited)
    chosen = {}
    for seat, token in tokens.items():
        hand = party.cards.hand(token)
        shown = hand.shown
        assert shown is not None
        own = next(one for one in shown.hands if one.seat == seat)
        chosen[seat] = [str(card.card) for card in own.cards]
        ask = CardsAsked(purpose="discard", cards=2, under_deck=False, choice=chosen[seat])
        assert ask == hand.ask
    later = 3 - (party.cards.hand(tokens[1]).awaited or 0)
    party.cards.play(tokens[later], cards(" ".join(chosen[later][:2])))
    assert party.cards.hand(tokens[later]).ask is None


@run_by(at_party)
async def test_who_cannot_sit_is_refused(party: Party) -> None:
    """There must be one known kind for each seat; else nothing begins."""
    for seats in (["person"], ["person"] * 3, []):
        with pytest.raises(RuleError):
            party.cards.begin(seats)
    for seats in (["person", "robot"], ["person", ""]):
        with pytest.raises(BadInputError):
            party.cards.begin(seats)
    assert party.cards.news() is None


@run_by(at_party)
async def test_cards_are_dealt_once_and_at_a_game_that_goes_on(party: Party) -> None:
    """They are not dealt during a deal, in the demo, or after the win."""

    def refused() -> str:
        with pytest.raises(RuleError) as refusal:
            party.cards.begin(["child", "person"])
        return str(refusal.value)

    party.cards.begin(["child", "person"])
    assert "end that game" in refused()
    party.cards.end()
    party.at.table.demo(on=True)
    assert "the demo plays" in refused()
    party.at.table.demo(on=False)
    await party.at.table.execute(Peg(side=1, points=1))
    await party.at.table.execute(Claim(rule="N10", by=1, game_to=2))
    assert "press Deal" in refused()


@run_by(at_party)
async def test_the_next_game_is_dealt_to_the_same_people(party: Party) -> None:
    """After a win no card is awaited; a new game keeps the links, without a cut."""
    tokens = party.cards.begin(["person", "person"])
    hand = partial(party.cards.hand, tokens[1])
    await party.until(lambda: hand().awaited)
    await party.at.table.execute(Claim(rule="N10", by=1, game_to=2))
    await party.until(lambda: hand().awaited is None)
    await party.at.table.execute(NewGame(dealer=2))
    await party.until(lambda: hand().awaited)
    assert (2, 2) == (party.at.table.state.first_dealer, party.at.table.state.dealer)


@run_by(at_party)
async def test_a_new_game_of_other_sides_puts_the_cards_away(party: Party) -> None:
    """T1: the cards belonged to the former seats."""
    tokens = party.cards.begin(["person", "person"])
    await party.until(lambda: party.cards.hand(tokens[1]).awaited)
    await party.at.table.execute(Claim(rule="N10", by=1, game_to=2))
    await party.at.table.execute(NewGame(sides=(1, 3)))
    await party.until(lambda: party.cards.news() is None)
    with pytest.raises(NoHandError):
        party.cards.play(tokens[1], ())


def test_a_fault_is_a_notice(caplog: pytest.LogCaptureFixture) -> None:
    """The table goes on with a notice that refers to the log, which has the fault."""

    async def scene(party: Party) -> None:
        party.cards.begin(["person", "person"])
        party.fails = True
        await party.until(lambda: party.cards.news() is None)
        await asyncio.sleep(0)
        assert "the game of cards has stopped" in str(party.at.table.notices.lines[-1])
        assert party.cards.begin(["person", "child"])

    at_party(scene)
    assert "the reader has gone" in caplog.text


@pytest.mark.parametrize("broker", ["", "mqtt://night.local"])
@run_by(at_party)
async def test_what_a_count_was_worth_is_not_told_at_a_game_night(
    party: Party, broker: str
) -> None:
    """M1: at home a line tells it when the wrong count can no longer be called."""
    tokens = party.cards.begin(["person", "person"])
    await party.until(lambda: party.cards.game)
    assert party.cards.game
    counts = party.cards.game.counts
    counts.open = DeclaredCount(side=1, seat=1, why=CountKind.PLAY, actual=2, declared=0)
    counts.let_stand()
    told = "had two to count" in str(party.cards.hand(tokens[1]).lines)
    assert told is not bool(broker)


def test_cards_are_dealt_and_put_away() -> None:
    """Only the response to the deal has the path of each person's hand."""
    with RealTable() as table:
        answer = fetch(table, "POST", "/api/cards", body=b'{"seats": ["person", "child"]}')
        (path,) = answer.json()["hands"].values()
        assert re.fullmatch(r"/hand\?hand=[A-Za-z0-9_-]{22}", path)
        assert "no-store" == answer.headers["cache-control"]
        answer = fetch(table, "POST", "/api/cards/end", body=b"{}")
        assert (200, table.snapshot()) == (answer.status_code, answer.json())
        hand = f"/api/cards/{path.removeprefix('/hand?hand=')}"
        assert 404 == fetch(table, "GET", hand).status_code


@run_by(at_table)
async def test_a_hand_is_shown_and_played(table: RealTable) -> None:
    """Its token gives access, and no browser caches it."""
    hand, reported = await table.dealt_hand()
    answer = await send(table.app, "GET", hand, client="192.168.1.9")
    assert (200, "no-store") == (answer.status_code, answer.headers["cache-control"])
    assert reported == answer.json()
    body = json.dumps({"cards": held(reported)[:2]}).encode()
    assert 200 == (await send(table.app, "POST", hand, body=body)).status_code
    assert 409 == (await send(table.app, "POST", hand, body=body)).status_code


@run_by(at_table)
async def test_a_referees_muggins_needs_cards_that_bear_it_out(table: RealTable) -> None:
    """M1: without an open count muggins is refused, also with points given back."""
    await table.dealt_hand()
    muggins = {"from": 1, "by": 2, "points": 2, "where": "show", "kind": "missed"}
    for given_back in (True, False):
        body = json.dumps({"muggins": muggins | {"given_back": given_back}}).encode()
        answer = await send(table.app, "POST", "/api/command", body=body)
        assert (409, "M1") == (answer.status_code, answer.json()["rule"])


@run_by(at_table)
async def test_a_request_with_a_key_is_carried_out_once(table: RealTable) -> None:
    """It may be sent any number of times; a refused one may be tried again."""
    hand, reported = await table.dealt_hand()
    cards = held(reported)

    async def answers(*chosen: str) -> list[int]:
        body, headers = json.dumps({"cards": chosen}).encode(), {"Idempotency-Key": "k" * 22}
        sent = [send(table.app, "POST", hand, body=body, headers=headers) for _ in range(2)]
        return [(await answer).status_code for answer in sent]

    assert [409, 409] == await answers(*cards[:1])
    assert [200, 200] == await answers(*cards[:2])


@run_by(at_table)
async def test_a_hand_is_reported_in_the_language_of_each_device(table: RealTable) -> None:
    """Cut and last lines are in each device's language."""
    hand, _ = await table.dealt_hand()
    english, french = [
        (await send(table.app, "GET", hand, headers={"Accept-Language": language})).json()
        for language in ("en", "fr")
    ]
    assert "Amber cuts" in english["cut"]
    assert "Ambre coupe" in french["cut"]
    assert english["lines"]
    assert not set(english["lines"]) & set(french["lines"])


@run_by(pairing.at_table)
async def test_a_hand_that_was_looked_into_is_found_at_the_table_alone(at: pairing.Table) -> None:
    """A phone that runs the table hands out links, and then opens no hand."""
    joined = await at.join(right="run")
    cookie = joined.headers["set-cookie"].partition(";")[0]
    dealt = (await at.post("/api/cards", {"seats": ["person"] * 2}, cookie=cookie)).json()
    assert dealt == (await at.get("/api/cards", cookie=cookie)).json()
    token = dealt["hands"]["2"].partition("=")[2]
    assert 200 == (await at.get(f"/api/cards/{token}")).status_code
    left = (await at.get("/api/cards", cookie=cookie)).json()["hands"]
    assert {"1": dealt["hands"]["1"]} == left
    assert dealt == (await at.get("/api/cards", client="127.0.0.1")).json()


def test_there_is_no_hand_under_another_token() -> None:
    """Any other token gets 404 with one line."""
    with RealTable() as table:
        for token in ("x" * 22, "t", "%2e%2e", "%00", "end%20"):
            for method in ("GET", "POST"):
                path, body = f"/api/cards/{token}", b'{"cards": []}'
                assert 404 == refusal(table, method, path, body=body)


def test_what_is_no_such_request_is_refused_with_the_reason() -> None:
    """It gets 400 with one line, and nothing is done."""
    hand = f"/api/cards/{'t' * 22}"
    with RealTable() as table:
        for path, body in (
            ("/api/cards", b"{}"),
            ("/api/cards", b'{"seats": "person"}'),
            ("/api/cards", b'{"seats": [1, 2]}'),
            ("/api/cards", b'{"seats": ["person"], "speed": 2}'),
            ("/api/cards", b'{"seats": ["1", "2", "3", "4", "5", "6", "7"]}'),
            (hand, b'{"cards": "5H"}'),
            (hand, b'{"cards": ["1H"]}'),
            (hand, b'{"cards": ["5H", "5H"]}'),
            (hand, b'{"cards": [null]}'),
        ):
            assert 400 == refusal(table, "POST", path, body=body)
        assert table.services.cards.news() is None


@pytest.mark.parametrize("players", PLAYERS)
def test_no_face_is_shown_that_the_seat_cannot_know(players: int) -> None:
    """Only own, open and shown cards are named, by a second reckoning from the events."""
    dealt: dict[int, tuple[Card, ...]] = {}
    from_deck: set[Card] = set()
    for state, past in hands(players, 0):
        if not past:
            dealt = {hand.seat: hand.cards for hand in state.hands}
            from_deck = set(state.crib)
        known = in_the_open(past, dealt)
        if any(isinstance(event, Shown) and event.show.crib for event in past):
            known |= from_deck
        for opened in ((), *((hand.seat,) for hand in state.hands)):
            own = {card for seat in opened for card in dealt[seat]}
            assert faces(as_sent(cards_value(state, opened))) <= known | own


@pytest.mark.parametrize("players", PLAYERS)
def test_what_may_be_seen_is_shown(players: int) -> None:
    """Opened hands are shown whole, others as far as played, and all in the show."""
    phases = set()
    for state, past in hands(players, 5):
        phases.add(state.phase)
        seats = state.seating.seats
        reported = as_sent(cards_value(state, seats[:1]))
        by_seat = {hand["seat"]: hand for hand in reported["hands"]}
        assert list(seats) == list(by_seat)
        own = by_seat[seats[0]]["cards"]
        assert [str(card) for card in state.hand(seats[0]).cards] == [c["card"] for c in own]
        played = {(e.seat, str(e.card)) for e in past if isinstance(e, Played)}
        shown = {e.seat for e in past if isinstance(e, Shown) and not e.show.crib}
        for seat, hand in by_seat.items():
            named = {card["card"] for card in hand["cards"]} - {None}
            assert {card for who, card in played if who == seat} <= named
            if seat in shown and not hand["folded"]:
                assert 4 == len(named)
            lying = {card["card"] for card in hand["cards"] if card["played"]}
            in_play = state.phase is Phase.PLAY
            assert ({card for who, card in played if who == seat} if in_play else set()) == lying
    assert set(Phase) - {Phase.STARTER} <= phases


def test_an_unshown_crib_stays_hidden_when_the_game_is_won() -> None:
    """S1, G2: play stops at the win, and hidden cards stay hidden."""
    unshown = 0
    for seed in range(30):
        *_, (state, past) = hands(2, seed)
        if not any(isinstance(event, Shown) and event.show.crib for event in past):
            unshown += 1
            assert [None] * len(state.crib) == cards_value(state, ()).crib
        if 0 < unshown <= seed:
            break
    else:
        pytest.fail(f"of 30 games {unshown} ended with an unshown crib")


def test_the_hand_that_is_counted_is_named() -> None:
    """S1: the seat is named while its hand is counted, the crib at last, else nothing."""
    named = []
    for state, past in hands(2, 1):
        showing = cards_value(state, ()).showing
        last = next((event for event in reversed(past) if isinstance(event, Shown)), None)
        if state.phase is Phase.SHOW:
            assert last is not None
            assert ("crib" if last.show.crib else last.seat) == showing
            named.append(showing)
        else:
            assert showing is None
    assert {1, 2, "crib"} == set(named)


def test_a_hand_is_reported_with_its_count() -> None:
    """P1, P9: it has the pile since the count was 0, the count, and the turn."""
    for state, _ in hands(3, 2):
        reported = cards_value(state, ())
        assert (list(map(str, state.pile)), state.count) == (reported.pile, reported.count)
        assert (state.turn, state.seating.dealer, state.phase) == (
            reported.turn,
            reported.dealer,
            reported.phase,
        )
        assert (None if state.starter is None else str(state.starter)) == reported.starter


def test_a_hand_is_reported_part_by_part(table: RealTable) -> None:
    """Fifteens, pairs, runs, flush and nobs come in the order of a show, with their cards."""
    reported = count(table, hand="5H 5S 5D JC", starter="5C")
    assert 29 == reported["points"]
    kinds = [part["kind"] for part in reported["parts"]]
    assert [*["fifteen"] * 8, "double-pair-royal", "nobs"] == kinds


def test_a_crib_is_no_hand(table: RealTable) -> None:
    """Four of a suit count only in the hand (S3)."""
    hand = {"hand": "2H 4H 6H 8H", "starter": "KS"}
    points = [count(table, **hand, crib=crib)["points"] for crib in ("false", "true")]
    assert [4, 0] == points


def test_the_parts_add_up(table: RealTable) -> None:
    """They make the points of the obvious twin for any cards."""
    chance = random.Random(1)
    for n in range(40):
        five = [str(card) for card in chance.sample(DECK, 5)]
        crib = bool(n % 2)
        hand, starter = " ".join(five[:4]), five[4]
        reported = count(table, hand=hand, starter=starter, crib=str(crib).lower())
        assert sum(slow_show(five[:4], starter, crib=crib).values()) == reported["points"]
        assert reported["points"] == sum(part["points"] for part in reported["parts"])
        assert all(set(part["cards"]) <= set(five) for part in reported["parts"])


def test_what_is_no_hand_is_refused_with_the_reason(table: RealTable) -> None:
    """It gets 400 with one line."""
    for query in (
        {},
        {"hand": "5H 5S 5D JC"},
        {"hand": "5H 5S 5D", "starter": "5C"},
        {"hand": "5H 5S 5D JC 2C", "starter": "5C"},
        {"hand": "5H 5S 5D JC", "starter": "5H"},
        {"hand": "5H 5S 5D 5D", "starter": "5C"},
        {"hand": "5H 5S 5D 1C", "starter": "5C"},
        {"hand": "5H 5S 5D JC", "starter": "5C", "crib": "perhaps"},
        {"hand": "5H 5S 5D JC", "starter": "5C", "deck": "2"},
    ):
        assert 400 == refusal(table, "GET", f"/api/count?{urlencode(query)}")
