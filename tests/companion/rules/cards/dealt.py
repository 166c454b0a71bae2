"""Cards as Hypothesis deals them: five for a show, a pile for the play."""

from hypothesis import strategies as st

from companion.rules.cards import DECK, Card

FIVES = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True)
"""A hand and, last, its starter."""
ONE_SUIT = st.lists(st.sampled_from(DECK[::4]), min_size=5, max_size=5, unique=True)


def _legal(pile: list[Card]) -> tuple[Card, ...]:
    """Return as many of the cards as can be played before the count would pass 31."""
    played: list[Card] = []
    for card in pile:
        if sum(before.value for before in played) + card.value <= 31:
            played.append(card)
    return tuple(played)


PILES = st.one_of(
    st.lists(st.sampled_from(DECK), unique=True, max_size=12),
    st.lists(st.sampled_from(DECK[:28]), unique=True, max_size=12),
    st.lists(st.sampled_from(DECK[:16]), unique=True, max_size=12),
).map(_legal)
"""Cards since the count was 0; low ones often, for long runs and cards alike."""
