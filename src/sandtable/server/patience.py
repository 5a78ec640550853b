"""An end to what takes too long: work in a thread is given up when it has used its time.

Rules and questions are plain Python without an end of their own: somebody can think of a position
in which a search takes for ever. What is counted is the time of the processor, so that nobody is
refused because the machine is busy with others.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from sandtable.server.errors import Problem

T = TypeVar("T")

QUESTION_SECONDS = 3.0
"""For a question about a position: a form, a reach, odds, legal decisions."""
PAST_SECONDS = 20.0
"""For one about the past, for which decisions may have to be run again."""
OPENING_SECONDS = 20.0
"""To take a game into memory; what takes longer is done in a process of its own first."""
QUICK_SECONDS = 0.5
DECISION_SECONDS = 6.0
"""For the rules to take a decision, dice and all that follows included: at first so many, and then,
apart from what others decide, so many."""

_LOOK_EVERY = 0.1


class TooLong(BaseException):
    """Raised inside of work whose time is over. Not an Exception, so that no rule catches it."""


class OutOfTime(Problem):
    """What was asked takes too long. Whatever worked on it may be half done."""

    def __init__(self) -> None:
        super().__init__(
            503,
            "This takes too long to work out here: there is too much in this position. "
            "Nothing was changed.",
        )


def limited(seconds: float, work: Callable[..., T], *arguments: object) -> T:
    """What `work` returns; OutOfTime if it has used so many seconds of the processor."""
    watch = _Watch(seconds)
    _watcher.add(watch)
    try:
        try:
            return work(*arguments)
        finally:
            _watcher.end(watch)
    except TooLong:
        raise OutOfTime from None


class _Watch:
    def __init__(self, seconds: float) -> None:
        self.thread = threading.get_ident()
        self._clock = _clock_of(self.thread)
        self._until = self._clock() + seconds
        self.fired = False

    def over(self) -> bool:
        return self._clock() > self._until


def _clock_of(thread: int) -> Callable[[], float]:
    """How much time of the processor a thread has used; where the system does not say, the time."""
    if hasattr(time, "pthread_getcpuclockid"):
        clock = time.pthread_getcpuclockid(thread)
        return lambda: time.clock_gettime(clock)
    return time.monotonic


class _Watcher:
    """A thread that looks at all work in hand every now and then; it waits while there is none."""

    def __init__(self) -> None:
        self._changing = threading.Condition()
        self._watches: set[_Watch] = set()
        self._running = False

    def add(self, watch: _Watch) -> None:
        with self._changing:
            self._watches.add(watch)
            if not self._running:
                self._running = True
                threading.Thread(target=self._look, name="patience", daemon=True).start()
            elif len(self._watches) == 1:
                self._changing.notify()

    def end(self, watch: _Watch) -> None:
        """The work is done: nothing is raised in its thread after this."""
        with self._changing:
            self._watches.discard(watch)
        if watch.fired:
            # If it has not been raised yet, it is now. To take it back would leave the interpreter
            # looking for it for ever.
            for _ in range(100):
                pass
            raise TooLong

    def _look(self) -> None:
        while True:
            with self._changing:
                while not self._watches:
                    self._changing.wait()
                for watch in [each for each in self._watches if each.over()]:
                    self._watches.discard(watch)
                    watch.fired = True
                    _give_up(watch.thread)
            time.sleep(_LOOK_EVERY)


def _give_up(thread: int) -> None:
    """Let a thread raise TooLong at its next step."""
    raised = ctypes.py_object(TooLong)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


_watcher = _Watcher()
