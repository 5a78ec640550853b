"""`python -m bench [NAME ...]`: run all benchmarks, or the named ones, and print a table."""

from __future__ import annotations

import importlib
import pkgutil
import sys

from rich.console import Console
from rich.table import Table

import bench
from bench.rows import Row


def main(names: list[str]) -> int:
    """Print the figures; the table says which targets are missed."""
    known = sorted(m.name for m in pkgutil.iter_modules(bench.__path__) if m.name[0] != "_")
    known.remove("rows")
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"There is no benchmark {unknown[0]!r}; there are: {', '.join(known)}.")
        return 2
    table = Table("benchmark", "figure", "baseline", "ratio", "target", "")

    for name in names or known:
        print(f"running {name} …", file=sys.stderr, flush=True)
        rows: list[Row] = importlib.import_module(f"bench.{name}").run()
        for row in rows:
            ratio = "" if row.ratio is None else f"{row.ratio:.3g}"
            mark = {True: "[green]met[/]", False: "[red]missed[/]", None: ""}[row.met]
            table.add_row(row.name, row.figure, row.baseline, ratio, row.target, mark)

    Console(width=None if sys.stdout.isatty() else 140).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
