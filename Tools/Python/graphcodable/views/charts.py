"""Small charts of numbers, as SVG in a line of markup. They take their colours from where they stand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .markup import text

STRETCHES, BINS = 160, 32
# From the least to the greatest, for readers who see no colours, too: each is lighter than the one before.
COLOURS = ("#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725")

Floats = np.ndarray[Any, np.dtype[np.float64]]


def to_unit(*lists: Floats) -> tuple[Floats, ...]:
    """Numbers from 0 to 1, by the least and the greatest finite one of all lists; NaN where one is not finite."""
    every = np.concatenate(lists)
    known = every[np.isfinite(every)]
    if not len(known):
        return tuple(np.full(len(its), np.nan) for its in lists)
    # The difference of large numbers may be no number, and that of small ones none that divides.
    exponent = -(math.frexp(float(np.abs(known).max()))[1] + 1)
    low, high = (float(np.ldexp(each, exponent)) for each in (known.min(), known.max()))
    result = []
    for its in lists:
        scaled = np.where(np.isfinite(its), np.ldexp(its, exponent), np.nan)
        result.append((scaled - low) / (high - low) if high > low else np.where(np.isnan(scaled), np.nan, 0.5))
    return tuple(result)


def svg(label: str, width: int, height: int, inner: str) -> str:
    return (
        f'<svg role="img" aria-label="{text(label, 200)}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" fill="none" stroke="none">{inner}</svg>'
    )


def line(numbers: Floats, label: str, width: int = 320, height: int = 90) -> str:
    """Numbers in order: the least and the greatest of each stretch, as a band where they differ."""
    lows, highs = stretches(numbers)
    lows, highs = to_unit(lows, highs)
    step = (width - 2) / max(len(lows) - 1, 1)
    x = [1 + step * place for place in range(len(lows))]
    y_low, y_high = ((height - 2) * (1 - its) + 1 for its in (lows, highs))
    pieces = []
    for first, end in runs(lows):
        if end - first == 1:
            pieces.append(f"M{x[first]:.1f} {y_high[first] - 0.5:.1f}V{y_low[first] + 0.5:.1f}")
            continue
        over = " ".join(f"{x[at]:.1f} {y_high[at]:.1f}" for at in range(first, end))
        if (y_low[first:end] == y_high[first:end]).all():
            pieces.append("M" + over)
        else:
            pieces.append("M" + over + " " + " ".join(f"{x[at]:.1f} {y_low[at]:.1f}" for at in reversed(range(first, end))) + "Z")
    paths = "".join(
        f'<path d="{each}" stroke="currentColor" stroke-width="1.2" stroke-linejoin="round"'
        + (' fill="currentColor" fill-opacity="0.45"/>' if each.endswith("Z") else "/>")
        for each in pieces
    )
    return svg(label, width, height, paths)


def stretches(numbers: Floats) -> tuple[Floats, Floats]:
    """The least and the greatest finite number of each of some stretches, NaN where there is none."""
    if not len(numbers):
        return numbers, numbers
    count = min(len(numbers), STRETCHES)
    starts = np.arange(count) * len(numbers) // count
    is_known = np.isfinite(numbers)
    lows = np.minimum.reduceat(np.where(is_known, numbers, np.inf), starts)
    highs = np.maximum.reduceat(np.where(is_known, numbers, -np.inf), starts)
    return np.where(np.isfinite(lows), lows, np.nan), np.where(np.isfinite(highs), highs, np.nan)


def runs(numbers: Floats) -> list[tuple[int, int]]:
    """Where runs of numbers begin and end that are not NaN."""
    is_known = np.concatenate(([False], ~np.isnan(numbers), [False]))
    edges = np.flatnonzero(is_known[1:] != is_known[:-1])
    return [(int(first), int(end)) for first, end in zip(edges[::2], edges[1::2])]


def histogram(numbers: Floats, label: str, width: int = 320, height: int = 90) -> str:
    """How many numbers are in each part of their range."""
    (shares,) = to_unit(numbers)
    shares = shares[~np.isnan(shares)]
    counts = np.bincount(np.minimum((shares * BINS).astype(np.int64), BINS - 1), minlength=BINS)
    most, step = max(int(counts.max()), 1), width / BINS
    bars = "".join(
        f"M{step * at:.1f} {height}h{step - 1:.1f}v{-max(1.0, (height - 2) * int(count) / most):.1f}h{1 - step:.1f}Z"
        for at, count in enumerate(counts)
        if count
    )
    return svg(label, width, height, f'<path d="{bars}" fill="currentColor"/>')


def heat_map(grid: np.ndarray[Any, np.dtype[np.float64]], label: str, width: int = 320) -> str:
    """Numbers of rows and columns as colours, from dark for the least to light for the greatest; NaN is left open."""
    rows, columns = grid.shape
    (shares,) = to_unit(grid.reshape(-1))
    levels = np.where(np.isnan(shares), -1, np.minimum(np.nan_to_num(shares) * len(COLOURS), len(COLOURS) - 1)).astype(np.int64).reshape(rows, columns)
    side = max(min(width / columns, 200 / rows), 2)
    paths = []
    for level, colour in enumerate(COLOURS):
        cells = "".join(f"M{column} {row}h1v1h-1z" for row, column in np.argwhere(levels == level).tolist())
        if cells:
            paths.append(f'<path d="{cells}" fill="{colour}"/>')
    return svg(label, round(columns * side), round(rows * side), f'<g transform="scale({side:.3f})" shape-rendering="crispEdges">{"".join(paths)}</g>')
