"""A kernel without what a page cannot use, a debugger above all: 9 MB less for each person at one."""

import sys
from pathlib import Path

if __name__ == "__main__":
    if Path(sys.path[0]) == Path.cwd():
        del sys.path[0]  # a notebook's neighbours are no libraries yet; IPython puts the folder back
    sys.modules["debugpy"] = None  # type: ignore[assignment]  # its import fails, and ipykernel does without
    from ipykernel import kernelapp

    kernelapp.launch_new_instance()
