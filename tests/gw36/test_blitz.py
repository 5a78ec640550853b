"""Blitz (Table 9-3)."""

from typing import Any

import pytest

from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.blitz import Blitz, MayBlitz
from sandtable.kernel.errors import IllegalDecision
from tests.gw36.fights import Fight, fortify, place, position

MISS = 12


def ready(
    units: dict[str, Any], *, zone: str = "normandy", origin: str = "picardy", **fields: Any
) -> State:
    """German units against an infantry, with a point of movement used."""
    s = position(**fields)
    s.possession[origin] = "germany"
    place(s, zone, "germany", units, duty="attack", origin=origin, used=1)
    place(s, zone, "france", {"infantry": 1})
    s.planned = ((zone, "land"),)
    return s


@pytest.mark.rule("gw36:table-9-3a", "gw36:12.2.medium-armor-b", "gw36:table-9-3b")
def test_armor_goes_on_after_a_victory():
    s = ready({"medium_armor": 2})
    fight = Fight(s, [6, MISS, MISS], [Blitz({"germany:medium_armor": 1}, "aquitaine")])
    assert s.possession["normandy"] == "germany"
    assert s.possession["aquitaine"] == "germany"
    assert fight.units("aquitaine", "germany") == {"medium_armor": 1}
    assert [unit.used for unit in s.stack("aquitaine")] == [2]


@pytest.mark.rule("gw36:table-9-3a")
def test_a_combat_of_three_rounds_ends_it():
    s = ready({"medium_armor": 1})
    fight = Fight(s, [MISS] * 4 + [6, MISS])
    assert not any(isinstance(request, MayBlitz) for request in fight.asked)
    two = ready({"medium_armor": 1})
    assert any(isinstance(r, MayBlitz) for r in Fight(two, [MISS] * 2 + [6, MISS]).asked)


@pytest.mark.rule("gw36:table-9-3b", "gw36:12.2.light-armor-b", "gw36:12.2.mechanized-b")
def test_others_do_not_blitz_alone():
    for type_ in (
        "light_armor",
        "tank_destroyer",
        "motorized_infantry",
        "cavalry",
        "mechanized_infantry",
    ):
        s = ready({type_: 1})
        assert not any(isinstance(r, MayBlitz) for r in Fight(s, [1, MISS]).asked)


@pytest.mark.rule("gw36:table-9-3c", "gw36:12.2.sp-artillery-b", "gw36:7.8.advanced-mech-b")
def test_followers_are_paired_one_to_one_with_armor():
    s = ready({"medium_armor": 1, "mechanized_infantry": 2, "advanced_mechanized_infantry": 2})
    names = {
        "germany:medium_armor": 1,
        "germany:mechanized_infantry": 2,
        "germany:advanced_mechanized_infantry": 2,
    }
    request = MayBlitz("germany", "normandy", names, ("aquitaine",))
    one = {"germany:medium_armor": 1}
    request.check(s, Blitz(one | {"germany:mechanized_infantry": 1}, "aquitaine"))
    request.check(s, Blitz(one | {"germany:advanced_mechanized_infantry": 2}, "aquitaine"))
    for more in (
        {"germany:mechanized_infantry": 2},
        {"germany:mechanized_infantry": 1, "germany:advanced_mechanized_infantry": 1},
    ):
        with pytest.raises(IllegalDecision) as refused:
            request.check(s, Blitz(one | more, "aquitaine"))
        assert refused.value.rule == "table-9-3c"
    with pytest.raises(IllegalDecision):
        request.check(s, Blitz({"germany:mechanized_infantry": 1}, "aquitaine"))


@pytest.mark.rule("gw36:table-9-3d", "gw36:1.8d", "gw36:1.16g")
def test_no_blitz_out_of_a_city_or_into_rough_terrain():
    out = ready({"medium_armor": 1}, zone="paris", origin="picardy")
    assert not any(isinstance(r, MayBlitz) for r in Fight(out, [6, MISS]).asked)
    s = ready(
        {"medium_armor": 1},
        zone="picardy",
        origin="paris",
        on=["mountains"],
        wars=[("germany", "france"), ("germany", "belgium")],
    )
    fight = Fight(s, [6, MISS], until="may_blitz")
    (asked,) = [r for r in fight.asked if isinstance(r, MayBlitz)]
    assert "belgium" not in asked.zones  # a mountain border
    assert "normandy" in asked.zones


@pytest.mark.rule("gw36:12.7f", "gw36:table-9-3e", "gw36:1.23d")
def test_no_blitz_across_a_fortification():
    s = ready({"medium_armor": 1})
    fortify(s, "aquitaine", "normandy")
    fight = Fight(s, [6, MISS], until="may_blitz")
    asked = [r for r in fight.asked if isinstance(r, MayBlitz)]
    assert all("aquitaine" not in request.zones for request in asked)
    over = ready({"medium_armor": 1})
    fortify(over, "normandy", "picardy")
    assert not any(isinstance(r, MayBlitz) for r in Fight(over, [MISS, MISS, 6, MISS]).asked)


@pytest.mark.rule("gw36:table-9-3a")
def test_units_without_movement_left_stay():
    s = position()
    s.possession["picardy"] = "germany"
    place(s, "normandy", "germany", {"medium_armor": 1}, duty="attack", origin="picardy", used=2)
    place(s, "normandy", "france", {"infantry": 1})
    s.planned = (("normandy", "land"),)
    assert not any(isinstance(r, MayBlitz) for r in Fight(s, [6, MISS]).asked)
