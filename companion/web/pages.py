"""The HTML pages, and endpoints that every caller may use, such as the drawing of the board.

A page is an HTML file, inserted into a frame that all pages share. The head of a page links every
module that its scripts import, directly or not, so that the browser loads all of them at once. For
example, `main.js` imports `table/page_store.js`, which imports `net/request.js`: both get a link.
"""

import asyncio
import re
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from starlette.responses import Response

from companion.board import draw
from companion.board.drawing.finish import SheetStyle
from companion.commentary import PageWords, languages, load_catalogue, load_phrases
from companion.commentary.rules_page import RulesPage
from companion.kit.lights_card import draw_card
from companion.lights import Palette
from companion.settings.sheet_style import sheet_words
from companion.web.http.addresses import qr_svg
from companion.web.http.endpoint import TOKEN, Call, Handler, Right, endpoint
from companion.web.http.security import refuse
from companion.web.server import STATIC
from companion.web.settings_service import SettingsService
from companion.web.table import table_responses
from companion.web.table.table_service import TableService

_SCRIPT: Final = re.compile(r'<script type="module" src="/static/([^"]+)">')
_IMPORT: Final = re.compile(r'^(?:import|export)\b[^;]*?"(\.[^"]+)";', re.MULTILINE)


def preloads(head: str) -> str:
    """Return links to all modules that the scripts of a page's head import, directly or not."""
    found: dict[Path, None] = {}
    waiting = [STATIC / name for name in _SCRIPT.findall(head)]
    for module in waiting:
        imported = _IMPORT.findall(module.read_text(encoding="utf-8"))
        new = {(module.parent / name).resolve(): None for name in imported}.keys() - found.keys()
        found |= dict.fromkeys(new)
        waiting += new
    names = sorted(module.relative_to(STATIC.resolve()).as_posix() for module in found)
    return "".join(f'<link rel="modulepreload" href="/static/{name}">\n' for name in names)


class Qr(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Query of `GET /qr.svg`; without `side` and `hand` the code opens the board's page."""

    side: Annotated[int, Meta(ge=1, le=3)] | None = None
    hand: Annotated[str, Meta(pattern=f"^{TOKEN}$")] | None = None


class HandQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Query of `GET /hand`."""

    hand: str = ""


HTML = "text/html; charset=utf-8"
SVG = "image/svg+xml"
NOTHING: Final = "There is nothing at this address. The board leads to all pages and hands."
"""Text of `nothing.html`."""


def _page(path: str, name: str, description: str) -> Handler:
    """Return the handler of an endpoint that sends a page."""

    async def send(_self: object, _call: Call[None]) -> Response:
        return document(name)

    send.__name__, send.__doc__ = "index" if path == "/" else f"{name}_page", description
    return endpoint("GET", path, Right.WATCH, media=HTML)(send)


def document(name: str) -> Response:
    """Return a page: the head and the body of its file, in the frame that all pages share."""
    return Response(_framed(name), media_type=HTML)


def no_page(language: str) -> Response:
    """Return the answer to an address without a page: a sentence, and a link to the board."""
    page = _framed("nothing").replace('lang="en"', f'lang="{language}"')
    for text in (NOTHING, "To the board"):
        page = page.replace(text, load_catalogue(language).pgettext("page", text))
    return Response(page, 404, media_type=HTML)


@cache
def _framed(name: str) -> str:
    head, body = (STATIC / f"{name}.html").read_text(encoding="utf-8").split("<body>\n")
    frame = (STATIC / "frame.html").read_text(encoding="utf-8")
    return frame.format(head=head, body=body, preloads=preloads(head))


class PageEndpoints:
    """Pages and endpoints that every caller may use.

    Args:
        setup: says if the program has taken back the last change of the settings.
        pages: returns the addresses at which phones reach the board's page.
    """

    def __init__(
        self, table: TableService, setup: SettingsService, *, pages: Callable[[], tuple[str, ...]]
    ) -> None:
        self._service, self._setup, self._pages = table, setup, pages
        self._drawn = lru_cache(maxsize=len(languages()))(self._draw_board)

    _index = _page("/", "index", "Return the page with the board and its lights.")
    _tv_page = _page("/tv", "tv", "Return the page with the board for a television.")
    _counter_page = _page("/counter", "counter", "Return the page of the hand counter.")
    _rules_page = _page("/rules", "rules", "Return the page of the rules in force.")
    _pad_page = _page("/pad", "pad", "Return the page with a side's buttons for a phone.")
    _records_page = _page(
        "/records", "records", "Return the page with the games so far and their statistics."
    )
    _setup_page = _page("/setup", "setup", "Return the page on which the board is set up.")

    @endpoint("GET", "/hand", Right.WATCH, media=HTML, error_statuses=(404,))
    async def _hand_page(self, call: Call[HandQuery]) -> Response:
        """Return the page for one hand of cards; 404 without a hand."""
        return document("hand") if call.body.hand else no_page(call.language)

    @endpoint("GET", "/board.svg", Right.WATCH, media=SVG)
    async def _board(self, call: Call[None]) -> Response:
        """Draw the printed board."""
        sides = self._service.facts["teams"].values()
        names, colours = (tuple(each[key] for each in sides) for key in ("name", "colour"))
        return Response(self._drawn(call.language, names, colours), media_type=SVG)

    def _draw_board(self, language: str, names: tuple[str, ...], colours: tuple[str, ...]) -> str:
        named = dict(enumerate(names, start=1))
        words = sheet_words(self._service.board, load_phrases(language), named)
        return draw(self._service.board, SheetStyle(colours=colours, words=words))

    @endpoint("GET", "/lights-and-buttons.svg", Right.WATCH, media=SVG)
    async def _card(self, call: Call[None]) -> Response:
        """Draw the card of lights and buttons, a page to print."""
        service = self._service
        setup, phrases = service.table.display.view.state.setup, load_phrases(call.language)
        colours = {side: facts["colour"] for side, facts in service.facts["teams"].items()}
        palette = Palette.make(colours)
        drawn = await asyncio.to_thread(draw_card, service.board, setup, palette, phrases)
        return Response(drawn, media_type=SVG)

    @endpoint("GET", "/qr.svg", Right.WATCH, media=SVG, error_statuses=(404,))
    async def _qr(self, call: Call[Qr]) -> Response:
        """Draw a QR code that opens the board's page, a side's pad, or a hand of cards."""
        pages = await asyncio.to_thread(self._pages)
        if not pages:
            remedy = 'phones cannot reach this machine: set [web] host = "0.0.0.0"'
            local_only = self._service.facts["local_only"]
            return refuse(404, remedy if local_only else "this machine is in no network yet")
        body = call.body
        path = f"pad?side={body.side}" if body.side else ""
        path = f"hand?hand={body.hand}" if body.hand else path
        return Response(qr_svg(pages[0] + path), media_type=SVG)

    @endpoint("GET", "/api/table", Right.WATCH)
    async def _table(self, _call: Call[None]) -> table_responses.TableResponse:
        """Return the state of the table."""
        return self._service.snapshot()

    @endpoint("GET", "/api/rules", Right.WATCH)
    async def _rules(self, call: Call[None]) -> table_responses.RulesText:
        """Return the rules in force in everyday words."""
        phrases, service = load_phrases(call.language), self._service
        page = RulesPage(phrases=phrases, setup=service.table.state.setup)
        title = phrases.say("rules_page.title", board=service.board.title)
        return table_responses.RulesText(title=title, sections=page.sections())

    @endpoint("GET", "/api/about", Right.WATCH)
    async def _about(self, call: Call[None]) -> table_responses.About:
        """Return facts about this run of the server, and the right of the caller."""
        facts, caller = self._service.facts_in(call.language), call.caller
        return {
            **facts,
            "press": caller.is_local and facts["mock"],
            "near": caller.is_local,
            "right": caller.right.word,
            "run": self._service.instance_id,
            "pages": list(await asyncio.to_thread(self._pages)),
            "reverted": self._setup.reverted,
        }

    @endpoint("GET", "/api/words", Right.WATCH)
    async def _words(self, call: Call[None]) -> PageWords:
        """Return the pages' texts in the caller's language; the keys are the English texts."""
        return load_catalogue(call.language).page_words()

    @endpoint("GET", "/api/advice", Right.WATCH)
    async def _advice(self, _call: Call[None]) -> dict[int, table_responses.Advice]:
        """Return, for each side, the outcome of each count that it could make next."""
        return self._service.advice()
