"""The odds that a player is shown are those of the odds engine."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable import odds
from sandtable.kernel.display import NoQuestion, Odds
from tests.aa1942.battles import land, sea, sea_table
from tests.aa1942.positions import played
from tests.aa1942.table import Done, Fight, Table, move, sail, table


def asked(t: Table, space: str, decision: Any = None) -> Odds:
    before = t.game.hash
    found = t.game.rules.odds(t.game, space, decision, t.game.pending[0].power)
    assert t.game.hash == before
    assert found.win + found.lose + found.draw == pytest.approx(1)
    return found


def agrees(found: Odds, result: Any) -> bool:
    return (found.win, found.lose, found.draw) == pytest.approx(
        (result.attacker_wins, result.defender_wins, result.draw)
    )


def front(defenders: str = "2 infantry, antiaircraft_artillery") -> Table:
    return table(
        "soviet_union",
        units={
            "russia": {"soviet_union": "3 infantry, artillery, tank, fighter"},
            "west_russia": {"germany": defenders},
        },
    )


def test_a_move_that_is_thought_about_has_the_odds_of_its_battle() -> None:
    t = front()
    found = asked(t, "west_russia", move("3 infantry, artillery", "russia > west_russia"))
    result = odds.battle(
        "aa1942", "3 infantry, 1 artillery", "2 infantry, 1 antiaircraft_artillery"
    )
    assert agrees(found, result) and found.exact
    assert found.title == "The Soviet Union attacks in West Russia"
    assert found.lines[0] == f"Takes the territory: {100 * result.takes_territory:.1f} %."
    loss = f"loses units worth {result.attacker_loss:.1f} IPCs"
    assert loss in found.lines[1]
    assert found.losses == (
        f"loses {result.attacker_loss:.1f}, destroys {result.defender_loss:.1f} IPCs"
    )


def test_units_that_were_sent_before_count_as_well() -> None:
    t = front().do(move("3 infantry, artillery, tank", "russia > west_russia"))
    both = odds.battle(
        "aa1942",
        "3 infantry, 1 artillery, 1 tank, 1 fighter",
        "2 infantry, 1 antiaircraft_artillery",
    )
    assert agrees(asked(t, "west_russia", move("fighter", "russia > west_russia")), both)
    alone = odds.battle(
        "aa1942", "3 infantry, 1 artillery, 1 tank", "2 infantry, 1 antiaircraft_artillery"
    )
    assert agrees(asked(t, "west_russia"), alone)


def test_a_decision_may_be_plain_data_and_must_be_legal() -> None:
    t = front()
    plain = {"kind": "move", "units": {"tank": 1}, "path": ["russia", "west_russia"]}
    typed = move("tank", "russia > west_russia")
    assert asked(t, "west_russia", plain) == asked(t, "west_russia", typed)
    with pytest.raises(NoQuestion, match="too far"):
        asked(t, "germany", move("tank", "russia > west_russia > belorussia > poland"))


def test_a_territory_that_nobody_defends_is_taken_for_certain() -> None:
    t = table("soviet_union", units={"russia": {"soviet_union": "infantry"}})
    found = asked(t, "west_russia", move("infantry", "russia > west_russia"))
    assert (found.win, found.lines) == (
        1.0,
        ("Nobody defends it: it is taken without a fight.",),
    )


@pytest.mark.parametrize("space", ["west_russia", "russia", "sz5", "atlantis", "switzerland"])
def test_where_nobody_attacks_there_are_no_odds(space: str) -> None:
    with pytest.raises(NoQuestion):
        asked(front(), space)


def test_a_sea_battle_has_its_odds() -> None:
    t = table(
        "germany",
        units={
            "sz9": {"germany": "2 submarine, cruiser"},
            "sz8": {"united_kingdom": "2 destroyer"},
        },
    )
    found = asked(t, "sz8", move("2 submarine, cruiser", "sz9 > sz8"))
    assert agrees(found, odds.battle("aa1942", "2 submarine, 1 cruiser", "2 destroyer"))
    assert not any("Takes" in line for line in found.lines)


def channel(guards: str = "", defenders: str = "infantry") -> Table:
    units = {
        "sz7": {"united_kingdom": "2 transport, battleship, cruiser"},
        "united_kingdom": {"united_kingdom": "3 infantry, tank, fighter"},
        "norway": {"germany": defenders},
    }
    if guards:
        units["sz6"] = {"germany": guards}
    t = table("united_kingdom", units=units)
    if guards:
        t.do(move("battleship, cruiser", "sz7 > sz6"))
    t.do(
        sail("sz7 > sz6", "infantry, tank from united_kingdom in sz7", offload="norway"),
        sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"),
    )
    if not guards:
        t.do(move("battleship, cruiser", "sz7 > sz6"))
    return t


def test_a_landing_has_the_odds_with_its_bombardment() -> None:
    t = channel(defenders="4 infantry")
    result = odds.battle(
        "aa1942",
        defend="4 infantry",
        landing=["2 infantry", "1 infantry, 1 tank"],
        fleet="1 battleship, 1 cruiser",
    )
    assert agrees(asked(t, "norway"), result)


def test_a_landing_behind_a_sea_battle_has_the_odds_of_both() -> None:
    t = channel("destroyer, submarine", "2 infantry")
    result = odds.battle(
        "aa1942",
        defend="2 infantry",
        landing=["2 infantry", "1 infantry, 1 tank"],
        fleet="2 transport, 1 battleship, 1 cruiser",
        fleet_defend="1 destroyer, 1 submarine",
    )
    found = asked(t, "norway")
    assert agrees(found, result) and found.exact
    assert found.lines[0].startswith("First the battle in Sea Zone 6 is won")


def test_an_assault_that_is_thought_about_is_asked_for_by_land_or_by_sea() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "2 infantry"},
            "norway": {"germany": "infantry"},
        },
    )
    voyage = sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway")
    result = odds.battle("aa1942", defend="1 infantry", landing="2 infantry")
    assert agrees(asked(t, "norway", voyage), result)
    assert asked(t, "norway", voyage) == asked(t, "sz6", voyage)


def test_landings_from_several_zones_with_battles_are_an_estimate() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "2 transport, 2 cruiser"},
            "united_kingdom": {"united_kingdom": "4 infantry"},
            "sz6": {"germany": "destroyer"},
            "sz3": {"germany": "destroyer"},
            "norway": {"germany": "infantry"},
        },
    )
    t.do(move("cruiser", "sz7 > sz6"), move("cruiser", "sz7 > sz3"))
    t.do(
        sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"),
        sail("sz7 > sz3", "2 infantry from united_kingdom in sz7", offload="norway"),
    )
    found = asked(t, "norway")
    assert not found.exact
    assert 0 < found.win < 1


def test_a_raid_is_told_by_the_damage_it_does() -> None:
    t = table(
        "united_kingdom",
        units={"united_kingdom": {"united_kingdom": "2 bomber"}},
        damage={"germany": 17},
    )
    found = asked(t, "germany", move("2 bomber", "united_kingdom > sz6 > sz5 > germany", raid=True))
    result = odds.raid("aa1942", 2, ipc=10, damage=17)
    assert found.lines[0] == f"{result.expected_damage:.1f} points of damage on average."
    assert found.win == pytest.approx(1 - 1 / 36)
    assert found.outcome == "to do damage"
    assert found.losses.endswith(f"does {result.expected_damage:.1f} damage")


def test_a_raid_that_has_been_sent_has_odds_but_a_battle_beside_it_comes_first() -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "2 bomber"},
            "france": {"united_kingdom": "2 tank"},
            "germany": {"germany": "infantry"},
        },
        control={"france": "united_kingdom"},
    )
    raid = move("2 bomber", "united_kingdom > sz6 > sz5 > germany", raid=True)
    t.do(raid)
    assert asked(t, "germany").outcome == "to do damage"
    t.do(move("2 tank", "france > germany"))
    assert agrees(asked(t, "germany"), odds.battle("aa1942", "2 tank", "1 infantry"))


def test_a_battle_that_goes_on_has_the_odds_of_its_rest() -> None:
    t = land("3 infantry, artillery, tank", "4 infantry")
    t.dice(1, 6, 6, 6, 6).dice(1, 6, 6, 6)
    assert t.request.kind == "choose_casualties"
    assert agrees(asked(t, "west_russia"), odds.in_progress(t.game))
    t.do(next(iter(t.game.legal(t.request))))
    assert t.request.kind == "press_or_retreat"
    assert agrees(asked(t, "west_russia"), odds.in_progress(t.game))


def test_submarines_in_a_battle_know_its_odds() -> None:
    t = sea("2 submarine, cruiser", "cruiser, submarine")
    assert t.request.kind == "submerge_or_strike"
    assert agrees(asked(t, "sz8"), odds.in_progress(t.game))


def test_no_dice_are_shown_before_they_fall() -> None:
    t = table(
        "soviet_union",
        units={
            "russia": {"soviet_union": "2 infantry"},
            "west_russia": {"germany": "infantry"},
            "karelia_ssr": {"soviet_union": "2 infantry"},
            "baltic_states": {"germany": "infantry"},
        },
    )
    t.do(
        move("2 infantry", "russia > west_russia"),
        move("2 infantry", "karelia_ssr > baltic_states"),
        Done(),
    )
    assert asked(t, "west_russia", Fight("west_russia")) == asked(t, "west_russia")


def test_odds_are_there_for_every_battle_in_played_games() -> None:
    told = 0
    for seed, options in ((31, {"interceptors": True}), (32, {})):
        for game in played("random", seed, 4, options):
            request: Any = game.pending[0]
            if request.kind == "choose_battle":
                for space in request.battles:
                    own = {u.type for u in game.state.stack(space) if u.power == request.power}
                    if own == {"transport"}:
                        # They were there when the enemy came, and have stayed.
                        with pytest.raises(NoQuestion, match="Nobody here can attack"):
                            game.rules.odds(game, space, None, request.power)
                        continue
                    found = game.rules.odds(game, space, None, request.power)
                    assert found.win + found.lose + found.draw == pytest.approx(1)
                    told += 1
    assert told > 20


def test_casualties_that_are_being_chosen_change_the_odds() -> None:
    t = land("3 infantry, tank, fighter", "4 infantry, tank").dice(6, 6, 6, 6, 6)
    t.dice(1, 6, 6, 6, 6)
    assert t.game.pending[0].kind == "choose_casualties"
    cheap = {"kind": "casualties", "lost": {"soviet_union": {"infantry": 1}}}
    name = next(name for name in t.game.pending[0].units["soviet_union"] if "fighter" in name)
    dear = {"kind": "casualties", "lost": {"soviet_union": {name: 1}}}
    assert asked(t, "west_russia", cheap).win == pytest.approx(asked(t, "west_russia").win)
    assert asked(t, "west_russia", dear).win < asked(t, "west_russia", cheap).win - 0.01


def test_what_the_defender_may_still_choose_is_said() -> None:
    found = asked(sea("2 cruiser", "2 submarine"), "sz8")
    assert "submarines stay and fight" in found.given
    assert any("submerge" in line for line in found.lines)
    hunted = asked(sea("2 destroyer", "2 submarine"), "sz8")
    assert "submarines" not in hunted.given


def test_why_there_is_no_chance_is_said() -> None:
    t = sea_table("2 fighter", "1 submarine")
    found = asked(t, "sz8", move("2 fighter", "france > sz8"))
    assert found.win == 0
    assert any("without a destroyer" in line for line in found.lines)
