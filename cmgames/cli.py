"""The command line. Each command is a short function; what it needs is imported when it runs."""

from __future__ import annotations

import codecs
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cmgames.arguments import Refused, options
from cmgames.simulate_cli import simulate

if TYPE_CHECKING:
    from cmgames.engine.table import Table

app = typer.Typer(
    name="cmgames",
    help="Cat & Mouse and Tunnel Rat: two card games about what you cannot see.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


app.command()(simulate)


@app.callback()
def commands() -> None:
    """Cat & Mouse and Tunnel Rat: two card games about what you cannot see."""


Game = Annotated[str, typer.Argument(help="tunnel-rat or cat-and-mouse.")]
Seed = Annotated[int | None, typer.Option(help="Decides the cards; without it nobody can guess them.")]
Option = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", help="A rule as name=value, such as max_questions=3; may be given several times."),
]


@app.command()
def play(
    game: Game = "tunnel-rat",
    seat: Annotated[str | None, typer.Option(help="The seat to take; the first one by default.")] = None,
    opponent: Annotated[str | None, typer.Option(help="The computer player; the strongest by default.")] = None,
    seed: Seed = None,
    option: Option = None,
) -> None:
    """Play a game in the terminal against a computer player. Ctrl-D gives up."""
    from cmgames.rooms.terms import PERSON
    from cmgames.ui import terminal
    from cmgames.ui.launch import against

    if opponent == PERSON:
        raise Refused("In the terminal the opponent is a computer player: two people would see each other's cards.")
    try:
        seated = against(game, seat, opponent)
        table = _table(game, seed, option)
    except ValueError as reason:
        raise Refused(str(reason)) from reason
    try:
        terminal.play(table, seated, input, typer.echo)
    except EOFError:
        typer.echo("\nGiven up.")


@app.command()
def watch(
    game: Game = "tunnel-rat",
    players: Annotated[list[str] | None, typer.Argument(help="A computer player for each seat, in order.")] = None,
    seed: Seed = None,
    option: Option = None,
) -> None:
    """Let two computer players play each other, and print what happens."""
    from cmgames.ui import terminal
    from cmgames.ui.launch import computers

    try:
        seated = computers(game, *players or ())
        table = _table(game, seed, option)
    except ValueError as reason:
        raise Refused(str(reason)) from reason
    terminal.play(table, seated, input, typer.echo)


@app.command()
def verify(record: Annotated[Path, typer.Argument(help="File with the record of a game.")]) -> None:
    """Deal a recorded game again from its seed, and confirm every card and every move."""
    from cmgames.engine.record import Record, RecordError
    from cmgames.engine.table import Table
    from cmgames.engine.words import count

    try:
        loaded = Record.load(record.read_bytes().removeprefix(codecs.BOM_UTF8))
        table = Table.from_record(loaded)
    except OSError as fault:
        raise Refused(f"{record} cannot be read: {fault.strerror}.") from fault
    except RecordError as fault:
        raise Refused(f"{record}: {fault}") from fault
    typer.echo(f"{table.game.title}, {len(table.moves)} moves. Commitment {loaded.commitment}")
    typer.echo(f"The commitment fits seed {loaded.seed} and salt {loaded.salt}.")
    typer.echo(f"The seed deals {count(table.dealt - len(loaded.chosen), 'card')} as recorded; every move is legal.")
    if loaded.chosen:
        typer.echo(f"A teacher chose {count(len(loaded.chosen), 'card')}.")
    typer.echo(table.outcome.reason if table.outcome else "The game is not over.")


@app.command()
def players(
    games: Annotated[int, typer.Option(min=1, help="Games for each pair of players.")] = 2000,
    seed: Annotated[int, typer.Option(help="Decides all cards; the same seed gives the same numbers.")] = 1,
    into: Annotated[Path | None, typer.Option(help="Write the tables into this page instead of printing them.")] = None,
) -> None:
    """Let all computer players play each other, and print who wins how often."""
    _demand_page(into)
    from tqdm import tqdm

    from cmgames.bots.match import BEGIN, END, cross_tables, markdown

    _show(markdown(list(tqdm(cross_tables(games, seed), unit=" cells", disable=None)), seed), into, BEGIN, END)


@app.command()
def tournament(
    deals: Annotated[int, typer.Option(min=2, help="Deals of each game; all pairs of players meet on each.")] = 1000,
    seed: Annotated[int, typer.Option(help="Decides all cards; the same seed gives the same ratings.")] = 1,
    workers: Annotated[int, typer.Option(min=1, help="Processes that play; they change nothing but the time.")] = 1,
    results: Annotated[
        Path, typer.Option(help="File of results, a JSON line each; games that are in it are not played again.")
    ] = Path("tournament.jsonl"),
    into: Annotated[Path | None, typer.Option(help="Write the ladder into this page instead of printing it.")] = None,
) -> None:
    """Let all computer players play each other on the same deals, and rate them. Goes on where it was interrupted."""
    _demand_page(into)
    from tqdm import tqdm

    from cmgames.bots import ladder

    games = len(ladder.schedule(deals))
    try:
        ongoing = ladder.tournament(deals, seed, results, workers)
        played = list(tqdm(ongoing, total=games, unit=" games", disable=None))  # in a log there is no bar
    except OSError as fault:
        raise Refused(f"{results} cannot be written: {fault.strerror}.") from fault
    except ValueError as fault:
        raise Refused(str(fault)) from fault
    _show(ladder.markdown(played), into, ladder.BEGIN, ladder.END)


def _demand_page(into: Path | None) -> None:
    """Refuse a page that is not there before hours of play."""
    if into is not None and not into.is_file():
        raise Refused(f"There is no page {into}.")


def _show(tables: str, into: Path | None, begin: str, end: str) -> None:
    """Print tables, or write them between the markers of a page."""
    from cmgames.bots.match import insert

    if into is None:
        typer.echo(tables)
        return
    try:
        into.write_text(insert(into.read_text(encoding="utf-8"), tables, begin, end), encoding="utf-8")
    except (OSError, ValueError) as fault:
        raise Refused(f"{into} cannot be written into: {fault}") from fault


def _table(game: str, seed: int | None, option: list[str] | None) -> Table:
    """The table that the options on the command line ask for."""
    from cmgames.engine.table import Table

    return Table(game, seed=seed, **options(game, option or ()))


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
        int,
        typer.Option(min=0, max=200, help="Games held ready for the next visitors; each takes about 25 MB on Linux."),
    ] = 0,
    template: Annotated[
        Template, typer.Option(help="slim: small and fast, for these games. lab: for notebooks with stock widgets.")
    ] = Template.slim,
    notebook: Annotated[Path | None, typer.Option(help="Notebook to show instead of the games.")] = None,
    database: Annotated[
        str | None,
        typer.Option(
            envvar="CMGAMES_DATABASE_URL",
            help="Where games are kept, such as postgresql://user@host/name; by default a file in the data folder. "
            "A password belongs into the environment variable.",
        ),
    ] = None,
) -> None:
    """Serve the games as a web page until Ctrl-C."""
    from cmgames import serve as server

    say = partial(print, flush=True)
    try:
        server.serve(notebook, port=port, lan=lan, preheat=preheat, template=template.value, database=database, say=say)
    except server.CannotServe as reason:
        raise Refused(str(reason)) from reason
