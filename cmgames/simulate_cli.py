"""The command ``cmgames simulate``."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cmgames.arguments import Refused, options
from cmgames.engine.words import count

if TYPE_CHECKING:
    from cmgames.odds.simulation import Result

MOST = 10_000_000_000
"""So many games at most: on one core half an hour of Tunnel Rat, two days of Cat & Mouse."""
COMPILING = "The games are compiled first, which takes some seconds unless it was done before."


def simulate(
    game: Annotated[str, typer.Argument(help="tunnel-rat or cat-and-mouse.")] = "tunnel-rat",
    *,
    rat: Annotated[str | None, typer.Option(help="In Tunnel Rat: random, counter or best (the default).")] = None,
    terrorist: Annotated[str | None, typer.Option(help="In Cat & Mouse: random or collector (the default).")] = None,
    us: Annotated[str | None, typer.Option(help="In Cat & Mouse: random or hunter (the default).")] = None,
    games: Annotated[int, typer.Option(min=1, max=MOST, help="How many games.")] = 1_000_000,
    seed: Annotated[int, typer.Option(help="Decides all games; the same seed gives the same numbers.")] = 1,
    workers: Annotated[int, typer.Option(min=1, help="Threads on this machine.")] = 1,
    scheduler: Annotated[
        str | None,
        typer.Option(help="Address of a Dask scheduler, such as tcp://10.0.0.1:8786, whose workers play instead."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="A rule as name=value, such as vc=5; may be given several times."),
    ] = None,
) -> None:
    """Play millions of games, compiled, and print who wins how often."""
    from cmgames.odds import simulation

    named = {seat: name for seat, name in (("rat", rat), ("terrorist", terrorist), ("us", us)) if name is not None}
    try:
        rules = options(game, option or ())
        _demand_seats(game, named)
        players = {seat: names[-1] for seat, names in simulation.PLAYERS.get(game, {}).items()} | named
        typer.echo(f"Asking the Dask scheduler at {scheduler}." if scheduler else COMPILING, err=True)
        result = simulation.simulate(
            game, players, games, seed, workers=workers, scheduler=scheduler, progress=True, **rules
        )
        exact = _exact(players, rules) if game == "tunnel-rat" else None
    except ValueError as reason:
        raise Refused(str(reason)) from reason
    for line in _report(result, players, exact):
        typer.echo(line)


def _demand_seats(game: str, named: dict[str, str]) -> None:
    """Refuse a player for a seat that has none here."""
    from cmgames.odds.simulation import PLAYERS

    seats = PLAYERS.get(game, {})
    wrong = next((seat for seat in named if seat not in seats), None)
    if seats and wrong is not None:
        known = "; ".join(f"--{seat} {', '.join(names)}" for seat, names in seats.items())
        raise Refused(f"--{wrong} does not belong to {game}. There you choose {known}.")


def _exact(players: dict[str, str], options: dict[str, Any]) -> Fraction | None:
    """The rat's chance to win as computed."""
    from cmgames.odds.simulation.rats import value

    return value(players["rat"], options)


def _report(result: Result, players: dict[str, str], exact: Fraction | None) -> Iterator[str]:
    """The lines to print."""
    from cmgames.bots.match import wilson

    for seat, wins in result.wins.items():
        low, high = wilson(wins, result.games)
        name = f"{seat} ({players[seat]})" if seat in players else seat
        rate = f"{100 * wins / result.games:8.4f} %, 95 % interval {100 * low:.4f} to {100 * high:.4f}"
        yield f"{name:24} {wins:15,} won, {rate}"
    if result.draws:
        yield f"{'nobody':24} {result.draws:15,}"
    if exact is not None:
        yield f"{'rat, exact':24} {'':20}{100 * float(exact):8.4f} %, if turns are without limit"
    mean = sum(turns * games for turns, games in result.turns.items()) / result.games
    shortest, longest = min(result.turns), max(result.turns)
    turns = count(longest, "turn") if shortest == longest else f"{shortest} to {longest} turns, {mean:.2f} on average"
    yield f"{result.games:,} {'game' if result.games == 1 else 'games'} of {turns}"
    yield f"{result.seconds:.2f} CPU seconds, {result.games / result.seconds:,.0f} games per CPU second"
