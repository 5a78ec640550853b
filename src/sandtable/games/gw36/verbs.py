"""What people type in the terminal beside the words of the forms."""

from __future__ import annotations

from sandtable.kernel.display import Verbs

_SEAS = {f"sz_{n:03}": (f"sz{n}", f"sz {n}", f"z{n}", f"zone {n}") for n in range(1, 147)}

VERBS = Verbs(
    names={
        **_SEAS,
        "ussr": ("russia", "soviets", "soviet union"),
        "usa": ("us", "america", "united states"),
        "great_britain": ("britain", "uk", "england"),
        "fec": ("india", "far east command"),
        "kmt": ("nationalist china", "china"),
        "ccp": ("communist china",),
        "free_france": ("free french",),
    },
    units={
        "infantry": ("inf",),
        "motorized infantry": ("mot", "motorized"),
        "mechanized infantry": ("mech",),
        "artillery": ("art", "arty", "guns"),
        "light armor": ("light tank", "light tanks"),
        "fighter": ("ftr", "fig"),
        "tactical bomber": ("tac",),
        "submarine": ("sub", "subs"),
        "destroyer": ("dd",),
        "anti-aircraft artillery": ("aa", "flak"),
        "medium armor": ("tank", "tanks"),
        "self-propelled artillery": ("spa",),
        "naval transport": ("transport",),
        "strategic bomber": ("bomber",),
    },
    phrases=((r"^attack (.+?) with (.+? from .+)$", r"\2 to \1"),),
    verbs=(
        ("move", {}),
        ("attack", {}),
        ("send", {}),
        ("buy", {"kind": "buy"}),
        ("build", {"kind": "build"}),
        ("pay", {"kind": "advance"}),
        ("research", {"kind": "research"}),
        ("repair", {"kind": "repair"}),
        ("lend", {"kind": "lend"}),
        ("place", {"kind": "place"}),
        ("fight", {"kind": "fight"}),
        ("roll", {"kind": "fire_all"}),
        ("retreat", {"kind": "retreat"}),
        ("press", {"kind": "press"}),
        ("blitz", {"kind": "blitz"}),
        ("rail", {"kind": "rail"}),
    ),
    newcomer="germany",
)
