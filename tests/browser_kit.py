"""Start JupyterLab on this machine alone and drive it in Chromium with Playwright.

A test asks for the fixture `chromium` (the path of the browser, see conftest.py) and then writes::

    with server([notebook]) as lab, browser(lab, chromium) as tab:
        open_notebook(tab, lab, notebook.name)          # opens it and runs all cells
        tab.page.click(".qg-board [data-square='5']")
        assert not tab.errors

Measured on two cores: about 9 s a notebook, of which the server takes 2 s, the page 3 s and the
kernel 1 s. Facts that cost time to find:

* on a bare Debian `apt-get install chromium fonts-dejavu-core libatomic1` is all that is missing
  (the last one for Playwright's driver); no browser of Playwright's own is downloaded;
* all cells run without menus: `LabApp.expose_app_in_browser` gives the page `window.jupyterapp`;
  wait until the kernel is idle, then execute the command `notebook:run-all-cells`;
* a notebook without `metadata.kernelspec` waits for ever at the question which kernel it wants;
* the settings override silences the news toast, which covers buttons;
* widgets saved in an untrusted notebook are not rendered until its cells run;
* widgets are found by the classes that `add_class("qg-...")` gives them, and what is in a drawing
  by its `data-*` attributes;
* a bare `matplotlib.figure.Figure` shows as text unless pyplot was imported.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parent.parent

# Debian's name first, then those of other systems.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# Root in a container has no sandbox; the rest keeps the browser from calling its maker's hosts.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

IDLE = (
    "window.jupyterapp && window.jupyterapp.shell.currentWidget"
    "?.sessionContext?.session?.kernel?.status == 'idle'"
)


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab: its address, and the temporary folder that holds all its files."""

    url: str
    folder: Path

    @property
    def work(self) -> Path:
        """The folder that the file browser shows; the notebooks stand in it."""
        return self.folder / "work"


@dataclass(frozen=True)
class Tab:
    """A browser page, with the errors it reported and the addresses it asked for so far."""

    page: "Page"
    errors: list[str] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)


def find_chromium() -> str | None:
    """The path of Chromium or Chrome: `QGAMES_CHROMIUM`, or the first one on the path, or None."""
    return os.environ.get("QGAMES_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def server(
    files: Iterable[Path] = (), *, dark: bool = False, options: Iterable[str] = ()
) -> Iterator[Lab]:
    """JupyterLab on a free port of the loopback address, with copies of `files` in its folder.

    `dark` chooses JupyterLab's dark theme; `options` are further command line arguments. Kernels
    import qgames from this checkout. Everything is removed at the end.
    """
    with tempfile.TemporaryDirectory(prefix="qgames-lab-", ignore_cleanup_errors=True) as name:
        lab = Lab(f"http://127.0.0.1:{_free_port()}", Path(name))
        lab.work.mkdir()
        for file in files:
            shutil.copy(file, lab.work)
        _write_settings(lab.folder / "settings", dark=dark)
        log = lab.folder / "server.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                _command(lab, options),
                cwd=lab.work,
                env=os.environ | _variables(lab.folder),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        try:
            _wait_for(lab.url + "/api", process, log)
            yield lab
        finally:
            process.terminate()  # Jupyter ends its kernels when asked politely
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def browser(
    lab: Lab, chromium: str, *, width: int = 1400, height: int = 1000, **context: Any
) -> Iterator[Tab]:
    """A page of headless Chromium with nothing remembered from before.

    `context` is passed to Playwright's `launch_persistent_context`, such as `color_scheme="dark"`
    or `device_scale_factor=2`.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, tempfile.TemporaryDirectory(dir=lab.folder) as profile:
        window = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=chromium,
            headless=True,
            viewport={"width": width, "height": height},
            args=FLAGS,
            **context,
        )
        try:
            tab = Tab(window.pages[0] if window.pages else window.new_page())
            _listen(tab)
            yield tab
        finally:
            window.close()


def open_notebook(tab: Tab, lab: Lab, name: str, *, run: bool = True) -> None:
    """Open a notebook of the lab, wait for its kernel and, unless told otherwise, run all cells."""
    tab.page.goto(f"{lab.url}/lab/tree/{name}?reset", wait_until="domcontentloaded")
    tab.page.wait_for_function(IDLE, timeout=60_000)
    if run:
        run_all_cells(tab)


def run_all_cells(tab: Tab) -> None:
    """Run all cells of the open notebook and return when the last one is done."""
    tab.page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _write_settings(folder: Path, *, dark: bool) -> None:
    folder.mkdir()
    overrides = {
        "@jupyterlab/apputils-extension:notification": {
            "fetchNews": "false",
            "checkForUpdates": False,
            "doNotDisturbMode": True,
        },
        "@jupyterlab/apputils-extension:themes": {
            "theme": "JupyterLab Dark" if dark else "JupyterLab Light"
        },
    }
    (folder / "overrides.json").write_text(json.dumps(overrides), "utf-8")


def _command(lab: Lab, options: Iterable[str]) -> list[str]:
    return [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1"),
        f"--port={lab.url.rpartition(':')[2]}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=",
        "--ServerApp.password=",
        "--ServerApp.allow_root=True",
        f"--ServerApp.root_dir={lab.work}",
        "--ServerApp.terminals_enabled=False",
        f"--LabApp.app_settings_dir={lab.folder / 'settings'}",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.expose_app_in_browser=True",
        *options,
    ]


def _variables(folder: Path) -> dict[str, str]:
    """Keep the machine's own Jupyter settings out, and let kernels find this checkout."""
    return {
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "IPYTHONDIR": str(folder / "ipython"),
        "MPLCONFIGDIR": str(folder / "matplotlib"),
        "PYTHONPATH": str(ROOT),
    }


def _wait_for(url: str, process: "subprocess.Popen[bytes]", log: Path, seconds: float = 60) -> None:
    """Return once the server answers; RuntimeError with the end of its log if it never does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text('utf-8', 'replace')[-3000:]}")


def _listen(tab: Tab) -> None:
    tab.page.on(
        "console",
        lambda message: tab.errors.append(message.text) if message.type == "error" else None,
    )
    tab.page.on("pageerror", lambda error: tab.errors.append(f"uncaught: {error}"))
    tab.page.on("request", lambda request: tab.urls.append(request.url))
