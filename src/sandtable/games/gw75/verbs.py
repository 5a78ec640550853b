"""What people type in the terminal beside the words of the forms."""

from __future__ import annotations

from sandtable.kernel.display import Verbs

VERBS = Verbs(
    names={
        "ussr": ("russia", "soviets", "soviet union"),
        "usa": ("us", "america", "united states"),
        "commonwealth": ("britain", "uk", "england", "great britain"),
        "low_countries": ("belgium", "netherlands", "holland"),
        "rumania": ("romania",),
    },
    units={
        "infantry": ("inf",),
        "mechanized": ("mech", "tank", "tanks", "armor"),
        "self-defense": ("sd",),
        "fortification": ("fort", "forts"),
        "air defense": ("ad",),
        "long range bomber": ("lrb", "bomber", "bombers"),
        "submarine": ("sub", "subs", "ss"),
        "surface-a": ("carrier", "carriers"),
        "surface-b": ("battleship", "battleships"),
        "merchant ship": ("ms", "merchant", "merchants"),
        "amphibious": ("amph",),
    },
    verbs=(
        ("attack", {"kind": "attack"}),
        ("attack", {"kind": "engage"}),
        ("call off", {"kind": "withdraw"}),
        ("march", {}),
        ("move", {}),
        ("sail", {}),
        ("fly", {}),
        ("send", {}),
        ("land", {}),
        ("bomb", {"kind": "raid"}),
        ("build", {"kind": "build"}),
        ("place", {"kind": "place"}),
        ("fight", {"kind": "fight"}),
        ("retreat", {"kind": "retreat"}),
        ("idle", {}),
    ),
    newcomer="germany",
)
