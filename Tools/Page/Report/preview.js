// What is shown of an array: numbers of runs of its elements, and the picture that suits them.
import { Refusal } from "../Reader/bytes.js";
import { blocksBytes } from "../Reader/segment.js";
import { scalars } from "../Reader/scalars.js";
import { shapeOf } from "./items.js";
import { Histogram, scalarsOf, Summary } from "./numbers.js";
import { formatName, namedText } from "./texts.js";

const partCount = 32;
const columnLimit = 8;
const rowLimit = 12;
const stretchLimit = 240;
const gridSide = 96;
const pointLimit = 4_000;

/// Runs of elements: all of an array where it is small, otherwise blocks at the same distance.
///
/// - room: how many bytes are read at most, before and after they are expanded, and in how many places.
function runsOf(graph, { segment, bytes, count, elementByteCount }, room) {
  if (!segment) return [{ first: 0, bytes }];
  const all = segment.blocks;
  const stored = all.reduce((sum, block) => sum + block.stored, 0);
  const read = (start, end) => ({
    first: (start * segment.blockByteCount) / elementByteCount, bytes: blocksBytes(segment, graph.source, all.slice(start, end)) });
  if (stored <= room.bytes && count * elementByteCount <= room.bytes) return [read(0, all.length)];
  // At least one block, and as many in each place as there is room for.
  const most = Math.max(...[0, Math.floor(all.length / 2), all.length - 1].map((place) => Math.max(all[place].stored, all[place].raw)));
  const blockCount = Math.max(1, Math.floor(room.bytes / most));
  const places = Math.min(room.places, blockCount, all.length);
  const together = Math.max(1, Math.min(Math.floor(blockCount / places), Math.floor(all.length / places)));
  return Array.from({ length: places }, (_, place) => {
    const start = places === 1 ? 0 : Math.floor(((all.length - together) * place) / (places - 1));
    return read(start, start + together);
  });
}

/// Numbers that a picture can show; null for others.
function drawn(value) {
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/// The runs with what their elements are read from.
function viewsOf(graph, array, room) {
  return runsOf(graph, array, room).map((run) => ({
    ...run, count: Math.floor(run.bytes.length / array.elementByteCount), view: new DataView(run.bytes.buffer, run.bytes.byteOffset, run.bytes.byteLength) }));
}

/// The preview of vectors whose components are arrays by themselves.
function vectorPreviewOf(graph, path, vectors, room) {
  const parts = vectors.map((value) => previewOf(graph, path, value, room));
  const lists = vectors.map(({ array }) => {
    const runs = viewsOf(graph, array, room);
    const [{ read, offset }] = scalarsOf(array.formats, null);
    return runs.flatMap(({ view, count }) => strided(count, Math.ceil(pointLimit / runs.length))
      .map((place) => drawn(read(view, place * array.elementByteCount + offset))));
  });
  const formats = new Set(parts.map((part) => part.formats[0]));
  return {
    ...parts[0], formats: formats.size === 1 ? [`${parts[0].formats[0]} × 3`] : parts.flatMap((part) => part.formats),
    columns: parts.flatMap(({ columns }) => columns), points: pointsOf(parts[0].count, lists[0].flatMap((_, place) => lists.map((list) => list[place] ?? null))) };
}

/// Positions, each as x, y and z; none where no number is finite.
function pointsOf(count, values) {
  return values.some((value) => value !== null) ? { count, values } : undefined;
}

/// The preview of an array at a path, or of vectors.
export function previewOf(graph, path, value, room) {
  if (value.vectors) return vectorPreviewOf(graph, path, value.vectors, room);
  const { array } = value;
  const { formats, count, elementByteCount } = array;
  const shape = shapeOf(value);
  if (shape.includes(null)) throw new Refusal("preview", "there is no preview of arrays of different lengths");
  const keys = graph.layoutKeys(array);
  const all = scalarsOf(formats, keys);
  const columns = all.filter(({ read }) => read !== undefined);
  const runs = viewsOf(graph, array, room);
  const readCount = runs.reduce((sum, run) => sum + run.count, 0);
  const preview = { path, formats: formats.map(formatName), shape, count, columns: [] };
  if (readCount < count) Object.assign(preview, { sampledElements: readCount, sampledPlaces: runs.length, isBeside: runs.length > 1 });
  if (formats.length > 1 || columns.length === 0) preview.rows = rowsOf(array, all, runs[0]);
  if (columns.length === 0 || count === 0) return preview;
  preview.columns = columns.slice(0, columnLimit).map((column) => columnOf(column, all.length > 1 ? column.name : undefined, runs, elementByteCount));
  if (preview.rows) return preview;
  Object.assign(preview, pictureOf({ shape, columns, elementByteCount, formats }, runs));
  return preview;
}

function columnOf({ read, offset, floatByteCount }, name, runs, elementByteCount) {
  const summary = new Summary({ floatByteCount });
  const [lows, highs] = [[], []];
  const most = Math.max(1, Math.floor(stretchLimit / runs.length));
  runs.forEach(({ view, count }, number) => {
    const stretches = Math.min(count, most);
    const start = lows.length;
    for (let place = 0; place < stretches; place += 1) {
      lows.push(null);
      highs.push(null);
    }
    for (let element = 0; element < count; element += 1) {
      const value = read(view, element * elementByteCount + offset);
      summary.add(value);
      const point = drawn(value);
      if (point === null) continue;
      const stretch = start + Math.floor((element * stretches) / count);
      if (lows[stretch] === null || point < lows[stretch]) lows[stretch] = point;
      if (highs[stretch] === null || point > highs[stretch]) highs[stretch] = point;
    }
    // A gap between runs.
    if (number < runs.length - 1) {
      lows.push(null);
      highs.push(null);
    }
  });
  if (summary.finiteCount === 0) return { numbers: summary.report(name), lows, highs };
  const histogram = new Histogram(summary.low, summary.high, partCount);
  for (const { view, count } of runs) {
    for (let element = 0; element < count; element += 1) histogram.add(Number(read(view, element * elementByteCount + offset)));
  }
  const { lower, upper, counts } = histogram;
  return { numbers: summary.report(name, { lower, upper, counts }), lows, highs };
}

function rowsOf({ formats, elementByteCount }, all, { bytes, count }) {
  return {
    names: all.map(({ name }) => name),
    texts: Array.from({ length: Math.min(count, rowLimit) }, (_, place) =>
      scalars(formats, bytes.subarray(place * elementByteCount, (place + 1) * elementByteCount))
        .map((scalar, number) => namedText(scalar, all[number].format.scalar))) };
}

/// At most so many of some places, at the same distance.
function strided(count, most) {
  const number = Math.min(count, most);
  return Array.from({ length: number }, (_, index) => (number === 1 ? 0 : Math.floor(((count - 1) * index) / (number - 1))));
}

function pictureOf({ shape, columns, elementByteCount, formats }, runs) {
  const last = shape.at(-1);
  const at = (column, element) => {
    const run = runs.find(({ first, count }) => element >= first && element < first + count);
    return run === undefined ? null : drawn(column.read(run.view, (element - run.first) * elementByteCount + column.offset));
  };
  // Colours are bytes.
  const [lanes, isImage] = [columns.length, formats.length === 1 && elementByteCount === columns.length];
  const areColours = isImage && shape.length > 1 && (lanes === 3 || lanes === 4);
  const isPoints = !areColours && (lanes === 3 ? formats.length === 1 : lanes === 1 && shape.length > 1 && last === 3 && !(shape.length > 2 && isImage));
  if (isPoints) {
    const [elements, ofElement] = lanes === 3 ? [1, columns] : [3, [columns[0], columns[0], columns[0]]];
    const readable = runs.flatMap(({ first, count }) => {
      const [start, end] = [Math.ceil(first / elements), Math.floor((first + count) / elements)];
      return strided(Math.max(end - start, 0), Math.ceil(pointLimit / runs.length)).map((place) => start + place);
    });
    const total = lanes === 3 ? last : shape.at(-2);
    const inPlane = readable.filter((position) => position < total);
    return { points: pointsOf(total, inPlane.flatMap((position) => ofElement.map((column, lane) => at(column, position * elements + (elements === 3 ? lane : 0))))) };
  }
  if (!areColours && (lanes !== 1 || shape.length < 2)) return {};
  const hasChannels = areColours || (shape.length > 2 && (last === 3 || last === 4) && isImage);
  // How many elements a number or a colour has.
  const elements = hasChannels && !areColours ? last : 1;
  const channels = hasChannels ? elements * lanes : 1;
  const [ofRows, ofColumns] = elements > 1 ? [shape.at(-3), shape.at(-2)] : [shape.at(-2), last];
  const length = ofColumns * elements;
  const isRead = (row) => runs.some(({ first, count }) => row * length >= first && (row + 1) * length <= first + count);
  // Rows that are in runs as a whole, which are few of the plane's where it is large.
  const rows = runs.flatMap(({ first, count }) => {
    const start = Math.ceil(first / length);
    const end = Math.min(Math.floor((first + count) / length), ofRows);
    return strided(Math.max(end - start, 0), Math.ceil(gridSide / runs.length)).map((place) => start + place);
  }).filter(isRead);
  if (rows.length === 0) return {};
  const across = strided(ofColumns, gridSide);
  const values = rows.flatMap((row) => across.flatMap((column) =>
    Array.from({ length: channels }, (_, channel) => (elements > 1 ? at(columns[0], row * length + column * elements + channel) : at(columns[channel], row * length + column)))));
  if (values.every((value) => value === null)) return {};
  return { grid: { rows: rows.length, columns: across.length, ofRows, ofColumns, channels, values } };
}
