"""Who runs which nations (2.3)."""

from __future__ import annotations

_AXIS = ("germany", "japan", "italy")
_SOVIET = ("ussr", "ccp")
_COMMONWEALTH = ("great_britain", "fec", "anzac")
_FRANCE = ("france", "free_france")
_USA = ("usa", "kmt")
SEATS: dict[int, tuple[tuple[str, ...], ...]] = {
    2: (_AXIS, (*_SOVIET, *_COMMONWEALTH, *_FRANCE, *_USA)),
    3: (_AXIS, _SOVIET, (*_COMMONWEALTH, *_FRANCE, *_USA)),
    4: (("germany", "italy"), _SOVIET, (*_COMMONWEALTH, *_FRANCE, *_USA), ("japan",)),
    5: (("germany", "italy"), _SOVIET, _COMMONWEALTH, ("japan",), (*_FRANCE, *_USA)),
    6: (("germany",), _SOVIET, _COMMONWEALTH, ("japan",), (*_FRANCE, *_USA), ("italy",)),
    7: (
        ("germany",),
        _SOVIET,
        ("great_britain",),
        ("japan",),
        (*_FRANCE, *_USA),
        ("italy",),
        ("fec", "anzac"),
    ),
    8: (
        ("germany",),
        _SOVIET,
        ("great_britain",),
        ("japan",),
        _USA,
        ("italy",),
        ("fec", "anzac"),
        _FRANCE,
    ),
}
"""Table 2-1: the nations of each player, by the number of players. The USA is one nation here, with
the player of its western half."""
