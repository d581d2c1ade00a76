"""The tells follow the model that docs/players.md tells students, and the reader reads it right."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import exp, inf, sqrt
from pathlib import Path
from statistics import fmean, pvariance

import pytest

from cmgames.bots import find, play
from cmgames.bots.tunnel_rat import posterior
from cmgames.engine.moves import FACES, Move, Tell
from cmgames.engine.table import Table

DRAWS = 20_000
SCALE = {"safe": 0.35, "dangerous": 0.50, "steady": 0.45}
MODEL = {"safe": (0.65, 0.25, 0.10), "dangerous": (0.50, 0.30, 0.20), "steady": (1.0, 0.0, 0.0)}


def _asked(card: str) -> Table:
    """A table at which the VC holds this card and has been asked."""
    table = Table("tunnel-rat", seed=1, deals=[card])
    table.play("draw")
    table.play("ask vc")
    return table


def _tells(name: str, card: str) -> list[Tell]:
    table, player, chance = _asked(card), find("tunnel-rat", "vc", name), random.Random(5)
    view, legal = table.view("vc"), table.legal()
    tells = [player.choose(view, legal, chance).tell for _ in range(DRAWS)]
    return [tell for tell in tells if tell is not None]


def _mixture(fakes: float, sort: str) -> Callable[[float], float]:
    """The distribution function of the delay: 0.6 s + Gamma(2), sometimes of the other sort of card."""

    def gamma(seconds: float, scale: float) -> float:
        x = max(seconds - 0.6, 0) / scale
        return 1 - (1 + x) * exp(-x)

    other = {"safe": "dangerous", "dangerous": "safe", "steady": "steady"}[sort]
    return lambda seconds: (1 - fakes) * gamma(seconds, SCALE[sort]) + fakes * gamma(seconds, SCALE[other])


@pytest.mark.parametrize(
    ("name", "card", "sort", "fakes"),
    [
        ("nervous", "Tunnel", "safe", 0),
        ("nervous", "VC", "dangerous", 0),
        ("nervous", "Trap", "dangerous", 0),
        ("actor", "Tunnel", "safe", 1 / 3),
        ("actor", "Trap", "dangerous", 1 / 3),
        ("steady", "Tunnel", "steady", 0),
    ],
)
def test_delays_and_faces_follow_the_documented_model(name: str, card: str, sort: str, fakes: float) -> None:
    tells = _tells(name, card)
    seconds = sorted(tell.seconds for tell in tells if tell.seconds is not None)
    assert len(seconds) == DRAWS
    assert seconds == [round(second, 2) for second in seconds]
    assert seconds[0] >= 0.6
    assert seconds[DRAWS * 9 // 10] < 3
    expected = _mixture(fakes, sort)
    furthest = max(abs(expected(second) - place / DRAWS) for place, second in enumerate(seconds))
    assert furthest < 1.95 / sqrt(DRAWS) + 0.006  # Kolmogorov-Smirnov at 0.1 %, and the rounding to hundredths

    other = {"safe": "dangerous", "dangerous": "safe", "steady": "steady"}[sort]
    chi_square = 0.0
    for face, own, faked in zip(FACES, MODEL[sort], MODEL[other], strict=True):
        share = (1 - fakes) * own + fakes * faked
        seen = sum(tell.face == face for tell in tells)
        chi_square += (seen - share * DRAWS) ** 2 / (share * DRAWS) if share else (inf if seen else 0)
    assert chi_square < 13.8  # 0.1 %, two degrees of freedom


@pytest.mark.parametrize(("card", "scale"), [("Tunnel", 0.35), ("VC", 0.50)])
def test_moments_of_the_nervous_delay(card: str, scale: float) -> None:
    seconds = [tell.seconds or 0 for tell in _tells("nervous", card)]
    assert fmean(seconds) == pytest.approx(0.6 + 2 * scale, abs=4 * scale * sqrt(2 / DRAWS))
    assert pvariance(seconds) == pytest.approx(2 * scale**2, rel=0.06)


def test_the_poker_face_is_the_same_over_every_card() -> None:
    assert _tells("steady", "Tunnel") == _tells("steady", "VC") == _tells("steady", "Trap")


def test_the_document_gives_these_numbers() -> None:
    text = (Path(__file__).parents[2] / "docs/players.md").read_text(encoding="utf-8")
    for sort, faces in MODEL.items():
        row = f"| {sort} | {SCALE[sort]:.2f} s | {0.6 + 2 * SCALE[sort]:.1f} s | "
        assert row + " | ".join(f"{share:.2f}" if 0 < share < 1 else f"{share:.0f}" for share in faces) + " |" in text


def _pdf(seconds: float, scale: float) -> float:
    x = (seconds - 0.6) / scale
    return x * exp(-x) / scale


@pytest.mark.parametrize(
    ("tell", "danger", "safe"),
    [
        (None, 1, 1),
        (Tell(face="sweating"), 0.20, 0.10),
        (Tell(1.6), _pdf(1.6, 0.50), _pdf(1.6, 0.35)),
        (Tell(0.9, "calm"), _pdf(0.9, 0.50) * 0.50, _pdf(0.9, 0.35) * 0.65),
        (Tell(3000), _pdf(6, 0.50), _pdf(6, 0.35)),
    ],
)
def test_the_reader_multiplies_counts_and_likelihoods(tell: Tell | None, danger: float, safe: float) -> None:
    table = _asked("VC")
    table.play(Move("answer no", tell=tell))
    odds = posterior(table.view("rat"))
    total = 8 * danger + 8 * safe
    assert odds == pytest.approx({"VC": 4 * danger / total, "Trap": 4 * danger / total, "Tunnel": 8 * safe / total})


def test_what_the_reader_thinks_of_a_nervous_vc_comes_true_as_often_as_it_thinks() -> None:
    """Calibration: in each tenth of its belief, as many tunnels as it expects, within four standard deviations."""
    vc, reader = find("tunnel-rat", "vc", "nervous"), find("tunnel-rat", "rat", "reader")
    expected, seen, variance = [0.0] * 10, [0] * 10, [0.0] * 10
    for seed in range(200):
        table = Table("tunnel-rat", seed=seed)
        while table.outcome is None:
            play(table, {"vc": vc})
            if table.phase == "Action Phase":
                belief = posterior(table.view("rat"))["Tunnel"]
                tenth = min(int(10 * belief), 9)
                expected[tenth] += belief
                variance[tenth] += belief * (1 - belief)
                seen[tenth] += table.view("vc").pile("card").cards == ("Tunnel",)
            if table.seat == "rat":
                table.play(reader.choose(table.view("rat"), table.legal(), table.random()))
    assert sum(expected) > 500
    for tenth in range(10):
        assert abs(seen[tenth] - expected[tenth]) <= 4 * sqrt(variance[tenth]) + 1
