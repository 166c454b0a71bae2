"""Labels for the panel, and the rules card: two sides, with the house rules in force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, cast

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from companion.board.layout import Board
from companion.board.track import Zone, ZoneKind
from companion.kit.document import new_document
from companion.kit.panel import Button
from companion.kit.tiling import PAPERS_MM
from companion.lights import Palette
from companion.rules.game.house_rules import HouseRules
from companion.settings.load import Settings

_FONT, _BOLD = "Helvetica", "Helvetica-Bold"
_CAP_MM, _CAP_STEP_MM = 16.0, 22.0
_LANE_LABEL_MM = (70.0, 12.0)
_EDGE_MM = 15.0
_CAPTIONS: Final = {
    "plus_one": "+1",
    "plus_five": "+5",
    "enter": "Enter",
    "undo": "Undo",
    "deal": "Deal",
    "mode": "Mode",
}
_CARD_MM: Final = (148.0, 210.0)
_CARD_EDGE_MM = 12.0
_COUNTING: Final = (
    "Play: 15 for 2; pair 2, three 6, four 12; run of three or more 1 a card; 31 for 2; go 1.",
    "Show: each fifteen 2; each pair 2; each run 1 a card; flush 4, with the starter 5; nobs 1.",
    "All points of a card are one count, and so are those of a hand and of a crib.",
    "The point for a go or the last card is a count by itself. Each count lands once.",
)
_TAKING: Final = {
    "every-other-side": "every other side",
    "opponents": "the opponents",
    "nobody": "nobody",
}


# Labels


def labels_pdf(board: Board, settings: Settings, buttons: Sequence[Button], paper: str) -> bytes:
    """Return caps for the buttons, to be cut out, and a label for each lane."""
    page = PAPERS_MM[paper]
    canvas, written = new_document(f"{board.title}: labels", page)
    sides: dict[str, list[str]] = {}
    for button in buttons:
        action = str(settings.tables["panel.actions"].get(button.name, button.name))
        side, _, kind = action.rpartition(".")
        sides.setdefault(side, []).append(_CAPTIONS.get(kind, kind))
    top = page[1] - _EDGE_MM - _CAP_MM
    for side, captions in sides.items():
        for place, caption in enumerate(captions):
            _draw_cap(canvas, caption, _colour(settings, side), place, top)
        top -= _CAP_STEP_MM
    for lane in range(1, board.track.lanes + 1):
        _draw_lane_label(canvas, settings, lane, top)
        top -= _LANE_LABEL_MM[1] + 4
    canvas.showPage()
    canvas.save()
    return written.getvalue()


def _draw_cap(canvas: Canvas, caption: str, colour: str, place: int, bottom: float) -> None:
    middle = (_EDGE_MM + _CAP_MM / 2 + place * _CAP_STEP_MM, bottom + _CAP_MM / 2)
    canvas.setLineWidth(0.1 * mm)
    canvas.setFillColor(HexColor(colour))
    canvas.circle(middle[0] * mm, middle[1] * mm, _CAP_MM / 2 * mm, stroke=1, fill=1)
    canvas.setFillGray(0)
    canvas.setFont(_BOLD, 4.5 * mm)
    canvas.drawCentredString(middle[0] * mm, (middle[1] - 1.6) * mm, caption)


def _draw_lane_label(canvas: Canvas, settings: Settings, lane: int, bottom: float) -> None:
    width, height = _LANE_LABEL_MM
    canvas.setFillColor(HexColor(_colour(settings, str(lane))))
    canvas.rect(_EDGE_MM * mm, bottom * mm, width * mm, height * mm, stroke=1, fill=1)
    canvas.setFillGray(0)
    name = str(settings.tables["names"].get(str(lane), f"Lane {lane}"))
    canvas.setFont(_BOLD, 5 * mm)
    canvas.drawCentredString((_EDGE_MM + width / 2) * mm, (bottom + 4) * mm, name)


def _colour(settings: Settings, side: str) -> str:
    """Return a side's colour, white for the table's buttons."""
    if not side.isdecimal():
        return "#ffffff"
    colours = cast("dict[str, str]", settings.tables["lights.colours"])
    return dict(Palette.make(colours).teams)[int(side)]


# The rules card


def rules_pdf(board: Board, rules: HouseRules) -> bytes:
    """Return the card: the board on its front, counting and the house rules on its back."""
    canvas, written = new_document(f"{board.title}: rules", _CARD_MM)
    _draw_side(canvas, board.title, [*_zone_lines(board), *_game_lines(board, rules)])
    _draw_side(canvas, "Counting and house rules", [*_COUNTING, *_house_lines(board, rules)])
    canvas.save()
    return written.getvalue()


def _draw_side(canvas: Canvas, title: str, paragraphs: Sequence[str]) -> None:
    """Draw a side of the card in the largest type that fits."""
    width, height = (side - 2 * _CARD_EDGE_MM for side in _CARD_MM)
    for size in (4.2, 3.6, 3.0, 2.6, 2.2):
        lines = [simpleSplit(text, _FONT, size * mm, width * mm) for text in paragraphs]
        if sum(1.3 * len(part) + 0.6 for part in lines) * size <= height - 12:
            break
    top = _CARD_MM[1] - _CARD_EDGE_MM - 6
    canvas.setFont(_BOLD, 6 * mm)
    canvas.drawString(_CARD_EDGE_MM * mm, top * mm, title)
    top -= 4
    canvas.setFont(_FONT, size * mm)
    for part in lines:
        for line in part:
            top -= 1.3 * size
            canvas.drawString(_CARD_EDGE_MM * mm, top * mm, line)
        top -= 0.6 * size
    canvas.showPage()


def _zone_lines(board: Board) -> Iterator[str]:
    """Yield a paragraph for each zone: where it is and what a count that ends there brings."""
    for zone in board.track.zones:
        yield f"{zone.box[0]} to {zone.box[-1]}: {_consequence(zone)}"


def _consequence(zone: Zone) -> str:
    if zone.kind is ZoneKind.RED_SLIDE:
        by = zone.to[0] - zone.box[0]
        way = "forward" if by > 0 else "back"
        return f"red slide. Move {abs(by)} holes {way}, to {zone.to[0]} to {zone.to[-1]}."
    if zone.kind is ZoneKind.PENALTY_BOX:
        return "penalty box. Fold hand and crib; see below."
    colour = "time trap. Your next count takes the blue path back"
    if zone.kind is ZoneKind.GREEN_ADVANCE:
        colour = "advance. Your next count takes the green path on"
    return f"{colour}, {len(zone.path)} holes, then {zone.rejoin}."


def _game_lines(board: Board, rules: HouseRules) -> Iterator[str]:
    if any(zone.kind is ZoneKind.PENALTY_BOX for zone in board.track.zones):
        yield (
            "Penalty box, two sides: 20 holes back, and the other side goes 20 on, then pegs and "
            "counts the hand alone."
        )
        yield (
            "Penalty box, three sides: sit out three hands. If a side sits already, the newcomer "
            "goes 20 back, the third side 20 on, and the one who sits has a hand less to sit."
        )
    finish = rules.game_to or board.track.finish
    exact = "only an exact count reaches it" if rules.finish == "exact" else "a count may be longer"
    yield f"The first side at hole {finish} wins: {exact}."


def _house_lines(board: Board, rules: HouseRules) -> Iterator[str]:
    """Yield a sentence for each house rule that changes what players do."""
    lines = (("skunk", rules.skunk, 2), ("double skunk", rules.double_skunk, 4))
    skunks = [
        f"{name} {line} is worth {games} games"
        for name, line, games in lines
        if line is not None and rules.skunk_at != "off"
    ]
    if skunks:
        yield f"Skunks, read at {rules.skunk_at}: {'; '.join(skunks)}."
    where = {"off": "not played", "alley": "in holes 1 to 121", "on": "everywhere"}
    overcalled = "" if rules.muggins_counts == "missed" else ", overcalled points too"
    yield f"Muggins: {where[rules.muggins]}{overcalled}."
    ban = f", nothing on the last {rules.heels_ban} holes before the finish"
    yield f"Heels: 2 for the dealer{ban * bool(rules.heels_ban)}."
    after = "after" if rules.starter == "after-discards" else "before"
    yield f"The starter is cut {after} the discards."
    yield f"Two points for a fault go to {_TAKING[rules.penalty_to]}."
    first = "the losing side" if rules.first_dealer == "loser" else "the next seat"
    yield f"The next game is dealt first by {first}."
    if rules.match_to is not None:
        yield f"The match goes to {rules.match_to} games."
    if any(zone.kind is ZoneKind.PENALTY_BOX for zone in board.track.zones):
        back = "counts as a" if rules.back_lands else "is no"
        award = "acts" if rules.award_lands else "does not act"
        yield f"20 back {back} landing. A red or green hole at the end of 20 on {award}."
        if rules.occupant_advance == "track":
            yield "The side that sits does not sit a hand less: released, it goes one hole on."
