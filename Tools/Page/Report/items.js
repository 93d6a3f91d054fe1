// Values of a graph as a tree lists them, and their parts.
import { elementsText, formatName, keyStep, namedText, quoted, scalarText, shortened } from "./texts.js";

const nothing = { kind: "nil", isNothing: true };
const integers = new Set(["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]);

/// The only field of a record without a key, such as an enum with a raw value; null for others.
function wrapped(record) {
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
export function holdsNumbers({ array, strings, kind }) {
  return array !== undefined && array.count > 0 && kind !== "packed optionals" && strings === undefined
    && array.formats[0].meaning !== "utf8";
}

/// The lengths of the dimensions of a packed array, the outermost first; null for arrays of different lengths.
export function shapeOf({ array, lengths }) {
  const common = (list) => (new Set(list).size === 1 ? Number(list[0]) : null);
  return lengths === undefined ? [array.count] : lengths.map((length) => (Array.isArray(length) ? common(length) : Number(length)));
}

/// What a list says of a value that a graph has resolved.
export function itemOf(graph, { value, object, isConditional }) {
  return {
    kind: value.isNothing && value.kind !== "conditional reference" ? "nil" : value.kind, class: graph.className(value), object,
    weak: isConditional || undefined, ...detailsOf(graph, value) };
}

function detailsOf(graph, value) {
  if (value.isNothing || value.kind === "nil" || value.kind === "absent") return { text: "nil" };
  if (value.fields) {
    const only = wrapped(value);
    return only ? { count: 1, text: shortened(singleText(only)) } : { count: fieldsOf(value).length };
  }
  if (value.elements) return { count: value.elements.count };
  if (value.pairs) return { count: value.pairs.count };
  if (value.kind === "packed optionals") {
    const { array } = value.array;
    return { count: outermost(value.array), formats: array.formats.map(formatName), bytes: bytesOf(array), segment: array.segmentNumber };
  }
  if (value.array) return arrayDetails(value);
  if (value.scalars) return { text: shortened(fixedText(value)) };
  if (value.bytes !== undefined) return { bytes: value.bytes.length / 2 };
  return { text: shortened(singleText(value)) };
}

function outermost({ array, lengths }) {
  const [first] = lengths ?? [array.count];
  return Number(Array.isArray(first) ? first[0] : first);
}

const bytesOf = ({ count, elementByteCount }) => count * elementByteCount;

function fixedText({ scalars, format }) {
  const texts = scalars.map((scalar) => namedText(scalar, format.scalar));
  return texts.length > 1 ? `(${texts.join(", ")})` : texts[0];
}

function arrayDetails(value) {
  const { array, lengths, strings } = value;
  const isText = array.formats[0].meaning === "utf8";
  const shape = lengths && shapeOf(value).slice(0, isText ? -1 : undefined);
  const details = {
    count: isText && lengths.length === 1 ? undefined : outermost(value), shape, formats: array.formats.map(formatName), bytes: bytesOf(array),
    segment: array.segmentNumber };
  if (isText && strings?.length === 1 && lengths.length === 1) return { text: shortened(quoted(strings[0])) };
  if (array.bytes && array.layout === undefined && !isText) details.text = shortened(nestedText(array, shape));
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
  if (value.strings) return value.lengths.length === 2 ? indexed(value.strings.slice(0, graph.reader.keptCount).map((text) => ({ kind: "string", value: text }))) : [];
  if (value.kind === "packed optionals") return indexed(optionalParts(value, graph.reader.keptCount));
  return [];
}

function pairStep(graph, key, place) {
  const { value } = graph.resolved(key);
  const single = value.fields ? wrapped(value) : isSingle(value) ? value : null;
  if (single?.kind === "string") return { step: keyStep(single.value) };
  if (single && integers.has(single.kind)) return { step: BigInt(single.value) >= 2n ** 63n ? keyStep(single.value) : `[${single.value}]` };
  return { step: `[${place}]`, key: detailsOf(graph, value).text };
}

function optionalParts({ bits, array: value }, most) {
  const { array, strings } = value;
  const presence = bits.array.bytes;
  if (presence === undefined || (array.bytes === undefined && strings === undefined)) return [];
  return Array.from({ length: Math.min(outermost(value), most) }, (_, place) => {
    if (presence.length > 0 && !(presence[place >> 3] & (1 << place % 8))) return nothing;
    if (strings) return { kind: "string", value: strings[place] ?? "" };
    const bytes = array.bytes.subarray(place * array.elementByteCount, (place + 1) * array.elementByteCount);
    return { kind: "fixed", value: elementsText(array.formats[0], bytes, false) };
  });
}
