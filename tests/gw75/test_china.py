"""Chinese regeneration: 19.5."""

from __future__ import annotations

import pytest

from sandtable.games.gw75.rules import china
from sandtable.kernel.kits import Choose
from tests.gw75.happenings import happen, phase, told
from tests.gw75.table import Unit, state


@pytest.mark.rule("gw75:19.51a")
def test_a_destroyed_unit_reappears_on_a_supply_center_of_the_players_choice() -> None:
    s = state(units={"E2506": {"china": "2 inf"}})
    s.destroy("E2506", Unit("china", "inf"))
    happen(s)
    events = phase(s, "start of reinforcement", [Choose("E2304")])
    assert [event["space"] for event in told(events, "regenerated")] == ["E2304"]
    assert s.stack("E2304")[Unit("china", "inf")] == 1
    assert not phase(s, "start of reinforcement")


@pytest.mark.rule("gw75:19.51b")
def test_one_point_for_each_center_and_the_rest_is_lost_for_ever() -> None:
    s = state(units={"E2506": {"china": "9 inf"}}, held={"E2505": "japan"})
    s.destroy("E2506", Unit("china", "inf"), 8)
    happen(s)
    events = told(phase(s, "start of reinforcement"), "regenerated")
    assert sorted(event["space"] for event in events) == ["E2304", "E2406", "E2604", "E2605"]
    assert china.DEAD not in s.counts and ("china", "inf") not in s.dead
    assert not phase(s, "start of reinforcement")


@pytest.mark.rule("gw75:19.51a")
def test_centers_with_the_enemy_in_them_or_full_are_of_no_use() -> None:
    s = state(units={"E2505": {"japan": "inf"}, "E2304": {"china": "10 inf"}})
    assert china.centers(s) == ["E2604", "E2605", "E2406"]


@pytest.mark.rule("gw75:19.51a", "gw75:17.62")
def test_a_center_that_was_destroyed_by_an_atomic_bomb_is_of_no_use() -> None:
    s = state(destroyed=["E2505", "E2304"])
    assert china.centers(s) == ["E2604", "E2605", "E2406"]


@pytest.mark.rule("gw75:19.51b")
def test_losses_of_others_do_not_regenerate() -> None:
    s = state(units={"E2506": {"commonwealth": "inf"}})
    s.destroy("E2506", Unit("commonwealth", "inf"))
    happen(s)
    assert not phase(s, "start of reinforcement")
