"""The database's tables.

A room is a row of `rooms` and the rows of `moves` with its number: its state is their fold and stands nowhere else.
Times are seconds since 1970 by the clock of the machine that wrote them.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

CLASSES = Table(
    "classes",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("code", String(8), nullable=False, unique=True),
    Column("game", String(40), nullable=False),
    Column("options", JSON, nullable=False),
    Column("terms", JSON, nullable=False),  # cmgames.rooms.terms.ClassTerms
    Column("seed", Text, nullable=False),  # decides the cards where all tables get the same
    Column("made_at", Float, nullable=False),
    Column("paused", Boolean, nullable=False, default=False),
    Column("closed", Boolean, nullable=False, default=False),
    Column("message", Text, nullable=False, default=""),
    Column("opened", Integer, nullable=False, default=0),  # the last of the same deals that all have played
)

ROOMS = Table(
    "rooms",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("code", String(8), unique=True),  # while a seat is free
    Column("game", String(40), nullable=False),
    Column("options", JSON, nullable=False),
    Column("seed", Text, nullable=False),
    Column("salt", Text, nullable=False),
    Column("terms", JSON, nullable=False),  # cmgames.rooms.terms.Terms
    Column("class_id", ForeignKey("classes.id", ondelete="CASCADE"), index=True),
    Column("round", Integer, nullable=False, default=1),
    Column("made_at", Float, nullable=False),
    Column("moved_at", Float, nullable=False),
    Column("version", Integer, nullable=False, default=0),
    Column("over_at", Float, index=True),
    Column("winner", String(40)),
    Column("reason", Text, nullable=False, default=""),
    Column("next_id", Integer),  # the room in which the same people play again
)

GUESTS = Table(
    "guests",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("token", String(64), nullable=False, unique=True),  # SHA-256 of what the browser keeps
    Column("way_in", String(64), unique=True),  # SHA-256 of the code that a teacher has given for a new browser
    Column("way_in_until", Float),  # when that code ends
    Column("name", String(24), nullable=False, default=""),
    Column("class_id", ForeignKey("classes.id", ondelete="CASCADE"), index=True),
    Column("number", Integer, nullable=False, default=0),  # within the class
    Column("wish", String(40), nullable=False, default=""),  # the seat that was asked for
    Column("partner", Integer),  # the guest whom the teacher chose
    Column("room_id", ForeignKey("rooms.id", ondelete="SET NULL"), index=True),  # where the guest is now
    Column("waits_since", Float),  # for a partner
    Column("made_at", Float, nullable=False),
    Column("seen_at", Float, nullable=False),
    Column("left_at", Float),  # when the page was hidden, while it is
)

SEATS = Table(
    "seats",
    METADATA,
    Column("room_id", ForeignKey("rooms.id", ondelete="CASCADE"), nullable=False),
    Column("seat", String(40), nullable=False),
    Column("guest_id", ForeignKey("guests.id", ondelete="SET NULL"), index=True),
    Column("player", String(40), nullable=False),  # "person", or the computer player that plays now
    Column("promised", Boolean, nullable=False, default=False),  # the game's manners
    PrimaryKeyConstraint("room_id", "seat"),
)

MOVES = Table(
    "moves",
    METADATA,
    Column("room_id", ForeignKey("rooms.id", ondelete="CASCADE"), nullable=False),
    Column("version", Integer, nullable=False),  # that the room has after it
    Column("seat", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Column("how", String(8), nullable=False),  # see cmgames.rooms.room.How
    Column("key", String(40), nullable=False),
    Column("made_at", Float, nullable=False),
    PrimaryKeyConstraint("room_id", "version"),
    UniqueConstraint("room_id", "key"),
)

ANSWERS = Table(
    "answers",
    METADATA,
    Column("guest_id", ForeignKey("guests.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),  # of the question within the class, from 1
    Column("answer", String(80), nullable=False),
    Column("cost", Float, nullable=False),  # see cmgames.rooms.questions.Question
    Column("made_at", Float, nullable=False),
    PrimaryKeyConstraint("guest_id", "number"),
)

PRACTICE = Table(
    "practice",
    METADATA,
    Column("guest_id", ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("seed", Text, nullable=False),
    Column("given", JSON, nullable=False),  # answers by the numbers of their questions
    Column("made_at", Float, nullable=False),
)

TOPICS = Table(
    "topics",
    METADATA,
    Column("name", String(40), primary_key=True),  # see cmgames.rooms.news
    Column("version", Integer, nullable=False),
)

TRIES = Table(
    "tries",
    METADATA,
    Column("name", String(80), primary_key=True),  # who tries what
    Column("tries", Integer, nullable=False),
    Column("since", Float, nullable=False),
)
