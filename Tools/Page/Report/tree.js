// The values of a graph, nearest to the root first, as far as a page has room for them.
import { holdsNumbers, itemOf, partsOf, shapeOf } from "./items.js";
import { scalarsOf } from "./numbers.js";

const limits = { values: 4_000, parts: 100, depth: 48, milliseconds: 3_000 };

/// How many parts of a list are of use here.
export const keptCount = limits.parts;

const components = ["x", "y", "z"];

/// The arrays of the components of vectors that are kept as three arrays of one length; null for another record.
function vectorsOf(parts) {
  const found = components.map((name) => parts.find(({ step }) => step === name)?.value);
  const areVectors = found.every((value) => value?.array && holdsNumbers(value) && shapeOf(value).length === 1 && value.array.count === found[0].array.count
    && scalarsOf(value.array.formats, null).length === 1 && scalarsOf(value.array.formats, null)[0].read);
  return areVectors ? found : null;
}

/// The values as a report has them, and the arrays and vectors by their paths.
export function treeOf(graph) {
  const values = [];
  const [arrays, vectors] = [new Map(), new Map()];
  const objects = new Map();
  const lists = [];

  const add = (found, parent, step, key, path) => {
    const item = itemOf(graph, found);
    const place = values.length;
    const value = { parent, step, key, ...item };
    if (found.value.array && holdsNumbers(found.value)) arrays.set(path, found.value);
    if (item.object !== undefined) {
      value.same = objects.get(item.object);
      if (value.same === undefined) objects.set(item.object, place);
    }
    values.push(value);
    if (value.same !== undefined || !(item.count > 0) || holdsNumbers(found.value)) return;
    if (item.text === undefined || item.kind === "record") lists.push({ place, path, value: found.value, depth: parent === undefined ? 0 : depths[parent] + 1 });
    depths[place] = parent === undefined ? 0 : depths[parent] + 1;
  };
  const depths = [];

  try {
    add(graph.resolved(graph.root()), undefined, "", undefined, "");
  } catch (error) {
    return { values: [{ step: "", kind: "unreadable", error: error.message }], arrays, vectors };
  }
  const start = performance.now();
  for (let next = 0; next < lists.length; next += 1) {
    const { place, path, value, depth } = lists[next];
    const room = Math.min(limits.parts, limits.values - values.length);
    const { count } = values[place];
    lists[next] = null;
    if (depth >= limits.depth || room <= 0 || (next > 0 && performance.now() - start > limits.milliseconds)) {
      values[place].leftOut = count;
      continue;
    }
    let listed = 0;
    const read = [];
    try {
      for (const part of partsOf(graph, value).slice(0, room)) {
        const stepPath = path === "" || part.step.startsWith("[") ? path + part.step : `${path}.${part.step}`;
        const found = graph.resolved(part.value);
        add(found, place, part.step, part.key, stepPath);
        read.push({ step: part.step, value: found.value });
        listed += 1;
      }
      const found = vectorsOf(read);
      if (found) vectors.set(path, { vectors: found });
    } catch (error) {
      values[place].error = error.message;
    }
    if (count > listed && values[place].error === undefined) values[place].leftOut = count - listed;
  }
  return { values, arrays, vectors };
}
