"""The national objectives (3.4, Table 3-1): what each nation scores at the end of the game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from sandtable.games.gw36.facts import Facts
from sandtable.games.gw36.model import News, State
from sandtable.games.gw36.rules.income import bonus
from sandtable.games.gw36.rules.terms import alliance, enemies, friendly, has_tech
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

HOME_LOST = "us_home_lost"
"""The mark of a game in which a zone of the US Home Country was in Axis or Comintern hands."""

AMERICAS = ("north_america", "south_america")
SPAIN = (
    "galicia_and_leon",
    "western_andalucia",
    "madrid",
    "basque_country",
    "catalonia",
    "eastern_andalucia",
)
BUFFER = ("east_poland", "lubelskie", "karjala", "lithuania", "latvia", "estonia")
INCOMES = {"germany": 24, "italy": 10}
"""The starting incomes of 1939."""


# What objectives ask.


def _has(s: State, nation: str, *zones: str) -> bool:
    """Whether a nation Possesses all of these zones."""
    return all(s.possession[zone] == nation for zone in zones)


def _starting(s: State) -> dict[str, str]:
    return s.facts.scenarios[s.options["scenario"]].owners


def _gained(s: State, nation: str) -> list[str]:
    """The zones that a nation Possesses and did not at the start."""
    before = _starting(s)
    return [z for z in s.facts.land if s.possession[z] == nation and before[z] != nation]


def _land_units(s: State, zones: Collection[str]) -> Iterator[tuple[str, int]]:
    """The nations of the land units in these zones, with the number of each kind of unit."""
    for zone in zones:
        for unit, count in s.stack(zone).items():
            for piece in (unit, *unit.cargo):
                if s.facts.units[piece.type].land:
                    yield piece.nation, count


def _capital_ships(s: State, oceans: tuple[str, ...], ours: Callable[[str], bool]) -> int:
    return sum(
        count
        for zone, unit, count in s.units()
        if s.facts.zones[zone].ocean in oceans
        and s.facts.units[unit.type].capital
        and ours(unit.nation)
    )


def _twice(own: int, other: int) -> bool:
    """Twice as many capital ships: at least one, and no fewer than double.

    Rules: 3.4.britain-d
    """
    return own >= 1 and own >= 2 * other


def _continental_china(facts: Facts) -> list[str]:
    """All starting zones of KMT, CCP and the Warlords but Hainan.

    Rules: appB-42b
    """
    return [
        zone
        for zone in facts.land
        if zone != "hainan" and _is_chinese(facts, facts.zones[zone].owner)
    ]


def _is_chinese(facts: Facts, nation: str) -> bool:
    return nation in ("kmt", "ccp") or facts.nations[nation].kind == "warlord"


def _fascism_contained(s: State) -> bool:
    return all(s.income[nation] <= most for nation, most in INCOMES.items())


def _spain_is_nationalist(s: State) -> bool:
    """In the 1936 scenario the Nationalists won the war; in that of 1939 all of continental Spain
    is in Axis hands."""
    if s.options["scenario"] == "1936":
        return s.spain == "nationalist"
    return all(alliance(s, s.possession[zone]) == "axis" for zone in SPAIN)


# Germany.


def lebensraum(s: State) -> int:
    """A point for each group of zones.

    Rules: 3.4.germany-a, 3.4.germany-b
    """
    belorussia = ("northern_belorussia", "southern_belorussia")
    return sum(
        _has(s, "germany", *group)
        for group in (
            ("warsaw", "west_poland", "dolnoslaske"),
            ("lithuania", "latvia", "estonia"),
            ("denmark", "netherlands", "belgium"),
            ("yugoslavia", "thessaly"),
            ("southern_ukraine", "western_ukraine", *belorussia),
        )
    )


def eliminate_communism(s: State) -> int:
    """Moscow, or two other Soviet cities.

    Rules: 3.4.germany-c
    """
    cities = [zone for zone in s.facts.nations["ussr"].zones if s.facts.zones[zone].city]
    others = [zone for zone in cities if zone != "moscow" and _has(s, "germany", zone)]
    return int(_has(s, "germany", "moscow") or len(others) >= 2)


def gain_resources(s: State) -> int:
    """Income from land zones and bonuses above 50.

    Rules: 3.4.germany-d
    """
    return int(s.income["germany"] + bonus(s, "germany") > 50)


def spanish_civil_war(s: State) -> int:
    """The Nationalists have won in Spain.

    Rules: 3.4.germany-e, 3.4.italy-c, 13.1k
    """
    return int(_spain_is_nationalist(s))


# The Soviet Union and Communist China.


def buffer_zone(s: State) -> int:
    """The borderlands from Poland to Finland are Soviet.

    Rules: 3.4.ussr-a
    """
    return int(_has(s, "ussr", *BUFFER))


def worldwide_communism(s: State) -> int:
    """New zones with a value, but none that another Soviet objective has scored.

    Rules: 3.4.ussr-b
    """
    scored = {*BUFFER} if buffer_zone(s) else set()
    scored |= _for_the_port(s)
    zones = [zone for zone in _gained(s, "ussr") if s.facts.zones[zone].ipp >= 1]
    return sum(zone not in scored for zone in zones)


def _for_the_port(s: State) -> set[str]:
    """The new zone that an Ice Free Port needs: none if the USSR had one all along."""
    ports = _open_ports(s)
    gained = {*_gained(s, "ussr")}
    if any(zone not in gained for zone in ports):
        return set()
    if ports:
        return {min(ports, key=lambda zone: s.facts.zones[zone].ipp)}
    return {"istanbul"} if ice_free_port(s) else set()


def _open_ports(s: State) -> list[str]:
    return [
        zone
        for zone in s.facts.land
        if s.possession[zone] == "ussr"
        and any(
            (kind := s.facts.facilities[facility.type]).naval
            and kind.major
            and s.facts.zones[facility.at].number >= 8
            for facility in s.facilities.get(zone, ())
        )
    ]


def eastern_security(s: State) -> int:
    """A way by rail from Moscow to Primorsky Krai, whatever its damage.

    Rules: 3.4.ussr-c
    """
    reached, edge = {"moscow"}, ["moscow"]
    if not friendly(s, "ussr", "moscow"):
        return 0
    while edge:
        zone = edge.pop()
        for border in s.railways:
            if zone in border:
                other = border[border[0] == zone]
                if other not in reached and friendly(s, "ussr", other):
                    reached.add(other)
                    edge.append(other)
    return int("primorsky_krai" in reached)


def ice_free_port(s: State) -> int:
    """A major port, shipyard or dockyard at a sea zone from 8 on, or Crimea and Istanbul.

    Rules: 3.4.ussr-d
    """
    return int(bool(_open_ports(s)) or _has(s, "ussr", "crimea", "istanbul"))


def soviet_technology(s: State) -> int:
    """Four technologies are complete.

    Rules: 3.4.ussr-e
    """
    wanted = ("heavy_strategic_bomber", "long_range_aircraft", "strategic_rockets", "heavy_armor")
    return int(all(has_tech(s, "ussr", each) for each in wanted))


def expel_foreigners(s: State) -> int:
    """No land unit in Continental China that is not Chinese.

    Rules: 3.4.ccp-a, 3.4.kmt-a
    """
    units = _land_units(s, _continental_china(s.facts))
    return int(all(_is_chinese(s.facts, nation) for nation, _ in units))


def inflame_the_revolution(s: State) -> int:
    """Two points, or none, for more land units in China than KMT has.

    Rules: 3.4.ccp-b
    """
    numbers = {"ccp": 0, "kmt": 0}
    for nation, count in _land_units(s, s.facts.nations["ccp"].home):
        if nation in numbers:
            numbers[nation] += count
    return 2 if numbers["ccp"] > numbers["kmt"] else 0


# The Commonwealth.


def contain_soviet_armies(s: State) -> int:
    """No Soviet land unit in Norway, Denmark, Austria, Spain, or at home in Western Europe.

    Rules: 3.4.britain-a
    """
    countries = ("norway", "denmark", "austria", "spain")
    homes = ("great_britain", "france", "germany", "italy")
    zones = {z for nation in (*countries, *homes) for z in s.facts.nations[nation].home}
    return int(all(nation != "ussr" for nation, _ in _land_units(s, zones)))


def british_empire(s: State) -> int:
    """Three zones on the way to India are British.

    Rules: 3.4.britain-b
    """
    return int(_has(s, "great_britain", "south_african_union", "eastern_egypt", "aden"))


def contain_fascism(s: State) -> int:
    """Germany and Italy are at or below their starting incomes of 1939.

    Rules: 3.4.britain-c, 3.4.usa-b
    """
    return int(_fascism_contained(s))


def mediterranean_security(s: State) -> int:
    """Twice the capital ships of the Axis in the Mediterranean, and its three keys.

    Rules: 3.4.britain-d
    """
    own = _capital_ships(s, ("mediterranean",), lambda nation: nation == "great_britain")
    axis = _capital_ships(s, ("mediterranean",), lambda nation: alliance(s, nation) == "axis")
    held = _has(s, "great_britain", "gibraltar", "malta", "eastern_egypt")
    return int(_twice(own, axis) and held)


def preserve_india(s: State) -> int:
    """India, Burma, Ceylon and British Malaya are held.

    Rules: 3.4.fec-a
    """
    india = ("haryana", "calcutta", "southern_india", "benares", "maharashtra")
    return int(_has(s, "fec", *india, "burma", "bengal", "ceylon", "british_malaya"))


def south_pacific_security(s: State) -> int:
    """Australia and New Zealand are held, and no Enemy surface warship is near Australia.

    Rules: 3.4.anzac-a
    """
    home = s.facts.nations["anzac"].home
    if not _has(s, "anzac", *home):
        return 0
    australia = home - {"north_island", "south_island"}
    shores = {zone for land in australia for zone in s.facts.coast[land]}
    near = shores | {zone for shore in shores for zone in s.facts.sea_next[shore]}
    return int(
        not any(
            s.facts.units[unit.type].warship and enemies(s, "anzac", unit.nation)
            for zone in sorted(near)
            for unit in s.stack(zone)
        )
    )


# The United States.


def monroe_doctrine(s: State) -> int:
    """No Axis or Comintern land unit in the Americas, and the US Home Country never entered.

    Rules: 0.7b, 3.4.usa-a
    """
    zones = [zone for zone in s.facts.land if s.facts.zones[zone].region in AMERICAS]
    foreign = any(
        alliance(s, nation) in ("axis", "comintern") for nation, _ in _land_units(s, zones)
    )
    return int(not foreign and HOME_LOST not in s.marks)


def follow(g: Table[State], news: News) -> Procedure[None]:
    """Remember when the Axis or the Comintern takes a zone of the US Home Country.

    Rules: 3.4.usa-a
    """
    s = g.state
    if (
        news.kind == "possession"
        and news.where in s.facts.nations["usa"].home
        and alliance(s, news.who) in ("axis", "comintern")
    ):
        s.marks |= {HOME_LOST}
    return
    yield


def contain_communism(s: State) -> int:
    """The USSR has fewer than five new zones with a value.

    Rules: 3.4.usa-c
    """
    return int(sum(s.facts.zones[zone].ipp >= 1 for zone in _gained(s, "ussr")) < 5)


def american_pacific(s: State) -> int:
    """Twice the capital ships of Japan in the Pacific.

    Rules: 3.4.usa-d
    """
    own = _capital_ships(s, ("pacific",), lambda nation: nation == "usa")
    return int(_twice(own, _capital_ships(s, ("pacific",), lambda nation: nation == "japan")))


def american_zones(s: State) -> int:
    """All original zones are American.

    Rules: 3.4.usa-e
    """
    return int(_has(s, "usa", *s.facts.nations["usa"].zones))


def american_technology(s: State) -> int:
    """Four technologies are complete.

    Rules: 3.4.usa-f
    """
    wanted = ("heavy_strategic_bomber", "jet_fighter", "strategic_rockets", "long_range_aircraft")
    return int(all(has_tech(s, "usa", each) for each in wanted))


# France and Free France.


def disarm_germany(s: State) -> int:
    """The zones that Germany owns are worth less than 24.

    Rules: 3.4.france-a
    """
    owned = [zone for zone in s.facts.land if s.possession[zone] == "germany"]
    return int(sum(s.facts.zones[zone].ipp for zone in owned) < INCOMES["germany"])


def no_communists_next_door(s: State) -> int:
    """No Comintern zone borders the French Home Country; Republican Spain counts as one.

    Rules: 3.4.france-b
    """
    home = s.facts.nations["france"].home
    near = {zone for each in home for zone in s.facts.land_next[each]}
    owners = {s.possession[zone] for zone in near}
    red = any(alliance(s, owner) == "comintern" for owner in sorted(owners))
    return int(not red and "spain_republican" not in owners)


def french_empire(s: State) -> int:
    """All starting zones with a value are French or Free French.

    Rules: 3.4.france-c
    """
    before = _starting(s)
    own = [z for z in s.facts.land if before[z] == "france" and s.facts.zones[z].ipp >= 1]
    return int(all(s.possession[zone] in ("france", "free_france") for zone in own))


# Italy and Japan.


def italian_empire(s: State) -> int:
    """A point for each new zone.

    Rules: 3.4.italy-a
    """
    return len(_gained(s, "italy"))


def mediterranean_dominance(s: State) -> int:
    """Twice the capital ships of the Allies in the Mediterranean, or its three keys.

    Rules: 3.4.italy-b
    """
    own = _capital_ships(s, ("mediterranean",), lambda nation: nation == "italy")
    allied = _capital_ships(s, ("mediterranean",), lambda nation: alliance(s, nation) == "allies")
    held = _has(s, "italy", "malta", "gibraltar", "eastern_egypt")
    return int(_twice(own, allied) or held)


def colonialism(s: State) -> int:
    """Two points, or none, for an income above 50 with bonuses.

    Rules: 3.4.japan-a
    """
    return 2 if s.income["japan"] + bonus(s, "japan") > 50 else 0


def japanese_pacific(s: State) -> int:
    """Three of six islands, or twice the Allies' capital ships in two oceans.

    Rules: 3.4.japan-b
    """
    islands = (
        *("midway", "wake", "mariana_islands"),
        *("hawaiian_islands", "caroline_islands", "marshall_islands"),
    )
    oceans = ("pacific", "indian")
    own = _capital_ships(s, oceans, lambda nation: nation == "japan")
    allied = _capital_ships(s, oceans, lambda nation: alliance(s, nation) == "allies")
    return int(sum(_has(s, "japan", zone) for zone in islands) >= 3 or _twice(own, allied))


def raw_materials(s: State) -> int:
    """A point for each of six sources of raw materials.

    Rules: 3.4.japan-c
    """
    groups = (
        ("british_malaya",),
        ("cochinchina", "annam_tonkin"),
        ("philippines",),
        ("borneo",),
        ("java",),
        ("sumatra",),
    )
    return sum(_has(s, "japan", *group) for group in groups)


# Nationalist China.


def reclaim_china(s: State) -> int:
    """Two of the zones that Japan took are Chinese again.

    Rules: 3.4.kmt-b
    """
    manchuria = ("western_manchuria", "eastern_manchuria", "northern_manchuria")
    return int(sum(_has(s, "kmt", zone) for zone in ("rehe", *manchuria, "formosa")) >= 2)


def defeat_the_communists(s: State) -> int:
    """No CCP unit of any kind in the Chinese Home Country.

    Rules: 3.4.kmt-c
    """
    home = s.facts.nations["kmt"].home
    return int(not any(zone in home for zone in s.presence.get("ccp", {})))


OBJECTIVES: dict[str, dict[str, tuple[int, Callable[[State], int]]]] = {
    "germany": {
        "Lebensraum": (4, lebensraum),
        "Eliminate Communism": (1, eliminate_communism),
        "Gain Resources": (1, gain_resources),
        "Spanish Civil War": (1, spanish_civil_war),
    },
    "ussr": {
        "Buffer Zone": (1, buffer_zone),
        "Worldwide Communism": (11, worldwide_communism),
        "Eastern Security": (1, eastern_security),
        "Ice Free Port": (1, ice_free_port),
        "Technological Superiority": (1, soviet_technology),
    },
    "ccp": {
        "Expel Foreign Influence": (1, expel_foreigners),
        "Inflame the Revolution": (2, inflame_the_revolution),
    },
    "japan": {
        "Colonialism": (2, colonialism),
        "Pacific Security": (1, japanese_pacific),
        "Raw Materials": (4, raw_materials),
    },
    "great_britain": {
        "Contain Communism": (1, contain_soviet_armies),
        "Maintain the Empire": (1, british_empire),
        "Contain Fascism": (1, contain_fascism),
        "Mediterranean Security": (1, mediterranean_security),
    },
    "fec": {"Preserve the Empire": (1, preserve_india)},
    "anzac": {"South Pacific Security": (1, south_pacific_security)},
    "france": {
        "Disarm Germany": (1, disarm_germany),
        "Eliminate Communism": (1, no_communists_next_door),
        "Maintain the Empire": (1, french_empire),
    },
    "italy": {
        "Expand the Empire": (2, italian_empire),
        "Mediterranean Dominance": (1, mediterranean_dominance),
        "Triumph of Fascism": (1, spanish_civil_war),
    },
    "usa": {
        "Monroe Doctrine": (1, monroe_doctrine),
        "Contain Fascism": (1, contain_fascism),
        "Contain Communism": (1, contain_communism),
        "Pacific Security": (1, american_pacific),
        "Maintain the Empire": (1, american_zones),
        "Technological Superiority": (1, american_technology),
    },
    "kmt": {
        "Expel Foreign Influence": (1, expel_foreigners),
        "Reclaim China": (1, reclaim_china),
        "Defeat the Communists": (1, defeat_the_communists),
    },
}
"""The objectives of each nation, with the most that it can score for each."""
OBJECTIVES["free_france"] = OBJECTIVES["france"]


def scored(s: State, nation: str) -> dict[str, int]:
    """What a nation scores for each of its objectives. One that has surrendered scores nothing; the
    objectives of France are then those of Free France, if that is on the map. A Republican victory
    in Spain is one more for the USSR, up to the most that all of its objectives can score.

    Rules: 3.3b, 3.4a, 3.4b, 3.4.france-a, 13.1o, table-3-1a, table-3-1b, table-3-1c
    """
    if nation in s.surrendered or (nation == "free_france" and not _free_french(s)):
        return {}
    ours = OBJECTIVES[nation].items()
    points = {name: min(most, score(s)) for name, (most, score) in ours}
    if nation == "ussr" and s.spain == "republican":
        limit = sum(most for _, (most, _) in ours)
        points["Spanish Civil War"] = min(1, limit - sum(points.values()))
    return points


def _free_french(s: State) -> bool:
    """Whether there is a Free France: France has surrendered, and somebody fights on."""
    return "france" in s.surrendered and (
        bool(s.presence.get("free_france")) or "free_france" in s.possession.values()
    )
