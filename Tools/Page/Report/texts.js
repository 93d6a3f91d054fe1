// What values, formats and paths are called.
import { half, scalars } from "../Reader/scalars.js";

const longest = 64;
const shownCount = 32;

/// A text that is cut where it is long.
export function shortened(text) {
  const characters = text.length > longest ? Array.from(text.slice(0, 2 * longest + 2)) : [];
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : text;
}

/// A text in quotation marks.
export function quoted(text) {
  const escaped = Array.from(text.slice(0, 4 * longest), (character) => {
    const named = { "\0": "\\0", "\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\" }[character];
    return named ?? (/\p{Cc}/u.test(character) ? `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}` : character);
  });
  return `"${escaped.join("")}${text.length > 4 * longest ? "" : '"'}`;
}

/// In the fewest digits that no other number with as many bits has.
export function shortest(value, byteCount = 8) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0";
  if (byteCount === 8) return String(value);
  for (let digits = 1; digits < 9; digits += 1) {
    const near = Number(value.toPrecision(digits));
    if (byteCount === 4 ? Math.fround(near) === value : nearestHalf(near) === value) return String(near);
  }
  return String(Number(value.toPrecision(9)));
}

/// The binary16 nearest to a number; infinite where there is none.
function nearestHalf(value) {
  const size = Math.abs(value);
  const unit = 2 ** Math.max(Math.floor(Math.log2(size)) - 10, -24);
  const near = Math.round(size / unit) * unit;
  return Math.sign(value) * (near > 65504 ? Infinity : near);
}

/// The text of a scalar in the form of the corpus.
export function scalarText(scalar) {
  if (typeof scalar !== "object") return String(scalar);
  const digits = scalar.bits.length;
  const bits = BigInt(`0x${scalar.bits}`);
  if (digits === 4) return floatText(half(Number(bits)), 2);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return digits === 8 ? floatText(view.getFloat32(4), 4) : floatText(view.getFloat64(0), 8);
}

/// A floating-point number, which is seen to be one.
function floatText(value, byteCount) {
  return shortest(value, byteCount).replace(/^-?\d+$/, "$&.0");
}

/// The text of a scalar, by the name of its kind: identifiers and dates as people write them.
export function namedText(scalar, kind) {
  const text = scalarText(scalar);
  if (kind === "uuid") return text.toUpperCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  if (kind === "byte") return String(parseInt(text, 16));
  if (kind === "bfloat16") {
    const view = new DataView(new ArrayBuffer(4));
    view.setUint16(0, parseInt(text.slice(2) + text.slice(0, 2), 16));
    return floatText(view.getFloat32(0), 4);
  }
  // Integers of 128 bits and the like: their bytes, the highest first.
  if (kind !== "date") return typeof scalar === "string" && scalar.length === 32 ? `0x${scalar.match(/../g).reverse().join("")}` : text;
  // Seconds since 2001, as far as a calendar has them.
  const moment = new Date((Number(text) + 978_307_200) * 1000);
  const year = moment.getUTCFullYear();
  return year >= 1 && year < 4001 ? moment.toISOString().replace("T", " ").replace(/\.\d+Z$/, " +0000") : `${text} s`;
}

/// The text of an element by those of its lanes.
export function lanesText(lanes, meaning) {
  const [first, second] = lanes;
  const known = {
    range: `${first}..<${second}`, closedRange: `${first}...${second}`, partialRangeFrom: `${first}...`, partialRangeUpTo: `..<${first}`,
    partialRangeThrough: `...${first}`, complex: `${first} + ${second}i` };
  return known[meaning] ?? (lanes.length > 1 ? `(${lanes.join(", ")})` : first);
}

/// The text of elements of one format; in brackets for an array.
export function elementsText(format, bytes, isArray) {
  if (!format.isKnown) return `{ ${bytes.length} bytes }`;
  const count = bytes.length / format.byteCount;
  const shown = scalars([format], bytes.subarray(0, Math.min(count, shownCount) * format.byteCount))
    .map((scalar) => namedText(scalar, format.scalar));
  const elements = Array.from({ length: shown.length / format.lanes }, (_, place) => {
    return lanesText(shown.slice(place * format.lanes, (place + 1) * format.lanes), format.meaning);
  });
  return isArray ? `[${elements.join(", ")}${count > elements.length ? ", …" : ""}]` : elements.join(", ");
}

/// The scalar and the lanes: `float64`, `float32 × 4`.
export function formatName({ number, scalar, isKnown, lanes, meaning }) {
  if (meaning === "utf8") return "string";
  if (!isKnown || /^\d/.test(meaning ?? "")) return `format 0x${number.toString(16)}`;
  const text = lanes === 1 ? scalar : `${scalar} × ${lanes}`;
  return meaning === null ? text : `${text} (${meaning})`;
}

/// The name of a filter.
export function filterName({ number, parameter, argument }) {
  if (number === 1) return `byte shuffle ${parameter}`;
  if (number === 2) return `bit shuffle ${parameter}`;
  if (number === 3) return argument === 0n ? `delta ${parameter}` : `delta ${parameter}, ${argument} at first`;
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, argument);
  return number === 4 ? `quantised ${shortest(view.getFloat64(0))}` : number === 5 ? "rounded" : `filter ${number}`;
}

/// A key as a step of a path.
export function keyStep(key) {
  if (key !== "" && !/[.[\]"\\\u0000-\u0020\u007F]/.test(key)) return key;
  const escaped = key.replace(/["\\]/g, "\\$&").replace(/[\u0000-\u001F\u007F]/g, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
  return `["${escaped}"]`;
}
