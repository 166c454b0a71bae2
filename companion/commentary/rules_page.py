"""The rules in plain words: sections whose sentences depend on the house rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

from companion.board import Zone, ZoneKind
from companion.commentary.phrases import Phrases
from companion.rules.game import Setup
from companion.rules.game.house_rules import SKUNK_GAMES, SkunkLine


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSection:
    """Section of the rules: its title, and lines of one or two sentences each."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPage:
    """The rules for one set-up (board, house rules and sides) in one language."""

    phrases: Phrases
    setup: Setup

    def sections(self) -> tuple[RulesSection, ...]:
        sections = {
            "goal": self._goal(),
            "deal": self._deal(),
            "play": self._say("play_turns", "play_go", "play_points"),
            "show": self._say("show_order", "show_points", "show_nobs", "show_one"),
            "zones": self._zones(),
            "winning": self._winning(),
            "faults": self._faults(),
        }
        made = ((self._phrase(name), tuple(lines)) for name, lines in sections.items())
        return tuple(RulesSection(title=title, lines=lines) for title, lines in made if lines)

    def _phrase(self, name: str, **places: object) -> str:
        texts = {place: str(value) for place, value in places.items()}
        return self.phrases.say(f"rules_page.{name}", **texts)

    def _say(self, *names: str, **places: object) -> Iterator[str]:
        return (self._phrase(name, **places) for name in names)

    def _goal(self) -> Iterator[str]:
        exact = ("goal_exact",) if self.setup.rules.finish == "exact" else ()
        yield from self._say("goal_first", *exact, "goal_pegs", finish=self.setup.track.finish)

    def _deal(self) -> Iterator[str]:
        rules = self.setup.rules
        yield from self._say("deal_cut", f"deal_{self.setup.players}", "deal_crib")
        yield self._phrase(f"starter_{rules.starter}")
        yield self._phrase("heels_ban" if rules.heels_ban else "heels", holes=rules.heels_ban)

    # Zones

    def _zones(self) -> Iterator[str]:
        if not self.setup.track.zones:
            return
        yield self._phrase("zones_landing")
        for kind in ZoneKind:
            zones = [zone for zone in self.setup.track.zones if zone.kind is kind]
            if zones:
                ways = self.phrases.joined("items", list(map(self._way, zones)))
                yield self.phrases.say(f"zone_kinds.{kind}.rules", ways=ways)
                if kind is ZoneKind.PENALTY_BOX:
                    yield self._phrase("box_two" if len(self.setup.sides) == 2 else "box_three")  # noqa: PLR2004
                    yield from self._say(*self._unusual_zone_rules())

    def _unusual_zone_rules(self) -> Iterator[str]:
        rules = self.setup.rules
        if rules.back_lands:
            yield "back_lands"
        if not rules.award_lands:
            yield "award_passes"
        if rules.occupant_advance == "track":
            yield "occupant_track"

    def _way(self, zone: Zone) -> str:
        if not zone.kind.facts.target_keys:
            return self._phrase("zone_holes", first=zone.box[0], last=zone.box[-1])
        to = zone.to[0] if zone.to else zone.rejoin
        return self._phrase("zone_way", **{"from": zone.box[0], "to": to})

    # Skunks and mistakes

    def _winning(self) -> Iterator[str]:
        rules = self.setup.rules
        skunks = list(self._skunks()) if rules.skunk_at != "off" else []
        if skunks:
            yield self._phrase(f"skunk_{rules.skunk_at}")
            yield from skunks
        if rules.match_to is not None:
            yield self._phrase("match", games=rules.match_to)
        yield self._phrase(f"first_dealer_{rules.first_dealer}")

    def _skunks(self) -> Iterator[str]:
        for name, games in sorted(SKUNK_GAMES.items(), key=itemgetter(1)):
            line: SkunkLine | None = getattr(self.setup.rules, name)
            if line:
                yield self._phrase(f"{name}_{line.measure}", points=line.points, games=games)

    def _faults(self) -> Iterator[str]:
        rules = self.setup.rules
        yield self._phrase(f"muggins_{rules.muggins}")
        if rules.muggins != "off" and rules.muggins_counts != "missed":
            yield self._phrase("overcalled")
        if rules.muggins != "off":
            yield self._phrase(f"given_back_{rules.given_back}")
        yield from self._say(f"penalty_{rules.penalty_to}", "referee")
