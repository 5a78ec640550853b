"""Victory points and the end of the game (8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import groupby

from sandtable.board.graphs import reach
from sandtable.board.words import listed
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.opening import opening_control
from sandtable.games.blitz.rules.over import GameOver
from sandtable.games.blitz.rules.sides import (
    WESTERN,
    areas_of,
    at_war,
    country_of,
    introduced,
    out_of_game,
    side_of,
)
from sandtable.games.blitz.rules.supply import GUARDS, reaches
from sandtable.games.blitz.tables import Award
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table

# --- scoring ----------------------------------------------------------------------------------


def score(g: Table[State], power: str, points: int, award: str) -> None:
    """Add victory points, or take them away; the marker stays at the last box of the track.

    A power that cannot score in this scenario, or not by this award, gets nothing.

    Rules: 8a, D.win-b, F.win-a
    """
    s = g.state
    if not points or power not in s.vp or not open_to(s, power, award):
        return
    before = s.vp[power]
    after = before + points
    if s.scenario.ends_at:
        after = min(after, s.scenario.ends_at)
    s.vp[power] = after
    g.emit("scored", power=power, points=points, award=award, total=after)


def open_to(s: State, power: str, award: str) -> bool:
    """Whether a power can score by an award in this scenario; others than a card's are open.

    Rules: D.win-b, E.win-a, F.win-a
    """
    rule = s.scenario.own.get("awards", {}).get(power, {})
    if rule.get("none"):
        return False
    if award in s.facts.awards["every_power"]:
        return introduced(s, "D")
    if award not in s.facts.awards.get(rule.get("card", power), {}):
        return True
    if "only" in rule:
        return award in rule["only"]
    return introduced(s, "D") and award not in rule.get("without", ())


def count_victory(g: Table[State]) -> Procedure[None]:
    """Count the turn's victory points and see whether the game is over.

    Rules: 8a, 8b, 8.sample-a, C.win-c, D.win-a, E.win-a, F.win-a
    """
    s = g.state
    for power, award, points in gains(s):
        score(g, power, points, award)
    if s.scenario_id == "C":
        s.set_convoy_damage({})
    ends_at = s.scenario.ends_at
    if ends_at and any(points >= ends_at for points in s.vp.values()):
        raise GameOver(final_result(s))
    return
    yield


def gains(s: State) -> list[tuple[str, str, int]]:
    """What the powers would gain if the turn ended now: power, award, points."""
    if s.scenario_id == "C":
        return list(_atlantic(s))
    return [gain for power in s.scenario.powers for gain in _by_card(s, power)]


def _by_card(s: State, power: str) -> Iterator[tuple[str, str, int]]:
    """What a power gains by its card at the end of a turn."""
    rule = s.scenario.own.get("awards", {}).get(power, {})
    cards = s.facts.awards
    for id, award in {**cards["every_power"], **cards.get(rule.get("card", power), {})}.items():
        condition = CONDITIONS.get(id)
        if condition is not None and open_to(s, power, id):
            yield power, id, condition(s, power, award)


# --- the awards -------------------------------------------------------------------------------


def _battle_of_the_atlantic(s: State, power: str, award: Award) -> int:
    """AFA and USA convoys in the Atlantic took so much damage by the time incomes were counted."""
    total = sum(
        convoy_damage(s, sea)
        for sea, convoy in s.facts.convoys.items()
        if sea in award.seas and convoy.power in WESTERN
    )
    return award.points * (total >= award.damage)


def convoy_damage(s: State, sea: str) -> int:
    """The damage of a convoy this turn, what was removed with the turn's incomes included."""
    return s.convoy_damage.get(sea, 0) + s.deeds.get(f"convoy_damage:{sea}", 0)


def _fortress_europa(s: State, power: str, award: Award) -> int:
    """The Allies hold hardly any land area in Europe and the Mediterranean.

    Rules: errata.fortress-europa
    """
    held = sum(side_of(s, s.control.get(area, "")) == "allies" for area in award.areas)
    return award.points * (s.turn >= award.from_turn and held <= award.most)


def _lebensraum(s: State, power: str, award: Award) -> int:
    held = sum(s.control[area] == power for area in areas_of(s, award.country))
    return award.points * (held >= award.areas_held)


def _long_war(s: State, power: str, award: Award) -> int:
    """The power still has a home country that is not conquered, whichever it is.

    Rules: 8.longwar-a
    """
    return award.by_turn.get(s.turn, 0) * (not out_of_game(s, power))


def _super_weapons(s: State, power: str, award: Award) -> int:
    return award.points * s.deeds.get(f"super_weapon:{power}", 0)


def _co_prosperity_sphere(s: State, power: str, award: Award) -> int:
    """Oil and Resources outside the power's home countries to which it can trace supply."""
    goods = sum(
        s.facts.lands[area].oil + s.facts.lands[area].resource
        for area, holder in s.control.items()
        if holder == power
        and country_of(s, area) not in s.facts.homes[power]
        and reaches(s, power, area)
    )
    return award.points * (goods >= award.goods)


def _decisive_battle(s: State, power: str, award: Award) -> int:
    sunk = sum(
        s.deeds.get(f"sunk:{other}", 0)
        for other in s.scenario.powers
        if side_of(s, other) == "allies"
    )
    return award.points * (sunk >= award.size)


def _tenno_zan(s: State, power: str, award: Award) -> int:
    """Western air and naval units at sea or on islands within so many naval moves of a port."""
    seas = _seas_within(s, award.port, award.moves)
    total = 0
    for id, unit in s.units.items():
        if unit.power not in (*WESTERN, "western_allies") or s.domain(id) == "land":
            continue
        land = s.facts.lands.get(unit.at)
        near = unit.at in seas if land is None else land.island and not seas.isdisjoint(land.seas)
        total += unit.size * near
    return award.points * (total >= award.size)


def _seas_within(s: State, port: str, moves: int) -> frozenset[str]:
    """The seas that a ship from a land area's ports enters with so many moves, all being open."""
    return frozenset(
        sea
        for first in s.facts.ports[port].values()
        for start in first.seas
        for sea in reach(start, lambda at: ((to, 1) for to in s.facts.sea_next[at]), moves - 1)
    )


def _victory_in_the_cbi(s: State, power: str, award: Award) -> int:
    return award.points * (
        all(s.control.get(area) == power for area in award.areas)
        and any(s.control.get(area) == power for area in award.any_of)
    )


def _maintain_the_empire(s: State, power: str, award: Award) -> int:
    """All of some countries, and enough of some areas: as far as they are in play."""
    bases = [area for area in award.areas if area in s.control]
    held = sum(s.control[area] == power for area in bases)
    return award.points * (
        s.turn >= award.from_turn
        and held >= min(award.areas_held, len(bases))
        and all(
            s.control[area] == power for country in award.countries for area in areas_of(s, country)
        )
    )


def _mediterranean_influence(s: State, power: str, award: Award) -> int:
    """Enough coasts of a sea, some of one's own, and no strong Axis unit in it.

    Rules: 8.sample-a
    """
    coast = [area for area in s.facts.coast[award.sea] if area in s.control]
    allied = sum(side_of(s, s.control[area]) == "allies" for area in coast)
    own = sum(s.control[area] == power for area in coast)
    guarded = any(
        side_of(s, s.units[id].power) == "axis" and s.type(id) in GUARDS and s.type(id) != "SUB"
        for id in s.units_at(award.sea)
    )
    return award.points * (allied >= award.areas_held and own >= award.own and not guarded)


def _no_casualties(s: State, power: str, award: Award) -> int:
    """An area taken from the Axis by Ground Attack without loss, and not lost again.

    It may have been given back to the other Western power.

    Rules: 8.nocas-a, errata.no-casualties
    """
    return award.points * any(
        taker == power and without_loss and s.control.get(area) in (*WESTERN, "western_allies")
        for area, (taker, without_loss) in s.taken.items()
    )


def _rule_the_waves(s: State, power: str, award: Award) -> int:
    return award.points * (
        not any(
            side_of(s, s.units[id].power) == "axis" for sea in award.seas for id in s.units_at(sea)
        )
        and not any(
            convoy_damage(s, sea)
            for sea, convoy in s.facts.convoys.items()
            if convoy.power == power
        )
    )


def _strategic_bombing(s: State, power: str, award: Award) -> int:
    return award.points * (s.deeds.get(f"factory_damage:{power}", 0) >= award.damage)


def _annihilate_the_wehrmacht(s: State, power: str, award: Award) -> int:
    """A German ARM unit destroyed this turn.

    Rules: 8.sample-a
    """
    return award.points * bool(s.deeds.get(f"destroyed:ARM:germany:{power}"))


def _buffer_zone(s: State, power: str, award: Award) -> int:
    """Enough areas outside a country, each next to an area of it.

    Rules: errata.buffer-zone, 8.sample-a
    """
    inside = frozenset(areas_of(s, award.country))
    held = sum(
        holder == power and area not in inside and not inside.isdisjoint(s.facts.land_next[area])
        for area, holder in s.control.items()
    )
    return award.points * (held >= award.areas_held)


def _five_year_plan(s: State, power: str, award: Award) -> int:
    return award.points * (s.deeds.get(f"goods:{power}", 0) >= award.goods)


def _mother_russia(s: State, power: str, award: Award) -> int:
    return award.points * (
        s.turn >= award.from_turn
        and at_war(s, power, "germany")
        and all(s.control.get(area) == power for area in award.areas)
    )


def _arsenal_of_democracy(s: State, power: str, award: Award) -> int:
    """Enough Lend Lease delivered; in scenario E some to China, with no Japanese unit in the way.

    Rules: E.win-b
    """
    rule = s.scenario.own.get("arsenal_of_democracy")
    if rule is not None:
        return award.points * (
            bool(s.deeds.get(f"lend_lease_to:{rule['recipient']}"))
            and not any(s.units[id].power == "japan" for id in s.units_at(rule["sea"]))
        )
    return award.points * (s.deeds.get(f"lend_lease:{power}", 0) >= award.delivered)


def _bring_democracy_to_asia(s: State, power: str, award: Award) -> int:
    """Enough areas that the Axis had at the start, or all of a country.

    Areas that the USSR took in scenario E are out of play.

    Rules: 8.sample-a
    """

    def freed(area: str) -> bool:
        holder = s.control[area]
        return side_of(s, holder) == "allies" and holder in s.scenario.powers

    opening = opening_control(s.facts, s.scenario_id)
    taken = sum(
        freed(area) and side_of(s, opening[area]) == "axis"
        for country in award.countries
        for area in areas_of(s, country)
    )
    whole = all(freed(area) for area in areas_of(s, award.all_of))
    return award.points * (taken >= award.areas_held or whole)


def _pacific_domination(s: State, power: str, award: Award) -> int:
    """At war with Japan, no Axis unit in a Pacific sea, but for those next to Japan.

    Rules: errata.pacific-domination
    """
    near = _seas_within(s, award.port, award.moves)
    return award.points * (
        (power, "japan") in s.wars
        and not any(
            side_of(s, s.units[id].power) == "axis"
            for sea in award.seas
            if sea not in near
            for id in s.units_at(sea)
        )
    )


def _second_front(s: State, power: str, award: Award) -> int:
    """A foothold in Western Europe, and enough land units in Europe.

    Rules: 8.sample-a
    """
    foothold = any(
        s.control[area] in WESTERN for country in award.countries for area in areas_of(s, country)
    )
    size = sum(
        unit.size
        for id, unit in s.of(power)
        if s.domain(id) == "land"
        and unit.at in s.control
        and country_of(s, unit.at) in award.europe
    )
    return award.points * (foothold and size >= award.size)


def _join_atomic_club(s: State, power: str, award: Award) -> int:
    """The first successful test of an A-Bomb; those of one turn share the best place open.

    Rules: 8.atomic-a
    """
    if (power, s.turn) not in s.atomic:
        return 0
    place = sum(turn < s.turn for _, turn in s.atomic)
    return award.places[min(place, len(award.places) - 1)]


Condition = Callable[[State, str, Award], int]

CONDITIONS: dict[str, Condition] = {
    "join_atomic_club": _join_atomic_club,
    "battle_of_the_atlantic": _battle_of_the_atlantic,
    "fortress_europa": _fortress_europa,
    "lebensraum": _lebensraum,
    "long_war": _long_war,
    "super_weapons": _super_weapons,
    "co_prosperity_sphere": _co_prosperity_sphere,
    "decisive_battle": _decisive_battle,
    "tenno_zan": _tenno_zan,
    "victory_in_the_cbi": _victory_in_the_cbi,
    "maintain_the_empire": _maintain_the_empire,
    "mediterranean_influence": _mediterranean_influence,
    "no_casualties": _no_casualties,
    "rule_the_waves": _rule_the_waves,
    "strategic_bombing": _strategic_bombing,
    "annihilate_the_wehrmacht": _annihilate_the_wehrmacht,
    "buffer_zone": _buffer_zone,
    "five_year_plan": _five_year_plan,
    "mother_russia": _mother_russia,
    "arsenal_of_democracy": _arsenal_of_democracy,
    "bring_democracy_to_asia": _bring_democracy_to_asia,
    "pacific_domination": _pacific_domination,
    "second_front": _second_front,
}
"""Award to the points that a power gains by it at the end of a turn; Control Industrial Might is
scored as areas change hands (see rules.control).

Rules: data.victory-cards
"""


def _atlantic(s: State) -> Iterator[tuple[str, str, int]]:
    """Scenario C: the list of its chart, each turn: power, award, points.

    Rules: C.win-a, C.win-b, C.win-c
    """
    rule = s.scenario.own["points"]
    germany, allies = "germany", "western_allies"
    escorts = sum(
        unit.at == s.facts.kinds[id].sea for id, unit in s.of(allies) if s.type(id) == "LL"
    )
    yield allies, "lend_lease_at_sea", rule["lend_lease"] * escorts
    clear = not any(
        s.units[id].power == germany for sea in rule["atlantic"] for id in s.units_at(sea)
    )
    yield allies, "clear_atlantic", rule["clear"] * clear
    yield allies, "submarines_destroyed", rule["submarine"] * _destroyed(s, germany, ("SUB",))
    damage = sum(
        points for sea, points in s.convoy_damage.items() if s.facts.convoys[sea].power in WESTERN
    )
    yield germany, "convoys_damaged", damage // rule["convoy_damage"]
    ships = _destroyed(s, allies, rule["ships"])
    yield germany, "ships_destroyed", rule["ship"] * ships


def _destroyed(s: State, owner: str, types: tuple[str, ...]) -> int:
    """How many units of some types a power lost this turn."""
    return sum(
        number
        for deed, number in s.deeds.items()
        if (parts := deed.split(":"))[0] == "destroyed" and parts[1] in types and parts[2] == owner
    )


# --- the end ----------------------------------------------------------------------------------


def final_result(s: State) -> Result:
    """Who has won when the game is over.

    Rules: A.win-b, B.win-a, C.win-a, D.win-a, D.win-b, E.win-a, F.8a, 8c, 8d, 9.1d
    """
    if s.scenario_id == "A":
        return Result(("afa",), "Germany did not control Paris and Poland at one time.")
    if s.scenario_id == "B":
        return Result(("germany",), "Germany was not conquered by the end of Turn 11.")
    ranked = standings(s)
    points = ranked[0][2]
    leaders = [powers for place, powers, _ in ranked if place == 1]
    if len(leaders) == len(ranked):
        return Result((), f"All have {_number(points)} Victory Points: the game is a draw.")
    winners = tuple(power for powers in leaders for power in powers)
    told = "; ".join(f"{_names(s, powers)} {_number(each)}" for _, powers, each in ranked)
    if s.scenario_id == "D" and "ussr" in winners:
        winners = tuple(dict.fromkeys((*winners, "western_allies")))
    return Result(winners, f"The most Victory Points: {told}.")


def standings(s: State) -> list[tuple[int, tuple[str, ...], Fraction]]:
    """The players in their order: place, powers, and points with the bid; equal ones share a place.

    In scenario D each power stands for itself, and the Western Allies do not count.

    Rules: 8c, 8d, 9.1d, F.8a, D.win-b
    """
    players = s.players
    if s.scenario_id == "D":
        players = tuple((power,) for power in s.scenario.powers if power != "western_allies")
    scores = [
        (Fraction(sum(s.vp[power] for power in powers), len(powers)) + s.bids.get(powers[0], 0))
        for powers in players
    ]
    order = sorted(zip(scores, players, strict=True), key=lambda each: -each[0])
    ranked: list[tuple[int, tuple[str, ...], Fraction]] = []
    for points, group in groupby(order, key=lambda each: each[0]):
        place = len(ranked) + 1
        ranked += [(place, powers, points) for _, powers in group]
    return ranked


def _names(s: State, powers: tuple[str, ...]) -> str:
    return listed(s.facts.names[power] for power in powers)


def _number(points: Fraction) -> str:
    return str(points) if points.denominator == 1 else f"{float(points):.1f}"
