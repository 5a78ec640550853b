"""Vichy and Free France (20.1). Vichy France is a nation of its own; what is Free French is
France's."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.gw75.model import News, State, Unit
from sandtable.games.gw75.rules.indochina import open_to
from sandtable.games.gw75.rules.occupation import note_industry
from sandtable.games.gw75.rules.terms import (
    GROUND,
    NAVAL,
    at_war,
    commander,
    enemy_ground,
    enters,
    friends,
    ground,
    holder,
    seize,
    side,
)
from sandtable.games.gw75.rules.wars import at_peace, declare
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.kits import ChooseOne, YesOrNo
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

DECLARED = "vichy:declared"
"""Count: the Game-Turn in which Vichy France was declared."""
LEAVES = "vichy:leaves:"
"""Mark, with a nation: it had units in Vichy territory when that was declared."""
HOME = "france"
FREE = "new_caledonia"
AIR = frozenset({"ad", "lrb"})


class DeclareVichy(YesOrNo, frozen=True, tag="declare_vichy"):
    """Whether the Axis declares Vichy France."""

    rule: ClassVar[str] = "20.11"


class ChooseFreeFrench(ChooseOne, frozen=True, tag="choose_free_french"):
    """Which of the nearest Vichy French units becomes Free French."""

    options: tuple[str, ...]

    rule: ClassVar[str] = "20.16"
    refusal: ClassVar[str] = "The Vichy French units nearest to the invaders are not in {asked}."


def grace(s: State, nation: str, hex: str) -> bool:
    """Whether units of a nation may still move through a hex of Vichy France: up to the end of the
    Game-Turn after its declaration, if they were in its territory, and where none of its land units
    is.

    Rules: 20.18
    """
    return (
        s.vichy == "declared"
        and s.turn <= s.counts[DECLARED] + 1
        and LEAVES + nation in s.marks
        and holder(s, hex) == "vichy"
        and not any(unit.nation == "vichy" for unit, _ in ground(s, hex))
    )


def patron(s: State, nation: str) -> str:
    """The nation whose supply sources a Free French or Vichy French nation uses; empty for its own.
    Free France is on the US net, or on that of the Commonwealth while the USA is neutral.

    Rules: 20.15b, 20.15c
    """
    if nation == "vichy":
        return "germany" if s.vichy == "axis" else ""
    if nation == "france" and s.vichy in ("declared", "axis", "allies", "gone"):
        return "commonwealth" if at_peace(s, "usa") else "usa"
    return ""


def follow(g: Table[State], news: News) -> Procedure[None]:
    """The declaration of Vichy France, the time to leave it, and its invasion.

    Rules: 20.11, 20.14, 20.15b, 20.15c, 20.16, 20.18
    """
    s = g.state
    if news.kind == "violated":
        if news.whom == "vichy" and s.vichy == "declared":
            yield from _invaded(g, news.who, news.where)
        return
    if news.how != "end of turn_record":
        return
    if s.vichy == "open" and has_fallen(s):
        answer = yield from g.ask(DeclareVichy(commander(s, "germany")))
        if answer.yes:
            yield from _declare(g)
        else:
            s.vichy = "gone"
    elif s.vichy == "declared" and s.turn == s.counts[DECLARED] + 1:
        _count_invaders(g)


def has_fallen(s: State) -> bool:
    """Whether the Axis has eliminated all French units in European France: it holds a part of it,
    and no French land unit is there.

    Rules: 20.11
    """
    hexes = s.facts.country_hexes[HOME]
    return (
        at_war(s, "france", "germany")
        and any(side(s, holder(s, hex)) == "axis" for hex in hexes)
        and not any(unit.nation == "france" for hex in hexes for unit, _ in ground(s, hex))
    )


def territory(s: State) -> list[str]:
    """What becomes Vichy territory: French overseas but for New Caledonia, and what of European
    France the Axis has not taken.

    Rules: 20.12, 20.17
    """
    return [
        id
        for id, hex in s.facts.hexes.items()
        if hex.nation == "france"
        and hex.country != FREE
        and (hex.country != HOME or holder(s, id) == "france")
    ]


def _declare(g: Table[State]) -> Procedure[None]:
    """Vichy France: the land units overseas are frozen, the rest of the army and the air force are
    removed, a die decides on the navy.

    Rules: 20.12, 20.13, 20.17, 20.18
    """
    s = g.state
    s.vichy = "declared"
    s.counts[DECLARED] = s.turn
    g.emit("vichy_declared", power="germany")
    found = territory(s)
    for hex in found:
        before = holder(s, hex)
        s.hold(hex, "vichy")
        note_industry(s, hex, before)
    s.track = tuple(job for job in s.track if job.nation != "france")
    s.due = tuple(job for job in s.due if job.nation != "france")
    s.missions = tuple(mission for mission in s.missions if mission.nation != "france")
    for hex, unit, count in list(s.units_of("france")):
        if unit.type in NAVAL:
            continue
        if unit.type in GROUND and s.facts.hexes[hex].country == FREE:
            continue
        if unit.type in GROUND and holder(s, hex) == "vichy":
            _turn(s, hex, unit, count, "vichy")
        else:
            s.destroy(hex, unit, count, forever=True)
            g.emit("interned", power="france", space=hex, losses={"france": {unit.type: count}})
    yield from _navy(g)
    for hex in found:
        for unit in s.stack(hex):
            if unit.nation != "vichy" and unit.type in GROUND | AIR and unit.nation != "usa":
                s.marks |= {LEAVES + unit.nation}
    s.changed()


def _turn(s: State, hex: str, unit: Unit, count: int, nation: str) -> None:
    """Units change their nation."""
    s.take(hex, unit, count)
    key = (unit.nation, unit.type)
    s.lost[key] = s.lost.get(key, 0) + count
    s.build(hex, Unit(nation, unit.type, unit.depleted), count)


def _navy(g: Table[State]) -> Procedure[None]:
    """A die decides whether the French Navy is removed, or which side has it. Ships that are in no
    Friendly port then sail to the nearest.

    Rules: 20.13, 20.17
    """
    s, numbers = g.state, g.state.facts.numbers
    ships = [each for each in s.units_of("france") if each[1].type in NAVAL]
    if not ships:
        return
    lines = (RollLine("france", "navy", 1, 0),)
    dice = yield from g.roll("french_navy", lines)
    owner = "germany"
    if dice[0] <= numbers.french_navy_gone:
        owner = ""
    elif dice[0] <= numbers.french_navy_allies:
        owner = "france"
    g.emit("french_navy", power="france", recipient=owner, lines=lines, dice=dice)
    for hex, unit, count in ships:
        if not owner:
            s.destroy(hex, unit, count, forever=True)
            continue
        if owner != "france":
            _turn(s, hex, unit, count, owner)
            unit = Unit(owner, unit.type, unit.depleted)
        port = _haven(s, owner, hex)
        if unit.type == "ms" or port == hex:
            continue
        if port:
            s.take(hex, unit, count)
            s.put(port, unit, count)
        else:
            s.destroy(hex, unit, count)


def _haven(s: State, nation: str, hex: str) -> str:
    """The nearest port that is held by a nation or its friends; the hex itself at sea."""
    if not s.facts.hexes[hex].dry:
        return hex
    ports = [
        (s.facts.distance(hex, id), id)
        for id, found in s.facts.hexes.items()
        if (found.port or id in s.ports) and friends(s, nation, holder(s, id))
    ]
    return min(ports)[1] if ports else ""


def _count_invaders(g: Table[State]) -> None:
    """The time to leave is over: whoever has units in Vichy France has invaded it. Those that are
    in a hex with its land units are interned. Japan occupies Indochina, if that is open to it.

    Rules: 20.18, 20.2a
    """
    s = g.state
    for hex in s.presence.get("japan", ()):
        if open_to(s, "japan", hex) and any(u.nation == "japan" for u, _ in ground(s, hex)):
            seize(s, hex, "japan")
            s.tell(News("entered", "japan", whom="vichy", where=hex))
    stayed = [
        (hex, unit, count)
        for hex, unit, count in s.units()
        if LEAVES + unit.nation in s.marks
        and unit.type in GROUND | AIR
        and holder(s, hex) == "vichy"
    ]
    for hex, unit, count in stayed:
        if any(other.nation == "vichy" for other, _ in ground(s, hex)):
            _intern(g, hex, unit, count)
    for hex, unit, _ in stayed[:1]:
        s.tell(News("violated", unit.nation, "vichy", hex))


def _invaded(g: Table[State], who: str, hex: str) -> Procedure[None]:
    """Vichy France joins the side that does not invade it; with US units among the invaders it
    comes to an end.

    Rules: 20.14, 20.15a, 20.15b, 20.15c, 20.16
    """
    s = g.state
    g.emit("violated", power=who, against="vichy", space=hex)
    if side(s, who) == "axis":
        s.vichy = "allies"
        for place, unit, count in list(s.units_of("vichy")):
            _free_french(g, place, unit, count)
        _liberate(s)
        if not at_war(s, who, "france"):
            declare(g, who, "france")
    elif who == "usa" or _americans(s, hex):
        yield from _free(g, hex)
    else:
        s.vichy = "axis"
        s.join("vichy", "axis")
        declare(g, who, "vichy")
    s.changed()
    _end_the_stay(g)


def _americans(s: State, hex: str) -> bool:
    """Whether US land units are in a hex, or US units on their way to it (ships that carry others,
    too) or about to attack it.

    Rules: 20.16
    """
    units = [unit for unit, _ in ground(s, hex)]
    if s.march is not None:
        units += [unit for unit in s.stack(s.march.path[0]) if unit.duty.endswith("march")]
    forces = (attack.force for attack in s.attacks if hex in attack.targets)
    return any(unit.nation == "usa" for unit in units) or any(
        nation == "usa" for force in forces for _, nation, _, _ in force
    )


def _end_the_stay(g: Table[State]) -> None:
    """Who was still in Vichy France, and is an Enemy now, is interned beside its units, and holds
    the other hexes in which it is.

    Rules: 5.42, 20.18
    """
    s = g.state
    for hex, unit, count in list(s.units()):
        nation = unit.nation
        if LEAVES + nation in s.marks and unit.type in GROUND and unit.duty != "assault":
            if any(
                other.nation in ("vichy", "france") and at_war(s, nation, other.nation)
                for other, _ in ground(s, hex)
            ):
                _intern(g, hex, unit, count)
            elif at_war(s, nation, holder(s, hex)) and not enemy_ground(s, nation, hex):
                enters(s, hex, nation)


def _intern(g: Table[State], hex: str, unit: Unit, count: int) -> None:
    g.state.destroy(hex, unit, count)
    losses = {unit.nation: {unit.type: count}}
    g.emit("interned", power=unit.nation, space=hex, losses=losses)


def _free(g: Table[State], hex: str) -> Procedure[None]:
    """The Vichy French units nearest to the invaders become Free French, all others are removed.

    Rules: 20.16
    """
    s = g.state
    s.vichy = "gone"
    places = sorted({place for place, unit, _ in s.units_of("vichy") if unit.type in GROUND})
    chosen = ""
    if places:
        near = min(s.facts.distance(hex, place) for place in places)
        options = tuple(place for place in places if s.facts.distance(hex, place) == near)
        chosen = options[0]
        if len(options) > 1:
            answer = yield from g.ask(ChooseFreeFrench(commander(s, "usa"), options))
            chosen = answer.option
    for place, unit, count in list(s.units_of("vichy")):
        if place == chosen:
            _free_french(g, place, unit, count)
        else:
            s.destroy(place, unit, count, forever=True)
    _liberate(s)
    g.emit("vichy_ended", power="usa", space=chosen)


def _free_french(g: Table[State], hex: str, unit: Unit, count: int) -> None:
    """Vichy French units become Free French; those beside Japanese ones in Indochina are interned.

    Rules: 20.2a, 20.15c, 20.16
    """
    s = g.state
    if any(other.nation == "japan" for other, _ in ground(s, hex)):
        s.destroy(hex, unit, count, forever=True)
        g.emit("interned", power="vichy", space=hex, losses={"vichy": {unit.type: count}})
    else:
        _turn(s, hex, unit, count, "france")


def _liberate(s: State) -> None:
    """What Vichy France held is Free French."""
    for hex in s.facts.hexes:
        if holder(s, hex) == "vichy":
            s.hold(hex, "france")
            note_industry(s, hex, "vichy")
