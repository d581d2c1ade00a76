"""The page of a class's results, and its pictures."""

from __future__ import annotations

import base64
import re
import time
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from cmgames.bots import find
from cmgames.odds import tunnel_rat
from cmgames.rooms.counts import Group, Length, Place, Wins
from cmgames.rooms.rooms import Rooms
from cmgames.ui import pictures
from cmgames.ui.odds import percent
from cmgames.ui.pages import Home
from cmgames.ui.results_page import PACE, Results
from cmgames.ui.screen import Screen
from cmgames.ui.session import Refusal, Session
from cmgames.ui.sitting import Sitting
from tests.rooms.classroom import Classroom, small_class, turn
from tests.test_third_game import kuhn_poker

from .person import Person

__all__ = ["kuhn_poker"]

NAMES = ("Ana", "Ben", "Cleo", "Dan")
LIMIT = 60_000


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Classroom:
    return small_class(tmp_path, monkeypatch)


def teacher(made: Classroom) -> Person:
    """A teacher who looks at the results."""
    session = Session(rooms=Rooms(made.database), teacher=True)
    session.turn(Results(session, made.of, Home(session)))
    return Person(session)


def words(screen: Screen) -> str:
    return str(screen.to_dict())


def images(screen: Screen) -> dict[str, str]:
    """The pictures by the heading above them: what they show in words."""
    blocks = screen.text
    return {blocks[at - 1].text: block.text for at, block in enumerate(blocks) if block.kind == "img"}


def test_the_page_shows_the_pictures_in_words_too(made: Classroom) -> None:
    screen = teacher(made).screen
    assert screen.page == "board"
    assert screen.text[0].text.startswith(
        "3 games played out, 1 ended early, 1 in play. "
        "Apart from these, 1 game against the computer until a partner came."
    )
    assert images(screen) == {
        "Wins by seat": "Between people, with 95 % intervals: the rat won 2 of 3: 67 % (21 to 94); "
        "the VC won 1 of 3: 33 % (6 to 79). The VC against the computer, until a partner came, with 95 % intervals: "
        "the rat won 0 of 1: 0 % (0 to 79); the VC won 1 of 1: 100 % (21 to 100).",
        "Length of the games": "The lengths of 3 games: turns from 1 to 2, median 1; moves from 8 to 15, median 9. "
        "Games by their turns (games × turns): 2 × 1, 1 × 2.",
        "The rat's chance to win, turn by turn": "All games, 3 tables: the average chance to win turn by turn, in %: "
        "50, 51, 67.",
        "What was guessed, and what was there": "The card: 2 of 4 guesses right; Trap guessed, Trap there: 1; "
        "Trap guessed, Tunnel there: 1; Tunnel guessed, VC there: 1; Tunnel guessed, Tunnel there: 1.",
        "How long the answers took": "By the card that lay there, VC: 2 answers, median 2.8 s, each: 2.5, 3.0 s. "
        "By the card that lay there, Tunnel: 2 answers, median 1.2 s, each: 1.0, 1.5 s. "
        "By the question, Is it a VC?: 3 answers, median 2.5 s, each: 1.0, 2.5, 3.0 s. "
        "By the question, Is it a Trap?: 1 answer, median 1.5 s, each: 1.5 s.",
    }


def test_skill_and_luck_stand_beside_the_theory(made: Classroom) -> None:
    """One tunnel or one casualty: who names a danger first, when half of the cards are tunnels, gives chances away."""
    person = teacher(made)
    (theory,) = (block.text for block in person.screen.text if block.text.startswith("In theory"))
    best = percent(tunnel_rat.solve(casualties_to_win=1, tunnels_to_win=1).value)
    assert f"with best play {best}, if he always advances 50" in theory
    choices = person.screen.grids["choices"]
    assert [row.cells[:2] for row in choices.rows.values()] == [("1", "Ana"), ("2", "Cleo"), ("3", "Ben")]
    first, *_, last = choices.rows.values()
    assert first.cells[3] == "nothing"
    assert last.cells[5] == "turn 1: Search; Advance was better"
    person.send(last.send or {})
    assert person.screen.turn == 1
    assert person.screen.who.startswith("Looking back")


def test_the_grid_lists_each_game_and_opens_it(made: Classroom) -> None:
    person = teacher(made)
    grid = person.screen.grids["games"]
    assert grid.columns == ("Table", "The rat", "The VC", "Round", "How it ended", "Turns", "Moves")
    assert [row.cells for row in grid.rows.values()][2:5] == [
        ("3", "Ben", "Ana", "2", "The rat wins. The rat has accumulated 1 tunnel card.", "2", "15"),
        ("4", "computer (reader)", "Cleo", "meanwhile", "The VC wins. The VC has inflicted 1 casualty.", "1", "8"),
        ("5", "Dan", "Cleo", "2", "ended early: Dan was gone, and the game was ended.", "1", "1"),
    ]
    for row in grid.rows.values():
        assert row.send is not None
        person.send(row.send)
        assert isinstance(person.session.page, Sitting)
        assert person.screen.result or person.screen.rows["card"].cards
        person.press("Back")
        assert isinstance(person.session.page, Results)
    person.send({"do": "open", "room": 999})
    assert person.screen.notice is not None
    assert person.screen.notice.text == "That is no table of this class."


def test_with_anonymous_no_name_is_on_the_page_nor_at_its_tables_nor_in_its_files(made: Classroom) -> None:
    person = teacher(made)
    assert all(name in words(person.screen) for name in NAMES)
    person.send({**person.screen.fields["anonymous"].send, "value": "true"})
    shown = [person.screen]
    for row in person.screen.grids["games"].rows.values():
        shown += [person.send(row.send or {}), person.press("Back")]
    for label in ("Save the games", "Save the moves"):
        shown.append(person.press(label))
        assert person.screen.save is not None
    assert not any(name in words(screen) for screen in shown for name in NAMES)
    number = shown[0].grids["games"].rows["room 1"].cells[1].removeprefix("Student ")
    assert sum(f",{number}," in words(screen) for screen in shown) == 2
    person.send({**person.screen.fields["anonymous"].send, "value": "false"})
    assert "Ana" in words(person.screen)


def test_everything_is_saved_as_a_zip(made: Classroom) -> None:
    person = teacher(made)
    person.press("Save everything")
    save = person.screen.save
    assert save is not None
    assert (save.name[:12], save.name[-4:], save.base64) == (f"class-{made.of.code}-", ".zip", True)
    with ZipFile(BytesIO(base64.b64decode(save.text))) as pack:
        assert len(pack.namelist()) == 7
    person.send({"do": "save", "what": "tokens"})
    assert person.screen.save is None


def test_the_page_changes_at_most_every_five_seconds_and_draws_only_what_is_new(
    made: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    person = teacher(made)
    page = person.session.page
    drawn: list[str] = []
    for name in ("wins", "lengths", "guesses", "answers"):
        draw = getattr(pictures, name)
        monkeypatch.setattr(pictures, name, lambda *data, name=name, draw=draw: drawn.append(name) or draw(*data))
    made.play(made.open(0, 1, deals=("VC",)), *turn("shoot"))
    assert page.news() is None
    now += PACE
    assert page.news() is page
    person.send({"do": "large"})
    assert drawn == ["guesses"], "a VC guessed right ends no game: nothing else has changed"
    now += PACE
    assert page.news() is None
    assert person.session.topics() == (f"class_{made.of.id}",)


def test_one_deal_is_a_grid_whose_rows_open_the_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Classroom(tmp_path, monkeypatch, NAMES)
    for seats, script in (((0, 1), turn("advance", "answer no")), ((2, 3), turn("shoot"))):
        made.play(made.open(*seats, same_deal=True), *script)
    person = teacher(made)
    grid = person.screen.grids["deal 1"]
    assert grid.title == "One deal, 2 tables: where they parted in round 1"
    (row,) = grid.rows.values()
    assert row.cells == ("2", "1", "The rat", "2", "1 × Is it a VC?; 1 × No question: go on", "all the same")
    person.send(row.send or {})
    assert person.screen.who.startswith("Looking back: move 2 of")
    assert (person.screen.turn, person.screen.phases["VC Phase"].state) == (1, "now")


def test_one_deal_says_what_each_guess_cost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The costs are those of the solution before the first card."""
    made = Classroom(tmp_path, monkeypatch, NAMES)
    for seats, guess in (((0, 1), "search"), ((2, 3), "advance")):
        made.play(made.open(*seats, same_deal=True), *turn(guess)[:-1])
    (row,) = teacher(made).screen.grids["deal 1"].rows.values()
    lost = tunnel_rat.solve(exact=False, **made.of.options).regret(tunnel_rat.Position((4, 4, 8)), "search")
    assert row.cells[4] == f"1 × Search (trap): costs {percent(lost)}; 1 × Advance (tunnel): the best"


def test_the_page_is_for_teachers(made: Classroom) -> None:
    session = Session(rooms=Rooms(made.database))
    with pytest.raises(Refusal, match="for teachers"):
        Results(session, made.of, Home(session))


def test_a_class_without_games_has_a_page_without_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = teacher(Classroom(tmp_path, monkeypatch)).screen
    assert images(screen) == {}
    assert screen.grids["games"].empty == "There is none yet."


def test_a_third_game_has_a_page(kuhn_poker: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Classroom(tmp_path, monkeypatch, NAMES, "kuhn-poker", {})
    made.play(made.open(0, 1, deals=("King", "Jack"), same_deal=True), "bet", "call")
    made.play(made.open(2, 3, deals=("King", "Jack"), same_deal=True), "check", "check")
    person = teacher(made)
    assert list(images(person.screen)) == ["Wins by seat", "Length of the games"]
    assert person.screen.grids["deal 1"].rows["fork 0"].cells[4] == "1 × Bet a coin; 1 × Check"
    person.send(person.screen.grids["games"].rows["room 1"].send or {})
    assert person.screen.result.startswith("The first player wins.")


def picture(made: pictures.Picture) -> Image.Image:
    assert len(made.src) < LIMIT
    head, _, data = made.src.partition(",")
    assert head == "data:image/png;base64"
    return Image.open(BytesIO(base64.b64decode(data)))


def test_the_pictures_of_a_large_class_are_small_files(made: Classroom) -> None:
    import cmgames

    mouse = cmgames.Table("cat-and-mouse").game
    groups = [
        Group(("terrorist", "us"), False),
        Group(("us",), False),
        Group(("terrorist",), True),
        Group(("us",), True),
    ]
    won = [Wins(group, seat, 3, 100) for group in groups for seat in mouse.seats]
    assert picture(pictures.wins(mouse, won)).width == 1500
    picture(pictures.lengths([Length(n, 5 + n % 97, 40 + n * n % 301) for n in range(600)]))
    suits = {kind.suit for kind in mouse.catalogue.kinds[:12]}
    names = [tuple(kind.name for kind in mouse.catalogue.kinds if kind.suit == suit) for suit in sorted(suits)]
    places = [Place(of_suit, tuple((17, 123, 4, 99) for _ in of_suit)) for of_suit in names]
    picture(pictures.guesses(mouse, places))
    seconds = [0.6 + (n * 0.618034 % 1) ** 4 * 9 for n in range(2000)]
    lines = {name: [*seconds, 600.0] for name in ("VC", "Trap", "Tunnel")}
    picture(pictures.answers({"By the card that lay there": lines, "By the question": lines}))


def test_a_picture_of_one_game_and_of_one_answer_can_be_drawn() -> None:
    picture(pictures.lengths([Length(1, 4, 20)]))
    picture(pictures.answers({"By the card that lay there": {"VC": [0.0]}}))


def test_pictures_leave_matplotlib_as_it_was(made: Classroom) -> None:
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    pictures.lengths([Length(1, 4, 20), Length(2, 6, 30)])
    assert dict(mpl.rcParams) == before


@given(st.tuples(*[st.floats(0, 1)] * 3))
def test_numbers_on_a_field_can_be_read(colour: tuple[float, float, float]) -> None:
    def luminance(rgb: tuple[float, ...]) -> float:
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    ink = {"black": 0.0, "white": 1.0}[pictures.ink_on(colour)]
    light, dark = sorted((ink, luminance(colour)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


@given(st.lists(st.floats(0, 20), min_size=1, max_size=200).map(sorted))
def test_points_that_would_lie_on_each_other_lie_side_by_side(values: list[float]) -> None:
    offsets = pictures.swarm(values, 0.25)
    assert len(offsets) == len(values)
    assert all(abs(offset) <= pictures.WIDTH / 2 for offset in offsets)
    places = [(int(value / 0.25), round(offset, 9)) for value, offset in zip(values, offsets, strict=True)]
    assert len(set(places)) == len(places)


def test_the_games_of_a_class_of_cat_and_mouse_are_looked_at_when_the_teacher_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tables with the same cards: at one the Terrorist plays as the master does, at the other at random."""
    made = Classroom(tmp_path, monkeypatch, game="cat-and-mouse", options={"kinds": 2, "secrecy": 4})
    rooms = [made.open(0, 1, same_deal=True), made.open(2, "hunter", same_deal=True)]
    for room, player in zip(rooms, ("master", "random"), strict=True):
        players = {"terrorist": find(made.of.game, "terrorist", player), "us": find(made.of.game, "us", "hunter")}
        while room.table.seat:
            seat = room.table.seat
            move = players[seat].choose(room.table.view(seat), room.table.legal(), room.table.random())
            made.play(room, str(move))
    person = teacher(made)
    assert person.screen.grids["choices"].rows == {}
    assert not any("chance to win" in heading for heading in images(person.screen))
    person.press("Look at what the choices cost (3 reviews)")
    while person.screen.tick is not None:
        person.send(person.screen.tick.send)
    assert "review" not in person.screen.moves
    rows = {row.cells[1]: row for row in person.screen.grids["choices"].rows.values()}
    assert set(rows) == {"Ana, the Terrorist", "Ben, US Security", "Cleo, the Terrorist"}
    assert rows["Ana, the Terrorist"].cells[3] == "nothing", "the master is not seen to lose anything"
    assert re.fullmatch(r"\d+\s% \(\d+\sto\s\d+\)", rows["Cleo, the Terrorist"].cells[3])
    drawn = {heading: text for heading, text in images(person.screen).items() if "chance to win" in heading}
    assert drawn["The Terrorist's chance to win, turn by turn"].startswith("Round 1, the same cards, 2 tables")
    assert drawn["US Security's chance to win, turn by turn"].startswith("Round 1, the same cards, 1 table:")
    (fork, *_) = person.screen.grids["deal 1"].rows.values()
    person.send(fork.send or {})
    assert isinstance(person.session.page, Sitting)
