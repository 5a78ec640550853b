"""How games introduce themselves: covers and guides speak only of what there is."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import pytest

import sandtable
from sandtable.kernel import registry
from sandtable.kernel.decisions import Request
from sandtable.kernel.ruleset import RuleSet
from sandtable.kernel.welcome import Guide, When, Where, _guides_of, cover_of

GAMES = registry.game_ids()
GUIDES = [
    pytest.param(registry.find(game), guide, id=f"{game}-{number}")
    for game in GAMES
    for number, guide in enumerate(_guides_of(registry.find(game).folder))
]


@pytest.mark.parametrize("game", GAMES)
def test_a_cover_starts_a_game_that_there_is(game: str) -> None:
    rules = registry.find(game)
    cover = cover_of(rules.folder)
    assert (cover is None) != (rules.folder / "welcome" / "cover.svg").is_file()
    if cover is not None:
        options = rules.read_options(cover.quick.options)
        assert cover.quick.power in {power for seat in rules.seats(options) for power in seat}


@pytest.mark.parametrize("game", GAMES)
def test_words_are_said_of_values_that_an_option_takes(game: str) -> None:
    for option in registry.find(game).options.values():
        assert set(option.words) <= set(option.choices or ())


@pytest.mark.parametrize(("rules", "guide"), GUIDES)
def test_a_guide_speaks_of_what_there_is(rules: RuleSet[object], guide: Guide) -> None:
    state = sandtable.new(rules.id, seed=1, options=guide.options).state
    about = rules.about(state)
    assert about.guide == guide
    powers = {power.id for power in about.powers}
    spaces = set(rules.picture(state, ()).spaces)
    kinds = _kinds(rules)
    assert guide.power in powers
    ids = [step.id for step in guide.steps]
    assert len(set(ids)) == len(ids)
    for step in guide.steps:
        assert step.text and set(step.spaces) <= spaces
        for when in _conditions((*step.when, *((step.until,) if step.until else ()))):
            assert set(when.asked) <= kinds, step.id
            assert set(when.turn) <= powers, step.id
            for where in when.at:
                assert where.space in spaces, step.id
                _check(where, powers)
        if step.only is not None:
            assert not step.only.space
            _check(step.only, powers)
        assert step.point.partition(" ")[0] in ("", "main", "done", "auto", "row", "choice")
        assert not (step.until and step.stays)
        if step.offer is not None:
            seats = rules.seats(rules.read_options(step.offer.options))
            assert step.offer.power in {power for seat in seats for power in seat}, step.id


def _check(where: Where, powers: set[str]) -> None:
    assert {where.power, where.holder or ""} <= {"", *powers}


def _conditions(found: tuple[When, ...]) -> Iterator[When]:
    for when in found:
        yield when
        yield from _conditions(when.unless)


def _kinds(rules: RuleSet[object]) -> set[str]:
    """The kinds of all requests of a game."""
    package = import_module(type(rules).__module__)
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        if ".rules" in module.name:
            import_module(module.name)
    found: set[str] = set()
    waiting = [Request]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            if kind.__module__.startswith(package.__name__):
                found.add(str(kind.__struct_config__.tag))
    return found
