"""What clients draw: pictures, lines of the log, figures."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.games.aa1942 import words
from sandtable.games.aa1942.facts import load_facts
from sandtable.games.aa1942.model import PHASES, State
from sandtable.games.aa1942.view import line
from sandtable.kernel.display import Battle, Line, Picture
from sandtable.kernel.events import Event
from sandtable.kernel.game import Decided
from sandtable.kernel.savefile import save_text
from sandtable.kernel.saves import load
from tests.aa1942.battles import land, sea
from tests.aa1942.positions import played
from tests.aa1942.table import (
    Bombard,
    Casualties,
    Done,
    Intercept,
    Load,
    Place,
    Press,
    Sail,
    Table,
    move,
    sail,
    table,
)

Tally = Counter[tuple[str, str, str]]


def picture(t: Table) -> Picture:
    return t.game.rules.picture(t.s, ())


def drawn(picture: Picture) -> Tally:
    """Space, power and name of every piece on the map, cargo included."""
    found: Tally = Counter()
    for id, space in picture.spaces.items():
        for stack in space.stacks:
            for piece in stack.pieces:
                found[id, stack.power, piece.name] += piece.count
                for aboard in piece.cargo:
                    whose = aboard.power or stack.power
                    found[id, whose, aboard.name] += aboard.count * piece.count
    return found


def on_board(s: State) -> Tally:
    found: Tally = Counter()
    for space, unit, count in s.units():
        for piece in (unit, *unit.cargo):
            found[space, piece.power, s.facts.units[piece.type].name] += count
    return found


# --- the game as such ----------------------------------------------------------------------------


def test_a_game_is_described_with_its_powers_units_and_options() -> None:
    game = sandtable.new("aa1942", options={"victory": "total", "interceptors": True})
    about = game.rules.about(game.state)
    assert [power.id for power in about.powers] == list(game.rules.powers)
    assert {power.side_name for power in about.powers} == {"Axis", "Allies"}
    assert about.subtitle == "Total victory and interceptors"
    assert about.names["sz5"].startswith("Sea Zone 5")
    tank = next(kind for kind in about.types if kind.id == "tank")
    assert tank.facts == {"Cost": "6", "Move": "2", "Attack": "3", "Defense": "3"}
    assert set(about.figures) == set(game.rules.figures(game.state))
    for focus in (about.focus, *(power.focus for power in about.powers)):
        assert focus and set(focus) <= set(game.state.facts.spaces)
    assert sandtable.new("aa1942").rules.about(sandtable.new("aa1942").state).subtitle


# --- the position --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "seed", "rounds", "options"),
    [
        ("random", 1, 5, {"interceptors": True}),
        ("random", 2, 5, {"setup": "tournament", "dardanelles": True, "cities": 13}),
        ("greedy", 3, 1, {}),
    ],
)
def test_pictures_have_exactly_the_units_of_the_position(
    bot: str, seed: int, rounds: int, options: dict[str, object]
) -> None:
    for game in played(bot, seed, rounds, options):
        s = game.state
        shown = game.rules.picture(s, ())
        assert drawn(shown) == on_board(s)
        assert set(shown.spaces) == set(s.facts.spaces)
        assert {id: space.owner for id, space in shown.spaces.items() if space.owner} == s.control
        assert (shown.battle is not None) == bool(s.battle)
        bought = {piece.name: piece.count for pool in shown.pools for piece in pool.pieces}
        assert bought == {s.facts.units[type_].name: n for type_, n in s.bought.items()}


def test_a_picture_survives_json() -> None:
    for game in played("random", 4, 1):
        shown = game.rules.picture(game.state, ())
        assert msgspec.json.decode(msgspec.json.encode(shown), type=Picture) == shown


def test_the_phase_tracker_says_what_is_done_and_what_is_now() -> None:
    shown = picture(table("japan", "conduct_combat"))
    moment = shown.moment
    assert moment.power == "japan"
    assert [step.id for step in moment.steps] == list(PHASES)
    now = [step.name for step in moment.steps if step.now]
    assert now == [moment.phase]
    assert all(step.done for step in moment.steps[: PHASES.index("noncombat_move")])
    assert not any(step.done for step in moment.steps[PHASES.index("noncombat_move") :])


def test_a_damaged_complex_shows_its_damage_and_what_it_can_still_place() -> None:
    t = table("germany", "purchase", damage={"germany": 4}, treasury={"germany": 30})
    berlin = picture(t).spaces["germany"]
    (factory,) = (mark for mark in berlin.marks if mark.symbol == "factory")
    assert (factory.text, factory.tone) == ("-4", "bad")
    assert any("6 units can be placed" in line for line in berlin.lines)
    assert {mark.symbol for mark in berlin.marks} == {"ipc", "capital", "city", "factory"}


def test_the_thirteenth_city_is_marked_only_with_its_option() -> None:
    for cities, marked in ((12, False), (13, True)):
        shown = picture(table("japan", options={"cities": cities}))
        hawaii = shown.spaces["hawaiian_islands"]
        assert any(mark.symbol == "city" for mark in hawaii.marks) == marked


def test_neutral_territory_is_told_as_such() -> None:
    facts = load_facts()
    shown = picture(table("japan"))
    for id, space in facts.spaces.items():
        assert ("neutral" in shown.spaces[id].tags) == space.neutral


def test_cargo_and_guests_are_drawn_inside_their_ships() -> None:
    t = table(
        "united_kingdom",
        units={"sz7": {"united_kingdom": "transport, aircraft_carrier"}},
        cargo={
            "sz7": {
                "united_kingdom": [
                    {
                        "ship": "transport",
                        "load": {"united_kingdom": {"infantry": 1}, "united_states": {"tank": 1}},
                    },
                    {"ship": "aircraft_carrier", "load": {"united_states": {"fighter": 1}}},
                ]
            }
        },
    )
    (stack,) = picture(t).spaces["sz7"].stacks
    aboard = {
        piece.name: {(each.name, each.power) for each in piece.cargo} for piece in stack.pieces
    }
    assert aboard == {
        "Transport": {("Infantry", ""), ("Tank", "united_states")},
        "Aircraft carrier": {("Fighter", "united_states")},
    }


def test_what_a_unit_did_is_a_state_of_its_piece() -> None:
    t = table(
        "germany",
        units={
            "belorussia": {"germany": "2 tank"},
            "west_russia": {"soviet_union": "1 infantry"},
        },
        control={"west_russia": "soviet_union"},
    )
    t.do(move("tank", "belorussia > west_russia"))
    stacks = {stack.power: stack for stack in picture(t).spaces["west_russia"].stacks}
    assert stacks["germany"].pieces[0].states == ("moved",)
    assert stacks["soviet_union"].pieces[0].states == ()
    assert picture(t).spaces["belorussia"].stacks[0].pieces[0].states == ()


def test_a_space_where_a_battle_will_be_fought_is_tagged() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport, destroyer"},
            "sz6": {"germany": "submarine"},
            "united_kingdom": {"united_kingdom": "2 infantry, bomber"},
            "norway": {"germany": "infantry"},
        },
    )
    assert not any("battle" in space.tags for space in picture(t).spaces.values())
    t.do(
        move("destroyer", "sz7 > sz6"),
        sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"),
        move("bomber", "united_kingdom > sz6 > sz5 > germany", raid=True),
    )
    tags = {id: space.tags for id, space in picture(t).spaces.items() if space.tags}
    assert tags["norway"] == tags["germany"] == ("battle",)
    # Nobody has to fight a submarine.
    assert tags["sz6"] == ("contested",)


def test_the_battle_board_has_both_sides_with_their_strengths() -> None:
    t = land("3 infantry, 2 artillery, tank", "2 infantry, antiaircraft_artillery")
    battle = picture(t).battle
    assert battle is not None
    assert battle.space == "west_russia"
    attacker, defender = battle.sides
    assert attacker.strengths == {
        "Infantry": "2 hit at 2, 1 at 1",
        "Artillery": "hits at 2",
        "Tank": "hits at 3",
    }
    assert defender.strengths == {
        "Infantry": "hits at 2",
        "Antiaircraft artillery": "does not fire",
    }
    assert (attacker.power, defender.power) == ("soviet_union", "germany")
    assert attacker.title == "The Soviet Union attacks"


def test_guns_are_said_to_fire_at_aircraft_until_they_have() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport, cruiser"},
            "united_kingdom": {"united_kingdom": "2 infantry, fighter"},
            "norway": {"germany": "infantry, antiaircraft_artillery"},
        },
    )
    t.do(
        sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"),
        move("cruiser", "sz7 > sz6"),
        move("fighter", "united_kingdom > sz6 > norway"),
        Done(),
    )

    def guns() -> str:
        battle = picture(t).battle
        assert battle is not None
        return battle.sides[1].strengths["Antiaircraft artillery"]

    assert t.request.kind == "choose_bombardment"
    assert guns() == "fires at aircraft first"
    t.do(Bombard({})).dice(6)
    assert t.rolling.startswith("attack in norway")
    assert guns() == "does not fire"


def test_the_battle_board_shows_a_raid_with_its_interceptors() -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "bomber, fighter"},
            "germany": {"germany": "2 fighter"},
        },
        control={"northwestern_europe": "united_kingdom"},
        options={"interceptors": True},
    )
    t.do(move("bomber, fighter", "united_kingdom > sz6 > sz5 > germany", raid=True), Done())
    t.do(Intercept({"germany": 1}))
    battle = picture(t).battle
    assert battle is not None and battle.title == "Bombing raid on Germany"
    attacker, defender = battle.sides
    assert attacker.strengths == {"Bomber": "hits at 1", "Fighter": "hits at 1"}
    assert [piece.count for stack in defender.stacks for piece in stack.pieces] == [1]
    assert defender.strengths == {"Fighter": "hits at 2"}
    t.dice(1, 6)
    battle = picture(t).battle
    assert battle is not None and battle.step == "The industrial complex fires at the bombers"
    assert lost(battle) == (Counter(), Counter({"Fighter": 1}))


def test_before_a_landing_the_battle_board_shows_the_battle_at_sea() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport, battleship"},
            "sz6": {"germany": "destroyer"},
            "united_kingdom": {"united_kingdom": "2 infantry"},
            "norway": {"germany": "infantry"},
        },
    )
    t.do(
        move("battleship", "sz7 > sz6"),
        Sail(("sz7", "sz6"), (Load("united_kingdom", "sz7", {"infantry": 2}),), "norway"),
        Done(),
    )
    battle = picture(t).battle
    assert battle is not None and battle.space == "sz6"
    t.dice(1).dice(6)
    battle = picture(t).battle
    assert battle is not None and battle.space == "norway"


def lost(battle: Battle) -> tuple[Counter[str], ...]:
    """What each side has lost, by name."""
    return tuple(
        Counter({piece.name: piece.count for stack in side.lost for piece in stack.pieces})
        for side in battle.sides
    )


def test_the_battle_board_tells_round_step_and_losses() -> None:
    t = land("3 infantry, tank", "3 infantry, antiaircraft_artillery")
    seen = []

    def look() -> None:
        battle = picture(t).battle
        assert battle is not None
        seen.append((battle.round, battle.step, *lost(battle), battle.sides[1].note))

    look()
    t.dice(1, 6, 6, 6).do(Casualties({"germany": {"infantry": 1}}))
    look()
    t.dice(2, 6, 6).do(Casualties({"soviet_union": {"infantry": 1}}))
    look()
    t.do(Press())
    look()
    nothing: Counter[str] = Counter()
    one = Counter({"Infantry": 1})
    hit = "Already hit, fires once more: 1 infantry."
    assert seen == [
        (1, "The attacker fires", nothing, nothing, ""),
        (1, "The defender fires back", nothing, nothing, hit),
        (1, "Another round, or retreat", one, one, ""),
        (2, "The attacker fires", one, one, ""),
    ]


def test_the_battle_board_stays_at_sea_when_all_transports_of_a_landing_have_sunk() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport, destroyer"},
            "sz6": {"germany": "2 submarine, cruiser"},
            "united_kingdom": {"united_kingdom": "2 infantry, 2 bomber"},
            "norway": {"germany": "infantry"},
        },
    )
    t.do(
        move("destroyer", "sz7 > sz6"),
        move("2 bomber", "united_kingdom > sz6"),
        sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"),
        Done(),
    )
    t.dice(6, 6, 6).dice(6, 1, 1)
    assert t.asked == "united_kingdom press_or_retreat"
    battle = picture(t).battle
    assert battle is not None and (battle.space, battle.round) == ("sz6", 1)
    assert battle.title == "The United Kingdom attacks in Sea Zone 6, before the landing in Norway"
    assert lost(battle) == (Counter({"Destroyer": 1, "Transport": 1}), Counter())
    (sunk,) = (p for stack in battle.sides[0].lost for p in stack.pieces if p.cargo)
    assert (sunk.name, sunk.cargo[0].count) == ("Transport", 2)


@pytest.mark.parametrize(("bot", "seed", "rounds"), [("random", 22, 4), ("greedy", 23, 1)])
def test_battles_look_the_same_in_clones_undone_games_and_replays(
    bot: str, seed: int, rounds: int
) -> None:
    shown: dict[int, Picture] = {}
    steps: set[str] = set()
    twin: sandtable.Game | None = None
    last: sandtable.Game | None = None
    for last in played(bot, seed, rounds, {"interceptors": True}):
        now = last.rules.picture(last.state, ())
        if twin is not None:
            # Woken in the middle of a battle, and decided alike.
            entry = next(e for e in last.journal.since(twin.version) if isinstance(e, Decided))
            twin.submit(entry.power, entry.decision)
            assert twin.rules.picture(twin.state, ()) == now
        twin = None
        assert (last.state.combat is not None) <= bool(last.state.battle)
        if now.battle is not None:
            shown[last.version] = now
            steps.add(now.battle.step)
            twin = last.clone()
            again = last.at(last.version)
            for copy in (twin, again):
                assert copy.rules.picture(copy.state, ()) == now
                assert copy.hash == last.hash
    assert last is not None and len(shown) > 10 and len(steps) > 3
    replayed = load(save_text(last).encode())
    assert replayed.hash == last.hash
    for length, picture in shown.items():
        past = replayed.at(length)
        assert past.rules.picture(past.state, ()) == picture


# --- what happened -------------------------------------------------------------------------------


def test_every_event_is_a_line_with_spaces_and_powers_of_the_board() -> None:
    for bot, seed, rounds, options in (
        ("random", 5, 4, {"interceptors": True}),
        ("greedy", 6, 1, {}),
    ):
        last = None
        for game in played(bot, seed, rounds, options):
            last = game
        assert last is not None
        facts = last.state.facts
        for event in last.events:
            told = last.rules.line(last.state, event)
            assert told.text == words.sentence(facts, event)
            assert set(told.spaces) <= set(facts.spaces)
            assert told.power in ("", *facts.powers)
            dice = list(event.data.get("dice", ()))
            assert [face for throw in told.throws for face in throw.faces] == dice
            if "hits" in event.data and dice:
                assert sum(sum(throw.hits) for throw in told.throws) == event.data["hits"]
            assert msgspec.json.decode(msgspec.json.encode(told), type=Line) == told


def test_a_line_says_where_units_went_and_what_happened_there() -> None:
    facts = load_facts()

    def trace(kind: str, **data: Any) -> tuple[tuple[str, ...], str]:
        told = line(facts, Event(kind, data))
        return told.path, told.deed

    units, way = {"tank": 1}, ("germany", "poland", "baltic_states")
    assert trace("moved", power="germany", units=units, path=way) == (way, "")
    attack = {"power": "germany", "units": units, "raid": False, "path": ("libya", "egypt")}
    assert trace("attack_move", **attack) == (("libya", "egypt"), "battle")
    landing = {"power": "japan", "path": ("sz60", "sz61"), "space": "yunnan", "units": {"tank": 1}}
    assert trace("assault_announced", **landing) == (("sz60", "sz61", "yunnan"), "battle")
    voyage = {"power": "united_kingdom", "path": ("sz7", "sz6"), "loaded": 2, "units": {}}
    assert trace("sailed", space="", **voyage) == (("sz7", "sz6"), "")
    assert trace("sailed", space="norway", **voyage) == (("sz7", "sz6", "norway"), "")
    retreat = {"power": "germany", "path": ("egypt", "libya")}
    assert trace("retreated", **retreat) == (("egypt", "libya"), "")
    assert trace("battle_began", space="egypt", power="germany") == (("egypt",), "battle")
    taken = {
        "space": "egypt",
        "power": "germany",
        "recipient": "germany",
        "against": "united_kingdom",
    }
    assert trace("captured", **taken) == (("egypt",), "taken")
    assert trace("collected", power="germany", ipcs=40) == ((), "")


def test_a_new_turn_is_a_heading_and_fire_is_not() -> None:
    facts = load_facts()
    began = Event("turn_began", {"power": "japan", "round": 2})
    fired = Event(
        "fired",
        {
            "space": "egypt",
            "step": "attack",
            "round": 1,
            "lines": [["germany", "infantry", 2, 1, 6], ["germany", "tank", 1, 3, 6]],
            "dice": (1, 4, 3),
            "hits": 2,
        },
    )
    assert line(facts, began).level == 0
    told = line(facts, fired)
    assert told.level == 2
    assert told.spaces == ("egypt",)
    assert [(throw.label, throw.hits, throw.note) for throw in told.throws] == [
        ("2 infantry", (True, False), "needed a 1"),
        ("1 tank", (True,), "needed 3 or less"),
    ]


def test_a_path_is_mentioned_from_start_to_end() -> None:
    event = Event(
        "moved", {"power": "germany", "units": {"tank": 1}, "path": ("france", "germany", "poland")}
    )
    assert line(load_facts(), event).spaces == ("france", "germany", "poland")


# --- figures -------------------------------------------------------------------------------------


def test_figures_add_up_to_the_position() -> None:
    game = sandtable.new("aa1942")
    figures = game.rules.figures(game.state)
    facts = game.state.facts
    assert sum(figures["Income"].values()) == sum(space.ipc for space in facts.spaces.values())
    assert figures["IPCs in hand"]["germany"] == 41
    assert sum(figures["Victory cities"].values()) == 12
    price = sum(facts.units[unit.type].cost * n for _, unit, n in game.state.units())
    assert sum(figures["Forces"].values()) == price


def test_what_the_rules_derive_is_on_view() -> None:
    t = table(
        "germany",
        "mobilize",
        bought={"submarine": 9, "infantry": 5},
        control={"karelia_ssr": "germany", "russia": "japan"},
        damage={"germany": 3},
    )
    seen = t.game.observe("japan")["derived"]
    assert seen["production_left"] == {"germany": 7, "italy": 3, "karelia_ssr": 2}
    assert seen["victory_cities"] == {"allies": 4, "axis": 8}
    assert seen["income"]["soviet_union"] == 0, "its capital is lost"
    assert seen["income"]["germany"] == 43
    t.do(Place("sz5", {"submarine": 8}))
    t.do(Place("italy", {"infantry": 1}))
    left = t.game.observe("germany")["derived"]["production_left"]
    assert left == {"germany": 1, "italy": 2, "karelia_ssr": 1}, "either, not both"


def test_the_stage_says_why_units_hit_as_they_do() -> None:
    def notes(t: Table) -> list[str]:
        battle = t.game.rules.battle(t.game.state)
        assert battle is not None
        return [side.note for side in battle.sides]

    assert notes(land("2 infantry, artillery", "2 infantry")) == [
        "Each artillery lifts one infantry to 2.",
        "",
    ]
    attacker, defender = notes(sea("destroyer, fighter", "submarine"))
    assert "keep enemy submarines" in attacker and not defender
    attacker, _ = notes(sea("cruiser, fighter", "submarine"))
    assert "cannot hit submarines" in attacker
