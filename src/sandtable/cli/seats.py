"""Who plays what: `--as` on the command line."""

from __future__ import annotations

from sandtable.cli.errors import Unclear
from sandtable.cli.names import Lexicon
from sandtable.kernel.display import About


def seats_named(about: About, lexicon: Lexicon, text: str) -> tuple[str, ...]:
    """The powers that `--as` names: powers, sides, all or none; in order of play."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    powers = [each.id for each in about.powers]
    if not parts:
        raise Unclear(f"Name powers, for example --as {powers[0]}, or --as none.")
    chosen: set[str] = set()
    for part in parts:
        word = part.lower()
        if word == "none" and len(parts) == 1:
            return ()
        if word == "all":
            chosen |= set(powers)
        elif of_side := [power.id for power in about.powers if power.side == word]:
            chosen |= set(of_side)
        else:
            try:
                power = lexicon.powers.find(part)
                if power not in powers:
                    raise Unclear(f"Nobody plays {lexicon.power(power)}.")
                chosen.add(power)
            except Unclear as error:
                sides = sorted({power.side for power in about.powers} - set(powers))
                known = ", ".join([*powers, *sides, "all", "none"])
                raise Unclear(f"{error} There are: {known}.") from None
    return tuple(power for power in powers if power in chosen)
