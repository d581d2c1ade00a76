"""What the players of Cat & Mouse think, at positions made by hand."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from cmgames.bots import find
from cmgames.engine.cards import Pile
from cmgames.engine.game import Step
from cmgames.engine.moves import Move
from cmgames.games import cat_and_mouse as rules

PLAN = ["Nuclear"] * 3 + ["Western"] * 3 + ["Military"] * 3


def _choices(name: str, seat: str, step: Step, options: dict[str, Any] | None = None, **piles: list[str]) -> set[Move]:
    """What a player does at a position, over many random numbers; piles that are not named hold what is left."""
    game = rules.CatAndMouse(rules.CatAndMouseOptions.make(options or {}))
    named: dict[str, Pile] = {pile: bytes(game.code[name] for name in names) for pile, names in piles.items()}
    state = replace(game.start(), step=step, **{pile: bytes(sorted(cards)) for pile, cards in named.items()})
    if step is rules.GUESS:
        state = replace(state, meld=(0, game.categories[1][0], game.categories[2][0]))
    choose = find("cat-and-mouse", seat, name).choose
    view, legal = game.view(state, seat), game.legal(state)
    moves = {choose(view, legal, random.Random(seed)) for seed in range(60)}
    assert moves <= set(legal)
    return moves


def test_the_collector_keeps_the_plan_and_throws_what_is_furthest_from_a_set() -> None:
    hand = [*["Nuclear", "Western", "Military"] * 2, *["Biological", "African", "Cultural"], "Dead End", "Blend In"]
    thrown = ["Cultural", "Cultural"]
    moves = _choices("collector", "terrorist", rules.T_DISCARD, terrorist_hand=hand, terrorist_discard=thrown)
    assert moves == {Move("discard", ("Cultural",))}


def test_the_collector_does_not_draw_the_card_that_would_end_the_game_before_its_attack() -> None:
    def draws(**options: Any) -> set[Move]:
        return _choices(
            "collector", "terrorist", rules.T_DRAW, options, terrorist_hand=PLAN, terrorist_deck=["Dead End"]
        )

    assert draws() == {Move("decline")}
    assert draws(empty_deck_ends="after the turn") == {Move("draw")}


def test_the_collector_turns_in_a_secrecy_card_unless_that_draws_the_last_cards() -> None:
    def at(deck: list[str]) -> set[Move]:
        return _choices(
            "collector", "terrorist", rules.ATTACK, terrorist_hand=[*PLAN[:8], "Dead End"], terrorist_deck=deck
        )

    assert at(["Asian", "Asian", "Military"]) == {Move("secrecy", ("Dead End",))}
    assert at(["Asian", "Military"]) == {Move("pass")}


def test_the_schemer_throws_the_spare_card_of_its_plan_to_hide_the_plan() -> None:
    hand = [*PLAN, "Nuclear", "Asian", "African", "Cultural"]
    assert _choices("schemer", "terrorist", rules.T_DISCARD, terrorist_hand=hand) == {Move("discard", ("Nuclear",))}


def test_the_schemer_waits_behind_a_secrecy_card_while_the_discards_give_it_away() -> None:
    rest = ["Biological", "Chemical", "Conventional", "Asian", "African", "Middle Eastern"]
    rest += ["Government", "Commercial", "Cultural"]
    attack, wait = {Move("meld", ("Nuclear", "Western", "Military"))}, {Move("pass")}

    def at(**piles: Any) -> set[Move]:
        return _choices("schemer", "terrorist", rules.ATTACK, **piles)

    assert at(terrorist_hand=[*PLAN, "Dead End"], terrorist_discard=rest) == wait
    assert at(terrorist_hand=[*PLAN, "Dead End"]) == attack
    assert at(terrorist_hand=[*PLAN, "Dead End"], terrorist_discard=rest, options={"open_discards": False}) == attack
    assert at(terrorist_hand=PLAN, terrorist_discard=rest) == attack
    assert at(terrorist_hand=[*PLAN, "Dead End"], terrorist_discard=rest, terrorist_deck=["Asian"] * 3) == attack


def test_the_hunter_plays_three_cards_rather_than_five_and_keeps_the_next_combo_together() -> None:
    hand = ["CIA", "CIA", "CIA", "FBI", "Informants", "Airport Security", "Paper Trail", "Commando Raids"]
    assert _choices("hunter", "us", rules.SECURITY, us_hand=hand) == {Move("combo", ("CIA", "CIA", "CIA"))}
    hand = ["CIA", "CIA", "FBI", "Informants", "Informants", "Airport Security", *["Paper Trail"] * 2, "Commando Raids"]
    discards = _choices("hunter", "us", rules.US_DISCARD, us_hand=[*hand, "Interpol"])
    assert discards == {Move("discard", ("Airport Security",)), Move("discard", ("Commando Raids",))}


def test_the_profiler_guesses_a_meld_that_the_discards_leave_likeliest_and_the_hunter_any() -> None:
    thrown = ["Biological", "Chemical", "Conventional", "Asian", "Asian", "Middle Eastern", "African", "Cultural"]
    likeliest = {Move("guess", ("Nuclear", "Western", target)) for target in ("Military", "Government", "Commercial")}
    assert _choices("profiler", "us", rules.GUESS, terrorist_discard=thrown) == likeliest
    assert len(_choices("hunter", "us", rules.GUESS, terrorist_discard=thrown)) > 20
    closed = {"open_discards": False}
    assert len(_choices("profiler", "us", rules.GUESS, closed, terrorist_discard=thrown)) > 20
