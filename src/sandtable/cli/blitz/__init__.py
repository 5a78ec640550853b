"""Blitz! at the terminal."""

from sandtable.cli.blitz.grammar import Blitz

GRAMMAR = Blitz
