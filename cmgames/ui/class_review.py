"""A class's games looked at afterwards, for the teacher: what choices cost and what the cards gave, table by table."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from math import hypot
from statistics import fmean

from cmgames.bots.review import reviewing
from cmgames.engine.game import AnyGame
from cmgames.engine.moves import Move
from cmgames.odds.review import Review, costs, review
from cmgames.odds.tunnel_rat import GUESSES
from cmgames.rooms.results import Game, Who
from cmgames.rooms.same_deal import Fork
from cmgames.ui import phrases
from cmgames.ui.odds import SOLVED, signed
from cmgames.ui.review_page import REVIEWED, band, lost, named
from cmgames.ui.screen import Entry, Grid

PANELS = 3
"""So many rounds at most are drawn, the last ones."""

Seen = Sequence[tuple[Game, Review]]
"""Games with their reviews."""


class Reviews:
    """The reviews of a class's games; what has been looked at is not looked at again.

    Those of a solved game are made at once; the others take seconds each, and are made by `making`.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, int, str], Review] = {}

    def of(self, games: Iterable[Game]) -> Seen:
        """The games that were played out with their reviews, as far as these are made, for each seat of a student."""
        found = []
        for game, seat in _ended(games):
            which = _which(game, seat)
            if which not in self._known and game.table.game.name in SOLVED:
                self._known[which] = review(game.table)
            if which in self._known:
                found.append((game, self._known[which]))
        return tuple(found)

    def missing(self, games: Iterable[Game]) -> tuple[tuple[Game, str], ...]:
        """The games and seats that `making` would look at."""
        ended = [(game, seat) for game, seat in _ended(games) if game.table.game.name not in SOLVED]
        return tuple((game, seat) for game, seat in ended if _which(game, seat) not in self._known)

    def making(self, games: Iterable[Game]) -> Generator[float, None, int]:
        """Make what is missing, a step at a time, each of which yields the part that is done, from 0 to 1.

        Returns
        -------
        int
            How many reviews were made.
        """
        missing = self.missing(games)
        for at, (game, seat) in enumerate(missing):
            steps = reviewing(game.table, seat)
            self._known[_which(game, seat)] = yield from _as_part(steps, at, len(missing))
        return len(missing)


def _which(game: Game, seat: str) -> tuple[int, int, str]:
    return game.room, game.version, seat


def _ended(games: Iterable[Game]) -> Iterable[tuple[Game, str]]:
    """The games that were played out, with each seat of a student whose choices can be looked at."""
    for game in games:
        if game.ending == "played out":
            yield from ((game, seat) for seat in REVIEWED.get(game.table.game.name, ()) if seat in game.people)


def _as_part(steps: Generator[float, None, Review], at: int, of: int) -> Generator[float, None, Review]:
    """The steps of one review of several."""
    while True:
        try:
            done = next(steps)
        except StopIteration as finished:
            seen: Review = finished.value
            return seen
        yield (at + done) / of


def curves(seen: Seen) -> dict[str, dict[str, tuple[tuple[float, ...], ...]]]:
    """For each seat the chances to win, turn by turn, of each game; those of one deal under a title of their own."""
    found: dict[str, dict[str, tuple[tuple[float, ...], ...]]] = {}
    for game, one in seen:
        title = f"Round {game.round}, the same cards" if game.same_deal else "All games"
        of_seat = found.setdefault(one.seat, {})
        of_seat[title] = (*of_seat.get(title, ()), one.by_turn())
    return {seat: dict(list(panels.items())[-PANELS:]) for seat, panels in found.items()}


def summary(seen: Seen, seat: str) -> str:
    """What the choices of a seat cost on average, and what luck gave the luckiest and the unluckiest."""
    reviews = [one for _, one in seen if one.seat == seat]
    lucks = [one.luck for one in reviews]
    return (
        f"On average the choices of a game cost {lost(fmean(one.cost for one in reviews))}. "
        f"Luck gave from {signed(min(lucks))} to {signed(max(lucks))}."
    )


def grid(rules: AnyGame, seen: Seen, called: Callable[[Who], str]) -> Grid:
    """Each game with what its choices cost, the least first."""
    ordered = sorted(seen, key=lambda pair: pair[1].cost)
    rows = {f"review {game.room} {one.seat}": _row(at, game, one, called) for at, (game, one) in enumerate(ordered)}
    seats = REVIEWED[rules.name]
    student = phrases.capital(phrases.seat_title(rules, seats[0])) if len(seats) == 1 else "Student"
    columns = ("Table", student, "Round", "Choices cost", "Luck gave", "The worst choice")
    none = "No game is played out yet." if rules.name in SOLVED else "No game has been looked at yet."
    return Grid(1, "Skill and luck", columns, rows, none)


def _row(at: int, game: Game, seen: Review, called: Callable[[Who], str]) -> Entry:
    rules, worst = game.table.game, next(iter(seen.worst(1)), None)
    words, send = "none seen" if any(seen.errors()) else "none", {"do": "open", "room": game.room}
    if worst is not None:
        words = f"turn {worst.turn}: {named(rules, worst.did)}; {named(rules, worst.best)} was better"
        send["ply"] = worst.ply
    student = called(game.who[seen.seat])
    if len(REVIEWED[rules.name]) > 1:
        student += f", {phrases.seat_title(rules, seen.seat)}"
    error = hypot(*(choice.cost_error for choice in seen.choices if choice.cost))
    cost = lost(seen.cost) + band(seen.cost, error) if seen.cost else "nothing"
    return Entry(at, (str(game.number), student, str(game.round), cost, signed(seen.luck), words), send=send)


def costs_of(fork: Fork, games: Mapping[int, Game], seen: Seen) -> dict[Move, str]:
    """For each move made at a fork what it cost, in words; without those of which it is not known."""
    table = games[fork.games[0]].table
    if table.game.name in SOLVED:
        guesses = [move for move, _ in fork.choices if move.verb in GUESSES]
        cost = costs(table.view(fork.seat, fork.ply)) if guesses else {}
        return {move: f"costs {lost(cost[move.verb])}" if cost[move.verb] else "the best" for move in guesses}
    looked_at = {game.number: one for game, one in seen if one.seat == fork.seat}
    found = {}
    for move, same in fork.choices:
        choices = [choice for number in same if number in looked_at for choice in looked_at[number].choices]
        made = [choice.cost for choice in choices if choice.ply == fork.ply]
        if any(made):
            found[move] = f"costs {lost(fmean(made))}"
    return found
