"""Odds: the mathematics of the games, exact where possible."""
