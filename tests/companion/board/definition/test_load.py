"""Board files are found by name or path and read whole; damaged ones report their faults."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.board import Board, board_names, check_board, load_board, parse_board
from companion.errors import BoardFileError
from companion.rules.game.house_rules import PRESETS

SHIPPED = Path(__file__).parents[4] / "companion" / "board" / "boards"
TEXT = (SHIPPED / "crib-wars.toml").read_text()


def faults_of(text: str | bytes) -> tuple[str, ...]:
    """Return the faults of a file with this content; none if it loads."""
    content = text.encode() if isinstance(text, str) else text
    try:
        parse_board(content, file="mine.toml")
    except BoardFileError as error:
        return tuple(map(str, error.faults))
    return ()


@pytest.mark.parametrize("name", board_names())
def test_shipped_boards_are_sound(name: str) -> None:
    """Every shipped board is valid and has the name of its file."""
    assert () == check_board(name)
    assert name == load_board(name).name


def test_names() -> None:
    """The boards that the rules' presets name are shipped."""
    assert ("classic", "classic-61", "crib-wars") == board_names()
    assert {rules.board for rules in PRESETS.values()} == {*board_names()}


def test_a_path_loads_as_well(tmp_path: Path) -> None:
    """A board file anywhere loads by its path into the same board."""
    path = tmp_path / "mine.toml"
    path.write_text(TEXT)
    assert load_board("crib-wars") == load_board(str(path))


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        ("'crib-war': no board of this name; did you mean 'crib-wars'", "crib-war"),
        ("'': no board of this name; there are classic, classic-61, crib-wars (a", ""),
        ("no such file", "nowhere/mine.toml"),
        ("no such file", "nul\0.toml"),
    ],
)
def test_names_of_nothing(expected: str, name: str) -> None:
    """An unknown name or path gives an error with the known ones."""
    assert expected in str(check_board(name)[0])


def test_files_that_are_no_text(tmp_path: Path) -> None:
    """A folder, a huge file and another encoding have their own errors."""
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "huge.toml").write_bytes(b"#" * 300_000)
    assert "no such file" == str(check_board(str(tmp_path / "folder.toml"))[0].problem)
    assert "more than 256 kB" in str(check_board(str(tmp_path / "huge.toml"))[0].problem)
    assert ("mine.toml: line 2 is not UTF-8; save the file in that encoding",) == faults_of(
        b"# one\n# \xff"
    )


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("line 2", 'name = "x"\ntitle = \n'),
        ("lists or tables that are nested too deeply", f"x = {'[' * 5000}"),
        ("not TOML", f"finish = {'9' * 5000}"),
    ],
)
def test_no_toml(expected: str, text: str) -> None:
    """A file that is no TOML is one fault, with its line if that is known."""
    (fault,) = faults_of(text)
    assert fault.startswith("mine.toml: ")
    assert expected in fault


LINES = TEXT.splitlines()
SETTINGS = [
    number
    for number, line in enumerate(LINES)
    if " = " in line and line[0] != "#" and not line.endswith("[")
]
VALUES = st.one_of(
    st.integers(-(10**12), 10**12).map(str),
    st.integers(-2, 400).map(str),
    st.floats().map(repr),
    st.sampled_from(("true", "[]", "[1, nan]", "[[1], 2]", "{}", "{a = 1}", "1979-05-27", '""')),
    st.text(st.characters(min_codepoint=32, exclude_characters='"\\', exclude_categories=["C"]))
    .map(lambda text: f'"{text}"'),
)  # fmt: skip


@settings(deadline=None)
@given(st.sampled_from(SETTINGS), st.one_of(st.none(), VALUES))
@example(SETTINGS[2], "1000000000")
@example(SETTINGS[3], "2")
def test_damage_is_reported(number: int, value: str | None) -> None:
    """A file with a missing or changed setting loads, or reports file and key."""
    key = LINES[number].partition(" ")[0]
    damaged = [*LINES]
    damaged[number] = "" if value is None else f"{key} = {value}"
    headings = [line.strip("[]") for line in LINES[:number] if line.startswith("[")]
    faults = faults_of("\n".join(damaged))
    named = (key, headings[-1] if headings else key)
    assert not faults or any(name in fault for fault in faults for name in named)
    assert all(fault.startswith("mine.toml: ") and "\n" not in fault for fault in faults)


@settings(deadline=None)
@given(st.integers(0, len(TEXT)), st.integers(0, 200), st.text(max_size=20))
def test_torn_files_are_reported(start: int, length: int, instead: str) -> None:
    """A file with any part overwritten loads, or reports its faults."""
    content = TEXT[:start] + instead + TEXT[start + length :]
    faults = faults_of(content.encode("utf-8", "surrogatepass"))
    assert all(fault.startswith("mine.toml: ") for fault in faults)


def test_a_sound_file_is_a_board() -> None:
    """A board that loads has every hole in every lane."""
    board = parse_board(TEXT.encode(), file="mine.toml")
    assert isinstance(board, Board)
    assert 3 * (363 + 36) == sum(len(row.holes) for row in board.rows)
