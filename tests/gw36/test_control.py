"""Control of Minor Powers (Table 4-2) and their recruits (11.5)."""

from __future__ import annotations

import pytest

from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.alignment import align
from sandtable.games.gw36.rules.capture import earner, possess
from sandtable.games.gw36.rules.control import (
    Recruit,
    Recruits,
    controlled_by,
    recruit,
    recruitment,
    take_control,
)
from sandtable.games.gw36.rules.terms import acting, aligned, commander
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table
from tests.gw36.procedures import run
from tests.gw36.table import state


@pytest.mark.rule("gw36:0.9.control-a", "gw36:table-4-2e", "gw36:6.1f")
def test_a_controller_decides_in_its_own_turn():
    s = state(wars=[("turkey", "ussr")], control={"turkey": "germany"})
    assert commander(s, "turkey") == "germany"
    assert controlled_by(s, "germany") == ("spain_nationalist", "turkey")
    assert "turkey" in acting(s)


@pytest.mark.rule("gw36:4.7a", "gw36:4.6b")
def test_a_controlled_minor_power_is_not_aligned():
    s = state(wars=[("turkey", "ussr"), ("germany", "ussr")], control={"turkey": "germany"})
    assert not aligned(s, "germany", "turkey")


@pytest.mark.rule("gw36:table-4-2i")
def test_nations_with_a_sheet_are_never_controlled():
    s = state(wars=[])
    run(s, lambda g: take_control(g, "ccp", "ussr"))
    run(s, lambda g: take_control(g, "turkey", "germany"))
    assert "ccp" not in s.control and s.control["turkey"] == "germany"


@pytest.mark.rule("gw36:table-4-2h", "gw36:11.5a", "gw36:13.1f")
def test_nobody_has_the_income_of_a_controlled_minor_power():
    s = state(wars=[("turkey", "ussr")], control={"turkey": "germany"})
    assert earner(s, "turkey") == earner(s, "spain_nationalist") == ""
    assert earner(s, "ccp") == "ccp" and "turkey" not in s.treasury


@pytest.mark.rule("gw36:11.5b", "gw36:table-4-2f", "gw36:0.9.control-a")
def test_a_recruitment_roll_is_made_against_the_number_of_zones():
    s = state("germany", "place_units", wars=[("turkey", "ussr")], control={"turkey": "germany"})
    assert recruitment(s, "turkey")[0] == 5
    run(s, lambda g: recruit(g, "turkey"), dice=[5], answers=[Recruit("militia", "kars")])
    assert s.stack("kars") == {Unit("turkey", "militia"): 2}
    assert s.built["turkey", "militia"] == 2
    run(s, lambda g: recruit(g, "turkey"))  # one roll a turn
    s.done.clear()
    run(s, lambda g: recruit(g, "turkey"), dice=[6])
    s.done.clear()
    run(s, lambda g: recruit(g, "turkey"), dice=[1], answers=[Recruit("infantry", "ankara")])
    assert s.stack("ankara") == {Unit("turkey", "infantry"): 1}


@pytest.mark.rule("gw36:11.5b", "gw36:table-4-2b")
def test_recruits_of_a_minor_power_that_is_aligned_meanwhile_are_its_masters():
    s = state("germany", "place_units", wars=[("turkey", "ussr")], control={"turkey": "germany"})

    def declared_before_the_answer(g: Table[State]) -> Procedure[None]:
        procedure = recruit(g, "turkey")
        asked = next(procedure)
        align(g, "turkey", "germany")
        with pytest.raises(StopIteration):
            procedure.send(
                {request.power: Recruit("infantry", "kars") for request in asked.requests}
            )
        return
        yield

    run(s, declared_before_the_answer, dice=[5])
    assert Unit("turkey", "infantry") not in s.stack("kars")
    assert s.stack("kars")[Unit("germany", "infantry")] == 1


@pytest.mark.rule("gw36:11.5b")
def test_nothing_else_and_nowhere_else():
    s = state(wars=[("turkey", "ussr")], control={"turkey": "germany"})
    asked = Recruits("germany", "turkey", ("kars",))
    asked.check(s, Recruit("infantry", "kars"))
    for wrong in (Recruit("artillery", "kars"), Recruit("infantry", "ankara")):
        with pytest.raises(IllegalDecision):
            asked.check(s, wrong)


@pytest.mark.rule("gw36:11.5b", "gw36:11.5c", "gw36:9.24b")
def test_colonies_count_and_recruits_come_to_the_home_country_if_there_is_any():
    s = state(wars=[("belgium", "germany")], control={"belgium": "great_britain"})
    assert recruitment(s, "belgium") == (2, ("belgium",))
    s.possession["belgium"] = "germany"
    assert recruitment(s, "belgium") == (1, ("belgian_congo",))


@pytest.mark.rule("gw36:13.1g", "gw36:13.1i", "gw36:11.5c", "gw36:13.1h")
def test_in_the_spanish_civil_war_only_the_continent_counts():
    s = state("ussr", "place_units")
    zones = recruitment(s, "spain_republican")
    assert zones[0] == 4  # Madrid, the Basque Country, Catalonia, Eastern Andalucia
    assert "canary_islands" in zones[1]
    run(s, lambda g: possess(g, "galicia_and_leon", "spain_republican", "captured"))
    number, places = recruitment(s, "spain_republican")
    assert number == 5
    assert "galicia_and_leon" not in places  # not held since the turn began


@pytest.mark.rule("gw36:13.2d")
def test_abyssinia_recruits_on_a_one():
    s = state("france", "place_units")
    assert recruitment(s, "abyssinia") == (1, ("abyssinia",))
    s.possession["eritrea"] = "abyssinia"
    assert recruitment(s, "abyssinia")[0] == 2


@pytest.mark.rule("gw36:14.4.3b")
def test_vichy_recruits_on_a_two_in_any_of_its_zones():
    s = state(
        wars=[],
        control={"vichy_france": "germany"},
        possession={"southern_france": "vichy_france", "syria": "vichy_france"},
    )
    assert recruitment(s, "vichy_france") == (2, ("southern_france", "syria"))


@pytest.mark.rule("gw36:11.5b")
def test_no_recruits_on_the_ice_but_it_counts():
    s = state(
        wars=[("denmark", "germany")],
        control={"denmark": "great_britain"},
        possession={"denmark": "germany"},
        options={"tundra": True},
    )
    assert recruitment(s, "denmark") == (2, ("iceland",))
