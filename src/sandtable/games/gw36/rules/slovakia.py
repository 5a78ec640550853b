"""Slovakian Resistance [optional] (15.4): Britain and France may have Slovakia fight."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.gw36.model import News, State
from sandtable.games.gw36.rules.capture import take_peacefully
from sandtable.games.gw36.rules.relations import attack_without_war, wartime_income
from sandtable.games.gw36.rules.terms import at_war_with_major
from sandtable.kernel.kits import YesOrNo
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

STAKES = {"great_britain": 3, "france": 1}


class ContestSlovakia(YesOrNo, frozen=True, tag="contest_slovakia"):
    """Whether the annexation of Slovakia is contested: it is if Britain and France both say so."""

    rule: ClassVar[str] = "15.4a"


def follow(g: Table[State], news: News) -> Procedure[None]:
    """After the German Combat Movement Phase the annexation is allowed or contested; after the
    battle the peacetime incomes of Britain and France fall or rise.

    Rules: 15.4a, 15.4b, 15.4c, 15.4d
    """
    s = g.state
    if news.kind != "phase":
        return
    if news.how == "end of combat_move" and "slovakia" in s.marks:
        s.marks -= {"slovakia"}
        asked = [ContestSlovakia(power) for power in STAKES if power not in s.surrendered]
        answers = yield from g.ask_all(asked)
        if len(answers) == len(STAKES) and all(answer.yes for answer in answers.values()):
            s.marks |= {"slovakia_contested"}
            attack_without_war(g, "germany", "czechoslovakia", "slovakia", "contested")
            for unit, count in list(s.stack("slovakia").items()):
                if unit.nation == "germany" and s.facts.units[unit.type].land:
                    s.change("slovakia", unit, count, duty="attack")
            if ("slovakia", "land") not in s.planned:
                s.planned = (*s.planned, ("slovakia", "land"))
        else:
            take_peacefully(g, "germany", "slovakia")
    elif news.how == "end of combat" and "slovakia_contested" in s.marks:
        s.marks -= {"slovakia_contested"}
        won = s.possession["slovakia"] == "germany"
        for power, stake in STAKES.items():
            if not at_war_with_major(s, power):
                room = max(0, wartime_income(s, power) - s.income[power])
                change = -min(stake, s.income[power]) if won else min(stake, room)
                s.income[power] += change
                g.emit("income_changed", power=power, by=change, cause="resistance")
