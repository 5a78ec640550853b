"""Capturing and liberating territories and capitals (p.18-19)."""

from __future__ import annotations

from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.spaces import capital_lost
from sandtable.kernel.table import Table


def capture(g: Table[State], territory: str, power: str) -> None:
    """`power` takes a hostile territory, which may free it for an ally instead.

    A territory that was originally an ally's goes back to it, with its complex, unless that
    ally's capital is in enemy hands. (If the capital is freed later in the same turn, the
    territory reverts then, which is what a test at the end of the turn would give.)

    Rules: combat.conclude.capture, combat.conclude.production, combat.conclude.ic,
        liberate.original-controller, liberate.capital-lost, liberate.capital-lost.until,
        setup.control.original, capital.capture.income, victory-city.capture, unit.ic.liberated
    """
    s = g.state
    loser = s.control[territory]
    original = s.facts.spaces[territory].owner
    assert original is not None
    freed_for = original if original in s.facts.allies[power] else power
    if (
        freed_for != power
        and territory != s.facts.capital[freed_for]
        and capital_lost(s, freed_for)
    ):
        freed_for = power
    s.control[territory] = freed_for
    g.emit("captured", space=territory, power=power, recipient=freed_for, against=loser)
    if territory != s.facts.capital[original]:
        return
    if original in s.facts.allies[power]:
        liberate_capital(g, original)
    else:
        plunder(g, original, power)


def plunder(g: Table[State], victim: str, captor: str) -> None:
    """The captor of a capital gets the whole treasury of its original controller.

    Rules: capital.capture.treasury, capital.list
    """
    s = g.state
    loot = s.treasury[victim]
    s.treasury[victim] = 0
    s.treasury[captor] += loot
    g.emit("plundered", against=victim, power=captor, ipcs=loot)


def liberate_capital(g: Table[State], owner: str) -> None:
    """A freed capital brings back everything that allies hold for its owner; no money moves.

    Rules: capital.liberate.revert, capital.liberate.no-ipc, capital.liberate.resume
    """
    s = g.state
    allies = s.facts.allies[owner]
    for territory, holder in s.control.items():
        if holder != owner and holder in allies and s.facts.spaces[territory].owner == owner:
            s.control[territory] = owner
            g.emit("reverted", space=territory, power=owner, against=holder)
