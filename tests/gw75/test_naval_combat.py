"""Transit Attacks and naval combat (chapters 13 and 15)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.rules.common import Done as End
from sandtable.games.gw75.rules.naval_combat import Decline, Engage, FallBack, Stand
from sandtable.games.gw75.rules.naval_movement import Sail, Snort
from sandtable.games.gw75.rules.naval_results import modifier
from sandtable.games.gw75.rules.naval_zones import Part, covers, strikers, strong
from sandtable.games.gw75.rules.transit import Spare, Strike
from sandtable.kernel.kits import Choose, Numbers
from tests.gw75.moves import redeploy
from tests.gw75.table import Table, Unit, state, table

WAR = [("commonwealth", "germany"), ("germany", "usa"), ("japan", "usa"), ("commonwealth", "japan")]
A, B, C, D, E, F, G, H = (f"W28{column:02d}" for column in range(8, 16))
"""Eight sea hexes in a row."""
SUBS = {"held": {"W3018": "germany"}}
"""A German port on the Atlantic."""


def fleet(phase: str = "axis_naval_2", turn: int | None = None, **fields: Any) -> Table:
    fields.setdefault("wars", WAR)
    return table(phase, turn, **fields)


def force(*parts: tuple[str, str, str, int]) -> tuple[tuple[str, str, str, int], ...]:
    return parts


def covered(s: Any, nation: str, type: str = "surf_b") -> set[str]:
    """The hexes in which ships of a nation can be attacked in transit."""
    return {hex for hex in s.facts.hexes if strikers(s, nation, hex, type)}


# --- zones ----------------------------------------------------------------------------------------


@pytest.mark.rule("gw75:13.0a", "gw75:13.21", "gw75:13.31")
def test_zones_of_ships():
    s = state(wars=WAR, units={D: {"usa": "surf_a"}})
    assert covered(s, "germany") == {D, *s.facts.near[D]}
    for type in ("surf_b", "ss"):
        assert covered(state(wars=WAR, units={D: {"usa": type}}), "germany") == {D}
    for type in ("ms", "amph"):
        assert covered(state(wars=WAR, units={D: {"usa": type}}), "germany") == set()


@pytest.mark.rule("gw75:13.21", "gw75:13.41", "gw75:15.52b", "gw75:16.12b", "gw75:16.22")
@pytest.mark.parametrize("mark", [{"depleted": True}, {"supply": "defense"}, {"supply": "none"}])
def test_units_without_attack_strength_have_no_zone(mark):
    units = {D: {"usa": {"surf_a": [mark]}}, "W3118": {"commonwealth": {"asw": [mark]}}}
    s = state(wars=WAR, units=units)
    assert covered(s, "germany") == set()
    assert not any(strong(unit) for _, unit, _ in s.units())


def test_unactivated_units_make_no_transit_attack():
    s = state(wars=WAR, units={D: {"usa": {"surf_a": [{"idle": True}]}}})
    assert covered(s, "germany") == set()


@pytest.mark.rule("gw75:13.41", "gw75:13.43", "gw75:13.0b", "gw75:12.32")
def test_asw_zones_by_turn_over_everything_but_neutrals():
    for turn, radius in ((1, 1), (7, 2), (14, 3), (18, 4)):
        wars = [*WAR, ("france", "germany")]
        s = state("axis_naval_2", turn, wars=wars, units={"W3217": {"commonwealth": "asw"}})
        assert s.facts.turns[turn].asw["commonwealth"] == radius
        far = max(s.facts.distance("W3217", hex) for hex in covered(s, "germany"))
        assert far == radius
    assert "W3117" not in covered(s, "germany")  # neutral Ireland
    assert "W3018" in covered(s, "germany")  # over the land of England
    unit = Unit("commonwealth", "asw")
    assert covers(s, "W3217", unit, "W3116")  # round Ireland


@pytest.mark.rule("gw75:12.23", "gw75:13.31", "gw75:13.0c")
def test_submarines_fear_surf_a_and_asw_units_only():
    s = state(wars=WAR, units={D: {"usa": "surf_b, ss"}, G: {"usa": "surf_a"}})
    assert covered(s, "germany", "ss") == {G, *s.facts.near[G]}
    assert covered(s, "commonwealth", "surf_b") == set()


# --- Transit Attacks ------------------------------------------------------------------------------


@pytest.mark.rule("gw75:13.0d", "gw75:13.0e", "gw75:12.0d")
def test_who_leaves_a_zone_may_be_attacked_and_does_not_answer():
    t = fleet(units={B: {"japan": "surf_b"}, "W2709": {"usa": "surf_a"}})
    t.do(Sail("japan", (B, C, D), {"surf_b": 1}))
    assert t.asked == "commonwealth transit_attack"
    assert t.request.space == B and t.request.hexes == {"W2709": 5} and t.request.defense == 3
    t.do(Strike()).dice(6, kind="transit_attack")  # 5 - 3 = +2: two fleets, of one
    assert t.units(B, "japan") == {}
    assert t.asked != "germany naval_counter_attack"
    t = fleet(units={B: {"japan": "surf_b"}, "W2709": {"usa": "surf_a"}})
    t.do(Sail("japan", (B, C, D), {"surf_b": 1}), Spare())
    assert t.units(D, "japan") == {"surf_b": 1}


@pytest.mark.rule("gw75:13.0e")
def test_a_transit_attack_needs_as_much_strength_as_it_meets():
    t = fleet(units={B: {"japan": "2 surf_b"}, "W2709": {"usa": "surf_a"}})
    t.do(Sail("japan", (B, C, D), {"surf_b": 2}))  # 5 against 6: nobody is asked
    assert t.units(D, "japan") == {"surf_b": 2}
    carriers = {"W2709": {"usa": "surf_a"}, A: {"usa": "surf_a"}}
    t = fleet(units={B: {"japan": "2 surf_b"}, **carriers})
    t.do(Sail("japan", (B, C, D), {"surf_b": 2}))
    assert t.request.hexes == {"W2709": 5, A: 5}
    assert "needs an Attack Strength of 6, not 5" in t.refused(Strike(("W2709",)), "13.0e")
    t.do(Strike(("W2709", A))).dice(1)


@pytest.mark.rule("gw75:13.15a", "gw75:13.15b", "gw75:13.16")
def test_a_unit_attacks_another_once_a_phase_but_several_in_it():
    t = fleet(units={B: {"japan": "surf_b"}, D: {"japan": "surf_b"}, "W2709": {"usa": "surf_a"}})
    assert {A, B} <= set(t.s.facts.near["W2709"])
    t.do(Sail("japan", (B, A, B, C), {"surf_b": 1}), Strike()).dice(2)  # nothing
    assert t.asked == "germany naval"  # no second attack on the way
    (moved,) = t.s.stack(C)
    assert moved.shot == ("W2709 usa surf_a",)
    t.do(Sail("japan", (D, C, B, A), {"surf_b": 1}), Strike()).dice(2)
    assert [event["space"] for event in t.events("transit_attack")] == [B, B]


@pytest.mark.rule("gw75:13.15b", "gw75:13.0d")
def test_a_standing_answer_holds_for_the_move():
    units = {A: {"japan": "surf_b"}, "W2709": {"usa": "surf_a"}, "W2711": {"usa": "surf_a"}}
    t = fleet(units=units)
    t.do(Sail("japan", (A, B, C, D, E), {"surf_b": 1}), Spare(always=True))
    assert t.units(E, "japan") == {"surf_b": 1}
    t = fleet(units=units)
    t.do(Sail("japan", (A, B, C, D, E), {"surf_b": 1}), Strike(always=True))
    t.dice(2).dice(2)
    assert t.units(E, "japan") == {"surf_b": 1}
    assert [event["space"] for event in t.events("transit_attack")] == [A, C]


@pytest.mark.rule("gw75:13.13")
def test_asw_units_suffer_no_transit_attack():
    from sandtable.games.gw75.rules.naval_movement import Transfer

    t = fleet(
        "allies_naval_2", 7, units={"W3118": {"commonwealth": "asw"}, "W3218": {"germany": "ss"}}
    )
    t.do(Transfer("commonwealth", "W3118", "W3217"))
    assert t.units("W3217", "commonwealth") == {"asw": 1}


@pytest.mark.rule("gw75:15.63", "gw75:12.23", "gw75:15.52c")
def test_submarines_are_attacked_as_a_group_and_nobody_is_depleted():
    t = fleet(units={B: {"germany": "3 ss"}, "W2709": {"usa": "surf_a"}}, **SUBS)
    t.do(Sail("germany", (B, C, D), {"ss": 3}))
    assert t.request.defense == 3 and t.request.units == {"ss": 3}
    t.do(Strike()).dice(3)  # 5 - 3 = +2, a three: 1D
    assert t.units(D, "germany") == {"ss": 2}
    assert not any(unit.depleted for unit in t.s.stack("W2709"))


@pytest.mark.rule("gw75:12.21b")
def test_the_snort_mode_multiplies_the_defense_in_transit():
    t = fleet(turn=18, units={B: {"germany": "3 ss"}, "W2709": {"usa": "surf_a"}}, **SUBS)
    t.do(Snort(B, 2), Sail("germany", (B, C), {"ss": 3}))
    assert t.request.defense == 2 * 2 + 1


@pytest.mark.rule("gw75:13.16", "gw75:15.52a")
def test_a_transit_attack_on_surface_units_depletes():
    t = fleet(units={B: {"japan": "surf_b"}, "W2709": {"usa": "2 surf_a"}})
    t.do(Sail("japan", (B, C, D), {"surf_b": 1}), Strike()).dice(1)  # +7: 1D
    assert t.units(D, "japan") == {}
    assert t.s.stack("W2709") == {Unit("usa", "surf_a"): 1, Unit("usa", "surf_a", depleted=True): 1}


# --- who attacks whom -----------------------------------------------------------------------------


@pytest.mark.rule("gw75:15.0a", "gw75:15.0b", "gw75:15.0j")
def test_attacks_come_from_adjacent_hexes_with_enough_strength():
    t = fleet(
        units={B: {"japan": "surf_a, surf_b, ss"}, D: {"usa": "surf_b"}, C: {"usa": "2 surf_b"}}
    )
    t.refused(Engage(D, force((B, "japan", "surf_a", 1))), "15.0b")
    t.refused(Engage(C, force((B, "japan", "surf_a", 1))), "15.0j")  # 5 against 6
    t.refused(Engage(C, force((B, "japan", "surf_a", 2))), "15.0a")
    t.refused(Engage(E, force((B, "japan", "surf_a", 1))), "15.61")
    t.refused(Engage(C, ()), "15.0a")
    t.refused(Engage(C, force((B, "usa", "surf_a", 1))), "15.0a")
    t.do(Engage(C, force((B, "japan", "surf_a", 1), (B, "japan", "surf_b", 1))))
    assert t.s.sea is not None and t.s.sea.target == C


@pytest.mark.rule("gw75:15.21a", "gw75:15.63")
def test_submarines_cannot_be_attacked():
    t = fleet(units={B: {"japan": "surf_a"}, C: {"usa": "2 ss"}})
    t.refused(Engage(C, force((B, "japan", "surf_a", 1))), "15.21a")


@pytest.mark.rule("gw75:15.0a")
def test_friends_are_not_attacked():
    t = fleet("allies_naval_2", units={D: {"usa": "surf_b"}, E: {"commonwealth": "surf_a"}})
    why = t.refused(Engage(D, force((E, "commonwealth", "surf_a", 1))), "15.0a")
    assert why == "United States is no Enemy of Commonwealth."


@pytest.mark.rule("gw75:15.31", "gw75:15.52b", "gw75:16.22", "gw75:16.12b", "gw75:15.33b")
def test_who_may_not_attack():
    def rule(units: Any, type: str) -> str:
        t = fleet(units={B: {"japan": units}, C: {"usa": "ms"}})
        return str(t.refusal(Engage(C, force((B, "japan", type, 1)))).rule)

    assert rule("ms", "ms") == "15.31"
    assert rule("amph", "amph") == "15.31"
    assert rule({"surf_a": [{"depleted": True}]}, "surf_a") == "15.52b"
    assert rule({"surf_b": [{"supply": "defense"}]}, "surf_b") == "16.22"
    assert rule({"surf_b": [{"supply": "none"}]}, "surf_b") == "16.12b"
    assert rule({"surf_b": [{"idle": True}]}, "surf_b") == "18.10"
    assert rule("surf_b, ms", "surf_b") == "15.33b"


@pytest.mark.rule("gw75:15.32a", "gw75:12.43a", "gw75:15.31")
def test_merchant_ships_are_attacked_from_five_hexes_away():
    t = fleet(units={A: {"japan": "surf_b"}, F: {"usa": "ms"}, G: {"usa": "ms"}})
    assert t.s.facts.distance(A, F) == 5
    t.refused(Engage(G, force((A, "japan", "surf_b", 1))), "15.32a")
    t.do(Engage(F, force((A, "japan", "surf_b", 1)))).dice(6)  # +3: two fleets
    assert t.units(F, "usa") == {}
    assert t.asked == "germany naval"  # Merchant Ships never Counter-Attack
    assert t.units(A, "japan") == {"surf_b": 1}  # and nobody had to enter their hex


@pytest.mark.rule("gw75:12.51a")
def test_amphibious_units_are_attacked_from_five_hexes_away():
    t = fleet(units={A: {"japan": "surf_b"}, F: {"usa": "amph"}})
    t.do(Engage(F, force((A, "japan", "surf_b", 1))), Stand()).dice(4)  # 3 - 1 = +2: one
    assert t.units(F, "usa") == {}


@pytest.mark.rule("gw75:15.12", "gw75:15.14")
def test_units_of_several_hexes_attack_together_and_each_hex_once():
    t = fleet(
        units={B: {"japan": "surf_b"}, D: {"japan": "surf_b"}, C: {"usa": "2 ms"}, E: {"usa": "ms"}}
    )
    t.do(Engage(C, force((B, "japan", "surf_b", 1), (D, "japan", "surf_b", 1)))).dice(1)  # +6: 1D
    assert t.units(C, "usa") == {"ms": 1}
    t.refused(Engage(C, force((B, "japan", "surf_b", 1))), "15.12")
    t.do(Engage(E, force((D, "japan", "surf_b", 1)))).dice(1)
    assert t.units(E, "usa") == {"ms": 1}


@pytest.mark.rule(
    "gw75:15.44a", "gw75:15.44b", "gw75:15.42", "gw75:15.41", "gw75:15.62", "gw75:15.61"
)
def test_asw_bases():
    units = {
        "W3021": {"germany": "asw"},
        "W3120": {"germany": "asw"},
        "W3219": {"commonwealth": "2 surf_a, surf_b, ss"},
        "W3118": {"commonwealth": "2 asw"},
    }
    t = fleet("allies_naval_2", 18, units=units, held={"W3220": "germany"})
    t.refused(Engage("W3021", force(("W3219", "commonwealth", "surf_a", 1))), "15.44a")
    t.refused(Engage("W3120", force(("W3219", "commonwealth", "ss", 1))), "15.62")
    t.do(Engage("W3120", force(("W3219", "commonwealth", "surf_a", 1))), Numbers({}))
    t.dice(5)  # 5 - 2 = +3: two
    assert t.units("W3120", "germany") == {}  # a real loss
    t = fleet("allies_naval_2", 1, units=units)
    t.refused(Engage("W3120", force(("W3118", "commonwealth", "asw", 2))), "15.41")
    wars = [*WAR, ("france", "germany")]  # France is no neutral on the way
    t = fleet("allies_naval_2", 18, units=units, wars=wars)
    t.do(Engage("W3021", force(("W3118", "commonwealth", "asw", 2)))).dice(6)  # +2: two
    assert t.units("W3021", "germany") == {}


# --- the two segments -----------------------------------------------------------------------------


def duel(**more: Any) -> Table:
    """Two Japanese carriers and two battle fleets next to an American fleet of two."""
    units = {B: {"japan": "2 surf_a, 2 surf_b"}, C: {"usa": "2 surf_b"}, **more}
    return fleet(units=units)


ALL = force((B, "japan", "surf_a", 2), (B, "japan", "surf_b", 2))


@pytest.mark.rule("gw75:15.0c", "gw75:15.0e", "gw75:15.13")
def test_the_first_segment_is_fought_by_carriers_alone():
    t = duel()
    t.do(Engage(C, ALL))
    assert t.asked == "commonwealth respond"
    t.do(Stand()).dice(3, kind="naval_attack")  # 10 - 6 = +4, a three: one fleet
    assert t.events("naval_attack")[-1]["attackers"] == {"japan": {"surf_a": 2}}
    assert t.units(C, "usa") == {"surf_b": 1}
    assert t.asked == "commonwealth naval_counter_attack"
    assert t.request.options == ("", B)
    t.do(Choose(""))
    assert t.asked == "germany close_in"
    assert t.request.options == ("surf_b", "all", "stop")
    t.do(Choose("stop"))
    assert t.asked == "germany naval" and t.s.sea is None
    assert t.units(C, "usa") == {"surf_b": 1}  # nobody has to give way


@pytest.mark.rule("gw75:15.0d", "gw75:15.81a")
def test_who_retreats_before_combat_takes_a_transit_attack_and_is_not_attacked_again():
    t = duel()
    t.do(Engage(C, ALL), FallBack(D))
    assert t.asked == "germany pursue" and t.request.options == ("transit", "nothing")
    t.do(Choose("transit")).dice(3, kind="transit_attack")  # +4: one
    assert t.units(D, "usa") == {"surf_b": 1}
    assert t.asked == "germany naval"
    t.do(Sail("japan", (B, C), {"surf_b": 2}))
    t.refused(Engage(D, force((C, "japan", "surf_b", 2))), "15.0d")


@pytest.mark.rule("gw75:4.2c", "gw75:12.0e")
def test_a_unit_moves_fights_and_moves_on_within_one_allowance():
    t = duel()
    t.do(Sail("japan", (B, A, B), {"surf_b": 2}))
    t.do(Engage(C, ALL), FallBack(D), Choose("nothing"))
    t.refused(Sail("japan", (B, *(A, B) * 14, A), {"surf_b": 2}), "12.0e")  # 29 more
    t.do(Sail("japan", (B, *(A, B) * 14), {"surf_b": 2}))  # 2 and 28
    assert t.s.stack(B)[Unit("japan", "surf_b", left=0, met=(C,))] == 2


@pytest.mark.rule("gw75:15.0d", "gw75:15.81a")
def test_the_attacker_need_not_pursue():
    t = duel()
    t.do(Engage(C, ALL), FallBack(D), Choose("nothing"))
    assert t.units(D, "usa") == {"surf_b": 2}


@pytest.mark.rule(
    "gw75:15.0f", "gw75:15.0g", "gw75:15.0h", "gw75:15.0i", "gw75:12.14d", "gw75:12.12b"
)
def test_the_second_segment_closes_in_and_the_side_with_more_losses_retreats():
    t = duel()
    t.do(Engage(C, ALL), Stand()).dice(1)  # +4: nothing
    t.do(Choose(""), Choose("surf_b"))
    assert t.asked == "commonwealth respond"  # he may retreat once more
    t.do(Stand()).dice(1, kind="naval_attack")  # 16 - 6 = +10: one fleet
    assert t.events("naval_attack")[-1]["attackers"] == {"japan": {"surf_a": 2, "surf_b": 2}}
    t.do(Choose(""))
    assert t.asked == "commonwealth naval_retreat"
    t.refused(Choose(A), "15.0i")
    t.do(Choose(D))
    assert t.units(C, "japan") == {"surf_b": 2}
    assert t.units(B, "japan") == {"surf_a": 2}
    assert t.units(D, "usa") == {"surf_b": 1}
    assert {unit.left for unit in t.s.stack(C)} == {29}


@pytest.mark.rule("gw75:15.0i")
def test_the_attacker_gives_way_if_he_has_lost_more_and_the_defender_if_equal():
    t = fleet(units={B: {"japan": "3 surf_b"}, C: {"usa": "2 surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_b", 3))), Stand()).dice(1)  # +3: nothing, 0D
    t.do(Choose(C)).dice(6)  # 6 - 9: column +0, one fleet
    assert t.asked == "germany naval_retreat"
    t.do(Choose(B))
    assert t.units(B, "japan") == {"surf_b": 2} and t.units(C, "usa") == {"surf_b": 2}
    t = fleet(units={B: {"japan": "3 surf_b"}, C: {"usa": "2 surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_b", 3))), Stand()).dice(1)
    t.do(Choose(""), Choose(D))
    assert t.units(C, "japan") == {"surf_b": 3} and t.units(D, "usa") == {"surf_b": 2}


@pytest.mark.rule("gw75:15.0i", "gw75:15.14")
def test_fleets_that_closed_in_from_several_hexes_give_way_together():
    units = {B: {"japan": "3 surf_b"}, D: {"japan": "surf_b"}, C: {"usa": "3 surf_b"}}
    t = fleet(units=units)
    attack = force((B, "japan", "surf_b", 3), (D, "japan", "surf_b", 1))
    t.do(Engage(C, attack), Stand()).dice(1)  # +3: nothing
    t.do(Choose(C)).dice(6)  # column +0, one fleet
    assert t.asked == "germany naval_retreat"
    t.do(Choose(B))
    assert t.units(B, "japan") == {"surf_b": 3}
    assert t.units(C, "japan") == {} and t.units(C, "usa") == {"surf_b": 3}
    assert t.asked == "germany naval"  # and nobody is left to ask about


@pytest.mark.rule("gw75:15.0h")
def test_closing_in_is_leaving_a_zone():
    t = fleet(units={B: {"japan": "3 surf_b"}, C: {"usa": "surf_a, surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_b", 3))), Stand())
    assert t.asked != "commonwealth transit_attack"  # 5 cannot attack 9
    t = fleet(units={B: {"japan": "2 surf_b"}, C: {"usa": "surf_a"}, "W2709": {"usa": "surf_a"}})
    t.do(Engage(C, force((B, "japan", "surf_b", 2))), Stand())
    assert t.asked == "commonwealth transit_attack"
    t.do(Strike()).dice(4)  # 10 - 6 = +4: two
    assert t.units(C, "japan") == {} and t.units(B, "japan") == {}
    assert t.asked != "chance roll"


@pytest.mark.rule("gw75:15.81a", "gw75:15.52b")
def test_a_depleted_carrier_does_not_pursue():
    t = fleet(units={B: {"japan": "surf_a, 3 surf_b"}, C: {"usa": "surf_b"}})
    parts = force((B, "japan", "surf_a", 1), (B, "japan", "surf_b", 3))
    t.do(Engage(C, parts), Stand()).dice(1)  # +2: 0D
    t.do(Choose(""), Choose("surf_b"), FallBack(D))
    assert t.asked == "germany naval"
    assert t.units(D, "usa") == {"surf_b": 1}


@pytest.mark.rule("gw75:15.81a")
def test_only_those_who_attack_pursue():
    """The carrier in D has the hex in its zone, too, but takes no part in the attack."""
    t = fleet(units={B: {"japan": "3 surf_b"}, D: {"japan": "surf_a"}, C: {"usa": "surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_b", 3))), FallBack("W2710"))
    assert t.asked == "germany naval"


@pytest.mark.rule("gw75:15.82", "gw75:15.81a")
def test_a_retreat_needs_a_hex_without_enemy_surface_or_asw_units():
    t = duel(**{D: {"japan": "surf_b"}})
    t.do(Engage(C, ALL))
    assert D not in t.request.hexes and B not in t.request.hexes
    t.refused(FallBack(D), "15.82")
    t.refused(FallBack(t.request.hexes[0], {"usa surf_b": 3}), "15.81a")
    t = duel(**{D: {"japan": "ss"}})
    t.do(Engage(C, ALL))
    assert D in t.request.hexes


@pytest.mark.rule("gw75:15.81b")
def test_after_a_partial_retreat_the_attacker_chooses_whom_to_attack():
    t = duel()
    t.do(Engage(C, ALL), FallBack(D, {"usa surf_b": 1}))
    assert t.request.options == ("transit", "attack", "nothing")
    t.do(Choose("attack")).dice(1)  # 10 - 3 = +7, read as +6: 1D
    assert t.units(C, "usa") == {} and t.units(D, "usa") == {"surf_b": 1}
    t = duel()
    t.do(Engage(C, ALL), FallBack(D, {"usa surf_b": 1}), Choose("transit")).dice(1)
    assert t.units(C, "usa") == {"surf_b": 1} and t.units(D, "usa") == {}
    assert t.asked == "germany naval"


@pytest.mark.rule("gw75:15.21b")
def test_submarines_of_the_stack_add_nothing_and_stay():
    t = fleet(units={B: {"japan": "2 surf_a"}, C: {"usa": "2 surf_b, 3 ss"}})
    t.do(Engage(C, force((B, "japan", "surf_a", 2))), FallBack(D), Choose("nothing"))
    assert t.units(C, "usa") == {"ss": 3} and t.units(D, "usa") == {"surf_b": 2}
    t = fleet(units={B: {"japan": "2 surf_a"}, C: {"usa": "2 surf_b, 3 ss"}})
    t.do(Engage(C, force((B, "japan", "surf_a", 2))), Stand()).dice(6)  # +4: two fleets
    assert t.units(C, "usa") == {"ss": 3}


def test_us_ships_may_not_retreat_in_the_turn_of_the_first_attack():
    t = fleet(
        turn=9,
        counts={"us_surprise": 9},
        units={B: {"japan": "2 surf_a"}, C: {"usa": "2 surf_b"}},
    )
    t.do(Engage(C, force((B, "japan", "surf_a", 2))))
    assert t.asked == "chance roll"


# --- losses, depletion, Counter-Attacks -----------------------------------------------------------


@pytest.mark.rule("gw75:15.15", "gw75:15.53")
def test_the_owner_chooses_the_fleets_that_are_lost():
    t = fleet(units={B: {"japan": "3 surf_a"}, C: {"usa": "surf_a, 2 surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_a", 3))), Stand()).dice(5)  # 15 - 9 = +6: three
    assert t.units(C, "usa") == {}
    t = fleet(units={B: {"japan": "3 surf_a"}, C: {"usa": "surf_a, 2 surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_a", 3))), Stand()).dice(3)  # two
    assert t.asked == "commonwealth naval_losses" and t.request.total == 2
    t.refused(Numbers({f"{C} usa surf_b": 1}), "15.15")
    t.do(Numbers({f"{C} usa surf_b": 1, f"{C} usa surf_a": 1}))
    assert t.units(C, "usa") == {"surf_b": 1}


@pytest.mark.rule("gw75:15.51", "gw75:15.52a")
def test_one_attacking_carrier_or_asw_unit_is_depleted_of_its_players_choice():
    t = fleet(units={B: {"japan": "surf_a"}, D: {"japan": "surf_a"}, C: {"usa": "2 surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_a", 1), (D, "japan", "surf_a", 1))), Stand()).dice(2)
    assert t.asked == "germany deplete"  # +4, a two: 1D
    t.do(Numbers({f"{D} japan surf_a": 1}))
    assert [unit.depleted for unit in t.s.stack(D)] == [True]
    assert [unit.depleted for unit in t.s.stack(B)] == [False]
    assert len(t.events("naval_attack")) == 1 and t.events("naval_attack")[0]["depleted"] == 1


@pytest.mark.rule("gw75:15.52c", "gw75:15.52a")
def test_an_attack_on_merchant_ships_alone_does_not_deplete():
    t = fleet(units={B: {"japan": "surf_a"}, C: {"usa": "3 ms"}})
    t.do(Engage(C, force((B, "japan", "surf_a", 1)))).dice(1)  # +5: 1D
    assert not any(unit.depleted for unit in t.s.stack(B))
    t = fleet(units={B: {"japan": "2 surf_a"}, C: {"usa": "3 ms, surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_a", 2))), Stand()).dice(1)  # +7: 1D
    t.do(Numbers({f"{C} usa ms": 1}))
    assert any(unit.depleted for unit in t.s.stack(B))


@pytest.mark.rule("gw75:15.72", "gw75:15.13")
def test_a_counter_attack_without_superiority_or_survivors_is_in_column_zero():
    t = fleet(units={B: {"japan": "2 surf_a"}, C: {"usa": "surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_a", 2))), Stand()).dice(6)  # +7: three
    assert t.units(C, "usa") == {}
    t.do(Choose(B)).dice(6, kind="naval_counter_attack")
    assert t.events("naval_counter_attack")[-1]["differential"] == 0
    assert t.units(B, "japan") == {"surf_a": 1}
    t = fleet(units={B: {"japan": "4 surf_a"}, C: {"usa": "2 surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_a", 4))), Stand()).dice(1)  # +14: one
    t.do(Choose(B)).dice(5)  # 3 - 12: +0, 1D
    assert t.units(B, "japan") == {"surf_a": 3}


@pytest.mark.rule("gw75:15.72")
def test_a_counter_attack_is_made_on_one_hex_of_the_attackers():
    t = fleet(units={B: {"japan": "surf_a"}, D: {"japan": "surf_a"}, C: {"usa": "2 surf_a"}})
    t.do(Engage(C, force((B, "japan", "surf_a", 1), (D, "japan", "surf_a", 1))), Stand()).dice(1)
    assert t.request.options == ("", B, D)
    t.do(Choose(D)).dice(6)  # 10 - 3 = +7: three
    assert t.units(D, "japan") == {} and t.units(B, "japan") == {"surf_a": 1}


@pytest.mark.rule("gw75:15.77", "gw75:15.76", "gw75:15.31")
def test_who_has_no_attack_strength_does_not_counter_attack():
    for there in ("2 ms", {"surf_a": [{"depleted": True}], "ms": 1}, "2 amph", "ms, 2 ss"):
        t = fleet(units={B: {"japan": "2 surf_a"}, C: {"usa": there}})
        t.do(Engage(C, force((B, "japan", "surf_a", 2))))
        if t.asked == "commonwealth respond":
            t.do(Stand())
        t.dice(1)
        if t.asked == "commonwealth naval_losses":
            t.do(next(iter(t.request.decisions(t.s))))
        if t.asked == "germany deplete":
            t.do(next(iter(t.request.decisions(t.s))))
        assert t.asked in ("germany naval", "germany close_in")


@pytest.mark.rule("gw75:15.75", "gw75:15.33a", "gw75:15.34", "gw75:15.33b", "gw75:15.21a")
def test_escorts_defend_their_convoy_and_counter_attack_at_any_distance():
    t = fleet(units={A: {"germany": "8 ss"}, F: {"usa": "2 ms, surf_b"}}, **SUBS)
    t.refused(Engage(F, force((A, "germany", "ss", 2))), "15.0j")  # 2 against 3
    t.do(Engage(F, force((A, "germany", "ss", 8))), Stand()).dice(6)
    assert 11 <= t.s.facts.distance(A, "W3018") <= 15  # two off the die: a four, +5: two fleets
    assert t.request.kind == "naval_losses"
    assert t.request.total == 2 and t.request.most == {f"{F} usa ms": 2, f"{F} usa surf_b": 1}
    t.do(Numbers({f"{F} usa ms": 2}))
    assert t.asked == "commonwealth naval_counter_attack"
    t.do(Choose(A)).dice(6)  # 3 - 8: column +0, one fleet
    assert t.units(A, "germany") == {"ss": 7}
    assert t.units(F, "usa") == {"surf_b": 1}


@pytest.mark.rule("gw75:15.33a", "gw75:15.21b")
def test_a_submarine_does_not_escort():
    t = fleet(units={A: {"germany": "ss"}, F: {"usa": "ms, 3 ss"}}, **SUBS)
    t.do(Engage(F, force((A, "germany", "ss", 1)))).dice(6)  # 2 against 0
    assert t.units(F, "usa") == {"ss": 3}
    assert t.asked == "germany naval"


@pytest.mark.rule("gw75:15.23", "gw75:16.0a")
def test_example_the_die_of_a_submarine_by_its_distance_from_port():
    s = state(wars=WAR, units={"W3120": {"germany": "ss"}}, **SUBS)
    row = s.facts.within("W3018", 20)
    for far, less in ((0, 0), (3, 0), (5, 0), (6, 1), (8, 1), (13, 2), (18, 3), (20, 3)):
        hex = min(
            hex
            for hex, distance in row.items()
            if distance == far
            and all(s.facts.distance(hex, port) >= far for port in ("W3120", "W3121"))
        )
        assert modifier(s, [Part(hex, Unit("germany", "ss"), 1)]) == less
    assert modifier(s, [Part("W2806", Unit("germany", "surf_b"), 1)]) == 0
    near, far_off = Part("W3018", Unit("germany", "ss"), 1), Part(A, Unit("germany", "ss"), 1)
    assert modifier(s, [near, far_off]) == modifier(s, [far_off]) > 0


# --- ASW units ------------------------------------------------------------------------------------


COAST = "W3317"
"""A sea hex next to Scotland."""


@pytest.mark.rule("gw75:15.35a", "gw75:15.35b", "gw75:12.31a", "gw75:15.62")
def test_asw_units_escort_one_holding_area_a_phase_and_take_no_losses():
    t = fleet(
        turn=7,
        units={
            "W3317": {"commonwealth": "2 ms"},
            "W3316": {"commonwealth": "ms"},
            "W3217": {"commonwealth": "asw"},
            "W3416": {"germany": "4 ss"},
            "W3417": {"germany": "4 ss"},
        },
    )
    t.do(Engage("W3317", force(("W3417", "germany", "ss", 4))))
    assert t.asked == "commonwealth support"
    t.do(Numbers({"W3217 commonwealth asw": 1})).dice(6)  # 4 - 2 = +2
    assert t.events("naval_attack")[-1]["differential"] == 2
    assert t.asked == "commonwealth naval_counter_attack"
    t.do(Choose(""))
    assert t.units("W3217", "commonwealth") == {"asw": 1}
    assert not next(iter(t.s.stack("W3217"))).depleted
    t.do(Engage("W3316", force(("W3416", "germany", "ss", 4))))
    assert t.asked == "chance roll"  # it has escorted another one


@pytest.mark.rule("gw75:15.45", "gw75:15.35b")
def test_asw_units_defend_ships_against_surface_units_and_may_be_depleted():
    units = {
        "W3317": {"commonwealth": "surf_b"},
        "W3217": {"commonwealth": "asw"},
        "W3417": {"germany": "3 surf_b"},
    }
    t = fleet(turn=7, units=units)
    t.do(Engage("W3317", force(("W3417", "germany", "surf_b", 3))), Stand())
    assert t.asked == "commonwealth support"
    t.do(Numbers({"W3217 commonwealth asw": 1})).dice(3)  # 9 - 5 = +4: one fleet
    t.do(Numbers({"W3217 commonwealth asw deplete": 1}))
    assert next(iter(t.s.stack("W3217"))).depleted
    assert t.units("W3317", "commonwealth") == {"surf_b": 1}
    (told,) = t.events("naval_attack")
    assert (told["losses"], told["instead"]) == ({}, 1)
    t = fleet(turn=7, units=units)
    t.do(Engage("W3317", force(("W3417", "germany", "surf_b", 3))), Stand(), Numbers({}))
    t.dice(3)  # +6: two
    assert t.units("W3317", "commonwealth") == {}


@pytest.mark.rule("gw75:15.45")
def test_an_attack_that_asw_units_make_too_weak_is_not_made():
    t = fleet(
        turn=7,
        units={
            "W3317": {"commonwealth": "surf_b"},
            "W3217": {"commonwealth": "asw"},
            "W3417": {"germany": "surf_b"},
        },
    )
    t.do(Engage("W3317", force(("W3417", "germany", "surf_b", 1))), Stand())
    t.do(Numbers({"W3217 commonwealth asw": 1}))
    assert t.events("called_off")
    assert t.asked == "germany naval_retreat"  # nobody was attacked, and nobody is driven off
    t.do(Choose("W3417"))
    assert t.units("W3317", "commonwealth") == {"surf_b": 1}
    assert t.units("W3417", "germany") == {"surf_b": 1}


@pytest.mark.rule("gw75:15.0f", "gw75:15.13")
def test_an_attack_is_called_off_when_all_who_were_to_close_in_were_sunk():
    units = {B: {"japan": "surf_a, surf_b"}, C: {"usa": "2 surf_b"}, "W2709": {"usa": "surf_a"}}
    t = fleet(units=units)
    t.do(Engage(C, force((B, "japan", "surf_a", 1), (B, "japan", "surf_b", 1))))
    t.do(Choose("surf_b"), Stand(), Strike()).dice(6)
    assert t.units(B, "japan") == {"surf_a": 1} and t.units(C, "usa") == {"surf_b": 2}
    assert t.events("called_off")  # 5 against 6, and nobody is there to go back
    assert t.asked == "germany naval"


@pytest.mark.rule("gw75:15.0f", "gw75:15.0j")
def test_nobody_closes_in_who_is_too_weak_to_attack():
    t = fleet(units={B: {"japan": "2 surf_a"}, C: {"usa": "3 surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_a", 2))), Stand()).dice(1)  # 10 - 9: 0D
    t.do(Choose(""))  # now it is 5 against 9
    assert t.asked == "germany naval"
    t = fleet(units={B: {"japan": "2 surf_a, 2 surf_b"}, C: {"usa": "3 surf_b"}})
    t.do(Engage(C, ALL), Stand()).dice(1)
    t.do(Choose(""))  # 5 and 6
    assert t.request.options == ("surf_b", "all", "stop")


@pytest.mark.rule("gw75:15.33a", "gw75:15.33b", "gw75:15.35a", "gw75:15.35b")
def test_asw_units_that_are_stacked_with_merchant_ships_escort_these():
    units = {
        "W3217": {"commonwealth": "2 asw, 2 ms"},
        "W3316": {"commonwealth": "ms"},
        "W3317": {"germany": "4 ss, surf_b"},
    }
    t = fleet("allies_naval_2", 7, units=units)
    t.refused(Engage("W3317", force(("W3217", "commonwealth", "asw", 2))), "15.33b")
    t = fleet(turn=7, units=units)
    t.do(Engage("W3316", force(("W3317", "germany", "ss", 2))))
    assert t.asked == "chance roll"  # they have their own to look after
    t = fleet(turn=7, units=units)
    t.do(Engage("W3217", force(("W3317", "germany", "ss", 4))))
    assert t.asked == "chance roll"  # nobody is asked whether they take part
    t.dice(6)  # 4 - 4: one
    assert t.events("naval_attack")[-1]["differential"] == 0
    assert t.units("W3217", "commonwealth") == {"asw": 2, "ms": 1}


@pytest.mark.rule("gw75:15.73")
def test_surf_b_counter_attack_the_asw_units_over_a_hex_too():
    t = fleet(
        "allies_naval_2",
        7,
        units={
            "W3317": {"commonwealth": "2 surf_a"},
            "W3217": {"commonwealth": "asw"},
            "W3417": {"germany": "2 surf_b"},
        },
    )
    t.do(Engage("W3417", force(("W3317", "commonwealth", "surf_a", 2))), Stand()).dice(1)
    t.do(Choose("W3317")).dice(6)  # 6 against 6 and 2: column +0, one fleet
    assert t.request.most == {
        "W3317 commonwealth surf_a": 2,
        "W3217 commonwealth asw deplete": 1,
    }
    t.do(Numbers({"W3217 commonwealth asw deplete": 1}))
    assert next(iter(t.s.stack("W3217"))).depleted


@pytest.mark.rule("gw75:15.44b", "gw75:12.12a", "gw75:14.14", "gw75:15.0i")
def test_surface_b_units_attack_asw_bases():
    """They enter the hex of an island or a coast for it, and do not stay with the ASW units; land
    units keep them out."""
    kwajalein, near, other = "E1916", "E1915", "E1917"
    units = {kwajalein: {"japan": "2 asw, surf_b"}, near: {"usa": "4 surf_b"}}
    attack = Engage(kwajalein, force((near, "usa", "surf_b", 4)))
    t = fleet("allies_naval_2", 8, units=units)
    t.do(attack, Stand())
    t.dice(6)  # 12 - 7 = +5: three
    assert t.units(kwajalein, "japan") == {}
    t = fleet("allies_naval_2", 8, units=units)
    t.do(attack, Stand())
    t.dice(4)  # two
    t.do(Numbers({f"{kwajalein} japan asw": 1, f"{kwajalein} japan surf_b": 1}), Choose(""))
    assert t.asked == "commonwealth naval_retreat" and t.request.space == kwajalein
    t.do(Choose(other))
    assert (t.units(kwajalein, "japan"), t.units(other, "usa")) == ({"asw": 1}, {"surf_b": 4})
    units = {kwajalein: {"japan": "2 asw, inf"}, near: {"usa": "4 surf_b"}}
    t = fleet("allies_naval_2", 8, units=units)
    t.refused(attack, "15.0b")


@pytest.mark.rule("gw75:15.42", "gw75:15.44b")
def test_asw_units_attack_together_with_ships():
    t = fleet(
        "allies_naval_2",
        7,
        units={
            "W3317": {"germany": "surf_b"},
            "W3217": {"commonwealth": "asw"},
            "W3416": {"commonwealth": "surf_a"},
        },
    )
    t.do(
        Engage(
            "W3317",
            force(("W3217", "commonwealth", "asw", 1), ("W3416", "commonwealth", "surf_a", 1)),
        )
    )
    t.do(Stand()).dice(6)
    assert t.events("naval_attack")[-1]["differential"] == 7 - 3


# --- declining combat -----------------------------------------------------------------------------


@pytest.mark.rule("gw75:16.24")
def test_axis_units_in_port_decline_combat_in_the_third_allied_phase():
    units = {"W3120": {"germany": "surf_b"}, "W3219": {"commonwealth": "surf_a"}}
    t = fleet("allies_naval_2", units=units)
    t.do(Engage("W3120", force(("W3219", "commonwealth", "surf_a", 1))))
    if t.asked == "germany respond":
        t.refused(Decline(), "16.24")
    t = fleet("allies_naval_3", units=units)
    t.do(Engage("W3120", force(("W3219", "commonwealth", "surf_a", 1))), Decline())
    assert t.asked == "commonwealth pursue" and t.request.options == ("transit", "nothing")
    t.do(Choose("transit")).dice(1)  # 5 - 3 = +2: nothing, but 0D
    assert t.units("W3120", "germany") == {"surf_b": 1}
    assert t.asked == "commonwealth naval"  # no Counter-Attack
    t.refused(Engage("W3120", force(("W3219", "commonwealth", "surf_a", 1))), "15.52b")


@pytest.mark.rule("gw75:16.24")
def test_escorts_that_decline_leave_their_merchant_ships():
    t = fleet(
        "allies_naval_3",
        units={C: {"japan": "surf_b, 2 ms"}, B: {"usa": "surf_a"}},
    )
    t.do(Engage(C, force((B, "usa", "surf_a", 1))), Decline())
    assert t.request.options == ("transit", "attack", "nothing")
    t.do(Choose("attack")).dice(1)  # 5 against 0: +5, one
    assert t.units(C, "japan") == {"surf_b": 1, "ms": 1}


@pytest.mark.rule("gw75:16.24")
def test_each_ship_in_port_or_on_escort_may_decline():
    units = {"W3120": {"germany": "2 amph"}, "W3219": {"commonwealth": "surf_a"}}
    t = fleet("allies_naval_3", units=units)
    t.do(Engage("W3120", force(("W3219", "commonwealth", "surf_a", 1))), Decline())
    assert t.request.options == ("transit", "nothing")
    t = fleet("allies_naval_3", units={C: {"japan": "surf_b, 2 amph, ms"}, B: {"usa": "2 surf_a"}})
    t.do(Engage(C, force((B, "usa", "surf_a", 2))), Decline())  # not the Amphibious units
    t.do(Choose("attack")).dice(1)
    assert t.request.most == {f"{C} japan amph": 2, f"{C} japan ms": 1}


# --- peace ----------------------------------------------------------------------------------------


@pytest.mark.rule("gw75:15.0a")
def test_an_axis_attack_on_a_nation_at_peace_brings_war_and_allies_do_not_attack_first():
    t = fleet(units={B: {"japan": "surf_a"}, C: {"usa": "ms"}}, wars=[("china", "japan")])
    t.do(Engage(C, force((B, "japan", "surf_a", 1))))
    assert ("japan", "usa") in t.s.wars
    t.dice(6)
    assert t.units(C, "usa") == {}
    t = fleet(
        "allies_naval_2",
        units={B: {"japan": "ms"}, C: {"usa": "surf_a"}},
        wars=[("germany", "usa")],
    )
    assert "open a war" in t.refused(Engage(B, force((C, "usa", "surf_a", 1))), "19.33a")


@pytest.mark.rule("gw75:15.0a", "gw75:15.34", "gw75:19.33a")
def test_ships_at_peace_are_not_attacked_with_those_of_an_enemy():
    """American ships in a Holding Area of the Commonwealth's; alone they are attacked, and with
    that the USA."""
    units = {C: {"commonwealth": "2 ms", "usa": "3 ms, surf_b"}, B: {"germany": "9 ss"}}
    attack = Engage(C, force((B, "germany", "ss", 9)))
    wars = [("commonwealth", "germany")]
    t = fleet(units=units, wars=wars, **SUBS)
    t.do(attack).dice(6)  # 9 against 0, 11 to 15 hexes from Brest: three, and there are two
    assert t.units(C, "commonwealth") == {} and t.units(C, "usa") == {"ms": 3, "surf_b": 1}
    assert t.s.wars == {("commonwealth", "germany")}
    units = {C: {"usa": "3 ms"}, B: {"germany": "9 ss"}}
    t = fleet(units=units, wars=wars, **SUBS)
    t.do(attack)
    assert ("germany", "usa") in t.s.wars


# --- ships that carry land units ------------------------------------------------------------------


def shipped(s: Any, nation: str, path: tuple[str, ...], number: int, *areas: str) -> Any:
    """Run a shipment by itself; the table's answers come from its decisions."""
    from sandtable.games.gw75.rules.naval_combat import transit

    return transit(_Bare(s), nation, path, number, areas)


def at(s: Any, hex: str) -> dict[str, int]:
    return {unit.type: count for unit, count in s.stack(hex).items()}


class _Bare:
    """A table that only asks and rolls."""

    def __init__(self, s: Any) -> None:
        self.state = s
        self.events: list[tuple[str, dict[str, Any]]] = []

    def ask(self, request: Any) -> Any:
        return (yield request)

    def roll(self, kind: str, lines: Any) -> Any:
        return (yield kind)

    def emit(self, kind: str, **data: Any) -> None:
        self.events.append((kind, data))


def run(procedure: Any, *answers: Any) -> Any:
    """Answer what a procedure asks, one by one; its result."""
    given = list(answers)
    try:
        next(procedure)
        while True:
            procedure.send(given.pop(0))
    except StopIteration as stop:
        assert not given
        return stop.value


@pytest.mark.rule("gw75:12.42a", "gw75:12.42b", "gw75:15.32b")
def test_loaded_merchant_ships_may_be_attacked_in_transit():
    s = state(
        "allies_strategic_movement",
        units={C: {"usa": "3 ms"}, D: {"germany": "ss"}},
        wars=WAR,
        **SUBS,
    )
    path = (B, C, D, E)
    assert run(shipped(s, "usa", path, 2, C), Strike(), (6,)) == {C: 1}  # +2
    assert at(s, C) == {"ms": 2}
    assert run(shipped(s, "usa", path, 2, C), Spare()) == {}
    assert run(shipped(s, "usa", (A, B, C), 2, C)) == {}  # it does not leave the zone


@pytest.mark.rule("gw75:15.32b")
def test_the_nearest_holding_area_is_attacked():
    s = state(
        "allies_strategic_movement",
        units={A: {"usa": "ms"}, C: {"usa": "ms"}, E: {"usa": "ms"}, D: {"germany": "surf_b"}},
        wars=WAR,
    )
    assert run(shipped(s, "usa", (B, C, D, E), 1, A, E), Strike(), (6,)) == {E: 1}
    assert at(s, E) == {} and at(s, A) == at(s, C) == {"ms": 1}  # that in C is of no use to it
    s = state(
        "allies_strategic_movement",
        units={B: {"usa": "ms"}, F: {"usa": "ms"}, D: {"germany": "surf_b"}},
        wars=WAR,
    )
    assert run(shipped(s, "usa", (B, C, D, E), 1, B, F), Choose(B), Strike(), (6,)) == {B: 1}
    assert at(s, B) == {}


@pytest.mark.rule("gw75:15.35b", "gw75:12.42a")
def test_an_escort_of_loaded_ships_is_over_with_the_phase():
    units = {
        "W3217": {"commonwealth": "2 inf"},
        "W3317": {"commonwealth": "3 ms", "germany": "4 ss"},
        "W3118": {"commonwealth": "asw"},
    }
    t = table("allies_strategic_movement", 7, wars=[("commonwealth", "germany")], units=units)
    t.do(redeploy("inf", "commonwealth", sea="W3217 > W3317 > W3318 > W3218 > W3118"), Strike())
    t.do(Numbers({"W3118 commonwealth asw": 1})).dice(1)
    assert [unit.origin for unit in t.s.stack("W3118") if unit.type == "asw"] == ["W3317"]
    t.do(End())
    assert Unit("commonwealth", "asw") in t.s.stack("W3118")


@pytest.mark.rule("gw75:12.52", "gw75:12.63")
def test_loaded_amphibious_units_may_be_attacked_in_transit():
    s = state("axis_land_movement", units={A: {"japan": "2 amph"}, C: {"usa": "surf_b"}}, wars=WAR)
    assert run(shipped(s, "japan", (A, B, C, D), 2), Strike(), (6,)) == {A: 1}  # 3 - 2 = +1: one
    assert at(s, A) == {"amph": 1}


def test_the_phase_goes_on_after_a_copy_in_the_middle_of_a_battle():
    t = duel()
    t.do(Engage(C, ALL), Stand()).dice(3)
    copy = t.game.clone()
    assert copy.pending == t.game.pending
    copy.submit("commonwealth", Choose(""))
    t.do(Choose(""))
    assert copy.hash == t.game.hash
    t.do(Choose("stop"), End())


@pytest.mark.rule("gw75:15.13", "gw75:15.75", "gw75:15.41")
def test_who_was_lost_counter_attacks_only_hexes_that_it_could_reach():
    def asked(target: str, units: str) -> str:
        war = {"W3118": {"commonwealth": "3 asw"}, target: {"germany": units}}
        t = fleet("allies_naval_2", 7, units=war)
        t.do(Engage(target, force(("W3118", "commonwealth", "asw", 3))))
        while t.asked.endswith("respond"):
            t.do(Stand())
        t.dice(6)
        while t.asked.endswith("naval_losses"):
            t.do(Numbers({f"{target} germany surf_b": 1, f"{target} germany ms": 1}))
        assert not t.units(target, "germany").get("surf_b")
        return t.asked

    assert asked("W3017", "surf_b").endswith("naval_counter_attack")  # adjacent
    assert not asked("W3016", "surf_b").endswith("naval_counter_attack")  # two hexes away
    assert asked("W3016", "surf_b, ms").endswith("naval_counter_attack")  # escorts at any distance


@pytest.mark.rule("gw75:15.0f")
def test_nobody_closes_in_when_the_first_segment_has_left_no_one():
    t = fleet(units={B: {"japan": "3 surf_a, surf_b"}, C: {"usa": "surf_b, ss"}})
    parts = force((B, "japan", "surf_a", 3), (B, "japan", "surf_b", 1))
    t.do(Engage(C, parts), Stand()).dice(6)
    assert t.units(C, "usa") == {"ss": 1}
    t.do(Choose(""))  # no Counter-Attack
    assert t.asked == "germany naval" and t.s.sea is None


@pytest.mark.rule("gw75:19.37a")
def test_in_a_limited_war_americans_in_the_pacific_do_not_attack_at_sea():
    war = [("germany", "usa"), ("commonwealth", "germany")]
    units = {"E2008": {"usa": "2 surf_a"}, "E2009": {"germany": "surf_b"}}
    attack = Engage("E2009", force(("E2008", "usa", "surf_a", 2)))
    t = fleet("allies_naval_2", 5, wars=war, limited=[("germany", "usa")], units=units)
    t.refused(attack, "19.37a")
    assert not strikers(t.s, "germany", "E2009", "surf_b")
    t = fleet("allies_naval_2", 5, wars=[*war, ("japan", "usa")], units=units)
    assert strikers(t.s, "germany", "E2009", "surf_b")
    t.do(attack)
