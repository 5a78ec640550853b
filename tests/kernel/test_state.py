"""A state declared once: its copies, its plain data, and the way back."""

from __future__ import annotations

import json
from typing import Any, Literal, NamedTuple

import msgspec
import pytest

from sandtable.kernel.state import BadPlain, State, declared, own, shared


class Ship(NamedTuple):
    power: str
    type: str
    hits: int = 0
    cargo: tuple[Ship, ...] = ()


class Side(msgspec.Struct, frozen=True):
    power: str
    stack: dict[Ship, int]
    lost: frozenset[tuple[str, int]] = frozenset()


class Battle(NamedTuple):
    at: str
    attacker: Side
    round: int = 1
    factors: tuple[int | None, int | None] = (None, None)
    retreat: Ship | None = None


Step = Literal["surprise", "fire"]


@declared
class Position(State):
    facts: tuple[str, ...]
    round: int = 1
    step: Step | None = None
    over: bool = False
    at: dict[str, dict[Ship, int]] = own()
    """Where ships are."""
    where: dict[str, tuple[str, ...]] = own(plain=False)
    money: dict[str, int] = own()
    before: dict[str, str] = shared({})
    cache: dict[str, int] | None = shared(None, plain=False)
    tally: dict[tuple[str, str], int] = own()
    wars: frozenset[tuple[str, str]] = frozenset()
    queue: tuple[tuple[str, Ship | None], ...] = ()
    battle: Battle | None = None

    def derive(self) -> None:
        self.where = {power: () for power in self.facts}
        for space, stack in sorted(self.at.items()):
            for ship in sorted(stack):
                self.where[ship.power] = (*self.where[ship.power], space)


SUB = Ship("red", "submarine")
LOADED = Ship("blue", "transport", 1, (Ship("blue", "tank"),))


def position() -> Position:
    s = Position(("red", "blue"), {"fleet": True})
    s.at = {"north": {SUB: 2, LOADED: 1}, "south": {SUB: 1}}
    s.money |= {"red": 3, "blue": 0}
    s.before = {"east": "red"}
    s.tally["red", "submarine"] = 3
    s.tally["blue", "tank"] = 1
    s.wars = frozenset({("red", "blue"), ("blue", "red")})
    s.queue = (("red", None), ("blue", LOADED))
    s.step = "fire"
    s.battle = Battle("north", Side("red", {SUB: 2}, frozenset({("b", 2), ("a", 1)})), 3, (4, None))
    s.derive()
    return s


PLAIN = {
    "round": 1,
    "step": "fire",
    "over": False,
    "at": {
        "north": [
            [
                {
                    "power": "blue",
                    "type": "transport",
                    "hits": 1,
                    "cargo": [{"power": "blue", "type": "tank"}],
                },
                1,
            ],
            [{"power": "red", "type": "submarine"}, 2],
        ],
        "south": [[{"power": "red", "type": "submarine"}, 1]],
    },
    "money": {"red": 3, "blue": 0},
    "before": {"east": "red"},
    "tally": [[["blue", "tank"], 1], [["red", "submarine"], 3]],
    "wars": [["blue", "red"], ["red", "blue"]],
    "queue": [
        ["red", None],
        [
            "blue",
            {
                "power": "blue",
                "type": "transport",
                "hits": 1,
                "cargo": [{"power": "blue", "type": "tank"}],
            },
        ],
    ],
    "battle": {
        "at": "north",
        "attacker": {
            "power": "red",
            "stack": [[{"power": "red", "type": "submarine"}, 2]],
            "lost": [["a", 1], ["b", 2]],
        },
        "round": 3,
        "factors": [4, None],
    },
}


def values(s: Position) -> dict[str, Any]:
    names = [*PLAIN, "facts", "options", "where", "cache"]
    return {name: getattr(s, name) for name in names}


def test_plain_data_is_readable_json() -> None:
    assert json.loads(json.dumps(position().plain())) == PLAIN


def test_a_position_is_made_again_from_its_plain_data() -> None:
    s = position()
    for plain in (s.plain(), json.loads(json.dumps(s.plain(), sort_keys=True))):
        again = Position.from_plain(plain, s.facts, s.options)
        assert values(again) == values(s)
        assert again.plain() == s.plain()
        assert type(again.battle) is Battle


def test_what_is_derived_follows_from_the_plain_data() -> None:
    s = position()
    assert s.where == {"red": ("north", "south"), "blue": ("north",)}
    s.cache = {"anything": 1}
    again = Position.from_plain(s.plain(), s.facts, s.options)
    assert again.where == s.where
    assert again.cache is None


def test_a_new_state_has_its_defaults_and_dicts_of_its_own() -> None:
    one, two = Position(("red",), {}), Position(("red",), {}, round=4)
    assert (one.round, two.round, one.battle, one.wars) == (1, 4, None, frozenset())
    one.money["red"] = 1
    one.before["x"] = "y"
    assert (two.money, two.before) == ({}, {})
    assert one.where == {"red": ()}
    with pytest.raises(AttributeError):
        one.misspelt = 1  # type: ignore[attr-defined]


def test_a_copy_is_independent_where_it_has_dicts_of_its_own_and_shares_the_rest() -> None:
    s = position()
    copy = s.copy()
    assert type(copy) is Position
    assert values(copy) == values(s)
    before = s.plain()
    copy.round = 9
    copy.money["red"] = 100
    copy.tally.clear()
    copy.at["north"] = {}
    del copy.where["red"]
    assert s.plain() == before
    assert "red" in s.where
    assert copy.before is s.before
    assert copy.at["south"] is s.at["south"]


def test_plain_data_does_not_change_with_the_state() -> None:
    s = position()
    plain = s.plain()
    s.money["red"] = 100
    s.at["north"] = {}
    assert json.loads(json.dumps(plain)) == PLAIN


def changed(*path: Any, to: Any) -> dict[str, Any]:
    plain = json.loads(json.dumps(PLAIN))
    place = plain
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return plain


@pytest.mark.parametrize(
    "plain",
    [
        None,
        [],
        {},
        {**PLAIN, "colour": 1},
        {name: value for name, value in PLAIN.items() if name != "round"},
        changed("round", to="1"),
        changed("round", to=True),
        changed("round", to=1.0),
        changed("over", to=0),
        changed("step", to="water"),
        changed("step", to=["fire"]),
        changed("money", to=[]),
        changed("money", "red", to=None),
        changed("at", "north", to={}),
        changed("at", "north", to=[[]]),
        changed("at", "north", to=[7]),
        changed("at", "north", 0, 0, to="red"),
        changed("at", "north", 0, 0, "colour", to=1),
        changed("at", "north", 0, 0, to={"power": "red"}),
        changed("at", "north", 0, 0, "cargo", to="tank"),
        changed("wars", 0, to=["red"]),
        changed("wars", 0, to=["red", "blue", "green"]),
        changed("wars", to="red"),
        changed("queue", 0, to="ab"),
        changed("battle", to={}),
        changed("battle", "factors", to=[1]),
        changed("battle", "attacker", "stack", to=None),
        changed("tally", 0, to=[["a", "b"], 1, 2]),
    ],
)
def test_what_is_no_position_is_refused(plain: Any) -> None:
    with pytest.raises(BadPlain) as refused:
        Position.from_plain(plain, ("red", "blue"), {})
    assert str(refused.value).endswith(".")


def test_a_dict_says_whose_it_is() -> None:
    with pytest.raises(TypeError, match="money is a dict"):

        @declared
        class _(State):
            money: dict[str, int] = None  # type: ignore[assignment]


@pytest.mark.parametrize("hint", [list[int], set[str], object, Ship | Battle, "float"])
def test_what_cannot_be_plain_cannot_be_declared(hint: Any) -> None:
    with pytest.raises(TypeError, match="A state cannot hold"):
        declared(type("Bad", (State,), {"__annotations__": {"field": hint}, "field": None}))
