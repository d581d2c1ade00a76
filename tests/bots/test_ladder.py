"""The ladder: the same from its seed whatever happens on the way, and rated as one rates by hand."""

from __future__ import annotations

from math import log10
from pathlib import Path

import pytest

from cmgames.bots import elo, ladder
from cmgames.bots.elo import Score, rate
from cmgames.bots.ladder import Pairing, Result, load, markdown, schedule, tournament
from cmgames.bots.match import match

SEED = 4


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the quickest games of the schedule."""
    monkeypatch.setattr(ladder, "schedule", lambda deals: [each for each in schedule(deals) if each.first == "random"])


def test_the_same_results_from_two_workers_and_after_an_interruption(tmp_path: Path) -> None:
    one, two, torn = (tmp_path / name for name in ("one", "two", "torn"))
    whole = list(tournament(2, SEED, one))
    assert list(tournament(2, SEED, two, workers=2)) == whole
    assert two.read_bytes() == one.read_bytes()
    torn.write_bytes(one.read_bytes()[:1000])
    assert 0 < len(load(torn, SEED)) < len(whole)
    assert list(tournament(2, SEED, torn)) == whole
    assert torn.read_bytes() == one.read_bytes()
    assert list(tournament(2, SEED, one)) == whole, "all is there"
    assert one.read_bytes() == two.read_bytes()


def test_all_pairs_meet_on_the_deals_of_a_match(tmp_path: Path) -> None:
    results = [each for each in tournament(6, SEED, tmp_path / "file") if each.pairing.second == "nervous"]
    assert [each.pairing for each in results] == [Pairing("tunnel-rat", deal, "random", "nervous") for deal in range(6)]
    assert sum(each.score.share for each in results) == match("tunnel-rat", "random", "nervous", 6, SEED).wins


def test_more_deals_go_on_in_the_same_file(tmp_path: Path) -> None:
    more, all_at_once = tmp_path / "more", tmp_path / "all"
    list(tournament(2, SEED, more))
    assert list(tournament(3, SEED, more))[-1] == list(tournament(3, SEED, all_at_once))[-1]
    assert sorted(more.read_bytes().splitlines()) == sorted(all_at_once.read_bytes().splitlines())


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    list(tournament(1, SEED, file))
    with pytest.raises(ValueError, match="of seed 4, not 5"):
        list(tournament(1, SEED + 1, file))
    for text in ("{}\n", "a letter", '{"seed":4,"winner":"rat"}\n'):
        file.write_text(text)
        with pytest.raises(ValueError, match="no results of a tournament"):
            tournament(1, SEED, file)
        assert file.read_text() == text


def _games(first: str, second: str, shares: list[float]) -> list[Score]:
    return [Score(deal, first, second, share) for deal, share in enumerate(shares)]


def test_the_ratings_of_a_case_computed_by_hand() -> None:
    """With one player across, each pairing is fitted exactly: 9.5 to 2.5 and 2.5 to 9.5 with the drawn games."""
    scores = _games("strong", "x", [1] * 9 + [0] * 2) + _games("weak", "x", [0] * 9 + [1] * 2)
    ratings = rate(scores)
    assert ratings.advantage.value == pytest.approx(0)
    assert ratings.first["strong"].value == pytest.approx(400 * log10(9.5 / 2.5))
    assert ratings.first["weak"].value == -ratings.first["strong"].value
    assert ratings.second["x"].value == 0
    assert rate([score._replace(share=0.5) for score in scores]).first["strong"].value == pytest.approx(0)


def test_the_interval_of_a_case_computed_by_hand() -> None:
    """One pairing of n games: the sandwich is n p (1 - p) / (n p (1 - p))**2, but for the drawn game."""
    advantage = rate(_games("a", "b", [1] * 300 + [0] * 100)).advantage
    half = 400 / 2.302585 * 1.959964 / (400 * 0.75 * 0.25) ** 0.5
    assert advantage.value == pytest.approx(400 * log10(3), abs=1)
    assert advantage.high - advantage.value == pytest.approx(half, rel=0.01)


def test_games_of_one_deal_count_as_one_observation() -> None:
    """Four times the same result of a deal is no news; four times as many deals are."""
    deals = [1.0, 0.0, 1.0, 1.0, 0.0] * 20
    copies = [Score(deal, f"{i}", f"{j}", share) for i in "ab" for j in "xy" for deal, share in enumerate(deals)]
    once, four = rate(_games("a", "x", deals)).advantage, rate(copies).advantage
    assert four.high - four.low == pytest.approx(once.high - once.low, rel=0.05)
    assert elo.rate(_games("a", "x", deals * 4)).advantage.high < once.high


def test_the_markdown_ranks_the_players_of_each_seat() -> None:
    def result(deal: int, first: str, winner: str | None) -> Result:
        return Result(SEED, Pairing("tunnel-rat", deal, first, "nervous"), winner)

    results = [result(deal, first, winner) for deal in range(8) for first, winner in (("a", "vc"), ("b", "rat"))]
    text = markdown([*results, result(8, "a", None), result(8, "b", None)])
    assert "### Tunnel Rat" in text
    assert "9 deals, 18 games, seed 4" in text
    assert text.index("| b | +") < text.index("| a | -")
