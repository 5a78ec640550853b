"""The rules of Blitz! A World in Conflict, a module per chapter."""
