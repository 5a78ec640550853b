"""The scenarios' own rules (A to F), and what happens as a turn begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.games.blitz.facts import BIG
from sandtable.games.blitz.model import NEUTRAL, State, Unit
from sandtable.games.blitz.rules import neutral_entry, set_aside
from sandtable.games.blitz.rules.after_action import garrison, give_way
from sandtable.games.blitz.rules.consequences import after_action, take_control
from sandtable.games.blitz.rules.counters import ITALY_OUT, is_big, lift, small_name, to_pool
from sandtable.games.blitz.rules.neutral_entry import go_to_war
from sandtable.games.blitz.rules.opening import power_in_play
from sandtable.games.blitz.rules.retreat import evacuate
from sandtable.games.blitz.rules.sides import friendly
from sandtable.games.blitz.rules.stacking import no_room
from sandtable.games.blitz.rules.victory import score
from sandtable.games.blitz.tables import Placement
from sandtable.kernel.decisions import Decision, Request, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.kits import Assign, ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

# --- the start of a turn -----------------------------------------------------------------------


def begin_turn(g: Table[State]) -> Procedure[None]:
    """What happens as a turn begins, in order; what is done is counted, so that it is done once.

    Rules: 2.1a
    """
    s = g.state
    parts = (
        neutral_entry.start_of_turn,
        set_aside.start_of_turn,
        _late_counters,
        _announce_japan,
        _harbin_to_the_ussr,
        _landing,
        after_action,
    )
    for part in parts[s.deeds.get("begun", 0) :]:
        yield from part(g)
        s.count("begun")
    s.deeds.pop("begun")


def _late_counters(g: Table[State]) -> Procedure[None]:
    """Scenario B: counters that join the Force Pools on a later turn.

    Rules: B.7f
    """
    s = g.state
    for power, counters in s.scenario.own.get("late_pool", {}).get(s.turn, {}).items():
        for counter in counters:
            to_pool(s, power, counter)
        g.emit("counters_available", power=power, units=tuple(counters))
    return
    yield


class AnnounceJapan(Decision, frozen=True, tag="announce_japan"):
    """Japan goes to war with the AFA and the USA."""


class JapansEntry(Request, frozen=True, tag="japans_entry"):
    """Whether Japan goes to war now; or pass, and be asked again next turn."""

    points: int
    """The victory points that the USA gains by it."""

    answers: ClassVar[tuple[type[Decision], ...]] = (AnnounceJapan,)

    def decisions(self, state: State) -> Iterator[Decision]:
        yield AnnounceJapan()


def _announce_japan(g: Table[State]) -> Procedure[None]:
    """Scenario F: Germany may open a turn by announcing that Japan has gone to war.

    The USA is then in the war, and gains a point for each turn by which that is before Turn 4.

    Rules: F.japan-a, F.japan-c
    """
    s = g.state
    before = s.scenario.own.get("japan_before_turn")
    if before is None or "japan_at_war" in s.flags:
        return
    points = max(0, before - s.turn)
    g.checkpoint(strict=True)
    answers = yield from g.offer([JapansEntry("germany", points)])
    if not answers:
        return
    s.flag("japan_at_war")
    g.emit("japan_at_war", turn=s.turn)
    for enemy in ("afa", "usa"):
        yield from go_to_war(g, "japan", enemy)
    score(g, "usa", points, "japan_at_war")


def _harbin_to_the_ussr(g: Table[State]) -> Procedure[None]:
    """Scenario F: Harbin comes into play, the USSR's, if it is not at war with Germany by Turn 7.

    Rules: F.japan-d
    """
    s = g.state
    rule = s.scenario.own.get("harbin")
    if rule is None or s.turn != rule["turn"] or ("germany", rule["to"]) in s.wars:
        return
    area, power = rule["area"], rule["to"]
    open_area(s, area, power)
    g.emit("control_taken", space=area, power=power, against=NEUTRAL)
    return
    yield


def open_area(s: State, area: str, power: str) -> None:
    """Bring a land area into play that was not, under the control of a power."""
    country = s.facts.lands[area].country
    s.in_play |= {area}
    s.set_control(area, power)
    s.allied.setdefault(country, power)
    s.original.setdefault(country, power)


def _landing(g: Table[State]) -> Procedure[None]:
    """Scenario D: the Western Allies take Belgium-Netherlands as Turn 9 begins.

    Land units there retreat first; one that cannot is destroyed.

    Rules: D.front-b
    """
    s = g.state
    front = s.scenario.own.get("second_front")
    if front is None or s.turn != front["landing_turn"]:
        return
    area, power = front["landing"], "western_allies"
    if friendly(s, area, power):
        return
    g.checkpoint(strict=True)
    yield from evacuate(g, area, power)
    yield from take_control(g, area, power)


# --- losing an area without a battle -----------------------------------------------------------


# --- scenario D: the second front ---------------------------------------------------------------


class GiveUp(Decision, frozen=True, tag="give_up"):
    """Sizes of ARM units that leave the game, by unit."""

    sizes: dict[str, int]


class WithdrawArmour(Assign, frozen=True, tag="withdraw_armour"):
    """Which ARM units leave the map for good, of a total Size.

    Rules: D.front-c
    """

    size: int
    units: dict[str, int]
    """The ARM units on the map with their Sizes."""

    answers: ClassVar[tuple[type[Decision], ...]] = (GiveUp,)
    among: ClassVar[str] = "units"
    rule: ClassVar[str] = "D.front-c"
    refusal: ClassVar[str] = "Of {key}, which has Size {limit}, {number} cannot go."
    wrong_total: ClassVar[str] = "ARM units of Size {most} in all go, not of {sum}."

    def totals(self, state: State) -> range:
        return range(self.size, self.size + 1)

    def check(self, state: State, decision: GiveUp) -> None:
        super().check(state, decision)
        if sum(size < self.units[id] for id, size in decision.sizes.items()) > 1:
            raise IllegalDecision("Only one of the units can go in part.", self.rule)


def _withdraw_armour(g: Table[State]) -> Procedure[None]:
    """Scenario D: Germany takes ARM of total Size 4 off the map for good before Turn 9's builds.

    Whole units go; one of them may only shrink, if the Sizes do not come out even.

    Rules: D.front-c
    """
    s = g.state
    front = s.scenario.own.get("second_front")
    if front is None or s.turn != front["landing_turn"] or "armour_withdrawn" in s.flags:
        return
    units = {id: unit.size for id, unit in sorted(s.of("germany")) if s.type(id) == "ARM"}
    owed = min(front["armour"], sum(units.values()))
    sizes = units
    if owed < sum(units.values()):
        g.checkpoint()
        sizes = (yield from g.ask(WithdrawArmour("germany", owed, units))).sizes
    s.flag("armour_withdrawn")
    for id, size in sizes.items():
        left = s.units[id].size - size
        if is_big(s.units[id].size) and not is_big(left):
            s.removed |= {id + BIG}
        if left:
            s.change(id, size=left)
        else:
            lift(g, id)
            s.removed |= {id}
            _drop_big(s, id)
        g.emit("withdrawn", unit=id, size=size)


def _drop_big(s: State, id: str) -> None:
    """The Big counter of a unit that has left the game goes with it, wherever it is."""
    big = id + BIG
    if len(s.facts.kinds[id].sizes) <= 2 or big in s.removed:
        return
    for power, pool in s.pool.items():
        s.pool[power] = tuple(counter for counter in pool if counter != big)
    for power, groups in s.groups.items():
        s.groups[power] = tuple(
            tuple(counter for counter in group if counter != big) for group in groups
        )
    s.aside.pop(big, None)
    s.removed |= {big}


# --- scenario E: the USSR and extra Resources ---------------------------------------------------


class SovietTarget(Decision, frozen=True, tag="soviet_target"):
    """The land area that the USSR attacks."""

    target: str


class ChooseSovietTarget(ChooseOne, frozen=True, tag="choose_soviet_target"):
    """Which land area of Japan's the USSR attacks this turn; or pass.

    Rules: E.ussr-d
    """

    targets: tuple[str, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (SovietTarget,)
    among: ClassVar[str] = "targets"
    rule: ClassVar[str] = "E.ussr-d"
    refusal: ClassVar[str] = "The USSR cannot attack {asked}."


def soviet_attack(g: Table[State]) -> Procedure[None]:
    """Scenario E: from Turn 11 the USSR attacks once a turn, Harbin until that has fallen.

    From the turn after that the Western Allies may name a land area of Japan's next to one that
    the USSR took.

    Rules: E.ussr-b, E.ussr-d, E.ussr-e
    """
    s = g.state
    rule = s.scenario.own["soviets"]
    first: str = rule["area"]
    held = [area for area, power in s.control.items() if power == "ussr"]
    if "lost_to_ussr" in s.deeds:
        return
    if held:
        targets = tuple(
            sorted(
                area
                for area in {near for other in held for near in s.facts.land_next[other]}
                if s.control.get(area) == "japan"
            )
        )
        if not targets:
            return
        g.checkpoint(strict=True)
        answers = yield from g.offer([ChooseSovietTarget("western_allies", targets)])
        if not answers:
            return
        area = answers["western_allies"].target
    elif s.turn >= rule["from_turn"] and s.control[first] == "japan":
        area = first
    else:
        return
    size = garrison(s, area)
    lines = (RollLine("ussr", area, 1, size),)
    (die,) = yield from g.roll("soviet_attack", lines)
    taken = die > size
    g.emit("soviets_attacked", space=area, lines=lines, dice=(die,), size=size, taken=taken)
    if taken:
        yield from give_way(g, area)
        yield from take_control(g, area, "ussr")


class TakeExtra(Decision, frozen=True, tag="take_extra"):
    """Spend extra Resources this turn, for a victory point."""


class OfferExtra(Request, frozen=True, tag="offer_extra"):
    """Whether to have extra Resources this turn at the price of a victory point; or pass."""

    resources: int

    answers: ClassVar[tuple[type[Decision], ...]] = (TakeExtra,)

    def decisions(self, state: State) -> Iterator[Decision]:
        yield TakeExtra()


def _extra_resources(g: Table[State]) -> Procedure[None]:
    """Scenario E: on Turns 5 to 8 the Western Allies may have 3 more Resources for a point.

    If they have no point to lose, Japan gains one.

    Rules: E.econ-c
    """
    s = g.state
    rule = s.scenario.own.get("extra_resources_for_points")
    if rule is None or not rule["turns"][0] <= s.turn <= rule["turns"][1]:
        return
    if "extra_offered" in s.deeds:
        return
    power, resources = rule["power"], rule["resources"]
    g.checkpoint()
    answers = yield from g.offer([OfferExtra(power, resources)])
    s.count("extra_offered")
    if not answers:
        return
    book = s.books[power]
    s.books[power] = replace(
        book, resources=book.resources + resources, passing=book.passing + resources
    )
    g.emit("extra_resources", power=power, resources=resources)
    if s.vp[power] > 0:
        score(g, power, -1, "extra_resources")
    else:
        score(g, "japan", 1, "extra_resources")


# --- hooks ---------------------------------------------------------------------------------------


def before_builds(g: Table[State]) -> Procedure[None]:
    """What a scenario takes or gives before the builds of a turn are made.

    Rules: C.8b, D.front-c, E.econ-c
    """
    _fall_of_italy(g)
    yield from _withdraw_armour(g)
    yield from _extra_resources(g)


def _fall_of_italy(g: Table[State]) -> None:
    """Scenario C: on Turn 7 the Italian counters in the German Force Pool leave the game.

    Rules: C.8b
    """
    s = g.state
    turn = s.scenario.own.get("italy_falls_on")
    if turn is None or s.turn < turn or ITALY_OUT in s.flags:
        return
    s.flag(ITALY_OUT)
    gone = tuple(
        counter
        for counter in s.pool["germany"]
        if s.facts.kinds[small_name(counter)].home == "italy"
    )
    s.pool["germany"] = tuple(counter for counter in s.pool["germany"] if counter not in gone)
    s.removed |= set(gone)
    g.emit("italy_fell", units=gone)


def reinforce(g: Table[State]) -> Procedure[None]:
    """Reinforcements at the end of a turn: new units, and units that grow.

    A unit whose place is not friendly or full waits for the end of a later turn; one that is to
    grow and has been destroyed does not.

    Rules: A.7a, E.setup-b
    """
    s = g.state
    reinforcements: dict[int, list[dict[str, Any]]] = s.scenario.own.get("reinforcements", {})
    for turn, given in reinforcements.items():
        for each in given:
            placement = Placement(**each)
            if turn <= s.turn and f"reinforced:{placement.unit}" not in s.flags:
                _reinforce(g, placement)
    return
    yield


def _reinforce(g: Table[State], placement: Placement) -> None:
    s, id = g.state, placement.unit
    if placement.add:
        s.flag(f"reinforced:{id}")
        if id in s.units:
            most = len(s.facts.kinds[id].sizes)
            unit = s.change(id, size=min(most, s.units[id].size + placement.add))
            g.emit("reinforced", unit=id, size=unit.size, space=unit.at)
        return
    power = power_in_play(s.facts, s.scenario, s.facts.kinds[id].power)
    if not friendly(s, placement.at, power):
        return
    s.put(id, Unit(power, placement.size, placement.at, placement.port))
    if no_room(s, id, placement.at, placement.port) is not None:
        s.take(id)
        return
    s.flag(f"reinforced:{id}")
    g.emit("reinforced", unit=id, size=placement.size, space=placement.at)
