"""Where the kernels of ``cmgames serve`` come from: on Linux they are forked, see `cmgames.ui.voila.template`."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from cmgames.ui.voila.template import READY, WORD

FORKS = sys.platform == "linux"  # macOS has system libraries that do not survive a fork, Windows has no fork
PATIENCE = 60


class Forked:
    """A forked kernel: as much of `subprocess.Popen` as a provisioner asks for.

    Parameters
    ----------
    pid : its process, and its process group.
    lifeline : the server's end.
    """

    stdin = stdout = stderr = None

    def __init__(self, pid: int, lifeline: socket.socket) -> None:
        self.pid = pid
        self.lifeline = lifeline
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code; None while the kernel lives. It is 0 if nobody is there to know it."""
        if self.returncode is None:
            try:
                word = self.lifeline.recv(WORD.size)
            except BlockingIOError:
                return None
            self.returncode = WORD.unpack(word)[1] if word else 0
            self.lifeline.close()
        return self.returncode

    wait = poll

    def send_signal(self, signum: int) -> None:
        """Send a signal to the kernel alone."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signum)


class Template:
    """The process that kernels are forked from, at the server's end."""

    def __init__(self) -> None:
        self.requests, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603  our own module
                [sys.executable, "-m", "cmgames.ui.voila.template", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    async def fork(self, arguments: list[str], environment: dict[str, str], folder: str) -> Forked:
        """A new kernel.

        Raises
        ------
        OSError
            there is none: the template has ended, or cannot fork, or does not answer.
        """
        lifeline, theirs = socket.socketpair()
        lifeline.setblocking(False)
        request = json.dumps([arguments, environment, folder]).encode() + b"\n"
        try:
            with theirs:
                socket.send_fds(self.requests, [b"k"], [theirs.fileno()])
            async with asyncio.timeout(PATIENCE):
                return await introduce(lifeline, request)
        except BaseException:
            lifeline.close()
            raise


async def introduce(lifeline: socket.socket, request: bytes) -> Forked:
    """Tell a new kernel what to be, and wait until it is."""
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(lifeline, request)
    word = await loop.sock_recv(lifeline, WORD.size)
    if not word:
        raise ConnectionResetError("the template could not fork")
    what, number = WORD.unpack(word)
    if what != READY:
        raise ConnectionResetError(f"a forked kernel has ended with exit code {number} before it was one")
    return Forked(number, lifeline)


class ForkProvisioner(LocalProvisioner):
    """Forks kernels from a template, one for all kernels of this process; starts them as usual where it cannot."""

    template: ClassVar[Template | None] = None

    @classmethod
    def warm(cls) -> Template:
        """The template, started if there is none or none any more."""
        if cls.template is None or cls.template.process.poll() is not None:
            cls.template = Template()
        return cls.template

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Launch the kernel of our kernelspec, whose command is ``python -m module arguments...``."""
        if not FORKS:
            return await super().launch_kernel(cmd, **kwargs)
        folder = str(kwargs.get("cwd") or Path.cwd())
        try:
            process = await self.warm().fork(cmd[3:], kwargs["env"], folder)
        except OSError as fault:
            self.log.warning("No kernel from the template: %r", fault)
            return await super().launch_kernel(cmd, **kwargs)
        self.process = process  # type: ignore[assignment]
        self.pid = self.pgid = process.pid
        self.cwd = folder
        return self.connection_info
