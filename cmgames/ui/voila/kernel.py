"""A kernel without what a page cannot use, a debugger above all: 9 MB less for each person at one."""

import sys
from pathlib import Path


def trim() -> None:
    """Make what is imported from now on do without it."""
    if Path(sys.path[0]) == Path.cwd():
        del sys.path[0]  # a notebook's neighbours are no libraries yet; IPython puts the folder back
    sys.modules["debugpy"] = None  # type: ignore[assignment]  # its import fails, and ipykernel does without


if __name__ == "__main__":
    trim()
    from ipykernel import kernelapp

    kernelapp.launch_new_instance()
