"""An answer as a picture (matplotlib)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sandtable.odds.errors import OddsError
from sandtable.odds.force import in_words
from sandtable.odds.result import Result
from sandtable.odds.text import RARE, percent, survivors

BLUE, ORANGE, GREY, INK, PALE = "#2a6fbb", "#d9722e", "#8a8f98", "#22262b", "#e7e9ed"


def plot(result: Result, path: str | Path, title: str = "") -> None:
    """Draw the survivors of a battle and write the picture (PNG, SVG or PDF, by its name)."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        raise OddsError("Pictures need matplotlib: pip install 'sandtable[plot]'.") from None

    path = Path(path)
    if path.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise OddsError(f"A picture is a .png, .svg or .pdf file, not {path.name!r}.")
    style: Any = {
        "font.family": "DejaVu Sans",
        "text.color": INK,
        "axes.edgecolor": GREY,
        "svg.fonttype": "none",
    }
    with pyplot.rc_context(style):
        figure, (top, axes) = pyplot.subplots(
            2, 1, figsize=(9, 5.6), height_ratios=(1, 9), layout="constrained"
        )
        _outcome(top, result)
        _survivors(axes, result)
        figure.suptitle(
            title
            or f"{in_words(result.attacker_start)}\nagainst {in_words(result.defender_start)}",
            x=0.012,
            ha="left",
            fontsize=11.5,
            fontweight="bold",
            wrap=True,
        )
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
        if share > 0.13:
            axes.text(
                left + share / 2, 0, f"{label} {percent(share)}",
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
    axes.axvline(0, color=GREY, lw=0.8, zorder=0)
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
