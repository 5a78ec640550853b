"""The direction of dependence: no module imports a layer above its own, none imports itself by way
of others, and none imports in a function but for what is heavy.

Only import statements are seen, wherever they stand: at the top of a module, in a function, under
`if TYPE_CHECKING` (which counts for the layers alone). A game, or a part of one, that is found by
its name at run time is no dependence.
"""

import ast
import graphlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

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

HEAVY = {
    "alembic": "only to change an older database",
    "concurrent": "takes a while: only to answer many questions at once",
    "fcntl": "not on Windows",
    "llvmlite": "takes 0.1 s: only to load compiled code",
    "matplotlib": "an extra: only to draw a picture",
    "numba": "takes a second: only to compile",
    "numpy": "takes 0.1 s: only who asks for odds",
    "psycopg": "an extra: only with PostgreSQL",
    "readline": "changes how lines are read from the terminal",
    "rich": "only to print in colour",
    "shapely": "an extra: only to build maps",
    "sqlalchemy": "an extra: only to serve",
    "starlette": "an extra: only to serve",
    "typer": "only for the command line",
    "uvicorn": "an extra: only to serve",
}
"""What is imported in functions, and why: so are modules of ours that bring it along."""

Name = tuple[str, ...]


class Imported(NamedTuple):
    """An import of a module, of the package or not."""

    line: int
    name: Name
    late: bool
    """In a function."""
    typing: bool
    """For the types alone."""


Graph = Mapping[Name, Sequence[Imported]]


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
        if len(here) > 1 and here[1] not in layers:
            violations.append(f"{path.relative_to(root)}:1: {here[1]} has no layer")
            continue
        for each in _imports(_tree(path), path, root, layers):
            if each.name[0] != root.name:
                continue
            reason = _fault(here, each.name, root, layers, face_may_import, isolated)
            if reason:
                violations.append(f"{path.relative_to(root)}:{each.line}: {reason}")
    return violations


def graph_of(root: Path, layers: Mapping[str, int] = LAYERS) -> Graph:
    """Each module of the package with its imports, but for those for the types alone."""
    return {
        _name(path, root): [
            each
            for each in _imports(_tree(path), path, root, layers)
            if not each.typing and each.name != _name(path, root)
        ]
        for path in sorted(root.rglob("*.py"))
    }


def find_cycle(graph: Graph) -> str:
    """Modules that import each other in a circle; "" if there are none."""
    edges = {
        here: [each.name for each in found if each.name in graph] for here, found in graph.items()
    }
    try:
        graphlib.TopologicalSorter(edges).prepare()
    except graphlib.CycleError as error:
        return " < ".join(".".join(name[1:]) for name in error.args[1])
    return ""


def find_late(graph: Graph, heavy: Collection[str]) -> list[str]:
    """Each import in a function, as `module:line: name`, that neither is heavy nor brings along
    anything heavy which the module that imports it does not have already."""

    @cache
    def brings(name: Name) -> frozenset[str]:
        found, rest = {name}, [name]
        while rest:
            here = rest.pop()
            names = [each.name for each in graph.get(here, ()) if not each.late]
            # The packages that a module is in are imported with it.
            names += [here[:length] for length in range(1, len(here))]
            rest += {*names} - found
            found.update(names)
        return frozenset(each[0] for each in found) & {*heavy}

    return [
        f"{'.'.join(here[1:])}:{each.line}: {'.'.join(each.name)}"
        for here, found in graph.items()
        for each in found
        if each.late and not brings(each.name) - brings(here)
    ]


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


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def _name(path: Path, root: Path) -> Name:
    parts = path.relative_to(root).with_suffix("").parts
    return (root.name, *(parts[:-1] if parts[-1] == "__init__" else parts))


def _imports(
    tree: ast.AST,
    path: Path,
    root: Path,
    layers: Mapping[str, int],
    late: bool = False,
    typing: bool = False,
) -> Iterator[Imported]:
    """The modules that are imported, of the package or not."""
    package = (root.name, *path.relative_to(root).parent.parts)
    for node in ast.iter_child_nodes(tree):
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
        elif not isinstance(node, ast.expr):
            function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            yield from _imports(node, path, root, layers, late or function, typing or types)
        for name in dict.fromkeys(found):
            yield Imported(node.lineno, name, late, typing)


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


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert find_cycle(graph_of(SOURCE)) == ""


def test_what_is_imported_in_a_function_is_heavy() -> None:
    graph = graph_of(SOURCE)
    assert find_late(graph, HEAVY) == []
    for name in HEAVY:
        assert find_late(graph, HEAVY.keys() - {name}), f"{name} is not imported so"


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


@pytest.mark.parametrize(
    ("there", "cycle"),
    [
        ("from sandtable.games.red import march", "march < games.red.rules"),
        ("def f():\n    from . import march", "march < games.red.rules"),
        ("from . import map", "map < games.red.rules < games.red.march < games.red.map"),
        ("import sandtable.games.red.map as m", "map < games.red.rules"),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import march", ""),
        ("from . import words", ""),
    ],
)
def test_check_finds_a_cycle(tmp_path: Path, there: str, cycle: str) -> None:
    modules = {
        "games/red/march.py": "from . import rules",
        "games/red/map.py": "from .march import go",
        "games/red/words.py": "",
        "games/red/rules.py": there,
    }
    found = find_cycle(graph_of(made_up_package(tmp_path, modules)))
    assert cycle in found
    assert bool(cycle) == bool(found)


@pytest.mark.parametrize(
    ("code", "late"),
    [
        ("    import stone", []),
        ("    import json", ["games.red.rules:2: json"]),
        ("    from . import light", ["games.red.rules:2: sandtable.games.red.light"]),
        ("    from . import far", []),
        (
            "    def g():\n        from .light import x",
            ["games.red.rules:3: sandtable.games.red.light"],
        ),
        ("    from . import far\nimport stone", ["games.red.rules:2: sandtable.games.red.far"]),
        ("    from . import lazy", ["games.red.rules:2: sandtable.games.red.lazy"]),
        ("    pass\nif f:\n    from . import light", []),
    ],
)
def test_check_finds_an_import_in_a_function(tmp_path: Path, code: str, late: list[str]) -> None:
    modules = {
        "games/red/light.py": "",
        "games/red/far.py": "from . import near",
        "games/red/near.py": "import stone.quarry",
        "games/red/lazy.py": "def f():\n    import stone",
        "games/red/rules.py": "def f():\n" + code,
    }
    assert find_late(graph_of(made_up_package(tmp_path, modules)), {"stone"}) == late


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
