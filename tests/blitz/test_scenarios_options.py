"""Worked examples of options that change the map or the fight."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.rules.land_round import attack_strength
from sandtable.games.blitz.rules.move_land import March
from sandtable.games.blitz.rules.movement import next_seas
from tests.blitz.table import Play, position


def test_ex_9_8() -> None:
    """Gibraltar and Singapore can be forced, Egypt cannot."""
    held = {"gibraltar": "germany", "egypt": "germany"}
    east = {"singapore": "japan", "south_east_asia": "japan"}
    units: dict[str, Any] = {
        "afa_home_fleet": {"at": "western_approaches", "size": 2},
        "afa_mediterranean_fleet": {"at": "mediterranean_sea", "size": 2},
        "afa_eastern_fleet": {"at": "bay_of_bengal", "size": 2},
    }
    for on in (False, True):
        s = position(options={"forced_passage": on}, units=units, control={**held, **east})
        forced = {
            id: set(next_seas(s, id, unit["at"], force=True)) - set(next_seas(s, id, unit["at"]))
            for id, unit in units.items()
        }
        if on:
            assert forced["afa_home_fleet"] == {"mediterranean_sea"}
            assert forced["afa_eastern_fleet"] == {"south_china_sea"}
            assert "arabian_sea" not in forced["afa_mediterranean_fleet"]
        else:
            assert not any(forced.values())


def test_the_extended_maginot_line_counts_against_attacks_from_the_low_countries() -> None:
    units = {
        "ger_army_group_b": {"at": "belgium_netherlands", "size": 2},
        "afa_maginot_line": {"at": "paris", "size": 2},
    }
    given: dict[str, Any] = {"units": units, "control": {"belgium_netherlands": "germany"}}
    armies = (["ger_army_group_b"], [], ["afa_maginot_line"])
    plain, extended = position(**given), position(flags=["maginot_extended"], **given)
    assert attack_strength(plain, "paris", *armies) == 4
    strength = attack_strength(extended, "paris", *armies)
    assert strength is not None
    assert strength < 4


@pytest.mark.rule("blitz:9.2l")
@pytest.mark.parametrize(
    ("origin", "country", "area", "asked"),
    [("berlin", "poland", "poland", True), ("western_germany", "france", "paris", False)],
)
def test_liberate_foes_leaves_the_enemys_home_countries_conquered(
    origin: str, country: str, area: str, asked: bool
) -> None:
    for flags in ([], ["liberate_foes"]):
        play = Play(
            phase="axis_activities",
            step="E",
            flags=["road_to_war", *flags],
            units={"ger_army_group_b": {"at": origin, "size": 2}},
        )
        play.do("germany", March("ger_army_group_b", (area,)))
        assert play.state.conquered == {country: "axis"}
        kinds = [request.kind for request in play.game.pending]
        assert ("liberate_foe" in kinds) == (asked and bool(flags))
