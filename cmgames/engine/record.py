"""Records: a game as JSON that replays to the same state anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from cmgames.engine import chance
from cmgames.engine.options import Options

FORMAT = "cmgames record"


class RecordError(ValueError):
    """A record that cannot be replayed; the message says where and why."""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game as data: the rules, the seed, and the list of moves.

    Attributes
    ----------
    format, version : tell a record from other JSON, and this form of it from later ones.
    game, options : what is played.
    seed, salt, commitment : decide the cards and prove it (see `cmgames.engine.chance`); the seed is a decimal number
        in a string, since many JSON readers keep only 53 bits.
    chosen : numbers of those moves of chance whose card a teacher chose instead of the seed.
    players : who sat where, by seat.
    moves : the texts of all moves, those of chance included, in order.
    digest : SHA-256 of all the other fields, so that damage shows.
    """

    format: Literal["cmgames record"]
    version: Literal[1]
    game: str
    options: dict[str, Any]
    seed: Annotated[str, Meta(pattern=r"^-?\d{1,100}$")]
    salt: str
    commitment: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    chosen: tuple[Annotated[int, Meta(ge=0)], ...]
    players: dict[str, str]
    moves: tuple[str, ...]
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]

    @classmethod
    def make(
        cls,
        *,
        game: str,
        options: Options,
        seed: int,
        salt: str,
        chosen: tuple[int, ...],
        players: dict[str, str],
        moves: tuple[str, ...],
    ) -> Record:
        """A record with its commitment and digest computed."""
        record = cls(
            format="cmgames record",
            version=1,
            game=game,
            options=msgspec.to_builtins(options),
            seed=str(seed),
            salt=salt,
            commitment=chance.commitment(seed, salt),
            chosen=chosen,
            players=players,
            moves=moves,
            digest="",
        )
        return msgspec.structs.replace(record, digest=_digest(record))

    @classmethod
    def load(cls, source: Record | Mapping[str, Any] | str | bytes) -> Record:
        """A record from its JSON or its plain values, checked except for the moves.

        Raises
        ------
        RecordError
            It is not a whole and undamaged record of this version; the message says where.
        """
        record = source if isinstance(source, Record) else _convert(source)
        if record.seed != str(int(record.seed)):
            raise RecordError(f"The record is damaged: its seed is written {record.seed!r}.")
        if record.commitment != chance.commitment(int(record.seed), record.salt):
            raise RecordError("The record's commitment does not fit its seed and salt: the seed was changed.")
        if record.digest != _digest(record):
            raise RecordError("The record's digest does not fit its contents: it was changed, shortened or reordered.")
        return record

    def to_dict(self) -> dict[str, Any]:
        """The record as plain JSON values."""
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return plain

    def to_json(self) -> str:
        """The record as JSON text, a move a line."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1).decode()


def schema() -> dict[str, Any]:
    """The JSON Schema of a record (published as ``docs/record.schema.json``)."""
    return msgspec.json.schema(Record)


def _convert(source: Mapping[str, Any] | str | bytes) -> Record:
    """A record of the right form from outside."""
    if isinstance(source, str | bytes):
        try:
            source = msgspec.json.decode(source)
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as fault:
            raise RecordError(f"This is not whole JSON ({fault}): the file is damaged or cut short.") from None
    if not isinstance(source, Mapping) or source.get("format") != FORMAT:
        raise RecordError("This is not a record of cmgames: its 'format' is not 'cmgames record'.")
    if source.get("version") != 1:
        raise RecordError(f"This record is of version {source.get('version')!r}; this cmgames reads version 1.")
    try:
        return msgspec.convert(dict(source), Record)
    except msgspec.ValidationError as fault:
        raise RecordError(f"The record is damaged: {fault}.") from None


def _digest(record: Record) -> str:
    """SHA-256 over the record without its digest, as JSON in UTF-8 with sorted keys and no spaces."""
    plain = {key: value for key, value in record.to_dict().items() if key != "digest"}
    return sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()
