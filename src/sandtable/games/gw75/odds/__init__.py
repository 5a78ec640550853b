"""The odds of land attacks, naval engagements and bombing: every end with its exact probability.

The rules of combat are those of the game (`rules.land_combat.battle`, `rules.naval_combat.fight`,
`rules.bombing.fly`): they are run for all that the die can show, with a stated policy in the place
of both players (`policy`), and the ends are added up (`outcome`).
"""

from __future__ import annotations

from sandtable.games.gw75.odds.outcome import Outcome, answer, in_progress
from sandtable.games.gw75.odds.policy import Policy
from sandtable.games.gw75.odds.question import Question, question

__all__ = ["Outcome", "Policy", "Question", "answer", "in_progress", "question"]
