"""Blitzes, commanders, politics, what follows from conquests, and what is settled beforehand."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.blitz import words
from sandtable.games.blitz.forms.parts import choose, place_name, unit_choice, unit_name, yes_or_no
from sandtable.games.blitz.forms.turn_end import command_choice, counter_choice
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.before import Auction, Bid
from sandtable.games.blitz.rules.choose_blitz import AnnounceBlitz, ChooseBlitz, cost
from sandtable.games.blitz.rules.commanders import Command, OrderCommander, sides_of
from sandtable.games.blitz.rules.conquest import (
    ChooseControl,
    ChooseHome,
    GiveBack,
    Liberate,
    LiberateFoe,
    NameHome,
)
from sandtable.games.blitz.rules.control import Loot, LootFactory, TakePoints
from sandtable.games.blitz.rules.displaced import Place, PlaceUnit
from sandtable.games.blitz.rules.leave import Admit, GiveLeave
from sandtable.games.blitz.rules.road_to_war import ChooseOption, RoadChoice
from sandtable.games.blitz.rules.scenarios import (
    AnnounceJapan,
    ChooseSovietTarget,
    JapansEntry,
    OfferExtra,
    SovietTarget,
    TakeExtra,
)
from sandtable.games.blitz.rules.set_aside import CallUp, ChooseReturn
from sandtable.games.blitz.rules.sides import areas_of
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form

# --- Blitzes and commanders ----------------------------------------------------------------------

_BLITZES = {
    "free": "Units of total Size {size} make one limited move each; no attacks.",
    "air": "Only air units act, in all steps; land units and ships stay where they are.",
    "land": "Land units move, and any units join in Ground Attacks.",
    "foot": "A Land Blitz in which only one armour, air or naval unit acts.",
    "naval": "Units return to base, move to sea and fight at sea.",
    "total": "A whole turn of activities again, with all units.",
}


def choose_blitz(legal: Legal, request: ChooseBlitz, s: State) -> Form:
    """Which Blitz to have."""
    choices = []
    for decision in legal:
        assert isinstance(decision, AnnounceBlitz)
        oil, resources = cost(s, decision.blitz)
        price = words.goods(oil, resources)
        text = _BLITZES[decision.blitz].format(size=s.facts.numbers.free_blitz_size)
        choices.append(
            Choice(
                f"{words.blitz_name(decision.blitz)} Blitz",
                plain(decision),
                f"{'Free' if price == 'nothing' else f'Costs {price}'}. {text}",
            )
        )
    saved = words.goods(s.oil[request.power], s.resources[request.power])
    return choose(
        legal,
        "Choose a Blitz",
        "A Blitz lets you act a second time this turn. The bigger ones cost saved Oil; "
        "all powers of your side announce theirs together.",
        choices,
        notes=(f"You have saved {saved}.",),
    )


def order_commander(legal: Legal, request: OrderCommander, s: State) -> Form:
    """Where a commander goes, and whom he leads."""
    name = s.facts.commanders[request.commander].name
    at, unit = s.commanders[request.commander]
    leads = f" and leads {s.facts.names[unit]}" if unit else ""
    other = words.names(
        s.facts, (id for id in sides_of(s, request.commander) if id != request.commander)
    )
    orders = [each for each in legal if isinstance(each, Command)]
    # Where he is first; places without a unit to lead are many, and of little use.
    orders.sort(key=lambda each: (not each.unit, each.at != at, s.facts.names[each.at]))
    return choose(
        legal,
        f"Orders for {name}",
        f"{name} is in {s.facts.names[at]}{leads}. He may go to any place in supply and lead a "
        f"unit there, which fights with his factors added; or {other} may take his place.",
        [
            command_choice(s, each, f"In {s.facts.names[each.at]}" if each.unit else _ALONE)
            for each in orders
        ],
        pass_label="Leave him as he is",
    )


_ALONE = "Without a unit"


# --- allies --------------------------------------------------------------------------------------


def give_leave(legal: Legal, request: GiveLeave, s: State) -> Form:
    """Whether an ally's unit may move in."""
    where = s.facts.names[request.to]
    owner = s.units[request.unit].power
    guest = words.power_name(s.facts, owner)
    return choose(
        legal,
        "May they move in?",
        f"{words.upper(guest)} {words.verb(owner, 'wants', 'want')} to move "
        f"{unit_name(s, request.unit)} into {where}, which is yours. Your air and naval units "
        "there would have to leave.",
        yes_or_no(Admit, "Let it in", "Refuse", spaces=(request.to,)),
    )


# --- conquest and liberation ---------------------------------------------------------------------


def choose_home(legal: Legal, request: ChooseHome, s: State) -> Form:
    """A new home for the units of a conquered country."""
    lost = s.facts.names[request.country]
    return choose(
        legal,
        "A new home",
        f"{lost} is conquered. Choose a country that is home to its units from now on.",
        [
            Choice(s.facts.names[each], plain(NameHome(each)), spaces=areas_of(s, each))
            for each in request.countries
        ],
    )


def choose_control(legal: Legal, request: ChooseControl, s: State) -> Form:
    """Whether what was liberated goes back."""
    place, to = s.facts.name(request.place), words.power_name(s.facts, request.owner)
    areas = (request.place,) if request.place in s.control else areas_of(s, request.place)
    return choose(
        legal,
        "Give it back?",
        f"You have liberated {place}, which first was {to}'s. Give it back, or keep it?",
        yes_or_no(GiveBack, f"Give it back to {to}", "Keep it", spaces=areas),
    )


def liberate_foe(legal: Legal, request: LiberateFoe, s: State) -> Form:
    """Whether a conquered minor becomes an ally."""
    name = s.facts.names[request.country]
    return choose(
        legal,
        "Liberate a foe?",
        f"{name} is conquered. You may make it your ally instead of leaving it conquered.",
        yes_or_no(
            Liberate, "Make it an ally", "Leave it conquered", spaces=areas_of(s, request.country)
        ),
    )


def choose_return(legal: Legal, request: ChooseReturn, s: State) -> Form:
    """Which counter of a liberated country comes back."""
    name = s.facts.names[request.country]
    return choose(
        legal,
        f"Units of {name}",
        f"{name} is liberated. Choose the unit that joins your Force Pool.",
        [counter_choice(s, CallUp(each), each) for each in request.counters],
    )


def place_unit(legal: Legal, request: PlaceUnit, s: State) -> Form:
    """Where a unit goes that has to leave."""
    unit, facts = request.unit, s.facts
    on_map = unit in s.units
    name = unit_name(s, unit) if on_map else facts.name(unit)
    choices: list[Choice] = []
    for at, port in request.places:
        label, decision = place_name(s, at, port), Place(at, port)
        choices.append(
            unit_choice(s, unit, decision, label, detail="", spaces=(at,))
            if on_map
            else Choice(label, plain(decision), spaces=(at,))
        )
    return choose(
        legal,
        "Place a unit",
        f"{name} has to leave the area where it is. Choose where it goes.",
        choices,
    )


def loot_factory(legal: Legal, request: LootFactory, s: State) -> Form:
    """Points for a Factory, or goods."""
    name = s.facts.names[request.area]
    choices = [
        Choice(
            f"Take {words.number(request.points, 'Victory Point')}",
            plain(TakePoints()),
            "They are lost again with the Factory.",
            spaces=(request.area,),
            tone="primary",
        )
    ]
    for oil in range(request.points + 1):
        spoils = words.goods(oil, 2 * (request.points - oil))
        choices.append(Choice(f"Loot {spoils}", plain(Loot(oil)), "Saved at once."))
    return choose(
        legal,
        f"The Factory of {name}",
        f"You have taken the Factory of {name}. Take its Victory Points, or loot it for Oil and "
        "Resources.",
        choices,
    )


# --- before the game -----------------------------------------------------------------------------


def auction(legal: Legal, request: Auction, s: State) -> Form:
    """A bid for a group of powers."""
    group = words.names(s.facts, request.group)
    return choose(
        legal,
        f"Bid for {group}",
        f"The lowest bid plays {group}; the bid is added to the points at the end. "
        "Bid, or pass and be out of this auction.",
        [
            Choice(f"{each.points:+d}", plain(each), _meaning(each.points))
            for each in legal
            if isinstance(each, Bid)
        ],
    )


def _meaning(points: int) -> str:
    if not points:
        return "Nothing is added."
    verb = "gain" if points > 0 else "give up"
    return f"You {verb} {words.number(abs(points), 'point')} at the end."


def road_choice(legal: Legal, request: RoadChoice, s: State) -> Form:
    """An option of the Road to War."""
    return choose(
        legal,
        f"Road to War, step {request.step} of {len(s.facts.road)}",
        "Change how the war begins: choose one of the options of this step, or a standard one.",
        _options(s, legal),
    )


def _options(s: State, legal: Legal) -> Iterator[Choice]:
    facts = s.facts
    for decision in legal:
        if not isinstance(decision, ChooseOption):
            continue
        option = facts.road_options[decision.option]
        about = [
            words.part_of_option(s.facts, part)
            for part in (decision.target, decision.detail)
            if part
        ]
        label = f"{option.name}: {', '.join(about)}" if about else option.name
        spaces = [part for part in (decision.target, decision.detail) if part in s.control]
        if decision.target in s.units:
            spaces.append(s.units[decision.target].at)
        yield Choice(
            label,
            plain(decision),
            option.effect,
            spaces=tuple(spaces),
            group=f"Standard: {option.name}" if about else "Of this step",
        )


# --- of single scenarios -------------------------------------------------------------------------


def japans_entry(legal: Legal, request: JapansEntry, s: State) -> Form:
    """Whether Japan goes to war."""
    points = words.number(request.points, "Victory Point")
    return choose(
        legal,
        "Japan",
        f"Announce that Japan goes to war with the AFA and the USA? The USA is in the war then and "
        f"gains {points}. If not, you are asked again next turn.",
        [Choice("Japan goes to war", plain(AnnounceJapan()), tone="danger")],
        pass_label="Not this turn",
    )


def choose_soviet_target(legal: Legal, request: ChooseSovietTarget, s: State) -> Form:
    """Which area the USSR attacks."""
    return choose(
        legal,
        "The USSR attacks",
        "The USSR may attack a land area of Japan's this turn: a die decides. Choose which.",
        [
            Choice(s.facts.names[area], plain(SovietTarget(area)), spaces=(area,))
            for area in request.targets
        ],
        pass_label="No attack",
    )


def offer_extra(legal: Legal, request: OfferExtra, s: State) -> Form:
    """Extra Resources for a point."""
    return choose(
        legal,
        "Extra Resources",
        f"You may have {request.resources} more Resources this turn for a Victory Point; if you "
        "have none, Japan gains one.",
        [Choice(f"Take {request.resources} Resources", plain(TakeExtra()))],
        pass_label="Keep the point",
    )
