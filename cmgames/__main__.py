"""``cmgames`` and ``python -m cmgames``: every refusal is one sentence and exit code 2."""

from __future__ import annotations

import sys
from typing import NoReturn

EXTRAS = {
    "app": {
        "alembic",
        "jupyter_client",
        "jupyter_server",
        "platformdirs",
        "psutil",
        "segno",
        "sqlalchemy",
        "tornado",
        "tqdm",
        "traitlets",
        "typer",
        "voila",
    },
    "class": {"matplotlib", "psycopg"},
    "odds": {"numba", "numpy", "scipy"},
    "scale": {"dask", "distributed", "joblib"},
}
"""What each extra of the package brings, by the names under which it is imported."""


def main() -> None:
    """Run the command line."""
    try:
        run()
    except ModuleNotFoundError as missing:
        name = (missing.name or "").partition(".")[0]
        extra = next((extra for extra, brings in EXTRAS.items() if name in brings), None)
        if extra is None:
            raise
        refuse(f"This needs the extra `{extra}` ({name} is missing): pip install 'cmgames[{extra}]'")


def run() -> None:
    """Run the command line; what it refuses goes to `refuse`."""
    from typer import TyperException

    from cmgames.arguments import Refused
    from cmgames.cli import app

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
