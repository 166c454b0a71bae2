"""No phrase is unused: a wrapper notes the phrases that are used."""

import dataclasses
from collections.abc import Iterator, Mapping

from companion.board import Track, Zone, ZoneKind, load_board
from companion.commentary import Commentator, Phrases, load_phrases
from companion.commentary.rules_page import RulesPage
from companion.kit.cards import labels_pdf
from companion.kit.lights_card import draw_card
from companion.kit.wiring_drawing import buttons
from companion.lights import Palette
from companion.lights.scene.tour import SIGNS
from companion.rules.cards import Card, cards, count_show
from companion.rules.deal import Count, CountKind, Shown
from companion.rules.deal.declared_count import DeclaredCount
from companion.rules.game import (
    Claim,
    Command,
    Correct,
    Deal,
    HouseRules,
    MoveInBox,
    NewGame,
    Overpeg,
    Peg,
    Penalty,
    SetPegs,
    Setup,
    Undo,
)
from companion.rules.game.house_rules import PRESETS
from companion.rules.game.rulings import RULINGS
from companion.settings.load import load_settings
from companion.settings.sheet_style import outcome, sheet_style, sheet_words
from companion.table.panel.actions import HintKind
from companion.web.table.news import row_words
from tests.companion.commentary.tables import (
    EVERYWHERE,
    NAMES,
    Evening,
    counted,
    missed,
    overcalled,
    setup_of,
)
from tests.companion.rules.game.tables import NO_SKUNKS, Table, one_boxed
from tests.support.boards import small_zones

NOT_SAID = {"name", "voice"}
"""Phrases for the list of languages and for the speech program."""
RARE_HANDS = ("TH TS TD JC QC", "4H 4S 5D 6C 6H", "5H 5S 5D 5C JH", "2H 4H 6H 8H TH")


class Noting(dict[str, str]):
    """Phrases that note which of them were used."""

    def __init__(self, phrases: Mapping[str, str]) -> None:
        super().__init__(phrases)
        self.said: set[str] = set()

    def __getitem__(self, key: str) -> str:
        self.said.add(key)
        return super().__getitem__(key)


def rare_entries() -> Iterator[tuple[Table, Command]]:
    """Return the entries of rulings, and of rare events of an evening."""
    table = Table(stand={1: 70, 2: 50})
    for rule, ruling in RULINGS.items():
        yield table, Penalty(rule=rule, by=1, taken=(2,) if ruling.points else ())
    yield table, Overpeg(side=2, extra=2)
    yield table, Undo()
    for zone in small_zones():
        track = Track(finish=60, lanes=2, zones=(zone,))
        yield Table(track, stand={1: zone.box[0] - 1}), Peg(side=1, points=1)
    yield table, SetPegs(side=1, front=75, back=70)
    yield table, Peg(side=2, points=1)
    for points in (2, None):
        yield table, Correct(entry=len(table.history), points=points)
        yield table, Undo()
    yield table, Claim(rule="N13", by=1, game_to=2)
    yield table, NewGame()
    yield table, Undo()
    boxed = one_boxed()
    for command in (*(Deal(), MoveInBox(side=1)) * 3, Deal()):
        yield boxed, command
    yield counted(8), missed(2)
    yield counted(8), overcalled(2)
    for given_back in ("side", "nobody"):
        rules = dataclasses.replace(EVERYWHERE, given_back=given_back)
        yield counted(8, rules), missed(2, given_back=True)
    rules = dataclasses.replace(NO_SKUNKS, skunk_at="finish", finish="exact", match_to=1)
    for other in (50, 80):
        yield Table(rules=rules, stand={1: 360, 2: other}), Peg(side=1, points=3)
    yield Table(rules=rules, stand={1: 360, 2: 50}), Peg(side=1, points=6)
    yield Table(stand={1: 200, 2: 50}, landed=(1,)), Peg(side=1, points=2)
    yield Table(stand={1: 200, 2: 50}, landed=(1,)), Peg(side=1, points=8)
    for advance in ("box", "track"):
        table = one_boxed(dataclasses.replace(NO_SKUNKS, occupant_advance=advance))
        yield table, Peg(side=2, points=7)


def say_all(phrases: Phrases) -> None:
    """Describe evenings for any number of players, and everything that they lack."""
    for players in (2, 3, 4, 6):
        commentator = Commentator.speaking(phrases, {1: "Amber"}, setup_of(players))
        list(Evening(commentator, seed=1).reported())
    for table, command in rare_entries():
        commentator = Commentator.speaking(phrases, NAMES, table.state.setup)
        before = table.history.last
        entry = table.history.do(command)
        undone = before.events if before and isinstance(command, Undo) else ()
        commentator.entry(entry, undone=undone)
    for texts in RARE_HANDS:
        *hand, starter = cards(texts)
        shown = Shown(seat=1, show=count_show(hand, starter))
        points, why = shown.show.points, CountKind.HAND
        commentator.count(Count(seat=1, points=points, why=why), shown)
        for actual, parts in ((points, shown.show.parts), (points, ()), (0, ())):
            count = DeclaredCount(side=1, seat=1, why=why, actual=actual, declared=1)
            commentator.worth(count, parts)
    commentator.cut({1: Card.parse("4H"), 2: Card.parse("KS")})
    for kind in set(HintKind) - {HintKind.REFUSED}:
        commentator.hint(kind, side=1, button="deal")
    for sign in SIGNS:
        commentator.sign(sign)
    row_words(phrases)
    board = load_board("crib-wars")
    setup = Setup.make(board.track, HouseRules(), sides=(1, 2))
    draw_card(board, setup, Palette.make(), phrases)
    sheet_words(board, phrases)
    back = Zone(id="back", kind=ZoneKind.RED_SLIDE, box=(42,), to=(22,))
    outcome(back, phrases)
    settings = load_settings(None, {})
    panel, style = buttons(board, settings), sheet_style(board, settings)
    labels_pdf(board, settings, panel, paper="a4", style=style, phrases=phrases)
    say_rules(phrases)


def say_rules(phrases: Phrases) -> None:
    """Describe the rules of every preset for any number of players, and other rules."""
    rare = HouseRules(finish="exact", first_dealer="next", muggins="on")
    rare = dataclasses.replace(rare, back_lands=True, award_lands=False, occupant_advance="track")
    rare = dataclasses.replace(rare, muggins_counts="missed-and-overcalled", given_back="nobody")
    for rules in (*PRESETS.values(), rare):
        track = load_board(rules.board).track
        for players in (2, 3, 4, 6):
            sides = (1, 2, 3) if players % 3 == 0 else (1, 2)
            setup = Setup.make(track, rules, sides=sides, players=players)
            assert all(each.lines for each in RulesPage(phrases=phrases, setup=setup).sections())
    phrases.say("rules_page.title", board="Crib Wars")


def test_every_phrase_is_said() -> None:
    """Each key of a language's file is used at some table, with all its values."""
    noting = Noting(load_phrases("en").phrases)
    say_all(dataclasses.replace(load_phrases("en"), phrases=noting))
    assert set(load_phrases("en").phrases) - NOT_SAID == noting.said
