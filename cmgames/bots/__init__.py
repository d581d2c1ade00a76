"""Computer players: a view, the legal moves and random numbers in, a move out."""

from cmgames.bots import cat_and_mouse, grandmaster, master, optimal, tunnel_rat  # noqa: F401  fills PLAYERS
from cmgames.bots.player import PLAYERS, Player, find, play, player, players

__all__ = ["PLAYERS", "Player", "find", "play", "player", "players"]
