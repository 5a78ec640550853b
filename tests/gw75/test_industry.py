"""What Industrial Hexes produce (18.0, 18.4, 18.7)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.facts import MAJORS, load_facts
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import industry
from tests.gw75.happenings import enter
from tests.gw75.table import state

WAR = [("commonwealth", "germany"), ("france", "germany")]
SWEDEN = {"W3121": {"germany": "ms"}}
FRANCE = ("W3019", "W2920")


def at(turn: int = 1, units: dict[str, Any] | None = None, **fields: Any) -> State:
    return state("production", turn, units=units or {}, **{"wars": WAR, **fields})


def points(s: State, nation: str) -> int:
    return sum(industry.production(s, nation).values())


def idle(s: State, nation: str) -> list[str]:
    return [each.hex for each in industry.sources(s, nation) if not each.points]


@pytest.mark.rule("gw75:18.0a", "gw75:18.0b")
def test_seven_powers_produce_by_their_industrial_hexes_and_multiples() -> None:
    s = state("production", base="setup")
    assert {nation: points(s, nation) for nation in MAJORS} == {
        "germany": 15,
        "italy": 3,
        "japan": 12,
        "commonwealth": 12,
        "france": 4,
        "usa": 9,
        "ussr": 9,
    }
    assert industry.production(s, "poland") == {}


@pytest.mark.rule("gw75:18.72a", "gw75:18.72b", "gw75:18.10a")
def test_german_industry_depends_on_sweden_and_france() -> None:
    """german_capacity_gt1: three of the four hexes work while France is not taken."""
    assert points(at(1, SWEDEN), "germany") == 15
    assert points(at(1), "germany") == 10, "no pipeline to Sweden"
    garrisons = {hex: {"germany": "inf"} for hex in FRANCE}
    held = dict.fromkeys(FRANCE, "germany")
    s = at(5, {**SWEDEN, **garrisons}, held=held, captured=dict.fromkeys(FRANCE, 4))
    assert points(s, "germany") == 4 * 5 + 2
    half = at(5, SWEDEN, held={"W3019": "germany"})
    assert points(half, "germany") == 15, "all of France's"


@pytest.mark.rule("gw75:18.72a")
def test_sweden_need_not_be_occupied_but_must_not_be_an_enemy() -> None:
    s = at(1, SWEDEN, wars=[*WAR, ("germany", "sweden")], joined={"sweden": "allies"})
    assert points(s, "germany") == 10


@pytest.mark.rule("gw75:18.72c", "gw75:19.9a")
def test_the_hex_in_rumania_is_german_until_it_is_captured() -> None:
    s = at(1, SWEDEN)
    assert "W2923" in industry.home(s, "germany")
    s = at(1, {**SWEDEN, "W2923": {"ussr": "inf"}}, wars=[*WAR, ("germany", "ussr")])
    assert "W2923" not in industry.home(s, "germany")
    assert points(s, "germany") == 10, "one of the three that are left waits for France"


@pytest.mark.rule("gw75:18.71", "gw75:18.93")
def test_an_american_hex_depends_on_a_pipeline_to_india() -> None:
    s = state("production", base="setup")
    assert points(s, "usa") == 9 * s.facts.turns[1].modes[1]
    assert points(at(1), "usa") == 8 * s.facts.turns[1].modes[1]
    war = at(12, wars=[("germany", "usa")])
    assert points(war, "usa") == 8 * s.facts.turns[12].modes[4]


@pytest.mark.rule("gw75:18.71")
def test_the_owner_loses_the_hex_that_gives_least() -> None:
    s = at(1, bombed={"W2805": 1})
    assert idle(s, "usa") == ["W2805"]
    assert points(s, "usa") == 8


@pytest.mark.rule("gw75:18.73")
def test_a_british_hex_depends_on_a_pipeline_to_the_united_states() -> None:
    ships = {"W2910": {"commonwealth": "ms"}, "W3014": {"commonwealth": "ms"}}
    s = at(5, ships)
    assert industry.production(s, "commonwealth")["united_kingdom"] == 8
    s = at(5)
    assert industry.production(s, "commonwealth") == {
        "united_kingdom": 4,
        "canada": 4,
        "india": 4,
    }


@pytest.mark.rule("gw75:18.76d")
def test_canada_gives_four_points_in_game_turn_five() -> None:
    """canada_gt5: from its one Industrial Hex."""
    s = at(5)
    own = [
        hex
        for hex, whose in s.facts.industry.items()
        if whose == "commonwealth" and s.facts.hexes[hex].country == "canada"
    ]
    assert len(own) == 1
    assert industry.production(s, "commonwealth")["canada"] == 4


@pytest.mark.rule("gw75:18.74a", "gw75:18.74b")
def test_a_japanese_hex_depends_on_the_united_states_and_then_on_indonesia() -> None:
    """japan_quarter: one of four hexes."""
    assert len([w for w in load_facts().industry.values() if w == "japan"]) == 4
    line = {hex: {"japan": "ms"} for hex in ("E2413", "E2418", "E2423", "E2427")}
    peace = [("china", "japan")]
    assert points(at(1, line, wars=peace), "japan") == 12
    assert points(at(1, wars=peace), "japan") == 9
    war = [*peace, ("japan", "usa"), ("japan", "low_countries")]
    assert points(at(1, line, wars=war), "japan") == 9
    south = {"E2410": {"japan": "ms"}, "E2107": {"japan": "ms"}, "E1806": {"japan": "ms"}}
    taken: dict[str, Any] = {"held": {"E1505": "japan"}, "joined": {"low_countries": "allies"}}
    assert points(at(1, south, wars=war, **taken), "japan") == 12
    dutch = {**south, "E1507": {"low_countries": "sd"}}
    assert points(at(1, dutch, wars=war, **taken), "japan") == 9, "not all of it is occupied"
    del south["E2107"], south["E1806"]
    assert points(at(1, south, wars=war, **taken), "japan") == 9, "the pipeline is broken"


@pytest.mark.rule("gw75:18.75")
def test_a_hex_that_idles_is_still_a_place_of_appearance() -> None:
    s = at(1)
    assert len(industry.home(s, "germany")) == 4
    assert len(idle(s, "germany")) == 2


@pytest.mark.rule("gw75:17.32", "gw75:18.0b")
def test_bombing_takes_points_of_that_hex_for_the_turn() -> None:
    """bombing_eight_three: a hex of eight that loses three gives five."""
    for bombed, left in ((3, 5), (11, 0)):
        war = [*WAR, ("germany", "usa")]
        s = state("production", 20, base="setup", bombed={"W2906": bombed}, wars=war)
        assert industry.multiple(s, "usa") == 8
        (found,) = [each for each in industry.sources(s, "usa") if each.hex == "W2906"]
        assert found.points == left


@pytest.mark.rule("gw75:18.41a", "gw75:18.41b", "gw75:18.78")
def test_a_captured_hex_gives_a_point_from_the_turn_after_with_a_garrison() -> None:
    fields: dict[str, Any] = {"held": {"W3019": "germany"}}
    garrison = {**SWEDEN, "W3019": {"germany": "inf"}}
    assert points(at(5, garrison, captured={"W3019": 4}, **fields), "germany") == 16
    assert points(at(5, garrison, captured={"W3019": 5}, **fields), "germany") == 15
    assert points(at(5, SWEDEN, captured={"W3019": 4}, **fields), "germany") == 15
    assert points(at(5, garrison, captured={"W3019": 4}, **fields), "france") == 2


@pytest.mark.rule("gw75:18.78", "gw75:18.76a")
def test_a_captured_hex_needs_a_pipeline_home() -> None:
    """Los Angeles in Japanese hands: by sea, a point for a ship."""
    taken: dict[str, Any] = {"held": {"E2629": "japan"}, "captured": {"E2629": 4}}
    taken["wars"] = [("japan", "usa")]
    garrison = {"E2629": {"japan": "2 inf"}}
    assert points(at(5, garrison, **taken), "japan") == 9
    line = {hex: {"japan": "ms"} for hex in ("E2413", "E2418", "E2423", "E2427")}
    s = at(5, {**garrison, **line}, **taken)
    assert points(s, "japan") == 10
    assert industry.production(s, "japan")["japan"] == 7


@pytest.mark.rule("gw75:18.42")
def test_a_recaptured_hex_works_again_on_mode_one_without_a_garrison() -> None:
    s = at(16, recaptured=["W3118"], units={"W2910": {"commonwealth": "ms"}})
    found = {each.hex: each.points for each in industry.sources(s, "commonwealth")}
    assert found["W3118"] in (0, s.facts.turns[16].modes[1])
    ships = {"W2910": {"commonwealth": "ms"}, "W3014": {"commonwealth": "ms"}}
    s = at(16, ships, recaptured=["W3118"])
    found = {each.hex: each.points for each in industry.sources(s, "commonwealth")}
    assert found["W3118"] == s.facts.turns[16].modes[1] == 1
    assert found["W3217"] == 5


@pytest.mark.rule("gw75:18.42")
def test_a_recaptured_hex_rejoins_in_the_turn_after() -> None:
    s = at(6, {"W3018": {"france": "inf"}}, held={"W3019": "germany"}, captured={"W3019": 4})
    enter(s, "france", "W3019")
    assert "W3019" in idle(s, "france")
    s.turn = 7
    assert "W3019" not in idle(s, "france")


@pytest.mark.rule("gw75:18.42", "gw75:18.72a")
def test_what_is_lacking_idles_another_hex_than_one_that_does_not_work_yet() -> None:
    """Germany has Ploesti back, and no pipeline to Sweden."""
    held = {"W2923": "ussr", **dict.fromkeys(FRANCE, "germany")}
    wars = [("germany", "ussr"), ("germany", "france")]
    units = {hex: {"germany": "inf"} for hex in (*FRANCE, "W2924")}
    s = at(6, units, wars=wars, held=held, captured={"W2923": 4})
    enter(s, "germany", "W2923")
    assert idle(s, "germany") == ["W3021", "W2923"]
    s.turn = 7
    assert idle(s, "germany") == ["W2923"], "it gives least"


@pytest.mark.rule("gw75:17.62")
def test_a_destroyed_hex_produces_nothing() -> None:
    s = at(5, SWEDEN, destroyed=["W3120"])
    assert points(s, "germany") == 10
    assert "W3120" in idle(s, "germany")
    why = {source.hex: source.why for source in industry.sources(s, "germany")}["W3120"]
    assert why == "It was destroyed by an atomic bomb."


@pytest.mark.rule("gw75:18.0b")
def test_a_power_that_has_fallen_produces_nothing() -> None:
    s = at(5)
    s.fallen = frozenset({"france"})
    assert points(s, "france") == 0


@pytest.mark.rule("gw75:18.78", "gw75:18.41b")
def test_indian_industry_in_japanese_hands_gives_its_point_to_japan() -> None:
    taken: dict[str, Any] = {"held": {"E2302": "japan"}, "captured": {"E2302": 4}}
    taken["wars"] = [("china", "japan"), ("commonwealth", "japan")]
    s = at(5, {"E2302": {"japan": "inf"}}, **taken)
    (found,) = [each for each in industry.sources(s, "japan") if each.hex == "E2302"]
    assert (found.points, found.why) == (0, "No pipeline leads to it.")
    assert industry.production(s, "commonwealth")["india"] == 0


@pytest.mark.rule("gw75:18.41a", "gw75:18.42")
def test_a_friend_who_retakes_a_hex_gives_it_back_to_its_own_power() -> None:
    """Americans in Paris: it is French again, on Mode One, from the Game-Turn after."""
    wars = [*WAR, ("germany", "usa")]
    s = at(12, {"W3019": {"usa": "inf"}}, wars=wars, held={"W3019": "germany"})
    assert s.captured["W3019"] == 11
    enter(s, "usa", "W3019")
    assert "W3019" not in s.captured and "W3019" in s.recaptured
    assert points(s, "france") == 2, "Marseille alone"
    s.turn += 1
    s.changed()
    assert points(s, "france") == 3
    assert points(s, "usa") == points(at(13, wars=wars), "usa")


@pytest.mark.rule("gw75:18.72b")
def test_germany_needs_all_the_industry_of_france_not_a_part_or_vichys() -> None:
    options = {"vichy": True}
    held = {"W3019": "germany", "W2920": "germany"}
    for given, vichy, met in (
        ({"W3019": "germany"}, "open", False),
        (held, "open", True),
        ({"W3019": "germany"}, "declared", False),
        ({"W3019": "germany"}, "axis", True),
    ):
        s = state("production", 9, options=options, held=given, vichy=vichy, wars=WAR)
        if vichy == "axis":
            s = state(
                "production",
                9,
                options=options,
                held=given,
                vichy=vichy,
                wars=[*WAR, ("commonwealth", "vichy")],
            )
        needs = {need.what: need.met for need in industry.needs(s, "germany")}
        assert needs["the industry of France"] == met, (given, vichy)


@pytest.mark.rule("gw75:18.72c")
def test_the_hex_in_rumania_is_german_though_germany_is_at_peace_with_all() -> None:
    s = state("production", 5, wars=[("japan", "usa")])
    assert "W2923" in industry.home(s, "germany")


@pytest.mark.rule("gw75:18.41a", "gw75:18.41b")
def test_what_axis_minor_allies_capture_counts_for_germany() -> None:
    kharkov = "W3025"
    s = state(
        "production",
        9,
        units={kharkov: {"rumania": "inf"}},
        held=dict.fromkeys(("W3024", "W3023", "W3123"), "germany"),
        wars=[("germany", "ussr")],
    )
    assert s.held[kharkov] == "rumania"
    found = {source.hex: source.points for source in industry.sources(s, "germany")}
    assert found[kharkov] == 1


@pytest.mark.rule("gw75:18.64b", "gw75:18.78")
def test_a_ship_brings_one_point_of_captured_industry_whoever_has_it() -> None:
    kyushu, osaka = "E2609", "E2610"
    for number, found in ((1, {kyushu}), (2, {kyushu, osaka})):
        units: dict[str, Any] = {
            hex: {"usa": {"ms": number}} for hex in ("E2513", "E2420", "E2526")
        }
        units |= {kyushu: {"commonwealth": {"inf": 1}}, osaka: {"usa": {"inf": 1}}}
        s = state(
            "production",
            20,
            units=units,
            wars=[("japan", "usa"), ("commonwealth", "japan")],
        )
        sources = [*industry.sources(s, "commonwealth"), *industry.sources(s, "usa")]
        assert {each.hex for each in sources if each.hex in units and each.points} == found
