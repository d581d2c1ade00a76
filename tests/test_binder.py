"""Binder: what repo2docker would choose and run, carried out in a fresh environment, and the link opened."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from repo2docker.app import Repo2Docker
from repo2docker.buildpacks import BuildPack, PythonBuildPack

from .browser.clicker import Clicker
from .browser.conftest import LAPTOP, ROOT, browser_type_launch_args, free_port, running

__all__ = ["browser_type_launch_args"]  # a fixture

LINK = "voila/render/notebooks/play.ipynb"


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a clone of this repository would hold."""
    folder = tmp_path_factory.mktemp("binder") / "clone"
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
    for name in listed.stdout.decode().splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    return folder


@pytest.fixture
def pack(clone: Path, monkeypatch: pytest.MonkeyPatch) -> BuildPack:
    """What repo2docker takes the clone for."""
    monkeypatch.chdir(clone)
    tool = Repo2Docker()
    return next(pack for kind in tool.buildpacks if (pack := kind(tool.base_image)).detect())


def installed(clone: Path, pack: BuildPack) -> Path:
    """Run what repo2docker would run, in a fresh environment instead of its image."""
    environment = clone.parent / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    assembly = [script for user, script in pack.get_assemble_scripts() if "pip" in script and user == "${NB_USER}"]
    for script in assembly:
        subprocess.run(
            script.replace("--no-cache-dir", "--quiet --disable-pip-version-check"),
            shell=True,
            cwd=clone,
            env={**os.environ, "KERNEL_PYTHON_PREFIX": str(environment)},
            check=True,
        )
    return environment


def test_repo2docker_picks_what_lies_in_binder(pack: BuildPack) -> None:
    assert isinstance(pack, PythonBuildPack)
    assert pack.python_version == "3.11"
    assert [script for _, script in pack.get_assemble_scripts() if "requirements" in script] == [
        '${KERNEL_PYTHON_PREFIX}/bin/pip install --no-cache-dir -r "binder/requirements.txt"'
    ]
    assert pack.get_start_script() == "${REPO_DIR}/binder/start"
    assert os.access("binder/start", os.X_OK)


@pytest.mark.browser
@pytest.mark.slow
def test_the_link_opens_the_games_and_a_reload_resumes_them(clone: Path, pack: BuildPack, browser: Browser) -> None:
    environment, home = installed(clone, pack), clone.parent / "home"
    home.mkdir()
    port, log = free_port(), home / "server.log"
    start = pack.get_start_script().replace("${REPO_DIR}", str(clone))
    command = [start, f"{environment}/bin/jupyter", "server", "--allow-root", "--no-browser", f"--port={port}"]
    command += ["--IdentityProvider.token=secret", f"--ServerApp.root_dir={clone}"]
    variables = {"HOME": str(home), "PATH": f"{environment}/bin:{os.environ['PATH']}", "PYTHONPATH": ""}

    def ready() -> bool:
        try:
            return bool(urllib.request.urlopen(f"http://127.0.0.1:{port}/api").status == 200)
        except OSError:
            return False

    with running(command, log, ready, **variables):
        context = browser.new_context(viewport=LAPTOP)
        person = Clicker(context.new_page())
        strangers: list[str] = []
        person.page.on("request", lambda request: strangers.append(request.url))
        person.open(f"http://127.0.0.1:{port}/{LINK}?token=secret")
        assert person.page.locator("script#kernel").count() == 1, "the slim template"
        person.begin("Tunnel Rat")
        person.press("No question")
        expect(person.app.locator("[aria-current=step]")).to_contain_text("Trap Phase")
        person.page.reload()
        expect(person.app.locator("[aria-current=step]")).to_contain_text("Trap Phase")
        context.close()
    assert [url for url in strangers if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))] == []
