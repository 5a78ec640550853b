"""Step F: attacks on land areas announced, defended and resolved (5.3)."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from msgspec.structs import replace

from sandtable.games.blitz.model import Attack, State
from sandtable.games.blitz.rules.bases import Return
from sandtable.games.blitz.rules.displaced import Place
from sandtable.games.blitz.rules.land_combat import (
    AnnounceAttack,
    ChooseNextAttack,
    CommitDefence,
    Defend,
    GiveWay,
    LandAreaCombat,
    ResolveAttack,
    SettleDispute,
    can_defend,
    unfit,
)
from sandtable.games.blitz.rules.land_round import attack_strength
from sandtable.games.blitz.rules.rounds import AssignDamage, Damage
from sandtable.games.blitz.rules.steps import DeclareWar, Done, Wait
from sandtable.kernel.decisions import Pass
from sandtable.kernel.errors import IllegalDecision
from tests.blitz.table import Play, position

Combat = Literal["ground", "factory", "port"]

WARS = [
    ("germany", "afa"),
    ("germany", "usa"),
    ("germany", "ussr"),
    ("japan", "afa"),
    ("japan", "usa"),
]


def side_of(power: str) -> str:
    return "axis" if power in ("germany", "japan") else "allied"


def war(
    power: str,
    units: dict[str, Any],
    *,
    scenario: str = "campaign",
    options: dict[str, Any] | None = None,
    **given: Any,
) -> State:
    """A position in step F of a power's side, at war and without snow unless told."""
    setting: dict[str, Any] = {"phase": f"{side_of(power)}_activities", "step": "F", "turn": 5}
    if scenario == "campaign":
        setting["wars"] = WARS
    state: State = position(scenario, options, units=units, **{**setting, **given})
    return state


def game(
    power: str,
    units: dict[str, Any],
    *,
    scenario: str = "campaign",
    options: dict[str, Any] | None = None,
    **given: Any,
) -> Play:
    """The same as a game; the powers of the side before `power` are done."""
    setting: dict[str, Any] = {"phase": f"{side_of(power)}_activities", "step": "F", "turn": 5}
    if scenario == "campaign":
        setting["wars"] = WARS
    play = Play(scenario, options, units=units, **{**setting, **given})
    while play.state.queue[0] != power:
        play.do(play.state.queue[0], Done())
    return play


def all_done(play: Play) -> Play:
    """Nobody announces anything more."""
    phase = play.state.phase
    while play.state.queue and play.state.phase == phase:
        play.do(play.state.queue[0], Done())
    return play


def refusal(
    s: State,
    power: str,
    combat: Combat,
    target: str,
    *units: str,
    port: str = "",
    flying: tuple[str, ...] = (),
) -> str:
    """The rule that forbids an attack; nothing if it is allowed."""
    try:
        LandAreaCombat(power).check(s, AnnounceAttack(combat, target, units, port, flying))
    except IllegalDecision as error:
        return str(error.rule)
    return ""


WEST = {
    "ger_army_group_b": {"at": "western_germany", "size": 2},
    "ger_18th_army": {"at": "western_germany", "size": 2},
    "ger_luftwaffe": {"at": "western_germany", "size": 2},
    "ger_stukas": {"at": "western_germany", "size": 2},
    "afa_1st_army_group": {"at": "paris", "size": 2},
    "afa_royal_air_force": {"at": "london", "size": 2},
}


# --- announcing -----------------------------------------------------------------------------------


@pytest.mark.rule("blitz:A.6a")
@pytest.mark.rule("blitz:A.6b")
@pytest.mark.rule("blitz:5.3.commit-b")
def test_ex_a_6_1() -> None:
    play = Play(
        "A",
        base="setup",
        phase="axis_activities",
        step="F",
        control={"belgium_netherlands": "afa"},
        allied={"belgium_netherlands": "afa"},
    )
    belgium = AnnounceAttack("ground", "belgium_netherlands", ("ger_18th_army", "ger_luftwaffe"))
    assert play.refused("germany", belgium) == "5.3.commit-b"
    poland = ("ger_army_group_center", "ger_army_group_north", "ger_1st_para", "ger_luftwaffe")
    play.do(
        "germany",
        AnnounceAttack("ground", "belgium_netherlands", ("ger_18th_army",)),
        AnnounceAttack("ground", "poland", poland),
    )
    # Both stand announced, and nothing has been resolved.
    assert [(a.target, a.units) for a in play.state.attacks] == [
        ("belgium_netherlands", ("ger_18th_army",)),
        ("poland", poland),
    ]
    assert play.events("fired") == []
    assert play.state.control["belgium_netherlands"] == "afa"


@pytest.mark.rule("blitz:5.3a")
@pytest.mark.rule("blitz:A.6a")
def test_announce_all_then_defend_all_then_resolve_in_any_order() -> None:
    play = game(
        "germany",
        {
            **WEST,
            "ger_army_group_center": {"at": "berlin", "size": 2},
            "afa_polish_army": {"at": "poland", "size": 2},
        },
    )
    play.do("germany", AnnounceAttack("ground", "paris", ("ger_army_group_b", "ger_luftwaffe")))
    play.do("germany", AnnounceAttack("ground", "poland", ("ger_army_group_center",)))
    all_done(play)
    request = play.request_of("afa")
    assert isinstance(request, CommitDefence)
    assert request.units == {"0": ("afa_royal_air_force",)}
    for none in (Defend({}), Defend({"0": ()})):
        assert play.refused("afa", none) == "5.3.def-a"  # to send nobody is to pass
    play.do("afa", Defend({"0": ("afa_royal_air_force",)}))
    order = play.request_of("germany")
    assert isinstance(order, ChooseNextAttack)
    assert order.attacks == (0, 1)
    assert play.refused("germany", ResolveAttack(2)) == "5.3a"
    assert play.refused("germany", ResolveAttack(-1)) == "5.3a"
    play.do("germany", ResolveAttack(1))
    play.dice(1).dice(1)
    # The last one needs no choice: its Air Round comes at once.
    assert [a.resolved for a in play.state.attacks] == [True, True]
    assert [e["space"] for e in play.events("attack_began")] == ["poland", "paris"]


@pytest.mark.rule("blitz:5.3b")
def test_only_enemies_at_war_are_attacked() -> None:
    units = {**WEST, "ger_army_group_a": {"at": "berlin", "size": 2}}
    s = war("germany", units, wars=[("germany", "afa")], control={"poland": "ussr"})
    assert refusal(s, "germany", "ground", "paris", "ger_18th_army") == ""
    assert refusal(s, "germany", "ground", "belgium_netherlands", "ger_18th_army") == "5.3b"
    assert refusal(s, "germany", "ground", "berlin", "ger_18th_army") == "5.3b"
    assert refusal(s, "germany", "ground", "poland", "ger_army_group_a") == "5.3b"
    assert refusal(s, "germany", "ground", "atlantis", "ger_18th_army") == "5.3b"
    s = war("germany", units, control={"poland": "ussr"})
    assert refusal(s, "germany", "ground", "poland", "ger_army_group_a") == ""


@pytest.mark.rule("blitz:5.3b")
def test_war_is_declared_in_the_same_step() -> None:
    play = game("germany", WEST, turn=5)
    attack = AnnounceAttack("ground", "belgium_netherlands", ("ger_18th_army",))
    assert play.refused("germany", attack) == "5.3b"
    play.do("germany", DeclareWar("belgium_netherlands"))
    play.do("germany", attack)
    assert play.state.attacks[0].target == "belgium_netherlands"


@pytest.mark.rule("blitz:5.3c")
def test_nobody_has_to_attack() -> None:
    play = all_done(game("germany", WEST))
    assert play.state.attacks == ()
    assert play.state.phase == "allied_activities"


@pytest.mark.rule("blitz:5.3.type-a")
@pytest.mark.rule("blitz:D.6a")
@pytest.mark.rule("blitz:D.6d")
def test_factory_attack_needs_an_air_unit_and_a_factory() -> None:
    s = war(
        "usa",
        {
            "usa_1st_tactical_air_force": {"at": "london", "size": 2},
            "usa_1st_us_army": {"at": "paris", "size": 2},
            "usa_pacific_fleet": {"at": "north_sea", "size": 2},
            "afa_north_sea_fleet": {"at": "north_sea", "size": 2},
        },
    )
    assert refusal(s, "usa", "factory", "western_germany", "usa_1st_tactical_air_force") == ""
    with_cv = ("usa_1st_tactical_air_force", "usa_pacific_fleet")
    assert refusal(s, "usa", "factory", "western_germany", *with_cv) == ""
    assert refusal(s, "usa", "factory", "western_germany", "usa_pacific_fleet") == "5.3.type-a"
    assert refusal(s, "usa", "factory", "western_germany", "usa_1st_us_army") == "5.3.type-a"
    assert refusal(s, "afa", "factory", "western_germany", "afa_north_sea_fleet") == "D.6d"
    norway = war(
        "usa",
        {"usa_1st_tactical_air_force": {"at": "scotland", "size": 2}},
        control={"norway": "germany"},
        allied={"norway": "germany"},
    )
    assert refusal(norway, "usa", "factory", "norway", "usa_1st_tactical_air_force") == "5.3.type-a"


@pytest.mark.rule("blitz:5.3.type-b")
def test_ground_attack_needs_a_land_unit() -> None:
    s = war("germany", WEST)
    assert refusal(s, "germany", "ground", "paris", "ger_luftwaffe") == "5.3.type-b"
    assert refusal(s, "germany", "ground", "paris", "ger_18th_army", "ger_luftwaffe") == ""
    assert refusal(s, "germany", "ground", "paris") == "5.3.commit-a"
    assert refusal(s, "germany", "ground", "paris", "ger_18th_army", port="x") == "5.3.type-c"


PORT = {
    "afa_north_atlantic_fleet": {"at": "western_approaches", "size": 2},
    "afa_north_sea_fleet": {"at": "western_approaches", "size": 2},
    "ger_u_boat_ii": {"at": "paris", "size": 2},
    "ger_bb_fleet": {"at": "vichy_france", "size": 2},
}
FRANCE = {"paris": "germany", "vichy_france": "germany"}


@pytest.mark.rule("blitz:5.3.type-c")
@pytest.mark.rule("blitz:5.3.def-c")
def test_ex_5_3_port() -> None:
    s = war("afa", PORT, control=FRANCE)
    fleet = "afa_north_atlantic_fleet"
    for target, port in (("paris", "western_approaches"), ("vichy_france", "mediterranean_sea")):
        assert refusal(s, "afa", "port", target, fleet, port=port) == "5.3.type-c"


@pytest.mark.rule("blitz:5.3.type-c")
@pytest.mark.rule("blitz:5.3.commit-e")
@pytest.mark.rule("blitz:E.2b")
def test_port_attack_by_carriers_and_air_units() -> None:
    ships = {**PORT, "ger_high_seas_fleet": {"at": "paris", "size": 2}}
    bombers = {"afa_bomber_command": {"at": "london", "size": 2}}
    port = "western_approaches"
    s = war("afa", {**ships, **bombers}, control=FRANCE)
    fleet = "afa_north_atlantic_fleet"
    assert refusal(s, "afa", "port", "paris", fleet, port=port) == ""
    assert refusal(s, "afa", "port", "paris", "afa_bomber_command", port=port) == ""
    assert refusal(s, "afa", "port", "paris", fleet, "afa_bomber_command", port=port) == ""
    # A BB does not take part, and a port that is not there cannot be attacked.
    assert refusal(s, "afa", "port", "paris", "afa_north_sea_fleet", port=port) == "5.3.type-c"
    assert refusal(s, "afa", "port", "paris", fleet, port="north_sea") == "5.3.type-c"
    for guard in ("ger_u_boat_i", "ger_graf_zeppelin"):
        guarded = {**ships, **bombers, guard: {"at": "western_approaches", "size": 1}}
        s = war("afa", guarded, control=FRANCE)
        assert refusal(s, "afa", "port", "paris", fleet, port=port) == "5.3.type-c"
        assert refusal(s, "afa", "port", "paris", "afa_bomber_command", port=port) == ""
    flown = {**ships, "ger_luftwaffe": {"at": "western_approaches", "size": 1}}
    s = war("afa", flown, control=FRANCE)
    assert refusal(s, "afa", "port", "paris", fleet, port=port) == "5.3.type-c"
    convoyed = {**ships, "ger_seelowe_trs": {"at": "western_approaches", "size": 1}}
    s = war("afa", convoyed, control=FRANCE)
    assert refusal(s, "afa", "port", "paris", fleet, port=port) == ""
    docked = {**ships, fleet: {"at": "london", "size": 2}}
    s = war("afa", docked, control=FRANCE)
    assert refusal(s, "afa", "port", "paris", fleet, port=port) == "5.3.commit-e"


@pytest.mark.rule("blitz:5.3.type-d")
@pytest.mark.rule("blitz:5.3.commit-a")
def test_one_attack_of_each_kind_with_different_units() -> None:
    play = game(
        "germany", {**WEST, "afa_brest_fleet": {"at": "paris", "port": "western_approaches"}}
    )
    play.do("germany", AnnounceAttack("ground", "paris", ("ger_18th_army",)))
    again = AnnounceAttack("ground", "paris", ("ger_army_group_b",))
    assert play.refused("germany", again) == "5.3.type-d"
    reused = AnnounceAttack("ground", "belgium_netherlands", ("ger_18th_army",))
    assert play.refused("germany", reused) == "5.3b"
    play.do("germany", AnnounceAttack("factory", "paris", ("ger_luftwaffe",)))
    taken = AnnounceAttack("port", "paris", ("ger_luftwaffe",), "western_approaches")
    assert play.refused("germany", taken) == "5.3.commit-a"
    play.do("germany", AnnounceAttack("port", "paris", ("ger_stukas",), "western_approaches"))
    assert [attack.kind for attack in play.state.attacks] == ["ground", "factory", "port"]
    twice = AnnounceAttack("ground", "paris", ("ger_18th_army", "ger_18th_army"))
    assert play.refused("germany", twice) == "5.3.type-d"
    assert refusal(war("germany", WEST), "germany", "ground", "paris", *twice.units) == (
        "5.3.commit-a"
    )


def test_other_powers_and_unknown_units_are_not_ones_own() -> None:
    s = war("germany", WEST)
    assert refusal(s, "germany", "ground", "paris", "afa_1st_army_group") == "5.3.units-a"
    assert refusal(s, "germany", "ground", "paris", "no_such_unit") == "5.3.units-a"
    assert (
        refusal(s, "germany", "ground", "paris", "ger_18th_army", flying=("ger_1st_para",))
        == "5.3.commit-b"
    )


# --- allies ---------------------------------------------------------------------------------------

JOINT = {
    "afa_bef": {"at": "paris", "size": 2},
    "afa_bomber_command": {"at": "london", "size": 2},
    "usa_1st_us_army": {"at": "paris", "size": 2},
    "usa_1st_tactical_air_force": {"at": "london", "size": 2},
    "sov_western_front": {"at": "berlin", "size": 2},
    "ger_18th_army": {"at": "western_germany", "size": 2},
}


@pytest.mark.rule("blitz:5.3.ally-a")
@pytest.mark.rule("blitz:5.3.units-a")
@pytest.mark.parametrize("give_way", [True, False])
def test_ex_5_3_joint(give_way: bool) -> None:
    play = game("afa", JOINT, control={"berlin": "ussr", "poland": "ussr"})
    target = "western_germany"
    play.do("afa", AnnounceAttack("factory", target, ("afa_bomber_command",)))
    play.do("afa", AnnounceAttack("ground", target, ("afa_bef",)), Done())
    play.do("usa", AnnounceAttack("factory", target, ("usa_1st_tactical_air_force",)))
    play.do("usa", AnnounceAttack("ground", target, ("usa_1st_us_army",)), Done())
    assert [(a.kind, a.powers, a.units) for a in play.state.attacks] == [
        ("factory", ("afa", "usa"), ("afa_bomber_command", "usa_1st_tactical_air_force")),
        ("ground", ("afa", "usa"), ("afa_bef", "usa_1st_us_army")),
    ]
    play.do("ussr", AnnounceAttack("ground", target, ("sov_western_front",)))
    assert isinstance(play.request_of("afa"), SettleDispute)
    play.do("afa", GiveWay(True)).do("usa", GiveWay(give_way))
    standing = [a for a in play.state.attacks if not a.resolved]
    if give_way:
        assert [(a.kind, a.powers) for a in standing] == [("ground", ("ussr",))]
    else:
        assert standing == []
        again = AnnounceAttack("ground", target, ("sov_western_front",))
        assert play.refused("ussr", again) == "5.3.ally-a"
        assert refusal(play.state, "afa", "ground", target, "afa_bef") == "5.3.ally-a"


@pytest.mark.rule("blitz:5.3.ally-a")
def test_one_player_with_both_powers_settles_it_alone() -> None:
    play = game(
        "afa",
        JOINT,
        options={"players": 2},
        control={"berlin": "ussr", "poland": "ussr"},
    )
    play.do("afa", AnnounceAttack("factory", "western_germany", ("afa_bomber_command",)), Done())
    play.do("usa", Done())
    soviet = AnnounceAttack("ground", "western_germany", ("sov_western_front",))
    assert play.refused("ussr", soviet) == "5.3.ally-a"


@pytest.mark.rule("blitz:5.3.units-a")
def test_joint_attacks_only_once_the_usa_is_at_war_and_with_the_same_enemy() -> None:
    units = {
        "afa_indian_army": {"at": "burma", "size": 1},
        "usa_x_force": {"at": "canton", "size": 1},
        "jap_25th_army": {"at": "south_east_asia", "size": 1},
    }
    held = {"south_east_asia": "japan"}
    china = [("china", "japan")]
    first = AnnounceAttack("ground", "south_east_asia", ("afa_indian_army",))
    second = AnnounceAttack("ground", "south_east_asia", ("usa_x_force",))
    # The USA is at war with Germany only: China fights Japan, but not together with the AFA.
    play = game(
        "afa",
        units,
        wars=[("japan", "afa"), ("germany", "usa")],
        minor_wars=china,
        control=held,
        allied={"south_east_asia": "japan"},
    )
    play.do("afa", first, Done())
    assert play.refused("usa", second) == "5.3.units-a"
    play = game("afa", units, control=held, allied={"south_east_asia": "japan"})
    play.do("afa", first, Done()).do("usa", second)
    assert play.state.attacks[0].powers == ("afa", "usa")
    # Germany and Japan never attack together.
    s = war(
        "germany",
        {
            "ger_army_group_a": {"at": "stalingrad", "size": 2},
            "jap_25th_army": {"at": "novosibirsk", "size": 1},
            "sov_western_front": {"at": "urals", "size": 1},
        },
        wars=[*WARS, ("japan", "ussr")],
        control={
            "stalingrad": "germany",
            "novosibirsk": "japan",
            "don_basin": "germany",
            "ukraine": "germany",
            "poland": "germany",
            "irkutsk": "japan",
        },
    )
    s.attacks = (Attack("ground", "urals", ("germany",), ("ger_army_group_a",)),)
    japanese = AnnounceAttack("ground", "urals", ("jap_25th_army",))
    LandAreaCombat("japan").check(s, japanese)  # a dispute, not a joint attack


@pytest.mark.rule("blitz:5.3.units-b")
@pytest.mark.rule("blitz:5.3.def-b")
def test_ex_5_3_turkey() -> None:
    units = {
        "sov_western_front": {"at": "caucasus_mountains", "size": 2},
        "ger_stukas": {"at": "levant", "size": 2},
        "min_1st_army": {"at": "ankara", "size": 2, "power": "germany"},
    }
    setting: dict[str, Any] = {
        "control": {"ankara": "germany", "istanbul": "germany", "levant": "germany"},
        "allied": {"turkey": "germany", "near_east": "germany"},
        "turn": 4,
    }
    play = game(
        "ussr",
        units,
        wars=[("germany", "afa")],
        minor_wars=[("turkey", "ussr")],
        **setting,
    )
    play.do("ussr", AnnounceAttack("ground", "ankara", ("sov_western_front",)))
    all_done(play)
    # Nobody is asked to join in; the 1st Army fires back at once.
    play.dice(1).dice(1)
    assert [fired["side"] for fired in play.events("fired")] == ["allies", "axis"]
    later = war("ussr", units, wars=[("germany", "afa"), ("germany", "ussr")], **setting)
    attack = Attack("ground", "ankara", ("ussr",), ("sov_western_front",))
    assert can_defend(later, "ger_stukas", attack)
    assert not can_defend(play.state, "ger_stukas", attack)


@pytest.mark.rule("blitz:5.3.units-b")
def test_only_units_at_war_with_an_attacker_defend() -> None:
    units = {
        "jap_25th_army": {"at": "peking", "size": 2},
        "afa_royal_air_force": {"at": "calcutta", "size": 2},
    }
    attack = Attack("ground", "chungking", ("japan",), ("jap_25th_army",))
    china = [("china", "japan")]
    peace = war("japan", units, wars=[("germany", "afa")], minor_wars=china)
    assert not can_defend(peace, "afa_royal_air_force", attack)
    assert can_defend(war("japan", units), "afa_royal_air_force", attack)


@pytest.mark.rule("blitz:5.3.units-b")
def test_a_unit_barred_from_the_country_does_not_defend_it() -> None:
    # China and the Philippines are at war with Japan, the USA that runs both is not: nobody but
    # its own units may enter the Philippines.
    units = {
        "jap_southern_trs": {"at": "south_china_sea", "size": 1},
        "jap_25th_army": {"at": "south_china_sea", "size": 2, "aboard": "jap_southern_trs"},
        "usa_flying_tigers": {"at": "canton", "size": 2},
    }
    attack = Attack("ground", "manila", ("japan",), ("jap_25th_army",))
    minor_wars = [("china", "japan"), ("philippines", "japan")]
    s = war("japan", units, wars=[("germany", "afa")], minor_wars=minor_wars)
    assert unfit(s, "usa_flying_tigers", "ground", "manila") is None
    assert not can_defend(s, "usa_flying_tigers", attack)
    assert can_defend(war("japan", units), "usa_flying_tigers", attack)


@pytest.mark.rule("blitz:5.3.def-a")
def test_v_weapons_do_not_defend() -> None:
    s = war(
        "afa",
        {"afa_bomber_command": {"at": "paris", "size": 2}, "ger_v_2": {"at": "western_germany"}},
    )
    attack = Attack("factory", "western_germany", ("afa",), ("afa_bomber_command",))
    assert not can_defend(s, "ger_v_2", attack)


# --- which units ----------------------------------------------------------------------------------


@pytest.mark.rule("blitz:5.3.units-c")
@pytest.mark.rule("blitz:A.6b")
def test_forts_and_units_without_land_factors_never_attack() -> None:
    s = war(
        "germany",
        {
            "ger_westwall": {"at": "western_germany", "size": 2},
            "ger_ruhr_flak": {"at": "western_germany", "size": 1},
            "ger_18th_army": {"at": "western_germany", "size": 2},
            "afa_1st_army_group": {"at": "paris", "size": 2},
        },
    )
    for id in ("ger_westwall", "ger_ruhr_flak"):
        assert refusal(s, "germany", "ground", "paris", "ger_18th_army", id) == "5.3.units-c"
    led = war(
        "germany",
        {
            "ger_ruhr_flak": {"at": "western_germany", "size": 1},
            "afa_1st_army_group": {"at": "paris", "size": 2},
        },
        options={"commanders": True},
    )
    led.commanders["manstein"] = ("western_germany", "ger_ruhr_flak")
    assert refusal(led, "germany", "ground", "paris", "ger_ruhr_flak") == ""


@pytest.mark.rule("blitz:5.3.commit-d")
@pytest.mark.rule("blitz:A.6b")
def test_land_units_attack_next_door_but_not_across_land_routes() -> None:
    s = war(
        "germany",
        {
            "ger_18th_army": {"at": "berlin", "size": 2},
            "ger_army_group_b": {"at": "spain", "size": 2},
            "afa_1st_army_group": {"at": "paris", "size": 2},
        },
        control={"spain": "germany", "portugal": "germany"},
        allied={"iberia": "germany"},
    )
    assert refusal(s, "germany", "ground", "paris", "ger_18th_army") == "5.3.commit-d"
    assert refusal(s, "germany", "ground", "paris", "ger_army_group_b") == "5.3.commit-d"
    assert refusal(s, "germany", "ground", "vichy_france", "ger_army_group_b") == ""


@pytest.mark.rule("blitz:9.4a")
def test_land_route_attacks() -> None:
    def spain(size: int, on: bool = True) -> State:
        return war(
            "germany",
            {
                "ger_army_group_b": {"at": "spain", "size": size},
                "ger_18th_army": {"at": "spain", "size": 2},
                "afa_1st_army_group": {"at": "paris", "size": 2},
            },
            options={"land_route_attacks": on},
            control={"spain": "germany", "portugal": "germany", "vichy_france": "germany"},
            allied={"iberia": "germany"},
        )

    assert refusal(spain(2, on=False), "germany", "ground", "paris", "ger_army_group_b") == (
        "5.3.commit-d"
    )
    s = spain(2)
    assert refusal(s, "germany", "ground", "paris", "ger_army_group_b") == ""
    assert refusal(s, "germany", "ground", "paris", "ger_army_group_b", "ger_18th_army") == "9.4a"
    assert refusal(spain(3), "germany", "ground", "paris", "ger_army_group_b") == "9.4a"
    assert attack_strength(s, "paris", ["ger_army_group_b"], [], []) == 2  # 4, halved


@pytest.mark.rule("blitz:5.3.commit-d")
@pytest.mark.rule("blitz:B.5a")
def test_land_units_attack_from_a_transport_in_an_unguarded_sea() -> None:
    units = {
        "usa_3rd_fleet": {"at": "north_sea", "size": 1},
        "usa_1st_us_army": {"at": "north_sea", "size": 2, "aboard": "usa_3rd_fleet"},
    }
    s = war("usa", units)
    assert refusal(s, "usa", "ground", "western_germany", "usa_1st_us_army") == ""
    assert refusal(s, "usa", "ground", "berlin", "usa_1st_us_army") == "5.3.commit-d"
    for guard, size in (
        ("ger_u_boat_ii", 1),
        ("ger_bb_fleet", 1),
        ("ger_graf_zeppelin", 1),
        ("ger_luftwaffe", 1),
    ):
        s = war("usa", {**units, guard: {"at": "north_sea", "size": size}})
        assert refusal(s, "usa", "ground", "western_germany", "usa_1st_us_army") == "5.3.commit-d"
    for harmless in ("ger_seelowe_trs", "afa_north_sea_fleet"):
        s = war("usa", {**units, harmless: {"at": "north_sea", "size": 1}})
        assert refusal(s, "usa", "ground", "western_germany", "usa_1st_us_army") == ""
    # Somebody one is not at war with does not guard.
    peace = war(
        "usa",
        {**units, "jap_combined_fleet": {"at": "north_sea", "size": 1}},
        wars=[("germany", "usa"), ("germany", "afa")],
    )
    assert refusal(peace, "usa", "ground", "western_germany", "usa_1st_us_army") == ""


@pytest.mark.rule("blitz:5.3.commit-b")
@pytest.mark.rule("blitz:B.5c")
def test_paras_walk_or_fly() -> None:
    s = war(
        "usa",
        {
            "usa_82nd_airborne": {"at": "london", "size": 1},
            "usa_101st_airborne": {"at": "western_germany", "size": 1},
            "usa_1st_us_army": {"at": "london", "size": 1},
        },
        control={"western_germany": "usa", "paris": "germany", "belgium_netherlands": "germany"},
    )
    para = "usa_82nd_airborne"
    assert refusal(s, "usa", "ground", "paris", para) == "5.3.commit-d"
    assert refusal(s, "usa", "ground", "paris", para, flying=(para,)) == ""
    assert refusal(s, "usa", "ground", "berlin", para, flying=(para,)) == "5.3.commit-b"
    assert refusal(s, "usa", "ground", "paris", "usa_101st_airborne") == ""
    infantry = "usa_1st_us_army"
    assert refusal(s, "usa", "ground", "paris", infantry, flying=(infantry,)) == "5.3.commit-b"


@pytest.mark.rule("blitz:B.5c")
@pytest.mark.rule("blitz:S.c")
def test_paras_do_not_fly_before_they_are_introduced() -> None:
    s = position("A", base="setup", phase="axis_activities", step="F")
    para = "ger_1st_para"
    assert refusal(s, "germany", "ground", "poland", para, flying=(para,)) == "5.3.commit-b"
    assert refusal(s, "germany", "ground", "poland", para) == ""
    assert refusal(s, "germany", "factory", "paris", "ger_stukas") == "S.c"
    assert refusal(s, "germany", "port", "paris", "ger_stukas", port="western_approaches") == "S.c"


@pytest.mark.rule("blitz:5.3.commit-b")
def test_air_units_pay_two_for_the_sea_and_use_air_routes() -> None:
    units = {"usa_1st_tactical_air_force": {"at": "london", "size": 2}}
    s = war("usa", {**units, "usa_1st_us_army": {"at": "paris", "size": 1}})
    wing = "usa_1st_tactical_air_force"  # range 2
    assert unfit(s, wing, "factory", "western_germany") is None  # by the air route to Paris
    refused = unfit(s, wing, "factory", "berlin")
    assert refused is not None
    assert refused.rule == "5.3.commit-b"
    s = war("usa", {wing: {"at": "scotland", "size": 2}}, control={"norway": "germany"})
    assert unfit(s, wing, "ground", "norway") is None  # by the air route
    # Over the North Sea it would be 2 + 1.
    assert unfit(s, wing, "ground", "western_germany") is not None


@pytest.mark.rule("blitz:5.3.commit-c")
def test_air_units_at_sea_or_back_from_a_sea_fight_stay_out() -> None:
    s = war("germany", {**WEST, "ger_stukas": {"at": "north_sea", "size": 2}})
    refused = ("ger_18th_army", "ger_stukas")
    assert refusal(s, "germany", "ground", "paris", *refused) == "5.3.commit-c"
    assert refusal(s, "germany", "ground", "paris", "ger_18th_army", "ger_luftwaffe") == ""
    s.mark("ger_luftwaffe", "fought")
    assert refusal(s, "germany", "ground", "paris", "ger_18th_army", "ger_luftwaffe") == (
        "5.3.commit-c"
    )


@pytest.mark.rule("blitz:5.3.commit-e")
@pytest.mark.rule("blitz:B.5d")
def test_ships_support_from_an_unguarded_sea_next_to_the_target() -> None:
    def with_fleet(at: str, **others: Any) -> State:
        return war(
            "afa",
            {
                "afa_bef": {"at": "paris", "size": 2},
                "afa_north_sea_fleet": {"at": at, "size": 2},
                **others,
            },
        )

    both = ("afa_bef", "afa_north_sea_fleet")
    target = "western_germany"
    assert refusal(with_fleet("north_sea"), "afa", "ground", target, *both) == ""
    for at in ("london", "western_approaches"):
        assert refusal(with_fleet(at), "afa", "ground", target, *both) == "5.3.commit-e"
    guarded = with_fleet("north_sea", ger_u_boat_ii={"at": "north_sea", "size": 1})
    assert refusal(guarded, "afa", "ground", target, *both) == "5.3.commit-e"
    idle = with_fleet("north_sea", afa_europe_trs={"at": "north_sea", "size": 1})
    assert refusal(idle, "afa", "ground", target, "afa_bef", "afa_europe_trs") == "6.2a"


def test_units_without_supply_stay_out() -> None:
    s = war(
        "germany",
        {
            "ger_18th_army": {"at": "stalingrad", "size": 2},
            "sov_western_front": {"at": "moscow", "size": 2},
        },
        control={"stalingrad": "germany"},
    )
    assert refusal(s, "germany", "ground", "moscow", "ger_18th_army") == "1.7g"


BOMB = {
    "usa_20th_air_force": {"at": "chungking", "size": 4},
    "usa_a_bomb_usa": {"at": "chungking", "size": 1},
}
OPEN_CHINA = {"formosa": "usa", "manila": "usa"}


@pytest.mark.rule("blitz:5.3.commit-f")
def test_an_a_bomb_needs_a_carrier_with_four_strategic_factors() -> None:
    s = war("usa", BOMB, control=OPEN_CHINA)
    both = ("usa_20th_air_force", "usa_a_bomb_usa")
    assert refusal(s, "usa", "factory", "harbin", *both) == ""
    assert refusal(s, "usa", "factory", "harbin", "usa_a_bomb_usa") == "5.3.commit-f"
    s.change("usa_20th_air_force", size=1)  # 3 Strategic Factors
    assert refusal(s, "usa", "factory", "harbin", *both) == "5.3.commit-f"
    apart = war("usa", {**BOMB, "usa_a_bomb_usa": {"at": "canton"}}, control=OPEN_CHINA)
    assert refusal(apart, "usa", "factory", "harbin", *both) == "5.3.commit-f"


@pytest.mark.rule("blitz:5.3.commit-f")
def test_an_a_bomb_is_picked_up_dropped_and_spent() -> None:
    play = game("usa", BOMB, control=OPEN_CHINA)
    play.do("usa", AnnounceAttack("factory", "harbin", ("usa_20th_air_force", "usa_a_bomb_usa")))
    assert play.state.units["usa_a_bomb_usa"].aboard == "usa_20th_air_force"
    all_done(play)
    play.dice(6)
    assert play.events("fired")[0]["factors"] == 9 + 8 + 1
    assert "usa_a_bomb_usa" not in play.state.units
    assert play.state.factory_damage["harbin"] == 1


def test_a_carrier_may_leave_its_a_bomb_behind() -> None:
    units = {
        "usa_20th_air_force": {"at": "chungking", "size": 4},
        "usa_a_bomb_usa": {"at": "chungking", "size": 1, "aboard": "usa_20th_air_force"},
    }
    play = game("usa", units, control=OPEN_CHINA)
    play.do("usa", AnnounceAttack("factory", "harbin", ("usa_20th_air_force",)))
    all_done(play)
    play.dice(1)
    assert play.events("fired")[0]["factors"] == 9 + 1
    assert play.state.units["usa_a_bomb_usa"].at == "chungking"


def test_v_weapons_only_attack_factories() -> None:
    s = war(
        "germany",
        {"ger_v_2": {"at": "paris"}, "ger_18th_army": {"at": "paris", "size": 2}},
        control={"paris": "germany", "vichy_france": "afa", "belgium_netherlands": "afa"},
    )
    assert refusal(s, "germany", "factory", "london", "ger_v_2") == ""
    assert refusal(s, "germany", "ground", "vichy_france", "ger_18th_army", "ger_v_2") == "1.2f"


# --- limits ---------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:5.3.limit-a")
def test_size_two_may_attack_an_island() -> None:
    s = war(
        "usa",
        {
            "usa_3rd_fleet": {"at": "micronesia", "size": 2},
            "usa_marines": {"at": "micronesia", "size": 2, "aboard": "usa_3rd_fleet"},
            "usa_10th_army": {"at": "micronesia", "size": 1, "aboard": "usa_3rd_fleet"},
        },
        control={"midway_islands": "japan"},
    )
    assert refusal(s, "usa", "ground", "midway_islands", "usa_marines") == ""
    both = ("usa_marines", "usa_10th_army")
    assert refusal(s, "usa", "ground", "midway_islands", *both) == "5.3.limit-a"


@pytest.mark.rule("blitz:5.3.limit-a")
def test_flying_paras_count_on_an_island() -> None:
    s = war(
        "germany",
        {
            "ger_18th_army": {"at": "spain", "size": 2},
            "ger_1st_para": {"at": "spain", "size": 1},
        },
        control={"spain": "germany", "portugal": "germany", "vichy_france": "germany"},
        allied={"iberia": "germany"},
    )
    both = ("ger_18th_army", "ger_1st_para")
    assert refusal(s, "germany", "ground", "gibraltar", both[0]) == ""
    assert refusal(s, "germany", "ground", "gibraltar", *both, flying=both[1:]) == "5.3.limit-a"


@pytest.mark.rule("blitz:5.3.limit-b")
def test_ex_5_3_ten() -> None:
    belgium = {"usa_1st_us_army": 4, "usa_3rd_army": 4, "usa_10th_army": 2}
    germany = {"usa_5th_army": 4, "usa_6th_us_army": 4, "usa_pacific_command": 2}
    sea = {"usa_7th_army": 4, "usa_9th_army": 4, "usa_marines": 2}
    fleets = {"usa_3rd_fleet": 2, "usa_atlantic_trs": 2, "usa_pacific_trs": 1}
    units: dict[str, Any] = {
        **{id: {"at": "belgium_netherlands", "size": size} for id, size in belgium.items()},
        **{id: {"at": "western_germany", "size": size} for id, size in germany.items()},
        **{id: {"at": "north_sea", "size": size} for id, size in fleets.items()},
        **{
            id: {"at": "north_sea", "size": size, "aboard": fleet}
            for (id, size), fleet in zip(sea.items(), fleets, strict=True)
        },
        "usa_82nd_airborne": {"at": "belgium_netherlands", "size": 1},
    }
    s = war(
        "usa",
        units,
        control={"paris": "germany", "western_germany": "usa", "belgium_netherlands": "usa"},
    )
    thirty = (*belgium, *germany, *sea)
    para = "usa_82nd_airborne"
    assert refusal(s, "usa", "ground", "paris", *thirty) == ""
    assert refusal(s, "usa", "ground", "paris", *thirty, para) == "5.3.limit-b"
    assert refusal(s, "usa", "ground", "paris", *thirty, para, flying=(para,)) == ""


@pytest.mark.rule("blitz:5.3.limit-c")
@pytest.mark.rule("blitz:E.2a")
def test_only_chinese_units_attack_in_china_until_it_is_open() -> None:
    units = {
        "sov_western_front": {"at": "harbin", "size": 2},
        "usa_1st_us_army": {"at": "port_arthur", "size": 2},
        "usa_1st_war_area": {"at": "chungking", "size": 2},
        "jap_25th_army": {"at": "peking", "size": 1},
    }
    wars = [*WARS, ("japan", "ussr")]
    s = war("usa", units, wars=wars, control={"harbin": "ussr", "port_arthur": "usa"})
    assert refusal(s, "usa", "ground", "peking", "usa_1st_war_area") == ""
    assert refusal(s, "usa", "ground", "peking", "usa_1st_us_army") == "5.3.limit-c"
    assert refusal(s, "ussr", "ground", "peking", "sov_western_front") == "5.3.limit-c"
    two = {"harbin": "ussr", "port_arthur": "usa", "formosa": "usa", "manila": "afa"}
    s = war("usa", units, wars=wars, control=two)
    assert refusal(s, "usa", "ground", "peking", "usa_1st_us_army") == ""
    del units["usa_1st_us_army"]
    s = war("ussr", units, wars=wars, control={"harbin": "ussr", "port_arthur": "ussr"})
    assert refusal(s, "ussr", "ground", "peking", "sov_western_front") == ""


# --- snow -----------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:5.3.snow-a")
@pytest.mark.rule("blitz:1.4b")
def test_only_land_units_fight_in_a_snow_country() -> None:
    units = {
        "ger_army_group_b": {"at": "ukraine", "size": 2},
        "ger_luftwaffe": {"at": "ukraine", "size": 2},
        "ger_bb_fleet": {"at": "black_sea", "size": 2},
        "sov_western_front": {"at": "don_basin", "size": 2},
        "sov_1st_air_army": {"at": "don_basin", "size": 2},
        "sov_black_sea_fleet": {"at": "don_basin", "size": 1},
    }
    held = {"ukraine": "germany", "poland": "germany"}
    attack = Attack("ground", "don_basin", ("germany",), ("ger_army_group_b",))
    for turn, rule in ((5, ""), (6, "5.3.snow-a")):
        s = war("germany", units, control=held, turn=turn)
        army = "ger_army_group_b"
        assert refusal(s, "germany", "ground", "don_basin", army) == ""
        assert refusal(s, "germany", "ground", "don_basin", army, "ger_luftwaffe") == rule
        assert refusal(s, "germany", "ground", "don_basin", army, "ger_bb_fleet") == rule
        assert refusal(s, "germany", "factory", "don_basin", "ger_luftwaffe") == rule
        assert refusal(s, "germany", "port", "don_basin", "ger_luftwaffe", port="black_sea") == rule
        assert can_defend(s, "sov_1st_air_army", attack) == (not rule)


@pytest.mark.rule("blitz:5.3.snow-b")
def test_air_units_fight_over_a_snowflake() -> None:
    s = war(
        "germany",
        {
            "ger_army_group_b": {"at": "berlin", "size": 2},
            "ger_luftwaffe": {"at": "berlin", "size": 2},
        },
        turn=6,
    )
    both = ("ger_army_group_b", "ger_luftwaffe")
    assert refusal(s, "germany", "ground", "poland", *both) == ""


@pytest.mark.rule("blitz:5.3.snow-c")
def test_ex_5_3_snow() -> None:
    s = war(
        "ussr",
        {
            "sov_western_front": {"at": "caucasus_mountains", "size": 2},
            "sov_1st_air_army": {"at": "caucasus_mountains", "size": 2},
        },
        control={"persia": "germany", "iraq": "germany", "levant": "germany"},
        allied={"near_east": "germany"},
        turn=6,
    )
    both = ("sov_western_front", "sov_1st_air_army")
    assert refusal(s, "ussr", "ground", "persia", *both) == ""


# --- the defence ----------------------------------------------------------------------------------


@pytest.mark.rule("blitz:5.3.def-a")
@pytest.mark.rule("blitz:5.3.commit-a")
@pytest.mark.rule("blitz:A.6c")
def test_the_defence_is_committed_under_the_same_limits() -> None:
    play = game(
        "germany",
        {
            **WEST,
            "ger_army_group_a": {"at": "belgium_netherlands", "size": 2},
            "ger_po_army": {"at": "milan", "size": 2},
            "afa_armee_de_l_air": {"at": "paris", "size": 1},
            "afa_bomber_command": {"at": "scotland", "size": 2},
            "afa_coastal_command": {"at": "western_approaches", "size": 2},
            "afa_north_sea_fleet": {"at": "western_approaches", "size": 2},
            "afa_brest_fleet": {"at": "paris", "size": 1},
            "afa_2nd_army": {"at": "london", "size": 2},
        },
        control={"belgium_netherlands": "germany"},
    )
    play.do("germany", AnnounceAttack("ground", "paris", ("ger_army_group_a",)))
    play.do("germany", AnnounceAttack("ground", "vichy_france", ("ger_po_army",)))
    all_done(play)
    request = play.request_of("afa")
    assert isinstance(request, CommitDefence)
    # In range: the Royal Air Force by the air route; not in range: nobody else. Air units at sea,
    # ships in port and land units from elsewhere stay out; the BB at sea can support.
    assert set(request.units["0"]) == {
        "afa_armee_de_l_air",
        "afa_bomber_command",
        "afa_royal_air_force",
        "afa_north_sea_fleet",
    }
    assert set(request.units["1"]) == {"afa_armee_de_l_air"}
    both = Defend({"0": ("afa_armee_de_l_air",), "1": ("afa_armee_de_l_air",)})
    assert play.refused("afa", both) == "5.3.commit-a"
    assert play.refused("afa", Defend({"0": ("afa_coastal_command",)})) == "5.3.def-a"
    assert play.refused("afa", Defend({"0": ("afa_2nd_army",)})) == "5.3.def-a"
    assert play.refused("afa", Defend({"7": ("afa_royal_air_force",)})) == "5.3.def-a"
    # The air unit based in Paris does not have to fight.
    play.do("afa", Defend({"0": ("afa_royal_air_force",)}))
    assert [a.defenders for a in play.state.attacks] == [("afa_royal_air_force",), ()]


@pytest.mark.rule("blitz:5.3.def-b")
@pytest.mark.rule("blitz:A.6c")
def test_all_land_units_in_the_target_defend_and_no_others() -> None:
    play = game(
        "germany",
        {
            "ger_army_group_b": {"at": "western_germany", "size": 4},
            "afa_1st_army_group": {"at": "paris", "size": 1},
            "afa_bef": {"at": "paris", "size": 1},
            "afa_2nd_army_group": {"at": "vichy_france", "size": 2},
        },
    )
    play.do("germany", AnnounceAttack("ground", "paris", ("ger_army_group_b",)))
    all_done(play)
    play.dice(4).dice(1)
    request = play.request_of("afa")
    assert isinstance(request, AssignDamage)
    assert set(request.units) == {"afa_1st_army_group", "afa_bef"}


@pytest.mark.rule("blitz:5.3.def-c")
@pytest.mark.rule("blitz:5.3.def-d")
@pytest.mark.rule("blitz:5.3.resolve-c")
@pytest.mark.rule("blitz:E.2c")
def test_port_attack() -> None:
    play = game(
        "afa",
        {
            "afa_north_atlantic_fleet": {"at": "western_approaches", "size": 4},
            "afa_bomber_command": {"at": "london", "size": 2},
            "ger_high_seas_fleet": {"at": "paris", "size": 2},
            "ger_graf_zeppelin": {"at": "paris", "size": 2},
            "ger_u_boat_ii": {"at": "paris", "size": 2},
        },
        control={"paris": "germany"},
    )
    both = ("afa_north_atlantic_fleet", "afa_bomber_command")
    play.do("afa", AnnounceAttack("port", "paris", both, "western_approaches"))
    all_done(play)
    # The CV in port does not fly, so there is no Air Round; only the attackers fire: half of the
    # carrier's 6, half of the bombers' 4, and the triangles of the two ships.
    s = play.state
    ships = ("ger_high_seas_fleet", "ger_graf_zeppelin")
    triangles = sum(s.profile(id).naval_w - s.profile(id).naval_r for id in ships)
    play.dice(6)
    (fired,) = play.events("fired")
    assert (fired["round"], fired["factors"]) == ("naval", 3 + 2 + triangles)
    request = play.request_of("germany")
    assert isinstance(request, AssignDamage)
    assert set(request.units) == set(ships)  # not the SUB
    play.do("germany", Damage("ger_graf_zeppelin"))
    # No letter sends ships home, and the carrier is where it was.
    assert play.state.units["ger_high_seas_fleet"].at == "paris"
    assert play.state.units["afa_north_atlantic_fleet"].at == "western_approaches"
    assert play.state.units["afa_bomber_command"].at in s.control


@pytest.mark.rule("blitz:5.3.resolve-c")
@pytest.mark.rule("blitz:E.2c")
def test_port_attack_with_an_air_round() -> None:
    play = game(
        "afa",
        {
            "afa_bomber_command": {"at": "london", "size": 2},
            "ger_high_seas_fleet": {"at": "paris", "size": 2},
            "ger_me_109s": {"at": "paris", "size": 1},
        },
        control={"paris": "germany"},
    )
    play.do("afa", AnnounceAttack("port", "paris", ("afa_bomber_command",), "western_approaches"))
    all_done(play)
    play.do("germany", Defend({"0": ("ger_me_109s",)}))
    play.dice(1).dice(1)
    play.dice(1)
    assert [e["round"] for e in play.events("fired")] == ["air", "air", "naval"]


@pytest.mark.rule("blitz:5.3.resolve-a")
@pytest.mark.rule("blitz:D.6a")
@pytest.mark.rule("blitz:D.6b")
@pytest.mark.rule("blitz:D.6c")
def test_factory_attack() -> None:
    play = game(
        "western_allies",
        {
            "usa_1st_tactical_air_force": {"at": "london", "size": 4},
            "afa_bomber_command": {"at": "london", "size": 4},
        },
        scenario="D",
        factory_damage={"western_germany": 1},
    )
    both = ("usa_1st_tactical_air_force", "afa_bomber_command")
    play.do("western_allies", AnnounceAttack("factory", "western_germany", both))
    all_done(play)
    # Nobody defends: the Strategic Round at once, with half of the one's 8 and the other's 8, and
    # what is left of the Factory. Of the two points of damage it can take only one.
    play.dice(5)
    (fired,) = play.events("fired")
    assert (fired["round"], fired["factors"], fired["damage"]) == ("strategic", 4 + 8 + 1, 2)
    assert play.state.factory_damage["western_germany"] == 2


@pytest.mark.rule("blitz:5.3.resolve-a")
@pytest.mark.rule("blitz:D.6a")
@pytest.mark.rule("blitz:D.6d")
def test_aa_alone_and_carriers_make_an_air_round_over_a_factory() -> None:
    units = {
        "afa_bomber_command": {"at": "paris", "size": 2},
        "afa_north_atlantic_fleet": {"at": "north_sea", "size": 4},
        "ger_ruhr_flak": {"at": "western_germany", "size": 1},
    }
    play = game("afa", units)
    both = ("afa_bomber_command", "afa_north_atlantic_fleet")
    play.do("afa", AnnounceAttack("factory", "western_germany", both))
    all_done(play)
    play.dice(1)  # the flak
    play.dice(1)
    first, second = play.events("fired")
    assert (first["round"], first["side"], first["factors"]) == ("air", "axis", 2 + 3)
    # The carrier has no part in the Strategic Round.
    assert (second["round"], second["factors"]) == ("strategic", 4 + 2)
    assert play.state.units["afa_north_atlantic_fleet"].at == "north_sea"


@pytest.mark.rule("blitz:5.3.resolve-b")
@pytest.mark.rule("blitz:A.6d")
def test_an_air_round_comes_before_the_land_round() -> None:
    play = game("germany", WEST)
    play.do("germany", AnnounceAttack("ground", "paris", ("ger_18th_army", "ger_luftwaffe")))
    all_done(play)
    play.do("afa", Defend({"0": ("afa_royal_air_force",)}))
    play.dice(1).dice(1)  # 3 and 2 Factors: nothing
    play.dice(1).dice(1)
    rounds = [(e["round"], e["factors"]) for e in play.events("fired")]
    assert rounds == [("air", 3), ("air", 2), ("land", 6), ("land", 3 + 2)]


@pytest.mark.rule("blitz:5.3.resolve-b")
def test_without_air_units_on_both_sides_there_is_no_air_round() -> None:
    play = game("germany", WEST)
    play.do("germany", AnnounceAttack("ground", "paris", ("ger_18th_army", "ger_luftwaffe")))
    all_done(play).do("afa", Pass())
    play.dice(1).dice(1)
    assert [e["round"] for e in play.events("fired")] == ["land", "land"]


@pytest.mark.rule("blitz:5.3.resolve-b")
@pytest.mark.rule("blitz:6.1c")
@pytest.mark.rule("blitz:B.5c")
def test_a_flying_para_is_in_the_air_round() -> None:
    units = {
        "usa_82nd_airborne": {"at": "london", "size": 1},
        "ger_me_109s": {"at": "paris", "size": 1},
    }
    play = game("usa", units, control={"paris": "germany"})
    para = "usa_82nd_airborne"
    play.do("usa", AnnounceAttack("ground", "paris", (para,), flying=(para,)))
    all_done(play).do("germany", Defend({"0": ("ger_me_109s",)}))
    # The PARA has no Air Factors, but a white triangle: only the Me-109s fire, with 2 + 1.
    play.dice(6)
    (fired,) = play.events("fired")
    assert (fired["round"], fired["side"], fired["factors"]) == ("air", "axis", 3)
    assert para not in play.state.units
    assert play.state.control["paris"] == "germany"


@pytest.mark.rule("blitz:B.5d")
def test_a_carrier_fights_in_the_air_round_of_a_ground_attack() -> None:
    play = game(
        "afa",
        {
            "afa_bef": {"at": "paris", "size": 2},
            "afa_north_atlantic_fleet": {"at": "north_sea", "size": 4},
            "ger_18th_army": {"at": "western_germany", "size": 2},
            "ger_me_109s": {"at": "western_germany", "size": 1},
        },
    )
    both = ("afa_bef", "afa_north_atlantic_fleet")
    play.do("afa", AnnounceAttack("ground", "western_germany", both))
    all_done(play).do("germany", Defend({"0": ("ger_me_109s",)}))
    play.dice(1).dice(1)
    first = play.events("fired")[0]
    assert (first["round"], first["side"]) == ("air", "allies")
    assert first["factors"] == 4 - 1  # the carrier's 4 Air Factors, a red triangle


# --- afterwards -----------------------------------------------------------------------------------


def test_air_units_return_to_base_even_into_the_area_taken() -> None:
    play = game(
        "germany",
        {
            "ger_18th_army": {"at": "western_germany", "size": 2},
            "ger_luftwaffe": {"at": "western_germany", "size": 2},
        },
    )
    play.do("germany", AnnounceAttack("ground", "paris", ("ger_18th_army", "ger_luftwaffe")))
    all_done(play)
    assert play.state.control["paris"] == "germany"
    play.do("germany", Return("ger_luftwaffe", "paris"))
    assert play.state.units["ger_luftwaffe"].at == "paris"


def test_a_defending_air_unit_is_overrun_with_its_base() -> None:
    play = game(
        "germany",
        {
            "ger_army_group_b": {"at": "poland", "size": 4},
            "sov_1st_air_army": {"at": "ukraine", "size": 1},
        },
        control={"poland": "germany"},
    )
    play.do("germany", AnnounceAttack("ground", "ukraine", ("ger_army_group_b",)))
    all_done(play).do("ussr", Defend({"0": ("sov_1st_air_army",)}))
    assert play.state.control["ukraine"] == "germany"
    # Germany, not the USSR, says where it goes.
    request = play.request_of("germany")
    play.do("germany", next(iter(request.decisions(play.state))))
    assert play.state.units["sov_1st_air_army"].at in play.state.facts.land_next["ukraine"]
    assert play.events("returned") == []
    assert all(request.kind != "choose_base" for request in play.game.pending)


def test_an_attack_on_what_has_been_taken_is_off() -> None:
    play = game(
        "germany",
        {
            "ger_18th_army": {"at": "western_germany", "size": 2},
            "ger_luftwaffe": {"at": "western_germany", "size": 2},
        },
    )
    play.do("germany", AnnounceAttack("ground", "paris", ("ger_18th_army",)))
    play.do("germany", AnnounceAttack("factory", "paris", ("ger_luftwaffe",)))
    all_done(play)
    play.do("germany", ResolveAttack(0))
    assert play.state.control["paris"] == "germany"
    assert [e["combat"] for e in play.events("attack_cancelled")] == ["factory"]
    assert play.state.units["ger_luftwaffe"].at == "western_germany"


def test_in_an_air_blitz_air_units_join_a_partners_ground_attack() -> None:
    play = Play(
        units={
            "afa_bef": {"at": "paris", "size": 2},
            "usa_1st_tactical_air_force": {"at": "paris", "size": 2},
            "usa_1st_us_army": {"at": "paris", "size": 2},
            "ger_18th_army": {"at": "western_germany", "size": 2},
        },
        wars=WARS,
        turn=5,
        phase="allied_blitzes",
        step="F",
        blitz={"afa": "land", "usa": "air", "ussr": "free"},
    )
    target = "western_germany"
    wing = AnnounceAttack("ground", target, ("usa_1st_tactical_air_force",))
    play.do("afa", Wait())
    assert play.refused("usa", wing) == "5.3.type-b"
    play.state.attacks = (Attack("ground", target, ("afa",), ("afa_bef",)),)
    army = AnnounceAttack("ground", target, ("usa_1st_us_army",))
    assert play.refused("usa", army) == "2.2.air-a"
    play.do("usa", wing)
    assert play.state.attacks[0].powers == ("afa", "usa")


def test_a_non_motorized_blitz_commits_one_armour_or_air_unit() -> None:
    s = war(
        "germany",
        WEST,
        options={"non_motorized_blitz": True},
        phase="axis_blitzes",
        blitz={"germany": "foot", "japan": "free"},
    )
    infantry = ("ger_18th_army", "ger_army_group_b")
    assert refusal(s, "germany", "ground", "paris", *infantry, "ger_luftwaffe") == ""
    two = (*infantry, "ger_luftwaffe", "ger_stukas")
    assert refusal(s, "germany", "ground", "paris", *two) == "9.7a"


def test_decisions_and_suggestions_are_legal() -> None:
    play = game(
        "germany", {**WEST, "afa_brest_fleet": {"at": "paris", "port": "western_approaches"}}
    )
    request = play.request_of("germany")
    listed = list(request.decisions(play.state))
    kinds = {d.combat for d in listed if isinstance(d, AnnounceAttack)}
    assert kinds == {"ground", "factory", "port"}
    for decision in listed:
        request.check(play.state, decision)


@pytest.mark.rule("blitz:E.2b")
@pytest.mark.rule("blitz:1.3.port-c")
def test_a_carrier_attacks_only_the_port_on_its_own_sea() -> None:
    """Spain has a port on each of two seas; the carrier is in one of them."""
    s = war(
        "afa",
        {
            "afa_north_atlantic_fleet": {"at": "western_approaches", "size": 2},
            "ger_bb_fleet": {"at": "spain", "port": "mediterranean_sea"},
            "ger_high_seas_fleet": {"at": "spain", "port": "western_approaches"},
        },
        control={"spain": "germany", "portugal": "germany"},
        allied={"iberia": "germany"},
    )
    fleet = "afa_north_atlantic_fleet"
    assert s.type(fleet) == "CV"
    assert refusal(s, "afa", "port", "spain", fleet, port="mediterranean_sea") == "5.3.type-c"
    assert refusal(s, "afa", "port", "spain", fleet, port="western_approaches") == ""


@pytest.mark.rule("blitz:5.3.units-b")
def test_who_is_at_war_with_one_of_the_attackers_may_defend() -> None:
    """Japan fights the AFA alone, and so helps Germany against the AFA and the USA."""
    s = war(
        "afa",
        {
            "afa_bef": {"at": "paris", "size": 2},
            "usa_1st_us_army": {"at": "paris", "size": 2},
            "jap_zeroes": {"at": "western_germany", "size": 2},
        },
        wars=[("germany", "afa"), ("germany", "usa"), ("japan", "afa")],
    )
    both = Attack("ground", "western_germany", ("afa", "usa"), ("afa_bef", "usa_1st_us_army"))
    assert can_defend(s, "jap_zeroes", both)
    assert not can_defend(s, "jap_zeroes", replace(both, units=("usa_1st_us_army",)))


@pytest.mark.rule("blitz:6.5.after-b")
@pytest.mark.rule("blitz:6.6.overrun-a")
def test_a_defending_air_unit_of_the_land_area_that_is_taken_is_overrun() -> None:
    """It goes where the attackers' power sends it, not where its own would have it return."""
    play = game(
        "germany",
        {**WEST, "afa_royal_air_force": {"at": "paris", "size": 2}, "afa_1st_army_group": "paris"},
        control={"belgium_netherlands": "afa"},
    )
    play.do(
        "germany",
        AnnounceAttack("ground", "paris", ("ger_army_group_b", "ger_18th_army")),
    )
    all_done(play).do("afa", Defend({"0": ("afa_royal_air_force",)}))
    play.dice(6).dice(1)
    assert play.state.control["paris"] == "germany"
    assert play.request_of("germany").kind == "place_unit"
    play.do("germany", Place("london"))
    assert play.state.units["afa_royal_air_force"].at == "london"
    assert not any(request.kind == "choose_base" for request in play.game.pending)


@pytest.mark.rule("blitz:6.6.prio-b")
def test_the_partner_with_more_land_factors_takes_the_land_area() -> None:
    for size, holder in ((1, "afa"), (4, "usa")):
        play = game(
            "afa",
            {
                "afa_bef": {"at": "paris", "size": 2},
                "usa_1st_us_army": {"at": "paris", "size": size},
            },
        )
        target = "western_germany"
        play.do("afa", AnnounceAttack("ground", target, ("afa_bef",)), Done())
        play.do("usa", AnnounceAttack("ground", target, ("usa_1st_us_army",)))
        all_done(play)
        assert play.state.control[target] == holder
