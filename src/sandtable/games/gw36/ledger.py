"""The National Reference Sheets as they stand: income and what changes it, technologies, and
victory points by objective."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from sandtable.board.words import listed
from sandtable.games.gw36 import words
from sandtable.games.gw36.dates import half_year
from sandtable.games.gw36.facts import Facts
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.income import bonuses, value
from sandtable.games.gw36.rules.objectives import OBJECTIVES
from sandtable.games.gw36.rules.relations import wartime_income
from sandtable.games.gw36.rules.terms import at_war_with_major, power_of
from sandtable.games.gw36.sheets import Bonus, Increase
from sandtable.kernel.display import Sheet, SheetRow

_GROUPS = {
    "axis": "the Axis",
    "allies": "the Allies",
    "comintern": "the Comintern",
    "china": "China",
    "commonwealth": "the Commonwealth",
}

_FEW = 4
"""More zones than that are counted, not listed."""

_ACTIONS = {
    "research": "Research",
    "close_canal": "Close the Panama Canal",
    "lend_lease": "Lend-lease",
    "americas": "Units anywhere in the Americas",
    "atlantic_bases": "Bases in the Atlantic",
    "anywhere": "Units anywhere",
}


def sheets(s: State, objectives: Mapping[str, Mapping[str, int]]) -> tuple[Sheet, ...]:
    """The sheet of each nation in play; `objectives`: what each scores (`victory.achieved`)."""
    return tuple(
        Sheet(nation, tuple(_rows(s, nation, objectives.get(nation, {}))))
        for nation in s.facts.powers
        if nation not in s.surrendered and (nation != "free_france" or "france" in s.surrendered)
    )


def _rows(s: State, nation: str, scored: Mapping[str, int]) -> Iterator[SheetRow]:
    facts = s.facts
    war = at_war_with_major(s, nation)
    yield SheetRow("Income", "IPP in hand", str(s.treasury.get(nation, 0)))
    yield SheetRow("Income", "Income a turn", str(s.income.get(nation, 0)))
    if not war:
        yield SheetRow("Income", "Wartime income", str(wartime_income(s, nation)))
    yield SheetRow("Income", "Worth of its land zones", str(value(s, nation)))
    known = _texts(facts, nation)
    for (label, worth), points in zip(known[0], bonuses(s, nation), strict=True):
        yield SheetRow("Bonus income", label, worth, "good" if points else "dim")
    if not war:
        for label, worth in known[1]:
            yield SheetRow("What raises its income in peace", label, worth)
    for action, needed in facts.sheets[nation].actions.items():
        free = war or s.income.get(nation, 0) >= needed
        label = _ACTIONS.get(action, action)
        worth = f"{needed} IPP"
        yield SheetRow("Allowed from an income on", label, worth, "good" if free else "dim")
    owner = power_of(s, nation)
    for id, technology in facts.technologies.items():
        stage, stages = s.tech.get((owner, id), 0), len(technology.stages)
        if stage:
            done = stage >= stages
            text = "developed" if done else f"stage {stage} of {stages}"
            yield SheetRow("Technologies", technology.name, text, "good" if done else "")
    for name, points in scored.items():
        most = OBJECTIVES[nation][name][0] if name in OBJECTIVES[nation] else points
        worth = f"{points} of {most}"
        yield SheetRow("Victory points by objective", name, worth, "good" if points else "dim")


@lru_cache(maxsize=64)
def _texts(
    facts: Facts, nation: str
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """The bonuses of a sheet and its increases, each with what it brings."""
    sheet = facts.sheets[nation]
    return (
        tuple((_bonus(facts, rule), f"+{rule.ipp}") for rule in sheet.bonuses),
        tuple((_increase(facts, cause), _worth(cause)) for cause in sheet.increases),
    )


def _named(facts: Facts, names: Iterable[str], word: str = "and") -> str:
    told = [_GROUPS.get(name) or facts.name(name) for name in names]
    return listed(told) if word == "and" else f" {word} ".join(told)


def _zones(facts: Facts, zones: tuple[str, ...], word: str = "and") -> str:
    if len(zones) > _FEW:
        return f"{len(zones)} zones around {facts.name(zones[0])}"
    told = [words.zone(facts, zone) for zone in zones]
    return listed(told) if word == "and" else f" {word} ".join(told)


def _bonus(facts: Facts, rule: Bonus) -> str:
    """The condition of a bonus in words."""
    told = []
    if rule.pact:
        told.append(f"{words.PACTS[rule.pact]} is in force")
    if rule.at_war:
        told.append(f"at war with {_named(facts, rule.at_war, 'or')}")
    if rule.at_peace:
        told.append(f"at peace with {_named(facts, rule.at_peace)}")
    holder = f"{_named(facts, rule.by)} possess" if rule.by else "possesses"
    if rule.possesses:
        told.append(f"{holder} {_zones(facts, rule.possesses)}")
    if rule.each:
        told.append(f"for each of {_zones(facts, rule.each)} that it possesses")
    if rule.open:
        told.append(f"{_zones(facts, rule.open)} neutral or possessed")
    if rule.home:
        told.append("possesses all of its Home Country")
    if rule.intact:
        told.append("none of its original zones in Enemy hands")
    if rule.next_to:
        told.append(f"borders on {facts.name(rule.next_to)}")
    whose = f"of {_named(facts, rule.ships_of)}" if rule.ships_of else "of Enemies"
    if rule.free_of:
        told.append(f"no surface warships {whose} in {_zones(facts, rule.free_of)}")
    if rule.ocean:
        told.append(f"no surface warships {whose} in the {rule.ocean.capitalize()}")
    if rule.line:
        told.append(f"the {facts.lines[rule.line].name} is open")
    if rule.burma_road:
        told.append("the Burma Road is open")
    if rule.less == "oil":
        told.append("one less for each turn in which it attacked China")
    text = "; ".join(told)
    return f"{text[:1].upper()}{text[1:]}" + (" (also in peace)" if rule.peace else "")


def _worth(cause: Increase) -> str:
    if cause.wartime:
        return "to wartime income"
    if cause.dice:
        return f"+{cause.dice[0]}D{cause.dice[1]}"
    return f"+{cause.ipp}"


def _increase(facts: Facts, cause: Increase) -> str:
    """The cause of an increase in words."""
    who = _named(facts, cause.who, "or") or "Anybody"
    if not cause.news:
        if cause.dates:
            turns = listed(words.date(half_year(date)) for date in cause.dates)
            return f"In the turns of {turns}"
        return f"In each turn from {words.date(half_year(cause.since))} on"
    (kind, *_) = cause.news
    if kind == "war":
        whom = _named(facts, cause.whom, "or") or "anybody"
        if cause.not_whom:
            whom = f"anybody but {_named(facts, cause.not_whom, 'or')}"
        text = f"{who} declares war on {whom}"
    elif kind == "annexed":
        text = f"{who} annexes {_zones(facts, cause.zones, 'or')}"
    elif kind == "capital_ship":
        text = f"{who} completes a capital ship"
    else:
        places = _zones(facts, cause.zones, "or") if cause.zones else "a zone"
        if cause.regions:
            places += f" in {listed(region.replace('_', ' ').title() for region in cause.regions)}"
        if cause.next_to_home:
            places += " beside its Home Country"
        text = f"{who} takes {places}"
    return f"{text[:1].upper()}{text[1:]}"
