"""An answer as a picture (matplotlib)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sandtable.odds.errors import OddsError
from sandtable.odds.force import in_words
from sandtable.odds.result import Result
from sandtable.odds.text import RARE, percent, survivors

BLUE, LIGHT, ORANGE = "#2a6fbb", "#6da3d8", "#d9722e"
GREY, INK, PALE = "#8a8f98", "#22262b", "#e7e9ed"


STYLE: Any = {
    "font.family": "DejaVu Sans",
    "text.color": INK,
    "axes.edgecolor": GREY,
    "svg.fonttype": "none",
}


def plot(result: Result, path: str | Path, title: str = "") -> None:
    """Draw the survivors of a battle and write the picture (PNG, SVG or PDF, by its name)."""
    pyplot = _pyplot(path)
    with pyplot.rc_context(STYLE):
        figure, (top, axes) = pyplot.subplots(
            2, 1, figsize=(9, 5.6), height_ratios=(1, 9), layout="constrained"
        )
        _outcome(top, result)
        _survivors(axes, result)
        forces = f"{in_words(result.attacker_start)}\nagainst {in_words(result.defender_start)}"
        _title(figure, title or forces)
        _write(pyplot, figure, path)


def compare(results: Mapping[str, Result], path: str | Path, title: str = "") -> None:
    """Draw who wins in several battles, or in one with several ways to play it: a bar for each,
    with the expected swing beside it."""
    pyplot = _pyplot(path)
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(9, 1.3 + 0.52 * len(results)), layout="constrained")
        taking = any(result.takes_territory for result in results.values())
        for row, result in enumerate(results.values()):
            left = 0.0
            taken = result.takes_territory if taking else result.attacker_wins
            for share, colour in (
                (taken, BLUE),
                (result.attacker_wins - taken, LIGHT),
                (result.draw, GREY),
                (result.defender_wins, ORANGE),
            ):
                axes.barh(row, share, left=left, color=colour, height=0.72)
                if share > 0.07:
                    axes.text(
                        left + share / 2, row, percent(share),
                        ha="center", va="center", color="white", fontsize=9, fontweight="bold",
                    )  # fmt: skip
                left += share
            axes.text(1.012, row, f"{result.swing:+.1f}", va="center", fontsize=9.5)
        axes.text(1.012, -0.75, "swing", va="center", fontsize=9, color=GREY)
        axes.set_yticks(range(len(results)), list(results))
        axes.set_ylim(len(results) - 0.5, -1)
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(lambda x, _: f"{100 * x:.0f} %")
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        barren = any(r.attacker_wins - r.takes_territory > RARE for r in results.values())
        shown = [
            (BLUE, "takes the territory" if taking else "attacker wins", True),
            (LIGHT, "wins, but cannot take it", taking and barren),
            (GREY, "nobody wins", True),
            (ORANGE, "defender holds", True),
        ]
        handles = [pyplot.Rectangle((0, 0), 1, 1, color=c) for c, _, use in shown if use]
        figure.legend(
            handles, [label for _, label, use in shown if use], loc="outside lower center",
            ncols=4, frameon=False, fontsize=9, handlelength=1, handleheight=1,
        )  # fmt: skip
        _title(figure, title)
        _write(pyplot, figure, path)


def _pyplot(path: str | Path) -> Any:
    """matplotlib, if it is there and can write such a file."""
    if Path(path).suffix.lower() not in (".png", ".svg", ".pdf"):
        raise OddsError(f"A picture is a .png, .svg or .pdf file, not {Path(path).name!r}.")
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        raise OddsError("Pictures need matplotlib: pip install 'sandtable[plot]'.") from None
    return pyplot


def _title(figure: Any, title: str) -> None:
    if title:
        figure.suptitle(title, x=0.012, ha="left", fontsize=11.5, fontweight="bold", wrap=True)


def _write(pyplot: Any, figure: Any, path: str | Path) -> None:
    try:
        figure.savefig(path, dpi=160)
    except OSError as error:
        raise OddsError(f"The picture {path} cannot be written: {error.strerror}.") from None
    finally:
        pyplot.close(figure)


def _outcome(axes: Any, result: Result) -> None:
    """One bar: who wins."""
    left = 0.0
    for share, colour, label in (
        (result.attacker_wins, BLUE, "attacker wins"),
        (result.draw, GREY, "nobody"),
        (result.defender_wins, ORANGE, "defender holds"),
    ):
        axes.barh(0, share, left=left, color=colour, height=0.9)
        if share > 0.06:
            axes.text(
                left + share / 2, 0,
                f"{label} {percent(share)}" if share > 0.25 else percent(share),
                ha="center", va="center", color="white", fontsize=10, fontweight="bold",
            )  # fmt: skip
        left += share
    axes.set_xlim(0, 1)
    axes.axis("off")


def _survivors(axes: Any, result: Result) -> None:
    """Bars for the number of units left: the attacker's to the right, the defender's left."""
    rows = [row for row in survivors(result) if row[1] >= RARE]
    numbers = [n for n, _, _ in rows]
    colours = [BLUE if n > 0 else ORANGE if n < 0 else GREY for n in numbers]
    bars = axes.bar(numbers, [100 * p for _, p, _ in rows], color=colours, width=0.82)
    wide = max(numbers) - min(numbers) + 1
    if wide <= 26:
        for drawn, (_, p, _) in zip(bars, rows, strict=True):
            axes.annotate(
                f"{100 * p:.1f}",
                (drawn.get_x() + drawn.get_width() / 2, drawn.get_height()),
                xytext=(0, 2), textcoords="offset points", ha="center", fontsize=8, color=INK,
            )  # fmt: skip
    axes.set_ylabel("chance, %")
    axes.set_xlabel("units left:  defender  ←  0  →  attacker")
    axes.xaxis.set_major_formatter(lambda x, _: f"{abs(x):.0f}")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(axis="y", color=PALE)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    note = (
        f"territory taken {percent(result.takes_territory)}\n" if result.takes_territory else ""
    ) + (
        f"{result.rounds:.1f} rounds on average\n"
        f"attacker loses {result.attacker_loss:.1f}, defender {result.defender_loss:.1f}\n"
        f"expected swing {result.swing:+.1f}"
    )
    side = 0.985 if abs(min(numbers)) > abs(max(numbers)) else 0.015
    axes.text(
        side, 0.97, note, transform=axes.transAxes, va="top", fontsize=9.5,
        ha="right" if side > 0.5 else "left", linespacing=1.5,
        bbox={"facecolor": "white", "edgecolor": PALE, "boxstyle": "round,pad=0.5"},
    )  # fmt: skip
