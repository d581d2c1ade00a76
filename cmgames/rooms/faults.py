"""Why something cannot be done with a room, as sentences."""


class Refused(Exception):
    """What somebody asked of a room or a class and cannot have."""


class DatabaseFault(Exception):
    """What is wrong with the database, and what can be done: a sentence for the person who serves."""
