"""Edge cases: the board."""

import pytest

from tests.aa1942.table import Done, move, sail, table


@pytest.mark.rule("aa1942:island.unnamed")
def test_board_01() -> None:
    """The islands drawn in sea zone 15 have no name and are no place to land."""
    units = {"sz15": {"germany": "transport"}, "italy": {"germany": "infantry"}}
    for phase in ("combat_move", "noncombat_move"):
        t = table("germany", phase, units)
        for name in ("crete", "sicily", "malta"):
            landing = sail("sz15", "infantry from italy in sz15", offload=name)
            t.refused(landing, "map.spaces")
        t.refused(sail("sz15", "infantry from italy in sz15", offload="sz15"))


@pytest.mark.rule("aa1942:island.no-split")
def test_board_02() -> None:
    """The four infantry of the Caroline Islands defend as one garrison."""
    hold = {"ship": "transport", "load": {"united_states": {"infantry": 1}}}
    t = table(
        "united_states",
        units={
            "sz50": {"united_states": "transport"},
            "caroline_islands": {"japan": "4 infantry"},
        },
        cargo={"sz50": {"united_states": [hold]}},
    )
    t.do(sail("sz50", offload="caroline_islands"), Done()).dice(6)
    assert t.request.dice == 4
    t = table("japan", "noncombat_move", {"caroline_islands": {"japan": "4 infantry"}})
    t.refused(move("2 infantry", "caroline_islands > caroline_islands"), "map.adjacency")


@pytest.mark.rule("aa1942:map.wrap.horizontal", "aa1942:map.wrap.listed-pairs")
@pytest.mark.parametrize("pair", [("sz55", "sz19"), ("sz42", "sz20"), ("sz41", "sz21")])
def test_board_03(pair: tuple[str, str]) -> None:
    """Ships sail across the edge of the board in three places, both ways."""
    for here, there in (pair, pair[::-1]):
        t = table("united_states", "noncombat_move", {here: {"united_states": "destroyer"}})
        t.do(move("destroyer", f"{here} > {there}"))
        assert t.units(there, "united_states") == {"destroyer": 1}


@pytest.mark.rule("aa1942:map.wrap.horizontal", "aa1942:map.wrap.listed-pairs")
@pytest.mark.parametrize(
    "pair",
    [
        ("western_united_states", "central_united_states"),
        ("western_canada", "eastern_canada"),
        ("mexico", "east_mexico"),
    ],
)
def test_board_04(pair: tuple[str, str]) -> None:
    """Land units cross the edge in North America, both ways."""
    for here, there in (pair, pair[::-1]):
        t = table("united_states", "noncombat_move", {here: {"united_states": "infantry"}})
        t.do(move("infantry", f"{here} > {there}"))
        assert t.units(there, "united_states") == {"infantry": 1}
