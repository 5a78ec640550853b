"""What the rules refuse: every refusal names its rule, and says what is true in its phase."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from sandtable.games.aa1942 import rules
from sandtable.kernel.decisions import Decision
from tests.aa1942.table import Buy, Load, Move, Place, Sail, move, sail, table


def voyage(load: Load) -> Sail:
    """To Norway, with one loading."""
    return Sail(("sz7", "sz6"), (load,), "norway")


MODULES = sorted(Path(str(rules.__path__[0])).glob("*.py"))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_every_refusal_names_a_rule(module: Path) -> None:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "IllegalDecision":
            assert len(node.args) == 2, f"{module.name}:{node.lineno}"
            named = [n.value for n in ast.walk(node.args[1]) if isinstance(n, ast.Constant)]
            assert "" not in named, f"{module.name}:{node.lineno}"


@pytest.mark.parametrize(
    ("decision", "rule"),
    [
        (Move({}, ("sz7", "sz6")), "map.spaces"),
        (move("dreadnought", "sz7 > sz6"), "map.spaces"),
        (Move({"cruiser": 0}, ("sz7", "sz6")), "map.spaces"),
        (move("2 cruiser", "sz7 > sz6"), "map.spaces"),
        (move("2 fighter", "united_kingdom > sz6"), "map.spaces"),
        (move("cruiser", "sz7"), "map.adjacency"),
        (move("cruiser, infantry", "sz7 > sz6"), "unit.land.scope"),
        (sail("sz7 > sz6"), "amphib.declare"),
        (Sail((), offload="norway"), "map.adjacency"),
        (sail("united_kingdom", offload="norway"), "unit.sea.scope"),
        (sail("sz6", offload="norway"), "map.spaces"),
        (sail("sz7", offload="norway", owner="japan"), "multi.land-ally-transport"),
        (voyage(Load("norway", "sz5", {"infantry": 1})), "transport.load.friendly-zone"),
        (voyage(Load("united_kingdom", "sz7", {})), "unit.transport.capacity"),
        (voyage(Load("united_kingdom", "sz7", {"infantry": 0})), "unit.transport.capacity"),
        (sail("sz7 > sz6", offload="norway"), "unit.transport.assault-cargo"),
    ],
    ids=str,
)
def test_a_move_that_makes_no_sense_is_refused_by_a_rule(decision: Decision, rule: str) -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "2 infantry, fighter"},
            "sz7": {"united_kingdom": "cruiser, transport"},
            "sz6": {"germany": "submarine"},
        },
    )
    t.refused(decision, rule)


@pytest.mark.parametrize(
    ("decision", "rule"),
    [
        (Place("japan", {}), "mobilize.where"),
        (Place("japan", {"infantry": 2}), "purchase.hold"),
        (Place("japan", {"infantry": 0}), "purchase.hold"),
        (Place("japan", {"tank": 1}), "purchase.hold"),
    ],
    ids=str,
)
def test_only_what_was_bought_is_placed(decision: Decision, rule: str) -> None:
    table("japan", "mobilize", bought={"infantry": 1}).refused(decision, rule)


@pytest.mark.rule("aa1942:purchase.availability")
def test_no_number_of_units_is_no_order() -> None:
    table("japan", "purchase").refused(Buy({"infantry": 0}), "purchase.availability")


@pytest.mark.rule("aa1942:noncombat.sea", "aa1942:transport.encounter.stop")
@pytest.mark.parametrize("ship", ["cruiser", "transport", "transport, cruiser"])
@pytest.mark.parametrize("path", ["sz52 > sz50", "sz52 > sz50 > sz48"])
def test_in_noncombat_movement_no_ship_enters_a_hostile_zone(ship: str, path: str) -> None:
    """In combat movement it would end its move there; now it may not enter at all."""
    units = {"sz52": {"united_states": ship}, "sz50": {"japan": "destroyer"}}
    t = table("united_states", "noncombat_move", units)
    assert "cannot enter" in t.refused(move(ship, path), "noncombat.sea")
    if path.endswith("sz48"):
        t = table("united_states", "combat_move", units)
        assert "end their move" in t.refused(move(ship, path))
