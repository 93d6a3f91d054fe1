"""Arrays that are hard to draw: of one number or none, without finite numbers, at the ends of their type, hardly apart; vectors and images."""

import json
import re
import unittest

from pages import PageCase, made
from playwright.sync_api import Page

REPORT = re.compile(r'<script type="application/json" id="report">(.*?)</script>', re.DOTALL)
# For each array what is said of it, and how many canvases it has.
SHOWN = {
    "one": ("Its only element was read.", 2), "nan": ("NaN\n2", 0), "infinite": ("Infinite\n2", 0), "big": ("8.4984e+307", 2),
    "huge": ("2.1602e+300", 2), "tiny": ("8.165e−301", 2), "close": ("In order", 2), "even": ("In order", 2), "matrix": ("Heat map", 3),
    "nowhere": ("NaN\n12", 0), "wide": ("96 of 300 columns are drawn", 3), "rows": ("NaN\n15", 0), "image": ("Image", 3), "vectors": ("All 50 elements were read.", 7),
}  # fmt: skip


class OddTests(PageCase):
    def pages(self) -> list[Page]:
        """A page that the tool has made, and one that has read the file itself."""
        self.name = made(self.folder / "odd.gcseries", "odd")
        own = self.open()
        own.set_input_files("input[type=file]", str(self.name))
        own.wait_for_selector("header .badge.good")
        return [self.open(self.name), own]

    def choose(self, page: Page, name: str) -> str:
        page.locator(f".tree .name:text-is('{name}')").click()
        self.until(page, "!document.querySelector('.details').innerText.includes('Reading…')")
        # Canvases are drawn when they are seen.
        page.wait_for_timeout(100)
        return page.inner_text(".details")

    def test_each_has_what_suits_it(self) -> None:
        for page in self.pages():
            for name, (text, canvases) in SHOWN.items():
                with self.subTest(name):
                    shown = self.choose(page, name)
                    self.assertIn(text, shown)
                    self.assertNotRegex(shown, "undefined|Infinity|\\[object")
                    self.assertEqual(page.locator(".details canvas").count(), canvases)
                    for canvas in page.locator(".details canvas").all():
                        pixels = "node => new Set(node.getContext('2d').getImageData(0, 0, node.width, node.height).data).size"
                        self.assertGreater(canvas.evaluate(pixels), 2)
            self.choose(page, "none")
            self.assertEqual(page.locator(".details canvas").count(), 0)
            self.check_access(page)

    def test_lines_have_no_gaps(self) -> None:
        """Each number of an array with few of them is in a place of its own."""
        self.pages()
        report = json.loads(REPORT.search((self.folder / "page.html").read_text()).group(1))
        arrays = {array["path"]: array["columns"] for array in report["files"][0]["archives"][0]["previews"]}
        for name in ("close", "even"):
            (column,) = arrays[name]
            self.assertNotIn(None, column["lows"], name)
            self.assertEqual(len(set(column["lows"])), 100, name)
            self.assertEqual(column["lows"], column["highs"], name)

    def test_steps_that_do_not_ascend(self) -> None:
        for page in self.pages():
            options = page.locator("#step-array option").all_inner_texts()
            self.assertEqual(options[0], "vectors")
            self.assertNotIn("vectors.x", options)
            # A page by itself has the first ones.
            for name in {"vectors", "matrix", "image", "nan", "nowhere", "rows", "big"} & set(options):
                page.select_option("#step-array", name)
                page.focus("#step-slider")
                page.keyboard.press("Home")
                self.until(page, "!document.querySelector('.step').innerText.includes('Reading…')")
                page.wait_for_selector(".step .facts, .step table")
                if page.locator("#steps button.plain").count() > 0:
                    page.click("#steps button.plain")
                    self.until(page, "!document.querySelector('#steps button.plain')")
                self.assertEqual(page.locator("#steps canvas").count() == 0, name in ("nan", "nowhere", "rows"), name)
                self.check_access(page)


if __name__ == "__main__":
    unittest.main()
