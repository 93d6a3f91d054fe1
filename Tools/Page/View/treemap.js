// Where the bytes go: classes, keys and arrays as areas, and as a table.
import { drawingSize, drawn, element } from "./element.js";
import { table } from "./table.js";
import { grouped, percent, size, visible } from "./text.js";

const shades = 8;

/// Rectangles whose areas are as the sizes of the items, which descend: [x, y, width, height] for each.
export function squarified(sizes, [left, top, width, height]) {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= 0 || width <= 0 || height <= 0) return sizes.map(() => [left, top, 0, 0]);
  const areas = sizes.map((size) => (size / total) * width * height);
  const found = [];
  let [x, y, wide, high] = [left, top, width, height];
  for (let start = 0; start < areas.length;) {
    const side = Math.min(wide, high);
    let [end, sum, worst] = [start, 0, Infinity];
    while (end < areas.length) {
      const next = sum + areas[end];
      const ratio = Math.max((side * side * areas[start]) / (next * next), (next * next) / (side * side * areas[end]));
      if (ratio > worst) break;
      [sum, worst, end] = [next, ratio, end + 1];
    }
    const depth = side > 0 ? sum / side : 0;
    let along = 0;
    for (let place = start; place < end; place += 1) {
      const length = depth > 0 ? areas[place] / depth : 0;
      found.push(wide >= high ? [x, y + along, depth, length] : [x + along, y, length, depth]);
      along += length;
    }
    if (wide >= high) [x, wide] = [x + depth, wide - depth];
    else [y, high] = [y + depth, high - depth];
    start = Math.max(end, start + 1);
  }
  return found;
}

/// The keys of each class, with what the class has besides.
function classTree(statistics) {
  const groups = statistics.classes.map((share) => ({ ...share, keys: [] }));
  const byLength = [...groups].sort((one, other) => other.name.length - one.name.length);
  for (const key of statistics.keys) {
    const group = byLength.find(({ name }) => key.name.startsWith(`${name}.`) || key.name.startsWith(`${name}[`));
    group?.keys.push({ ...key, label: key.name.slice(group.name.length).replace(/^\./, "") });
  }
  for (const group of groups) {
    const rest = group.bytes - group.keys.reduce((sum, { bytes }) => sum + bytes, 0);
    if (rest > 0) group.keys.push({ name: `${group.name}: references and heads`, label: "", bytes: rest, rawBytes: rest });
    group.keys = group.keys.filter(({ bytes }) => bytes > 0).sort((one, other) => other.bytes - one.bytes);
  }
  return groups.filter(({ bytes }) => bytes > 0).sort((one, other) => other.bytes - one.bytes);
}

/// The map and the tables of an archive.
export function treemap(statistics) {
  const groups = classTree(statistics);
  const overhead = { name: "header, tables, index and padding", bytes: statistics.overheadBytes, keys: [] };
  const all = [...groups, ...(overhead.bytes > 0 ? [overhead] : [])].sort((one, other) => other.bytes - one.bytes);
  const [width, height] = drawingSize([960, 340], [420, 380]);
  const places = squarified(all.map(({ bytes }) => bytes), [0, 0, width, height]);
  const map = drawn(
    "svg", { viewBox: `0 0 ${width} ${height}`, class: "treemap", role: "img", "aria-label": "Map of bytes by class and key; the table below has the same numbers" },
    all.map((group, number) => tile(group, places[number], number % shades, statistics.bytes, groups.length === 1)));
  const share = ({ name, count, bytes, rawBytes }) =>
    [visible(name, 160), grouped(count), size(bytes), percent(bytes, statistics.bytes), size(rawBytes), ratio(rawBytes, bytes)];
  const tables = [["Classes", statistics.classes], ["Keys", statistics.keys], ["Large arrays", statistics.arrays]]
    .filter(([, shares]) => shares.length > 0)
    .map(([title, shares], number) => element(
      "details", { open: number === 0 }, element("summary", {}, `${title} (${grouped(shares.length)})`),
      table(title, ["Name", "Number", "Bytes", "Share", "Before compression", "Ratio"], shares.slice(0, 50).map(share), [1, 2, 3, 4, 5]),
      shares.length > 50 && element("p", { class: "note" }, `… ${grouped(shares.length - 50)} more, not on this page`)));
  return [map, ...tables];
}

function ratio(before, after) {
  return (before / Math.max(after, 1)).toFixed(2);
}

/// A class with its keys; where it is the only one, the keys have colours of their own.
function tile(group, [x, y, width, height], shade, total, isOnly) {
  const title = `${visible(group.name)}: ${size(group.bytes)}, ${percent(group.bytes, total)}`;
  const head = height > 34 && width > 60 ? 18 : 0;
  const inner = [x + 2, y + head + 1, Math.max(width - 4, 0), Math.max(height - head - 3, 0)];
  const keys = squarified(group.keys.map(({ bytes }) => bytes), inner);
  return drawn(
    "g", { class: `tile shade-${group.keys.length > 0 ? shade : "rest"}` },
    drawn("rect", { x: x + 1, y: y + 1, width: Math.max(width - 2, 0), height: Math.max(height - 2, 0), rx: 4, class: "group" }, drawn("title", {}, title)),
    head > 0 && label(visible(group.name), x + 8, y + 14, width - 12, "title"),
    group.keys.map((key, number) => {
      const [left, top, wide, high] = keys[number];
      if (wide < 1 || high < 1) return null;
      return drawn(
        "g", { class: isOnly && `shade-${number % shades}` },
        drawn("rect", { x: left, y: top, width: Math.max(wide - 1, 0.5), height: Math.max(high - 1, 0.5), rx: 2, class: "key" },
          drawn("title", {}, `${visible(key.name)}: ${size(key.bytes)}, ${percent(key.bytes, total)}`)),
        wide > 50 && high > 18 && label(visible(key.label), left + 6, top + 15, wide - 10),
        wide > 70 && high > 34 && label(size(key.bytes), left + 6, top + 30, wide - 10, "size"));
    }));
}

function label(text, x, y, room, className) {
  const most = Math.floor(room / 6.6);
  if (most < 3) return null;
  return drawn("text", { x, y, class: className }, text.length > most ? `${text.slice(0, most - 1)}…` : text);
}
