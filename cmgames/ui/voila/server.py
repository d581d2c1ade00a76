"""Voilà as ``cmgames serve`` runs it: its settings, its pages, its websockets.

What is set here beyond Voilà's defaults was measured: see ``docs/architecture.md``.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import socket
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import EntryPoint
from itertools import pairwise
from pathlib import Path
from queue import Empty
from typing import Any

import zmq
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from jinja2.environment import Environment
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_server import DEFAULT_STATIC_FILES_PATH
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from traitlets.config import Config
from voila import notebook_renderer
from voila.app import Voila
from voila.exporter import VoilaExporter
from voila.tornado.handler import TornadoVoilaHandler

from cmgames.ui.voila import own
from cmgames.ui.voila.provisioner import ForkProvisioner

TEMPLATES = {"slim": "cmgames", "lab": "cmgames-lab"}
LAB_EXTENSIONS = ["anywidget", "@jupyter-widgets/jupyterlab-manager", "@voila-dashboards/widgets-manager8"]
ONLY_THIS_HOST = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self' ws: wss:; frame-ancestors 'self'"
)
IDLE_SECONDS = 600
FILES = SOCKETS = 20000
"""A page takes fourteen files, and six of the sockets of which ZeroMQ allows 1023 at first."""

NOT_HERE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Not here</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<body style="margin: 2rem; font: 1rem/1.5 system-ui, sans-serif; color-scheme: light dark">
<h1>There is no such page</h1><p>Look at the link again, or go <a href="/">to the games</a>.</p>"""

HEARD = frozenset({"comm_open", "comm_msg", "comm_close", "comm_info_reply", "status", "error"})
"""What a slim page makes use of; nothing else that a kernel says, such as what is printed in it, is sent there."""

PARTS = ("header", "parent_header", "metadata", "content")
MOST_PARTS = 100
"""Of a message, with the buffers that follow the four."""

AT_ONCE, SECONDS_EACH = 8, 5
"""So many pages are made at a time: more would keep each other waiting. One that takes longer gives its place away."""


def configuration(notebook: Path, template: str, preheat: int) -> Config:
    """Voilà's settings."""
    config = Config()
    config.Voila.notebook_path = str(notebook)
    config.Voila.config_file_paths = []
    config.Voila.open_browser = False
    config.Voila.logging_config = log_to(os.environ["CMGAMES_LOG"])
    config.Voila.kernel_websocket_connection_class = QuietConnection if template == "slim" else DiscreetConnection
    config.IdentityProvider.cookie_options = own.COOKIE
    config.VoilaConfiguration.template = TEMPLATES[template]
    config.VoilaConfiguration.allow_template_override = "NO"
    config.VoilaConfiguration.allow_theme_override = "NO"
    config.VoilaConfiguration.show_tracebacks = False
    config.VoilaConfiguration.file_allowlist = []
    config.VoilaConfiguration.extension_allowlist = LAB_EXTENSIONS
    config.VoilaConfiguration.preheat_kernel = preheat > 0
    config.VoilaConfiguration.default_pool_size = preheat
    config.NotebookClient.iopub_timeout = 120
    config.VoilaExecutor.startup_timeout = 120
    config.MappingKernelManager.cull_idle_timeout = IDLE_SECONDS
    config.MappingKernelManager.cull_interval = IDLE_SECONDS // 10
    config.AsyncKernelManager.client_class = f"{__name__}.{PromptClient.__name__}"
    if os.name == "posix":
        config.KernelManager.transport = "ipc"
    return config


def log_to(file: str) -> dict[str, Any]:
    """Write the server's log to a file: the terminal shows the link and nothing that a teacher need not read."""
    handler = {"class": "logging.FileHandler", "filename": file, "level": "WARNING", "formatter": "console"}
    return {
        "handlers": {"file": handler},
        "loggers": {GameServer.__name__: {"handlers": ["file"]}},
        "root": {"handlers": ["file"]},
    }


class Page(TornadoVoilaHandler):  # type: ignore[misc]
    """A page that hands out the ``_xsrf`` cookie which its farewell, the shutdown of its kernel, has to show."""

    making = asyncio.Semaphore(AT_ONCE)

    async def get(self, path: str | None = None) -> None:
        """Run the notebook and send the page, unless the visitor did not wait for it."""
        if path:
            self.set_status(404)
            self.finish(NOT_HERE)
            return
        _ = self.xsrf_token
        async with self.making:
            if self.request.connection.stream.closed():
                return
            page = asyncio.ensure_future(super().get(path))
            await asyncio.wait([page], timeout=SECONDS_EACH)
        await page

    def write(self, chunk: str) -> None:
        """Send a part of the page; the kernel whose number is in it is this browser's own from now on."""
        own.claim(self, chunk)
        super().write(chunk)

    def write_error(self, status_code: int, **_: Any) -> None:
        """Say in a sentence that there is no page."""
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(
            '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>Not now</title><h1>This page cannot be shown ({status_code})</h1>"
            '<p>Your game is safe. <a href="">Try it again</a> in a moment.</p></html>'
        )


class CompiledTemplates(BytecodeCache):
    """Page templates as Python code; Voilà makes a new Jinja environment for each page, and would compile them anew."""

    def __init__(self) -> None:
        self.code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if code := self.code.get(bucket.key + bucket.checksum):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.code[bucket.key + bucket.checksum] = bucket.bytecode_to_string()


class Exporter(VoilaExporter):  # type: ignore[misc]
    """Voilà's exporter, which compiles a template once."""

    compiled = CompiledTemplates()

    @property
    def environment(self) -> Environment:
        """The Jinja environment."""
        environment: Environment = super().environment
        environment.bytecode_cache = self.compiled
        return environment


class PromptClient(AsyncKernelClient):
    """Runs a page's cells as soon as the kernel answers; Jupyter's own client waits for 0.2 s of silence first."""

    async def wait_for_ready(self, timeout: float | None = None) -> None:
        """Wait until the kernel answers.

        Raises
        ------
        RuntimeError
            it has ended, or does not answer in this time.
        """
        end = time.monotonic() + (timeout or math.inf)
        while not await self.is_heard():
            if not await self.is_alive() or time.monotonic() > end:
                raise RuntimeError("The kernel does not answer.")

    async def is_heard(self) -> bool:
        """Whether the kernel answers within a second, on both channels."""
        self.kernel_info()
        try:
            await self.get_shell_msg(timeout=1)
            await self.get_iopub_msg(timeout=0.2)
        except Empty:
            return False
        return True


class PromptConnection(ZMQChannelsWebsocketConnection):
    """A kernel's messages to its page, sent at once: Nagle's algorithm costs 40 ms a click."""

    def connect(self) -> asyncio.Future[None] | None:  # type: ignore[override]
        """Join the kernel and the websocket."""
        self.websocket_handler.set_nodelay(True)
        connected: asyncio.Future[None] | None = super().connect()
        return connected


class DiscreetConnection(PromptConnection):
    """The same for pages of which nobody knows who is at them: without what an error says, which belongs to the log."""

    def handle_incoming_message(self, incoming_msg: str | bytes) -> None:
        """Pass a message on; whoever sends what is none is cut off."""
        if self.websocket_handler.ws_connection is None:  # he has been cut off
            return
        try:
            self.read(incoming_msg)
            super().handle_incoming_message(incoming_msg)  # type: ignore[arg-type]  # it may be bytes
        except Exception as fault:  # noqa: BLE001  there are many ways to be no message
            self.log.warning("Refused what is no message: %s", type(fault).__name__)
            self.websocket_handler.close(1007)

    def read(self, sent: str | bytes) -> None:
        """Read a message as the kernel will, to find out whether it can."""
        if isinstance(sent, bytes) != bool(self.subprotocol):
            raise TypeError
        parts = parts_of(sent) if isinstance(sent, bytes) else self.packed(json.loads(sent))
        message = self.session.deserialize([self.session.sign(parts[:4]), *parts])
        if not all(isinstance(message[part], dict) for part in PARTS):
            raise TypeError

    def packed(self, message: dict[str, Any]) -> list[bytes]:
        """The parts of a message."""
        return [self.session.pack(message[part]) for part in PARTS]

    def handle_outgoing_message(self, stream: str, outgoing_msg: list[Any]) -> None:
        """Pass a message on."""
        _, (_, *parts) = self.session.feed_identities(outgoing_msg)
        if self.session.unpack(parts[0])["msg_type"] == "error":
            parts[3] = self.session.pack({"ename": "Error", "evalue": "", "traceback": []})
            outgoing_msg = [b"<IDS|MSG>", self.session.sign(parts[:4]), *parts]
        super().handle_outgoing_message(stream, outgoing_msg)


def parts_of(sent: bytes) -> list[bytes]:
    """The parts of a message in Jupyter's binary protocol.

    Raises
    ------
    ValueError, struct.error
        It is none. Jupyter's own server would copy what the numbers at its beginning say, however often, until there is
        no memory left.
    """
    (count,) = struct.unpack_from("<Q", sent)
    if count > MOST_PARTS:
        raise ValueError
    offsets = struct.unpack_from(f"<{count}Q", sent, 8)
    if list(offsets) != sorted(offsets):
        raise ValueError
    _, *parts = (sent[start:end] for start, end in pairwise(offsets))
    return parts


class QuietConnection(DiscreetConnection):
    """The same for slim pages."""

    def handle_outgoing_message(self, stream: str, outgoing_msg: list[Any]) -> None:
        """Pass a message on that the page makes use of."""
        _, (_, header, *_) = self.session.feed_identities(outgoing_msg)
        if self.session.unpack(header)["msg_type"] in HEARD:
            super().handle_outgoing_message(stream, outgoing_msg)


class GameServer(Voila):  # type: ignore[misc]
    """Voilà on sockets that listen already, with compressed pages.

    Parameters
    ----------
    sockets : where it is asked for pages.
    others : more notebooks beside the first one, by the path of their page.
    """

    when_ready: Callable[[], object]

    def __init__(self, *, sockets: list[socket.socket], others: dict[str, Path], **options: Any) -> None:
        super().__init__(**options)
        self.sockets = sockets
        self.others = others
        self.port = sockets[0].getsockname()[1]
        notebook_renderer.VoilaExporter = Exporter  # there is no setting for it

    def init_settings(self) -> dict[str, Any]:
        """Voilà's settings for Tornado, and those it forgot or cannot be told."""
        settings: dict[str, Any] = super().init_settings()
        settings |= {"static_path": DEFAULT_STATIC_FILES_PATH, "websocket_compression_options": {}}
        if self.voila_configuration.template == TEMPLATES["slim"]:
            settings |= {"compress_response": True, "headers": {"Content-Security-Policy": ONLY_THIS_HOST}}
        self.kernel_manager.context.set(zmq.MAX_SOCKETS, SOCKETS)
        return settings

    def init_handlers(self) -> list[tuple[Any, ...]]:
        """Voilà's handlers with ours for kernels and pages; other notebooks' before the one for all other paths."""
        *rules, (everything, _, first) = super().init_handlers()
        rules = [(path, own.DOORS.get(handler, handler), *options) for path, handler, *options in rules]
        pages = [
            (f"/{path}/?", Page, first | {"notebook_path": self.beside(file)}) for path, file in self.others.items()
        ]
        return [*rules, *pages, (everything, Page, first)]

    def beside(self, notebook: Path) -> str:
        """A notebook's path as Voilà wants it."""
        return os.path.relpath(notebook, self.root_dir)

    def listen(self) -> None:
        """Serve until Ctrl-C; end the kernels then."""
        HTTPServer(self.app).add_sockets(self.sockets)
        self.ioloop = IOLoop.current()
        self.ioloop.add_callback(self.say_ready)
        try:
            self.ioloop.start()
        except KeyboardInterrupt:
            pass
        finally:
            self.stop()

    async def say_ready(self) -> None:
        """Tell that the server is ready, which is when the preheated games are."""
        for pool in list(getattr(self.kernel_manager, "_pools", {}).values()):
            started = await asyncio.gather(*pool)
            await asyncio.gather(*(game["task"] for game in started))
        self.when_ready()


def fork_kernels() -> None:
    """Begin to warm the template of our kernels; make known to Jupyter where they come from."""
    name, group = "cmgames-fork", KernelProvisionerFactory.GROUP_NAME
    where = f"{ForkProvisioner.__module__}:{ForkProvisioner.__name__}"
    KernelProvisionerFactory.provisioners[name] = EntryPoint(name, where, group)
    ForkProvisioner.warm()


def allow_open_files() -> None:
    """Let this process open more files; many systems allow 1024 at first, which is 70 pages."""
    if sys.platform == "win32":
        return
    import resource

    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        with suppress(OSError, ValueError):  # macOS has one more limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
