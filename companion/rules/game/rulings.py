"""The referee: what can go wrong at a table, and what follows (rules N1 to N17), as data."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import Message, RuleError

PENALTY_POINTS = 2
"""Points that each other side may take for a penalty (000)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """One thing that can go wrong.

    `what` happened, what `follows`; `points`: the other sides may take two each; `claim`: one of
    them may claim the game. `sources` are the sheets by number, `words` those that players use.
    """

    rule: str
    what: str
    follows: str
    points: bool = False
    claim: bool = False
    sources: tuple[str, ...] = ("000", "003")
    words: str = ""


_RULINGS = (
    Ruling(
        rule="N1",
        what="Somebody asked for help.",
        follows="It is not allowed; there are no points for it.",
        words="advice hint partner kibitz cheat",
    ),
    Ruling(
        rule="N2",
        what="A card of the dealer was exposed in the deal.",
        follows="The others may ask for a new deal, as long as they have not seen their cards.",
        words="flashed face up turned over misdeal",
    ),
    Ruling(
        rule="N3",
        what="A card of somebody else than the dealer was exposed in the deal.",
        follows="Two points against the dealer; whose card it was may ask for a new deal too, "
        "before looking at the rest.",
        points=True,
        words="flashed face up turned over misdeal pone non-dealer",
    ),
    Ruling(
        rule="N4",
        what="Somebody was dealt too few cards.",
        follows="The cards are dealt anew.",
        words="short missing card misdeal wrong number",
    ),
    Ruling(
        rule="N5",
        what="Somebody else than the dealer was dealt too many cards.",
        follows="Two points against the dealer. Noticed before the cards are taken up: a new deal.",
        points=True,
        words="extra card misdeal wrong number non-dealer",
    ),
    Ruling(
        rule="N6",
        what="The dealer has too many cards.",
        follows="The others ask for a new deal, or draw a card from the dealer's hand.",
        words="extra card misdeal wrong number",
    ),
    Ruling(
        rule="N7",
        what="The cards were not dealt one at a time, or one lay face up in the deck.",
        follows="The cards are dealt anew; a card face up is as one exposed in the deal (N2, N3).",
        points=True,
        words="misdeal boxed card two at a time",
    ),
    Ruling(
        rule="N8",
        what="After the discard a hand or the crib has a wrong number of cards.",
        follows="One sheet has the cards dealt anew, and two points with that; the other a new "
        "deal, or two points and the number put right. The players choose. If only the crib is "
        "wrong: two points, and it is put right.",
        points=True,
        words="misdeal extra missing card short",
    ),
    Ruling(
        rule="N9",
        what="Somebody said go and could have played.",
        follows="The cards that could have been played are dead, and there are two points.",
        points=True,
        sources=("000", "003", "004"),
        words="wrong go renege revoke dead cards",
    ),
    Ruling(
        rule="N10",
        what="A side will not pay a penalty.",
        follows="The game may be claimed.",
        claim=True,
        words="refuses refused cheat quarrel",
    ),
    Ruling(
        rule="N11",
        what="A side pegged too many.",
        follows="It goes back by what was too much, and another may add as much to theirs: "
        "that is done with the count itself, not as a penalty.",
        words="pegged too far overpegged wrong count miscount extra points cheat",
    ),
    Ruling(
        rule="N12",
        what="A side took out both of its own pegs.",
        follows="Two points; the board shows where they stood.",
        points=True,
        words="removed lifted both pegs",
    ),
    Ruling(
        rule="N13",
        what="A side took out the front peg of another.",
        follows="The game may be claimed.",
        claim=True,
        words="removed lifted opponent peg",
    ),
    Ruling(
        rule="N14",
        what="Pegs were knocked out of place, or one was moved out of turn.",
        follows="The front peg goes behind the back peg, unless all agree where it stood; the "
        "board shows it. Both pegs: the others put them back, or claim the game. Both sides: "
        "agree, or the game is void. Moved out of turn: two points.",
        points=True,
        claim=True,
        words="spilled knocked over bumped fell dislodged dislocated lost wrong hole cheat",
    ),
    Ruling(
        rule="N15",
        what="Somebody mixed their cards with the crib.",
        follows="Two points, and the cards are dealt anew.",
        points=True,
        words="shuffled together wrong crib",
    ),
    Ruling(
        rule="N16",
        what="Somebody handled the deck other than to cut it.",
        follows="Two points.",
        points=True,
        words="touched peeked looked at cheat",
    ),
    Ruling(
        rule="N17",
        what="An error of the deal was found.",
        follows="During the deal: the cards are dealt anew. After play began: two points against "
        "the dealer, and a new deal or a card drawn. Errors of counting in the play cost nothing.",
        points=True,
        sources=("004",),
        words="misdeal wrong deal wrong count miscount",
    ),
)

RULINGS: Mapping[str, Ruling] = {ruling.rule: ruling for ruling in _RULINGS}
"""Every ruling by its rule's number, in the order of the rules."""


def ruling(rule: str) -> Ruling:
    """Return the ruling of a rule; a number that is none of the referee's is a `RuleError`."""
    if rule not in RULINGS:
        raise RuleError(
            Message("no penalty {rule}: there are {rulings}", repr(rule), ", ".join(RULINGS))
        )
    return RULINGS[rule]
