"""python -m bench screenshots [--out FOLDER] [--only NAME]: the pictures of the documents, taken anew. The scenes are
those that `make demo` plays; sandbox and bot are real, the browser is this machine's Chromium."""

import argparse
import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final, Literal

import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from bench.sandboxed import sandbox

CHROMIUM: Final = ("chromium", "chromium-browser", "google-chrome")
COLOURS: Final = 256
SCENE_S: Final = 180
SETTLE_MS: Final = 900
NARROW: Final = 1200
"""Below the width at which the page shows the CRM beside the thread."""
WIDE: Final = 1440
LEAST_PX: Final = 760
MOST_PX: Final = 1800
HIDDEN: Final = "() => { const box = document.querySelector('#replies'); return box.scrollHeight - box.clientHeight }"


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: a scene after its last step, in a window of so many pixels. `height` 0: as tall as the thread."""

    scene: str
    width: int = NARROW
    height: int = 0
    scheme: Literal["light", "dark"] = "light"

    @property
    def name(self) -> str:
        """Of the file, without its suffix: one scene may be taken twice."""
        size = "-phone" if self.width < 500 else ""
        return f"{self.scene}{size}{'-dark' if self.scheme == 'dark' else ''}"


SHOTS: Final = (
    Shot("rule"),
    Shot("rule", width=390, height=844, scheme="dark"),
    Shot("prices"),
    Shot("loan", scheme="dark"),
    Shot("deal", width=WIDE),
    Shot("unknown"),
    Shot("home", height=1100),
)


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0 once every picture is written, 2 without a Chromium."""
    asked = _parser().parse_args(arguments)
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if path is None:
        sys.stderr.write(f"Aucun navigateur trouvé ; il faut l'un de : {', '.join(CHROMIUM)}.\n")
        return 2
    asked.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sandbox(Path(folder)) as http, _browser(path) as browser:
        for scene in dict.fromkeys(shot.scene for shot in SHOTS if asked.only in ("", shot.scene)):
            place = _played(http, scene)
            for shot in (shot for shot in SHOTS if shot.scene == scene):
                file = asked.out / f"{shot.name}.png"
                file.write_bytes(_taken(browser, http, shot, place))
                print(f"{file}  {file.stat().st_size / 1024:.0f} ko", flush=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench screenshots", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"), help="folder of the pictures")
    scenes = dict.fromkeys(shot.scene for shot in SHOTS)
    parser.add_argument("--only", default="", choices=["", *scenes], help="one scene")
    return parser


@contextlib.contextmanager
def _browser(path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield launched
        launched.close()


def _played(http: httpx.Client, scene: str) -> dict[str, str]:
    """Where the scene ended: user, channel, thread_ts, home. Raises `HTTPStatusError` with the sandbox's sentence."""
    answer = http.post("/sandbox/play", json={"scene": scene}, timeout=SCENE_S)
    if answer.is_error:
        raise httpx.HTTPStatusError(answer.text, request=answer.request, response=answer)
    found: dict[str, str] = answer.json()
    return found


def _taken(browser: Browser, http: httpx.Client, shot: Shot, place: dict[str, str]) -> bytes:
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height or LEAST_PX},
        color_scheme=shot.scheme,
        locale="fr-FR",
        timezone_id="Europe/Paris",
        reduced_motion="reduce",
    )
    context.add_init_script(f'localStorage.setItem("qs.user", "{place["user"]}")')
    page = context.new_page()
    where = "accueil" if place["home"] else f"{place['channel']}/{place['thread_ts']}"
    page.goto(f"{http.base_url}/#/{where}")
    _until_drawn(page)
    if not shot.height:
        page.set_viewport_size({"width": shot.width, "height": min(LEAST_PX + page.evaluate(HIDDEN), MOST_PX)})
        page.wait_for_timeout(SETTLE_MS)
    png = page.screenshot()
    context.close()
    return _smaller(png)


def _until_drawn(page: Page) -> None:
    page.wait_for_selector("body.ready")
    page.wait_for_load_state("load")
    page.wait_for_timeout(SETTLE_MS)  # pictures inside the thread, and the scrolling to its end


def _smaller(png: bytes) -> bytes:
    """A palette instead of true colour: a third of the size, and no difference that the eye finds in a page."""
    out = BytesIO()
    Image.open(BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()
