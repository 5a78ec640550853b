"""Technology research (7.6-7.8)."""

from __future__ import annotations

from sandtable.games.gw36.dates import half_year
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.income import may
from sandtable.games.gw36.rules.terms import is_major, power_of
from sandtable.kernel.decisions import Decision, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

STAGE_THREE = half_year("1939-07")


class Research(Decision, frozen=True, tag="research"):
    """Roll a die for the next stage of a technology."""

    technology: str


def dice(s: State, nation: str) -> int:
    """The research rolls that a nation has left this turn: one for each undamaged Major Factory
    that it possesses (a captured one is a Minor Factory), and one for the Soviet Union from its
    pact. The parts of the Commonwealth share theirs.

    Rules: 2.3c, 7.6a, 7.6c, 14.2i
    """
    if not is_major(s, nation):
        return 0
    owner = power_of(s, nation)
    parts = [part for part in s.facts.powers if power_of(s, part) == owner]
    possession = s.possession
    ours = [here for zone, here in s.facilities.items() if possession[zone] in parts]
    total = sum(f.type == "major_factory" and not f.damage for here in ours for f in here)
    if nation == "ussr" and "molotov_ribbentrop" in s.pacts:
        total += 1
    return total - s.done.get(f"research:{owner}", 0)


def check_research(s: State, nation: str, decision: Research) -> None:
    """Refuse a roll that a nation does not have.

    Rules: 7.0a, 7.6a, 7.6b, 7.6c, 7.6d, 7.7a, nrs-usa-e
    """
    facts = s.facts
    technology = facts.technologies.get(decision.technology)
    if technology is None:
        raise IllegalDecision(
            f"There is no technology {facts.name(decision.technology)}.", "table-7-2a"
        )
    if not may(s, nation, "research"):
        raise IllegalDecision(
            f"{facts.name(nation)} may research from an income of "
            f"{facts.sheets[nation].actions['research']} IPP on.",
            "nrs-usa-e",
        )
    if dice(s, nation) < 1:
        raise IllegalDecision(f"{facts.name(nation)} has no research roll left.", "7.6a")
    owner = power_of(s, nation)
    if s.done.get(f"research:{owner}:{technology.id}"):
        raise IllegalDecision(
            f"{technology.name} has been rolled for this turn: once is all.", "7.6b"
        )
    stage = s.tech.get((owner, technology.id), 0)
    if stage >= len(technology.stages):
        raise IllegalDecision(f"{technology.name} is developed already.", "7.7a")
    if stage >= 2 and s.date < STAGE_THREE:
        raise IllegalDecision(
            f"{technology.name} cannot go beyond stage II before July 1939.", "7.6d"
        )


def roll(g: Table[State], nation: str, decision: Research) -> Procedure[None]:
    """Roll: the number of the stage or more completes it.

    Rules: 7.7a, table-7-2a, 7.8.long-range-c
    """
    s = g.state
    owner = power_of(s, nation)
    for key in (f"research:{owner}", f"research:{owner}:{decision.technology}"):
        s.done[key] = s.done.get(key, 0) + 1
    technology = s.facts.technologies[decision.technology]
    stage = s.tech.get((owner, technology.id), 0)
    lines = (RollLine(nation, technology.id, 1, 0, 12),)
    (face,) = yield from g.roll("research", lines)
    passed = face >= technology.stages[stage]
    if passed:
        s.tech[owner, technology.id] = stage + 1
    g.emit(
        "researched",
        power=nation,
        about=[technology.id],
        stage=stage + 1,
        passed=passed,
        lines=lines,
        dice=[face],
    )
