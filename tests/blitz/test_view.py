"""What clients draw: the position whole, nothing secret, and what happened."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from sandtable.games.blitz import RULES, words
from sandtable.games.blitz.facts import load_facts
from sandtable.games.blitz.model import Unit
from sandtable.games.blitz.pieces import SYMBOLS
from sandtable.games.blitz.rules.income import income_of
from sandtable.games.blitz.rules.land_combat import AnnounceAttack
from sandtable.games.blitz.rules.rounds import Damage
from sandtable.games.blitz.rules.spend import Build
from sandtable.games.blitz.rules.steps import Done
from sandtable.games.blitz.rules.victory import gains
from sandtable.kernel.display import About, Picture, Piece
from sandtable.kernel.events import Event
from tests.blitz.table import Play, position
from tests.blitz.walks import OPTIONS, SCENARIOS, walk

FACTS = load_facts()


def drawn(picture: Picture) -> dict[str, tuple[str, int, str, str]]:
    """Unit to power, Size, area and carrier, as a picture has them."""
    found: dict[str, tuple[str, int, str, str]] = {}

    def add(piece: Piece, power: str, area: str, aboard: str) -> None:
        assert piece.id not in found, f"{piece.id} is drawn twice"
        found[piece.id] = (piece.power or power, piece.size, area, aboard)
        for each in piece.cargo:
            add(each, piece.power or power, area, piece.id)

    for area, space in picture.spaces.items():
        for stack in space.stacks:
            for piece in stack.pieces:
                add(piece, stack.power, area, "")
    return found


def game_cases() -> list[Any]:
    return [*({"scenario": scenario} for scenario in SCENARIOS), OPTIONS]


@pytest.mark.parametrize("options", game_cases(), ids=lambda o: f"{o['scenario']}{len(o)}")
def test_a_picture_has_exactly_the_units_and_areas_of_the_position(options: dict[str, Any]) -> None:
    for game, _ in walk(options, 3, 240, every=6):
        s = game.state
        picture = RULES.picture(s, ())
        assert drawn(picture) == {
            id: (unit.power, unit.size, unit.at, unit.aboard) for id, unit in s.units.items()
        }
        assert set(picture.spaces) == set(s.in_play)
        for area, holder in s.control.items():
            assert picture.spaces[area].owner == holder
        assert sum(step.now for step in picture.moment.steps) <= 1
        again = msgspec.json.decode(msgspec.json.encode(picture), type=Picture)
        assert again == picture


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_game_says_what_it_is(scenario: str) -> None:
    s = position(scenario, base="setup")
    about = RULES.about(s)
    assert msgspec.json.decode(msgspec.json.encode(about), type=About) == about
    assert [power.id for power in about.powers] == list(s.scenario.powers)
    assert s.scenario.title in about.subtitle
    spaces = set(FACTS.lands) | set(FACTS.seas) if about.spaces is None else set(about.spaces)
    assert spaces >= set(s.in_play)
    assert about.focus and set(about.focus) <= spaces
    assert "AIR" in {type_.id for type_ in about.types}
    assert all(type_.note and type_.symbol for type_ in about.types)
    assert about.figures == tuple(RULES.figures(s))


def test_every_type_of_unit_has_a_symbol_of_its_own() -> None:
    assert set(SYMBOLS) == set(FACTS.types)
    assert len(set(SYMBOLS.values())) == len(SYMBOLS)


def test_cargo_is_drawn_inside_its_transport() -> None:
    s = position(
        "campaign",
        units={
            "usa_pacific_trs": {"at": "coral_sea", "size": 2},
            "afa_anzac": {"at": "coral_sea", "size": 1, "aboard": "usa_pacific_trs"},
        },
        wars=[["usa", "japan"], ["afa", "japan"]],
    )
    (stack,) = RULES.picture(s, ()).spaces["coral_sea"].stacks
    (transport,) = stack.pieces
    assert (stack.power, transport.id, transport.states) == ("usa", "usa_pacific_trs", ("loaded",))
    assert [(each.id, each.power) for each in transport.cargo] == [("afa_anzac", "afa")]


def test_what_a_unit_did_is_drawn_with_it_and_forgotten_with_the_phase() -> None:
    s = position("A", base="setup")
    s.mark("ger_luftwaffe", "rebased")

    def luftwaffe() -> Piece:
        (stack,) = RULES.picture(s, ()).spaces["berlin"].stacks
        return next(piece for piece in stack.pieces if piece.id == "ger_luftwaffe")

    assert luftwaffe().states == ("moved", "rebased")
    s.units["ger_luftwaffe"] = replace(s.units["ger_luftwaffe"], done=())
    assert luftwaffe().states == ()


def test_marks_tell_of_damage_partisans_snow_and_convoys() -> None:
    s = position(
        "campaign",
        turn=4,
        factory_damage={"berlin": 1},
        partisans=["poland"],
        convoy_damage={"north_atlantic": 1},
    )
    spaces = RULES.picture(s, ()).spaces
    factory = next(mark for mark in spaces["berlin"].marks if mark.symbol == "factory")
    assert (factory.text, factory.tone) == (str(FACTS.lands["berlin"].factory - 1), "bad")
    assert "partisan" in {mark.symbol for mark in spaces["poland"].marks}
    assert "snow" in {mark.symbol for mark in spaces["moscow"].marks}
    assert "snow" in spaces["moscow"].tags
    convoy = next(mark for mark in spaces["north_atlantic"].marks if mark.symbol == "convoy")
    assert convoy.text == str(FACTS.convoys["north_atlantic"].factor - 1)
    s.turn = 5
    s.forget()
    assert "snow" not in RULES.picture(s, ()).spaces["moscow"].tags


def test_a_unit_without_supply_is_shown_so() -> None:
    units = {"ger_18th_army": {"at": "malta", "size": 1}}
    s = position("campaign", units=units, control={"malta": "germany"})

    def states() -> tuple[str, ...]:
        (stack,) = RULES.picture(s, ()).spaces["malta"].stacks
        return stack.pieces[0].states

    assert states() == ()
    (sea,) = FACTS.coast["malta"]
    s.put("afa_home_fleet", Unit("afa", 1, sea))
    assert states() == ("unsupplied",)


# --- the combat ----------------------------------------------------------------------------------


def attack_on_poland() -> Play:
    play = Play("A", base="setup", phase="axis_activities", step="F")
    attack = AnnounceAttack(
        "ground", "poland", ("ger_army_group_center", "ger_army_group_north", "ger_luftwaffe")
    )
    return play.do("germany", attack)


def test_an_announced_attack_marks_its_target() -> None:
    picture = RULES.picture(attack_on_poland().state, ())
    assert [id for id, space in picture.spaces.items() if "battle" in space.tags] == ["poland"]
    assert any("Poland" in note for note in picture.notes)
    assert picture.battle is None


def test_the_battle_board_follows_the_combat() -> None:
    play = attack_on_poland().do("germany", Done())
    play.dice(6).dice(6)
    battle = RULES.picture(play.state, ()).battle
    assert battle is not None
    assert (battle.space, battle.step) == ("poland", "Land Round")
    attacker, defender = battle.sides
    assert (attacker.title, defender.title) == ("Germany attacks", "AFA defends")
    assert {p.id for stack in attacker.stacks for p in stack.pieces} == {
        "ger_army_group_center",
        "ger_army_group_north",
        "ger_luftwaffe",
    }
    assert "9 factors" in attacker.note
    # The Polish Army took what it could: it is among the lost with its Size.
    assert [(p.id, p.size) for stack in defender.lost for p in stack.pieces] == [
        ("afa_polish_army", 2)
    ]
    lost = RULES.picture(play.do("germany", Damage("ger_army_group_center")).state, ()).battle
    assert lost is None or [p.id for s in lost.sides[0].lost for p in s.pieces] == [
        "ger_army_group_center"
    ]


@pytest.mark.parametrize("scenario", ["A", "C", "D"])
def test_no_battle_is_left_on_the_board_between_combats(scenario: str) -> None:
    between = {"return_to_base", "move_to_sea", "rebase_units", "move_land", "land_area_combat"}
    between |= {"choose_next_attack", "choose_sea", "commit_defence", "spend", "choose_blitz"}
    inside = {"assign_damage", "choose_returning", "pick_blocked", "pick_retreating"}
    seen = set()
    for game, request in walk({"scenario": scenario}, 5, 250):
        battle = RULES.picture(game.state, ()).battle
        if request.kind in between:
            assert battle is None
        elif request.kind in inside:
            assert battle is not None and battle.space == getattr(request, "area", "")
            seen.add(request.kind)
    assert seen


# --- secrets -------------------------------------------------------------------------------------


def spending() -> Play:
    return Play("D", base="setup", phase="turn_end", step="income")


def test_builds_are_seen_by_nobody_else() -> None:
    one, two = spending(), spending()
    powers = [request.power for request in one.game.pending]
    assert "germany" in powers and len(powers) > 1
    legal = one.game.legal(one.request_of("germany"))
    build, other, *_ = [each for each in legal if isinstance(each, Build)]
    for play, chosen in ((one, build), (two, other)):
        play.do("germany", chosen)
        for power in powers:  # The books change when all have answered.
            if power != "germany":
                play.do(power, Done())
    own = RULES.picture(one.state, ("germany",))
    orders = next(pool for pool in own.pools if "secret" in pool.title)
    assert (orders.power, [piece.id for piece in orders.pieces]) == ("germany", [build.unit])
    for others in ((), ("ussr",), ("ussr", "western_allies")):
        picture = RULES.picture(one.state, others)
        assert picture == RULES.picture(two.state, others)
        assert all(pool.power in others for pool in picture.pools if "secret" in pool.title)
    assert own.moment.secret
    # The goods in the table are those in the panel: what is left to spend.
    germany = one.state.books["germany"]
    (table,) = own.tracks
    cells = dict(zip(table.columns, table.rows["germany"], strict=True))
    assert (cells["Oil"], cells["Res."]) == (str(germany.oil), str(germany.resources))
    assert cells["Res."] != str(one.state.resources["germany"])
    assert f"{germany.resources} Resource" in orders.note
    assert RULES.figures(one.state) == RULES.figures(two.state)


def test_the_force_pools_are_open_to_all() -> None:
    s = spending().state
    pools = {p.power: p for p in RULES.picture(s, ()).pools if p.title == "Force Pool"}
    assert {piece.id for piece in pools["ussr"].pieces} == set(s.pool["ussr"])


# --- moment, tracks and figures ------------------------------------------------------------------


def test_the_tracker_has_the_steps_that_the_scenario_uses() -> None:
    s = position("A", base="setup", phase="axis_activities", step="E")
    moment = RULES.picture(s, ()).moment
    assert [step.id for step in moment.steps] == ["D", "E", "F"]
    assert [(step.done, step.now) for step in moment.steps] == [
        (True, False),
        (False, True),
        (False, False),
    ]
    assert moment.title == "Turn 1 (Sep 1939 to May 1940)"
    assert moment.phase == "Axis activities · move land units"


@pytest.mark.parametrize("phase", ["axis_activities", "axis_blitzes", "turn_end"])
def test_every_step_has_a_short_name_for_the_tracker(phase: str) -> None:
    """Seven of them have to stand beside each other on a small screen."""
    steps = RULES.picture(position("campaign", base="setup", phase=phase), ()).moment.steps
    assert steps and all(0 < len(step.short) <= 12 for step in steps)
    assert len({step.short for step in steps}) == len(steps)


def test_the_tracks_have_what_the_scenario_has() -> None:
    (simple,) = RULES.picture(position("A", base="setup"), ()).tracks
    assert simple.columns == ("Size", "Areas")
    s = position("campaign", base="setup")
    (whole,) = RULES.picture(s, ()).tracks
    assert whole.columns[:4] == ("VP", "Oil", "Res.", "It's War!")
    assert whole.rows["usa"][3] == f"box {s.entry['usa']}"
    assert whole.rows["germany"][3] == "-"


def test_figures_count_forces_and_areas() -> None:
    figures = RULES.figures(position("A", base="setup"))
    assert set(figures) == {"Forces", "Factories", "Areas"}
    assert figures["Forces"] == {"germany": 13.0, "afa": 12.0}
    assert figures["Areas"] == {"germany": 2.0, "afa": 5.0}


# --- what happened -------------------------------------------------------------------------------


def test_every_event_of_a_game_has_a_line_with_its_places() -> None:
    (game, _), *_ = walk({"scenario": "F"}, 2, 250, every=250)
    kinds = set()
    for event in game.events:
        line = RULES.line(game.state, event)
        kinds.add(event.kind)
        assert line.text == words.sentence(FACTS, event)
        assert all(area in FACTS.lands or area in FACTS.seas for area in line.spaces)
        assert line.power in ("", *FACTS.powers)
        assert line.spaces or not {"space", "path"} & set(event.data)
    assert {"fired", "sailed", "marched", "attack_announced"} <= kinds


def test_a_shot_shows_its_die() -> None:
    data = {"space": "paris", "round": "land", "side": "axis", "factors": 10}
    terms = (
        ("ger_6th_army", "halved", 1.5),
        ("ger_luftwaffe", "support", 10),
        ("afa_bef", "red", -2),
    )
    event = Event(
        "fired",
        {
            **data,
            "lines": [("axis", "paris", 1, 0)],
            "dice": (6,),
            "damage": 2,
            "letter": "S",
            "sum": terms,
        },
    )
    line = RULES.line(position("A"), event)
    (throw,) = line.throws
    assert (throw.faces, throw.label) == ((6,), "Axis, Land Round")
    assert throw.note == "10 factors: 2 points of damage and letter S"
    assert throw.reading is not None
    (chart,) = RULES.about(position("A")).charts
    assert chart.id == throw.reading.chart
    assert chart.rows[throw.reading.row][chart.columns.index(throw.reading.column)] == "2"
    assert [(term.label, term.value) for term in throw.reading.terms] == [
        ("6th Army, halved", "+1.5"),
        ("Luftwaffe in support", "+10"),
        ("Red triangles of BEF", "\N{MINUS SIGN}2"),
    ]
    assert throw.reading.note == "9.5 in all, rounded to 10."
    assert line.spaces == ("paris",)


def test_turns_and_phases_stand_out_in_the_log() -> None:
    s = position("A")
    assert RULES.line(s, Event("turn_began", {"turn": 2})).level == 0
    phase = Event("phase_began", {"turn": 2, "phase": "axis_blitzes"})
    assert RULES.line(s, phase).level == 1
    march = Event("marched", {"unit": "ger_18th_army", "path": ("berlin", "poland")})
    line = RULES.line(s, march)
    assert (line.level, line.spaces, line.power) == (2, ("berlin", "poland"), "germany")


def test_a_line_says_where_units_went_and_what_happened_there() -> None:
    s = position("A")

    def trace(kind: str, **data: Any) -> tuple[tuple[str, ...], str]:
        told = RULES.line(s, Event(kind, data))
        return told.path, told.deed

    army = {"unit": "ger_18th_army", "path": ("berlin", "poland")}
    assert trace("marched", **army) == (("berlin", "poland"), "")
    assert trace("retreated", **army) == (("berlin", "poland"), "")
    assert trace("returned", **army, port="") == ((), "")
    attack = {"power": "germany", "combat": "ground", "units": ("ger_18th_army",)}
    announced = trace("attack_announced", **attack, space="paris", port="", flying=())
    assert announced == (("paris",), "battle")
    assert trace("control_taken", space="paris", power="germany", against="afa") == (
        ("paris",),
        "taken",
    )


def test_what_the_rules_derive_is_on_view() -> None:
    units = {"afa_malta": "malta", "ger_regia_marina": "mediterranean_sea", "afa_ghq": "london"}
    seen = Play(phase="axis_activities", step="A", units=units).game.observe("usa")["derived"]
    assert seen["out_of_supply"] == ["afa_malta"]
    assert seen["victory_points"].keys() == seen["awards"].keys() == seen["income"].keys()
    s = position(units=units)
    for power, row in seen["income"].items():
        goods = income_of(s, power)
        assert (row["oil"], row["resources"]) == goods
    assert seen["income"]["germany"]["resources"] > 0


def test_awards_are_those_of_the_end_of_the_turn() -> None:
    held = dict.fromkeys(FACTS.countries["ussr"].areas, "germany")
    before = RULES.derived(position())["awards"]["germany"]
    after = RULES.derived(position(control=held))["awards"]["germany"]
    assert "lebensraum" in after and "lebensraum" not in before
    assert RULES.derived(position("A")) == {}


@pytest.mark.parametrize("scenario", ["A", "B", "C", "D", "E", "F", "campaign"])
def test_every_power_is_told_what_wins(scenario: str) -> None:
    s = position(scenario)
    goals = RULES.about(s).goals
    assert set(goals) == set(s.scenario.powers) and all(goals.values())
    assert not any("{" in sentence for sentences in goals.values() for sentence in sentences)


def test_every_award_has_its_words_and_shows_what_it_would_score_now() -> None:
    s = position("campaign")
    names = {
        award.name
        for card in ("germany", "japan", "afa", "ussr", "usa", "every_power")
        for award in s.facts.awards[card].values()
    }
    rows = [row for sheet in RULES.picture(s, ()).sheets for row in sheet.rows]
    assert {row.label.split(":")[0] for row in rows} == names
    now = {points for _, _, points in gains(s)}
    assert any(now) == any(row.value for row in rows)
    assert {row.tone for row in rows if row.value} <= {"good"}
