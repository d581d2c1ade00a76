"""Tunnel Rat: a scenario for each sentence of the printed rules, then one for each reading and option."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from cmgames import GAMES, IllegalMove, OptionError, Outcome, Table
from cmgames.games.tunnel_rat import TunnelRat
from tests.games.helpers import every_card, pile, play, rat, size, texts, turn

QUESTIONS = ["ask vc", "ask trap", "ask safe"]
RIGHT = {"VC": "shoot", "Trap": "search", "Tunnel": "advance"}
QUESTION_PHASES = [
    (0, "VC Phase", "ask vc", "Is it a VC?"),
    (1, "Trap Phase", "ask trap", "Is it a Trap?"),
    (2, "Advance Phase", "ask safe", "Is it safe?"),
]


def after_questions(card: str, **options: Any) -> Table:
    """A table in the Action Phase, the rat having asked nothing."""
    return play(rat(card, **options), "draw", *["pass"] * 4)


def cross_examination(**options: Any) -> Table:
    """A table in the Cross Examination Phase, the rat having asked nothing."""
    return play(rat("VC", **options), "draw", *["pass"] * 3)


# The printed sentences


def test_the_printed_text_ships() -> None:
    assert TunnelRat.printed.splitlines()[0] == TunnelRat.title.upper() == "TUNNEL RAT"
    assert TunnelRat.printed.rstrip().endswith("If it does, e-mail me and I'll remove it.")
    assert TunnelRat is GAMES["tunnel-rat"]


def test_two_players_the_rat_and_the_vc() -> None:
    assert {id: seat.title for id, seat in TunnelRat.seats.items()} == {"rat": "the rat", "vc": "the VC"}


def test_the_deck_holds_16_cards() -> None:
    table = rat()
    assert size(table, "deck") == 16
    named = {table.game.catalogue.names[code]: n for code, n in every_card(table.game, table.state).items()}
    assert named == {"VC": 4, "Trap": 4, "Tunnel": 8}


def test_the_vc_wins_with_the_fifth_casualty() -> None:
    table = rat(*["VC", "Trap"] * 3)
    for casualties in range(1, 5):
        play(table, *turn("advance"))
        assert (table.view("rat").track("casualties").value, table.outcome) == (casualties, None)
    play(table, *turn("advance"))
    assert table.outcome == Outcome("vc", "The VC has inflicted 5 casualties.")
    assert (table.seat, table.legal()) == (None, ())
    with pytest.raises(IllegalMove, match=r"^The game is over\.$"):
        table.play("draw")


def test_the_rat_wins_with_the_fifth_tunnel() -> None:
    table = rat(*["Tunnel"] * 5)
    for tunnels in range(1, 5):
        play(table, *turn("advance"))
        assert (table.view("rat").track("tunnels").value, table.outcome) == (tunnels, None)
    play(table, *turn("advance"))
    assert table.outcome == Outcome("rat", "The rat has accumulated 5 tunnel cards.")


def test_the_vc_promises_the_printed_manners() -> None:
    assert TunnelRat.manners is not None
    seat, promises = TunnelRat.manners
    words = ("hands", "sunglasses", "eyes", "answer all questions")
    assert seat == "vc"
    assert [word in promise for word, promise in zip(words, promises, strict=True)] == [True] * 4


def test_the_vc_must_answer_every_question_before_anything_else() -> None:
    table = play(rat("Tunnel"), "draw", "ask vc")
    assert (table.seat, texts(table.legal())) == ("vc", ["answer no"])
    with pytest.raises(IllegalMove, match="must answer every question"):
        table.play("pass")


def test_eight_phases_in_the_printed_order() -> None:
    table = play(rat("Tunnel", "VC"), *turn("advance"), *turn("shoot"))
    for number in (1, 2):
        phases = [event.phase for event in table.log("rat") if event.turn == number]
        assert tuple(dict.fromkeys(phases)) == TunnelRat.phases
        assert phases == sorted(phases, key=TunnelRat.phases.index), "no phase comes back within a turn"
    printed = TunnelRat.printed.split("There are 8 phases in a turn:")[1].split("DRAW PHASE")[0]
    assert tuple(line[3:].strip() for line in printed.strip().splitlines()) == TunnelRat.phases


def test_the_vc_draws_one_card() -> None:
    table = rat("Trap")
    assert (table.phase, table.seat, texts(table.legal())) == ("Draw Phase", "vc", ["draw"])
    play(table, "draw")
    assert (size(table, "deck"), size(table, "card")) == (15, 1)


def test_an_empty_deck_is_filled_from_the_shuffled_discard_pile() -> None:
    table = rat("VC", "Trap", "Tunnel", "VC", vc=1, traps=1, tunnels=1, tunnels_to_win=1)
    for action in ("shoot", "search", "shoot"):
        play(table, *turn(action))
    assert (size(table, "deck"), pile(table, "discard", "rat")) == (0, Counter(VC=1, Trap=1, Tunnel=1))
    assert {str(move) for move, _ in table.game.chance(table.game.play(table.state, table.legal()[0]))} == {"shuffle"}
    play(table, "draw")
    assert (size(table, "deck"), size(table, "discard"), size(table, "card")) == (2, 0, 1)
    assert [str(event.move) for event in table.log("rat")[-2:]] == ["shuffle", "deal"]


@pytest.mark.parametrize("card", ["VC", "Trap", "Tunnel"])
def test_the_vc_looks_at_the_card(card: str) -> None:
    table = play(rat(card), "draw")
    assert table.view("vc").pile("card").cards == (card,)
    assert str(table.log("vc")[-1].move) == f"deal {card}"


@pytest.mark.parametrize("card", ["VC", "Trap", "Tunnel"])
def test_the_rat_does_not_see_the_card_before_the_revelation(card: str) -> None:
    table = rat(card)
    for move in turn("advance"):
        for seat in ("rat", "spectator"):
            assert table.view(seat).pile("card").cards == ()
            assert all(event.move.cards == () for event in table.log(seat))
        table.play(move)
    assert table.log("rat")[-1].move.cards == (card,)


@pytest.mark.parametrize(("before", "phase", "question", "words"), QUESTION_PHASES)
def test_the_rat_may_ask_the_question_of_the_phase(before: int, phase: str, question: str, words: str) -> None:
    table = play(rat("VC"), "draw", *["pass"] * before)
    assert (table.phase, table.seat, texts(table.legal())) == (phase, "rat", [question, "pass"])
    assert f'"{words}"' in TunnelRat.printed
    assert words in TunnelRat.verbs[question].says
    table.play(question)
    assert (table.phase, table.seat) == (phase, "vc")


@pytest.mark.parametrize(("before", "phase", "question", "words"), QUESTION_PHASES)
@pytest.mark.parametrize("card", ["VC", "Trap", "Tunnel"])
def test_the_vc_always_answers_no(card: str, before: int, phase: str, question: str, words: str) -> None:
    table = play(rat(card), "draw", *["pass"] * before, question)
    assert (table.phase, texts(table.legal())) == (phase, ["answer no"])
    with pytest.raises(IllegalMove, match="is not a move of Tunnel Rat"):
        table.play("answer yes")
    play(table, "answer no after 1.50 s looking uneasy")
    answers = [(answer.question, str(answer.move)) for answer in table.view("rat").answers]
    assert answers == [(question, "answer no after 1.50 s looking uneasy")]
    assert table.phase == TunnelRat.phases[TunnelRat.phases.index(phase) + 1]


def test_the_rat_may_repeat_the_questions_in_any_order_as_much_as_he_likes() -> None:
    table = cross_examination()
    for question in ["ask safe", "ask vc", "ask vc", "ask trap", *QUESTIONS * 20]:
        assert (table.phase, texts(table.legal())) == ("Cross Examination Phase", [*QUESTIONS, "pass"])
        table.play(question)
        assert (table.phase, table.seat, texts(table.legal())) == ("Cross Examination Phase", "vc", ["answer no"])
        table.play("answer no")
    assert len(table.view("rat").answers) == 64
    assert play(table, "pass").phase == "Action Phase"


def test_the_rat_must_guess() -> None:
    table = after_questions("VC")
    assert (table.phase, table.seat) == ("Action Phase", "rat")
    assert texts(table.legal()) == ["advance", "shoot", "search"]
    with pytest.raises(IllegalMove, match="Action Phase"):
        table.play("pass")


@pytest.mark.parametrize(("card", "word"), RIGHT.items())
def test_each_word_names_its_card(card: str, word: str) -> None:
    table = play(after_questions(card), word, "reveal")
    assert str(table.moves[-1]) == f"{'keep' if card == 'Tunnel' else 'discard'} {card}"
    wrong = [play(after_questions(card), other, "reveal").moves[-1].verb for other in RIGHT.values() if other != word]
    assert wrong == ["discard" if card == "Tunnel" else "casualty"] * 2


def test_the_vc_shows_the_card() -> None:
    table = play(after_questions("Trap"), "shoot")
    assert (table.phase, table.seat, texts(table.legal())) == ("Revelation Phase", "vc", ["reveal"])
    play(table, "reveal")
    shown = len(table.moves) - 1
    assert table.view("rat", shown).phase == "Result Phase"
    assert table.view("rat", shown).pile("card").cards == table.view("spectator", shown).pile("card").cards == ("Trap",)


@pytest.mark.parametrize("card", ["VC", "Trap", "Tunnel"])
@pytest.mark.parametrize("word", ["advance", "shoot", "search"])
def test_the_result(card: str, word: str) -> None:
    table = play(after_questions(card), word, "reveal")
    view, right = table.view("rat"), RIGHT[card] == word
    casualty, kept = card != "Tunnel" and not right, card == "Tunnel" and right
    assert (view.track("casualties").value, view.track("tunnels").value) == (casualty, kept)
    assert view.pile("tunnels").cards == ("Tunnel",) * kept
    assert view.pile("discard").cards == (() if kept else (card,))
    assert (view.turn, view.phase, view.to_move, size(table, "card")) == (2, "Draw Phase", "vc", 0)


# The readings


@pytest.mark.parametrize(("option", "id"), [("discard", "discard"), ("keep", "dangers")])
@pytest.mark.parametrize("card", ["VC", "Trap"])
def test_t1_casualty_card(option: str, id: str, card: str) -> None:
    table = play(rat(card, casualty_card=option), *turn("advance"))
    assert {pile_id: pile(table, pile_id, "rat") for pile_id in ("discard", "dangers") if size(table, pile_id)} == {
        id: Counter([card])
    }
    right = play(rat(card, casualty_card=option), *turn(RIGHT[card]))
    assert pile(right, "discard", "rat") == Counter([card]), "a card guessed right is always discarded"


def test_t2_the_discard_pile_is_shuffled_only_when_a_card_must_be_drawn() -> None:
    table = rat("VC", "Tunnel", vc=1, traps=0, tunnels=1, tunnels_to_win=1)
    play(table, *turn("shoot"), *turn("shoot"))
    assert (size(table, "deck"), size(table, "discard"), "shuffle" in texts(table.moves)) == (0, 2, False)
    assert "shuffle" in texts(play(table, "draw").moves)


def test_t3_the_rat_may_skip_each_question() -> None:
    table = play(rat("VC"), *turn("shoot"))
    assert not any(move.verb.startswith(("ask", "answer")) for move in table.moves)
    assert table.view("rat").answers == ()


@pytest.mark.parametrize("most", [0, 1, 3])
def test_t4_max_questions(most: int) -> None:
    table = play(rat("VC", "VC", max_questions=most), "draw", *["ask vc", "answer no"], *["pass"] * 2)
    for again in (False, True):
        play(table, *["ask trap", "answer no"] * most)
        assert texts(table.legal()) == ["pass"]
        with pytest.raises(IllegalMove, match=f"may have {most} question"):
            table.play("ask safe")
        if not again:
            play(table, "pass", "shoot", "reveal", "draw", *["pass"] * 3)


def test_t5_max_turns() -> None:
    table = play(rat(max_turns=3), *turn("shoot") * 2)
    assert table.outcome is None
    assert play(table, *turn("search")).outcome == Outcome(None, "The game has stopped after 3 turns.")


def test_t5_a_goal_reached_in_the_last_turn_wins() -> None:
    table = rat("Tunnel", max_turns=1, tunnels_to_win=1)
    assert play(table, *turn("advance")).outcome == Outcome("rat", "The rat has accumulated 1 tunnel card.")


def test_t6_other_decks_and_targets() -> None:
    table = rat("Trap", "Tunnel", vc=10, traps=10, tunnels=20, casualties_to_win=2, tunnels_to_win=20)
    assert size(table, "deck") == 40
    play(table, *turn("advance") * 2)
    assert [(track.value, track.goal) for track in table.view("vc").tracks] == [(1, 20), (1, 2)]


def test_t7_the_manners_are_the_vcs_and_are_four() -> None:
    assert TunnelRat.manners is not None
    seat, promises = TunnelRat.manners
    rules = TunnelRat.printed.split("VC RULES\n")[1].split("\n\n")[0].strip().splitlines()
    assert (seat, len(promises)) == ("vc", len(rules))


def test_the_readings_in_force_are_told() -> None:
    options = TunnelRat.Options.make({})
    told = TunnelRat.readings(options)
    changes = {"casualty_card": "keep", "max_questions": 2, "max_turns": 3, "vc": 5, "casualties_to_win": 2}
    for name, value in changes.items():
        other = TunnelRat.readings(TunnelRat.Options.make({name: value}))
        assert sum(a != b for a, b in zip(told, other, strict=True)) == 1, name


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"tunnels": 4}, r"tunnels_to_win is 5, but the deck holds only 4 tunnel cards"),
        ({"tunnels_to_win": 9}, r"tunnels_to_win is 9, but the deck holds only 8 tunnel cards"),
        ({"vc": 0, "traps": 0}, r"vc is 0 and so is traps"),
        ({"casualty_card": "keep", "vc": 2, "traps": 2}, r"casualties_to_win is 5, .* 4 dangerous cards"),
        ({"vc": -1}, r"vc cannot be -1: .*0 to 60"),
        ({"vc": 61}, r"vc cannot be 61: .*0 to 60"),
        ({"max_turns": 0}, r"max_turns cannot be 0: .*1 to 100000"),
        ({"max_questions": -1}, r"max_questions cannot be -1: .*0 to 1000, or None"),
        ({"casualties_to_win": 0}, r"casualties_to_win cannot be 0: .*1 to 60"),
        ({"vc": "4"}, r"vc cannot be '4': .*whole number"),
        ({"vc": 4.0}, r"vc cannot be 4.0: .*whole number"),
        ({"vc": True}, r"vc cannot be True: .*whole number"),
        ({"traps": None}, r"traps cannot be None: .*whole number"),
        ({"casualty_card": "burn"}, r"casualty_card cannot be 'burn': .*'discard' or 'keep'"),
        ({"jokers": 2}, r"'jokers' is no option. There are: casualties_to_win, "),
    ],
)
def test_t6_impossible_options_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence):
        Table("tunnel-rat", **options)


def test_there_is_no_other_game() -> None:
    with pytest.raises(ValueError, match=r"There is no game called 'chess'. There are: tunnel-rat, cat-and-mouse."):
        Table("chess")
