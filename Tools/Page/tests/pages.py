"""What the tests of pages have in common: a headless Chromium, and what every page must not do."""

import base64
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

CORPUS = pathlib.Path(__file__).resolve().parents[3] / "Tests" / "Corpus"
CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
TOOL = os.environ.get("GRAPHCODABLE_TOOL", "graphcodable")
# Where pictures of the pages are kept, to be looked at; nowhere without it.
PICTURES = os.environ.get("GRAPHCODABLE_PICTURES")
MAKER = pathlib.Path(__file__).with_name("files.mjs")


def run(*arguments: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run([TOOL, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, timeout=600, **options)


def made(name: pathlib.Path, what: str, *counts: int) -> pathlib.Path:
    """A file that is made for a test."""
    subprocess.run(["node", str(MAKER), what, str(name), *map(str, counts)], check=True)
    return name


@unittest.skipUnless(CHROMIUM, "Chromium is not installed: apt-get install chromium")
class PageCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        playwright = sync_playwright().start()
        cls.addClassCleanup(playwright.stop)
        cls.browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        cls.addClassCleanup(cls.browser.close)

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def open(self, *files: pathlib.Path | str, **options) -> Page:
        """The page of files; without any, that of the reader alone."""
        name = self.folder / "page.html"
        run("view", *files, "-o", name)
        return self.visit(name.as_uri(), **options)

    def visit(self, address: str, origin: str | None = None, prepare=lambda context: None, **options) -> Page:
        """The page at an address; what it says on the console, and requests from elsewhere than its origin, are failures at the end."""
        complaints: list[str] = []
        context = self.browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.addCleanup(context.close)
        prepare(context)
        page = context.new_page()
        page.set_default_timeout(120_000)

        def requested(request) -> None:
            is_own = request.url == address or origin is not None and request.url.startswith(origin)
            if not is_own and not request.url.startswith(("data:", "blob:")):
                complaints.append(f"request: {request.url}")

        page.on("console", lambda message: complaints.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("request", requested)
        page.goto(address)
        page.wait_for_selector("main section")
        self.addCleanup(lambda: self.assertEqual(complaints, []))
        return page

    def drop(self, page: Page, name: pathlib.Path) -> None:
        """Drops a file on the page."""
        transfer = page.evaluate_handle(
            """async ([name, text]) => {
              const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
              const transfer = new DataTransfer();
              transfer.items.add(new File([bytes], name));
              return transfer;
            }""", [name.name, base64.b64encode(name.read_bytes()).decode()])
        for event in ("dragenter", "dragover", "drop"):
            page.dispatch_event("main", event, {"dataTransfer": transfer})

    def until(self, page: Page, expression: str, argument: object = None) -> None:
        """Waits until an expression is true. Playwright's own function would evaluate it in the page, whose policy forbids that."""
        deadline = time.monotonic() + 120
        while not page.evaluate(expression, argument):
            self.assertLess(time.monotonic(), deadline, expression)
            page.wait_for_timeout(50)

    def check_access(self, page: Page) -> None:
        # axe itself is put in by the debugger, past the page's policy.
        results = Axe().run(page)
        self.assertEqual(results.violations_count, 0, results.generate_report())

    def picture(self, page: Page, name: str) -> None:
        if PICTURES:
            pathlib.Path(PICTURES).mkdir(parents=True, exist_ok=True)
            page.evaluate("scrollTo(0, 0)")
            page.screenshot(path=str(pathlib.Path(PICTURES) / f"{name}.png"), full_page=True)
