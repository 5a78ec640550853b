"""The checks across the data files that their shapes cannot express: a DataError names file, line
and field."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec.structs import fields

from sandtable.games.gw75 import files
from sandtable.kernel.data import Document
from sandtable.kernel.vocabulary import WORDS

MAJORS = ("germany", "italy", "japan", "commonwealth", "france", "usa", "ussr")
AXIS_MINORS = ("finland", "hungary", "rumania", "bulgaria")
BY_MODE = ("usa", "ussr")
"""Powers that produce by mode and have no multiple of their own."""
TYPES = {
    "inf": "land",
    "mech": "land",
    "sd": "land",
    "fort": "land",
    "ad": "air",
    "lrb": "air",
    "asw": "naval",
    "ss": "naval",
    "surf_a": "naval",
    "surf_b": "naval",
    "ms": "naval",
    "amph": "naval",
    "abomb": "marker",
    "port": "marker",
}
SEASONS = ("winter", "spring", "summer", "fall")
WATERS = ("baltic", "adriatic")
CANALS = ("suez", "panama")
PLACES = {
    "leningrad": 1,
    "manila": 1,
    "batavia": 1,
    "new_caledonia": 1,
    "eastern_poland": 2,
    "gibraltar": 1,
    "suez": 1,
}
"""Hexes that the rules name, and how many each is."""
SECTION = 33
"""Columns of a section of the map."""
ROWS = 39

Near = Mapping[str, Collection[str]]


def check_nations(document: Document[files.Nations]) -> None:
    """The powers that the rules name are there, of their kind and side, in known colours."""
    nations = document.value.nations
    sides = dict.fromkeys(MAJORS[:3], "axis") | dict.fromkeys(MAJORS[3:], "allies")
    sides |= dict.fromkeys(AXIS_MINORS, "axis") | {"china": "allies", "poland": "allies"}
    for id, side in sides.items():
        if id not in nations:
            raise document.error("missing", "nations", id)
        if nations[id].side != side:
            raise document.error(f"the rules have it on the side {side}", "nations", id, "side")
    for id, nation in nations.items():
        here = ("nations", id)
        document.check_known(nation.colour, {*WORDS.colours, "nobody"}, "colour", *here, "colour")
        if (nation.kind == "major") != (id in MAJORS):
            raise document.error("the Major Powers are seven", *here, "kind")


def check_units(document: Document[files.UnitTypes]) -> None:
    """The types are those of the rules, and what can be built has a cost."""
    value = document.value
    document.check_complete(value.types, TYPES, "types")
    for id, type in value.types.items():
        if type.domain != TYPES[id]:
            raise document.error(f"the rules have it as {TYPES[id]}", "types", id, "domain")
    document.check_complete(value.costs, [id for id in TYPES if id != "sd"], "costs")
    document.check_complete(value.undepletion, ("surf_a", "asw"), "undepletion")


def check_turns(document: Document[files.Turns]) -> None:
    """Quarter follows quarter without a gap, and each has its numbers for every power."""
    turns = document.value.turns
    own = [id for id in MAJORS if id not in BY_MODE]
    for number, (id, turn) in enumerate(turns.items(), start=1):
        here = ("turns", id)
        if id != number:
            raise document.error(f"Game-Turn {number} should stand here", *here)
        season = SEASONS[(number + 2) % 4]
        if (turn.year, turn.season) != (1939 + (number + 2) // 4, season):
            raise document.error(f"it is the {season} of {1939 + (number + 2) // 4}", *here)
        document.check_complete(turn.multiples, own, *here, "multiples")
        document.check_complete(turn.modes, (1, 2, 4), *here, "modes")
        document.check_complete(turn.asw, MAJORS, *here, "asw")
        document.check_complete(turn.lrb, MAJORS, *here, "lrb")


def check_tables(document: Document[files.Tables]) -> None:
    """The columns ascend from the lowest that the rules read."""
    lowest = {"land": 0, "naval": 0, "bombing": 1, "air_defense": 0}
    for name, first in lowest.items():
        table: Mapping[int, Any] = getattr(document.value, name)
        columns = list(table)
        for index, column in enumerate(columns):
            if index and column <= columns[index - 1]:
                raise document.error("the columns have to ascend", name, column)
        if not columns or columns[0] > first or (name != "air_defense" and columns[0] < first):
            raise document.error(f"the first column has to be {first}", name)


def check_map(document: Document[files.Map], nations: Collection[str]) -> None:
    """Hexes are on the grid, countries and nations known, and no country without a hex."""
    value = document.value
    if (value.grid.columns, value.grid.rows) != (2 * SECTION, ROWS):
        raise document.error(f"hexes are numbered for {2 * SECTION} x {ROWS}", "grid")
    if not value.grid.weather_above < ROWS:
        raise document.error("there is no such row", "grid", "weather_above")
    known = {
        f"{section}{row:02d}{column:02d}"
        for section in "WE"
        for row in range(1, ROWS + 1)
        for column in range(1, SECTION + 1)
    }
    for id, hex in value.hexes.items():
        document.check_known(id, known, "hex", "hexes", id)
        document.check_known(hex.country, value.countries, "country", "hexes", id, "country")
    settled = {hex.country for hex in value.hexes.values()}
    for id, country in value.countries.items():
        document.check_known(country.nation, nations, "nation", "countries", id, "nation")
        if id not in settled:
            raise document.error("no hex belongs to it", "countries", id)


def check_hexsides(document: Document[files.Map], hexes: Mapping[str, Any], near: Near) -> None:
    """Hexsides lie between neighbours that the units which they concern can be in, each once."""
    value = document.value
    tables: list[tuple[tuple[str, ...], files.Pairs, str]] = [
        (("mountains", name), pairs, "dry") for name, pairs in value.mountains.items()
    ]
    tables += [
        (("contra_land",), value.contra_land, "dry"),
        (("contra_naval",), value.contra_naval, "wet"),
        (("contra_duplex",), value.contra_duplex, ""),
    ]
    seen: dict[frozenset[str], str] = {}
    for path, pairs, what in tables:
        for index, side in enumerate(pairs):
            _check_side(document, side, hexes, near, *path, index)
            if what and not all(getattr(hexes[hex], what) for hex in side):
                problem = f"{' and '.join(side)} are not both {_WHAT[what]}"
                raise document.error(problem, *path, index)
            for kind in ("dry", "wet") if path[0] == "contra_duplex" else (what,):
                key = frozenset({*side, kind})
                if key in seen:
                    raise document.error(f"stands in {seen[key]}, too", *path, index)
                seen[key] = path[0]


_WHAT = {"dry": "hexes with land", "wet": "hexes with sea"}


def _check_side(
    document: Document[files.Map],
    side: tuple[str, str],
    hexes: Collection[str],
    near: Near,
    *path: str | int,
) -> None:
    for hex in side:
        document.check_known(hex, hexes, "hex", *path)
    if side[1] not in near[side[0]]:
        raise document.error(f"{side[0]} and {side[1]} are not neighbours", *path)


def check_features(document: Document[files.Map], hexes: Mapping[str, Any], near: Near) -> None:
    """What stands in hexes is where it can be."""
    value = document.value
    nations = {country.nation for country in value.countries.values()}
    for table, needs in (
        ("industry", ("dry",)),
        ("centers", ("dry",)),
        ("ports", ("dry", "wet")),
        ("holding_areas", ("wet",)),
    ):
        entries: Mapping[str, str] = getattr(value, table)
        for id, owner in entries.items():
            document.check_known(id, hexes, "hex", table, id)
            for need in needs:
                if not getattr(hexes[id], need):
                    problem = f"it needs {'land' if need == 'dry' else 'sea'}, and has none"
                    raise document.error(problem, table, id)
            if table == "industry":
                document.check_known(owner, MAJORS, "Major Power", table, id)
            elif table == "centers":
                document.check_known(owner, nations, "nation", table, id)
                if id in value.industry:
                    raise document.error("it is an industrial hex", table, id)
    document.check_complete(value.waters, WATERS, "waters")
    for water, members in value.waters.items():
        document.check_all_known(members, hexes, "hex", "waters", water)
        for index, id in enumerate(members):
            if not hexes[id].wet:
                raise document.error("it needs sea, and has none", "waters", water, index)
    document.check_complete(value.canals, CANALS, "canals")
    for name, canal in value.canals.items():
        here = ("canals", name)
        document.check_known(canal.control, hexes, "hex", *here, "control")
        if not hexes[canal.control].dry:
            raise document.error("nobody can hold it", *here, "control")
        for index, side in enumerate(canal.sides):
            _check_side(document, side, hexes, near, *here, "sides", index)
        if len(canal.between) != (0 if canal.sides else 2):
            raise document.error("a canal is hexsides, or has two ends", *here)
        for index, end in enumerate(canal.between):
            document.check_all_known(
                end, near[canal.control], "neighbour of it", *here, "between", index
            )


def check_numbers(document: Document[files.NumbersFile], hexes: Mapping[str, Any]) -> None:
    """Each season has its allowance, the places are known, provenance names numbers."""
    value = document.value
    document.check_complete(value.numbers.seasons, SEASONS, "numbers", "seasons")
    bands = [far for far, _ in value.numbers.submarine_die]
    if bands != sorted({*bands}) or bands[-1:] != [value.numbers.submarine_range]:
        problem = "the distances have to ascend to the range of submarines"
        raise document.error(problem, "numbers", "submarine_die")
    document.check_complete(value.places, PLACES, "places")
    for id, members in value.places.items():
        document.check_all_known(members, hexes, "hex", "places", id)
        if len(members) != PLACES[id]:
            raise document.error(f"the rules name {PLACES[id]}", "places", id)
        for index, hex in enumerate(members):
            if not hexes[hex].dry:
                raise document.error("it needs land, and has none", "places", id, index)
    known = {"numbers", "places", *(field.name for field in fields(files.Numbers))}
    for name in value.provenance:
        document.check_known(name, known, "number", "provenance", name)


def check_scenarios(
    document: Document[files.Scenarios],
    hexes: Mapping[str, Any],
    nations: Mapping[str, files.Nation],
    units: files.UnitTypes,
    turns: files.Turns,
) -> None:
    """Scenarios begin and end on the track, and their units stand where they can."""
    value = document.value
    document.check_complete(value.scenarios, ("standard", "watermark"), "scenarios")
    document.check_complete(value.victory.levels, value.scenarios, "victory", "levels")
    for id, levels in value.victory.levels.items():
        if list(levels) != sorted(levels, reverse=True) or 0 not in levels:
            problem = "the levels have to descend to 0"
            raise document.error(problem, "victory", "levels", id)
    for id, scenario in value.scenarios.items():
        here = ("scenarios", id)
        for field in ("first", "last"):
            if getattr(scenario, field) not in turns.turns:
                raise document.error("there is no such Game-Turn", *here, field)
        if scenario.first > scenario.last:
            raise document.error("it ends before it begins", *here, "last")
        for index, (one, others) in enumerate(scenario.wars):
            document.check_known(one, nations, "nation", *here, "wars", index, 0)
            for other in others:
                document.check_known(other, nations, "nation", *here, "wars", index, 1)
        for nation in scenario.joined:
            document.check_known(nation, nations, "nation", *here, "joined", nation)
        document.check_all_known(scenario.fallen, nations, "nation", *here, "fallen")
        for index, due in enumerate(scenario.track):
            job = (*here, "track", index)
            document.check_known(due.nation, MAJORS, "Major Power", *job)
            if not scenario.first <= due.due:
                raise document.error("it was due before the scenario begins", *job)
            for type in due.units:
                document.check_known(type, units.costs, "unit that is built", *job)
        _check_units(document, id, hexes, nations, units)


def _check_units(
    document: Document[files.Scenarios],
    id: str,
    hexes: Mapping[str, Any],
    nations: Mapping[str, files.Nation],
    units: files.UnitTypes,
) -> None:
    """Who holds what, and who stands where."""
    scenario, here = document.value.scenarios[id], ("scenarios", id)
    holders = {id: hex.nation for id, hex in hexes.items()}
    for nation, held in scenario.held.items():
        document.check_known(nation, nations, "nation", *here, "held", nation)
        document.check_all_known(held, hexes, "hex", *here, "held", nation)
        for index, hex in enumerate(held):
            if not hexes[hex].dry:
                raise document.error("nobody holds the sea", *here, "held", nation, index)
            holders[hex] = nation
    side = {id: scenario.joined.get(id, nation.side) for id, nation in nations.items()}
    for nation, places in scenario.units.items():
        document.check_known(nation, nations, "nation", *here, "units", nation)
        for hex, stack in places.items():
            at = (*here, "units", nation, hex)
            document.check_known(hex, hexes, "hex", *at)
            for type in stack:
                document.check_known(type, units.types, "unit", *at, type)
                place = hexes[hex]
                ship = TYPES[type] == "naval" and type != "asw"
                if TYPES[type] == "marker":
                    raise document.error("it is no unit of a set-up", *at, type)
                if ship and not place.wet:
                    raise document.error("ships need sea, and there is none", *at, type)
                if not ship and not place.dry:
                    raise document.error("it needs land, and there is none", *at, type)
                if type == "ad" and not place.industry:
                    raise document.error("Air Defense is in industrial hexes only", *at, type)
                holder = holders[hex]
                if (
                    not ship
                    and holder != nation
                    and (side[holder] != side[nation] or side[nation] == "neutral")
                ):
                    problem = f"the hex is held by {nations[holder].name}"
                    raise document.error(problem, *at, type)
