"""Rule cases: amphibious assaults."""

from __future__ import annotations

from typing import Any

import pytest

from tests.aa1942.battles import line, step
from tests.aa1942.table import (
    Bombard,
    Dive,
    Done,
    Engage,
    Fight,
    Press,
    Retreat,
    Table,
    move,
    sail,
    table,
)


def hold(power: str, **units: int) -> dict[str, Any]:
    return {"ship": "transport", "load": {power: units}}


def overlord(escort: str, guards: str, defenders: str = "infantry", **units: Any) -> Table:
    """Americans from sz9 attack sz8 and assault France with 2 infantry."""
    t = table(
        "united_states",
        units={
            "sz9": {"united_states": f"{escort}, transport"},
            "sz8": {"germany": guards},
            "france": {"germany": defenders},
            **units,
        },
        cargo={"sz9": {"united_states": [hold("united_states", infantry=2)]}},
    )
    return t.do(move(escort, "sz9 > sz8"), sail("sz9 > sz8", offload="france"))


def norway(fleet: str, guards: str = "", defenders: str = "infantry", **units: int) -> Table:
    """A British fleet in sz6 with one loaded transport; Norway is the target."""
    return table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": fleet, **({"germany": guards} if guards else {})},
            "norway": {"germany": defenders} if defenders else {},
        },
        cargo={"sz6": {"united_kingdom": [hold("united_kingdom", **(units or {"infantry": 2}))]}},
    )


@pytest.mark.rule("aa1942:amphib.bombard.condition")
def test_amphibious_01() -> None:
    """After a sea battle in the zone nobody bombards."""
    t = overlord("battleship, cruiser", "destroyer").do(Done()).dice(1, 6).dice(6)
    assert t.units("sz8", "united_states") == {"battleship": 1, "cruiser": 1, "transport": 1}
    t.refused(Bombard({"sz8": {"battleship": 1}}), by="united_states")
    assert step(t) == "attack in france"


@pytest.mark.rule("aa1942:amphib.bombard.limit")
def test_amphibious_02() -> None:
    """Two units land, so two of three ships bombard."""
    t = norway("2 battleship, cruiser, transport", tank=1, infantry=1)
    t.do(sail("sz6", offload="norway"), Done())
    assert t.request.limit == 2
    t.refused(Bombard({"sz6": {"battleship": 2, "cruiser": 1}}), "amphib.bombard.limit")
    t.do(Bombard({"sz6": {"battleship": 2}}))
    assert t.request.dice == 2


@pytest.mark.rule("aa1942:amphib.bombard.ignored-units", "aa1942:amphib.sea-combat.required")
def test_amphibious_04() -> None:
    """Attacking the submarine costs the bombardment; ignoring it does not."""
    t = norway("battleship, transport", "submarine").do(sail("sz6", offload="norway"), Done())
    other = Table(t.game.clone())
    t.do(Engage(True), Dive(0)).dice(6).dice(1)
    t.refused(Bombard({"sz6": {"battleship": 1}}), by="united_kingdom")
    assert step(t) == "attack in norway"
    other.do(Engage(False))
    assert other.asked == "united_kingdom choose_bombardment"
    other.do(Bombard({"sz6": {"battleship": 1}}))


@pytest.mark.rule("aa1942:transport.assault.ignored-sub")
def test_amphibious_05() -> None:
    """No landing past a submarine without an own warship in the zone."""
    t = norway("transport", "submarine")
    t.refused(sail("sz6", offload="norway"), "transport.assault.ignored-sub")


@pytest.mark.rule("aa1942:unit.transport.escort-needed")
def test_amphibious_08() -> None:
    """An enemy transport needs no escort: the zone is friendly and free of submarines."""
    t = norway("transport", "transport").do(sail("sz6", offload="norway"), Done())
    assert step(t) == "attack in norway"
    assert t.units("norway", "united_kingdom") == {"infantry": 2}


@pytest.mark.rule(
    "aa1942:amphib.land.seaborne-no-retreat",
    "aa1942:amphib.land.retreat-overland",
    "aa1942:amphib.land.retreat-together",
)
def test_amphibious_11() -> None:
    """Overland units and the fighter may retreat together, seaborne units never."""
    t = table(
        "united_kingdom",
        units={
            "sz5": {"united_kingdom": "transport"},
            "karelia_ssr": {"united_kingdom": "2 infantry, fighter"},
            "baltic_states": {"germany": "4 infantry"},
        },
        cargo={"sz5": {"united_kingdom": [hold("united_kingdom", infantry=2)]}},
    )
    t.do(
        sail("sz5", offload="baltic_states"),
        move("2 infantry", "karelia_ssr > baltic_states"),
        move("fighter", "karelia_ssr > baltic_states"),
        Done(),
    )
    t.dice(6, 6, 6, 6, 6).dice(6, 6, 6, 6)
    t.refused(Retreat("sz5"), "combat.retreat.destination")
    t.do(Retreat("karelia_ssr"))
    assert t.units("karelia_ssr", "united_kingdom") == {"infantry": 2}
    assert t.units("baltic_states", "united_kingdom") == {"infantry": 2, "fighter": 1}
    assert t.rolling == "attack in baltic_states: 2 infantry at 1"


@pytest.mark.rule("aa1942:amphib.air.one-battle", "aa1942:amphib.air.assign")
def test_amphibious_13() -> None:
    """A fighter sent into the sea battle does not join the land battle."""
    t = overlord("cruiser", "destroyer", united_kingdom={"united_states": "fighter"}).do(
        move("fighter", "united_kingdom > sz8")
    )
    t.refused(move("fighter", "sz8 > france"), "combat-move.simultaneous")
    t.do(Done())
    assert line(t) == "1 fighter at 3, 1 cruiser at 3"
    t.dice(1, 6).dice(6)
    assert t.rolling == "attack in france: 2 infantry at 1"


@pytest.mark.rule("aa1942:amphib.bombard.limit", "aa1942:amphib.bombard.one-target")
def test_amphibious_14() -> None:
    """Three ships, two assaults: each ship once, and no more than land at each place."""

    def fleet() -> Table:
        t = table(
            "united_states",
            units={
                "sz8": {"united_states": "2 battleship, cruiser, 2 transport"},
                "france": {"germany": "infantry"},
                "northwestern_europe": {"germany": "infantry"},
            },
            cargo={
                "sz8": {
                    "united_states": [
                        hold("united_states", infantry=2),
                        hold("united_states", infantry=1),
                    ]
                }
            },
        )
        return t.do(
            sail("sz8", offload="france", cargo={"infantry": 2}),
            sail("sz8", offload="northwestern_europe", cargo={"infantry": 1}),
            Done(),
            Fight("france"),
        )

    a = fleet().do(Bombard({"sz8": {"battleship": 2}})).dice(1, 6).dice(6, 6).dice(6)
    a.do(Bombard({"sz8": {"cruiser": 1}}))
    assert a.rolling == "bombardment in northwestern_europe: 1 cruiser at 3"
    fleet().refused(Bombard({"sz8": {"battleship": 2, "cruiser": 1}}), "amphib.bombard.limit")
    c = fleet().do(Bombard({"sz8": {"battleship": 1}})).dice(1).dice(6, 6).dice(6)
    c.refused(Bombard({"sz8": {"battleship": 1, "cruiser": 1}}), "amphib.bombard.limit")
    d = fleet().do(Bombard({"sz8": {"battleship": 2}})).dice(1, 6).dice(6, 6).dice(6)
    d.refused(Bombard({"sz8": {"battleship": 1}}), "amphib.bombard.one-target")


@pytest.mark.rule("aa1942:amphib.land.single-territory")
def test_amphibious_15() -> None:
    """One transport, one territory."""
    t = table(
        "united_states",
        units={"sz8": {"united_states": "transport"}},
        cargo={"sz8": {"united_states": [hold("united_states", infantry=2)]}},
    )
    t.do(sail("sz8", offload="france", units={"infantry": 1}))
    t.refused(sail("sz8", offload="northwestern_europe", units={"infantry": 1}))
    t.do(Done())
    assert t.s.control["france"] == "united_states"
    assert t.s.control["northwestern_europe"] == "germany"
    assert t.cargo("sz8", "united_states") == [["united_states infantry"]]


@pytest.mark.rule("aa1942:combat.general.no-resistance")
def test_amphibious_16() -> None:
    """An empty coast is taken without dice."""
    t = norway("transport", defenders="").do(sail("sz6", offload="norway"), Done())
    assert t.asked == "united_kingdom noncombat_move"
    assert t.s.control["norway"] == "united_kingdom"
    assert t.units("norway", "united_kingdom") == {"infantry": 2}


@pytest.mark.rule("aa1942:amphib.declare")
def test_amphibious_18() -> None:
    """What was not announced in combat movement cannot be landed in combat or later."""
    t = norway("cruiser, transport", "destroyer").do(Done())
    assert t.s.phase == "conduct_combat"
    t.refused(sail("sz6", offload="norway"), by="united_kingdom")
    t.dice(1).dice(6)
    t.refused(sail("sz6", offload="norway"))
    assert t.cargo("sz6", "united_kingdom") == [["united_kingdom infantry"] * 2]


@pytest.mark.rule("aa1942:amphib.land.condition")
def test_amphibious_19() -> None:
    """Submerged submarines and transports left in the zone do not stop the landing."""
    t = overlord("cruiser", "cruiser, submarine").do(Done(), Dive(1)).dice(1).dice(6)
    assert t.units("sz8", "germany") == {"submarine": 1}
    assert t.rolling == "attack in france: 2 infantry at 1"
    t = overlord("cruiser", "cruiser, transport").do(Done()).dice(1).dice(1).do(Press())
    assert t.units("sz8", "germany") == {"transport": 1}
    assert t.rolling == "attack in france: 2 infantry at 1"


@pytest.mark.rule("aa1942:amphib.land.condition", "aa1942:amphib.sea-zone.clear-first")
def test_amphibious_20() -> None:
    """A fleet that retreats takes its cargo along; nothing lands."""
    t = overlord("cruiser", "cruiser").do(Done()).dice(6).dice(6).do(Retreat("sz9"))
    assert t.asked == "united_states noncombat_move"
    assert t.cargo("sz9", "united_states") == [["united_states infantry"] * 2]
    assert t.units("france", "united_states") == {}
    assert t.s.control["france"] == "germany"
    t.refused(sail("sz9", offload="united_kingdom"))


@pytest.mark.rule("aa1942:amphib.air.defender-land-only")
def test_amphibious_23() -> None:
    """Fighters in France defend France, not the sea zone."""
    t = overlord("cruiser", "destroyer", defenders="2 fighter").do(Done()).dice(1)
    assert line(t) == "1 destroyer at 2"
    t.dice(6)
    assert step(t) == "attack in france"
    t.dice(6, 6)
    assert line(t) == "2 fighter at 4"


@pytest.mark.rule("aa1942:combat.sequence", "aa1942:combat.general.order")
def test_amphibious_25() -> None:
    """Raids, then assaults, then other battles; within a step the attacker chooses."""
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "bomber, 2 infantry"},
            "sz6": {"united_kingdom": "2 transport"},
            "karelia_ssr": {"united_kingdom": "infantry"},
            "northwestern_europe": {"germany": "infantry"},
            "norway": {"germany": "infantry"},
            "belorussia": {"germany": "infantry"},
        },
    )
    t.do(
        move("infantry", "karelia_ssr > belorussia"),
        sail("sz6", "infantry from united_kingdom in sz6", offload="northwestern_europe"),
        sail("sz6", "infantry from united_kingdom in sz6", offload="norway"),
        move("bomber", "united_kingdom > sz6 > northwestern_europe > germany", raid=True),
        Done(),
    )
    assert t.rolled == "complex in germany"
    t.dice(6).dice(1)
    assert t.request.battles == ("northwestern_europe", "norway")
    t.do(Fight("norway")).dice(1).dice(1)
    assert step(t) == "attack in northwestern_europe"
    t.dice(1).dice(1)
    assert step(t) == "attack in belorussia"
