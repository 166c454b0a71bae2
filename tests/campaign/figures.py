"""Figures of a campaign, one a line, each beside its promise."""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured number; `most` is the promise, or None."""

    name: str
    value: float
    most: float | None = None

    @property
    def is_kept(self) -> bool:
        """True unless a promise is broken."""
        return self.most is None or self.value <= self.most

    def __str__(self) -> str:
        """Return the line."""
        promise = "" if self.most is None else f"  (at most {self.most:g})"
        return f"{'' if self.is_kept else 'BROKEN  '}{self.name}: {self.value:g}{promise}"


@dataclass(slots=True)
class Verdicts:
    """Counts of states or responses by verdict, and examples of all that are not `right`."""

    kinds: tuple[str, ...]
    right: int = 0
    wrong: dict[str, list[str]] = field(default_factory=dict)
    measured: dict[str, Figure] = field(default_factory=dict)

    def add(self, verdict: str | None, example: str) -> None:
        """Count one: None is right, any other value is a kind of error."""
        if verdict is None:
            self.right += 1
        else:
            assert verdict in self.kinds
            self.wrong.setdefault(verdict, []).append(example)

    def measure(self, name: str, value: float, most: float | None = None) -> None:
        """Keep a measured value; of several with one name the largest is kept."""
        known = self.measured.get(name)
        if known is None or value > known.value:
            self.measured[name] = Figure(name, value, most)

    def join(self, other: Verdicts) -> None:
        """Add the counts of another."""
        self.right += other.right
        for kind, examples in other.wrong.items():
            self.wrong.setdefault(kind, []).extend(examples)

    @property
    def total(self) -> int:
        """The number of all judged states or responses."""
        return self.right + sum(map(len, self.wrong.values()))

    @property
    def examples(self) -> list[str]:
        """Lines about the wrong ones."""
        return [f"{kind}: {each}" for kind, found in self.wrong.items() for each in found]

    def figures(self, what: str) -> list[Figure]:
        """Return the figures: the total, and each kind of error, of which none is allowed."""
        wrong = (Figure(f"{what}: {kind}", len(self.wrong.get(kind, ())), 0) for kind in self.kinds)
        measured = (replace(each, name=f"{what}: {name}") for name, each in self.measured.items())
        return [Figure(f"{what}: tried", self.total), *wrong, *measured]
