"""The log: a file. In a kernel everything that is printed goes to the browser, and no traceback may."""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path

LOG = logging.getLogger("cmgames")


def open_journal() -> None:
    """Let the log go to the file that ``CMGAMES_LOG`` names, by default to a temporary ``cmgames.log``."""
    path = Path(os.environ.get("CMGAMES_LOG") or Path(tempfile.gettempdir()) / "cmgames.log")
    LOG.propagate = False
    if not LOG.handlers:
        handler = logging.FileHandler(path, delay=True, encoding="utf-8")
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        LOG.addHandler(handler)
