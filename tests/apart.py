"""An event loop in a thread of its own: after a browser test Playwright's runs in the main one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def apart(story: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What a coroutine function returns."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(story())).result()
