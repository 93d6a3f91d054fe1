// The graph stream: the root and the objects, as values that say how they are stored.
import { Cursor, hexadecimal, Refusal, text, Unknown, zigzag } from "./bytes.js";
import { shapeFlags } from "./contents.js";
import { format } from "./formats.js";
import { isFieldKind, isKnownKind, isTagged, kindName, kinds } from "./kinds.js";
import { faultyBool, half, real, scalars } from "./scalars.js";
import { segmentBytes } from "./segment.js";
import { xxh3 } from "./xxh3.js";

/// Of records, arrays, sets and dictionaries in each other; the format has 131,072.
const defaultDepth = 1_024;
/// The formats of bits, and of the bytes of strings.
const [bytesFormat, textFormat] = [17, 0x1511];
const mostBytes = 2n ** 63n - 1n;
const ranges = { int16: 0xFFFF, int32: 0xFFFFFFFF, uint16: 0xFFFF, uint32: 0xFFFFFFFF };

/// Reads all of a graph stream.
export class GraphStream {
  /// - objects: for each object its offset, or null where it is not stored.
  /// - source: the bytes of the archive, for bulk segments.
  constructor(bytes, contents, objects, source, depthLimit = defaultDepth) {
    Object.assign(this, { bytes, contents, objects, source, depthLimit, used: new Set() });
    this.cursor = new Cursor(bytes, { end: "G1", text: "G11" });
  }

  /// The root and the objects by their numbers.
  graph() {
    const places = this.objects.map((offset, number) => ({ offset, number })).filter(({ offset }) => offset !== null)
      .sort((one, other) => one.offset - other.offset);
    const ends = [...places.slice(1).map(({ offset }) => offset), this.bytes.length];
    const root = this.outer();
    this.end(places[0]?.offset ?? this.bytes.length, "the root");
    const objects = this.objects.map(() => null);
    places.forEach(({ offset, number }, place) => {
      this.cursor.offset = offset;
      objects[number] = this.record(1);
      this.end(ends[place], `object ${number}`);
    });
    objects.forEach((object, number) => this.checkBoxes(object, objects, number));
    return { root, objects };
  }

  end(place, what) {
    if (this.cursor.offset !== place) this.cursor.refuse("G2", `${what} ends at ${this.cursor.offset}, and not at ${place}`);
  }

  /// A value with its kind in front, which is neither nil nor absent.
  outer(depth = 0) {
    const kind = this.kind();
    return { kind: kindName(kind), ...this.value(kind, depth) };
  }

  kind(isTag = false) {
    const kind = this.cursor.u8();
    if (!(isTag ? isKnownKind(kind) : isFieldKind(kind))) this.cursor.refuse("G5", `kind ${kind}`, this.cursor.offset - 1);
    return kind;
  }

  value(kind, depth) {
    const { cursor } = this;
    if (isTagged(kind)) return this.tagged(depth);
    if (kind >= 0x80) return this.unit();
    switch (kind) {
      case kinds.nil: case kinds.absent: return {};
      case kinds.record: return this.record(depth + 1);
      case kinds.reference: case kinds["conditional reference"]: return { object: this.reference(kind) };
      case kinds["nested packed array"]: return this.nested();
      case kinds["packed optionals"]: return this.optionals();
      case kinds.array: case kinds.set: return this.list(depth + 1);
      case kinds.dictionary: return this.dictionary(depth + 1);
      case kinds["packed array"]: return this.packed(this.format());
      case kinds["packed structs"]: return this.packed(this.layout());
      case kinds.fixed: return this.fixed();
      case kinds.binary: case kinds.opaque: return this.unit();
      case kinds.string: return { value: cursor.string() };
      case kinds.bool: return { value: this.bool() };
      case kinds.int8: return { value: String((cursor.u8() << 24) >> 24) };
      case kinds.uint8: return { value: String(cursor.u8()) };
      case kinds.float16: return { value: this.float16() };
      case kinds.float32: {
        const start = cursor.pass(4);
        return { value: real(cursor.view.getUint32(start, true), 8, cursor.view.getFloat32(start, true)) };
      }
      case kinds.float64: {
        const start = cursor.pass(8);
        return { value: real(cursor.view.getBigUint64(start, true), 16, cursor.view.getFloat64(start, true)) };
      }
      default: return { value: this.integer(kindName(kind)) };
    }
  }

  float16() {
    const bits = this.cursor.u16();
    return real(bits, 4, half(bits));
  }

  integer(name) {
    const start = this.cursor.offset;
    const number = this.cursor.varint();
    if (number > (ranges[name] ?? Infinity)) this.cursor.refuse("G8", `${number} for ${name}`, start);
    return String(name.startsWith("u") ? number : zigzag(number));
  }

  bool() {
    const byte = this.cursor.u8();
    if (byte > 1) this.cursor.refuse("G9", `a bool of ${byte}`, this.cursor.offset - 1);
    return byte === 1;
  }

  /// Tags may stand in front of each other, any number of them.
  tagged(depth) {
    const tags = [];
    let kind = this.kind(true);
    while (isTagged(kind)) {
      tags.push(kind);
      kind = this.kind(true);
    }
    const inner = { value: { kind: kindName(kind), ...this.value(kind, depth) } };
    return tags.reduceRight((value, tag) => ({ value: { kind: kindName(tag), ...value } }), inner);
  }

  reference(kind) {
    const start = this.cursor.offset;
    const number = this.cursor.varint();
    if (number >= this.objects.length) this.cursor.refuse("G4", `object ${number} of ${this.objects.length}`, start);
    if (kind === kinds.reference && this.objects[number] === null) this.cursor.refuse("G4", `object ${number} is not stored`, start);
    return number;
  }

  checkDepth(depth) {
    if (depth > this.depthLimit) this.cursor.refuse("G12", `more than ${this.depthLimit} values in each other`);
  }

  record(depth) {
    this.checkDepth(depth);
    const start = this.cursor.offset;
    const number = this.cursor.varint();
    if (number < 1 || number > this.contents.shapes.length) this.cursor.refuse("G3", `shape ${number} of ${this.contents.shapes.length}`, start);
    const shape = this.contents.shapes[number - 1];
    if (shape.flag & shapeFlags.boxed) return { shape: number, boxed: this.outer(depth) };
    const record = { shape: number, fields: shape.fields.map(({ key, kind }) => ({ ...this.keyed(key), ...this.value(kind, depth) })) };
    if (shape.flag & shapeFlags.open) record.overflow = this.overflow(depth);
    return record;
  }

  keyed(key) {
    return key === null ? {} : { key: this.contents.keys[key] };
  }

  overflow(depth) {
    const { cursor } = this;
    const start = cursor.offset;
    const [count, unkeyed, byteCount] = [cursor.u32(), cursor.u32(), cursor.u64()];
    if (byteCount > cursor.left || count > byteCount / 2) cursor.refuse("G7", `${count} overflow fields in ${byteCount} bytes`, start);
    const end = cursor.offset + byteCount;
    let found = 0;
    const fields = Array.from({ length: count }, () => {
      const kind = this.kind();
      const number = cursor.varint();
      if (number > this.contents.keys.length) cursor.refuse("G7", `key ${number} of ${this.contents.keys.length}`);
      if (number === 0) found += 1;
      const field = { ...this.keyed(number === 0 ? null : number - 1), kind: kindName(kind), ...this.value(kind, depth) };
      if (cursor.offset > end) cursor.refuse("G7", "overflow fields that go on behind their bytes");
      return field;
    });
    if (cursor.offset !== end || found !== unkeyed) cursor.refuse("G7", "overflow fields that do not end with their bytes, or of another number", start);
    return fields;
  }

  list(depth) {
    this.checkDepth(depth);
    const kind = this.kind();
    const count = this.count(1);
    return { elementKind: kindName(kind), elements: this.several(count, () => this.value(kind, depth)) };
  }

  dictionary(depth) {
    this.checkDepth(depth);
    const [keyKind, valueKind] = [this.kind(), this.kind()];
    const count = this.count(2);
    return {
      keyKind: kindName(keyKind), valueKind: kindName(valueKind),
      pairs: this.several(count, () => [this.value(keyKind, depth), this.value(valueKind, depth)]) };
  }

  /// So many values, one after the other.
  several(count, read) {
    return Array.from({ length: count }, read);
  }

  count(least) {
    const start = this.cursor.offset;
    const count = this.cursor.varint();
    if (count > Math.floor(this.cursor.left / least)) this.cursor.refuse("G6", `${count} elements in ${this.cursor.left} bytes`, start);
    return count;
  }

  unit() {
    const what = String(this.cursor.varint());
    return { what, bytes: hexadecimal(this.cursor.take(this.cursor.varint())) };
  }

  // MARK: Packed elements

  format() {
    const start = this.cursor.offset;
    const number = this.cursor.varint();
    const found = format(number);
    if (found === null) this.cursor.refuse("G10", `format ${number}`, start);
    return { formats: [found], byteCount: found.byteCount, number: Number(number), member: { format: shown(found) } };
  }

  layout() {
    const start = this.cursor.offset;
    const number = this.cursor.varint();
    const { layouts } = this.contents;
    if (number < 1 || number > layouts.length) this.cursor.refuse("G10", `layout ${number} of ${layouts.length}`, start);
    const { fields, byteCount } = layouts[number - 1];
    return { formats: fields.map((field) => field.format), byteCount, number: 0, member: { layout: number } };
  }

  fixed() {
    const { formats, byteCount, member } = this.format();
    const bytes = this.cursor.take(byteCount);
    this.checkBools(formats, byteCount, bytes, this.cursor.offset - byteCount);
    return { ...member, scalars: scalars(formats, bytes) };
  }

  /// `take` is called with the bytes.
  packed(elements, take) {
    const start = this.cursor.offset;
    const number = BigInt(this.cursor.varint());
    const [count, isBulk] = [number >> 1n, (number & 1n) === 1n];
    if (count * BigInt(elements.byteCount) > mostBytes) this.cursor.refuse("G10", `${count} elements`, start);
    const segment = isBulk ? this.cursor.varint() : null;
    return { ...elements.member, count: Number(count), ...this.elements(elements, count, segment, take) };
  }

  /// Packed elements of which some may be missing: the bits that tell which are there, and the array.
  optionals() {
    const { cursor } = this;
    const start = cursor.offset;
    const kind = cursor.u8();
    const arrays = [kinds["packed array"], kinds["packed structs"], kinds["nested packed array"]];
    if (!arrays.includes(kind)) cursor.refuse("G14", `optionals of kind ${kind}`, start);
    const format = this.format();
    if (format.number !== bytesFormat) cursor.refuse("G14", `bits of format ${format.number}`, start);
    let bits;
    const presence = this.packed(format, (bytes) => { bits = bytes; });
    const array = { kind: kindName(kind), ...this.value(kind, 0) };
    const outermost = array.lengths?.[0] ?? array.count;
    const count = Number(Array.isArray(outermost) ? outermost[0] : outermost);
    if (presence.count !== 0 && presence.count !== Math.ceil(count / 8)) cursor.refuse("G14", `${presence.count} bytes of bits`, start);
    if (bits?.length && count % 8 && bits.at(-1) >> count % 8) cursor.refuse("G14", "a bit behind the last element", start);
    return { bits: presence, array };
  }

  nested() {
    const { cursor } = this;
    const start = cursor.offset;
    let elements;
    if (cursor.varint() === 0) elements = this.layout();
    else {
      cursor.offset = start;
      elements = this.format();
    }
    const place = cursor.offset;
    const dimensions = cursor.varint();
    if (dimensions < 1 || dimensions > cursor.left) cursor.refuse("G13", `${dimensions} dimensions`, place);
    let arrays = 1n;
    const lengths = Array.from({ length: dimensions }, () => {
      const [found, total] = this.lengths(arrays);
      arrays = total;
      return found;
    });
    if (arrays * BigInt(elements.byteCount) > mostBytes) cursor.refuse("G13", `${arrays} elements`, place);
    const number = cursor.varint();
    const segment = number === 0 ? null : BigInt(number) - 1n;
    const take = elements.number === textFormat ? (bytes) => ({ strings: this.strings(bytes, lengths) }) : undefined;
    return { ...elements.member, lengths, count: String(arrays), ...this.elements(elements, arrays, segment, take) };
  }

  /// The strings whose bytes these are, by the lengths of each dimension.
  strings(bytes, lengths) {
    let counts = [1];
    for (const length of lengths) {
      const total = counts.reduce((sum, count) => sum + count, 0);
      counts = Array.isArray(length) ? length.map(Number) : Array(total).fill(Number(length));
    }
    let end = 0;
    return counts.map((count) => {
      end += count;
      try {
        return text(bytes.subarray(end - count, end));
      } catch {
        throw new Refusal("G11", "a string is not UTF-8", this.cursor.offset);
      }
    });
  }

  /// The lengths of so many arrays, and their sum.
  lengths(arrays) {
    const { cursor } = this;
    const start = cursor.offset;
    const number = BigInt(cursor.varint());
    if (number === 1n) {
      if (arrays > cursor.left) cursor.refuse("G13", `${arrays} lengths in ${cursor.left} bytes`, start);
      const found = Array.from({ length: Number(arrays) }, () => cursor.varint());
      const total = found.reduce((sum, length) => sum + BigInt(length), 0n);
      if (total > mostBytes) cursor.refuse("G13", `${total} elements`, start);
      return [found.map(String), total];
    }
    if (number === 0n || number & 1n) cursor.refuse("G13", `${number} in place of lengths`, start);
    const total = arrays * (number >> 1n);
    if (total > mostBytes) cursor.refuse("G13", `${total} elements`, start);
    return [String(number >> 1n), total];
  }

  /// The elements, which stand here or in a bulk segment.
  ///
  /// What `take` makes of the bytes stands in place of the scalars.
  elements(elements, count, segment, take) {
    const { formats, byteCount } = elements;
    let bytes;
    if (segment === null) bytes = this.inline(elements, count);
    else {
      const found = this.bulk(elements, count, segment);
      try {
        bytes = segmentBytes(found, this.source);
      } catch (error) {
        if (!(error instanceof Unknown)) throw error;
        return { unknown: error.message.split(" ")[0] };
      }
      if (faultyBool(formats, byteCount, bytes) >= 0) this.cursor.refuse("G9", "a bool in a bulk segment");
    }
    const taken = take?.(bytes);
    if (bytes.length > 256) return { xxh3: xxh3(bytes).toString(16).padStart(16, "0") };
    return taken ?? { scalars: scalars(formats, bytes) };
  }

  /// The bytes of elements that stand here.
  inline({ formats, byteCount }, count) {
    const bytes = this.cursor.take(count * BigInt(byteCount));
    this.checkBools(formats, byteCount, bytes, this.cursor.offset - bytes.length);
    return bytes;
  }

  /// The bulk segment with elements, which nothing has mentioned before.
  bulk({ byteCount, number }, count, segment) {
    const length = count * BigInt(byteCount);
    const found = this.contents.bulk[segment];
    const isRight = found && BigInt(found.byteCount) === length && found.formatNumber === number && found.elementByteCount === byteCount;
    if (!isRight || this.used.has(found)) this.cursor.refuse("G10", `bulk segment ${segment} for ${length} bytes of format ${number}`);
    this.used.add(found);
    return found;
  }

  checkBools(formats, byteCount, bytes, start) {
    const place = faultyBool(formats, byteCount, bytes);
    if (place >= 0) this.cursor.refuse("G9", `a bool of ${bytes[place]}`, start + place);
  }

  /// Boxes must lead to something.
  checkBoxes(object, objects, number) {
    let value = object;
    for (let jumps = 0; ;) {
      if (value === null) return;
      if (value.boxed) value = value.boxed;
      else if (isTagged(kinds[value.kind])) value = value.value;
      else if (value.object !== undefined) {
        jumps += 1;
        if (jumps > objects.length) throw new Refusal("G4", `object ${number} is a box of boxes that lead to nothing else`);
        value = objects[value.object];
      } else return;
    }
  }
}

/// A format as the corpus writes it.
export function shown({ scalar, lanes, meaning }) {
  return meaning === null ? { scalar, lanes } : { scalar, lanes, meaning };
}
