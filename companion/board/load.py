"""Loader of board files. A file is checked when it is read, so that every `Board` is valid."""

from importlib import resources
from pathlib import Path

from companion.board.layout import Board
from companion.board.parse import read_board
from companion.errors import BoardFileError, Fault, Text, suggest
from companion.toml import TableReader, decode, parse

_SHIPPED = resources.files("companion.board") / "boards"
_LARGEST_FILE = 1 << 18


def board_names() -> tuple[str, ...]:
    """Return the names of the shipped boards, in alphabetical order."""
    files = (file.name for file in _SHIPPED.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


def load_board(name_or_path: str) -> Board:
    """Load a shipped board by its name, or another board by the path of its `.toml` file.

    Raises:
        BoardFileError: the board has faults; the error lists all of them.
    """
    return parse_board(board_source(name_or_path), file=_file(name_or_path))


def board_source(name_or_path: str) -> bytes:
    """Return the bytes of a board's file, by the name of a shipped board or by a path.

    Raises:
        BoardFileError: there is no such board, or it cannot be read.
    """
    if name_or_path in board_names():
        return (_SHIPPED / f"{name_or_path}.toml").read_bytes()
    if not name_or_path.endswith(".toml"):
        remedy = Text(
            "{remedy} (a file's name ends in .toml)", remedy=suggest(name_or_path, board_names())
        )
        raise _refusal(name_or_path, Text("no board of this name"), remedy)
    return _content(name_or_path)


def check_board(name_or_path: str) -> tuple[Fault, ...]:
    """Return every fault of a board, which is given by name or path as in `load_board`."""
    try:
        load_board(name_or_path)
    except BoardFileError as error:
        return error.faults
    return ()


def parse_board(content: bytes, *, file: str) -> Board:
    """Parse the bytes of a board file; `file` is the name that faults show.

    Raises:
        BoardFileError: the board has faults; the error lists all of them.
    """
    faults: list[Fault] = []
    values = parse(decode(content, file, faults), file, faults)
    board = None if faults else read_board(TableReader(values, file=file, where="", faults=faults))
    if board is None:
        raise BoardFileError(*faults)
    return board


def _file(name_or_path: str) -> str:
    return f"{name_or_path}.toml" if name_or_path in board_names() else name_or_path


def _content(path: str) -> bytes:
    try:
        if not Path(path).is_file():
            raise _refusal(path, Text("no such file"), Text("check the path"))
        with Path(path).open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except (OSError, UnicodeEncodeError) as error:
        reason = getattr(error, "strerror", None) or Text("not a possible path")
        raise _refusal(
            path, Text("cannot be read ({reason})", reason=reason), Text("check the path")
        ) from error
    if len(content) > _LARGEST_FILE:
        raise _refusal(path, Text("more than 256 kB: not a board file"), Text("check the path"))
    return content


def _refusal(path: str, problem: Text, remedy: Text) -> BoardFileError:
    return BoardFileError(Fault(file=repr(path), problem=problem, remedy=remedy))
