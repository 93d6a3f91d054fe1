// The values of a graph, and a drawing of the objects around one of them.
import { drawn, element, refill } from "./element.js";
import { grouped, joined, visible } from "./text.js";

/// The values that the report has, by their places.
export class Values {
  constructor(values) {
    this.values = values;
    this.lists = values.map(() => []);
    this.paths = [];
    values.forEach((value, place) => {
      if (value.parent !== undefined) this.lists[value.parent].push(place);
      this.paths.push(value.parent === undefined ? "" : joined(this.paths[value.parent], value.step));
    });
  }

  /// Where the parts of a value are: those of an object are there once.
  origin(place) {
    return this.values[place].same ?? place;
  }

  /// The parts of a value.
  parts(place) {
    return this.lists[this.origin(place)];
  }

  path(place) {
    return this.paths[place];
  }

  /// What a value is called where it is listed.
  name(place) {
    const value = this.values[place];
    const step = value.parent === undefined ? "root" : visible(value.step, 120);
    return value.key ? `${step} (${visible(value.key, 60)})` : step;
  }

  type(place) {
    const value = this.values[place];
    const type = value.class ? visible(value.class, 120) : value.formats && value.count !== undefined
      ? `${value.kind} of ${value.formats.join(", ")}` : value.formats?.[0] ?? value.kind;
    return value.object === undefined ? type : `${type} #${value.object}`;
  }

  /// The value in short: its text, or how many parts it has.
  text(place) {
    const value = this.values[place];
    if (value.text !== undefined) return value.text;
    if (value.shape?.length > 1) return value.shape.map((length) => (length === null ? "…" : grouped(length))).join(" × ");
    return value.count === undefined ? "" : `{ ${grouped(value.count)} }`;
  }

  /// Whether a value has parts that are listed: those of packed arrays are, where they are strings or optionals.
  isList(place) {
    const { count, formats } = this.values[place];
    return count > 0 && (formats === undefined || this.parts(place).length > 0);
  }
}

/// As many as are seen at once, one above the other.
const levelLimit = 8;

/// The objects within some references of a value, and the references between them.
function around(tree, start, depth) {
  const nodes = new Map([[tree.origin(start), { place: tree.origin(start), level: 0, row: 0 }]]);
  const edges = [];
  let left = 0;
  const counts = [1];
  const queue = [tree.origin(start)];
  for (let next = 0; next < queue.length; next += 1) {
    const from = nodes.get(queue[next]);
    if (from.level >= depth) continue;
    const lists = [[queue[next], ""]];
    while (lists.length > 0) {
      const [list, label] = lists.pop();
      for (const part of tree.parts(list)) {
        const value = tree.values[part];
        const name = joined(label, value.step);
        if (value.object === undefined) {
          if (tree.parts(part).length > 0) lists.push([part, name]);
          continue;
        }
        const origin = tree.origin(part);
        if (!nodes.has(origin)) {
          const count = counts[from.level + 1] ?? 0;
          if (count >= levelLimit) {
            left += 1;
            continue;
          }
          counts[from.level + 1] = count + 1;
          nodes.set(origin, { place: origin, level: from.level + 1 });
          queue.push(origin);
        }
        edges.push({ from, to: nodes.get(origin), name, weak: value.weak === true });
      }
    }
  }
  return { nodes: [...nodes.values()], edges, left };
}

/// A drawing of the objects around a value; `choose` is called with the place of one that is chosen.
export function objectGraph(tree, start, choose) {
  const { nodes, edges, left } = around(tree, start, 3);
  if (edges.length === 0) return null;
  const levels = [];
  for (const node of nodes) (levels[node.level] ??= []).push(node);
  const [boxWidth, boxHeight, across, down] = [150, 40, 240, 58];
  const tallest = Math.max(...levels.map((level) => level.length));
  levels.forEach((level, number) => level.forEach((node, row) => {
    node.x = number * across + 8;
    node.y = (row + (tallest - level.length) / 2) * down + 8;
  }));
  const [width, height] = [levels.length * across - (across - boxWidth) + 50, tallest * down + 14];
  const together = new Map();
  for (const edge of edges) {
    const key = `${edge.from.place} ${edge.to.place} ${edge.weak}`;
    if (together.has(key)) together.get(key).names.push(edge.name);
    else together.set(key, { ...edge, names: [edge.name] });
  }
  const drawing = drawn(
    "svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "objects", "aria-hidden": "true" },
    drawn("defs", {}, drawn(
      "marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
      drawn("path", { d: "M0 0L8 4L0 8z", class: "arrow" }))),
    [...together.values()].map((edge) => line(edge, boxWidth, boxHeight)),
    nodes.map((node) => box(tree, node, boxWidth, boxHeight, choose)));
  const list = element("ul", { class: "unseen" }, edges.map(({ from, to, name, weak }) => element(
    "li", {}, `${tree.type(from.place)} refers ${weak ? "weakly " : ""}by ${visible(name, 80)} to ${tree.type(to.place)}`)));
  const view = element("div", { class: "scrolls", tabindex: "0", role: "group", "aria-label": "Objects around the value" });
  refill(view, drawing, list);
  const legend = edges.some(({ weak }) => weak) ? "Dashed references are conditional, such as weak ones. " : "";
  const more = left > 0 ? `${grouped(left)} more references lead to objects that are not drawn.` : "";
  return [view, legend + more ? element("p", { class: "note" }, legend + more) : null];
}

function box(tree, node, width, height, choose) {
  const title = tree.type(node.place);
  return drawn(
    "g", { class: node.level === 0 ? "node first" : "node", transform: `translate(${node.x} ${node.y})`, onclick: () => choose(node.place) },
    drawn("title", {}, `${title} at ${visible(tree.path(node.place)) || "root"}`),
    drawn("rect", { width, height, rx: 8 }),
    drawn("text", { x: 10, y: 17, class: "name" }, shortened(withoutModule(title), 18)),
    drawn("text", { x: 10, y: 32 }, shortened(visible(tree.path(node.place)) || "root", 21)));
}

/// A class without the module that it is of.
function withoutModule(type) {
  return type.replace(/^\w+\.(?=\w)/, "");
}

function shortened(text, length) {
  return text.length > length ? `…${text.slice(text.length - length + 1)}` : text;
}

function line({ from, to, names, weak }, width, height) {
  const [across, middle] = [to.x - from.x, height / 2];
  // Forward from the right to the left, back from the left to the right, and within a level around the right.
  const startX = across < 0 ? from.x : from.x + width;
  const endX = across > 0 ? to.x : to.x + width;
  const [startY, endY] = [from.y + middle + (across > 0 ? 0 : 8), to.y + middle + (across > 0 ? 0 : across < 0 ? 8 : -8)];
  const bend = across === 0 ? 36 + Math.abs(endY - startY) / 10 : Math.abs(endX - startX) / 2;
  const [startControl, endControl] = [startX + (across < 0 ? -bend : bend), endX + (across > 0 ? -bend : bend)];
  const text = names.length > 2 ? `${names[0]}, … (${names.length})` : names.join(", ");
  return drawn(
    "g", { class: weak ? "edge weak" : "edge" },
    drawn("title", {}, visible(names.join(", "))),
    drawn("path", { d: `M${startX} ${startY}C${startControl} ${startY} ${endControl} ${endY} ${endX} ${endY}`, "marker-end": "url(#arrow)" }),
    across > 0 && drawn("text", { x: (startX + endX) / 2, y: (startY + endY) / 2 - 4, "text-anchor": "middle" }, shortened(visible(text), 14)));
}
