"""A PostgreSQL of one's own: Debian's programs, a temporary folder, loopback only."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BIN = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


class Postgres:
    """A server that can be killed and started again.

    Parameters
    ----------
    folder : where its data lie.
    port : on 127.0.0.1.
    """

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.url = f"postgresql://cmgames@127.0.0.1:{port}/cmgames"
        self.server: subprocess.Popen[bytes] | None = None
        self.user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        data = str(folder / "data")
        self.run("initdb", "--pgdata", data, "--username", "cmgames", "--auth", "trust", "--encoding", "UTF8", "-N")
        with (folder / "data" / "postgresql.conf").open("a") as settings:
            settings.write(
                f"listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = ''\nmax_connections = 400\n"
            )
        self.start()
        self.run("createdb", "--host", "127.0.0.1", "--port", str(port), "--username", "cmgames", "cmgames")

    def run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs to its end."""
        command = [str(BIN[0] / program), *arguments]
        subprocess.run(command, check=True, user=self.user, cwd=self.folder, capture_output=True)

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        command = [str(BIN[0] / "postgres"), "-D", str(self.folder / "data")]
        with (self.folder / "log").open("ab") as log:
            self.server = subprocess.Popen(command, user=self.user, cwd=self.folder, stdout=log, stderr=log)
        ready = [str(BIN[0] / "pg_isready"), "--host", "127.0.0.1", "--port", str(self.port)]
        for _ in range(300):
            if subprocess.run(ready, check=False, capture_output=True).returncode == 0:
                return
            time.sleep(0.1)
        raise AssertionError((self.folder / "log").read_text())

    def kill(self) -> None:
        """End it as a power failure would: every process of it, at once."""
        assert self.server is not None
        self.server.send_signal(signal.SIGQUIT)
        self.server.wait(30)

    def stop(self) -> None:
        """End it properly."""
        assert self.server is not None
        self.server.send_signal(signal.SIGINT)
        self.server.wait(30)


@contextmanager
def postgres(port: int) -> Iterator[Postgres]:
    """A PostgreSQL for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="cmgames-postgres-") as folder:
        Path(folder).chmod(0o755)
        server = Postgres(Path(folder), port)
        try:
            yield server
        finally:
            server.stop()
