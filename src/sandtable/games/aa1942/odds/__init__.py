"""What the odds engine has to know about this game, and how its battles are put together.

The procedure of a battle is in `sandtable.odds.line` (land) and `sandtable.odds.fleet` (sea);
here are the units' names, the orders of loss, antiaircraft fire, bombardment, landings, raids.
"""

from __future__ import annotations

import time
from typing import Any

from sandtable.games.aa1942.odds.land import answer_land
from sandtable.games.aa1942.odds.landing import answer_landing
from sandtable.games.aa1942.odds.question import Question, question
from sandtable.games.aa1942.odds.sea import answer_sea
from sandtable.odds.result import Result


def battle(*args: Any, **kwargs: Any) -> Result:
    """The outcome of a battle; the arguments are those of `question`."""
    began = time.perf_counter()
    result = answer(question(*args, **kwargs))
    result.elapsed_ms = 1000 * (time.perf_counter() - began)
    return result


def answer(q: Question) -> Result:
    """The outcome of a question that has been read."""
    if q.landing:
        return answer_landing(q)
    return answer_sea(q) if q.sea else answer_land(q, {})
