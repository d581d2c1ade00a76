"""A kernel is its browser's own: who merely knows its number can neither talk to it nor end it.

Jupyter gives each browser a name that nobody can guess, in a signed cookie. All tabs of a browser have the same one.
"""

from __future__ import annotations

import re
from typing import Any
from weakref import WeakKeyDictionary

from jupyter_client.manager import KernelManager
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.services.kernels.handlers import KernelHandler
from tornado.web import HTTPError
from tornado.websocket import WebSocketProtocol, WebSocketProtocol13
from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

COOKIE = {"samesite": "Lax"}
"""With "Strict" a browser that follows a link to a page would get another name, and lose the kernels of its others."""

KERNEL_ID = re.compile(r"\b\w{8}-\w{4}-\w{4}-\w{4}-\w{12}\b")
OWNERS: WeakKeyDictionary[KernelManager, str] = WeakKeyDictionary()


def claim(page: JupyterHandler, text: str) -> None:
    """Note that the kernel whose number is in a part of a page belongs to the browser to which that is sent."""
    for id in filter(page.kernel_manager.__contains__, KERNEL_ID.findall(text)):
        OWNERS.setdefault(page.kernel_manager.get_kernel(id), page.current_user.username)


class Door(JupyterHandler):
    """What a browser may ask of a kernel, which for any other browser is not there."""

    async def prepare(self, **how: Any) -> None:
        """Turn others away."""
        await super().prepare(**how)
        id, *_ = (*self.path_args, *self.path_kwargs.values())
        if OWNERS.get(self.kernel_manager.get_kernel(id)) != self.current_user.username:
            raise HTTPError(404, f"Kernel does not exist: {id}")


class State(Door, KernelHandler):
    """How it is."""


class Farewell(Door, VoilaShutdownKernelHandler):  # type: ignore[misc]
    """Its end, when the page is left."""


class Channels(Door, VoilaKernelWebsocketHandler):  # type: ignore[misc]
    """The websocket between it and its page.

    Jupyter pings it every 30 s, so that no proxy takes it for idle, and closes it when the page has not answered for
    90 s, as on a phone that is asleep.
    """

    def get_websocket_protocol(self) -> WebSocketProtocol | None:
        """Tornado's side of it, without pings: it would take Jupyter's milliseconds for seconds."""
        protocol: WebSocketProtocol | None = super().get_websocket_protocol()
        if isinstance(protocol, WebSocketProtocol13):
            protocol.params.ping_interval = None
        return protocol


DOORS = {KernelHandler: State, VoilaShutdownKernelHandler: Farewell, VoilaKernelWebsocketHandler: Channels}
"""Ours in place of Voilà's."""
