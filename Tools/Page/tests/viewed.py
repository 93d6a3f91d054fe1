"""The pages of files of the corpus in a headless Chromium.

Checked are the console, requests, accessibility by axe, search, paths, previews, keys and the slider. Needs Playwright and axe from
PyPI, and Debian's Chromium: `make page-test` sees to the former, and says where the latter is missing.
"""

import shutil
import subprocess
import unittest

from pages import CORPUS, TOOL, PageCase, made


class PageTests(PageCase):
    def test_archive(self) -> None:
        page = self.open(CORPUS / "python" / "simulation.gcodable")
        self.check_access(page)
        self.assertIn("all checksums match", page.inner_text("header"))
        for section in ("Overview", "Values", "Where the bytes go"):
            self.assertEqual(page.locator(f"section h2:text-is('{section}')").count(), 1)

    def test_search_leads_to_a_value(self) -> None:
        page = self.open(CORPUS / "valid" / "swift-large-graph.gcodable")
        page.fill("#search", "[0]")
        self.assertRegex(page.inner_text("#found-count"), r"^\d[\d,]* values? of the ")
        first = page.locator(".found button").first
        path = first.inner_text().split(" ")[0]
        first.click()
        chosen = page.locator("[role=treeitem][aria-selected=true]")
        self.assertEqual(chosen.count(), 1)
        self.assertEqual(page.locator("[aria-selected=true] > .row").get_attribute("title"), path)
        self.assertIn(path, page.inner_text(".details h3"))
        page.fill("#search", "nothing is called so")
        self.assertTrue(page.inner_text("#found-count").startswith("0 values"))

    def test_paths_are_copied(self) -> None:
        page = self.open(CORPUS / "swift" / "moving.gcseries", permissions=["clipboard-read", "clipboard-write"])
        page.locator(".tree .name:text-is('positions')").click()
        page.click(".details .copy")
        self.assertEqual(page.evaluate("navigator.clipboard.readText()"), "positions")

    def test_keys_move_in_the_tree(self) -> None:
        page = self.open(CORPUS / "valid" / "tree-with-conditional-parents.gcodable")
        page.focus("[role=treeitem][tabindex='0']")
        selected = "document.activeElement.getAttribute('aria-level') + document.activeElement.getAttribute('aria-expanded')"
        page.keyboard.press("Home")
        self.assertEqual(page.evaluate(selected), "1true")
        page.keyboard.press("ArrowRight")
        self.assertTrue(page.evaluate(selected).startswith("2"))
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        self.assertEqual(page.evaluate(selected), "1false")
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate(selected), "1true")
        page.keyboard.press("End")
        self.assertNotEqual(page.evaluate(selected), "1true")
        self.check_access(page)

    def test_objects_are_drawn_with_their_cycles(self) -> None:
        page = self.open(CORPUS / "valid" / "tree-with-conditional-parents.gcodable")
        page.focus("[role=treeitem][tabindex='0']")
        page.keyboard.press("Home")
        self.assertGreater(page.locator(".objects .node").count(), 1)
        self.assertGreater(page.locator(".objects .edge.weak").count(), 0)
        page.locator(".objects .node").nth(1).click()
        self.assertNotEqual(page.inner_text(".details h3"), "root")

    def test_many_objects_are_seen_at_once(self) -> None:
        page = self.open(made(self.folder / "many.gcodable", "objects", 300))
        page.focus("[role=treeitem][tabindex='0']")
        page.keyboard.press("Home")
        self.assertEqual(page.locator(".objects .node").count(), 1 + 8 + 1 + 1)
        self.assertIn("more references lead to objects that are not drawn", page.inner_text(".details"))
        self.assertLess(page.locator(".objects").bounding_box()["height"], 500)
        # Texts stay in their boxes.
        widths = "() => [...document.querySelectorAll('.objects .node')].every((node) => [...node.querySelectorAll('text')].every((text) => text.getBBox().width < 146))"
        self.assertTrue(page.evaluate(widths))

    def test_series(self) -> None:
        page = self.open(CORPUS / "swift" / "moving.gcseries")
        self.check_access(page)
        self.assertEqual(page.locator(".timeline g").count(), 4)
        label = page.inner_text(".step-label")
        self.assertTrue(label.startswith("entry 3"), label)
        page.focus("#step-slider")
        page.keyboard.press("ArrowLeft")
        self.assertTrue(page.inner_text(".step-label").startswith("entry 2"))
        self.assertEqual(page.get_attribute("#step-slider", "aria-valuetext"), page.inner_text(".step-label"))
        page.select_option("#step-array", "positions")
        self.assertEqual(page.locator(".step canvas.turns").count(), 1)
        before = page.evaluate("document.querySelector('.step canvas').toDataURL()")
        page.focus(".step canvas")
        page.keyboard.press("ArrowRight")
        self.assertNotEqual(page.evaluate("document.querySelector('.step canvas').toDataURL()"), before)

    def test_previews_are_drawn(self) -> None:
        page = self.open(CORPUS / "swift" / "moving.gcseries")
        for name in ("energies", "positions", "counts"):
            page.locator(f".tree .name:text-is('{name}')").click()
            page.wait_for_timeout(100)
            for canvas in page.locator(".details canvas").all():
                pixels = "node => new Set(node.getContext('2d').getImageData(0, 0, node.width, node.height).data).size"
                self.assertGreater(canvas.evaluate(pixels), 2, name)
            self.assertGreater(page.locator(".details canvas").count(), 0)

    def test_set(self) -> None:
        page = self.open(CORPUS / "swift" / "state")
        self.check_access(page)
        self.assertGreater(page.locator("#set td").count(), 0)

    def test_several_files(self) -> None:
        page = self.open(CORPUS / "swift" / "moving.gcseries", CORPUS / "valid" / "everything.gcodable")
        page.select_option("#file", "1")
        self.assertIn("everything.gcodable", page.inner_text("h1"))
        self.check_access(page)

    def test_damage(self) -> None:
        whole = bytearray((CORPUS / "swift" / "moving.gcseries").read_bytes())
        whole[len(whole) // 2] ^= 0x10
        name = self.folder / "damaged.gcseries"
        name.write_bytes(whole)
        page = self.open(name)
        self.check_access(page)
        self.assertIn("problem", page.inner_text("header"))
        self.assertGreater(page.locator("#damage li").count(), 0)

    def test_names_are_text(self) -> None:
        # A name of a file is shown like those in it.
        name = self.folder / "<img src=x onerror=alert(1)>\u202e.gcodable"
        shutil.copy(CORPUS / "valid" / "string-nul-and-newlines.gcodable", name)
        page = self.open(name)
        self.assertEqual(page.locator("img").count(), 0)
        self.assertIn("<img src=x onerror=alert(1)>\\u{202E}", page.inner_text("h1"))
        self.assertNotIn("\u202e", page.content())

    def test_the_policy_forbids_the_rest(self) -> None:
        name = self.folder / "page.html"
        subprocess.run([TOOL, "view", str(CORPUS / "valid" / "string.gcodable"), "-o", str(name)], check=True, stdout=subprocess.DEVNULL)
        page = self.browser.new_page()
        answers: list[str] = []
        page.on("requestfinished", lambda request: answers.append(request.url))
        page.goto(name.as_uri())
        page.evaluate("""() => {
          const script = document.createElement('script');
          script.textContent = 'window.wasRun = true';
          document.body.append(script, Object.assign(new Image(), { src: 'https://example.org/x.png' }));
          document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.wasRun = true">');
        }""")
        page.wait_for_timeout(300)
        self.assertIsNone(page.evaluate("window.wasRun ?? null"))
        self.assertEqual([url for url in answers if url.startswith("http")], [])

    def test_dark_and_narrow(self) -> None:
        for options in ({"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 800}}):
            page = self.open(CORPUS / "swift" / "moving.gcseries", **options)
            self.check_access(page)
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)
        page.emulate_media(media="print")
        self.assertFalse(page.is_visible("#search"))


if __name__ == "__main__":
    unittest.main()
