"""``cmgames`` and ``python -m cmgames``: every refusal is one sentence and exit code 2."""

from __future__ import annotations

import sys
from typing import NoReturn

EXTRA_APP = {"jupyter_server", "platformdirs", "psutil", "segno", "tornado", "tqdm", "traitlets", "typer", "voila"}


def main() -> None:
    """Run the command line."""
    try:
        run()
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in EXTRA_APP:
            raise
        refuse(f"This needs the extra `app` ({missing.name} is missing): pip install 'cmgames[app]'")


def run() -> None:
    """Run the command line; what it refuses goes to `refuse`."""
    from typer import TyperException

    from cmgames.cli import Refused, app

    try:
        sys.exit(app(sys.argv[1:] or ["--help"], standalone_mode=False))
    except Refused as reason:
        refuse(str(reason))
    except TyperException as mistake:
        refuse(" ".join(mistake.format_message().split()))


def refuse(sentence: str) -> NoReturn:
    """End with a sentence."""
    print(f"cmgames: {sentence}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
