"""Maps that are made, not copied: from public-domain shapes and a declaration per space.

`build` makes a game's sheet out of its declaration (it needs the extra `map`);
`check` proves that the borders of the sheet are the borders of the rules, and `draw` shows it.
These two read the TopoJSON file beside the game and need nothing else.
"""
