"""Records in threads."""

from __future__ import annotations

import subprocess
import sys

# In a process of its own: there the types have not been read yet, and a crash harms nobody else.
_MANY_THREADS = """
import sys, threading
import sandtable
from sandtable.kernel import registry
from sandtable.server import records

records.prepare()
sys.setswitchinterval(1e-6)
together = threading.Barrier(6)
problems = []

def begin(number):
    together.wait()
    try:
        for id in registry.game_ids():
            game = sandtable.new(id, seed=number)
            for _ in range(20):
                request = game.pending[0]
                decision = sandtable.kernel.decisions.plain(next(iter(game.legal(request))))
                game.submit(request.power, decision)
    except Exception as error:
        problems.append(repr(error))

threads = [threading.Thread(target=begin, args=(number,)) for number in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not problems, problems
"""


def test_many_threads_can_begin_games_at_once() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _MANY_THREADS], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
