"""Break every rule in standard ways and see whether its own tests notice: `make mutants`.

A function that carries rules (its docstring names them) is changed in one place at a time: a
condition turned round, a clause left out, a comparison shifted, a refusal dropped, and so on. Each
such *mutant* is tried in a process of its own against the tests that are marked with the
function's rules, and with nothing else. One that no test notices has *survived*: a clause that no
test holds, or a change without effect.

What was found is kept in `.mutants/`, by the texts of the function and of its tests: a run takes up
where the last one stopped, and does again only what has changed since. Mutants come in an order
that is spread over the rules, so that a short run says something about all of them.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import importlib.abc
import importlib.util
import json
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from multiprocessing import Process
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sandtable.kernel.registry import find
from sandtable.kernel.rules import report

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".mutants"
SECONDS_EACH = 120
"""A mutant that runs longer has been noticed: it hangs."""

KILLED, SURVIVED, BROKEN = 0, 3, 4
"""How a process says what became of its mutant. BROKEN: the tests fail without any mutation."""

_SHIFTED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_TWINS = {"all": "any", "any": "all", "min": "max", "max": "min"}
_OPPOSITE: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Carrier:
    """A function that carries rules, and the tests that are marked with them."""

    module: str
    path: Path
    name: str
    rules: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Mutant:
    """A carrier with one change: `source` is the whole module with it."""

    carrier: Carrier
    what: str
    source: str
    key: str


def carriers(game: str) -> list[Carrier]:
    """The functions of a game that carry rules under test."""
    rules = find(game)
    found = report(game, rules.folder, rules.folder / "rules.yaml", ROOT / "tests")
    by_place: dict[str, list[str]] = defaultdict(list)
    tests: dict[str, tuple[str, ...]] = {}
    for status in found.rules:
        tests[status.id] = status.tests
        for place in status.code:
            by_place[place].append(status.id)
    result = []
    for place, ids in sorted(by_place.items()):
        module, _, rest = place.partition(":")
        _, _, name = rest.partition(" ")
        nodes = {_node_id(test) for id in ids for test in tests[id]}
        if not name or not nodes:
            continue
        path = rules.folder.joinpath(*module.split(".")[1:]).with_suffix(".py")
        full = f"sandtable.games.{module}"
        result.append(Carrier(full, path, name, tuple(ids), tuple(sorted(nodes))))
    return result


def _node_id(place: str) -> str:
    """`tests.aa1942.test_combat:12 test_it` as pytest names it."""
    module, _, rest = place.partition(":")
    _, _, name = rest.partition(" ")
    file = module.replace(".", "/") + ".py"
    return file if name == "pytestmark" else "::".join((file, *name.split(".")))


def mutants(carrier: Carrier) -> Iterator[Mutant]:
    """Every mutant of a function, in the order of its text."""
    text = carrier.path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    function = _defined(tree, carrier.name)
    tested = "".join(
        (ROOT / file).read_text(encoding="utf-8")
        for file in sorted({test.partition("::")[0] for test in carrier.tests})
    )
    own = ast.get_source_segment(text, function) or ""
    for number, (what, changed) in enumerate(_changed(function)):
        lines = text.splitlines(keepends=True)
        first = min([function.lineno, *(d.lineno for d in function.decorator_list)])
        indent = " " * function.col_offset
        body = "".join(f"{indent}{line}\n" for line in ast.unparse(changed).splitlines())
        source = "".join(lines[: first - 1]) + body + "".join(lines[function.end_lineno or 0 :])
        key = hashlib.sha256(f"{own}\0{number}\0{what}\0{tested}".encode()).hexdigest()[:20]
        yield Mutant(carrier, what, source, key)


def _defined(tree: ast.AST, name: str) -> ast.FunctionDef | ast.ClassDef:
    for part in name.split("."):
        tree = next(
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == part
        )
    assert isinstance(tree, ast.FunctionDef | ast.ClassDef)
    return tree


def _changed(
    function: ast.FunctionDef | ast.ClassDef,
) -> Iterator[tuple[str, ast.FunctionDef | ast.ClassDef]]:
    """The function with each change in turn; what only Python's types read is left alone."""
    types = {
        id(part)
        for node in ast.walk(function)
        for type_ in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if type_ is not None
        for part in ast.walk(type_)
    }
    for number, node in enumerate(ast.walk(function)):
        for what, change in () if id(node) in types else _changes(node):
            twin = copy.deepcopy(function)
            for at, other in enumerate(ast.walk(twin)):
                if at == number:
                    change(other)
                    break
            where = node.ifs[0] if isinstance(node, ast.comprehension) else node
            line = getattr(where, "lineno", function.lineno) - function.lineno
            yield f"line {line}: {what}", ast.fix_missing_locations(twin)


def _changes(node: ast.AST) -> Iterator[tuple[str, Callable[[Any], object]]]:
    """What can be changed at a node: in words, and as a function that does it."""
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield f"not ({ast.unparse(node.test)})", _negate
    if isinstance(node, ast.comprehension):
        for at, test in enumerate(node.ifs):
            yield f"without if {ast.unparse(test)}", lambda n, at=at: n.ifs.pop(at)
    if isinstance(node, ast.BoolOp):
        yield f"and/or in {ast.unparse(node)}", _swap_bool
        for at, value in enumerate(node.values):
            yield f"without {ast.unparse(value)}", lambda n, at=at: _drop(n, at)
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _SHIFTED:
        yield f"shifted {ast.unparse(node)}", _shift
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _TWINS:
        yield f"{_TWINS[node.func.id]} in {ast.unparse(node)}", _swap_call
    if isinstance(node, ast.BinOp) and type(node.op) in _OPPOSITE:
        yield f"opposite in {ast.unparse(node)}", _swap_operator
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield f"{node.value + 1} instead of {node.value}", _add_one
    if isinstance(node, ast.If | ast.For | ast.FunctionDef):
        for at, statement in enumerate(node.body):
            if isinstance(statement, ast.Raise | ast.AugAssign | ast.Continue) or (
                isinstance(statement, ast.Expr) and not isinstance(statement.value, ast.Constant)
            ):
                text = ast.unparse(statement).splitlines()[0]
                yield f"without {text}", lambda n, at=at: _pass(n, at)


def _negate(node: ast.If | ast.While | ast.IfExp) -> None:
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _swap_bool(node: ast.BoolOp) -> None:
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()


def _drop(node: ast.BoolOp, at: int) -> None:
    # The neutral element in its place, so that the node stays what it is.
    node.values[at] = ast.Constant(isinstance(node.op, ast.And))


def _shift(node: ast.Compare) -> None:
    node.ops[0] = _SHIFTED[type(node.ops[0])]()


def _swap_call(node: ast.Call) -> None:
    assert isinstance(node.func, ast.Name)
    node.func.id = _TWINS[node.func.id]


def _swap_operator(node: ast.BinOp) -> None:
    node.op = _OPPOSITE[type(node.op)]()


def _add_one(node: ast.Constant) -> None:
    assert isinstance(node.value, int)
    node.value += 1


def _pass(node: ast.If | ast.For | ast.FunctionDef, at: int) -> None:
    node.body[at] = ast.Pass()


class _Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Puts a module with another source in the place of the true one."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != self.mutant.carrier.module:
            return None
        return importlib.util.spec_from_file_location(name, self.mutant.carrier.path, loader=self)

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        path = str(self.mutant.carrier.path)
        exec(compile(self.mutant.source, path, "exec"), module.__dict__)


def _try(mutant: Mutant | None, tests: tuple[str, ...]) -> None:
    """In a process of its own: run the tests and leave with what became of the mutant."""
    signal.alarm(SECONDS_EACH)
    if mutant is not None:
        sys.meta_path.insert(0, _Mutated(mutant))
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests])
    passed = code == pytest.ExitCode.OK
    os._exit((SURVIVED if passed else KILLED) if mutant else (KILLED if passed else BROKEN))


def run(game: str, minutes: float, jobs: int, only: str) -> None:
    """Try mutants of a game for so long, and print what is known of all that there are now."""
    file = KEPT / f"{game}.json"
    known: dict[str, int] = json.loads(file.read_text()) if file.exists() else {}
    # The game itself is imported by each process for itself, changed.
    chosen = [c for c in carriers(game) if not only or only in c.rules]
    for name in [name for name in sys.modules if name.startswith("sandtable.games.")]:
        del sys.modules[name]
    every = sorted((m for c in chosen for m in mutants(c)), key=lambda mutant: mutant.key)
    waiting = [mutant for mutant in every if mutant.key not in known]
    print(f"{game}: {len(every)} mutants, {len(waiting)} to try", flush=True)
    ends = time.monotonic() + 60 * minutes
    sound: dict[tuple[str, ...], bool] = {}
    running: list[tuple[Process, Mutant]] = []
    try:
        while running or (waiting and time.monotonic() < ends):
            if waiting and len(running) < jobs and time.monotonic() < ends:
                mutant = waiting.pop()
                tests = mutant.carrier.tests
                if tests not in sound:
                    sound[tests] = _outcome(None, tests) == KILLED
                if not sound[tests]:
                    print(f"its tests fail as it is: {mutant.carrier.name}", flush=True)
                    continue
                process = Process(target=_try, args=(mutant, tests))
                process.start()
                running.append((process, mutant))
                continue
            for process, mutant in running:
                process.join(0.05)
                if process.exitcode is not None:
                    running.remove((process, mutant))
                    known[mutant.key] = SURVIVED if process.exitcode == SURVIVED else KILLED
                    break
    finally:
        KEPT.mkdir(exist_ok=True)
        file.write_text(json.dumps(known, indent=0, sort_keys=True))
    _sum_up(game, every, known)


def _outcome(mutant: Mutant | None, tests: tuple[str, ...]) -> int | None:
    process = Process(target=_try, args=(mutant, tests))
    process.start()
    process.join()
    return process.exitcode


def _sum_up(game: str, every: list[Mutant], known: dict[str, int]) -> None:
    """Print what is known; the survivors by function."""
    tried = [mutant for mutant in every if mutant.key in known]
    survivors = [mutant for mutant in tried if known[mutant.key] == SURVIVED]
    by_function: dict[Carrier, list[str]] = defaultdict(list)
    for mutant in survivors:
        by_function[mutant.carrier].append(mutant.what)
    for carrier, changes in sorted(by_function.items(), key=lambda item: str(item[0].path)):
        place = f"{carrier.module.removeprefix('sandtable.games.')} {carrier.name}"
        print(f"\n{place} ({', '.join(carrier.rules)})")
        for what in sorted(changes):
            print(f"    {what}")
    noticed = len(tried) - len(survivors)
    share = f" ({noticed / len(tried):.1%})" if tried else ""
    print(f"\n{game}: {len(every)} mutants, {len(tried)} tried, {noticed} noticed{share}")


def main() -> None:
    """`python -m tests.mutants GAME [--minutes 10] [--jobs 2] [--rule ID]`"""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.mutants")
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rule", default="", help="only the functions that carry this rule")
    given = parser.parse_args()
    os.chdir(ROOT)
    run(given.game, given.minutes, given.jobs, given.rule)


if __name__ == "__main__":
    main()
