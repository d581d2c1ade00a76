"""The files that a teacher takes home."""

from __future__ import annotations

import csv
import json
import re
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cmgames
from cmgames.engine.table import Table
from cmgames.rooms import export
from cmgames.rooms.export import Names
from cmgames.rooms.results import ClassResults
from tests.games.playthroughs import CASES, choose
from tests.test_third_game import kuhn_poker

from .classroom import Classroom, small_class

__all__ = ["kuhn_poker"]

PAGE = Path(__file__).parents[2] / "docs" / "class-data.md"
SEAT = ["seat_1", "kind_1", "player_1", "name_1", "seat_2", "kind_2", "player_2", "name_2"]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Classroom:
    return small_class(tmp_path, monkeypatch)


def read(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff")
    assert text.count("\r\n") == text.count("\n")
    return list(csv.DictReader(StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))


def files(results: ClassResults, names: Names) -> dict[str, str]:
    with ZipFile(BytesIO(export.records_zip(results, names))) as pack:
        assert pack.testzip() is None
        return {name: pack.read(name).decode() for name in pack.namelist()}


def test_a_row_of_a_game_says_all_of_it(made: Classroom) -> None:
    rows = read(export.games_csv(made.results(), Names()))
    assert list(rows[2].values()) == [
        *("3", "rat", "person", "2", "Ben", "vc", "person", "1", "Ana", "2", "no", "no", "17.00", "15.00"),
        *("played out", "rat", "The rat has accumulated 1 tunnel card.", "2", "15", "0", "13", "1", "1", "0"),
        "records/table-3.json",
    ]
    assert [row["ending"] for row in rows] == ["played out"] * 4 + ["ended early", "in play"]
    assert [row["record"] for row in rows[3:]] == ["records/table-4.json", "", ""]
    assert [rows[3][column] for column in SEAT[:4]] == ["rat", "computer", "reader", ""]
    assert rows[4]["reason"] == "Dan was gone, and the game was ended."
    assert rows[5]["undone"] == "1"


def test_a_row_of_a_move_says_all_of_it(made: Classroom) -> None:
    rows = [row for row in read(export.moves_csv(made.results(), Names())) if row["table"] == "1"]
    assert [row["move"] for row in rows] == [
        *("draw", "deal VC", "ask vc", "answer no after 2.50 s", "pass", "pass", "pass", "advance", "reveal"),
        "casualty VC",
    ]
    assert list(rows[3].values()) == [
        *("1", "4", "3", "1", "VC Phase", "vc", "2", "person", "answer no", "", "answer no after 2.50 s"),
        *("ask vc", "", "VC", "2.50", "", "3.00", "no"),
    ]
    assert (rows[7]["guessed"], rows[7]["spot"], rows[7]["player"]) == ("Tunnel", "VC", "1")
    assert (rows[1]["seat"], rows[1]["player"], rows[1]["how"], rows[1]["cards"]) == ("chance", "", "chance", "VC")


def test_what_was_taken_back_stays_and_says_so(made: Classroom) -> None:
    rows = [row for row in read(export.moves_csv(made.results(), Names())) if row["table"] == "6"]
    assert [(row["ply"], row["move"], row["undone"]) for row in rows[-3:]] == [
        ("6", "shoot", "yes"),
        ("", "undo", "no"),
        ("6", "search", "no"),
    ]


@pytest.mark.parametrize("game", ["tunnel-rat", "cat-and-mouse"])
def test_the_rows_replay_to_the_records(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Classroom(tmp_path, monkeypatch, game=game, options={})
    for seed in [seed for name, seed, options in CASES.values() if name == game and not options]:
        room = made.open(0, 1, seed=seed)
        while room.table.seat is not None:
            made.play(room, str(choose(room.table, seed + 1)))
            if len(room.table.moves) % 3 == 0 and (seat := room.table.mover(len(room.table.moves) - 1)) != "chance":
                made.play(room, f"undo {seat}")
                made.play(room, str(room.table.legal()[-1]))
    packed = files(made.results(), Names())
    moves = read(packed["moves.csv"])
    for row in read(packed["games.csv"]):
        record = json.loads(packed[row["record"]])
        own = [move for move in moves if move["table"] == row["table"] and move["undone"] == "no" and move["ply"]]
        assert [move["move"] for move in own] == record["moves"]
        assert [int(move["ply"]) for move in own] == list(range(len(own)))
        table = Table(game, seed=int(record["seed"]), salt=record["salt"], **record["options"])
        for move in own:
            if move["seat"] != "chance":
                table.play(move["move"])
        assert table.record(record["players"]).to_dict() == record
        assert record["players"] == {row["seat_1"]: row["name_1"], row["seat_2"]: row["name_2"]}


def test_records_of_games_that_were_not_played_out_come_at_the_close(made: Classroom) -> None:
    records = [name for name in files(made.results(), Names()) if name.startswith("records/")]
    assert records == [f"records/table-{number}.json" for number in (1, 2, 3, 4)]
    made.of.close()
    packed = files(made.results(), Names())
    assert [name for name in packed if name.startswith("records/")] == [
        f"records/table-{number}.json" for number in range(1, 7)
    ]
    assert set(packed) - set(records) >= {"README.txt", "games.csv", "moves.csv"}
    assert Table.from_record(packed["records/table-6.json"]).outcome is None
    assert cmgames.Record.load(packed["records/table-6.json"]).players == {"rat": "Cleo", "vc": "Ana"}


NAMES = ("Annegret Zoe", "Xaver-Böll", "=Quirin", "Wenzeslaus9")


def test_no_name_and_no_token_is_in_an_anonymous_zip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Classroom(tmp_path, monkeypatch, NAMES)
    made.play(made.open(0, 1), "draw").end("Annegret Zoe was gone, and the game was ended.")
    made.play(made.open(2, 3, deals=("VC",)), *["draw", "pass", "pass", "pass", "pass", "advance", "reveal"])
    made.of.close()
    results, names = made.results(), Names(anonymous=True)
    packed = export.records_zip(results, names)
    everything = packed.decode("latin-1") + "".join(files(results, names).values())
    named = "".join(files(results, Names()).values())
    for name in NAMES:
        assert name not in everything
        assert name in named
    hashes = [str(row[0]) for row in made.database.read(lambda c: c.exec_driver_sql("SELECT token FROM guests").all())]
    for secret in (*made.tokens, *hashes):
        assert secret not in everything + named


def test_numbers_drawn_by_lot_are_the_same_in_one_export_and_say_nothing_of_the_order(made: Classroom) -> None:
    results, names = made.results(), Names(anonymous=True)
    packed = files(results, names)
    games, moves = read(packed["games.csv"]), read(packed["moves.csv"])
    numbers = {row[f"player_{at}"] for row in games for at in (1, 2) if row[f"kind_{at}"] == "person"}
    assert len(numbers) == 4
    assert not numbers & {"1", "2", "3", "4"}
    assert {row["player"] for row in moves} == numbers | {"", "reader"}
    players = json.loads(packed["records/table-1.json"])["players"]
    assert players == {"rat": f"Student {games[0]['player_1']}", "vc": f"Student {games[0]['player_2']}"}
    assert {row["name_1"] + row["name_2"] for row in games} == {""}
    assert [row["reason"] for row in games if row["ending"] == "ended early"] == [""]
    orders = set()
    for _ in range(60):
        names = Names(anonymous=True)
        drawn = {who.number: names.number(who) for game in results.games for who in game.who.values() if who.guest}
        orders.add(tuple(sorted(drawn, key=drawn.__getitem__)))
    assert len(orders) > 12, "some of the 24 orders come again and again"


def test_a_name_is_no_formula(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evil = ("=HYPERLINK(1)", "+1+1", "-2,3", '@SUM("A1")')
    made = Classroom(tmp_path, monkeypatch, evil)
    made.open(0, 1)
    made.open(2, 3)
    rows = read(export.games_csv(made.results(), Names()))
    assert [row[f"name_{at}"] for row in rows for at in (1, 2)] == [f"'{name}" for name in evil]


@given(st.text(), st.sampled_from(["", *export.FORMULA]))
def test_no_cell_begins_like_a_formula_and_none_loses_a_letter(text: str, start: str) -> None:
    made = export.cell(start + text)
    assert not made.startswith(export.FORMULA)
    assert made.removeprefix("'") == (start + text).removeprefix("'")


def documented(heading: str) -> dict[str, str]:
    """The columns of a table of the page, and what it says of them."""
    part = PAGE.read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", part, re.MULTILINE))


def test_the_page_documents_each_column_as_it_is(made: Classroom) -> None:
    seats = {f"{name}_{at}": line for at in (1, 2) for name, line in export.SEAT_COLUMNS.items()}
    first, *_ = export.GAME_COLUMNS
    expected = {first: export.GAME_COLUMNS[first]} | seats | export.GAME_COLUMNS
    assert list(documented("games.csv").items()) == list(expected.items())
    assert list(documented("moves.csv").items()) == list(export.MOVE_COLUMNS.items())
    assert list(documented("answers.csv").items()) == list(export.ANSWER_COLUMNS.items())
    results = made.results()
    assert tuple(expected) == export.game_columns(results.rules)
    assert list(read(export.games_csv(results, Names()))[0]) == list(expected)
    assert list(read(export.moves_csv(results, Names()))[0]) == list(export.MOVE_COLUMNS)


def test_a_third_game_is_taken_home(kuhn_poker: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Classroom(tmp_path, monkeypatch, game="kuhn-poker", options={})
    made.play(made.open(0, 1, deals=("King", "Jack")), "bet", "call")
    packed = files(made.results(), Names())
    assert [row["move"] for row in read(packed["moves.csv"])] == ["deal King", "deal Jack", "bet", "call"]
    assert read(packed["games.csv"])[0]["winner"] == "first"
    assert Table.from_record(packed["records/table-1.json"]).outcome is not None
