"""Options: the numbers and readings that a game may be played under."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

Made = TypeVar("Made", bound="Options")


class OptionError(ValueError):
    """Options that no game can be played under; the message says which and why.

    Attributes
    ----------
    option : name of the option that is wrong.
    fault : what is wrong with it, to be read after its name or its title.
    """

    def __init__(self, option: str, fault: str) -> None:
        super().__init__(f"{option} {fault}")
        self.option, self.fault = option, fault


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every game's options have in common: checked when made, made from plain values.

    Each field of a subclass is annotated with its range; `check` adds what concerns several together.
    """

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """Refuse what cannot be played.

        Raises
        ------
        OptionError
            It says which option, and why.
        """

    @classmethod
    def make(cls: type[Made], values: dict[str, Any], strict: bool = True) -> Made:
        """Options from plain values by name; with ``strict=False`` numbers may be given as text.

        Raises
        ------
        OptionError
            A name is unknown, a value is of the wrong type or out of range, or no game can be played with them.
        """
        known = cls.__struct_fields__
        for name in values:
            if name not in known:
                raise OptionError(f"{name!r:.60}", f"is no option. There are: {', '.join(sorted(known))}.")
        try:
            return msgspec.convert(values, cls, strict=strict)
        except msgspec.ValidationError as fault:
            if isinstance(fault.__cause__, OptionError):
                raise fault.__cause__ from None
            name = str(fault).rpartition("`$.")[2].rstrip("`")
            raise OptionError(name, f"cannot be {values[name]!r:.60}: it is {cls.range(name)}.") from None

    @classmethod
    def properties(cls) -> dict[str, Any]:
        """What the JSON Schema of these options says of each, by name."""
        properties: dict[str, Any] = msgspec.json.schema(cls)["$defs"][cls.__name__]["properties"]
        return properties

    @classmethod
    def range(cls, name: str) -> str:
        """What an option may be, in words: "a whole number from 0 to 60"."""
        about = cls.properties()[name]
        if "enum" in about:
            return " or ".join(map(repr, about["enum"]))
        if about.get("type") == "boolean":
            return "True or False"
        numbers = next(part for part in about.get("anyOf", (about,)) if part["type"] == "integer")
        words = f"a whole number from {numbers['minimum']} to {numbers['maximum']}"
        return words + (", or None" if "anyOf" in about else "")


def demand(holds: bool, option: str, fault: str) -> None:
    """Raise `OptionError` unless `holds`."""
    if not holds:
        raise OptionError(option, fault)
