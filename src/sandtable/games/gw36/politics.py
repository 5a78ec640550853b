"""Politics as data: who may declare war, comes over, annexes, signs pacts and surrenders."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from sandtable.kernel.data import DataFolder, Provenance

_Date = Annotated[str, Meta(pattern=r"^19[34][0-9]-0[17]$")]


class _Record(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Declaring(_Record, frozen=True):
    """When a nation may declare war."""

    when: Literal["free", "wartime", "since", "china", "free_france"]
    since: _Date = "1936-07"


class Annexation(_Record, frozen=True):
    """Zones that a nation takes by a combat move without a battle."""

    nation: str
    zones: tuple[str, ...]
    garrison: Literal["joins", "leaves"]
    per_turn: int = 0
    """0: no limit."""
    pact: str = ""
    """The pact that has to be in force."""


class Sphere(_Record, frozen=True):
    """To whom Minor Powers go that are attacked by another Alliance (Table 4-3)."""

    to: tuple[str, ...]
    americas: str = ""
    only: tuple[str, ...] = ()
    """These alone; empty: whichever the other Alliances attack."""
    except_: dict[str, str] = field(name="except", default_factory=dict)


class AmericanInfluence(_Record, frozen=True):
    most: int
    line: str


class GermanInfluence(_Record, frozen=True):
    nation: str
    ipp: int
    target: int
    us_dice: tuple[int, int]


class Influence(_Record, frozen=True):
    usa: AmericanInfluence
    germany: GermanInfluence


class Poland(_Record, frozen=True):
    by: str
    foe: str
    allies: tuple[str, ...]


class Balkans(_Record, frozen=True):
    nations: tuple[str, ...]
    phases: int
    foe: str


class Finland(_Record, frozen=True):
    pact: str
    foe: str


class Iraq(_Record, frozen=True):
    nation: str
    by: tuple[str, ...]


class Sweden(_Record, frozen=True):
    by: str
    victims: tuple[str, ...]


class Siam(_Record, frozen=True):
    by: str
    date: _Date


class Conditions(_Record, frozen=True):
    """Tables 4-4 and 4-5."""

    poland: Poland
    balkans: Balkans
    finland: Finland
    turkey: tuple[str, ...]
    spain: tuple[tuple[str, ...], ...]
    """The Axis has to possess all zones of one of these."""
    iraq: Iraq
    sweden: Sweden
    siam: Siam


class Pact(_Record, frozen=True):
    name: str
    partners: tuple[str, str]
    since: _Date = "1936-07"
    once: bool = False
    """It cannot be signed again."""
    price: int = 0
    """What it costs to break it."""


class BasisNord(_Record, frozen=True):
    """The German submarine base in the Soviet north."""

    zone: str
    at: str
    nation: str


class Surrender(_Record, frozen=True):
    zones: tuple[str, ...] = ()
    turn_end: bool = False
    around: bool = False
    landless: bool = False


class Closing(_Record, frozen=True):
    """Whom the owner of a passage may close it to."""

    to: Literal["enemies", "anybody"]
    income: str = ""
    """The action of the owner's sheet that needs an income."""
    also: str = ""
    """Another nation that may close it."""


class Faction(_Record, frozen=True):
    faction: str
    patron: str
    zone: str
    """Where the patron gets its volunteers."""


class Spain(_Record, frozen=True):
    continental: tuple[str, ...]
    nationalist: Faction
    republican: Faction


class Vichy(_Record, frozen=True):
    zones: tuple[str, ...]
    seat: str
    army: dict[str, int]
    port: str
    japanese: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    """Colonies that share a roll."""


class Penalty(_Record, frozen=True):
    """For an Allied declaration of war on a neutral Minor Power."""

    ipp: int
    usa: int


class Politics(_Record, frozen=True):
    provenance: dict[str, Provenance]
    declare: dict[str, Declaring]
    annexations: tuple[Annexation, ...]
    spheres: dict[str, Sphere]
    pan_american: tuple[str, ...]
    influence: Influence
    conditions: Conditions
    pacts: dict[str, Pact]
    basis_nord: BasisNord
    surrender: dict[str, Surrender]
    capitals: dict[str, tuple[str, ...]]
    """Nations that may move a lost capital, and where to; empty: to any zone of the Home Country
    that has an IPP value."""
    passages: dict[str, Closing]
    spain: Spain
    vichy: Vichy
    penalty: Penalty


def load_politics(
    folder: DataFolder,
    *,
    powers: Collection[str],
    nations: Collection[str],
    zones: Collection[str],
    units: Collection[str],
    lines: Collection[str],
    passages: Collection[str],
) -> Politics:
    """Read the file; DataError if it names what does not exist."""
    document = folder.read("politics.yaml", Politics)
    document.check_provenance()
    file = document.value
    for table, ids, known, what in (
        ("declare", file.declare, powers, "nation"),
        ("pan_american", file.pan_american, nations, "nation"),
        ("surrender", file.surrender, powers, "nation"),
        ("capitals", file.capitals, powers, "nation"),
        ("passages", file.passages, passages, "strait or canal"),
    ):
        for id in ids:
            document.check_known(id, known, what, table)
    for index, annexation in enumerate(file.annexations):
        document.check_known(annexation.nation, powers, "nation", "annexations", index)
        document.check_all_known(annexation.zones, zones, "zone", "annexations", index, "zones")
    for id, end in file.surrender.items():
        document.check_all_known(end.zones, zones, "zone", "surrender", id, "zones")
    for id, places in file.capitals.items():
        document.check_all_known(places, zones, "zone", "capitals", id)
    for id, pact in file.pacts.items():
        document.check_all_known(pact.partners, powers, "nation", "pacts", id, "partners")
    document.check_all_known(file.spain.continental, zones, "zone", "spain", "continental")
    document.check_all_known(file.vichy.zones, zones, "zone", "vichy", "zones")
    document.check_known(file.basis_nord.zone, zones, "zone", "basis_nord", "zone")
    document.check_known(file.basis_nord.at, zones, "zone", "basis_nord", "at")
    document.check_known(file.vichy.port, zones, "zone", "vichy", "port")
    for index, group in enumerate(file.vichy.groups):
        document.check_all_known(group, zones, "zone", "vichy", "groups", index)
    for type_ in file.vichy.army:
        document.check_known(type_, units, "unit", "vichy", "army", type_)
    document.check_known(file.influence.usa.line, lines, "convoy line", "influence", "usa")
    return file
