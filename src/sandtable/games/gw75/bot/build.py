"""What to order, what to leave idle, where new units appear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sandtable.games.gw75.bot import air, landing, sea
from sandtable.games.gw75.bot.field import pull
from sandtable.games.gw75.bot.plans import legal, threat, worth
from sandtable.games.gw75.model import Job, State
from sandtable.games.gw75.rules import lend_lease, maintenance, production, reinforcement
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.lend_lease import Send
from sandtable.games.gw75.rules.maintenance import Idle, Maintain
from sandtable.games.gw75.rules.production import Build, Lend, Production, Undeplete
from sandtable.games.gw75.rules.reinforcement import Place, Reinforce
from sandtable.games.gw75.rules.terms import SURFACE, commander, foes, holder
from sandtable.kernel.decisions import Decision

Mix = dict[str, float]

EARLY: dict[str, Mix] = {
    "germany": {"mech": 20, "inf": 24, "ss": 3, "ad": 1, "amph": 2},
    "italy": {"inf": 12, "ss": 3, "ad": 1, "ms": 3},
    "japan": {"inf": 18, "mech": 2, "amph": 8, "ms": 12, "asw": 1, "ss": 2, "surf_a": 5},
    "commonwealth": {"inf": 16, "mech": 4, "asw": 5, "ms": 20, "ad": 3, "lrb": 2, "amph": 3},
    "france": {"inf": 14, "mech": 2, "ad": 1},
    "usa": {"inf": 10, "mech": 8, "lrb": 1, "surf_a": 6, "ms": 16, "amph": 5, "asw": 2},
    "ussr": {"inf": 30, "mech": 10, "fort": 6, "ad": 2},
}
"""How many of each type a power would have, at most of the times before 1942."""

LATE: dict[str, Mix] = {
    "germany": {"mech": 26, "inf": 32, "fort": 6, "ad": 5, "ss": 4, "asw": 1},
    "italy": {"inf": 14, "fort": 4, "ad": 2, "ss": 2, "ms": 3},
    "japan": {"inf": 26, "fort": 12, "asw": 4, "ms": 12, "ad": 3, "amph": 6, "surf_a": 5},
    "commonwealth": {"inf": 26, "mech": 12, "asw": 8, "ms": 20, "lrb": 8, "ad": 4, "amph": 10},
    "france": {"inf": 14},
    "usa": {"inf": 40, "mech": 44, "amph": 20, "lrb": 12, "surf_a": 8, "ms": 24, "asw": 5, "ss": 3},
    "ussr": {"inf": 44, "mech": 32, "fort": 6, "ad": 3},
}
"""And from then on."""

TURN = 10
"""The Game-Turn from which it is late."""


def order(s: State, request: Production) -> Decision:
    """The unit that is most wanted, of all that can be paid for; done if there is none."""
    for decision in _wanted(s, request.power):
        if legal(request, s, decision):
            return decision
    return Done()


BATCH = 10
"""A part of what a power would have of a type is ordered at once."""
LEND = 4
"""The USA lends one in so many of its Production Points."""


MAKERS = ("usa",)
"""Who builds an atomic bomb."""
RICH = 40
"""Production Points of which enough is left beside one."""
CARRIED = 1
"""Game-Turns that it takes to carry one to where bombers are."""


def _lend(s: State, player: str) -> Iterator[Send]:
    """Lend-Lease of the USA once it is at war: first to the USSR, then to the United Kingdom."""
    have = s.points.get(("usa", ""), 0)
    if commander(s, "usa") != player or not foes(s, "usa") or have < LEND:
        return
    if any(key.startswith("lend:") for key in s.done):
        return
    for to, country in (("ussr", ""), ("commonwealth", "united_kingdom")):
        if (to, country) in s.points and not lend_lease.barred(s, "usa", to):
            most = lend_lease.line(s, Send("usa", to, 1, "", country)).capacity
            if most:
                yield Send("usa", to, min(most, have // LEND), "", country)


def lend(s: State, request: Lend) -> Decision:
    """What the USA lends to powers of other players."""
    for decision in _lend(s, request.power):
        if legal(request, s, decision):
            return decision
    return Done()


def _wanted(s: State, player: str) -> Iterator[Decision]:
    yield from _lend(s, player)
    have = _have(s)
    for (nation, country), points in sorted(s.points.items()):
        if not points or commander(s, nation) != player:
            continue
        for hex, unit, _ in s.units_of(nation):
            if unit.depleted:
                yield Undeplete(nation, unit.type, hex, 1, country)
        if points >= RICH and _needs_bomb(s, nation):
            yield Build(nation, "abomb", 1, country)
        mix = (LATE if s.turn >= TURN else EARLY)[nation]
        for type in sorted(mix, key=lambda each: (have[nation, each] / mix[each], each)):
            most = production.limit(s, nation, type)
            dead = s.dead.get((nation, type), 0)
            if most < 1 or not _in_time(s, type, dead > 0):
                continue
            if not reinforcement.candidates(s, Job(nation, type, s.turn, 1, country)):
                continue  # Canada, India and Manchukuo have no port in which ships could appear
            each = production.price(s, type, dead > 0)[0]
            some = min(most, dead or most, points // each, max(1, round(mix[type] / BATCH)))
            if some:
                yield Build(nation, type, some, country, dead > 0)


def _needs_bomb(s: State, nation: str) -> bool:
    """Whether a power begins an atomic bomb: one, as long as it can be dropped before the end."""
    begun = any(job.type == "abomb" for job in s.track) or s.bombs or s.destroyed
    return nation in MAKERS and not begun and _in_time(s, "abomb", False, CARRIED)


def _in_time(s: State, type: str, rebuilt: bool, more: int = 0) -> bool:
    """Whether what is begun now is there, and so many Game-Turns more, before the last one."""
    last = s.facts.scenarios[s.options["scenario"]].last
    return s.turn + production.price(s, type, rebuilt)[1] + more < last


def _have(s: State) -> Counter[tuple[str, str]]:
    """What nations have, on the map and on the track."""
    have: Counter[tuple[str, str]] = Counter()
    for _, unit, count in s.units():
        have[unit.nation, unit.type] += count
    for job in s.track:
        have[job.nation, job.type] += job.number
    return have


KEPT = ("mech", "ss", "lrb", "asw", "surf_a", "surf_b")
"""What is kept activated first."""
AT_SEA = ("surf_a", "asw", "ss", "surf_b", "mech", "lrb")
"""The same for Japan and the United States."""


def maintain(s: State, request: Maintain) -> Idle:
    """The least wanted stay idle: on land powers the ships, those nearest to the front last."""
    first = AT_SEA if request.nation in ("japan", "usa") else KEPT
    draw = pull(s, request.nation)
    have = maintenance.units(s, request.nation)
    order = sorted(have, key=lambda key: (-first.index(key[1]), draw.get(key[0], -99.0), key))
    return maintenance.excess(s, request.nation, request.capacity, order)


def place(s: State, request: Reinforce) -> Decision:
    """What is due one kind after the other, each where it is wanted most."""
    for job in sorted(s.due):
        if commander(s, job.nation) != request.power:
            continue
        hexes = reinforcement.candidates(s, job)
        order = sorted(hexes, key=lambda hex: (-_wish(s, job, hex), hex))
        least = s.facts.numbers.fort_points if job.type == "fort" else 1
        for hex in order[:PLACES]:
            for number in dict.fromkeys((job.number, least)):
                decision = Place(job.nation, job.type, hex, number, job.country)
                if legal(request, s, decision):
                    return decision
    return next(request.decisions(s))


SECOND = 2.0
"""How many times as many Amphibious units of the United States go to Europe first."""
PLACES = 12
"""How many places are tried for what is due."""


def _wish(s: State, job: Job, hex: str) -> float:
    """How much units of a kind are wanted in a hex."""
    if job.type == "fort":
        own = 1.0 if holder(s, hex) == job.nation else 0.1
        return own * worth(s, hex) * (0.1 + threat(s, job.nation, hex, 3))
    if job.type in ("lrb", "abomb"):
        return -air.away(s, job.nation, hex) - (0 if s.facts.hexes[hex].port else 5)
    if job.type in SURFACE and sea.station(s, job.nation):
        return -s.facts.distance(hex, sea.station(s, job.nation))
    if job.type == "amph":
        where = landing.theatre(s, job.nation, hex)
        base = landing.base(s, job.nation, where)
        fleet = sum(
            count
            for at, unit, count in s.units_of(job.nation)
            if unit.type == "amph" and landing.theatre(s, job.nation, at) == where
        )
        far = s.facts.distance(hex, base) if base else 99
        return -fleet * (SECOND if where == "japan" else 1.0) - far / 100
    return pull(s, job.nation, spare=True).get(hex, -99.0)
