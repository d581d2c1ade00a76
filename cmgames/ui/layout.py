"""How a view becomes rows, tracks, moves and log lines: the same way for every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from cmgames.engine.game import CHANCE, AnyGame
from cmgames.engine.moves import Move
from cmgames.engine.table import Event
from cmgames.engine.view import PileView, View
from cmgames.ui import phrases
from cmgames.ui.screen import Button, Card, Face, Line, Message, Phase, Row, Track


class Picks(msgspec.Struct, frozen=True):
    """What a person has picked: ids of cards in the hand, or one name for each choice of a guess."""

    hand: tuple[str, ...] = ()
    choices: dict[int, str] = {}

    def names(self) -> tuple[str, ...]:
        """The names of the cards picked from the hand."""
        return tuple(id.rpartition("#")[0] for id in self.hand)


class Offer(msgspec.Struct, frozen=True):
    """What a person may do with the cards before him.

    Attributes
    ----------
    legal : his legal moves; empty when it is not his move.
    picks : what he has picked.
    why_not : for names of cards in his hand, why they cannot be picked now.
    fresh : names of cards that have just come to his hand, with their numbers.
    """

    legal: tuple[Move, ...] = ()
    picks: Picks = Picks()
    why_not: dict[str, str] = {}
    fresh: dict[str, int] = {}


NOTHING = Offer()

NO_REMARKS: Mapping[int, str] = {}

LOG_LINES = 30
"""So many lines of the log are on the screen; the record holds all."""


def phases(game: AnyGame, view: View, over: bool) -> dict[str, Phase]:
    """The phases in their order, each done, now or next."""
    now = game.phases.index(view.phase) if view.phase in game.phases else -1
    return {
        phase: Phase("done" if place < now or over else "now" if place == now else "next")
        for place, phase in enumerate(game.phases)
    }


def tracks(game: AnyGame, view: View) -> dict[str, Track]:
    """The scores."""
    return {track.id: Track(game.tracks[track.id], track.value, track.goal) for track in view.tracks}


def face(game: AnyGame, view: View, name: str, thinking: bool) -> Face:
    """The face of a computer player who answers questions."""
    answer = view.answers[-1].move if view.answers else None
    if thinking:
        return Face(mood="thinking", name=name)
    if answer is None or answer.tell is None:
        return Face(mood="calm", name=name)
    said = game.verbs[answer.verb].button
    return Face(mood=answer.tell.face or "calm", name=name, said=said, seconds=answer.tell.seconds)


def lines(
    game: AnyGame, events: Iterable[Event], viewer: str, remarks: Mapping[int, str] = NO_REMARKS
) -> dict[str, Line]:
    """The log's last lines, by the number of the move; what chance does in a row is one line.

    Parameters
    ----------
    remarks : what stands before the words of a move, by its number.
    """
    said: dict[str, Line] = {}
    for event in merged(events):
        words = phrases.event(game, event)
        if words:
            by = "" if event.by == CHANCE else "you" if event.by == viewer else "other"
            said[str(event.ply)] = Line(remarks.get(event.ply, "") + words, by, event.turn)
    return dict(list(said.items())[-LOG_LINES:])


def merged(events: Iterable[Event]) -> Iterator[Event]:
    """The events, with several cards that chance deals in a row as one event."""
    kept: Event | None = None
    for event in events:
        if kept is not None and _same_deed(kept, event):
            cards = kept.move.cards + event.move.cards
            kept = replace(kept, move=replace(kept.move, cards=cards))
            continue
        if kept is not None:
            yield kept
        kept = event
    if kept is not None:
        yield kept


def _same_deed(one: Event, other: Event) -> bool:
    """Whether chance goes on with what it did, as openly as before."""
    same = one.by == other.by == CHANCE and one.phase == other.phase and one.move.verb == other.move.verb
    return same and bool(one.move.cards) == bool(other.move.cards)


def rows(game: AnyGame, view: View, viewer: str, offer: Offer = NOTHING) -> dict[str, Row]:
    """The rows of cards, the other seat's first and the viewer's own last.

    Parameters
    ----------
    viewer : the seat whose rows come last and can be picked from; the view may show more than that seat's.
    offer : what the viewer may do with the cards.
    """
    piles = [pile for pile in view.piles if pile.size or pile.layout == "deck"]
    piles.sort(key=lambda pile: _place(pile, viewer))
    drawn = {pile.id: _row(game, pile, viewer, at, offer) for at, pile in enumerate(piles)}
    return drawn | _choices(game, offer, len(drawn))


def _row(game: AnyGame, pile: PileView, viewer: str, at: int, offer: Offer) -> Row:
    mine = pile.owner == viewer
    title = phrases.pile_title(game, pile.id, pile.owner, viewer)
    if pile.layout == "spot":
        return Row(at, title, "spot", _spot(game, pile), pile.size, mine=mine)
    if not pile.cards:
        return Row(at, title, "deck", {}, pile.size, mine=mine)
    if pile.layout == "hand" and mine:
        return Row(at, title, "hand", _hand(game, pile, offer), pile.size, mine=mine)
    return Row(at, title, "pile", _heap(game, pile), pile.size, mine=mine)


def _place(pile: PileView, viewer: str) -> tuple[int, int]:
    side = 0 if pile.owner not in ("", viewer) else 1 if not pile.owner else 2
    order = ("hand", "deck", "pile", "spot")
    return side, order.index(pile.layout) if side < 2 else -order.index(pile.layout)


def _card(game: AnyGame, code: int, **how: object) -> Card:
    kind = game.catalogue.kinds[code]
    return Card(name=kind.name, mark=kind.mark, suit=kind.suit, **how)  # type: ignore[arg-type]


def _codes(game: AnyGame, names: Iterable[str]) -> list[int]:
    code = {name: code for code, name in enumerate(game.catalogue.names)}
    return sorted(code[name] for name in names)


def card_ids(names: Iterable[str]) -> list[str]:
    """The ids of cards in a hand: each name, and which of its copies it is."""
    counted: Counter[str] = Counter()
    ids = []
    for name in names:
        counted[name] += 1
        ids.append(f"{name}#{counted[name]}")
    return ids


def _hand(game: AnyGame, pile: PileView, offer: Offer) -> dict[str, Card]:
    """A hand, sorted by type, equal cards side by side; a card's id is its name and a number."""
    pickable = _pickable(game, offer.legal)
    cards: dict[str, Card] = {}
    codes = _codes(game, pile.cards)
    ids = card_ids(game.catalogue.names[code] for code in codes)
    for at, (code, id) in enumerate(zip(codes, ids, strict=True)):
        name, _, copy = id.rpartition("#")
        cards[id] = _card(
            game,
            code,
            at=at,
            send={"do": "pick", "card": id} if name in pickable else None,
            picked=id in offer.picks.hand,
            off=offer.why_not.get(name, ""),
            new=int(copy) > pile.cards.count(name) - offer.fresh.get(name, 0),
        )
    return cards


def _heap(game: AnyGame, pile: PileView) -> dict[str, Card]:
    """Open cards that nobody picks: equal ones as one with a count."""
    counts = Counter(_codes(game, pile.cards))
    return {
        game.catalogue.names[code]: _card(game, code, at=at, count=n) for at, (code, n) in enumerate(counts.items())
    }


def _spot(game: AnyGame, pile: PileView) -> dict[str, Card]:
    """The cards that the turn is about: open, or face down."""
    if pile.cards:
        code = {name: code for code, name in enumerate(game.catalogue.names)}
        return {str(at): _card(game, code[name], at=at, count=1) for at, name in enumerate(pile.cards)}
    return {"0": Card(at=0)} if pile.size else {}


def _choices(game: AnyGame, offer: Offer, at: int) -> dict[str, Row]:
    """A row of choices for each card of a move that is picked from the whole catalogue."""
    guesses = [move.cards for move in offer.legal if game.verbs[move.verb].pick == "catalogue"]
    if not guesses:
        return {}
    made: dict[str, Row] = {}
    for place, names in enumerate(zip(*guesses, strict=True)):
        codes = _codes(game, dict.fromkeys(names))
        cards = {}
        for column, code in enumerate(codes):
            name = game.catalogue.names[code]
            send = {"do": "choose", "place": place, "card": name}
            cards[name] = _card(game, code, at=column, send=send, picked=offer.picks.choices.get(place) == name)
        suit = game.catalogue.kinds[codes[0]].suit
        made[f"choice {place}"] = Row(at=at + place, label=suit, kind="choice", cards=cards, mine=True)
    return made


def _pickable(game: AnyGame, legal: Sequence[Move]) -> set[str]:
    return {name for move in legal if game.verbs[move.verb].pick == "hand" for name in move.cards}


def moves(
    game: AnyGame, legal: Sequence[Move], picks: Picks, version: int, refusal: dict[str, str]
) -> dict[str, Button]:
    """The buttons of the phase panel.

    Parameters
    ----------
    version : the table's version, which each move names.
    refusal : for each verb whose cards are picked, why the picked cards do not make a move.
    """
    made: dict[str, Button] = {}
    for verb in dict.fromkeys(move.verb for move in legal):
        of_verb = [move for move in legal if move.verb == verb]
        if game.verbs[verb].pick:
            made |= _picked_move(game, verb, of_verb, picks, version, refusal.get(verb, ""))
        else:
            made |= {str(move): _button(game, move, version) for move in of_verb}
    if legal and not any(button.main for button in made.values()):
        first = next((id for id, button in made.items() if not button.off), None)
        if first is not None and len(made) <= 2:
            made[first] = replace(made[first], main=True)
    return made


def _button(game: AnyGame, move: Move, version: int, main: bool = False) -> Button:
    send: Message = {"do": "move", "move": str(move), "at": version}
    return Button(phrases.button(game, move), send, main=main, art=game.verbs[move.verb].card)


def _picked_move(
    game: AnyGame, verb: str, legal: list[Move], picks: Picks, version: int, refusal: str
) -> dict[str, Button]:
    """The button of a move whose cards are picked, greyed with the reason until they are."""
    move = picked_move(game, legal, picks)
    if move is not None:
        made = {verb: _button(game, move, version, main=True)}
    else:
        made = {verb: Button(game.verbs[verb].button, {"do": "refused", "verb": verb}, off=refusal)}
    if max(len(move.cards) for move in legal) > 1 and game.verbs[verb].pick == "hand":
        made[f"find {verb}"] = Button(f"Find one ({len(legal)})", {"do": "find", "verb": verb})
    return made


def picked_move(game: AnyGame, legal: Sequence[Move], picks: Picks) -> Move | None:
    """The legal move that the picked cards make, if any."""
    for move in legal:
        pick = game.verbs[move.verb].pick
        if pick == "catalogue" and move.cards == tuple(picks.choices.get(place) for place in range(len(move.cards))):
            return move
        if pick == "hand" and picks.hand and Counter(move.cards) == Counter(picks.names()):
            return move
    return None
