"""Finding and reading board files: all is checked here, once; a `Board` that exists is sound."""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from importlib import resources
from pathlib import Path

from companion.board.definition.parse import read_board
from companion.board.definition.toml_table import Table
from companion.board.layout import Board
from companion.errors import BoardFileError

_SHIPPED = resources.files("companion.board") / "boards"
_LARGEST_FILE = 1 << 18


def board_names() -> tuple[str, ...]:
    """The names of the shipped boards, in alphabetical order."""
    files = (file.name for file in _SHIPPED.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


def load_board(name_or_path: str) -> Board:
    """The board of a shipped name, or of the path of a `.toml` file.

    Raises:
        BoardFileError: with every fault, each a line with file, key and remedy.
    """
    return parse_board(board_source(name_or_path), file=_file(name_or_path))


def board_source(name_or_path: str) -> bytes:
    """The content of a shipped board's file, or of a file; what `parse_board` reads.

    Raises:
        BoardFileError: there is no such board, or it cannot be read.
    """
    if name_or_path in board_names():
        return (_SHIPPED / f"{name_or_path}.toml").read_bytes()
    if not name_or_path.endswith(".toml"):
        near = get_close_matches(name_or_path, board_names(), n=1)
        known = f'did you mean "{near[0]}"?' if near else f"there are {', '.join(board_names())}."
        text = f"{name_or_path!r}: no board of this name: {known} A file's name ends in .toml"
        raise BoardFileError((text,))
    return _content(name_or_path)


def check_board(name_or_path: str) -> tuple[str, ...]:
    """Every fault of a board, a line each; none if it is sound."""
    try:
        load_board(name_or_path)
    except BoardFileError as error:
        return error.faults
    return ()


def parse_board(content: bytes, *, file: str) -> Board:
    """The board that the bytes of a file describe; faults call it `file`.

    Raises:
        BoardFileError: with every fault, each a line with file, key and remedy.
    """
    head = Table(_values(content, file), where="", faults=[])
    board = read_board(head)
    if board is None:
        raise BoardFileError(tuple(f"{file}: {fault}" for fault in head.faults))
    return board


def _file(name_or_path: str) -> str:
    return f"{name_or_path}.toml" if name_or_path in board_names() else name_or_path


def _content(path: str) -> bytes:
    try:
        if not Path(path).is_file():
            raise BoardFileError((f"{path!r}: no such file: check the path",))
        with Path(path).open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except (OSError, UnicodeEncodeError) as error:
        reason = getattr(error, "strerror", None) or "no path at all"
        raise BoardFileError((f"{path!r}: cannot be read ({reason}): check the path",)) from error
    if len(content) > _LARGEST_FILE:
        raise BoardFileError((f"{path!r}: more than 256 kB are no board: check the path",))
    return content


def _values(content: bytes, file: str) -> dict[str, object]:
    try:
        return tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        fault = f"{file}: line {line}: not UTF-8: save the file in that encoding"
    except RecursionError:
        fault = f"{file}: lists within lists without end: a board needs two levels"
    except ValueError as error:
        fault = f"{file}: not TOML: {error}: mend it there"
    raise BoardFileError((fault,))
