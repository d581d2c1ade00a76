"""The ways in, and the widget: one model, whatever is on the page."""

from __future__ import annotations

from typing import Any

import pytest
from ipywidgets.widgets.widget import _instances

import cmgames
from cmgames.ui.widget import GameWidget


def screen(widget: GameWidget) -> dict[str, Any]:
    shown: dict[str, Any] = widget.get_state()["screen"]
    return shown


def sent(widget: GameWidget, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    monkeypatch.setattr(widget, "send", lambda content, buffers=None: messages.append(content))
    return messages


def test_play_seats_a_person_and_an_opponent() -> None:
    widget = cmgames.play("cat-and-mouse", seat="us", opponent="collector", seed=1)
    assert screen(widget)["who"] == "Your move"
    assert screen(cmgames.play("tunnel-rat"))["page"] == "form"


def test_an_opponent_who_sits_on_the_persons_own_side_is_explained() -> None:
    shown = screen(cmgames.play("cat-and-mouse", seat="us", opponent="profiler"))
    assert shown["page"] == "form"
    assert "“profiler” does not play the Terrorist" in shown["notice"]["text"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cmgames.play("chess"), "There is no game called 'chess'"),
        (lambda: cmgames.play("tunnel-rat", seat="us"), "has no seat 'us'"),
        (lambda: cmgames.play("tunnel-rat", opponent="nobody"), "There are: steady, nervous, actor"),
        (lambda: cmgames.play("tunnel-rat", tunnels=3), "tunnels_to_win is 5"),
        (lambda: cmgames.watch("tunnel-rat", "reader", "actor", "x"), "has 2 seats, not 3"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_sentence(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        call()


def test_the_wire_is_a_patch_and_the_state_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    widget = cmgames.play("tunnel-rat", opponent="steady", seed=1)
    messages, first = sent(widget, monkeypatch), screen(widget)
    widget._handle_custom_msg({"do": "move", "move": "ask vc", "at": 1, "n": first["n"]}, [])
    assert messages[0]["base"] == first["n"]
    assert "title" not in messages[0]["patch"], "what has not changed is not sent"
    assert screen(widget)["n"] == messages[0]["patch"]["n"]
    widget._handle_custom_msg("rubbish", [])
    assert messages[1] == {"screen": screen(widget)}


def test_a_game_leaves_no_widget_behind() -> None:
    widget = cmgames.watch("cat-and-mouse", seed=1)
    before = len(_instances)
    for _ in range(2000):
        shown = screen(widget)
        send = shown["tick"]["send"] if "tick" in shown else shown["moves"]["again"]["send"]
        widget._handle_custom_msg({**send, "n": shown["n"]}, [])
    assert len(_instances) == before
