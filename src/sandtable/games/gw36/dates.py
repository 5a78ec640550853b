"""Dates are half-years: twice the year, and one more from July on."""

from __future__ import annotations


def half_year(text: str) -> int:
    """A date as the state has it: "1936-07" is 3873."""
    year, month = text.split("-")
    return int(year) * 2 + (month == "07")
