"""Two card games about hidden information, as a teaching widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cmgames.games as _games  # noqa: F401  fills GAMES
from cmgames.engine.game import Outcome
from cmgames.engine.moves import IllegalMove, Move
from cmgames.engine.options import OptionError
from cmgames.engine.record import Record, RecordError
from cmgames.engine.registry import GAMES
from cmgames.engine.table import Table

if TYPE_CHECKING:
    from cmgames.ui.launch import app, classroom, play, teach, watch

__all__ = [
    "GAMES",
    "IllegalMove",
    "Move",
    "OptionError",
    "Outcome",
    "Record",
    "RecordError",
    "Table",
    "app",
    "classroom",
    "play",
    "teach",
    "watch",
]


def __getattr__(name: str) -> Any:
    """Import the widgets only where they are used, so that the engine stays light."""
    if name in ("app", "classroom", "play", "teach", "watch"):
        from cmgames.ui import launch

        return getattr(launch, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
