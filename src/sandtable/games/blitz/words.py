"""What people and clients see: events as sentences, and what is secret."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sandtable.board.words import listed
from sandtable.games.blitz.facts import Facts
from sandtable.games.blitz.model import NEUTRAL, Attack, State
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.events import Data, Event

PHASE_NAMES = {
    "": "Before the game",
    "axis_activities": "Axis activities",
    "allied_activities": "Allied activities",
    "axis_blitzes": "Axis blitzes",
    "allied_blitzes": "Allied blitzes",
    "turn_end": "Turn end",
}

STEP_NAMES = {
    "blitz": "choose a Blitz",
    "commanders": "move commanders",
    "A": "return to base",
    "B": "move to sea",
    "C": "sea area combat",
    "D": "rebase air and naval units",
    "E": "move land units",
    "F": "land area combat",
    "soviets": "the Soviets",
    "partisans": "Partisans",
    "entry": "entry of neutral powers",
    "weapons": "develop weapons",
    "lend_lease": "Lend Lease",
    "income": "determine Oil and Resources",
    "spend": "spend Resources",
    "reinforce": "reinforcements",
    "victory": "Victory Points",
}

SHORT_STEPS = {
    "blitz": "Blitz",
    "commanders": "Commanders",
    "A": "Return",
    "B": "To sea",
    "C": "Sea combat",
    "D": "Rebase",
    "E": "Move",
    "F": "Attack",
    "soviets": "Soviets",
    "partisans": "Partisans",
    "entry": "Entry",
    "weapons": "Weapons",
    "lend_lease": "Lend Lease",
    "income": "Income",
    "spend": "Spend",
    "reinforce": "Reinforce",
    "victory": "Points",
}
"""The steps where there is little room for them."""

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


# --- words ---------------------------------------------------------------------------------------


def power_name(facts: Facts, power: str) -> str:
    """A power as a sentence names it: `the AFA`, `Germany`; NEUTRAL is `nobody`."""
    if power not in facts.powers:
        return "nobody" if power == NEUTRAL else power
    return facts.name(power)


def verb(power: str, one: str, many: str) -> str:
    """The form of a verb that goes with a power: `the USSR wants`, `the Western Allies want`."""
    return many if power == "western_allies" else one


def sized(s: State, id: str) -> str:
    """A unit on the map with its type and Size: `Luftwaffe (AIR 2)`."""
    return f"{s.facts.names[id]} ({s.type(id)} {s.units[id].size})"


def _date(month: str) -> str:
    year, number = month.split("-")
    return f"{_MONTHS[int(number) - 1]} {year}"


# --- events --------------------------------------------------------------------------------------

_ROLLS = {
    "air_round": "the Air Round in {type}, {power}",
    "naval_round": "the Naval Round in {type}, {power}",
    "land_round": "the Land Round in {type}, {power}",
    "strategic_round": "the Strategic Round in {type}, {power}",
    "commander_loss": "the loss of {type}",
    "soviet_attack": "the Soviet attack on {type}",
    "partisans": "Partisans",
    "research": "research by {power}",
    "which_weapon": "the weapon found by {power}",
    "bomb_test": "the test of an A-Bomb by {power}",
    "blockade": "the blockade of {type}",
    "sabotage": "sabotage against {type}",
    "sabotage_damage": "the stores of {type} that burn",
    "liberation": "who liberates {type}",
    "forced_passage": "the passage forced by {type}",
    "french_fleet": "the crew of {type}",
    "control": "who controls {type}",
}
"""The kinds of rolls; all have one line."""


def caption(s: State, kind: str, lines: Sequence[RollLine]) -> str:
    """A roll that is made in this position, in words."""
    (line,) = lines
    power = s.facts.name(line.power)
    return _ROLLS[kind].format(type=s.facts.name(line.type), power=side_name(power))


def sentence(facts: Facts, event: Event) -> str:
    """An event as a sentence."""
    tell = _SENTENCES.get(event.kind)
    if tell is None:
        told = {field: value for field, value in event.data.items() if value not in ("", (), [])}
        rows = [f"{_plain(field)} {_said(facts, value)}" for field, value in told.items()]
        text = f"{_plain(event.kind)}: {', '.join(rows)}." if rows else f"{_plain(event.kind)}."
    elif isinstance(tell, str):
        fields: dict[str, Any] = {key: _said(facts, value) for key, value in event.data.items()}
        fields["path"] = [facts.name(space) for space in event.data.get("path", ())]
        text = tell.format_map(fields)
    else:
        text = tell(facts, event.data)
    text = upper(text)
    return text[:-1] if text.endswith("..") else text  # The counters have names such as "Home Trs."


def upper(text: str) -> str:
    """A text as a sentence begins."""
    return f"{text[0].upper()}{text[1:]}"


def _plain(word: str) -> str:
    return word.replace("_", " ")


def _said(facts: Facts, value: object) -> str:
    """A value of an event in words."""
    if isinstance(value, str):
        return facts.name(value) if value else "nobody"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return listed(_said(facts, part) for part in value) or "nothing"
    if isinstance(value, Mapping):
        return listed(f"{_said(facts, k)} {_said(facts, v)}" for k, v in value.items()) or "nothing"
    return str(value)


def number(count: int, noun: str) -> str:
    """`1 factor`, `3 factors`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def goods(oil: int, resources: int) -> str:
    """`1 Oil and 2 Resources`."""
    parts = [f"{oil} Oil"] if oil else []
    if resources:
        parts.append(number(resources, "Resource"))
    return listed(parts) or "nothing"


def _way(facts: Facts, d: Data) -> str:
    """`from Berlin to Paris by way of Western Germany`."""
    origin, last = d["path"][0], d["path"][-1]
    between = d["path"][1:-1]
    via = f" by way of {names(facts, between)}" if between else ""
    return f"from {facts.name(origin)} to {facts.name(last)}{via}"


def _combat(kind: str) -> str:
    return {"ground": "Ground Attack", "factory": "Factory Attack", "port": "Port Attack"}[kind]


def _attack_announced(facts: Facts, d: Data) -> str:
    walking = [id for id in d["units"] if id not in d["flying"]]
    text = f"{power_name(facts, d['power'])} announced a {_combat(d['combat'])} on "
    text += f"{facts.name(d['space'])} with {names(facts, (*walking, *d['flying']))}"
    return f"{text}, {names(facts, d['flying'])} flying." if d["flying"] else f"{text}."


def _attack_began(facts: Facts, d: Data) -> str:
    text = f"{_combat(d['combat'])} of {names(facts, d['powers'])} on {facts.name(d['space'])}"
    text += f": {names(facts, _all_of(d['attackers']))}"
    guards = names(facts, _all_of(d["defenders"]))
    return f"{text} against {guards}." if guards else f"{text}."


def _all_of(forces: Mapping[str, Iterable[str]]) -> list[str]:
    """The units of all powers."""
    return [id for units in forces.values() for id in units]


def combat_result(d: Data) -> str:
    """What the Combat Chart gave: `2 points of damage and letter S`."""
    result = [number(d["damage"], "point") + " of damage"] if d["damage"] else []
    if d["letter"]:
        result.append(f"letter {d['letter']}")
    return listed(result) or "no effect"


def _fired(facts: Facts, d: Data) -> str:
    where = f"{d['round'].capitalize()} Round in {facts.name(d['space'])}"
    fire = f"{number(d['factors'], 'factor')} rolled {d['dice'][0]}"
    return f"{where}: the {side_name(d['side'])} with {fire}: {combat_result(d)}."


def side_name(side: str) -> str:
    """A side as a sentence names it."""
    return {"axis": "Axis", "allies": "Allies"}.get(side, side)


def _destroyed(facts: Facts, d: Data) -> str:
    by = f" by {power_name(facts, d['power'])}" if d["power"] else ""
    lost, where = names(facts, _all_of(d["losses"])), facts.name(d["space"])
    return f"{lost} was destroyed in {where}{by}."


def blitz_name(kind: str) -> str:
    """`Land`, `Non-Motorized Land`: what kind of Blitz it is."""
    return "Non-Motorized Land" if kind == "foot" else kind.capitalize()


def _blitz(facts: Facts, d: Data) -> str:
    kind = blitz_name(d["blitz"])
    price = goods(d["oil"], d["resources"])
    cost = f" for {price}" if d["oil"] or d["resources"] else ""
    return f"{power_name(facts, d['power'])} announced a {kind} Blitz{cost}."


def _blockaded(facts: Facts, d: Data) -> str:
    outcome = "got through" if d["passed"] else "could not leave"
    unit, where = facts.name(d["unit"]), facts.name(d["space"])
    return f"{unit} met a blockade of {d['value']} in {where}, rolled {d['dice'][0]} and {outcome}."


def _control(facts: Facts, d: Data) -> str:
    old = f" from {power_name(facts, d['against'])}" if d["against"] else ""
    return f"{power_name(facts, d['power'])} took {facts.name(d['space'])}{old}."


def _rebased(facts: Facts, d: Data) -> str:
    cargo = f" with {names(facts, d['cargo'])}" if d["cargo"] else ""
    return f"{facts.name(d['unit'])} rebased {_way(facts, d)}{cargo}."


def _returned(facts: Facts, d: Data) -> str:
    unit, (origin, home) = facts.name(d["unit"]), d["path"]
    if origin == home:
        return f"{unit} landed in {facts.name(home)}."
    return f"{unit} returned {_way(facts, d)}."


def _sailed(facts: Facts, d: Data) -> str:
    cargo = f" with {names(facts, d['cargo'])} aboard" if d["cargo"] else ""
    return f"{facts.name(d['unit'])} sailed {_way(facts, d)}{cargo}."


def _allied(facts: Facts, d: Data) -> str:
    text = f"{facts.names[d['country']]} became an ally of {power_name(facts, d['power'])}"
    attacked = d["against"] and d["against"] != d["power"]
    return f"{text}, attacked by {power_name(facts, d['against'])}." if attacked else f"{text}."


_ENTRY_EVENTS = {
    "each_turn": "it moves every turn",
    "axis_takes_goods": "the Axis took Oil or Resources",
    "allies_take_goods": "the Allies took Oil or Resources",
    "axis_declares_on_minor": "the Axis declared war on a minor country",
    "axis_declares_beside_ussr": "the Axis declared war on a neighbour of the USSR",
    "allies_declare_on_minor": "the Allies declared war on a minor country",
    "japan_declares_on_afa_or_dutch": "Japan declared war on the AFA or the Dutch",
    "after_that_each_turn": "it moves every turn since Japan struck",
    "germany_conquers_france_or_britain": "Germany conquered France or Great Britain",
    "ussr_declares_on_japan": "the USSR declared war on Japan",
    "japan_declares_on_ussr": "Japan declared war on the USSR",
    "germany_gains_turkey_or_near_east": "Germany gained Turkey or the Near East",
}
"""What moves the markers of neutral powers."""


def _entry_moved(facts: Facts, d: Data) -> str:
    why = _ENTRY_EVENTS.get(d["event"], _plain(d["event"]))
    return f"The It's War! marker of {power_name(facts, d['power'])} is in box {d['box']}: {why}."


def _liberated(facts: Facts, d: Data) -> str:
    for_ = "" if d["recipient"] == d["power"] else f" for {power_name(facts, d['recipient'])}"
    return f"{power_name(facts, d['power'])} liberated {facts.names[d['country']]}{for_}."


def _sea_combat(facts: Facts, d: Data) -> str:
    convoy = f"the convoy of {power_name(facts, d['owner'])}" if d["owner"] else ""
    one, two = (names(facts, _all_of(d[side])) for side in ("attackers", "defenders"))
    rest = f"; {convoy} is there" if one and two and convoy else ""
    return f"Combat in {facts.name(d['space'])}: {one or convoy} against {two or convoy}{rest}."


def _partisans(facts: Facts, d: Data) -> str:
    chosen = f"the {side_name(d['side'])} may choose" if d["side"] else facts.names[d["country"]]
    return f"The Partisan die is {d['dice'][0]}: {chosen}."


def _commander(facts: Facts, d: Data) -> str:
    unit = f" to lead {facts.name(d['unit'])}" if d["unit"] else ""
    return f"{facts.name(d['commander'])} went to {facts.name(d['space'])}{unit}."


def _income(facts: Facts, d: Data) -> str:
    return f"{power_name(facts, d['power'])} received {goods(d['oil'], d['resources'])}."


def _lend_leased(facts: Facts, d: Data) -> str:
    what, to = goods(d["oil"], d["resources"]), facts.name(d["recipient"])
    return f"{power_name(facts, d['power'])} delivered {what} to {to} by Lend Lease."


def _looted(facts: Facts, d: Data) -> str:
    what = goods(d["oil"], d["resources"])
    return f"{power_name(facts, d['power'])} looted {facts.name(d['space'])} for {what}."


_OTHER_POINTS = {
    "japan_at_war": "Japan's war",
    "extra_resources": "extra Resources",
    "neutral_entry": "a neutral power's marker that is at 0",
}
"""What points are scored for besides the awards of the victory cards."""


def _scored(facts: Facts, d: Data) -> str:
    award = facts.awards.get(d["power"], {}).get(d["award"])
    award = award or facts.awards["every_power"].get(d["award"])
    name = award.name if award else _OTHER_POINTS.get(d["award"], _plain(d["award"]))
    what = f" for {name}" if name else ""
    verb = "gained" if d["points"] >= 0 else "lost"
    points = number(abs(d["points"]), "Victory Point")
    return f"{power_name(facts, d['power'])} {verb} {points}{what}: {d['total']} in all."


def _developed(facts: Facts, d: Data) -> str:
    counter, pool = facts.name(d["unit"]), d["owner"]
    if not pool:
        return f"{power_name(facts, d['power'])} developed {counter}, which is set aside."
    its = verb(pool, "its", "their")
    whose = its if pool == d["power"] else f"{power_name(facts, pool)}'s"
    return f"{power_name(facts, d['power'])} developed {counter} into {whose} Force Pool."


def _built(facts: Facts, d: Data) -> str:
    who, unit, where = (facts.name(d[field]) for field in ("power", "unit", "space"))
    return f"{who} built {unit} to Size {d['size']} in {where}."


def _bomb_test(facts: Facts, d: Data) -> str:
    outcome = "with success" if d["success"] else "in vain"
    return f"{power_name(facts, d['power'])} tested its A-Bomb {outcome}."


def _option_chosen(facts: Facts, d: Data) -> str:
    about = [part_of_option(facts, part) for part in d["about"]]
    name = facts.road_options[d["option"]].name
    what = f"{name} ({', '.join(about)})" if about else name
    return f"Step {d['step']} of the Road to War: {power_name(facts, d['power'])} chose {what}."


def part_of_option(facts: Facts, id: str) -> str:
    """What an option of the Road to War is about."""
    if id in facts.trade:
        return trade_text(facts, id)
    said = {"oil": "Oil", "resource": "Resource", "up": "one box up", "down": "one box down"}
    return said.get(id) or facts.name(id)


def _forced(facts: Facts, d: Data) -> str:
    result = f"{d['damage'] or ''}{d['letter']}" or "no effect"
    roll = f"{d['dice'][0]}, {result}"
    return f"{facts.name(d['unit'])} forced the passage {_way(facts, d)}: {roll}."


def _over(facts: Facts, d: Data) -> str:
    winners = names(facts, d["winners"])
    return f"{d['reason']} The war is won by {winners}." if winners else f"{d['reason']}"


def _phase_began(facts: Facts, d: Data) -> str:
    return f"Turn {d['turn']}: {PHASE_NAMES[d['phase']]}."


_SENTENCES: dict[str, str | Callable[[Facts, Data], str]] = {
    "a_bomb_dropped": "{power} dropped an A-Bomb on {space}.",
    "advanced": "{units} advanced into {space}.",
    "allied": _allied,
    "attack_announced": _attack_announced,
    "attack_began": _attack_began,
    "attack_cancelled": "The attack of {powers} on {space} came to nothing.",
    "attack_disputed": "{powers} did not agree who attacks {space}, so nobody does.",
    "attack_repelled": "The attack of {powers} on {space} was repelled.",
    "attacks_called_off": "{powers} called off the attack on {space}.",
    "awarded": "{power} plays {powers} with a bid of {points}.",
    "became_neutral": "{country} became neutral.",
    "bid": "{power} bid {points} for {powers}.",
    "blitz_announced": _blitz,
    "blockaded": _blockaded,
    "blocked": "{power} kept {units} from advancing into {space}.",
    "bomb_developed": "{power} developed the A-Bomb to box {box}.",
    "bomb_test_rolled": _bomb_test,
    "bomb_tested": "{power} tested an A-Bomb with success.",
    "build_dropped": "{power} could not build {unit} after all.",
    "built": _built,
    "called_up": "{unit} joined the Force Pool of {power}.",
    "commander_moved": _commander,
    "commander_placed": _commander,
    "commander_returned": "{commander} left {space} and went back to the Force Pool.",
    "conquered": lambda facts, d: (
        f"The {side_name(d['side'])} conquered {facts.names[d['country']]}."
    ),
    "contested": "{powers} wanted {space}, and {power} has it.",
    "control_taken": _control,
    "convoy_damaged": "{power} damaged the convoy in {space}: {damage} in all.",
    "counter_removed": "{unit} left the game.",
    "counters_available": "{units} joined the Force Pool of {power}.",
    "damaged": "{unit} in {space} was reduced to Size {size}.",
    "defence_committed": "{power} committed {units} to the defence of {space}.",
    "destroyed": _destroyed,
    "developed": _developed,
    "development_sabotaged": "{power} sabotaged the development of {unit} by {against}.",
    "displaced": "{unit} had to leave {path[0]} for {path[1]}.",
    "embarked": "{cargo} went aboard {unit} in {space}.",
    "entered_war": "{power} entered the war.",
    "entry_moved": _entry_moved,
    "evaded": "{unit} evaded the combat in {space}.",
    "extra_resources": "{power} took {resources} extra Resources.",
    "factory_damaged": "{power} damaged the Factory in {space}: {damage} in all.",
    "fired": _fired,
    "fleet_rolled": "The crew of {unit} rolled {dice}+{bonus}.",
    "flew": "{unit} flew from {path[0]} to {path[1]}.",
    "flew_in": "{unit} flew from {path[0]} to the combat in {path[1]}.",
    "forced": _forced,
    "gar_sabotaged": "{power} sabotaged {unit} of {against}.",
    "garrison_missing": "{space} has too few units of {power}.",
    "given_back": "{power} gave {space} back to {recipient}.",
    "goods_lost": "{power} could keep only {kept} of its goods.",
    "income": _income,
    "interned": "{unit} was interned in {space}.",
    "italy_fell": "Italy fell; {units} left the game.",
    "japan_at_war": "Japan went to war with the AFA and the USA.",
    "landed": "{unit} landed from {path[0]} in {path[1]}.",
    "leave_refused": "{power} did not let {unit} into {space}.",
    "lend_leased": _lend_leased,
    "liberated": _liberated,
    "looted": _looted,
    "marched": lambda facts, d: f"{facts.name(d['unit'])} moved {_way(facts, d)}.",
    "new_home": "Units of {country} have a new home in {about}.",
    "option_chosen": _option_chosen,
    "over": _over,
    "partisan_placed": "{power} placed a Partisan in {space}.",
    "partisans_rolled": _partisans,
    "phase_began": _phase_began,
    "power_conquered": "{power} was conquered and left the game.",
    "rebased": _rebased,
    "reinforced": "{unit} of Size {size} reinforced {space}.",
    "repelled": "{unit} went back to {space}.",
    "research_failed": "{power} researched weapons in vain.",
    "researched": "{power} researched {unit} into the Force Pool.",
    "retreated": "{unit} retreated from {path[0]} to {path[1]}.",
    "returned": _returned,
    "sabotage_rolled": "{power} rolled {dice} for sabotage against {against}.",
    "sabotaged": "{power} sabotaged {against}: {dice}.",
    "sailed": _sailed,
    "saved": lambda facts, d: (
        f"{power_name(facts, d['power'])} saved {goods(d['oil'], d['resources'])}."
    ),
    "scored": _scored,
    "sea_combat": _sea_combat,
    "set_aside": "{unit} in {space} was set aside.",
    "set_up": "{power} set up {unit} of Size {size} in {space}.",
    "soviets_attacked": "The USSR attacked {space} and rolled {dice} against Size {size}.",
    "spending_sabotaged": "{power} sabotaged the build of {unit} by {against}.",
    "stores_burnt": lambda facts, d: (
        f"{power_name(facts, d['power'])} lost {d['points']} saved "
        f"{'Oil' if d['oil'] else 'Resources'} to sabotage."
    ),
    "turn_began": "Turn {turn} began.",
    "turned_back": "{unit} turned back from {space}.",
    "vichy_rejoined": "Vichy France is a part of France again, with {power}.",
    "war_began": "{power} and {against} are at war.",
    "war_declared": "{power} declared war on {against}.",
    "withdrawn": "{unit} left the game at Size {size}.",
}


# --- turns, steps and attacks ---------------------------------------------------------------------


def turn_name(s: State) -> str:
    """`Turn 2 (Jun 1940 to Feb 1941)`."""
    turn = s.facts.turns[s.turn]
    snow = " · snow" if turn.snow else ""
    return f"Turn {s.turn} ({_date(turn.begins)} to {_date(turn.ends)}{snow})"


def step_title(step: str) -> str:
    """A step as the head of a column: `E Move land units`."""
    return f"{_letter(step)}{upper(STEP_NAMES[step])}"


def short_step(step: str) -> str:
    """A step in a word or two: `E Move`."""
    return f"{_letter(step)}{SHORT_STEPS[step]}"


def _letter(step: str) -> str:
    return f"{step} " if len(step) == 1 else ""


def attack_text(s: State, attack: Attack) -> str:
    """An attack that has been announced, as a sentence."""
    with_ = names(s.facts, (id for id in attack.units if id in s.units))
    who = names(s.facts, attack.powers)
    if not attack.units:
        return f"{upper(who)} fell out over {s.facts.names[attack.target]}: nobody attacks it."
    text = f"{_combat(attack.kind)} of {who} on {s.facts.names[attack.target]} with {with_}"
    guards = names(s.facts, (id for id in attack.defenders if id in s.units))
    return f"{text}, defended by {guards}." if guards else f"{text}."


def trade_text(facts: Facts, id: str) -> str:
    """A trade agreement: `Sweden gives Germany 1 Resource`."""
    trade = facts.trade[id]
    giver = facts.name(trade.country or trade.power)
    return f"{giver} gives {power_name(facts, trade.to)} 1 {trade.gives.capitalize()}"


def names(facts: Facts, ids: Iterable[str]) -> str:
    """`Poland, Paris and London`."""
    return listed(facts.name(id) for id in ids)
