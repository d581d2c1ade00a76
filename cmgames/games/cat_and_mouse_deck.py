"""Cat & Mouse: the printed card lists, and the options."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from cmgames.engine.cards import Catalogue, Kind
from cmgames.engine.options import Options, demand

CATEGORIES = {
    "Attack": (("Nuclear", "Nu"), ("Biological", "Bi"), ("Chemical", "Ch"), ("Conventional", "Co")),
    "Group": (("Middle Eastern", "ME"), ("Asian", "As"), ("African", "Af"), ("Western", "We")),
    "Target": (("Military", "Mi"), ("Government", "Go"), ("Commercial", "Cm"), ("Cultural", "Cu")),
}
SECRECY = (
    ("Charismatic Leader", "CL"),
    ("State Supported", "SS"),
    ("Multiple Cells", "MC"),
    ("Intelligence Failure", "IF"),
    ("Fresh Recruits", "FR"),
    ("Fanaticism", "Fa"),
    ("Go Underground", "GU"),
    ("Leave No Trace", "LT"),
    ("Blend In", "BI"),
    ("Dead End", "DE"),
    ("False Identity", "FI"),
    ("Misinformation", "Ms"),
)
SUITES = {
    "Organization": (("CIA", "CIA"), ("FBI", "FBI"), ("Interpol", "IP")),
    "Resources": (("Informants", "In"), ("Human Intelligence", "HI"), ("International Assistance", "IA")),
    "Surveillance": (("Airport Security", "AS"), ("Intercept Communications", "IC"), ("Eye in the Sky", "ES")),
    "Police Work": (("Eyewitnesses", "Ey"), ("Paper Trail", "PT"), ("Follow Up Leads", "FL")),
    "Action": (("Pre-Emptive Strike", "PS"), ("Arrests & Interrogations", "A&I"), ("Commando Raids", "CR")),
}

Few = Annotated[int, Meta(ge=1, le=20)]
Hand = Annotated[int, Meta(ge=1, le=200)]


class CatAndMouseOptions(Options, frozen=True, kw_only=True):
    """Readings and numbers of Cat & Mouse.

    Attributes
    ----------
    empty_deck_ends : when an empty Terrorist deck ends the game: ``at once``, or ``after the turn``.
    hand_limit_applies : when the hand limit bites: in a player's own ``draw phase``, or ``always``.
    open_discards : whether both discard piles lie face up.
    kinds : kinds of cards in each of the categories Attack, Group and Target.
    copies : copies of each of these kinds.
    set_size : equal cards of each category that make a meld.
    secrecy : Secrecy cards in the Terrorist's deck.
    suites, names : suites in the US deck, names in each suite.
    us_copies : copies of each US card.
    same_name, one_suite, all_suites : cards in a combo of one name, of different names of one suite, of different
        suites.
    terrorist_hand, us_hand : cards drawn at the start, and the most a hand may hold.
    """

    empty_deck_ends: Annotated[
        Literal["at once", "after the turn"], Meta(title="An empty Terrorist deck ends the game")
    ] = "at once"
    hand_limit_applies: Annotated[Literal["draw phase", "always"], Meta(title="The hand limit applies")] = "draw phase"
    open_discards: Annotated[bool, Meta(title="Discard piles lie face up")] = True
    kinds: Annotated[Annotated[int, Meta(ge=1, le=4)], Meta(title="Kinds of Attack, of Group and of Target")] = 4
    copies: Annotated[Few, Meta(title="Cards of each of these kinds")] = 4
    set_size: Annotated[Few, Meta(title="Equal cards of each category in a meld")] = 3
    secrecy: Annotated[Annotated[int, Meta(ge=0, le=12)], Meta(title="Secrecy cards")] = 12
    suites: Annotated[Annotated[int, Meta(ge=1, le=5)], Meta(title="US suites")] = 5
    names: Annotated[Annotated[int, Meta(ge=1, le=3)], Meta(title="Names in each suite")] = 3
    us_copies: Annotated[Few, Meta(title="Cards of each US name")] = 4
    same_name: Annotated[Few, Meta(title="Combo of one name: cards")] = 3
    one_suite: Annotated[Few, Meta(title="Combo of one suite: different cards")] = 3
    all_suites: Annotated[Few, Meta(title="Combo of different suites: cards")] = 5
    terrorist_hand: Annotated[Hand, Meta(title="The Terrorist's hand")] = 12
    us_hand: Annotated[Hand, Meta(title="US Security's hand")] = 9

    def check(self) -> None:
        terrorist_deck = 3 * self.kinds * self.copies + self.secrecy
        us_deck = self.suites * self.names * self.us_copies
        for hand, size, deck in (
            ("terrorist_hand", self.terrorist_hand, terrorist_deck),
            ("us_hand", self.us_hand, us_deck),
        ):
            demand(size < deck, hand, f"is {size}, but the deck holds {deck} cards: a hand must be smaller.")
        demand(
            self.set_size <= self.copies,
            "set_size",
            f"is {self.set_size}, but there are only {self.copies} cards of a kind (copies): no meld exists.",
        )
        demand(
            3 * self.set_size <= self.terrorist_hand,
            "set_size",
            f"is {self.set_size}, but a meld of {3 * self.set_size} cards does not fit into a hand of "
            f"{self.terrorist_hand} (terrorist_hand).",
        )
        for combo, size, limit, what in (
            ("same_name", self.same_name, self.us_copies, "cards of a name (us_copies)"),
            ("one_suite", self.one_suite, self.names, "names in a suite (names)"),
            ("all_suites", self.all_suites, self.suites, "suites (suites)"),
        ):
            demand(size <= limit, combo, f"is {size}, but there are only {limit} {what}: this combo cannot exist.")
            demand(size <= self.us_hand, combo, f"is {size}, but a hand holds {self.us_hand} cards (us_hand).")


def catalogue(options: CatAndMouseOptions) -> Catalogue:
    """The kinds of cards under these options: Attack, Group, Target, Secrecy, then the US suites."""
    kinds = [
        Kind(name, suit, mark, options.copies)
        for suit, names in CATEGORIES.items()
        for name, mark in names[: options.kinds]
    ]
    kinds += [Kind(name, "Secrecy", mark, 1) for name, mark in SECRECY[: options.secrecy]]
    kinds += [
        Kind(name, suit, mark, options.us_copies)
        for suit, names in list(SUITES.items())[: options.suites]
        for name, mark in names[: options.names]
    ]
    return Catalogue(tuple(kinds))
