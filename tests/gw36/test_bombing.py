"""Strategic and carpet bombing, rockets, attrition (9.16-9.18, 7.8)."""

from typing import Any

import pytest

from sandtable.games.gw36.model import Facility, State
from sandtable.games.gw36.rules.bombing import Intercept
from sandtable.games.gw36.rules.casualties import Casualties
from tests.gw36.fights import Fight, place, position

MISS = 12


def over(
    units: dict[str, Any],
    *,
    duty: str = "bomb",
    target: str = "major_factory",
    kind: str = "bombing",
    escorts: dict[str, Any] | None = None,
    defenders: dict[str, Any] | None = None,
    zone: str = "paris",
    **fields: Any,
) -> State:
    """German aircraft over a French zone."""
    s = position(**fields)
    s.facilities["paris"] = (Facility("air_base"), Facility("major_factory"))
    place(s, zone, "germany", units, duty=duty, target=target)
    place(s, zone, "germany", escorts or {}, duty="escort_bombers", target=target)
    place(s, zone, "france", defenders or {})
    s.planned = ((zone, kind),)
    return s


def damage(s: State, type_: str, zone: str = "paris") -> int:
    """The damage on a facility."""
    return next(each.damage for each in s.facilities[zone] if each.type == type_)


@pytest.mark.rule(
    "gw36:9.16a", "gw36:9.16c", "gw36:table-9-9d", "gw36:table-9-9e", "gw36:12.2.medium-bomber-b"
)
def test_bombers_roll_damage_and_face_a_gun_each():
    s = over({"medium_bomber": 1, "strategic_bomber": 1})
    fight = Fight(s, [3, 4, 5, MISS, 4])
    assert damage(s, "major_factory") == 12
    assert fight.values("defense") == {"anti_aircraft": [(2, 3)]}
    assert fight.units("paris", "germany") == {"medium_bomber": 1, "strategic_bomber": 1}
    assert all(unit.duty == "fought" for unit in s.stack("paris"))


@pytest.mark.rule("gw36:table-9-9f", "gw36:7.8.heavy-bomber-b")
def test_a_bomber_shot_down_has_still_done_its_damage():
    s = over({"heavy_strategic_bomber": 1})
    fight = Fight(s, [6, 6, 1, 3])
    assert damage(s, "major_factory") == 13
    assert fight.units("paris", "germany") == {}


@pytest.mark.rule("gw36:9.18a", "gw36:table-12-2a")
def test_damage_stops_at_the_maximum():
    s = over({"strategic_bomber": 2})
    Fight(s, [6, 6, 6, 6, MISS, MISS])
    assert damage(s, "major_factory") == 20


@pytest.mark.rule("gw36:table-9-9b", "gw36:table-9-9c", "gw36:9.16b", "gw36:12.2.fighter-c")
def test_interception_is_one_round_at_reduced_values():
    s = over(
        {"strategic_bomber": 1, "medium_bomber": 1},
        escorts={"fighter": 1},
        defenders={"fighter": 1, "infantry": 2, "jet_fighter": 1},
    )
    fight = Fight(
        s,
        [3, MISS, MISS, 3, MISS, 1, 1, 1, MISS, MISS],
        [
            Intercept({"france:fighter": 1, "france:jet_fighter": 1}),
            Casualties({"france:jet_fighter": 1}),
            Casualties({"germany:fighter": 1}),
        ],
    )
    assert fight.values("attack") == {
        "fighter": [(1, 3)],
        "medium_bomber": [(1, 1)],
        "strategic_bomber": [(1, 1)],
    }
    assert fight.values("defense")["fighter"] == [(1, 3)]
    assert fight.values("defense")["jet_fighter"] == [(1, 5)]
    assert fight.units("paris", "france") == {"fighter": 1, "infantry": 2}
    assert fight.units("paris", "germany") == {"medium_bomber": 1, "strategic_bomber": 1}


@pytest.mark.rule("gw36:7.8.radar-c")
def test_radar_helps_fighters_to_intercept():
    s = over({"strategic_bomber": 1}, defenders={"fighter": 1}, tech={("france", "radar"): 3})
    fight = Fight(s, [MISS, 4], [Intercept({"france:fighter": 1})])
    assert fight.values("defense")["fighter"] == [(1, 4)]
    assert damage(s, "major_factory") == 0


@pytest.mark.rule("gw36:9.16e", "gw36:12.10e")
def test_railways_have_no_guns_and_little_to_damage():
    s = over({"medium_bomber": 1}, target="railroad:normandy")
    fight = Fight(s, [6])
    assert s.rail_damage["normandy", "paris"] == 1
    assert fight.values("defense") == {}


@pytest.mark.rule("gw36:15.10a")
def test_canals_take_ten_points_and_have_guns():
    s = over(
        {"strategic_bomber": 1},
        zone="eastern_egypt",
        target="canal:suez_canal",
        wars=[("germany", "great_britain")],
    )
    s.stack("eastern_egypt")
    fight = Fight(s, [6, 6, MISS])
    assert s.canal_damage["suez_canal"] == 10
    assert fight.values("defense") == {"anti_aircraft": [(1, 3)]}


@pytest.mark.rule("gw36:9.17a", "gw36:9.17b", "gw36:9.17c", "gw36:12.2.strategic-bomber-b")
def test_carpet_bombing_meets_anti_aircraft_artillery_only():
    s = over(
        {"strategic_bomber": 1},
        duty="carpet",
        target="",
        kind="carpet",
        defenders={"infantry": 3, "anti_aircraft_artillery": 1},
    )
    fight = Fight(s, [2, 2, 3, 3], [Casualties({"france:infantry": 2})])
    assert fight.values("attack") == {"strategic_bomber": [(3, 2)]}
    assert fight.values("defense") == {"anti_aircraft_artillery": [(1, 3)]}
    assert fight.units("paris", "france") == {"infantry": 1, "anti_aircraft_artillery": 1}
    assert fight.units("paris", "germany") == {}  # at the end of the round: it did its damage


@pytest.mark.rule("gw36:1.10c")
def test_carpet_bombing_in_the_jungle_has_two_dice_fewer():
    s = over(
        {"strategic_bomber": 1, "heavy_strategic_bomber": 1},
        duty="carpet",
        target="",
        kind="carpet",
        zone="annam_tonkin",
        defenders={"infantry": 3},
        on=["jungles"],
    )
    fight = Fight(s, [MISS] * 4)
    assert fight.values("attack") == {
        "heavy_strategic_bomber": [(3, 2)],
        "strategic_bomber": [(1, 2)],
    }


@pytest.mark.rule("gw36:9.16d", "gw36:7.8.rockets-c", "gw36:7.8.rockets-d")
def test_rockets_hit_from_afar_and_nothing_fires_at_them():
    s = position()
    s.facilities["paris"] = (Facility("major_factory"),)
    place(
        s,
        "bavaria",
        "germany",
        {"strategic_rocket": 1},
        duty="rocket",
        target="paris/major_factory",
    )
    place(s, "paris", "france", {"fighter": 1, "infantry": 1})
    s.planned = (("paris", "rocket"),)
    fight = Fight(s, [5])
    assert damage(s, "major_factory") == 5
    assert fight.values("defense") == {}
    assert fight.units("bavaria", "germany") == {"strategic_rocket": 1}
    units = position()
    place(units, "bavaria", "germany", {"strategic_rocket": 1}, duty="rocket", target="paris/units")
    place(units, "paris", "france", {"infantry": 1})
    units.planned = (("paris", "rocket"),)
    assert Fight(units, [2]).units("paris", "france") == {}


@pytest.mark.rule("gw36:7.8.advanced-artillery-c")
def test_an_attrition_attack_is_one_sided():
    s = position()
    place(
        s,
        "bavaria",
        "germany",
        {"advanced_artillery": 2},
        duty="attrition",
        target="alsace_lorraine",
    )
    place(s, "alsace_lorraine", "france", {"infantry": 3})
    s.planned = (("alsace_lorraine", "attrition"),)
    fight = Fight(s, [2, 3])
    assert fight.values("attack") == {"advanced_artillery": [(2, 2)]}
    assert fight.units("alsace_lorraine", "france") == {"infantry": 2}
    assert fight.units("bavaria", "germany") == {"advanced_artillery": 2}
