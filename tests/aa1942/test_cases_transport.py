"""Rule cases: transports and their cargo."""

from __future__ import annotations

import pytest

from tests.aa1942.table import Casualties, Done, Press, Retreat, move, sail, table


@pytest.mark.rule("aa1942:unit.transport.capacity")
@pytest.mark.parametrize(
    "load",
    ["2 infantry", "tank, infantry", "artillery, infantry", "antiaircraft_artillery, infantry"],
)
def test_transport_01_fits(load: str) -> None:
    """One land unit of any kind and one infantry go aboard."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "sz7": {"united_kingdom": "transport"},
            "united_kingdom": {
                "united_kingdom": "3 infantry, 2 artillery, tank, antiaircraft_artillery"
            },
        },
    )
    t.do(sail("sz7", f"{load} from united_kingdom in sz7"))
    (aboard,) = t.cargo("sz7", "united_kingdom")
    assert len(aboard) == 2


@pytest.mark.rule("aa1942:unit.transport.capacity")
@pytest.mark.parametrize(
    ("load", "rule"),
    [
        ("tank, artillery", "unit.transport.capacity"),
        ("2 artillery", "unit.transport.capacity"),
        ("3 infantry", "unit.transport.capacity"),
        ("industrial_complex", "unit.sea.carry"),
    ],
)
def test_transport_01_does_not_fit(load: str, rule: str) -> None:
    """Two bulky units, three units or a complex do not go aboard."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "sz7": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "3 infantry, 2 artillery, tank"},
        },
    )
    t.refused(sail("sz7", f"{load} from united_kingdom in sz7"), rule)


@pytest.mark.rule("aa1942:unit.transport.load-two", "aa1942:transport.load.friendly-zone")
def test_transport_02() -> None:
    """Load, sail, load again, sail, offload everything."""
    t = table(
        "japan",
        "noncombat_move",
        {
            "sz61": {"japan": "transport"},
            "kiangsu": {"japan": "infantry"},
            "manchuria": {"japan": "artillery"},
        },
    )
    t.do(
        sail(
            "sz61 > sz62 > sz60",
            "infantry from kiangsu in sz61",
            "artillery from manchuria in sz62",
            offload="japan",
        )
    )
    assert t.units("japan", "japan") == {"infantry": 1, "artillery": 1}
    assert t.cargo("sz60", "japan") == [[]]


@pytest.mark.rule("aa1942:unit.transport.bridge", "aa1942:unit.transport.offload-final")
def test_transport_03() -> None:
    """Bridging within one zone; after that the transport has done its part for the turn."""
    t = table(
        "germany",
        "noncombat_move",
        {"sz14": {"germany": "transport"}, "france": {"germany": "3 infantry"}},
    )
    t.do(sail("sz14", "2 infantry from france in sz14", offload="algeria"))
    assert t.units("algeria", "germany") == {"infantry": 2}
    t.refused(move("transport", "sz14 > sz15"), "noncombat.eligible")
    t.refused(sail("sz14", "infantry from france in sz14"), "unit.transport.offload-final")
    t.refused(
        sail("sz14", "infantry from france in sz14", offload="algeria"),
        "unit.transport.offload-final",
    )


@pytest.mark.rule("aa1942:unit.transport.offload-final")
def test_transport_04() -> None:
    """A transport that has offloaded stays where it is."""
    t = table(
        "germany",
        "noncombat_move",
        {"sz14": {"germany": "transport"}, "france": {"germany": "2 infantry"}},
    )
    t.do(sail("sz14", "2 infantry from france in sz14", offload="algeria"))
    t.refused(move("transport", "sz14 > sz15"), "noncombat.eligible")
    t.refused(sail("sz14 > sz15", offload="libya"), "unit.transport.offload-final")


@pytest.mark.rule("aa1942:unit.transport.land-move-used")
def test_transport_05() -> None:
    """A tank that has driven a space cannot be loaded any more."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"egypt": {"united_kingdom": "tank"}, "sz34": {"united_kingdom": "transport"}},
    )
    t.do(move("tank", "egypt > trans_jordan"))
    t.refused(sail("sz34", "tank from trans_jordan in sz34"), "unit.transport.land-move-used")


@pytest.mark.rule("aa1942:unit.transport.one-territory", "aa1942:unit.transport.offload-final")
def test_transport_06() -> None:
    """A transport does not offload in two territories in one turn."""
    t = table(
        "germany",
        "noncombat_move",
        {"sz14": {"germany": "transport"}},
        cargo={"sz14": {"germany": [{"ship": "transport", "load": {"germany": {"infantry": 2}}}]}},
    )
    t.do(sail("sz14", offload="france", units={"infantry": 1}))
    t.refused(sail("sz14", offload="algeria"), "unit.transport.offload-final")
    assert t.cargo("sz14", "germany") == [["germany infantry"]]


@pytest.mark.rule("aa1942:noncombat.sea", "aa1942:unit.transport.hostile")
def test_transport_07() -> None:
    """A hostile zone is closed to transports now, and to loading and offloading always."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "sz6": {"germany": "cruiser", "united_states": "transport"},
            "sz7": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "2 infantry"},
        },
        cargo={
            "sz6": {
                "united_states": [
                    {"ship": "transport", "load": {"united_kingdom": {"infantry": 1}}}
                ]
            }
        },
    )
    t.refused(move("transport", "sz7 > sz6"), "noncombat.sea")
    t.refused(sail("sz7 > sz6", "2 infantry from united_kingdom in sz6"))
    t.refused(sail("sz7 > sz6", "2 infantry from united_kingdom in sz7"), "noncombat.sea")
    own = {"owner": "united_states"}
    t.refused(sail("sz6", "infantry from united_kingdom in sz6", **own), "unit.transport.hostile")
    t.refused(sail("sz6", offload="united_kingdom", **own), "unit.transport.hostile")


@pytest.mark.rule("aa1942:combat-move.sub-transport.no-block")
def test_transport_08() -> None:
    """A lone submarine stops neither loading nor sailing."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "sz7": {"germany": "submarine", "united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "2 infantry"},
        },
        control={"norway": "united_kingdom"},
    )
    t.do(sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"))
    assert t.units("norway", "united_kingdom") == {"infantry": 2}


@pytest.mark.rule("aa1942:noncombat.transport")
def test_transport_09() -> None:
    """A transport that sailed with an attacking fleet does not load afterwards."""
    t = table(
        "united_states",
        units={
            "sz9": {"united_states": "transport, destroyer"},
            "sz8": {"germany": "submarine"},
            "united_kingdom": {"united_states": "infantry"},
        },
    )
    t.do(move("transport, destroyer", "sz9 > sz8"), Done(), Done())
    assert t.asked == "united_states noncombat_move"
    t.refused(sail("sz8", "infantry from united_kingdom in sz8"), "noncombat.transport")


@pytest.mark.rule("aa1942:multi.land-ally-transport")
def test_transport_12() -> None:
    """Land units assault from an ally's transport, in their own turn."""
    t = table(
        "united_kingdom",
        units={"sz6": {"united_states": "transport"}, "norway": {"germany": "infantry"}},
        cargo={
            "sz6": {
                "united_states": [
                    {"ship": "transport", "load": {"united_kingdom": {"infantry": 2}}}
                ]
            }
        },
    )
    t.do(sail("sz6", offload="norway", owner="united_states"), Done())
    assert t.rolling == "attack in norway: 2 infantry at 1"
    t.dice(1, 6).dice(6)
    assert t.s.control["norway"] == "united_kingdom"
    assert t.units("norway", "united_kingdom") == {"infantry": 2}
    assert t.cargo("sz6", "united_states") == [[]]


@pytest.mark.rule("aa1942:unit.transport.one-territory")
def test_transport_13() -> None:
    """Nothing goes from one transport to another."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"sz7": {"united_kingdom": "2 transport"}},
        cargo={
            "sz7": {
                "united_kingdom": [
                    {"ship": "transport", "load": {"united_kingdom": {"infantry": 2}}}
                ]
            }
        },
    )
    t.refused(sail("sz7", "infantry from sz7 in sz7"))
    t.refused(sail("sz7", offload="sz7"))
    assert t.cargo("sz7", "united_kingdom") == [[], ["united_kingdom infantry"] * 2]


@pytest.mark.rule("aa1942:transport.cargo")
def test_transport_14() -> None:
    """Cargo neither fights nor takes hits, and goes down with its transport."""
    t = table(
        "germany",
        units={
            "sz7": {"united_kingdom": "transport, destroyer"},
            "sz9": {"germany": "2 cruiser"},
        },
        cargo={
            "sz7": {
                "united_kingdom": [
                    {"ship": "transport", "load": {"united_kingdom": {"tank": 1, "infantry": 1}}}
                ]
            }
        },
    )
    t.do(move("2 cruiser", "sz9 > sz7"), Done())
    t.dice(3, 3)  # two hits: destroyer and transport, nothing to choose
    assert t.rolling == "defence in sz7: 1 destroyer at 2"
    t.dice(6)
    assert t.units("sz7", "united_kingdom") == {}
    assert t.s.lost == {
        ("united_kingdom", "transport"): 1,
        ("united_kingdom", "destroyer"): 1,
        ("united_kingdom", "tank"): 1,
        ("united_kingdom", "infantry"): 1,
    }


def test_transport_15() -> None:
    """Hits fall on the destroyer first and on a transport only then."""
    t = table(
        "germany",
        units={
            "sz7": {"united_kingdom": "destroyer, 2 transport"},
            "sz9": {"germany": "2 cruiser"},
        },
        cargo={
            "sz7": {
                "united_kingdom": [
                    {"ship": "transport", "load": {"united_kingdom": {"infantry": 1}}}
                ]
            }
        },
    )
    t.do(move("2 cruiser", "sz9 > sz7"), Done()).dice(1, 1)
    assert t.asked == "united_kingdom choose_casualties"
    t.refused(
        Casualties({"united_kingdom": {"transport": 1, "transport (infantry)": 1}}),
        "combat.casualty.transport-last",
    )
    t.do(Casualties({"united_kingdom": {"destroyer": 1, "transport": 1}}))
    assert t.rolling.startswith("defence in sz7")


def test_transport_17() -> None:
    """Transports that nothing defends any more are all sunk at once, cargo and all."""
    t = table(
        "germany",
        units={
            "sz7": {"united_kingdom": "2 transport"},
            "sz9": {"germany": "cruiser"},
        },
        cargo={
            "sz7": {
                "united_kingdom": [
                    {"ship": "transport", "load": {"united_kingdom": {"infantry": 2}}},
                    {"ship": "transport", "load": {"united_kingdom": {"tank": 1}}},
                ]
            }
        },
    )
    t.do(move("cruiser", "sz9 > sz7"), Done())
    assert t.asked == "germany noncombat_move"  # without any roll
    assert t.units("sz7", "united_kingdom") == {}
    assert t.s.lost["united_kingdom", "infantry"] == 2
    assert t.s.lost["united_kingdom", "tank"] == 1


def test_transport_20() -> None:
    """The last attacking transport may still retreat to where it came from."""
    t = table(
        "united_kingdom",
        units={
            "sz9": {"united_kingdom": "destroyer, transport"},
            "sz8": {"germany": "cruiser"},
        },
    )
    t.do(move("destroyer, transport", "sz9 > sz8"), Done()).dice(6).dice(3)
    assert t.asked == "united_kingdom press_or_retreat"
    assert t.request.to == ("sz9",)
    t.do(Retreat("sz9"))
    assert t.units("sz9", "united_kingdom") == {"transport": 1}


def test_transport_21() -> None:
    """Without a zone to retreat to, the transport is lost with its cargo."""
    t = table(
        "united_kingdom",
        units={"sz8": {"united_kingdom": "destroyer, transport", "germany": "cruiser"}},
        cargo={
            "sz8": {
                "united_kingdom": [
                    {"ship": "transport", "load": {"united_kingdom": {"infantry": 1}}}
                ]
            }
        },
    )
    t.do(Done()).dice(6).dice(3)
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("sz8", "united_kingdom") == {}
    assert t.s.lost["united_kingdom", "infantry"] == 1


@pytest.mark.parametrize("stay", [True, False])
def test_transport_22(stay: bool) -> None:
    """When only transports are left, combat ends; the attacker's stay or retreat."""
    t = table(
        "united_kingdom",
        units={
            "sz9": {"united_kingdom": "destroyer, transport"},
            "sz8": {"germany": "destroyer, transport"},
        },
    )
    t.do(move("destroyer, transport", "sz9 > sz8"), Done()).dice(2).dice(2)
    assert t.asked == "united_kingdom press_or_retreat"
    assert t.request.to == ("sz9",)
    t.do(Press() if stay else Retreat("sz9"))
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("sz8" if stay else "sz9", "united_kingdom") == {"transport": 1}
    assert t.units("sz8", "germany") == {"transport": 1}


@pytest.mark.rule("aa1942:unit.transport.escort-needed")
def test_transport_23() -> None:
    """Transports by themselves attack nobody, not even a transport."""
    t = table(
        "united_kingdom",
        units={"sz9": {"united_kingdom": "2 transport"}, "sz12": {"germany": "transport"}},
    )
    t.refused(move("2 transport", "sz9 > sz12"), "unit.transport.escort-needed")


@pytest.mark.rule("aa1942:transport.encounter.stop")
def test_transport_24() -> None:
    """A transport that meets an enemy warship on its way stops there."""
    t = table(
        "united_kingdom",
        units={
            "sz9": {"united_kingdom": "transport, cruiser"},
            "sz7": {"germany": "destroyer"},
            "sz6": {"germany": "submarine", "united_kingdom": "destroyer"},
        },
    )
    t.refused(move("transport", "sz9 > sz7 > sz6"), "transport.encounter.stop")
    t.do(move("transport, cruiser", "sz9 > sz7"), Done())
    assert t.asked == "united_kingdom choose_battle"
    assert t.request.battles == ("sz7",)


@pytest.mark.rule("aa1942:transport.load.combat-must-assault")
def test_transport_25() -> None:
    """Who is loaded in combat movement has to land in an assault."""
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "2 infantry"},
        },
    )
    load = "2 infantry from united_kingdom in sz7"
    t.refused(sail("sz7", load), "transport.load.combat-must-assault")
    t.refused(sail("sz7 > sz6", load), "transport.load.combat-must-assault")
    t.do(sail("sz7 > sz6", load, offload="norway"))


@pytest.mark.rule("aa1942:unit.transport.retreat-no-offload", "aa1942:unit.transport.stay-at-sea")
def test_transport_27() -> None:
    """A transport that retreated offloads nothing this turn; its cargo stays aboard."""
    t = table(
        "united_states",
        units={
            "sz9": {"united_states": "transport, destroyer"},
            "sz7": {"united_states": "transport"},
            "sz8": {"germany": "cruiser"},
            "united_kingdom": {"united_states": "2 infantry"},
        },
    )
    t.do(move("destroyer", "sz9 > sz8"))
    t.do(sail("sz7 > sz8", "2 infantry from united_kingdom in sz7", offload="france"), Done())
    t.dice(6).dice(6).do(Retreat("sz7"))
    assert t.cargo("sz7", "united_states") == [["united_states infantry"] * 2]
    t.refused(sail("sz7", offload="united_kingdom"), "unit.transport.retreat-no-offload")
    t.do(Done())
    assert t.cargo("sz7", "united_states") == [["united_states infantry"] * 2]
