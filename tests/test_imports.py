"""The direction of dependence: no module imports a layer above its own.

Only import statements are seen, wherever they stand: at the top of a module, in a function, under
`if TYPE_CHECKING`. A game that is found by its name at run time is no dependence.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "sandtable"

LAYERS = {
    "kernel": 0,
    "board": 1,
    "odds": 1,
    "maps": 1,
    "testing": 1,
    "games": 2,
    "bots": 3,
    "server": 4,
    "cli": 4,
    "env": 4,
    "__main__": 4,
}

Name = tuple[str, ...]


def find_violations(
    root: Path,
    layers: Mapping[str, int],
    *,
    face_may_import: frozenset[str] = frozenset({"kernel"}),
    isolated: str = "games",
) -> list[str]:
    """Each import under the package at `root` that breaks the rules, as `file:line: reason`.

    `layers` gives the height of each direct member of the package. The package's own `__init__`
    is its public face: it imports the members in `face_may_import` only, and these never import
    it. The sub-packages of `isolated` never import each other.
    """
    violations = []
    for path in sorted(root.rglob("*.py")):
        here = _name(path, root)
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        if len(here) > 1 and here[1] not in layers:
            violations.append(f"{path.relative_to(root)}:1: {here[1]} has no layer")
            continue
        for line, there in _imports(tree, path, root, layers):
            reason = _fault(here, there, root, layers, face_may_import, isolated)
            if reason:
                violations.append(f"{path.relative_to(root)}:{line}: {reason}")
    return violations


def _fault(
    here: Name,
    there: Name,
    root: Path,
    layers: Mapping[str, int],
    face_may_import: frozenset[str],
    isolated: str,
) -> str | None:
    if len(there) == 1:
        if len(here) > 1 and here[1] in face_may_import:
            return f"{here[1]} imports the public face"
        return None
    if len(here) == 1:
        if there[1] not in face_may_import:
            return f"the public face imports {there[1]}"
        return None
    if there[1] not in layers:
        return f"{there[1]} has no layer"
    if layers[there[1]] > layers[here[1]]:
        return f"{here[1]} imports {there[1]}"
    if (
        here[1] == there[1] == isolated
        and len(here) > 2
        and len(there) > 2
        and here[2] != there[2]
        and (root / isolated / here[2]).is_dir()
        and (root / isolated / there[2]).is_dir()
    ):
        return f"{isolated}.{here[2]} imports {isolated}.{there[2]}"
    return None


def _name(path: Path, root: Path) -> Name:
    parts = path.relative_to(root).with_suffix("").parts
    return (root.name, *(parts[:-1] if parts[-1] == "__init__" else parts))


def _imports(
    tree: ast.Module, path: Path, root: Path, layers: Mapping[str, int]
) -> Iterator[tuple[int, Name]]:
    """The modules of the package that are imported, each with its line."""
    package = (root.name, *path.relative_to(root).parent.parts)
    for node in ast.walk(tree):
        found: list[Name] = []
        if isinstance(node, ast.Import):
            found = [tuple(alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = tuple(node.module.split(".")) if node.module else ()
            if node.level:
                base = package[: len(package) - node.level + 1] + base
            # What is imported from a package may be a module or a name inside it.
            for alias in node.names:
                full = (*base, alias.name)
                found.append(full if _is_module(full, root, layers) else base)
        else:
            continue
        for name in dict.fromkeys(found):
            if name[0] == root.name:
                yield node.lineno, name


def _is_module(name: Name, root: Path, layers: Mapping[str, int]) -> bool:
    if name[0] != root.name:
        return False
    if len(name) == 2 and name[1] in layers:
        return True
    path = root.joinpath(*name[1:])
    return path.is_dir() or path.with_name(path.name + ".py").is_file()


def test_dependence_has_one_direction() -> None:
    assert list(SOURCE.rglob("*.py")), f"no modules under {SOURCE}"
    assert find_violations(SOURCE, LAYERS) == []


@pytest.mark.parametrize(
    ("module", "code", "violation"),
    [
        ("kernel/game.py", "import sandtable.board", "1: kernel imports board"),
        ("kernel/game.py", "import json, sandtable.games.red.rules", "1: kernel imports games"),
        ("kernel/game.py", "from sandtable import odds", "1: kernel imports odds"),
        ("kernel/game.py", "from .. import odds", "1: kernel imports odds"),
        ("kernel/deep/er.py", "from ...bots import base", "1: kernel imports bots"),
        ("kernel/__init__.py", "from ..cli import main", "1: kernel imports cli"),
        ("kernel/game.py", "import sandtable", "1: kernel imports the public face"),
        ("kernel/game.py", "from sandtable import new", "1: kernel imports the public face"),
        ("kernel/game.py", "def f():\n    import sandtable.env", "2: kernel imports env"),
        (
            "board/graph.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..games import red",
            "3: board imports games",
        ),
        ("games/red/bot.py", "from sandtable.bots import Bot", "1: games imports bots"),
        ("games/red/rules.py", "import sandtable.games.blue", "1: games.red imports games.blue"),
        ("games/red/rules.py", "from .. import blue", "1: games.red imports games.blue"),
        ("games/red/rules.py", "from ..blue import x", "1: games.red imports games.blue"),
        ("bots/base.py", "from sandtable.server.app import app", "1: bots imports server"),
        ("__init__.py", "from sandtable.games import red", "1: the public face imports games"),
        ("__init__.py", "from . import board", "1: the public face imports board"),
        ("kernel/game.py", "import sandtable.stray", "1: stray has no layer"),
        ("stray.py", "", "1: stray has no layer"),
    ],
)
def test_check_finds_a_violation(tmp_path: Path, module: str, code: str, violation: str) -> None:
    root = made_up_package(tmp_path, {module: code})
    assert find_violations(root, LAYERS) == [f"{module}:{violation}"]


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("__init__.py", "from sandtable.kernel.game import Game\nfrom .kernel import journal"),
        ("kernel/game.py", "import json\nfrom . import journal\nfrom .journal import Journal"),
        ("kernel/game.py", "import importlib\nimportlib.import_module('sandtable.games.red')"),
        ("odds/exact.py", "import sandtable.board.graph\nfrom sandtable.kernel import dice"),
        ("games/__init__.py", "from . import red, blue"),
        ("games/red/rules.py", "from . import model\nfrom ..red.model import State"),
        ("games/red/rules.py", "from sandtable.board import graph\nfrom sandtable.games import T"),
        ("bots/base.py", "import sandtable\nfrom sandtable import Game, games"),
        ("cli/main.py", "from sandtable.server import app\nfrom sandtable.bots import base"),
        ("__main__.py", "from sandtable.cli import main"),
        ("board/graph.py", "import sandtables.games, other.sandtable.games"),
    ],
)
def test_check_accepts_what_is_allowed(tmp_path: Path, module: str, code: str) -> None:
    root = made_up_package(tmp_path, {module: code})
    assert find_violations(root, LAYERS) == []


def made_up_package(parent: Path, modules: Mapping[str, str]) -> Path:
    """A package `sandtable` under `parent` with every layer, two games, and `modules`."""
    root = parent / "sandtable"
    packages = ["", *(name for name in LAYERS if name != "__main__"), "games/red", "games/blue"]
    files = {f"{name}/__init__.py".lstrip("/"): "" for name in packages}
    for name, code in {**files, **modules}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")
    return root
