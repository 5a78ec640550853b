"""The rule index: what each rule says, where it lives in the code, and which tests hold it.

Code names its rules in docstrings, on a line that starts with `Rules:`; tests name theirs with
`@pytest.mark.rule("game:id")`. Both are read from the source text, and nothing is imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from sandtable.kernel.data import read

_Text = Annotated[str, Meta(min_length=1)]

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule of a game, in our words.

    `ruling` is our decision where the book is in doubt; `left_out` is why we do not play the rule.
    """

    ref: _Text
    kind: _Text
    rule: _Text
    optional: bool = False
    needs: tuple[str, ...] = ()
    ruling: _Text | None = None
    left_out: _Text | None = None


class _Index(Struct, frozen=True, forbid_unknown_fields=True):
    rules: dict[str, Rule]


@dataclass(frozen=True)
class RuleStatus:
    """A rule with the places, as `module:line name`, that carry it and that test it."""

    id: str
    rule: Rule
    code: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True)
class RulesReport:
    """All rules of a game, and what is wrong with the ids that its code and tests name."""

    game: str
    rules: tuple[RuleStatus, ...]
    errors: tuple[str, ...]

    @property
    def under_test(self) -> int:
        """How many rules have at least one test."""
        return sum(bool(status.tests) for status in self.rules)

    @property
    def text(self) -> str:
        """The report to print; the last line counts the rules under test."""
        lines = [f"{self.game}: {len(self.rules)} rules", ""]
        for status in self.rules:
            lines += [f"{status.id} ({status.rule.ref})", f"    {status.rule.rule}"]
            if status.rule.ruling:
                lines.append(f"    ruling: {status.rule.ruling}")
            if status.rule.left_out:
                lines.append(f"    left out: {status.rule.left_out}")
            else:
                lines += [f"    code: {place}" for place in status.code or ("none",)]
                lines += [f"    test: {place}" for place in status.tests or ("none",)]
        if self.errors:
            lines += ["", *(f"error: {error}" for error in self.errors)]
        lines += ["", f"rules under test: {self.under_test} of {len(self.rules)}"]
        return "\n".join(lines)


def load_index(path: Path) -> dict[str, Rule]:
    """Read a rule index, by rule id; raise DataError if it is malformed or `needs` a stranger."""
    index = read(path, _Index)
    rules = index.value.rules
    for id, rule in rules.items():
        for number, needed in enumerate(rule.needs):
            if needed not in rules or needed == id:
                problem = f'"{needed}" is not another rule of this index'
                raise index.error(problem, "rules", id, "needs", number)
    return rules


def report(
    game_id: str, package_dir: Path, rules_file: Path, tests_dir: Path | None
) -> RulesReport:
    """Find every rule of `rules_file` in the game's package and in the tests.

    Marks of other games are passed over. Ids that the index does not have, rules that are left out
    and yet named, and files that are not Python are reported as errors. Without `tests_dir` no
    rule is under test.
    """
    rules = load_index(rules_file)
    errors: list[str] = []
    code = _Places(rules, errors)
    tests = _Places(rules, errors)
    for path, module in _sources(package_dir):
        tree = _parsed(path, module, errors)
        for place, id in _ids_in_docstrings(tree, module):
            code.add(id.removeprefix(f"{game_id}:"), place)
    for path, module in _sources(tests_dir) if tests_dir else ():
        tree = _parsed(path, module, errors)
        for place, id in _ids_in_marks(tree, module, errors):
            game, colon, rest = id.partition(":")
            if not colon:
                errors.append(f'{place}: "{id}" does not say of which game it is')
            elif game == game_id:
                tests.add(rest, place)
    statuses = tuple(
        RuleStatus(id, rule, tuple(code.found[id]), tuple(tests.found[id]))
        for id, rule in rules.items()
    )
    return RulesReport(game_id, statuses, tuple(errors))


class _Places:
    """The places found for each rule, each once."""

    def __init__(self, rules: dict[str, Rule], errors: list[str]) -> None:
        self.found: dict[str, list[str]] = {id: [] for id in rules}
        self._rules = rules
        self._errors = errors

    def add(self, id: str, place: str) -> None:
        if id not in self._rules:
            self._errors.append(f'{place}: unknown rule "{id}"')
        elif self._rules[id].left_out:
            self._errors.append(f'{place}: rule "{id}" is left out')
        elif place not in self.found[id]:
            self.found[id].append(place)


def _sources(folder: Path) -> Iterator[tuple[Path, str]]:
    """The Python files under `folder` with their module names, which start with its own name."""
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        yield path, ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _parsed(path: Path, module: str, errors: list[str]) -> ast.Module:
    try:
        return ast.parse(path.read_bytes())
    except (SyntaxError, ValueError) as error:
        errors.append(f"{module}: cannot be read as Python ({error})")
        return ast.Module(body=[], type_ignores=[])


def _definitions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[Definition, str]]:
    """Every function and class, at any depth, with its qualified name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Definition):
            name = f"{prefix}{node.name}"
            yield node, name
            yield from _definitions(node, f"{name}.")
        else:
            yield from _definitions(node, prefix)


def _ids_in_docstrings(tree: ast.Module, module: str) -> Iterator[tuple[str, str]]:
    yield from ((f"{module}:1", id) for id in _listed(ast.get_docstring(tree)))
    for node, name in _definitions(tree):
        for id in _listed(ast.get_docstring(node)):
            yield f"{module}:{node.lineno} {name}", id


def _listed(docstring: str | None) -> Iterator[str]:
    """The ids after each `Rules:` that begins a line, up to a blank line or the end."""
    listing = False
    for line in (docstring or "").splitlines():
        text = line.strip()
        if text.startswith("Rules:"):
            listing, text = True, text.removeprefix("Rules:")
        listing = listing and bool(line.strip())
        if listing:
            yield from (id for part in text.split(",") if (id := part.strip().rstrip(".")))


def _ids_in_marks(tree: ast.Module, module: str, errors: list[str]) -> Iterator[tuple[str, str]]:
    """The ids on tests: in decorators, in `pytestmark`, and in the lists that decorators name."""
    constants = {
        target.id: statement
        for statement in tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for target in _targets(statement)
    }
    if "pytestmark" in constants:
        place = f"{module}:{constants['pytestmark'].lineno} pytestmark"
        yield from _marks(constants["pytestmark"], place, errors)
    for node, name in _definitions(tree):
        place = f"{module}:{node.lineno} {name}"
        marked: list[ast.AST] = [*node.decorator_list]
        for decorator in node.decorator_list:
            names = {part.id for part in ast.walk(decorator) if isinstance(part, ast.Name)}
            marked += [constants[id] for id in sorted(names & constants.keys())]
        if isinstance(node, ast.ClassDef):
            marked += [
                statement
                for statement in node.body
                if isinstance(statement, ast.Assign | ast.AnnAssign)
                and any(target.id == "pytestmark" for target in _targets(statement))
            ]
        ids = [id for part in marked for _, id in _marks(part, place, errors)]
        if ids and not node.name.startswith(("test", "Test")):
            errors.append(f"{place}: has a rule mark and is not a test")
        else:
            yield from ((place, id) for id in ids)


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[ast.Name]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [target for target in targets if isinstance(target, ast.Name)]


def _marks(tree: ast.AST, place: str, errors: list[str]) -> Iterator[tuple[str, str]]:
    """The ids in every `pytest.mark.rule(...)` within `tree`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    attr="rule", value=ast.Attribute(attr="mark") | ast.Name(id="mark")
                )
            ):
                for argument in node.args:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield place, argument.value
                    else:
                        errors.append(f"{place}: a rule mark takes ids as plain strings")
