"""The games: rules and nothing else."""

from cmgames.engine.registry import register
from cmgames.games.cat_and_mouse import CatAndMouse
from cmgames.games.tunnel_rat import TunnelRat

register(TunnelRat)
register(CatAndMouse)

__all__ = ["CatAndMouse", "TunnelRat"]
