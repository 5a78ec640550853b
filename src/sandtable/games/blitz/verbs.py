"""What people type in the terminal beside the words of the forms."""

from __future__ import annotations

from sandtable.kernel.display import Verbs

VERBS = Verbs(
    names={
        "belgium_netherlands": ("belgium", "netherlands", "holland", "low countries", "benelux"),
        "austria_czechoslovakia": ("austria", "czechoslovakia"),
        "netherlands_east_indies": ("nei", "dutch east indies"),
        "afa": ("allied", "anglo french", "britain", "uk", "england", "france"),
        "usa": ("us", "america", "united states"),
        "ussr": ("russia", "soviets", "soviet union"),
        # Where they are played together.
        "western_allies": ("afa", "usa", "us", "america", "britain", "uk", "england"),
    },
    units={
        "royal air force": ("raf",),
        "bef": ("british expeditionary force",),
        "army group center": ("army group centre",),
    },
    phrases=(
        (r"^(attack .+?) with (.+) flying (.+)$", r"\1 \3 drops with \2"),
        (r"^(attack .+?) flying (.+)$", r"\1 \2 drops"),
        (r"^attack (?:the )?(factory|port) (?:of|in) ", r"attack \1 "),
        (r"^defend (.+) with ", r"\1 with "),
        (r"^(?:develop )?(.*) removing (.+)$", r"\1; remove with \2"),
        (r"^build (.+?) size ", r"build \1 to size "),
    ),
    verbs=(
        ("attack", {"kind": "attack", "combat": "ground"}),
        ("attack", {"kind": "attack"}),
        ("declare on", {"kind": "declare_war"}),
        ("repair", {"kind": "build"}),
        ("fight", {}),
        ("resolve", {}),
        ("hit", {"kind": "damage"}),
        ("announce", {"kind": "announce_blitz"}),
        ("blitz", {"kind": "announce_blitz"}),
        ("place", {}),
        ("send", {}),
        ("defend", {}),
        ("develop", {}),
        ("pick", {}),
        ("embark", {}),
        ("fly in", {}),
        ("march", {}),
        ("move", {}),
        ("rebase", {}),
        ("sail", {}),
        ("fly", {}),
        ("return", {}),
        ("land", {}),
        ("claim", {}),
    ),
)
