"""Set-ups and custom positions: what they lay out, and what they refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandtable.games.gw75 import RULES, setup
from sandtable.games.gw75.audit import broken_invariants
from sandtable.games.gw75.model import Attack, Job, Mission, State, Unit
from sandtable.games.gw75.rules import italy, neutrals
from sandtable.games.gw75.rules.terms import at_war, friends, holder, side
from sandtable.games.gw75.rules.wars import at_peace
from sandtable.kernel.errors import PositionError
from tests.gw75.moves import move
from tests.gw75.table import state, table


def start(position: dict[str, Any] | None = None, **options: Any) -> State:
    """The first position of a game, before anything is done in it."""
    return setup.start(RULES.read_options(options), position, None)


MIDDLE = {"facts", "options", "at", "presence", "memo", "step", "finished", "news", "march"}
MIDDLE |= {"land", "paths", "lines", "fleets", "armies", "convoys", "realm", "sea", "opening"}
MIDDLE |= {"domains", "marked", "seas"}
MIDDLE |= {"bonds", "built", "lost", "scores"}
"""Fields of a state that a position does not name: they follow from others, or belong to the middle
of a procedure, and a position stands at the beginning of a phase."""


def test_every_field_that_rules_read_can_be_named() -> None:
    named = {*setup.Position.__struct_fields__} - {"base", "units"}
    assert named == {*State.__annotations__} - MIDDLE
    marked = {*setup.Piece.__struct_fields__} - {"count"}
    assert marked == {*Unit._fields} - {"nation", "type"}


def test_every_field_is_documented() -> None:
    page = Path("docs/games/gw75.md").read_text(encoding="utf-8")
    for field in setup.Position.__struct_fields__:
        assert f"`{field}`" in page, field
    for field in (*setup.Piece.__struct_fields__, *setup.DUTIES):
        assert field in page, field


def test_the_standard_scenario() -> None:
    s = start()
    assert (s.turn, s.phase) == (1, "maintenance")
    assert s.wars == {
        ("germany", "poland"),
        ("france", "germany"),
        ("commonwealth", "germany"),
        ("china", "japan"),
    }
    assert s.stack("W3121") == {
        Unit("germany", "ad"): 1,
        Unit("germany", "inf"): 5,
        Unit("germany", "mech"): 5,
        Unit("germany", "ms"): 2,
    }
    assert s.held["E2507"] == "japan"
    assert Job("germany", "ss", 3) in s.track
    assert not s.captured


def test_the_scenario_of_1942() -> None:
    s = start(scenario="watermark")
    assert s.turn == 12
    assert s.joined["siam"] == "axis"
    assert s.counts["invaded_ussr"] == 8
    # Industry in other hands was captured in the turn before.
    assert s.captured == {"W3019": 11, "W2920": 11, "W3025": 11}


EVERYTHING: dict[str, Any] = {
    "base": "empty",
    "turn": 9,
    "phase": "allies_air_combat",
    "mover": "usa",
    "units": {
        "W3118": {
            "usa": {"lrb": [{"count": 3, "duty": "flown", "supply": "defense"}]},
            "commonwealth": {"asw": [{"depleted": True, "idle": True}], "inf": 2},
        },
        "W2718": {"germany": {"inf": [{"left": 2, "duty": "attacked", "cut": 1}]}},
        "W2410": {
            "germany": {"ss": [{"shot": ["W3118 usa surf_a", "W2617 commonwealth asw"], "left": 4}]}
        },
        "W2517": {"usa": {"amph": [{"duty": "landed", "origin": "W2705"}]}},
    },
    "held": {"W3019": "germany", "W2523": "commonwealth", "W2920": "france"},
    "wars": [("usa", "germany"), ("germany", "commonwealth"), ("usa", "japan")],
    "joined": {"norway": "allies", "china": "neutral"},
    "violated": {"norway": 4},
    "fallen": ["poland"],
    "limited": [("usa", "germany")],
    "vichy": "declared",
    "marks": ["usa:may_enter", "vichy:leaves:germany"],
    "counts": {"lost:usa": 3},
    "penalties": ["W3118"],
    "ports": ["W2517", "E1116"],
    "destroyed": ["E2611"],
    "captured": {"W3019": 5},
    "recaptured": ["W2920"],
    "bombed": {"W3120": 2},
    "bombs": {"W2805": 1},
    "capacity": {"germany": 20},
    "track": [
        {"nation": "germany", "type": "ss", "due": 11, "number": 2},
        {"nation": "commonwealth", "type": "inf", "due": 10, "country": "india"},
    ],
    "started": {"germany": {"ss": 2}},
    "started_before": {"germany": {"ss": 1}},
    "dead": {"italy": {"surf_b": 1}},
    "points": {"germany": {"": 5}, "commonwealth": {"canada": 4}},
    "stock": {"japan": 2},
    "due": [{"nation": "usa", "type": "surf_a", "due": 9, "hex": "W2805"}],
    "missions": [{"nation": "usa", "base": "W3118", "target": "W3120", "number": 2}],
    "stand_fast": ["W2717"],
    "fought": ["W2718"],
    "done": {"strategic:germany": 1},
}


@pytest.mark.rule("gw75:20.12", "gw75:20.17")
def test_what_is_french_is_vichy_once_that_is_declared() -> None:
    held = {"W3019": "germany", "W2619": "commonwealth"}
    for how in ("declared", "axis"):
        s = start({"vichy": how, "held": held}, vichy=True)
        assert [holder(s, hex) for hex in ("W3018", "W2618", "W2619", "W3019", "E1116")] == [
            "vichy",
            "vichy",
            "commonwealth",
            "germany",
            "france",
        ]
        assert side(s, "vichy") == ("axis" if how == "axis" else "neutral")
    assert holder(start({"vichy": "gone", "held": held}, vichy=True), "W2618") == "france"


@pytest.mark.rule("gw75:20.12", "gw75:20.17")
def test_the_french_army_of_the_scenario_is_vichy_french_overseas_and_gone_elsewhere() -> None:
    fields: dict[str, Any] = {"options": {"vichy": True}, "base": "setup"}
    s = state("maintenance", 6, vichy="declared", held={"W3019": "germany"}, **fields)
    army = {hex: unit.type for hex, unit, _ in s.units() if unit.nation == "vichy"}
    assert army == dict.fromkeys(("W2619", "W2517", "W2625", "E2105", "W2015"), "sd")
    left = {(hex, unit.type) for hex, unit, _ in s.units_of("france")}
    ships = {("W2920", "surf_b"), ("W2920", "ss"), ("W3018", "surf_b"), ("W2719", "ms")}
    assert left == {("E1116", "sd"), *ships}
    assert not [job for job in s.track if job.nation == "france"]
    units: dict[str, Any] = {"W2524": {"france": "inf"}}
    s = state("maintenance", 6, vichy="axis", units=units, **fields)
    assert s.stack("W2524")[Unit("france", "inf")] == 1, "it was named"


def test_a_position_names_everything() -> None:
    s = start(EVERYTHING, players=5, vichy=True)
    assert (s.turn, s.phase, s.mover) == (9, "allies_air_combat", "usa")
    assert s.finished == {"commonwealth"}
    lrb = Unit("usa", "lrb", duty="flown", supply="defense")
    assert s.stack("W3118")[lrb] == 3
    assert s.stack("W3118")[Unit("commonwealth", "asw", depleted=True, idle=True)] == 1
    assert s.stack("W2718") == {Unit("germany", "inf", left=2, duty="attacked", cut=1): 1}
    assert s.stack("W2410") == {
        Unit("germany", "ss", left=4, shot=("W2617 commonwealth asw", "W3118 usa surf_a")): 1
    }
    assert s.stack("W2517") == {Unit("usa", "amph", duty="landed", origin="W2705"): 1}
    assert s.held["W3019"] == "germany"
    assert s.wars == {("germany", "usa"), ("commonwealth", "germany"), ("japan", "usa")}
    assert s.joined == {"norway": "allies", "china": "neutral"}
    assert (s.violated, s.fallen, s.limited) == ({"norway": 4}, {"poland"}, {("germany", "usa")})
    assert (s.vichy, s.marks) == ("declared", {"usa:may_enter", "vichy:leaves:germany"})
    # not said: Vichy was declared two turns ago, and who has landed has done so where it is
    assert s.counts == {"lost:usa": 3, "vichy:declared": 7, "beach:W2517": 9}
    assert (s.penalties, s.ports, s.destroyed) == (("W3118",), {"W2517", "E1116"}, {"E2611"})
    assert (s.captured, s.recaptured) == ({"W3019": 5}, {"W2920"})
    assert (s.bombed, s.bombs, s.capacity) == ({"W3120": 2}, {"W2805": 1}, {"germany": 20})
    assert s.track == (Job("commonwealth", "inf", 10, 1, "india"), Job("germany", "ss", 11, 2))
    assert (s.started, s.started_before) == ({("germany", "ss"): 2}, {("germany", "ss"): 1})
    assert s.dead == {("italy", "surf_b"): 1}
    assert s.points == {("germany", ""): 5, ("commonwealth", "canada"): 4}
    assert (s.stock, s.due) == ({"japan": 2}, (Job("usa", "surf_a", 9, hex="W2805"),))
    assert s.missions == (Mission("usa", "W3118", "W3120", 2),)
    assert (s.stand_fast, s.fought, s.done) == ({"W2717"}, {"W2718"}, {"strategic:germany": 1})


def test_attacks_stand_in_the_order_of_their_targets() -> None:
    s = state(
        "axis_land_combat",
        units={
            "W3022": {"germany": "5 inf"},
            "W3123": {"poland": "inf"},
            "W3122": {"poland": "inf"},
        },
        attacks=[
            {"targets": ["W3123"], "force": [("W3022", "germany", "inf", 2)]},
            {"targets": ["W3122"], "force": [("W3022", "germany", "inf", 3)]},
        ],
    )
    assert s.attacks == (
        Attack(("W3122",), (("W3022", "germany", "inf", 3),)),
        Attack(("W3123",), (("W3022", "germany", "inf", 2),)),
    )


@pytest.mark.rule("gw75:19.76a")
def test_mongolia_has_the_wars_of_the_ussr() -> None:
    s = state("allies_land_movement", 9, wars=[("germany", "ussr"), ("italy", "ussr")])
    assert s.joined["mongolia"] == "allies"
    assert {("germany", "mongolia"), ("italy", "mongolia")} <= s.wars
    assert friends(s, "ussr", "mongolia") and neutrals.violates(s, "ussr", "E3002") == ""
    s = state("allies_land_movement", 9, wars=[("germany", "ussr")], joined={"mongolia": "neutral"})
    assert "mongolia" not in s.joined


@pytest.mark.rule("gw75:20.15b")
def test_vichy_france_on_the_side_of_the_axis_has_the_enemies_of_germany() -> None:
    fields: dict[str, Any] = {"options": {"vichy": True}, "vichy": "axis"}
    s = state("allies_land_movement", 9, wars=[("commonwealth", "germany")], **fields)
    assert at_war(s, "vichy", "commonwealth") and friends(s, "vichy", "germany")
    assert neutrals.violates(s, "commonwealth", "W2625") == ""
    assert not at_war(s, "vichy", "usa")


@pytest.mark.rule("gw75:19.71b")
def test_in_the_game_turn_of_the_partition_the_ussr_is_at_war_with_poland() -> None:
    counts = {"ussr:partition": 1}
    s = state("allies_land_movement", 1, wars=[("germany", "poland")], counts=counts)
    assert at_war(s, "ussr", "poland") and at_peace(s, "ussr")
    for phase, turn in (("reinforcement", 1), ("allies_land_movement", 2)):
        s = state(phase, turn, wars=[("germany", "poland")], counts=counts)
        assert not at_war(s, "ussr", "poland")


@pytest.mark.rule("gw75:19.71b")
def test_poland_was_invaded_before_where_the_axis_holds_a_part_of_it() -> None:
    fields: dict[str, Any] = {"wars": [("germany", "commonwealth")], "held": {"W3123": "germany"}}
    s = state(turn=8, **fields)
    assert s.counts["ussr:partition"] == 7 and neutrals.barred(s, "germany", "W3123") == ""
    t = table(turn=8, units={"W3022": {"germany": "inf"}}, **fields)
    t.do(move("W3022 > W3123", "inf"))
    assert not at_war(t.s, "ussr", "poland")
    s = state(turn=8, counts={"ussr:partition": 8}, **fields)
    assert s.counts["ussr:partition"] == 8 and at_war(s, "ussr", "poland"), "it was named"


@pytest.mark.rule("gw75:19.71b")
def test_who_moves_in_the_part_of_poland_that_germany_holds_invades_nobody() -> None:
    units = {"W3022": {"germany": "inf"}}
    t = table(turn=1, units=units, held={"W3123": "germany"}, wars=[("germany", "poland")])
    t.do(move("W3022 > W3123", "inf"))
    assert "ussr:partition" not in t.s.counts


def test_a_count_of_nothing_has_not_happened() -> None:
    s = state(turn=10, counts={"italy:driven_out": 0, "invaded_ussr": 0, "china:destroyed": 0})
    assert s.counts == {} and not italy.only_defends(s)


@pytest.mark.parametrize("which", ["open", "allies", "gone"])
def test_vichy_france_has_nothing_where_there_is_none(which: str) -> None:
    for fields in ({"units": {"W2517": {"vichy": "inf"}}}, {"held": {"W2517": "vichy"}}):
        with pytest.raises(PositionError, match="there is no Vichy France in this position"):
            state(options={"vichy": True}, vichy=which, **fields)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"vichy": "declared", "wars": [("vichy", "commonwealth")]},
            "wars: Vichy France is not at war with Commonwealth then.",
        ),
        (
            {"vichy": "axis", "wars": [("germany", "vichy")]},
            "wars: Vichy France is not at war with Germany then.",
        ),
        (
            {"vichy": "declared", "joined": {"vichy": "axis"}},
            "joined: the side of Vichy France is said by `vichy`.",
        ),
    ],
)
def test_sides_and_wars_of_vichy_france_fit(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PositionError) as caught:
        start(fields, vichy=True)
    assert str(caught.value) == sentence


def test_land_units_of_two_sides_at_peace_do_not_share_a_hex() -> None:
    units = {"W2920": {"germany": "inf", "usa": "inf"}}
    with pytest.raises(PositionError, match="Germany and United States are at peace, and do not"):
        state(units=units, wars=[])
    with pytest.raises(PositionError, match="Germany and Sweden are at peace, and do not"):
        state(units={"W3321": {"germany": "inf", "sweden": "inf"}}, wars=[])
    # Vichy France has let them stay.
    units = {"W2517": {"commonwealth": "inf", "vichy": "inf"}}
    state(units=units, options={"vichy": True}, vichy="declared", wars=[])


def test_what_is_not_named_stays_as_in_the_scenario() -> None:
    plain = start()
    s = state("maintenance", base="setup", units={"W3121": {"germany": {"inf": 1}}})
    assert s.stack("W3121")[Unit("germany", "inf")] == 1
    assert s.stack("W3121")[Unit("germany", "mech")] == 5
    assert s.stack("W3020") == plain.stack("W3020")
    assert (s.turn, s.wars, s.held, s.track) == (1, plain.wars, plain.held, plain.track)
    s = state("maintenance", units={"W3121": {"germany": {"inf": 1}}})
    assert s.at == {"W3121": {Unit("germany", "inf"): 1}}


def test_naming_the_nation_of_the_country_gives_a_hex_back() -> None:
    s = state("maintenance", held={"E2507": "china", "W3019": "germany"})
    assert "E2507" not in s.held
    assert s.held["W3019"] == "germany"
    # Nobody says when the industry of Paris was captured: in the turn before.
    assert s.captured == {"W3019": 0}


@pytest.mark.rule("gw75:5.42")
def test_land_units_hold_the_hex_of_the_other_side_in_which_they_stand() -> None:
    landing = {"inf": [{"duty": "assault", "origin": "W3120"}]}
    units = {
        "W3123": {"germany": {"inf": 1}},
        "W3019": {"commonwealth": {"inf": 1}},
        "W3118": {"germany": landing, "commonwealth": {"inf": 1}},
        "W2922": {"germany": {"inf": 1}},
        "W3124": {"germany": {"inf": 1}},
        "W3018": {"germany": {"inf": 1}},
    }
    s = state(units=units, held={"W3018": "commonwealth"})
    assert holder(s, "W3123") == holder(s, "W3124") == "germany"
    assert [holder(s, hex) for hex in ("W3019", "W3118")] == ["france", "commonwealth"]
    assert holder(s, "W2922") == "yugoslavia", "it is neutral"
    assert holder(s, "W3018") == "commonwealth", "it was named"


def test_a_neutral_at_war_is_on_the_other_side() -> None:
    s = state("maintenance", wars=[("germany", "sweden"), ("commonwealth", "norway")])
    assert (s.joined["sweden"], s.joined["norway"]) == ("allies", "axis")


def test_one_can_leave_the_side_that_one_has_joined() -> None:
    options = {"scenario": "watermark"}
    s = state("maintenance", options=options, joined={"siam": "neutral"}, violated={"spain": 0})
    assert "siam" not in s.joined
    assert s.violated == {}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"base": "board"}, "base is 'setup' or 'empty', not 'board'."),
        ({"turn": 27}, "turn: there is no Game-Turn 27."),
        ({"phase": "naval"}, "phase: there is no 'naval' here."),
        ({"phase": "production", "mover": "germany"}, "mover: it is a phase of both sides."),
        ({"mover": "ussr"}, "mover: there is no 'ussr' here."),
        ({"units": {"W9999": {}}}, "units: there is no 'W9999' here."),
        ({"units": {"W3121": {"prussia": {}}}}, "units.W3121: there is no 'prussia' here."),
        ({"units": {"W3121": {"germany": {"tank": 1}}}}, "there is no 'tank' here."),
        ({"units": {"W3121": {"germany": {"inf": -1}}}}, "The position is malformed"),
        ({"units": {"W3121": {"germany": {"port": 1}}}}, "Port is no unit"),
        (
            {"units": {"W3121": {"germany": {"inf": [{"duty": "snort"}]}}}},
            "units.W3121.germany.inf.duty: snort is no duty of Infantry.",
        ),
        (
            {"units": {"W3121": {"germany": {"inf": [{"duty": "assault"}]}}}},
            "units.W3121.germany.inf.origin: a landing has a port that it came from.",
        ),
        (
            {"units": {"W3121": {"germany": {"inf": [{"duty": "swim"}]}}}},
            "units.W3121.germany.inf.duty: there is no 'swim' here.",
        ),
        (
            {"units": {"W3121": {"germany": {"ss": [{"depleted": True}]}}}},
            "units.W3121.germany.ss.depleted: Submarine is never depleted.",
        ),
        (
            {"units": {"W3121": {"germany": {"inf": [{"supply": "none"}]}}}},
            "units.W3121.germany.inf.supply: land units are judged when it matters.",
        ),
        (
            {"units": {"W3121": {"germany": {"ss": [{"shot": ["X usa surf_a"]}]}}}},
            "units.W3121.germany.ss.shot: there is no 'X' here.",
        ),
        (
            {"units": {"W3121": {"germany": {"ss": [{"shot": ["W3118 usa inf"]}]}}}},
            "units.W3121.germany.ss.shot: 'W3118 usa inf' is no hex, nation and type of a fleet.",
        ),
        (
            {"units": {"W3121": {"germany": {"amph": [{"origin": "X"}]}}}},
            "units.W3121.germany.amph.origin: there is no 'X' here.",
        ),
        ({"units": {"W2410": {"germany": {"inf": 1}}}}, "Germany Infantry in W2410"),
        ({"held": {"W2410": "germany"}}, "held.W2410: nobody holds the sea."),
        ({"marks": ["vichy:leaves:prussia"]}, "marks: there is no 'vichy:leaves:prussia' here."),
        ({"counts": {"lost:italy": 1}}, "counts: there is no 'lost:italy' here."),
        ({"held": {"W3121": "prussia"}}, "held.W3121: there is no 'prussia' here."),
        ({"wars": [("usa", "usa")]}, "wars: United States cannot be at war with itself."),
        ({"wars": [("usa", "finland")]}, "wars: Finland has Germany's wars."),
        ({"wars": [], "limited": [("germany", "usa")]}, "no war that could be limited"),
        ({"violated": {"norway": 2}}, "violated.norway: Game-Turn 2 is still to come."),
        ({"fallen": ["prussia"]}, "fallen: there is no 'prussia' here."),
        (
            {"wars": [("germany", "sweden")], "joined": {"sweden": "neutral"}},
            "wars: Sweden is neutral, and cannot be at war with Germany.",
        ),
        (
            {"wars": [("spain", "sweden")]},
            "wars: Spain is neutral, and cannot be at war with Sweden.",
        ),
        ({"joined": {"prussia": "axis"}}, "joined: there is no 'prussia' here."),
        ({"vichy": "declared"}, "vichy: the option says"),
        ({"penalties": ["W3020"]}, "penalties: there is no 'W3020' here."),
        ({"ports": ["W3020"]}, "ports: there is no 'W3020' here."),
        ({"destroyed": ["W3020"]}, "destroyed: there is no 'W3020' here."),
        ({"recaptured": ["W3020"]}, "recaptured: there is no 'W3020' here."),
        ({"captured": {"W3020": 1}}, "captured: there is no 'W3020' here."),
        ({"captured": {"W3019": 2}}, "captured.W3019: Game-Turn 2 is still to come."),
        ({"bombed": {"W3020": 1}}, "bombed: there is no 'W3020' here."),
        ({"bombs": {"W2410": 1}}, "bombs: there is no 'W2410' here."),
        ({"capacity": {"poland": 1}}, "capacity: there is no 'poland' here."),
        ({"stock": {"poland": 1}}, "stock: there is no 'poland' here."),
        ({"started": {"germany": {"tank": 1}}}, "started.germany: there is no 'tank' here."),
        ({"started_before": {"x": {}}}, "started_before: there is no 'x' here."),
        ({"dead": {"x": {"inf": 1}}}, "dead: there is no 'x' here."),
        (
            {"dead": {"germany": {"fort": 2}}},
            "dead.germany: a Fortification is never rebuilt.",
        ),
        ({"points": {"germany": {"x": 1}}}, "points.germany: there is no 'x' here."),
        (
            {"turn": 5, "track": [{"nation": "germany", "type": "inf", "due": 4}]},
            "track: Game-Turn 4 is over.",
        ),
        ({"due": [{"nation": "germany", "type": "x", "due": 4}]}, "due: there is no 'x' here."),
        (
            {"missions": [{"nation": "germany", "base": "W3120", "target": "W3020"}]},
            "missions: Bavaria (W3020) is no target.",
        ),
        (
            {"missions": [{"nation": "germany", "base": "W3120", "target": "W3118"}]},
            "missions: Germany has 0 Long Range Bomber in Ruhr-Hamburg (W3120), and not 1.",
        ),
        (
            {
                "units": {"W3120": {"germany": {"lrb": 1}}},
                "missions": [{"nation": "germany", "base": "W3120", "target": "W3118"}],
            },
            "missions: they are flown in the Air Phases of their side.",
        ),
        (
            {
                "phase": "axis_air_combat",
                "units": {"W3120": {"germany": {"lrb": 1}}},
                "missions": [
                    {"nation": "germany", "base": "W3120", "target": target}
                    for target in ("W3118", "W3217")
                ],
            },
            "missions: Germany has 1 Long Range Bomber in Ruhr-Hamburg (W3120), and not 2.",
        ),
        ({"attacks": [{"targets": [], "force": []}]}, "an attack has a target and a force."),
        (
            {
                "units": {"W3121": {"germany": {"inf": 1}}},
                "attacks": [{"targets": ["W3019"], "force": [("W3121", "germany", "inf", 1)]}],
            },
            "attacks: W3121 and W3019 are not adjacent.",
        ),
        (
            {
                "units": {"W3121": {"germany": {"inf": 2}}},
                "attacks": [
                    {"targets": ["W3122"], "force": [("W3121", "germany", "inf", 1)]},
                    {"targets": ["W3122"], "force": [("W3121", "germany", "inf", 1)]},
                ],
            },
            "attacks: Danzig (W3122) is attacked twice.",
        ),
        (
            {
                "units": {"W3021": {"germany": {"inf": 2}}},
                "attacks": [
                    {"targets": ["W3122"], "force": [("W3021", "germany", "inf", 2)]},
                    {"targets": ["W3022"], "force": [("W3021", "germany", "inf", 1)]},
                ],
            },
            "attacks: Germany has 2 Infantry in Bohemia-Silesia (W3021), and not 3.",
        ),
        (
            {
                "units": {"W3118": {"commonwealth": {"inf": 2}}},
                "attacks": [{"targets": ["W3018"], "force": [("W3118", "commonwealth", "inf", 2)]}],
            },
            "attacks: land units cannot cross from W3118 to W3018.",
        ),
        (
            {
                "units": {"W3022": {"germany": {"inf": 2}}},
                "attacks": [{"targets": ["W3123"], "force": [("W3022", "germany", "inf", 2)]}],
            },
            "attacks: they are made in the Land Combat Phase of their side.",
        ),
        (
            {
                "units": {"W3118": {"commonwealth": {"lrb": 2}}},
                "missions": [
                    {"nation": "commonwealth", "base": "W3118", "target": "W3120", "number": 2},
                    {"nation": "commonwealth", "base": "W3118", "target": "W3121", "number": 1},
                ],
            },
            "missions: Commonwealth has 2 Long Range Bomber in Southern England-Midlands (W3118),",
        ),
        (
            {
                "units": {"W3118": {"commonwealth": {"lrb": 2}}},
                "missions": [{"nation": "commonwealth", "base": "W3118", "target": "W3120"}],
            },
            "missions: they are flown in the Air Phases of their side.",
        ),
        (
            {
                "units": {"W3120": {"germany": {"lrb": 2}}},
                "missions": [{"nation": "germany", "base": "W3120", "target": "W3225"}],
            },
            "missions: Moscow (W3225) is held by no Enemy of Germany.",
        ),
        (
            {"units": {"W3121": {"germany": {"ss": [{"cut": 1}]}}}},
            "units.W3121.germany.ss.cut: Submarine has no such mark.",
        ),
        (
            {"units": {"W3121": {"germany": {"inf": [{"met": ["W3120"]}]}}}},
            "units.W3121.germany.inf.met: Infantry has no such mark.",
        ),
        (
            {"units": {"W3121": {"germany": {"fort": [{"left": 1}]}}}},
            "units.W3121.germany.fort.left: Fortification has no such mark.",
        ),
        (
            {"units": {"W3121": {"germany": {"inf": [{"left": 6}]}}}},
            "units.W3121.germany.inf.left: Infantry has at most 5 Movement Points.",
        ),
        (
            {"units": {"W3121": {"germany": {"ss": [{"left": 21}]}}}},
            "units.W3121.germany.ss.left: Submarine has at most 20 Movement Points.",
        ),
        (
            {"units": {"W3121": {"vichy": {"inf": 1}}}},
            "vichy: there is no Vichy France in this position.",
        ),
        ({"done": {"strategy:germany": 1}}, "done: there is no 'strategy:germany' here."),
        ({"done": {"strategic:x": 1}}, "done: there is no 'strategic:x' here."),
        ({"stand_fast": ["X"]}, "stand_fast: there is no 'X' here."),
        ({"fought": ["X"]}, "fought: there is no 'X' here."),
        ({"weather": "fair"}, "The position is malformed"),
        ({"joined": {"usa": "neutral"}}, "joined: United States does not change its side."),
        ({"joined": {"finland": "allies"}}, "joined: Finland does not change its side."),
        ({"wars": [("germany", "italy")]}, "wars: Germany and Italy are on one side."),
        (
            {"wars": [("commonwealth", "sweden")], "joined": {"sweden": "allies"}},
            "wars: Commonwealth and Sweden are on one side.",
        ),
        (
            {"wars": [("germany", "france")], "limited": [("germany", "france")]},
            "limited: only the USA and the USSR wage limited wars.",
        ),
        ({"fallen": ["italy"], "wars": [("italy", "usa")]}, "fallen: Italy is at war."),
        (
            {"fallen": ["italy"], "units": {"W2921": {"italy": {"inf": 1}}}},
            "units.W2921: Italy has fallen.",
        ),
        ({"fallen": ["italy"], "held": {"W2921": "italy"}}, "held.W2921: Italy has fallen."),
        ({"fallen": ["italy"], "points": {"italy": {"": 1}}}, "points: Italy has fallen."),
        ({"points": {"poland": {"": 1}}}, "points: there is no 'poland' here."),
        ({"points": {"germany": {"india": 1}}}, "points.germany: there is no 'india' here."),
        ({"points": {"commonwealth": {"": 1}}}, "points.commonwealth: there is no '' here."),
        ({"counts": {"china:destroyed": -1}}, "The position is malformed"),
        ({"counts": {"lost:usa": 10**30}}, "The position is malformed"),
        ({"counts": {"us_surprise": 2}}, "counts.us_surprise: Game-Turn 2 is still to come."),
        ({"counts": {"first_battle:W3018": 1}}, "counts: there is no 'first_battle:W3018' here."),
        ({"counts": {"recaptured:france": 1}}, "counts: there is no 'recaptured:france' here."),
        ({"marks": ["vichy:leaves:W3018"]}, "marks: there is no 'vichy:leaves:W3018' here."),
        ({"done": {"strategic:germany": -9}}, "The position is malformed"),
        ({"done": {"strategic:W3014": 1}}, "done: there is no 'strategic:W3014' here."),
        ({"done": {"shipped:germany": 1}}, "done: there is no 'shipped:germany' here."),
        ({"captured": {"W3121": 1}}, "captured.W3121: Germany holds it."),
        (
            {"held": {"W3019": "germany"}, "recaptured": ["W3019"]},
            "recaptured.W3019: Germany holds it.",
        ),
        (
            {"due": [{"nation": "germany", "type": "fort", "due": 1}]},
            "due: a Fortification is a unit of two Strength Points.",
        ),
        (
            {"due": [{"nation": "germany", "type": "inf", "due": 2}]},
            "due: what comes in Game-Turn 2 is on the `track`.",
        ),
        (
            {"phase": "production", "track": [{"nation": "germany", "type": "inf", "due": 1}]},
            "track: what was due in Game-Turn 1 is placed.",
        ),
        (
            {"track": [{"nation": "germany", "type": "sd", "due": 3}]},
            "track: Germany never gets Self-Defense units.",
        ),
        (
            {"track": [{"nation": "china", "type": "surf_a", "due": 3}]},
            "track: China never gets Surface-A units.",
        ),
        (
            {"track": [{"nation": "germany", "type": "inf", "due": 3, "country": "india"}]},
            "track.country: there is no 'india' here.",
        ),
        (
            {"track": [{"nation": "finland", "type": "inf", "due": 3, "country": "sweden"}]},
            "track.country: there is no 'sweden' here.",
        ),
        (
            {"track": [{"nation": "germany", "type": "inf", "due": 3, "hex": "W3121"}]},
            "track.hex: Infantry is never restored, and has no hex.",
        ),
        (
            {"track": [{"nation": "germany", "type": "surf_a", "due": 2, "hex": "W3021"}]},
            "track.hex: no Surface-A is restored in Bohemia-Silesia (W3021).",
        ),
        (
            {"track": [{"nation": "germany", "type": "surf_a", "due": 3, "hex": "W3120"}]},
            "track: Surface-A is restored in 2 Game-Turns.",
        ),
        (
            {"fallen": ["italy"], "track": [{"nation": "italy", "type": "inf", "due": 3}]},
            "track: Italy has fallen.",
        ),
        (
            {
                "units": {
                    "W3118": {"germany": {"inf": [{"duty": "assault", "origin": "W3014"}]}},
                }
            },
            "units.W3118.germany.inf.origin: a landing has a port that it came from.",
        ),
    ],
)
def test_positions_that_cannot_be(fields: dict[str, Any], sentence: str) -> None:
    position = {"base": "empty", "phase": "axis_land_movement", **fields}
    with pytest.raises(PositionError) as caught:
        start(position)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("scenario", ["standard", "watermark"])
def test_set_ups_are_sound(scenario: str) -> None:
    assert broken_invariants(start(scenario=scenario, vichy=True)) == []


@pytest.mark.rule("gw75:19.24d")
def test_a_power_that_has_fallen_leaves_nothing_behind() -> None:
    wars = [("germany", "usa"), ("commonwealth", "germany")]
    s = start({"fallen": ["italy"], "held": {"W2521": "usa"}, "wars": wars, "turn": 13})
    assert not list(s.units_of("italy")) and not [j for j in s.track if j.nation == "italy"]
    assert [holder(s, hex) for hex in ("W2921", "W2523", "W2521")] == ["germany", "germany", "usa"]
    assert s.captured["W2921"] == 12
    s = start({"fallen": ["italy"]}, scenario="watermark")
    assert not any("italy" in war for war in s.wars)
