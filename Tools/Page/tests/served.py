"""Pages of `graphcodable serve`, which read files by ranges."""

import http.client
import pathlib
import re
import signal
import subprocess
import unittest
from urllib.parse import urlsplit

from pages import CORPUS, TOOL, PageCase, made
from playwright.sync_api import Page

RANGE = re.compile(r"bytes=(\d+)-(\d+)")


class ServedCase(PageCase):
    def serve(self, *files: pathlib.Path) -> str:
        """The address of a server that has files, and ends with the test."""
        server = subprocess.Popen([TOOL, "serve", *map(str, files)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        def end() -> None:
            server.stdin.close()
            self.assertEqual(server.wait(timeout=60), 0)
            server.stdout.close()

        self.addCleanup(end)
        return server.stdout.readline().strip()

    def visit_served(self, *files: pathlib.Path, most: int | None = None, **options) -> tuple[Page, list[tuple[int, int]]]:
        """The page of files, and the ranges that it asks for; more than `most` wait for `let_through`."""
        address = self.serve(*files)
        ranges: list[tuple[int, int]] = []
        self.held = []
        self.most = most

        def note(route) -> None:
            match = RANGE.fullmatch(route.request.headers.get("range", ""))
            if match:
                ranges.append((int(match[1]), int(match[2]) + 1))
            if self.most is not None and len(ranges) > self.most:
                self.held.append(route)
            else:
                route.continue_()

        page = self.visit(address, origin=address, prepare=lambda context: context.route(address + "*", note), **options)
        return page, ranges

    def let_through(self) -> None:
        self.most = None
        for route in self.held:
            route.continue_()
        self.held.clear()

    def settle(self, page: Page) -> None:
        self.until(page, "!/Reading…|Counting…/.test(document.querySelector('main').innerText)")


class ServedTests(ServedCase):
    def test_an_archive_and_a_series(self) -> None:
        page, ranges = self.visit_served(CORPUS / "python" / "simulation.gcodable", CORPUS / "swift" / "moving.gcseries")
        self.settle(page)
        page.wait_for_selector("header .badge.good")
        self.assertGreater(len(ranges), 0)
        self.assertIn("on this computer", page.inner_text("footer"))
        self.check_access(page)
        page.select_option("#file", "1")
        page.wait_for_selector(".timeline")
        self.settle(page)
        self.assertEqual(page.locator(".timeline g").count(), 4)
        page.locator(".tree .name:text-is('positions')").click()
        page.wait_for_selector(".details canvas.turns")
        page.focus("#step-slider")
        page.keyboard.press("Home")
        self.assertTrue(page.inner_text(".step-label").startswith("entry 0"))
        page.wait_for_selector(".step .facts")
        self.check_access(page)
        # Others can be dropped here, too.
        self.drop(page, CORPUS / "valid" / "everything.gcodable")
        self.until(page, "document.querySelector('h1').textContent === 'everything.gcodable'")
        self.settle(page)

    def test_damage_and_narrow_screens_in_the_dark(self) -> None:
        whole = bytearray((CORPUS / "swift" / "moving.gcseries").read_bytes())
        whole[len(whole) // 2] ^= 0x10
        name = self.folder / "damaged.gcseries"
        name.write_bytes(whole)
        page, _ = self.visit_served(name, viewport={"width": 390, "height": 800}, color_scheme="dark")
        self.settle(page)
        page.wait_for_selector("#damage li")
        self.check_access(page)
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)
        self.picture(page, "served-damage-narrow-dark")

    def test_a_set_is_its_parts(self) -> None:
        page, _ = self.visit_served(CORPUS / "swift" / "state")
        self.settle(page)
        self.assertIn("part-00000", page.inner_text("h1"))

    def test_the_first_preview_takes_few_requests(self) -> None:
        """That does not depend on the size: a file of 10 GB, of which 16 MB are on the disk."""
        name = made(self.folder / "large.gcseries", "series", 650, 16)
        self.assertGreater(name.stat().st_size, 10_000_000_000)
        self.assertLess(name.stat().st_blocks * 512, 100_000_000)
        # With that of the page, 6; others wait until the preview is seen.
        page, ranges = self.visit_served(name, most=5)
        page.wait_for_selector(".details canvas")
        first = ranges[:5]
        self.assertLessEqual(sum(end - start for start, end in first) + len(page.content()), 4 << 20, first)
        self.let_through()
        self.assertIn("Sampled: 262,144 of 2,097,152 elements were read, in 2 places", page.inner_text(".details"))
        page.wait_for_selector(".timeline")
        self.assertEqual(page.locator(".timeline g").count(), 650)
        self.settle(page)
        page.wait_for_selector(".step .facts")
        page.focus("#step-slider")
        page.keyboard.press("Home")
        self.assertTrue(page.inner_text(".step-label").startswith("entry 0"))
        self.until(page, "document.querySelector('.step').innerText.includes('Sampled')")
        self.assertIn("checksums not compared", page.inner_text("header"))
        page.click("text=Sample more closely")
        self.until(page, "document.querySelector('.details').innerText.includes('All 2,097,152 elements were read')")
        page.click("text=Compare the 24 steps")
        page.wait_for_selector("#steps figcaption:text-is('temperature')")
        self.check_access(page)
        self.picture(page, "served-10-gb")

    def test_a_server_that_has_ended_is_missed(self) -> None:
        name = made(self.folder / "run.gcseries", "series", 3, 3)
        server = subprocess.Popen([TOOL, "serve", str(name)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        address = server.stdout.readline().strip()
        context = self.browser.new_context()
        self.addCleanup(context.close)
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector(".details canvas")
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(timeout=60), 0)
        server.stdin.close()
        server.stdout.close()
        page.click("text=Sample more closely")
        page.wait_for_selector(".details .bad:text('The server does not answer')")

    def test_other_pages_do_not_get_at_it(self) -> None:
        """A page of another origin can neither read it nor show it, also by another name for this machine."""
        address = self.serve(CORPUS / "swift" / "moving.gcseries")
        where = urlsplit(address)
        connection = http.client.HTTPConnection(where.hostname, where.port)
        connection.request("GET", where.path, headers={"Host": f"rebound.example:{where.port}"})
        self.assertEqual(connection.getresponse().status, 421)
        connection.close()
        context = self.browser.new_context()
        self.addCleanup(context.close)
        page = context.new_page()
        page.goto("data:text/html,<title>other</title>")
        found = page.evaluate("""async (address) => {
          try { return (await fetch(address)).status } catch { return 'refused' }
        }""", address + "0")
        self.assertEqual(found, "refused")


if __name__ == "__main__":
    unittest.main()
