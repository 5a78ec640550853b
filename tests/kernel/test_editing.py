"""Editing: what the kernel and each game say to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sandtable
from sandtable.kernel.savefile import checksum, written
from tests.aa1942.table import table as battle_table


def told(game: sandtable.Game) -> list[str]:
    """What the log says about edits."""
    return [
        game.rules.sentence(game.state, event) for event in game.events if event.kind == "edited"
    ]


def test_a_move_is_told_as_one() -> None:
    game = sandtable.new("aa1942", seed=1)
    game.edit(
        {
            "units": {
                "russia": {"soviet_union": {"infantry": 2, "bomber": 1}},
                "caucasus": {"soviet_union": {"infantry": 5}},
            },
            "control": {"ukraine_ssr": "germany", "french_equatorial_africa": "japan"},
        }
    )
    assert told(game) == [
        "Edited: French Equatorial Africa belongs to Japan.",
        "Edited: 1 bomber of the Soviet Union added to Russia.",
        "Edited: 2 infantry of the Soviet Union moved from Russia to Caucasus.",
    ]


def test_the_rules_go_on_with_what_there_is() -> None:
    game = sandtable.new("aa1942", seed=1)
    game.edit({"treasury": {"soviet_union": 100}})
    (request,) = game.pending
    assert getattr(request, "treasury") == 100  # noqa: B009
    game.submit("soviet_union", {"kind": "buy", "units": {"tank": 16}})
    assert game.state.bought == {"tank": 16}


def test_fighters_are_at_sea_on_decks() -> None:
    game = sandtable.new("aa1942", seed=1)
    zone = {"units": {"sz61": {"united_kingdom": {"fighter": 1}}}}
    with pytest.raises(sandtable.PositionError, match="more fighters than decks"):
        game.edit(zone)
    zone["units"]["sz61"]["united_states"] = {"aircraft_carrier": 1}
    game.edit(zone)
    (carrier,) = [unit for unit in game.state.at["sz61"] if unit.type == "aircraft_carrier"]
    assert [guest.power for guest in carrier.cargo] == ["united_kingdom"]
    # A guest goes as it came.
    game.edit({"units": {"sz61": {"united_kingdom": {"fighter": 0}}}})
    (carrier,) = [unit for unit in game.state.at["sz61"] if unit.type == "aircraft_carrier"]
    assert not carrier.cargo


def test_not_in_a_battle_nor_after_the_end() -> None:
    t = battle_table(
        "germany",
        phase="conduct_combat",
        units={"caucasus": {"germany": "3 infantry", "soviet_union": "infantry"}},
    )
    before = t.game.hash
    with pytest.raises(sandtable.IllegalDecision, match="when this battle is over"):
        t.game.edit({"treasury": {"germany": 3}})
    assert t.game.hash == before and not t.game.edits


def test_a_save_says_where_it_was_edited(tmp_path: Path) -> None:
    """Whoever hides an edit from the header, or claims one, has no save."""
    game = sandtable.new("aa1942", seed=1)
    game.edit({"treasury": {"germany": 3}})
    path = tmp_path / "save.json"
    game.save(path)
    save = json.loads(path.read_text())
    assert save["edited"] == [0]
    for claimed in (None, [], [1], [0, 1], 7):
        lie = {key: value for key, value in save.items() if key != "edited"}
        if claimed is not None:
            lie["edited"] = claimed
        body = ("journal", "hash", "checksum")
        head = {key: value for key, value in lie.items() if key not in body}
        lie["checksum"] = checksum([head, lie["hash"]], [written(e) for e in lie["journal"]])
        path.write_text(json.dumps(lie))
        with pytest.raises(sandtable.SaveError, match="which of its entries are edits"):
            sandtable.load(path)


def test_gw36_keeps_its_politics() -> None:
    game = sandtable.new("gw36", seed=1)
    with pytest.raises(sandtable.PositionError, match="one Alliance"):
        game.edit({"wars": {"germany": {"italy": "war"}}})
    with pytest.raises(sandtable.PositionError, match="cannot be in"):
        game.edit({"units": {"moscow": {"germany": {"infantry": 1}}}})
    with pytest.raises(sandtable.PositionError, match="without a carrier"):
        game.edit({"units": {min(game.state.facts.sea): {"germany": {"fighter": 1}}}})
    game.edit({"wars": {"germany": {"ussr": "war"}}})
    assert told(game) == ["Edited: Germany and Soviet Union are at war."]


def test_gw75_keeps_stacks_and_secrets() -> None:
    game = sandtable.new("gw75", seed=1)
    berlin = next(id for id, hex in game.state.facts.hexes.items() if hex.name == "Berlin")
    with pytest.raises(sandtable.PositionError, match=r"At most .* Strength Points"):
        game.edit({"units": {berlin: {"germany": {"inf": 99}}}})
    with pytest.raises(sandtable.PositionError, match="which Germany holds"):
        game.edit({"units": {berlin: {"usa": {"inf": 1}}}})
    for secret in ("points", "track", "stock", "dead"):
        with pytest.raises(sandtable.PositionError, match="unknown field"):
            game.edit({secret: {}})
    late = sandtable.new("gw75", seed=1, position={"phase": "production"})
    if not late.no_edit:
        with pytest.raises(sandtable.PositionError, match="secret"):
            late.edit({"bombs": {berlin: 1}})


def test_blitz_takes_units_from_the_pool_and_back() -> None:
    game = sandtable.new("blitz", seed=1, options={"scenario": "campaign"})
    state = game.state
    id = next(i for i, unit in state.of("germany") if unit.at in state.control and not unit.port)
    at = state.units[id].at
    game.edit({"units": {at: {id: 0}}})
    assert id in game.state.pool["germany"] and id not in game.state.units
    game.edit({"units": {at: {id: 2}}})
    assert id not in game.state.pool["germany"] and game.state.units[id].size == 2
    name = game.state.facts.name(id)
    assert told(game)[1] == f"Edited: {name} added to {game.state.facts.name(at)} with Size 2."
    with pytest.raises(sandtable.PositionError, match="is Germany's, but"):
        foreign = next(a for a, power in game.state.control.items() if power == "afa")
        game.edit({"units": {foreign: {id: 1}}})
