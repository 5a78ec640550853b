"""Break every rule in standard ways and see whether its own tests notice: `make mutants`.

A function that carries rules (its docstring names them) is changed in one place at a time: a
condition turned round, a clause left out, a comparison shifted, a refusal dropped, and so on. Each
such *mutant* is tried in a process of its own against the tests that are marked with the
function's rules, and with nothing else. One that no test notices has *survived*: a clause that no
test holds, or a change without effect. Those of the second kind are listed in
`tests/equivalents.yaml`, each with the reason.

All tests run once without any change, in a process from which the others fork: a mutant gets the
changed code of its function and need not import the game again. Who survives that is tried once
more in a process that imports everything, as something remembered may have hidden the change.

What was found is kept in `.mutants/`, by the texts of the function and of its tests: a run takes up
where the last one stopped, and does again only what has changed since. First comes one mutant of
every function, then a second of each, so that a short run says something about all rules.
`--report` writes what is known of both games into `docs/mutants.md`.
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
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ModuleSpec
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest
import yaml

from sandtable.kernel.registry import find
from sandtable.kernel.rules import report

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".mutants"
PAGE = ROOT / "docs" / "mutants.md"
EQUIVALENTS = ROOT / "tests" / "equivalents.yaml"
GAMES = ("aa1942", "blitz")
SECONDS_EACH = 120
"""A mutant that runs longer has been noticed: it hangs."""

KILLED, SURVIVED = 0, 3
"""How a process says what became of its mutant."""

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

    @property
    def place(self) -> str:
        """Where it is: `rules.combat fire`."""
        return f"{self.carrier.module.split('.', 3)[3]} {self.carrier.name}"


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
    tested = "".join(_text_of(test) for test in carrier.tests)
    own = ast.get_source_segment(text, function) or ""
    for number, (what, changed) in enumerate(_changed(function)):
        lines = text.splitlines(keepends=True)
        first = min([function.lineno, *(d.lineno for d in function.decorator_list)])
        indent = " " * function.col_offset
        body = "".join(f"{indent}{line}\n" for line in ast.unparse(changed).splitlines())
        source = "".join(lines[: first - 1]) + body + "".join(lines[function.end_lineno or 0 :])
        key = hashlib.sha256(f"{own}\0{number}\0{what}\0{tested}".encode()).hexdigest()[:20]
        yield Mutant(carrier, what, source, key)


@cache
def _text_of(test: str) -> str:
    """The text of a test, or of all tests of a file."""
    file, *names = test.split("::")
    text, tree = _parsed(file)
    return ast.get_source_segment(text, _defined(tree, ".".join(names))) or "" if names else text


@cache
def _parsed(file: str) -> tuple[str, ast.AST]:
    text = (ROOT / file).read_text(encoding="utf-8")
    return text, ast.parse(text)


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
    """The function with each change in turn. What only Python's types read is left alone, and so
    are the lines of a roll: they are words about dice, not what the dice do."""
    told = [
        part
        for node in ast.walk(function)
        for part in (
            getattr(node, "annotation", None),
            getattr(node, "returns", None),
            node if isinstance(node, ast.Call) and ast.unparse(node.func) == "RollLine" else None,
        )
        if part is not None
    ]
    alone = {id(part) for each in told for part in ast.walk(each)}
    for number, node in enumerate(ast.walk(function)):
        for what, change in () if id(node) in alone else _changes(node):
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
                isinstance(statement, ast.Expr)
                and not isinstance(statement.value, ast.Constant)
                and not _is_told(statement.value)
            ):
                text = ast.unparse(statement).splitlines()[0]
                yield f"without {text}", lambda n, at=at: _pass(n, at)


def _is_told(value: ast.expr) -> bool:
    """Whether it is an event or a checkpoint: no rule, and the conformance suite looks at them."""
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr in ("emit", "checkpoint")
    )


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


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of the functions of a module and of its classes."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes(inner)


def _change_in_place(mutant: Mutant) -> bool:
    """Give the function the changed code; whether that could be done."""
    path = mutant.carrier.path
    true = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    name = mutant.carrier.name
    before, after = (
        {
            inner.co_qualname: inner
            for inner in _codes(code)
            if inner.co_qualname == name or inner.co_qualname.startswith(f"{name}.")
        }
        for code in (true, compile(mutant.source, str(path), "exec"))
    )
    module = sys.modules.get(mutant.carrier.module)
    done = False
    for qualname, code in after.items():
        if "<locals>" in qualname or module is None or _same(before.get(qualname), code):
            continue
        found: Any = module
        for part in qualname.split("."):
            found = vars(found).get(part)
            if found is None:
                return False
        found = getattr(found, "fget", found) or found
        if hasattr(found, "cache_clear"):
            found.cache_clear()
        while hasattr(found, "__wrapped__"):
            found = found.__wrapped__
        found = getattr(found, "__func__", found)
        if not isinstance(found, FunctionType):
            return False
        found.__code__ = code
        done = True
    return done


def _same(one: CodeType | None, two: CodeType) -> bool:
    """Whether two functions do the same, wherever their lines stand."""
    return one is not None and _plain(one) == _plain(two)


def _plain(code: CodeType) -> tuple[Any, ...]:
    consts = tuple(
        _plain(each) if isinstance(each, CodeType) else (type(each), each)
        for each in code.co_consts
    )
    return code.co_code, code.co_names, code.co_varnames, consts


def _pytest(tests: Iterable[str]) -> bool:
    """Whether the tests pass."""
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests])
    return code == pytest.ExitCode.OK


def _try(mutant: Mutant) -> None:
    """In a process of its own: run the tests and leave with what became of the mutant."""
    signal.alarm(SECONDS_EACH)
    noticed = _change_in_place(mutant) and not _pytest(mutant.carrier.tests)
    os._exit(KILLED if noticed else SURVIVED)


def _try_afresh(mutant: Mutant) -> None:
    """The same in a process that imports the game with the change in it."""
    signal.alarm(SECONDS_EACH)
    sys.meta_path.insert(0, _Mutated(mutant))
    os._exit(SURVIVED if _pytest(mutant.carrier.tests) else KILLED)


def every(game: str, only: str = "") -> list[Mutant]:
    """The mutants of a game: one of every function, then a second of each, and so on."""
    found = [
        (number, mutant)
        for carrier in carriers(game)
        if not only or only in carrier.rules
        for number, mutant in enumerate(sorted(mutants(carrier), key=lambda mutant: mutant.key))
    ]
    return [mutant for _, mutant in sorted(found, key=lambda item: (item[0], item[1].key))]


def known_of(game: str) -> dict[str, int]:
    """What is known of mutants by their keys."""
    file = KEPT / f"{game}.json"
    return json.loads(file.read_text()) if file.exists() else {}


def run(game: str, minutes: float, jobs: int, only: str) -> None:
    """Try mutants of a game for so long, and print what is known of all that there are now."""
    known = known_of(game)
    all_of_them = every(game, only)
    waiting = [mutant for mutant in reversed(all_of_them) if mutant.key not in known]
    print(f"{game}: {len(all_of_them)} mutants, {len(waiting)} to try", flush=True)
    # What is loaded by itself takes longer than most tests, and none of them needs it.
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    ends = time.monotonic() + 60 * minutes
    if waiting and not _pytest(sorted({test for m in waiting for test in m.carrier.tests})):
        raise SystemExit("Its tests fail as it is.")
    running: list[tuple[BaseProcess, Mutant, bool]] = []

    def begin(mutant: Mutant, afresh: bool) -> None:
        process: BaseProcess = (
            get_context("spawn").Process(target=_try_afresh, args=(mutant,))
            if afresh
            else get_context("fork").Process(target=_try, args=(mutant,))
        )
        process.start()
        running.append((process, mutant, afresh))

    try:
        while running or (waiting and time.monotonic() < ends):
            if waiting and len(running) < jobs and time.monotonic() < ends:
                begin(waiting.pop(), False)
                continue
            for process, mutant, afresh in running:
                process.join(0.02)
                if process.exitcode is not None:
                    running.remove((process, mutant, afresh))
                    if process.exitcode == SURVIVED and not afresh:
                        begin(mutant, True)
                    else:
                        known[mutant.key] = SURVIVED if process.exitcode == SURVIVED else KILLED
                        _keep(game, known)
                    break
    finally:
        _keep(game, known)
    _sum_up(game, all_of_them, known)


def _keep(game: str, known: dict[str, int]) -> None:
    KEPT.mkdir(exist_ok=True)
    (KEPT / f"{game}.json").write_text(json.dumps(known, indent=0, sort_keys=True))


@dataclass
class Found:
    """What is known of the mutants of a game."""

    all: int
    tried: int
    rules: int
    """Of how many rules a mutant was tried."""
    equivalent: list[tuple[Mutant, str]]
    survivors: list[Mutant]

    @property
    def noticed(self) -> int:
        return self.tried - len(self.survivors) - len(self.equivalent)


def found(game: str, all_of_them: list[Mutant], known: dict[str, int]) -> Found:
    """What is known; survivors that cannot be noticed apart from the others."""
    listed = yaml.safe_load(EQUIVALENTS.read_text(encoding="utf-8"))[game] or {}
    tried = [mutant for mutant in all_of_them if mutant.key in known]
    rules = {rule for mutant in tried for rule in mutant.carrier.rules}
    result = Found(len(all_of_them), len(tried), len(rules), [], [])
    for mutant in tried:
        if known[mutant.key] == SURVIVED:
            why = listed.get(mutant.place, {}).get(mutant.what)
            if why:
                result.equivalent.append((mutant, why))
            else:
                result.survivors.append(mutant)
    return result


def _sum_up(game: str, all_of_them: list[Mutant], known: dict[str, int]) -> None:
    """Print what is known; the survivors by function."""
    told = found(game, all_of_them, known)
    for place, survivors in _by_place(told.survivors).items():
        print(f"\n{place} ({', '.join(survivors[0].carrier.rules)})")
        for mutant in survivors:
            print(f"    {mutant.what}")
    print(
        f"\n{game}: {told.all} mutants, {told.tried} tried, {told.noticed} noticed, "
        f"{len(told.equivalent)} equivalent, {len(told.survivors)} not noticed"
    )


def _by_place(survivors: list[Mutant]) -> dict[str, list[Mutant]]:
    places: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in sorted(survivors, key=lambda mutant: (mutant.place, mutant.what)):
        places[mutant.place].append(mutant)
    return places


def write_page() -> None:
    """Write what is known of both games into the documentation."""
    results = {}
    for game in GAMES:
        results[game] = found(game, every(game), known_of(game))
    rows = [
        f"| `{game}` | {told.all} | {told.tried} | {told.rules} | {told.noticed} | "
        f"{len(told.equivalent)} | {len(told.survivors)} |"
        for game, told in results.items()
    ]
    lines = [
        "# Mutants",
        "",
        "`make mutants` breaks functions that carry rules, one change at a time, and runs the",
        "tests that are marked with those rules ([for contributors](contributors.md)). This page",
        "is written by `python -m tests.mutants --report` from what the runs so far have found.",
        "",
        "| game | mutants | tried | rules among them | noticed | equivalent | not noticed |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *rows,
        "",
        "Mutants come spread over the rules: first one of every function, then a second of each.",
        "An *equivalent* one changes nothing that can be seen; `tests/equivalents.yaml` says why.",
    ]
    for game, told in results.items():
        lines += ["", f"## Not noticed in `{game}`", ""]
        for place, survivors in _by_place(told.survivors).items():
            lines.append(f"- `{place}` ({', '.join(survivors[0].carrier.rules)})")
            lines += [f"    - `{mutant.what}`" for mutant in survivors]
        if not told.survivors:
            lines.append("None of those that were tried.")
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """`python -m tests.mutants [GAME] [--minutes 10] [--jobs 2] [--rule ID] [--report]`"""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.mutants")
    parser.add_argument("game", nargs="?", choices=GAMES)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rule", default="", help="only the functions that carry this rule")
    parser.add_argument("--report", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    given = parser.parse_args()
    os.chdir(ROOT)
    if given.game:
        run(given.game, given.minutes, given.jobs, given.rule)
    if given.report:
        write_page()


if __name__ == "__main__":
    main()
