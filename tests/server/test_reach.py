"""Where units go that do not move together, and the odds of what they do together."""

from __future__ import annotations

import sandtable
from sandtable.kernel.display import Reach
from sandtable.server import questions
from tests.aa1942.table import Table, table
from tests.gw75.table import table as hexes


def stack() -> Table:
    """Infantry, a tank and a fighter beside an enemy."""
    return table(
        "germany",
        units={
            "ukraine_ssr": {"germany": "2 infantry, tank, fighter"},
            "caucasus": {"soviet_union": "infantry"},
            "archangel": {"soviet_union": "infantry"},
        },
    )


def whole(t: Table, **chosen: int) -> Reach:
    return questions.reach(t.game, t.request, "ukraine_ssr", chosen, some=True)


def test_units_that_do_not_move_together_go_one_after_the_other_and_others_stay() -> None:
    t = stack()
    found = whole(t, infantry=2, tank=1, fighter=1)
    near, far = found.ways["caucasus"], found.ways["archangel"]
    assert near.decisions[0].decision["units"] == {"infantry": 2, "tank": 1}
    assert [decision["units"] for decision in near.then] == [{"fighter": 1}]
    assert near.stay == {}
    assert far.decisions[0].decision["units"] == {"tank": 1}
    assert [decision["units"] for decision in far.then] == [{"fighter": 1}]
    assert far.stay == {"infantry": 2}
    # All that is offered is done.
    for decision in (near.decisions[0].decision, *near.then):
        t.game.submit("germany", decision)
    assert t.units("caucasus", "germany") == {"infantry": 2, "tank": 1, "fighter": 1}


def test_odds_are_those_of_all_that_go() -> None:
    t = stack()
    way = whole(t, infantry=2, fighter=1).ways["caucasus"]
    first, (last,) = way.decisions[0].decision, way.then
    alone = questions.odds(t.game, "germany", "caucasus", first)
    both = questions.odds(t.game, "germany", "caucasus", last, [first])
    assert alone.odds and both.odds and both.odds.win > alone.odds.win


def test_nobody_learns_by_odds_what_the_dice_will_show() -> None:
    units = {"ukraine_ssr": {"germany": {"tank": 3}}, "caucasus": {"soviet_union": {"tank": 3}}}
    position = {"base": "empty", "turn": "germany", "phase": "combat_move", "units": units}
    game = sandtable.new("aa1942", seed=3, position=position)
    move = {"kind": "move", "units": {"tank": 3}, "path": ["ukraine_ssr", "caucasus"]}
    before = game.hash
    asked = questions.odds(game, "germany", "caucasus", None, [move, {"kind": "done"}])
    assert asked.odds is None and asked.reason == "What the dice show is not known yet."
    assert game.hash == before


def test_one_kind_of_units_is_asked_about_as_it_is() -> None:
    t = stack()
    assert whole(t, tank=1) == questions.reach(t.game, t.request, "ukraine_ssr", {"tank": 1})


def test_what_takes_all_of_them_together_is_offered_to_all_of_them() -> None:
    """An Overrun of Global War (1975) takes a differential that neither kind has by itself."""
    units = {"W3123": {"germany": "4 inf, 5 mech"}, "W3124": {"ussr": "inf"}}
    held = {"W3123": "germany", "W3122": "germany"}
    t = hexes("axis_land_movement", 8, units=units, held=held, wars=[("germany", "ussr")])

    def reach(inf: int, mech: int) -> Reach:
        chosen = {"germany:inf": inf, "germany:mech": mech}
        return questions.reach(t.game, t.game.pending[0], "W3123", chosen, some=True)

    way = reach(4, 5).ways["W3124"]
    assert way.battle and way.stay == {} and not way.then
    (choice,) = way.decisions
    assert choice.decision["units"] == (("germany", "inf", 4), ("germany", "mech", 5))
    t.game.submit("germany", choice.decision)
    # Where they are too weak, it is said how strong all of them are.
    t = hexes("axis_land_movement", 8, units=units, held=held, wars=[("germany", "ussr")])
    assert reach(2, 5).refused["W3124"].reason.endswith("into W3124 is +6.")
