"""What people type in the terminal beside the words of the forms."""

from __future__ import annotations

from sandtable.kernel.display import Verbs

VERBS = Verbs(
    names={
        "ussr": ("russia", "soviets", "soviet union"),
        "usa": ("us", "america", "united states"),
        "great_britain": ("britain", "uk", "england"),
        "fec": ("india", "far east command"),
        "kmt": ("nationalist china", "china"),
        "ccp": ("communist china",),
        "free_france": ("free french",),
    },
    units={
        "anti-aircraft artillery": ("aa", "flak"),
        "medium armor": ("tank", "tanks"),
        "self-propelled artillery": ("spa",),
        "naval transport": ("transport",),
        "strategic bomber": ("bomber",),
    },
    verbs=(
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
