"""Income in peace and war (section 5, 11.6): what raises it, what it is, what is collected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import ClassVar

from sandtable.games.gw36.facts import Facts
from sandtable.games.gw36.model import News, State
from sandtable.games.gw36.rules.capture import earner
from sandtable.games.gw36.rules.relations import wartime_income
from sandtable.games.gw36.rules.terms import at_war, at_war_with_major, enemies, has_tech, power_of
from sandtable.games.gw36.rules.zones import burma_road_open
from sandtable.games.gw36.sheets import Bonus, Increase
from sandtable.kernel.decisions import Decision, Request, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

WITHOUT_EFFECT = frozenset({"phase", "calendar", "combat_move", "raided"})
"""News that change nobody's income, and come often."""

OIL = News("phase", "japan", how="end of combat")
"""When Japan's oil trade is looked at."""

# --- who is meant ---------------------------------------------------------------------------------


def named(facts: Facts, names: Iterable[str], nation: str) -> bool:
    """Whether a nation is one of those that a condition names."""
    known = facts.nations.get(nation)
    if known is None:
        return False
    for name in names:
        if name in (nation, known.alliance):
            return True
        if name == "commonwealth" and (nation == "great_britain" or known.major == "great_britain"):
            return True
        if name == "china" and (nation in ("kmt", "ccp") or known.kind == "warlord"):
            return True
    return False


# --- what an income is ----------------------------------------------------------------------------


def value(s: State, nation: str) -> int:
    """What the zones are worth whose income a nation has.

    Rules: 11.6a, 14.4.2e
    """
    owners, zones = _earners(s, nation), s.facts.zones
    return sum([zones[zone].ipp for zone, owner in s.possession.items() if owner in owners])


def worths(s: State) -> dict[str, int]:
    """What the zones of each nation are worth."""
    zones = s.facts.zones
    found = dict.fromkeys(s.possession.values(), 0)
    for zone, owner in s.possession.items():
        found[owner] += zones[zone].ipp
    return found


def _earners(s: State, nation: str) -> list[str]:
    """The nations whose zones' income a nation has."""
    owners = [nation, *(minor for minor, by in s.control.items() if by == nation)]
    return [owner for owner in owners if earner(s, owner) == nation]


def _earned(s: State, nation: str, worth: dict[str, int]) -> int:
    return sum(worth.get(owner, 0) for owner in _earners(s, nation))


def at_wartime_income(s: State, nation: str) -> bool:
    """Whether a nation's income has reached its wartime income.

    Rules: 5.2b, 5.2d, 5.3b, nrs-usa-d
    """
    return at_war_with_major(s, nation) or s.income[nation] >= wartime_income(s, nation)


def may(s: State, nation: str, action: str) -> bool:
    """Whether a nation's income allows what its sheet ties to an income (US Income-Determined
    Actions); whoever is at war with a Major Power is free.

    Rules: nrs-usa-e, 5.3b
    """
    needed = s.facts.sheets[nation].actions.get(action, 0)
    return s.income.get(nation, 0) >= needed or at_war_with_major(s, nation)


def _set(g: Table[State], nation: str, income: int) -> None:
    s = g.state
    if s.income.get(nation) != income:
        s.income[nation] = income
        g.emit("income", power=nation, income=income)


# --- what changes it ------------------------------------------------------------------------------


def follow(g: Table[State], news: News) -> Procedure[None]:
    """Change incomes at the instant of the cause: war, and what the sheets name. In war with a
    Major Power an income is what the nation's zones are worth.

    Rules: 0.9.income-b, 0.9.income-c, 5.1a, 5.2a, 5.3a, 5.7c, table-8-1b, 13.3.1f
    """
    s = g.state
    if news == OIL:
        _spend_oil(s)
    if news.kind in WITHOUT_EFFECT:
        return
    worth: dict[str, int] = {}
    for nation in s.facts.powers:
        if nation in s.surrendered:
            continue
        if at_war_with_major(s, nation):
            if news.kind != "possession":  # its value has changed hands already
                worth = worth or worths(s)
                _set(g, nation, _earned(s, nation, worth))
            continue
        for number, cause in enumerate(s.facts.sheets[nation].increases):
            if (
                cause.news
                and _fits(s, nation, cause, news)
                and _first(s, nation, number, cause, news)
            ):
                yield from raise_income(g, nation, cause)


def _spend_oil(s: State) -> None:
    """A turn in which Japan attacks China costs it a point of its oil trade with the USA."""
    zones = (s.fought | s.captured) & s.start_possession.keys()
    if any(named(s.facts, ("china",), s.start_possession[zone]) for zone in zones):
        s.counts["oil"] = s.counts.get("oil", 0) + 1


def _fits(s: State, nation: str, cause: Increase, news: News) -> bool:
    """Whether something that has happened is the cause of an increase."""
    facts = s.facts
    if news.kind not in cause.news:
        return False
    if cause.who and not named(facts, cause.who, news.who):
        return False
    if cause.whom and not named(facts, cause.whom, news.whom):
        return False
    if cause.not_whom and (not news.whom or named(facts, cause.not_whom, news.whom)):
        return False
    if cause.how and news.how not in cause.how:
        return False
    if cause.zones and news.where not in cause.zones:
        return False
    if cause.regions and facts.zones[news.where].region not in cause.regions:
        return False
    if cause.next_to_home:
        home = facts.nations[nation].home
        if news.where in home or home.isdisjoint(facts.land_next.get(news.where, ())):
            return False
    return True


def _first(s: State, nation: str, number: int, cause: Increase, news: News) -> bool:
    """Whether a cause that counts once (for each zone) has not counted yet; notes that it has."""
    if not cause.once:
        return True
    mark = f"increase:{nation}:{number}" + (f":{news.where}" if cause.once == "zone" else "")
    if mark in s.marks:
        return False
    s.marks |= {mark}
    return True


def raise_income(g: Table[State], nation: str, cause: Increase) -> Procedure[None]:
    """Raise a peacetime income, to wartime income at most.

    Rules: 5.2a, 5.2d, 5.3a
    """
    s = g.state
    most, old = wartime_income(s, nation), s.income[nation]
    if cause.wartime:
        _set(g, nation, max(old, most))
        return
    points = cause.ipp
    if cause.dice and old < most:
        dice, sides = cause.dice
        faces = yield from g.roll("income", (RollLine(nation, "income", dice, 0, sides),))
        points = sum(faces)
    _set(g, nation, max(old, min(old + points, most)))


def rolls(g: Table[State], nation: str) -> Procedure[None]:
    """The increases that come with the turns, as a nation's Production Phase begins; none for a
    nation at war with a Major Power.

    Rules: 5.2c, 5.2d, 7.5a, 5.7c
    """
    s = g.state
    for cause in s.facts.sheets[nation].increases:
        if not cause.news and cause.falls_on(s.date) and not at_war_with_major(s, nation):
            yield from raise_income(g, nation, cause)


# --- what is collected ----------------------------------------------------------------------------


def bonus(s: State, nation: str) -> int:
    """The bonus income of a nation now: in war with a Major Power, the trade of a pact also else.

    Rules: 5.4a, 5.4b, 5.4c, 14.2h, 14.2i
    """
    return sum(bonuses(s, nation))


def bonuses(s: State, nation: str) -> Iterator[int]:
    """What each of the bonuses on a nation's sheet brings now."""
    war = at_war_with_major(s, nation)
    for rule in s.facts.sheets[nation].bonuses:
        holds = (war or rule.peace) and _holds(s, nation, rule)
        yield _points(s, nation, rule) if holds else 0


def _owned(s: State, nation: str, rule: Bonus, zone: str) -> bool:
    owner = s.possession[zone]
    return named(s.facts, rule.by, owner) if rule.by else owner == nation


def _points(s: State, nation: str, rule: Bonus) -> int:
    points = rule.ipp
    if rule.each:
        points *= sum(_owned(s, nation, rule, zone) for zone in rule.each)
    return max(0, points - s.counts.get(rule.less, 0))


def _holds(s: State, nation: str, rule: Bonus) -> bool:
    """Whether everything that a bonus names holds."""
    facts = s.facts
    known = facts.nations[nation]
    if rule.pact and rule.pact not in s.pacts:
        return False
    if rule.scenario and s.options["scenario"] != rule.scenario:
        return False
    if rule.at_war and not any(at_war(s, nation, other) for other in rule.at_war):
        return False
    if any(at_war(s, nation, other) for other in rule.at_peace):
        return False
    if not all(_owned(s, nation, rule, zone) for zone in rule.possesses):
        return False
    if rule.home and any(s.possession[zone] != nation for zone in known.home):
        return False
    if rule.intact and any(enemies(s, nation, s.possession[zone]) for zone in known.zones):
        return False
    for zone in rule.open:
        owner = s.possession[zone]
        if not _owned(s, nation, rule, zone) and (
            facts.nations[owner].player or at_war_with_major(s, owner)
        ):
            return False
    if rule.next_to and not any(
        s.possession[near] == rule.next_to
        for zone, owner in s.possession.items()
        if owner == nation
        for near in facts.land_next[zone]
    ):
        return False
    if rule.burma_road and not burma_road_open(s):
        return False
    if rule.line and not _line_open(s, nation, rule.line):
        return False
    return not _ships(s, nation, rule)


def _ships(s: State, nation: str, rule: Bonus) -> bool:
    """Whether a surface warship is where a bonus does not want one."""
    seas: Iterable[str] = rule.free_of
    if rule.ocean:
        seas = (zone for zone in s.facts.sea if s.facts.zones[zone].ocean == rule.ocean)
    for sea in seas:
        for unit in s.stack(sea):
            if s.facts.units[unit.type].warship and (
                named(s.facts, rule.ships_of, unit.nation)
                if rule.ships_of
                else enemies(s, nation, unit.nation)
            ):
                return True
    return False


def _line_open(s: State, nation: str, line: str) -> bool:
    """Whether a convoy line that gives a bonus is open, and the USA does not deny it.

    Rules: 9.11c, 9.11d, nrs-usa-f
    """
    if (line, "usa", nation) in s.refused:
        return False
    return not any(
        end in s.possession and enemies(s, nation, s.possession[end])
        for end in s.facts.lines[line].ends
    )


def collect(g: Table[State], nation: str) -> Procedure[None]:
    """The last act of a nation's turn: its income, its bonuses, and the dice of a Wartime Economy,
    which the Commonwealth rolls once, for Great Britain.

    Rules: 5.1a, 5.2e, 5.4a, 5.4b, 11.6a, 7.8.wartime-economy-a
    """
    s = g.state
    if at_war_with_major(s, nation):
        _set(g, nation, value(s, nation))
    income, extra = s.income[nation], bonus(s, nation)
    s.treasury[nation] = s.treasury.get(nation, 0) + income + extra
    g.emit("collected", power=nation, income=income, bonus=extra)
    if (
        power_of(s, nation) == nation
        and has_tech(s, nation, "wartime_economy")
        and at_war_with_major(s, nation)
    ):
        faces = yield from g.roll("wartime_economy", (RollLine(nation, "ipp", 2, 0, 6),))
        g.emit("wartime_economy", power=nation, ipp=sum(faces), dice=list(faces))
        yield from _divide(g, nation, sum(faces))


class Divide(Decision, frozen=True, tag="divide"):
    """How much of the money each other part of the Commonwealth gets."""

    shares: dict[str, int] = {}


class DivideIncome(Request, frozen=True, tag="divide_income"):
    """Divide what the Wartime Economy brings among the parts of the Commonwealth; what is not given
    away stays."""

    ipp: int
    among: tuple[str, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (Divide,)

    def check(self, state: State, decision: Divide) -> None:
        """Rules: 7.8.wartime-economy-b"""
        rule = "7.8.wartime-economy-b"
        for nation, share in decision.shares.items():
            if nation not in self.among:
                raise IllegalDecision(
                    f"{state.facts.name(nation)} is no part of the Commonwealth to give to.", rule
                )
            if share < 1:
                raise IllegalDecision(f"{share} is no number of IPPs.", rule)
        if sum(decision.shares.values()) > self.ipp:
            raise IllegalDecision(f"There are {self.ipp} IPPs to divide.", rule)

    def decisions(self, state: State) -> Iterator[Decision]:
        for shares in product(range(self.ipp + 1), repeat=len(self.among)):
            if sum(shares) <= self.ipp:
                yield Divide({who: n for who, n in zip(self.among, shares, strict=True) if n})


def _divide(g: Table[State], nation: str, ipp: int) -> Procedure[None]:
    """Hand out the money of a Wartime Economy.

    Rules: 7.8.wartime-economy-a, 7.8.wartime-economy-b
    """
    s = g.state
    parts = tuple(
        other
        for other in s.facts.powers
        if s.facts.nations[other].major == nation != other and other not in s.surrendered
    )
    shares: dict[str, int] = {}
    if parts:
        shares = (yield from g.ask(DivideIncome(nation, ipp, parts))).shares
    for other, share in shares.items():
        s.treasury[other] = s.treasury.get(other, 0) + share
    s.treasury[nation] += ipp - sum(shares.values())
