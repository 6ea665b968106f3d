"""Draw the pictures of the boards: a server, a browser and a position of each game. `make pictures` runs this.

It needs the packages of the group ``browser`` and the system's Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).with_name("boards")
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
COLOURS = 48  # so that a picture is small

# Each board: the parameters of its address, the element that shows its result, and whether it is drawn in dark mode.
POSITIONS = {
    "wordle": ("turns=salet:-y--g", "#best caption:has-text('exact')", False),
    "quordle": ("turns=carle:-y---,----y,-----,y----;aunty:y----,--y--,-----,-g---", "#best th:text('mean')", True),
    "tetris": ("board=####...###/####..####/#########.&piece=T&next=I", "#placements .chance", False),
    "sliding": ("size=4x4&board=6.12.1.11.14.5.10.0.4.7.9.8.15.3.13.2&moves=LDRULDD", "#result h2", False),
    "queuedle": (
        "grid=fndoi/eedgr/aadqs/oeilx/eyatg&queue=aikiueieexuatov&moves=d5.u2.d5.r3.r3.l4.l4.u2.l5",
        "#next button",
        True,
    ),
    "quiddler": ("deal=n w u th r y y i / a c j o u n b i&plan=nu ja&shown=yes", "#best table", False),
    "qless": (
        "roll=cddeeimprtwx&grid=//......c/.....pew/......d/.....met/....rid/.....x",
        "#state .words",
        True,
    ),
}


def prepare(page: Page, game: str) -> None:
    """Use the board a little, so that the picture shows what it is for."""
    if game == "sliding":
        page.click("button:has-text('compare')")
        page.wait_for_selector("#compared p", timeout=60_000)
    if game == "tetris":
        page.hover("#placements button:nth-child(2)")
    if game == "qless":
        page.click("button:text-is('hint')")
        page.wait_for_selector("#help p", timeout=60_000)


def main() -> None:
    """Draw all pictures, or the boards that the command line names."""
    chromium = next((path for name in NAMES if (path := shutil.which(name))), None)
    if chromium is None:
        sys.exit("the pictures of the boards need Chromium")
    FOLDER.mkdir(exist_ok=True)
    words = [sys.executable, "-m", "gpusolve", "serve", "--port", "0", "--quiet"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    try:
        with sync_playwright() as started:
            browser = started.chromium.launch(executable_path=chromium)
            for game in sys.argv[1:] or POSITIONS:
                draw(browser, address, game)
            browser.close()
    finally:
        server.terminate()
        server.wait()


def draw(browser: Browser, address: str, game: str) -> None:
    """Write the picture of one board."""
    position, selector, dark = POSITIONS[game]
    page = browser.new_page(viewport={"width": 840, "height": 720}, color_scheme="dark" if dark else "light")
    page.goto(f"{address}{game}?{quote(position, safe='=&:')}")
    page.wait_for_selector(selector, timeout=60_000)
    prepare(page, game)
    page.wait_for_timeout(300)
    path = FOLDER / f"{game}.png"
    Image.open(BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS).save(path, optimize=True)
    page.close()
    print(path, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
