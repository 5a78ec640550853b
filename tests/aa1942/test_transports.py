"""Transports: loading, sailing, landing, and whose turn it takes (p.13, p.20, p.30)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.aa1942.table import Done, Engage, Retreat, Table, move, sail, table
from tests.aa1942.turns import pass_to, pass_turns

UK, US = "united_kingdom", "united_states"


def hold(zone: str, owner: str, *loads: dict[str, dict[str, int]]) -> dict[str, Any]:
    """The cargo of transports in a zone, each power to type to number."""
    return {zone: {owner: [{"ship": "transport", "load": load} for load in loads]}}


def british(phase: str = "noncombat_move", **units: Any) -> Table:
    """A British transport in sz7 and units in the United Kingdom to go aboard."""
    position = {key: units.pop(key) for key in ("cargo", "control") if key in units}
    board = {
        "sz7": {UK: "transport"},
        UK: {UK: "3 infantry, artillery, tank, antiaircraft_artillery"},
        **units,
    }
    return table(UK, phase, board, **position)


# --- capacity and loading -----------------------------------------------------------------------


@pytest.mark.rule("aa1942:unit.transport.capacity")
def test_what_is_aboard_counts_whosever_it_is() -> None:
    t = british(cargo=hold("sz7", UK, {US: {"tank": 1}}))
    for load in ("tank", "artillery", "antiaircraft_artillery", "2 infantry"):
        t.refused(sail("sz7", f"{load} from {UK} in sz7"), "unit.transport.capacity")
    t.do(sail("sz7", f"infantry from {UK} in sz7"))
    assert t.cargo("sz7", UK) == [[f"{UK} infantry", f"{US} tank"]]
    t = british(cargo=hold("sz7", UK, {US: {"infantry": 1}}))
    t.do(sail("sz7", f"tank from {UK} in sz7"))


@pytest.mark.rule("aa1942:unit.transport.load-two")
def test_loading_before_during_and_after_the_move() -> None:
    """One in the first zone, another in the last; or both in the middle, from two shores."""
    t = table(
        "japan",
        "noncombat_move",
        {
            "sz61": {"japan": "transport"},
            "kiangsu": {"japan": "infantry"},
            "manchuria": {"japan": "tank"},
        },
    )
    t.do(sail("sz61 > sz62", "infantry from kiangsu in sz61", "tank from manchuria in sz62"))
    assert t.cargo("sz62", "japan") == [["japan infantry", "japan tank"]]
    t = table(
        "germany",
        "noncombat_move",
        {
            "sz13": {"germany": "transport"},
            "france": {"germany": "infantry"},
            "algeria": {"germany": "artillery"},
        },
    )
    t.do(
        sail(
            "sz13 > sz14 > sz15",
            "infantry from france in sz14",
            "artillery from algeria in sz14",
            offload="libya",
        )
    )
    assert t.units("libya", "germany") == {"infantry": 1, "artillery": 1}


@pytest.mark.rule("aa1942:unit.transport.load-two", "aa1942:amphib.definition")
def test_loading_twice_on_the_way_to_an_assault() -> None:
    t = table(
        "japan",
        units={
            "sz61": {"japan": "transport"},
            "kiangsu": {"japan": "infantry"},
            "manchuria": {"japan": "infantry"},
        },
    )
    t.do(
        sail(
            "sz61 > sz62 > sz63",
            "infantry from kiangsu in sz61",
            "infantry from manchuria in sz62",
            offload="soviet_far_east",
        ),
        Done(),
    )
    assert t.s.control["soviet_far_east"] == "japan"
    assert t.units("soviet_far_east", "japan") == {"infantry": 2}


@pytest.mark.rule("aa1942:unit.transport.load-two")
def test_loading_from_three_territories_is_too_much() -> None:
    shores = ("france", "algeria", "morocco")
    t = table(
        "germany",
        "noncombat_move",
        {"sz14": {"germany": "transport"}, **{land: {"germany": "infantry"} for land in shores}},
    )
    loads = [f"infantry from {land} in sz14" for land in shores]
    t.refused(sail("sz14", *loads), "unit.transport.load-two")
    t.do(sail("sz14", *loads[:2]))


@pytest.mark.rule("aa1942:unit.transport.load-two", "aa1942:transport.load.friendly-zone")
def test_loading_only_from_shores_of_zones_on_the_route() -> None:
    t = british(eastern_canada={UK: "infantry"})
    t.refused(sail("sz7", "infantry from eastern_canada in sz7"), "map.adjacency")
    t.refused(sail("sz7", "infantry from eastern_canada in sz10"))
    t.refused(sail("sz7", "infantry from iceland in sz7"))
    t.do(
        sail(
            "sz7 > sz2 > sz10", f"infantry from {UK} in sz7", "infantry from eastern_canada in sz10"
        )
    )
    assert t.cargo("sz10", UK) == [[f"{UK} infantry"] * 2]


@pytest.mark.rule("aa1942:transport.load.friendly-zone", "aa1942:unit.transport.hostile")
@pytest.mark.parametrize("warship", ["battleship", "aircraft_carrier", "cruiser", "destroyer"])
def test_no_loading_or_offloading_beside_surface_warships(warship: str) -> None:
    for enemy, legal in ((warship, False), ("submarine", True), ("transport", True)):
        board: dict[str, Any] = {"sz7": {US: "2 transport", "germany": enemy}}
        cargo = hold("sz7", US, {UK: {"infantry": 1}})
        load = sail("sz7", f"infantry from {UK} in sz7", owner=US)
        land = sail("sz7", offload=UK, owner=US, cargo={"infantry": 1})
        t = british(cargo=cargo, **board)
        if legal:
            t.do(load, land)
        else:
            t.refused(load, "unit.transport.hostile")
            t.refused(land, "unit.transport.hostile")


@pytest.mark.rule("aa1942:unit.transport.hostile", "aa1942:transport.load.friendly-zone")
def test_no_loading_in_a_hostile_zone_that_ends_the_route() -> None:
    t = british("combat_move", sz6={"germany": "cruiser"}, sz8={UK: "destroyer"})
    t.do(move("destroyer", "sz8 > sz6"))
    t.refused(
        sail("sz7 > sz6", f"infantry from {UK} in sz6", offload="norway"), "unit.transport.hostile"
    )
    t.do(sail("sz7 > sz6", f"infantry from {UK} in sz7", offload="norway"))


@pytest.mark.rule("aa1942:unit.transport.land-move-used")
def test_loading_and_offloading_are_a_land_units_whole_move() -> None:
    t = british(control={"norway": UK, "finland": UK})
    t.do(sail("sz7 > sz6", f"tank, infantry from {UK} in sz7", offload="norway"))
    t.refused(move("tank", "norway > finland"), "noncombat.eligible")
    t.refused(move("infantry", "norway > finland"), "noncombat.eligible")


@pytest.mark.rule("aa1942:unit.transport.land-move-used")
def test_who_was_landed_is_not_loaded_again_and_who_fought_neither() -> None:
    t = british(
        control={"norway": UK},
        sz6={UK: "transport"},
        norway={UK: {"infantry": [{"used": 1, "duty": "fought"}]}},
    )
    t.refused(sail("sz6", "infantry from norway in sz6"), "unit.transport.land-move-used")
    t.do(sail("sz7 > sz6", f"artillery from {UK} in sz7", offload="norway"))
    t.refused(sail("sz6", "artillery from norway in sz6"), "unit.transport.land-move-used")


# --- bridging and offloading --------------------------------------------------------------------


@pytest.mark.rule("aa1942:unit.transport.bridge")
def test_bridging_in_an_assault() -> None:
    t = british("combat_move", sz6={UK: "transport"}, norway={"germany": "infantry"})
    t.refused(
        sail("sz6", f"tank, artillery from {UK} in sz6", offload="norway"),
        "unit.transport.capacity",
    )
    t.do(sail("sz6", f"tank, infantry from {UK} in sz6", offload="norway"), Done())
    assert t.rolling == "attack in norway: 1 infantry at 1, 1 tank at 3"


@pytest.mark.rule("aa1942:unit.transport.bridge")
def test_bridging_both_from_and_to_the_same_zone_keeps_the_limits() -> None:
    t = table(
        "germany",
        "noncombat_move",
        {"sz14": {"germany": "transport"}, "france": {"germany": "4 infantry"}},
    )
    t.refused(
        sail("sz14", "3 infantry from france in sz14", offload="algeria"), "unit.transport.capacity"
    )
    t.do(sail("sz14", "2 infantry from france in sz14", offload="morocco"))
    t.refused(
        sail("sz14", "2 infantry from france in sz14", offload="morocco"),
        "unit.transport.offload-final",
    )


@pytest.mark.rule("aa1942:unit.transport.noncombat-offload")
@pytest.mark.parametrize("number", [1, 2])
def test_any_number_aboard_is_landed(number: int) -> None:
    t = british(cargo=hold("sz7", UK, {UK: {"infantry": 2}}))
    t.do(sail("sz7", offload=UK, units={"infantry": number}))
    assert t.units(UK, UK)["infantry"] == 3 + number
    assert t.cargo("sz7", UK) == [[f"{UK} infantry"] * (2 - number)]
    t.refused(sail("sz7", offload=UK), "unit.transport.offload-final")


@pytest.mark.rule("aa1942:unit.transport.noncombat-offload")
def test_landing_in_an_allys_and_in_a_newly_captured_territory() -> None:
    t = british(
        sz4={UK: "transport"},
        cargo={**hold("sz4", UK, {UK: {"tank": 1}}), **hold("sz7", UK, {UK: {"infantry": 1}})},
        control={"norway": UK},
    )
    t.do(sail("sz4", offload="archangel"), sail("sz7 > sz6", offload="norway"))
    assert t.units("archangel", UK) == {"tank": 1}
    assert t.s.control["archangel"] == "soviet_union"
    assert t.units("norway", UK) == {"infantry": 1}


@pytest.mark.rule("aa1942:unit.transport.one-territory")
def test_one_transport_serves_one_shore_each_turn() -> None:
    two = {UK: {"infantry": 2}}
    t = british(
        sz8={UK: "2 transport"},
        cargo=hold("sz8", UK, two, two),
        control={"france": UK, "northwestern_europe": UK},
    )
    t.do(sail("sz8", offload="france", units={"infantry": 1}))
    t.do(sail("sz8", offload="northwestern_europe", units={"infantry": 1}))
    t.refused(sail("sz8", offload="france", units={"infantry": 1}), "unit.transport.offload-final")
    assert t.cargo("sz8", UK) == [[f"{UK} infantry"]] * 2


@pytest.mark.rule("aa1942:unit.transport.offload-final")
def test_after_an_assault_a_transport_is_done() -> None:
    t = british("combat_move")
    t.do(sail("sz7 > sz6", f"infantry from {UK} in sz7", offload="norway"), Done())
    assert t.s.control["norway"] == UK
    t.refused(move("transport", "sz6 > sz7"), "noncombat.eligible")
    t.refused(sail("sz6", f"infantry from {UK} in sz6"), "unit.transport.offload-final")
    t.refused(sail("sz6", f"infantry from {UK} in sz6", offload="norway"))


@pytest.mark.rule("aa1942:noncombat.transport")
def test_a_transport_moves_loads_and_offloads_in_noncombat_movement() -> None:
    t = british()
    t.do(sail("sz7 > sz9 > sz10", f"infantry from {UK} in sz7", offload="eastern_canada"))
    assert t.units("eastern_canada", UK) == {"infantry": 1}


@pytest.mark.rule("aa1942:noncombat.transport")
@pytest.mark.parametrize("duty", ["moved", "fought", "offloaded", "retreated"])
def test_a_transport_that_did_something_before_does_nothing_now(duty: str) -> None:
    t = table(
        UK,
        "noncombat_move",
        {"sz7": {UK: {"transport": [{"duty": duty}]}}, UK: {UK: "infantry"}},
    )
    t.refused(sail("sz7", f"infantry from {UK} in sz7"))
    t.refused(sail("sz7 > sz6", f"infantry from {UK} in sz7"))
    t.refused(move("transport", "sz7 > sz6"), "noncombat.eligible")


@pytest.mark.rule("aa1942:noncombat.sea")
def test_no_voyage_into_or_through_a_hostile_zone_in_noncombat_movement() -> None:
    t = british(sz6={"germany": "destroyer"})
    t.refused(sail("sz7 > sz6", f"infantry from {UK} in sz7"), "noncombat.sea")
    t.refused(sail("sz7 > sz6 > sz5", f"infantry from {UK} in sz7"), "noncombat.sea")


# --- assaults -----------------------------------------------------------------------------------


def with_cargo(power: str, type_: str) -> Table:
    """Before an assault on Norway; the transport has carried a unit since an earlier turn."""
    cargo = hold("sz7", UK, {power: {type_: 1}})
    return british("combat_move", cargo=cargo, norway={"germany": "infantry"})


@pytest.mark.rule(
    "aa1942:transport.load.combat-must-assault", "aa1942:unit.transport.assault-cargo"
)
def test_everything_loaded_now_is_landed_and_old_cargo_may_stay() -> None:
    t = british(
        "combat_move", cargo=hold("sz7", UK, {UK: {"infantry": 1}}), norway={"germany": "infantry"}
    )
    load = f"tank from {UK} in sz7"
    t.refused(
        sail("sz7 > sz6", load, offload="norway", units={"infantry": 1}),
        "unit.transport.assault-cargo",
    )
    t.do(sail("sz7 > sz6", load, offload="norway", units={"tank": 1}), Done())
    assert t.rolling == "attack in norway: 1 tank at 3"
    assert t.cargo("sz6", UK) == [[f"{UK} infantry"]]


@pytest.mark.rule("aa1942:unit.transport.assault-cargo")
def test_old_cargo_of_the_same_kind_does_not_stand_in_for_the_new() -> None:
    """One infantry was aboard, one is loaded: landing one lands the one just loaded."""
    t = british(
        "combat_move", cargo=hold("sz7", UK, {UK: {"infantry": 1}}), norway={"germany": "infantry"}
    )
    load = f"infantry from {UK} in sz7"
    t.do(sail("sz7 > sz6", load, offload="norway", units={"infantry": 1}), Done())
    assert t.rolling == "attack in norway: 1 infantry at 1"
    t = british(
        "combat_move", cargo=hold("sz7", UK, {UK: {"infantry": 1}}), norway={"germany": "infantry"}
    )
    t.do(sail("sz7 > sz6", load, offload="norway"), Done())
    assert t.rolling == "attack in norway: 2 infantry at 1"


@pytest.mark.rule("aa1942:unit.transport.assault-cargo", "aa1942:multi.transport.three-step")
def test_an_allys_units_aboard_do_not_join_our_assault() -> None:
    t = british(
        "combat_move", cargo=hold("sz7", UK, {US: {"tank": 1}}), norway={"germany": "infantry"}
    )
    t.refused(sail("sz7 > sz6", offload="norway"))
    t.do(sail("sz7 > sz6", f"infantry from {UK} in sz7", offload="norway"), Done())
    assert t.rolling == "attack in norway: 1 infantry at 1"
    assert t.cargo("sz6", UK) == [[f"{US} tank"]]


@pytest.mark.rule("aa1942:transport.assault.end-zone", "aa1942:unit.transport.escort-needed")
def test_an_assault_starts_from_a_zone_that_is_or_can_be_made_friendly() -> None:
    board: dict[str, Any] = {"sz6": {"germany": "cruiser"}, "sz8": {UK: "destroyer"}}
    landing = sail("sz7 > sz6", f"2 infantry from {UK} in sz7", offload="norway")
    t = british("combat_move", **board)
    t.refused(landing, "unit.transport.escort-needed")
    t.do(move("destroyer", "sz8 > sz6"), landing, Done())
    assert t.rolling.startswith("attack in sz6")
    t.dice(2).dice(6)
    assert t.s.control["norway"] == UK
    t = british("combat_move", sz8={US: "battleship"}, sz6={"germany": "cruiser", US: "battleship"})
    t.refused(landing, "unit.transport.escort-needed")  # an ally does not fight for us


@pytest.mark.rule("aa1942:transport.assault.end-zone")
def test_an_assault_is_from_a_neighbouring_zone() -> None:
    t = british("combat_move")
    t.refused(sail("sz7", f"infantry from {UK} in sz7", offload="norway"), "map.adjacency")
    t.refused(sail("sz7 > sz6", f"infantry from {UK} in sz7", offload="finland"), "map.adjacency")


@pytest.mark.rule("aa1942:transport.encounter.stop")
def test_a_voyage_ends_where_it_meets_warships() -> None:
    t = british("combat_move", sz6={"germany": "cruiser"}, sz8={UK: "destroyer"})
    t.do(move("destroyer", "sz8 > sz6"))
    load = f"infantry from {UK} in sz7"
    t.refused(sail("sz7 > sz6 > sz5", load, offload="germany"), "transport.encounter.stop")
    t.do(sail("sz7 > sz6", load, offload="norway"))
    # The zone it starts in does not count.
    t = british(
        "combat_move",
        sz7={UK: "transport", "germany": "cruiser"},
        cargo=hold("sz7", UK, {UK: {"tank": 1}}),
    )
    t.do(sail("sz7 > sz6 > sz5", offload="germany"))


@pytest.mark.rule("aa1942:unit.transport.escort-needed")
@pytest.mark.parametrize("enemy", ["cruiser", "submarine", "transport"])
def test_transports_do_not_attack_alone(enemy: str) -> None:
    t = table(
        UK,
        units={
            "sz9": {UK: "2 transport"},
            "sz12": {"germany": enemy},
            "gibraltar": {UK: "fighter"},
        },
    )
    t.refused(move("2 transport", "sz9 > sz12"), "unit.transport.escort-needed")
    t.do(move("fighter", "gibraltar > sz13 > sz12"), move("2 transport", "sz9 > sz12"))


@pytest.mark.rule("aa1942:unit.transport.escort-needed")
def test_a_landing_from_a_quiet_zone_needs_no_escort() -> None:
    for enemy in ({}, {"germany": "2 transport"}):
        t = british("combat_move", sz6=enemy)
        t.do(sail("sz7 > sz6", f"infantry from {UK} in sz7", offload="norway"), Done())
        assert t.s.control["norway"] == UK


@pytest.mark.rule("aa1942:transport.assault.ignored-sub")
@pytest.mark.parametrize(
    "ship", ["submarine", "destroyer", "cruiser", "battleship", "aircraft_carrier"]
)
def test_any_own_warship_covers_a_landing_past_submarines(ship: str) -> None:
    landing = sail("sz7 > sz6", f"2 infantry from {UK} in sz7", offload="norway")
    t = british("combat_move", sz6={"germany": "submarine", US: "destroyer"}, sz8={UK: ship})
    t.refused(landing, "transport.assault.ignored-sub")  # an ally's ship does not count
    t.do(move(ship, "sz8 > sz6"), landing, Done(), Engage(False))
    assert t.s.control["norway"] == UK
    assert t.units("sz6", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:transport.assault.ignored-sub")
def test_aircraft_alone_do_not_let_a_landing_ignore_submarines() -> None:
    """With a fighter beside it the transport may attack, but then it does attack."""
    t = british("combat_move", sz6={"germany": "submarine"}, gibraltar={UK: "fighter"})
    landing = sail("sz7 > sz6", f"2 infantry from {UK} in sz7", offload="norway")
    t.refused(landing, "transport.assault.ignored-sub")
    t.do(move("fighter", "gibraltar > sz13 > sz8 > sz6"), landing, Done())
    assert t.asked == f"{UK} engage_or_ignore"
    t.refused(Engage(False), "transport.assault.ignored-sub")
    t.do(Engage(True))
    assert t.asked == "germany submerge_or_strike"


@pytest.mark.rule("aa1942:transport.assault.ignored-sub", "aa1942:unit.transport.escort-needed")
@pytest.mark.parametrize(
    ("enemy", "rule"),
    [
        ("submarine", "transport.assault.ignored-sub"),
        ("cruiser", "unit.transport.escort-needed"),
    ],
)
def test_the_escort_a_landing_relies_on_does_not_leave_again(enemy: str, rule: str) -> None:
    board: dict[str, Any] = {
        "sz6": {"germany": enemy, UK: "2 destroyer"},
        "sz5": {"germany": "transport"},
    }
    t = british("combat_move", **board)
    t.do(sail("sz7 > sz6", f"2 infantry from {UK} in sz7", offload="norway"))
    t.refused(move("2 destroyer", "sz6 > sz5"), rule)
    t.do(move("destroyer", "sz6 > sz5"))
    t.refused(move("destroyer", "sz6 > sz5"), rule)


@pytest.mark.rule("aa1942:unit.transport.escort-needed")
def test_a_fighter_that_covers_transports_stays_too() -> None:
    t = table(
        UK,
        units={
            "sz6": {UK: "aircraft_carrier, fighter", "germany": "cruiser"},
            "sz7": {UK: "transport"},
            "sz5": {"germany": "transport"},
        },
    )
    t.do(move("transport", "sz7 > sz6"), move("aircraft_carrier", "sz6 > sz5"))
    t.refused(move("fighter", "sz6 > sz5"), "unit.transport.escort-needed")


@pytest.mark.rule("aa1942:transport.cargo")
def test_cargo_takes_no_part_in_a_battle_at_sea() -> None:
    t = table(
        UK,
        units={"sz9": {UK: "destroyer, transport"}, "sz8": {"germany": "cruiser"}},
        cargo=hold("sz9", UK, {UK: {"tank": 1, "infantry": 1}}),
    )
    t.do(move("destroyer, transport", "sz9 > sz8"), Done())
    assert t.rolling == "attack in sz8: 1 destroyer at 2"
    t.dice(6).dice(3)  # the hit falls on the destroyer: nothing else can take it
    assert t.asked == f"{UK} press_or_retreat"
    assert t.cargo("sz8", UK) == [[f"{UK} infantry", f"{UK} tank"]]


@pytest.mark.rule("aa1942:unit.transport.stay-at-sea")
def test_cargo_may_stay_aboard_over_the_turns() -> None:
    t = british(sz6={UK: "transport"}, cargo=hold("sz6", UK, {UK: {"tank": 1}}))
    t.do(sail("sz7 > sz9", f"2 infantry from {UK} in sz7"))  # loaded now, landed later
    pass_turns(t, UK)
    assert t.cargo("sz9", UK) == [[f"{UK} infantry"] * 2]
    assert t.cargo("sz6", UK) == [[f"{UK} tank"]]
    pass_to(t, "noncombat_move")
    t.do(sail("sz9 > sz10", offload="eastern_canada"))
    assert t.units("eastern_canada", UK) == {"infantry": 2}


@pytest.mark.rule("aa1942:unit.transport.stay-at-sea", "aa1942:unit.transport.retreat-no-offload")
def test_a_retreated_transport_keeps_its_cargo_and_lands_it_next_turn() -> None:
    t = british("combat_move", sz6={"germany": "cruiser"}, sz8={UK: "destroyer"})
    t.do(move("destroyer", "sz8 > sz6"))
    t.do(sail("sz7 > sz6", f"2 infantry from {UK} in sz7", offload="norway"), Done())
    t.dice(6).dice(6).do(Retreat("sz7"))
    assert t.asked == f"{UK} noncombat_move"
    assert t.s.control["norway"] == "germany"
    t.refused(sail("sz7", offload=UK), "unit.transport.retreat-no-offload")
    t.refused(move("transport", "sz7 > sz9"), "noncombat.eligible")
    pass_turns(t, UK)
    pass_to(t, "noncombat_move")
    t.do(sail("sz7", offload=UK))
    assert t.cargo("sz7", UK) == [[]]


# --- allies -------------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:multi.transport.three-step")
def test_an_allys_transport_carries_over_three_turns() -> None:
    """Britain loads, America sails, Britain lands: not a step earlier."""
    t = table(
        UK,
        "noncombat_move",
        {UK: {UK: "2 infantry"}, "sz7": {US: "transport"}},
        control={"norway": UK},
    )
    load = f"2 infantry from {UK} in sz7"
    t.refused(sail("sz7 > sz6", load, owner=US), "multi.transport.three-step")
    t.refused(sail("sz7", load, offload=UK, owner=US))
    t.do(sail("sz7", load, owner=US))
    t.refused(sail("sz7", offload=UK, owner=US))  # it was loaded in this turn
    assert t.cargo("sz7", US) == [[f"{UK} infantry"] * 2]
    pass_turns(t, US)
    pass_to(t, "noncombat_move")
    t.refused(sail("sz7 > sz6", offload="norway"))  # not ours to land
    t.do(move("transport", "sz7 > sz6"))
    pass_turns(t, UK)
    pass_to(t, "noncombat_move")
    t.refused(move("transport", "sz6 > sz7"))
    t.do(sail("sz6", offload="norway", owner=US))
    assert t.units("norway", UK) == {"infantry": 2}
    assert t.cargo("sz6", US) == [[]]


@pytest.mark.rule("aa1942:multi.transport.three-step", "aa1942:unit.transport.capacity")
def test_loading_an_allys_transport_leaves_it_free_to_be_loaded_on() -> None:
    t = table(
        UK,
        "noncombat_move",
        {UK: {UK: "2 infantry, tank"}, "sz7": {US: "transport"}},
    )
    t.do(sail("sz7", f"infantry from {UK} in sz7", owner=US))
    t.do(sail("sz7", f"tank from {UK} in sz7", owner=US))
    assert t.cargo("sz7", US) == [[f"{UK} infantry", f"{UK} tank"]]
    t.refused(sail("sz7", f"infantry from {UK} in sz7", owner=US), "unit.transport.capacity")


@pytest.mark.rule("aa1942:multi.transport.three-step")
def test_even_a_transport_that_never_moves_takes_until_the_next_turn() -> None:
    t = table(UK, "noncombat_move", {UK: {UK: "infantry"}, "sz7": {US: "transport"}})
    t.do(sail("sz7", f"infantry from {UK} in sz7", owner=US))
    t.refused(sail("sz7", offload=UK, owner=US))
    pass_turns(t, UK)
    pass_to(t, "noncombat_move")
    t.do(sail("sz7", offload=UK, owner=US))
    assert t.units(UK, UK) == {"infantry": 1}


@pytest.mark.rule("aa1942:multi.transport.three-step", "aa1942:multi.land-ally-transport")
def test_no_assault_with_units_loaded_on_an_allys_transport_now() -> None:
    t = table(UK, units={UK: {UK: "infantry"}, "sz6": {US: "transport"}})
    t.refused(
        sail("sz6", f"infantry from {UK} in sz6", offload="norway", owner=US),
        "multi.transport.three-step",
    )
    t.refused(sail("sz6", f"infantry from {UK} in sz6", owner=US), "multi.transport.three-step")


@pytest.mark.rule("aa1942:multi.land-ally-transport")
def test_an_assault_from_an_allys_transport_comes_from_where_it_lies() -> None:
    cargo = hold("sz6", US, {UK: {"infantry": 1}, US: {"infantry": 1}})
    t = table(UK, units={"sz6": {US: "transport"}}, cargo=cargo)
    t.refused(sail("sz6 > sz5", offload="germany", owner=US), "multi.transport.three-step")
    t.do(sail("sz6", offload="norway", owner=US), Done())
    assert t.s.control["norway"] == UK
    assert t.units("norway", UK) == {"infantry": 1}
    assert t.cargo("sz6", US) == [[f"{US} infantry"]]
    assert t.units("sz6", US) == {"transport": 1}


@pytest.mark.rule("aa1942:multi.land-ally-transport")
@pytest.mark.parametrize("own", ["", "destroyer"])
def test_warships_are_cleared_by_the_attackers_own_units(own: str) -> None:
    board: dict[str, Any] = {
        "sz6": {US: "transport, battleship", "germany": "cruiser"},
        "sz7": {UK: "destroyer"},
    }
    t = table(UK, units=board, cargo=hold("sz6", US, {UK: {"infantry": 2}}))
    landing = sail("sz6", offload="norway", owner=US)
    if not own:
        t.refused(landing, "unit.transport.escort-needed")
        return
    t.do(move("destroyer", "sz7 > sz6"), landing, Done())
    assert t.rolling == "attack in sz6: 1 destroyer at 2"  # without the American battleship
    t.dice(2).dice(6)
    assert t.s.control["norway"] == UK
    assert t.units("norway", UK) == {"infantry": 2}


@pytest.mark.rule("aa1942:multi.land-ally-transport")
def test_a_lost_sea_battle_keeps_the_cargo_on_the_allys_transport() -> None:
    t = table(
        UK,
        units={"sz6": {US: "transport", "germany": "cruiser"}, "sz7": {UK: "destroyer"}},
        cargo=hold("sz6", US, {UK: {"infantry": 2}}),
    )
    t.do(move("destroyer", "sz7 > sz6"), sail("sz6", offload="norway", owner=US), Done())
    t.dice(6).dice(3)
    assert t.asked == f"{UK} noncombat_move"
    assert t.s.control["norway"] == "germany"
    assert t.cargo("sz6", US) == [[f"{UK} infantry"] * 2]
    pass_turns(t, "japan")
    assert t.cargo("sz6", US) == [[f"{UK} infantry"] * 2]


@pytest.mark.rule("aa1942:noncombat.aaa", "aa1942:unit.transport.capacity")
def test_guns_are_shipped_in_noncombat_movement() -> None:
    t = british(control={"norway": UK})
    t.do(sail("sz7 > sz6", f"antiaircraft_artillery, infantry from {UK} in sz7", offload="norway"))
    assert t.units("norway", UK) == {"antiaircraft_artillery": 1, "infantry": 1}
