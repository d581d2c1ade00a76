"""A class's games looked at afterwards, for the teacher: what choices cost and what the cards gave, table by table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

from cmgames.engine.moves import Move
from cmgames.odds.review import Review, costs, review
from cmgames.odds.tunnel_rat import GUESSES
from cmgames.rooms.results import Game, Who
from cmgames.rooms.same_deal import Fork
from cmgames.ui.odds import SOLVED, percent, signed
from cmgames.ui.screen import Entry, Grid

PANELS = 3
"""So many rounds at most are drawn, the last ones."""

Seen = Sequence[tuple[Game, Review]]
"""Games with their reviews."""


class Reviews:
    """The reviews of a class's games; a game that has been looked at is not looked at again."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Review] = {}

    def of(self, games: Iterable[Game]) -> Seen:
        """The games that were played out by a student whose choices can be reviewed, in their order."""
        ended = [game for game in games if game.ending == "played out" and game.table.game.name in SOLVED]
        seen = [(game, self._review(game)) for game in ended]
        return tuple((game, one) for game, one in seen if game.who[one.seat].guest is not None)

    def _review(self, game: Game) -> Review:
        which = game.room, game.version
        if which not in self._known:
            self._known[which] = review(game.table)
        return self._known[which]


def curves(seen: Seen) -> dict[str, tuple[tuple[float, ...], ...]]:
    """The chances to win, turn by turn, of each game; those of one deal under a title of their own."""
    found: dict[str, list[tuple[float, ...]]] = {}
    for game, one in seen:
        title = f"Round {game.round}, the same cards" if game.same_deal else "All games"
        found.setdefault(title, []).append(one.curve())
    return {title: tuple(lines) for title, lines in list(found.items())[-PANELS:]}


def summary(seen: Seen) -> str:
    """What the choices cost on average, and what the cards gave the luckiest and the unluckiest."""
    lucks = [one.luck for _, one in seen]
    return (
        f"On average the choices of a game cost {percent(fmean(one.cost for _, one in seen))}. "
        f"The cards gave from {signed(min(lucks))} to {signed(max(lucks))}."
    )


def grid(seen: Seen, called: Callable[[Who], str]) -> Grid:
    """Each game with what its choices cost, the least first."""
    ordered = sorted(seen, key=lambda pair: pair[1].cost)
    rows = {f"review {game.room}": _row(at, game, one, called) for at, (game, one) in enumerate(ordered)}
    columns = ("Table", "The rat", "Round", "Choices cost", "Cards gave", "The worst choice")
    return Grid(1, "Skill and luck", columns, rows, "No game is played out yet.")


def _row(at: int, game: Game, seen: Review, called: Callable[[Who], str]) -> Entry:
    verbs, worst = game.table.game.verbs, next(iter(seen.worst(1)), None)
    words, send = "none", {"do": "open", "room": game.room}
    if worst is not None:
        words = f"turn {worst.turn}: {verbs[worst.did.verb].card}; {verbs[worst.best.verb].card} was better"
        send["ply"] = worst.ply
    cost = percent(seen.cost) if seen.cost else "nothing"
    cells = (str(game.number), called(game.who[seen.seat]), str(game.round), cost, signed(seen.luck), words)
    return Entry(at, cells, send=send)


def costs_of(fork: Fork, games: Mapping[int, Game]) -> dict[Move, str]:
    """For each guess made at a fork what it cost, in words; empty where nobody guessed, or where it is not known."""
    table = games[fork.games[0]].table
    guesses = [move for move, _ in fork.choices if move.verb in GUESSES]
    if table.game.name not in SOLVED or not guesses:
        return {}
    lost = costs(table.view(fork.seat, fork.ply))
    return {move: f"costs {percent(lost[move.verb])}" if lost[move.verb] else "the best" for move in guesses}
