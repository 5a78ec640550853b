"""The rule index and the report of where rules live and which tests hold them."""

from pathlib import Path

import pytest

from sandtable.kernel.data import DataError
from sandtable.kernel.rules import RulesReport, load_index, report

INDEX = """\
rules:
  move.range: {ref: p.1, kind: movement, rule: Units move as far as they can.}
  move.canal:
    ref: p.2
    kind: movement
    optional: true
    needs: [move.range]
    ruling: Canals are open.
    rule: Ships pass canals.
  move.rail: {ref: p.3, kind: movement, rule: Trains roll., left_out: No trains in the box.}
  fire.hit: {ref: p.4, kind: combat, rule: A low roll hits.}
"""


class Project:
    """A made-up game `toy` with an index, a package and tests."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("rules.yaml", INDEX)
        for folder in ("toy/rules", "tests/toy"):
            (root / folder).mkdir(parents=True)

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")

    def report(self, *, tests: bool = True) -> RulesReport:
        return report(
            "toy",
            self.root / "toy",
            self.root / "rules.yaml",
            self.root / "tests" if tests else None,
        )

    def code(self) -> dict[str, tuple[str, ...]]:
        return {status.id: status.code for status in self.report().rules if status.code}

    def tests(self) -> dict[str, tuple[str, ...]]:
        return {status.id: status.tests for status in self.report().rules if status.tests}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_the_index_is_read(project: Project) -> None:
    index = load_index(project.root / "rules.yaml")
    assert list(index) == ["move.range", "move.canal", "move.rail", "fire.hit"]
    canal = index["move.canal"]
    assert (canal.ref, canal.kind, canal.optional) == ("p.2", "movement", True)
    assert (canal.needs, canal.ruling) == (("move.range",), "Canals are open.")
    assert index["move.rail"].left_out == "No trains in the box."


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            "[move.range]",
            "[move.ranges]",
            'line 7, rules.move.canal.needs[0]: "move.ranges" is not another rule',
        ),
        ("[move.range]", "[move.canal]", 'line 7, rules.move.canal.needs[0]: "move.canal" is not'),
        ("ref: p.4, ", "", "line 11, rules.fire.hit.ref: missing"),
        ("ruling: Canals are open.", "doubt: Open?", "line 8, rules.move.canal.doubt: unknown"),
        ("fire.hit:", "move.rail:", "line 11, rules.move.rail: stands twice"),
        ("rule: Ships pass canals.", 'rule: ""', "line 9, rules.move.canal.rule: expected str"),
    ],
)
def test_a_broken_index_is_an_error(project: Project, old: str, new: str, complaint: str) -> None:
    assert INDEX.count(old) == 1
    project.write("rules.yaml", INDEX.replace(old, new))
    with pytest.raises(DataError) as caught:
        load_index(project.root / "rules.yaml")
    assert str(caught.value).startswith(f"rules.yaml, {complaint}")


def test_rules_are_found_in_docstrings(project: Project) -> None:
    project.write("toy/__init__.py", '"""A toy.\n\nRules: move.range\n"""\n')
    project.write(
        "toy/rules/fire.py",
        '''\
X = 1


class Battle:
    """A battle.

    Rules: fire.hit,
        toy:move.canal

    Rules are found only where they are listed: move.range is not.
    """

    async def roll(self):
        """Rules: fire.hit, move.range."""

        def inner():
            """Deep.

            Rules: move.canal
            """


def helper():
    "No Rules: move.range here."
    # Rules: move.range
''',
    )
    assert project.code() == {
        "move.range": ("toy:1", "toy.rules.fire:13 Battle.roll"),
        "move.canal": ("toy.rules.fire:4 Battle", "toy.rules.fire:16 Battle.roll.inner"),
        "fire.hit": ("toy.rules.fire:4 Battle", "toy.rules.fire:13 Battle.roll"),
    }
    assert project.report().errors == ()


def test_rules_are_found_in_marks(project: Project) -> None:
    project.write(
        "tests/toy/test_fire.py",
        """\
import pytest
from pytest import mark

pytestmark = [pytest.mark.slow, pytest.mark.rule("toy:fire.hit")]

CASES = [pytest.param(1, marks=pytest.mark.rule("toy:move.canal")), 2]
UNUSED = [pytest.param(1, marks=pytest.mark.rule("toy:fire.hit"))]


@pytest.mark.rule("toy:move.range", "other:some.rule")
def test_one(): ...


@mark.rule("toy:move.range")
class TestTwo:
    pytestmark = pytest.mark.rule("toy:move.canal")

    @pytest.mark.parametrize("x", [pytest.param(1, marks=[pytest.mark.rule("toy:fire.hit")])])
    async def test_in(self, x): ...


@pytest.mark.parametrize("x", CASES)
def test_three(x): ...
""",
    )
    assert project.tests() == {
        "move.range": ("tests.toy.test_fire:11 test_one", "tests.toy.test_fire:15 TestTwo"),
        "move.canal": ("tests.toy.test_fire:15 TestTwo", "tests.toy.test_fire:23 test_three"),
        "fire.hit": (
            "tests.toy.test_fire:4 pytestmark",
            "tests.toy.test_fire:19 TestTwo.test_in",
        ),
    }
    assert project.report().errors == ()


def test_nothing_is_imported(project: Project) -> None:
    project.write("toy/rules/boom.py", '"""Rules: fire.hit"""\nraise SystemExit\n')
    project.write("tests/test_boom.py", "import no_such_module\nraise SystemExit\n")
    assert project.code() == {"fire.hit": ("toy.rules.boom:1",)}


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        (
            "toy/a.py",
            'def f():\n    """Rules: fire.hits"""\n',
            'toy.a:1 f: unknown rule "fire.hits"',
        ),
        ("toy/a.py", '"""Rules: other:fire.hit"""\n', 'toy.a:1: unknown rule "other:fire.hit"'),
        ("toy/a.py", '"""Rules: move.rail"""\n', 'toy.a:1: rule "move.rail" is left out'),
        (
            "tests/test_a.py",
            '@pytest.mark.rule("toy:fire.hits")\ndef test_f(): ...\n',
            'tests.test_a:2 test_f: unknown rule "fire.hits"',
        ),
        (
            "tests/test_a.py",
            '@pytest.mark.rule("toy:move.rail")\ndef test_f(): ...\n',
            'tests.test_a:2 test_f: rule "move.rail" is left out',
        ),
        (
            "tests/test_a.py",
            '@pytest.mark.rule("fire.hit")\ndef test_f(): ...\n',
            'tests.test_a:2 test_f: "fire.hit" does not say of which game it is',
        ),
        (
            "tests/test_a.py",
            "@pytest.mark.rule(FIRE)\ndef test_f(): ...\n",
            "tests.test_a:2 test_f: a rule mark takes ids as plain strings",
        ),
        (
            "tests/test_a.py",
            '@pytest.mark.rule("toy:fire.hit")\ndef helper(): ...\n',
            "tests.test_a:2 helper: has a rule mark and is not a test",
        ),
        ("toy/a.py", "def f(:\n", "toy.a: cannot be read as Python"),
    ],
)
def test_wrong_ids_are_errors_and_count_for_nothing(
    project: Project, name: str, text: str, error: str
) -> None:
    project.write(name, text)
    found = project.report()
    assert len(found.errors) == 1
    assert found.errors[0].startswith(error)
    assert f"error: {error}" in found.text
    assert (project.code(), project.tests()) == ({}, {})


def test_the_text_lists_every_rule_and_ends_with_the_count(project: Project) -> None:
    project.write("toy/a.py", 'def shoot():\n    """Rules: fire.hit"""\n')
    project.write(
        "tests/test_a.py",
        '@pytest.mark.rule("toy:fire.hit", "toy:move.range")\ndef test_f(): ...\n',
    )
    assert project.report().text.splitlines() == [
        "toy: 4 rules",
        "",
        "move.range (p.1)",
        "    Units move as far as they can.",
        "    code: none",
        "    test: tests.test_a:2 test_f",
        "move.canal (p.2)",
        "    Ships pass canals.",
        "    ruling: Canals are open.",
        "    code: none",
        "    test: none",
        "move.rail (p.3)",
        "    Trains roll.",
        "    left out: No trains in the box.",
        "fire.hit (p.4)",
        "    A low roll hits.",
        "    code: toy.a:1 shoot",
        "    test: tests.test_a:2 test_f",
        "",
        "rules under test: 2 of 4",
    ]
    assert project.report().under_test == 2


def test_without_tests_no_rule_is_under_test(project: Project) -> None:
    project.write("tests/test_a.py", '@pytest.mark.rule("toy:fire.hit")\ndef test_f(): ...\n')
    assert project.report(tests=False).text.endswith("\nrules under test: 0 of 4")
