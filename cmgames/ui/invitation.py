"""How others are asked to a table or to a class: a code, a QR picture, a link."""

from __future__ import annotations

from urllib.parse import urlsplit

from cmgames.ui.screen import Block

LOOPBACK = ("127.0.0.1", "localhost", "::1")
ALONE = "This link opens on this computer only. For phones and other computers, serve with “cmgames serve --lan”."


def invitation(link: str, code: str, line: str) -> tuple[Block, ...]:
    """A code, as something to be read aloud, to be scanned and to be typed; says so where others cannot follow it."""
    import segno

    address = f"{link}?code={code}"
    picture = segno.make(address, error="m").svg_data_uri(border=2)
    typed = Block("p", f"Or open {link} and press “Join with a code”.")
    alone = (Block("p", ALONE),) if urlsplit(link).hostname in LOOPBACK else ()
    return (
        Block("p", line),
        Block("code", code),
        Block("img", f"A QR picture of the link {address}", picture),
        typed,
        *alone,
    )
