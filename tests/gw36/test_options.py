"""The optional rules of Appendix C: each by itself, and the sets of them."""

import pytest

import sandtable
from sandtable.games.gw36 import RULES
from sandtable.games.gw36.facts import load_facts
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.terms import on
from sandtable.kernel.errors import OptionError

SWITCHES = {
    "appC-a": ("mountains", "deserts", "jungles", "marshes", "rivers"),
    "appC-b": ("canal_combat",),
    "appC-c": ("himalayan_hump",),
    "appC-d": ("variable_end",),
    "appC-e": ("national_objectives",),
    "appC-f": ("damaging_construction",),
    "appC-g": ("carrier_retreat",),
    "appC-h": ("screening",),
    "appC-i": ("surface_raiders", "mines", "raiding_aircraft"),
    "appC-j": ("captured_bases", "rail_gauge"),
    "appC-k": ("motorized_upgrade",),
    "appC-l": ("chinese_evolution",),
    "appC-m": ("suez_reroute", "advanced_carriers", "slovakian_resistance", "alternate_damage"),
    "appC-n": ("forcing_straits", "advanced_escort", "ships_under_construction", "early_fighters"),
    "appC-o": ("strategic_naval",),
    "appC-p": ("bombing_canals", "minors_to_italy_and_france"),
    "appC-q": ("tundra",),
}
STANDARD = {
    "national_objectives",
    "screening",
    "motorized_upgrade",
    "chinese_evolution",
    "strategic_naval",
}


def chosen(**options: bool) -> State:
    """A position of a game with the basic rules and these switches."""
    game = sandtable.new("gw36", seed=1, options={"rules": "basic", **options})
    return game.state


@pytest.mark.rule(
    "gw36:appC-a",
    "gw36:appC-b",
    "gw36:appC-c",
    "gw36:appC-d",
    "gw36:appC-e",
    "gw36:appC-f",
    "gw36:appC-g",
    "gw36:appC-h",
    "gw36:appC-i",
    "gw36:appC-j",
    "gw36:appC-k",
    "gw36:appC-l",
    "gw36:appC-m",
    "gw36:appC-n",
    "gw36:appC-o",
    "gw36:appC-p",
    "gw36:appC-q",
    "gw36:15.1a",
)
def test_every_switch_is_an_option_by_itself():
    names = [name for some in SWITCHES.values() for name in some]
    assert sorted(names) == sorted(load_facts().sets["everything"])
    for name in names:
        option = RULES.options[name]
        assert option.choices == (None, True, False)
        assert option.help.endswith(".")
        for value in (True, False):
            s = chosen(**{name: value})
            assert on(s, name) is value
            for other in set(names) - {name}:
                assert on(s, other) is (other in STANDARD)


@pytest.mark.rule("gw36:15.1a", "gw36:appD-a")
def test_section_15_is_off_unless_it_is_chosen():
    s = chosen()
    fifteen = (*SWITCHES["appC-m"], *SWITCHES["appC-n"], *SWITCHES["appC-p"])
    assert not any(on(s, name) for name in fifteen)
    with pytest.raises(OptionError):
        sandtable.new("gw36", options={"zombie_apocalypse": True})


def test_the_sets_grow():
    sets = load_facts().sets
    assert sets["basic"] == STANDARD
    assert sets["basic"] < sets["recommended"] < sets["everything"]


def test_options_are_recorded_with_the_game(tmp_path):
    game = sandtable.new("gw36", seed=1, options={"rules": "basic", "rivers": True})
    game.save(tmp_path / "game.json")
    again = sandtable.load(tmp_path / "game.json")
    assert again.state.options["rivers"] is True
    assert on(again.state, "rivers")
