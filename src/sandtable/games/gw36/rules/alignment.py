"""How Minor Powers come under Control or Align with Major Powers (4.4, 4.7 to 4.12, Tables 4-3 to
4-6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.gw36.facts import half_year
from sandtable.games.gw36.model import News, State
from sandtable.games.gw36.rules.capture import come_over, possess
from sandtable.games.gw36.rules.control import end_control, take_control, zones_of
from sandtable.games.gw36.rules.relations import AMERICAS, FACTIONS, chinese, end_war, go_to_war
from sandtable.games.gw36.rules.sea_duties import raid_key
from sandtable.games.gw36.rules.terms import (
    alliance,
    at_war,
    at_war_with_major,
    enemies,
    foes,
    on,
)
from sandtable.kernel.decisions import Decision, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.kits import ChooseOne, YesOrNo
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

COMMONWEALTH = ("great_britain", "fec", "anzac")
NONE = "none"


def align(g: Table[State], minor: str, major: str) -> None:
    """A Minor Power becomes part of a Major Power: its units, ships, zones, production and wars are
    those of the Major Power from now on, in this very phase. Of one that was defeated the colonies
    come over, and what nobody has taken at home.

    Rules: 0.9.aligned-a, 4.4c, 4.4e, 4.7b, 4.12a, appB-2a
    """
    s = g.state
    old_foes = sorted(foes(s, minor))
    for foe in old_foes:
        end_war(s, minor, foe)
    zones = zones_of(s, minor)
    come_over(s, minor, major)
    s.track = tuple(
        sorted(job._replace(nation=major) if job.nation == minor else job for job in s.track)
    )
    g.emit("aligned", power=major, country=minor)
    for zone in zones:
        possess(g, zone, major, "aligned")
    end_control(s, minor)
    s.aligned[minor] = major
    s.tell(News("aligned", major, minor))
    for foe in old_foes:
        if alliance(s, foe) != alliance(s, major):
            go_to_war(g, foe, major, declared=False)


def free_to_align(s: State, minor: str, major: str) -> bool:
    """Whether a Minor Power can come over to a power by a condition of its own: it is in play, not
    yet part of another, not Controlled by another Alliance, and not at war with that power."""
    by = s.control.get(minor, "")
    return (
        minor not in s.aligned
        and minor not in s.defeated
        and major not in s.surrendered
        and (not by or alliance(s, by) == alliance(s, major))
        and not at_war(s, minor, major)
        and minor in s.possession.values()
    )


# --- who gets a Minor Power that is attacked ------------------------------------------------------


class AssignMinor(ChooseOne, frozen=True, tag="assign_minor"):
    """Which part of the Commonwealth takes a Minor Power to which several are equally near."""

    nation: str
    options: tuple[str, ...]

    rule: ClassVar[str] = "table-4-3f"
    refusal: ClassVar[str] = (
        "{asked} cannot take it, only the nearest parts of the Commonwealth can."
    )


def sphere(s: State, attacker: str, minor: str) -> str:
    """The Alliance to which a Minor Power turns that a nation attacks; empty if to none.

    Rules: table-4-3a, table-4-3c, table-4-3e
    """
    side = alliance(s, attacker)
    if minor in s.facts.politics.spheres["comintern"].only and side != "comintern":
        return "comintern"
    return {"axis": "allies", "allies": "axis", "comintern": "axis"}.get(side, "")


def receiver(s: State, side: str, minor: str) -> tuple[str, ...]:
    """Who may get a Minor Power that turns to an Alliance: one nation, or the parts of the
    Commonwealth that are equally near.

    Rules: 15.11a, table-4-3f, table-4-3g, table-4-3h, table-4-3i
    """
    rule = s.facts.politics.spheres[side]
    if side != "comintern" and on(s, "minors_to_italy_and_france"):
        instead = _france_or_italy(s, side)
        if instead and minor not in rule.except_:
            return (instead,)
    if minor in rule.except_ and rule.except_[minor] not in s.surrendered:
        return (rule.except_[minor],)
    nation = s.facts.nations[minor]
    if rule.americas and rule.americas not in s.surrendered:
        home = nation.home or frozenset(nation.zones)
        if any(s.facts.zones[zone].region in AMERICAS for zone in home):
            return (rule.americas,)
    for power in rule.to:
        if power in s.surrendered:
            continue
        return _nearest(s, minor) if power == "great_britain" else (power,)
    return ()


def _france_or_italy(s: State, side: str) -> str:
    if side == "axis":
        return "italy" if "italy" not in s.surrendered else ""
    return "free_france" if "france" in s.surrendered else "france"


def _nearest(s: State, minor: str) -> tuple[str, ...]:
    """The parts of the Commonwealth that own the land zone nearest to a Minor Power's Home Country,
    counted over land and sea.

    Rules: table-4-3f
    """
    nation = s.facts.nations[minor]
    reached = set(nation.home or nation.zones)
    edge = sorted(reached)
    while edge:
        near = {s.possession.get(zone, "") for zone in edge}
        parts = tuple(p for p in COMMONWEALTH if p in near and p not in s.surrendered)
        if parts:
            return parts
        new = {n for zone in edge for n in s.facts.neighbours[zone]} - reached
        reached |= new
        edge = sorted(new)
    return ("great_britain",)


def _assign(g: Table[State], attacker: str, minor: str) -> Procedure[str]:
    """Who gets the Minor Power, Great Britain deciding between parts of the Commonwealth."""
    s = g.state
    side = sphere(s, attacker, minor)
    options = receiver(s, side, minor) if side else ()
    if len(options) < 2:
        return options[0] if options else ""
    chosen = yield from g.ask(AssignMinor("great_britain", minor, options))
    return str(chosen.option)


def _attacked(g: Table[State], attacker: str, minor: str) -> Procedure[None]:
    """Somebody has declared war on a Minor Power: it comes under Control, and Aligns when its
    controller is (or comes to be) at war with the attacker, after the battles of the turn.

    Rules: 4.4b, 4.5a, 4.9c, 5.6e, 13.1n, 13.1r, 14.4.3d, table-4-3a, table-4-3b, table-4-3c,
        table-4-3d, table-4-3e, table-4-6a, table-8-1c
    """
    s = g.state
    if s.phase in ("combat_move", "combat") and attacker in s.facts.order[s.slot]:
        s.done[f"declared:{minor}"] = 1
    if s.facts.nations[minor].kind == "warlord":
        if attacker in FACTIONS:
            other = FACTIONS[1 - FACTIONS.index(attacker)]
            if other not in s.surrendered:
                s.control[minor] = other
        return
    patron = _patron(s, attacker, minor)
    if patron:
        take_control(g, minor, patron)
    elif minor not in s.control:
        power = yield from _assign(g, attacker, minor)
        if power:
            take_control(g, minor, power)
    if sphere(s, attacker, minor) == "comintern" and s.control.get(minor) == "ussr":
        align(g, minor, "ussr")
    elif minor == "vichy_france" and not s.done.get(f"declared:{minor}"):
        align(g, minor, s.control[minor])


def _patron(s: State, attacker: str, minor: str) -> str:
    """The power to which a Spain at peace turns, whoever attacks it.

    Rules: 13.1n, 13.1r
    """
    if minor == nationalist_spain(s) and alliance(s, attacker) != "axis":
        return receiver(s, "axis", minor)[0]
    if minor == "spain_republican" and alliance(s, attacker) != "comintern":
        return "ussr"
    return ""


def nationalist_spain(s: State) -> str:
    """The id of a Spain that the Nationalists have won, or that was theirs from the start; empty
    during the Spanish Civil War and under the Republic.

    Rules: table-4-5e
    """
    if s.spain == "":
        return "spain"
    return "spain_nationalist" if s.spain == "nationalist" else ""


def ripen(g: Table[State], *, over: bool = False) -> None:
    """Align every Controlled Minor Power whose controller is at war with one of its Enemies; one
    that was attacked this turn only when the battles are `over`. A warlord attacked by a Chinese
    faction, Vichy France and a Nationalist Spain come over without their controller being at war.

    Rules: 4.7b, 4.9c, 4.12a, 5.6e, 13.1n, 14.4.3d
    """
    s = g.state
    for minor, by in sorted(s.control.items()):
        foreign = [foe for foe in sorted(foes(s, minor)) if alliance(s, foe) != alliance(s, by)]
        attacked = s.done.get(f"declared:{minor}", 0)
        if not foreign or (attacked and not over):
            continue
        if not s.presence.get(minor) and minor not in s.possession.values():
            end_control(s, minor)
        elif (
            s.facts.nations[minor].kind == "warlord"
            or (minor == nationalist_spain(s) and alliance(s, by) == "axis")
            or (
                attacked if minor == "vichy_france" else any(enemies(s, by, foe) for foe in foreign)
            )
        ):
            align(g, minor, by)


# --- influence ------------------------------------------------------------------------------------


class Influence(Decision, frozen=True, tag="influence"):
    """Pay to win a Minor Power over, and roll for it."""

    nation: str
    ipp: int


def influence_refusal(s: State, power: str, decision: Influence) -> tuple[str, str]:
    """Why a power cannot make that attempt in its Production Phase, with the rule; or empty.

    Rules: table-4-4b, table-4-4c, table-4-4d, table-4-5h
    """
    facts = s.facts
    data, minor, ipp = facts.politics.influence, decision.nation, decision.ipp
    name = facts.name(power)
    if power == "usa":
        if minor not in facts.politics.pan_american:
            return f"{name} can influence the Pan-American nations only.", "table-4-4b"
        if not 1 <= ipp <= data.usa.most:
            return f"An attempt costs 1 to {data.usa.most} IPPs.", "table-4-4d"
        if s.done.get(f"influence:{minor}"):
            return f"One attempt for {facts.name(minor)} was made this turn.", "table-4-4c"
        rule = "table-4-4c"
    elif power == "germany":
        rule = "table-4-5h"
        if minor != data.germany.nation:
            return f"{name} can influence {facts.name(data.germany.nation)} only.", rule
        if ipp != data.germany.ipp:
            return f"The attempt costs {data.germany.ipp} IPPs.", rule
        if "argentina" in s.marks:
            return f"{name} has made its one attempt.", rule
    else:
        return f"{name} cannot influence other nations.", "table-4-4c"
    if not at_war_with_major(s, power):
        return f"{name} is not at war with a Major Power.", rule
    if not free_to_align(s, minor, power):
        return f"{facts.name(minor)} cannot be won over.", rule
    if s.treasury[power] < ipp:
        return f"{name} has only {s.treasury[power]} IPPs.", rule
    return "", ""


def check_influence(s: State, power: str, decision: Influence) -> None:
    """Raise IllegalDecision if a power cannot make that attempt."""
    why, rule = influence_refusal(s, power, decision)
    if why:
        raise IllegalDecision(why, rule)


def influence_options(s: State, nation: str) -> Iterator[Influence]:
    """The attempts that a player nation can make now, in its Production Phase."""
    data = s.facts.politics.influence
    if nation not in ("usa", "germany") or not at_war_with_major(s, nation):
        return
    tries = (
        [(minor, ipp) for minor in s.facts.politics.pan_american for ipp in range(1, 4)]
        if nation == "usa"
        else [(data.germany.nation, data.germany.ipp)]
    )
    for minor, ipp in tries:
        attempt = Influence(minor, ipp)
        if not influence_refusal(s, nation, attempt)[0]:
            yield attempt


def influence(g: Table[State], power: str, decision: Influence) -> Procedure[None]:
    """Pay, roll, and Align the Minor Power if the roll is not too high. The IPPs are gone anyway.

    Rules: table-4-4c, table-4-4d, table-4-4e, table-4-4f, table-4-5h, table-4-5i
    """
    s = g.state
    data, minor = s.facts.politics.influence, decision.nation
    s.treasury[power] -= decision.ipp
    if power == "usa":
        s.done[f"influence:{minor}"] = 1
        target = decision.ipp + _threatened(s, power, minor)
    else:
        s.marks |= {"argentina"}
        target = data.germany.target
    lines = (RollLine(power, minor, 1, target, 12),)
    faces = yield from g.roll("influence", lines)
    success = faces[0] <= target
    g.emit(
        "influence",
        power=power,
        country=minor,
        ipp=decision.ipp,
        lines=lines,
        dice=faces,
        success=success,
    )
    if not success:
        return
    align(g, minor, _by_option(s, power))
    if power == "germany" and not at_war_with_major(s, "usa"):
        count, sides = data.germany.us_dice
        lines = (RollLine("usa", "income", count, 0, sides),)
        faces = yield from g.roll("income", lines)
        top = s.facts.sheets["usa"].income[s.options["scenario"]].wartime
        gain = min(sum(faces), max(0, top - s.income["usa"]))
        s.income["usa"] += gain
        g.emit("income_changed", power="usa", by=gain, cause="argentina", lines=lines, dice=faces)


def _threatened(s: State, power: str, minor: str) -> int:
    """1 if Enemies raided the convoy line along the coast this turn, or stand in a sea zone that
    borders on the Minor Power. Who takes something from a nation on the line is its Enemy.

    Rules: table-4-4e
    """
    line = s.facts.politics.influence.usa.line
    if s.raided.get((line, power)):
        return 1
    if any(s.counts.get(raid_key(line, foe)) for foe in foes(s, power)):
        return 1
    coasts = {sea for zone in s.facts.nations[minor].zones for sea in s.facts.coast.get(zone, ())}
    return int(any(enemies(s, power, unit.nation) for sea in coasts for unit in s.stack(sea)))


def _by_option(s: State, power: str) -> str:
    """The power that a Minor Power joins when it Aligns with this one's Alliance: with the option
    15.11 that is Italy instead of Germany, and France or Free France instead of the Allies.

    Rules: 15.11a
    """
    side = alliance(s, power)
    if not on(s, "minors_to_italy_and_france") or side == "comintern" or power == "japan":
        return power
    return _france_or_italy(s, side) or power


# --- special conditions ---------------------------------------------------------------------------


class AlignPoland(YesOrNo, frozen=True, tag="align_poland"):
    """Whether Poland Aligns with Great Britain as the British turn opens."""

    rule: ClassVar[str] = "table-4-4a"


class AlignBalkans(ChooseOne, frozen=True, tag="align_balkans"):
    """Which of the three Balkan nations Aligns with Germany in this Place Units Phase, if any."""

    options: tuple[str, ...]

    rule: ClassVar[str] = "table-4-5a"


class AlignIraq(ChooseOne, frozen=True, tag="align_iraq"):
    """Whom Iraq joins, if both Axis powers stand at its border."""

    options: tuple[str, ...]

    rule: ClassVar[str] = "table-4-5f"


def follow(g: Table[State], news: News) -> Procedure[None]:
    """What news do to the Alignment of Minor Powers, at once.

    Rules: 4.4b, 4.7b, 4.8a, 4.9b, table-8-1c
    """
    s = g.state
    if news.kind in ("war", "joined"):
        yield from _war(g, news)
    elif news.kind == "surrendered" and news.whom == "france":
        s.counts["balkans"] = s.facts.politics.conditions.balkans.phases
    elif news.kind == "possession":
        _spain(g)
    elif news.kind == "phase":
        if news.how.startswith("start"):
            yield from _phase_starts(g)
        elif news.how == "end of combat_move":
            _vichy_attacked(s)
        elif news.how == "end of combat":
            yield from _combat_ends(g)


def _vichy_attacked(s: State) -> None:
    """Vichy France is under attack from other Alliances also where it was at war before, as it is
    with Free France after its own attack on that.

    Rules: 14.4.3d
    """
    group = s.facts.order[s.slot]
    if "vichy_france" in s.control and any(
        at_war(s, nation, "vichy_france") and alliance(s, nation) != "axis" for nation in group
    ):
        for zone, _ in s.planned:
            there = {unit.nation for unit in s.stack(zone)} | {s.possession.get(zone)}
            if "vichy_france" in there:
                s.done["declared:vichy_france"] = 1


def _war(g: Table[State], news: News) -> Procedure[None]:
    """Who is attacked comes under Control or Aligns; foreign war on China brings the warlords to
    the KMT; war of Germany and the USSR brings Germany the nations of Table 4-5.

    Rules: 4.7b, 4.9b, 13.2f, 13.2g, table-4-5b, table-4-5c, table-4-5g
    """
    s = g.state
    conditions = s.facts.politics.conditions
    who, whom = news.who, news.whom
    foreign = chinese(s, whom) and not chinese(s, who)
    if foreign:
        for warlord in sorted(n for n, r in s.facts.nations.items() if r.kind == "warlord"):
            if warlord not in s.aligned and warlord in s.possession.values():
                align(g, warlord, "kmt")
    elif news.kind == "war" and not s.facts.nations[whom].player and whom not in s.aligned:
        yield from _attacked(g, who, whom)
        if who == conditions.sweden.by and whom in conditions.sweden.victims:
            s.marks |= {"sweden"}
    if {who, whom} == {"germany", conditions.balkans.foe}:
        signed = conditions.finland.pact in s.pacts | s.pacts_ended
        for minor in (*conditions.balkans.nations, *(["finland"] if signed else [])):
            _align_if_free(g, minor, "germany")
    if s.abyssinia == "abyssinia" and at_war_with_major(s, "france"):
        _align_if_free(g, "abyssinia", "france")
    ripen(g)


def _align_if_free(g: Table[State], minor: str, power: str) -> None:
    if free_to_align(g.state, minor, power):
        align(g, minor, _by_option(g.state, power))


def _spain(g: Table[State]) -> None:
    """Nationalist Spain joins Germany when the Axis holds London, or Gibraltar and Eastern Egypt.

    Rules: table-4-5e
    """
    s = g.state
    spain = nationalist_spain(s)
    if spain and any(
        all(alliance(s, s.possession[zone]) == "axis" for zone in zones)
        for zones in s.facts.politics.conditions.spain
    ):
        _align_if_free(g, spain, "germany")


def _phase_starts(g: Table[State]) -> Procedure[None]:
    """Poland as the British turn opens, the Balkans in the German Place Units Phase, Siam in the
    Japanese Production Phase of its date; Spain, if a position has all that it waits for.

    Rules: table-4-4a, table-4-5a, table-4-5e, table-4-5j
    """
    s = g.state
    _spain(g)
    conditions = s.facts.politics.conditions
    group = s.facts.order[s.slot]
    if s.phase == "production" and conditions.poland.by in group:
        poland = conditions.poland
        if free_to_align(s, "poland", poland.by) and any(
            at_war(s, ally, poland.foe) for ally in poland.allies
        ):
            answer = yield from g.ask(AlignPoland(poland.by))
            if answer.yes:
                align(g, "poland", _by_option(s, poland.by))
    if (
        s.phase == "production"
        and conditions.siam.by in group
        and s.date == half_year(conditions.siam.date)
    ):
        _align_if_free(g, "siam", conditions.siam.by)
    if s.phase == "place_units" and "germany" in group and s.counts.get("balkans"):
        s.counts["balkans"] -= 1
        options = tuple(n for n in conditions.balkans.nations if free_to_align(s, n, "germany"))
        if options:
            chosen = yield from g.ask(AlignBalkans("germany", (*options, NONE)))
            if chosen.option != NONE:
                align(g, chosen.option, _by_option(s, "germany"))


def _combat_ends(g: Table[State]) -> Procedure[None]:
    """As a Combat Phase closes: those attacked in it come over; Turkey, Iraq and Sweden.

    Rules: 4.9c, 5.6e, table-4-5d, table-4-5f, table-4-5g
    """
    s = g.state
    conditions = s.facts.politics.conditions
    group = s.facts.order[s.slot]
    ripen(g, over=True)
    for key in [key for key in s.done if key.startswith("declared:")]:
        del s.done[key]
    if "germany" in group and all(s.possession[z] == "germany" for z in conditions.turkey):
        _align_if_free(g, "turkey", "germany")
    if conditions.sweden.by in group and "sweden" in s.marks:
        s.marks -= {"sweden"}
        _align_if_free(g, "sweden", "germany")
    yield from _iraq(g, group)


def _iraq(g: Table[State], group: tuple[str, ...]) -> Procedure[None]:
    """Iraq joins the Axis power whose Combat Phase ends with a land unit of its own at the border;
    if both powers have one there, that player chooses.

    Rules: table-4-5f
    """
    s = g.state
    rule = s.facts.politics.conditions.iraq
    acting = [power for power in rule.by if power in group]
    if not acting or not free_to_align(s, rule.nation, acting[0]):
        return
    iraq = set(s.facts.nations[rule.nation].zones)
    around = {n for zone in iraq for n in s.facts.land_next[zone]} - iraq
    there = tuple(
        power
        for power in rule.by
        if any(
            unit.nation == power and s.facts.units[unit.type].land
            for zone in around
            for unit in s.stack(zone)
        )
    )
    if acting[0] not in there:
        return
    power = acting[0]
    if len(there) > 1:
        chosen = yield from g.ask(AlignIraq(power, there))
        power = chosen.option
    align(g, rule.nation, power)
