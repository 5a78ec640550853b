"""Capturing and liberating territories and capitals (p.18-20)."""

from __future__ import annotations

import pytest

from sandtable.games.aa1942.rules.spaces import production
from sandtable.games.aa1942.rules.victory import cities_held
from tests.aa1942.table import (
    Buy,
    Casualties,
    Done,
    Fight,
    Move,
    Place,
    Retreat,
    Sail,
    Table,
    move,
    sail,
    table,
)
from tests.aa1942.turns import pass_to, pass_turn, pass_turns

# Conclude combat.


@pytest.mark.rule(
    "aa1942:combat.conclude.capture",
    "aa1942:unit.land.capture",
    "aa1942:combat.conclude.production",
)
@pytest.mark.parametrize("unit", ["infantry", "artillery", "tank"])
@pytest.mark.parametrize("defended", [True, False])
def test_a_surviving_land_unit_takes_the_territory_at_once(unit: str, defended: bool) -> None:
    units = {"ukraine_ssr": {"germany": f"2 {unit}"}}
    if defended:
        units["caucasus"] = {"soviet_union": "2 infantry"}
    t = table("germany", units=units)
    t.do(move(f"2 {unit}", "ukraine_ssr > caucasus"))
    assert t.s.control["caucasus"] == "soviet_union"
    assert (production(t.s, "germany"), production(t.s, "soviet_union")) == (41, 24)
    t.do(Done())
    if defended:
        t.dice(1, 1).dice(1, 6)
    assert t.asked == "germany noncombat_move"
    assert t.units("caucasus", "germany") == {unit: 1 if defended else 2}
    assert t.s.control["caucasus"] == "germany"
    assert (production(t.s, "germany"), production(t.s, "soviet_union")) == (45, 20)


@pytest.mark.rule("aa1942:combat.conclude.capture")
def test_while_a_defender_is_left_nothing_is_captured() -> None:
    t = table(
        "germany",
        units={"ukraine_ssr": {"germany": "3 tank"}, "caucasus": {"soviet_union": "2 infantry"}},
    )
    t.do(move("3 tank", "ukraine_ssr > caucasus"), Done()).dice(1, 6, 6).dice(6, 6)
    assert t.s.control["caucasus"] == "soviet_union"
    t.do(Retreat("ukraine_ssr"))
    assert t.s.control["caucasus"] == "soviet_union"
    assert production(t.s, "germany") == 41


@pytest.mark.rule("aa1942:combat.conclude.capture")
def test_if_both_sides_are_destroyed_the_defender_keeps_the_territory() -> None:
    t = table(
        "germany",
        units={"ukraine_ssr": {"germany": "tank"}, "caucasus": {"soviet_union": "infantry"}},
    )
    t.do(move("tank", "ukraine_ssr > caucasus"), Done()).dice(1).dice(1)
    assert not t.s.at
    assert t.s.control["caucasus"] == "soviet_union"


@pytest.mark.rule("aa1942:combat.conclude.air-no-capture", "aa1942:unit.land.capture")
@pytest.mark.parametrize("plane", ["fighter", "bomber"])
def test_aircraft_alone_empty_a_territory_and_do_not_take_it(plane: str) -> None:
    t = table(
        "germany",
        units={
            "ukraine_ssr": {"germany": f"{plane}, infantry"},
            "caucasus": {"soviet_union": "infantry"},
        },
    )
    t.do(move("infantry", "ukraine_ssr > caucasus"), move(plane, "ukraine_ssr > caucasus"), Done())
    t.dice(6, 1).dice(1).do(Casualties({"germany": {"infantry": 1}}))
    assert t.units("caucasus", "germany") == {plane: 1}
    assert t.units("caucasus", "soviet_union") == {}
    assert t.s.control["caucasus"] == "soviet_union"
    assert production(t.s, "soviet_union") == 24
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move(plane, "caucasus > ukraine_ssr"))
    t.do(Done())
    assert t.s.control["caucasus"] == "soviet_union"


@pytest.mark.rule("aa1942:combat.conclude.air-no-capture")
def test_aircraft_have_nothing_to_do_in_an_empty_territory() -> None:
    t = table("germany", units={"ukraine_ssr": {"germany": "fighter, bomber"}})
    for plane in ("fighter", "bomber"):
        t.refused(move(plane, "ukraine_ssr > caucasus"), "combat-move.purpose")


@pytest.mark.rule("aa1942:unit.land.capture")
def test_antiaircraft_artillery_never_takes_a_territory() -> None:
    t = table(
        "germany",
        units={"ukraine_ssr": {"germany": "antiaircraft_artillery"}},
    )
    t.refused(move("antiaircraft_artillery", "ukraine_ssr > caucasus"))
    t = table("germany", "noncombat_move", {"ukraine_ssr": {"germany": "antiaircraft_artillery"}})
    t.refused(move("antiaircraft_artillery", "ukraine_ssr > caucasus"), "noncombat.land")


@pytest.mark.rule("aa1942:unit.land.capture")
def test_antiaircraft_artillery_from_a_transport_takes_nothing_either() -> None:
    units = {"sz16": {"germany": "transport"}}
    load = {"ship": "transport", "load": {"germany": {"antiaircraft_artillery": 1, "infantry": 1}}}
    t = table("germany", units=units, cargo={"sz16": {"germany": [load]}})
    t.refused(sail("sz16", offload="caucasus", units={"antiaircraft_artillery": 1}))
    t.do(sail("sz16", offload="caucasus"), Done())
    assert t.s.control["caucasus"] == "germany"
    assert t.units("caucasus", "germany") == {"infantry": 1}
    assert t.cargo("sz16", "germany") == [["germany antiaircraft_artillery"]]


@pytest.mark.rule("aa1942:unit.land.capture", "aa1942:unit.sea.scope")
@pytest.mark.parametrize("ship", ["battleship", "cruiser", "transport", "submarine"])
def test_ships_take_no_island(ship: str) -> None:
    t = table("united_states", units={"sz53": {"united_states": ship}})
    t.refused(move(ship, "sz53 > sz52 > wake_island"), "unit.sea.scope")
    t.refused(move(ship, "sz53 > sz52"), "combat-move.purpose")
    t.do(Done(), move(ship, "sz53 > sz52"), Done())
    assert t.s.control["wake_island"] == "japan"


@pytest.mark.rule("aa1942:combat.conclude.ic")
@pytest.mark.parametrize("damage", [0, 3, 8])
def test_a_complex_falls_with_its_territory_and_keeps_its_damage(damage: int) -> None:
    t = table(
        "germany",
        "purchase",
        {"ukraine_ssr": {"germany": "infantry"}},
        damage={"caucasus": damage},
        treasury={"soviet_union": 24},
    )
    t.do(Buy({"infantry": 1}), move("infantry", "ukraine_ssr > caucasus"), Done(), Done())
    assert t.s.complexes["caucasus"] == damage
    t.refused(Place("caucasus", {"infantry": 1}), "mobilize.ic.not-new")
    pass_turns(t, "soviet_union")
    if damage:
        t.refused(Buy(repairs={"caucasus": 1}), "purchase.repair.cost")
    t.do(Buy({"infantry": 1}))
    pass_to(t, "mobilize")
    t.refused(Place("caucasus", {"infantry": 1}), "mobilize.where")
    pass_turns(t, "germany")
    assert t.request.damaged == ({"caucasus": damage} if damage else {})


@pytest.mark.rule("aa1942:combat.conclude.ic")
def test_a_captured_complex_can_be_raided_by_its_former_owner() -> None:
    t = table(
        "soviet_union",
        units={"russia": {"soviet_union": "bomber"}},
        control={"caucasus": "germany"},
        damage={"caucasus": 2},
    )
    t.do(move("bomber", "russia > caucasus", raid=True), Done()).dice(6).dice(3)
    assert t.s.complexes["caucasus"] == 5


@pytest.mark.rule("aa1942:combat.conclude.production")
def test_a_blitz_moves_the_production_levels_twice() -> None:
    units = {"ukraine_ssr": {"germany": "tank"}}
    t = table("germany", units=units, control={"west_russia": "soviet_union"})
    assert (production(t.s, "germany"), production(t.s, "soviet_union")) == (39, 26)
    t.do(move("tank", "ukraine_ssr > west_russia > archangel"))
    assert (production(t.s, "germany"), production(t.s, "soviet_union")) == (41, 24)
    t.do(Done())
    assert (production(t.s, "germany"), production(t.s, "soviet_union")) == (42, 23)


# Liberating a territory.


@pytest.mark.rule("aa1942:liberate.original-controller")
@pytest.mark.parametrize(
    ("power", "here", "there", "holder", "owner"),
    [
        ("united_kingdom", "archangel", "karelia_ssr", "germany", "soviet_union"),
        ("united_states", "trans_jordan", "egypt", "germany", "united_kingdom"),
        ("soviet_union", "kazakh_ssr", "szechwan", "japan", "united_states"),
        ("japan", "poland", "ukraine_ssr", "soviet_union", "germany"),
        ("germany", "manchuria", "kiangsu", "united_states", "japan"),
    ],
)
def test_an_allys_territory_is_given_back(
    power: str, here: str, there: str, holder: str, owner: str
) -> None:
    t = table(power, units={here: {power: "infantry"}}, control={there: holder})
    mine, theirs = production(t.s, power), production(t.s, owner)
    value = t.s.facts.spaces[there].ipc
    t.do(move("infantry", f"{here} > {there}"), Done())
    assert t.s.control[there] == owner
    assert (production(t.s, power), production(t.s, owner)) == (mine, theirs + value)
    assert t.units(there, power) == {"infantry": 1}


@pytest.mark.rule("aa1942:liberate.original-controller")
def test_a_power_that_retakes_its_own_territory_keeps_it() -> None:
    t = table(
        "soviet_union",
        units={"archangel": {"soviet_union": "infantry"}},
        control={"karelia_ssr": "germany"},
    )
    t.do(move("infantry", "archangel > karelia_ssr"), Done())
    assert t.s.control["karelia_ssr"] == "soviet_union"


@pytest.mark.rule("aa1942:liberate.original-controller")
def test_enemy_territory_is_kept_even_if_an_ally_held_it_before() -> None:
    """Ukraine is German by its emblem: the captor keeps it, whoever lost it last."""
    t = table(
        "united_kingdom",
        units={"caucasus": {"united_kingdom": "infantry"}},
        control={"ukraine_ssr": "japan"},
    )
    t.do(move("infantry", "caucasus > ukraine_ssr"), Done())
    assert t.s.control["ukraine_ssr"] == "united_kingdom"


@pytest.mark.rule("aa1942:liberate.original-controller")
def test_a_blitz_frees_the_territory_it_passes() -> None:
    t = table(
        "united_kingdom",
        units={"karelia_ssr": {"united_kingdom": "tank"}},
        control={"archangel": "germany"},
    )
    t.do(move("tank", "karelia_ssr > archangel > west_russia"))
    assert t.s.control["archangel"] == "soviet_union"
    t.do(Done())
    assert t.s.control["west_russia"] == "united_kingdom"


@pytest.mark.rule("aa1942:liberate.capital-lost", "aa1942:liberate.original-controller")
@pytest.mark.parametrize(
    ("captor", "keeper"), [("united_kingdom", "united_kingdom"), ("soviet_union", "soviet_union")]
)
def test_with_the_capital_lost_the_captor_keeps_the_territory(captor: str, keeper: str) -> None:
    t = table(
        captor,
        units={"archangel": {captor: "infantry"}},
        control={"russia": "germany", "karelia_ssr": "germany"},
    )
    before = production(t.s, keeper)
    t.do(move("infantry", "archangel > karelia_ssr"), Done())
    assert t.s.control["karelia_ssr"] == keeper
    assert production(t.s, keeper) == before + 2


@pytest.mark.rule("aa1942:liberate.capital-lost")
def test_another_allys_lost_capital_does_not_matter() -> None:
    t = table(
        "united_states",
        units={"archangel": {"united_states": "infantry"}},
        control={"united_kingdom": "germany", "karelia_ssr": "germany"},
    )
    t.do(move("infantry", "archangel > karelia_ssr"), Done())
    assert t.s.control["karelia_ssr"] == "soviet_union"


@pytest.mark.rule("aa1942:liberate.capital-lost", "aa1942:capital.liberate.revert")
@pytest.mark.parametrize("order", [("karelia_ssr", "russia"), ("russia", "karelia_ssr")])
def test_a_capital_freed_in_the_same_turn_counts_whatever_the_order(order: tuple[str, str]) -> None:
    t = table(
        "united_kingdom",
        units={"archangel": {"united_kingdom": "2 infantry"}},
        control={"russia": "germany", "karelia_ssr": "germany"},
    )
    t.do(move("infantry", "archangel > karelia_ssr"), move("infantry", "archangel > russia"))
    t.do(Done(), Fight(order[0]))
    assert [event["space"] for event in t.events("captured")] == list(order)
    assert t.asked == "united_kingdom noncombat_move"
    assert t.s.control["karelia_ssr"] == t.s.control["russia"] == "soviet_union"
    before = t.s.treasury["united_kingdom"]
    t.do(Done())
    assert t.s.treasury["united_kingdom"] == before + 31


@pytest.mark.rule("aa1942:liberate.capital-lost")
def test_a_failed_attack_on_the_capital_leaves_the_territory_with_its_captor() -> None:
    t = table(
        "united_kingdom",
        units={"archangel": {"united_kingdom": "2 infantry"}, "russia": {"germany": "infantry"}},
        control={"russia": "germany", "karelia_ssr": "germany"},
    )
    t.do(move("infantry", "archangel > karelia_ssr"), move("infantry", "archangel > russia"))
    t.do(Done(), Fight("russia")).dice(6).dice(1)
    assert t.s.control["karelia_ssr"] == "united_kingdom"
    assert t.s.control["russia"] == "germany"


@pytest.mark.rule("aa1942:liberate.capital-lost.until", "aa1942:capital.liberate.revert")
def test_the_captor_uses_the_complex_until_the_capital_is_freed() -> None:
    t = table(
        "united_kingdom",
        "purchase",
        {
            "archangel": {"united_kingdom": "infantry"},
            "vologda": {"united_states": "infantry"},
        },
        control={"russia": "germany", "karelia_ssr": "germany"},
    )
    t.do(Buy({"infantry": 1}), move("infantry", "archangel > karelia_ssr"), Done(), Done())
    t.refused(Place("karelia_ssr", {"infantry": 1}), "mobilize.ic.not-new")
    pass_turns(t, "united_kingdom")
    t.do(Buy({"infantry": 2}))
    pass_to(t, "mobilize").do(Place("karelia_ssr", {"infantry": 2}))
    assert t.units("karelia_ssr", "united_kingdom") == {"infantry": 3}
    while t.s.turn != "united_states":
        pass_turn(t)
    t.do(Buy(), move("infantry", "vologda > russia"), Done())
    assert t.s.control["karelia_ssr"] == t.s.control["russia"] == "soviet_union"
    pass_turns(t, "united_kingdom")
    t.do(Buy({"infantry": 1}))
    pass_to(t, "mobilize")
    t.refused(Place("karelia_ssr", {"infantry": 1}), "mobilize.ic.not-ally")


@pytest.mark.rule("aa1942:liberate.capital-lost.until")
def test_the_captor_is_paid_for_the_territory_until_the_capital_is_freed() -> None:
    t = table(
        "united_kingdom",
        "noncombat_move",
        control={"russia": "germany", "karelia_ssr": "united_kingdom"},
        treasury={"united_kingdom": 0},
    )
    t.do(Done())
    assert t.s.treasury["united_kingdom"] == 33


# Capitals.

CAPITALS = {
    "soviet_union": ("russia", 8),
    "germany": ("germany", 10),
    "united_kingdom": ("united_kingdom", 8),
    "japan": ("japan", 8),
    "united_states": ("eastern_united_states", 12),
}


ROUTES: dict[str, tuple[str, Move | Sail]] = {
    "soviet_union": ("germany", move("infantry", "west_russia > russia")),
    "germany": ("united_kingdom", move("infantry", "poland > germany")),
    "united_kingdom": ("germany", sail("sz6", offload="united_kingdom")),
    "japan": ("united_states", sail("sz60", offload="japan")),
    "united_states": ("japan", move("infantry", "eastern_canada > eastern_united_states")),
}
"""Who takes the empty capital of a power, and how."""


def invade(victim: str, treasury: dict[str, int]) -> tuple[Table, str, int]:
    """A game just after a capital fell, its captor, and the captor's production level before."""
    captor, decision = ROUTES[victim]
    base = decision.path[0]
    if isinstance(decision, Sail):
        hold = {"ship": "transport", "load": {captor: {"infantry": 1}}}
        units, cargo = {base: {captor: "transport"}}, {base: {captor: [hold]}}
        t = table(captor, units=units, cargo=cargo, treasury=treasury)
    else:
        units = {base: {captor: "infantry"}}
        t = table(captor, units=units, control={base: captor}, treasury=treasury)
    before = production(t.s, captor)
    return t.do(decision, Done()), captor, before


@pytest.mark.rule(
    "aa1942:capital.capture.treasury", "aa1942:capital.list", "aa1942:capital.capture.income"
)
@pytest.mark.parametrize("victim", CAPITALS)
def test_the_captor_of_a_capital_takes_the_treasury_and_the_income(victim: str) -> None:
    powers = list(CAPITALS)
    treasury = {power: 10 + 2 * number for number, power in enumerate(powers)}
    capital, value = CAPITALS[victim]
    t, captor, before = invade(victim, treasury)
    assert t.s.control[capital] == captor
    after = dict(treasury)
    after[captor] += after[victim]
    after[victim] = 0
    assert t.s.treasury == after
    assert production(t.s, captor) == before + value
    assert t.events("plundered") == [{"against": victim, "power": captor, "ipcs": treasury[victim]}]


@pytest.mark.rule("aa1942:capital.capture.treasury")
def test_an_empty_treasury_gives_nothing() -> None:
    t, captor, _ = invade("soviet_union", {"soviet_union": 0, "germany": 5})
    assert t.s.control["russia"] == captor
    assert (t.s.treasury["germany"], t.s.treasury["soviet_union"]) == (5, 0)


@pytest.mark.rule("aa1942:capital.capture.treasury")
def test_the_treasury_is_the_original_controllers_whoever_held_the_capital() -> None:
    t = table(
        "germany",
        units={"west_russia": {"germany": "infantry"}},
        control={"russia": "united_kingdom"},
        treasury={"germany": 0, "soviet_union": 9, "united_kingdom": 20},
    )
    t.do(move("infantry", "west_russia > russia"), Done())
    assert t.s.treasury["germany"] == 9
    assert (t.s.treasury["soviet_union"], t.s.treasury["united_kingdom"]) == (0, 20)


@pytest.mark.rule("aa1942:capital.list", "aa1942:capital.capture.treasury")
@pytest.mark.parametrize(
    ("power", "here", "there"),
    [
        ("germany", "finland", "karelia_ssr"),  # a victory city is not a capital
        ("germany", "ukraine_ssr", "caucasus"),
        ("japan", "burma", "india"),
        ("united_kingdom", "germany", "italy"),
        ("united_kingdom", "germany", "france"),
        ("japan", "western_canada", "western_united_states"),
    ],
)
def test_no_other_territory_yields_money(power: str, here: str, there: str) -> None:
    t = table(power, units={here: {power: "infantry"}}, control={here: power})
    before = dict(t.s.treasury)
    t.do(move("infantry", f"{here} > {there}"), Done())
    assert t.s.control[there] == power
    assert t.s.treasury == before


@pytest.mark.rule("aa1942:capital.capture.treasury", "aa1942:capital.lost.phases")
def test_plunder_goes_even_to_a_power_without_its_capital() -> None:
    t = table(
        "soviet_union",
        units={"poland": {"soviet_union": "infantry"}},
        control={"russia": "germany", "poland": "soviet_union"},
        treasury={"soviet_union": 0, "germany": 22},
    )
    t.do(move("infantry", "poland > germany"), Done())
    assert t.s.control["germany"] == "soviet_union"
    assert (t.s.treasury["soviet_union"], t.s.treasury["germany"]) == (22, 0)
    # It cannot spend it, nor is it paid, while Moscow is German.
    t.do(Done())
    assert t.s.treasury["soviet_union"] == 22
    assert t.events("no_income") == [{"power": "soviet_union"}]
    pass_turns(t, "soviet_union")
    assert t.asked == "soviet_union combat_move"
    assert t.s.treasury["soviet_union"] == 22


@pytest.mark.rule("aa1942:capital.capture.treasury")
def test_a_blitz_through_an_undefended_capital_takes_its_treasury_at_once() -> None:
    t = table(
        "germany",
        units={
            "west_russia": {"germany": "tank"},
            "russia": {"soviet_union": "0 industrial_complex"},
        },
        treasury={"germany": 1, "soviet_union": 18},
    )
    t.do(move("tank", "west_russia > russia > caucasus"))
    assert t.s.control["russia"] == "germany"
    assert (t.s.treasury["germany"], t.s.treasury["soviet_union"]) == (19, 0)


@pytest.mark.rule("aa1942:capital.capture.treasury")
def test_a_capital_can_be_plundered_again_after_it_was_freed() -> None:
    t = table(
        "soviet_union",
        units={
            "vologda": {"soviet_union": "infantry"},
            "west_russia": {"germany": "2 tank"},
        },
        control={"russia": "germany"},
        treasury={"soviet_union": 4, "germany": 0},
    )
    t.do(move("infantry", "vologda > russia"), Done(), Done())
    held = t.s.treasury["soviet_union"]
    assert held == 4 + 24
    t.do(Buy(), move("2 tank", "west_russia > russia"), Done()).dice(1, 1).dice(6)
    assert (t.s.treasury["germany"], t.s.treasury["soviet_union"]) == (held, 0)


@pytest.mark.rule("aa1942:capital.lost.phases", "aa1942:income.capital")
@pytest.mark.parametrize("power", CAPITALS)
def test_without_its_capital_a_power_only_moves_and_fights(power: str) -> None:
    capital = CAPITALS[power][0]
    enemy = "united_kingdom" if power in ("germany", "japan") else "germany"
    t = table(power, "purchase", control={capital: enemy}, treasury={power: 50})
    assert t.asked == f"{power} combat_move"
    t.refused(Buy({"infantry": 1}))
    t.do(Done())
    assert t.asked == f"{power} noncombat_move"
    t.do(Done())
    assert t.s.turn != power
    assert t.s.treasury[power] == 50
    assert t.events("no_income") == [{"power": power}]


@pytest.mark.rule("aa1942:capital.lost.phases")
def test_without_its_capital_a_power_still_attacks_and_defends() -> None:
    t = table(
        "soviet_union",
        "purchase",
        {
            "archangel": {"soviet_union": "tank"},
            "west_russia": {"germany": "infantry"},
            "caucasus": {"soviet_union": "infantry"},
            "ukraine_ssr": {"germany": "infantry"},
        },
        control={"russia": "germany"},
    )
    t.do(move("tank", "archangel > west_russia"), Done()).dice(1).dice(6)
    assert t.s.control["west_russia"] == "soviet_union"
    t.do(Done(), Buy(), move("infantry", "ukraine_ssr > caucasus"), Done()).dice(6)
    assert t.request.dice == 1


@pytest.mark.rule("aa1942:capital.liberate.resume", "aa1942:income.capital")
def test_a_power_that_frees_its_capital_is_paid_in_that_turn() -> None:
    t = table(
        "soviet_union",
        "purchase",
        {"vologda": {"soviet_union": "infantry"}},
        control={
            "russia": "germany",
            "karelia_ssr": "united_kingdom",
            "caucasus": "germany",
        },
        treasury={"soviet_union": 3},
    )
    assert t.asked == "soviet_union combat_move"
    t.do(move("infantry", "vologda > russia"), Done())
    assert t.s.control["russia"] == t.s.control["karelia_ssr"] == "soviet_union"
    t.do(Done())
    assert t.s.treasury["soviet_union"] == 3 + 20
    pass_turns(t, "soviet_union")
    assert t.asked == "soviet_union purchase"


@pytest.mark.rule("aa1942:capital.liberate.resume", "aa1942:capital.lost.phases")
def test_a_power_freed_by_an_ally_buys_places_and_collects_again() -> None:
    t = table(
        "united_states",
        units={"vologda": {"united_states": "infantry"}},
        control={"russia": "germany", "karelia_ssr": "united_kingdom"},
        treasury={"soviet_union": 9},
    )
    t.do(move("infantry", "vologda > russia"), Done(), Done())
    assert t.asked == "soviet_union purchase"
    t.do(Buy({"infantry": 3}))
    pass_to(t, "mobilize").do(
        Place("russia", {"infantry": 1}), Place("karelia_ssr", {"infantry": 2})
    )
    assert t.s.treasury["soviet_union"] == 24


@pytest.mark.rule("aa1942:capital.liberate.revert")
def test_all_that_allies_hold_for_the_freed_power_reverts() -> None:
    control = {
        "russia": "germany",
        "karelia_ssr": "united_kingdom",
        "caucasus": "united_states",
        "yakut_ssr": "japan",
        "belorussia": "united_kingdom",  # German by its emblem
    }
    t = table(
        "united_kingdom",
        units={
            "archangel": {"united_kingdom": "infantry"},
            "caucasus": {"united_states": "tank"},
        },
        control=control,
        damage={"caucasus": 2, "russia": 5},
    )
    t.do(move("infantry", "archangel > russia"), Done())
    assert {land: t.s.control[land] for land in control} == {
        "russia": "soviet_union",
        "karelia_ssr": "soviet_union",
        "caucasus": "soviet_union",
        "yakut_ssr": "japan",
        "belorussia": "united_kingdom",
    }
    assert production(t.s, "soviet_union") == 23
    assert production(t.s, "united_kingdom") == 31 + 2
    assert production(t.s, "united_states") == 42
    assert (t.s.complexes["caucasus"], t.s.complexes["russia"]) == (2, 5)
    assert t.units("caucasus", "united_states") == {"tank": 1}


@pytest.mark.rule("aa1942:capital.liberate.revert")
def test_a_complex_that_an_ally_built_meanwhile_reverts_with_the_territory() -> None:
    t = table(
        "united_kingdom",
        "purchase",
        {
            "archangel": {"united_kingdom": "infantry"},
            "vologda": {"united_kingdom": "1 industrial_complex"},
        },
        control={"russia": "germany", "vologda": "united_kingdom"},
    )
    t.do(Buy(), move("infantry", "archangel > russia"), Done(), Done())
    pass_turns(t, "soviet_union")
    t.do(Buy({"infantry": 2}))
    pass_to(t, "mobilize").do(Place("vologda", {"infantry": 2}))
    assert t.units("vologda", "soviet_union") == {"infantry": 2}


@pytest.mark.rule("aa1942:capital.liberate.no-ipc")
@pytest.mark.parametrize("liberator", ["united_kingdom", "soviet_union"])
def test_freeing_a_capital_moves_no_money(liberator: str) -> None:
    t = table(
        liberator,
        units={"archangel": {liberator: "infantry"}},
        control={"russia": "germany"},
        treasury={"germany": 30, "soviet_union": 1, "united_kingdom": 2},
    )
    t.do(move("infantry", "archangel > russia"), Done())
    assert t.s.control["russia"] == "soviet_union"
    assert [event["recipient"] for event in t.events("captured")] == ["soviet_union"]
    assert not t.events("reverted")
    assert t.s.treasury["germany"] == 30
    assert (t.s.treasury["soviet_union"], t.s.treasury["united_kingdom"]) == (1, 2)
    assert not t.events("plundered")


@pytest.mark.rule("aa1942:capital.liberate.revert", "aa1942:capital.liberate.no-ipc")
def test_the_axis_free_their_capitals_by_the_same_rules() -> None:
    t = table(
        "japan",
        units={"poland": {"japan": "infantry"}},
        control={"germany": "united_kingdom", "italy": "japan", "france": "united_states"},
        treasury={"germany": 0, "united_kingdom": 25, "japan": 7},
    )
    t.do(move("infantry", "poland > germany"), Done())
    assert t.s.control["germany"] == t.s.control["italy"] == "germany"
    assert t.s.control["france"] == "united_states"
    assert (t.s.treasury["united_kingdom"], t.s.treasury["japan"]) == (25, 7)


# Victory cities and income.


@pytest.mark.rule("aa1942:victory-city.capture")
def test_cities_change_sides_with_their_territories() -> None:
    t = table(
        "germany",
        units={"finland": {"germany": "infantry"}, "poland": {"germany": "infantry"}},
    )
    assert cities_held(t.s) == {"allies": 6, "axis": 6}
    t.do(move("infantry", "finland > karelia_ssr"), Done())
    assert cities_held(t.s) == {"allies": 5, "axis": 7}


@pytest.mark.rule("aa1942:victory-city.capture")
def test_an_ally_that_takes_custody_of_a_city_holds_it_for_its_side() -> None:
    t = table(
        "united_kingdom",
        units={"archangel": {"united_kingdom": "infantry"}},
        control={"russia": "germany", "karelia_ssr": "germany"},
    )
    assert cities_held(t.s) == {"allies": 4, "axis": 8}
    t.do(move("infantry", "archangel > karelia_ssr"), Done())
    assert cities_held(t.s) == {"allies": 5, "axis": 7}


@pytest.mark.rule("aa1942:multi.income")
def test_units_of_an_ally_earn_nothing_where_they_stand() -> None:
    t = table(
        "united_states",
        "noncombat_move",
        {"egypt": {"united_states": "5 tank"}, "india": {"united_states": "infantry"}},
        treasury={"united_states": 0, "united_kingdom": 0},
    )
    t.do(Done())
    assert (t.s.treasury["united_states"], t.s.treasury["united_kingdom"]) == (42, 0)
