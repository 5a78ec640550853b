"""Pacts (14.1 to 14.3) and the truce of the Chinese factions (13.3)."""

from __future__ import annotations

from functools import lru_cache

from sandtable.games.gw36.facts import Facts, half_year
from sandtable.games.gw36.model import Facility, News, State
from sandtable.games.gw36.rules.capture import withdraw
from sandtable.games.gw36.rules.relations import FACTIONS, chinese, end_war, go_to_war
from sandtable.games.gw36.rules.terms import at_war, foes, is_major
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

BASIS_NORD = "basis_nord"
"""What marks the base: it stands in another nation's zone."""
_NORTHERN_ROUTE = ("northern_route", "ussr", "germany")


def sign_refusal(s: State, power: str, name: str) -> tuple[str, str]:
    """Why a power cannot agree to a pact now, with the rule; empty if it can.

    Rules: 13.3d, 14.1a, 14.2a, 14.2m, 14.3a
    """
    facts = s.facts
    pact = facts.politics.pacts.get(name)
    if pact is None or power not in pact.partners:
        return f"{facts.name(power)} is no partner of such a pact.", "14.1a"
    rule = {"molotov_ribbentrop": "14.2a", "japanese_soviet": "14.3a"}.get(name, "13.3d")
    if name in s.pacts:
        return f"The {pact.name} is in force.", rule
    if s.date < half_year(pact.since):
        return f"The {pact.name} cannot be signed before July 1939.", rule
    if pact.once and name in s.pacts_ended:
        return f"The {pact.name} cannot be signed again.", "14.2m"
    if any(partner in s.surrendered for partner in pact.partners):
        return "One of the partners has surrendered.", rule
    if name == "chinese_truce":
        if s.china != "war":
            return "The Chinese Civil War is over.", rule
        if not any(
            is_major(s, foe) and not chinese(s, foe)
            for faction in FACTIONS
            for foe in foes(s, faction)
        ):
            return "No foreign Major Power is at war with China.", rule
    elif at_war(s, *pact.partners):
        return "The partners are at war with each other.", rule
    return "", ""


def sign(g: Table[State], name: str) -> None:
    """A pact comes into force: both partners have agreed.

    Rules: 13.3d, 13.3e, 13.3g, 14.1a, 14.2a, 14.2j, 14.2k, 14.2l
    """
    s = g.state
    pact = s.facts.politics.pacts[name]
    s.pacts |= {name}
    s.offers = frozenset(offer for offer in s.offers if offer[0] != name)
    if name == "chinese_truce":
        end_war(s, *pact.partners)
    elif name == "molotov_ribbentrop":
        base = s.facts.politics.basis_nord
        standing = s.facilities.get(base.zone, ())
        free = Facility("submarine_base", base.at, was=BASIS_NORD)
        s.facilities[base.zone] = tuple(sorted((*standing, free)))
        s.permits |= {_NORTHERN_ROUTE}
        s.closed -= {(s.facts.white_sea, "germany")}
    g.emit("pact_signed", pact=name, powers=list(pact.partners))
    s.tell(News("pact", how=name))


def end_refusal(s: State, power: str, name: str) -> tuple[str, str]:
    """Why a power cannot end a pact now, with the rule; empty if it can.

    Rules: 13.3h, 14.2m, 14.3c
    """
    facts = s.facts
    pact = facts.politics.pacts.get(name)
    if pact is None or power not in pact.partners or name not in s.pacts:
        return f"{facts.name(power)} has no such pact.", "14.1a"
    if s.treasury[power] < pact.price:
        return f"To break the {pact.name} costs {pact.price} IPPs.", "14.3c"
    return "", ""


def break_pact(g: Table[State], power: str, name: str) -> None:
    """A partner ends a pact, and pays what that costs.

    Rules: 13.3h, 14.2m, 14.3c
    """
    g.state.treasury[power] -= g.state.facts.politics.pacts[name].price
    end(g, name, power)


def end(g: Table[State], name: str, who: str = "") -> None:
    """A pact is over, with all that it allowed. After a truce the Chinese factions are at war, and
    the units of each leave the other's zones.

    Rules: 13.3h, 14.2j, 14.2m
    """
    s = g.state
    pact = s.facts.politics.pacts[name]
    s.pacts -= {name}
    if pact.once:
        s.pacts_ended |= {name}
    g.emit("pact_ended", pact=name, power=who)
    s.tell(News("pact_ended", who, how=name))
    if name == "molotov_ribbentrop":
        s.permits -= {_NORTHERN_ROUTE}
        zone = s.facts.politics.basis_nord.zone
        rest = tuple(f for f in s.facilities.get(zone, ()) if f.was != BASIS_NORD)
        if rest:
            s.facilities[zone] = rest
        else:
            s.facilities.pop(zone, None)
    elif name == "chinese_truce" and s.china == "war":
        s.marks -= {"foreign_in_china"}
        for faction in FACTIONS:
            for zone, unit, count in list(s.units_of(faction)):
                if s.possession.get(zone) in FACTIONS and s.possession[zone] != faction:
                    withdraw(s, zone, unit, count)
        go_to_war(g, *pact.partners, declared=False)


# --- what pacts allow -----------------------------------------------------------------------------


def uses_basis_nord(s: State, nation: str, facility: Facility) -> bool:
    """Whether a facility is Basis Nord and serves a nation's submarines: Germany's alone.

    Rules: 14.2j
    """
    return facility.was == BASIS_NORD and nation == s.facts.politics.basis_nord.nation


def lend_lease_barred(s: State, sender: str, receiver: str) -> bool:
    """Whether the Japanese-Soviet pact forbids lend-lease: the receiver is at war with the other.

    Rules: 14.3b
    """
    partners = s.facts.politics.pacts["japanese_soviet"].partners
    if "japanese_soviet" not in s.pacts or sender not in partners:
        return False
    other = partners[1 - partners.index(sender)]
    return at_war(s, receiver, other)


# --- what ends them -------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def continental_china(facts: Facts) -> frozenset[str]:
    """The starting zones of both factions and the warlords, without Hainan.

    Rules: appB-42b
    """
    return frozenset(
        zone
        for nation in facts.nations.values()
        if nation.id in FACTIONS or nation.kind == "warlord"
        for zone in nation.zones
        if not facts.zones[zone].island
    )


def follow(g: Table[State], news: News) -> Procedure[None]:
    """War between its partners ends a pact; the truce ends when the last foreign unit has left
    Continental China.

    Rules: 13.3h, 14.2j, 14.2m
    """
    s = g.state
    if news.kind in ("war", "joined"):
        for name in sorted(s.pacts):
            if set(s.facts.politics.pacts[name].partners) == {news.who, news.whom}:
                end(g, name)
    elif news.kind == "phase" and news.how.startswith("end") and "chinese_truce" in s.pacts:
        foreign = any(
            not chinese(s, unit.nation)
            for zone in continental_china(s.facts)
            for unit in s.stack(zone)
        )
        if foreign:
            s.marks |= {"foreign_in_china"}
        elif "foreign_in_china" in s.marks:
            end(g, "chinese_truce")
    return
    yield
