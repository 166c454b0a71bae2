"""The page that leads through the evening: each step with the files that it takes."""

from collections.abc import Mapping
from fnmatch import fnmatch
from html import escape
from typing import Final, NamedTuple

from companion.board.layout import Board
from companion.commentary import Phrases
from companion.errors import Text, joined

_CSS: Final = (
    "body{font:1.1rem/1.5 sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}"
    "img{max-width:100%;border:1px solid #888}li{margin:.3rem 0}"
)


class BuildStep(NamedTuple):
    """A step of the evening, and patterns of the files that it takes."""

    title: str
    text: str
    files: tuple[str, ...]


_STEPS: Final = (
    BuildStep(
        "Print",
        "Have the sheet printed at its true size, or print the pages at home at 100 % and glue "
        "them. Measure the rulers on the cover first: where they are not 100 mm, make the kit "
        "anew with --measured.",
        ("sheet.pdf", "print-shop.pdf", "sheet-*.pdf"),
    ),
    BuildStep(
        "Drill and cut",
        "Drill the base plate at the windows, and cut it and the diffuser plate along their "
        "outlines.",
        ("drill.*", "diffuser.*"),
    ),
    BuildStep(
        "Print the light grid",
        "Print the test tile first and hold it over a strip: LEDs in the middle of their cells, no "
        "light in the next one. Then the other tiles, in black; push their joints together from "
        "above, and glue them.",
        ("grid/*.stl",),
    ),
    BuildStep(
        "Buy, cut and solder",
        "Cut the strips, lay them under the windows in the order of the numbers, and solder: data "
        "along the arrows, a tap of both wires to each group. Nothing is switched on before the "
        "fuse is in.",
        ("parts.csv", "cuts.csv", "wiring.svg"),
    ),
    BuildStep(
        "Label and play",
        "Cut out the labels, print the rules card on both sides, install the program as the "
        "wiring guide says, and deal.",
        ("labels.pdf", "rules.pdf"),
    ),
    BuildStep("All files", "What each file is for.", ("kit.json",)),
)


def index_page(board: Board, purposes: Mapping[str, str], phrases: Phrases) -> str:
    """Return the page as HTML; `purposes` are those of all files by path, in its language."""
    title = escape(phrases.message(Text("{board}: the kit", board=board.title)))
    steps = "".join(_section(step, purposes, phrases) for step in _STEPS)
    return (
        f'<!doctype html>\n<html lang="{phrases.language}">'
        f'<head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_CSS}</style></head>'
        f"<body><h1>{title}</h1>{steps}</body></html>\n"
    )


def _section(step: BuildStep, purposes: Mapping[str, str], phrases: Phrases) -> str:
    paths = [path for path in purposes if any(fnmatch(path, name) for name in step.files)]
    links = "".join(_link(path, purposes[path], phrases) for path in paths)
    pictures = "".join(
        f'<p><img src="{escape(path)}" alt="{escape(path)}"></p>'
        for path in paths
        if path.endswith(".svg")
    )
    title, text = (escape(phrases.message(words)) for words in (step.title, step.text))
    return f"<h2>{title}</h2><p>{text}</p><ul>{links}</ul>{pictures}"


def _link(path: str, purpose: str, phrases: Phrases) -> str:
    link = f'<a href="{escape(path)}">{escape(path)}</a>'
    words = phrases.message(joined(": ", (link, escape(purpose))))
    return f"<li>{words}</li>"
