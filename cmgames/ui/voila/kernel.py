"""A kernel without what a page cannot use, a debugger above all: 9 MB less for each person at one."""

import os
import sys
from pathlib import Path


def hush() -> None:
    """Let the log have what a kernel would print on the server's terminal: faults that a page has provoked."""
    if file := os.environ.get("CMGAMES_LOG"):
        with Path(file).open("ab") as log:
            os.dup2(log.fileno(), 2)


def trim() -> None:
    """Make what is imported from now on do without it."""
    if Path(sys.path[0]) == Path.cwd():
        del sys.path[0]  # a notebook's neighbours are no libraries yet; IPython puts the folder back
    sys.modules["debugpy"] = None  # type: ignore[assignment]  # its import fails, and ipykernel does without


if __name__ == "__main__":
    hush()
    trim()
    import ipywidgets  # noqa: F401  where there is a kernel already, it would let pages make widgets in it
    from ipykernel import kernelapp

    kernelapp.launch_new_instance()
