"""Edge cases: capturing and liberating."""

import pytest

from sandtable.games.aa1942.rules.spaces import production
from tests.aa1942.table import Buy, Done, Fight, Place, move, sail, table
from tests.aa1942.turns import pass_to, pass_turn, pass_turns


@pytest.mark.rule("aa1942:combat.conclude.production", "aa1942:combat.conclude.capture")
def test_capture_01() -> None:
    """Caucasus moves four points of production from the Soviet Union to Germany."""
    t = table("germany", units={"ukraine_ssr": {"germany": "infantry"}})
    assert (production(t.s, "germany"), production(t.s, "soviet_union")) == (41, 24)
    t.do(move("infantry", "ukraine_ssr > caucasus"), Done())
    assert (production(t.s, "germany"), production(t.s, "soviet_union")) == (45, 20)


@pytest.mark.rule(
    "aa1942:liberate.capital-lost",
    "aa1942:liberate.capital-lost.until",
    "aa1942:mobilize.ic.not-new",
)
def test_capture_03() -> None:
    """With Moscow German, Karelia is a British conquest: income now, complex from next turn on."""
    t = table(
        "united_kingdom",
        "purchase",
        {"archangel": {"united_kingdom": "infantry"}, "vologda": {"united_states": "infantry"}},
        control={"russia": "germany", "karelia_ssr": "germany"},
        treasury={"united_kingdom": 3},
    )
    t.do(Buy({"infantry": 1}), move("infantry", "archangel > karelia_ssr"), Done(), Done())
    assert t.s.control["karelia_ssr"] == "united_kingdom"
    t.refused(Place("karelia_ssr", {"infantry": 1}), "mobilize.ic.not-new")
    t.do(Place("united_kingdom", {"infantry": 1}))
    assert t.s.treasury["united_kingdom"] == 33
    pass_turns(t, "united_kingdom")
    t.do(Buy({"infantry": 2}))
    pass_to(t, "mobilize").do(Place("karelia_ssr", {"infantry": 2}))
    while t.s.turn != "united_states":
        pass_turn(t)
    t.do(Buy(), move("infantry", "vologda > russia"), Done())
    assert t.s.control["karelia_ssr"] == "soviet_union"
    pass_turns(t, "united_kingdom")
    t.do(Buy({"infantry": 2}))
    pass_to(t, "mobilize")
    t.refused(Place("karelia_ssr", {"infantry": 1}), "mobilize.ic.not-ally")


@pytest.mark.rule("aa1942:liberate.capital-lost", "aa1942:capital.liberate.revert")
@pytest.mark.parametrize("first", ["karelia_ssr", "russia"])
def test_capture_04(first: str) -> None:
    """Karelia and Moscow taken in one turn, in either order, both go to the Soviet Union."""
    t = table(
        "united_kingdom",
        units={"archangel": {"united_kingdom": "2 infantry"}},
        control={"russia": "germany", "karelia_ssr": "germany"},
    )
    t.do(move("infantry", "archangel > karelia_ssr"), move("infantry", "archangel > russia"))
    t.do(Done(), Fight(first), Done())
    assert t.s.control["karelia_ssr"] == t.s.control["russia"] == "soviet_union"


@pytest.mark.rule("aa1942:capital.capture.treasury")
def test_capture_05() -> None:
    """Eighteen Soviet IPCs go to Germany with Moscow, at once."""
    t = table(
        "germany",
        units={"west_russia": {"germany": "infantry"}},
        treasury={"germany": 5, "soviet_union": 18},
    )
    t.do(move("infantry", "west_russia > russia"), Done())
    assert t.s.phase == "noncombat_move"
    assert (t.s.treasury["germany"], t.s.treasury["soviet_union"]) == (23, 0)


@pytest.mark.rule("aa1942:capital.lost.phases")
def test_capture_07() -> None:
    """Without Moscow the Soviet turn is combat move, conduct combat and noncombat move."""
    t = table(
        "soviet_union",
        "purchase",
        {"archangel": {"soviet_union": "2 infantry"}, "west_russia": {"germany": "infantry"}},
        control={"russia": "germany"},
        treasury={"soviet_union": 12},
    )
    assert t.asked == "soviet_union combat_move"
    t.do(move("2 infantry", "archangel > west_russia"), Done())
    assert "attack in west_russia" in t.rolling
    t.dice(1, 6).dice(6)
    assert t.asked == "soviet_union noncombat_move"
    t.do(Done())
    assert t.asked == "germany purchase"
    assert t.s.treasury["soviet_union"] == 12


@pytest.mark.rule("aa1942:capital.liberate.no-ipc")
def test_capture_09() -> None:
    """Germany keeps its 30 IPCs when the British take Moscow back."""
    t = table(
        "united_kingdom",
        units={"archangel": {"united_kingdom": "infantry"}},
        control={"russia": "germany"},
        treasury={"germany": 30, "united_kingdom": 4, "soviet_union": 0},
    )
    t.do(move("infantry", "archangel > russia"), Done())
    assert t.s.control["russia"] == "soviet_union"
    assert t.s.treasury["germany"] == 30
    assert (t.s.treasury["united_kingdom"], t.s.treasury["soviet_union"]) == (4, 0)


@pytest.mark.rule("aa1942:unit.land.capture")
def test_capture_14() -> None:
    """A fleet takes no island; a single infantry, artillery or tank does."""
    fleet = "battleship, aircraft_carrier, cruiser, destroyer, submarine, transport"
    t = table("united_states", units={"sz57": {"united_states": fleet}})
    t.refused(move("battleship", "sz57 > sz52 > wake_island"), "unit.sea.scope")
    t.do(Done(), move(fleet, "sz57 > sz52"), Done())
    assert t.s.control["wake_island"] == "japan"
    for unit in ("infantry", "artillery", "tank", "antiaircraft_artillery"):
        hold = {"ship": "transport", "load": {"united_states": {unit: 1}}}
        t = table(
            "united_states",
            units={"sz52": {"united_states": "transport"}},
            cargo={"sz52": {"united_states": [hold]}},
        )
        landing = sail("sz52", offload="wake_island")
        if unit == "antiaircraft_artillery":
            t.refused(landing)
            continue
        t.do(landing, Done())
        assert t.s.control["wake_island"] == "united_states"


@pytest.mark.rule("aa1942:neutral.impassable", "aa1942:def.territory.neutral")
def test_capture_15() -> None:
    """Turkey cannot be attacked, entered or overflown, and belongs to nobody for ever."""
    units = {
        "bulgaria_romania": {"germany": "infantry, tank, fighter, bomber"},
        "caucasus": {"soviet_union": "infantry"},
        "sz16": {"germany": "transport"},
    }
    for phase in ("combat_move", "noncombat_move"):
        t = table("germany", phase, units)
        for unit in ("infantry", "tank", "fighter", "bomber"):
            t.refused(move(unit, "bulgaria_romania > turkey"), "neutral.impassable")
        for unit in ("tank", "fighter", "bomber"):
            t.refused(move(unit, "bulgaria_romania > turkey > caucasus"), "neutral.impassable")
        t.refused(
            sail("sz16", "infantry from bulgaria_romania in sz16", offload="turkey"),
            "neutral.impassable",
        )
        assert "turkey" not in t.s.control
