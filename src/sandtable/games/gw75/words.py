"""Names and sentences: turns, phases, units, what happened and what is rolled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sandtable.board.words import listed
from sandtable.games.gw75.facts import Facts
from sandtable.games.gw75.model import State, Unit
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.events import Data, Event

SIDES = {"axis": "Axis", "allies": "Allies", "neutral": "Neutral"}

SHORT = {
    "commonwealth": "C'wealth",
    "usa": "USA",
    "ussr": "USSR",
    "low_countries": "Low C.",
    "vichy": "Vichy",
}

PHASES = {
    "maintenance": "Maintenance",
    **{
        f"{side}_naval_{number}": f"{ordinal} {name} Naval Phase"
        for number, ordinal in ((1, "First"), (2, "Second"), (3, "Third"))
        for side, name in (("axis", "Axis"), ("allies", "Allied"))
    },
    **{
        f"{side}_{phase}": f"{name} {title}"
        for side, name in (("axis", "Axis"), ("allies", "Allied"))
        for phase, title in (
            ("air_movement", "Air Movement"),
            ("air_combat", "Air Combat"),
            ("land_movement", "Land Movement"),
            ("land_combat", "Land Combat"),
            ("strategic_movement", "Strategic Movement"),
        )
    },
    "reinforcement": "Reinforcement",
    "production": "Production Preparation",
    "turn_record": "Turn Record",
}

STEPS = (
    ("Maintenance", "Maint", ("maintenance",)),
    ("First Naval Phases", "Nav 1", ("axis_naval_1", "allies_naval_1")),
    ("Second Naval Phases", "Nav 2", ("axis_naval_2", "allies_naval_2")),
    ("Third Naval Phases", "Nav 3", ("axis_naval_3", "allies_naval_3")),
    ("Axis Air Phases", "Ax air", ("axis_air_movement", "axis_air_combat")),
    ("Allied Air Phases", "Al air", ("allies_air_movement", "allies_air_combat")),
    (
        *("Axis Land Phases", "Ax land"),
        ("axis_land_movement", "axis_land_combat", "axis_strategic_movement"),
    ),
    (
        *("Allied Land Phases", "Al land"),
        ("allies_land_movement", "allies_land_combat", "allies_strategic_movement"),
    ),
    ("Reinforcement", "Reinf", ("reinforcement",)),
    ("Production Preparation", "Prod", ("production", "turn_record")),
)
"""The parts of a Game-Turn in the phase tracker: name, a short one, the phases."""

AREAS = {
    "communications": "Communications Area",
    "ordinary": "Ordinary country",
    "undeveloped": "Undeveloped country",
}

KINDS = {"sea": "All-sea hex", "land": "All-land hex", "coast": "Coastal hex", "island": "Island"}

SUPPLY = {"attack": "in Attack Supply", "defense": "in Defense Supply", "none": "Unsupplied"}

DUTIES = {
    "march": "on the move",
    "landed march": "on the move",
    "assault": "landing, and has to attack here",
    "landed": "has landed",
    "ashore": "has landed",
    "attacked": "has attacked",
    "retreated": "has retreated",
    "repelled": "has landed, and retreated",
    "snort": "in the Snort Mode",
    "support": "supports another hex",
    "flown": "has flown",
    "new": "built in peace-time",
}
"""What units do, as the card of a hex says it."""


def turn(facts: Facts, number: int) -> str:
    """`Turn 3, Spring 1940`."""
    quarter = facts.turns.get(number)
    when = f", {quarter.season.capitalize()} {quarter.year}" if quarter else ""
    return f"Turn {number}{when}"


_WITH_ARTICLE = frozenset({"commonwealth", "usa", "ussr", "low_countries", "guianas"})


def the(facts: Facts, id: str) -> str:
    """A name as it stands in a sentence: `the Soviet Union`, `Germany`."""
    return f"the {facts.name(id)}" if id in _WITH_ARTICLE else facts.name(id)


def nations(facts: Facts, ids: Iterable[str]) -> str:
    """`Germany, Italy and the Soviet Union`."""
    return listed(the(facts, id) for id in ids)


def sentenced(text: str) -> str:
    """Words at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


_SINGLE = frozenset({"lrb", "ss", "ms", "abomb", "port"})
"""Types whose names are those of one unit; the others are of a kind: 2 Infantry."""


def counted(facts: Facts, type: str, number: int) -> str:
    """So many units of a type: `2 Submarines`; of Fortifications points, of which each has two."""
    if type == "fort":
        return f"{number} {facts.name(type)} point{'' if number == 1 else 's'}"
    return f"{number} {facts.name(type)}{'s' if number != 1 and type in _SINGLE else ''}"


def units(facts: Facts, given: Mapping[str, Any]) -> str:
    """Types and numbers, or those of several nations, in words."""
    parts = []
    for key, what in given.items():
        if isinstance(what, Mapping):
            if what:
                parts.append(f"{units(facts, what)} of {the(facts, key)}")
        else:
            parts.append(counted(facts, key, what))
    return listed(parts) or "nothing"


def duty(facts: Facts, unit: Unit) -> str:
    """What is to be said of a unit, for whoever points at it."""
    told = [DUTIES.get(unit.duty, "")]
    if unit.duty == "support" and unit.origin:
        told = [f"supports {facts.name(unit.origin)}"]
    if unit.left >= 0:
        told.append(f"Movement Points left: {unit.left}")
    if unit.cut:
        told.append("will be lost if it stays Unsupplied")
    return ", ".join(part for part in told if part)


def points(number: int) -> str:
    """`1 Production Point`."""
    return f"{number} Production Point{'' if number == 1 else 's'}"


def bombs(number: int) -> str:
    """`an atomic bomb`."""
    return "an atomic bomb" if number == 1 else f"{number} atomic bombs"


def difference(number: int) -> str:
    """`+3`."""
    return f"{number:+d}"


# --- what is rolled -------------------------------------------------------------------------------

ROLLS = {
    "land_attack": "the attack",
    "land_counter_attack": "the Counter-Attack",
    "counter_attack": "the Counter-Attack",
    "naval_attack": "the naval attack",
    "naval_counter_attack": "the naval Counter-Attack",
    "transit_attack": "the Transit Attack",
    "air_defense": "the Air Defense",
    "bombing": "the bombs",
    "bombed": "the bombs",
    "french_navy": "the French Navy",
}
"""By the kind of a roll, and of the event that tells of it."""


def caption(s: State, kind: str, lines: tuple[RollLine, ...]) -> str:
    """What a roll is for."""
    what = ROLLS.get(kind, kind.replace("_", " "))
    who = sentenced(nations(s.facts, dict.fromkeys(each.power for each in lines if each.power)))
    where = ""
    if s.land is not None and kind.startswith("land"):
        hexes = listed(map(s.facts.name, s.land.targets))
        where = f" from {hexes}"
        if kind == "land_attack":
            where = f" on {hexes}"
            where += " at " + difference(s.land.differential) if s.land.differential else ""
    elif s.sea is not None and kind.startswith("naval"):
        where = f" on {s.facts.name(s.sea.target)}"
    return f"{who} rolls for {what}{where}." if who else f"A roll for {what}{where}."


def rolled(facts: Facts, line: RollLine, kind: str) -> str:
    """What dice stand for in the log."""
    what = ROLLS.get(kind, kind.replace("_", " ")).removeprefix("the ")
    name = f"{facts.name(line.power)}: " if line.power else ""
    return f"{name}{what}"


# --- what happened --------------------------------------------------------------------------------


def sentence(facts: Facts, event: Event) -> str:
    """An event in a sentence; one that nobody has worded is told by its kind."""
    told = SENTENCES.get(event.kind)
    if told is None:
        who = event.data.get("power", "")
        text = f"{the(facts, who)}: {event.kind}." if who else f"{event.kind}."
        return text.replace("_", " ")
    text = told(facts, event.data) if callable(told) else told.format_map(_Filled(facts, event))
    return sentenced(text)


class _Filled(dict[str, str]):
    """The fields of an event by name, in words, as a sentence wants them."""

    def __init__(self, facts: Facts, event: Event) -> None:
        self.facts, self.data = facts, event.data

    def __missing__(self, name: str) -> str:
        facts, data = self.facts, self.data
        path = data.get("path") or ("", "")
        if name in ("start", "goal"):
            return facts.name(path[0 if name == "start" else -1])
        value = data.get(name)
        if name == "attackers":
            return _force(facts, data)
        if name in ("units", "losses", "defenders"):
            return units(facts, value or {})
        if name == "powers":
            return nations(facts, value or ())
        if name == "about":
            return listed(facts.name(id) for id in value or ())
        if isinstance(value, str):
            return the(facts, value) if value else "nobody"
        return str(value)


def _lost(facts: Facts, data: Data) -> str:
    found = units(facts, data.get("losses", {}))
    return f" Lost: {found}." if found != "nothing" else ""


def _force(facts: Facts, data: Data) -> str:
    """Who attacks: by nations where there is not only the one that is named already."""
    attackers: Mapping[str, Any] = data["attackers"]
    own = attackers.get(data["power"], {})
    return units(facts, own if len(attackers) == 1 and own else attackers)


def _fight(facts: Facts, data: Data) -> str:
    where = listed(facts.name(id) for id in data.get("about") or (data["space"],))
    loss = data.get("loss", 0)
    result = f"a loss of {loss} is called for" if loss else "no loss is called for"
    return (
        f"{the(facts, data['power'])} attacked {where} with "
        f"{_force(facts, data)} against {units(facts, data['defenders'])} "
        f"at {difference(data['differential'])}: {result}."
    )


def _counter(facts: Facts, data: Data) -> str:
    loss = data.get("loss", 0)
    result = f"a loss of {loss}" if loss else "no loss"
    return (
        f"the Counter-Attack on {facts.name(data['space'])} at "
        f"{difference(data['differential'])}: {result}."
    )


def _naval(what: str) -> Callable[[Facts, Data], str]:
    def told(facts: Facts, data: Data) -> str:
        against = f" on {the(facts, data['against'])}" if data.get("against") else ""
        who = the(facts, data["power"]) if data.get("power") else "the defender"
        text = (
            f"{who} made {what}{against} in {facts.name(data['space'])} "
            f"at {difference(data['differential'])}."
        )
        if data.get("subtracted"):
            text += (
                f" {data['subtracted']} was subtracted from the die, as Submarines are far from "
                "their ports."
            )
        text += _lost(facts, data) or " Nothing was lost."
        if data.get("instead"):
            text += f" ASW units that were depleted in place of losses: {data['instead']}."
        if data.get("depleted"):
            text += " An attacker was depleted."
        return text

    return told


def _air_defense(facts: Facts, data: Data) -> str:
    text = (
        f"Air Defense of {the(facts, data['power'])} met bombers of {the(facts, data['against'])} "
        f"over {facts.name(data['space'])}."
    )
    if data.get("aborted"):
        text += f" {data['aborted']} turned back."
    return text + _lost(facts, data)


def _ordered(facts: Facts, data: Data) -> str:
    how = "rebuilds" if data.get("rebuilt") else "builds"
    return (
        f"{the(facts, data['power'])} {how} {units(facts, data['units'])} for "
        f"{points(data['cost'])}, due in {turn(facts, data['turn'])}."
    )


def _restoring(facts: Facts, data: Data) -> str:
    return (
        f"{the(facts, data['power'])} restores {units(facts, data['units'])} in "
        f"{facts.name(data['space'])} for {points(data['cost'])} until "
        f"{turn(facts, data['turn'])}."
    )


def _landing(facts: Facts, data: Data) -> str:
    goal = facts.name(data["path"][-1])
    how = "against Enemies" if data.get("opposed") else "unopposed"
    return f"{the(facts, data['power'])} landed {units(facts, data['units'])} in {goal}, {how}."


def _entered(facts: Facts, data: Data) -> str:
    how = " on a limited basis" if data.get("limited") else ""
    return f"{the(facts, data['power'])} entered the war{how}."


def _war(facts: Facts, data: Data) -> str:
    how = " in a limited way" if data.get("limited") else ""
    return f"{nations(facts, data['powers'])} are at war{how}."


def _navy(facts: Facts, data: Data) -> str:
    if not data.get("recipient"):
        return "the French Navy was removed from play."
    return f"the French Navy went to {the(facts, data['recipient'])}."


def _mission(facts: Facts, data: Data) -> str:
    with_ = ", with an atomic bomb" if data.get("bomb") else ""
    start = facts.name(data["path"][0])
    return (
        f"{units(facts, data['units'])} of {the(facts, data['power'])} flew from {start} to "
        f"{facts.name(data['space'])}{with_}."
    )


def _redeployed(facts: Facts, data: Data) -> str:
    with_ = f" with {bombs(data['bombs'])}" if data.get("bombs") else ""
    start, goal = facts.name(data["path"][0]), facts.name(data["space"])
    what = units(facts, data["units"])
    return f"{the(facts, data['power'])} moved {what}{with_} from {start} to {goal}."


def _shipped(facts: Facts, data: Data) -> str:
    start, goal = facts.name(data["path"][0]), facts.name(data["path"][-1])
    return f"{the(facts, data['power'])} shipped {bombs(data['bombs'])} from {start} to {goal}."


def _sent(facts: Facts, data: Data) -> str:
    who, whom = the(facts, data["power"]), the(facts, data["recipient"])
    if who == whom:
        return f"{who} sends {points(data['points'])} from one of its countries to another."
    return f"{who} lends {whom} {points(data['points'])}."


def _put_to_sea(facts: Facts, data: Data) -> str:
    start, goal = facts.name(data["path"][0]), facts.name(data["path"][-1])
    what = units(facts, data["units"])
    return f"{what} of {the(facts, data['power'])} put to sea from {start} to {goal}."


def _ended(facts: Facts, data: Data) -> str:
    winner, scores = data["side"], data["scores"]
    others = [str(points) for side, points in scores.items() if side != winner]
    return (
        f"a {data['level']} victory of the {SIDES[winner]}, with {scores[winner]} Victory Points "
        f"to {listed(others)}."
    )


SENTENCES: Mapping[str, str | Callable[[Facts, Data], str]] = {
    "advanced": "{power} advanced with {units} from {start} to {goal}.",
    "air_defense": _air_defense,
    "appeared": "{units} of {power} appeared in {space}.",
    "atomic_bomb": "{power} dropped an atomic bomb on {space}: it is destroyed.",
    "attack_called_off": "the attack of {power} on {space} could not be made.",
    "attack_declared": "{power} is to attack {about} with {attackers}.",
    "attack_withdrawn": "{power} gave up its attack on {space}.",
    "base_overrun": "{power} overran bases in {space}. Lost: {losses}.",
    "bomb_lost": "an atomic bomb of {power} was lost over {space} with its bombers.",
    "bombed": "{units} of {power} bombed {space}. Production Points lost: {damage}.",
    "bombs_shipped": _shipped,
    "called_off": "{power} called off its attack on {space}.",
    "counter_attack": _counter,
    "counter_losses": "lost to the Counter-Attack in {space}: {losses}.",
    "driven_out": "the Axis has been driven out of Africa: Italy goes home, and only defends.",
    "embargo": "the United States placed an embargo on Japan.",
    "engagement": "{power} engaged {against} in {space}: {attackers} against {defenders}.",
    "entered_war": _entered,
    "forsaken": "{country} was left without a garrison, and turned to the Axis.",
    "french_navy": _navy,
    "game_ended": _ended,
    "interned": "Forces of {power} were interned in {space}: {losses}.",
    "land_attack": _fight,
    "land_losses": "lost in {space}: {losses}.",
    "land_move": "{power} moved {units} from {start} to {goal}.",
    "landed": "{power} is ashore in {space}.",
    "landing": _landing,
    "landing_failed": "the landing of {power} in {space} failed: {units} went back.",
    "militia": "militia appeared in {space}.",
    "mission": _mission,
    "mobilised": "{power} mobilises {units}.",
    "naval_attack": _naval("a naval attack"),
    "naval_counter_attack": _naval("a Counter-Attack"),
    "naval_retreat": "ships of {power} retreated from {start} to {goal}.",
    "no_retreat": "nowhere to retreat to from {space}. Lost: {losses}.",
    "not_at_home": "Italian units were lost abroad, in {space}: {losses}.",
    "not_placed": "{units} of {power} could not be placed, and are lost.",
    "ordered": _ordered,
    "overrun": "{power} overran {space} with {attackers}. Lost: {losses}.",
    "overstack_removed": "{power} removed {units} from {space}: too many were there.",
    "partition": "{power} took its part of {country}.",
    "points_sent": _sent,
    "port_built": "{power} built a port in {space}.",
    "port_ready": "{power} has a port ready.",
    "production_counted": lambda facts, data: (
        f"{the(facts, data['power'])} has {points(data['points'])}."
    ),
    "put_to_sea": _put_to_sea,
    "redeployed": _redeployed,
    "regenerated": "{units} of China came back in {space}.",
    "restored": "{units} of {power} are restored in {space}.",
    "restoring": _restoring,
    "retreated": "{units} of {power} retreated from {start} to {goal}.",
    "sailed": "{power} sailed with {units} from {start} to {goal}.",
    "ships_lent": "{power} gave {recipient} {units} in {space}.",
    "ships_trapped": "ships were trapped in {space}: {losses}.",
    "snort": "{units} in {space} go in the Snort Mode.",
    "stand_fast": "{space} is to be held at all costs.",
    "stranded": "ships that may not stay in {space} were lost: {losses}.",
    "strategic_move": "{power} sent {units} from {start} to {goal}.",
    "strayed": "lost in {space}, where they may not end their move: {losses}.",
    "surrendered": "{power} surrendered.",
    "transferred": "{power} moved {units} from {start} to {goal}.",
    "transit_attack": _naval("a Transit Attack"),
    "turn_began": lambda facts, data: f"{turn(facts, data['turn'])}.",
    "unactivated": "Not activated in {space}: {units} of {power}.",
    "unsupplied_lost": "lost in {space} for want of supply: {losses}.",
    "vichy_declared": "Vichy France was declared.",
    "vichy_ended": "Vichy France is no more: its forces in {space} are Free French.",
    "violated": "{power} violated the neutrality of {against} in {space}.",
    "violation_paid": "{power} pays for the violation of {against}: {space} counts for the Axis.",
    "war": _war,
    "war_production": "{power} goes over to full war production.",
}
