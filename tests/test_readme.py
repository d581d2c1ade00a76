"""The README's Python is true."""

import doctest
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def test_the_python_in_the_readme_is_true() -> None:
    failures, tried = doctest.testfile(str(README), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert (failures, tried >= 7) == (0, True)
