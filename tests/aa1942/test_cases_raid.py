"""Rule cases: strategic bombing raids."""

from __future__ import annotations

import pytest

from sandtable.kernel.decisions import Pass
from tests.aa1942.table import Divert, Done, Intercept, Place, Table, move, table

TO_GERMANY = "united_kingdom > sz6 > northwestern_europe > germany"
OPTION = {"interceptors": True}


@pytest.mark.rule("aa1942:sbr.ic-fire", "aa1942:sbr.damage-roll")
def test_raid_01() -> None:
    """One of three bombers is shot down; the others do 8 damage."""
    t = table("united_states", units={"buryatia_ssr": {"united_states": "3 bomber"}})
    t.do(move("3 bomber", "buryatia_ssr > sz62 > japan", raid=True), Done())
    t.dice(1, 4, 6)
    assert t.units("japan", "united_states") == {"bomber": 2}
    t.dice(3, 5)
    assert t.s.complexes["japan"] == 8
    assert t.s.lost == {("united_states", "bomber"): 1}


@pytest.mark.rule("aa1942:sbr.cap")
def test_raid_03() -> None:
    """Twelve points on a complex worth 2: damage stops at 4."""
    t = table("germany", units={"belorussia": {"germany": "2 bomber"}})
    t.do(move("2 bomber", "belorussia > karelia_ssr", raid=True), Done()).dice(6, 6).dice(6, 6)
    assert t.s.complexes["karelia_ssr"] == 4


@pytest.mark.rule("aa1942:sbr.bomber-committed")
def test_raid_04() -> None:
    """A raider fights nothing else this turn and only flies home."""
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "bomber"},
            "southern_europe": {"germany": "infantry"},
        },
    )
    t.do(move("bomber", "united_kingdom > sz8 > france > italy", raid=True))
    t.refused(move("bomber", "italy > southern_europe"))
    t.do(Done()).dice(6).dice(1)
    assert t.asked == "united_kingdom noncombat_move"
    t.refused(move("bomber", "italy > southern_europe"), "noncombat.air.no-captured")
    t.do(move("bomber", "italy > france > sz8 > united_kingdom"), Done())


@pytest.mark.rule("aa1942:mobilize.limit.damage")
def test_raid_06() -> None:
    """A complex worth 4 with 3 damage mobilises one unit."""
    t = table("soviet_union", "mobilize", bought={"infantry": 2}, damage={"caucasus": 3})
    t.refused(Place("caucasus", {"infantry": 2}))
    t.do(Place("caucasus", {"infantry": 1}))
    t.refused(Place("caucasus", {"infantry": 1}))


@pytest.mark.rule("aa1942:sbr.target")
def test_raid_08() -> None:
    """No raid where there is no complex."""
    t = table("united_kingdom", units={"united_kingdom": {"united_kingdom": "bomber"}})
    t.refused(move("bomber", "united_kingdom > sz6 > norway", raid=True), "sbr.target")


@pytest.mark.rule("aa1942:option.air-battle.escort-retire")
def test_raid_10() -> None:
    """An escort that meets no interceptor neither bombs nor is shot at, and waits there."""
    t = table(
        "united_kingdom",
        units={
            "northwestern_europe": {"united_kingdom": "fighter, 2 bomber"},
            "germany": {"germany": "fighter"},
        },
        control={"northwestern_europe": "united_kingdom"},
        options=OPTION,
    )
    t.do(move("fighter, 2 bomber", "northwestern_europe > germany", raid=True), Done(), Pass())
    assert t.request.dice == 2
    t.dice(6, 6)
    assert t.request.dice == 2
    t.dice(1, 2)
    assert t.s.complexes["germany"] == 3
    assert t.units("germany", "united_kingdom") == {"fighter": 1, "bomber": 2}
    assert t.asked == "united_kingdom noncombat_move"


@pytest.mark.rule("aa1942:option.air-battle.interceptor-return")
def test_raid_12() -> None:
    """Interceptors over a captured base land one space away, or are lost."""

    def captured(hostile: tuple[str, ...] = ()) -> Table:
        t = table(
            "united_kingdom",
            units={
                "northwestern_europe": {"united_kingdom": "bomber, infantry"},
                "germany": {"germany": "2 fighter"},
            },
            control=dict.fromkeys(("northwestern_europe", *hostile), "united_kingdom"),
            options=OPTION,
        )
        t.do(
            move("bomber", "northwestern_europe > germany", raid=True),
            move("infantry", "northwestern_europe > germany"),
            Done(),
            Intercept({"germany": 2}),
        )
        return t.dice(6).dice(6, 6).dice(6).dice(1)

    t = captured()
    assert t.s.control["germany"] == "united_kingdom"
    assert t.asked == "germany land_stranded"
    t.refused(Divert("northwestern_europe"), "noncombat.stranded")
    t.refused(Divert("belorussia"), "noncombat.stranded")
    t.do(Divert("poland"), Divert("poland"))
    assert t.units("poland", "germany") == {"fighter": 2}
    assert t.asked == "united_kingdom noncombat_move"
    t = captured(
        ("baltic_states", "bulgaria_romania", "france", "italy", "poland", "southern_europe")
    )
    assert t.asked == "united_kingdom noncombat_move"
    assert t.s.lost == {("germany", "fighter"): 2}


@pytest.mark.rule("aa1942:option.air-battle.intercept")
def test_raid_13() -> None:
    """Fighters from a neighbouring territory do not intercept."""
    units = {
        "united_kingdom": {"united_kingdom": "bomber"},
        "poland": {"germany": "2 fighter"},
    }
    t = table("united_kingdom", units=units, options=OPTION)
    t.do(move("bomber", TO_GERMANY, raid=True), Done())
    t.refused(Intercept({"poland": 2}), by="germany")
    assert t.rolled == "complex in germany"
    units["germany"] = {"germany": "fighter"}
    t = table("united_kingdom", units=units, options=OPTION)
    t.do(move("bomber", TO_GERMANY, raid=True), Done())
    t.refused(Intercept({"poland": 2}), "option.air-battle.intercept")


@pytest.mark.rule("aa1942:option.air-battle.intercept")
def test_raid_15() -> None:
    """Without the option fighters play no part in raids."""
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "bomber"},
            "germany": {"germany": "2 fighter"},
        },
    )
    t.do(move("bomber", TO_GERMANY, raid=True), Done())
    t.refused(Intercept({"germany": 2}), by="germany")
    assert t.rolled == "complex in germany"
    t.dice(6).dice(4)
    assert t.units("germany", "united_kingdom") == {"bomber": 1}
    assert t.s.complexes["germany"] == 4
