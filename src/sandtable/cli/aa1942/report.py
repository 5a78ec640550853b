"""What happened, for a player: own battles die by die, those of others in a line each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from rich.markup import escape

from sandtable.games.aa1942 import words
from sandtable.games.aa1942.facts import Facts
from sandtable.kernel.ruleset import Event

# Of others only what changes the war is told; `log` has the rest.
_TOLD = {
    "bought",
    "captured",
    "plundered",
    "reverted",
    "bombed",
    "shot_down",
    "crashed",
    "no_income",
    "disagreed",
    "refused",
    "won",
}

# Outside a battle that is told from its beginning: one in which a player has just decided.
_CONTINUED = {
    "fired",
    "lost",
    "submerged",
    "retreated",
    "defenceless",
    "antiaircraft",
    "battle_ended",
}


def digest(facts: Facts, events: Iterable[Event], seats: Collection[str]) -> list[str]:
    """Lines of Rich markup for the players in `seats`."""
    lines: list[str] = []
    actor = ""
    battle: list[Event] = []
    for event in events:
        if event.kind == "battle_began":
            lines += _fully(facts, battle)
            battle = [event]
            continue
        if battle:
            battle.append(event)
            if event.kind == "battle_ended":
                mine = _powers_in(battle) & set(seats)
                lines += _fully(facts, battle) if mine else [_summary(facts, battle)]
                battle = []
            continue
        if event.kind == "turn_began":
            actor = event.data["power"]
            continue  # The heading says so.
        if event.kind == "phase_began":
            continue
        involved = {event.data.get("power", actor), *_powers_in([event])}
        if event.kind in _TOLD | _CONTINUED or involved & set(seats):
            lines += _fully(facts, [event])
    return lines + _fully(facts, battle)


def _fully(facts: Facts, events: Iterable[Event]) -> list[str]:
    lines = []
    for event in events:
        text = escape(words.sentence(facts, event))
        lines.append(f"  [bold]{text}[/]" if event.kind == "battle_began" else f"  {text}")
    return lines


def _powers_in(events: Iterable[Event]) -> set[str]:
    """The powers that took part in what happened."""
    powers: set[str] = set()
    for event in events:
        data = event.data
        powers |= {data[key] for key in ("attacker", "power") if key in data}
        powers |= {row[0] for row in data.get("line", ())}
        for key in ("units", "attackers", "defenders"):
            table = data.get(key)
            if isinstance(table, Mapping) and all(isinstance(v, Mapping) for v in table.values()):
                powers |= set(table)
    return powers


def _summary(facts: Facts, battle: list[Event]) -> str:
    """A battle in a line: who attacked where, what was lost, what came of it."""
    first, last = battle[0].data, battle[-1].data
    attacker = first["attacker"]
    lost: dict[str, dict[str, int]] = {}
    taken = retreated = False
    for event in battle:
        taken |= event.kind == "captured"
        retreated |= event.kind == "retreated"
        if event.kind in ("lost", "defenceless"):
            for power, units in event.data["units"].items():
                row = lost.setdefault(power, {})
                for type_, count in units.items():
                    row[type_] = row.get(type_, 0) + count
    where = words.space_name(facts, first["space"])
    who = words.power_name(facts, attacker, start=True)
    if taken:
        outcome = f"took {where}"
    elif not lost:
        outcome = f"fought in {where} without losses"
    elif not last["attackers"] and not last["defenders"] and not retreated:
        outcome = f"attacked {where}, and nobody was left"
    elif retreated:
        outcome = f"attacked {where} and withdrew"
    elif last["defenders"]:
        outcome = f"attacked {where} in vain"
    else:
        outcome = f"cleared {where}"
    losses = "; ".join(
        f"{facts.names[power]} {words.units_in_words(facts, units)}"
        for power, units in lost.items()
    )
    told = f"{who} {outcome}".removesuffix(".")  # "Yakut S.S.R." has its own full stop.
    return f"  {escape(told)}." + (f" [dim]Lost: {escape(losses)}.[/]" if losses else "")
