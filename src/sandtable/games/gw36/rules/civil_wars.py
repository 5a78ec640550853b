"""Historical events (chapter 13): Spain, Abyssinia, China."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.gw36.model import News, State
from sandtable.games.gw36.politics import Faction
from sandtable.games.gw36.rules.alignment import align, free_to_align
from sandtable.games.gw36.rules.capture import heir, possess, remove_units, withdraw
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.control import end_control, zones_of
from sandtable.games.gw36.rules.pacts import continental_china
from sandtable.games.gw36.rules.relations import FACTIONS, end_war
from sandtable.games.gw36.rules.terms import alliance, at_war, at_war_with_major, on
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

EVOLUTION = 13
"""The value of the zones with which a Chinese faction becomes a Major Power."""


def follow(g: Table[State], news: News) -> Procedure[None]:
    """The ends of the civil wars, and the evolution of the Chinese factions."""
    s = g.state
    if news.kind == "possession":
        if s.spain == "war" and news.where in s.facts.politics.spain.continental:
            yield from _spain(g)
        if s.abyssinia == "war":
            _abyssinia(g)
        _evolve(g, news.who)
    elif news.kind == "phase" and news.how.startswith("end"):
        _china(g)


# --- Spain ----------------------------------------------------------------------------------------


class Redeploy(Decision, frozen=True, tag="redeploy"):
    """Put units of one kind into another Spanish zone, or ships at another Spanish port."""

    unit: str
    count: int
    origin: str
    to: str


class ArrangeSpain(Request, frozen=True, tag="arrange_spain"):
    """The winner's patron may redistribute the Spanish forces over Spanish zones and ports."""

    nation: str

    answers: ClassVar[tuple[type[Decision], ...]] = (Redeploy, Done)

    def check(self, state: State, decision: Decision) -> None:
        """Spanish units that are there go to Spanish land zones, ships to Spanish ports.

        Rules: 13.1t
        """
        if isinstance(decision, Done):
            return
        assert isinstance(decision, Redeploy)
        facts = state.facts
        kind = facts.units.get(decision.unit)
        there = sum(
            count
            for unit, count in state.stack(decision.origin).items()
            if unit.nation == self.nation and unit.type == decision.unit
        )
        if kind is None or not 1 <= decision.count <= there:
            raise IllegalDecision(
                f"There are {there} such units in {facts.name(decision.origin)}.", "13.1t"
            )
        places = spanish_ports(state, self.nation) if kind.naval else zones_of(state, self.nation)
        if decision.to not in places or decision.to == decision.origin:
            raise IllegalDecision(
                "Spanish units go to another Spanish land zone, ships to another Spanish port.",
                "13.1t",
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        yield Done()
        lands, ports = zones_of(state, self.nation), spanish_ports(state, self.nation)
        for zone, unit, count in state.units_of(self.nation):
            for to in ports if state.facts.units[unit.type].naval else lands:
                if to != zone:
                    for number in range(1, count + 1):
                        yield Redeploy(unit.type, number, zone, to)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        every = list(self.decisions(state))
        if rng.random() < 0.5:
            yield every[int(rng.random() * len(every))]
        yield Done()


def spanish_ports(s: State, nation: str) -> list[str]:
    """The sea zones of the naval facilities in a nation's land zones."""
    return sorted(
        {
            facility.at
            for zone in zones_of(s, nation)
            for facility in s.facilities.get(zone, ())
            if s.facts.facilities[facility.type].naval
        }
    )


def _spain(g: Table[State]) -> Procedure[None]:
    """A side that holds all of continental Spain has won.

    Rules: 13.1j
    """
    s = g.state
    spain = s.facts.politics.spain
    for side, winner, loser in (
        ("nationalist", spain.nationalist, spain.republican),
        ("republican", spain.republican, spain.nationalist),
    ):
        owner = heir(s, winner.faction)
        if all(s.possession[zone] == owner for zone in spain.continental):
            yield from _spanish_victory(g, side, winner, loser)
            return


def _spanish_victory(
    g: Table[State], side: str, winner: Faction, loser: Faction
) -> Procedure[None]:
    """The losers' forces are removed everywhere and their ships scuttled, their zones fall to the
    winner, all is repaired, the winner's forces are redistributed; Spain is neutral.

    Rules: 13.1j, 13.1s, 13.1t
    """
    s = g.state
    s.spain = side
    g.emit("spanish_war_won", country=winner.faction, power=winner.patron)
    if not {winner.faction, loser.faction} <= s.aligned.keys():  # else it is their patrons' war
        end_war(s, winner.faction, loser.faction)
    owner = heir(s, winner.faction)
    remove_units(g, loser.faction)
    for zone in zones_of(s, loser.faction):
        possess(g, zone, owner, "surrendered")
    end_control(s, loser.faction)
    for zone in s.facts.nations[winner.faction].zones + s.facts.nations[loser.faction].zones:
        standing = s.facilities.get(zone, ())
        if any(facility.damage for facility in standing):
            s.facilities[zone] = tuple(sorted(f._replace(damage=0) for f in standing))
    if owner == winner.faction:
        yield from _arrange(g, winner)
        end_control(s, winner.faction)
    s.tell(News("spain", winner.faction, loser.faction, how=side))


def _arrange(g: Table[State], winner: Faction) -> Procedure[None]:
    """The patron redistributes the Spanish forces; ships that are then at no Spanish port come to
    the first one, aircraft that are still over the sea to the nearest land.

    Rules: 13.1t
    """
    s = g.state
    while True:
        answer = yield from g.ask(ArrangeSpain(winner.patron, winner.faction))
        if isinstance(answer, Done):
            break
        left = answer.count
        for unit, count in sorted(s.stack(answer.origin).items()):
            if left and unit.nation == winner.faction and unit.type == answer.unit:
                moved = min(left, count)
                s.take(answer.origin, unit, moved)
                s.put(answer.to, unit, moved)
                left -= moved
        g.emit(
            "redeployed",
            power=winner.patron,
            country=winner.faction,
            path=[answer.origin, answer.to],
            units={answer.unit: answer.count},
        )
    ports = spanish_ports(s, winner.faction)
    for zone, unit, count in list(s.units_of(winner.faction)):
        kind = s.facts.units[unit.type]
        if ports and kind.naval and zone not in ports:
            s.take(zone, unit, count)
            s.put(ports[0], unit, count)
        elif kind.air and s.facts.zones[zone].sea:
            withdraw(s, zone, unit, count)


def volunteers(s: State, nation: str) -> str:
    """The zone in which a nation gets a free infantry in its Place Units Phase: Blue Division for
    Germany until Spain Aligns, International Brigade for the USSR; empty if it gets none.

    Rules: 13.1l, 13.1p
    """
    spain = s.facts.politics.spain
    zone = ""
    if s.spain == "nationalist" and nation == spain.nationalist.patron:
        zone = "" if spain.nationalist.faction in s.aligned else spain.nationalist.zone
    elif s.spain == "republican" and nation == spain.republican.patron:
        zone = spain.republican.zone
    return zone if zone and s.possession[zone] == nation else ""


def may_use_spanish_ports(s: State, nation: str, zone: str) -> bool:
    """Whether a nation may use the naval facilities of a Spanish zone for repairs and movement, as
    patron of the side that won the civil war.

    Rules: 13.1m, 13.1q
    """
    spain = s.facts.politics.spain
    won = {"nationalist": spain.nationalist, "republican": spain.republican}.get(s.spain)
    return won is not None and won.patron == nation and s.possession[zone] == won.faction


def aid_refusal(s: State, sender: str, faction: str, what: str) -> tuple[str, str]:
    """Why a nation cannot lend to a Spanish faction during the civil war, with the rule; empty if
    it can. `what`: unit, repair (IPPs for Spanish facilities) or upgrade (militia to infantry).

    Rules: 13.1c, 13.1d, 13.1e
    """
    facts = s.facts
    name, side = facts.name(sender), alliance(s, sender)
    if side == "allies":
        if what != "upgrade":
            return f"{name} can send Spain only an upgrade of militia.", "13.1e"
        if s.counts.get("spanish_supplies") == s.date:
            return "One Allied power has sent supplies to Spain this turn.", "13.1e"
        return "", ""
    spain = facts.politics.spain
    ours = spain.nationalist if side == "axis" else spain.republican
    rule = "13.1c" if side == "axis" else "13.1d"
    senders = ("germany", "italy") if side == "axis" else ("ussr",)
    if sender not in senders or faction != ours.faction or what == "upgrade":
        return f"{name} cannot send that to {facts.name(faction)}.", rule
    if s.done.get(f"spanish_aid:{sender}"):
        return f"{name} has sent its aid to Spain this turn.", rule
    return "", ""


def note_aid(s: State, sender: str) -> None:
    """Remember that a nation has sent aid to Spain this turn."""
    if alliance(s, sender) == "allies":
        s.counts["spanish_supplies"] = s.date
    else:
        s.done[f"spanish_aid:{sender}"] = 1


# --- Abyssinia ------------------------------------------------------------------------------------


def _abyssinia(g: Table[State]) -> None:
    """Italy wins with Abyssinia, Abyssinia with Eritrea; after that it Aligns with a France that is
    at war with a Major Power.

    Rules: 13.2e, 13.2f
    """
    s = g.state
    if s.possession["abyssinia"] == "italy":
        s.abyssinia = "italy"
    elif s.possession["eritrea"] == heir(s, "abyssinia"):
        s.abyssinia = "abyssinia"
        if at_war_with_major(s, "france") and free_to_align(s, "abyssinia", "france"):
            align(g, "abyssinia", "france")
    else:
        return
    g.emit("abyssinian_war_won", country=s.abyssinia)


# --- China ----------------------------------------------------------------------------------------


def _china(g: Table[State]) -> None:
    """The Chinese Civil War ends when one side has no units left in Continental China; what the
    losers have outside the Chinese Home Country leaves the game.

    Rules: 13.3b, 13.3c
    """
    s = g.state
    if s.china != "war" or not at_war(s, *FACTIONS):
        return
    land = continental_china(s.facts)
    present = {unit.nation for zone in land for unit in s.stack(zone) if unit.nation in FACTIONS}
    if len(present) != 1:
        return
    (winner,) = present
    loser = FACTIONS[1 - FACTIONS.index(winner)]
    s.china = winner
    for zone, unit, count in list(s.units_of(loser)):
        if zone not in s.facts.nations[loser].home:
            s.destroy(zone, unit, count)
    g.emit("chinese_war_won", power=winner, against=loser)


def _evolve(g: Table[State], nation: str) -> None:
    """A Chinese faction whose zones are worth enough is a Major Power from then on.

    Rules: 13.3.1b, 13.3.1f, 13.3.2b
    """
    s = g.state
    if nation not in FACTIONS or nation in s.evolved or not on(s, "chinese_evolution"):
        return
    if sum(s.facts.zones[zone].ipp for zone in zones_of(s, nation)) >= EVOLUTION:
        s.evolved |= {nation}
        g.emit("evolved", power=nation)
        s.tell(News("evolved", nation))
