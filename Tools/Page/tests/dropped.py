"""Files that are dropped on a page, or chosen, and read in the browser alone."""

import base64
import json
import re
import shutil
import subprocess
import unittest

from pages import CORPUS, TOOL, PageCase, made
from playwright.sync_api import Page

REPORT = re.compile(r'<script type="application/json" id="report">(.*?)</script>', re.DOTALL)


class DroppedTests(PageCase):
    def choose(self, page: Page, name) -> None:
        page.set_input_files("input[type=file]", str(name))
        self.settle(page)

    def settle(self, page: Page) -> None:
        """Waits for what the reader tells later."""
        page.wait_for_selector("header .badge:not(:text('not compared'))")
        self.until(page, "!/Reading…|Counting…/.test(document.querySelector('main').innerText)")

    def test_the_page_without_files_invites(self) -> None:
        page = self.open()
        self.assertIn("Drop archives or series here", page.inner_text("main"))
        self.check_access(page)
        self.picture(page, "empty")
        # The button opens the browser's dialogue by the keyboard.
        page.focus("button.open")
        with page.expect_file_chooser() as chooser:
            page.keyboard.press("Enter")
        chooser.value.set_files(str(CORPUS / "swift" / "moving.gcseries"))
        self.settle(page)
        self.assertEqual(page.inner_text("h1"), "moving.gcseries")
        self.assertEqual(page.title(), "moving.gcseries")

    def test_an_archive_that_is_dropped(self) -> None:
        page = self.open()
        self.drop(page, CORPUS / "python" / "simulation.gcodable")
        self.settle(page)
        self.assertIn("all checksums match", page.inner_text("header"))
        for section in ("Overview", "Values", "Where the bytes go", "Blocks"):
            self.assertEqual(page.locator(f"section h2:text-is('{section}')").count(), 1, section)
        self.assertGreater(page.locator(".details canvas").count(), 0)
        self.assertGreater(page.locator(".treemap .key").count(), 3)
        page.fill("#search", "mass")
        self.assertRegex(page.inner_text("#found-count"), r"^[1-9]\d* values?")
        page.locator(".found button").first.click()
        self.assertIn("mass", page.inner_text(".details h3"))
        self.check_access(page)
        self.picture(page, "dropped-archive")

    def test_a_series(self) -> None:
        page = self.open()
        self.choose(page, CORPUS / "swift" / "moving.gcseries")
        self.assertEqual(page.locator(".timeline g").count(), 4)
        page.select_option("#step-array", "positions")
        page.wait_for_selector(".step canvas.turns")
        page.focus("#step-slider")
        page.keyboard.press("ArrowLeft")
        self.assertTrue(page.inner_text(".step-label").startswith("entry 2"))
        page.click("text=Compare the 4 steps")
        page.wait_for_selector("#steps figcaption:text('over steps')")
        for name in ("energies", "positions", "counts"):
            page.locator(f".tree .name:text-is('{name}')").click()
            page.wait_for_selector(".details canvas")
            page.wait_for_timeout(100)
            pixels = "node => new Set(node.getContext('2d').getImageData(0, 0, node.width, node.height).data).size"
            self.assertTrue(all(canvas.evaluate(pixels) > 2 for canvas in page.locator(".details canvas").all()), name)
        self.check_access(page)
        self.picture(page, "dropped-series")

    def test_several_files_and_those_of_the_page(self) -> None:
        page = self.open(CORPUS / "valid" / "string.gcodable")
        page.set_input_files("input[type=file]", [str(CORPUS / "valid" / "everything.gcodable"), str(CORPUS / "swift" / "moving.gcseries")])
        self.settle(page)
        self.assertEqual(page.inner_text("h1"), "everything.gcodable")
        page.select_option("#file", "2")
        self.settle(page)
        self.assertEqual(page.inner_text("h1"), "moving.gcseries")
        page.select_option("#file", "0")
        self.assertIn("string.gcodable", page.inner_text("h1"))

    def test_damage(self) -> None:
        whole = bytearray((CORPUS / "swift" / "moving.gcseries").read_bytes())
        whole[len(whole) // 2] ^= 0x10
        name = self.folder / "damaged.gcseries"
        name.write_bytes(whole)
        page = self.open()
        self.choose(page, name)
        self.assertIn("problem", page.inner_text("header"))
        self.assertGreater(page.locator("#damage li").count(), 0)
        self.check_access(page)
        self.picture(page, "dropped-damage")

    def test_what_cannot_be_read_is_said(self) -> None:
        page = self.open()
        for name, text in (("nothing.gcodable", "neither an archive nor a series"), ("log.gcstream", "Streams of messages")):
            (self.folder / name).write_bytes(b"gcstream" if name.endswith("gcstream") else b"")
            page.set_input_files("input[type=file]", str(self.folder / name))
            page.wait_for_selector(f"main .bad:text('{text}')")
        self.check_access(page)

    def test_invalid_files_end_in_text(self) -> None:
        page = self.open()
        names = [str(path) for path in sorted((CORPUS / "invalid").iterdir()) if path.suffix in (".gcodable", ".gcseries")]
        self.assertGreater(len(names), 100)
        for name in names[::7]:
            page.set_input_files("input[type=file]", name)
            self.until(page, "name => document.querySelector('h1').textContent === name && !/Reading…/.test(document.querySelector('main').innerText)",
                       name.rsplit("/", 1)[1])

    def test_texts_stay_texts(self) -> None:
        page = self.open()
        name = self.folder / "<img src=x onerror=alert(1)>.gcodable"
        shutil.copy(CORPUS / "valid" / "string-nul-and-newlines.gcodable", name)
        self.choose(page, name)
        self.assertEqual(page.locator("img").count(), 0)
        self.assertEqual(page.inner_text("h1"), "<img src=x onerror=alert(1)>.gcodable")
        self.assertNotIn("\0", page.content())

    def test_hostile_names_texts_and_numbers(self) -> None:
        """The same in a page of the tool, and in one that has read the file itself."""
        name = made(self.folder / "hostile.gcodable", "hostile")
        own = self.open()
        self.choose(own, name)
        for page in (self.open(name), own):
            page.fill("#search", "wasRun")
            self.assertTrue(page.inner_text("#found-count").startswith("4 values"), page.inner_text("#found-count"))
            for place in range(4):
                page.locator(".found button").nth(place).click()
            page.wait_for_timeout(200)
            self.assertIsNone(page.evaluate("window.wasRun ?? null"))
            self.assertEqual(page.locator("#page img, #page script, #page b").count(), 0)
            text = page.evaluate("document.querySelector('#page').textContent + document.title")
            self.assertNotRegex(text, r"[\u202a-\u202e\u2066-\u2069\u2028\u2029\0\ufeff\u200b]")
            self.assertIn("\\u{202E}desrever", text)
            tree = page.inner_text(".tree")
            for number in ("nan", "inf", "-inf", "1.7976931348623157e+308", "5e-324"):
                self.assertIn(number, tree)
            self.assertLess(len(page.inner_text("main")), 20_000)
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)
            self.check_access(page)
        self.picture(own, "dropped-hostile")

    def test_values_are_those_of_the_tool(self) -> None:
        """For each valid archive, the tree that the browser makes is that of the tool."""
        page = self.open()
        names = [path for path in sorted((CORPUS / "valid").iterdir()) if path.suffix == ".gcodable"]
        self.assertGreater(len(names), 150)
        out = self.folder / "tool.html"
        subprocess.run([TOOL, "view", *map(str, names), "-o", str(out)], check=True, stdout=subprocess.DEVNULL, timeout=600)
        expected = {file["file"]: file for file in json.loads(REPORT.search(out.read_text()).group(1))["files"]}
        found = page.evaluate("""async (files) => {
          const script = new Blob([document.getElementById("reader").textContent], { type: "text/javascript" });
          const worker = new Worker(URL.createObjectURL(script));
          const reports = [];
          for (const [name, text] of files) {
            const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
            const answer = new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });
            worker.postMessage({ id: 0, call: "open", arguments: [new File([bytes], name)] });
            const { result, error } = await answer;
            reports.push(error ?? result.report);
          }
          return reports;
        }""", [[str(path), base64.b64encode(path.read_bytes()).decode()] for path in names])
        keys = ("parent", "step", "kind", "class", "object", "weak", "count", "shape", "formats", "bytes", "segment", "same", "leftOut", "key")
        for name, report in zip(map(str, names), found):
            with self.subTest(name):
                self.assertIsInstance(report, dict, report)
                archives = expected[name]["archives"]
                values = [{key: value[key] for key in keys if value.get(key) is not None} for value in archives[0]["tree"]["values"]]
                own = [{key: value[key] for key in keys if value.get(key) is not None} for value in report["archives"][0]["tree"]["values"]]
                self.assertEqual(own, values)


if __name__ == "__main__":
    unittest.main()
