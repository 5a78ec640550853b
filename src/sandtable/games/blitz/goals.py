"""What wins a game of Blitz!, in words: for the start of a game, and as a sheet of each power."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.board.words import listed
from sandtable.games.blitz import words
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.sides import introduced
from sandtable.games.blitz.rules.victory import gains, open_to
from sandtable.games.blitz.tables import Award
from sandtable.kernel.display import Sheet, SheetRow

_WINS = {
    "A": (
        "Germany wins at once when it holds Paris and Poland at the same moment.",
        "If it has not by the end of Turn 2, the AFA wins.",
    ),
    "B": (
        "The Western Allies win at once when Germany is conquered.",
        "If it is not by the end of Turn 11, Germany wins.",
    ),
    "C": (
        "When Turn 9 is over, the side with more Victory Points wins.",
        "Every turn Germany scores for damage to convoys and for ships destroyed; the Western "
        "Allies for Lend Lease units in their seas, for an Atlantic without German units, and for "
        "submarines destroyed.",
    ),
}
"""The short scenarios without Victory Cards."""

_AWARDS = {
    "control_industrial_might": "for each enemy Factory taken, as many as its Factor; lost with it",
    "join_atomic_club": "for the first A-Bombs: {places} by rank",
    "battle_of_the_atlantic": "Allied convoys in the Atlantic took {damage} damage this turn",
    "fortress_europa": "the Allies hold at most {most} areas of Europe and the Mediterranean, from "
    "Turn {from_turn} on",
    "lebensraum": "hold {areas_held} areas of the USSR",
    "long_war": "still in the war: {by_turn}",
    "super_weapons": "for each super weapon built this turn",
    "co_prosperity_sphere": "{goods} Oil and Resources in supply outside the home country",
    "decisive_battle": "Allied battleships and carriers of total Size {size} lost in combat this "
    "turn",
    "tenno_zan": "Western ships and aircraft of total Size {size} at sea or on islands within "
    "{moves} moves of Tokyo",
    "victory_in_the_cbi": "hold {areas} and one of {any_of}",
    "maintain_the_empire": "hold all of {countries}, and {areas_held} of {areas}, from Turn "
    "{from_turn} on",
    "mediterranean_influence": "the Allies hold {areas_held} coasts of the Mediterranean, {own} of "
    "them you, and no strong Axis unit is in that sea",
    "no_casualties": "an area taken from the Axis this turn by a Ground Attack without any loss",
    "rule_the_waves": "no Axis unit in the Atlantic or the Indian Ocean, and none of your convoys "
    "damaged",
    "strategic_bombing": "{damage} damage to Factories this turn",
    "annihilate_the_wehrmacht": "a German armoured unit destroyed this turn",
    "buffer_zone": "hold {areas_held} areas next to the USSR",
    "five_year_plan": "{goods} Oil and Resources received this turn",
    "mother_russia": "at war with Germany and holding {areas}, from Turn {from_turn} on",
    "arsenal_of_democracy": "{delivered} delivered by Lend Lease this turn",
    "bring_democracy_to_asia": "{areas_held} areas in {countries} freed, or all of China",
    "pacific_domination": "at war with Japan, and no Axis unit in the Pacific but next to Japan",
    "second_front": "a foothold in {countries}, and land units of total Size {size} in Europe",
}
"""What an award is for, in our words; its numbers and areas are those of the data."""


def goals(s: State) -> dict[str, tuple[str, ...]]:
    """What each power has to do to win, to be read before the game."""
    return {power: tuple(_goals(s, power)) for power in s.scenario.powers}


def _goals(s: State, power: str) -> Iterator[str]:
    short = _WINS.get(s.scenario_id)
    if short:
        yield from short
        return
    last = s.scenario.turns[1]
    yield (
        f"Whoever has the most Victory Points wins: when a power has {s.scenario.ends_at}, or when "
        f"Turn {last} is over."
    )
    awards = list(_open(s, power))
    if not awards:
        who = words.upper(words.power_name(s.facts, power))
        yield f"{who} {words.verb(power, 'scores', 'score')} nothing: help your ally to win."
        return
    yield "At the end of every turn you score:"
    for id, award in awards:
        yield f"{award.name}{_worth(id, award)}: {_said(s, id, award)}."


def _open(s: State, power: str) -> Iterator[tuple[str, Award]]:
    """The awards by which a power can score."""
    if not introduced(s, "D"):
        return
    card = s.scenario.own.get("awards", {}).get(power, {}).get("card", power)
    cards = s.facts.awards
    for id, award in {**cards.get(card, {}), **cards["every_power"]}.items():
        if id in _AWARDS and open_to(s, power, id):
            yield id, award


def _worth(id: str, award: Award) -> str:
    return f" (+{award.points})" if award.points and id != "control_industrial_might" else ""


def _said(s: State, id: str, award: Award) -> str:
    def names(ids: tuple[str, ...]) -> str:
        return listed(s.facts.name(each) for each in ids)

    last = s.scenario.turns[1]
    turns = [
        f"{points} in Turn {turn}" for turn, points in sorted(award.by_turn.items()) if turn <= last
    ]
    return _AWARDS[id].format(
        places=", ".join(map(str, award.places)),
        by_turn=listed(turns),
        areas=names(award.areas),
        any_of=names(award.any_of),
        countries=names(award.countries),
        **{
            field: getattr(award, field)
            for field in (
                "damage",
                "most",
                "from_turn",
                "areas_held",
                "own",
                "goods",
                "size",
                "moves",
                "delivered",
            )
        },
    )


def sheets(s: State) -> tuple[Sheet, ...]:
    """The Victory Card of each power, with what it would score if the turn ended now."""
    now = {(power, award): points for power, award, points in gains(s)}
    found = []
    for power in s.scenario.powers:
        rows = [
            SheetRow(
                "Victory Points at the end of this turn",
                f"{award.name}: {_said(s, id, award)}",
                f"+{points}" if (points := now.get((power, id), 0)) else "",
                "good" if points else "dim",
            )
            for id, award in _open(s, power)
        ]
        if rows:
            found.append(Sheet(power, tuple(rows)))
    return tuple(found)
