"""Tunnel Rat: the rules, in the printed order.

A turn runs once through the eight printed phases.  The question phases are a small machine; each arrow is a
verb, and a seat's name stands where that seat moves::

    Draw Phase               vc --draw--> [shuffle] --deal--> VC Phase
    VC Phase                 rat --ask vc--> vc --answer no--> Trap Phase          rat --pass--> Trap Phase
    Trap Phase               rat --ask trap--> vc --answer no--> Advance Phase     rat --pass--> Advance Phase
    Advance Phase            rat --ask safe--> vc --answer no--> Cross Examination rat --pass--> Cross Examination
    Cross Examination Phase  rat --ask ...--> vc --answer no--> back to the rat    rat --pass--> Action Phase
    Action Phase             rat --advance | shoot | search--> Revelation Phase
    Revelation Phase         vc --reveal--> Result Phase
    Result Phase             [keep | casualty | discard] --> Draw Phase, or the end

Brackets mark what chance or the rules themselves do.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from cmgames.engine.cards import ONE, Catalogue, Kind, Pile, named, put, take
from cmgames.engine.game import CHANCE, Game, Outcome, Seat, State, Step, Verb
from cmgames.engine.moves import Move
from cmgames.engine.options import Options, demand
from cmgames.engine.view import OPEN, Answer, PileView, TrackView, View
from cmgames.engine.words import count

VC, TRAP, TUNNEL = range(3)

Count = Annotated[int, Meta(ge=0, le=60)]
Goal = Annotated[int, Meta(ge=1, le=60)]


class TunnelRatOptions(Options, frozen=True, kw_only=True):
    """Readings and numbers of Tunnel Rat.

    Attributes
    ----------
    casualty_card : where a VC or Trap card goes after a wrong guess: ``discard`` to the discard pile, ``keep`` out of
        the game.
    max_questions : how many questions the cross-examination may have; None: as many as the rat likes.
    max_turns : after so many turns the game stops with no winner.
    vc, traps, tunnels : how many cards of each kind the deck holds.
    casualties_to_win : so many casualties win for the VC.
    tunnels_to_win : so many tunnel cards win for the rat.
    """

    casualty_card: Annotated[Literal["discard", "keep"], Meta(title="A VC or Trap card after a wrong guess")] = (
        "discard"
    )
    max_questions: Annotated[
        Annotated[int, Meta(ge=0, le=1000)] | None,
        Meta(title="Questions in the cross-examination, at most (empty: no limit)"),
    ] = None
    max_turns: Annotated[Annotated[int, Meta(ge=1, le=100_000)], Meta(title="Turns, at most")] = 200
    vc: Annotated[Count, Meta(title="VC cards")] = 4
    traps: Annotated[Count, Meta(title="Trap cards")] = 4
    tunnels: Annotated[Count, Meta(title="Tunnel cards")] = 8
    casualties_to_win: Annotated[Goal, Meta(title="Casualties that win")] = 5
    tunnels_to_win: Annotated[Goal, Meta(title="Tunnels that win")] = 5

    def check(self) -> None:
        demand(
            self.tunnels >= self.tunnels_to_win,
            "tunnels_to_win",
            f"is {self.tunnels_to_win}, but the deck holds only {self.tunnels} tunnel cards (tunnels).",
        )
        dangers = self.vc + self.traps
        demand(dangers >= 1, "vc", "is 0 and so is traps: without a dangerous card the VC could never win.")
        demand(
            self.casualty_card == "discard" or dangers >= self.casualties_to_win,
            "casualties_to_win",
            f"is {self.casualties_to_win}, but with casualty_card='keep' the {dangers} dangerous "
            "cards (vc and traps) can make only as many casualties.",
        )


class TunnelRatState(State, frozen=True, gc=False):
    """A position. Each pile is sorted; `card` is the drawn card's code, `guess` the code the rat named."""

    deck: Pile
    discard: Pile = b""
    kept_tunnels: int = 0
    casualties: int = 0
    kept_dangers: Pile = b""
    card: int | None = None
    guess: int = 0
    question: Move | None = None
    answers: tuple[Answer, ...] = ()
    asked: int = 0


DRAW = Step("Draw Phase", "vc")
SHUFFLE = Step("Draw Phase", CHANCE)
DEAL = Step("Draw Phase", CHANCE)
ASK_VC, ANSWER_VC = Step("VC Phase", "rat"), Step("VC Phase", "vc")
ASK_TRAP, ANSWER_TRAP = Step("Trap Phase", "rat"), Step("Trap Phase", "vc")
ASK_SAFE, ANSWER_SAFE = Step("Advance Phase", "rat"), Step("Advance Phase", "vc")
REPEAT, ANSWER_REPEAT = Step("Cross Examination Phase", "rat"), Step("Cross Examination Phase", "vc")
ACTION = Step("Action Phase", "rat")
REVELATION = Step("Revelation Phase", "vc")
RESULT = Step("Result Phase", CHANCE)
OVER = Step("Result Phase", None)

IS_IT_VC, IS_IT_TRAP, IS_IT_SAFE = Move("ask vc"), Move("ask trap"), Move("ask safe")
QUESTIONS = (IS_IT_VC, IS_IT_TRAP, IS_IT_SAFE)
NO, PASS, DRAW_CARD, REVEAL = Move("answer no"), Move("pass"), Move("draw"), Move("reveal")
ACTIONS = {Move("advance"): TUNNEL, Move("shoot"): VC, Move("search"): TRAP}

AFTER = {
    (ASK_VC, "ask vc"): ANSWER_VC,
    (ASK_VC, "pass"): ASK_TRAP,
    (ANSWER_VC, "answer no"): ASK_TRAP,
    (ASK_TRAP, "ask trap"): ANSWER_TRAP,
    (ASK_TRAP, "pass"): ASK_SAFE,
    (ANSWER_TRAP, "answer no"): ASK_SAFE,
    (ASK_SAFE, "ask safe"): ANSWER_SAFE,
    (ASK_SAFE, "pass"): REPEAT,
    (ANSWER_SAFE, "answer no"): REPEAT,
    (REPEAT, "ask vc"): ANSWER_REPEAT,
    (REPEAT, "ask trap"): ANSWER_REPEAT,
    (REPEAT, "ask safe"): ANSWER_REPEAT,
    (REPEAT, "pass"): ACTION,
    (ANSWER_REPEAT, "answer no"): REPEAT,
}
"""The question machine: the step after a verb."""

LEGAL: dict[Step, tuple[Move, ...]] = {
    DRAW: (DRAW_CARD,),
    ASK_VC: (IS_IT_VC, PASS),
    ASK_TRAP: (IS_IT_TRAP, PASS),
    ASK_SAFE: (IS_IT_SAFE, PASS),
    REPEAT: (*QUESTIONS, PASS),
    **dict.fromkeys((ANSWER_VC, ANSWER_TRAP, ANSWER_SAFE, ANSWER_REPEAT), (NO,)),
    ACTION: tuple(ACTIONS),
    REVELATION: (REVEAL,),
    **dict.fromkeys((SHUFFLE, DEAL, RESULT, OVER), ()),
}

PROMPTS = {
    "Draw Phase": "Draw a card and look at it; do not show it to the rat.",
    "VC Phase": "You may ask the VC: “Is it a VC?”",
    "Trap Phase": "You may ask the VC: “Is it a Trap?”",
    "Advance Phase": "You may ask the VC: “Is it safe?”",
    "Cross Examination Phase": "Repeat any question as much as you like, then go on to your guess.",
    "Action Phase": "Guess the card: Advance for a tunnel, Shoot for a VC, Search for a trap.",
    "Revelation Phase": "Show the rat the card.",
}


class TunnelRat(Game[TunnelRatState, TunnelRatOptions]):
    """Tunnel Rat under given options."""

    name = "tunnel-rat"
    title = "Tunnel Rat"
    line = "One looks at a card and always says no. The other has to guess it."
    printed = Path(__file__).with_name("printed").joinpath("tunnel_rat.txt").read_text(encoding="utf-8")
    phases = (
        "Draw Phase",
        "VC Phase",
        "Trap Phase",
        "Advance Phase",
        "Cross Examination Phase",
        "Action Phase",
        "Revelation Phase",
        "Result Phase",
    )
    seats = {
        "rat": Seat("the rat", "Ask, look them in the eyes, and guess the card."),
        "vc": Seat("the VC", "Look at the card, and say no to every question."),
    }
    piles = {
        "card": "The card",
        "deck": "Deck",
        "discard": "Discard pile",
        "tunnels": "The rat's tunnels",
        "dangers": "Kept by the VC",
    }
    tracks = {"tunnels": "Tunnels", "casualties": "Casualties"}
    verbs = {
        "draw": Verb("Draw a card", "{Who} draws a card."),
        "shuffle": Verb("Shuffle", "The deck has run out: the discard pile is shuffled."),
        "deal": Verb("Deal", "The card is: {cards}.", hidden="Only the VC looks at the card."),
        "ask vc": Verb("Is it a VC?", "{Who}: “Is it a VC?”", card="VC", pause=0.6),
        "ask trap": Verb("Is it a Trap?", "{Who}: “Is it a Trap?”", card="Trap", pause=0.6),
        "ask safe": Verb("Is it safe?", "{Who}: “Is it safe?”", card="Tunnel", pause=0.6),
        "answer no": Verb("No.", "{Who}: “No.”", tells="vc"),
        "pass": Verb("No question: go on", "{Who} asks no more."),
        "advance": Verb("Advance (tunnel)", "{Who}: “Advance!”", card="Tunnel", pause=0.8),
        "shoot": Verb("Shoot (VC)", "{Who}: “Shoot!”", card="VC", pause=0.8),
        "search": Verb("Search (trap)", "{Who}: “Search!”", card="Trap", pause=0.8),
        "reveal": Verb("Show the card", "{Who} shows the card.", pause=0.8),
        "keep": Verb("Keep", "It was a {cards}, guessed right: the rat keeps it.", pause=1.8),
        "casualty": Verb("Casualty", "It was a {cards}, guessed wrong: the rat suffers a casualty.", pause=1.8),
        "discard": Verb("Discard", "It was a {cards}: it is discarded.", pause=1.8),
    }
    manners = (
        "vc",
        (
            "I keep my hands where the rat can see them.",
            "I wear no sunglasses.",
            "I look the rat in the eyes.",
            "I answer all questions of the rat aloud.",
        ),
    )
    Options = TunnelRatOptions
    catalogue = Catalogue((Kind("VC", "VC", "VC", 4), Kind("Trap", "Trap", "TR", 4), Kind("Tunnel", "Tunnel", "TU", 8)))

    def __init__(self, options: TunnelRatOptions) -> None:
        super().__init__(options)
        copies = (options.vc, options.traps, options.tunnels)
        kinds = zip(TunnelRat.catalogue.kinds, copies, strict=True)
        self.catalogue = Catalogue(tuple(replace(kind, copies=n) for kind, n in kinds))
        self.names = self.catalogue.names
        self.code = {name: code for code, name in enumerate(self.names)}
        self.deals = tuple(Move("deal", (name,)) for name in self.names)
        self.acts = {
            "draw": self._draw,
            "shuffle": self._shuffle,
            "deal": self._deal,
            "answer no": self._answer,
            "pass": self._go_on,
            **{move.verb: self._ask for move in QUESTIONS},
            **{move.verb: self._act for move in ACTIONS},
            "reveal": self._reveal,
            "keep": self._keep,
            "casualty": self._casualty,
            "discard": self._discard,
        }

    def start(self) -> TunnelRatState:
        return TunnelRatState(step=DRAW, turn=1, deck=self.catalogue.pile())

    def legal(self, state: TunnelRatState) -> tuple[Move, ...]:
        if state.step is REPEAT and state.asked == self.options.max_questions:
            return (PASS,)
        return LEGAL[state.step]

    def actions(self) -> tuple[Move, ...]:
        return (DRAW_CARD, *QUESTIONS, NO, PASS, *ACTIONS, REVEAL)

    def why_not(self, state: TunnelRatState, move: Move) -> str:
        step = state.step
        if step is REPEAT and move in QUESTIONS:
            return f"The cross-examination may have {count(state.asked, 'question')}, and it has had them."
        if step.phase.startswith(("VC", "Trap", "Advance", "Cross")) and step.seat == "vc":
            return "The VC must answer every question, and the answer is always “no”."
        if move in ACTIONS:
            return f"This is the {step.phase}: the guess comes in the Action Phase, after the questions."
        return super().why_not(state, move)

    def play(self, state: TunnelRatState, move: Move) -> TunnelRatState:
        return self.acts[move.verb](state, move)

    # Draw Phase

    def _draw(self, state: TunnelRatState, move: Move) -> TunnelRatState:
        return replace(state, step=DEAL if state.deck else SHUFFLE)

    def _shuffle(self, state: TunnelRatState, move: Move) -> TunnelRatState:
        return replace(state, step=DEAL, deck=bytes(sorted(state.discard)), discard=b"")

    def _deal(self, state: TunnelRatState, move: Move) -> TunnelRatState:
        code = self.code[move.cards[0]]
        return replace(state, step=ASK_VC, deck=take(state.deck, code), card=code)

    # VC, Trap, Advance and Cross Examination Phase

    def _ask(self, state: TunnelRatState, move: Move) -> TunnelRatState:
        step = AFTER[state.step, move.verb]
        return replace(state, step=step, question=move, asked=state.asked + (state.step is REPEAT))

    def _answer(self, state: TunnelRatState, move: Move) -> TunnelRatState:
        assert state.question is not None
        answer = Answer(state.question.verb, move)
        return replace(state, step=AFTER[state.step, move.verb], question=None, answers=(*state.answers, answer))

    def _go_on(self, state: TunnelRatState, move: Move) -> TunnelRatState:
        return replace(state, step=AFTER[state.step, move.verb])

    # Action Phase

    def _act(self, state: TunnelRatState, move: Move) -> TunnelRatState:
        return replace(state, step=REVELATION, guess=ACTIONS[move])

    # Revelation Phase

    def _reveal(self, state: TunnelRatState, move: Move) -> TunnelRatState:
        return replace(state, step=RESULT)

    # Result Phase

    def _result(self, state: TunnelRatState) -> str:
        """What the rules say must happen with the card that lies open."""
        if state.card == TUNNEL:
            return "keep" if state.guess == TUNNEL else "discard"
        return "discard" if state.guess == state.card else "casualty"

    def _keep(self, state: TunnelRatState, move: Move) -> TunnelRatState:
        return self._next_turn(replace(state, kept_tunnels=state.kept_tunnels + 1))

    def _casualty(self, state: TunnelRatState, move: Move) -> TunnelRatState:
        hurt = replace(state, casualties=state.casualties + 1)
        if self.options.casualty_card == "discard":
            return self._discard(hurt, move)
        return self._next_turn(replace(hurt, kept_dangers=put(state.kept_dangers, self.code[move.cards[0]])))

    def _discard(self, state: TunnelRatState, move: Move) -> TunnelRatState:
        return self._next_turn(replace(state, discard=state.discard + ONE[self.code[move.cards[0]]]))

    def _next_turn(self, state: TunnelRatState) -> TunnelRatState:
        if self._ending(state):
            return replace(state, step=OVER, card=None, answers=(), asked=0)
        return replace(state, step=DRAW, turn=state.turn + 1, card=None, answers=(), asked=0)

    # Chance

    def pool(self, state: TunnelRatState) -> Pile:
        if state.step is RESULT:
            assert state.card is not None
            return ONE[state.card]
        return state.deck if state.step is DEAL else ONE[0]

    def dealt(self, state: TunnelRatState, code: int) -> Move:
        if state.step is DEAL:
            return self.deals[code]
        return Move(self._result(state), (self.names[code],)) if state.step is RESULT else Move("shuffle")

    def seen(self, state: TunnelRatState, move: Move, seat: str) -> Move:
        return Move("deal") if move.verb == "deal" and seat != "vc" else move

    # Object

    def outcome(self, state: TunnelRatState) -> Outcome | None:
        return self._ending(state) if state.step is OVER else None

    def _ending(self, state: TunnelRatState) -> Outcome | None:
        """How the game ends with the turn that this state ends, if it does."""
        if state.kept_tunnels >= self.options.tunnels_to_win:
            return Outcome("rat", f"The rat has accumulated {count(state.kept_tunnels, 'tunnel card')}.")
        if state.casualties >= self.options.casualties_to_win:
            return Outcome("vc", f"The VC has inflicted {count(state.casualties, 'casualty', 'casualties')}.")
        if state.turn >= self.options.max_turns:
            return Outcome(None, f"The game has stopped after {count(state.turn, 'turn')}.")
        return None

    # What can be seen

    def view(self, state: TunnelRatState, seat: str) -> View:
        shown = state.step is RESULT or seat in ("vc", OPEN)
        card = () if state.card is None else (state.card,)
        piles = (
            PileView("card", "", "spot", len(card), tuple(self.names[code] for code in card) if shown else ()),
            PileView("deck", "", "deck", len(state.deck)),
            PileView("discard", "", "pile", len(state.discard), named(state.discard, self.names)),
            PileView("tunnels", "rat", "pile", state.kept_tunnels, (self.names[TUNNEL],) * state.kept_tunnels),
            PileView("dangers", "vc", "pile", len(state.kept_dangers), named(state.kept_dangers, self.names)),
        )
        tracks = (
            TrackView("tunnels", "rat", state.kept_tunnels, self.options.tunnels_to_win),
            TrackView("casualties", "vc", state.casualties, self.options.casualties_to_win),
        )
        to_move = None if state.step.seat == CHANCE else state.step.seat
        waiting = () if state.question is None else (Answer(state.question.verb, None),)
        answers = (*state.answers, *waiting)
        return View(self.name, self.options, seat, state.turn, state.step.phase, to_move, piles, tracks, answers)

    def prompt(self, view: View, legal: tuple[Move, ...]) -> str:
        if legal == (NO,):
            return f"The rat asks: “{self.verbs[view.answers[-1].question].button}” You must always answer no."
        return PROMPTS[view.phase]

    @classmethod
    def readings(cls, options: TunnelRatOptions) -> tuple[str, ...]:
        questions = options.max_questions
        return (
            "After a wrong guess, a VC or Trap card goes to the discard pile."
            if options.casualty_card == "discard"
            else "After a wrong guess, the VC keeps the VC or Trap card: it is out of the game.",
            "The discard pile is shuffled when a card must be drawn and the deck is empty.",
            "The rat may skip each question; the VC must answer each one that is asked, and only with “No”.",
            "The cross-examination may last as long as the rat likes."
            if questions is None
            else f"The cross-examination may have at most {count(questions, 'question')}.",
            f"After {count(options.max_turns, 'turn')} the game stops with no winner.",
            f"The deck holds {options.vc} VC, {options.traps} Trap and {options.tunnels} Tunnel cards.",
            f"{options.casualties_to_win} casualties win for the VC, {options.tunnels_to_win} tunnels for the rat.",
        )


def rat_knows(view: View) -> dict[str, int]:
    """How many cards of each kind may lie face down: in the deck, and the one that was drawn.

    Parameters
    ----------
    view : any view of a Tunnel Rat table; only open cards are read.
    """
    options: Any = view.options
    unseen = {"VC": options.vc, "Trap": options.traps, "Tunnel": options.tunnels}
    for id in ("discard", "tunnels", "dangers"):
        for name in view.pile(id).cards:
            unseen[name] -= 1
    return unseen
