"""Words that depend on a number."""


def count(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: ``1 casualty``, ``5 casualties``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
