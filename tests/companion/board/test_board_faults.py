"""Board files are read whole; every fault of one is a line with file, key and remedy."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.board import Board, board_names, check_board, load_board, parse_board
from companion.errors import BoardFileError
from companion.rules.game.house_rules import PRESETS
from tests.support.program import ROOT

SHIPPED = ROOT / "companion" / "board" / "boards"
TEXT = (SHIPPED / "crib-wars.toml").read_text()


def faults_of(text: str | bytes) -> tuple[str, ...]:
    """Return the faults of a file with this content; none if it loads."""
    content = text.encode() if isinstance(text, str) else text
    try:
        parse_board(content, file="mine.toml")
    except BoardFileError as error:
        return tuple(map(str, error.faults))
    return ()


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


def changed(old: str, new: str) -> str:
    """Return the larger board's file with one part, which it has once, replaced."""
    assert 1 == TEXT.count(old)
    return TEXT.replace(old, new)


def zone(name: str, kind: str, **holes: int) -> str:
    """Return the larger board's file with one zone replaced."""
    before, after = TEXT.split(f'id = "{name}"\n')
    keys = "".join(f"{key} = {value}\n" for key, value in holes.items())
    return f'{before}id = "{name}"\nkind = "{kind}"\n{keys}\n{after[after.index("[[") :]}'


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


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("finis: there is no such key; did you mean 'finish'?", changed("\nfinish", "\nfinis")),
        ("x: there is no such key; there are name, title, finish, lanes, sheet, ", "x = 1"),
        ("finish: cannot be 1000000000", changed("finish = 363 ", "finish = 1000000000 ")),
        ("finish: cannot be a huge number", changed("finish = 363 ", f"finish = 0x{'f' * 9000} ")),
        ("finish: cannot be 60; it takes", changed("finish = 363 ", "finish = 60 ")),
        ("finish: cannot be true", changed("finish = 363 ", "finish = true ")),
        ("lanes: cannot be 4; it takes", changed("lanes = 3 ", "lanes = 4 ")),
        ('name: cannot be "Crib Wars"', changed('name = "crib-wars" ', 'name = "Crib Wars" ')),
        ('title: cannot be "a\\u0000b"', changed('title = "Crib Wars"', 'title = "a\\u0000b"')),
        ("sheet.width_mm: is missing", changed("width_mm = 594", "")),
        ("sheet.width_mm: cannot be nan", changed("width_mm = 594", "width_mm = nan")),
        ("sheet.pitch_mm: no strip has 7 mm", changed("pitch_mm = 6.944 ", "pitch_mm = 7 ")),
        ("sheet: cannot be 3; write [sheet]", f"sheet = 3\n{changed('[sheet]', '[shed]')}"),
        ("mark.hole: no hole follows hole 363", changed("hole = 121", "hole = 363")),
        ('row[1].direction: cannot be "north"', TEXT.replace('= "up"', '= "north"', 1)),
        ("row[1].lane_1_mm: cannot be [545]; it takes a place", changed("[545, 317.76]", "[545]")),
        ("row[2].last: 81 comes before first = 82", TEXT.replace("first = 41\n", "first = 82\n")),
        ("row: holes 41-43 lie in no row", TEXT.replace("first = 41\n", "first = 44\n")),
        (
            "row[2].first: holes 39-40 lie in row[1] too",
            TEXT.replace("first = 41\n", "first = 39\n"),
        ),
        ("row[8].last: there are 363 holes, not 364", changed("last = 363", "last = 364")),
        (
            "row: holes 1-6 of the side path of trap-130 lie in no row",
            changed('zone = "trap-130"', 'zone = "trap-180"'),
        ),
        (
            "row[9].zone: no zone \"trap-13\" has a side path; did you mean 'trap-130'?",
            changed('zone = "trap-130"', 'zone = "trap-13"'),
        ),
        (
            'row[9].zone: no zone "trap-130" has a side path; take the row out',
            TEXT[: TEXT.index("[[zone]]")] + TEXT[TEXT.index("[[row]]") :],
        ),
        (
            "row[1].lane_1_mm: a strip (12 mm wide) reaches over",
            changed("[545, 317.76]", "[565, 317.76]"),
        ),
        (
            "row[1].lane_1_mm: its strips (12 mm wide) lie over those of row[2]",
            changed("[545, 317.76]", "[535, 317.76]"),
        ),
        (
            "row[1].lane_step_mm: the strips of its lanes lie over each other",
            TEXT.replace("lane_step_mm = 13", "lane_step_mm = 11", 1),
        ),
        ('lamp: "start-2" is missing', changed('id = "start-2"', 'id = "start-4"')),
        (
            "lamp[start-4].id: a board of 3 lanes has no lamp with this id",
            changed('id = "start-2"', 'id = "start-4"'),
        ),
        ("lamp[start-1].id: two tables have this id", changed('id = "start-2"', 'id = "start-1"')),
        ("lamp[start-1].at_mm: lies over a strip", changed("[545, 331.648]", "[545, 310]")),
        ("lamp[dealer-1].at_mm: lies over lamp[dealer-2]", changed("[477.28, 396]", "[488, 396]")),
        ("lamp[dealer-1].at_mm: lies over the edge", changed("[477.28, 396]", "[477.28, 420]")),
        ("lettering[1].at_mm: 'CRIB WARS' runs off", changed("[487, 389]", "[5, 389]")),
        ('lettering[2].style: cannot be "bold"', changed('= "place"', '= "bold"')),
        ('note.about: nothing is called "box-23"', changed('about = "box-22"', 'about = "box-23"')),
        (
            "district.last: no hole follows hole 363",
            changed("\nlast = 121\nout", "\nlast = 363\nout"),
        ),
        ("district.outline_mm: cannot be [[443, 50.43]", changed("[536, 363], [443, 363]", "3")),
    ],
)
def test_faults_of_the_sheet(expected: str, text: str) -> None:
    """Each fault of head, sheet, rows, lamps or lettering has a line with its key."""
    assert any(fault.startswith(f"mine.toml: {expected}") for fault in faults_of(text))


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("first: the box reaches hole 363", zone("box-346", "penalty-box", first=361)),
        ("to: hole 62 belongs to zone[box-22] too", zone("box-22", "penalty-box", first=62)),
        ("first: is missing", zone("red-42", "red-slide", to=62)),
        ("to: is missing", zone("red-42", "red-slide", first=42)),
        ("to: the second box reaches hole 363", zone("red-42", "red-slide", first=42, to=361)),
        ("to: hole 43 belongs to zone[red-42] too", zone("red-42", "red-slide", first=42, to=43)),
        ("to: hole 22 belongs to zone[box-22] too", zone("red-42", "red-slide", first=42, to=22)),
        (
            "rejoin: a red-slide has no such key",
            zone("red-42", "red-slide", first=42, to=62, rejoin=9),
        ),
        ("to: a penalty-box has no such key", zone("box-22", "penalty-box", first=22, to=9)),
        ('kind: cannot be "red"', zone("red-42", "red", first=42, to=62)),
        (
            "rejoin: a trap leads back, but hole 130 lies ahead",
            zone("trap-130", "time-trap", first=130, path=6, rejoin=130),
        ),
        (
            "rejoin: the path to 209 is no short cut",
            zone("green-200", "green-advance", first=200, path=6, rejoin=209),
        ),
        (
            "rejoin: 400 lies beyond the finish",
            zone("green-200", "green-advance", first=200, path=6, rejoin=400),
        ),
        ("rejoin: cannot be 0", zone("trap-130", "time-trap", first=130, path=6, rejoin=0)),
        (
            "path: cannot be 100000",
            zone("trap-130", "time-trap", first=130, path=100000, rejoin=112),
        ),
        ("holes: cannot be 0", zone("box-22", "penalty-box", first=22, holes=0)),
        ("id: two tables have this id", changed('id = "box-212"', 'id = "box-22"')),
    ],
)
def test_faults_of_zones(expected: str, text: str) -> None:
    """Each fault of a zone has a line with the zone's id and the key."""
    lines = [fault.partition("].")[2] for fault in faults_of(text) if "zone[" in fault]
    assert any(line.startswith(expected) for line in lines), faults_of(text)


def test_a_wall_of_traps_stops_everybody() -> None:
    """Traps that no count can pass leave the finish and later holes unreachable."""
    wall = "".join(
        f'[[zone]]\nid = "wall-{n}"\nkind = "time-trap"\nfirst = {n}\nholes = 29\n'
        "path = 1\nrejoin = 60\n\n"
        for n in (65, 94)
    )
    text = changed("# Rows: holes", f"{wall}# Rows: holes")
    faults = faults_of(text)
    assert any("zone: from hole 0 no counts lead on to the finish" in fault for fault in faults)
    assert any("zone[trap-130].first: no count can end on this box" in fault for fault in faults)


def test_all_faults_at_once() -> None:
    """All faults come together, each in a line with file and key."""
    text = TEXT
    for old, new in (
        ("lanes = 3 ", 'lanes = "three" '),
        ("rejoin = 112", "rejoin = 135"),
        ('caption = "skunk"', "capton = 5"),
        ("[477.28, 396]", '"left"'),
        ("pitch_mm = 6.944 ", "pitch_mm = 7 "),
    ):
        text = text.replace(old, new)
    faults = faults_of(text)
    keys = [fault.split(": ")[1] for fault in faults]
    assert {
        "lanes",
        "zone[trap-130].rejoin",
        "mark[2].caption",
        "mark[2].capton",
        "lamp[dealer-1].at_mm",
        "sheet.pitch_mm",
    } == set(keys)
    assert all("\n" not in fault and fault.startswith("mine.toml: ") for fault in faults)
