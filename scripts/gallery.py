"""Draws the pictures of pages for the documents, for scripts/gallery.sh: gallery.py TOOL SERIES MOLECULE NOTEBOOK FOLDER"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

from playwright.sync_api import Page, sync_playwright

tool, series, molecule, notebook, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
chromium = next(path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name)))
kept = tempfile.TemporaryDirectory()
work = pathlib.Path(kept.name)


def page_of(file: pathlib.Path) -> str:
    """The page of a file, which has its name alone."""
    page = work / f"{file.name}.html"
    subprocess.run([tool, "view", file.name, "-o", page], cwd=file.parent, check=True, stdout=subprocess.DEVNULL)
    return page.as_uri()


def damaged(file: pathlib.Path) -> pathlib.Path:
    """A copy of an archive with another byte at its middle, where its large array is."""
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    copy = work / f"damaged-{file.name}"
    copy.write_bytes(data)
    return copy


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

    def visit(address: str, width: int, height: int, **options) -> Page:
        page = browser.new_context(viewport={"width": width, "height": height}, **options).new_page()
        page.goto(address)
        page.wait_for_load_state("networkidle")
        return page

    def draw(page: Page, name: str, section: str | None = None) -> None:
        # Canvases are drawn when they are seen.
        page.wait_for_timeout(500)
        target = page.locator(section) if section else page
        target.screenshot(path=str(folder / f"{name}.png"))

    particles = page_of(series)
    draw(visit(particles, 1000, 760), "page")
    # The section is seen as a whole.
    page = visit(particles, 1000, 1500)
    page.focus("#step-slider")
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
    page.evaluate("document.activeElement.blur()")
    draw(page, "page-steps", "#steps")
    draw(visit(notebook.as_uri(), 900, 760), "notebook")
    if molecule.exists():
        whole = page_of(molecule)
        page = visit(whole, 1280, 1500)
        page.fill("#search", "atoms[0].residue")
        page.locator(".found button").first.click()
        page.fill("#search", "")
        page.evaluate("document.activeElement.blur()")
        draw(page, "page-objects", "#values")
        draw(visit(page_of(damaged(molecule)), 390, 844, color_scheme="dark", device_scale_factor=1), "page-damage")
    else:
        print("gallery: the molecule is not drawn, since it is not there: make data", file=sys.stderr)
    browser.close()
kept.cleanup()
