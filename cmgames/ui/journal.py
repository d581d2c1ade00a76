"""The log: a file. In a kernel everything that is printed goes to the browser, and no traceback may."""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path

LOG = logging.getLogger("cmgames")


def open_journal() -> None:
    """Let the log go to the file that ``CMGAMES_LOG`` names, by default to a temporary ``cmgames.log``.

    Where the environment names it, as under ``cmgames serve``, all libraries write there too.
    """
    served = os.environ.get("CMGAMES_LOG")
    LOG.propagate = False
    if not LOG.handlers:
        handler = Journal(served or Path(tempfile.gettempdir()) / "cmgames.log", delay=True, encoding="utf-8")
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        LOG.addHandler(handler)
        if served:
            logging.getLogger().addHandler(handler)
            logging.captureWarnings(capture=True)


class Journal(logging.FileHandler):
    """A log that keeps silent when it cannot be written, as on a full disk."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  logging's own name
        """Do not print what was to be logged."""
