"""The ladder: a round robin of all quick players on the same deals, kept in a file, and rated.

Every player of a game's first seat meets every player of its second seat on every deal.  The seats differ, so nobody
can change sides.  But when two *teams*, each with a player for either seat, meet on a deal and swap seats, they play
two of these games: the round robin holds every match between teams, on the same deals in both seats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain, product
from pathlib import Path

import msgspec

from cmgames.bots.elo import Rating, Score, rate
from cmgames.bots.match import winner
from cmgames.bots.player import PLAYERS, quick
from cmgames.engine.registry import GAMES
from cmgames.engine.registry import game as find_game

BEGIN, END = "<!-- ladder: written by `cmgames tournament` -->", "<!-- end of the ladder -->"
LINE = b'{"seed":'
"""How every line of a file of results begins."""
TOGETHER = 16
"""A process is given so many games at a time."""


class Pairing(msgspec.Struct, frozen=True):
    """A game that is to be played: who sits where, and the number of the deal."""

    game: str
    deal: int
    first: str
    second: str


class Result(msgspec.Struct, frozen=True):
    """A game that was played under a tournament's seed, and the seat that won it (None: nobody)."""

    seed: int
    pairing: Pairing
    winner: str | None

    @property
    def score(self) -> Score:
        """The result as the rating needs it."""
        first, _ = GAMES[self.pairing.game].seats
        share = 0.5 if self.winner is None else float(self.winner == first)
        return Score(self.pairing.deal, self.pairing.first, self.pairing.second, share)


def schedule(deals: int) -> list[Pairing]:
    """The round robin of the quick players of every game that has players of its own: game by game and deal by deal."""
    return [
        Pairing(game, deal, first, second)
        for game in filter(PLAYERS.__contains__, GAMES)
        for deal in range(deals)
        for first, second in product(*(quick(game, seat) for seat in GAMES[game].seats))
    ]


def tournament(deals: int, seed: int, results: Path, workers: int = 1) -> Iterator[Result]:
    """Play what a file of results still lacks, and add it there game by game.

    Parameters
    ----------
    deals, seed : how many deals of each game, and what decides them all: see `cmgames.bots.match.match`.
    results : a file of JSON lines, a `Result` each; it is made if there is none.
    workers : how many processes play. The results are the same, in the same order, for any number.

    Returns
    -------
    iterator of Result
        Those of the schedule in its order as far as they are in the file, then the new ones as they are played.

    Raises
    ------
    ValueError
        The file holds something else, or results of another seed.
    OSError
        The file cannot be written.
    """
    results.touch()
    found = {result.pairing: result for result in load(results, seed)}
    planned = schedule(deals)
    known = [found[pairing] for pairing in planned if pairing in found]
    missing = [pairing for pairing in planned if pairing not in found]
    return chain(known, _add(results, _play_all(missing, seed, workers)))


def _add(file: Path, played: Iterator[Result]) -> Iterator[Result]:
    """Write each result into the file when it comes."""
    with file.open("ab") as lines:
        for result in played:
            lines.write(msgspec.json.encode(result) + b"\n")
            lines.flush()
            yield result


def load(results: Path, seed: int) -> list[Result]:
    """The results in a file; a last line that was cut off is cut off the file.

    Raises
    ------
    ValueError
        The file holds something else, or results of another seed.
    """
    whole, newline, rest = results.read_bytes().rpartition(b"\n")
    if not rest.startswith(LINE[: len(rest)]):
        raise ValueError(f"{results} holds no results of a tournament: its last line is none.")
    try:
        found = [msgspec.json.decode(line, type=Result) for line in whole.splitlines()]
    except msgspec.MsgspecError as fault:
        raise ValueError(f"{results} holds no results of a tournament: {fault}") from fault
    if any(result.seed != seed for result in found):
        raise ValueError(f"{results} holds results of seed {found[0].seed}, not {seed}: name another file.")
    if rest:
        results.write_bytes(whole + newline)
    return found


def _play_all(pairings: list[Pairing], seed: int, workers: int) -> Iterator[Result]:
    """Play games in their order, in this process or in several."""
    one = partial(_play, seed)
    if workers == 1:
        yield from map(one, pairings)
        return
    with ProcessPoolExecutor(workers) as pool:
        try:
            yield from pool.map(one, pairings, chunksize=TOGETHER)
        finally:
            pool.shutdown(cancel_futures=True)


def _play(seed: int, pairing: Pairing) -> Result:
    return Result(seed, pairing, winner(pairing.game, pairing.first, pairing.second, pairing.deal, seed))


# The table


def markdown(results: Iterable[Result]) -> str:
    """The ladder of each game as Markdown."""
    results = list(results)
    by_game = {name: [each for each in results if each.pairing.game == name] for name in GAMES}
    return "\n".join(_ladder(name, of_game) for name, of_game in by_game.items() if of_game)


def _ladder(name: str, results: list[Result]) -> str:
    """One game's ladder: the players of each seat, the best first."""
    ratings = rate(result.score for result in results)
    first, second = (seat.title for seat in find_game(name).seats.values())
    deals = len({result.pairing.deal for result in results})
    played = f"{deals} deals, {len(results)} games, seed {results[0].seed}"
    lines = [
        f"### {find_game(name).title}",
        "",
        f"Elo with 95 % intervals; {played}. The advantage of {first}: {ratings.advantage}.",
        "",
        *_ranking(first, ratings.first),
        "",
        *_ranking(second, ratings.second),
    ]
    return "\n".join(lines) + "\n"


def _ranking(seat: str, ratings: dict[str, Rating]) -> list[str]:
    """The table of one seat."""
    ranked = sorted(ratings.items(), key=lambda rated: -rated[1].value)
    return [f"| {seat} | Elo |", "| --- | ---: |", *(f"| {name} | {rating} |" for name, rating in ranked)]
