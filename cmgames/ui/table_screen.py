"""How a sitting is drawn: the curtain, the table as it is, the table as it was."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cmgames.engine.game import CHANCE, Outcome
from cmgames.engine.moves import Move
from cmgames.engine.table import Event
from cmgames.engine.view import OPEN, SPECTATOR, View
from cmgames.rooms.terms import PAUSED, PERSON
from cmgames.ui import layout, odds, phrases
from cmgames.ui.desk import Here
from cmgames.ui.layout import Offer
from cmgames.ui.screen import Block, Button, Chart, Clock, Face, Line, Notice, Other, Screen, Tick
from cmgames.ui.sitting import Sitting

if TYPE_CHECKING:
    from cmgames.rooms.room import Seated

SEALED = "Others still play these cards: both hands are shown when they are done."
MOST_SAID = 6
"""So many events at most are announced with one screen."""


def curtain(sitting: Sitting) -> Screen:
    """Nothing of anybody's hand: the next person takes the screen."""
    title = phrases.seat_title(sitting.table.game, sitting.table.seat or "")
    words = f"Give the screen to {title}. Everybody else looks away."
    return Screen(
        0,
        "curtain",
        sitting.table.game.title,
        bar=_bar(sitting),
        text=(Block("p", words),),
        moves={"ready": Button(f"I am {title}", {"do": "ready"}, main=True)},
        say=words,
    )


def present(sitting: Sitting) -> Screen:
    """The table as it is, for the person before the screen."""
    game, table, over = sitting.table.game, sitting.table, sitting.outcome
    view = table.view(OPEN if (over and not sitting.desk.sealed) or sitting.open_hands else sitting.viewer, sitting.ply)
    legal = sitting.legal()
    events = table.log(view.seat)[: sitting.ply]
    news = layout.lines(game, events[sitting.say_from :], sitting.hand_seat, _remarks(sitting))
    said = [line.text for line in news.values()][-MOST_SAID:]
    sitting.say_from = sitting.ply
    file, sitting.file = sitting.file, None
    prompt, result = _prompt(sitting, legal, events), _result(sitting, over)
    offer = Offer(legal, sitting.picks, _why_not(sitting, view, legal), sitting.fresh(view))
    moves = layout.moves(game, legal, sitting.picks, table.version, sitting.refusals())
    return Screen(
        0,
        "table",
        game.title,
        bar=_bar(sitting),
        phases=layout.phases(game, view, over is not None),
        turn=view.turn,
        who=_who(sitting),
        mine=bool(legal),
        prompt=prompt,
        rows=layout.rows(game, view, sitting.hand_seat, offer),
        tracks=layout.tracks(game, view),
        face=_face(sitting, view),
        moves=_end_moves(sitting) if over else _gone_moves(sitting) or _held_moves(sitting) or moves,
        log=_log(sitting, view, events),
        result=result,
        say=" ".join(filter(None, [*said, result or prompt])),
        tick=None
        if sitting.waits is None or sitting.paused
        else Tick(sitting.waits, {"do": "tick", "ply": sitting.ply}),
        foot=_foot(sitting),
        save=file,
        notice=_meanwhile(sitting),
        others=_others(sitting),
        clock=clock(sitting),
        odds=_odds(sitting, sitting.ply) if over is None else {},
    )


def past(sitting: Sitting, ply: int) -> Screen:
    """The table before move number `ply`, both hands open."""
    game, table, last = sitting.table.game, sitting.table, len(sitting.table.moves)
    view, events = table.view(OPEN, ply), table.log(OPEN)[:ply]
    done = phrases.event(game, events[-1]) if events else "The beginning of the game."
    return Screen(
        0,
        "table",
        game.title,
        bar=_bar(sitting),
        phases=layout.phases(game, view, over=False),
        turn=view.turn,
        who=f"Looking back: move {ply} of {last}",
        prompt=done,
        rows=layout.rows(game, view, sitting.viewer),
        tracks=layout.tracks(game, view),
        moves=_steps(ply, last, sitting),
        log=layout.lines(game, events, sitting.viewer, _remarks(sitting)),
        say=done,
        foot=_foot(sitting),
        odds=_odds(sitting, ply),
    )


def _odds(sitting: Sitting, ply: int) -> dict[str, Chart]:
    """The odds before a move, as the person's seat can work them out; who has no seat sees what the guesser can."""
    if not (sitting.shows_odds and sitting.may_see_odds):
        return {}
    seat = sitting.hand_seat if sitting.hand_seat in sitting.table.game.seats else SPECTATOR
    return odds.charts(sitting.table.view(seat, ply))


def _steps(ply: int, last: int, sitting: Sitting) -> dict[str, Button]:
    """The buttons that step through a game."""

    def step(label: str, to: int, main: bool = False) -> Button:
        off = "" if 0 <= to <= last and to != ply else "This is the beginning." if to <= 0 else "This is the end."
        return Button(label, {"do": "look", "ply": to}, main=main, off=off)

    steps = {
        "first": step("To the beginning", 0),
        "back": step("Step back", ply - 1),
        "forward": step("Step forward", ply + 1, main=True),
        "last": step("To the end", last),
    }
    if sitting.is_teachers:
        steps["branch"] = Button("Play on from here", {"do": "branch"})
    if sitting.reviewed:
        steps["review"] = Button("Back to the review", {"do": "review"})
    return steps | {"return": Button("Back to the present", {"do": "return"})}


def _who(sitting: Sitting) -> str:
    """Whose move it is, in words."""
    table = sitting.table
    if sitting.outcome:
        return "The game is over"
    if sitting.desk.paused:
        return "Everybody waits"
    seat = table.mover(sitting.ply) if sitting.ply < len(table.moves) else table.seat or CHANCE
    if seat == CHANCE:
        return "The cards speak"
    if seat == sitting.viewer and not sitting.open_hands:
        return "Your move"
    return f"{phrases.capital(phrases.seat_title(table.game, seat))} moves"


def _prompt(sitting: Sitting, legal: tuple[Move, ...], events: tuple[Event, ...]) -> str:
    """One sentence that says what to do, or what is going on."""
    table, gone = sitting.table, sitting.desk.missing()
    if legal:
        return table.game.prompt(table.view(sitting.hand_seat), legal)
    if sitting.outcome:
        return SEALED if sitting.desk.sealed else "Both sides lie open now."
    if sitting.desk.paused:
        return PAUSED
    if gone is not None:
        return f"{gone.name} is away. You can wait, or go on without."
    if sitting.desk.held and not sitting.people and not sitting.onlooker:
        return "A computer player plays for you. You can take your seat back."
    if sitting.paused:
        return "Paused."
    if back := _taken_back(sitting).get(len(events)):
        return back
    said = (phrases.event(table.game, event) for event in reversed(events))
    return next(filter(None, said), "The cards are dealt.")


def _result(sitting: Sitting, over: Outcome | None) -> str:
    """Who won, and why."""
    if over is None:
        return ""
    if over.winner is None and sitting.desk.reason:
        return f"The game was ended early. {sitting.desk.reason}"
    if sitting.people == [over.winner]:
        return f"You win! {over.reason}"
    return phrases.outcome(sitting.table.game, over)


def _end_moves(sitting: Sitting) -> dict[str, Button]:
    """What can be done after the end."""
    off = SEALED if sitting.desk.sealed else ""
    look = {
        "look": Button("Step through the game", {"do": "look", "ply": 0}, off=off),
        "save": Button("Save the record", {"do": "save"}, off=off),
    }
    if sitting.has_review:
        look = {"review": Button("Review the game", {"do": "review"}, off=off)} | look
    if sitting.back is not None:
        return look | {"back": Button("Back", {"do": "back"}, main=True)}
    if not isinstance(sitting.desk, Here) and sitting.desk.class_id is not None:
        if sitting.class_closed:
            return look | {"lobby": Button("To your class", {"do": "lobby"})} | sitting.questions()
        return {"lobby": Button("On with the class", {"do": "lobby"}, main=True)} | sitting.questions() | look
    again = {"again": Button("Play again", {"do": "again"}, main=True)}
    return again | look | {"home": Button("Another game", {"do": "home"})}


def _gone_moves(sitting: Sitting) -> dict[str, Button]:
    """What can be done when somebody is waited for and is gone."""
    gone = sitting.desk.missing()
    if gone is None:
        return {}
    return {
        "stand in": Button(f"Let a computer player go on for {gone.name}", {"do": "stand_in"}),
        "break off": Button("End the game", {"do": "break_off"}),
    }


def _held_moves(sitting: Sitting) -> dict[str, Button]:
    """The way back to one's seat."""
    if not sitting.desk.held or sitting.onlooker:
        return {}
    return {"take back": Button("Take my seat back", {"do": "take_back"}, main=True)}


def _meanwhile(sitting: Sitting) -> Notice | None:
    """What somebody should know who plays the computer because he has no partner yet."""
    if isinstance(sitting.desk, Here) or not sitting.desk.terms.meanwhile or sitting.desk.over or sitting.onlooker:
        return None
    return Notice("panel", "Nobody is free yet: you play the computer until a partner comes.", "info")


def _others(sitting: Sitting) -> dict[str, Other]:
    """Who sits at this table before other screens."""
    return {who.seat: _other(sitting, who) for who in sitting.desk.elsewhere} if sitting.outcome is None else {}


def _other(sitting: Sitting, who: Seated) -> Other:
    game, away = sitting.table.game, who.away
    title = phrases.capital(phrases.seat_title(game, who.seat))
    if who.player != PERSON:
        title += ", played by the computer"
    if away is not None:
        return Other(who.name, title, "away", round(away))
    return Other(who.name, title, "thinking" if sitting.table.seat == who.seat else "here")


def clock(sitting: Sitting) -> Clock | None:
    """The time that is left for this move."""
    deadline = sitting.desk.deadline()
    if deadline is None or sitting.waits is not None or isinstance(sitting.desk, Here):
        return None
    then = phrases.button(sitting.table.game, sitting.desk.default()) if sitting.to_move else ""
    return Clock(round(max(deadline - time.time(), 0), 1), f"If it runs out: {then}" if then else "")


def _log(sitting: Sitting, view: View, events: tuple[Event, ...]) -> dict[str, Line]:
    """The log; a move that somebody has taken back leaves a line until he makes another one."""
    lines = layout.lines(sitting.table.game, events, sitting.hand_seat, _remarks(sitting))
    back = _taken_back(sitting).get(len(events))
    return lines | ({str(len(events)): Line(back, "other", view.turn)} if back else {})


def _taken_back(sitting: Sitting) -> dict[int, str]:
    """That somebody before another screen has taken back a move, by the number of that move."""
    names = {who.seat: who.name for who in sitting.desk.elsewhere}
    seats = {ply: sitting.table.mover(ply) for ply in sitting.desk.undone}
    return {ply: f"{names[seat]} took back a move." for ply, seat in seats.items() if seat in names}


def _remarks(sitting: Sitting) -> dict[int, str]:
    """What the log says before the words of a move, by its number."""
    back, filled = _taken_back(sitting), _filled_in(sitting)
    return {ply: f"{back.get(ply, '')} {filled.get(ply, '')}".lstrip() for ply in back | filled}


def _filled_in(sitting: Sitting) -> dict[int, str]:
    """That somebody's place was filled for a move, by its number."""
    names = {who.seat: who.name for who in sitting.desk.elsewhere}
    remarks = {}
    for ply, how in sitting.desk.how.items():
        seat = sitting.table.mover(ply)
        if how == "clock":
            remarks[ply] = "The time ran out: "
        elif how == "teacher":
            remarks[ply] = "The teacher moved on: "
        elif how == "computer" and (seat in names or seat in (*sitting.desk.mine, *sitting.desk.held)):
            remarks[ply] = "A computer player stands in: "
    return remarks


def _bar(sitting: Sitting) -> dict[str, Button]:
    """The buttons at the top."""
    bar = {"help": Button("Rules", {"do": "help"})}
    if sitting.people and sitting.outcome is None and sitting.looking_at is None:
        off = "" if sitting.can_undo() else "There is nothing to take back, or a card has become known since."
        bar["undo"] = Button("Undo", {"do": "undo"}, off=off)
    if sitting.outcome is None and not (sitting.people or sitting.desk.held or sitting.onlooker):
        bar["pause"] = Button("Pause", {"do": "pause"}, on=sitting.paused)
        bar["slower"] = Button("Slower", {"do": "speed", "by": -1})
        bar["faster"] = Button("Faster", {"do": "speed", "by": 1})
    if sitting.is_teachers:
        bar["open"] = Button("Open hands", {"do": "open"}, on=sitting.open_hands)
        if sitting.viewer:
            bar["look"] = Button("Look back", {"do": "look", "ply": max(len(sitting.table.moves) - 1, 0)})
    if sitting.may_see_odds and sitting.viewer and (sitting.outcome is None or sitting.looking_at is not None):
        bar["odds"] = Button("Odds", {"do": "odds"}, on=sitting.shows_odds)
    if sitting.session.teacher:
        if not sitting.is_teachers and sitting.looking_at is None and sitting.outcome is None:
            bar["look"] = Button("Look back", {"do": "look", "ply": max(len(sitting.table.moves) - 1, 0)})
        bar["save"] = Button("Save", {"do": "save"})
    if sitting.back is not None:
        bar["back"] = Button("Back", {"do": "back"})
    return bar


def _foot(sitting: Sitting) -> str:
    """The proof that the cards were fixed before the first one."""
    proof = sitting.table.proof
    seal = f"The cards were fixed before the first one was dealt. Their seal is SHA-256 {proof.commitment}"
    return (
        seal
        if not proof.seed or sitting.outcome is None or sitting.desk.sealed
        else f"{seal}, of seed {proof.seed} and salt {proof.salt}."
    )


def _face(sitting: Sitting, view: View) -> Face | None:
    """The face of the computer player who answers, for whoever sits across."""
    game, table = sitting.table.game, sitting.table
    seat = next((verb.tells for verb in game.verbs.values() if verb.tells), "")
    if not seat or seat == sitting.hand_seat or sitting.players[seat] == PERSON or sitting.outcome:
        return None
    thinking = sitting.waits is not None and table.moves[sitting.ply].tell is not None
    return layout.face(game, view, phrases.capital(phrases.seat_title(game, seat)), thinking)


def _why_not(sitting: Sitting, view: View, legal: tuple[Move, ...]) -> dict[str, str]:
    """Why the cards of the hand that cannot be picked cannot."""
    from_hand = [move for move in legal if sitting.table.game.verbs[move.verb].pick == "hand"]
    if not from_hand:
        return {}
    pickable = {name for move in from_hand for name in move.cards}
    hand = {name for pile in view.piles if pile.owner == sitting.hand_seat for name in pile.cards}
    return {name: sitting.table.why_not(Move(from_hand[0].verb, (name,))) for name in hand - pickable}
