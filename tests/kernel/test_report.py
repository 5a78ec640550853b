"""The report: what lines and positions have brought to somebody, whatever the game."""

from __future__ import annotations

from sandtable.kernel.display import Line, Moment, Picture, Piece, ReportItem, Space, Stack
from sandtable.kernel.report import Standing, report, standing

NAMES = {"red": "Red", "blue": "Blue", "a": "Aland", "b": "Bland", "c": "Cland", "d": "Dland"}


def infantry(power: str, count: int) -> Stack:
    return Stack(power, (Piece("infantry", "Infantry", count),))


def position(income: float = 0, **holders: str) -> Standing:
    return Standing(holders, {}, {"red": income, "blue": 10.0})


def told(*lines: Line, before: Standing, now: Standing) -> list[ReportItem]:
    return list(report(("red",), before, now, lines, 5, NAMES).items)


def test_a_standing_is_who_holds_what_who_stands_where_and_the_income() -> None:
    picture = Picture(
        Moment("", ""),
        {
            "a": Space(owner="red", stacks=(infantry("red", 2),)),
            "b": Space(owner="red", holder="blue"),
            "c": Space(stacks=(infantry("blue", 1),)),
        },
    )
    found = standing(picture, {"Forces": {"red": 1.0}, "Income": {"red": 7.0}})
    assert found == Standing(
        {"a": "red", "b": "blue"}, {"a": ("red",), "c": ("blue",)}, {"red": 7.0}
    )


def test_losses_are_told_by_battle() -> None:
    here = position(a="red", b="blue")
    turn = Line("turn", "Turn", level=0)
    items = told(
        Line("lost", "x", spaces=("a",), lost=(infantry("red", 1), infantry("blue", 2))),
        Line("lost", "x", spaces=("a",), lost=(infantry("red", 2),)),
        turn,
        Line("lost", "x", spaces=("a",), lost=(infantry("blue", 1),)),
        # Others among themselves.
        Line("lost", "x", spaces=("b",), lost=(infantry("blue", 9),)),
        before=here,
        now=here,
    )
    assert items == [
        ReportItem(
            "battle", "Aland", spaces=("a",), lost=(infantry("red", 3), infantry("blue", 2))
        ),
        ReportItem("battle", "Aland", spaces=("a",), lost=(infantry("blue", 1),)),
    ]


def test_damage_is_told_to_whoever_suffers_it() -> None:
    here = position(a="red", b="blue")
    bombs = Line("bombed", "Bombs on Aland.", spaces=("a",), power="blue", harmed="red")
    ours = Line("bombed", "Bombs on Bland.", spaces=("b",), power="red", harmed="blue")
    assert told(bombs, ours, before=here, now=here) == [
        ReportItem("damage", "Bombs on Aland.", spaces=("a",), power="red")
    ]


def test_spaces_income_and_politics() -> None:
    war = Line("war", "Blue declared war on Red.", spaces=("c",), power="blue", deed="politics")
    items = told(
        war,
        Line("said", "Something else."),
        before=position(12, a="red", b="blue", c="blue"),
        now=position(10, a="blue", b="blue", c="red", d="red"),
    )
    assert items == [
        ReportItem("lost", "Aland, to Blue", spaces=("a",), power="blue"),
        ReportItem("gained", "Cland, from Blue", spaces=("c",), power="red"),
        ReportItem("gained", "Dland", spaces=("d",), power="red"),
        ReportItem("income", "Red: 12 → 10 (-2)", spaces=("a", "c", "d"), power="red"),
        ReportItem("politics", war.text, spaces=("c",), power="blue"),
    ]


def test_many_spaces_are_told_together() -> None:
    many = {f"hex{n}": "blue" for n in range(20)}
    items = told(before=position(), now=position(**dict.fromkeys(many, "red")))
    assert len(items) == 9
    assert items[-1].text == "12 more"
    assert len(items[-1].spaces) == 12


def test_what_touched_somebody_is_theirs_or_ends_where_they_are() -> None:
    here = position(a="red", b="blue")
    lines = (
        Line("turn", "Turn", level=0, power="red"),
        Line("moved", "x", spaces=("b", "a"), path=("b", "a"), power="blue"),
        Line("moved", "x", spaces=("a", "b"), path=("a", "b"), power="blue"),
        Line("moved", "x", spaces=("b",), path=("b", "c"), power="red"),
        Line("war", "x", deed="politics"),
        Line("lost", "x", spaces=("b",), lost=(infantry("red", 1),)),
        Line("bought", "x", spaces=("a",), power="blue"),
    )
    assert report(("red",), here, here, lines, 5, NAMES).touched == (6, 8, 9, 10)
