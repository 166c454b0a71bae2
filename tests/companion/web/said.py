"""The modules that the pages load, and the pages' own words, from these and the documents."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser

from companion.web.server import STATIC

VENDOR = STATIC / "vendor"
OWN_SCRIPTS = [file for file in sorted(STATIC.rglob("*.js")) if VENDOR not in file.parents]
TEXT = r'"(?:[^"\\\n]|\\.)*"'
COMMENT = re.compile(r"^\s*(?:/\*\*|\*|//).*$", re.MULTILINE)
CALL = re.compile(r"(?<![\w.])(?<!function )(say|many|sayings)\(")
SHOWN = re.compile(r"\b(make|write|setAttribute|new Option)\(")
MARKUP = re.compile(r"\bhtml`")
UNSPOKEN = ("script", "style", "noscript", "code")
SPOKEN = ("aria-label", "placeholder", "alt", "title")
VOID = ("meta", "link", "img", "input")


class NoPhraseError(ValueError):
    """Text to be translated that is not written out where it is said."""


def said(source: str) -> list[tuple[str, ...]]:
    """The phrases that a module says, each as it is or with its plural.

    Raises:
        NoPhraseError: a phrase is not written out in the call, where nobody could find it.
    """
    source = _joined(COMMENT.sub("", source))
    found: list[tuple[str, ...]] = []
    for call in CALL.finditer(source):
        arguments = [part.strip() for part in _arguments(source, call.end())]
        if call[1] == "sayings":
            found += [(value,) for value in _values(arguments[0])]
        else:
            wanted = arguments[1:3] if call[1] == "many" else arguments[:1]
            found.append(tuple(map(_plain, wanted)))
    return found


def unsaid(source: str) -> set[str]:
    """The texts that a module shows as they are, in whatever language the page is.

    It knows the calls with which the modules show text, and which of their arguments that is.
    """
    source = _joined(COMMENT.sub("", source))
    shown = {text for begun in MARKUP.finditer(source) for text in _bare(source, begun.end())}
    for call in SHOWN.finditer(source):
        arguments = [part.strip() for part in _arguments(source, call.end())]
        at = 2 if call[1] in ("make", "write") else 0
        if call[1] == "setAttribute":
            at = 1 if arguments[0].strip('"') in SPOKEN else len(arguments)
        shown |= set(_texts("".join(arguments[at : at + 1])))
    return shown


def written(document: str) -> set[str]:
    """Return the phrases in a page's document: its texts, and the spoken attributes."""
    reader = _Document()
    reader.feed(document)
    return {phrase for phrase in reader.phrases if re.search(r"[^\W\d_]", phrase)}


class _Document(HTMLParser):
    """Parser that collects `phrases`."""

    def __init__(self) -> None:
        super().__init__()
        self.phrases: set[str] = set()
        self._within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the spoken attributes of an element."""
        if tag not in VOID:
            self._within.append(tag)
        self.phrases |= {
            " ".join(value.split()) for name, value in attrs if name in SPOKEN and value
        }

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        if tag not in VOID:
            self._within.pop()

    def handle_data(self, data: str) -> None:
        """Take a text, unless nobody reads it."""
        if not set(UNSPOKEN) & set(self._within):
            self.phrases.add(" ".join(data.split()))


def _texts(expression: str) -> Iterator[str]:
    """Return the texts with letters in an expression, except those compared or translated."""
    left = re.sub(rf"===? {TEXT}", "", _without_calls(expression))
    for text in re.findall(rf"{TEXT}|`[^`]*`", left):
        fixed = re.sub(r"\$\{[^{}]*\}", "", text[1:-1])
        if re.search(r"[A-Za-z]{2}", fixed):
            yield fixed


def _bare(source: str, at: int) -> Iterator[str]:
    """Return the texts of the markup that begins here, and of the expressions in it."""
    markup = ""
    while source[at] != "`":
        if source.startswith("${", at):
            end = _end(source, at + 2)
            if markup.rfind("<") <= markup.rfind(">"):
                yield from _texts(MARKUP.split(source[at + 2 : end])[0])
            markup += "part" if markup.endswith(("<", "</")) else '""' * markup.endswith("=")
            at = end + 1
        else:
            markup += source[at]
            at += 1
    yield from written(markup)


def _end(source: str, at: int) -> int:
    """Return the place of the brace that ends an expression in markup."""
    depth = 0
    while depth or source[at] != "}":
        if found := re.compile(TEXT).match(source, at):
            at = found.end()
        elif source[at] == "`":
            at = _behind(source, at + 1)
        else:
            depth += (source[at] == "{") - (source[at] == "}")
            at += 1
    return at


def _behind(source: str, at: int) -> int:
    """Return the place behind the template whose text begins here."""
    while source[at] != "`":
        at = _end(source, at + 2) + 1 if source.startswith("${", at) else at + 1
    return at + 1


def _joined(source: str) -> str:
    return re.sub(r'"\s*\+\s*"', "", source)


def _arguments(source: str, at: int) -> Iterator[str]:
    """Return the arguments, as written, of a call whose bracket opens before `at`."""
    text = re.compile(rf"{TEXT}|`[^`]*`")
    depth, begun = 0, at
    while depth >= 0:
        if found := text.match(source, at):
            at = found.end()
            continue
        sign = source[at]
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0 or (sign == "," and depth == 0):
            yield source[begun:at]
            begun = at + 1
        at += 1


def _without_calls(source: str) -> str:
    """Return the rest of an expression without its translated texts."""
    while call := CALL.search(source):
        end = call.end() + len(",".join(_arguments(source + ")", call.end()))) + 1
        source = source[: call.start()] + source[end:]
    return source


def _values(table: str) -> Iterator[str]:
    """Return the values of a flat table, which must be texts."""
    for pair in _arguments(table + "}", 1):
        if pair.strip(" \n}"):
            found = re.fullmatch(rf"\s*(?:{TEXT}|\w+):\s*({TEXT})\s*", pair)
            if found is None:
                raise NoPhraseError(pair)
            yield _plain(found[1])


def _plain(text: str) -> str:
    """Return the value of a JavaScript string."""
    if not re.fullmatch(TEXT, text):
        raise NoPhraseError(text)
    return str(json.loads(text))
