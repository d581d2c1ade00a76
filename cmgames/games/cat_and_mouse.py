"""Cat & Mouse: the rules, in the printed order.

A turn runs through the four printed phases.  Each arrow is a verb, and a seat's name stands where that seat moves;
brackets mark what chance or the rules themselves do::

    (setup)                [deal ...] 12 cards to the Terrorist, 9 to US Security
    Terrorist Draw Phase   terrorist --draw--> [deal] --discard ... down to 12--> US Draw Phase
                           terrorist --decline--> the same, without the card
    US Draw Phase          us --draw--> [deal] --discard ... down to 9--> US Security Phase
    US Security Phase      us --combo--> terrorist --lose a Secrecy card | lose random [take]--> Terrorist Attack Phase
                           us --pass--> Terrorist Attack Phase
    Terrorist Attack Phase terrorist --meld, face down--> us --guess--> [show] --> the end
                           terrorist --secrecy--> [deal, deal] --> next turn
                           terrorist --pass--> next turn
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import combinations, product
from pathlib import Path

from msgspec.structs import replace

from cmgames.engine.cards import ONE, Pile, named, put, take
from cmgames.engine.game import CHANCE, Game, Outcome, Seat, State, Step, Verb
from cmgames.engine.moves import Move
from cmgames.engine.view import OPEN, PileView, View
from cmgames.engine.words import count
from cmgames.games.cat_and_mouse_deck import CatAndMouseOptions, catalogue


class CatAndMouseState(State, frozen=True, gc=False):
    """A position. Decks and hands are sorted, discard piles in the order in which they grew.

    `meld` holds the codes of the face-down meld; `moved` says whether a card has changed place in this turn;
    `owed` counts cards that a Secrecy card still draws.
    """

    terrorist_deck: Pile
    us_deck: Pile
    terrorist_hand: Pile = b""
    us_hand: Pile = b""
    terrorist_discard: Pile = b""
    us_discard: Pile = b""
    meld: tuple[int, ...] = ()
    guess: tuple[int, ...] = ()
    moved: bool = False
    owed: int = 0


SETUP_TERRORIST, SETUP_US = Step("Terrorist Setup", CHANCE), Step("US Setup", CHANCE)
T_DRAW, T_DEAL = Step("Terrorist Draw Phase", "terrorist"), Step("Terrorist Draw Phase", CHANCE)
T_DISCARD = Step("Terrorist Draw Phase", "terrorist")
US_DRAW, US_DEAL = Step("US Draw Phase", "us"), Step("US Draw Phase", CHANCE)
US_DISCARD = Step("US Draw Phase", "us")
SECURITY = Step("US Security Phase", "us")
LOSE, TAKE = Step("US Security Phase", "terrorist"), Step("US Security Phase", CHANCE)
ATTACK = Step("Terrorist Attack Phase", "terrorist")
OWED = Step("Terrorist Attack Phase", CHANCE)
LIMIT = Step("Terrorist Attack Phase", "terrorist")
GUESS, SHOW = Step("Terrorist Attack Phase", "us"), Step("Terrorist Attack Phase", CHANCE)
OVER = {phase: Step(phase, None) for phase in ("Terrorist Draw Phase", "Terrorist Attack Phase")}

DRAW, DECLINE, PASS, LOSE_RANDOM = Move("draw"), Move("decline"), Move("pass"), Move("lose random")

PROMPTS: dict[tuple[str, str | None], str] = {
    ("Terrorist Draw Phase", "terrorist"): "You may draw a card.",
    ("US Draw Phase", "us"): "Draw a card.",
    ("US Security Phase", "us"): "You may play one combo. Choose its cards.",
    ("US Security Phase", "terrorist"): "A combo was played: give up a Secrecy card, or lose a card at random.",
    ("Terrorist Attack Phase", "terrorist"): "Attack with a meld, or turn in a Secrecy card for 2 cards, or go on.",
    ("Terrorist Attack Phase", "us"): "The Terrorist attacks! Guess the Attack, the Group and the Target.",
}


class CatAndMouse(Game[CatAndMouseState, CatAndMouseOptions]):
    """Cat & Mouse under given options."""

    name = "cat-and-mouse"
    title = "Cat & Mouse"
    line = "One gathers a secret plan card by card. The other has to guess it in time."
    printed = Path(__file__).with_name("printed").joinpath("cat_and_mouse.txt").read_text(encoding="utf-8")
    phases = ("Terrorist Draw Phase", "US Draw Phase", "US Security Phase", "Terrorist Attack Phase")
    seats = {
        "terrorist": Seat("the Terrorist", "Gather three sets of three, in secret, before your deck runs out."),
        "us": Seat("US Security", "Play combos to break the plan; guess it when it comes."),
    }
    piles = {
        "terrorist hand": "The Terrorist's hand",
        "terrorist deck": "The Terrorist's deck",
        "terrorist discard": "The Terrorist's discard pile",
        "meld": "The meld",
        "us hand": "US Security's hand",
        "us deck": "US Security's deck",
        "us discard": "US Security's discard pile",
    }
    verbs = {
        "draw": Verb("Draw a card", "{Who} draws a card."),
        "decline": Verb("Do not draw", "{Who} does not draw."),
        "deal": Verb("Deal", "Dealt: {cards}."),
        "discard": Verb("Discard", "{Who} discards {cards}.", hidden="{Who} discards a card face down.", pick="hand"),
        "combo": Verb("Play the combo", "{Who} plays a combo: {cards}.", pick="hand", pause=0.8),
        "pass": Verb("Go on", "{Who} goes on."),
        "lose": Verb("Give up", "{Who} gives up {cards}.", hidden="{Who} gives up a Secrecy card.", pick="hand"),
        "lose random": Verb("Lose a random card", "{Who} gives up a card taken at random."),
        "take": Verb("Take", "The card taken is: {cards}.", hidden="A card is taken, face down."),
        "meld": Verb(
            "Attack with", "{Who} plays a meld: {cards}.", hidden="{Who} attacks: a meld, face down.", pause=0.8
        ),
        "secrecy": Verb(
            "Turn in for 2 cards",
            "{Who} turns in {cards} to draw 2 cards.",
            hidden="{Who} turns in a Secrecy card to draw 2 cards.",
            pick="hand",
        ),
        "guess": Verb("Guess", "{Who} guesses: {cards}.", pick="catalogue", pause=0.8),
        "show": Verb("Show", "The meld is shown: {cards}.", pause=1.5),
    }
    Options = CatAndMouseOptions

    def __init__(self, options: CatAndMouseOptions) -> None:
        super().__init__(options)
        self.catalogue = catalogue(options)
        self.names = self.catalogue.names
        self.code = {name: code for code, name in enumerate(self.names)}
        plans = options.kinds * 3
        self.first_secrecy, self.first_us = plans, plans + options.secrecy
        kinds = range(options.kinds)
        self.categories = tuple(tuple(category * options.kinds + kind for kind in kinds) for category in range(3))
        self.discards = self._moves("discard")
        self.loses = self._moves("lose")
        self.secrecies = self._moves("secrecy")
        self.deals = self._moves("deal")
        self.takes = self._moves("take")
        plans_named = [tuple(self.names[code] for code in plan) for plan in product(*self.categories)]
        self.guesses = tuple(Move("guess", plan) for plan in plans_named)
        self.combo = lru_cache(maxsize=None)(self._make_combo)
        self.mixed_combos: dict[frozenset[int], tuple[Move, ...]] = {}
        self.acts = {
            "draw": self._draw,
            "decline": self._decline,
            "deal": self._deal,
            "discard": self._discard,
            "combo": self._combo,
            "pass": self._pass,
            "lose": self._lose,
            "lose random": self._lose_random,
            "take": self._lose,
            "meld": self._meld,
            "secrecy": self._secrecy,
            "guess": self._guess,
            "show": self._show,
        }
        self.legal_at: dict[Step, Callable[[CatAndMouseState], tuple[Move, ...]]] = {
            T_DRAW: lambda state: (DRAW, DECLINE),
            T_DISCARD: self._terrorist_discards,
            US_DRAW: lambda state: (DRAW,) if state.us_deck else (PASS,),
            US_DISCARD: self._us_discards,
            SECURITY: self._combos_and_pass,
            LOSE: self._losses,
            ATTACK: self._attacks,
            LIMIT: self._terrorist_discards,
            GUESS: lambda state: self.guesses,
        }

    def _moves(self, verb: str) -> tuple[Move, ...]:
        """The move that does it to one card, by code."""
        return tuple(Move(verb, (name,)) for name in self.names)

    def start(self) -> CatAndMouseState:
        decks = self.catalogue.pile(range(self.first_us)), self.catalogue.pile(range(self.first_us, len(self.names)))
        return CatAndMouseState(step=SETUP_TERRORIST, turn=1, terrorist_deck=decks[0], us_deck=decks[1])

    # What is legal

    def legal(self, state: CatAndMouseState) -> tuple[Move, ...]:
        moves = self.legal_at.get(state.step)
        return () if moves is None else moves(state)

    def actions(self) -> tuple[Move, ...]:
        secrecy, us = slice(self.first_secrecy, self.first_us), range(self.first_us, len(self.names))
        same = [self.combo((code,) * self.options.same_name) for code in us]
        combos = dict.fromkeys((*same, *self._find_combos(frozenset(us))))
        melds = [Move("meld", guess.cards) for guess in self.guesses]
        gives_up = (*self.loses[secrecy], LOSE_RANDOM, *self.secrecies[secrecy])
        return (DRAW, DECLINE, PASS, *self.discards, *combos, *gives_up, *melds, *self.guesses)

    def _terrorist_discards(self, state: CatAndMouseState) -> tuple[Move, ...]:
        discards = self.discards
        return tuple([discards[code] for code in dict.fromkeys(state.terrorist_hand)])

    def _us_discards(self, state: CatAndMouseState) -> tuple[Move, ...]:
        discards = self.discards
        return tuple([discards[code] for code in dict.fromkeys(state.us_hand)])

    def _combos_and_pass(self, state: CatAndMouseState) -> tuple[Move, ...]:
        """Combos of different cards depend only on which cards there are: a key that often recurs."""
        hand, same_name = state.us_hand, self.options.same_name
        distinct = frozenset(hand)
        mixed = self.mixed_combos.get(distinct)
        if mixed is None:
            mixed = self.mixed_combos[distinct] = (*self._find_combos(distinct), PASS)
        if len(hand) - len(distinct) < same_name - 1:
            return mixed
        same = [code for code, later in zip(hand, hand[same_name - 1 :], strict=False) if code == later]
        moves = (*[self.combo((code,) * same_name) for code in dict.fromkeys(same)], *mixed)
        return moves if same_name > 1 else tuple(dict.fromkeys(moves))

    def _find_combos(self, distinct: frozenset[int]) -> Iterable[Move]:
        """Combos of one suite, then of different suites."""
        options = self.options
        by_suite: list[list[int]] = [[] for _ in range(options.suites)]
        for code in sorted(distinct):
            by_suite[(code - self.first_us) // options.names].append(code)
        found: list[tuple[int, ...]] = []
        for suite in by_suite:
            found += combinations(suite, options.one_suite)
        for suites in combinations(by_suite, options.all_suites):
            found += product(*suites)
        return [self.combo(combo) for combo in dict.fromkeys(found)]

    def _make_combo(self, codes: tuple[int, ...]) -> Move:
        return Move("combo", tuple([self.names[code] for code in codes]))

    def _losses(self, state: CatAndMouseState) -> tuple[Move, ...]:
        return (*[self.loses[code] for code in self._secrecy_cards(state)], LOSE_RANDOM)

    def _attacks(self, state: CatAndMouseState) -> tuple[Move, ...]:
        secrecies = self.secrecies
        return (*self._melds(state), *[secrecies[code] for code in self._secrecy_cards(state)], PASS)

    def _melds(self, state: CatAndMouseState) -> list[Move]:
        hand, size = state.terrorist_hand, self.options.set_size
        if len(hand) - len(set(hand)) < 3 * (size - 1):
            return []
        count = hand.count
        sets: list[list[int]] = []
        for category in self.categories:
            full = [code for code in category if count(code) >= size]
            if not full:
                return []
            sets.append(full)
        return [Move("meld", tuple(self.names[code] for code in meld)) for meld in product(*sets)]

    def _secrecy_cards(self, state: CatAndMouseState) -> Pile:
        """The Secrecy cards in the Terrorist's hand: the end of a sorted hand, one of each name."""
        hand, first = state.terrorist_hand, self.first_secrecy
        return hand[bisect_left(hand, first) :]

    def why_not(self, state: CatAndMouseState, move: Move) -> str:
        step = state.step
        hand = state.us_hand if step.seat == "us" else state.terrorist_hand
        limit = self.options.us_hand if step.seat == "us" else self.options.terrorist_hand
        missing = [name for name in dict.fromkeys(move.cards) if hand.count(self.code[name]) < move.cards.count(name)]
        if step in (T_DISCARD, US_DISCARD, LIMIT) and move.verb != "discard":
            return f"You hold {count(len(hand), 'card')} and may hold {limit}: discard {len(hand) - limit} first."
        if move.verb in ("discard", "combo", "lose", "secrecy") and missing:
            return f"There is no {' and no '.join(missing)} in the hand to {move.verb}."
        if step is SECURITY and move.verb == "combo":
            return f"These cards make no combo. {self._combo_rule()}"
        if step is ATTACK and move.verb == "meld":
            size = self.options.set_size
            return f"A meld takes {size} cards of one Attack, {size} of one Group and {size} of one Target."
        if step is GUESS and move.verb == "guess":
            return "A guess names one Attack, one Group and one Target, in this order."
        if step is US_DRAW and not state.us_deck:
            return "The US deck is empty: there is nothing left to draw."
        if step in (LOSE, ATTACK) and move.verb in ("lose", "secrecy"):
            return f"{move.cards[0] if move.cards else 'That'} is no Secrecy card."
        return super().why_not(state, move)

    def _combo_rule(self) -> str:
        options = self.options
        return (
            f"A combo is {count(options.same_name, 'card')} of one name, "
            f"{count(options.one_suite, 'different card')} of one suite, "
            f"or {count(options.all_suites, 'card')} of different suites."
        )

    # What happens

    def play(self, state: CatAndMouseState, move: Move) -> CatAndMouseState:
        return self.acts[move.verb](state, move)

    def _deal(self, state: CatAndMouseState, move: Move) -> CatAndMouseState:
        code = self.code[move.cards[0]]
        if state.step in (SETUP_US, US_DEAL):
            deck, hand = take(state.us_deck, code), put(state.us_hand, code)
            return replace(state, step=self._us_step(state, hand), us_deck=deck, us_hand=hand, moved=True)
        deck, hand = take(state.terrorist_deck, code), put(state.terrorist_hand, code)
        drawn = replace(state, terrorist_deck=deck, terrorist_hand=hand, moved=True)
        return self._terrorist_drew(drawn)

    def _us_step(self, state: CatAndMouseState, hand: Pile) -> Step:
        """What follows a card that has come to US Security."""
        if state.step is SETUP_US:
            return T_DRAW if len(hand) == self.options.us_hand else SETUP_US
        return US_DISCARD if len(hand) > self.options.us_hand else SECURITY

    def _terrorist_drew(self, state: CatAndMouseState) -> CatAndMouseState:
        """Go on after a card has come to the Terrorist."""
        over_limit = len(state.terrorist_hand) > self.options.terrorist_hand
        if state.step is SETUP_TERRORIST:
            return replace(state, step=SETUP_US) if len(state.terrorist_hand) == self.options.terrorist_hand else state
        if not state.terrorist_deck and self.options.empty_deck_ends == "at once":
            return replace(state, step=OVER[state.step.phase], owed=0)
        if state.step is T_DEAL:
            return replace(state, step=T_DISCARD if over_limit else US_DRAW)
        if state.owed > 1 and state.terrorist_deck:
            return replace(state, owed=state.owed - 1)
        if over_limit and self.options.hand_limit_applies == "always":
            return replace(state, step=LIMIT, owed=0)
        return self._next_turn(replace(state, owed=0))

    # Terrorist Draw Phase, US Draw Phase

    def _draw(self, state: CatAndMouseState, move: Move) -> CatAndMouseState:
        return replace(state, step=T_DEAL if state.step is T_DRAW else US_DEAL)

    def _decline(self, state: CatAndMouseState, move: Move) -> CatAndMouseState:
        over_limit = len(state.terrorist_hand) > self.options.terrorist_hand
        return replace(state, step=T_DISCARD if over_limit else US_DRAW)

    def _discard(self, state: CatAndMouseState, move: Move) -> CatAndMouseState:
        code = self.code[move.cards[0]]
        if state.step is US_DISCARD:
            hand = take(state.us_hand, code, 1)
            step = US_DISCARD if len(hand) > self.options.us_hand else SECURITY
            return replace(state, step=step, us_hand=hand, us_discard=state.us_discard + ONE[code])
        rest = self._drop(state, code)
        if len(rest.terrorist_hand) > self.options.terrorist_hand:
            return rest
        return replace(rest, step=US_DRAW) if state.step is T_DISCARD else self._next_turn(rest)

    def _drop(self, state: CatAndMouseState, code: int) -> CatAndMouseState:
        """Move a card from the Terrorist's hand to his discard pile."""
        return replace(
            state,
            terrorist_hand=take(state.terrorist_hand, code, 1),
            terrorist_discard=state.terrorist_discard + ONE[code],
            moved=True,
        )

    # US Security Phase

    def _combo(self, state: CatAndMouseState, move: Move) -> CatAndMouseState:
        hand, played = state.us_hand, bytes([self.code[name] for name in move.cards])
        for code in played:
            hand = take(hand, code, 1)
        step = LOSE if state.terrorist_hand else ATTACK
        return replace(state, step=step, us_hand=hand, us_discard=state.us_discard + played, moved=True)

    def _lose(self, state: CatAndMouseState, move: Move) -> CatAndMouseState:
        return replace(self._drop(state, self.code[move.cards[0]]), step=ATTACK)

    def _lose_random(self, state: CatAndMouseState, move: Move) -> CatAndMouseState:
        return replace(state, step=TAKE)

    def _pass(self, state: CatAndMouseState, move: Move) -> CatAndMouseState:
        if state.step is US_DRAW:
            return replace(state, step=SECURITY)
        return replace(state, step=ATTACK) if state.step is SECURITY else self._next_turn(state)

    # Terrorist Attack Phase

    def _meld(self, state: CatAndMouseState, move: Move) -> CatAndMouseState:
        meld, hand = tuple(self.code[name] for name in move.cards), state.terrorist_hand
        for code in meld:
            hand = take(hand, code, self.options.set_size)
        return replace(state, step=GUESS, terrorist_hand=hand, meld=meld)

    def _guess(self, state: CatAndMouseState, move: Move) -> CatAndMouseState:
        return replace(state, step=SHOW, guess=tuple(self.code[name] for name in move.cards))

    def _show(self, state: CatAndMouseState, move: Move) -> CatAndMouseState:
        return replace(state, step=OVER["Terrorist Attack Phase"])

    def _secrecy(self, state: CatAndMouseState, move: Move) -> CatAndMouseState:
        rest = self._drop(state, self.code[move.cards[0]])
        return replace(rest, step=OWED, owed=2) if rest.terrorist_deck else self._next_turn(rest)

    def _next_turn(self, state: CatAndMouseState) -> CatAndMouseState:
        if not (state.terrorist_deck and state.moved):
            return replace(state, step=OVER["Terrorist Attack Phase"])
        return replace(state, step=T_DRAW, turn=state.turn + 1, moved=False)

    # Chance

    def pool(self, state: CatAndMouseState) -> Pile:
        step = state.step
        if step is TAKE:
            return state.terrorist_hand
        if step is SHOW:
            return ONE[0]
        return state.us_deck if step in (SETUP_US, US_DEAL) else state.terrorist_deck

    def dealt(self, state: CatAndMouseState, code: int) -> Move:
        if state.step is TAKE:
            return self.takes[code]
        if state.step is SHOW:
            return Move("show", tuple(self.names[card] for card in state.meld))
        return self.deals[code]

    def seen(self, state: CatAndMouseState, move: Move, seat: str) -> Move:
        return Move(move.verb) if self._hidden(state, move, seat) else move

    def _hidden(self, state: CatAndMouseState, move: Move, seat: str) -> bool:
        """Whether a move's cards are hidden from a seat."""
        if move.verb == "deal":
            return seat != ("us" if state.step in (SETUP_US, US_DEAL) else "terrorist")
        if move.verb == "meld":
            return seat != "terrorist"
        if self.options.open_discards or move.verb not in ("discard", "lose", "take", "secrecy"):
            return False
        return seat != ("us" if state.step is US_DISCARD else "terrorist")

    # Objectives

    def outcome(self, state: CatAndMouseState) -> Outcome | None:
        if state.step.seat is not None:
            return None
        if state.meld:
            if state.guess == state.meld:
                return Outcome("us", "US Security guessed the meld before it was shown.")
            return Outcome("terrorist", "The Terrorist played a meld, and the guess was wrong.")
        if not state.terrorist_deck:
            return Outcome("us", "The Terrorist has no more cards in his deck and never attacked.")
        return Outcome("us", "No card changed place in a whole turn: the Terrorist will never attack.")

    # What can be seen

    def view(self, state: CatAndMouseState, seat: str) -> View:
        names, sees_all = self.names, seat == OPEN
        terrorist, us = sees_all or seat == "terrorist", sees_all or seat == "us"
        open_discards = self.options.open_discards
        hand, meld, set_size = state.terrorist_hand, state.meld, self.options.set_size
        shown = terrorist or state.step.seat is None
        piles = (
            PileView("terrorist hand", "terrorist", "hand", len(hand), named(hand, names) if terrorist else ()),
            PileView("terrorist deck", "terrorist", "deck", len(state.terrorist_deck)),
            PileView(
                "terrorist discard",
                "terrorist",
                "pile",
                len(state.terrorist_discard),
                named(state.terrorist_discard, names) if open_discards or terrorist else (),
            ),
            PileView("meld", "", "spot", set_size * len(meld), tuple(names[code] for code in meld) if shown else ()),
            PileView("us hand", "us", "hand", len(state.us_hand), named(state.us_hand, names) if us else ()),
            PileView("us deck", "us", "deck", len(state.us_deck)),
            PileView(
                "us discard",
                "us",
                "pile",
                len(state.us_discard),
                named(state.us_discard, names) if open_discards or us else (),
            ),
        )
        to_move = None if state.step.seat == CHANCE else state.step.seat
        return View(self.name, self.options, seat, state.turn, state.step.phase, to_move, piles)

    def prompt(self, view: View, legal: tuple[Move, ...]) -> str:
        if legal[0].verb == "discard":
            limit = self.options.us_hand if view.to_move == "us" else self.options.terrorist_hand
            hand = view.pile(f"{view.to_move} hand")
            return f"You may hold {count(limit, 'card')}: choose {hand.size - limit} to discard."
        if view.phase == "US Draw Phase" and legal == (PASS,):
            return "Your deck is empty: go on."
        return PROMPTS[view.phase, view.to_move]

    @classmethod
    def readings(cls, options: CatAndMouseOptions) -> tuple[str, ...]:
        plans = options.kinds**3
        at_once = options.empty_deck_ends == "at once"
        return (
            "When the Terrorist has drawn the last card of his deck, the game ends at once and US Security wins."
            if at_once
            else "When the Terrorist's deck is empty, the turn is still played out; then US Security wins.",
            "The Terrorist may decline to draw; a turn in which no card changes place ends the game: US Security wins.",
            f"The hand limits ({options.terrorist_hand} and {options.us_hand}) bite in a player's own Draw Phase only."
            if options.hand_limit_applies == "draw phase"
            else f"The hand limits ({options.terrorist_hand} and {options.us_hand}) bite at all times.",
            "When the US deck is empty, US Security draws no more and plays on.",
            "After a combo the Terrorist chooses: one of his Secrecy cards, or a card taken at random from his hand.",
            "Both discard piles lie face up; played combos go there."
            if options.open_discards
            else "Both discard piles lie face down; played combos are seen once and go there.",
            "In a turn without an attack the Terrorist may turn in one Secrecy card for two cards, or what is left.",
            f"The guess names an Attack, a Group and a Target, all right or all lost, among {count(plans, 'meld')}.",
            "The meld is checked before it is played: one that is no meld cannot be played.",
            "In the printed examples “Nuke”, “Police” and “Resource” mean Nuclear, Police Work and Resources.",
        )


CatAndMouse.catalogue = catalogue(CatAndMouseOptions())
