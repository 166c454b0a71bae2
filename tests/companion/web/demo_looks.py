"""Parts of a page during a demo, recorded at each message, and the expected ones."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from companion.rules.cards import Card

LINES = 4

LOOKS = """
window.looks = [];
const cardsIn = (place) => [...place.querySelectorAll(".card")].map((card) => ({
  card: card.dataset.key || null,
  played: card.classList.contains("played"),
}));
const text = (place, where) => place.querySelector(where).textContent;
const look = () => {
  const screen = document.getElementById("demo");
  const entries = (places, look) =>
    Object.fromEntries([...places].map((place) => [place.dataset.key, look(place)]));
  return {
    screen: document.querySelector("main").dataset.screen,
    lines: [...document.querySelectorAll("#caption li")].map((line) => line.textContent),
    starter: cardsIn(screen.querySelector(".starter")),
    pile: cardsIn(screen.querySelector(".pile")),
    count: text(screen, ".count"),
    crib: cardsIn(screen.querySelector(".crib")),
    dealer: [...screen.querySelectorAll(".seats")]
      .filter((side) => text(side, ".state").includes("dealer"))
      .map((side) => side.dataset.key),
    acting: [...screen.querySelectorAll(".hand.acts")].map((hand) => hand.dataset.key),
    cribCounts: screen.querySelector(".crib").classList.contains("acts"),
    fronts: entries(screen.querySelectorAll(".seats"), (side) =>
      side.querySelector(".front").lastChild.textContent),
    hands: entries(screen.querySelectorAll(".hand"), cardsIn),
  };
};
window.EventSource = class extends EventSource {
  addEventListener(name, listen) {
    super.addEventListener(name, (event) => {
      listen(event);
      if (name === "news") looks.push({ told: JSON.parse(event.data), shown: look() });
    });
  }
};
"""
"""Has the page note in `looks` each piece of news, and what it shows once it has taken it."""


def expected(demo: dict[str, Any] | None) -> dict[str, Any]:
    """Return the page's parts for a demo of two sides; all are empty without one."""
    cards: dict[str, Any] = (demo and demo["cards"]) or {}
    table: dict[str, Any] = (demo and demo["table"]) or {"teams": {}}
    acting = {cards.get("turn"), cards.get("showing")}
    hands = {str(hand["seat"]): in_order(hand["cards"]) for hand in cards.get("hands", [])}
    return {
        "screen": "demo" if demo else "game",
        "lines": demo["lines"][-LINES:] if demo else [],
        "starter": lying(filter(None, [cards.get("starter")])),
        "pile": lying(cards.get("pile", [])),
        "count": str(cards["count"]) if cards.get("phase") == "play" else "",
        "crib": in_order(lying(cards.get("crib", []))),
        "dealer": [str(cards["dealer"])] if cards else [],
        "acting": sorted(str(seat) for seat in acting if isinstance(seat, int)),
        "cribCounts": cards.get("showing") == "crib",
        "fronts": {side: str(pegs["front"]) for side, pegs in table["teams"].items()},
        "hands": hands,
    }


def lying(cards: Iterable[str | None]) -> list[dict[str, Any]]:
    """Return the cards of a hand that are not played."""
    return [{"card": card, "played": False} for card in cards]


def in_order(held: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return cards from the ace up, then those face down."""
    faces = [one for one in held if one["card"]]
    return sorted(faces, key=lambda one: Card.parse(one["card"])) + [
        one for one in held if not one["card"]
    ]


def reported_in_all(windows: list[list[str]]) -> list[str]:
    """Return all lines in order, joined from overlapping lists of the last ones."""
    reported = list(windows[0])
    for before, now in pairwise(windows):
        same = next(k for k in range(len(before), -1, -1) if before[len(before) - k :] == now[:k])
        reported += now[same:]
    return reported


def deals(looks: list[dict[str, Any]]) -> list[tuple[dict[str, Any], list[int]]]:
    """The finished deals as `cribwars deal` takes them, from what was shown alone.

    Each with the `fronts` that it led to, which are those of the next one.
    """
    found: list[dict[str, Any]] = []
    for before, look in pairwise([{"starter": ["of another deal"], "pile": []}, *looks]):
        if before["starter"] and not look["starter"]:
            fronts = [int(front) for _, front in sorted(look["fronts"].items())]
            dealer = int(look["dealer"][0])
            found.append({"players": 2, "dealer": dealer, "fronts": fronts, "plays": []})
        found[-1]["plays"] += _played(before["pile"], look["pile"])
        found[-1] |= _opened(look)
    return [(deal, after["fronts"]) for deal, after in pairwise(found)]


def _played(before: list[dict[str, Any]], pile: list[dict[str, Any]]) -> list[str]:
    """Return the cards that were added to a pile, or began a new one."""
    new = pile[len(before) :] if pile[: len(before)] == before else pile
    return [one["card"] for one in new]


def _opened(look: dict[str, Any]) -> dict[str, Any]:
    """Return hands, starter and crib if all of them are open."""
    crib = [one["card"] for one in look["crib"]]
    if not crib or None in crib:
        return {}
    hands = [[one["card"] for one in hand] for _, hand in sorted(look["hands"].items())]
    return {"crib": crib, "starter": look["starter"][0]["card"], "hands": hands}
