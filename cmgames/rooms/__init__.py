"""Tables kept in a database: rooms, seats, codes, classes. The only package that knows SQL."""
