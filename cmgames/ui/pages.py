"""The pages around the table: home, rules, about, a record to open."""

from __future__ import annotations

from cmgames.bots.player import players
from cmgames.engine.game import AnyGame
from cmgames.engine.record import Record
from cmgames.engine.registry import GAMES
from cmgames.engine.table import Table
from cmgames.rooms.questions import has_questions
from cmgames.rooms.terms import PERSON
from cmgames.ui.desk import Here
from cmgames.ui.screen import Block, Button, Field, Message, Screen, Tile
from cmgames.ui.session import Page, Refusal, Session
from cmgames.ui.setup import Setup
from cmgames.ui.sitting import Sitting

ABOUT = (
    Block("h", "Whose games these are"),
    Block(
        "p",
        "Cat & Mouse and Tunnel Rat are card games by Lloyd Krassner (Warp Spawn Games). The printed rules in this "
        "program are his texts, word for word.",
    ),
    Block(
        "p",
        "The designer's own note on Tunnel Rat: “I hope this game doesn't offend. If it does, e-mail me and "
        "I'll remove it.”",
    ),
    Block("h", "A note for teachers"),
    Block(
        "warn",
        "Both games take their setting from real violence: the tunnels of the Vietnam War, and terrorism and those who "
        "try to prevent it. Decide beforehand whether that is right for your class, and say why you play it.",
    ),
    Block(
        "p",
        "What is taught does not need the setting: one side knows something, the other has to infer it. The Group "
        "cards of Cat & Mouse name regions as the designer printed them; nothing follows from them about the people "
        "who live there. Somebody in the class may have family among any of the sides.",
    ),
    Block("p", "You can play with the roles swapped, call them A and B, or begin with Tunnel Rat's counting alone."),
    Block("h", "Where secrets are kept"),
    Block(
        "p",
        "A page that “cmgames serve” shows holds only what its seat may know. In JupyterLab and on Binder whoever can "
        "run code can look into the table: play there against the computer, or with people you trust.",
    ),
    Block("h", "Keys"),
    Block("p", "Arrows move within a row of cards, Enter presses, the number keys make the moves, ? shows all keys."),
)

SECRETS = (
    Block("h", "They are kept"),
    Block(
        "p",
        "On the pages of “cmgames serve”: the server sends a page only what its seat may know, and runs no code for "
        "visitors. Not even the browser's own tools show more.",
    ),
    Block(
        "p",
        "In a class with the same cards at all tables nobody's page shows the other hand, the seed or the record "
        "before the last table has played that deal. Students can still tell each other.",
    ),
    Block("h", "They are not kept"),
    Block("li", "In JupyterLab, Notebook, JupyterHub, on Binder: whoever can run code can look into the table."),
    Block("li", "On a network that somebody listens to, as long as the link begins with http: and not https:."),
    Block("li", "At one screen that two people share: the curtain hides the cards, you mind the eyes."),
    Block("li", "On your own page: it shows both hands of a table. The board and the code are safe to project."),
    Block("li", "On the server's own computer: its database holds all cards."),
    Block("h", "What is kept of a student"),
    Block(
        "p", "The name that he typed, if any, his moves and answers and when he made them; until you delete the class."
    ),
)


class Home(Page):
    """Two tiles, the way back to a game in play, and nothing else."""

    def __init__(self, session: Session) -> None:
        self.session = session
        rooms, guest = session.rooms, session.guest
        self.has_past = rooms is not None and guest is not None and rooms.has_past(guest)
        self.games = [] if rooms is None or guest is None else rooms.in_play(guest)

    def screen(self) -> Screen:
        tiles = {name: Tile(name, game.title, game.line, {"do": "game", "game": name}) for name, game in GAMES.items()}
        bar = {
            "about": Button("About", {"do": "about"}),
            "record": Button("Open a record", {"do": "record"}),
        }
        moves, guest = self._ways_back(), self.session.guest
        in_class = guest is not None and guest.class_id is not None
        if in_class:
            moves["lobby"] = Button("To your class", {"do": "lobby"}, main=not moves)
        if self.session.is_open:
            moves["join"] = Button("Join with a code", {"do": "join"})
        if self.has_past and not in_class:
            moves["past"] = Button("Your finished games", {"do": "past"})
        for name in filter(has_questions, GAMES):
            label = f"Questions: {GAMES[name].title}"
            moves[f"questions {name}"] = Button(label, {"do": "questions", "game": name})
        return Screen(0, "home", "Which game?", tiles=tiles, bar=bar, moves=moves, say="Which game?")

    def _ways_back(self) -> dict[str, Button]:
        """Buttons that lead to the games in play: the one that was left last, and those with others."""
        from cmgames.rooms import news

        left = {"go on": Button("Go on with your game", {"do": "go_on"}, main=True)} if self.session.left else {}
        return left | {
            f"back {game.room}": Button(
                f"Go on with {game.title} against {game.other}", {"do": "go_back", "room": game.room}, main=not left
            )
            for game in self.games
            if news.room(game.room) not in self.topics()
        }

    def topics(self) -> tuple[str, ...]:
        left = self.session.left
        return () if left is None else left.topics()

    def news(self) -> Page | None:
        left = self.session.left
        turned = None if left is None else left.news()
        return None if turned is left else turned  # the friend has come for whom one waited

    def on_go_on(self, message: Message) -> Page | None:
        """Turn back to the game in play."""
        left, self.session.left = self.session.left, None
        self.session.give_sign(here=True)
        return left if left is None else left.news() or left

    def on_go_back(self, message: Message) -> Page:
        """Turn to another game in play."""
        from cmgames.ui.doors import go_back

        return go_back(self.session, int(message["room"]))

    def on_join(self, message: Message) -> Page:
        """Turn to the page that asks for a code."""
        from cmgames.ui.doors import Join

        return Join(self.session)

    def on_lobby(self, message: Message) -> Page:
        """Turn to the class."""
        from cmgames.ui.doors import lobby

        return lobby(self.session)

    def on_past(self, message: Message) -> Page:
        """Turn to the games that one has played."""
        from cmgames.ui.lobby import Past

        return Past(self.session, self)

    def on_game(self, message: Message) -> Page:
        """Turn to the form of a game."""
        return Setup(self.session, str(message["game"]))

    def on_questions(self, message: Message) -> Page:
        """Turn to some questions about a game, for practice."""
        from cmgames.ui.practice import begun

        if not has_questions(str(message["game"])):
            raise Refusal("There are no questions about this game.")
        rules = GAMES[message["game"]]
        return begun(self.session, rules(rules.Options()), self)

    def on_about(self, message: Message) -> Page:
        """Turn to the notes."""
        return Text("About", ABOUT, self)

    def on_record(self, message: Message) -> Page:
        """Turn to the page that opens a record."""
        return OpenRecord(self.session)


class Text(Page):
    """Something to read, and the way back."""

    def __init__(self, title: str, text: tuple[Block, ...], back: Page) -> None:
        self.title, self.text, self.back = title, text, back

    def screen(self) -> Screen:
        back = Button("Back", {"do": "back"}, main=True)
        return Screen(0, "text", self.title, text=self.text, moves={"back": back}, say=self.title)

    def topics(self) -> tuple[str, ...]:
        return self.back.topics()

    def news(self) -> Page | None:
        self.back.news()  # is drawn when one turns back
        return None

    def due(self) -> float | None:
        return self.back.due()

    def on_back(self, message: Message) -> Page:
        """Turn back to where one came from."""
        return self.back


class OpenRecord(Page):
    """Opens the record of a game that was saved."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def screen(self) -> Screen:
        field = Field(
            0, "The file with the record", "file", "", {"do": "load"}, help="A file that “Save the record” made."
        )
        return Screen(0, "form", "Open a record", fields={"file": field}, say="Open a record")

    def on_load(self, message: Message) -> Page:
        """Turn to the game of a record: to its end, or to where it broke off."""
        record = Record.load(str(message["value"]))
        table = Table.from_record(record)
        sitting = Sitting(self.session, Here(table, _seated(table, record.players)))
        if table.outcome:
            sitting.on_look({"ply": 0})
        return sitting


def _seated(table: Table, names: dict[str, str]) -> dict[str, str]:
    """Who sat where, as far as they are known here; people sit where they are not."""
    return {
        seat: names[seat] if names.get(seat) in players(table.game.name, seat) else PERSON for seat in table.game.seats
    }


def rules(game: AnyGame, back: Page) -> Text:
    """The printed rules, and how they are read where they are silent."""
    readings = tuple(Block("li", reading) for reading in game.readings(game.options))
    return Text(
        f"The rules of {game.title}",
        (
            Block("h", "As printed"),
            Block("pre", game.printed),
            Block("h", "Where the text is silent, this table plays"),
            *readings,
        ),
        back,
    )
