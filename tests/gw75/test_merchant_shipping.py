"""Neutral Merchant Fleets (19.1)."""

from __future__ import annotations

import pytest

from sandtable.games.gw75 import audit
from sandtable.games.gw75.rules import merchant_shipping
from sandtable.games.gw75.rules.naval_movement import Sail
from tests.gw75.table import state, table

EAST = "W2310"


@pytest.mark.rule("gw75:19.11")
def test_a_neutral_keeps_its_lines_at_their_level() -> None:
    s = state(base="setup")
    have = merchant_shipping.ships(s, "usa", EAST)
    assert have
    assert merchant_shipping.surplus(s, "usa", EAST) == 0
    more = state(base="setup", units={EAST: {"usa": {"ms": have + 2}}})
    assert merchant_shipping.surplus(more, "usa", EAST) == 2
    war = state(base="setup", wars=[("germany", "usa")])
    assert merchant_shipping.surplus(war, "usa", EAST) == have
    hex = next(hex for hex, unit, _ in s.units_of("commonwealth") if unit.type == "ms")
    assert merchant_shipping.surplus(s, "commonwealth", hex) > 0, "it is at war"


@pytest.mark.rule("gw75:19.11")
def test_ships_that_a_neutral_needs_do_not_sail() -> None:
    way = (EAST, "W2410")
    assert way[1] in state().facts.sea[EAST]
    t = table("allies_naval_3", base="setup")
    t.refused(Sail("usa", way, {"ms": 1}), "19.11")
    have = merchant_shipping.ships(t.s, "usa", EAST)
    t = table("allies_naval_3", base="setup", units={EAST: {"usa": {"ms": have + 1}}})
    t.refused(Sail("usa", way, {"ms": 2}), "19.11")
    t.do(Sail("usa", way, {"ms": 1}))
    t = table("allies_naval_3", base="setup", wars=[("germany", "usa")])
    t.do(Sail("usa", way, {"ms": have}))


@pytest.mark.rule("gw75:19.12a", "gw75:19.12b")
def test_the_usa_lends_surplus_ships_to_allies() -> None:
    have = merchant_shipping.ships(state(base="setup"), "usa", EAST)
    s = state(base="setup", units={EAST: {"usa": {"ms": have + 2}}})
    assert "can spare 2" in merchant_shipping.unloanable(s, EAST, "commonwealth", 3)[0]
    assert "no Allied" in merchant_shipping.unloanable(s, EAST, "germany", 1)[0]
    assert "no Allied" in merchant_shipping.unloanable(s, EAST, "sweden", 1)[0]
    assert merchant_shipping.unloanable(s, EAST, "commonwealth", 2) == ("", "")

    t = table("axis_naval_1", base="setup", units={EAST: {"usa": {"ms": have + 2}}})
    t.do(merchant_shipping.LendShips(EAST, "commonwealth", 2), by="commonwealth")
    s = t.s
    assert merchant_shipping.ships(s, "commonwealth", EAST) == 2
    assert merchant_shipping.ships(s, "usa", EAST) == have
    assert audit.broken_invariants(s) == []
    assert not [request for request in t.game.may if request.kind == "shipping"]
