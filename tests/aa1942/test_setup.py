"""Set-up (p.6-7): sides, players, the first position, and positions of the user's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.games.aa1942 import setup
from sandtable.games.aa1942.rules.spaces import production
from sandtable.kernel.errors import OptionError, PositionError
from tests.aa1942.table import Bombard, Buy, Done, Place, Press, Table, move, sail, table
from tests.aa1942.turns import pass_phase, pass_turn, pass_turns

ALLIES = ["soviet_union", "united_kingdom", "united_states"]
AXIS = ["germany", "japan"]
POWERS = ["soviet_union", "germany", "united_kingdom", "japan", "united_states"]


def fresh(**options: Any) -> Table:
    """The game as it starts."""
    return Table(sandtable.new("aa1942", options=options, chance="explicit"))


# Sides and players.


@pytest.mark.rule("aa1942:game.sides")
@pytest.mark.parametrize(
    ("power", "here", "there", "ally"),
    [
        ("germany", "ukraine_ssr", "poland", "japan"),
        ("soviet_union", "archangel", "karelia_ssr", "united_kingdom"),
        ("united_kingdom", "eastern_canada", "eastern_united_states", "united_states"),
        ("united_states", "szechwan", "kazakh_ssr", "soviet_union"),
        ("japan", "manchuria", "kiangsu", "germany"),
    ],
)
def test_a_power_cannot_attack_its_own_side(power: str, here: str, there: str, ally: str) -> None:
    t = table(power, units={here: {power: "infantry"}}, control={there: ally})
    t.refused(move("infantry", f"{here} > {there}"), "combat-move.purpose")
    enemy = AXIS[0] if power in ALLIES else ALLIES[0]
    t = table(power, units={here: {power: "infantry"}}, control={there: enemy})
    t.do(move("infantry", f"{here} > {there}"))


@pytest.mark.rule("aa1942:game.sides")
def test_a_power_without_its_capital_stays_on_its_side() -> None:
    t = table(
        "united_kingdom",
        units={"france": {"united_kingdom": "infantry"}},
        control={"germany": "united_kingdom", "france": "united_kingdom"},
    )
    t.do(move("infantry", "france > italy"), Done())
    assert t.s.control["italy"] == "united_kingdom"
    assert t.s.control["poland"] == "germany"


@pytest.mark.rule("aa1942:game.players.count")
@pytest.mark.parametrize(
    "players",
    [
        None,
        {"ann": ALLIES, "bob": AXIS},
        {"ann": ALLIES, "bob": ["germany"], "cyd": ["japan"]},
        {"ann": ["soviet_union"], "bob": AXIS, "cyd": ["united_kingdom", "united_states"]},
        {name: [power] for name, power in zip("abcde", POWERS, strict=True)},
    ],
)
def test_two_to_five_persons_can_play(players: Any) -> None:
    assert fresh(players=players).asked == "soviet_union purchase"


@pytest.mark.rule("aa1942:game.players.count")
@pytest.mark.parametrize(
    ("players", "reason"),
    [
        ({"ann": POWERS}, "Two to 5 persons"),
        ({"ann": ALLIES, "bob": ["germany"]}, "every power exactly once"),
        ({"ann": ALLIES, "bob": [*AXIS, "italy"]}, "every power exactly once"),
        ({"ann": ALLIES, "bob": AXIS, "cyd": ["japan"]}, "every power exactly once"),
        ({"ann": ALLIES, "bob": [*AXIS, "japan"]}, "every power exactly once"),
        ({"ann": ALLIES, "bob": AXIS, "cyd": []}, "cyd"),
        ({name: [p] for name, p in zip("abcde", POWERS, strict=True)} | {"f": []}, "persons"),
        ({}, "every power exactly once"),
        (["ann", "bob"], "maps each person to a list of powers"),
        ({"ann": "germany"}, "maps each person to a list of powers"),
        (5, "maps each person to a list of powers"),
    ],
)
def test_players_that_are_too_few_or_do_not_run_every_power_once(players: Any, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        fresh(players=players)


@pytest.mark.rule("aa1942:game.players.same-side")
def test_one_person_cannot_run_powers_of_both_sides() -> None:
    players = {"ann": ["soviet_union", "germany"], "bob": ["united_kingdom", "united_states"]}
    with pytest.raises(OptionError, match="ann have to be on the same side"):
        fresh(players={**players, "cyd": ["japan"]})


@pytest.mark.rule("aa1942:game.players.separate-powers")
def test_only_the_power_whose_turn_it_is_acts() -> None:
    t = table(
        "united_kingdom",
        units={
            "india": {"united_kingdom": "infantry", "united_states": "infantry"},
            "burma": {"japan": "infantry"},
        },
        control={"burma": "japan"},
    )
    t.refused(move("infantry", "india > burma"), by="united_states")
    t.refused(move("2 infantry", "india > burma"))
    t.do(move("infantry", "india > burma"))
    assert t.units("india", "united_states") == {"infantry": 1}
    assert t.units("india", "united_kingdom") == {}


@pytest.mark.rule("aa1942:game.players.separate-powers")
def test_money_of_two_powers_of_one_person_is_not_pooled() -> None:
    t = table("germany", "purchase", treasury={"germany": 5, "japan": 30})
    t.refused(Buy({"infantry": 2}), "purchase.afford")
    t.do(Buy({"infantry": 1}))
    assert (t.s.treasury["germany"], t.s.treasury["japan"]) == (2, 30)
    pass_turn(t)
    assert (t.s.treasury["germany"], t.s.treasury["japan"]) == (2 + 41, 30)


# The first position.

INCOME = {
    "soviet_union": 24,
    "germany": 41,
    "united_kingdom": 31,
    "japan": 30,
    "united_states": 42,
}


@pytest.mark.rule("aa1942:setup.income")
@pytest.mark.parametrize("treasury", ["corrected", "printed"])
def test_production_levels_at_the_start(treasury: str) -> None:
    t = fresh(treasury=treasury)
    assert {power: production(t.s, power) for power in POWERS} == INCOME
    money = dict(t.s.treasury)
    while t.s.round == 1:
        pass_turn(t)
    assert {power: t.s.treasury[power] - money[power] for power in POWERS} == INCOME


@pytest.mark.rule("aa1942:setup.treasury")
def test_money_at_the_start_can_be_spent_at_once() -> None:
    t = fresh()
    assert t.s.treasury == INCOME
    t.refused(Buy({"infantry": 7, "artillery": 1}), "purchase.afford")
    t.do(Buy({"infantry": 8}))
    assert t.s.treasury["soviet_union"] == 0
    for power in POWERS[1:]:
        pass_turns(t, power)
        assert t.request.treasury == INCOME[power]


@pytest.mark.rule("aa1942:setup.treasury")
def test_the_printed_table_gives_germany_40_and_the_united_kingdom_30() -> None:
    assert fresh(treasury="printed").s.treasury == {**INCOME, "germany": 40, "united_kingdom": 30}


CARDS = {
    "soviet_union": """
        archangel: infantry, tank
        buryatia_ssr: 2 infantry
        caucasus: 3 infantry, artillery, tank, antiaircraft_artillery
        evenki_national_okrug: 2 infantry
        karelia_ssr: 4 infantry, artillery, fighter
        kazakh_ssr: infantry
        novosibirsk: infantry
        russia: 4 infantry, artillery, 2 tank, antiaircraft_artillery, fighter
        soviet_far_east: 2 infantry
        yakut_ssr: infantry
        sz4: submarine
    """,
    "germany": """
        algeria: infantry, artillery
        baltic_states: infantry, tank
        belorussia: 3 infantry
        bulgaria_romania: 2 infantry, tank, fighter
        finland: 3 infantry
        france: infantry, 2 tank, antiaircraft_artillery
        germany: 3 infantry, 2 tank, antiaircraft_artillery, fighter, bomber
        italy: infantry, tank, antiaircraft_artillery
        libya: infantry, tank
        morocco: infantry
        northwestern_europe: infantry, tank, fighter
        norway: 2 infantry, fighter
        poland: 2 infantry, tank, fighter
        southern_europe: infantry, artillery
        ukraine_ssr: 3 infantry, artillery, tank, fighter
        west_russia: 3 infantry, artillery, tank
        sz5: cruiser, 2 submarine, transport
        sz9: 2 submarine
        sz15: battleship, transport
    """,
    "united_kingdom": """
        burma: infantry
        eastern_australia: 2 infantry
        eastern_canada: tank
        egypt: infantry, artillery, tank, fighter
        india: 3 infantry, antiaircraft_artillery
        new_zealand: infantry
        persia: infantry
        trans_jordan: infantry
        union_of_south_africa: infantry
        united_kingdom: 2 infantry, artillery, tank, antiaircraft_artillery, 2 fighter, bomber
        western_australia: infantry
        western_canada: infantry
        sz7: battleship, transport
        sz10: destroyer, transport
        sz14: cruiser
        sz17: destroyer
        sz35: fighter, aircraft_carrier, cruiser, transport
        sz39: cruiser, submarine, transport
    """,
    "japan": """
        borneo: infantry
        caroline_islands: infantry
        east_indies: 2 infantry
        french_indo_china_thailand: 2 infantry, artillery, fighter
        iwo_jima: infantry
        japan: 4 infantry, artillery, tank, antiaircraft_artillery, fighter, bomber
        kiangsu: 4 infantry
        kwangtung: infantry, artillery
        malaya: infantry
        manchuria: 3 infantry, fighter
        new_guinea: infantry
        okinawa: infantry
        philippine_islands: infantry, artillery
        solomon_islands: infantry
        wake_island: infantry
        sz37: 2 fighter, battleship, aircraft_carrier
        sz44: submarine
        sz50: fighter, aircraft_carrier, cruiser
        sz60: battleship, destroyer, transport
        sz61: destroyer, transport
    """,
    "united_states": """
        alaska: infantry
        anhwei: 2 infantry
        central_united_states: infantry
        eastern_united_states: 2 infantry, artillery, tank, antiaircraft_artillery, fighter, bomber
        hawaiian_islands: infantry, fighter
        midway: infantry
        szechwan: 2 infantry, fighter
        western_united_states: 2 infantry, antiaircraft_artillery, fighter
        yunnan: 2 infantry
        sz11: destroyer, 2 transport
        sz19: cruiser
        sz53: fighter, aircraft_carrier, destroyer, submarine
        sz56: battleship, destroyer, transport
    """,
}
COMPLEXES = {
    "caucasus",
    "karelia_ssr",
    "russia",
    "germany",
    "italy",
    "india",
    "united_kingdom",
    "japan",
    "eastern_united_states",
    "western_united_states",
}


def cards(changes: dict[str, dict[str, str]]) -> dict[str, dict[str, dict[str, int]]]:
    """Power to space to units: the cards, with some lines replaced."""
    from tests.aa1942.table import counts

    found: dict[str, dict[str, dict[str, int]]] = {}
    for power, card in CARDS.items():
        lines = dict(line.strip().split(": ") for line in card.strip().splitlines())
        lines |= changes.get(power, {})
        found[power] = {space: counts(units) for space, units in lines.items() if units}
    return found


def on_board(t: Table) -> dict[str, dict[str, dict[str, int]]]:
    found: dict[str, dict[str, dict[str, int]]] = {power: {} for power in POWERS}
    for space, unit, count in t.s.units():
        units = found[unit.power].setdefault(space, {})
        units[unit.type] = units.get(unit.type, 0) + count
    return found


@pytest.mark.rule("aa1942:setup.units")
def test_the_boxed_set_up() -> None:
    t = fresh()
    assert on_board(t) == cards({})
    assert t.s.complexes == dict.fromkeys(COMPLEXES, 0)
    assert not t.s.bought


@pytest.mark.rule("aa1942:setup.units")
def test_the_tournament_set_up() -> None:
    t = fresh(setup="tournament")
    assert on_board(t) == cards(
        {
            "germany": {
                "germany": "3 infantry, 2 tank, antiaircraft_artillery, fighter",
                "ukraine_ssr": "3 infantry, artillery, tank, fighter, bomber",
                "sz5": "cruiser, submarine, transport",
            },
            "united_kingdom": {
                "india": "5 infantry, antiaircraft_artillery",
                "sz7": "battleship, destroyer, transport",
                "sz13": "cruiser",
                "sz14": "",
            },
        }
    )
    assert t.s.complexes == dict.fromkeys(COMPLEXES, 0)
    assert {power: production(t.s, power) for power in POWERS} == INCOME


OWNED = {
    "soviet_union": """
        archangel buryatia_ssr caucasus evenki_national_okrug karelia_ssr kazakh_ssr
        novosibirsk russia soviet_far_east vologda yakut_ssr
    """,
    "germany": """
        algeria baltic_states belorussia bulgaria_romania finland france germany italy libya
        morocco northwestern_europe norway poland southern_europe ukraine_ssr west_russia
    """,
    "united_kingdom": """
        anglo_egyptian_sudan belgian_congo burma eastern_australia eastern_canada egypt
        french_equatorial_africa french_madagascar french_west_africa gibraltar iceland
        india italian_east_africa new_zealand persia rhodesia trans_jordan
        union_of_south_africa united_kingdom western_australia western_canada
    """,
    "japan": """
        borneo caroline_islands east_indies formosa french_indo_china_thailand iwo_jima
        japan kiangsu kwangtung malaya manchuria new_guinea okinawa philippine_islands
        solomon_islands wake_island
    """,
    "united_states": """
        alaska anhwei brazil central_america central_united_states east_mexico
        eastern_united_states greenland hawaiian_islands mexico midway sinkiang szechwan
        west_indies western_united_states yunnan
    """,
}


@pytest.mark.rule("aa1942:setup.control.original")
def test_control_at_the_start() -> None:
    t = fresh()
    held = {power: {land for land, by in t.s.control.items() if by == power} for power in POWERS}
    assert held == {power: set(lands.split()) for power, lands in OWNED.items()}


@pytest.mark.rule("aa1942:setup.control.original")
def test_land_that_germany_holds_at_the_start_is_german_and_not_freed_for_an_ally() -> None:
    t = table("united_kingdom", units={"karelia_ssr": {"united_kingdom": "infantry"}})
    t.do(move("infantry", "karelia_ssr > belorussia"), Done())
    assert t.s.control["belorussia"] == "united_kingdom"


@pytest.mark.rule("aa1942:setup.victory-choice")
def test_the_standard_victory_is_the_default() -> None:
    assert fresh().s.options["victory"] == "standard"
    for bad in ("quick", 9, None):
        with pytest.raises(OptionError, match="victory takes 'standard', 'total'"):
            fresh(victory=bad)


@pytest.mark.parametrize(
    ("option", "bad"),
    [
        ("cities", 11),
        ("cities", "13"),
        ("treasury", "generous"),
        ("setup", "1941"),
        ("dardanelles", 1),
        ("interceptors", "yes"),
        ("bid", 31),
        ("bid_side", "neutrals"),
        ("luck", "high"),
    ],
)
def test_options_that_do_not_exist(option: str, bad: object) -> None:
    with pytest.raises(OptionError, match=option):
        fresh(**{option: bad})


# Definitions of the components.


@pytest.mark.rule("aa1942:def.units.no-piece-limit", "aa1942:purchase.availability")
def test_figures_never_run_out() -> None:
    t = table(
        "united_states",
        "purchase",
        {
            "eastern_united_states": {"united_states": "60 infantry, 40 tank"},
            **{f"sz{n}": {"united_states": "20 transport"} for n in range(20, 40)},
        },
        treasury={"united_states": 400},
    )
    t.do(Buy({"infantry": 100}))
    t.do(Done(), Done())
    t.do(Place("eastern_united_states", {"infantry": 12}))
    assert t.units("eastern_united_states", "united_states") == {"infantry": 72, "tank": 40}


@pytest.mark.rule("aa1942:def.damage-marker")
def test_a_point_rolled_is_a_chip_and_a_chip_repaired_is_gone() -> None:
    t = table("united_kingdom", units={"united_kingdom": {"united_kingdom": "2 bomber"}})
    t.do(move("2 bomber", "united_kingdom > sz6 > northwestern_europe > germany", raid=True))
    t.do(Done()).dice(6, 6).dice(3, 4)
    assert t.s.complexes["germany"] == 7
    t.do(move("2 bomber", "germany > northwestern_europe > sz6 > united_kingdom"))
    pass_turns(t, "germany")
    assert t.request.damaged == {"germany": 7}
    t.do(Buy(repairs={"germany": 2}))
    assert t.s.complexes["germany"] == 5


@pytest.mark.rule("aa1942:def.bank")
def test_money_comes_from_and_goes_to_the_bank() -> None:
    t = fresh()
    others = {power: INCOME[power] for power in POWERS[1:]}
    t.do(Buy({"tank": 2}))
    assert t.s.treasury == {"soviet_union": 12, **others}
    t.do(Done(), Done())
    t.do(Place("russia", {"tank": 2}))
    assert t.s.treasury == {"soviet_union": 36, **others}


@pytest.mark.rule("aa1942:def.bank", "aa1942:combat.conclude.production")
def test_a_captured_territory_moves_no_money_by_itself() -> None:
    t = table(
        "germany",
        units={"ukraine_ssr": {"germany": "infantry"}},
        treasury={"germany": 7, "soviet_union": 24},
    )
    t.do(move("infantry", "ukraine_ssr > caucasus"), Done())
    assert (t.s.treasury["germany"], t.s.treasury["soviet_union"]) == (7, 24)
    assert (production(t.s, "germany"), production(t.s, "soviet_union")) == (45, 20)


# Positions of the user's own.


def test_a_position_sets_everything_it_names() -> None:
    t = Table(
        sandtable.new(
            "aa1942",
            chance="explicit",
            position={
                "base": "empty",
                "round": 4,
                "turn": "united_kingdom",
                "phase": "noncombat_move",
                "control": {"norway": "united_kingdom", "egypt": "germany"},
                "control_at_start": {"norway": "germany"},
                "units": {
                    "norway": {
                        "united_kingdom": {"infantry": [{"count": 2, "used": 1, "duty": "fought"}]}
                    },
                    "germany": {"united_kingdom": {"bomber": [{"used": 3, "duty": "bombed"}]}},
                    "india": {"united_kingdom": {"industrial_complex": 0}},
                    "egypt": {"germany": {"industrial_complex": 1, "tank": 1}},
                    "sz6": {
                        "united_kingdom": {"transport": 2, "aircraft_carrier": 1, "fighter": 1},
                        "united_states": {"fighter": 1},
                    },
                },
                "cargo": {
                    "sz6": {
                        "united_kingdom": [
                            {
                                "ship": "transport",
                                "load": {
                                    "united_states": {"infantry": 1},
                                    "united_kingdom": {"tank": 1},
                                },
                            }
                        ]
                    }
                },
                "treasury": {"united_kingdom": 11, "japan": 0},
                "damage": {"egypt": 3, "germany": 20},
                "bought": {"aircraft_carrier": 1, "infantry": 2},
            },
        )
    )
    assert (t.s.round, t.asked) == (4, "united_kingdom noncombat_move")
    assert t.s.control["norway"] == "united_kingdom"
    assert t.s.start_control["norway"] == "germany"
    assert t.s.start_control["egypt"] == "germany"
    assert t.units("norway", "united_kingdom") == {"infantry": 2}
    assert t.units("norway", "germany") == {}
    assert t.units("sz6", "united_kingdom") == {
        "transport": 2,
        "aircraft_carrier": 1,
        "fighter": 1,
    }
    assert t.cargo("sz6", "united_kingdom") == [
        [],
        ["united_kingdom tank", "united_states infantry"],
        ["united_states fighter"],
    ]
    assert (t.s.treasury["united_kingdom"], t.s.treasury["japan"]) == (11, 0)
    assert t.s.treasury["germany"] == 41
    assert t.s.complexes["egypt"] == 3
    assert t.s.complexes["germany"] == 20
    assert "india" not in t.s.complexes
    assert t.s.bought == {"aircraft_carrier": 1, "infantry": 2}
    assert t.game.rules.audit(t.s) == []
    t.refused(move("infantry", "norway > finland"))
    t.refused(sail("sz6", "infantry from norway in sz6", offload="united_kingdom"))
    # The bomber has three of its six moves left and may not stay over Germany.
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("bomber", "germany > northwestern_europe > sz6 > united_kingdom"), Done())
    assert t.asked == "united_kingdom mobilize"


def test_what_a_position_does_not_name_stays_as_in_the_set_up() -> None:
    position = {"units": {"russia": {"soviet_union": {"infantry": 9}}}, "treasury": {"japan": 1}}
    t = Table(sandtable.new("aa1942", position=position))
    assert t.units("russia", "soviet_union") == {
        "infantry": 9,
        "artillery": 1,
        "tank": 2,
        "antiaircraft_artillery": 1,
        "fighter": 1,
    }
    assert on_board(t)["japan"] == cards({})["japan"]
    assert t.s.treasury == {**INCOME, "japan": 1}
    assert t.asked == "soviet_union purchase"


def test_an_empty_position_has_the_complexes_of_the_set_up_and_no_units() -> None:
    t = Table(sandtable.new("aa1942", position={"base": "empty"}))
    assert not t.s.at
    assert t.s.complexes == dict.fromkeys(COMPLEXES, 0)
    assert t.s.treasury == INCOME


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_a_position_can_be_a_file(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"position.{suffix}"
    file.write_text(json.dumps({"base": "empty", "turn": "japan", "bought": {}}))
    assert Table(sandtable.new("aa1942", position=file)).asked == "japan purchase"


@pytest.mark.parametrize("phase", ["conduct_combat", "noncombat_move"])
def test_attackers_may_stand_in_hostile_territory_while_the_turn_lasts(phase: str) -> None:
    t = table(
        "germany",
        phase,
        {"caucasus": {"germany": "fighter", "soviet_union": "infantry"}},
    )
    assert t.s.phase in ("conduct_combat", "noncombat_move")


BAD: list[tuple[dict[str, Any], str]] = [
    # Shape.
    ({"weather": "fine"}, "weather"),
    ({"round": 0}, "round"),
    ({"round": "one"}, "round"),
    ({"units": []}, "units"),
    ({"units": {"russia": {"soviet_union": {"infantry": -1}}}}, "units"),
    ({"units": {"russia": {"soviet_union": {"infantry": 1000}}}}, "units"),
    ({"units": {"russia": {"soviet_union": {"infantry": "many"}}}}, "units"),
    ({"units": {"russia": {"soviet_union": {"infantry": [{"size": 2}]}}}}, "size"),
    ({"units": {"russia": {"soviet_union": {"infantry": [{"used": 9}]}}}}, "used"),
    ({"treasury": {"japan": -1}}, "treasury"),
    ({"treasury": {"japan": 1.5}}, "treasury"),
    ({"damage": {"japan": -1}}, "damage"),
    ({"bought": {"tank": -1}}, "bought"),
    ({"cargo": {"sz5": {"germany": [{"ship": "transport"}]}}}, "load"),
    # Names.
    ({"base": "full"}, "base is 'setup' or 'empty', not 'full'"),
    ({"turn": "italy"}, "turn: there is no 'italy'"),
    ({"phase": "lunch"}, "phase: there is no 'lunch'"),
    ({"control": {"atlantis": "japan"}}, "control: there is no 'atlantis'"),
    ({"control": {"turkey": "germany"}}, "control: there is no 'turkey'"),
    ({"control": {"sz5": "germany"}}, "control: there is no 'sz5'"),
    ({"control": {"egypt": "italy"}}, r"control.egypt: there is no 'italy'"),
    ({"control_at_start": {"sz5": "germany"}}, "control_at_start: there is no 'sz5'"),
    ({"control_at_start": {"egypt": "italy"}}, r"control_at_start.egypt: there is no 'italy'"),
    ({"units": {"turkey": {"germany": {"tank": 1}}}}, "units: there is no 'turkey'"),
    ({"units": {"sz66": {"germany": {"cruiser": 1}}}}, "units: there is no 'sz66'"),
    ({"units": {"russia": {"russia": {"tank": 1}}}}, r"units.russia: there is no 'russia'"),
    ({"units": {"russia": {"soviet_union": {"elephant": 1}}}}, "there is no 'elephant'"),
    ({"cargo": {"russia": {}}}, "cargo: there is no 'russia'"),
    ({"cargo": {"sz5": {"italy": []}}}, r"cargo.sz5: there is no 'italy'"),
    ({"treasury": {"italy": 3}}, "treasury: there is no 'italy'"),
    ({"phase": "mobilize", "bought": {"elephant": 1}}, "bought: there is no 'elephant'"),
    # Units where they cannot be.
    ({"units": {"sz5": {"germany": {"tank": 1}}}}, "tank cannot be in sz5"),
    ({"units": {"russia": {"soviet_union": {"submarine": 1}}}}, "submarine cannot be in russia"),
    ({"units": {"poland": {"soviet_union": {"tank": 1}}}}, "soviet_union cannot have units in"),
    ({"control": {"poland": "soviet_union"}}, "germany cannot have units in territory of"),
    ({"units": {"sz5": {"germany": {"fighter": 1}}}}, "sz5: there are more fighters than decks"),
    ({"units": {"sz7": {"united_kingdom": {"fighter": 1}}}}, "sz7: .* more fighters than decks"),
    ({"units": {"sz53": {"united_states": {"fighter": 3}}}}, "sz53: .* more fighters than decks"),
    ({"units": {"sz4": {"soviet_union": {"fighter": 1}}}}, "sz4: .* more fighters than decks"),
    ({"units": {"sz37": {"japan": {"bomber": 1}}}}, "sz37: a bomber cannot stay at sea"),
    ({"units": {"sz4": {"soviet_union": {"bomber": 1}}}}, "sz4: a bomber cannot stay at sea"),
    # Industrial complexes.
    ({"units": {"egypt": {"united_kingdom": {"industrial_complex": 2}}}}, "one industrial complex"),
    ({"units": {"egypt": {"united_kingdom": {"industrial_complex": [{}]}}}}, "one industrial"),
    ({"units": {"sz5": {"germany": {"industrial_complex": 1}}}}, "one industrial complex"),
    ({"units": {"egypt": {"germany": {"industrial_complex": 1}}}}, "does not belong to germany"),
    ({"units": {"gibraltar": {"united_kingdom": {"industrial_complex": 1}}}}, "no income value"),
    ({"damage": {"egypt": 1}}, "damage.egypt: there is no industrial complex"),
    ({"damage": {"japan": 17}}, "damage.japan: at most 16 points, not 17"),
    # What units have done.
    ({"units": {"russia": {"soviet_union": {"tank": [{"duty": "lazy"}]}}}}, "'lazy'"),
    ({"units": {"russia": {"soviet_union": {"tank": [{"duty": "raid"}]}}}}, "raid"),
    ({"units": {"russia": {"soviet_union": {"tank": [{"duty": "landed"}]}}}}, "landed"),
    ({"units": {"russia": {"soviet_union": {"fighter": [{"duty": "bombed"}]}}}}, "bombed"),
    (
        {
            "phase": "combat_move",
            "units": {"russia": {"soviet_union": {"bomber": [{"duty": "raid"}]}}},
        },
        "no enemy complex",
    ),
    ({"units": {"russia": {"soviet_union": {"tank": [{"used": 1}]}}}}, "nothing has moved"),
    *(
        (
            {
                "phase": phase,
                "units": {space: {"soviet_union": {type_: [{"duty": duty}]}}},
            },
            f"nothing is {duty} in the phase {phase}",
        )
        for phase, space, type_, duty in (
            ("combat_move", "russia", "tank", "fought"),
            ("combat_move", "russia", "fighter", "landed"),
            ("conduct_combat", "russia", "fighter", "landed"),
            ("conduct_combat", "russia", "tank", "moved"),
            ("combat_move", "sz4", "submarine", "submerged"),
            ("noncombat_move", "sz4", "battleship", "damaged"),
            ("noncombat_move", "russia", "bomber", "raid"),
            ("noncombat_move", "russia", "fighter", "new"),
        )
    ),
    (
        {
            "phase": "conduct_combat",
            "units": {"sz4": {"soviet_union": {"battleship": [{"duty": "damaged"}]}}},
        },
        "nothing is damaged outside a battle",
    ),
    ({"control_at_start": {"poland": "soviet_union"}}, "nothing is lost to the enemy"),
    *(
        (
            {"phase": phase, "units": {"finland": {"soviet_union": {"infantry": [piece]}}}},
            "soviet_union cannot have units in",
        )
        for phase, piece in (
            ("combat_move", {}),
            ("conduct_combat", {"used": 1, "duty": "fought"}),
            ("noncombat_move", {"used": 1}),
        )
    ),
    ({"placed": {"russia": 1}}, "placed: nothing has been placed"),
    ({"phase": "mobilize", "placed": {"mars": 1}}, "placed: there is no 'mars'"),
    ({"phase": "mobilize", "new_complexes": ["egypt"]}, "new_complexes: there is no 'egypt'"),
    ({"ignored": ["russia"]}, "ignored: there is no 'russia'"),
    ({"refused": ["russia"]}, "refused: there is no 'russia'"),
    ({"battle": {"at": "russia"}}, "no battle is fought in russia"),
    ({"phase": "conduct_combat", "battle": {"at": "mars"}}, "battle.at: there is no 'mars'"),
    ({"phase": "conduct_combat", "battle": {"at": "poland"}}, "no battle is fought in poland"),
    ({"units": {"russia": {"soviet_union": {"tank": [{"used": 3}]}}}}, "a tank moves 2"),
    ({"units": {"russia": {"soviet_union": {"tank": [{"origin": "italy"}]}}}}, "'italy'"),
    ({"units": {"poland": {"germany": {"tank": [{"used": 1}]}}}}, "not the turn of germany"),
    ({"units": {"poland": {"germany": {"tank": [{"duty": "moved"}]}}}}, "not the turn of germany"),
    # Cargo.
    (
        {"cargo": {"sz5": {"germany": [{"ship": "transport", "load": {"germany": {"tank": 2}}}]}}},
        "a transport cannot carry that",
    ),
    (
        {
            "cargo": {
                "sz5": {"germany": [{"ship": "transport", "load": {"germany": {"infantry": 3}}}]}
            }
        },
        "a transport cannot carry that",
    ),
    (
        {
            "cargo": {
                "sz5": {"germany": [{"ship": "transport", "load": {"germany": {"fighter": 1}}}]}
            }
        },
        "a transport cannot carry that",
    ),
    (
        {"cargo": {"sz5": {"germany": [{"ship": "transport", "load": {"italy": {"tank": 1}}}]}}},
        "there is no 'italy'",
    ),
    (
        {
            "cargo": {
                "sz5": {"germany": [{"ship": "transport", "load": {"soviet_union": {"tank": 1}}}]}
            }
        },
        "there is no 'soviet_union'",
    ),
    (
        {
            "cargo": {
                "sz5": {"germany": [{"ship": "transport", "load": {"japan": {"elephant": 1}}}]}
            }
        },
        "there is no 'elephant'",
    ),
    (
        {
            "cargo": {
                "sz5": {
                    "germany": [
                        {"ship": "transport", "load": {"germany": {"tank": 1}}},
                        {"ship": "transport", "load": {"germany": {"tank": 1}}},
                    ]
                }
            }
        },
        "no empty 'transport' of germany in sz5",
    ),
    (
        {"cargo": {"sz5": {"germany": [{"ship": "cruiser", "load": {"japan": {"fighter": 1}}}]}}},
        "a cruiser cannot carry that",
    ),
    (
        {
            "cargo": {
                "sz37": {
                    "japan": [{"ship": "aircraft_carrier", "load": {"germany": {"infantry": 1}}}]
                }
            }
        },
        "a aircraft_carrier cannot carry that",
    ),
    (
        {
            "cargo": {
                "sz37": {
                    "japan": [{"ship": "aircraft_carrier", "load": {"germany": {"fighter": 1}}}]
                }
            }
        },
        "sz37: there are more fighters than decks",
    ),
    # The mobilization zone.
    ({"bought": {"tank": 1}}, "bought: .* purchase"),
    ({"phase": "collect_income", "bought": {"tank": 1}}, "bought: .* collect_income"),
    (
        {
            "base": "empty",
            "phase": "mobilize",
            "control": {"russia": "germany"},
            "bought": {"tank": 1},
        },
        "bought: soviet_union has lost its capital",
    ),
]


@pytest.mark.rule("aa1942:map.spaces", "aa1942:unit.sea.carry")
@pytest.mark.parametrize(("position", "problem"), BAD)
def test_positions_that_cannot_be(position: dict[str, Any], problem: str) -> None:
    with pytest.raises(PositionError, match=problem):
        sandtable.new("aa1942", position=position)


def landing(target: str, phase: str = "conduct_combat", **load: Any) -> Table:
    """A British transport in sz6 that is to land in `target`."""
    hold = {"ship": "transport", "load": load or {"united_kingdom": {"infantry": 2}}}
    return table(
        "united_kingdom",
        phase,
        {"sz6": {"united_kingdom": "transport, cruiser"}, "norway": {"germany": "infantry"}},
        cargo={"sz6": {"united_kingdom": [{**hold, "target": target}]}},
    )


@pytest.mark.rule("aa1942:amphib.declare")
@pytest.mark.parametrize("phase", ["combat_move", "conduct_combat"])
def test_a_position_can_begin_with_an_announced_assault(phase: str) -> None:
    """It is the position that play comes to, and goes on like it."""
    t = landing("norway", phase)
    played = table(
        "united_kingdom",
        units={"sz6": {"united_kingdom": "transport, cruiser"}, "norway": {"germany": "infantry"}},
        cargo={"sz6": {"united_kingdom": [{"ship": "transport", "load": UK_INFANTRY}]}},
    ).do(sail("sz6", offload="norway"))
    if phase == "combat_move":
        assert t.game.hash == played.game.hash
        t.do(Done())
    assert t.asked == "united_kingdom choose_bombardment"
    t.do(Bombard({"sz6": {"cruiser": 1}})).dice(6).dice(1, 6).dice(6)
    assert t.s.control["norway"] == "united_kingdom"
    assert t.units("norway", "united_kingdom") == {"infantry": 2}


UK_INFANTRY = {"united_kingdom": {"infantry": 2}}


def test_only_what_can_be_landed_is_announced() -> None:
    gun = {"antiaircraft_artillery": 1, "infantry": 1}
    t = landing("norway", "combat_move", united_kingdom=gun)
    (ship,) = (u for u in t.s.stack("sz6") if u.type == "transport")
    assert [(p.type, p.duty) for p in ship.cargo] == [
        ("antiaircraft_artillery", ""),
        ("infantry", "assault"),
    ]
    for target, phase, load, problem in (
        ("egypt", "combat_move", {}, "cargo.sz6.united_kingdom.target: there is no 'egypt'"),
        ("united_kingdom", "combat_move", {}, "united_kingdom is not hostile"),
        ("norway", "noncombat_move", {}, "no assault is announced"),
        ("norway", "combat_move", {"united_states": {"infantry": 1}}, "nothing aboard"),
        (
            "norway",
            "combat_move",
            {"united_kingdom": {"antiaircraft_artillery": 1}},
            "nothing aboard",
        ),
    ):
        with pytest.raises(PositionError, match=problem):
            landing(target, phase, **load)


@pytest.mark.rule("aa1942:unit.battleship.two-hits", "aa1942:unit.battleship.repair")
def test_a_position_can_begin_in_the_middle_of_a_battle() -> None:
    """Both battleships have been hit once; the next hits sink them."""
    hit = {"battleship": [{"duty": "damaged"}]}
    t = table(
        "united_kingdom",
        "conduct_combat",
        {
            "sz6": {
                "united_kingdom": {
                    "battleship": [{"duty": "damaged", "used": 1, "origin": "sz7"}],
                    "submarine": [{"duty": "submerged", "used": 1, "origin": "sz7"}],
                },
                "germany": {**hit, "submarine": [{"duty": "submerged"}]},
            }
        },
        battle={"at": "sz6", "rounds": 2},
    )
    assert t.asked == "united_kingdom press_or_retreat"
    assert t.s.combat is not None
    assert (t.s.combat.round, t.s.combat.origins) == (2, ("sz7",))
    t.do(Press()).dice(1).dice(6)
    assert t.units("sz6", "germany") == {"submarine": 1}
    (ship,) = (u for u in t.s.stack("sz6") if u.type == "battleship")
    assert ship.duty == "fought"
    t.refused(move("submarine", "sz6 > sz7"), "noncombat.eligible")
    t.do(Done())
    assert {u.duty for u in t.s.stack("sz6")} == {""}  # the turn is over: all come up again


@pytest.mark.rule("aa1942:amphib.land.seaborne-no-retreat")
def test_a_position_can_begin_in_the_land_battle_of_an_assault() -> None:
    t = table(
        "united_kingdom",
        "conduct_combat",
        {
            "norway": {
                "united_kingdom": {"infantry": [{"used": 1, "duty": "seaborne"}]},
                "germany": "infantry",
            }
        },
        battle={"at": "norway"},
    )
    assert (t.s.step, t.s.battle) == ("assaults", "norway")
    t.dice(1).dice(6)  # nobody asks about a retreat
    assert t.s.control["norway"] == "united_kingdom"


def test_a_position_can_begin_between_two_combat_moves() -> None:
    units = {
        "egypt": {"germany": {"infantry": [{"used": 1, "origin": "libya"}]}},
        "libya": {"germany": "infantry"},
    }
    t = table("germany", "combat_move", units)
    assert t.asked == "germany combat_move"
    played = table("germany", "combat_move", {"libya": {"germany": "2 infantry"}})
    played.do(move("infantry", "libya > egypt"))
    assert t.game.hash == played.game.hash
    t.do(move("infantry", "libya > egypt"), Done())
    assert t.s.control["egypt"] == "germany"


def test_a_position_can_begin_in_the_middle_of_placing_units() -> None:
    t = table(
        "germany",
        "mobilize",
        bought={"infantry": 10},
        placed={"italy": 2, "germany": 9},
        units={"france": {"germany": {"industrial_complex": 1}}},
        new_complexes=["france"],
    )
    t.refused(Place("italy", {"infantry": 2}), "mobilize.limit.value")
    t.refused(Place("france", {"infantry": 1}), "mobilize.ic.not-new")
    t.do(Place("italy", {"infantry": 1}), Place("germany", {"infantry": 1}), Done())
    assert t.events("refunded")[0]["units"] == {"infantry": 8}


@pytest.mark.rule("aa1942:unit.carrier.capacity", "aa1942:noncombat.air.new-carrier")
@pytest.mark.parametrize("phase", ["noncombat_move", "mobilize"])
def test_own_fighters_wait_for_a_new_carrier_beside_an_allys_guest(phase: str) -> None:
    """Play comes to this: the guest is aboard, one own fighter has a deck, one is in the air."""
    t = table(
        "united_states",
        phase,
        {
            "sz56": {
                "united_states": "aircraft_carrier, 2 fighter",
                "united_kingdom": "fighter",
            }
        },
        bought={"aircraft_carrier": 1},
    )
    assert t.cargo("sz56", "united_states") == [["united_kingdom fighter"]]
    if phase == "noncombat_move":
        t.do(Done())
    t.do(Place("sz56", {"aircraft_carrier": 1}))
    assert t.units("sz56", "united_states") == {"aircraft_carrier": 2, "fighter": 2}


def test_the_manual_names_every_field_of_a_position() -> None:
    manual = Path(__file__).parents[2] / "docs" / "games" / "aa1942.md"
    text = manual.read_text(encoding="utf-8").partition("## Custom positions")[2]
    for struct in (setup.Position, setup.Piece, setup.Hold, setup.Fight):
        for field in struct.__struct_fields__:
            assert f"`{field}`" in text, field
    for duty in setup.DUTIES:
        assert not duty or f"`{duty}`" in text, duty


def test_a_position_that_is_no_mapping_or_no_file(tmp_path: Path) -> None:
    for bad in ([1, 2], 5):
        with pytest.raises(PositionError, match="mapping"):
            sandtable.new("aa1942", position=bad)  # type: ignore[arg-type]
    with pytest.raises(PositionError, match="cannot be read"):
        sandtable.new("aa1942", position=tmp_path / "nowhere.yaml")


@pytest.mark.rule("aa1942:order.phases")
@pytest.mark.parametrize(
    ("phase", "asked"),
    [
        ("purchase", "germany purchase"),
        ("combat_move", "germany combat_move"),
        ("conduct_combat", "germany noncombat_move"),
        ("noncombat_move", "germany noncombat_move"),
        ("mobilize", "united_kingdom purchase"),
        ("collect_income", "united_kingdom purchase"),
    ],
)
def test_a_position_can_begin_in_any_phase(phase: str, asked: str) -> None:
    t = table("germany", phase, treasury={"germany": 0})
    assert t.asked == asked
    if t.s.turn == "germany":
        while t.s.turn == "germany":
            pass_phase(t)
    assert t.s.treasury["germany"] == 41
