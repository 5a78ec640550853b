"""Lend lease (7.4, D.8)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.facts import load_facts
from sandtable.games.blitz.rules.lend_lease import Lend
from tests.blitz.table import Play


def lend_lease(scenario: str = "campaign", turn: int = 9, **given: Any) -> Play:
    return Play(scenario, phase="turn_end", step="lend_lease", turn=turn, **given)


def delivers(play: Play) -> bool:
    """Whether anything was delivered, or is about to be."""
    asked = any(request.kind == "lend_lease" for request in play.game.pending)
    return asked or bool(play.events("lend_leased"))


ARCTIC = {"afa_arctic_ocean_ll": {"at": "arctic_ocean", "size": 2}}
BENGAL = {"usa_bay_of_bengal_ll": "bay_of_bengal"}


@pytest.mark.rule("blitz:7.4a")
@pytest.mark.rule("blitz:7.4b")
@pytest.mark.rule("blitz:7.4c")
def test_ex_7_4() -> None:
    play = lend_lease(units=ARCTIC)
    request = play.request_of("afa")
    assert request.amounts == {"ussr": 2}  # type: ignore[attr-defined]
    play.do("afa", Lend())
    assert play.events("lend_leased") == [
        {"power": "afa", "recipient": "ussr", "oil": 0, "resources": 2}
    ]
    assert play.state.deeds["lend_lease:afa"] == 2


@pytest.mark.rule("blitz:7.4a")
@pytest.mark.rule("blitz:D.8a")
@pytest.mark.parametrize(
    "lost",
    [
        # No friendly land area touches the Arctic Ocean.
        load_facts().coast["arctic_ocean"],
        # No supply line runs from Great Britain to the sea.
        ("london", "scotland"),
    ],
)
def test_without_a_line_on_either_side_nothing_is_delivered(lost: tuple[str, ...]) -> None:
    play = lend_lease(units=ARCTIC, control=dict.fromkeys(lost, "germany"))
    assert not delivers(play)


@pytest.mark.rule("blitz:7.4a")
def test_a_friendly_coast_must_be_connected_to_the_recipient() -> None:
    facts = load_facts()
    lost = [area for area in facts.coast["arctic_ocean"] if area != "iceland"]
    # From Iceland a line runs across the seas to another coast of the USSR,
    assert delivers(lend_lease(units=ARCTIC, control=dict.fromkeys(lost, "germany")))
    # but not if nothing but Moscow is left of that.
    lost += [area for area in facts.countries["ussr"].areas if area != "moscow"]
    assert not delivers(lend_lease(units=ARCTIC, control=dict.fromkeys(lost, "germany")))


@pytest.mark.rule("blitz:7.4b")
def test_elsewhere_the_unit_delivers_nothing() -> None:
    play = lend_lease(units={"afa_arctic_ocean_ll": {"at": "north_sea", "size": 2}})
    assert not delivers(play)
    port = {"at": "scotland", "port": "north_sea", "size": 2}
    assert not delivers(lend_lease(units={"afa_arctic_ocean_ll": port}))


@pytest.mark.rule("blitz:7.4d")
@pytest.mark.rule("blitz:D.8b")
def test_the_giver_chooses_oil_resources_or_both() -> None:
    play = lend_lease(units=ARCTIC)
    assert play.refused("afa", Lend({"ussr": 3})) == "7.4d"
    assert play.refused("afa", Lend({"usa": 1})) == "7.4d"
    assert play.refused("afa", Lend({"ussr": -1})) == "7.4d"
    play.do("afa", Lend({"ussr": 1}))
    assert play.events("lend_leased") == [
        {"power": "afa", "recipient": "ussr", "oil": 1, "resources": 1}
    ]


@pytest.mark.rule("blitz:7.4c")
def test_nobody_is_asked_whether_to_deliver_only_how() -> None:
    play = lend_lease("D", units={"usa_bering_sea_ll": "bering_sea"}, turn=4)
    assert sorted(
        decision.oil.get("ussr", 0)  # type: ignore[attr-defined]
        for decision in play.game.legal(play.request_of("western_allies"))
    ) == [0, 1]


@pytest.mark.rule("blitz:D.8a")
def test_in_scenario_d_the_western_allies_supply_the_ussr() -> None:
    play = lend_lease("D", units={"usa_bering_sea_ll": {"at": "bering_sea", "size": 2}}, turn=4)
    play.do("western_allies", Lend({"ussr": 2}))
    assert play.events("lend_leased") == [
        {"power": "western_allies", "recipient": "ussr", "oil": 2, "resources": 0}
    ]
    income = {event["power"]: event for event in play.events("income")}
    assert (income["western_allies"]["oil"], income["western_allies"]["resources"]) == (0, 4)
    # 2 Oil and 5 Resources of its own.
    assert (income["ussr"]["oil"], income["ussr"]["resources"]) == (4, 5)


@pytest.mark.rule("blitz:7.4e")
def test_china_gets_one_resource_over_the_burma_road() -> None:
    play = lend_lease(units=BENGAL)
    assert play.events("lend_leased") == [
        {"power": "usa", "recipient": "china", "oil": 0, "resources": 1}
    ]
    assert play.state.deeds["lend_lease_to:china"] == 1


@pytest.mark.rule("blitz:7.4e")
@pytest.mark.parametrize("lost", ["burma", "chungking"])
def test_without_burma_or_chungking_china_gets_nothing(lost: str) -> None:
    play = lend_lease(units=BENGAL, control={lost: "japan"})
    assert not delivers(play)


@pytest.mark.rule("blitz:7.4d")
@pytest.mark.rule("blitz:7.4e")
def test_china_gets_no_oil() -> None:
    units = {**BENGAL, "usa_bering_sea_ll": "bering_sea"}
    play = lend_lease(units=units)
    assert play.request_of("usa").amounts == {"china": 1, "ussr": 1}  # type: ignore[attr-defined]
    assert play.refused("usa", Lend({"china": 1})) == "7.4e"


@pytest.mark.rule("blitz:7.4f")
def test_what_is_lent_to_china_leaves_the_usa_and_is_chinas_alone() -> None:
    plain = lend_lease(units={}, entry={"usa": 15})
    play = lend_lease(units=BENGAL, entry={"usa": 15})
    before, after = plain.state.books["usa"], play.state.books["usa"]
    assert after.resources == before.resources - 1
    (account,) = after.minors
    assert (account.countries, account.oil, account.resources) == (("china",), 0, 1)


@pytest.mark.rule("blitz:3.4.conq-c")
def test_a_power_that_is_out_of_the_game_gets_nothing() -> None:
    allied = load_facts().countries
    out = {id: "axis" for id, country in allied.items() if country.owner == "ussr"}
    assert not delivers(lend_lease(units=ARCTIC, conquered=out))


@pytest.mark.rule("blitz:7.4a")
def test_only_the_line_to_the_recipient_may_cross_neutral_land() -> None:
    facts = load_facts()
    neutral = ("iraq", "persia")
    lost = [a for a in facts.coast["arabian_sea"] if a not in (*neutral, "aden_kuwait")]
    given = {
        "control": dict.fromkeys(lost, "germany"),
        "wars": [("germany", "afa"), ("germany", "usa"), ("germany", "ussr")],
    }
    ll = {"usa_arabian_sea_ll_usa": "arabian_sea"}
    # From Aden-Kuwait the line runs across a neutral Iraq.
    assert delivers(lend_lease(units=ll, **given))
    subs = {
        "ger_u_boat_i": "azanian_sea",
        "ger_u_boat_ii": "bay_of_bengal",
        "ger_u_boat_iii": "indian_ocean",
    }
    # From the USA one would run through the Mediterranean, Turkey and Iraq.
    assert not delivers(lend_lease(units={**ll, **subs}, **given))
