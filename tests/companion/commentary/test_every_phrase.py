"""Phrases: none is unused, counts have the worth of their words, and whole games are complete.

A wrapper notes the phrases that are used. An example in `examples.txt` is one of the rules' form,
but after the last command it has its line in English, then in French.
"""

import dataclasses
import re
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board import Track, Zone, ZoneKind, load_board
from companion.commentary import Commentator, Phrases, load_phrases
from companion.commentary.event_phrases import sum_phrase
from companion.commentary.rules_page import RulesPage
from companion.kit.cards import labels_pdf
from companion.kit.lights_card import draw_card
from companion.kit.wiring_drawing import buttons
from companion.lights import Palette
from companion.lights.scene.tour import SIGNS
from companion.rules.cards import DECK, Card, cards, count_play, count_show
from companion.rules.deal import (
    Count,
    CountKind,
    Discarded,
    Folded,
    Pegged,
    PhaseBegan,
    Played,
    Shown,
)
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
from companion.rules.game.commands import RULINGS
from companion.rules.game.house_rules import PRESETS
from companion.settings.load import load_settings
from companion.settings.sheet_style import outcome, sheet_style, sheet_words
from companion.table.panel.actions import HintKind
from companion.web.table.news import row_words
from tests.companion.commentary.read_back import plain_points_said, points_said
from tests.companion.commentary.tables import (
    EVERYWHERE,
    LANGUAGES,
    NAMES,
    Evening,
    Report,
    commentators,
    counted,
    missed,
    overcalled,
    reported,
    rows_of,
    setup_of,
    two,
)
from tests.companion.rules.game.tables import NO_SKUNKS, Table, one_boxed
from tests.companion.rules.game.test_examples import command_of, examples, numbers, table_of
from tests.support.boards import small_zones
from tests.support.program import ROOT

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


EXAMPLES = list(examples(ROOT / "tests/companion/commentary/examples.txt"))
SILENT = (Pegged, PhaseBegan, Folded)
"""Events that only keep the books, or that the count before them tells."""
LONGEST = 320
"""Characters of a line that a caption can show in a few rows."""


def evening(language: str, players: int, seed: int) -> list[Report]:
    """Return all lines of a game."""
    commentator = Commentator.make(language, NAMES, setup_of(players))
    return list(Evening(commentator, seed=seed).reported())


def reported_by_a_count(report: Report) -> bool:
    """Return True if a card or a hand makes points, so that its count has the line."""
    match report.about:
        case Played(parts=parts):
            return bool(parts)
        case Shown(show=show):
            return show.points > 0
    return False


def test_every_phrase_is_said() -> None:
    """Each key of a language's file is used at some table, with all its values."""
    noting = Noting(load_phrases("en").phrases)
    say_all(dataclasses.replace(load_phrases("en"), phrases=noting))
    assert set(load_phrases("en").phrases) - NOT_SAID == noting.said


@pytest.mark.parametrize("number", sorted({n for rule, _ in EXAMPLES for n in numbers(rule)}))
def test_rule(number: str) -> None:
    """The last command of each example of a rule has these words in each language."""
    for rule, (start, *commands, last, english, french) in EXAMPLES:
        if number in numbers(rule):
            table = table_of(start)
            for command in commands:
                table.do(command_of(command))
            assert [english, french] == reported(table, command_of(last)), rule


@pytest.mark.parametrize(
    ("table", "points"),
    [
        (two(130, landed=True), 4),
        (two(200, landed=True), 8),
        (Table(rules=HouseRules(finish="exact", skunk_at="off"), stand={1: 360, 2: 50}), 6),
    ],
)
def test_the_way_is_named_beside_the_cards_reason(table: Table, points: int) -> None:
    """Z3, Z4, G2: a hand down a path, off it, or too long is told as a count by hand is."""
    entry = table.history.decide(Peg(side=1, points=points))
    count = Count(seat=1, points=points, why=CountKind.HAND)
    for each in commentators(table.state.setup):
        assert each.entry(entry) == each.count(count, None, entry.events)


@pytest.mark.parametrize(
    ("table", "points", "line"),
    [
        (two(70), 6, ""),
        (
            two(20, 50),
            2,
            "Amber folds in the penalty box on 22, and goes back to 2; White is awarded",
        ),
        (two(360, 80, rules=HouseRules(skunk_at="finish")), 3, "Amber wins for two games; White"),
    ],
)
def test_highlights(table: Table, points: int, line: str) -> None:
    """Landings, skunks and wins are short, without the count; a plain count is empty."""
    entry = table.history.decide(Peg(side=1, points=points))
    said = commentators(table.state.setup)[0].highlights(entry)
    assert said.startswith(line)
    assert bool(line) == bool(said)


def test_every_penalty_has_words_of_its_own() -> None:
    """N1 to N17: each ruling has its own words for the offender."""
    each = [reported(two(70), Penalty(rule=rule, by=1, taken=())) for rule in RULINGS]
    for name, lines in zip(("Amber ", "Ambre "), zip(*each, strict=True), strict=True):
        assert len(RULINGS) == len(set(lines))
        assert all(line.startswith(name) for line in lines)


def test_undo() -> None:
    """An undo names what it takes back, if that is known."""
    table = two(70)
    done = table.history.do(Peg(side=1, points=6))
    undone = table.history.do(Undo())
    each = commentators(table.state.setup)
    assert ["The last command is taken back.", "La dernière commande est reprise."] == [
        one.entry(undone) for one in each
    ]
    assert [
        "Taken back: Amber counts six, to 76.",
        "Repris\u00a0: Ambre compte six, jusqu'à 76.",
    ] == [one.entry(undone, undone=done.events) for one in each]


HANDS = """
2H 4S TD JC 5C
| fifteen-two, fifteen-four and nobs is five
| quinze-deux, quinze-quatre, et le valet de la couleur qui fait cinq
6H 9S 6D KC AC
| fifteen-two, fifteen-four and a pair is six
| quinze-deux, quinze-quatre, et une paire qui fait six
3H 3S 4D 4C KC
| a pair for two and another pair is four
| une paire pour deux, et une autre paire qui fait quatre
8H 8S 8D 3C 2C
| a pair royal for six
| un brelan pour six
TH JH QH KH KS
| a double run of four for ten and a flush of four is fourteen
| une double suite de quatre pour dix, et une couleur de quatre qui fait quatorze
TH TS TD JC QC
| a triple run of three for fifteen and nobs is sixteen
| une triple suite de trois pour quinze, et le valet de la couleur qui fait seize
4H 4S 5D 6C 6H
| fifteen-two, fifteen-four, fifteen-six, fifteen-eight and a double double run of three is
  twenty-four
| quinze-deux, quinze-quatre, quinze-six, quinze-huit, et une quadruple suite de trois qui fait
  vingt-quatre
5H 5S 5D TC TH
| fifteen-two, fifteen-four, fifteen-six, fifteen-eight, fifteen-ten, fifteen-twelve,
  fifteen-fourteen, a pair royal is twenty and a pair is twenty-two
| quinze-deux, quinze-quatre, quinze-six, quinze-huit, quinze-dix, quinze-douze, quinze-quatorze, un
  brelan qui fait vingt, et une paire qui fait vingt-deux
AH 2S 3D 9C 9H
| fifteen-two, fifteen-four, a pair is six and a run of three is nine
| quinze-deux, quinze-quatre, une paire qui fait six, et une suite de trois qui fait neuf
"""
"""Each hand and its starter, and its words in English and in French."""


@pytest.mark.parametrize(("five", "english", "french"), rows_of(HANDS))
def test_hands(five: str, english: str, french: str) -> None:
    """S2 to S4: fifteens, pairs, runs with their pairs, flush and nobs have phrases."""
    *hand, starter = cards(five)
    parts = count_show(hand, starter).parts
    said = [sum_phrase(parts, load_phrases(language)) for language in LANGUAGES]
    assert [english, french] == said


@pytest.mark.parametrize("language", LANGUAGES)
@given(five=st.permutations(DECK).map(lambda deck: deck[:5]), crib=st.booleans())
def test_any_hand_adds_up(language: str, five: list[Card], *, crib: bool) -> None:
    """S2 to S5: each total is right, and the last is the hand's worth."""
    show = count_show(five[:4], five[4], crib=crib)
    if show.points:
        reported = sum_phrase(show.parts, load_phrases(language))
        assert show.points == points_said(f"{reported}.", language)


@pytest.mark.parametrize("language", LANGUAGES)
@given(
    pile=st.lists(st.sampled_from(DECK), min_size=1, max_size=7, unique=True).filter(
        lambda pile: sum(card.value for card in pile) <= 31
    )
)
def test_any_played_card_adds_up(language: str, pile: list[Card]) -> None:
    """P5 to P7: the same holds for a played card, also for the two of a 31."""
    play = count_play(pile)
    if play.points:
        reported = sum_phrase(play.parts, load_phrases(language))
        assert play.points == points_said(f"{reported}.", language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_every_line_is_whole(language: str, players: int) -> None:
    """A line is one sentence with its places filled; each event has one."""
    for report in evening(language, players, seed=players):
        if isinstance(report.about, SILENT) or reported_by_a_count(report):
            assert "" == report.line
            continue
        assert report.line.endswith(".")
        assert report.line[0] == report.line[0].upper()
        assert not re.search(r"[{}\n]|None|  |\.\.", report.line)
        assert len(report.line) <= LONGEST


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", range(3))
def test_the_points_said_are_the_points_counted(language: str, seed: int) -> None:
    """S2 to S5, P5 to P7: the sum of a line, read back, is what was pegged."""
    for report in evening(language, 3, seed=seed):
        if isinstance(report.about, Count):
            adds_up = report.about.why in (CountKind.PLAY, CountKind.HAND, CountKind.CRIB)
            read = points_said if adds_up else plain_points_said
            assert report.points == read(report.line, language)


def test_what_is_thrown_stays_hidden() -> None:
    """T3: only the number of cards face down is named."""
    lines = {
        report.line
        for players in (2, 3, 6)
        for report in evening("en", players, seed=1)
        if isinstance(report.about, Discarded)
    }
    assert {
        "Amber throws two cards into the crib.",
        "White throws two cards into the crib.",
        "Amber throws a card into the crib.",
        "Amber, seat four, puts a card under the deck.",
    } <= lines
    assert not any(" of " in line for line in lines)
