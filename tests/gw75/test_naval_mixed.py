"""Mixed groups at sea: several nations, kinds and conditions in one hex, one move or one attack."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75 import forms
from sandtable.games.gw75.rules.naval_combat import Decline, Engage, FallBack, Stand, havens
from sandtable.games.gw75.rules.naval_movement import Sail, Snort, Transfer, from_port
from sandtable.games.gw75.rules.transit import Spare, Strike
from sandtable.kernel.kits import Choose, Numbers
from tests.gw75.moves import invade, redeploy
from tests.gw75.table import Done, Table, state, table

WAR = [("commonwealth", "germany"), ("germany", "usa"), ("japan", "usa"), ("commonwealth", "japan")]
MED = [("commonwealth", "germany"), ("commonwealth", "italy")]
PACIFIC = [("japan", "usa")]
A, B, C, D, F = "W2808", "W2809", "W2810", "W2811", "W2813"
"""Sea hexes in a row, and C's neighbour with A and B: NORTH."""
NORTH = "W2709"
SCOTLAND, LONDON, BREST, HAMBURG = "W3217", "W3118", "W3018", "W3120"
TARANTO, ADRIATIC, IONIAN = "W2721", "W2821", "W2722"
PANAMA = "W1904"
MORESBY = "E1412"
SUBS = {"held": {BREST: "germany"}}


def fleet(phase: str = "axis_naval_2", turn: int | None = None, **fields: Any) -> Table:
    fields.setdefault("wars", WAR)
    return table(phase, turn, **fields)


def force(*parts: tuple[str, str, str, int]) -> tuple[tuple[str, str, str, int], ...]:
    return parts


def to_the_end(t: Table, face: int = 1, **answers: str) -> None:
    """Fight an engagement to its end: stand, and choose what is named, else the first that is
    offered, with this face on every die."""
    while not t.asked.endswith(" naval"):
        kind = t.asked.split()[1]
        if t.asked == "chance roll":
            t.dice(face)
        elif kind in answers:
            t.do(Choose(answers[kind]))
        else:
            t.do(next(iter(t.request.decisions(t.s))))


# --- Transit Attacks ------------------------------------------------------------------------------


@pytest.mark.rule("gw75:13.15a", "gw75:13.15b")
def test_a_carrier_attacks_who_was_attacked_by_asw_units_of_its_hex():
    units = {SCOTLAND: {"commonwealth": "asw, surf_a"}, "W3416": {"germany": "ss"}}
    t = fleet(turn=7, units=units, **SUBS)
    assert [t.s.facts.distance(hex, SCOTLAND) for hex in ("W3416", "W3317", "W3316")] == [2, 1, 2]
    t.do(Sail("germany", ("W3416", "W3317", "W3316", "W3315"), {"ss": 1}))
    assert t.request.hexes == {SCOTLAND: 2}  # the ASW unit: two hexes away
    t.do(Strike()).dice(1)
    assert t.request.hexes == {SCOTLAND: 5}  # the carrier: next to it
    t.do(Strike()).dice(1)
    assert t.asked == "germany naval"  # each of them once
    (moved,) = t.s.stack("W3315")
    assert moved.shot == (f"{SCOTLAND} commonwealth asw", f"{SCOTLAND} commonwealth surf_a")


@pytest.mark.rule("gw75:13.15b", "gw75:15.33b")
def test_escorts_of_two_kinds_attack_each_where_their_zone_is_left():
    t = fleet(units={B: {"japan": "surf_b"}, C: {"usa": "ms, surf_a, surf_b"}})
    t.do(Sail("japan", (B, C, D, "W2812"), {"surf_b": 1}))
    assert (t.request.space, t.request.hexes) == (B, {C: 5})
    t.do(Strike()).dice(2)
    assert (t.request.space, t.request.hexes) == (C, {C: 3})
    t.do(Strike()).dice(1)
    assert t.asked == "germany naval"


@pytest.mark.rule("gw75:13.0d", "gw75:13.15b")
def test_who_has_spared_somebody_may_attack_him_later_though_a_friend_of_his_hex_has():
    units = {NORTH: {"usa": "surf_a", "commonwealth": "surf_a"}, B: {"japan": "surf_b"}}
    t = fleet(units=units, options={"players": 5})
    t.do(Sail("japan", (B, A, B, C), {"surf_b": 1}))
    assert t.asked == "commonwealth transit_attack"
    t.do(Spare())
    assert t.asked == "usa transit_attack"
    t.do(Strike()).dice(2)
    assert t.asked == "commonwealth transit_attack"
    t.do(Strike()).dice(2)
    assert t.asked == "japan naval"


@pytest.mark.rule("gw75:13.0d", "gw75:13.0e")
def test_a_player_is_told_what_his_friends_attack_with_not_what_they_hold_back():
    units = {
        A: {"commonwealth": "surf_a"},
        NORTH: {"commonwealth": "surf_a"},
        C: {"usa": "surf_a"},
        B: {"japan": "3 surf_b"},
    }
    for hexes, others in (((A,), 5), ((), 10)):
        t = fleet(units=units, options={"players": 5})
        t.do(Sail("japan", (B, "W2710"), {"surf_b": 3}))
        assert (t.request.power, t.request.defense, t.request.others) == ("commonwealth", 9, 5)
        t.do(Strike(hexes))
        assert (t.request.power, t.request.others) == ("usa", others)


@pytest.mark.rule("gw75:13.15b")
def test_only_those_of_a_group_are_attacked_that_have_not_been():
    t = fleet(units={A: {"japan": "surf_b"}, B: {"japan": "surf_b"}, NORTH: {"usa": "surf_a"}})
    t.do(Sail("japan", (A, B), {"surf_b": 1}), Strike()).dice(2)
    t.do(Sail("japan", (B, C), {"surf_b": 2}))
    assert (t.request.defense, t.request.units) == (3, {"surf_b": 1})
    t.do(Strike()).dice(2)
    assert t.units(C, "japan") == {"surf_b": 2}


@pytest.mark.rule("gw75:13.15b")
def test_a_carrier_that_has_retreated_has_attacked_those_whom_it_attacked_before():
    t = fleet(units={B: {"japan": "6 surf_b"}, C: {"usa": "2 surf_a"}})
    t.do(Engage(C, force((B, "japan", "surf_b", 2))), Stand())
    t.do(Strike()).dice(1)  # one of the carriers is Depleted
    while t.asked != "commonwealth naval_retreat":
        t.dice(1) if t.asked == "chance roll" else t.do(Choose(""))
    t.do(Choose(D))
    t.do(Sail("japan", (C, "W2910", C), {"surf_b": 2}))  # C is in the zone of the one in D
    assert t.asked == "germany naval"


@pytest.mark.rule("gw75:12.41b", "gw75:13.0d", "gw75:15.15")
def test_of_ships_that_sail_together_all_but_merchant_ships_are_attacked():
    t = fleet("axis_naval_3", units={B: {"japan": "surf_b, amph, 3 ms"}, NORTH: {"usa": "surf_a"}})
    t.do(Sail("japan", (B, C, D), {"ms": 3, "surf_b": 1, "amph": 1}))
    assert (t.request.defense, t.request.units) == (4, {"surf_b": 1, "amph": 1})
    t.do(Strike()).dice(6)  # +1: one
    assert t.request.most == {f"{B} japan surf_b": 1, f"{B} japan amph": 1}
    t.do(Numbers({f"{B} japan amph": 1}))
    assert t.units(D, "japan") == {"surf_b": 1, "ms": 3}


@pytest.mark.rule("gw75:12.23", "gw75:15.52b")
def test_of_a_depleted_carrier_and_asw_units_only_these_attack_submarines():
    there = {"commonwealth": {"asw": 1, "surf_a": [{"depleted": True}]}}
    t = fleet(turn=7, units={SCOTLAND: there, "W3317": {"germany": "2 ss"}})
    t.do(Sail("germany", ("W3317", "W3417"), {"ss": 2}))
    assert t.request.hexes == {SCOTLAND: 2}


@pytest.mark.rule("gw75:15.52a", "gw75:15.52c")
@pytest.mark.parametrize(("who", "worn"), [("amph", [False]), ("surf_b", [True])])
def test_a_transit_attack_depletes_only_if_surface_units_are_attacked(who: str, worn: list[bool]):
    t = fleet(units={B: {"japan": who}, NORTH: {"usa": "surf_a"}})
    t.do(Sail("japan", (B, C, D), {who: 1}), Strike()).dice(1 if who == "surf_b" else 2)
    assert [unit.depleted for unit in t.s.stack(NORTH)] == worn


# --- retreats -------------------------------------------------------------------------------------


@pytest.mark.rule("gw75:15.82", "gw75:15.81b", "gw75:19.82a")
def test_ships_retreat_before_combat_to_where_others_of_their_stack_cannot_go():
    units = {
        TARANTO: {"italy": "surf_b", "germany": "surf_b"},
        IONIAN: {"commonwealth": "4 surf_a"},
    }

    def attacked() -> Table:
        t = fleet("allies_naval_2", 8, wars=MED, units=units)
        t.do(Engage(TARANTO, force((IONIAN, "commonwealth", "surf_a", 4))))
        assert ADRIATIC in t.request.hexes
        return t

    t = attacked()
    t.refused(FallBack(ADRIATIC, {"germany surf_b": 1}), "15.82")
    assert not [
        each
        for each in t.request.decisions(t.s)
        if isinstance(each, FallBack) and each.to == ADRIATIC and "germany surf_b" in each.units
    ]
    t.do(FallBack(ADRIATIC, {"italy surf_b": 1}), Choose("nothing"))
    assert t.units(ADRIATIC, "italy") == {"surf_b": 1}
    t = attacked()
    t.do(FallBack(ADRIATIC))  # all that can
    assert t.request.options == ("transit", "attack", "nothing")  # the Germans stand
    t.do(Choose("attack")).dice(1)
    assert t.units(TARANTO, "germany") == {} and t.units(ADRIATIC, "italy") == {"surf_b": 1}


def test_the_form_offers_to_each_hex_only_those_who_can_go_there():
    t = fleet(
        "allies_naval_2",
        8,
        wars=MED,
        units={
            TARANTO: {"italy": "2 surf_b", "germany": "surf_b"},
            IONIAN: {"commonwealth": "4 surf_a"},
        },
    )
    t.do(Engage(TARANTO, force((IONIAN, "commonwealth", "surf_a", 4))))
    form = forms.form(t.game.legal(t.request))
    rows = {
        choice.decision["to"]: {row.key: row.most for row in choice.rows}
        for choice in form.choices
        if choice.rows
    }
    assert rows[ADRIATIC] == {"italy surf_b": 2}
    assert rows["W2620"] == {"italy surf_b": 2, "germany surf_b": 1}


@pytest.mark.rule("gw75:15.0i", "gw75:15.82")
def test_of_those_who_are_driven_off_each_goes_where_it_can():
    """All hexes round Taranto but the Adriatic are British: the German ships are lost, the Italian
    ones are not."""
    round_about = {hex: {"commonwealth": "surf_b"} for hex in ("W2620", "W2621", "W2720", "W2820")}
    t = fleet(
        "allies_naval_2",
        8,
        wars=MED,
        units={
            TARANTO: {"italy": "3 surf_b", "germany": "surf_b"},
            IONIAN: {"commonwealth": "3 surf_a, 4 surf_b"},
            **round_about,
        },
        held={"W2820": "commonwealth"},
    )
    assert havens(t.s, "italy", "surf_b", TARANTO) == (ADRIATIC,)
    assert havens(t.s, "germany", "surf_b", TARANTO) == ()
    parts = force((IONIAN, "commonwealth", "surf_a", 3), (IONIAN, "commonwealth", "surf_b", 4))
    t.do(Engage(TARANTO, parts), Stand()).dice(1)  # +3: nothing, one carrier is Depleted
    t.do(Choose(""), Choose("surf_b"), Stand()).dice(1)  # +10: one
    t.do(Numbers({f"{TARANTO} italy surf_b": 1}), Choose(""))
    assert t.units(ADRIATIC, "italy") == {"surf_b": 2}
    assert t.units(TARANTO, "germany") == {}
    assert t.events("no_retreat")[-1]["losses"] == {"germany": {"surf_b": 1}}


@pytest.mark.rule("gw75:15.81a", "gw75:15.82", "gw75:15.77")
def test_unactivated_ships_neither_retreat_before_combat_nor_counter_attack():
    idle = {"surf_b": [{"idle": True, "count": 2}]}
    t = fleet(units={B: {"japan": "2 surf_a"}, C: {"usa": idle}})
    t.do(Engage(C, force((B, "japan", "surf_a", 2))))
    assert t.asked == "chance roll"
    t.dice(1)
    assert t.asked == "germany close_in"


@pytest.mark.rule("gw75:15.77", "gw75:16.12b", "gw75:16.22")
@pytest.mark.parametrize("supply", ["defense", "none"])
def test_ships_without_attack_supply_retreat_but_do_not_counter_attack(supply: str):
    short = {"surf_b": [{"supply": supply, "count": 2}]}
    t = fleet(units={B: {"japan": "2 surf_a"}, C: {"usa": short}})
    t.do(Engage(C, force((B, "japan", "surf_a", 2))))
    assert t.request.most == {"usa surf_b": 2}
    t.do(Stand()).dice(1)
    assert t.asked == "germany close_in"


@pytest.mark.rule("gw75:15.81a", "gw75:15.44b")
def test_merchant_ships_and_asw_units_stay_when_their_escorts_retreat():
    units = {HAMBURG: {"germany": "surf_b, ms, asw"}, "W3219": {"commonwealth": "3 surf_a"}}
    t = fleet("allies_naval_2", 7, units=units)
    t.do(Engage(HAMBURG, force(("W3219", "commonwealth", "surf_a", 3))))
    assert t.request.most == {"germany surf_b": 1}
    t.do(FallBack(t.request.hexes[0]), Choose("attack")).dice(1)  # 15 - 2: one
    assert t.request.most == {f"{HAMBURG} germany ms": 1, f"{HAMBURG} germany asw": 1}


@pytest.mark.rule("gw75:19.36", "gw75:15.0i")
def test_surprised_americans_stay_alone_and_are_driven_off_after_combat():
    surprise = {"us_surprise": 9}
    units = {B: {"japan": "3 surf_a"}, C: {"usa": "surf_b", "commonwealth": "surf_b"}}
    t = fleet(turn=9, counts=surprise, units=units)
    t.do(Engage(C, force((B, "japan", "surf_a", 3))))
    assert t.request.most == {"commonwealth surf_b": 1}
    t = fleet(turn=9, counts=surprise, units={B: {"japan": "3 surf_b"}, C: {"usa": "2 surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_b", 3)))).dice(1)
    t.do(Choose(""))
    assert t.asked == "commonwealth naval_retreat"


@pytest.mark.rule("gw75:16.24")
def test_who_declines_combat():
    """Escorts in port and elsewhere; not ships with Amphibious units at sea, nor Allied ones."""
    attack = Engage(HAMBURG, force(("W3219", "commonwealth", "surf_a", 2)))
    units = {HAMBURG: {"germany": "surf_b, ms"}, "W3219": {"commonwealth": "2 surf_a"}}
    t = fleet("allies_naval_3", units=units)
    t.do(attack, Decline())
    assert t.request.options == ("transit", "attack", "nothing")
    t = fleet("allies_naval_3", units={C: {"japan": "surf_b, amph"}, B: {"usa": "surf_a"}})
    t.do(Engage(C, force((B, "usa", "surf_a", 1))))
    t.refused(Decline(), "16.24")
    t = fleet(
        "axis_naval_3", units={LONDON: {"commonwealth": "surf_b"}, "W3218": {"germany": "surf_a"}}
    )
    t.do(Engage(LONDON, force(("W3218", "germany", "surf_a", 1))))
    t.refused(Decline(), "16.24")


@pytest.mark.rule("gw75:19.81b", "gw75:15.82")
def test_soviet_ships_retreat_inside_the_baltic():
    units = {
        "W3221": {"ussr": "surf_b"},
        "W3220": {"germany": "inf"},
        "W3121": {"germany": "2 surf_a"},
    }
    t = fleet("axis_naval_2", 8, units=units, wars=[("germany", "ussr")])
    t.do(Engage("W3221", force(("W3121", "germany", "surf_a", 2))))
    assert t.request.hexes == ("W3222", "W3122", "W3322")


# --- attacks --------------------------------------------------------------------------------------


@pytest.mark.rule("gw75:15.0b", "gw75:15.0c", "gw75:15.14")
def test_carriers_and_submarines_attack_together_from_next_to_the_hex():
    """The carrier would be too weak without the submarines; it need not close in."""
    units = {B: {"japan": "surf_a, 2 ss"}, C: {"usa": "2 surf_b"}}
    parts = force((B, "japan", "surf_a", 1), (B, "japan", "ss", 2))
    t = fleet(units=units)
    t.do(Engage(C, parts))
    assert t.asked == "germany close_in" and t.request.options == ("all", "stay")
    t.do(Choose("stay"), Stand()).dice(1)
    assert t.events("naval_attack")[-1]["differential"] == 1
    t.do(Choose(""))
    assert t.asked == "germany naval"
    assert t.units(B, "japan") == {"surf_a": 1, "ss": 2} and t.units(C, "usa") == {"surf_b": 2}
    t = fleet(units={**units, C: {"usa": "surf_b"}})  # the carrier alone is strong enough
    t.do(Engage(C, parts), Stand()).dice(2)  # +2: nothing
    t.do(Choose(""))
    assert t.request.options == ("all", "stop")


@pytest.mark.rule("gw75:15.62", "gw75:15.44b")
def test_submarines_attack_ships_beside_asw_units_with_others_or_alone():
    base = {HAMBURG: {"germany": "2 surf_b, asw"}}
    t = fleet("allies_naval_2", 8, units={**base, "W3219": {"commonwealth": "surf_a, 3 ss"}})
    both = force(("W3219", "commonwealth", "surf_a", 1), ("W3219", "commonwealth", "ss", 3))
    t.do(Engage(HAMBURG, both), Choose("stay"), Stand()).dice(6)
    t.do(Numbers({f"{HAMBURG} germany asw": 1}))
    assert t.events("naval_attack")[-1]["defenders"] == {"germany": {"surf_b": 2, "asw": 1}}
    t = fleet("allies_naval_2", 8, units={**base, "W3219": {"commonwealth": "6 ss"}})
    t.do(Engage(HAMBURG, force(("W3219", "commonwealth", "ss", 6))), Stand()).dice(6)
    assert t.events("naval_attack")[-1]["defenders"] == {"germany": {"surf_b": 2}}


@pytest.mark.rule("gw75:15.73")
def test_a_counter_attack_of_surface_b_units_meets_depleted_asw_units_in_the_hex():
    """They defend, and cannot be Depleted for a loss; others over the hex are no part of it."""
    depleted = [{"depleted": True}]
    t = fleet(
        "allies_naval_2",
        7,
        units={
            SCOTLAND: {"commonwealth": {"surf_a": 2, "asw": depleted}},
            LONDON: {"commonwealth": {"asw": depleted}},
            "W3317": {"germany": "3 surf_b"},
        },
    )
    t.do(Engage("W3317", force((SCOTLAND, "commonwealth", "surf_a", 2))), Stand()).dice(3)  # +1
    t.do(Choose(SCOTLAND)).dice(6)  # 9 - 6 - 2
    answer = t.events("naval_counter_attack")[-1]
    assert answer["defenders"] == {"commonwealth": {"surf_a": 2, "asw": 1}}
    assert answer["differential"] == 1
    assert answer["losses"] == {"commonwealth": {"surf_a": 1}}


@pytest.mark.rule("gw75:15.32a", "gw75:12.61")
def test_convoys_are_not_attacked_through_a_canal_of_the_enemy():
    units = {"W2424": {"italy": "surf_b"}, "W2624": {"commonwealth": "ms"}}
    attack = Engage("W2624", force(("W2424", "italy", "surf_b", 1)))
    fleet(turn=8, wars=MED, units=units).refused(attack, "15.32a")
    fleet(turn=8, wars=MED, units=units, held={"W2525": "italy"}).do(attack)


@pytest.mark.rule("gw75:19.81c", "gw75:12.51a")
def test_amphibious_units_in_the_baltic_are_attacked_from_next_to_it_or_from_inside():
    units = {
        "W3220": {"germany": "2 amph, inf"},
        "W3317": {"commonwealth": "surf_a"},
        "W3219": {"commonwealth": "surf_a"},
    }
    far = Engage("W3220", force(("W3317", "commonwealth", "surf_a", 1)))
    closed = fleet("allies_naval_2", 8, wars=WAR[:1], units=units)
    closed.refused(far, "19.81c")
    closed.do(Engage("W3220", force(("W3219", "commonwealth", "surf_a", 1))))
    units["W3220"] = {"germany": "2 amph", "commonwealth": "inf"}
    british = {"held": {"W3220": "commonwealth"}}
    fleet("allies_naval_2", 8, wars=WAR[:1], units=units, **british).do(far)
    units = {"W3322": {"ussr": "2 ss"}, "W3121": {"germany": "amph"}}
    t = fleet("allies_naval_2", 8, wars=[("germany", "ussr")], units=units)
    assert t.s.facts.distance("W3322", "W3121") == 2
    t.do(Engage("W3121", force(("W3322", "ussr", "ss", 2))))


@pytest.mark.rule("gw75:19.83")
def test_soviet_submarines_spare_merchant_ships_in_the_baltic():
    units = {"W3322": {"ussr": "2 ss"}, "W3222": {"germany": "ms"}}
    t = fleet("allies_naval_2", 8, wars=[("germany", "ussr")], units=units)
    t.refused(Engage("W3222", force(("W3322", "ussr", "ss", 2))), "19.83")


@pytest.mark.rule("gw75:15.23")
def test_one_submarine_among_ships_of_an_ally_modifies_the_die():
    units = {A: {"germany": "ss", "japan": "surf_b"}, F: {"usa": "ms"}}
    t = fleet(units=units, **SUBS)
    t.do(Engage(F, force((A, "germany", "ss", 1), (A, "japan", "surf_b", 1)))).dice(6)
    assert t.events("naval_attack")[-1]["subtracted"] == 2


@pytest.mark.rule("gw75:15.23", "gw75:12.24")
def test_ports_of_an_ally_are_near_ports():
    s = state("axis_naval_2", 8, wars=MED)
    assert from_port(s, "germany", IONIAN) == 1
    assert from_port(state("axis_naval_2", 8, wars=MED[:1]), "germany", IONIAN) == 2  # Varna


@pytest.mark.rule("gw75:15.52b", "gw75:15.0b")
def test_an_attack_takes_no_depleted_carrier_and_no_surface_b_unit_that_cannot_move():
    t = fleet(units={B: {"japan": {"surf_a": [{}, {"depleted": True}]}}, C: {"usa": "surf_b"}})
    t.refused(Engage(C, force((B, "japan", "surf_a", 2))), "15.52b")
    t.do(Engage(C, force((B, "japan", "surf_a", 1))))
    t = fleet(units={B: {"japan": {"surf_b": [{"left": 0, "count": 2}]}}, C: {"usa": "surf_b"}})
    t.refused(Engage(C, force((B, "japan", "surf_b", 2))), "15.0b")


@pytest.mark.rule("gw75:15.12")
def test_who_has_attacked_a_hex_does_not_again_but_others_may():
    t = fleet(units={B: {"japan": "surf_a"}, D: {"japan": "surf_a"}, C: {"usa": "surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_a", 1))), Stand()).dice(2)
    to_the_end(t, close_in="stop")
    t.refused(Engage(C, force((B, "japan", "surf_a", 1))), "15.12")
    t.do(Engage(C, force((D, "japan", "surf_a", 1))))


@pytest.mark.rule("gw75:11.3c", "gw75:11.0b", "gw75:15.0a")
def test_allied_fleets_attack_the_neutral_italian_one_at_the_price_of_a_violation():
    """Only if somebody pays; and not together with a German one, which is an Enemy."""
    units = {TARANTO: {"italy": "surf_b"}, IONIAN: {"commonwealth": "2 surf_a"}}
    attack = Engage(TARANTO, force((IONIAN, "commonwealth", "surf_a", 2)))
    t = fleet("allies_naval_2", 1, wars=MED[:1], units=units)
    form = forms.form(t.game.legal(t.request))
    (choice,) = [each for each in form.choices if each.battle == TARANTO]
    assert choice.group == "Attacks on those who are at peace"
    assert choice.detail.endswith("violates the peace of Italy")
    t.do(attack)
    assert t.asked == "commonwealth pay_violation"
    t.do(Choose(t.request.options[0]), Stand())
    assert ("commonwealth", "italy") in t.s.wars and len(t.s.penalties) == 1
    t.dice(6)
    assert t.units(TARANTO, "italy") == {}
    t = fleet("allies_naval_2", 1, wars=MED[:1], units=units)
    paid = [hex for hex in t.s.facts.prizes if t.s.facts.hexes[hex].nation == "commonwealth"]
    t = fleet("allies_naval_2", 1, wars=MED[:1], units=units, penalties=paid)
    t.refused(attack, "11.0b")
    with_germans = {**units, TARANTO: {"italy": "surf_b", "germany": "surf_b"}}
    t = fleet("allies_naval_2", 1, wars=MED[:1], units=with_germans)
    t.do(attack, Stand()).dice(6)
    assert t.units(TARANTO, "italy") == {"surf_b": 1} and ("commonwealth", "italy") not in t.s.wars


@pytest.mark.rule("gw75:15.45", "gw75:15.35b", "gw75:15.52b")
@pytest.mark.parametrize("lost", ["W3217 commonwealth asw deplete", "W3317 commonwealth surf_b"])
def test_asw_units_support_both_segments_unless_they_were_depleted_in_the_first(lost: str):
    units = {
        "W3317": {"commonwealth": "2 surf_b"},
        SCOTLAND: {"commonwealth": "asw"},
        "W3417": {"japan": "3 surf_a, 2 surf_b"},
    }
    t = fleet(turn=7, units=units)
    parts = force(("W3417", "japan", "surf_a", 3), ("W3417", "japan", "surf_b", 2))
    t.do(Engage("W3317", parts), Stand(), Numbers({f"{SCOTLAND} commonwealth asw": 1})).dice(1)
    t.do(Numbers({lost: 1}), Choose(""), Choose("surf_b"), Stand())
    assert t.asked == ("chance roll" if lost.endswith("deplete") else "commonwealth support")


@pytest.mark.rule("gw75:15.35a")
def test_an_unactivated_asw_unit_still_escorts():
    units = {
        SCOTLAND: {"commonwealth": {"asw": [{"idle": True}]}},
        "W3317": {"commonwealth": "ms"},
        "W3417": {"germany": "2 ss"},
    }
    t = fleet(turn=7, units=units)
    t.do(Engage("W3317", force(("W3417", "germany", "ss", 2))))
    assert t.asked == "commonwealth support"


# --- movement -------------------------------------------------------------------------------------


@pytest.mark.rule("gw75:12.61")
def test_an_enemy_of_its_holder_enters_the_panama_canal_only_to_fight_or_to_land():
    """Else he would stop in it, and go on to the other ocean with his next move."""
    pacific, atlantic = "W1804", "W2004"
    t = fleet("axis_naval_2", 12, units={pacific: {"japan": "surf_b"}}, wars=PACIFIC)
    t.refused(Sail("japan", (pacific, PANAMA, atlantic), {"surf_b": 1}), "12.61")
    t.refused(Sail("japan", (pacific, PANAMA), {"surf_b": 1}), "12.61")
    units = {pacific: {"japan": "3 surf_b"}, PANAMA: {"usa": "surf_b"}}
    t = fleet("axis_naval_2", 12, units=units, wars=PACIFIC)
    t.do(Engage(PANAMA, force((pacific, "japan", "surf_b", 3))), Stand()).dice(6)
    t.do(Choose(""))
    assert t.units(PANAMA, "japan") == {"surf_b": 3}
    callao = "W1204"
    t = fleet(
        "axis_land_movement",
        12,
        units={callao: {"japan": "amph, inf"}, PANAMA: {"usa": "inf"}},
        wars=[*PACIFIC, ("japan", "peru")],
        held={callao: "japan"},
    )
    ways = [
        each.path
        for each in t.request.decisions(t.s)
        if type(each).__name__ == "Invade" and each.path[-1] == PANAMA
    ]
    assert ways and not any(PANAMA in path[:-1] for path in ways)
    t.do(invade(" > ".join(ways[0]), "inf", "japan"))


@pytest.mark.rule("gw75:12.61", "gw75:15.0b", "gw75:15.82")
def test_nobody_closes_in_or_retreats_through_a_canal_of_the_enemy():
    units = {"W2424": {"italy": "4 surf_b"}, "W2525": {"commonwealth": "surf_b"}}
    t = fleet(turn=8, wars=MED, units=units)
    t.refused(Engage("W2525", force(("W2424", "italy", "surf_b", 4))), "15.0b")
    assert "W2525" not in havens(t.s, "italy", "surf_b", "W2424")
    assert "W2525" in havens(t.s, "commonwealth", "surf_b", "W2424")


@pytest.mark.rule("gw75:12.14b", "gw75:12.14c")
def test_who_stays_at_sea_with_whom():
    war = [("commonwealth", "germany"), ("germany", "usa"), ("france", "germany")]

    def stays(units: dict[str, Any], phase: str = "allies_naval_2", wars: Any = war) -> str:
        t = fleet(phase, units={B: units}, wars=wars)
        try:
            return t.refusal(Done()).rule or ""
        except AssertionError:
            return ""

    assert stays({"commonwealth": "surf_b", "usa": "amph, ss"}) == "12.14b"
    assert stays({"commonwealth": "surf_b", "usa": {"surf_a": [{"depleted": True}]}}) == ""
    assert stays({"france": "surf_b", "usa": "surf_b"}) == "12.14c"
    assert stays({"france": "surf_b", "commonwealth": "ms"}) == ""
    axis = {"germany": "surf_b", "italy": "ms"}
    assert stays(axis, "axis_naval_2", MED[:1]) == "12.14c"  # Italy is neutral
    assert stays(axis, "axis_naval_2", MED) == ""


@pytest.mark.rule("gw75:12.2", "gw75:12.21b")
def test_of_two_submarines_the_one_that_snorts_goes_eight_hexes():
    t = fleet(turn=18, units={HAMBURG: {"germany": "2 ss"}})
    way = (HAMBURG, "W3219", *("W3319", "W3219") * 4)
    t.do(Snort(HAMBURG, 1))
    t.refused(Sail("germany", way, {"ss": 2}), "12.2")
    t.do(Sail("germany", way, {"ss": 1}))  # nine hexes: the other one
    t.refused(Sail("germany", way, {"ss": 1}), "12.2")
    t.do(Sail("germany", way[:9], {"ss": 1}))


@pytest.mark.rule("gw75:12.31b", "gw75:12.33")
def test_asw_units_have_their_transfer_in_each_phase():
    there, back = (
        Transfer("commonwealth", LONDON, SCOTLAND),
        Transfer("commonwealth", SCOTLAND, LONDON),
    )
    t = fleet("allies_naval_1", 7, units={LONDON: {"commonwealth": "asw"}})
    t.do(there, back, there, back, there, back)
    t.refused(there, "12.31b")  # six hexes are flown, and nothing neutral lies between
    t.do(Done())
    assert t.s.phase == "allies_naval_2"
    t.do(there)


@pytest.mark.rule("gw75:12.62", "gw75:12.12b")
def test_merchant_ships_end_a_phase_with_an_escorted_enemy_convoy():
    t = fleet("axis_naval_3", units={B: {"japan": "ms"}, C: {"usa": "ms, surf_b"}})
    t.do(Sail("japan", (B, C), {"ms": 1}), Done())
    assert t.units(C, "japan") == {"ms": 1}


# --- landings -------------------------------------------------------------------------------------


@pytest.mark.rule("gw75:5.52", "gw75:15.33a")
@pytest.mark.parametrize(
    ("there", "rule"),
    [({"asw": [{"depleted": True}]}, "5.52"), ("surf_b, ms", "5.52"), ("ms, ss, amph", "")],
)
def test_which_ships_keep_a_landing_off(there: Any, rule: str):
    units = {HAMBURG: {"germany": "amph, inf"}, LONDON: {"commonwealth": there}}
    t = fleet("axis_land_movement", 8, units=units)
    landing = invade("W3120 > W3219 > W3218 > W3118", "inf", "germany")
    if rule:
        t.refused(landing, rule)
    else:
        t.do(landing)
        assert t.units(LONDON, "germany") == {"amph": 1, "inf": 1}


@pytest.mark.rule("gw75:12.12b", "gw75:12.52", "gw75:12.42b")
def test_the_way_of_a_landing():
    """Not past Surface units; past submarines at the risk of a Transit Attack."""
    units = {HAMBURG: {"germany": "amph, inf"}}
    landing = invade("W3120 > W3219 > W3218 > W3118", "inf", "germany")
    t = fleet("axis_land_movement", 8, units={**units, "W3218": {"commonwealth": "surf_b"}})
    t.refused(landing, "12.12b")
    t = fleet("axis_land_movement", 8, units={**units, "W3218": {"commonwealth": "ss"}})
    t.do(landing, Strike()).dice(6)  # one
    assert t.s.stack(LONDON) == t.s.stack(HAMBURG) == {}
    assert t.s.dead["germany", "inf"] == 1


# --- ASW units that are stacked with Merchant Ships -----------------------------------------------


@pytest.mark.rule("gw75:15.33a", "gw75:15.35a", "gw75:15.52b", "gw75:16.12b")
@pytest.mark.parametrize("mark", [{"depleted": True}, {"supply": "none"}, {"idle": True}])
def test_an_asw_unit_beside_merchant_ships_defends_them_without_its_attack_strength(mark):
    ships = {"commonwealth": {"ms": 2, "asw": [mark]}}
    t = fleet(turn=7, units={SCOTLAND: ships, "W3317": {"germany": "3 ss"}}, **SUBS)
    t.do(Engage(SCOTLAND, force(("W3317", "germany", "ss", 3))))
    t.dice(1, kind="naval_attack")
    (attack,) = t.events("naval_attack")
    assert attack["defenders"] == {"commonwealth": {"ms": 2, "asw": 1}}
    assert attack["differential"] == 1  # 3 - 2
    assert t.asked == "germany naval"  # nobody can Counter-Attack


@pytest.mark.rule("gw75:15.52b", "gw75:15.35a")
def test_a_depleted_asw_unit_escorts_no_merchant_ships_from_its_base():
    units = {SCOTLAND: {"commonwealth": {"asw": [{"depleted": True}]}}}
    units |= {"W3317": {"commonwealth": {"ms": 2}}, "W3417": {"germany": {"ss": 3}}}
    t = fleet(turn=7, units=units, **SUBS)
    t.do(Engage("W3317", force(("W3417", "germany", "ss", 3)))).dice(1, kind="naval_attack")
    assert t.events("naval_attack")[0]["differential"] == 3


@pytest.mark.rule("gw75:16.0b", "gw75:16.11")
def test_asw_units_that_escort_need_no_supply_path():
    units = {MORESBY: {"usa": "asw, ms"}, "E1514": {"usa": "asw"}}
    t = fleet("allies_naval_3", wars=PACIFIC, units=units, held={MORESBY: "usa", "E1514": "usa"})
    t.do(Done())
    assert t.units(MORESBY, "usa") == {"asw": 1, "ms": 1}
    assert t.units("E1514", "usa") == {}


@pytest.mark.rule("gw75:13.43", "gw75:15.41")
def test_the_zone_of_asw_units_ends_at_neutral_countries():
    units = {LONDON: {"commonwealth": "3 asw"}, "W3116": {"germany": "ms"}}
    t = fleet("allies_naval_2", 7, units=units)
    attack = Engage("W3116", force((LONDON, "commonwealth", "asw", 3)))
    assert "Neutral countries keep" in t.refused(attack, "13.43")
    assert "too far" in fleet("allies_naval_2", 6, units=units).refused(attack, "15.41")


# --- nations that are at war with only some -------------------------------------------------------

AT_PEACE_WITH_JAPAN = [("germany", "usa"), ("germany", "ussr"), ("japan", "usa")]
VLADIVOSTOK = "E2810"


@pytest.mark.rule("gw75:15.35a", "gw75:15.45", "gw75:15.0a")
@pytest.mark.parametrize("ship", ["ms", "surf_b"])
def test_asw_units_do_not_defend_ships_of_a_friend_against_those_with_whom_they_are_at_peace(ship):
    units = {VLADIVOSTOK: {"ussr": "2 asw"}, "E2710": {"usa": ship}, "E2711": {"japan": "4 surf_b"}}
    for peace in (True, False):
        wars = AT_PEACE_WITH_JAPAN if peace else [*AT_PEACE_WITH_JAPAN, ("japan", "ussr")]
        t = fleet(turn=9, wars=wars, units=units)
        t.do(Engage("E2710", force(("E2711", "japan", "surf_b", 4))))
        if ship == "surf_b":
            t.do(Stand())
        assert t.asked == ("chance roll" if peace else "commonwealth support")


@pytest.mark.rule("gw75:15.73", "gw75:15.0a")
def test_asw_units_over_an_attackers_hex_at_peace_with_who_counter_attacks_are_left_alone():
    units = {"E2709": {"commonwealth": "2 surf_b"}, "E2710": {"germany": "3 surf_b"}}
    units |= {"E2609": {"japan": "3 asw"}}
    for other, covered in (("commonwealth", True), ("usa", False)):
        wars = [("commonwealth", "germany"), ("germany", "usa"), ("japan", other)]
        t = fleet(turn=9, wars=wars, units=units)
        t.do(Engage("E2709", force(("E2710", "germany", "surf_b", 3))), Stand()).dice(1)
        t.do(Choose("E2709")).dice(1, kind="naval_counter_attack")
        (answer,) = t.events("naval_counter_attack")
        assert ("japan" in answer["defenders"]) == covered


@pytest.mark.rule("gw75:12.42a", "gw75:15.32b", "gw75:15.0a")
def test_loaded_ships_of_a_nation_at_peace_with_the_attackers_are_left_alone():
    path = ("E2222", "E2322", "E2421", "E2420", "E2419")
    wars = [("germany", "usa"), ("commonwealth", "germany"), ("japan", "usa")]
    units = {"E2222": {"usa": "2 inf"}, "E2322": {"japan": "9 ss"}}
    british = {"E2321": {"commonwealth": "2 ms, surf_b"}}
    t = fleet("allies_strategic_movement", 14, wars=wars, units=units | british)
    t.do(redeploy("2 inf", "usa", sea=" > ".join(path)))
    assert t.units("E2419", "usa") == {"inf": 2}
    t = fleet(
        "allies_strategic_movement",
        14,
        wars=wars,
        units=units | {"E2321": {"commonwealth": "ms, surf_b", "usa": "ms"}},
    )
    t.do(redeploy("2 inf", "usa", sea=" > ".join(path)))
    assert t.request.units == {"ms": 1} and t.request.defense == 0
    t.do(Strike()).dice(6)
    assert t.units("E2419", "usa") == {"inf": 1}
    assert t.units("E2321", "commonwealth") == {"ms": 1, "surf_b": 1}


@pytest.mark.rule("gw75:12.12b", "gw75:14.11", "gw75:15.33a")
def test_who_escorts_ships_of_a_friend_is_passed_by_those_at_peace_with_it():
    wars = [("commonwealth", "germany"), ("germany", "usa"), ("japan", "usa")]
    units = {A: {"japan": "surf_b"}, B: {"usa": "surf_b", "commonwealth": "ms"}}
    fleet(wars=wars, units=units).do(Sail("japan", (A, B, C), {"surf_b": 1}), Spare())
    wars = [("commonwealth", "germany"), ("japan", "usa")]  # they have no Enemy in common
    fleet(wars=wars, units=units).refused(Sail("japan", (A, B, C), {"surf_b": 1}), "14.11")


@pytest.mark.rule("gw75:12.62", "gw75:15.0i")
def test_nobody_stays_with_ships_that_had_retreated_to_where_others_were_attacked():
    units = {C: {"usa": "surf_b"}, D: {"usa": "surf_b"}, B: {"japan": "surf_a"}}
    t = fleet(wars=PACIFIC, units=units | {"W2812": {"japan": "2 surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_a", 1))), FallBack(D), Choose("nothing"))
    t.do(Engage(D, force(("W2812", "japan", "surf_b", 2))))
    to_the_end(t, 6)
    assert t.units(D, "usa") == {"surf_b": 1} and t.units(D, "japan") == {}


@pytest.mark.rule("gw75:15.12", "gw75:15.0i")
def test_ships_that_were_driven_off_are_spared_where_others_are_attacked():
    units = {A: {"japan": "3 surf_b"}, B: {"usa": "2 surf_b"}, C: {"usa": "surf_b"}}
    units |= {D: {"japan": "2 surf_b"}}
    t = fleet(wars=PACIFIC, units=units)
    t.do(Engage(B, force((A, "japan", "surf_b", 3))), Stand())
    to_the_end(t, 2, naval_retreat=C)  # one is lost, the other goes to those in C
    assert t.units(C, "usa") == {"surf_b": 2}
    t.do(Engage(C, force((B, "japan", "surf_b", 3))))
    assert t.request.most == {"usa surf_b": 1}
    t.do(Stand())
    to_the_end(t, 3)
    assert t.units(C, "usa") == {"surf_b": 1} and t.units(C, "japan") == {}
    where = next(
        hex for hex, unit, _ in t.s.units() if unit.nation == "japan" and len(unit.met) > 1
    )
    again = Engage(C, force((where, "japan", "surf_b", 3)))
    t.refused(again, "15.12")
    t.do(Engage(C, force((D, "japan", "surf_b", 2))))  # others may attack them


@pytest.mark.rule("gw75:15.12")
def test_ships_that_were_driven_off_alone_are_not_attacked_by_the_same():
    units = {A: {"japan": "3 surf_b"}, B: {"usa": "2 surf_b"}}
    t = fleet(wars=PACIFIC, units=units)
    t.do(Engage(B, force((A, "japan", "surf_b", 3))), Stand())
    to_the_end(t, 2, naval_retreat=C)
    why = t.refused(Engage(C, force((B, "japan", "surf_b", 3))), "15.12")
    assert why == f"They have driven those in {C} from {B}."
    t.do(Done())
    assert all(not unit.origin for _, unit, _ in t.s.units())
