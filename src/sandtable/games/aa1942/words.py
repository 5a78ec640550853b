"""What a person reads: names, and events as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from sandtable.board.words import listed
from sandtable.games.aa1942.facts import Facts
from sandtable.games.aa1942.model import State
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.events import Data, Event, thrown

PHASE_NAMES = {
    "purchase": "Purchase units",
    "combat_move": "Combat move",
    "conduct_combat": "Conduct combat",
    "noncombat_move": "Noncombat move",
    "mobilize": "Mobilize new units",
    "collect_income": "Collect income",
}

_SHORT = {"antiaircraft_artillery": "AA gun", "aircraft_carrier": "carrier"}


# --- words ---------------------------------------------------------------------------------------


def power_name(facts: Facts, power: str, *, start: bool = False) -> str:
    """A power as a sentence names it: `the Soviet Union`, `Germany`."""
    name = facts.power_name(power)
    return f"The{name[3:]}" if start and name.startswith("the ") else name


def counted(facts: Facts, type_: str, count: int, *, short: bool = False) -> str:
    """`1 tank`, `3 infantry`, `2 industrial complexes`."""
    kind = facts.units.get(type_)
    name = facts.name(type_)
    if short:
        name = _SHORT.get(type_, name)
    if kind and count != 1 and not name.endswith(("infantry", "artillery")):
        name += "es" if name.endswith("x") else "s"
    return f"{count} {name}"


def units_in_words(facts: Facts, units: Mapping[str, int]) -> str:
    """`3 infantry and 1 tank`, in the order of the unit chart."""
    return listed([counted(facts, type_, n) for type_, n in _in_order(facts, units)])


def one_stop(text: str) -> str:
    """The text with one full stop at its end: the board has names such as "Yakut S.S.R."."""
    return text[:-1] if text.endswith("..") else text


def _in_order(facts: Facts, units: Mapping[str, int]) -> list[tuple[str, int]]:
    order = list(facts.units)
    return sorted(units.items(), key=lambda item: order.index(item[0]))


# --- events --------------------------------------------------------------------------------------


def sentence(facts: Facts, event: Event) -> str:
    """An event as a sentence."""
    tell = _SENTENCES.get(event.kind)
    if tell is None:
        return f"{event.kind}: {event.data}"
    return one_stop(tell(facts, event.data))


def _turn_began(facts: Facts, d: Data) -> str:
    return f"Round {d['round']}: it is the turn of {power_name(facts, d['power'])}."


def _phase_began(facts: Facts, d: Data) -> str:
    return f"{power_name(facts, d['power'], start=True)}: {PHASE_NAMES[d['phase']].lower()}."


def _bought(facts: Facts, d: Data) -> str:
    who = power_name(facts, d["power"], start=True)
    repairs = [
        f"repaired {points} damage in {facts.name(land)}" for land, points in d["repairs"].items()
    ]
    deeds = [f"bought {units_in_words(facts, d['units'])}"] if d["units"] else []
    return f"{who} {listed([*deeds, *repairs]) or 'bought nothing'}."


def _route(facts: Facts, path: Iterable[str]) -> str:
    """`from Libya to Egypt by way of Sea Zone 17`."""
    first, *between, last = [facts.name(space) for space in path]
    way = f" by way of {listed(between)}" if between else ""
    return f"from {first} to {last}{way}"


def _attack_move(facts: Facts, d: Data) -> str:
    who = power_name(facts, d["power"], start=True)
    route = _route(facts, d["path"])
    raid = ""
    if d["raid"]:
        bombs = "bomber" in d["units"]
        raid = " to bomb the industrial complex" if bombs else " to escort the bombers"
    return f"{who} sent {units_in_words(facts, d['units'])} {route}{raid}."


def _moved(facts: Facts, d: Data) -> str:
    who = power_name(facts, d["power"], start=True)
    return f"{who} moved {units_in_words(facts, d['units'])} {_route(facts, d['path'])}."


def _voyage(facts: Facts, path: tuple[str, ...]) -> str:
    if len(path) == 1:
        return f"in {facts.name(path[0])}"
    return _route(facts, path)


def _assault_announced(facts: Facts, d: Data) -> str:
    who = power_name(facts, d["power"], start=True)
    units = units_in_words(facts, d["units"])
    goal = facts.name(d["space"])
    return f"{who} sent a transport {_voyage(facts, d['path'])} to land {units} in {goal}."


def _sailed(facts: Facts, d: Data) -> str:
    who = power_name(facts, d["power"], start=True)
    parts = [f"a transport {_voyage(facts, d['path'])}"]
    if d["loaded"]:
        parts.append(f"took {_number(d['loaded'], 'unit')} aboard")
    if d["units"]:
        units = units_in_words(facts, d["units"])
        parts.append(f"landed {units} in {facts.name(d['space'])}")
    return f"{who}: {parts[0]} {listed(parts[1:])}."


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _dice(faces: Iterable[int]) -> str:
    return " ".join(str(face) for face in faces) or "no dice"


def _battle_began(facts: Facts, d: Data) -> str:
    who = power_name(facts, d["power"], start=True)
    return f"{who} attacked in {facts.name(d['space'])}."


_ROLLS = {
    "bombardment": "Bombardment of",
    "antiaircraft": "Antiaircraft fire in",
    "strike": "Surprise strike in",
    "strike_back": "Surprise strike of the defender in",
    "attack": "Attack in",
    "defence": "Defence in",
    "air_battle": "Air battle over",
    "interceptors": "Interceptors over",
    "complex": "Defence of the industrial complex in",
    "bombs": "Bombing of",
}
"""The kinds of rolls, before the name of the place."""


def _in_line(facts: Facts, lines: Sequence[RollLine]) -> list[str]:
    """The dice of a roll, in order: `2 infantry at 1`, `1 tank at 3`."""
    several = len({line[0] for line in lines}) > 1
    return [
        f"{facts.names[power] + ' ' if several else ''}{counted(facts, type_, count)} at {value}"
        for power, type_, count, value, _ in lines
    ]


def caption(s: State, kind: str, lines: Sequence[RollLine]) -> str:
    """A roll that is made in this position, in words."""
    where = f" {s.facts.name(s.combat.at)}" if s.combat else ""
    words = f"{_ROLLS[kind][0].lower()}{_ROLLS[kind][1:]}{where}"
    if kind in ("antiaircraft", "complex", "bombs"):  # not as many as the dice
        return words
    return f"{words}: {', '.join(_in_line(s.facts, lines))}"


def _fired(facts: Facts, d: Data) -> str:
    parts = [
        f"{part} rolled {_dice(faces)}"
        for part, (_, faces) in zip(_in_line(facts, d["lines"]), thrown(d), strict=True)
    ]
    where = f"{_ROLLS[d['step']]} {facts.name(d['space'])}, round {d['round']}"
    if "sure" in d:
        rests = [f"for {value} of 6 rolled {_dice(faces)}" for (*_, value, _), faces in thrown(d)]
        parts = [_number(d["sure"], "sure hit"), *rests]
    return f"{where}: {'; '.join(parts)}: {_number(d['hits'], 'hit')}."


def _antiaircraft(facts: Facts, d: Data) -> str:
    where, hits = facts.name(d["space"]), _number(d["hits"], "hit")
    return f"Antiaircraft fire in {where} rolled {_dice(d['dice'])}: {hits}."


def _forces(facts: Facts, forces: Mapping[str, Mapping[str, int]]) -> str:
    return listed(
        f"{units_in_words(facts, units)} of {power_name(facts, power)}"
        for power, units in forces.items()
    )


def _lost(facts: Facts, d: Data) -> str:
    return f"Lost in {facts.name(d['space'])}: {_forces(facts, d['losses'])}."


def _damaged(facts: Facts, d: Data) -> str:
    ships, power = units_in_words(facts, d["units"]), power_name(facts, d["power"])
    verb = "took its" if sum(d["units"].values()) == 1 else "took their"
    return f"{ships} of {power} {verb} first hit in {facts.name(d['space'])}."


def _defenceless(facts: Facts, d: Data) -> str:
    where = facts.name(d["space"])
    return f"Nothing protected them in {where}, and they went down: {_forces(facts, d['losses'])}."


def _submerged(facts: Facts, d: Data) -> str:
    who, where = power_name(facts, d["power"], start=True), facts.name(d["space"])
    return f"{who} submerged {units_in_words(facts, d['units'])} in {where}."


def _retreated(facts: Facts, d: Data) -> str:
    who, (where, *goal) = power_name(facts, d["power"], start=True), d["path"]
    to = f" to {facts.name(goal[0])}" if goal else ""
    return f"{who} retreated from {facts.name(where)}{to}."


def _battle_ended(facts: Facts, d: Data) -> str:
    sides = [d[side] for side in ("attackers", "defenders") if d[side]]
    lone = sum(n for side in sides for units in side.values() for n in units.values()) == 1
    left = listed(_forces(facts, side) for side in sides)
    outcome = f"{left} {'is' if lone else 'are'} left" if left else "nobody is left"
    return f"The battle in {facts.name(d['space'])} is over: {outcome}."


def _landed(facts: Facts, d: Data) -> str:
    zone, land = (facts.name(space) for space in d["path"])
    return f"{_number(sum(d['units'].values()), 'unit')} went ashore from {zone} in {land}."


def _bombarded(facts: Facts, d: Data) -> str:
    where, hits = facts.name(d["space"]), _number(d["hits"], "hit")
    return f"Ships bombarded {where} and rolled {_dice(d['dice'])}: {hits}."


def _disagreed(facts: Facts, d: Data) -> str:
    who = listed(power_name(facts, power) for power in d["powers"])
    where = facts.name(d["space"])
    return f"{who[0].upper()}{who[1:]} did not agree on the casualties in {where}."


def _captured(facts: Facts, d: Data) -> str:
    land = facts.name(d["space"])
    by, loser = power_name(facts, d["power"], start=True), power_name(facts, d["against"])
    if d["recipient"] == d["power"]:
        return f"{by} took {land} from {loser}."
    return f"{by} freed {land} from {loser} for {power_name(facts, d['recipient'])}."


def _plundered(facts: Facts, d: Data) -> str:
    captor = power_name(facts, d["power"], start=True)
    victim = power_name(facts, d["against"])
    return f"{captor} seized the treasury of {victim}: {_number(d['ipcs'], 'IPC')}."


def _reverted(facts: Facts, d: Data) -> str:
    land, owner = facts.name(d["space"]), power_name(facts, d["power"])
    return f"{land} went back from {power_name(facts, d['against'])} to {owner}."


def _refunded(facts: Facts, d: Data) -> str:
    who, ipcs = power_name(facts, d["power"], start=True), _number(d["ipcs"], "IPC")
    return f"{who} gave back {units_in_words(facts, d['units'])} for {ipcs}: there was no room."


def _placed(facts: Facts, d: Data) -> str:
    who, where = power_name(facts, d["power"], start=True), facts.name(d["space"])
    return f"{who} placed {units_in_words(facts, d['units'])} in {where}."


def _crashed(facts: Facts, d: Data) -> str:
    where = facts.name(d["space"])
    return f"{_forces(facts, d['losses'])} had nowhere to land in {where} and crashed."


def _refused(facts: Facts, d: Data) -> str:
    host, guest = power_name(facts, d["power"], start=True), power_name(facts, d["against"])
    return f"{host} did not take units of {guest} aboard in {facts.name(d['space'])}."


def _diverted(facts: Facts, d: Data) -> str:
    where, goal = (facts.name(space) for space in d["path"])
    power = power_name(facts, d["power"])
    return f"A fighter of {power} that had lost its base in {where} landed in {goal}."


def _won(facts: Facts, d: Data) -> str:
    winners = listed(power_name(facts, power) for power in d["winners"])
    return f"{d['reason']} The war is won by {winners}."


def _intercepting(facts: Facts, d: Data) -> str:
    who = power_name(facts, d["power"], start=True)
    rising = [
        f"{counted(facts, 'fighter', count)} over {facts.name(land)}"
        for land, count in d["fighters"].items()
    ]
    return f"{who} committed {listed(rising)} to intercept."


def _bombed(facts: Facts, d: Data) -> str:
    where = facts.name(d["space"])
    if not d["dice"]:
        return f"No bomber is left to bomb {where}."
    return f"Bombs on {where} rolled {_dice(d['dice'])}: {d['damage']} damage to its complex."


def _raid_fire(facts: Facts, d: Data) -> str:
    who = {
        "air_battle": "Bombers and escorts",
        "interceptors": "Interceptors",
        "complex": "The industrial complex",
    }[d["step"]]
    where, hits = facts.name(d["space"]), _number(d["hits"], "hit")
    place = "in" if d["step"] == "complex" else "over"
    return f"{who} {place} {where} rolled {_dice(d['dice'])}: {hits}."


def _shot_down(facts: Facts, d: Data) -> str:
    lost = sum(count for units in d["losses"].values() for count in units.values())
    where, verb = facts.name(d["space"]), "was" if lost == 1 else "were"
    return f"{_forces(facts, d['losses'])} {verb} shot down over {where}."


def _no_income(facts: Facts, d: Data) -> str:
    who = power_name(facts, d["power"], start=True)
    return f"{who} collected nothing: its capital is in enemy hands."


def _bid_placed(facts: Facts, d: Data) -> str:
    who, units = power_name(facts, d["power"], start=True), units_in_words(facts, d["units"])
    where, left = facts.name(d["space"]), _number(d["left"], "IPC")
    return f"{who} placed {units} of the bid in {where}; {left} left."


def _bid_kept(facts: Facts, d: Data) -> str:
    who = power_name(facts, d["power"], start=True)
    return f"{who} kept {_number(d['ipcs'], 'IPC')} of the bid."


def _collected(facts: Facts, d: Data) -> str:
    return f"{power_name(facts, d['power'], start=True)} collected {_number(d['ipcs'], 'IPC')}."


_SENTENCES: dict[str, Callable[[Facts, Data], str]] = {
    "antiaircraft": _antiaircraft,
    "assault_announced": _assault_announced,
    "attack_move": _attack_move,
    "battle_began": _battle_began,
    "battle_ended": _battle_ended,
    "bid_kept": _bid_kept,
    "bid_placed": _bid_placed,
    "bombarded": _bombarded,
    "bombed": _bombed,
    "bought": _bought,
    "captured": _captured,
    "collected": _collected,
    "crashed": _crashed,
    "damaged": _damaged,
    "defenceless": _defenceless,
    "disagreed": _disagreed,
    "diverted": _diverted,
    "fired": _fired,
    "intercepting": _intercepting,
    "landed": _landed,
    "lost": _lost,
    "moved": _moved,
    "no_income": _no_income,
    "phase_began": _phase_began,
    "placed": _placed,
    "plundered": _plundered,
    "raid_fire": _raid_fire,
    "refunded": _refunded,
    "refused": _refused,
    "retreated": _retreated,
    "reverted": _reverted,
    "sailed": _sailed,
    "shot_down": _shot_down,
    "submerged": _submerged,
    "turn_began": _turn_began,
    "won": _won,
}
