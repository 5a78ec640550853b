"""Finding things by what people call them: any case, short forms, the beginning of a name."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from sandtable.cli.errors import Unclear
from sandtable.kernel.display import About, Verbs


def simple(text: str) -> str:
    """`Ukraine S.S.R.` and `ukraine_ssr` alike: lower case, words parted by single spaces."""
    return " ".join(re.sub(r"[_\-\s,;:()]+", " ", re.sub(r"[.']", "", text.lower())).split())


class Names:
    """A table of names. `what` is what they name, for messages: `space`, `unit`, `power`."""

    def __init__(self, what: str, names: Mapping[str, Iterable[str]]) -> None:
        """`names` gives each id its spellings, the one to show first; the id is one as well."""
        self.what = what
        self.shown = {id: next(iter(spellings), id) for id, spellings in names.items()}
        self._spellings = {simple(id): id for id in names}
        for id, spellings in names.items():
            for spelling in spellings:
                self._spellings.setdefault(simple(spelling), id)

    def find(self, text: str) -> str:
        """The id that `text` names; Unclear with a suggestion if it is none, or several."""
        wanted = simple(text).removeprefix("the ")
        if not wanted:
            article = "an" if self.what[0] in "aeiou" else "a"
            raise Unclear(f"Name {article} {self.what}.")
        if wanted in self._spellings:
            return self._spellings[wanted]
        for fits in (_begins, _occurs):
            found = {id for name, id in self._spellings.items() if fits(wanted, name)}
            if len(found) == 1:
                return found.pop()
            if found:
                could_be = sorted(self.shown[id] for id in found)
                raise Unclear(f"{text.strip()!r} could be {either(could_be[:6])}.")
        close = difflib.get_close_matches(wanted, self._spellings, n=3, cutoff=0.7)
        ids = list(dict.fromkeys(self._spellings[name] for name in close))
        hint = f" Did you mean {either(self.shown[id] for id in ids)}?" if ids else ""
        raise Unclear(f"There is no {self.what} {text.strip()!r}.{hint}")

    def __contains__(self, text: str) -> bool:
        try:
            self.find(text)
        except Unclear:
            return False
        return True


def _begins(wanted: str, name: str) -> bool:
    """Whether each word begins a word of the name, in order, the first the first: `w russia`."""
    words = name.split()
    if not words[0].startswith(wanted.split()[0]):
        return False
    at = 0
    for part in wanted.split():
        while at < len(words) and not words[at].startswith(part):
            at += 1
        if at == len(words):
            return False
        at += 1
    return True


def _occurs(wanted: str, name: str) -> bool:
    """Whether the text begins some word of the name: `africa` in `union of south africa`."""
    return f" {wanted}" in f" {name}" and len(wanted) > 2


def either(parts: Iterable[str]) -> str:
    """`a, b or c`."""
    items = list(parts)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} or {items[-1]}"


def initials(names: Iterable[str]) -> dict[str, list[str]]:
    """Each name and, where they are nobody else's, its initials: `agc`."""
    short = {
        name: "".join(w if w.isdigit() else w[0] for w in simple(name).split()) for name in names
    }
    count = Counter(short.values())
    return {
        name: [name, *([s] if len(s) > 1 and count[s] == 1 else [])] for name, s in short.items()
    }


class Lexicon:
    """What the powers and spaces of a game are called."""

    def __init__(self, about: About, spaces: Iterable[str], verbs: Verbs) -> None:
        full = {id: about.names.get(id, id.replace("_", " ").title()) for id in spaces}
        short = initials(name.split(",")[0] for name in full.values())
        self.spaces = Names(
            "space",
            {
                id: [*short[name.split(",")[0]], name, *verbs.names.get(id, ())]
                for id, name in full.items()
            },
        )
        every = (*about.powers, *about.others)
        short = initials(power.name for power in every)
        powers = {}
        for power in every:
            name = power.name if len(power.name) < 16 else power.short
            powers[power.id] = [name, *short[power.name], power.short]
            powers[power.id] += verbs.names.get(power.id, ())
        self.powers = Names("power", powers)

    def space(self, id: str) -> str:
        """The name of a space."""
        return self.spaces.shown.get(id, id)

    def power(self, id: str) -> str:
        """The name of a power."""
        return self.powers.shown.get(id, id.replace("_", " ").title())
