"""A count said aloud, read back as points: the oracle of how the commentator adds up.

It knows what each thing is worth by its words alone, and nothing of `companion`.
"""

import re

ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four"
    " twenty-five twenty-six twenty-seven twenty-eight twenty-nine thirty thirty-one"
)
FRENCH = (
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
    " dix-sept dix-huit dix-neuf vingt vingt+et+un vingt-deux vingt-trois vingt-quatre vingt-cinq"
    " vingt-six vingt-sept vingt-huit vingt-neuf trente trente+et+un"
)
NUMBERS = {
    "en": {word: number for number, word in enumerate(ENGLISH.split())},
    "fr": {word.replace("+", " "): number for number, word in enumerate(FRENCH.split())},
}
FIFTEEN = {"en": "fifteen-", "fr": "quinze-"}
TOTAL = {"en": r" (?:for|is) ", "fr": r" (?:pour|qui fait) "}
WORTH = {
    "en": {
        "thirty-one": 2,
        "a pair": 2,
        "another pair": 2,
        "a pair royal": 6,
        "a double pair royal": 12,
        "nobs": 1,
    },
    "fr": {
        "trente et un": 2,
        "une paire": 2,
        "une autre paire": 2,
        "un brelan": 6,
        "un carré": 12,
        "le valet de la couleur": 1,
    },
}
OF_LENGTH = {
    "en": {
        "a run of": (1, 0),
        "a double run of": (2, 2),
        "a triple run of": (3, 6),
        "a double double run of": (4, 4),
        "a flush of": (1, 0),
    },
    "fr": {
        "une suite de": (1, 0),
        "une double suite de": (2, 2),
        "une triple suite de": (3, 6),
        "une quadruple suite de": (4, 4),
        "une couleur de": (1, 0),
    },
}
"""Factor of a run's length, and the points of the pairs that are in it."""


def points_said(line: str, language: str) -> int:
    """Return the points of a line that adds up; each total in it must be right."""
    total = 0
    for item in _items(line, language):
        if item.startswith(FIFTEEN[language]):
            total += 2
            said = item.removeprefix(FIFTEEN[language])
        else:
            what, said = re.split(TOTAL[language], item)
            total += _worth(what, language)
        assert total == NUMBERS[language][said], line
    return total


def plain_points_said(line: str, language: str) -> int:
    """Return the points of a line that only states them, such as that of a go."""
    verb = {"en": " counts ", "fr": " compte "}[language]
    words = NUMBERS[language]
    found = re.match(rf"({'|'.join(sorted(words, key=len, reverse=True))})\b", line.split(verb)[1])
    assert found, line
    return words[found[1]]


def _items(line: str, language: str) -> list[str]:
    """Return the text between the verb and the consequences on the board."""
    join = {"en": " and ", "fr": ", et "}[language]
    words = sorted(NUMBERS[language], key=len, reverse=True)
    number = rf"(?:{'|'.join(words)})"
    things = [*WORTH[language], *(f"{name} {number}" for name in OF_LENGTH[language])]
    thing = rf"(?:{'|'.join(sorted(things, key=len, reverse=True))})"
    item = rf"(?:{FIFTEEN[language]}{number}|{thing}{TOTAL[language]}{number})"
    found = re.search(rf"{item}(?:, {item})*(?:{join}{item})?(?=[,.;\u00a0])", line)
    assert found, line
    return re.findall(item, found[0])


def _worth(what: str, language: str) -> int:
    if what in WORTH[language]:
        return WORTH[language][what]
    name, _, length = what.rpartition(" ")
    times, pairs = OF_LENGTH[language][name]
    return times * NUMBERS[language][length] + pairs
