"""Rule cases: noncombat movement."""

from __future__ import annotations

import pytest

from tests.aa1942.table import Casualties, Divert, Done, Retreat, move, table


@pytest.mark.rule("aa1942:noncombat.land")
def test_noncombat_01() -> None:
    """Land units may follow into a territory captured this turn."""
    t = table(
        "germany",
        "noncombat_move",
        {"ukraine_ssr": {"germany": "infantry"}},
        control={"caucasus": "germany"},
        control_at_start={"caucasus": "soviet_union"},
    )
    t.do(move("infantry", "ukraine_ssr > caucasus"))
    assert t.units("caucasus", "germany") == {"infantry": 1}


@pytest.mark.rule("aa1942:noncombat.land")
def test_noncombat_04() -> None:
    """An unmoved tank drives two spaces through friendly land."""
    t = table("germany", "noncombat_move", {"germany": {"germany": "tank"}})
    t.do(move("tank", "germany > poland > ukraine_ssr"))
    assert t.units("ukraine_ssr", "germany") == {"tank": 1}


@pytest.mark.rule("aa1942:noncombat.land", "aa1942:noncombat.hostile-pass")
def test_noncombat_05() -> None:
    """Empty hostile land cannot be crossed now, not even to come back."""
    t = table(
        "germany",
        "noncombat_move",
        {"belorussia": {"germany": "tank"}},
        control={"west_russia": "soviet_union"},
    )
    t.refused(move("tank", "belorussia > west_russia > belorussia"), "noncombat.land")
    t.refused(move("tank", "belorussia > west_russia"), "noncombat.land")


@pytest.mark.rule("aa1942:noncombat.stranded", "aa1942:unit.fighter.defend-return")
def test_noncombat_07() -> None:
    """The stranded defender lands before the acting power makes any noncombat move."""
    t = table(
        "japan",
        units={
            "sz35": {"united_kingdom": "aircraft_carrier, fighter"},
            "sz34": {"united_kingdom": "aircraft_carrier"},
            "sz36": {"japan": "2 cruiser"},
        },
    )
    t.do(move("2 cruiser", "sz36 > sz35"), Done())
    t.dice(3, 6).do(Casualties({"united_kingdom": {"aircraft_carrier": 1}}))
    t.dice(6, 6).do(Retreat("sz36"))
    # India and the other carrier are both in reach, so the owner is asked, and first.
    assert t.asked == "united_kingdom land_stranded"
    assert set(t.request.to) == {"india", "sz34"}
    t.refused(move("cruiser", "sz36 > sz47"), by="japan")
    t.do(Divert("india"))
    assert t.units("india", "united_kingdom") == {"fighter": 1}
    assert t.asked == "japan noncombat_move"
