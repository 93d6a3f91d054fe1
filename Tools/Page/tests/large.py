"""Pages of large files, and what making them takes: a series of 10 GB, and an archive of 1,000,000 objects."""

import os
import pathlib
import subprocess
import time
import unittest

from pages import TOOL, made
from served import ServedCase

BUDGET = 100 << 20
# The archive that Examples/Molecule makes.
MOLECULE = os.environ.get("GRAPHCODABLE_MOLECULE")


def measured(*arguments: object) -> tuple[float, int]:
    """The seconds and the peak bytes of a run of the tool."""
    start = time.monotonic()
    process = subprocess.Popen([TOOL, *map(str, arguments)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"graphcodable ends with {process.returncode}")
    return time.monotonic() - start, usage.ru_maxrss * 1024


class LargeTests(ServedCase):
    def test_a_series_of_10_gb(self) -> None:
        name, page_name = made(self.folder / "large.gcseries", "series", 650, 16), self.folder / "page.html"
        seconds, peak = measured("view", name, "-o", page_name)
        print(f"page of 10 GB: {seconds:.2f} s, {peak / (1 << 20):.0f} MiB, {page_name.stat().st_size} bytes")
        self.assertLess(peak, BUDGET)
        page = self.visit(page_name.as_uri())
        self.assertIn("Sampled:", page.inner_text(".details"))
        self.assertIn("Sampled: 24 of 650 entries", page.inner_text("#steps"))
        page.focus("#step-slider")
        page.keyboard.press("ArrowLeft")
        self.check_access(page)
        self.picture(page, "viewed-10-gb")

    @unittest.skipUnless(MOLECULE, "GRAPHCODABLE_MOLECULE does not name the archive of the molecule")
    def test_a_molecule(self) -> None:
        own = self.open()
        own.set_input_files("input[type=file]", MOLECULE)
        own.wait_for_selector("header .badge.good")
        for page in (self.open(pathlib.Path(MOLECULE)), own):
            page.wait_for_selector(".details canvas")
            page.fill("#search", "atoms[0].residue")
            page.locator(".found button").first.click()
            self.assertIn("Residue", page.inner_text(".details"))
            self.assertGreater(page.locator(".objects .edge.weak").count(), 0)
            page.keyboard.press("ArrowUp")
            self.assertIn("atoms[0].bonds", page.inner_text(".details h3"))
            self.check_access(page)
            self.picture(page, "viewed-molecule")

    def test_an_archive_of_a_million_objects(self) -> None:
        name, page_name = made(self.folder / "million.gcodable", "objects", 1_000_000), self.folder / "page.html"
        seconds, peak = measured("view", name, "-o", page_name)
        print(f"page of 1,000,000 objects: {seconds:.2f} s, {peak / (1 << 20):.0f} MiB, {page_name.stat().st_size} bytes")
        page = self.visit(page_name.as_uri())
        self.look(page)
        self.picture(page, "viewed-million")

    def test_a_million_objects_in_the_browser_alone(self) -> None:
        name = made(self.folder / "million.gcodable", "objects", 1_000_000)
        page = self.open()
        page.set_input_files("input[type=file]", str(name))
        page.wait_for_selector("header .badge.good")
        self.look(page)
        self.picture(page, "dropped-million")

    def look(self, page) -> None:
        self.assertIn("1,000,000", page.inner_text("#overview"))
        self.assertIn("nearest to the root first", page.inner_text("#values"))
        self.assertIn("… 999,900 more, not on this page", page.inner_text(".tree"))
        page.fill("#search", "body 3<")
        page.locator(".found button").first.click()
        self.assertIn("<b>body 3</b>", page.inner_text(".details"))
        self.assertEqual(page.locator("b").count(), 0)
        self.assertIn("Demo.Body", page.inner_text("#bytes"))
        self.check_access(page)


if __name__ == "__main__":
    unittest.main()
