"""Names and sentences: dates, nations, units, what happened and what is rolled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sandtable.board.words import listed
from sandtable.games.gw36.facts import Facts, UnitType
from sandtable.games.gw36.model import State, Unit
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.events import Data, Event

ALLIANCES = {"axis": "Axis", "allies": "Allies", "comintern": "Comintern"}

SHORT = {
    "ussr": "USSR",
    "ccp": "CCP",
    "great_britain": "Britain",
    "fec": "FEC",
    "free_france": "Free Fr.",
    "usa": "USA",
    "kmt": "KMT",
}

PHASES = {
    "production": "Production",
    "combat_move": "Combat movement",
    "combat": "Combat",
    "noncombat_move": "Non-combat movement",
    "place_units": "Place units and collect income",
}

STEPS = {
    "production": "Produce",
    "combat_move": "Combat moves",
    "combat": "Combat",
    "noncombat_move": "Other moves",
    "place_units": "Place",
}
"""The phases where there is little room."""

UPGRADES = {
    "militia_upgrade": "Militia to Infantry",
    "motorized_upgrade": "Infantry to Motorized Infantry",
}

PACTS = {
    "molotov_ribbentrop": "the Molotov-Ribbentrop Pact",
    "japanese_soviet": "the Japanese-Soviet Non-Aggression Pact",
    "chinese_truce": "the truce in China",
}

DUTIES = {
    "attack": "attacks",
    "assault": "lands",
    "landing": "lands its cargo",
    "bombard": "bombards the coast",
    "bomb": "bombs",
    "carpet": "carpet-bombs",
    "escort_bombers": "escorts bombers",
    "rocket": "is aimed",
    "attrition": "shells the next zone",
    "raid": "raids convoys",
    "mine": "lays mines",
    "screen": "screens",
    "follow": "waits behind a screen",
    "fought": "has fought",
    "retreated": "has retreated",
    "moved": "has moved",
    "repair": "is being repaired",
    "patrol": "on Maritime Air Patrol",
    "convoy": "on escort duty",
    "blockade": "blockades",
    "submerged": "submerged",
    "scrambled": "scrambled",
    "declined": "declines combat",
    "deck": "rises from a carrier",
}
"""What units do, as the card of a zone says it."""


def date(half_years: int) -> str:
    """`July 1936`."""
    return f"{'July' if half_years % 2 else 'January'} {half_years // 2}"


def nations(facts: Facts, ids: Iterable[str]) -> str:
    """`Great Britain, Far East Command and ANZAC`."""
    return listed(facts.name(id) for id in ids)


def zone(facts: Facts, id: str) -> str:
    """A zone in a sentence: `Berlin`, `sea zone 25`."""
    known = facts.zones.get(id)
    if known is None:
        return facts.name(id)
    return f"sea zone {known.number} ({known.name})" if known.sea else known.name


def thing(facts: Facts, id: str) -> str:
    """What is built: a unit, a facility, an upgrade, or money that is lent."""
    if id in UPGRADES:
        return f"upgrade of {UPGRADES[id]}"
    return "IPP" if id == "ipp" else facts.name(id)


def counted(facts: Facts, type_: str, count: int) -> str:
    """`3 Infantry`, `1 Battleship`."""
    return f"{count} {thing(facts, type_)}"


def units(facts: Facts, given: Mapping[str, Any]) -> str:
    """Types and numbers, or those of several nations, in words."""
    parts = []
    for key, what in given.items():
        if isinstance(what, Mapping):
            parts.append(f"{units(facts, what)} of {facts.name(key)}")
        else:
            parts.append(counted(facts, key, what))
    return listed(parts) or "nothing"


def duty(facts: Facts, unit: Unit) -> str:
    """What a unit does, for whoever points at it."""
    text = DUTIES.get(unit.duty, "")
    if unit.target in facts.zones:
        text += f" ({zone(facts, unit.target)})"
    hurt = f"{unit.hits} damage" if unit.hits else ""
    return ", ".join(part for part in (text, hurt) if part)


def abilities(kind: UnitType) -> str:
    """What a type of unit can do beside its numbers, in a sentence or two."""
    told = []
    if kind.hits > 1:
        told.append(f"takes {kind.hits} hits")
    if kind.first_strike:
        told.append("strikes first in the first round")
    if kind.submarine:
        told.append("strikes first unless a destroyer is there, may submerge, hits no aircraft")
    if kind.air_superiority:
        told.append("its hits go to aircraft first in the first round")
    if kind.target_range:
        told.append(f"selects its target on 1-{kind.target_range} ({listed(kind.targets)})")
    if kind.supports:
        told.append("gives one infantry +1 in attack")
    if kind.blitz == "alone":
        told.append("may blitz")
    elif kind.blitz:
        told.append("may follow a blitz, paired with armor")
    if kind.patrol:
        told.append(f"patrols the sea within {kind.patrol}")
    if kind.decks:
        told.append(f"carries {kind.decks} aircraft")
    if kind.transport:
        told.append("carries two units, one of them infantry-class")
    if kind.bombard:
        told.append(f"bombards at {kind.bombard}")
    if kind.raid is not None:
        told.append(f"raids convoys at +{kind.raid}")
    if kind.strategic_dice:
        told.append(f"bombs with {kind.strategic_dice} dice")
    if kind.tech:
        told.append("needs its technology")
    text = "; ".join(told)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def line_text(s: State, id: str) -> str:
    """A convoy line on the card of a sea zone."""
    line = s.facts.lines[id]
    worth = ", ".join(
        f"{s.facts.name(nation)} {value - s.raided.get((id, nation), 0)} of {value}"
        for nation, value in line.values
    )
    return f"{line.name}: {worth}." if worth else f"{line.name}."


# --- rolls ---------------------------------------------------------------------------------------

_ROLLS = {
    "attack": "attack",
    "defense": "defense",
    "raid": "the raid",
    "bombs": "bombs",
    "dispute": "who chooses the casualties",
    "capital_ship_damage": "damage",
    "end": "the end of the game",
}


def rolled(facts: Facts, line: RollLine, kind: str = "") -> str:
    """What a line of a roll is for: `3 Infantry`; of research the technology."""
    if kind in ("research", "researched"):
        return facts.technologies[line.type].name
    if line.type in facts.units:
        return counted(facts, line.type, line.count)
    name = facts.name(line.type) if line.type in facts.names else line.type.replace("_", " ")
    return f"{name[:1].upper()}{name[1:]}"


def caption(s: State, kind: str, lines: Sequence[RollLine]) -> str:
    """A roll that is made in this position, in words."""
    what = _ROLLS.get(kind, kind.replace("_", " "))
    parts = [
        rolled(s.facts, line, kind) + (f" at {line.value}" if line.value else "") for line in lines
    ]
    return f"{what}: {listed(parts)}"


# --- events --------------------------------------------------------------------------------------


def sentence(facts: Facts, event: Event) -> str:
    """An event as a sentence."""
    tell = _SENTENCES.get(event.kind)
    if tell is None:
        rows = [
            f"{_plain(field)} {_said(facts, value)}"
            for field, value in event.data.items()
            if value not in ("", (), [], {}) and field not in ("lines", "dice")
        ]
        text = _plain(event.kind) + (f": {', '.join(rows)}" if rows else "") + "."
    elif isinstance(tell, str):
        fields = _Fields({key: _said(facts, value) for key, value in event.data.items()})
        path = [zone(facts, each) for each in event.data.get("path", ())]
        fields["path"] = path
        fields["start"], fields["goal"] = (path[0], path[-1]) if path else ("", "")
        text = tell.format_map(fields)
    else:
        text = tell(facts, event.data)
    return f"{text[:1].upper()}{text[1:]}"


class _Fields(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return ""


def _plain(word: str) -> str:
    return word.replace("_", " ")


def _said(facts: Facts, value: object) -> str:
    if isinstance(value, str):
        if value in UPGRADES or value == "ipp":
            return thing(facts, value)
        return zone(facts, value) if value else "nobody"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return units(facts, value)
    if isinstance(value, list | tuple):
        return listed(_said(facts, each) for each in value) or "nothing"
    return str(value)


def _battle_began(facts: Facts, d: Data) -> str:
    return (
        f"Battle in {zone(facts, d['space'])}: {units(facts, d['attackers'])} against "
        f"{units(facts, d['defenders'])}."
    )


def _battle_ended(facts: Facts, d: Data) -> str:
    who = "The attack won" if d["won"] else "The attack failed"
    losses = f" Lost: {units(facts, d['losses'])}." if d["losses"] else ""
    return f"{who} in {zone(facts, d['space'])}.{losses}"


def _fired(facts: Facts, d: Data) -> str:
    hits = 0
    at = 0
    for line in d["lines"]:
        faces = d["dice"][at : at + line[2]]
        hits += sum(face <= line[3] for face in faces)
        at += line[2]
    row = RollLine(*d["lines"][0])
    count = sum(line[2] for line in d["lines"])
    who = rolled(facts, row._replace(count=count))
    return f"{who} of {facts.name(row.power)} {'hit' if hits else 'missed'}" + (
        f" {hits} times." if hits > 1 else " once." if hits else "."
    )


def _units_hit(facts: Facts, d: Data) -> str:
    return f"{units(facts, d['losses'])} lost in {zone(facts, d['space'])}."


_HOW = {
    "captured": "captured",
    "recaptured": "recaptured",
    "aligned": "gained by alignment",
    "annexed": "annexed",
    "returned": "got back",
    "surrendered": "took over",
}


def _possessed(facts: Facts, d: Data) -> str:
    if d["how"] == "annexed":
        return f"{zone(facts, d['space'])} is part of {facts.name(d['power'])} now."
    how = _HOW.get(d["how"], d["how"])
    old = d["against"] if d["how"] in ("captured", "recaptured") else ""
    return (
        f"{facts.name(d['power'])} {how} {zone(facts, d['space'])}"
        + (f" from {facts.name(old)}" if old else "")
        + "."
    )


def _turn_began(facts: Facts, d: Data) -> str:
    return f"{date(d['date'])}: {facts.name(d['power'])}."


def _raided(facts: Facts, d: Data) -> str:
    lost = f"costs it {d['damage']} IPP" if d["damage"] else "fails"
    return (
        f"A raid of {facts.name(d['power'])} on the convoys of {facts.name(d['against'])} in "
        f"{zone(facts, d['space'])} {lost}."
    )


def _intercepted(facts: Facts, d: Data) -> str:
    where = zone(facts, d["space"])
    if "defenders" in d:
        return f"{units(facts, d['defenders'])} rose against the bombers over {where}."
    return f"{facts.name(d['power'])} met the enemy in {where}."


def _converted(facts: Facts, d: Data) -> str:
    what = "scrapped" if d["scrap"] else "modernised"
    where = zone(facts, d["space"])
    return f"{facts.name(d['power'])} {what} {d['number']} Early Fighters in {where}."


def _income_changed(facts: Facts, d: Data) -> str:
    change = d["by"]
    how = "rises" if change > 0 else "falls"
    return f"The income of {facts.name(d['power'])} {how} by {abs(change)} IPP."


def _influence(facts: Facts, d: Data) -> str:
    won = "with success" if d["success"] else "in vain"
    country = facts.name(d["country"])
    return f"{facts.name(d['power'])} tried to win {country} for {d['ipp']} IPP, {won}."


def _interdicted(facts: Facts, d: Data) -> str:
    how = "was lost" if d["lost"] else "came through"
    return (
        f"Lend-lease of {facts.name(d['power'])} {how} in {zone(facts, d['space'])}, where "
        f"{facts.name(d['against'])} lay in wait."
    )


def _pact_offered(facts: Facts, d: Data) -> str:
    return f"{facts.name(d['power'])} offers {PACTS[d['pact']]}."


def _offer_withdrawn(facts: Facts, d: Data) -> str:
    return f"{facts.name(d['power'])} no longer offers {PACTS[d['pact']]}."


def _arctic(facts: Facts, d: Data) -> str:
    return f"{facts.name(d['power'])} {'denies' if d['denied'] else 'allows'} the Arctic convoys."


def _bought(facts: Facts, d: Data) -> str:
    lent = f" for {facts.name(d['recipient'])}" if d.get("recipient") else ""
    where = f" in {zone(facts, d['space'])}" if d.get("space") else ""
    return f"{facts.name(d['power'])} began {units(facts, d['units'])}{lent}{where}."


def _advanced(facts: Facts, d: Data) -> str:
    rest = f"{d['left']} instalments left" if d["left"] else "it is paid for"
    return f"{facts.name(d['power'])} went on building {thing(facts, d['unit'])}: {rest}."


def _researched(facts: Facts, d: Data) -> str:
    technology = facts.technologies[d["about"][0]]
    how = "in vain"
    if d["passed"]:
        stages = len(technology.stages)
        how = "developed" if d["stage"] >= stages else f"stage {d['stage']} of {stages} reached"
    return f"{facts.name(d['power'])} researched {technology.name}: {how}."


def _burma_road(facts: Facts, d: Data) -> str:
    return f"The Burma Road is {'open' if d['open'] else 'closed'}."


def _game_ended(facts: Facts, d: Data) -> str:
    told = [f"{ALLIANCES[side]} {points}" for side, points in d["scores"].items()]
    return f"The war is over: {listed(told)}."


def _pact_signed(facts: Facts, d: Data) -> str:
    return f"{nations(facts, d['powers'])} signed {PACTS[d['pact']]}."


def _pact_ended(facts: Facts, d: Data) -> str:
    return f"{PACTS[d['pact']]} is over."


_SENTENCES: Mapping[str, str | Callable[[Facts, Data], str]] = {
    "battle_began": _battle_began,
    "battle_ended": _battle_ended,
    "fired": _fired,
    "units_hit": _units_hit,
    "possessed": _possessed,
    "turn_began": _turn_began,
    "convoy_raided": _raided,
    "retreated": "{power} retreated from {start} to {goal}.",
    "submerged": "submarines of {power} submerged in {start}.",
    "blitzed": "{power} blitzed from {start} to {goal} with {units}.",
    "landed": "{attackers} landed in {space}.",
    "broke_down": "{units} of {power} broke down and went back to {goal}.",
    "intercepted": _intercepted,
    "abyssinian_war_won": "{country} won the war in Abyssinia.",
    "converted": _converted,
    "end_rolled": "{power} rolled for the end of the war.",
    "guns_fired": "coastal guns of {power} fired at ships in {space}.",
    "hump": "{units} of {power} crossed the Himalayas; {through} came through.",
    "income_changed": _income_changed,
    "influence": _influence,
    "interdicted": _interdicted,
    "let_pass": "{power} let {units} pass in {space}.",
    "offer_withdrawn": _offer_withdrawn,
    "pact_offered": _pact_offered,
    "passage_closed": "{power} closes the {passage} to {against}.",
    "passage_opened": "{power} opens the {passage} to {against}.",
    "reassigned": "{power} keeps what it could not deliver: {unit}.",
    "redeployed": "{power} took {units} from {start} to {goal}.",
    "refitted": "{power} upgraded {number} units in {space}.",
    "strait_forced": "{power} forced the way from {start} to {goal} against {against}.",
    "units_removed": "units of {power} are removed.",
    "return_asked": "{power} asks {against} to return {space}.",
    "return_refused": "{power} does not return {space} to {against}.",
    "vichy_colonies": "the colonies of France chose their side.",
    "vichy_navy": "the ships of France chose their side.",
    "vichy_shipyards": "the ships in the yards of France chose their side.",
    "sailed_home": "{power} took ships from {start} to {goal}.",
    "tied": "the score is tied: the war goes on.",
    "bombed": "bombs fell on {space}.",
    "damaged": "{damage} points of damage in {space}.",
    "ship_damaged": "{units} of {power} damaged in {space}.",
    "passed_screen": "behind its screen {power} went on from {start} to {goal}.",
    "turned_back": "{power} turned back from {space}.",
    "damage_rolled": "{power} rolled for the damage in {space}.",
    "advanced": _advanced,
    "aligned": "{country} Aligned with {power}.",
    "annexation_begun": "{power} marched into {space}.",
    "annexed": "{power} annexed {space}.",
    "arctic_denied": _arctic,
    "attack_move": "{power} sent {units} from {start} to {goal}.",
    "attacked_without_war": "{power} attacked {against} in {space} without a war.",
    "assault_announced": "{power} is to land {units} in {goal}.",
    "bought": _bought,
    "burma_road": _burma_road,
    "capital_moved": "the capital of {power} is now {space}.",
    "chinese_war_won": "{power} won the Chinese Civil War.",
    "collected": "{power} collected {income} IPP and {bonus} more.",
    "controlled": "{power} Controls {country}.",
    "crashed": "{units} of {power} found no place to land and crashed in {space}.",
    "defeated": "{country} was defeated.",
    "delivered": "{power} delivered lend-lease to {recipient}: {unit}.",
    "docked": "{power} sent {units} to a yard in {space}.",
    "evacuated": "{power} left {start} for {goal}.",
    "evolved": "{power} is a Major Power from now on.",
    "facility_placed": "{power} has a new {unit} in {space}.",
    "france_liberated": "France is free again.",
    "game_ended": _game_ended,
    "income": "the income of {power} is now {income} IPP.",
    "lent": "{power} lends {recipient} {ipp} IPP.",
    "moved": "{power} moved {units} from {start} to {goal}.",
    "pact_signed": _pact_signed,
    "pact_ended": _pact_ended,
    "patrol_lost": "{units} of {power} on patrol over {space} lost.",
    "penalty_paid": "{power} paid for its declaration of war on {against}.",
    "permitted": "{power} gives {against} a permission.",
    "permission_withdrawn": "{power} withdraws a permission from {against}.",
    "placed": "{power} placed {units} in {space}.",
    "railed": "{power} sent {units} by rail from {start} to {goal}.",
    "recruited": "{country} raised {units} in {space}.",
    "recruitment": "{country} tried to raise troops.",
    "reinforced": "{power} raised {units} in {space}.",
    "repaired": "{power} repaired its {unit} in {space}.",
    "researched": _researched,
    "sailed": "{power} sailed from {start} to {goal}.",
    "scrambled": "{power} scrambled {units} from {start} to {goal}.",
    "ship_repaired": "{units} of {power} repaired in {space}.",
    "spanish_war_won": "{country} won the Spanish Civil War.",
    "strategic_move": "{power} made a strategic naval move from {start} to {goal}.",
    "surrendered": "{power} surrendered.",
    "surrender_reversed": "{power} fights again.",
    "treasury_lost": "{power} lost its treasury: {ipp} IPP.",
    "vichy_created": "Germany created Vichy France.",
    "vichy_surrendered": "Vichy France surrendered.",
    "volunteers": "volunteers came to {space} for {power}.",
    "war_declared": "{power} declared war on {against}.",
    "war_joined": "{power} and {against} are at war.",
    "wartime_economy": "{power} made {ipp} IPP more by its wartime economy.",
    "casualties_disputed": "the defenders of {space} rolled for who chooses the casualties.",
}
