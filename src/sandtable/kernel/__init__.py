"""The kernel: games as journals, rules as coroutines, one legality check."""
