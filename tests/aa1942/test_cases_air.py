"""Rule cases: aircraft, their range, and where they land."""

from __future__ import annotations

import pytest

from tests.aa1942.table import Casualties, Done, Place, Retreat, move, table


@pytest.mark.rule(
    "aa1942:unit.air.count",
    "aa1942:unit.air.count.carrier",
    "aa1942:unit.air.count.island",
    "aa1942:unit.air.landing-proof",
    "aa1942:carrier.landing-zone",
)
def test_air_01() -> None:
    """Three spaces to the Philippines, one back to the carrier that has come to meet it."""
    t = table(
        "united_states",
        units={
            "sz52": {"united_states": "aircraft_carrier, fighter"},
            "philippine_islands": {"japan": "infantry"},
        },
    )
    t.do(move("fighter", "sz52 > sz50 > sz48 > philippine_islands"), Done())
    t.dice(3).dice(6)
    assert t.asked == "united_states noncombat_move"
    assert t.s.control["philippine_islands"] == "japan"
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("aircraft_carrier", "sz52 > sz50 > sz48"))
    t.refused(move("fighter", "philippine_islands > sz48 > sz50"), "noncombat.air-remaining")
    t.do(move("fighter", "philippine_islands > sz48"), Done())
    assert t.units("sz48", "united_states") == {"aircraft_carrier": 1, "fighter": 1}
    assert t.s.control["philippine_islands"] == "japan"


@pytest.mark.rule("aa1942:combat-move.air.reserve", "aa1942:unit.air.landing-proof")
def test_air_02() -> None:
    """A bomber does not fly five spaces to a place with nowhere to land one space on."""
    t = table(
        "japan",
        units={
            "japan": {"japan": "bomber"},
            "western_united_states": {"united_states": "infantry"},
        },
    )
    t.refused(
        move("bomber", "japan > sz60 > sz59 > sz57 > sz56 > western_united_states"),
        "unit.air.landing-proof",
    )


@pytest.mark.rule("aa1942:noncombat.air.landing-territory", "aa1942:combat-move.air-pass")
def test_air_03() -> None:
    """Four spaces over enemy land to attack, two more to an ally's territory."""
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "bomber"},
            "poland": {"germany": "infantry"},
        },
    )
    t.do(move("bomber", "united_kingdom > sz6 > northwestern_europe > germany > poland"), Done())
    t.dice(4).dice(6)
    t.do(move("bomber", "poland > baltic_states > karelia_ssr"), Done())
    assert t.units("karelia_ssr", "united_kingdom") == {"bomber": 1}


@pytest.mark.rule("aa1942:noncombat.air.no-captured", "aa1942:unit.air.landing-duty")
def test_air_04() -> None:
    """Nobody lands in a territory captured this turn, whether it fought there or not."""
    t = table(
        "germany",
        units={
            "ukraine_ssr": {"germany": "3 infantry, 2 fighter"},
            "caucasus": {"soviet_union": "infantry"},
        },
    )
    t.do(move("3 infantry", "ukraine_ssr > caucasus"), move("fighter", "ukraine_ssr > caucasus"))
    t.do(Done()).dice(1, 1, 1, 1).dice(6)
    assert t.s.control["caucasus"] == "germany"
    t.refused(Done(), "unit.air.landing-duty")
    t.refused(move("fighter", "ukraine_ssr > caucasus"), "noncombat.air.no-captured")
    t.do(move("fighter", "caucasus > ukraine_ssr"), Done())
    assert t.units("ukraine_ssr", "germany") == {"fighter": 2}


@pytest.mark.rule(
    "aa1942:combat-move.air.fighter-full-range",
    "aa1942:unit.air.landing-proof",
    "aa1942:unit.air.landing-proof.assume",
)
def test_air_06() -> None:
    """A fighter may spend all four points: the attack may clear the way for its carrier."""
    units = {
        "midway": {"united_states": "fighter"},
        "sz48": {"japan": "cruiser"},
        "sz50": {"united_states": "submarine"},
        "sz52": {"united_states": "aircraft_carrier"},
    }
    flight = move("fighter", "midway > sz57 > sz59 > sz51 > sz48")
    t = table("united_states", units=units)
    t.do(move("submarine", "sz50 > sz48"), flight, Done())
    assert t.asked == "united_states submerge_or_strike"
    # The order of the moves makes no difference; without the carrier the flight is forbidden.
    t = table("united_states", units=units)
    t.do(flight, move("submarine", "sz50 > sz48"))
    del units["sz52"]
    t = table("united_states", units=units)
    t.do(move("submarine", "sz50 > sz48"))
    t.refused(flight, "unit.air.landing-proof")


@pytest.mark.rule(
    "aa1942:noncombat.air.new-carrier",
    "aa1942:unit.air.landing-proof.commit-new",
    "aa1942:noncombat.air.crash",
)
def test_air_09() -> None:
    """A bought carrier saves a fighter even in a hostile zone, and must then be placed there."""
    t = table(
        "germany",
        "noncombat_move",
        {
            "sz6": {"germany": {"fighter": [{"used": 3, "duty": "fought"}]}},
            "sz5": {"united_kingdom": "cruiser"},
        },
        bought={"aircraft_carrier": 1},
        treasury={"germany": 20},
    )
    t.do(move("fighter", "sz6 > sz5"), Done())
    assert t.asked == "germany mobilize"
    t.refused(Place("sz15", {"aircraft_carrier": 1}), "unit.air.landing-proof.commit-new")
    t.refused(Done(), "mobilize.overproduction")
    t.do(Place("sz5", {"aircraft_carrier": 1}))
    assert t.asked == "united_kingdom purchase"
    assert t.units("sz5", "germany") == {"aircraft_carrier": 1, "fighter": 1}


@pytest.mark.rule("aa1942:unit.air.landing-proof.commit-move", "aa1942:noncombat.carrier.must-move")
def test_air_12() -> None:
    """The carrier on which a surviving fighter relies goes to meet it and nowhere else."""
    t = table(
        "japan",
        units={
            "okinawa": {"japan": "fighter"},
            "sz60": {"japan": "aircraft_carrier"},
            "sz52": {"united_states": "transport"},
        },
        control={"wake_island": "united_states", "iwo_jima": "united_states"},
    )
    t.do(move("fighter", "okinawa > sz51 > sz59 > sz57 > sz52"), Done())
    assert t.asked == "japan noncombat_move"
    t.refused(move("aircraft_carrier", "sz60 > sz59"), "noncombat.air.carrier-required")
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("aircraft_carrier", "sz60 > sz59 > sz52"), Done())
    assert t.units("sz52", "japan") == {"aircraft_carrier": 1, "fighter": 1}


@pytest.mark.rule("aa1942:noncombat.air.crash", "aa1942:unit.air.landing-proof.no-guarantee")
def test_air_13() -> None:
    """When the only carrier in range has been sunk, the fighters are lost; the risk was allowed."""
    t = table(
        "united_states",
        units={
            "hawaiian_islands": {"united_states": "2 fighter"},
            "sz52": {"united_states": "aircraft_carrier"},
            "sz50": {"japan": "destroyer"},
        },
    )
    t.do(move("aircraft_carrier", "sz52 > sz50"))
    t.do(move("2 fighter", "hawaiian_islands > sz53 > sz52 > sz50"), Done())
    t.dice(3, 6, 6).dice(1).do(Casualties({"united_states": {"aircraft_carrier": 1}}))
    assert t.asked == "united_states noncombat_move"
    assert t.units("sz50", "united_states") == {"fighter": 2}
    t.do(Done())
    assert t.units("sz50", "united_states") == {}
    assert t.s.lost["united_states", "fighter"] == 2


@pytest.mark.rule("aa1942:unit.carrier.capacity", "aa1942:noncombat.air.carrier")
def test_air_14() -> None:
    """A guest takes one of the two places."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "sz7": {"united_kingdom": "aircraft_carrier, fighter", "united_states": "fighter"},
            "united_kingdom": {"united_kingdom": "fighter"},
        },
    )
    t.refused(move("fighter", "united_kingdom > sz7"), "noncombat.air.carrier-required")
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "sz7": {"united_kingdom": "aircraft_carrier", "united_states": "fighter"},
            "united_kingdom": {"united_kingdom": "fighter"},
        },
    )
    t.do(move("fighter", "united_kingdom > sz7"), Done())
    assert t.units("sz7", "united_kingdom") == {"aircraft_carrier": 1, "fighter": 1}


@pytest.mark.rule("aa1942:noncombat.air.carrier")
def test_air_15() -> None:
    """A bomber never lands on a carrier."""
    t = table(
        "united_states",
        "noncombat_move",
        {
            "hawaiian_islands": {"united_states": "bomber, fighter"},
            "sz53": {"united_states": "aircraft_carrier"},
        },
    )
    t.refused(move("bomber", "hawaiian_islands > sz53"), "noncombat.air.carrier")
    t.do(move("fighter", "hawaiian_islands > sz53"))


@pytest.mark.rule("aa1942:combat-move.air.aaa-only-target", "aa1942:combat-move.air-pass")
def test_air_16() -> None:
    """Guns do not fire at a bomber that only flies over them."""
    t = table(
        "germany",
        units={
            "persia": {"germany": "bomber"},
            "india": {"united_kingdom": "antiaircraft_artillery, infantry"},
            "burma": {"united_kingdom": "infantry"},
        },
        control={"persia": "germany"},
    )
    t.do(move("bomber", "persia > india > burma"), Done())
    assert t.rolling.startswith("attack in burma")
    t.dice(6).dice(6).do(Retreat())
    t.do(move("bomber", "burma > india > persia"), Done())
    assert t.units("persia", "germany") == {"bomber": 1}


@pytest.mark.rule("aa1942:unit.air.scope", "aa1942:unit.air.count.island")
def test_air_18() -> None:
    """Fighters on an island take no part in a battle in the zone around it."""
    units = {
        "united_kingdom": {"united_kingdom": "2 fighter"},
        "sz7": {"united_kingdom": "2 transport"},
        "sz9": {"germany": "cruiser"},
    }
    t = table("germany", units=units)
    t.do(move("cruiser", "sz9 > sz7"), Done())
    assert t.asked == "germany noncombat_move"
    assert t.units("sz7", "united_kingdom") == {}
    assert t.units("united_kingdom", "united_kingdom") == {"fighter": 2}
    units["sz7"] = {"united_kingdom": "destroyer"}
    t = table("germany", units=units)
    t.do(move("cruiser", "sz9 > sz7"), Done()).dice(6)
    assert t.rolling == "defence in sz7: 1 destroyer at 2"


@pytest.mark.rule("aa1942:noncombat.stranded", "aa1942:unit.fighter.defend-return")
def test_air_19() -> None:
    """A fighter whose carrier was sunk flies one space to land, before any other move."""
    t = table(
        "japan",
        units={
            "sz35": {"united_kingdom": "aircraft_carrier, fighter"},
            "sz36": {"japan": "2 cruiser"},
        },
    )
    t.do(move("2 cruiser", "sz36 > sz35"), Done())
    t.dice(3, 6).do(Casualties({"united_kingdom": {"aircraft_carrier": 1}})).dice(6, 6)
    assert t.units("sz35", "united_kingdom") == {"fighter": 1}
    t.do(Retreat("sz36"))
    assert t.asked == "japan noncombat_move"
    assert t.units("india", "united_kingdom") == {"fighter": 1}
    assert t.units("sz35", "united_kingdom") == {}


@pytest.mark.rule("aa1942:noncombat.air-remaining")
def test_air_22() -> None:
    """A fighter that has not moved has its whole range now."""
    t = table(
        "united_states", "noncombat_move", {"eastern_united_states": {"united_states": "fighter"}}
    )
    t.refused(
        move("fighter", "eastern_united_states > sz11 > sz10 > sz2 > sz3 > iceland"),
        "noncombat.air-remaining",
    )
    t.do(move("fighter", "eastern_united_states > sz11 > sz10 > sz2 > greenland"))
    assert t.units("greenland", "united_states") == {"fighter": 1}


@pytest.mark.rule("aa1942:combat-move.air.budget", "aa1942:noncombat.air-remaining")
def test_air_23() -> None:
    """The range is for the whole turn: after four spaces a bomber has two left."""
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "bomber"},
            "belorussia": {"germany": "infantry"},
        },
    )
    t.do(move("bomber", "united_kingdom > sz6 > sz5 > baltic_states > belorussia"), Done())
    t.dice(1).dice(6)
    t.refused(
        move("bomber", "belorussia > baltic_states > karelia_ssr > archangel"),
        "noncombat.air-remaining",
    )
    t.do(move("bomber", "belorussia > karelia_ssr > archangel"))


@pytest.mark.rule("aa1942:multi.fighter-ally-carrier", "aa1942:unit.carrier.guest-turn")
def test_air_24() -> None:
    """A guest fights in its own power's turn and comes back; its host stays where it is."""
    t = table(
        "united_states",
        units={
            "sz35": {"united_kingdom": "aircraft_carrier", "united_states": "fighter"},
            "sz36": {"japan": "transport"},
        },
        control={"india": "japan"},
    )
    t.refused(move("aircraft_carrier", "sz35 > sz36"))
    t.do(move("fighter", "sz35 > sz36"), Done())
    assert t.units("sz36", "japan") == {}
    t.refused(move("aircraft_carrier", "sz35 > sz36"))
    t.do(move("fighter", "sz36 > sz35"), Done())
    assert t.cargo("sz35", "united_kingdom") == [["united_states fighter"]]


@pytest.mark.rule(
    "aa1942:carrier.launch-first", "aa1942:unit.fighter.launch", "aa1942:carrier.fighters-wait"
)
def test_air_25() -> None:
    """Own fighters do not ride into battle: they fly from the carrier's first zone, or stay."""
    t = table(
        "japan",
        units={
            "sz50": {"japan": "aircraft_carrier, 2 fighter"},
            "sz52": {"united_states": "destroyer"},
        },
    )
    t.refused(move("aircraft_carrier, 2 fighter", "sz50 > sz52"))
    t.do(move("aircraft_carrier", "sz50 > sz52"))
    assert t.units("sz52", "japan") == {"aircraft_carrier": 1}
    assert t.units("sz50", "japan") == {"fighter": 2}
    t.refused(move("fighter", "sz52 > sz53"))
    t.do(move("fighter", "sz50 > sz52"), Done())
    assert t.rolling == "attack in sz52: 1 fighter at 3, 1 aircraft_carrier at 1"
    assert t.units("sz50", "japan") == {"fighter": 1}


@pytest.mark.rule("aa1942:carrier.guest.cargo")
def test_air_27() -> None:
    """A guest on an attacking carrier does not fire, takes no hit, and goes down with it."""
    t = table(
        "united_states",
        units={
            "sz53": {"united_states": "aircraft_carrier", "united_kingdom": "fighter"},
            "sz52": {"japan": "destroyer"},
        },
    )
    t.do(move("aircraft_carrier", "sz53 > sz52"), Done())
    assert t.rolling == "attack in sz52: 1 aircraft_carrier at 1"
    t.dice(6).dice(2)  # nobody is asked for a casualty: only the carrier can be hit
    assert t.asked == "united_states noncombat_move"
    assert t.units("sz52", "united_states") == {}
    assert t.s.lost["united_kingdom", "fighter"] == 1


@pytest.mark.rule("aa1942:unit.carrier.fighter-defense")
def test_air_28() -> None:
    """A guest on a defending carrier flies and defends at 4."""
    t = table(
        "germany",
        units={
            "sz7": {"united_kingdom": "aircraft_carrier", "united_states": "fighter"},
            "sz6": {"germany": "cruiser"},
        },
    )
    t.do(move("cruiser", "sz6 > sz7"), Done()).dice(6)
    assert t.rolling == "defence in sz7: 1 fighter at 4, 1 aircraft_carrier at 2"
    t.dice(4, 6)
    assert t.units("sz7", "germany") == {}


def test_air_32() -> None:
    """Aircraft alone take no territory."""
    t = table(
        "germany",
        units={
            "morocco": {"germany": "2 fighter"},
            "gibraltar": {"united_kingdom": "infantry"},
        },
    )
    t.do(move("2 fighter", "morocco > sz14 > gibraltar"), Done()).dice(3, 3).dice(6)
    assert t.units("gibraltar", "united_kingdom") == {}
    assert t.s.control["gibraltar"] == "united_kingdom"
    t.do(move("2 fighter", "gibraltar > sz14 > morocco"), Done())
    assert t.s.control["gibraltar"] == "united_kingdom"
