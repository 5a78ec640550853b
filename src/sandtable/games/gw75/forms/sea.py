"""Forms of the Naval Phases, and where chosen ships and ASW units can go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from sandtable.games.gw75 import words
from sandtable.games.gw75.forms import pipelines
from sandtable.games.gw75.forms.parts import (
    GROUPS,
    hexes,
    in_order,
    part_of,
    several,
    told_apart,
    why_not,
)
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import naval, naval_combat, naval_movement, naval_results
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.naval_combat import Decline, Engage, FallBack, Respond, Stand
from sandtable.games.gw75.rules.naval_movement import Sail, Transfer
from sandtable.games.gw75.rules.terms import SHIPS, nations
from sandtable.games.gw75.rules.transit import Spare, Strike, TransitAttack
from sandtable.games.gw75.view import SYMBOLS
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import (
    Choice,
    Form,
    Help,
    Limit,
    Mover,
    NoQuestion,
    Reach,
    Refusal,
    Row,
    Way,
)

DEPLETED = "depleted"


def naval_phase(legal: Legal) -> Form:
    """Ships that can move, attacks that can be made."""
    s: State = legal.state
    number = naval_movement.number_of(s)
    problem = why_not(legal, Done())
    attacks: dict[str, list[Engage]] = {}
    for each in naval._attacks(s, legal.asked.power):
        if why_not(legal, each) is None:
            attacks.setdefault(each.target, []).append(each)
    choices = sorted((_engage(s, ways) for ways in attacks.values()), key=lambda each: each.tone)
    choices += [
        Choice(
            f"Snort Mode for {each.number} in {s.facts.name(each.hex)}",
            plain(each),
            group="Submarines",
            spaces=(each.hex,),
        )
        for each in dict.fromkeys(naval._snorts(s, legal.asked.power))
        if why_not(legal, each) is None
    ]
    merchants = "Merchant Ships move now." if number == 3 else "Merchant Ships move in the third."
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        component="move",
        title=f"Naval movement and combat, phase {number} of 3",
        prompt="Move ships, attack, move on. Whoever leaves a hex in an Enemy's Zone of Control "
        f"may be attacked. {merchants}",
        movers=_movers(s, legal.asked.power),
        network=pipelines.network(s, legal.asked.power) if number == 3 else None,
        choices=tuple(choices),
        done=plain(Done()),
        done_label="End this naval phase",
        done_problem=problem.reason if problem else "",
        help=(
            Help("12.0a", "Naval movement"),
            Help("13.0d", "Transit Attacks"),
            Help("15.0a", "Naval combat"),
            Help("18.63a", "Pipelines"),
        ),
    )


def _engage(s: State, ways: list[Engage]) -> Choice:
    """An attack on a hex, by any of the units that can: the first of the `ways` is proposed."""
    target, proposed = ways[0].target, ways[0].force
    parts = list(dict.fromkeys(part for each in ways for part in each.force))
    ours = several(s, [(nation, type, number) for _, nation, type, number in proposed])
    force = naval_combat.muster(s, proposed, target)
    theirs: dict[str, dict[str, int]] = naval_results.forces(naval_combat.targets(s, force, target))
    detail = f"{ours} against {words.units(s.facts, theirs)}"
    wronged = naval_combat.wronged(s, force, target)
    victims = sorted({whom for _, whom in wronged})
    if victims:
        detail += f"; violates the peace of {words.nations(s.facts, victims)}"
    return Choice(
        f"Attack {s.facts.name(target)}",
        {"kind": "engage", "target": target, "force": []},
        detail=detail,
        group="Attacks on those who are at peace" if victims else "Attacks",
        spaces=(target,),
        rows=told_apart(
            s, [part_of(s, *part, part[3] if part in proposed else 0) for part in parts]
        ),
        limits=(Limit("Units", sum(number for *_, number in parts), 1),),
        battle=target,
        tone="danger" if victims else "",
    )


def _movers(s: State, player: str) -> tuple[Mover, ...]:
    found: dict[str, list[Row]] = {}
    for nation in nations(s, player):
        for hex, unit, count in s.units_of(nation):
            if unit.type not in SHIPS and unit.type != "asw":
                continue
            steps = naval_movement.left(s, hex, unit)
            if not steps:
                continue
            rows = found.setdefault(hex, [])
            key = _key(nation, unit.type, unit.depleted)
            for i, row in enumerate(rows):
                if row.key == key:
                    rows[i] = replace(row, most=row.most + count)
                    break
            else:
                rows.append(
                    Row(
                        key=key,
                        label=s.facts.types[unit.type].name
                        + (" (Depleted)" if unit.depleted else ""),
                        path=("units", unit.type),
                        most=count,
                        symbol=SYMBOLS[unit.type],
                        power=nation,
                        group=_group(s, nation, unit.type),
                        note=hexes(steps),
                        states=(DEPLETED,) if unit.depleted else (),
                    )
                )
    return in_order(Mover(hex, tuple(rows)) for hex, rows in found.items())


def _group(s: State, nation: str, type: str) -> str:
    what = "ASW units" if type == "asw" else GROUPS["naval"]
    return f"{what} of {words.the(s.facts, nation)}"


def _key(nation: str, type: str, depleted: bool) -> str:
    return f"{nation}:{type}" + (f":{DEPLETED}" if depleted else "")


def reach(legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
    """Where chosen ships can go, or chosen ASW units fly."""
    s: State = legal.state
    units: dict[str, int] = {}
    depleted: dict[str, int] = {}
    owners = set()
    for key, number in chosen.items():
        nation, _, rest = key.partition(":")
        type, _, mark = rest.partition(":")
        if type not in s.facts.types or nation not in s.facts.nations or number < 0:
            raise NoQuestion("Such ships are not there.")
        if number:
            (depleted if mark == DEPLETED else units)[type] = number
            owners.add(nation)
    if len(owners) != 1:
        raise NoQuestion("Choose ships of one nation.")
    (nation,) = owners
    here = [
        unit
        for unit in s.stack(space)
        if unit.nation == nation
        and (depleted if unit.depleted else units).get(unit.type)
        and naval_movement.left(s, space, unit)
    ]
    if not here:
        raise NoQuestion("Such ships are not there to be moved.")
    if "asw" in units or "asw" in depleted:
        return _flights(legal, space, nation, units, depleted)
    ways: dict[str, Way] = {}
    refused: dict[str, Refusal] = {}
    found = naval_movement.reach(s, space, tuple(here))
    who = several(s, [(nation, type, n) for type, n in (*units.items(), *depleted.items())])
    decision = plain(Sail(nation, (), units, depleted))
    farthest = Sail(nation, naval_movement.way(found, next(reversed(found))), units, depleted)
    checked: dict[int, Refusal | None] = {}
    """Steps to why the ships cannot go so far: `naval_movement.reach` has asked all else. Who can
    go farthest can go less far."""
    if len(found) > 1 and why_not(legal, farthest) is None:
        checked = dict.fromkeys(range(len(farthest.path)))
    paths: dict[str, tuple[str, ...]] = {space: (space,)}
    for hex, before in found.items():
        if hex == space:
            continue
        path = paths[hex] = (*paths[before], hex)
        steps = len(path) - 1
        if steps not in checked:
            error = why_not(legal, Sail(nation, path, units, depleted))
            checked[steps] = Refusal(error.reason, error.rule or "") if error else None
        refusal = checked[steps]
        if refusal is not None:
            refused[hex] = refusal
            continue
        label = f"Sail {who} to {s.facts.name(hex)}"
        sail = {**decision, "path": path}
        ways[hex] = Way((Choice(label, sail),), path, note=hexes(steps), cost=steps)
    return Reach(ways, refused, elsewhere="They cannot sail so far, or no water leads there.")


def _flights(
    legal: Legal, space: str, nation: str, units: dict[str, int], depleted: dict[str, int]
) -> Reach:
    s: State = legal.state
    worn = "asw" in depleted
    number = (depleted if worn else units)["asw"]
    unit = next(u for u in s.stack(space) if u.nation == nation and u.type == "asw")
    ways: dict[str, Way] = {}
    refused: dict[str, Refusal] = {}
    for hex in s.facts.within(space, naval_movement.left(s, space, unit)):
        flight = Transfer(nation, space, hex, number, worn)
        if hex == space or not s.facts.hexes[hex].dry:
            continue
        error = why_not(legal, flight)
        if error is not None:
            refused[hex] = Refusal(error.reason, error.rule or "")
        else:
            label = f"Fly {number} ASW to {s.facts.name(hex)}"
            ways[hex] = Way((Choice(label, plain(flight)),), (space, hex))
    return Reach(ways, refused, elsewhere="It is too far to fly.")


def transit_attack(legal: Legal) -> Form:
    """Whether to attack who passes."""
    s: State = legal.state
    request = legal.asked
    assert isinstance(request, TransitAttack)
    passing = several(s, [(request.nation, type, n) for type, n in request.units.items()])
    leaves = "leaves" if sum(request.units.values()) == 1 else "leave"
    choices = []
    for decision, label in (
        (Strike(), "Attack"),
        (Strike(always=True), "Attack, and wherever possible on this move"),
        (Spare(), "Let them pass"),
        (Spare(always=True), "Let them pass on this whole move"),
    ):
        if why_not(legal, decision) is None:
            quiet = isinstance(decision, Spare)
            choices.append(Choice(label, plain(decision), tone="quiet" if quiet else ""))
    strength = sum(request.hexes.values()) + request.others
    return Form(
        kind=request.kind,
        power=request.power,
        component="choose",
        title="Transit Attack?",
        prompt=f"{passing} of {words.the(s.facts, request.nation)} {leaves} "
        f"{s.facts.name(request.space)}. "
        f"You attack with {strength} against {request.defense}; they cannot strike back.",
        choices=tuple(choices),
        auto=choices[0].decision,
        battle=request.space,
        help=(Help("13.0d", "Transit Attacks"),),
    )


def respond(legal: Legal) -> Form:
    """Stand, or retreat before combat."""
    s: State = legal.state
    request = legal.asked
    assert isinstance(request, Respond)
    ways = ["retreat one hex"] * bool(request.hexes) + ["decline it"] * request.decline
    return Form(
        kind=request.kind,
        power=request.power,
        component="choose",
        title="Naval attack: stand or retreat?",
        prompt=f"Your ships in {s.facts.name(request.space)} are attacked. Before combat "
        f"they may {' or '.join(ways)}; whoever does may suffer a Transit Attack.",
        choices=tuple(_answers(s, request)),
        auto=plain(Stand()),
        battle=request.space,
        help=(Help("15.81a", "Retreat before combat"),),
    )


def _answers(s: State, request: Respond) -> Iterator[Choice]:
    yield Choice("Stand and fight", plain(Stand()), tone="primary")
    if request.decline:
        yield Choice("Decline combat without leaving", plain(Decline()))
    for to in request.hexes:
        label = f"Retreat to {s.facts.name(to)}"
        yield Choice(label, plain(FallBack(to)), detail="all that can", spaces=(to,))
        most = request.leaving(s, to)
        if sum(most.values()) > 1:
            rows = [_leaving(s, request.space, key, n) for key, n in most.items()]
            yield Choice(
                label,
                {"kind": "fall_back", "to": to, "units": {}},
                detail="some of them",
                rows=told_apart(s, rows),
                limits=(Limit("Units", sum(most.values()), 1),),
            )


def _leaving(s: State, space: str, key: str, most: int) -> Row:
    """Units of a nation and type that may retreat, `depleted` ones apart."""
    nation, type, *depleted = key.split()
    return Row(
        key=key,
        label=s.facts.types[type].name,
        path=("units", key),
        most=most,
        symbol=SYMBOLS[type],
        power=nation,
        space=space,
        note="Depleted" if depleted else "",
    )
