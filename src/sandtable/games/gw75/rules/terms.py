"""The words of the rules: sides and players, war, friend and enemy, who holds a hex, strength."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from sandtable.games.gw75.facts import AXIS_MINORS
from sandtable.games.gw75.model import News, State, Unit
from sandtable.games.gw75.seats import PLAYERS

K = TypeVar("K", bound=Hashable)

OTHER = {"axis": "allies", "allies": "axis"}
MOBILE = frozenset({"inf", "mech"})
"""Land units that move and attack."""
GROUND = frozenset({"inf", "mech", "sd", "fort"})
"""Land units."""
SURFACE = frozenset({"surf_a", "surf_b"})
SHIPS = SURFACE | {"ss", "ms", "amph"}
"""Naval units that put to sea; ASW units do not (12.31)."""
NAVAL = SHIPS | {"asw"}
LANDED = frozenset({"assault", "landed"})
"""Duties of land units in the Game-Turn of their landing: they are supplied."""
DRIVEN = frozenset({"retreated", "repelled"})
"""Duties of land units that have retreated in this phase; `repelled` are those that had landed."""
OPENED = "opened:"
"""With the hex, among `State.done`: it has become Friendly, or has got its port, in this phase."""
FLEET = frozenset({"surf_a", "surf_b", "ss", "asw"})
"""Naval combat units."""
DEPLETABLE = frozenset({"surf_a", "asw"})


class Relations(NamedTuple):
    """What nations are to each other, and to the players, as long as sides and wars stay as they
    are. Each of them has all nations."""

    side: dict[str, str]
    commander: dict[str, str]
    foes: dict[str, frozenset[str]]
    """Nation to those that are at war with it; Axis minor allies are Germany."""
    enemies: dict[str, frozenset[str]]
    """The same with the Axis minor allies."""
    friends: dict[str, frozenset[str]]
    camp: dict[str, str]
    """Nation to the first of all that have the same friends and Enemies."""


def relations(s: State) -> Relations:
    """What nations are to each other now."""
    found: Relations | None = s.bonds
    if found is None:
        kept = s.facts.kept("relations", 100)
        key = (s.options["players"], s.wars, frozenset(s.joined.items()))
        found = kept.get(key)
        if found is None:
            found = kept[key] = _relations(s)
        s.bonds = found
    return found


def _relations(s: State) -> Relations:
    every = s.facts.nations
    table = PLAYERS[s.options["players"]]
    leaders = {"axis": table["germany"], "allies": table["commonwealth"], "neutral": ""}
    sides = {nation: s.joined.get(nation) or each.side for nation, each in every.items()}
    fought: dict[str, set[str]] = {nation: set() for nation in every}
    for one, other in s.wars:
        fought[one].add(other)
        fought[other].add(one)
    foes = {nation: frozenset(fought[warring(nation)]) for nation in every}
    enemies = {
        nation: foe.union(AXIS_MINORS) if "germany" in foe else foe for nation, foe in foes.items()
    }
    allied = {
        which: [nation for nation in every if sides[nation] == which and foes[nation]]
        for which in OTHER
    }
    kin = {nation: frozenset({nation}) for nation in every}
    kin["germany"] |= frozenset(AXIS_MINORS)
    friends = {
        nation: frozenset(
            other
            for other in allied.get(sides[nation], ())
            if other not in enemies[nation] and not foes[nation].isdisjoint(foes[other])
        )
        | kin[warring(nation)]
        if foes[nation]
        else kin[warring(nation)]
        for nation in every
    }
    camps: dict[tuple[frozenset[str], frozenset[str]], str] = {}
    return Relations(
        sides,
        {nation: table.get(nation) or leaders[sides[nation]] for nation in every},
        foes,
        enemies,
        friends,
        {nation: camps.setdefault((friends[nation], enemies[nation]), nation) for nation in every},
    )


def side(s: State, nation: str) -> str:
    """axis, allies or neutral. The Major Powers, the Axis minor allies, China and Poland are of
    their side from the start, whether at war or not; others once they have joined one.

    Rules: 11.0a
    """
    bonds: Relations = s.bonds or relations(s)
    return bonds.side[nation]


def commander(s: State, nation: str) -> str:
    """The player who decides for a nation; empty for one that is neutral. The first player has the
    Axis minor allies, the third one China and invaded neutrals, whoever plays them (21.12).

    Rules: 21.12
    """
    bonds: Relations = s.bonds or relations(s)
    return bonds.commander[nation]


def players(s: State, which: str) -> tuple[str, ...]:
    """The players of a side, in their order."""
    table = PLAYERS[s.options["players"]]
    return tuple(
        dict.fromkeys(
            player for nation, player in table.items() if s.facts.nations[nation].side == which
        )
    )


def nations(s: State, player: str) -> tuple[str, ...]:
    """The nations that a player decides for and that have units, sorted."""
    known: dict[str, tuple[str, ...]] | None = s.realm.get("nations")
    if known is None:
        known = {}
        commanders = relations(s).commander
        for nation in sorted(s.presence):
            who = commanders[nation]
            known[who] = (*known.get(who, ()), nation)
        s.realm["nations"] = known
    return known.get(player, ())


def warring(nation: str) -> str:
    """The nation whose wars these are: Axis minor allies have Germany's (19.9)."""
    return "germany" if nation in AXIS_MINORS else nation


def at_war(s: State, one: str, other: str) -> bool:
    """Whether two nations are at war with each other: they are Enemies."""
    bonds: Relations = s.bonds or relations(s)
    return other in bonds.enemies.get(one, _NOBODY)


_NOBODY: frozenset[str] = frozenset()


def foes(s: State, nation: str) -> frozenset[str]:
    """The nations that a nation is at war with (Axis minor allies are Germany)."""
    bonds: Relations = s.bonds or relations(s)
    return bonds.foes[nation]


def friends(s: State, one: str, other: str) -> bool:
    """Whether two nations work together: of the same side, with an Enemy in common, and not at war
    with each other. A nation at peace is nobody's friend: others may not enter it (19.22, 19.35).
    Germany and the Axis minor allies always are each other's.

    Rules: 18.72c, 19.91
    """
    bonds: Relations = s.bonds or relations(s)
    return other in bonds.friends[one]


def holder(s: State, hex: str) -> str:
    """The nation that holds a hex: the last whose land units were in it (5.42); empty at sea.

    Rules: 5.42
    """
    return s.held.get(hex) or s.facts.hexes[hex].nation


def domain(s: State, nation: str) -> int:
    """The land hexes that a nation and its friends hold, as bits (`Facts.bits`)."""
    return _domain(s, relations(s).friends[nation])


def hostile_domain(s: State, nation: str) -> int:
    """The land hexes that its Enemies hold, as bits."""
    return _domain(s, relations(s).enemies[nation])


def _domain(s: State, nations: frozenset[str]) -> int:
    found: int | None = s.realm.get(nations)
    if found is None:
        found = 0
        for nation in nations:
            found |= s.domains[nation]
        s.realm[nations] = found
    return found


def friendly_hex(s: State, nation: str, hex: str) -> bool:
    """Whether a hex is Friendly: held by a nation or its friend, no Enemy land unit in it.

    Rules: 5.42
    """
    return holder(s, hex) in relations(s).friends[nation] and not enemy_ground(s, nation, hex)


def enemy_ground(s: State, nation: str, hex: str) -> bool:
    """Whether Enemy land units are in a hex."""
    return hex in s.at and _stands(s, relations(s).enemies[nation], hex)


def friendly_ground(s: State, nation: str, hex: str) -> bool:
    """Whether Friendly land units are in a hex."""
    return hex in s.at and _stands(s, relations(s).friends[nation], hex)


def _stands(s: State, which: frozenset[str], hex: str) -> bool:
    for unit in s.at[hex]:  # noqa: SIM110 (it is asked often)
        if unit.type in GROUND and unit.nation in which:
            return True
    return False


def strength_points(number: int) -> str:
    """So many Strength Points in words."""
    return f"{number} Strength Point" if number == 1 else f"{number} Strength Points"


def cited(reason: str) -> str:
    """The rule that a reason names at its end."""
    return reason[reason.rindex("(") + 1 : reason.rindex(")")]


def ground(s: State, hex: str) -> Iterator[tuple[Unit, int]]:
    """The land units in a hex, with their numbers."""
    for unit, count in s.stack(hex).items():
        if unit.type in GROUND:
            yield unit, count


def points(s: State, hex: str, which: str) -> int:
    """Land Strength Points of a side in a hex, at face value, those of a landing party too."""
    return sum(count for unit, count in ground(s, hex) if side(s, unit.nation) == which)


def tally(parts: Iterable[tuple[K, int]]) -> Counter[K]:
    """What a decision may name in several parts, each kind once with the sum of its numbers."""
    found: Counter[K] = Counter()
    for kind, number in parts:
        found[kind] += number
    return found


def shares(parts: Sequence[tuple[K, int]], total: int) -> Iterator[tuple[tuple[K, int], ...]]:
    """All ways to take so many of some kinds, of each as many as there are; none if there are not
    so many. Each is found without a dead end, however many there are."""
    beyond = [0]
    for _, count in reversed(parts):
        beyond.append(beyond[-1] + count)
    beyond.reverse()

    def take(at: int, left: int) -> Iterator[tuple[tuple[K, int], ...]]:
        if not left:
            yield ()
            return
        kind, count = parts[at]
        for number in range(max(0, left - beyond[at + 1]), min(count, left) + 1):
            first = ((kind, number),) if number else ()
            for others in take(at + 1, left - number):
                yield (*first, *others)

    if total <= beyond[0]:
        yield from take(0, total)


def season(s: State) -> str:
    """winter, spring, summer or fall."""
    return s.facts.turns[s.turn].season


def phase_side(phase: str) -> str:
    """The side whose phase it is; empty for those of both."""
    which = phase.split("_")[0]
    return which if which in OTHER else ""


def seize(s: State, hex: str, nation: str) -> None:
    """A hex is held by a nation whose land units are in it, or by the friend whose country it is
    (unless that has fallen).

    Rules: 5.42
    """
    own = s.facts.hexes[hex].nation
    s.hold(hex, own if own not in s.fallen and friends(s, nation, own) else nation)


def _leaving(s: State, nation: str, whose: str) -> bool:
    """Whether a nation that is still on its way out of Vichy France takes nothing of it."""
    return (
        whose == "vichy"
        and s.vichy == "declared"
        and f"vichy:leaves:{nation}" in s.marks
        and s.turn <= s.counts["vichy:declared"] + 1
    )


def enters(s: State, hex: str, nation: str) -> None:
    """Land units of a nation are in a hex now, or pass through it. If it was not Friendly the
    nation holds it from now on, or the friend whose country it is (unless that has fallen). What
    else follows (units that were based there, captured industry, politics) is drawn from the news.

    Rules: 5.42
    """
    before = holder(s, hex)
    if not friends(s, nation, before) and not _leaving(s, nation, before):
        seize(s, hex, nation)
        s.done[f"{OPENED}{hex}"] = 1
    s.tell(News("entered", nation, whom=before, where=hex))
