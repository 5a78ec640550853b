"""The state of a game: plain records, nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from sandtable.games.gw36.facts import Facts, Pair
from sandtable.kernel import state as kernel
from sandtable.kernel.state import declared, own, shared

PHASES = ("production", "combat_move", "combat", "noncombat_move", "place_units")


class Unit(NamedTuple):
    """A piece, with all that tells it from others of its type in the same zone."""

    nation: str
    """Whose it is: a player nation or a Minor Power."""
    type: str
    hits: int = 0
    """Damage markers on a ship."""
    used: int = 0
    """Movement points spent this turn."""
    origin: str = ""
    """The zone from which it entered the present one in combat movement."""
    duty: str = ""
    """What it does. For the turn of its nation: attack, assault (aboard a transport: to be landed
    this turn; a land unit in an airborne assault), landing (the transport), bombard, bomb, carpet,
    escort_bombers, rocket, attrition, raid, mine, screen, follow (waits behind a screen), fought,
    retreated, moved, repair (in a yard until units are placed). Until its next turn or longer:
    patrol (Maritime Air Patrol), convoy (escort duty), blockade, submerged. For one combat of
    another's turn: scrambled, declined. Empty: free to act."""
    target: str = ""
    """What the duty is aimed at: a land zone, a facility, a convoy line, or the base of a scrambled
    aircraft."""
    cargo: tuple[Unit, ...] = ()
    """What is aboard a transport or on a carrier, sorted."""


def worn(unit: Unit) -> bool:
    """Whether anything but what it is and carries tells a unit from a new one; or one aboard."""
    return unit[2:7] != _NEW or (bool(unit.cargo) and any(map(worn, unit.cargo)))


_NEW = Unit("", "")[2:7]


Stack = dict[Unit, int]

Force = tuple[tuple[Unit, int], ...]
"""Units with their numbers, in a record."""


class Facility(NamedTuple):
    """A building in a land zone."""

    type: str
    at: str = ""
    """The sea zone of a naval facility, the neighbouring zone of what stands on a border."""
    damage: int = 0
    since: int = 0
    """The date of its completion; 0 if it was there at the start."""
    was: str = ""
    """Of a captured factory: the type that it is again after liberation."""


class Job(NamedTuple):
    """Something on the Production Chart."""

    nation: str
    what: str
    """A type of unit or facility, `railroad`, an upgrade of a unit (militia_upgrade,
    motorized_upgrade), or `ipp`: money that is lent."""
    left: int
    """Instalments still to be paid; 0: in the Place Units Box."""
    at: str = ""
    """Where it is built: the zone of a facility (fixed when it is begun) or of a ship's yard."""
    border: str = ""
    """The other zone of a border or the sea zone of a naval facility."""
    for_: str = ""
    """The nation that it is lent to."""
    paid: bool = False
    """Whether an instalment was paid this turn."""
    damage: int = 0
    upgrade: bool = False
    """Whether it takes the place of a smaller facility."""
    fast: bool = False
    """Whether its first two instalments were paid at once, forgoing what a technology saves."""
    ipp: int = 0
    """What is lent, if it is money (`what` is "ipp")."""


class News(NamedTuple):
    """Something that has happened and whose consequences are still to be drawn."""

    kind: str
    who: str = ""
    whom: str = ""
    where: str = ""
    how: str = ""
    number: int = 0


class Battle(msgspec.Struct, frozen=True):
    """How the combat stands that is being fought. Who fights in it is on the board: attackers by
    their duty, all Enemies of theirs in the zone that nothing keeps out. Replaced, never changed.
    """

    at: str
    kind: str
    """land, naval, raid, bombing, carpet, rocket, attrition, clash."""
    attackers: tuple[str, ...] = ()
    """The nations that attack together."""
    defenders: tuple[str, ...] = ()
    step: str = ""
    round: int = 0
    """0 before the first."""
    origins: tuple[str, ...] = ()
    """Where the attackers by land or sea came from."""
    fired: tuple[str, ...] = ()
    """Types of the side that is firing which have fired in this round."""
    condemned: Force = ()
    """Defenders behind the line: they were hit and still fire before they go."""
    lost: Force = ()
    """What was destroyed in it so far, on both sides."""
    broken_down: tuple[tuple[str, int], ...] = ()
    """Types of attackers that rolled a 12 in this round, and how many (1.9)."""
    fortified: bool = False
    """Whether attackers had to cross a fortification (no blitz afterwards)."""
    surprise: bool = False
    """A surprise attack (Japan's sheet)."""


@declared
class State(kernel.State):
    """A position. Stacks are shared between copies: they are replaced, never changed in place.

    Possession, Control, Alignment and Alliance are four things (0.9): `possession` is whose roundel
    lies on a zone; `control` who decides for a Minor Power that is not Aligned; an Aligned Minor
    Power is part of its Major Power (`aligned` remembers which); Alliances are in the facts.
    """

    facts: Facts
    date: int = 0
    """Half-years: twice the year, and one more from July on."""
    slot: int = 0
    """Whose turn it is: an index into `facts.order`."""
    phase: str = PHASES[0]
    step: str = ""
    """Within a phase: where its procedure is."""
    mover: str = ""
    """Of the nations that share the turn, the one that acts."""
    finished: frozenset[str] = frozenset()
    """Of the nations that share the turn, those that are done with this phase."""
    news: tuple[News, ...] = ()

    at: dict[str, Stack] = own()
    presence: dict[str, dict[str, None]] = own(plain=False)
    """Nation to the zones in which it has units, sorted: an index of `at`."""
    marked: dict[tuple[str, Unit], None] = own(plain=False)
    """Zone and unit of all that are not as good as new (`worn`): an index of `at`."""
    possession: dict[str, str] = own()
    """Land zone to nation."""
    start_possession: dict[str, str] = shared({})
    """As this national turn began."""
    control: dict[str, str] = own()
    """Minor Power to the player nation that Controls it."""
    aligned: dict[str, str] = own()
    """Minor Power to the player nation that it became part of."""
    defeated: frozenset[str] = frozenset()
    """Minor Powers that were defeated."""
    surrendered: frozenset[str] = frozenset()
    """Player nations that have surrendered, and Vichy."""
    wars: frozenset[Pair] = frozenset()
    """Pairs of nations at war, each sorted; the Commonwealth is great_britain."""
    attacked: frozenset[Pair] = frozenset()
    """Who has attacked whom without war (Monroe Doctrine, border clashes, pacts), this turn."""
    pacts: frozenset[str] = frozenset()
    """In force: molotov_ribbentrop, japanese_soviet, chinese_truce."""
    pacts_ended: frozenset[str] = frozenset()
    offers: frozenset[tuple[str, str]] = frozenset()
    """Open offers of a pact: the pact, and who has agreed."""
    closed: frozenset[tuple[str, str]] = frozenset()
    """Passages closed by their owner: the passage, and the nation against which."""
    permits: frozenset[tuple[str, str, str]] = frozenset()
    """Standing permissions: what (transit, supply, rail, northern_route, …), who gives, to whom."""
    refused: frozenset[tuple[str, str, str]] = frozenset()
    """Standing refusals of what partners have without asking: what, who refuses, whom."""
    evolved: frozenset[str] = frozenset()
    """Of KMT and CCP, who is a Major Power."""
    capital: dict[str, str] = own()
    """Nation to its present capital, where that has moved."""
    spain: str = ""
    """The Spanish Civil War: war, nationalist or republican (won by), empty in 1939."""
    abyssinia: str = ""
    """war, italy or abyssinia (won by)."""
    china: str = ""
    """The Chinese Civil War: war, kmt or ccp (won by)."""
    vichy: str = ""
    """none before France surrenders; active, aligned, gone or refused after."""
    annexed: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()
    """What happens once in a game and is remembered by name (surprise_attack, argentina, …)."""
    counts: dict[str, int] = own()
    """Numbers that rules remember by name (kamikaze, oil, balkans, …)."""

    income: dict[str, int] = own()
    """Player nation to its place on the income track; at war it is what its zones are worth."""
    treasury: dict[str, int] = own()
    tech: dict[tuple[str, str], int] = own()
    """Nation (the Commonwealth is great_britain) and technology to stages completed."""
    track: tuple[Job, ...] = ()
    """The Production Chart, sorted."""
    facilities: dict[str, tuple[Facility, ...]] = own()
    """Land zone to what stands in it, sorted."""
    railways: dict[Pair, str] = own()
    """Border (sorted) to gauge: regular, broad, change. Built ones too."""
    rail_damage: dict[Pair, int] = own()
    canal_damage: dict[str, int] = own()
    raided: dict[tuple[str, str], int] = own()
    """Convoy line and nation to what was lost on it in this calendar turn."""
    burma_road: bool = False

    done: dict[str, int] = own()
    """What is limited per national turn, by name: research:germany, rail:europe:germany, …"""
    fought: frozenset[str] = frozenset()
    """Zones in which this turn's combat has been fought."""
    captured: frozenset[str] = frozenset()
    """Land zones captured this turn."""
    battle: Battle | None = None
    planned: tuple[tuple[str, str], ...] = ()
    """Combats still to be fought: zone and kind."""

    opening: dict[tuple[str, str], int] = shared({})
    built: dict[tuple[str, str], int] = own()
    lost: dict[tuple[str, str], int] = own()
    """Nation and type to number: on the board at the start, placed (or come over from another
    nation), destroyed (or gone over to one)."""
    scores: dict[str, int] = shared({})
    """Alliance to Victory Points, when the game has ended."""

    def derive(self) -> None:
        self.presence, self.marked = {}, {}
        for zone, stack in sorted(self.at.items()):
            for unit in stack:
                self.presence.setdefault(unit.nation, {})[zone] = None
                if worn(unit):
                    self.marked[zone, unit] = None

    def put(self, zone: str, unit: Unit, count: int = 1) -> None:
        """Add units to a zone."""
        stack = self.at.get(zone)
        if stack is None:
            self.at[zone] = {unit: count}
        elif unit in stack:
            self.at[zone] = {**stack, unit: stack[unit] + count}
        else:
            self.at[zone] = dict(sorted([*stack.items(), (unit, count)]))
        zones = self.presence.get(unit.nation, _NOWHERE)
        if zone not in zones:
            self.presence[unit.nation] = dict.fromkeys(sorted([*zones, zone]))
        if worn(unit):
            self.marked[zone, unit] = None

    def take(self, zone: str, unit: Unit, count: int = 1) -> None:
        """Remove units from a zone; KeyError if they are not there."""
        stack = self.at[zone]
        left = stack[unit] - count
        if left < 0:
            raise KeyError(unit)
        new = stack.copy()
        if left:
            new[unit] = left
        else:
            del new[unit]
        if new:
            self.at[zone] = new
        else:
            del self.at[zone]
        if not left:
            self.marked.pop((zone, unit), None)
            for other in new:
                if other.nation == unit.nation:
                    return
            zones = self.presence[unit.nation].copy()
            del zones[zone]
            self.presence[unit.nation] = zones

    def change(self, zone: str, unit: Unit, count: int, **fields: Any) -> Unit:
        """Give `count` of these units other attributes; the changed unit."""
        changed = unit._replace(**fields)
        if changed != unit:
            self.take(zone, unit, count)
            self.put(zone, changed, count)
        return changed

    def destroy(self, zone: str, unit: Unit, count: int = 1) -> None:
        """Remove destroyed units, with whatever they carry."""
        self.take(zone, unit, count)
        for piece in (unit, *unit.cargo):
            key = (piece.nation, piece.type)
            self.lost[key] = self.lost.get(key, 0) + count

    def build(self, zone: str, unit: Unit, count: int = 1) -> None:
        """Put new units on the board."""
        self.put(zone, unit, count)
        for piece in (unit, *unit.cargo):
            key = (piece.nation, piece.type)
            self.built[key] = self.built.get(key, 0) + count

    def stack(self, zone: str) -> Stack:
        """The units in a zone; do not change it."""
        return self.at.get(zone, _NOTHING)

    def units(self) -> Iterator[tuple[str, Unit, int]]:
        """Every unit on the board that is not cargo, with its zone and number."""
        for zone, stack in self.at.items():
            for unit, count in stack.items():
                yield zone, unit, count

    def units_of(self, nation: str) -> Iterator[tuple[str, Unit, int]]:
        """The units of a nation that are not cargo, each kind with its zone and number."""
        for zone in self.presence.get(nation, _NOWHERE):
            for unit, count in self.at[zone].items():
                if unit.nation == nation:
                    yield zone, unit, count

    def worn_units(self) -> list[tuple[str, Unit, int]]:
        """The units that act, have acted or are damaged, with zone and number, sorted."""
        return [(zone, unit, self.at[zone][unit]) for zone, unit in sorted(self.marked)]

    def tell(self, *news: News) -> None:
        """Note what has happened, so that its consequences are drawn (`consequences.settle`)."""
        self.news = (*self.news, *news)


_NOTHING: Stack = {}
_NOWHERE: dict[str, None] = {}
