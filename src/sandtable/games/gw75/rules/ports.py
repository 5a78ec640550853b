"""Ports (16.2, 18.53): which are Friendly, and which of them supply ships."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import tracing
from sandtable.games.gw75.rules.indochina import CONTROLS, COUNTRY, open_to
from sandtable.games.gw75.rules.terms import OPENED, commander, friendly_hex, holder, relations
from sandtable.games.gw75.rules.zones import front
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.table import Table


class PlacePort(Decision, frozen=True, tag="place_port"):
    """Place a Port that a nation has in stock."""

    nation: str
    space: str


class Harbours(Request, frozen=True, tag="harbours"):
    """Where a player may place the Ports that its nations have in stock, at any time."""

    answers: ClassVar[tuple[type[Decision], ...]] = (PlacePort,)

    @property
    def prompt(self) -> str:
        return "Place a Port."

    def check(self, state: State, decision: PlacePort) -> None:
        """Rules: 18.53"""
        nation = decision.nation
        if nation not in state.stock or commander(state, nation) != self.power:
            raise IllegalDecision(f"You have no Port of {state.facts.name(nation)}.", "18.53")
        why, rule = unplaceable(state, nation, decision.space)
        if why:
            raise IllegalDecision(why, rule)

    def decisions(self, state: State) -> Iterator[Decision]:
        for nation in sorted(state.stock):
            if commander(state, nation) == self.power:
                for hex in state.facts.hexes:
                    if not unplaceable(state, nation, hex)[0]:
                        yield PlacePort(nation, hex)


def there(s: State, hex: str) -> bool:
    """Whether a hex has a port, printed on the map or built."""
    return bool(s.facts.hexes[hex].port) or hex in s.ports


def friendly(s: State, nation: str, hex: str) -> bool:
    """Whether there is a port in a hex that is Friendly to a nation."""
    return bool(havens(s, nation) & s.facts.bits[hex])


def nearest(s: State, nation: str, hex: str) -> int:
    """How far the nearest Friendly port of a nation is from a hex; 99 if it has none."""
    friendly, bits = havens(s, nation), s.facts.bits
    for port, far in _distances(s, hex).items():
        if friendly & bits[port]:
            return far
    return 99


def around(s: State, nation: str, radius: int) -> int:
    """The hexes within a distance of a Friendly port of a nation, whatever lies between: bits."""
    key = ("around", s.ports, guest(s, nation), radius)
    found: int = tracing.ways(s, nation).remembered(key, _around, s, nation, radius)
    return found


def _around(s: State, nation: str, radius: int) -> int:
    found = 0
    for port in of(s, nation):
        found |= s.facts.disc(port, radius)
    return found


def _distances(s: State, hex: str) -> dict[str, int]:
    """All ports, with their distances from a hex, the nearest first."""
    printed = s.facts.port_distances(hex)
    if not s.ports:
        return printed
    known: dict[str, dict[str, int]] = s.realm.setdefault("distances", {})
    found = known.get(hex)
    if found is None:
        built = {port: s.facts.distance(hex, port) for port in s.ports}
        every = sorted((far, port) for port, far in (printed | built).items())
        found = known[hex] = {port: far for far, port in every}
    return found


def havens(s: State, nation: str) -> int:
    """The Friendly ports of a nation as bits."""
    key = f"havens:{nation}"
    found: int | None = s.paths.get(key)
    if found is None:
        known = tracing.ways(s, nation)
        key_ = ("havens", s.ports, guest(s, nation))
        found = s.paths[key] = known.remembered(key_, s.facts.set_of, of(s, nation))
    return found


def of(s: State, nation: str) -> tuple[str, ...]:
    """The Friendly ports of a nation, sorted, with those that it may use as a guest."""
    known = tracing.ways(s, nation)
    found: tuple[str, ...] = known.remembered(("ports", s.ports, guest(s, nation)), _of, s, nation)
    return found


def _of(s: State, nation: str) -> tuple[str, ...]:
    own = _without(s, *_held(s, nation, "ports"), front(s, nation).enemies)
    return tuple(sorted({*own, *guest(s, nation)}))


def guest(s: State, nation: str) -> tuple[str, ...]:
    """The ports that a nation may use though others hold them: those of Vichy Indochina are open to
    Japan.

    Rules: 20.2a
    """
    if nation != "japan" or s.vichy not in CONTROLS:
        return ()
    indochina = s.facts.country_hexes.get(COUNTRY, ())
    return tuple(hex for hex in indochina if open_to(s, nation, hex) and there(s, hex))


def home(s: State, nation: str, hex: str) -> str:
    """How well a hex is supplied from the nation's Home Country, overland and by pipelines: attack
    (from an Industrial Hex), defense (from a Supply Center), none. One Merchant Ship per Holding
    Area does for any number of naval and air units.

    Rules: 16.0a, 16.22, 16.23, 17.42a, 17.42c, 19.42
    """
    known: dict[tuple[str, str], str] | None = s.lines.get("home")
    if known is None:
        known = s.lines["home"] = {}
    found = known.get((nation, hex))
    if found is None:
        grades = ("attack", "defense")
        able = (grade for grade in grades if joined(s, nation, own(s, nation, grade), hex))
        found = known[nation, hex] = next(able, "none")
    return found


def joined(s: State, nation: str, seeds: tuple[str, ...], hex: str) -> bool:
    """Whether a path of a nation leads from a hex to one of the seeds, by land and pipelines."""
    known = tracing.ways(s, nation)
    if known.joins(hex, known.seek(seeds)):  # as nearly always
        return True
    if not seeds:
        return False
    key = ("joined", nation, seeds)
    found: tracing.Linked | None = s.lines.get(key)
    if found is None:
        found = s.lines[key] = tracing.linked(s, nation, seeds, of(s, nation))
    return found.joins(hex)


def own(s: State, nation: str, grade: str) -> tuple[str, ...]:
    """The sources of a nation's Home Country that it still has."""
    key = f"own:{grade}:{nation}"
    found: tuple[str, ...] | None = s.paths.get(key)
    if found is None:
        whose = s.facts.industry if grade == "attack" else s.facts.centers
        found = tuple(hex for hex in sources(s, nation, grade) if whose[hex] == nation)
        s.paths[key] = found
    return found


def sources(s: State, nation: str, grade: str) -> tuple[str, ...]:
    """The Industrial Hexes (or Supply Centers) that are Friendly to a nation and not destroyed."""
    key = f"sources:{grade}:{tracing.camp(s, nation)}"
    found: tuple[str, ...] | None = s.paths.get(key)
    if found is None:
        what = "industry" if grade == "attack" else "centers"
        found = _without(s, *_held(s, nation, what), front(s, nation).strangers)
        s.paths[key] = found
    return found


def _without(s: State, hexes: tuple[str, ...], where: int, lost: int) -> tuple[str, ...]:
    """Hexes (`where`: as bits) without some of them."""
    lost &= where
    return tuple(hex for hex in hexes if not lost & s.facts.bits[hex]) if lost else hexes


def _held(s: State, nation: str, what: str) -> tuple[tuple[str, ...], int]:
    """The ports, industry or (supply) centers that friends of a nation hold, whoever stands there;
    with their hexes as bits."""
    key = f"held {what}:{tracing.camp(s, nation)}"
    found: tuple[tuple[str, ...], int] | None = s.realm.get(key)
    if found is None:
        friends = relations(s).friends[nation]
        held = tuple([hex for hex, whose in _holders(s, what).items() if whose in friends])
        found = s.realm[key] = held, s.facts.set_of(held)
    return found


def _holders(s: State, what: str) -> dict[str, str]:
    """All ports, sorted, or the industry or centers that are not destroyed, with who holds them."""
    key = f"holders of {what}"
    found: dict[str, str] | None = s.realm.get(key)
    if found is None:
        every: Iterable[str]
        if what == "ports":
            every = sorted({*s.facts.ports, *s.ports})
        else:
            sources = s.facts.industry if what == "industry" else s.facts.centers
            every = (hex for hex in sources if hex not in s.destroyed)
        found = s.realm[key] = {hex: holder(s, hex) for hex in every}
    return found


def supply(s: State, nation: str, hex: str) -> str:
    """How a port supplies the ships of a nation that are in it: attack, defense (they may not
    attack and have no Zone of Control), none (it is no source of supply, or no Friendly port).

    Rules: 16.0a, 16.22, 16.23
    """
    return home(s, nation, hex) if friendly(s, nation, hex) else "none"


def unplaceable(s: State, nation: str, hex: str) -> tuple[str, str]:
    """Why a nation cannot place a Port that it has in stock in a hex, with the rule; empty if it
    can: on any Friendly coastal or small island hex, at any time.

    Rules: 18.53
    """
    name = s.facts.name
    if not s.stock.get(nation):
        return f"{name(nation)} has no Port ready.", "18.53"
    found = s.facts.hexes.get(hex)
    if found is None or found.kind not in ("coast", "island"):
        return f"{name(hex)} is no coastal hex.", "18.53"
    if not friendly_hex(s, nation, hex):
        return f"{name(hex)} is not Friendly to {name(nation)}.", "18.53"
    if there(s, hex):
        return f"{name(hex)} has a port.", "18.53"
    return "", ""


def place(g: Table[State], nation: str, hex: str) -> None:
    """Place a Port from the stock; it is never moved.

    Rules: 18.53
    """
    s = g.state
    s.stock[nation] -= 1
    if not s.stock[nation]:
        del s.stock[nation]
    s.ports |= {hex}
    s.done[f"{OPENED}{hex}"] = 1
    s.changed()
    g.emit("port_built", power=nation, space=hex)
