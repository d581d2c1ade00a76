"""What can be counted in the games of a class: wins, lengths, guesses, answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from cmgames.bots.match import wilson
from cmgames.engine.game import AnyGame
from cmgames.rooms.results import Ending, Game


class Group(msgspec.Struct, frozen=True):
    """Games of one sort: which seats students had, and whether they played until a partner came."""

    people: tuple[str, ...]
    meanwhile: bool


class Wins(msgspec.Struct, frozen=True):
    """How often a seat has won the games of a group that were played out."""

    group: Group
    seat: str
    wins: int
    games: int

    @property
    def share(self) -> float:
        """The part of the games that the seat has won, from 0 to 1."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the win rate (Wilson's, see `cmgames.bots.match.wilson`)."""
        return wilson(self.wins, self.games)


def wins(games: Iterable[Game]) -> tuple[Wins, ...]:
    """Wins by group and seat, games between people first; a game without a winner counts as a game."""
    groups: dict[Group, list[Game]] = {}
    for game in games:
        if game.ending == "played out":
            groups.setdefault(Group(game.people, game.meanwhile), []).append(game)
    order = sorted(groups, key=lambda group: (group.meanwhile, -len(group.people), group.people))
    return tuple(
        Wins(group, seat, sum(game.winner == seat for game in groups[group]), len(groups[group]))
        for group in order
        for seat in groups[group][0].who
    )


def endings(games: Iterable[Game], meanwhile: bool = False) -> dict[Ending, int]:
    """How many games have come how far: those of the meantime, or all others."""
    found: dict[Ending, int] = {"played out": 0, "ended early": 0, "in play": 0}
    for game in games:
        found[game.ending] += game.meanwhile == meanwhile
    return found


class Length(msgspec.Struct, frozen=True):
    """How long a game was: its number, its turns, its seats' moves."""

    game: int
    turns: int
    moves: int


def lengths(games: Iterable[Game]) -> tuple[Length, ...]:
    """The lengths of the games that were played out; those of the meantime apart."""
    ended = (game for game in games if game.ending == "played out" and not game.meanwhile)
    return tuple(Length(game.number, game.table.turn, len(game.moves)) for game in ended)


class Guess(msgspec.Struct, frozen=True):
    """A person's guess: the game's number, the cards named, those that lay there, and what could be named."""

    game: int
    guessed: tuple[str, ...]
    there: tuple[str, ...]
    choices: tuple[tuple[str, ...], ...]


def guesses(games: Iterable[Game]) -> tuple[Guess, ...]:
    """All guesses of people: those of computer players, the clock and the teacher are not the class's."""
    return tuple(
        Guess(game.number, made.guessed, made.spot, made.choices)
        for game in games
        for made in game.moves
        if made.guessed and made.how == "person"
    )


class Place(msgspec.Struct, frozen=True):
    """One card of the guesses: what could be named and could lie there, and how often each pair met.

    Attributes
    ----------
    names : the cards, in the order of the catalogue.
    counts : for each card that was guessed (row) and each that lay there (column), how often; as `names`.
    """

    names: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    @property
    def right(self) -> int:
        """How often the guess was right."""
        return sum(row[at] for at, row in enumerate(self.counts))

    @property
    def all(self) -> int:
        """How many guesses there were."""
        return sum(map(sum, self.counts))


def places(rules: AnyGame, guessed: Sequence[Guess]) -> tuple[Place, ...]:
    """The guesses card by card: the first card of each, the second, and so on."""
    size = max((len(guess.guessed) for guess in guessed), default=0)
    return tuple(_place(rules, [guess for guess in guessed if len(guess.guessed) > at], at) for at in range(size))


def _place(rules: AnyGame, guessed: Sequence[Guess], at: int) -> Place:
    found = {name for guess in guessed for name in (*guess.choices[at], guess.there[at])}
    names = tuple(name for name in rules.catalogue.names if name in found)
    pairs = [(guess.guessed[at], guess.there[at]) for guess in guessed]
    return Place(names, tuple(tuple(pairs.count((row, column)) for column in names) for row in names))


class Answer(msgspec.Struct, frozen=True):
    """A person's answer: the game's number, the cards on the spot, the question's verb, the seconds it took."""

    game: int
    spot: tuple[str, ...]
    question: str
    seconds: float


def answers(games: Iterable[Game]) -> tuple[Answer, ...]:
    """All answers of people whose time a browser has measured."""
    return tuple(
        Answer(game.number, made.spot, made.question, made.move.tell.seconds)
        for game in games
        for made in game.moves
        if made.how == "person" and made.move.tell is not None and made.move.tell.seconds is not None
    )


def by_card(rules: AnyGame, given: Iterable[Answer]) -> dict[tuple[str, ...], tuple[float, ...]]:
    """The seconds of the answers by the cards that lay there, in the order of the catalogue."""
    found: dict[tuple[str, ...], list[float]] = {}
    for answer in given:
        found.setdefault(answer.spot, []).append(answer.seconds)
    code = {name: code for code, name in enumerate(rules.catalogue.names)}
    order = sorted(found, key=lambda names: [code[name] for name in names])
    return {names: tuple(found[names]) for names in order}


def by_question(rules: AnyGame, given: Iterable[Answer]) -> dict[str, tuple[float, ...]]:
    """The seconds of the answers by the verb of the question, in the order of the game's verbs."""
    found: dict[str, list[float]] = {}
    for answer in given:
        found.setdefault(answer.question, []).append(answer.seconds)
    return {verb: tuple(found[verb]) for verb in ("", *rules.verbs) if verb in found}
