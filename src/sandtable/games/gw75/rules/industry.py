"""Industrial Hexes and what they produce (18.0, 18.4, 18.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sandtable.games.gw75.facts import MAJORS
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import indochina, pipelines, politics, ports, tracing
from sandtable.games.gw75.rules.pipelines import Line, Used
from sandtable.games.gw75.rules.terms import (
    at_war,
    enemy_ground,
    friendly_hex,
    friends,
    ground,
    holder,
    side,
    warring,
)

APART = frozenset({"commonwealth", "japan"})
"""Powers whose countries produce by themselves (18.76, 18.77)."""
UNLIMITED = 10**6
"""What a Communications Area Pipeline carries."""


class Source(NamedTuple):
    """An Industrial Hex of a power, its own or captured, and what it gives in this Game-Turn."""

    hex: str
    country: str
    """Whose Production Points they are, for a power whose countries produce by themselves."""
    points: int
    why: str = ""
    """Why it produces nothing, or less than it could, in words; empty if it does not."""
    areas: tuple[str, ...] = ()
    """The Holding Areas that carry what captured industry gives."""


class Need(NamedTuple):
    """Something on which one Industrial Hex of a power depends."""

    countries: tuple[str, ...]
    """Where that Industrial Hex is; empty: anywhere."""
    met: bool
    what: str
    to: str = ""
    """The country or port to which a pipeline has to lead; empty if it is none."""


def home(s: State, nation: str, country: str = "") -> tuple[str, ...]:
    """The Home Country Industrial Hexes of a power (or those in one country) that are under its
    control: neither captured nor destroyed. Rumania's is German.

    Rules: 18.0b, 18.72c, 18.75
    """
    key = f"home:{nation}:{country}"
    found: tuple[str, ...] | None = s.paths.get(key)
    if found is None:
        found = s.paths[key] = tuple(
            hex
            for hex in ports.own(s, nation, "attack")
            if hex not in s.captured and (not country or pot(s, nation, hex) == country)
        )
    return found


def pot(s: State, nation: str, hex: str) -> str:
    """The country whose Production Points an Industrial Hex gives; empty if the power has one pot
    for all."""
    return s.facts.hexes[hex].country if nation in APART else ""


def pots(s: State, nation: str) -> tuple[str, ...]:
    """The countries of a power that produce by themselves; one empty one if it is one Economic
    Unit.

    Rules: 18.76a, 18.77
    """
    every = (hex for hex, whose in s.facts.industry.items() if whose == nation)
    return tuple(dict.fromkeys(pot(s, nation, hex) for hex in every))


def multiple(s: State, nation: str, hex: str = "") -> int:
    """The Production Multiple of a power in this Game-Turn, by its mode if it is the USA or the
    USSR; of a recaptured Industrial Hex that of mode one.

    Rules: 18.0b, 18.42, 18.76d, 18.93, 19.34, 19.77
    """
    turn = s.facts.turns[s.turn]
    if hex in s.recaptured:
        return turn.modes[s.facts.numbers.mode_peace]
    found = turn.multiples.get(nation)
    return turn.modes[politics.production_mode(s, nation)] if found is None else found


def needs(s: State, nation: str) -> Iterator[Need]:
    """What the Industrial Hexes of a power depend on.

    Rules: 18.71, 18.72a, 18.72b, 18.73, 18.74a, 18.74b, 20.2b
    """
    if nation == "usa":
        yield Need((), _reaches(s, "usa", "usa", "india"), "a pipeline to India", "india")
    elif nation == "germany":
        linked = _reaches(s, "germany", "germany", "sweden")
        yield Need((), linked, "a pipeline to Sweden", "sweden")
        french = [hex for hex, whose in s.facts.industry.items() if whose == "france"]
        held = all(friendly_hex(s, "germany", hex) for hex in french)
        yield Need((), held, "the industry of France")
    elif nation == "commonwealth":
        linked = _reaches(s, "commonwealth", "united_kingdom", "usa")
        yield Need(("united_kingdom",), linked, "a pipeline to the United States", "usa")
    elif nation == "japan":
        if at_war(s, "japan", "usa"):
            linked = _indonesia(s)
            what = "Indonesia and a pipeline to it"
            (to,) = s.facts.places["batavia"]
        else:
            linked = not indochina.embargo(s) and _reaches(s, "japan", "japan", "usa")
            what, to = "a pipeline to the United States", "usa"
        yield Need(("japan",), linked, what, to)


def _reaches(s: State, nation: str, country: str, other: str) -> bool:
    """Whether a Merchant Ship Pipeline of a power leads from a country of its own to another's
    ports, which need not be Friendly, only not Enemy.

    Rules: 18.71, 18.72a, 18.73, 18.74a
    """
    here = [port for port in _harbours(s, country) if ports.friendly(s, nation, port)]
    there = [
        port
        for port in _harbours(s, other)
        if not at_war(s, nation, holder(s, port)) and not enemy_ground(s, nation, port)
    ]
    return bool(pipelines.between(s, nation, here, there).capacity)


def _harbours(s: State, country: str) -> list[str]:
    return [hex for hex in s.facts.country_hexes[country] if ports.there(s, hex)]


def _indonesia(s: State) -> bool:
    """Whether Japan occupies Indonesia (it holds Batavia, and no Enemy land unit is in the Dutch
    East Indies) and has a pipeline to it.

    Rules: 18.74b
    """
    (batavia,) = s.facts.places["batavia"]
    indies = s.facts.country_hexes[s.facts.hexes[batavia].country]
    if not friendly_hex(s, "japan", batavia) or any(enemy_ground(s, "japan", h) for h in indies):
        return False
    here = [port for port in _harbours(s, "japan") if ports.friendly(s, "japan", port)]
    return bool(pipelines.between(s, "japan", here, (batavia,)).capacity)


def sources(s: State, nation: str) -> tuple[Source, ...]:
    """All Industrial Hexes that count for a power, with what they produce in this Game-Turn: those
    of its own, of which one idles for each thing that is lacking (the one that gives least, where
    the owner has the choice), and those that it has captured.

    Rules: 18.0b, 18.41a, 18.41b, 18.42, 18.71, 18.75, 18.78, 17.32
    """
    if nation in s.fallen:
        return ()
    found: dict[str, Source] = {}
    operating = home(s, nation)
    working = []
    for hex, whose in s.facts.industry.items():
        if whose != nation:
            continue
        country = pot(s, nation, hex)
        if hex in s.destroyed:
            found[hex] = Source(hex, country, 0, "It was destroyed by an atomic bomb.")
        elif hex not in operating:
            found[hex] = Source(hex, country, 0, "It is not under control.")
        elif s.counts.get(f"recaptured:{hex}", 0) == s.turn and hex in s.recaptured:
            found[hex] = Source(hex, country, 0, "It was recaptured in this Game-Turn.")
        else:
            loss = s.bombed.get(hex, 0)
            points = max(0, multiple(s, nation, hex) - loss)
            found[hex] = Source(hex, country, points, "It was bombed." if loss else "")
            working.append(hex)
    for need in needs(s, nation):
        lacking = [
            found[hex]
            for hex in working
            if not need.countries or s.facts.hexes[hex].country in need.countries
        ]
        if not need.met and lacking:
            least = min(lacking, key=lambda each: (each.points, each.hex))
            working.remove(least.hex)
            found[least.hex] = least._replace(points=0, why=f"It lacks {need.what}.")
    return *found.values(), *_captured(s, nation)


def _captured(s: State, nation: str) -> Iterator[Source]:
    """The Industrial Hexes that a power has captured, or an Axis minor ally for Germany. Each ship
    brings a point from one of them only, whichever power of the side has it.

    Rules: 18.41a, 18.64b, 18.78
    """
    used: dict[str, int] = {}
    for hex, since in sorted(s.captured.items()):
        captor = warring(holder(s, hex))
        if hex in s.destroyed or captor not in MAJORS or side(s, captor) != side(s, nation):
            continue
        source = _booty(s, captor, hex, since, used)
        for area in source.areas:
            used[area] = used.get(area, 0) + s.facts.numbers.captured_points
        if captor == nation:
            yield source


def _booty(s: State, nation: str, hex: str, since: int, used: Used) -> Source:
    """An Industrial Hex that a power has captured: it gives a point from the Game-Turn after, while
    it is garrisoned and a pipeline leads to Industrial Hexes of the Home Country.

    Rules: 18.41a, 18.41b, 18.76a, 18.78
    """
    numbers = s.facts.numbers
    country = pots(s, nation)[0]
    if since >= s.turn:
        return Source(hex, country, 0, "It was captured in this Game-Turn.")
    garrison = sum(count for unit, count in ground(s, hex) if friends(s, nation, unit.nation))
    if garrison < numbers.captured_garrison:
        return Source(hex, country, 0, "It has no garrison.")
    for each in pots(s, nation):
        line = link(s, (nation,), (hex,), home(s, nation, each), used)
        if line.capacity:
            points = max(0, numbers.captured_points - s.bombed.get(hex, 0))
            return Source(hex, each, points, "" if points else "It was bombed.", line.areas)
    return Source(hex, country, 0, "No pipeline leads to it.")


def link(
    s: State,
    nations: tuple[str, ...],
    hexes: tuple[str, ...],
    others: tuple[str, ...],
    used: Used,
) -> Line:
    """The pipeline that carries most from one of these hexes to one of the others: by
    Communications Areas alone without a limit, else by Merchant Ships between ports that are
    joined to them by Communications Areas; where none leads there at sea, one that goes through
    such Areas on its way, too.

    Rules: 18.61, 18.62, 18.64b, 18.81
    """
    if not hexes or not others:
        return Line((), 0, 0)
    key = ("link", nations, hexes, others, tuple(used.items()))
    found: Line = tracing.remembered(s, key, _link, nations, hexes, others, used)
    return found


def _link(
    s: State,
    nations: tuple[str, ...],
    hexes: tuple[str, ...],
    others: tuple[str, ...],
    used: Used,
) -> Line:
    here = _area(s, nations, hexes)
    if any(hex in here for hex in others):
        return Line((), UNLIMITED, 0)
    there = _area(s, nations, others)
    moored = dict.fromkeys(port for nation in nations for port in ports.of(s, nation))
    who = "+".join(nations)
    near = [port for port in moored if port in here]
    far = [port for port in moored if port in there]
    line = pipelines.between(s, who, near, far, used)
    if line.capacity or not near or not far:
        return line
    return pipelines.between(s, who, near, far, used, _inland(s, nations, tuple(moored)))


def _inland(s: State, nations: tuple[str, ...], moored: tuple[str, ...]) -> list[list[str]]:
    """Those of some ports that Communications Areas join to others of them, together with these."""
    found: list[list[str]] = []
    left = dict.fromkeys(moored)
    while left:
        area = _area(s, nations, (next(iter(left)),))
        joined = [port for port in left if port in area] or [next(iter(left))]
        for port in joined:
            del left[port]
        if len(joined) > 1:
            found.append(joined)
    return found


def _area(s: State, nations: tuple[str, ...], hexes: tuple[str, ...]) -> dict[str, None]:
    key = ("area", nations, hexes)
    found: dict[str, None] = tracing.remembered(s, key, tracing.communications, nations, hexes)
    return found


def production(s: State, nation: str) -> dict[str, int]:
    """The Production Points of a power by country; one empty country if it is one Economic Unit.

    Rules: 18.0a, 18.0b, 18.22a
    """
    return totals(s, nation, sources(s, nation)) if nation in MAJORS else {}


def totals(s: State, nation: str, sources: Iterable[Source]) -> dict[str, int]:
    """What sources of a power give together, by country."""
    found = dict.fromkeys(pots(s, nation), 0)
    for source in sources:
        found[source.country] += source.points
    return found
