"""A process that has imported all that a kernel needs, and from which a server's kernels are forked.

A kernel is then there after some milliseconds instead of a second, and memory that it only reads is shared by all.

The server holds one end of a socket and this process the other, whose number is its argument. For each kernel the
server sends one byte here, and with it a socket of that kernel's own, its *lifeline*:

    server → kernel      one line of JSON: arguments, environment, folder
    kernel → server      READY and its process id, when it listens
    template → server    ENDED and its exit code, when it has ended
    closed by the server the kernel ends at once, whatever it is doing: a server that is killed leaves none behind

This process has no thread, no event loop and no connection: a fork takes nothing along but memory. It ends with its
server; if it ends before, its kernels go on.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import struct
import sys
import threading
from contextlib import suppress
from importlib import import_module

from cmgames.ui.voila.kernel import hush, trim

WORD = struct.Struct("!ci")
READY, ENDED = b"r", b"e"
NEEDED = ("ipykernel.kernelapp", "anywidget", "cmgames.ui.launch")
WELCOME = (
    "cmgames.rooms.rooms",
    "psycopg",
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite.pysqlite",
    "sqlite3",
    # what IPython and Tornado import late
    "IPython.core.completerlib",
    "IPython.core.debugger",
    "IPython.core.oinspect",
    "IPython.extensions.storemagic",
    "ipykernel.debugger",
    "tornado.platform.asyncio",
    "zmq.utils.garbage",
)


def main() -> None:
    """Fork kernels until the server is gone; what comes back from that is a kernel."""
    prepare()
    lifeline = Forks(socket.socket(fileno=int(sys.argv[1]))).serve()
    become_kernel(lifeline)


def prepare() -> None:
    """Import what a kernel needs, and keep the collector's hands off: memory is shared until somebody writes to it."""
    hush()
    trim()
    gc.disable()
    for name in NEEDED:
        import_module(name)
    for name in WELCOME:
        with suppress(ImportError):
            import_module(name)
    gc.collect()
    gc.freeze()


class Forks:
    """The living kernels of a server.

    Parameters
    ----------
    server : where it asks for more.
    """

    def __init__(self, server: socket.socket) -> None:
        self.server = server
        self.lifelines: dict[int, socket.socket] = {}
        self.bell, self.ringer = socket.socketpair()
        self.bell.setblocking(False)
        self.ringer.setblocking(False)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever interrupts all of a service means the server
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.ringer.fileno(), warn_on_full_buffer=False)

    def serve(self) -> socket.socket:
        """Fork kernels until the server is gone.

        Returns
        -------
        its lifeline, in each kernel
        """
        while True:
            ready, _, _ = select.select([self.server, self.bell], [], [])
            if self.bell in ready:
                self.bury()
            if self.server in ready and (lifeline := self.fork()):
                return lifeline

    def fork(self) -> socket.socket | None:
        """Answer the server. Returns the lifeline in the kernel, and None here."""
        _, sent, _, _ = socket.recv_fds(self.server, 1, 1, socket.MSG_CMSG_CLOEXEC)
        if not sent:
            sys.exit()
        lifeline = socket.socket(fileno=sent[0])
        try:
            kernel = os.fork()
        except OSError:
            lifeline.close()
            return None
        if kernel:
            self.lifelines[kernel] = lifeline
            return None
        self.leave()
        return lifeline

    def leave(self) -> None:
        """Let go, in the kernel, of all that is the template's."""
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for held in (self.server, self.bell, self.ringer, *self.lifelines.values()):
            held.close()

    def bury(self) -> None:
        """Report the kernels that have ended."""
        self.bell.recv(4096)
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                kernel, status = ended
                with self.lifelines.pop(kernel) as lifeline, suppress(OSError):
                    lifeline.send(WORD.pack(ENDED, os.waitstatus_to_exitcode(status)))


def become_kernel(lifeline: socket.socket) -> None:
    """Be the kernel that the server describes, until its end."""
    with lifeline.makefile("rb") as lines:
        arguments, environment, folder = json.loads(lines.readline() or sys.exit())
    sys.argv[1:] = arguments
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    gc.enable()
    from ipykernel.kernelapp import IPKernelApp

    class ForkedKernelApp(IPKernelApp):
        """A kernel that does not outlive its server."""

        def init_poller(self) -> None:
            threading.Thread(target=end_with, args=[lifeline], daemon=True).start()

        def start(self) -> None:
            lifeline.send(WORD.pack(READY, os.getpid()))
            super().start()  # type: ignore[no-untyped-call]

    ForkedKernelApp.launch_instance(parent_handle=os.getppid())  # with a parent it prints no advice
    os._exit(0)  # tidying up would copy shared memory, and ipykernel's threads may wait for each other for 10 s


def end_with(lifeline: socket.socket) -> None:
    """End this process when the other end of its lifeline is closed."""
    with suppress(ConnectionResetError):  # the server was killed before it had read
        lifeline.recv(1)
    os._exit(1)


if __name__ == "__main__":
    main()
