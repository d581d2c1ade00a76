"""The results of a class: what was done at its tables, and what can be counted in it.

`load` reads a class and plays its games again; everything else here is a pure function of what it returns.  Nothing
here asks which game it is: a guess, an answer and the card that lay there are read from views and verbs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, Row, select

from cmgames.bots.match import wilson
from cmgames.engine import registry
from cmgames.engine.game import CHANCE, AnyGame
from cmgames.engine.moves import Move
from cmgames.engine.table import Event, Table
from cmgames.engine.view import OPEN, View
from cmgames.rooms.database import Database
from cmgames.rooms.faults import Refused
from cmgames.rooms.room import SEATED, UNDO, called
from cmgames.rooms.schema import CLASSES, MOVES, ROOMS, SEATS
from cmgames.rooms.terms import Terms

Ending = Literal["played out", "ended early", "in play"]
"""How far a game has come: to its end by the rules, broken off, or not yet to an end."""


class Who(msgspec.Struct, frozen=True):
    """Who has a seat.

    Attributes
    ----------
    guest : the student's number in the database; None for a computer player.
    number : the student's number within the class; 0 for a computer player.
    name : what the student, or the computer player, is called.
    """

    guest: int | None
    number: int
    name: str


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """What was done at a table: a move of a seat or of chance, or the taking back of one.

    Attributes
    ----------
    ply : its number in the record, from 0; None where a move was taken back.
    turn, phase : when it was done.
    seat : who did it: a seat, or ``chance``.
    move : the move; its verb is ``undo`` where a move was taken back.
    how : who made it for the seat, see `cmgames.rooms.room.How`; ``chance`` for chance.
    seconds : from the opening of the room until then.
    spot : the cards that lay on the spot before it, hidden ones too.
    question : the verb of the question that it answers; empty where it answers none.
    choices : where it was a guess, the names among which each of its cards was chosen; empty where it was none.
    guessed : where it was a guess, the cards that it named.
    undone : it was taken back later.
    """

    ply: int | None
    turn: int
    phase: str
    seat: str
    move: Move
    how: str
    seconds: float
    spot: tuple[str, ...] = ()
    question: str = ""
    choices: tuple[tuple[str, ...], ...] = ()
    guessed: tuple[str, ...] = ()
    undone: bool = False


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One game of a class.

    Attributes
    ----------
    room : the room's number in the database.
    number : its number within the class, from 1: the teacher's board calls it so.
    version : how many entries its list of moves has.
    round : which game it was for those who played it, from 1.
    same_deal : other tables had the same cards in this round.
    meanwhile : it was played against a computer player until a partner came.
    who : who has each seat.
    table : the game itself.
    made : all that was done, in order; what was taken back too.
    opened : seconds from the opening of the class to that of the room.
    lasted : seconds from the opening of the room to its end, or to its last move so far.
    over : nobody can move any more.
    broken_off : why it was ended before its end; empty when it was not.
    """

    room: int
    number: int
    version: int
    round: int
    same_deal: bool
    meanwhile: bool
    who: Mapping[str, Who]
    table: Table
    made: tuple[Made, ...]
    opened: float
    lasted: float
    over: bool
    broken_off: str

    @property
    def ending(self) -> Ending:
        """How far it has come."""
        if self.table.outcome is not None:
            return "played out"
        return "ended early" if self.over else "in play"

    @property
    def winner(self) -> str | None:
        """The seat that has won, if any."""
        return None if self.table.outcome is None else self.table.outcome.winner

    @property
    def people(self) -> tuple[str, ...]:
        """The seats that students have."""
        return tuple(seat for seat, who in self.who.items() if who.guest is not None)

    @property
    def moves(self) -> tuple[Made, ...]:
        """The moves of the seats, without those that were taken back."""
        return tuple(made for made in self.made if made.seat != CHANCE and not made.undone and made.ply is not None)


class ClassResults(msgspec.Struct, frozen=True, kw_only=True):
    """A class and all that was done in it.

    Attributes
    ----------
    id, code, closed : of the class.
    rules : the game that it plays, under its options.
    games : its games, in the order in which they were opened.
    damaged : the numbers of games that cannot be played again.
    """

    id: int
    code: str
    closed: bool
    rules: AnyGame
    games: tuple[Game, ...]
    damaged: tuple[int, ...] = ()

    @property
    def stamp(self) -> object:
        """Equal for two loads between which nothing has changed."""
        games = tuple((game.room, game.version, game.over, *game.who.values()) for game in self.games)
        return (self.closed, self.damaged, games)


# Reading


def load(database: Database, class_id: int, before: ClassResults | None = None) -> ClassResults:
    """The results of a class, in four queries.

    Parameters
    ----------
    before : what was loaded earlier: games in which nothing has happened since are not played again.

    Raises
    ------
    Refused
        There is no such class (any more).
    DatabaseFault
        The database does not answer.
    """
    known = {} if before is None else {game.room: game for game in before.games}
    of_class, rooms, seats, moves = database.read(lambda connection: _rows(connection, class_id, known))
    rules = registry.game(of_class.game)
    games, damaged = [], []
    for number, room in enumerate(rooms, 1):
        who = {seat: seats[room.id][seat] for seat in rules.seats}
        old = known.get(room.id)
        game = old if _is_same(old, room) else _game(number, room, moves.get(room.id, []), of_class.made_at)
        if game is None:
            damaged.append(number)
        else:
            games.append(replace(game, who=who))
    return ClassResults(
        id=class_id,
        code=of_class.code,
        closed=of_class.closed,
        rules=rules(rules.Options.make(of_class.options)),
        games=tuple(games),
        damaged=tuple(damaged),
    )


def _rows(connection: Connection, class_id: int, known: Mapping[int, Game]) -> tuple[Any, ...]:
    """The class, its rooms, who has each seat, and the moves of the rooms that are not known yet."""
    of_class = connection.execute(select(CLASSES).where(CLASSES.c.id == class_id)).one_or_none()
    if of_class is None:
        raise Refused("This class is not here any more.")
    rooms = connection.execute(select(ROOMS).where(ROOMS.c.class_id == class_id).order_by(ROOMS.c.id)).all()
    in_class = select(ROOMS.c.id).where(ROOMS.c.class_id == class_id)
    seats: dict[int, dict[str, Who]] = {}
    for row in connection.execute(SEATED.where(SEATS.c.room_id.in_(in_class))):
        seats.setdefault(row.room_id, {})[row.seat] = _who(row)
    changed = [room.id for room in rooms if not _is_same(known.get(room.id), room)]
    moves: dict[int, list[Row[Any]]] = {}
    query = select(MOVES).where(MOVES.c.room_id.in_(changed)).order_by(MOVES.c.room_id, MOVES.c.version)
    for move in connection.execute(query):
        moves.setdefault(move.room_id, []).append(move)
    return of_class, rooms, seats, moves


def _who(row: Row[Any]) -> Who:
    if row.guest_id is None:
        return Who(None, 0, row.player)
    number = row.number or row.guest_id
    return Who(row.guest_id, number, called(row.name, number))


def _is_same(game: Game | None, room: Row[Any]) -> bool:
    """Whether nothing has happened in a room since its game was loaded."""
    return game is not None and game.version == room.version and game.over == _is_over(game.table, room)


def _is_over(table: Table, room: Row[Any]) -> bool:
    return table.outcome is not None or room.over_at is not None


def _game(number: int, room: Row[Any], entries: Sequence[Row[Any]], opened_at: float) -> Game | None:
    """The game of a room; None where it cannot be played again."""
    terms = msgspec.convert(room.terms, Terms)
    try:
        table = Table(room.game, seed=int(room.seed), salt=room.salt, deals=terms.deals, **room.options)
        made = _replay(table, entries, room.made_at)
    except ValueError:
        return None
    last = entries[-1].made_at if entries else room.made_at
    over = _is_over(table, room)
    return Game(
        room=room.id,
        number=number,
        version=room.version,
        round=room.round,
        same_deal=terms.same_deal,
        meanwhile=terms.meanwhile,
        who={},
        table=table,
        made=made,
        opened=room.made_at - opened_at,
        lasted=(room.over_at or last) - room.made_at,
        over=over,
        broken_off=room.reason if over and table.outcome is None else "",
    )


def _replay(table: Table, entries: Sequence[Row[Any]], opened_at: float) -> tuple[Made, ...]:
    """Do to a new table what the list of a room says, and note each step."""
    made = [_chance(table, event, 0.0) for event in table.log(OPEN)]
    for entry in entries:
        seconds = max(entry.made_at - opened_at, 0.0)
        if entry.text == UNDO:
            table.undo()
            left = len(table.moves)
            made = [replace(one, undone=True) if one.ply is not None and one.ply >= left else one for one in made]
            made.append(_undo(table, entry, seconds))
        else:
            made.append(_before(table, entry, seconds))
            table.play(entry.text)
            made += [_chance(table, event, seconds) for event in table.log(OPEN, made[-1].ply or 0)[1:]]
    return tuple(made)


def _undo(table: Table, entry: Row[Any], seconds: float) -> Made:
    undo = Move(UNDO)
    return Made(
        ply=None, turn=table.turn, phase=table.phase, seat=entry.seat, move=undo, how=entry.how, seconds=seconds
    )


def _chance(table: Table, event: Event, seconds: float) -> Made:
    return Made(
        ply=event.ply,
        turn=event.turn,
        phase=event.phase,
        seat=CHANCE,
        move=event.move,
        how=CHANCE,
        seconds=seconds,
        spot=spot(table.view(OPEN, event.ply)),
    )


def _before(table: Table, entry: Row[Any], seconds: float) -> Made:
    """A move that a seat is about to make, and what lies before it."""
    view, move = table.view(OPEN), Move.parse(table.game, entry.text)
    there = spot(view)
    choices = guess_choices(table) if there else ()
    waiting = view.answers[-1] if view.answers else None
    return Made(
        ply=len(table.moves),
        turn=view.turn,
        phase=view.phase,
        seat=entry.seat,
        move=move,
        how=entry.how,
        seconds=seconds,
        spot=there,
        question=waiting.question if waiting is not None and waiting.move is None else "",
        choices=choices,
        guessed=names_guessed(table.game, move) if choices else (),
    )


def spot(view: View) -> tuple[str, ...]:
    """The cards that a view shows on the spot, where the card lies that the turn is about."""
    return tuple(name for pile in view.piles if pile.layout == "spot" for name in pile.cards)


def names_guessed(game: AnyGame, move: Move) -> tuple[str, ...]:
    """The cards that a move names, if it is a guess: those picked from the catalogue, or the one its verb is about."""
    verb = game.verbs[move.verb]
    if verb.pick == "catalogue":
        return move.cards
    return (verb.card,) if verb.card and not move.cards else ()


def guess_choices(table: Table) -> tuple[tuple[str, ...], ...]:
    """Among which names each card of a guess is chosen now; empty where the next move is no guess.

    A move is a guess where cards lie face down on the spot for whoever moves, and each of his legal moves names as many
    cards as lie there.
    """
    there, seen = spot(table.view(OPEN)), spot(table.view(table.seat or OPEN))
    named = [names_guessed(table.game, move) for move in table.legal()]
    if seen or len(set(named)) < 2 or any(len(names) != len(there) for names in named):
        return ()
    return tuple(tuple(dict.fromkeys(names)) for names in zip(*named, strict=True))


# Counting


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


# One deal at several tables


class Fork(msgspec.Struct, frozen=True):
    """A place at which tables that had done the same until then did different things.

    Attributes
    ----------
    move : which move of the seats it was, from 1.
    ply, turn, phase, seat : the same at all these tables.
    path : what these tables chose at the forks before.
    choices : each move with the numbers of the games in which it was made, the most frequent first.
    """

    move: int
    ply: int
    turn: int
    phase: str
    seat: str
    path: tuple[Move, ...]
    choices: tuple[tuple[Move, tuple[int, ...]], ...]

    @property
    def games(self) -> tuple[int, ...]:
        """The numbers of all games that came here."""
        return tuple(sorted(number for _, numbers in self.choices for number in numbers))


def deals(games: Iterable[Game]) -> dict[int, tuple[Game, ...]]:
    """The games that had the same cards, by their round; rounds with at least two such games."""
    found: dict[int, list[Game]] = {}
    for game in games:
        if game.same_deal:
            found.setdefault(game.round, []).append(game)
    return {number: tuple(same) for number, same in sorted(found.items()) if len(same) > 1}


def forks(games: Sequence[Game]) -> tuple[Fork, ...]:
    """Where games with the same cards parted, the earliest move first and the most tables before fewer.

    The games of a branch are followed further as long as there are two of them.
    """
    moves = {game.number: game.moves for game in games}
    found: list[Fork] = []
    branches: deque[tuple[tuple[Move, ...], int, tuple[int, ...]]] = deque([((), 0, tuple(moves))])
    while branches:
        path, at, numbers = branches.popleft()
        fork = _next_fork(moves, numbers, at, path)
        if fork is not None:
            found.append(fork)
            branches += [((*path, move), fork.move, same) for move, same in fork.choices if len(same) > 1]
    return tuple(sorted(found, key=lambda fork: (fork.move, -len(fork.games))))


def _next_fork(
    moves: Mapping[int, Sequence[Made]], numbers: Sequence[int], at: int, path: tuple[Move, ...]
) -> Fork | None:
    """The first fork of these games at move `at` (from 0) or later; None where they never part."""
    while True:
        numbers = [number for number in numbers if len(moves[number]) > at]
        chosen: dict[Move, list[int]] = {}
        for number in numbers:
            chosen.setdefault(moves[number][at].move.bare, []).append(number)
        if len(chosen) != 1:
            break
        at += 1
    if not chosen:
        return None
    here = moves[numbers[0]][at]
    assert here.ply is not None
    choices = sorted(chosen.items(), key=lambda choice: -len(choice[1]))
    ordered = tuple((move, tuple(same)) for move, same in choices)
    return Fork(at + 1, here.ply, here.turn, here.phase, here.seat, path, ordered)
