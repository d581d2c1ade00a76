"""The games in other frameworks: PettingZoo, OpenSpiel, Gambit.

Each module needs its own library (``pip install "cmgames[adapters]"``) and imports it; this package imports none.
"""
