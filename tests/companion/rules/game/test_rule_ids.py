"""The rules of game, zones, muggins and penalties are each proved by name here."""

import ast
from pathlib import Path

RULES = (
    *(f"G{number}" for number in range(1, 8)),
    *(f"Z{number}" for number in range(1, 13)),
    *(f"M{number}" for number in range(1, 5)),
    *(f"N{number}" for number in range(1, 18)),
    *("T1", "T2", "T5", "P7"),
)


def proved_rules() -> set[str]:
    """Return the text before the colon in the docstring of each test of this folder."""
    trees = (ast.parse(path.read_text("utf-8")) for path in Path(__file__).parent.glob("test_*.py"))
    tests = (
        node
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )
    return {(ast.get_docstring(test) or "").partition(":")[0] for test in tests}


def test_every_rule_is_proved() -> None:
    """Each of these rules opens the docstring of at least one test."""
    assert set() == set(RULES) - proved_rules()
