// Values of a graph as a tree lists them, and their parts.
import { shapeFlags } from "../Reader/contents.js";
import { blocksBytes } from "../Reader/segment.js";
import { elementsText, formatName, keyStep, lanesText, namedText, quoted, scalarText, shortened } from "./texts.js";

const nothing = { kind: "nil", isNothing: true };
const integers = new Set(["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]);

/// The only field of a record without a key, such as an enum with a raw value; null for others.
function wrapped(graph, record) {
  if (record.shape === undefined || graph.shape(record).flag & shapeFlags.class) return null;
  const [field, other] = fieldsOf(record);
  return field !== undefined && other === undefined && field.key === undefined && isSingle(field) ? field : null;
}

function fieldsOf(record) {
  return record.fields === undefined ? [] : [...record.fields, ...(record.overflow ?? [])];
}

function isSingle({ kind, value }) {
  return kind === "string" || (value !== undefined && !kind.startsWith("tagged"));
}

function singleText({ kind, value }) {
  return kind === "string" ? quoted(value) : scalarText(value);
}

/// Whether a value is a packed array of numbers or structs, which is shown as a whole.
export function holdsNumbers({ array, strings, kind, formats }) {
  // A struct among optionals is one, too.
  if (kind === "record") return formats !== undefined;
  return array !== undefined && array.count > 0 && kind !== "packed optionals" && strings === undefined
    && array.formats[0].meaning !== "utf8";
}

/// The lengths of the dimensions of a packed array, the outermost first; null for arrays of different lengths.
export function shapeOf({ array, lengths }) {
  const common = (list) => (list.length === 0 ? 0 : new Set(list).size === 1 ? Number(list[0]) : null);
  return lengths === undefined ? [array.count] : lengths.map((length) => (Array.isArray(length) ? common(length) : Number(length)));
}

/// What a list says of a value that a graph has resolved.
export function itemOf(graph, { value, object, isConditional }) {
  return {
    kind: value.isNothing && value.kind !== "conditional reference" ? "nil" : value.what !== undefined && value.kind !== "binary" ? "opaque" : value.kind, class: graph.className(value), object,
    weak: isConditional || undefined, ...detailsOf(graph, value) };
}

function detailsOf(graph, value) {
  if (value.isNothing || value.kind === "nil" || value.kind === "absent") return { text: "nil" };
  if (value.fields) {
    const only = wrapped(graph, value);
    return only ? { count: 1, text: shortened(singleText(only)) } : { count: fieldsOf(value).length, formats: value.formats };
  }
  if (value.elements) return { count: value.elements.count };
  if (value.pairs) return { count: value.pairs.count };
  if (value.kind === "packed optionals") {
    const { array } = value.array;
    return { count: outermost(value.array), formats: array.formats.map(formatName), bytes: bytesOf(array), segment: array.segmentNumber };
  }
  if (value.array) return arrayDetails(value);
  if (value.scalars) return { text: shortened(fixedText(value)) };
  if (value.bytes !== undefined) {
    const byteCount = value.bytes.length / 2;
    return value.kind === "binary" ? { bytes: byteCount } : { text: `{ extension ${value.what}, ${byteCount} bytes }` };
  }
  if (value.formats) return { text: shortened(value.value), formats: value.formats };
  return { text: shortened(singleText(value)) };
}

function outermost({ array, lengths }) {
  const [first] = lengths ?? [array.count];
  return Number(Array.isArray(first) ? first[0] : first);
}

const bytesOf = ({ count, elementByteCount }) => count * elementByteCount;

function fixedText({ scalars, format }) {
  return lanesText(scalars.map((scalar) => namedText(scalar, format.scalar)), format.meaning);
}

function arrayDetails(value) {
  const { array, lengths, strings } = value;
  const isString = isText(value);
  const shape = lengths && shapeOf(value).slice(0, isString ? -1 : undefined);
  const details = {
    count: isString && lengths.length === 1 ? undefined : outermost(value), shape, formats: array.formats.map(formatName), bytes: bytesOf(array),
    segment: array.segmentNumber };
  if (isString && strings?.length === 1 && lengths.length === 1) return { text: shortened(quoted(strings[0])) };
  if (array.bytes && array.segmentNumber === undefined && array.layout === undefined && !isString) details.text = shortened(nestedText(array, shape));
  return details;
}

/// Elements in the brackets of their dimensions, as far as they are as long as each other.
function nestedText(array, shape) {
  const columns = shape?.at(-1);
  if (shape === undefined || shape.length !== 2 || columns === null || columns === 0) return elementsText(array.formats[0], array.bytes, true);
  const length = columns * array.elementByteCount;
  const rows = Array.from({ length: Math.min(shape[0], 16) }, (_, row) =>
    elementsText(array.formats[0], array.bytes.subarray(row * length, (row + 1) * length), true));
  return `[${rows.join(", ")}${shape[0] > rows.length ? ", …" : ""}]`;
}

/// The first parts of a value: for each its step, the text of its key where that is no step, and the value.
export function partsOf(graph, value) {
  if (value.fields) {
    let unkeyed = 0;
    return fieldsOf(value).map((field) => ({ step: field.key === undefined ? `[${unkeyed++}]` : keyStep(field.key), value: field }));
  }
  const indexed = (values) => values.map((part, place) => ({ step: `[${place}]`, value: part }));
  if (value.elements) return indexed(value.elements.kept);
  if (value.pairs) return value.pairs.kept.map(([key, part], place) => ({ ...pairStep(graph, key, place), value: part }));
  const most = graph.reader.keptCount;
  if (isText(value)) return indexed(elementsOf(graph, value, most));
  if (value.kind === "packed optionals") return indexed(optionalParts(graph, value, most));
  return [];
}

function pairStep(graph, key, place) {
  const { value } = graph.resolved(key);
  const single = value.fields ? wrapped(graph, value) : isSingle(value) ? value : null;
  if (single?.kind === "string") return { step: keyStep(single.value) };
  if (single && integers.has(single.kind)) return { step: BigInt(single.value) >= 2n ** 63n ? keyStep(single.value) : `[${single.value}]` };
  return { step: `[${place}]`, key: detailsOf(graph, value).text };
}

/// The first elements of an array of optionals; none where the bits that tell which are there are in a bulk segment.
function optionalParts(graph, { bits, array }, most) {
  const presence = bits.array.bytes;
  if (presence === undefined) return [];
  return elementsOf(graph, array, most).map((element, place) =>
    (presence.length > 0 && !(presence[place >> 3] & (1 << place % 8)) ? nothing : element));
}

/// The first elements of a packed array, as values.
function elementsOf(graph, value, most) {
  const { array, lengths } = value;
  const count = Math.min(outermost(value), most);
  if (lengths === undefined || lengths.length === 1) return Array.from({ length: count }, (_, place) => elementOf(graph, array, place));
  const starts = startsOf(lengths);
  return Array.from({ length: count }, (_, place) => {
    const inner = lengths.slice(1).map((length, level) => (Array.isArray(length) ? length.slice(...starts(place, level)) : length));
    const [first, last] = starts(place, inner.length);
    const bytes = bytesIn(graph, array, first, last - first);
    if (isText(value) && inner.length === 1) return { kind: "string", value: new TextDecoder().decode(bytes) };
    return { kind: inner.length > 1 ? "nested packed array" : "packed array", array: { ...array, bytes, count: last - first, segment: undefined, segmentNumber: array.segmentNumber },
      lengths: [String(ownLength(lengths, place)), ...inner.slice(1)] };
  });
}

/// How many elements an array in an array has.
function ownLength(lengths, place) {
  return Number(Array.isArray(lengths[1]) ? lengths[1][place] : lengths[1]);
}

/// A function that gives, for an element of the outermost dimension, the range of places that it has so many levels further in.
function startsOf(lengths) {
  const all = lengths.slice(1);
  return (place, level) => {
    let range = [place, place + 1];
    for (const length of all.slice(0, level)) {
      range = Array.isArray(length)
        ? [0, 1].map((end) => length.slice(0, range[end]).reduce((sum, one) => sum + Number(one), 0)) : range.map((end) => end * Number(length));
    }
    return range;
  };
}

function isText({ array, kind }) {
  return kind === "nested packed array" && array.formats[0].meaning === "utf8";
}

function elementOf(graph, array, place) {
  const bytes = bytesIn(graph, array, place, 1);
  if (array.layout !== undefined) return structOf(graph.layoutKeys(array), array.formats, bytes);
  return { kind: "fixed", value: elementsText(array.formats[0], bytes, false), formats: array.formats.map(formatName) };
}

/// A struct of a packed array as a record.
function structOf(keys, formats, bytes) {
  let offset = 0;
  const fields = formats.map((format, number) => {
    const own = bytes.subarray(offset, offset + format.byteCount);
    offset += format.byteCount;
    return { key: keys[number] ?? undefined, kind: "fixed", value: elementsText(format, own, false), formats: [formatName(format)] };
  });
  return { kind: "record", fields, formats: formats.map(formatName) };
}

/// The bytes of some elements of an array, of whose segment the blocks are read that have them.
function bytesIn(graph, array, first, count) {
  const [start, end] = [first * array.elementByteCount, (first + count) * array.elementByteCount];
  if (!array.segment) return array.bytes.subarray(start, end);
  const { blockByteCount, blocks } = array.segment;
  const firstBlock = Math.floor(start / blockByteCount);
  const bytes = blocksBytes(array.segment, graph.source, blocks.slice(firstBlock, Math.ceil(end / blockByteCount)));
  return bytes.subarray(start - firstBlock * blockByteCount, end - firstBlock * blockByteCount);
}
