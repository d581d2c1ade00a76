"""JSON Merge Patch, as RFC 7386 says it."""

from __future__ import annotations

from typing import Any


def merged(target: Any, patch: Any) -> Any:
    """MergePatch, word for word from RFC 7386, section 2."""
    if not isinstance(patch, dict):
        return patch
    target = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            target.pop(name, None)
        else:
            target[name] = merged(target.get(name), value)
    return target
