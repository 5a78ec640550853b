"""Axis & Allies 1942 at the terminal."""

from sandtable.cli.aa1942.grammar import Aa1942

GRAMMAR = Aa1942
