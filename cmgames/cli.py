"""The command line. Each command is a short function; what it needs is imported when it runs."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="cmgames",
    help="Cat & Mouse and Tunnel Rat: two card games about what you cannot see.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


class Refused(Exception):
    """What a command cannot do, as a sentence for the person who typed it."""


@app.callback()
def commands() -> None:
    """Cat & Mouse and Tunnel Rat: two card games about what you cannot see."""


class Template(StrEnum):
    """Which page the games are drawn on."""

    slim = "slim"
    lab = "lab"


@app.command()
def serve(
    port: Annotated[
        int, typer.Option(min=1, max=65535, help="Port to listen on. Keep it: browsers find their games by it.")
    ] = 8866,
    lan: Annotated[
        bool, typer.Option("--lan", help="Be reachable from the local network; shows the link as a QR picture.")
    ] = False,
    preheat: Annotated[
        int, typer.Option(min=0, max=200, help="Games held ready for the next visitors; each takes about 60 MB.")
    ] = 0,
    template: Annotated[
        Template, typer.Option(help="slim: small and fast, for these games. lab: for notebooks with stock widgets.")
    ] = Template.slim,
    notebook: Annotated[Path | None, typer.Option(help="Notebook to show instead of the games.")] = None,
) -> None:
    """Serve the games as a web page until Ctrl-C."""
    from cmgames import serve as server

    say = partial(print, flush=True)
    try:
        server.serve(notebook, port=port, lan=lan, preheat=preheat, template=template.value, say=say)
    except server.CannotServe as reason:
        raise Refused(str(reason)) from reason
