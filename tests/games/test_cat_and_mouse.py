"""Cat & Mouse: a scenario for each sentence of the printed rules, then one for each reading and option."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from cmgames import GAMES, IllegalMove, Move, OptionError, Table
from cmgames.games.cat_and_mouse import CatAndMouse
from tests.games.helpers import AGENTS, PLAN, attack, cat, every_card, pile, play, security, size, texts

MELD = "meld Nuclear Western Military"
GUESS = "guess Nuclear Western Military"
NO_PLAN = (*["Nuclear", "Biological", "Chemical", "Asian", "African", "Western"] * 2,)
"""A Terrorist's hand of twelve without a meld and without a Secrecy card."""
FIVE_SUITES = ("CIA", "Informants", "Airport Security", "Eyewitnesses", "Pre-Emptive Strike")

TINY: dict[str, Any] = {
    "kinds": 1, "copies": 1, "set_size": 1, "secrecy": 3, "terrorist_hand": 3, "suites": 1, "names": 2,
    "us_copies": 2, "same_name": 1, "one_suite": 2, "all_suites": 1, "us_hand": 2,
}  # fmt: skip
"""Six cards for the Terrorist (one Attack, Group, Target; three Secrecy), four for US Security."""
SECRETS = ("Charismatic Leader", "State Supported", "Multiple Cells")


def tiny(*then: str, terrorist: tuple[str, ...] = SECRETS, **options: Any) -> Table:
    """The tiny game after the deal."""
    return cat(*then, terrorist=terrorist, us=("CIA", "FBI"), **{**TINY, **options})


def us_turn(table: Table) -> Table:
    """US Security draws, discards what it must (CIA last), and goes on."""
    play(table, texts(table.legal())[0])
    if table.legal()[0].verb == "discard":
        play(table, texts(table.legal())[-1])
    return play(table, "pass")


def drain(table: Table) -> Table:
    """Turns in which only US Security draws, until its deck is empty."""
    while size(table, "us deck"):
        play(us_turn(play(table, "decline")), "pass")
    return table


def combos(table: Table) -> list[str]:
    """The combos that can be played, in short."""
    return [str(move) for move in table.legal() if move.verb == "combo"]


# The printed sentences


def test_the_printed_text_ships() -> None:
    assert CatAndMouse.printed.splitlines()[0] == CatAndMouse.title.upper() == "CAT & MOUSE"
    assert CatAndMouse is GAMES["cat-and-mouse"]


def test_two_players_the_terrorist_and_us_security() -> None:
    titles = {id: seat.title for id, seat in CatAndMouse.seats.items()}
    assert titles == {"terrorist": "the Terrorist", "us": "US Security"}


def test_a_meld_ends_the_game() -> None:
    table = play(attack(), MELD)
    assert (table.phase, table.seat, table.outcome) == ("Terrorist Attack Phase", "us", None)
    play(table, GUESS)
    assert (table.seat, table.legal()) == (None, ())
    with pytest.raises(IllegalMove, match=r"^The game is over\.$"):
        table.play("draw")


def test_an_empty_terrorist_deck_ends_the_game_for_us_security() -> None:
    table = tiny()
    while table.outcome is None:
        assert size(table, "terrorist deck") > 0
        play(table, texts(table.legal())[-1 if table.phase == "Terrorist Attack Phase" else 0])
    assert size(table, "terrorist deck") == 0
    assert (table.outcome.winner, "no more cards" in table.outcome.reason) == ("us", True)


@pytest.mark.parametrize("guess", ["Biological Western Military", "Nuclear Asian Military", "Nuclear Western Cultural"])
def test_the_terrorist_wins_with_a_meld_that_is_not_guessed(guess: str) -> None:
    table = play(attack(), MELD, f"guess {guess}")
    assert table.outcome is not None
    assert (table.outcome.winner, table.outcome.reason) == (
        "terrorist",
        "The Terrorist played a meld, and the guess was wrong.",
    )


def test_us_security_wins_by_guessing_the_meld() -> None:
    table = play(attack(), MELD, GUESS)
    assert table.outcome is not None
    assert (table.outcome.winner, table.outcome.reason) == ("us", "US Security guessed the meld before it was shown.")


def test_a_meld_is_three_of_one_attack_three_of_one_group_three_of_one_target() -> None:
    table = attack()
    assert [text for text in texts(table.legal()) if text.startswith("meld")] == [MELD]
    play(table, MELD)
    assert pile(table, "terrorist hand") == Counter(PLAN[9:]), "nine cards leave the hand"
    assert size(table, "meld") == 9


def test_the_meld_lies_face_down_until_it_has_been_guessed() -> None:
    table = play(attack(), MELD)
    for seat in ("us", "spectator"):
        assert (table.view(seat).pile("meld").size, table.view(seat).pile("meld").cards) == (9, ())
        assert str(table.log(seat)[-1].move) == "meld"
    play(table, "guess Nuclear Asian Military")
    assert table.view("us").pile("meld").cards == ("Nuclear", "Western", "Military")
    assert [str(event.move) for event in table.log("us")[-2:]] == [
        "guess Nuclear Asian Military",
        "show Nuclear Western Military",
    ]


def test_each_player_has_a_deck_of_his_own() -> None:
    table = cat()
    assert (size(table, "terrorist deck"), size(table, "us deck")) == (60 - 12, 60 - 9)
    suit = {kind.name: kind.suit for kind in table.game.catalogue.kinds}
    plans = {"Attack", "Group", "Target", "Secrecy"}
    for moves, own in ((["draw"], plans), (["decline", "draw"], set(suit.values()) - plans)):
        drawing = play(cat(), *moves[:-1])
        pool = drawing.game.chance(drawing.game.play(drawing.state, drawing.legal()[0]))
        assert {suit[move.cards[0]] for move, _ in pool} == own


def test_the_terrorist_draws_12_cards_and_us_security_9() -> None:
    table = cat()
    assert (pile(table, "terrorist hand"), pile(table, "us hand")) == (Counter(PLAN), Counter(AGENTS))
    assert [str(event.move) for event in table.log("us")] == ["deal"] * 12 + [f"deal {name}" for name in AGENTS]


def test_four_phases_in_the_printed_order() -> None:
    table = cat()
    while table.turn < 3:
        play(table, texts(table.legal())[-1] if table.phase != "US Draw Phase" else texts(table.legal())[0])
    for number in (1, 2):
        phases = [event.phase for event in table.log("us", 21) if event.turn == number]
        assert tuple(dict.fromkeys(phases)) == CatAndMouse.phases
        assert phases == sorted(phases, key=CatAndMouse.phases.index), "no phase comes back within a turn"
    printed = CatAndMouse.printed.split("Each turn has 4 phases:")[1].split("TERRORIST DRAW PHASE")[0]
    assert tuple(line[3:].strip() for line in printed.strip().splitlines()) == CatAndMouse.phases


@pytest.mark.parametrize("draws", [True, False])
def test_the_terrorist_may_draw_a_card(draws: bool) -> None:
    table = cat("Cultural")
    assert (table.phase, table.seat, texts(table.legal())) == (
        "Terrorist Draw Phase",
        "terrorist",
        ["draw", "decline"],
    )
    play(table, "draw" if draws else "decline")
    assert size(table, "terrorist hand") == 12 + draws
    assert str(table.log("us")[-1].move) == ("deal" if draws else "decline"), "which card it was stays hidden"


def test_the_terrorist_holds_12_cards_and_discards_one_of_his_choice() -> None:
    table = play(cat("Cultural"), "draw")
    assert (table.phase, table.seat) == ("Terrorist Draw Phase", "terrorist")
    assert {move.cards[0] for move in table.legal()} == {*PLAN, "Cultural"}
    with pytest.raises(IllegalMove, match=r"^You hold 13 cards and may hold 12: discard 1 first\.$"):
        table.play("draw")
    play(table, "discard Dead End")
    assert (table.phase, size(table, "terrorist hand")) == ("US Draw Phase", 12)
    assert pile(table, "terrorist discard", "us") == Counter(["Dead End"])


def test_with_a_small_hand_the_terrorist_need_not_discard() -> None:
    table = play(security("Cultural"), "combo FBI FBI FBI", "lose Dead End", "pass", "draw")
    assert (table.phase, size(table, "terrorist hand")) == ("US Draw Phase", 12)


def test_us_security_draws_a_card() -> None:
    table = play(cat("Paper Trail"), "decline")
    assert (table.phase, table.seat, texts(table.legal())) == ("US Draw Phase", "us", ["draw"])
    play(table, "draw")
    assert pile(table, "us hand", "us") == Counter((*AGENTS, "Paper Trail"))
    assert str(table.log("terrorist")[-1].move) == "deal"


def test_us_security_holds_9_cards_and_discards_one_of_its_choice() -> None:
    table = play(cat("Paper Trail"), "decline", "draw")
    assert (table.phase, {move.cards[0] for move in table.legal()}) == ("US Draw Phase", {*AGENTS, "Paper Trail"})
    with pytest.raises(IllegalMove, match=r"^You hold 10 cards and may hold 9: discard 1 first\.$"):
        table.play("pass")
    play(table, "discard CIA")
    assert (table.phase, size(table, "us hand"), pile(table, "us discard")) == (
        "US Security Phase",
        9,
        Counter(["CIA"]),
    )


def test_us_security_may_play_one_combo() -> None:
    table = security()
    assert (table.phase, table.seat, texts(table.legal())[-1]) == ("US Security Phase", "us", "pass")
    play(table, "combo FBI FBI FBI")
    assert table.seat == "terrorist"
    play(table, "lose Dead End")
    assert (table.phase, table.seat) == ("Terrorist Attack Phase", "terrorist"), "one combo, no second"
    assert play(security(), "pass").phase == "Terrorist Attack Phase"


def test_a_combo_costs_the_terrorist_a_secrecy_card() -> None:
    table = play(security(), "combo FBI FBI FBI")
    assert texts(table.legal()) == ["lose Fanaticism", "lose Blend In", "lose Dead End", "lose random"]
    with pytest.raises(IllegalMove, match=r"^Nuclear is no Secrecy card\.$"):
        table.play("lose Nuclear")
    play(table, "lose Blend In")
    assert pile(table, "terrorist hand") == Counter(PLAN) - Counter(["Blend In"])
    assert table.view("us").pile("terrorist discard").cards == ("Blend In",)


def test_or_a_combo_costs_the_terrorist_a_card_taken_at_random() -> None:
    table = play(security(), "combo FBI FBI FBI")
    taking = table.game.play(table.state, table.legal()[-1])
    chances = {move.cards[0]: chance for move, chance in table.game.chance(taking)}
    assert chances == {name: Fraction(n, 12) for name, n in Counter(PLAN).items()}
    play(table, "lose random")
    assert (table.phase, size(table, "terrorist hand"), table.moves[-1].verb) == ("Terrorist Attack Phase", 11, "take")


def test_three_types_of_combos() -> None:
    assert combos(security()) == [
        "combo FBI FBI FBI",
        "combo CIA FBI Interpol",
        *(f"combo {name} {' '.join(FIVE_SUITES[1:])}" for name in ("CIA", "FBI", "Interpol")),
    ]


@pytest.mark.parametrize(
    ("hand", "expected", "refused"),
    [
        (("Commando Raids",) * 3 + ("CIA", "CIA"), ["Commando Raids Commando Raids Commando Raids"], "CIA CIA"),
        (("CIA", "CIA", "FBI", "FBI", "Interpol"), ["CIA FBI Interpol"], "CIA CIA FBI"),
        (FIVE_SUITES, [" ".join(FIVE_SUITES)], " ".join(FIVE_SUITES[:3])),
        (("CIA", "CIA", "FBI", "FBI", "Informants"), [], "CIA FBI Informants"),
        ((*FIVE_SUITES[:4], "Follow Up Leads"), [], " ".join((*FIVE_SUITES[:4], "Follow Up Leads"))),
    ],
)
def test_what_makes_a_combo(hand: tuple[str, ...], expected: list[str], refused: str) -> None:
    table = security(us=hand, us_hand=5)
    assert combos(table) == [f"combo {cards}" for cards in expected]
    with pytest.raises(IllegalMove, match=r"These cards make no combo\. A combo is 3 cards of one name, 3 different"):
        table.play(f"combo {refused}")
    for combo in expected:
        left = Counter(hand) - Counter(table.legal()[0].cards)
        play(table, f"combo {combo}")
        assert (pile(table, "us hand"), size(table, "us discard")) == (left, 6 - left.total())


@pytest.mark.parametrize("move", ["combo Interpol CIA FBI", "meld Military Nuclear Western"])
def test_cards_in_another_order_are_taken_or_refused_for_their_order(move: str) -> None:
    table = security() if move.startswith("combo") else attack()
    assert table.why_not(Move.parse(table.game, move)) == "" or "order" in table.why_not(Move.parse(table.game, move))


def test_a_combo_cannot_be_played_with_cards_that_are_not_held() -> None:
    with pytest.raises(IllegalMove, match=r"^There is no Paper Trail in the hand to combo\.$"):
        security().play("combo Paper Trail Paper Trail Paper Trail")


def test_the_terrorist_may_play_a_meld() -> None:
    table = attack()
    assert (table.phase, table.seat) == ("Terrorist Attack Phase", "terrorist")
    assert texts(table.legal()) == [MELD, "secrecy Fanaticism", "secrecy Blend In", "secrecy Dead End", "pass"]
    assert play(table, "pass").turn == 2


def test_without_an_attack_the_terrorist_may_turn_in_a_secrecy_card_for_two_cards() -> None:
    table = play(attack("Asian", "Cultural"), "secrecy Dead End")
    assert pile(table, "terrorist hand") == Counter(PLAN) - Counter(["Dead End"]) + Counter(["Asian", "Cultural"])
    assert (table.view("us").pile("terrorist discard").cards, table.turn) == (("Dead End",), 2)


def test_the_card_lists_are_the_printed_ones() -> None:
    rows = [line.split("\t") for line in CatAndMouse.printed.splitlines() if line.count("\t") > 1]
    printed = {row[0]: (row[-1], int(row[-2])) for row in rows if row[-2].isdigit()}
    assert len(printed) == 24 + 15
    assert {kind.name: (kind.suit, kind.copies) for kind in CatAndMouse.catalogue.kinds} == printed
    table = cat()
    count = every_card(table.game, table.state)
    assert {name: count[table.game.catalogue.names.index(name)] for name in printed} == {
        name: n for name, (_, n) in printed.items()
    }


# The readings


def test_c1_at_once_the_last_card_drawn_ends_the_game() -> None:
    table = tiny()
    while size(table, "terrorist deck") > 1:
        play(table, "draw")
        play(us_turn(play(table, texts(table.legal())[0])), "pass")
    play(table, "draw")
    assert (table.phase, table.seat) == ("Terrorist Draw Phase", None)
    assert table.outcome is not None
    assert table.outcome.winner == "us"


@pytest.mark.parametrize("attacks", [True, False])
def test_c1_after_the_turn_the_last_turn_is_played_out(attacks: bool) -> None:
    plan = ("Nuclear", "Middle Eastern", "Military")
    table = tiny(terrorist=plan, empty_deck_ends="after the turn", secrecy=1)
    play(table, "draw", "discard Charismatic Leader")
    assert (size(table, "terrorist deck"), table.seat) == (0, "us")
    us_turn(table)
    play(table, *(["meld " + " ".join(plan), "guess " + " ".join(plan)] if attacks else ["pass"]))
    assert table.outcome is not None
    assert table.outcome.winner == "us"
    assert ("guessed" in table.outcome.reason) == attacks


def test_c2_a_turn_in_which_no_card_changes_place_ends_the_game() -> None:
    table = drain(tiny())
    assert table.seat == "terrorist"
    play(table, "decline", "pass", "pass", "pass")
    assert table.outcome is not None
    assert (table.outcome.winner, table.outcome.reason.startswith("No card changed place")) == ("us", True)


@pytest.mark.parametrize(
    "moves",
    [
        ["draw", "discard State Supported", "pass", "pass", "pass"],
        ["decline", "pass", "combo CIA", "lose random", "pass"],
        ["decline", "pass", "pass", "secrecy State Supported"],
    ],
)
def test_c2_a_turn_in_which_a_card_changes_place_does_not(moves: list[str]) -> None:
    table = drain(tiny(secrecy=6))
    assert play(table, *moves).outcome is None


def test_c2_a_combo_against_an_empty_hand_is_a_card_that_changes_place() -> None:
    options = TINY | {"secrecy": 6, "us_copies": 3, "us_hand": 4}
    table = play(cat(terrorist=SECRETS, us=("CIA", "CIA", "FBI", "FBI"), **options), "decline", "draw")
    play(table, str(table.legal()[0]))
    for _ in range(3):
        play(table, str(table.legal()[0]), "lose random", "pass", "decline")
        play(table, str(table.legal()[0]))
    assert (size(table, "us deck"), size(table, "terrorist hand")) == (0, 0)
    assert play(table, str(table.legal()[0]), "pass").outcome is None


@pytest.mark.parametrize(("option", "held"), [("draw phase", 13), ("always", 12)])
def test_c3_when_the_hand_limit_bites(option: str, held: int) -> None:
    table = play(attack("Asian", "Cultural", hand_limit_applies=option), "secrecy Dead End")
    if option == "always":
        assert (table.phase, table.seat) == ("Terrorist Attack Phase", "terrorist")
        with pytest.raises(IllegalMove, match="You hold 13 cards and may hold 12: discard 1 first"):
            table.play("pass")
        play(table, "discard Asian")
    assert (table.turn, table.phase, size(table, "terrorist hand")) == (2, "Terrorist Draw Phase", held)
    play(table, "decline")
    assert (table.phase == "Terrorist Draw Phase") == (held == 13), "13 cards are too many in the next Draw Phase"


def test_c3_two_extra_cards_are_discarded_in_the_next_draw_phase() -> None:
    table = play(attack("Asian", "Cultural", "African"), "secrecy Dead End", "draw")
    with pytest.raises(IllegalMove, match="You hold 14 cards and may hold 12: discard 2 first"):
        table.play("decline")
    assert play(table, "discard Asian").phase == "Terrorist Draw Phase"
    assert play(table, "discard African").phase == "US Draw Phase"


def test_c4_an_empty_us_deck_changes_nothing_else() -> None:
    table = play(drain(tiny()), "draw", "discard State Supported")
    assert (table.phase, texts(table.legal())) == ("US Draw Phase", ["pass"])
    with pytest.raises(IllegalMove, match="The US deck is empty"):
        table.play("draw")
    assert play(table, "pass").phase == "US Security Phase"


def test_c5_without_a_secrecy_card_the_random_one_is_all_there_is() -> None:
    table = play(security(terrorist=NO_PLAN), "combo FBI FBI FBI")
    assert (table.seat, texts(table.legal())) == ("terrorist", ["lose random"])


@pytest.mark.parametrize("open_discards", [True, False])
def test_c6_whether_discards_are_open(open_discards: bool) -> None:
    table = play(cat("Cultural", "Paper Trail", open_discards=open_discards), "draw", "discard Western")
    play(table, "draw", "discard Paper Trail", "combo FBI FBI FBI", "lose Dead End", "secrecy Blend In")
    closed = {"us": "terrorist discard", "terrorist": "us discard"}
    for seat in ("us", "terrorist", "spectator"):
        view = table.view(seat)
        for id in closed.values():
            hidden = not open_discards and (seat == "spectator" or closed[seat] == id)
            assert (len(view.pile(id).cards) == 0) == hidden
            assert view.pile(id).size == {"terrorist discard": 3, "us discard": 4}[id]
    seen = texts(event.move for event in table.log("us", 21) if event.by == "terrorist")
    full = ["draw", "discard Western", "lose Dead End", "secrecy Blend In"]
    assert seen == (full if open_discards else ["draw", "discard", "lose", "secrecy"])


def test_c6_a_card_taken_at_random_is_hidden_with_closed_discards() -> None:
    table = play(security(open_discards=False), "combo FBI FBI FBI", "lose random")
    assert [texts(event.move for event in table.log(seat)[-1:]) for seat in ("us", "spectator")] == [["take"]] * 2
    assert len(table.log("terrorist")[-1].move.cards) == 1


@pytest.mark.parametrize("open_discards", [True, False])
def test_c7_a_combo_is_seen_by_all_when_it_is_played(open_discards: bool) -> None:
    table = play(security(open_discards=open_discards), "combo FBI FBI FBI")
    for seat in ("terrorist", "us", "spectator"):
        assert str(table.log(seat)[-1].move) == "combo FBI FBI FBI"
    assert pile(table, "us discard")["FBI"] == 3


def test_c8_one_secrecy_card_a_turn_and_none_with_an_attack() -> None:
    table = play(attack("Asian", "Cultural"), "secrecy Dead End")
    assert table.phase == "Terrorist Draw Phase", "the turn is over"
    assert play(attack(), MELD).seat == "us", "an attack ends the game"


def test_c9_a_secrecy_card_draws_what_is_left() -> None:
    table = tiny(secrecy=1, terrorist=("Charismatic Leader", "Nuclear", "Military"))
    us_turn(play(table, "decline"))
    play(table, "secrecy Charismatic Leader")
    assert table.outcome is not None
    assert (size(table, "terrorist deck"), size(table, "terrorist hand"), table.outcome.winner) == (0, 3, "us")


@pytest.mark.parametrize("move", ["secrecy Charismatic Leader", "pass"])
def test_c9_nothing_is_left_after_the_last_card(move: str) -> None:
    table = tiny(secrecy=1, terrorist=("Charismatic Leader", "Nuclear", "Military"), empty_deck_ends="after the turn")
    us_turn(play(table, "draw", "discard Nuclear"))
    if move in texts(table.legal()):
        assert play(table, move).outcome is not None
    else:
        assert "deck" in table.why_not(Move.parse(table.game, move))


def test_c10_a_guess_names_one_of_each() -> None:
    table = play(attack(), MELD)
    kinds = [kind.name for kind in CatAndMouse.catalogue.kinds[:12]]
    plans = product(kinds[:4], kinds[4:8], kinds[8:])
    assert texts(table.legal()) == [f"guess {' '.join(plan)}" for plan in plans]
    assert len(table.legal()) == 64
    with pytest.raises(IllegalMove, match="A guess names one Attack, one Group and one Target"):
        table.play("guess Nuclear Biological Military")


@pytest.mark.parametrize("meld", ["Nuclear Western Cultural", "Nuclear Nuclear Nuclear", "Nuclear Western", "Dead End"])
def test_c11_what_is_no_meld_cannot_be_played(meld: str) -> None:
    table = attack()
    with pytest.raises(IllegalMove, match="A meld takes 3 cards of one Attack, 3 of one Group and 3 of one Target"):
        table.play(f"meld {meld}")


def test_c12_the_names_are_those_of_the_card_lists() -> None:
    for name in ("Nuke", "Police", "Resource"):
        with pytest.raises(IllegalMove, match="is not a move of Cat & Mouse"):
            cat().play(f"discard {name}")
    assert {"Nuclear", "Western", "Military"} <= set(CatAndMouse.catalogue.names)
    assert {"Police Work", "Resources", "Surveillance"} <= {kind.suit for kind in CatAndMouse.catalogue.kinds}


def test_c13_a_small_game_is_played_with_the_cards_there_are() -> None:
    table = tiny()
    game = table.game
    assert game.catalogue.names == ("Nuclear", "Middle Eastern", "Military", *SECRETS, "CIA", "FBI")
    assert sum(every_card(game, table.state).values()) == 6 + 4
    with pytest.raises(IllegalMove, match="Chemical"):
        table.play("discard Chemical")


@pytest.mark.parametrize(
    ("changes", "combo"),
    [
        ({"same_name": 2, "us_copies": 2}, "combo FBI FBI"),
        ({"one_suite": 2}, "combo CIA Interpol"),
        ({"all_suites": 2}, "combo Interpol Eyewitnesses"),
    ],
)
def test_c13_the_sizes_of_combos(changes: dict[str, Any], combo: str) -> None:
    us = ("FBI", "FBI", *AGENTS[3:])
    assert combo not in texts(security(us=us, us_hand=len(us)).legal())
    assert combo in texts(security(us=us, us_hand=len(us), **changes).legal())


@pytest.mark.parametrize("size_of_set", [1, 2, 3])
def test_c13_the_size_of_a_set(size_of_set: int) -> None:
    table = play(attack(set_size=size_of_set), MELD)
    assert (size(table, "meld"), size(table, "terrorist hand")) == (3 * size_of_set, 12 - 3 * size_of_set)


def test_the_readings_in_force_are_told() -> None:
    told = CatAndMouse.readings(CatAndMouse.Options.make({}))
    changes = {
        "empty_deck_ends": "after the turn",
        "hand_limit_applies": "always",
        "open_discards": False,
        "us_hand": 8,
        "kinds": 3,
    }
    for name, value in changes.items():
        other = CatAndMouse.readings(CatAndMouse.Options.make({name: value}))
        assert sum(a != b for a, b in zip(told, other, strict=True)) == 1, name


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"terrorist_hand": 60}, r"terrorist_hand is 60, but the deck holds 60 cards"),
        ({"us_hand": 100}, r"us_hand is 100, but the deck holds 60 cards"),
        ({"copies": 2}, r"set_size is 3, but there are only 2 cards of a kind"),
        ({"terrorist_hand": 8}, r"set_size is 3, but a meld of 9 cards does not fit into a hand of 8"),
        ({"us_copies": 2}, r"same_name is 3, but there are only 2 cards of a name"),
        ({"names": 2}, r"one_suite is 3, but there are only 2 names in a suite"),
        ({"suites": 4}, r"all_suites is 5, but there are only 4 suites"),
        ({"us_hand": 4}, r"all_suites is 5, but a hand holds 4 cards"),
        ({"us_hand": 2}, r"same_name is 3, but a hand holds 2 cards"),
        ({"kinds": 0}, r"kinds cannot be 0: .*1 to 4"),
        ({"kinds": 5}, r"kinds cannot be 5: .*1 to 4"),
        ({"secrecy": -1}, r"secrecy cannot be -1: .*0 to 12"),
        ({"secrecy": 13}, r"secrecy cannot be 13: .*0 to 12"),
        ({"us_hand": "9"}, r"us_hand cannot be '9': .*whole number"),
        ({"open_discards": 1}, r"open_discards cannot be 1: .*True or False"),
        ({"hand_limit_applies": "never"}, r"hand_limit_applies cannot be 'never': .*'always' or 'draw phase'"),
        ({"empty_deck_ends": None}, r"empty_deck_ends cannot be None"),
        ({"secrets": 12}, r"'secrets' is no option. There are: all_suites, copies, "),
    ],
)
def test_c13_impossible_options_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence):
        Table("cat-and-mouse", **options)
