"""What must not get into the repository: addresses of package registries, and private paths.

The forbidden strings are put together from pieces, so that this file does not hold them itself.
"""

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

REGISTRIES = (
    "pypi" + ".org",
    "python" + "hosted",
    "registry." + "npmjs",
    "registry." + "yarnpkg",
    "conda." + "anaconda",
)

# At the start of a path only: `tests/home/x` and the path of a web address are nobody's machine.
PRIVATE_PATH = re.compile(
    r"(?<![\w.\-])/(?:"
    + "|".join(["ho" + r"me/[\w.\-]+/", "ro" + "ot/", "Us" + r"ers/[\w.\-]+/", "wo" + r"rk/\w"])
    + r")|\b[A-Za-z]:\\+"
    + "Us"
    + r"ers\\+\w"
)

PIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*==[0-9][A-Za-z0-9.]*")

NOT_OURS = frozenset(
    {".git", ".venv", "node_modules", "__pycache__", ".hypothesis", "build", "dist"}
)


def repository_files(root: Path) -> list[Path]:
    """The tracked files under `root`; all but environments and caches where git knows none."""
    if shutil.which("git"):
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False
        )
        tracked = [root / name for name in listed.stdout.split("\0") if name]
        if listed.returncode == 0 and tracked:
            return [path for path in tracked if path.is_file()]
    return sorted(
        path
        for path in root.rglob("*")
        if path.is_file()
        and not any(
            part in NOT_OURS or part.endswith("_cache") for part in path.relative_to(root).parts
        )
    )


def find_registries(paths: Iterable[Path]) -> list[str]:
    """Each line that names the host of a package registry, as `file:line: host`."""
    return [
        f"{path}:{number}: {host}"
        for path, number, line in _lines(paths)
        for host in REGISTRIES
        if host in line.lower()
    ]


def find_private_paths(paths: Iterable[Path]) -> list[str]:
    """Each line that holds a path of one developer's machine, as `file:line: path`."""
    return [
        f"{path}:{number}: {match.group()}"
        for path, number, line in _lines(paths)
        for match in PRIVATE_PATH.finditer(line)
    ]


def find_bad_pins(constraints: str) -> list[str]:
    """The lines that are neither blank, nor a comment, nor exactly `name==version`."""
    return [
        line
        for line in constraints.splitlines()
        if line.strip() and not line.startswith("#") and not PIN.fullmatch(line)
    ]


def find_unpinned(pyproject: str, constraints: str) -> list[str]:
    """The direct dependencies, extras included, that `constraints` does not pin."""
    project = tomllib.loads(pyproject)["project"]
    wanted = list(project.get("dependencies", []))
    for extra in project.get("optional-dependencies", {}).values():
        wanted += extra
    pinned = {_canonical(line) for line in constraints.splitlines() if PIN.fullmatch(line)}
    return sorted(requirement for requirement in wanted if _canonical(requirement) not in pinned)


def _canonical(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match, requirement
    return re.sub(r"[-_.]+", "-", match.group()).lower()


def _lines(paths: Iterable[Path]) -> Iterable[tuple[Path, int, str]]:
    for path in paths:
        text = path.read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), start=1):
            yield path, number, line


def test_files_are_found() -> None:
    assert Path(__file__).resolve() in repository_files(ROOT)


def test_no_registry_is_named() -> None:
    assert find_registries(repository_files(ROOT)) == []


def test_no_private_path_is_named() -> None:
    assert find_private_paths(repository_files(ROOT)) == []


def test_constraints_are_exact_pins() -> None:
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert find_bad_pins(constraints) == []


def test_every_direct_dependency_is_pinned() -> None:
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert find_unpinned(pyproject, constraints) == []


@pytest.mark.parametrize("host", REGISTRIES)
def test_a_registry_is_found(tmp_path: Path, host: str) -> None:
    planted = tmp_path / "lock.json"
    planted.write_text(f"{{\n  'resolved': 'https://{host.upper()}/x'\n}}\n", encoding="utf-8")
    assert find_registries([planted]) == [f"{planted}:2: {host}"]


@pytest.mark.parametrize(
    "private",
    [
        "/ho" + "me/ann/",
        "/ro" + "ot/",
        "/Us" + "ers/ann/",
        "/wo" + "rk/m",
        "C:\\Us" + "ers\\a",
    ],
)
@pytest.mark.parametrize("line", ["{}", "path = '{}x'", "file://{}", "cd {} && make"])
def test_a_private_path_is_found(tmp_path: Path, private: str, line: str) -> None:
    planted = tmp_path / "notes.md"
    planted.write_text("# Notes\n" + line.format(private) + "\n", encoding="utf-8")
    assert find_private_paths([planted]) == [f"{planted}:2: {private}"]


@pytest.mark.parametrize(
    "line", ["tests/ho" + "me/a/b", "https://example.com/Us" + "ers/a/", "/usr/bin/env", "/tmp/x"]
)
def test_a_common_path_is_no_private_path(tmp_path: Path, line: str) -> None:
    harmless = tmp_path / "notes.md"
    harmless.write_text(line, encoding="utf-8")
    assert find_private_paths([harmless]) == []


@pytest.mark.parametrize(
    "line",
    [
        "numpy",
        "numpy>=2.0",
        "numpy==2.*",
        "numpy==2.0 ; python_version > '3'",
        "-e .",
        "--index-url https://example.com/simple",
        "numpy @ https://example.com/numpy.whl",
        "torch==2.0+cpu",
    ],
)
def test_a_bad_pin_is_found(line: str) -> None:
    assert find_bad_pins(f"# pins\n\nrich==15.0.0\n{line}\n") == [line]


def test_an_unpinned_dependency_is_found() -> None:
    pyproject = """
    [project]
    dependencies = ["PyYAML>=6", "rich"]
    [project.optional-dependencies]
    dev = ["pytest-xdist>=3", "ruff"]
    """
    constraints = "pyyaml==6.0.3\npytest_xdist==3.8.0\n# ruff==1.0\n"
    assert find_unpinned(pyproject, constraints) == ["rich", "ruff"]


def test_files_are_found_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    for name in ("a.txt", "src/b.py", ".venv/c.py", ".mypy_cache/d.json"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert repository_files(tmp_path) == [tmp_path / "a.txt", tmp_path / "src" / "b.py"]
