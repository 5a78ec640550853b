"""Conquest and liberation (3.4, A.2, D.5, F.3)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import astuple

from sandtable.games.blitz.facts import BIG
from sandtable.games.blitz.model import Unit
from sandtable.games.blitz.rules import set_aside
from sandtable.games.blitz.rules.conquest import (
    ChooseControl,
    ChooseHome,
    GiveBack,
    Liberate,
    NameHome,
)
from sandtable.games.blitz.rules.consequences import declare_war, open_phase, take_control
from sandtable.games.blitz.rules.counters import biggest, damage, destination, destroy
from sandtable.games.blitz.rules.displaced import Place
from sandtable.games.blitz.rules.set_aside import CallUp, ChooseReturn
from sandtable.games.blitz.rules.sides import areas_of, country_of, home_of, may_attack, out_of_game
from sandtable.kernel.errors import IllegalDecision
from tests.blitz.table import position, run

ALLIED = "allied_activities"
WARS = [("germany", "afa"), ("germany", "usa"), ("germany", "ussr")]


def at(phase: str = "axis_activities", scenario: str = "campaign", **given: Any) -> Any:
    return position(scenario, phase=phase, step="E", **given)


def take(s: Any, area: str, power: str, **given: Any) -> list[Any]:
    return run(s, lambda g: take_control(g, area, power), **given)


def all_of(country: str, power: str, *but: str) -> dict[str, str]:
    """Control of a country's areas, but for some."""
    areas = at().facts.countries[country].areas
    return {area: power for area in areas if area not in but}


# --- conquest ----------------------------------------------------------------------------------


@pytest.mark.rule("blitz:A.2a")
def test_in_scenario_a_all_areas_conquer_a_country() -> None:
    s = at(scenario="A")
    take(s, "poland", "germany")
    assert s.conquered == {"poland": "axis"}
    s = at(ALLIED, "A")
    take(s, "western_germany", "afa")
    assert s.conquered == {}
    take(s, "berlin", "afa")
    assert s.conquered == {"germany": "allies"}


@pytest.mark.rule("blitz:A.2b")
def test_in_scenario_a_paris_conquers_france() -> None:
    s = at(scenario="A", units={"afa_1st_army_group": "vichy_france"})
    take(s, "paris", "germany")
    assert s.conquered == {"france": "axis"}
    assert s.control["vichy_france"] == "afa", "a later scenario brings Vichy France"
    assert "afa_1st_army_group" in s.units


@pytest.mark.rule("blitz:3.4.conq-a")
def test_all_areas_with_supply_lines_conquer_a_country() -> None:
    s = at(wars=[("japan", "afa"), ("germany", "afa")], control={"calcutta": "japan"})
    take(s, "karachi", "japan")
    assert "india" not in s.conquered, "Hyderabad holds"
    take(s, "hyderabad", "japan")
    assert s.conquered["india"] == "axis"


@pytest.mark.rule("blitz:3.4.conq-a")
def test_without_supply_there_is_no_conquest_until_there_is() -> None:
    s = at(
        wars=[("japan", "afa")],
        control=all_of("new_zealand", "japan"),
        units={"afa_home_fleet": {"at": "tasman_sea"}, "afa_far_east_fleet": {"at": "coral_sea"}},
    )
    lands = s.facts.lands
    seas = {sea for area in areas_of(s, "new_zealand") for sea in lands[area].seas}
    fleets = list(s.units)
    for sea, id in zip(sorted(seas), fleets, strict=True):
        s.change(id, at=sea)
    run(s, open_phase)
    assert "new_zealand" not in s.conquered
    for id in fleets:
        s.take(id)
    run(s, open_phase)
    assert s.conquered["new_zealand"] == "axis"


@pytest.mark.rule("blitz:3.4.conq-a")
def test_several_powers_of_a_side_may_share_a_conquest() -> None:
    s = at(ALLIED, wars=[*WARS, ("japan", "usa")], control={"port_arthur": "ussr"})
    others = [area for area in areas_of(s, "manchuria_korea") if area != "port_arthur"]
    for area in others:
        take(s, area, "usa" if area != others[-1] else "ussr")
    assert s.conquered["manchuria_korea"] == "allies"


@pytest.mark.rule("blitz:3.4.conq-b")
def test_each_home_country_falls_by_itself() -> None:
    s = at(wars=[("germany", "afa")], control=all_of("australia", "japan", "canberra"))
    take(s, "canberra", "japan")
    assert s.conquered == {"australia": "axis"}
    assert not out_of_game(s, "afa")


@pytest.mark.rule("blitz:D.5a")
@pytest.mark.rule("blitz:3.4.conq-d")
@pytest.mark.rule("blitz:F.3a")
@pytest.mark.parametrize(("scenario", "home"), [("D", "central_europe"), ("campaign", "libya")])
def test_the_loser_names_a_new_home_for_units_on_the_map(scenario: str, home: str) -> None:
    s = at(
        ALLIED,
        scenario,
        units={"min_finnish_army": {"at": "berlin", "power": "germany"}},
        allied={"finland": "germany"},
        control={"finland": "germany"},
        wars=[("germany", "ussr")],
    )
    assert home_of(s, "min_finnish_army") == "finland"
    take(s, "finland", "ussr", answers=[("germany", NameHome(home))])
    assert s.conquered["finland"] == "allies"
    assert home_of(s, "min_finnish_army") == home
    assert s.units["min_finnish_army"].power == "germany", "it stays in place"


@pytest.mark.rule("blitz:3.4.conq-d")
def test_a_new_home_has_to_be_an_unconquered_country_of_ones_own() -> None:
    request = ChooseHome("germany", "finland", ("germany", "italy"))
    for wrong in ("finland", "france", "", "atlantis"):
        with pytest.raises(IllegalDecision) as refusal:
            request.check(at(), NameHome(wrong))
        assert refusal.value.rule == "3.4.conq-d"


@pytest.mark.rule("blitz:3.4.conq-d")
def test_nobody_is_asked_without_units_and_units_follow_when_the_new_home_falls() -> None:
    s = at()
    take(s, "poland", "germany")
    assert "poland" not in s.new_home
    s = at(units={"afa_polish_army": "london"}, control=all_of("australia", "japan", "canberra"))
    s.conquered["poland"] = "axis"
    s.new_home["poland"] = "australia"
    s.wars |= {("japan", "afa"), ("afa", "japan")}
    s.forget()
    take(s, "canberra", "japan", answers=[("afa", NameHome("canada"))])
    assert home_of(s, "afa_polish_army") == "canada"


@pytest.mark.rule("blitz:3.4.conq-e")
@pytest.mark.rule("blitz:3.4.conq-f")
@pytest.mark.rule("blitz:D.5a")
def test_units_in_the_pool_are_set_aside_and_groups_stay() -> None:
    s = at(
        pool={"afa": ["afa_polish_army", "afa_bef"]},
        groups={"ussr": [["sov_polish_air_force"]], "afa": []},
    )
    take(s, "poland", "germany")
    assert s.pool["afa"] == ("afa_bef",)
    assert s.aside["afa_polish_army"] == "poland"
    assert s.groups["ussr"] == (("sov_polish_air_force",),)


@pytest.mark.rule("blitz:3.4.conq-f")
def test_a_developed_counter_of_a_conquered_country_is_set_aside() -> None:
    s = at()
    assert destination(s, "ussr", "sov_polish_air_force") == "afa"
    take(s, "poland", "germany")
    assert destination(s, "ussr", "sov_polish_air_force") == ""


@pytest.mark.rule("blitz:3.4.conq-g")
@pytest.mark.rule("blitz:D.5a")
def test_units_that_leave_the_map_after_a_conquest_are_set_aside() -> None:
    s = at(
        units={"afa_1st_canadian_army": {"at": "london", "size": 3}},
        conquered={"canada": "axis"},
        control=all_of("canada", "germany"),
    )
    run(s, lambda g: _damage(g, "afa_1st_canadian_army", 1))
    assert s.aside == {"afa_1st_canadian_army" + BIG: "canada"}
    run(s, lambda g: _destroy(g, "afa_1st_canadian_army"))
    assert set(s.aside) == {"afa_1st_canadian_army", "afa_1st_canadian_army" + BIG}


def _damage(g: Any, id: str, points: int) -> Any:
    damage(g, id, points)
    yield from ()


def _destroy(g: Any, id: str) -> Any:
    destroy(g, id)
    yield from ()


@pytest.mark.rule("blitz:3.4.conq-h")
def test_a_small_unit_of_a_conquered_country_does_not_become_big() -> None:
    given: dict[str, Any] = {
        "units": {"afa_1st_canadian_army": {"at": "london", "size": 2}},
        "pool": {"afa": ["afa_1st_canadian_army" + BIG]},
    }
    assert biggest(at(**given), "afa", "afa_1st_canadian_army") == 4
    s = at(**given, conquered={"canada": "axis"}, control=all_of("canada", "germany"))
    assert biggest(s, "afa", "afa_1st_canadian_army") == 2


@pytest.mark.rule("blitz:3.4.conq-c")
@pytest.mark.rule("blitz:F.3a")
def test_a_power_without_a_country_is_out_until_one_is_freed_for_it() -> None:
    ussr = all_of("ussr", "germany", "vladivostok")
    s = at(
        control=ussr,
        wars=WARS,
        units={"sov_pacific_ocean_fleet": "bering_sea"},
        pool={"ussr": ["sov_black_sea_fleet"]},
    )
    assert not out_of_game(s, "ussr")
    take(s, "vladivostok", "germany")
    assert s.conquered["ussr"] == "axis" and out_of_game(s, "ussr")
    assert not list(s.of("ussr")) and s.pool["ussr"] == ()
    assert s.aside["sov_pacific_ocean_fleet"] == s.aside["sov_black_sea_fleet"] == "ussr"
    s.phase = ALLIED
    for area in ussr:
        s.set_control(area, "usa")
    take(s, "vladivostok", "usa", answers=[("ussr", CallUp("sov_black_sea_fleet"))])
    assert not out_of_game(s, "ussr")
    assert {s.control[area] for area in ussr} == {"ussr"}


# --- liberation --------------------------------------------------------------------------------


@pytest.mark.rule("blitz:3.4.lib-a")
@pytest.mark.rule("blitz:F.3b")
def test_the_power_with_most_areas_becomes_the_ally() -> None:
    china = all_of("china", "japan")
    s = at(
        ALLIED,
        wars=[("japan", "usa"), ("japan", "afa")],
        conquered={"china": "axis"},
        control={**china, "canton": "afa", "lan_chow": "afa"},
    )
    s.set_control("chungking", "afa")
    take(s, "peking", "afa", answers=[("afa", GiveBack(False))])
    assert s.allied["china"] == "afa" and "china" not in s.conquered


@pytest.mark.rule("blitz:3.4.lib-a")
@pytest.mark.parametrize(("coin", "ally"), [(1, "afa"), (2, "ussr")])
def test_a_tie_is_decided_by_a_coin(coin: int, ally: str) -> None:
    s = at(
        ALLIED,
        wars=WARS,
        conquered={"turkey": "axis"},
        control={"istanbul": "afa", "ankara": "germany"},
    )
    take(s, "ankara", "ussr", dice=[coin])
    assert s.allied["turkey"] == ally
    assert s.control["istanbul"] == "afa" and s.control["ankara"] == "ussr"


@pytest.mark.rule("blitz:3.4.lib-a")
def test_liberation_needs_supply_too() -> None:
    s = at(
        ALLIED,
        wars=[("japan", "afa")],
        conquered={"new_zealand": "axis"},
        control=all_of("new_zealand", "japan"),
    )
    areas = areas_of(s, "new_zealand")
    seas = sorted({sea for area in areas for sea in s.facts.lands[area].seas})
    ships = [
        id for id, kind in s.facts.kinds.items() if kind.power == "japan" and kind.type == "BB"
    ]
    for sea, id in zip(seas, ships, strict=False):
        s.put(id, Unit("japan", 1, sea))
    s.convoy_damage = {sea: 9 for sea in seas}
    s.forget()
    for area in areas:
        take(s, area, "afa")
    assert s.conquered["new_zealand"] == "axis"


@pytest.mark.rule("blitz:3.4.lib-b")
@pytest.mark.parametrize(
    ("country", "power", "liberator"),
    [
        ("great_britain", "afa", "usa"),
        ("ussr", "ussr", "usa"),
        ("usa", "usa", "afa"),
        ("germany", "germany", "japan"),
        ("japan", "japan", "germany"),
    ],
)
def test_some_countries_have_to_be_given_back(country: str, power: str, liberator: str) -> None:
    axis = power in ("germany", "japan")
    foe = "usa" if axis else "germany"
    areas = all_of(country, liberator)
    last = next(iter(areas))
    wars = [*WARS, ("japan", "usa"), ("japan", "afa")]
    s = at(
        "axis_activities" if axis else ALLIED,
        wars=wars,
        conquered={country: "allies" if axis else "axis"},
        control={**areas, last: foe},
    )
    take(s, last, liberator)
    assert s.allied[country] == power and country not in s.conquered
    assert {s.control[area] for area in areas} == {power}


@pytest.mark.rule("blitz:3.4.lib-b")
def test_a_single_area_of_such_a_country_is_given_back_as_well() -> None:
    s = at(ALLIED, wars=WARS, control={"leningrad": "germany"})
    take(s, "leningrad", "afa")
    assert s.control["leningrad"] == "ussr"


@pytest.mark.rule("blitz:3.4.lib-c")
@pytest.mark.rule("blitz:F.3b")
@pytest.mark.parametrize(("back", "ally"), [(True, "afa"), (False, "ussr")])
def test_other_countries_may_be_given_back_or_kept(back: bool, ally: str) -> None:
    s = at(ALLIED, wars=WARS, conquered={"poland": "axis"}, control={"poland": "germany"})
    take(s, "poland", "ussr", answers=[("ussr", GiveBack(back))])
    assert s.allied["poland"] == s.control["poland"] == ally
    assert list(ChooseControl("ussr", "poland", "afa").decisions(s)) == [
        GiveBack(True),
        GiveBack(False),
    ]


@pytest.mark.rule("blitz:3.4.lib-c")
def test_the_first_owner_is_not_asked() -> None:
    s = at(ALLIED, conquered={"poland": "axis"}, control={"poland": "germany"})
    take(s, "poland", "afa")
    assert s.allied["poland"] == "afa"


@pytest.mark.rule("blitz:3.4.lib-d")
def test_who_keeps_a_country_gets_its_units_but_not_its_groups() -> None:
    s = at(
        ALLIED,
        wars=WARS,
        conquered={"poland": "axis"},
        new_home={"poland": "great_britain"},
        control={"poland": "germany"},
        units={"afa_polish_army": "london"},
        groups={"ussr": [["sov_polish_air_force"]]},
    )
    take(s, "poland", "usa", answers=[("usa", GiveBack(False))])
    assert s.units["afa_polish_army"].power == "usa"
    assert home_of(s, "afa_polish_army") == "poland"
    assert s.groups["ussr"] == (("sov_polish_air_force",),)
    assert destination(s, "ussr", "sov_polish_air_force") == "usa"


@pytest.mark.rule("blitz:3.4.lib-e")
def test_ex_3_4_algeria() -> None:
    s = at(ALLIED, wars=WARS, control={"algeria": "germany"})
    take(s, "algeria", "usa", answers=[("usa", GiveBack(True))])
    assert s.control["algeria"] == "afa" and s.control["morocco"] == "afa"


@pytest.mark.rule("blitz:3.4.lib-f")
def test_an_area_that_is_not_given_back_is_its_takers() -> None:
    s = at(ALLIED, wars=WARS, control={"algeria": "germany"})
    take(s, "algeria", "usa", answers=[("usa", GiveBack(False))])
    assert s.control["algeria"] == "usa"
    assert s.allied["french_north_africa"] == "afa"


@pytest.mark.rule("blitz:3.4.lib-e")
def test_peking_never_was_the_usas() -> None:
    s = at(ALLIED, wars=[("japan", "usa"), ("japan", "afa")])
    take(s, "peking", "afa")
    assert s.control["peking"] == "afa"


def test_ex_3_4_fna() -> None:
    s = at(
        ALLIED,
        turn=8,
        wars=WARS,
        conquered={"french_north_africa": "axis", "france": "axis"},
        control={"morocco": "germany", "algeria": "germany", "paris": "germany"},
        flags=["france_fell"],
    )
    s.aside["afa_free_french_army"] = "french_north_africa"
    s.pool["afa"] = tuple(c for c in s.pool["afa"] if c != "afa_free_french_army")
    take(s, "morocco", "usa", answers=[("usa", GiveBack(False))])
    take(s, "algeria", "usa", answers=[("usa", GiveBack(False))])
    assert s.allied["french_north_africa"] == "usa"
    assert "afa_free_french_army" in s.pool["usa"] and not s.aside


@pytest.mark.rule("blitz:3.4.lib-g")
@pytest.mark.rule("blitz:F.3b")
def test_one_counter_comes_back_now_and_one_each_turn_small_ones_first() -> None:
    s = at(ALLIED, wars=WARS, conquered={"canada": "axis"}, control=all_of("canada", "germany"))
    army, militia = "afa_1st_canadian_army", "afa_canadian_militia"
    s.aside = {army: "canada", army + BIG: "canada", militia: "canada"}
    s.pool["afa"] = ()
    for area in areas_of(s, "canada")[:-1]:
        s.set_control(area, "afa")
    take(s, areas_of(s, "canada")[-1], "afa", answers=[("afa", CallUp(militia))])
    assert s.pool["afa"] == (militia,)
    run(s, set_aside.start_of_turn)
    assert s.pool["afa"] == (army, militia)
    run(s, set_aside.start_of_turn)
    assert s.pool["afa"] == (army, army + BIG, militia) and not s.aside
    run(s, set_aside.start_of_turn)


@pytest.mark.rule("blitz:3.4.lib-g")
def test_only_set_aside_counters_on_offer_can_be_chosen() -> None:
    request = ChooseReturn("afa", "canada", ("a", "b"))
    with pytest.raises(IllegalDecision) as refusal:
        request.check(at(), CallUp("c"))
    assert refusal.value.rule == "3.4.lib-g"


@pytest.mark.rule("blitz:3.4.lib-g")
def test_countries_still_conquered_get_nothing() -> None:
    s = at(conquered={"canada": "axis"}, control=all_of("canada", "germany"))
    s.aside = {"afa_canadian_militia": "canada"}
    run(s, set_aside.start_of_turn)
    assert s.aside


@pytest.mark.rule("blitz:3.4.lib-h")
def test_the_maginot_line_never_comes_back() -> None:
    s = at(units={"afa_maginot_line": "paris", "afa_1st_army_group": "paris"})
    s.take("afa_1st_army_group")
    take(s, "paris", "germany")
    assert "afa_maginot_line" in s.removed and "afa_maginot_line" not in s.aside


# --- Italy --------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:3.4.italy-a")
@pytest.mark.rule("blitz:F.3c")
@pytest.mark.parametrize("scenario", ["F", "campaign"])
def test_italy_falls_and_is_freed_with_rome(scenario: str) -> None:
    s = at(ALLIED, scenario, wars=WARS)
    take(s, "milan", "usa")
    assert "italy" not in s.conquered
    s.set_control("milan", "germany")
    take(s, "rome", "usa")
    assert s.conquered["italy"] == "allies"
    s.phase = "axis_activities"
    s.set_control("milan", "usa")
    take(s, "rome", "germany", let=("choose_return",))
    assert "italy" not in s.conquered


@pytest.mark.rule("blitz:3.4.conq-g")
@pytest.mark.rule("blitz:3.4.lib-g")
def test_italian_units_lost_after_the_fall_of_rome_are_set_aside_and_come_back() -> None:
    units = {"ger_ariete": "milan", "ger_alpini_army": "milan"}
    s = at(ALLIED, units=units, pool={"germany": []}, wars=WARS)
    take(s, "rome", "usa", let=("choose_home",))
    run(s, lambda g: _destroy(g, "ger_ariete"))
    assert s.aside == {"ger_ariete": "italy"}
    s.phase = "axis_activities"
    take(s, "rome", "germany")
    assert not s.aside and not s.removed
    assert "ger_ariete" in s.pool["germany"]
    run(s, lambda g: _destroy(g, "ger_alpini_army"))
    assert "ger_alpini_army" in s.pool["germany"] and not s.removed


@pytest.mark.rule("blitz:3.4.once-a")
def test_the_second_time_all_of_italy_counts() -> None:
    s = at(ALLIED, wars=WARS)
    take(s, "rome", "usa")
    s.phase = "axis_activities"
    take(s, "rome", "germany", let=("choose_return",))
    s.phase = ALLIED
    take(s, "rome", "usa")
    assert "italy" not in s.conquered
    take(s, "milan", "usa")
    assert s.conquered["italy"] == "allies"
    s.phase = "axis_activities"
    take(s, "rome", "germany", let=("choose_return",))
    assert "italy" in s.conquered
    take(s, "milan", "germany", let=("choose_return",))
    assert "italy" not in s.conquered


# --- France -------------------------------------------------------------------------------------

FRENCH = ("french_north_africa", "french_west_africa", "madagascar", "vichy_france")


def fall(s: Any, **given: Any) -> list[Any]:
    return take(s, "paris", "germany", **given)


@pytest.mark.rule("blitz:3.4.france-a")
@pytest.mark.rule("blitz:F.3c")
@pytest.mark.parametrize("scenario", ["F", "campaign"])
def test_france_falls_with_paris_supply_or_not(scenario: str) -> None:
    s = at(scenario=scenario, control=all_of("germany", "afa"))
    fall(s)
    assert s.conquered["france"] == "axis"


@pytest.mark.rule("blitz:3.4.france-b")
def test_french_air_and_land_units_are_set_aside_wherever_they_are() -> None:
    s = at(
        units={
            "afa_2nd_army_group": "london",
            "afa_armee_de_l_air": "vichy_france",
            "afa_free_french_army": "egypt",
            "afa_bef": "london",
        }
    )
    fall(s)
    assert [id for id, _ in s.of("afa")] == ["afa_bef"]
    assert s.aside["afa_2nd_army_group"] == s.aside["afa_armee_de_l_air"] == "france"
    assert s.aside["afa_free_french_army"] == "french_north_africa"


@pytest.mark.rule("blitz:3.4.france-c")
def test_four_countries_become_neutral_where_the_allies_hold_them() -> None:
    s = at(control={"algeria": "germany", "vichy_france": "germany", "madagascar": "japan"})
    fall(s)
    assert s.control["morocco"] == "" and s.control["algeria"] == "germany"
    assert s.control["vichy_france"] == "", "even though the Axis held it"
    assert s.control["madagascar"] == "japan"
    assert [country for country in FRENCH if s.allied[country] == ""] == [
        "french_north_africa",
        "french_west_africa",
        "vichy_france",
    ]
    assert country_of(s, "vichy_france") == "vichy_france"
    assert areas_of(s, "france") == ("paris",)


@pytest.mark.rule("blitz:3.4.france-d")
def test_french_ships_are_interned_in_vichy_france() -> None:
    s = at(
        units={
            "afa_brest_fleet": "western_approaches",
            "afa_toulon_fleet": {"at": "paris", "port": "western_approaches"},
        }
    )
    fall(s)
    for id in ("afa_brest_fleet", "afa_toulon_fleet"):
        assert astuple(s.units[id])[:4] == ("", 1, "vichy_france", "mediterranean_sea")


@pytest.mark.rule("blitz:3.4.france-e")
def test_other_units_in_the_new_neutrals_go_home() -> None:
    s = at(
        units={
            "afa_bef": "vichy_france",
            "afa_home_fleet": {"at": "algeria"},
            "afa_anzac": "morocco",
        }
    )
    areas = areas_of(s, "australia")
    fall(s, let=("place_unit",))
    assert s.units["afa_bef"].at in areas_of(s, "great_britain")
    assert s.units["afa_home_fleet"].at in areas_of(s, "great_britain")
    assert s.units["afa_home_fleet"].port
    assert s.units["afa_anzac"].at in areas


@pytest.mark.rule("blitz:3.4.france-e")
def test_the_owner_chooses_where_in_the_home_country() -> None:
    s = at(units={"afa_bef": "vichy_france"})
    fall(s, answers=[("afa", Place("scotland"))])
    assert s.units["afa_bef"].at == "scotland"


@pytest.mark.rule("blitz:3.4.france-f")
def test_either_side_may_attack_the_new_neutrals_and_vichy_has_units() -> None:
    for phase, power, ally in (("axis_activities", "germany", "afa"), (ALLIED, "afa", "germany")):
        for country in FRENCH:
            s = at(units={"afa_toulon_fleet": "mediterranean_sea"})
            fall(s)
            s.phase = phase
            run(s, lambda g, c=country, p=power: declare_war(g, p, c))  # type: ignore[misc]
            assert s.allied[country] == ally
            own = {id for id, unit in s.units.items() if unit.power == ally}
            vichy = {"afa_toulon_fleet", "min_vichy_army"}
            assert own == (vichy if country == "vichy_france" else set()), country


@pytest.mark.rule("blitz:3.4.vichy-a")
def test_with_north_africa_allied_the_vichy_army_stays_away() -> None:
    s = at(control={"algeria": "germany"})
    fall(s)
    s.set_control("algeria", "usa")
    s.set_control("morocco", "usa")
    run(s, lambda g: declare_war(g, "germany", "vichy_france"))
    assert "min_vichy_army" not in s.units and s.control["vichy_france"] == "afa"


@pytest.mark.rule("blitz:3.4.vichy-b")
@pytest.mark.parametrize(
    ("die", "africa", "fate"),
    [
        (1, False, "germany"),
        (2, False, "afa"),
        (3, False, "afa"),
        (4, False, ""),
        (6, False, ""),
        (1, True, "afa"),
        (2, True, "afa"),
        (3, True, ""),
    ],
)
def test_the_fleet_roll(die: int, africa: bool, fate: str) -> None:
    s = at(units={"afa_toulon_fleet": "mediterranean_sea"})
    fall(s)
    run(s, lambda g: declare_war(g, "germany", "vichy_france"))
    if africa:
        for area in ("algeria", "morocco"):
            s.set_control(area, "usa")
    s.take("min_vichy_army")
    take(s, "vichy_france", "germany", dice=[die], let=("place_unit",))
    unit = s.units.get("afa_toulon_fleet")
    assert (unit.power if unit else "") == fate
    if fate == "germany":
        assert unit is not None and unit.at == "vichy_france"
    if fate == "afa":
        assert unit is not None and unit.at != "vichy_france", "displaced"


@pytest.mark.rule("blitz:3.4.vichy-c")
@pytest.mark.rule("blitz:F.3c")
def test_france_is_freed_with_paris_and_the_others_are_liberated_not_conquered() -> None:
    s = at(wars=WARS)
    fall(s)
    s.phase = ALLIED
    run(s, lambda g: declare_war(g, "usa", "french_west_africa"))
    assert s.allied["french_west_africa"] == "germany"
    for area in areas_of(s, "french_west_africa")[:-1]:
        take(s, area, "usa", answers=[("usa", GiveBack(False))])
    last = areas_of(s, "french_west_africa")[-1]
    take(s, last, "usa", answers=[("usa", GiveBack(True))])
    assert s.allied["french_west_africa"] == "afa"
    assert "french_west_africa" not in s.conquered
    take(s, "paris", "afa", let=("choose_return",))
    assert "france" not in s.conquered and s.allied["france"] == "afa"


def vichy_of_germany(**given: Any) -> Any:
    """France has fallen, and an Allied declaration made Vichy France Germany's."""
    s = at(units={"afa_toulon_fleet": "mediterranean_sea"}, wars=WARS, **given)
    fall(s)
    s.phase = ALLIED
    run(s, lambda g: declare_war(g, "usa", "vichy_france"))
    assert s.units["afa_toulon_fleet"].power == "germany"
    return s


@pytest.mark.rule("blitz:3.4.vichy-d")
def test_liberated_vichy_loses_its_army_and_keeps_its_ships() -> None:
    s = vichy_of_germany()
    s.change("min_vichy_army", at="paris")
    take(s, "vichy_france", "usa", answers=[("usa", GiveBack(False))])
    assert s.allied["vichy_france"] == "usa"
    assert "min_vichy_army" not in s.units and "min_vichy_army" in s.removed
    assert astuple(s.units["afa_toulon_fleet"])[:3] == ("usa", 1, "vichy_france")
    assert country_of(s, "vichy_france") == "vichy_france"


@pytest.mark.rule("blitz:3.4.vichy-e")
def test_after_france_vichy_rejoins_it() -> None:
    s = vichy_of_germany()
    take(s, "paris", "afa", let=("choose_return",))
    s.take("min_vichy_army")
    take(s, "vichy_france", "usa", answers=[("usa", GiveBack(False))])
    assert country_of(s, "vichy_france") == "france"
    assert areas_of(s, "france") == ("paris", "vichy_france")
    assert s.units["afa_toulon_fleet"].power == "afa", "of whoever freed France"
    assert s.control["vichy_france"] == "usa"


@pytest.mark.rule("blitz:3.4.once-a")
def test_the_second_fall_of_france_is_an_ordinary_conquest() -> None:
    s = vichy_of_germany()
    take(s, "paris", "afa", let=("choose_return",))
    s.take("min_vichy_army")
    take(s, "vichy_france", "afa")
    s.phase = "axis_activities"
    take(s, "paris", "germany", let=("place_unit",))
    assert "france" not in s.conquered, "Vichy France holds"
    assert s.control["vichy_france"] == "afa"
    take(s, "vichy_france", "germany", let=("place_unit", "choose_home"))
    assert s.conquered["france"] == "axis" and s.control["vichy_france"] == "germany"


def test_the_new_neutrals_bar_the_way() -> None:
    s = at(units={"ger_18th_army": "berlin"})
    fall(s)
    assert not may_attack(s, "ger_18th_army", "vichy_france")


def test_liberate_foes_makes_a_conquered_minor_germanys_ally() -> None:
    s = at(flags=["road_to_war", "liberate_foes"])
    take(s, "poland", "germany", answers=[("germany", Liberate(True))])
    assert s.allied["poland"] == "germany" and not s.conquered
    s = at(flags=["road_to_war", "liberate_foes"])
    take(s, "poland", "germany", answers=[("germany", Liberate(False))])
    assert s.conquered == {"poland": "axis"}
    s = at(
        flags=["road_to_war", "liberate_foes"],
        control=all_of("canada", "germany", "eastern_canada"),
    )
    take(s, "eastern_canada", "germany", let=("choose_home",))
    assert s.conquered == {"canada": "axis"}, "a major power's home country"


@pytest.mark.rule("blitz:3.4.conq-g")
@pytest.mark.rule("blitz:3.4.vichy-b")
def test_a_captured_french_fleet_that_is_sunk_is_set_aside_once_france_is_free() -> None:
    fleet = {"afa_brest_fleet": {"at": "mediterranean_sea", "size": 1, "power": "germany"}}
    s = at(units=fleet, flags=["france_fell", "france_freed"])
    run_emptily(s, lambda g: destroy(g, "afa_brest_fleet", "afa"))
    assert s.aside == {"afa_brest_fleet": "france"}
    assert not any("brest" in counter for counter in s.pool["germany"])


@pytest.mark.rule("blitz:9.5i")
def test_a_unit_that_changes_hands_loses_its_commander() -> None:
    s = at(
        options={"commanders": True},
        units={"afa_brest_fleet": "western_approaches", "afa_home_fleet": "western_approaches"},
        commanders={"cunningham": ("western_approaches", "afa_brest_fleet")},
    )
    take(s, "paris", "germany")
    assert s.units["afa_brest_fleet"].power == ""
    assert s.commanders == {}


def run_emptily(s: Any, act: Any) -> None:
    """Carry out something that asks nobody."""

    def procedure(g: Any) -> Any:
        act(g)
        return
        yield

    run(s, procedure)


@pytest.mark.rule("blitz:3.4.lib-d")
def test_who_keeps_a_liberated_country_has_its_counters_in_force_pools_too() -> None:
    s = at(
        ALLIED,
        wars=WARS,
        conquered={"french_north_africa": "axis", "france": "axis"},
        control={"morocco": "usa", "algeria": "germany", "paris": "germany"},
        flags=["france_fell"],
        pool={"afa": ["afa_free_french_army"]},
    )
    take(s, "algeria", "usa", answers=[("usa", GiveBack(False))])
    assert s.allied["french_north_africa"] == "usa"
    assert "afa_free_french_army" in s.pool["usa"]
    assert s.pool["afa"] == ()


@pytest.mark.rule("blitz:3.4.conq-d")
def test_the_ukrainian_unit_follows_the_ussr_to_its_new_home() -> None:
    s = at(units={"sov_ukrainian_army": "moscow"}, new_home={"ussr": "near_east"})
    assert s.facts.kinds["sov_ukrainian_army"].home == "ukraine"
    assert home_of(s, "sov_ukrainian_army") == "near_east"
