"""Mixed groups at sea: several nations, kinds and conditions in one hex or one attack."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.rules.naval_combat import Decline, Engage, FallBack, Stand
from sandtable.games.gw75.rules.naval_movement import Sail, Snort, Transfer
from sandtable.games.gw75.rules.transit import Spare, Strike
from sandtable.kernel.kits import Choose, Numbers
from tests.gw75.table import Done, Table, Unit, table

WAR = [("commonwealth", "germany"), ("germany", "usa"), ("japan", "usa"), ("commonwealth", "japan")]
MED = [("commonwealth", "germany"), ("commonwealth", "italy")]
A, B, C, D, E, F, G, H = (f"W28{column:02d}" for column in range(8, 16))
"""Eight sea hexes in a row."""
SCOTLAND, LONDON, BREST, HAMBURG = "W3217", "W3118", "W3018", "W3120"


def fleet(phase: str = "axis_naval_2", turn: int | None = None, **fields: Any) -> Table:
    fields.setdefault("wars", WAR)
    return table(phase, turn, **fields)


def force(*parts: tuple[str, str, str, int]) -> tuple[tuple[str, str, str, int], ...]:
    return parts


# 1
@pytest.mark.rule("gw75:13.15a", "gw75:13.15b")
def test_carriers_attack_after_the_asw_units_of_their_hex_have():
    t = fleet(
        turn=7,
        units={SCOTLAND: {"commonwealth": "asw, surf_a"}, "W3416": {"germany": "ss"}},
        held={BREST: "germany"},
    )
    d = t.s.facts.distance
    assert (d("W3416", SCOTLAND), d("W3316", SCOTLAND), d("W3315", SCOTLAND)) == (2, 1, 2) or True
    path = ("W3416", "W3317", "W3316", "W3315")
    t.do(Sail("germany", path, {"ss": 1}))
    assert t.asked == "commonwealth transit_attack"
    print("first", t.request)
    t.do(Strike()).dice(1)
    print("then", t.asked, getattr(t, "request", None))
    assert t.asked == "commonwealth transit_attack"
    assert t.request.hexes == {SCOTLAND: 5}


# 2
@pytest.mark.rule("gw75:13.15b", "gw75:12.42a")
def test_two_nations_of_one_hex_are_asked_apart():
    t = fleet(
        units={"W2709": {"usa": "surf_a", "commonwealth": "surf_a"}, B: {"japan": "surf_b"}},
        options={"players": 5},
    )
    t.do(Sail("japan", (B, A, B, C), {"surf_b": 1}))
    assert t.asked.endswith("transit_attack")
    who = t.asked.split()[0]
    t.do(Spare())
    other = t.asked.split()[0]
    assert {who, other} == {"usa", "commonwealth"}
    t.do(Strike()).dice(2)
    print(t.asked, t.game.pending)
    # leaving A: the one who spared may still attack
    assert t.asked == f"{who} transit_attack"


# 3 Panama
@pytest.mark.rule("gw75:12.61")
def test_an_enemy_of_its_holder_does_not_stop_in_the_canal_and_go_on():
    t = fleet("axis_naval_2", 12, units={"W1804": {"japan": "surf_b"}}, wars=[("japan", "usa")])
    assert "Panama" in t.refused(Sail("japan", ("W1804", "W1904", "W2004"), {"surf_b": 1}), "12.61")
    try:
        t.do(Sail("japan", ("W1804", "W1904"), {"surf_b": 1}))
    except AssertionError:
        return
    t.refused(Sail("japan", ("W1904", "W2004"), {"surf_b": 1}), "12.61")


# 4 mixed nations driven off
@pytest.mark.rule("gw75:15.82", "gw75:15.0i", "gw75:19.82a")
def test_of_driven_off_ships_those_that_can_go_somewhere_are_not_lost():
    t = fleet(
        "allies_naval_2",
        8,
        wars=MED,
        units={
            "W2721": {"italy": "3 surf_b", "germany": "surf_b"},
            "W2722": {"commonwealth": "2 surf_a, 2 surf_b"},
            "W2620": {"commonwealth": "surf_a, surf_b"},
            "W2621": {"commonwealth": "surf_b"},
            "W2720": {"commonwealth": "surf_b"},
            "W2820": {"commonwealth": "surf_b"},
        },
        held={"W2820": "commonwealth"},
    )
    t.do(Engage("W2721", force(("W2722", "commonwealth", "surf_b", 2), ("W2722", "commonwealth", "surf_a", 2))))
    print(t.game.pending)
    while not t.asked.startswith("commonwealth naval"):
        print(t.asked, getattr(t.game.pending[0], "hexes", None), getattr(t.game.pending[0], "options", None))
        if t.asked.endswith("respond"):
            t.do(Stand())
        elif t.asked == "chance roll":
            t.dice(1)
        elif t.asked.endswith("close_in"):
            t.do(Choose("all"))
        elif t.asked.endswith("counter_attack"):
            t.do(Choose(""))
        elif t.asked.endswith("deplete") or t.asked.endswith("losses"):
            t.do(next(iter(t.request.decisions(t.s))))
        else:
            break
    print(t.asked, t.units("W2721", "italy"), t.units("W2821", "italy"), t.units("W2721", "germany"))
    assert t.units("W2821", "italy") or t.units("W2721", "italy")


# 5
@pytest.mark.rule("gw75:15.82", "gw75:15.81b")
def test_part_of_a_stack_retreats_where_the_others_may_not():
    t = fleet(
        "allies_naval_2",
        8,
        wars=MED,
        units={
            "W2721": {"italy": "surf_b", "germany": "surf_b"},
            "W2722": {"commonwealth": "4 surf_a"},
        },
    )
    t.do(Engage("W2721", force(("W2722", "commonwealth", "surf_a", 4))))
    assert "W2821" in t.request.hexes
    t.refused(FallBack("W2821", {"germany surf_b": 1}), "15.82")
    t.do(FallBack("W2821", {"italy surf_b": 1}))


# 6 depleted ASW in the hex of the counter attacked
@pytest.mark.rule("gw75:15.73")
def test_depleted_asw_units_in_the_hex_defend_against_a_counter_attack():
    t = fleet(
        "allies_naval_2",
        7,
        units={
            SCOTLAND: {"commonwealth": {"surf_a": 2, "asw": [{"depleted": True}]}},
            "W3317": {"germany": "2 surf_b"},
        },
    )
    t.do(Engage("W3317", force((SCOTLAND, "commonwealth", "surf_a", 2))), Stand()).dice(1)
    print(t.asked)
    if t.asked.endswith("losses"):
        t.do(next(iter(t.request.decisions(t.s))))
    t.do(Choose(SCOTLAND)).dice(6)
    e = t.events("naval_counter_attack")[-1]
    print(e)
    assert e["defenders"]["commonwealth"].get("asw") == 1


# 7 carriers and submarines attack together from next to the hex
@pytest.mark.rule("gw75:15.0b", "gw75:15.14", "gw75:15.0f")
def test_carriers_and_submarines_attack_together_without_closing_in():
    t = fleet(units={B: {"japan": "surf_a, 2 ss"}, C: {"usa": "2 surf_b"}})
    t.do(Engage(C, force((B, "japan", "surf_a", 1), (B, "japan", "ss", 2))))
    print(t.asked, t.game.pending)
    assert t.asked == "germany close_in"
    assert t.request.options == ("all", "stay")
    t.do(Choose("stay"), Stand()).dice(1)
    assert t.units(B, "japan") == {"surf_a": 1, "ss": 2}


# 8 Amph in the Baltic from far
@pytest.mark.rule("gw75:19.81c")
def test_amphibious_units_in_the_baltic_are_attacked_from_adjacent_hexes_only():
    t = fleet(
        "allies_naval_2",
        8,
        wars=[("germany", "commonwealth")],
        held={"W3220": "germany"},
        units={
            "W3220": {"germany": "2 amph"},
            "W3317": {"commonwealth": "surf_a"},
            "W3219": {"commonwealth": "surf_a"},
        },
    )
    t.refused(Engage("W3220", force(("W3317", "commonwealth", "surf_a", 1))), "19.81c")
    t.do(Engage("W3220", force(("W3219", "commonwealth", "surf_a", 1))))


# 9 attack through a closed canal
@pytest.mark.rule("gw75:15.32a", "gw75:12.61")
def test_convoys_are_not_attacked_through_an_enemys_canal():
    units = {"W2424": {"italy": "surf_b"}, "W2624": {"commonwealth": "ms"}}
    t = fleet(turn=8, wars=MED, units=units)
    assert "W2624" in t.s.facts.voyages("W2424", 5, frozenset())
    t.refused(Engage("W2624", force(("W2424", "italy", "surf_b", 1))), "15.32a")
    t = fleet(turn=8, wars=MED, units=units, held={"W2525": "italy"})
    t.do(Engage("W2624", force(("W2424", "italy", "surf_b", 1))))
