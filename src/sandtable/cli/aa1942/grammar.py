"""How answers are typed and things are told in Axis & Allies 1942."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Any

from rich.markup import escape

from sandtable.cli.aa1942 import report, scenery
from sandtable.cli.aa1942.lexicon import Lexicon, parts, units_text
from sandtable.cli.aa1942.routes import Loading, find_move, find_voyage
from sandtable.cli.errors import Unclear
from sandtable.cli.grammar import LISTED, Grammar, power_names
from sandtable.cli.names import either, simple
from sandtable.games.aa1942 import words
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.assault import Bombard, Engage
from sandtable.games.aa1942.rules.casualties import Casualties
from sandtable.games.aa1942.rules.combat import Dive, Press, Retreat
from sandtable.games.aa1942.rules.conduct_combat import Fight
from sandtable.games.aa1942.rules.mobilize import Place
from sandtable.games.aa1942.rules.movement import Done, Move, air_route, fresh
from sandtable.games.aa1942.rules.noncombat_move import Consent, Divert
from sandtable.games.aa1942.rules.purchase import Buy
from sandtable.games.aa1942.rules.raids import Intercept
from sandtable.games.aa1942.rules.spaces import production
from sandtable.games.aa1942.rules.transports import Sail
from sandtable.games.aa1942.rules.victory import cities_held
from sandtable.kernel.decisions import Decision, Pass, Request
from sandtable.kernel.game import Game
from sandtable.kernel.ruleset import Event

_CLAUSE = re.compile(r"\b(from|to|into|via|through|with|carrying|in|at)\b")
_VERB = re.compile(r"\b(load|sail|unload|land|on|carrying)\b")
_DONE = {"done", "end", "nothing", "finish", "finished", "none"}
_YES, _NO = {"yes", "y"}, {"no", "n"}
_VERBS = ("from", "to", "via", "raid", "with", "load", "sail", "land", "ship", "repair", "done")

MOVEMENT = ("combat_move", "noncombat_move")


class Aa1942(Grammar):
    """The conversation of Axis & Allies 1942."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._powers = power_names(game.rules)

    @property
    def newcomer(self) -> str:
        return "germany"

    @property
    def s(self) -> State:
        state: State = self.game.state
        return state

    @cached_property
    def lexicon(self) -> Lexicon:
        return Lexicon(self.s.facts)

    # --- telling ---------------------------------------------------------------------------

    def power(self, power: str) -> str:
        return self.s.facts.names.get(power, power)

    def plainly(self, text: str) -> str:
        one = re.sub(r"\b1 (hit|ship|submarine|fighter)s\b", r"1 \1", text)
        return words.in_words(self.s.facts, one)

    def turn(self, request: Request) -> str:
        return self.s.turn

    def title(self, request: Request) -> tuple[str, str]:
        s, power = self.s, request.power
        phase = words.PHASE_NAMES.get(s.phase, s.phase)
        inside = "" if power == s.turn else f" in the turn of {words.power_name(s.facts, s.turn)}"
        held = ", ".join(f"{side.capitalize()} {n}" for side, n in cities_held(s).items())
        note = (
            f"{s.treasury.get(power, 0)} IPCs in hand, income {production(s, power)}"
            f" · victory cities: {held}"
        )
        return f"Round {s.round} · {self.power(power)}{inside} · {phase}", note

    def opening(self) -> str:
        return words.powers(self.s)

    def prompt(self, request: Request) -> list[str]:
        return scenery.prompt(self, request)

    def help(self, request: Request) -> list[str]:
        return scenery.help_lines(self, request)

    def show(self, what: str) -> list[str]:
        return scenery.show(self.s, self.lexicon, self._powers, what)

    def tell(self, events: Iterable[Event], seats: Collection[str]) -> list[str]:
        return report.digest(self.s.facts, events, seats)

    def words(self) -> list[str]:
        facts = self.s.facts
        return sorted([*facts.spaces, *facts.units, *facts.powers, *_VERBS])

    # --- answering -------------------------------------------------------------------------

    def default(self, request: Request) -> Decision | None:
        if request.kind == "choose_casualties":
            import random

            return self.game.rules.greedy(self.s, request, random.Random(0))
        if request.kind == "choose_bombardment":
            return self._bombard(request, "all")
        return None

    def read(self, request: Request, line: str) -> Decision:
        if line.startswith("{"):
            return super().read(request, line)
        reader: Callable[[Any, str], Decision] | None = {
            "purchase": self._buy,
            "combat_move": self._movement,
            "noncombat_move": self._movement,
            "choose_battle": self._battle,
            "choose_casualties": self._casualties,
            "press_or_retreat": self._press,
            "submerge_or_strike": self._dive,
            "engage_or_ignore": self._engage,
            "choose_bombardment": self._bombard,
            "commit_interceptors": self._intercept,
            "land_stranded": self._divert,
            "share_space": self._consent,
            "mobilize": self._place,
        }.get(request.kind)
        if reader is None:
            return super().read(request, line)
        return reader(request, line.lower().strip(" ."))

    # --- purchase and mobilization ---------------------------------------------------------

    def _buy(self, request: Any, text: str) -> Decision:
        text = re.sub(r"^buy\b", "", text).strip()
        if text in _DONE:
            return Buy()
        units: dict[str, int] = {}
        repairs: dict[str, int] = {}
        for part in parts(re.sub(r"(?<=\w)\s+(?=repair\b)", ", ", text)):
            if part.startswith("repair"):
                land, points = self._repair(request, part.removeprefix("repair").strip())
                repairs[land] = repairs.get(land, 0) + points
            else:
                for type_, count in self.lexicon.counted(part, {}).items():
                    units[type_] = units.get(type_, 0) + count
        return Buy(units, repairs)

    def _repair(self, request: Any, text: str) -> tuple[str, int]:
        """`germany 3`, `3 in germany`, or `germany` for all of its damage."""
        number = re.search(r"\b\d+\b", text)
        place = re.sub(r"\b(\d+|in|at|all|damage)\b", " ", text).strip()
        if not place:
            raise Unclear("Say where to repair, for example repair germany 3.")
        land = self.lexicon.spaces.find(place)
        return land, int(number.group()) if number else request.damaged.get(land, 0)

    def _place(self, request: Any, text: str) -> Decision:
        if text in _DONE:
            return Done()
        units, found, space = re.sub(r"^place\b", "", text).partition(" in ")
        if not found:
            raise Unclear("Say what goes where, for example 3 infantry in germany.")
        goal = self.lexicon.spaces.find(space)
        return Place(goal, self.lexicon.counted(units, request.units))

    # --- movement --------------------------------------------------------------------------

    def orders(self, request: Request, line: str) -> list[str]:
        """Land, air and sea units part ways; what fills several transports does, too."""
        lines = super().orders(request, line)
        if request.kind not in MOVEMENT or line.startswith("{"):
            return lines
        return [order for part in lines for order in self._simple_orders(part.lower().strip(" ."))]

    def _simple_orders(self, text: str) -> list[str]:
        kinds = self.s.facts.units
        if text in _DONE or text.startswith("raid"):
            return [text]
        if text.startswith(("ship", "load", "sail", "land", "unload", "on ")):
            loads, stops, goal, landed, owner, cargo = self._voyage(text)
            if len(loads) != 1 or landed or owner or cargo is not None:
                return [text]
            goods, land, zone = loads[0]
            shiploads = _shiploads(goods)
            if len(shiploads) == 1:
                return [text]
            rest = f" in {zone}" if zone else ""
            rest += f", sail {' '.join(stops)}" if stops else ""
            rest += f", land {goal}" if goal else ""
            return [f"load {units_text(load)} from {land}{rest}" for load in shiploads]
        if "from" not in text.split():
            return [text]
        units, start, goal, via, cargo = self._clauses(text)
        domains: dict[str, dict[str, int]] = {}
        for type_, count in units.items():
            domains.setdefault(kinds[type_].domain, {})[type_] = count
        if len(domains) == 1:
            return [text]
        way = f" via {', '.join(via)}" if via else ""
        return [
            f"{units_text(some)} from {start}{'' if domain == 'air' else way} to {goal}"
            for domain, some in domains.items()
        ]

    def _movement(self, request: Request, text: str) -> Decision:
        if text in _DONE:
            return Done()
        legal = self.game.legal(request)
        if text.startswith(("ship", "load", "sail", "land", "unload", "on ")):
            loads, stops, goal, units, owner, cargo = self._voyage(text)
            if not loads and not goal:
                raise Unclear(
                    "Say what is loaded or where it lands; an empty transport moves like any ship: "
                    "transport from sz5 to sz6."
                )
            return find_voyage(
                legal, self.s, loads, stops, goal, units=units, owner=owner, cargo=cargo
            )
        if text.startswith("raid"):
            units, start, goal, via, cargo = self._clauses(self._raid(text))
            return find_move(legal, self.s, units, start, goal, via, raid=True)
        units, start, goal, via, cargo = self._clauses(text)
        return find_move(legal, self.s, units, start, goal, via, cargo=cargo)

    def _raid(self, text: str) -> str:
        """`raid germany with 2 bomber from united_kingdom` as a plain move."""
        clauses = _clauses(text.removeprefix("raid"))
        target = clauses.get("") or clauses.get("to", "")
        if not target or "with" not in clauses or "from" not in clauses:
            raise Unclear(
                "Say what raids whom from where: raid germany with bomber from united_kingdom."
            )
        via = f" via {clauses['via']}" if "via" in clauses else ""
        return f"{clauses['with']} from {clauses['from']}{via} to {target}"

    def _clauses(
        self, text: str
    ) -> tuple[dict[str, int], str, str, list[str], dict[str, int] | None]:
        """Units, start, goal, stops on the way, and the cargo that picks the ships."""
        find = self.lexicon.spaces.find
        clauses = _clauses(re.sub(r"^move\b", "", text))
        if "from" in clauses and ">" in clauses["from"]:
            first, *between, last = re.split(r"\s*-?>\s*", clauses["from"])
            clauses |= {"from": first, "via": ", ".join(between), "to": last}
        if not clauses.get("from") or not clauses.get("to"):
            raise Unclear(
                "Say what moves from where to where, for example 2 infantry, tank from "
                f"{self._example_land()} to … (or help, moves, done)."
            )
        start, goal = find(clauses["from"]), find(clauses["to"])
        via = self.lexicon.path(clauses.get("via", ""))
        there = self._free(start)
        cargo = clauses.get("carrying")
        return (
            self.lexicon.counted(clauses.get("", ""), there),
            start,
            goal,
            via,
            self._cargo(cargo) if cargo is not None else None,
        )

    def _cargo(self, text: str) -> dict[str, int]:
        return {} if text.strip() in _DONE else self.lexicon.counted(text, {})

    def _example_land(self) -> str:
        return next(
            (space for space, unit, _ in self.s.units() if unit.power == self.s.turn), "germany"
        )

    def _free(self, space: str) -> dict[str, int]:
        """The acting power's units in a space that have not moved, of air units all."""
        s = self.s
        free: dict[str, int] = {}
        for unit, count in s.stack(space).items():
            air = s.facts.units[unit.type].domain == "air"
            if unit.power == s.turn and (fresh(unit) or (air and s.phase == "noncombat_move")):
                free[unit.type] = free.get(unit.type, 0) + count
        if s.phase == "combat_move":
            free.pop("antiaircraft_artillery", None)
        return free

    def _voyage(
        self, text: str
    ) -> tuple[list[Loading], list[str], str, dict[str, int] | None, str, dict[str, int] | None]:
        """Loads, sea zones to sail to, where to land, what is landed, whose ship, its cargo."""
        find = self.lexicon.spaces.find
        if text.startswith("ship"):
            clauses = _clauses(text.removeprefix("ship"))
            if "from" not in clauses or "to" not in clauses:
                raise Unclear("Say what is shipped: ship 2 infantry from germany to norway.")
            land = find(clauses["from"])
            goods = self.lexicon.counted(clauses.get("", ""), self._free(land))
            stops = self.lexicon.path(clauses.get("via", ""))
            return [(goods, land, "")], stops, find(clauses["to"]), None, "", None
        loads: list[Loading] = []
        stops, goal, owner = [], "", ""
        units: dict[str, int] | None = None
        cargo: dict[str, int] | None = None
        pieces = _VERB.split(text)
        for verb, rest in zip(pieces[1::2], pieces[2::2], strict=True):
            rest = re.sub(r"(,|\band\b|\bthen\b|\s)+$", "", rest).strip()
            clauses = _clauses(rest)
            if verb == "load":
                if "from" not in clauses:
                    raise Unclear("Say where to load: load 2 infantry from united_kingdom in sz7.")
                land = find(clauses["from"])
                zone = find(clauses["in"]) if clauses.get("in") else ""
                goods = self.lexicon.counted(clauses.get("", ""), self._free(land))
                loads.append((goods, land, zone))
            elif verb == "sail":
                stops = self.lexicon.path(re.sub(r"^to\b", "", rest))
            elif verb == "on":
                owner = self._powers.find(re.sub(r"('s|\btransport\b|\bthe\b|\bof\b)", "", rest))
            elif verb == "carrying":
                cargo = self._cargo(rest)
            else:
                place = clauses.get("in") or clauses.get("to")
                goal = find(place or clauses.get("", ""))
                units = self.lexicon.counted(clauses[""], {}) if place and clauses[""] else None
        return loads, stops, goal, units, "" if owner == self.s.turn else owner, cargo

    # --- combat ----------------------------------------------------------------------------

    def _battle(self, request: Any, text: str) -> Decision:
        if text in _DONE:
            return Done()
        spaces = (*request.battles, *request.optional)
        name = re.sub(r"^(fight|attack)\b( in\b)?", "", text).strip()
        if name.isdigit() and 1 <= int(name) <= len(spaces):
            return Fight(spaces[int(name) - 1])
        return Fight(self.lexicon.spaces.find(name))

    def _casualties(self, request: Any, text: str) -> Decision:
        lost: dict[str, dict[str, int]] = {}
        damaged: dict[str, int] = {}
        for part in parts(re.sub(r"^(lose|remove)\b", "", text), at_numbers=False):
            damage = part.startswith("damage")
            count, name = self.lexicon.count(part.removeprefix("damage").strip())
            power, name = self._owner(request, name)
            if name[:1].isdigit():
                count, name = self.lexicon.count(name)
            if damage:
                damaged[power] = damaged.get(power, 0) + (count or 1)
                continue
            labels = request.units[power]
            exact = next((label for label in labels if label.lower() == name), None)
            unit = exact or self.lexicon.units.find(name)
            there = sum(n for label, n in labels.items() if label.split(" (")[0] == unit)
            row = lost.setdefault(power, {})
            row[unit] = row.get(unit, 0) + (count if count is not None else there)
        return Casualties(lost, damaged)

    def _owner(self, request: Any, name: str) -> tuple[str, str]:
        """Whose unit is meant: `uk infantry`, or the only power that has such a unit."""
        words = name.split()
        for length in (2, 1):
            first = simple(" ".join(words[:length]))
            for power in request.units:
                if len(words) > length and first in (simple(power), simple(self.power(power))):
                    return power, " ".join(words[length:])
        if len(words) > 1 and words[0] in self._powers and words[0] not in self.lexicon.units:
            power = self._powers.find(words[0])
            if power in request.units:
                return power, " ".join(words[1:])
        owners = list(request.units)
        if len(owners) > 1:
            unit = self.lexicon.units.find(name.split(" (")[0])
            owners = [
                power
                for power, labels in request.units.items()
                if any(label.split(" (")[0] == unit for label in labels)
            ]
            if len(owners) > 1:
                names = either(f"{simple(self.power(p))} {name}" for p in owners)
                raise Unclear(f"Whose {name}? Type {names}.")
        if not owners:
            raise Unclear(f"There is no {name} in this battle.")
        return owners[0], name

    def _press(self, request: Any, text: str) -> Decision:
        word, _, rest = text.partition(" ")
        if word in ("press", "p", "attack", "fight", "continue"):
            return Press()
        if word not in ("retreat", "r"):
            raise Unclear("Type press, or retreat.")
        place = re.sub(r"^to\b", "", rest).strip()
        if place:
            return Retreat(self.lexicon.spaces.find(place))
        if len(request.to) > 1:
            raise Unclear(f"Retreat to {either(self._names(request.to))}?")
        return Retreat(request.to[0] if request.to else "")

    def _dive(self, request: Any, text: str) -> Decision:
        number = re.fullmatch(r"(?:submerge|dive)? *(\d+)(?: submarines?| subs?)?", text)
        if number:
            return Dive(int(number[1]))
        if text == "strike" or text in _DONE:
            return Dive(0)
        if text in ("submerge", "dive", "all", "submerge all"):
            return Dive(request.submarines)
        raise Unclear("Type strike, submerge, or how many submerge.")

    def _engage(self, request: Any, text: str) -> Decision:
        if text in {"attack", "fight"} | _YES:
            return Engage(True)
        if text in {"ignore"} | _NO:
            return Engage(False)
        raise Unclear("Type attack, or ignore.")

    def _bombard(self, request: Any, text: str) -> Decision:
        text = re.sub(r"^bombard( with)?\b", "", text).strip()
        if text in _DONE | _NO:
            return Bombard()
        everything = [
            (zone, type_, count)
            for zone, row in request.ships.items()
            for type_, count in sorted(row.items())
        ]
        everything.sort(key=lambda item: -self.s.facts.units[item[1]].bombard)
        if text in {"all", "yes", "y"}:
            wanted = everything
        else:
            zones = {zone for zone, _, _ in everything}
            wanted = []
            for part in parts(text):
                ships, _, place = part.partition(" in ")
                at = self.lexicon.spaces.find(place) if place else ""
                for type_, count in self.lexicon.counted(ships, {}).items():
                    for zone in sorted(zones) if not at else [at]:
                        there = min(count, request.ships.get(zone, {}).get(type_, 0))
                        if there or at:
                            wanted.append((zone, type_, count if at else there))
                            count -= there
                    if count > 0 and not at:
                        raise Unclear(f"So many cannot bombard: {part}.")
        chosen: dict[str, dict[str, int]] = {}
        left = request.limit if text in {"all", "yes", "y"} else sum(n for _, _, n in wanted)
        for zone, type_, count in wanted:
            if taken := min(left, count):
                chosen.setdefault(zone, {})[type_] = taken
                left -= taken
        return Bombard(chosen)

    def _intercept(self, request: Any, text: str) -> Decision:
        if text in {"pass"} | _NO | _DONE:
            return Pass()
        text = re.sub(r"\b(intercept|fighters?|with)\b", " ", text).strip()
        if text in {"", "all"}:
            return Intercept(dict(request.fighters))
        fighters: dict[str, int] = {}
        for part in parts(text):
            count, place = self.lexicon.count(part)
            land = self.lexicon.spaces.find(re.sub(r"^(in|over)\b", "", place).strip())
            fighters[land] = request.fighters.get(land, 0) if count is None else count
        return Intercept(fighters)

    def _divert(self, request: Any, text: str) -> Decision:
        return Divert(self.lexicon.spaces.find(re.sub(r"^(land|to)( in)?\b", "", text)))

    def _consent(self, request: Any, text: str) -> Decision:
        if text in _YES | _NO:
            return Consent(text in _YES)
        raise Unclear("Type yes, or no.")

    # --- saying it back --------------------------------------------------------------------

    def phrase(self, request: Any, decision: Decision) -> str:
        match decision:
            case Buy():
                repairs = [f"repair {land} {n}" for land, n in decision.repairs.items()]
                order = [units_text(decision.units)] if decision.units else []
                return ", ".join([*order, *repairs]) or "nothing"
            case Done():
                return "done"
            case Move():
                return self._move_phrase(decision)
            case Sail():
                return _sail_phrase(decision)
            case Place():
                return f"{units_text(decision.units)} in {decision.space}"
            case Fight():
                return f"fight {decision.space}"
            case Casualties():
                return _casualties_phrase(decision, several=len(request.units) > 1)
            case Press():
                return "press"
            case Retreat():
                return f"retreat to {decision.to}" if decision.to else "retreat"
            case Dive():
                return f"submerge {decision.submarines}" if decision.submarines else "strike"
            case Engage():
                return "attack" if decision.attack else "ignore"
            case Bombard():
                ships = [
                    f"{n} {type_} in {zone}"
                    for zone, row in decision.ships.items()
                    for type_, n in row.items()
                ]
                return ", ".join(ships) or "none"
            case Intercept():
                return ", ".join(f"{n} in {land}" for land, n in decision.fighters.items())
            case Divert():
                return decision.to
            case Consent():
                return "yes" if decision.agree else "no"
            case Pass():
                return "pass"
        return super().phrase(request, decision)

    def _move_phrase(self, move: Move) -> str:
        start, *between, goal = move.path
        facts = self.s.facts
        flies = facts.units[next(iter(move.units))].domain == "air"
        if flies and move.path == air_route(facts, start, goal):
            between = []
        way = f" via {', '.join(between)}" if between else ""
        if move.raid:
            return f"raid {goal} with {units_text(move.units)} from {start}{way}"
        cargo = ""
        if move.cargo is not None:
            cargo = f" carrying {units_text(move.cargo) or 'nothing'}"
        return f"{units_text(move.units)}{cargo} from {start}{way} to {goal}"

    def moves(self, request: Request, where: str) -> list[str]:
        if request.kind not in MOVEMENT:
            return super().moves(request, where)
        direction, _, name = where.partition(" ")
        if direction not in ("from", "to"):
            direction, name = "from", where
        space = self.lexicon.spaces.find(name) if name else ""
        best: dict[object, Decision] = {}
        for decision in self.game.legal(request):
            key = _gist(decision, direction, space)
            if key is not None and (key not in best or _weight(decision) > _weight(best[key])):
                best[key] = decision
        lines = [f"  {escape(self.phrase(request, decision))}" for decision in best.values()]
        if len(lines) > LISTED:
            rest = len(lines) - LISTED
            lines = [
                *lines[:LISTED],
                f"[dim]  … and {rest} more; name a space: moves from libya[/]",
            ]
        return lines

    def targets(self, request: Request) -> list[str]:
        """The names of the spaces that can be attacked."""
        goals: set[str] = set()
        for decision in self.game.legal(request):
            if isinstance(decision, Move):
                goals.add(decision.path[-1])
            elif isinstance(decision, Sail):
                goals.add(decision.offload or decision.path[-1])
        spaces = [space for space in self.s.facts.spaces if space in goals]
        return self._names(spaces)

    def _names(self, spaces: Iterable[str]) -> list[str]:
        return [words.space_name(self.s.facts, space) for space in spaces]


def _clauses(text: str) -> dict[str, str]:
    """A line by its small words: `"": "2 infantry"`, `"from": "libya"`, `"to": "egypt"`."""
    first, *rest = _CLAUSE.split(text)
    clauses = {"": first.strip(" ,")}
    same = {"into": "to", "through": "via", "at": "in"}
    for word, content in zip(rest[::2], rest[1::2], strict=True):
        clauses[same.get(word, word)] = content.strip(" ,")
    return clauses


def _shiploads(goods: Mapping[str, int]) -> list[dict[str, int]]:
    """Units by transport: one of any kind and one infantry, or two infantry."""
    infantry = goods.get("infantry", 0)
    loads: list[dict[str, int]] = []
    for type_, count in goods.items():
        if type_ == "infantry":
            continue
        for _ in range(count):
            loads.append({type_: 1} | ({"infantry": 1} if infantry else {}))
            infantry -= bool(infantry)
    while infantry > 0:
        loads.append({"infantry": min(2, infantry)})
        infantry -= 2
    return loads


def _sail_phrase(sail: Sail) -> str:
    steps = []
    if sail.owner:
        steps.append(f"on {sail.owner}")
    steps += [f"load {units_text(o.units)} from {o.territory} in {o.zone}" for o in sail.load]
    if sail.cargo is not None:
        steps.append(f"carrying {units_text(sail.cargo) or 'nothing'}")
    steps.append(f"sail {' '.join(sail.path)}")
    if sail.offload:
        what = f"{units_text(sail.units)} in " if sail.units else ""
        steps.append(f"land {what}{sail.offload}")
    return ", ".join(steps)


def _casualties_phrase(choice: Casualties, *, several: bool) -> str:
    items = []
    for power, row in choice.lost.items():
        whose = f"{power} " if several else ""
        items += [f"{whose}{n} {name}" for name, n in row.items()]
    for power, n in choice.damaged.items():
        whose = f"{power} " if several else ""
        items.append(f"damage {whose}{n} battleship")
    return ", ".join(items)


def _gist(decision: Decision, direction: str, space: str) -> object:
    """What a listed decision is about: of several alike one is shown. None: not about `space`."""
    if isinstance(decision, Move):
        start, goal = decision.path[0], decision.path[-1]
        if space not in ("", start if direction == "from" else goal):
            return None
        return (tuple(decision.units), start, goal, decision.raid)
    if isinstance(decision, Sail):
        starts = {decision.path[0], *(load.territory for load in decision.load)}
        goals = {decision.path[-1], decision.offload}
        if space and space not in (starts if direction == "from" else goals):
            return None
        lands = tuple(load.territory for load in decision.load)
        return (decision.path[0], lands, decision.offload or decision.path[-1], decision.owner)
    return None


def _weight(decision: Decision) -> int:
    """Of several alike the one with the most units, along the shortest way, is shown."""
    if isinstance(decision, Move):
        return sum(decision.units.values()) * 10 - len(decision.path)
    if isinstance(decision, Sail):
        return sum(sum(o.units.values()) for o in decision.load) * 10 - len(decision.path)
    return 0
