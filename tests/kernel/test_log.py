"""The append-only log: like a list, however it was forked and shortened."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.kernel import log as log_module
from sandtable.kernel.log import Log


def filled(items: int) -> Log[int]:
    log: Log[int] = Log()
    for item in range(items):
        log.append(item)
    return log


def test_a_log_is_read_like_a_list() -> None:
    log = filled(5)
    assert list(log) == [0, 1, 2, 3, 4]
    assert len(log) == 5
    assert (log[0], log[4], log[-1], log[-5]) == (0, 4, 4, 0)
    assert log.since(3) == [3, 4]
    assert log.since(0) == [0, 1, 2, 3, 4]
    assert log.since(9) == []


@pytest.mark.parametrize("index", [5, 6, -6])
def test_beyond_the_ends_there_is_nothing(index: int) -> None:
    with pytest.raises(IndexError):
        filled(5)[index]
    with pytest.raises(IndexError):
        filled(5).fork()[index]


def test_forks_go_on_separately() -> None:
    log = filled(3)
    fork = log.fork()
    log.append(10)
    fork.append(20)
    assert list(log) == [0, 1, 2, 10]
    assert list(fork) == [0, 1, 2, 20]
    assert fork[3] == 20
    assert fork.since(2) == [2, 20]


def test_a_shorter_log_goes_on_separately() -> None:
    log = filled(6)
    short = log.upto(3)
    short.append(30)
    log.append(60)
    assert list(short) == [0, 1, 2, 30]
    assert list(log) == [0, 1, 2, 3, 4, 5, 60]
    assert list(log.upto(100)) == list(log)
    assert list(log.upto(0)) == []


def test_forking_a_much_forked_log_many_times_copies_it_once() -> None:
    log = filled(1)
    for item in range(40):
        log = log.fork()
        log.append(item)
    expected = list(log)
    assert expected == [0, *range(40)]
    assert list(log.fork()) == list(log) == expected
    shared = log.fork()._parts[0][0]
    assert all(log.fork()._parts[0][0] is shared for _ in range(5))


def test_what_is_packed_takes_little_memory_and_comes_out_equal() -> None:
    log: Log[tuple[str, int]] = Log()
    for number in range(2000):
        log.append(("a line of the log", number))
    before = log.fork()
    expected = list(log)
    log.pack(keep=300)
    assert sum(len(chunk) for chunk in log._parts[0][0].chunks) < 20_000  # type: ignore[attr-defined]
    assert 300 <= len(log._tail) < 600
    assert list(log) == list(before) == list(log.fork()) == expected
    assert log.since(250) == expected[250:]
    assert (log[0], log[255], log[256], log[-1]) == tuple(expected[n] for n in (0, 255, 256, -1))
    short = log.upto(700)
    short.pack(keep=0)
    assert list(short) == expected[:700]


def test_packing_again_packs_only_what_is_new() -> None:
    log = filled(1000)
    log.pack(keep=300)
    packed = log._parts[0][0].chunks  # type: ignore[attr-defined]
    for item in range(1000, 2000):
        log.append(item)
    log.pack(keep=300)
    again = log._parts[0][0].chunks  # type: ignore[attr-defined]
    assert len(again) > len(packed)
    assert all(new is old for new, old in zip(again, packed, strict=False))
    assert list(log) == list(range(2000))


@patch.object(log_module, "_CHUNK", 4)
@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["append", "fork", "upto", "switch", "pack"]), st.integers(0, 1000)
        ),
        max_size=80,
    )
)
def test_a_log_behaves_like_lists(operations: list[tuple[str, int]]) -> None:
    logs: list[tuple[Log[int], list[int]]] = [(Log(), [])]
    at = 0
    for operation, number in operations:
        log, model = logs[at]
        if operation == "append":
            log.append(number)
            model.append(number)
        elif operation == "fork":
            logs.append((log.fork(), list(model)))
            at = len(logs) - 1
        elif operation == "upto":
            length = number % (len(model) + 2)
            logs.append((log.upto(length), model[:length]))
            at = len(logs) - 1
        elif operation == "pack":
            log.pack(number % 20)
        else:
            at = number % len(logs)
    for log, model in logs:
        assert list(log) == model
        assert len(log) == len(model)
        assert [log[i] for i in range(len(model))] == model
        assert [log[i] for i in range(-len(model), 0)] == model
        assert all(log.since(start) == model[start:] for start in range(len(model) + 1))


def test_items_that_come_later_are_fetched_when_one_is_asked_for() -> None:
    fetched = []

    def fetch() -> Log[int]:
        fetched.append(1)
        return filled(500)

    log: Log[int] = Log.later(300, fetch)
    assert (len(log), log.at_hand) == (300, 300)
    for number in range(300, 700):
        log.append(number)
        log.fork()  # So that it is tidied up now and then.
        log.pack(10)
    fork = log.upto(650)
    assert (len(log), len(fork), fork.at_hand) == (700, 650, 300)
    assert log.since(300) == list(range(300, 700))
    assert fork.since(640) == list(range(640, 650))
    assert (log[300], log[-1]) == (300, 699)
    assert not fetched
    assert list(log.upto(200)) == list(range(200))
    assert log.since(290) == list(range(290, 700))
    assert list(fork) == list(range(650))
    assert (log[0], log[299]) == (0, 299)
    assert fetched
    assert Log.later(0, fetch).at_hand == 0
