"""Requests as forms: what they propose is legal, and their limits are the rules."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.games import aa1942
from sandtable.games.aa1942.forms import _FORMS
from sandtable.games.aa1942.forms.rules import HELP
from sandtable.games.aa1942.rules.landing import deficit, unlanded
from sandtable.kernel.decisions import Legal
from sandtable.kernel.display import Choice, Form, NoQuestion, Prospect
from sandtable.kernel.rules import load_index
from tests.aa1942.battles import land, sea
from tests.aa1942.positions import filled, played, proposed, within
from tests.aa1942.table import Casualties, Done, Fight, Retreat, Table, move, sail, table

FOUR = {
    "Anna": ["soviet_union"],
    "Ben": ["united_kingdom", "united_states"],
    "Carl": ["germany"],
    "Dora": ["japan"],
}

GAMES: tuple[tuple[str, int, int, dict[str, Any]], ...] = (
    ("random", 11, 4, {"interceptors": True, "players": FOUR}),
    ("random", 12, 5, {"setup": "tournament", "cities": 13, "dardanelles": True}),
    ("random", 13, 6, {"interceptors": True}),
    ("greedy", 14, 1, {}),
    ("greedy", 15, 1, {"interceptors": True, "victory": "total"}),
)


@cache
def forms() -> tuple[tuple[Legal, Form], ...]:
    """The forms of all requests in some games, each with its position."""
    return tuple(
        (Legal(request, game.state.copy()), game.rules.form(game.legal(request)))
        for bot, seed, rounds, options in GAMES
        for game in played(bot, seed, rounds, options)
        for request in game.pending
    )


def form(t: Table) -> Form:
    return t.game.rules.form(t.game.legal(t.request))


def choice(form: Form, label: str) -> Choice:
    (found,) = (choice for choice in form.choices if choice.label == label)
    return found


# --- all of them ---------------------------------------------------------------------------------


def test_whatever_a_form_proposes_is_legal() -> None:
    rng = random.Random(1)
    for legal, form in forms():
        assert form.component != "schema"
        assert form.title and form.prompt and form.power == legal.asked.power
        assert form.auto is None or form.auto in legal
        assert form.done is None or (form.done in legal) == (not form.done_problem)
        if form.component == "assign" and within(form.limits, form.rows, proposed(form.rows)):
            assert filled(form.base, form.rows, proposed(form.rows)) in legal
        for choice in rng.sample(form.choices, min(8, len(form.choices))):
            decision = filled(choice.decision, choice.rows, proposed(choice.rows))
            assert decision in legal, choice
            assert within(choice.limits, choice.rows, proposed(choice.rows)), choice


def test_forms_survive_json_and_name_things_by_words() -> None:
    ids = [id for id in sandtable.new("aa1942").state.facts.spaces if "_" in id]
    ids += ["soviet_union", "united_kingdom", "united_states", "antiaircraft_artillery"]
    for _, form in forms():
        assert msgspec.json.decode(msgspec.json.encode(form), type=Form) == form
        texts = [form.title, form.prompt, form.done_label, form.done_problem, *form.notes]
        texts += [text for row in form.rows for text in (row.label, row.note, row.group)]
        texts += [text for choice in form.choices for text in (choice.label, choice.detail)]
        texts += [row.label for mover in form.movers for row in mover.rows]
        for text in texts:
            assert "_" not in text and not any(id in text for id in ids), text


def test_every_kind_of_request_has_a_form_and_rules_to_read() -> None:
    index = load_index(Path(aa1942.__file__).parent / "rules.yaml")
    for kind in _FORMS:
        assert HELP[kind]
        assert all(id in index and name for id, name in HELP[kind].items())


def test_rows_of_a_form_have_keys_of_their_own() -> None:
    for _, form in forms():
        for rows in (form.rows, *(mover.rows for mover in form.movers)):
            assert len({row.key for row in rows}) == len(rows)
            assert all(row.most > 0 or form.component == "buy" for row in rows)


# --- purchase ------------------------------------------------------------------------------------


def test_any_order_within_the_budget_can_be_bought() -> None:
    rng = random.Random(2)
    t = table("germany", "purchase", damage={"germany": 4}, treasury={"germany": 30})
    form_ = form(t)
    legal = t.game.legal(t.request)
    budget = [limit for limit in form_.limits if limit.by_cost]
    for _ in range(300):
        numbers = {
            row.key: rng.randint(0, 1 + row.most) if rng.random() < 0.3 else 0 for row in form_.rows
        }
        fits = within(budget, form_.rows, numbers) and all(
            numbers[row.key] <= row.most for row in form_.rows
        )
        assert (filled(form_.base, form_.rows, numbers) in legal) == fits


def test_a_repair_makes_room_for_one_more_unit() -> None:
    t = table("germany", "purchase", damage={"germany": 4}, treasury={"germany": 60})
    form_ = form(t)
    (room,) = (limit for limit in form_.limits if not limit.by_cost)
    # Germany can place 6 in Germany and what Italy is worth there.
    assert not within([room], form_.rows, {"infantry": room.most + 1})
    assert within([room], form_.rows, {"infantry": room.most + 1, "repair:germany": 1})
    assert within([room], form_.rows, {"infantry": room.most, "industrial_complex": 1})
    assert any("6 in Germany" in note for note in form_.notes)


# --- movement ------------------------------------------------------------------------------------


def test_what_has_moved_is_not_offered_again() -> None:
    t = table(
        "germany",
        units={
            "belorussia": {"germany": "2 tank, antiaircraft_artillery"},
            "west_russia": {"soviet_union": "infantry"},
        },
        control={"west_russia": "soviet_union"},
    )
    t.do(move("tank", "belorussia > west_russia"))
    (mover,) = form(t).movers
    assert (mover.space, [(row.key, row.most) for row in mover.rows]) == (
        "belorussia",
        [("tank", 1)],
    )


def test_a_form_lists_the_battles_to_come() -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "bomber, 2 infantry"},
            "sz7": {"united_kingdom": "transport"},
            "norway": {"germany": "infantry"},
            "france": {"united_kingdom": "2 tank"},
            "germany": {"germany": "2 infantry"},
        },
        control={"france": "united_kingdom"},
    )
    assert form(t).done_warning == "No attack has been sent yet."
    t.do(
        sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"),
        move("bomber", "united_kingdom > sz6 > sz5 > germany", raid=True),
        move("2 tank", "france > germany"),
    )
    assert form(t).done_warning == ""
    assert form(t).battles == (
        Prospect(
            "germany",
            "2 tanks against 2 infantry; 1 bomber against the industrial complex",
        ),
        Prospect("norway", "2 infantry against 1 infantry"),
    )


def test_whoever_leaves_a_city_or_a_complex_bare_is_warned() -> None:
    units = {"germany": {"germany": "infantry"}, "france": {"germany": "tank"}}
    t = table("germany", "noncombat_move", units=units)
    assert form(t).done_warning == "Nobody defends Italy."
    t.do(move("tank", "france > italy"))
    assert form(t).done_warning == "Nobody defends France."


def test_a_transport_stands_with_what_it_could_load_here_and_on_its_way() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz8": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "3 infantry, tank"},
            "gibraltar": {"united_kingdom": "artillery"},
            "egypt": {"united_kingdom": "infantry"},
        },
    )
    (mover,) = (mover for mover in form(t).movers if mover.space == "sz8")
    assert {row.key: row.most for row in mover.rows} == {
        "transport": 1,
        "load/united_kingdom/infantry": 3,
        "load/united_kingdom/tank": 1,
        "load/gibraltar/artillery": 1,
    }


def test_aircraft_that_still_have_to_land_keep_the_phase_open() -> None:
    t = table(
        "germany",
        "noncombat_move",
        units={"sz5": {"germany": {"fighter": [{"used": 1, "duty": "fought"}]}}},
    )
    form_ = form(t)
    assert form_.done_problem == "Aircraft still have to land: 1 fighter in Sea Zone 5."
    assert {choice.group for choice in form_.choices} == {"To land: 1 fighter in Sea Zone 5"}
    assert [choice.label for choice in form_.choices] == [
        "Land in Baltic States",
        "Land in Finland",
        "Land in Germany",
    ]
    assert form_.movers[0].rows[0].note == "can still fly 3"


FAR = {"used": 4, "duty": "fought"}
ISLANDS = ("caroline_islands", "iwo_jima", "new_guinea", "solomon_islands", "wake_island")


@pytest.mark.parametrize(
    ("units", "bought", "note"),
    [
        pytest.param(
            {"sz53": {"fighter": [FAR, FAR]}, "sz55": {"aircraft_carrier": 1}},
            {},
            "2 fighters in Sea Zone 53 have no landing place. Bring a carrier, for example from "
            "Sea Zone 55 to Sea Zone 53.",
            id="a carrier has to come",
        ),
        pytest.param(
            {
                "sz57": {"fighter": [{"used": 3, "duty": "fought"}]},
                "sz58": {"aircraft_carrier": [{"used": 1, "duty": "fought"}], "fighter": 2},
            },
            {},
            "1 fighter in Sea Zone 57 has no landing place. Make room: a fighter has to leave the "
            "carrier in Sea Zone 58 first.",
            id="a deck is full",
        ),
        pytest.param(
            {"sz58": {"fighter": [{"used": 2, "duty": "fought"}]}},
            {"aircraft_carrier": 1},
            "",
            id="a carrier was bought",
        ),
        pytest.param(
            {
                "sz53": {"fighter": [{"used": 2, "duty": "fought"}]},
                "sz55": {"aircraft_carrier": [{"used": 2, "duty": "moved"}], "fighter": 2},
                "sz63": {
                    "aircraft_carrier": 1,
                    "fighter": [FAR, {"used": 1, "duty": "fought"}],
                },
                "sz44": {
                    "aircraft_carrier": [{"used": 1, "duty": "moved"}],
                    "fighter": [{"used": 1, "duty": "landed"}] * 2,
                },
            },
            {},
            "1 fighter in Sea Zone 53 has no landing place. Make room: a fighter has to leave the "
            "carrier in Sea Zone 63 first.",
            id="each deck waits for the next",
        ),
        pytest.param(
            {"sz53": {"fighter": [FAR, FAR, FAR]}, "sz55": {"aircraft_carrier": 1}},
            {},
            "3 fighters in Sea Zone 53 have no landing place. Bring a carrier, for example from "
            "Sea Zone 55 to Sea Zone 53.",
            id="not all can be saved",
        ),
    ],
)
def test_a_form_shows_the_way_to_the_end_of_the_phase(
    units: dict[str, Any], bought: dict[str, int], note: str
) -> None:
    t = table(
        "japan",
        "noncombat_move",
        units={zone: {"japan": row} for zone, row in units.items()},
        control=dict.fromkeys(ISLANDS, "united_states"),
        bought=bought,
    )
    assert not note or note in form(t).notes
    rng = random.Random(1)
    for _ in range(8):
        way = Table(t.game.clone())
        lost = deficit(way.s).most
        while form(way).done_problem:
            way.game.submit("japan", rng.choice(form(way).choices).decision)
        assert sum(count for _, _, count in unlanded(way.s)) == lost
        assert bool(form(way).notes) == bool(lost)
        assert not form(way).choices


@pytest.mark.parametrize(("bot", "seed", "rounds"), [("random", 31, 6), ("greedy", 32, 1)])
def test_aircraft_can_always_be_landed_by_what_a_form_offers(
    bot: str, seed: int, rounds: int
) -> None:
    tried: set[str] = set()
    for game in played(bot, seed, rounds):
        way = Table(game.clone())
        while way.asked.endswith("noncombat_move") and form(way).done_problem:
            shown = form(way)
            for place, unit, _ in unlanded(way.s):
                name = way.s.facts.name(place)
                assert name in shown.done_problem
                told = [*shown.notes, *(choice.group for choice in shown.choices)]
                assert any(name in text for text in told)
                assert unit.type in shown.done_problem
            tried.add(way.s.turn)
            way.game.submit(way.s.turn, shown.choices[0].decision)
    assert len(tried) > 1


# --- battles -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attackers", "defenders"),
    [
        ("submarine, destroyer, 2 fighter, battleship", "2 submarine, battleship, transport"),
        ("2 fighter, cruiser, submarine", "submarine, destroyer, transport, aircraft_carrier"),
        ("3 submarine, 2 fighter", "2 battleship, 2 cruiser, 2 transport"),
    ],
)
def test_the_limits_of_casualties_are_exactly_the_rule(attackers: str, defenders: str) -> None:
    asked = 0
    for seed in range(8):
        rng = random.Random(seed)
        t = sea(attackers, defenders)
        while t.s.battle:
            if t.asked == "chance roll":
                t.dice(*(rng.randint(1, 4) for _ in range(t.request.dice)))
                continue
            if t.request.kind == "choose_casualties":
                asked += 1
                assert _agrees(t, random.Random(seed))
            t.game.submit(t.request.power, t.game.legal(t.request).sample(rng))
    assert asked >= 5


def test_transports_take_what_hits_are_left() -> None:
    load = {"ship": "transport", "load": {"united_kingdom": {"infantry": 1}}}
    t = sea("3 cruiser", "cruiser, 2 transport", cargo={"sz8": {"united_kingdom": [load]}})
    t.dice(1, 1, 6)
    assert t.request.kind == "choose_casualties"
    form_ = form(t)
    assert [(limit.label, limit.most, limit.least) for limit in form_.limits] == [
        ("Hits assigned", 1, 1),
        ("Transports lost", 1, 1),
    ]
    assert {row.label for row in form_.rows} == {
        "Cruiser",
        "Transport",
        "Transport with infantry",
    }
    assert _agrees(t, random.Random(5))


def _agrees(t: Table, rng: random.Random) -> bool:
    form_, legal = form(t), t.game.legal(t.request)
    for _ in range(300):
        numbers = {row.key: rng.randint(0, row.most) for row in form_.rows}
        fits = within(form_.limits, form_.rows, numbers)
        if (filled(form_.base, form_.rows, numbers) in legal) != fits:
            return False
    return True


def test_casualties_in_played_games_follow_the_limits_too() -> None:
    rng = random.Random(4)
    for legal, form_ in forms():
        if form_.kind != "choose_casualties":
            continue
        assert within(form_.limits, form_.rows, proposed(form_.rows))
        for _ in range(20):
            numbers = {row.key: rng.randint(0, row.most) for row in form_.rows}
            fits = within(form_.limits, form_.rows, numbers)
            assert (filled(form_.base, form_.rows, numbers) in legal) == fits


def test_a_clear_battle_is_chosen_and_pressed_by_itself() -> None:
    def battles(defenders: str) -> Table:
        t = table(
            "soviet_union",
            units={
                "russia": {"soviet_union": "6 infantry, 4 tank"},
                "west_russia": {"germany": defenders},
                "karelia_ssr": {"soviet_union": "2 infantry"},
                "baltic_states": {"germany": "8 infantry"},
            },
        )
        return t.do(
            move("6 infantry", "russia > west_russia"),
            move("4 tank", "russia > west_russia"),
            move("2 infantry", "karelia_ssr > baltic_states"),
            Done(),
        )

    clear = battles("2 infantry")
    assert form(clear).auto == {"kind": "fight", "space": "west_russia"}
    assert form(battles("12 infantry")).auto is None
    clear.do(Fight("west_russia")).dice(6, 6, 6, 6, 6, 6, 6, 6, 6, 6).dice(6, 6)
    assert form(clear).auto == {"kind": "press"}


def test_a_lost_battle_is_not_pressed_by_itself() -> None:
    t = land("2 infantry", "5 infantry")
    t.dice(6, 6).dice(6, 6, 6, 6, 6)
    form_ = form(t)
    assert form_.auto is None
    assert [c.label for c in form_.choices] == ["Press the attack", "Retreat to Russia"]
    assert form_.title == "West Russia: after round 1"


def test_submarines_may_strike_or_submerge_in_any_number() -> None:
    t = sea("2 submarine", "cruiser")
    form_ = form(t)
    assert [c.decision["submarines"] for c in form_.choices] == [0, 2, 1]


def test_ships_bombard_as_many_as_units_land() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport, battleship"},
            "sz6": {"united_kingdom": "cruiser"},
            "united_kingdom": {"united_kingdom": "infantry"},
            "norway": {"germany": "infantry"},
        },
    )
    t.do(
        sail("sz7 > sz6", "infantry from united_kingdom in sz7", offload="norway"),
        move("battleship", "sz7 > sz6"),
        Done(),
    )
    form_ = form(t)
    assert form_.kind == "choose_bombardment"
    assert proposed(form_.rows) == {"sz6:battleship": 1, "sz6:cruiser": 0}
    assert not within(form_.limits, form_.rows, {"sz6:battleship": 1, "sz6:cruiser": 1})


def test_interceptors_are_proposed_where_they_are_enough() -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "bomber"},
            "germany": {"germany": "2 fighter"},
        },
        options={"interceptors": True},
    )
    t.do(move("bomber", "united_kingdom > sz6 > sz5 > germany", raid=True), Done())
    form_ = form(t)
    assert form_.kind == "commit_interceptors"
    assert proposed(form_.rows) == {"germany": 2}
    assert not within(form_.limits, form_.rows, {"germany": 0})


# --- mobilization --------------------------------------------------------------------------------


def bought(**units: int) -> Table:
    t = table(
        "germany",
        "mobilize",
        units={"sz5": {"germany": "aircraft_carrier"}},
        bought=units,
        damage={"germany": 5},
    )
    return t


def test_units_are_placed_up_to_what_a_complex_can_take() -> None:
    form_ = form(bought(infantry=8, fighter=1))
    germany = choice(form_, "Place in Germany")
    assert germany.limits[0].most == 5
    assert within(germany.limits, germany.rows, {"infantry": 5})
    assert not within(germany.limits, germany.rows, {"infantry": 5, "fighter": 1})
    assert form_.done is None and "in Germany" in form_.done_problem


def test_new_fighters_go_to_sea_only_as_far_as_there_are_decks() -> None:
    form_ = form(bought(fighter=5, aircraft_carrier=1))
    baltic = choice(form_, "Place in Sea Zone 5")
    assert within(baltic.limits, baltic.rows, {"fighter": 2})
    assert not within(baltic.limits, baltic.rows, {"fighter": 3})
    assert within(baltic.limits, baltic.rows, {"fighter": 4, "aircraft_carrier": 1})


def test_a_new_complex_can_go_wherever_one_may_be_built() -> None:
    t = bought(industrial_complex=1)
    form_ = form(t)
    legal = t.game.legal(t.request)
    offered = {c.spaces[0] for c in form_.choices}
    assert offered == {decision.space for decision in legal if hasattr(decision, "space")}
    assert "france" in offered


def test_whatever_can_be_placed_stands_in_the_form() -> None:
    for legal, form_ in forms():
        if form_.kind != "mobilize":
            continue
        places = {c.spaces[0]: c for c in form_.choices if c.rows}
        for decision in legal:
            if not hasattr(decision, "space") or "industrial_complex" in decision.units:
                continue
            place = places[decision.space]
            numbers = dict(decision.units)
            assert within(place.limits, place.rows, numbers), (place, decision)
            assert filled(place.decision, place.rows, numbers)["units"] == decision.units


# --- other questions -----------------------------------------------------------------------------


def test_there_is_nothing_to_reach_outside_movement() -> None:
    t = table("germany", "purchase", treasury={"germany": 30})
    with pytest.raises(NoQuestion):
        t.game.rules.reach(t.game.legal(t.request), "germany", {"infantry": 1})


def test_an_ally_may_be_taken_aboard_or_refused() -> None:
    t = table(
        "united_kingdom",
        "noncombat_move",
        units={
            "sz7": {"united_states": "aircraft_carrier"},
            "united_kingdom": {"united_kingdom": "fighter"},
        },
        options={"players": FOUR | {"Ben": ["united_kingdom"], "Emil": ["united_states"]}},
    )
    t.do(move("fighter", "united_kingdom > sz7"))
    form_ = form(t)
    assert form_.kind == "share_space"
    assert [c.decision["agree"] for c in form_.choices] == [True, False]
    assert "The United Kingdom asks to bring 1 fighter aboard" in form_.prompt


def test_submarines_in_the_way_of_a_landing_may_be_attacked_or_ignored() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport, destroyer"},
            "sz6": {"germany": "submarine"},
            "united_kingdom": {"united_kingdom": "infantry"},
            "norway": {"germany": "infantry"},
        },
    )
    t.do(
        move("destroyer", "sz7 > sz6"),
        sail("sz7 > sz6", "infantry from united_kingdom in sz7", offload="norway"),
        Done(),
    )
    form_ = form(t)
    assert form_.kind == "engage_or_ignore"
    assert [c.decision["attack"] for c in form_.choices] == [True, False]
    assert (form_.battle, form_.choices[0].battle, form_.auto) == ("sz6", "sz6", None)


def test_a_stranded_fighter_may_go_wherever_the_rules_let_it() -> None:
    t = table(
        "japan",
        units={
            "sz35": {"united_kingdom": "aircraft_carrier, fighter"},
            "sz34": {"united_kingdom": "aircraft_carrier"},
            "sz36": {"japan": "2 cruiser"},
        },
    )
    t.do(move("2 cruiser", "sz36 > sz35"), Done())
    t.dice(3, 6).do(Casualties({"united_kingdom": {"aircraft_carrier": 1}}))
    t.dice(6, 6).do(Retreat("sz36"))
    form_ = form(t)
    assert form_.kind == "land_stranded"
    legal = t.game.legal(t.request)
    assert {c.spaces for c in form_.choices} == {("india",), ("sz34",)}
    assert all(c.decision in legal for c in form_.choices)
