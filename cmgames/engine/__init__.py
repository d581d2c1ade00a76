"""What every game needs and no game is: cards, moves, views, tables, records."""
