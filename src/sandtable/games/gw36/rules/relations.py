"""War: who may declare it, declaring it, and attacks that are none (5.5 to 5.7, 8.1)."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.games.gw36.facts import half_year, pair
from sandtable.games.gw36.model import News, State
from sandtable.games.gw36.rules import passages
from sandtable.games.gw36.rules.terms import (
    aligned,
    alliance,
    at_war,
    at_war_with_major,
    enemies,
    foes,
    is_major,
    power_of,
)
from sandtable.games.gw36.rules.zones import fight_key
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

AMERICAS = ("north_america", "south_america")
FACTIONS = ("ccp", "kmt")
SPANISH = ("spain_nationalist", "spain_republican")


class Verdict(NamedTuple):
    """Whether an attack is allowed, and as what."""

    how: str
    """war (they are at war), declare (the move declares it), monroe, pact, annex, clash, claim
    (nobody holds the zone of a nation that has surrendered); empty: it is not allowed."""
    why: str = ""
    """The sentence of the refusal."""
    rule: str = ""


def chinese(s: State, nation: str) -> bool:
    """Whether a nation is one of the two factions or a warlord.

    Rules: 0.9.china-a
    """
    return nation in FACTIONS or s.facts.nations[nation].kind == "warlord"


def neutral_minor(s: State, nation: str) -> bool:
    """Whether a nation is a Minor Power that is not Aligned to a Major Power, be it Controlled.

    Rules: 4.6b
    """
    facts = s.facts
    if is_major(s, nation) or nation in s.aligned:
        return False
    if not facts.nations[nation].player:
        return True
    side = alliance(s, nation)
    return not any(
        alliance(s, other) == side and is_major(s, other) and aligned(s, nation, other)
        for other in facts.powers
        if other != nation
    )


def wartime_income(s: State, nation: str) -> int:
    """The income that a nation's starting zones are worth.

    Rules: 0.9.income-d, 0.9.wartime-a
    """
    return s.facts.sheets[nation].income[s.options["scenario"]].wartime


def able(s: State, nation: str) -> tuple[str, str]:
    """Why a nation's sheet lets it declare war on nobody now, with the rule; empty if it does.

    Rules: 0.9.declare-b, 0.9.income-d, 2.3b, 5.5a, table-8-1a, nrs-usa-d
    """
    facts = s.facts
    name = facts.name(nation)
    part_of = power_of(s, nation)
    if part_of != nation:
        return f"{facts.name(part_of)} decides when {name} goes to war.", "2.3b"
    if nation in s.surrendered:
        return f"{name} has surrendered.", "9.22a"
    sheet = facts.politics.declare.get(nation)
    if sheet is None:
        return f"{name} cannot declare war.", "table-4-2g"
    if sheet.when == "since" and s.date < half_year(sheet.since):
        return f"{name} cannot declare war before {_month(sheet.since)}.", "0.9.declare-b"
    if sheet.when == "wartime" and not at_war_with_major(s, nation):
        needed = wartime_income(s, nation)
        if s.income[nation] < needed:
            return (
                f"{name} cannot declare war before its income is {needed} (it is "
                f"{s.income[nation]}).",
                "nrs-usa-d" if nation == "usa" else "5.5a",
            )
    if sheet.when == "free_france" and "france" not in s.surrendered:
        return f"{name} is not in play.", "14.4.1b"
    return "", ""


def _month(date: str) -> str:
    year, month = date.split("-")
    return f"{'July' if month == '07' else 'January'} {year}"


def refusal(s: State, who: str, whom: str) -> tuple[str, str]:
    """Why a nation may not declare war on another, in a sentence, with the rule; empty if it may.

    Rules: 0.9.declare-b, 5.5a, 9.21c, 13.1b, 13.3e, 13.3.1a, 13.3.2a, 14.2b, 14.2f, 14.2g, 14.3a,
        14.4.3e, table-4-2b, table-4-2g, table-8-1a
    """
    facts = s.facts
    whom = power_of(s, whom)
    name, other = facts.name(who), facts.name(whom)
    if power_of(s, who) == whom:
        return f"{name} cannot declare war on itself.", "table-4-2b"
    if at_war(s, who, whom):
        return f"{name} is at war with {other} already.", "8.1a"
    if not facts.nations[who].player:
        return f"{name} cannot declare war.", "table-4-2g"
    if _gone(s, whom):
        return f"{other} is not in play.", "8.1a"
    if alliance(s, who) == alliance(s, whom):
        return f"{name} and {other} are in the same Alliance.", "table-4-2b"
    if not _denied_return(s, who, whom):
        for why, rule in (able(s, who), _sheet_forbids(s, who, whom)):
            if why:
                return why, rule
    forbidden = _forbidden(s, who, whom)
    if forbidden[0]:
        return forbidden
    owed = penalty(s, who, whom)
    if owed and sum(s.treasury.get(payer, 0) for payer in payers(s, who)) < owed:
        return (
            f"A declaration of war on {other}, a neutral Minor Power, costs {owed} IPPs.",
            "5.6a" if who != "usa" else "5.6b",
        )
    return "", ""


def _denied_return(s: State, who: str, whom: str) -> bool:
    """Whether a nation refuses to give another back a land zone that it still possesses.

    Rules: 9.21c
    """
    return any(
        what.startswith("return:")
        and (power_of(s, refuser), power_of(s, owner)) == (whom, who)
        and s.possession[what.removeprefix("return:")] == refuser
        for what, refuser, owner in s.refused
    )


def _gone(s: State, nation: str) -> bool:
    """Whether nothing is left of a nation on the board."""
    if s.presence.get(nation):
        return False
    if nation in s.facts.nations and any(
        s.possession[zone] == nation for zone in s.facts.nations[nation].zones
    ):
        return False
    return nation not in s.possession.values()


def _forbidden(s: State, who: str, whom: str) -> tuple[str, str]:
    """Wars that the rules of pacts, civil wars and Vichy France do not allow.

    Rules: 4.9b, 13.1b, 13.3e, 14.2f, 14.2g, 14.3a, 14.4.3e
    """
    facts = s.facts
    name, other = facts.name(who), facts.name(whom)
    if s.spain == "war" and whom in SPANISH and who in ("germany", "ussr"):
        return f"{name} cannot attack Spain during the Spanish Civil War.", "13.1b"
    if whom == "vichy_france" and alliance(s, who) == "axis":
        return "Axis powers cannot attack Vichy France.", "14.4.3e"
    if {who, whom} == set(FACTIONS) and "chinese_truce" in s.pacts:
        return "The Chinese factions have a truce, which has to be broken first.", "13.3e"
    if {who, whom} == {"japan", "ussr"} and "japanese_soviet" in s.pacts:
        return "The non-aggression pact has to be broken first, which costs 5 IPPs.", "14.3a"
    if who == "ussr" and "molotov_ribbentrop" in s.pacts:
        if whom in ("romania", "hungary"):
            return f"The Molotov-Ribbentrop Pact keeps {name} from attacking {other}.", "14.2g"
        if whom == "finland":
            return f"Under the Molotov-Ribbentrop Pact {name} may attack Karjala only.", "14.2f"
    warlord = facts.nations[whom].kind == "warlord"
    if warlord and not chinese(s, who) and alliance(s, who) == alliance(s, "kmt"):
        return f"An attack on {other} is one on all of China, the KMT's too.", "4.9b"
    return "", ""


def _sheet_forbids(s: State, who: str, whom: str) -> tuple[str, str]:
    """On whom the Chinese factions and Free France cannot declare war by their sheets.

    Rules: 0.9.declare-b, 13.3.1a, 13.3.2a
    """
    facts = s.facts
    name, other = facts.name(who), facts.name(whom)
    if who in FACTIONS and who not in s.evolved and not chinese(s, whom):
        home = facts.nations[who].home
        if not any(s.possession[zone] == whom for zone in home):
            rule = "13.3.1a" if who == "ccp" else "13.3.2a"
            return f"{name} fights in the Chinese Home Country only.", rule
    if (
        who == "free_france"
        and is_major(s, whom)
        and not (
            alliance(s, whom) == "axis"
            and any(is_major(s, foe) and alliance(s, foe) == "allies" for foe in foes(s, whom))
        )
    ):
        return f"{name} cannot declare war on {other}.", "0.9.declare-b"
    return "", ""


def may_declare(s: State, who: str, whom: str) -> str:
    """Empty if a nation may declare war on another now; else the sentence that says why not.

    Rules: 5.5a, 8.1b
    """
    return refusal(s, who, whom)[0]


# --- what a declaration costs ---------------------------------------------------------------------


def penalty(s: State, who: str, whom: str) -> int:
    """The IPPs that a declaration of war costs: Great Britain, France and Free France pay for one
    on a neutral Minor Power, the USA too when it is at wartime income, which in war with a Major
    Power is whatever its zones are worth.

    Rules: 5.6a, 5.6b
    """
    if who not in ("great_britain", "france", "free_france", "usa") or not neutral_minor(s, whom):
        return 0
    if who == "usa" and able(s, "usa")[0]:
        return 0
    return s.facts.politics.penalty.ipp


def payers(s: State, who: str) -> tuple[str, ...]:
    """Who pays the penalty of a declaration: the nation itself, and the Allies that are able to
    declare war and have agreed to share it (a standing permission).

    Rules: 5.6c
    """
    return (
        who,
        *(
            other
            for other in ("great_britain", "france", "free_france", "usa")
            if other != who and ("share_penalty", other, who) in s.permits and not able(s, other)[0]
        ),
    )


def _pay_penalty(g: Table[State], who: str, whom: str) -> None:
    """Take the penalty from those who share it, in equal parts as far as they have them, and lower
    the income of a USA that is not at war with a Major Power.

    Rules: 5.6a, 5.6b, 5.6c, 5.6d
    """
    s = g.state
    numbers = s.facts.politics.penalty
    owed = penalty(s, who, whom)
    if owed:
        sharing = payers(s, who)
        paid = dict.fromkeys(sharing, 0)
        while owed and any(s.treasury[payer] > paid[payer] for payer in sharing):
            for payer in sharing:
                if owed and s.treasury[payer] > paid[payer]:
                    paid[payer] += 1
                    owed -= 1
        for payer, amount in paid.items():
            s.treasury[payer] -= amount
        g.emit("penalty_paid", power=who, against=whom, paid=paid)
    if (
        alliance(s, who) == "allies"
        and is_allied_power(who)
        and neutral_minor(s, whom)
        and not at_war_with_major(s, "usa")
    ):
        lost = min(s.income["usa"], numbers.usa)
        s.income["usa"] -= lost
        g.emit("income_changed", power="usa", by=-lost, cause="allied_declaration", against=whom)


def is_allied_power(nation: str) -> bool:
    """Whether its declarations of war count for 5.6: the Allied Major Powers and Free France."""
    return nation in ("great_britain", "france", "free_france", "usa")


def go_to_war(g: Table[State], who: str, whom: str, *, declared: bool) -> None:
    """Put two nations at war with each other; the Commonwealth is one. Nothing happens if they are.

    `declared`: `who` declares war on `whom`, and pays what that costs; otherwise they come to be at
    war through something else. Whether it is allowed has been checked before.

    Rules: 0.9.declare-a, 2.3b, 5.5b, 5.6a, 8.1a, 9.21d, table-8-1a
    """
    s = g.state
    who, whom = power_of(s, who), power_of(s, whom)
    if who == whom or pair(who, whom) in s.wars:
        return
    if declared:
        _pay_penalty(g, who, whom)
        _surprise(s, who, whom)
    s.wars |= {pair(who, whom)}
    g.emit("war_declared" if declared else "war_joined", power=who, against=whom)
    s.tell(News("war" if declared else "joined", who, whom))


def _surprise(s: State, who: str, whom: str) -> None:
    """Japan's first declaration of war on an Allied Major Power: if it is made in Japan's own turn,
    the attacks on that power in this turn come as a surprise (Japan's sheet)."""
    if who != "japan" or alliance(s, whom) != "allies" or not is_major(s, whom):
        return
    if "surprise_attack" not in s.marks and who in s.facts.order[s.slot]:
        s.done[f"surprise:{who}:{whom}"] = 1
    s.marks |= {"surprise_attack"}


def end_war(s: State, who: str, whom: str) -> None:
    """Two nations are at war no longer: a truce, the end of a civil war, a nation that is gone."""
    s.wars -= {pair(power_of(s, who), power_of(s, whom))}


# --- attacks --------------------------------------------------------------------------------------


def attack_allowed(s: State, who: str, whom: str, zone: str, *, clash: bool = False) -> Verdict:
    """Whether units of a nation may attack another's units or land zone there, and as what.

    A combat move into a nation that one is not at war with declares war, and has to be allowed to.
    `clash`: it is meant as a border clash (USSR and Japan).

    Rules: 0.9.annexation-b, 4.7a, 5.7a, 5.7b, 8.1a, 9.22d, 13.1b, 13.2b, 13.3e, 13.3.1a, 13.3.2a,
        14.2c, 14.2d, 14.2f, 14.3a, 14.4.3c, table-4-2e, table-4-2g
    """
    facts = s.facts
    if not whom:
        return Verdict("", "There is nobody to attack.", "8.1a")
    name, other = facts.name(who), facts.name(whom)
    if who in FACTIONS and who not in s.evolved and not facts.zones[zone].sea:
        home = facts.nations[who].home
        if zone not in home:
            return Verdict(
                "",
                f"{name} attacks in the Chinese Home Country only.",
                "13.3.1a" if who == "ccp" else "13.3.2a",
            )
    if enemies(s, who, whom):
        return Verdict("war")
    if aligned(s, who, whom):
        return Verdict("", f"{other} is Aligned with {name}.", "table-4-2b")
    if not facts.nations[who].player and who not in s.aligned:
        if who == "vichy_france":
            if whom == "free_france":
                return Verdict("declare")
            return Verdict("", "Vichy France attacks only Free France.", "14.4.3c")
        return Verdict("", f"{name} is not at war with {other}.", "table-4-2e")
    power, victim = power_of(s, who), power_of(s, whom)
    if victim in s.surrendered and not any(unit.nation == whom for unit in s.stack(zone)):
        return Verdict("claim")
    if may_annex(s, power, zone):
        return Verdict("annex")
    if _pact_attack(s, power, zone):
        return Verdict("pact")
    if _monroe(s, power, victim, zone):
        return Verdict("monroe")
    if clash:
        why, rule = clash_refusal(s, power, victim)
        return Verdict("", why, rule) if why else Verdict("clash")
    why, rule = refusal(s, power, victim)
    return Verdict("", why, rule) if why else Verdict("declare")


def attack_without_war(g: Table[State], who: str, whom: str, zone: str, how: str) -> None:
    """Note an attack that brings no war (monroe, pact, clash): the two fight in that zone, until
    the turn ends, and nowhere else.

    Rules: 5.7a, 5.7c, 14.2d, 14.2e, 14.2f
    """
    s = g.state
    who, whom = power_of(s, who), power_of(s, whom)
    s.attacked |= {pair(who, whom)}
    s.done[fight_key(zone, who, whom)] = 1
    g.emit("attacked_without_war", power=who, against=whom, space=zone, cause=how)
    s.tell(News("attack", who, whom, zone, how))


def may_annex(s: State, who: str, zone: str) -> bool:
    """Whether a nation may annex a land zone now, as long as its printed owner holds it.

    Rules: 0.9.annexation-b, 14.2c
    """
    for annexation in s.facts.politics.annexations:
        if annexation.nation != who or zone not in annexation.zones:
            continue
        done = s.done.get(f"annex:{who}", 0)
        return (
            s.possession[zone] == s.facts.zones[zone].owner
            and not at_war(s, who, s.possession[zone])
            and (not annexation.pact or annexation.pact in s.pacts)
            and (not annexation.per_turn or done < annexation.per_turn)
        )
    return False


def _pact_attack(s: State, who: str, zone: str) -> bool:
    """Whether the Molotov-Ribbentrop Pact lets the USSR attack a zone without war: the east of
    Poland once Germany holds Warsaw, whoever Poland is Aligned to, and Karjala.

    Rules: 14.2d, 14.2f
    """
    if who != "ussr" or "molotov_ribbentrop" not in s.pacts:
        return False
    if zone in ("east_poland", "lubelskie"):
        holder = s.possession[zone]
        return s.possession["warsaw"] == "germany" and (
            holder == "poland" or holder == s.aligned.get("poland")
        )
    return zone == "karjala" and s.possession[zone] == "finland"


def _monroe(s: State, who: str, whom: str, zone: str) -> bool:
    """Whether the Monroe Doctrine lets the USA attack there: units of foreign Major Powers at sea
    off the Americas, and land zones there that such a power has taken.

    Rules: 5.7a, 5.7b
    """
    if who != "usa" or not is_major(s, whom) or alliance(s, whom) == alliance(s, who):
        return False
    facts = s.facts
    if facts.zones[zone].sea:
        return any(facts.zones[land].region in AMERICAS for land in facts.coast[zone])
    return facts.zones[zone].region in AMERICAS and (
        power_of(s, s.possession[zone]) == whom and facts.zones[zone].owner != s.possession[zone]
    )


def clash_refusal(s: State, who: str, whom: str) -> tuple[str, str]:
    """Why two nations cannot have a border clash, with the rule; empty if they can.

    Rules: 14.3a
    """
    if {who, whom} != {"japan", "ussr"} or s.options["scenario"] != "1936":
        return "Border clashes are fought by the USSR and Japan, in the 1936 scenario.", "14.3a"
    if "japanese_soviet" in s.pacts:
        return "The non-aggression pact forbids border clashes.", "14.3a"
    return "", ""


# --- what follows ---------------------------------------------------------------------------------


def follow(g: Table[State], news: News) -> Procedure[None]:
    """A foreign attack on a Chinese nation is one on all of China; passages are closed to Enemies.

    Rules: 4.9b, 1.15b, table-8-1b
    """
    s = g.state
    if news.kind == "war" and chinese(s, news.whom) and not chinese(s, news.who):
        for faction in FACTIONS:
            if faction not in s.surrendered and alliance(s, faction) != alliance(s, news.who):
                go_to_war(g, news.who, faction, declared=False)
    if news.kind in ("war", "joined"):
        passages.close_to_enemies(s, news.who, news.whom)
    elif news.kind == "possession":
        passages.change_hands(s, news.where)
    return
    yield
