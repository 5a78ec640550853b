"""The odds of land and naval battles: every end with its exact probability.

The rules of combat are those of the game (`rules.casualties`, `rules.values`, `rules.retreat`);
`field` asks them about one side at a time, and `fight` adds up what the dice can make of a battle.
"""

from __future__ import annotations

from sandtable.games.gw36.odds.outcome import answer, in_progress
from sandtable.games.gw36.odds.policy import Policy
from sandtable.games.gw36.odds.question import Question, question

__all__ = ["Policy", "Question", "answer", "in_progress", "question"]
