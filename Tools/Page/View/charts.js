// Charts of numbers on canvases.
import { canvas, colour, marks, ramp, rampStyle } from "./canvas.js";
import { element } from "./element.js";
import { grouped, number } from "./text.js";

const edge = { left: 58, right: 10, top: 8, bottom: 20 };

function finiteRange(...lists) {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists) {
    for (const value of list) {
      if (value === null || !Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) return null;
  return low === high ? [low - Math.abs(low || 1) / 2, high + Math.abs(high || 1) / 2] : [low, high];
}

/// Where a number is in a range whose length may be infinite, from 0 to 1.
function share(value, [low, high]) {
  return (value / 2 - low / 2) / (high / 2 - low / 2);
}

/// In place of a chart without numbers.
function nothing() {
  return element("p", { class: "note" }, "There are no finite numbers to draw.");
}

function frame(context, width, height, [low, high], least) {
  const y = (value) => height - edge.bottom - share(value, [low, high]) * (height - edge.top - edge.bottom);
  context.fillStyle = colour("muted");
  context.strokeStyle = colour("line");
  context.lineWidth = 1;
  context.textAlign = "right";
  context.textBaseline = "middle";
  // As many digits as tell them from each other.
  const found = marks(low, high, Math.max(2, Math.floor(height / 36)), least);
  const digits = [4, 6, 8].find((count) => new Set(found.map((mark) => number(mark, count))).size === found.length) ?? 9;
  for (const mark of found) {
    context.beginPath();
    context.moveTo(edge.left, y(mark));
    context.lineTo(width - edge.right, y(mark));
    context.stroke();
    // Longer ones would be cut.
    const isLong = Math.abs(mark) >= 1e6 && Math.abs(mark) < 1e9;
    context.fillText(isLong ? `${number(mark / 1e6, digits)} M` : number(mark, digits), edge.left - 6, y(mark));
  }
  return y;
}

function below(context, width, height, first, last = first) {
  context.fillStyle = colour("muted");
  context.textBaseline = "bottom";
  context.textAlign = "left";
  context.fillText(first, edge.left, height - 2);
  if (last === first) return;
  context.textAlign = "right";
  context.fillText(last, width - edge.right, height - 2);
}

/// The least and the greatest number of each stretch of an array, as a band.
export function band(lows, highs, count, label) {
  const range = finiteRange(lows, highs);
  if (range === null) return nothing();
  return canvas(label, 190, (context, width, height) => {
    const y = frame(context, width, height, range);
    const x = (place) => edge.left + (place / Math.max(lows.length - 1, 1)) * (width - edge.left - edge.right);
    const isLine = lows.every((low, place) => low === highs[place]);
    context.strokeStyle = colour("accent");
    context.fillStyle = colour("accent-soft");
    context.lineWidth = 1.5;
    context.lineJoin = "round";
    for (const [start, end] of runs(lows)) {
      context.beginPath();
      for (let place = start; place < end; place += 1) context.lineTo(x(place), y(highs[place]));
      if (!isLine) for (let place = end - 1; place >= start; place -= 1) context.lineTo(x(place), y(lows[place]));
      if (end - start === 1) dot(context, x(start), y(highs[start]), y(lows[start]));
      if (!isLine) context.fill();
      context.stroke();
    }
    below(context, width, height, "0", grouped(count - 1));
  });
}

/// A stretch without neighbours, which has no line.
function dot(context, x, top, bottom) {
  context.roundRect(x - 2.5, top - 2.5, 5, bottom - top + 5, 2.5);
  context.fillStyle = colour("accent");
  context.fill();
  context.fillStyle = colour("accent-soft");
}

function runs(values) {
  const found = [];
  let start = -1;
  values.forEach((value, place) => {
    if (value !== null && start < 0) start = place;
    if (value === null && start >= 0) {
      found.push([start, place]);
      start = -1;
    }
  });
  if (start >= 0) found.push([start, values.length]);
  return found;
}

/// How many numbers are in each part of their range.
export function histogram({ lower, upper, counts }, label) {
  return canvas(label, 190, (context, width, height) => {
    const y = frame(context, width, height, [0, Math.max(...counts, 1)], 1);
    const part = (width - edge.left - edge.right) / counts.length;
    context.fillStyle = colour("accent");
    counts.forEach((count, index) => {
      if (count === 0) return;
      const top = Math.min(y(count), y(0) - 1);
      context.fillRect(edge.left + index * part + 0.5, top, Math.max(part - 1, 1), y(0) - top);
    });
    below(context, width, height, number(lower, 6), number(upper, 6));
  });
}

/// Lines of values over places, for series; where places do not ascend, one after the other.
export function lines(lists, places, label, height = 170) {
  const range = finiteRange(...lists.map((list) => list.values));
  if (range === null) return nothing();
  const isAscending = places.every((place, number) => number === 0 || place > places[number - 1]);
  const along = isAscending ? places : places.map((_, number) => number);
  const length = along[along.length - 1] - along[0] || 1;
  return canvas(label, height, (context, width) => {
    const y = frame(context, width, height, range);
    const x = (place) => edge.left + ((along[place] - along[0]) / length) * (width - edge.left - edge.right);
    lists.forEach((list) => {
      context.strokeStyle = colour(list.colour);
      context.lineWidth = list.width ?? 1.5;
      context.setLineDash(list.dash ?? []);
      for (const [start, end] of runs(list.values)) {
        context.beginPath();
        for (let place = start; place < end; place += 1) context.lineTo(x(place), y(list.values[place]));
        if (end - start === 1) context.arc(x(start), y(list.values[start]), 2, 0, 7);
        context.stroke();
      }
      context.setLineDash([]);
    });
    below(context, width, height, number(places[0], 8), number(places[places.length - 1], 8));
  });
}

/// Numbers of a plane as colours; with channels, the colours of an image.
export function plane(grid, label) {
  const { rows, columns, channels, values } = grid;
  const range = channels === 1 ? finiteRange(values) : [0, 255];
  if (range === null) return nothing();
  // In the proportions of the whole plane, unless it is very long or very wide; a very wide one is less high.
  const shape = Math.min(Math.max(grid.ofColumns / grid.ofRows, 0.25), 8);
  const height = Math.round(Math.min(280, Math.max(480 / shape, 90)));
  return canvas(label, height, (context, width) => {
    const image = new OffscreenCanvas(columns, rows);
    const pixels = new ImageData(columns, rows);
    for (let place = 0; place < rows * columns; place += 1) {
      const parts = values.slice(place * channels, place * channels + channels);
      const [red, green, blue] =
        channels > 1 ? parts : parts[0] === null ? [0, 0, 0] : ramp(share(parts[0], range));
      const isThere = channels > 1 || parts[0] !== null;
      pixels.data.set([red, green, blue, channels === 4 ? parts[3] : isThere ? 255 : 0], place * 4);
    }
    image.getContext("2d").putImageData(pixels, 0, 0);
    const hasScale = channels === 1;
    const room = hasScale ? width - 86 : width;
    const wide = Math.min(room, height * shape);
    context.imageSmoothingEnabled = false;
    context.drawImage(image, 0, 0, wide, wide / shape);
    if (hasScale) scale(context, wide + 10, Math.min(height, Math.max(wide / shape, 60)), values, range);
  });
}

/// What the colours mean; one number has one colour.
function scale(context, left, height, values, [low, high]) {
  for (let line = 0; line < height; line += 1) {
    context.fillStyle = rampStyle(1 - line / height);
    context.fillRect(left, line, 10, 1);
  }
  context.fillStyle = colour("muted");
  const numbers = values.filter((value) => value !== null);
  if (numbers.every((value) => value === numbers[0])) {
    context.textBaseline = "middle";
    context.fillText(number(numbers[0], 3), left + 14, height / 2);
    return;
  }
  context.textBaseline = "top";
  context.fillText(number(high, 3), left + 14, 0);
  context.textBaseline = "bottom";
  context.fillText(number(low, 3), left + 14, height);
}
