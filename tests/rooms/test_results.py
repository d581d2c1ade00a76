"""What a class's games come to: exact numbers from games made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import cmgames
from cmgames.engine.moves import Move
from cmgames.rooms import counts, results, same_deal
from cmgames.rooms.counts import Answer, Group, Guess, Length, Place, Wins
from cmgames.rooms.faults import Refused
from cmgames.rooms.same_deal import Fork
from tests.games.playthroughs import CASES, choose
from tests.test_third_game import kuhn_poker

from .classroom import Classroom, small_class, turn

__all__ = ["kuhn_poker"]

KINDS = (("Tunnel", "VC", "Trap"),)
PEOPLE = Group(("rat", "vc"), False)
MEANWHILE = Group(("vc",), True)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Classroom:
    return small_class(tmp_path, monkeypatch)


def test_wins_are_counted_by_seat_and_games_of_the_meantime_apart(made: Classroom) -> None:
    won = counts.wins(made.results().games)
    assert won == (
        Wins(PEOPLE, "rat", 2, 3),
        Wins(PEOPLE, "vc", 1, 3),
        Wins(MEANWHILE, "rat", 0, 1),
        Wins(MEANWHILE, "vc", 1, 1),
    )
    assert won[0].interval == pytest.approx((0.2077, 0.9385), abs=1e-4)
    assert won[3].interval == pytest.approx((0.2065, 1.0), abs=1e-4)


def test_games_that_were_not_played_out_are_counted_apart(made: Classroom) -> None:
    games = made.results().games
    assert counts.endings(games) == {"played out": 3, "ended early": 1, "in play": 1}
    assert counts.endings(games, meanwhile=True) == {"played out": 1, "ended early": 0, "in play": 0}
    assert [game.broken_off for game in games if game.ending == "ended early"] == [
        "Dan was gone, and the game was ended."
    ]


def test_the_length_of_a_game_is_that_of_its_seats_moves(made: Classroom) -> None:
    assert counts.lengths(made.results().games) == (Length(1, 1, 8), Length(2, 1, 9), Length(3, 2, 15))


def test_a_guess_is_the_persons_own_and_not_one_that_was_taken_back(made: Classroom) -> None:
    guessed = counts.guesses(made.results().games)
    assert guessed == (
        Guess(1, ("Tunnel",), ("VC",), KINDS),
        Guess(2, ("Tunnel",), ("Tunnel",), KINDS),
        Guess(3, ("Trap",), ("Trap",), KINDS),
        Guess(6, ("Trap",), ("Tunnel",), KINDS),
    )
    (place,) = counts.places(made.results().rules, guessed)
    assert place == Place(("VC", "Trap", "Tunnel"), ((0, 0, 0), (0, 1, 1), (1, 0, 1)))
    assert (place.right, place.all) == (2, 4)


def test_answer_times_are_those_of_people_by_the_card_that_lay_there(made: Classroom) -> None:
    loaded = made.results()
    given = counts.answers(loaded.games)
    assert given == (
        Answer(1, ("VC",), "ask vc", 2.5),
        Answer(2, ("Tunnel",), "ask vc", 1.0),
        Answer(2, ("Tunnel",), "ask trap", 1.5),
        Answer(4, ("VC",), "ask vc", 3.0),
    )
    assert counts.by_card(loaded.rules, given) == {("VC",): (2.5, 3.0), ("Tunnel",): (1.0, 1.5)}
    assert counts.by_question(loaded.rules, given) == {"ask vc": (2.5, 1.0, 3.0), "ask trap": (1.5,)}


def test_each_step_says_who_made_it_and_when_and_what_was_taken_back_stays(made: Classroom) -> None:
    undone = made.results().games[5]
    assert [(step.ply, str(step.move), step.undone) for step in undone.made[-3:]] == [
        (6, "shoot", True),
        (None, "undo", False),
        (6, "search", False),
    ]
    assert [step.seconds for step in undone.made[-3:]] == [6.0, 7.0, 8.0]
    assert [str(step.move) for step in undone.made if not step.undone and step.ply is not None] == list(
        map(str, undone.table.moves)
    )
    third = made.results().games[2]
    assert {step.how for step in third.made} == {"person", "computer", "clock", "chance"}


def test_both_kinds_of_database_give_these_results(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = small_class(url, monkeypatch)
    loaded = made.results()
    assert [one.wins for one in counts.wins(loaded.games)] == [2, 1, 0, 1]
    assert len(counts.guesses(loaded.games)) == len(counts.answers(loaded.games)) == 4
    assert results.load(made.database, made.of.id, loaded).stamp == loaded.stamp
    made.database.close()


def test_only_what_has_changed_is_played_again(made: Classroom) -> None:
    before = made.results()
    again = results.load(made.database, made.of.id, before)
    assert again.stamp == before.stamp
    assert all(one.table is other.table for one, other in zip(before.games, again.games, strict=True))
    made.of.close()
    closed = results.load(made.database, made.of.id, again)
    assert closed.stamp != before.stamp
    assert [one.table is other.table for one, other in zip(before.games, closed.games, strict=True)] == [True] * 5 + [
        False
    ]
    assert closed.games[5].ending == "ended early"


def test_a_game_that_cannot_be_played_again_is_named_and_left_out(made: Classroom) -> None:
    made.database.write(
        lambda c: c.exec_driver_sql("UPDATE moves SET text = 'dance' WHERE room_id = 2 AND version = 3")
    )
    loaded = made.results()
    assert loaded.damaged == (2,)
    assert [game.number for game in loaded.games] == [1, 3, 4, 5, 6]


def test_a_deleted_class_has_no_results(made: Classroom) -> None:
    made.of.delete()
    with pytest.raises(Refused, match="not here any more"):
        made.results()


def test_one_deal_is_compared_as_long_as_the_tables_had_done_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Classroom(tmp_path, monkeypatch, "ABCDEFGHIJ")
    no = "answer no after 1.00 s"
    for at, script in enumerate((turn("advance", no), turn("shoot", no), turn("shoot"), turn("shoot", no, no))):
        made.play(made.open(2 * at, 2 * at + 1, same_deal=True), *script)
    made.play(made.open(8, 9, same_deal=True), "draw")
    made.open(0, 9, number=2, same_deal=True)
    deals = same_deal.deals(made.results().games)
    assert {number: [game.number for game in games] for number, games in deals.items()} == {1: [1, 2, 3, 4, 5]}
    ask, go_on = Move("ask vc"), Move("pass")
    assert same_deal.forks(deals[1]) == (
        Fork(2, 2, 1, "VC Phase", "rat", (), ((ask, (1, 2, 4)), (go_on, (3,)))),
        Fork(4, 4, 1, "Trap Phase", "rat", (ask,), ((go_on, (1, 2)), (Move("ask trap"), (4,)))),
        Fork(7, 7, 1, "Action Phase", "rat", (ask, go_on), ((Move("advance"), (1,)), (Move("shoot"), (2,)))),
    )


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_was_there_is_what_is_shown_afterwards(
    case: tuple[str, int, dict[str, object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, seed, options = case
    made = Classroom(tmp_path, monkeypatch, game=game, options=options)
    room = made.open(0, 1, seed=seed)
    while room.table.seat is not None:
        made.play(room, str(choose(room.table, seed + 1)))
    (played,) = made.results().games
    shows = ("keep", "casualty", "discard") if game == "tunnel-rat" else ("show",)
    guessed = counts.guesses([played])
    assert [guess.there for guess in guessed] == [step.move.cards for step in played.made if step.move.verb in shows]
    assert all(len(guess.choices) == len(guess.guessed) == len(guess.there) for guess in guessed)
    assert played.table.record() == room.table.record()


def test_a_cat_and_mouse_guess_is_counted_card_by_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Classroom(tmp_path, monkeypatch, game="cat-and-mouse", options={})
    for seed in range(58, 61):
        room = made.open(0, 1, seed=seed)
        while room.table.seat is not None:
            made.play(room, str(choose(room.table, seed + 1)))
    loaded = made.results()
    guessed = counts.guesses(loaded.games)
    assert guessed
    places = counts.places(loaded.rules, guessed)
    kinds = loaded.rules.catalogue.kinds
    assert [{kind.suit for kind in kinds if kind.name in place.names} for place in places] == [
        {"Attack"},
        {"Group"},
        {"Target"},
    ]
    assert [place.all for place in places] == [len(guessed)] * 3


def test_a_third_game_has_results(kuhn_poker: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Classroom(tmp_path, monkeypatch, game="kuhn-poker", options={})
    made.play(made.open(0, 1, deals=("King", "Jack"), same_deal=True), "bet", "call")
    made.play(made.open(2, 3, deals=("King", "Jack"), same_deal=True), "check", "check")
    loaded = made.results()
    assert [one.wins for one in counts.wins(loaded.games)] == [2, 0]
    assert counts.lengths(loaded.games) == (Length(1, 1, 2), Length(2, 1, 2))
    assert counts.guesses(loaded.games) == counts.answers(loaded.games) == ()
    assert counts.places(loaded.rules, ()) == ()
    (fork,) = same_deal.forks(same_deal.deals(loaded.games)[1])
    assert fork.choices == ((Move("bet"), (1,)), (Move("check"), (2,)))


@pytest.mark.parametrize("game", cmgames.GAMES)
def test_a_class_without_games_has_empty_results(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = Classroom(tmp_path, monkeypatch, game=game, options={}).results()
    assert counts.wins(loaded.games) == counts.lengths(loaded.games) == counts.guesses(loaded.games) == ()
    assert same_deal.deals(loaded.games) == {}
