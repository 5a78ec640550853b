"""Before the first turn: bidding (9.1) and Blitzing the Road to War (9.2)."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules import road_to_war
from sandtable.kernel.decisions import Decision
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

HIGHEST, LOWEST = 3, -3

ORDER = ("germany", "usa", "afa", "ussr")
"""The powers whose groups of powers are bid for, one after the other."""


class Bid(Decision, frozen=True, tag="bid"):
    """Offer to run a group of powers with so many points added at the end."""

    points: int


class Auction(ChooseOne, frozen=True, tag="auction"):
    """Bid less than the lowest bid for a group of powers; or pass, and be out of its auction.

    Rules: 9.1b
    """

    group: tuple[str, ...]
    lowest: int
    """The lowest bid so far; one above the highest that there can be, if nobody has bid."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Bid,)
    rule: ClassVar[str] = "9.1b"
    refusal: ClassVar[str] = "A bid is lower than {lowest} and no lower than -3, not {asked}."

    def allowed(self, state: State) -> range:
        return range(self.lowest - 1, LOWEST - 1, -1)


def before_the_game(g: Table[State]) -> Procedure[None]:
    """Settle what the options ask for before the first turn.

    Rules: 9.0a, 1.11d
    """
    s = g.state
    if s.options["bidding"] and not s.bids:
        yield from bid_for_powers(g)
    if "road_to_war" in s.flags:
        yield from road_to_war.choose_options(g)


def bid_for_powers(g: Table[State]) -> Procedure[None]:
    """An open auction of the groups of powers; each ends when all but one have passed.

    Until the groups are given out, the first power of each stands for one of the persons. Who gets
    which group is told (`awarded`), so that the persons can change their seats; the bid stays with
    the group. If nobody else bids, the last one left has the group at the highest bid.

    Rules: 9.1a, 9.1b, 9.1c
    """
    s = g.state
    g.checkpoint(strict=True)
    persons = [group[0] for group in s.players]
    groups = _in_order(s.players)
    for group in groups[:-1]:
        bidders, lowest, leader = list(persons), HIGHEST + 1, ""
        while len(bidders) > 1 and lowest > LOWEST:
            bidder = bidders.pop(0)
            answers = yield from g.offer([Auction(bidder, group, lowest)])
            if answers:
                lowest, leader = answers[bidder].points, bidder
                bidders.append(bidder)
                g.emit("bid", power=bidder, powers=group, points=lowest)
        leader = leader or bidders[0]
        _award(g, group, leader, min(lowest, HIGHEST))
        persons.remove(leader)
    _award(g, groups[-1], persons[0], -sum(s.bids.values()))


def _award(g: Table[State], group: tuple[str, ...], person: str, points: int) -> None:
    g.state.bids[group[0]] = points
    g.emit("awarded", powers=group, power=person, points=points)


def _in_order(groups: tuple[tuple[str, ...], ...]) -> list[tuple[str, ...]]:
    """The groups as they are bid for: by the named powers, then what is left.

    Rules: 9.1a
    """
    found = [group for power in ORDER for group in groups if power in group]
    return list(dict.fromkeys((*found, *groups)))
