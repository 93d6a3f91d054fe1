"""What a notebook shows of a series of the particle simulation, as a page: `make gallery` takes the picture of it."""

import argparse
from pathlib import Path
from typing import Any

import graphcodable

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("series", help="folder, file or address")
parser.add_argument("--output", required=True, help="the page")
options = parser.parse_args()

PAGE = '<!doctype html><meta charset="utf-8"><title>A notebook</title><body style="font-family: sans-serif; margin: 16px">'
series: Any = graphcodable.open(options.series)
state = series[-1].root
cells = [
    ("series[-1].archive", series[-1].archive),
    ("series[-1].root.energies.kinetic", state.energies.kinetic),
    ("series[-1].root.particles.velocities.x", state.particles.velocities.x),
]
shown = "".join(f"<pre>{name}</pre>{value._repr_html_()}" for name, value in cells)
Path(options.output).write_text(PAGE + shown, encoding="utf-8")
