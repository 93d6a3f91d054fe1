// Makes files for the tests of pages. Large ones have few bytes: what is zero in them is not on the disk, where the file system has holes.
//
//   node files.mjs series FILE ENTRIES BLOCKS    a series, whose entries have an array of so many blocks of 1 MiB
//   node files.mjs objects FILE COUNT            an archive of so many objects
//   node files.mjs hostile FILE                  an archive whose names and texts are meant to deceive
//   node files.mjs odd FILE                      a series of arrays that are hard to draw
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { kinds } from "../Reader/kinds.js";
import { xxh3 } from "../Reader/xxh3.js";

const unit = 64;
const blockByteCount = 1 << 20;
const [uint8, float64] = [5, 11];
const up = (offset, to = unit) => Math.ceil(offset / to) * to;

/// Bytes that are added one after the other.
class Bytes {
  parts = [];
  count = 0;

  add(bytes) {
    this.parts.push(bytes);
    this.count += bytes.length;
    return this;
  }

  integer(value, byteCount) {
    const bytes = new Uint8Array(byteCount);
    let rest = BigInt.asUintN(8 * byteCount, BigInt(value));
    for (let place = 0; place < byteCount; place += 1, rest >>= 8n) bytes[place] = Number(rest & 0xFFn);
    return this.add(bytes);
  }

  float(value) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    return this.add(bytes);
  }

  varint(value) {
    // Most are short.
    if (value < 128) return this.add(Uint8Array.of(2 * value + 1));
    for (let more = 0; more < 8; more += 1) {
      if (value < 2 ** (7 * (more + 1))) return this.integer(BigInt(value) * 2n ** BigInt(more + 1) + 2n ** BigInt(more), more + 1);
    }
    return this.integer(0, 1).integer(value, 8);
  }

  string(text) {
    const bytes = new TextEncoder().encode(text);
    return this.varint(bytes.length).add(bytes);
  }

  padded(byteCount) {
    return this.add(new Uint8Array(byteCount - this.count));
  }

  hashed() {
    return this.integer(xxh3(this.all()), 8);
  }

  all() {
    const bytes = new Uint8Array(this.count);
    this.parts.reduce((offset, part) => {
      bytes.set(part, offset);
      return offset + part.length;
    }, 0);
    this.parts = [bytes];
    return bytes;
  }
}

/// The header of a segment of uncompressed blocks: their sizes and hashes.
function segmentHeader(kind, formatNumber, elementByteCount, byteCount, hashes) {
  const header = new Bytes().integer(0x47455347, 4).integer(kind, 1).integer(0, 1).integer(formatNumber, 2).integer(byteCount, 8)
    .integer(blockByteCount, 4).integer(elementByteCount, 4).integer(hashes.length, 4).integer(0, 1).integer(12, 1).integer(0, 6).integer(0, 4);
  hashes.forEach((hash, place) => header.integer(Math.min(blockByteCount, byteCount - place * blockByteCount), 4).integer(hash, 8));
  return header.hashed().all();
}

/// Writes an archive, and gives its size and the hash at the end of its header.
///
/// - segments: for each its header, and its bytes as [offset in the segment, bytes].
/// - tables: the contents behind the segments.
function writeArchive(file, start, flags, segments, tables) {
  let end = 40;
  const contents = new Bytes().integer(flags, 1);
  if (segments.length > 0) contents.varint(segments.length);
  for (const { header, byteCount, pieces } of segments) {
    const place = up(end, 4096);
    const blocks = up(place + header.length, 4096);
    writeSync(file, header, 0, header.length, start + place);
    for (const [offset, bytes] of pieces) writeSync(file, bytes, 0, bytes.length, start + blocks + offset);
    end = blocks + byteCount;
    contents.add(header);
  }
  const bytes = contents.add(tables.all()).all();
  writeSync(file, bytes, 0, bytes.length, start + end);
  const header = new Bytes().add(Buffer.from("gcodable")).integer(1, 2).integer(0, 2).integer(bytes.length, 4).integer(end + bytes.length, 8)
    .integer(xxh3(bytes), 8).hashed();
  writeSync(file, header.all(), 0, 40, start);
  return { byteCount: end + bytes.length, hash: xxh3(header.all().subarray(0, 32)) };
}

/// A series that is written entry by entry.
class Series {
  constructor(file) {
    this.file = file;
    const head = new Bytes().add(Buffer.from("gcseries")).integer(1, 2).integer(0, 2).padded(56).hashed().all();
    writeSync(file, head, 0, unit, 0);
    Object.assign(this, { end: unit, before: new DataView(head.buffer).getBigUint64(56, true), copies: [], number: 0 });
  }

  /// Appends what `write` writes at an offset of the file.
  append(step, time, write) {
    const { end, number } = this;
    const archive = write(end);
    const place = up(end + archive.byteCount);
    const index = number % 64 === 63 ? this.copies : [];
    const record = new Bytes().add(Buffer.from("gcrecord")).integer(128 + index.length * 128, 4).integer(index.length * 128, 4).integer(place, 8)
      .integer(end, 8).integer(archive.byteCount, 8).integer(archive.hash, 8).integer(number, 8).integer(this.before, 8).integer(step, 8)
      .float(time).integer(archive.byteCount, 8).varint(0).padded(112);
    for (const copy of index) record.add(copy);
    const bytes = record.integer(128 + index.length * 128, 8).hashed().all();
    this.copies = number % 64 === 63 ? [] : [...this.copies, bytes];
    this.before = new DataView(bytes.buffer).getBigUint64(bytes.length - 8, true);
    writeSync(this.file, bytes, 0, bytes.length, place);
    this.end = place + bytes.length;
    this.number += 1;
  }

  close() {
    ftruncateSync(this.file, this.end);
  }
}

function makeSeries(file, entryCount, blockCount) {
  const series = new Series(file);
  const zeros = xxh3(new Uint8Array(blockByteCount));
  // Blocks with a wave at their start, of which several entries have the same.
  const waves = Array.from({ length: 16 }, (_, phase) => {
    const block = new Uint8Array(blockByteCount);
    new Float64Array(block.buffer, 0, 512).forEach((_, place, all) => { all[place] = Math.sin(place / 40 + phase / 8); });
    return { bytes: block.subarray(0, 4096), hash: xxh3(block) };
  });
  for (let number = 0; number < entryCount; number += 1) {
    const wave = waves[number % waves.length];
    const byteCount = blockCount * blockByteCount;
    const hashes = Array.from({ length: blockCount }, (_, place) => (place === 0 || place === blockCount - 1 ? wave.hash : zeros));
    const bulk = {
      header: segmentHeader(2, float64, 8, byteCount, hashes), byteCount, pieces: [[0, wave.bytes], [byteCount - blockByteCount, wave.bytes]] };
    const tables = new Bytes().varint(2).string("temperature").string("positions").varint(1).integer(0, 1).varint(2)
      .varint(1).integer(kinds.float64, 1).varint(2).integer(kinds["packed array"], 1)
      .integer(kinds.record, 1).varint(1).float(300 + Math.sin(number / 20)).varint(float64).varint((byteCount / 8) * 2 + 1).varint(0);
    series.append(100 * number, 0.5 * number, (start) => writeArchive(file, start, 1, [bulk], tables));
  }
  series.close();
}

/// Arrays of one number and of none, without finite numbers, of numbers at the ends of their type or hardly apart; planes, images and vectors.
function makeOdd(file) {
  const floats = (values) => new Uint8Array(Float64Array.from(values).buffer);
  const lists = {
    one: [7], none: [], nan: [NaN, NaN], infinite: [Infinity, -Infinity], big: [1e308, -1e308, 5e307], huge: [1e300, 2e300, -3e300], tiny: [1e-300, 3e-300, 2e-300],
    close: Array.from({ length: 100 }, (_, place) => 1 + place * 1e-15), even: Array.from({ length: 100 }, (_, place) => place / 100) };
  const planes = { matrix: [[4, 5], (place) => place], nowhere: [[3, 4], () => NaN], wide: [[1, 300], Math.sqrt], rows: [[5, 3], () => NaN] };
  const [names, nested] = [Object.keys(lists), Object.keys(planes)];
  const keys = [...names, ...nested, "image", "vectors", "number", "x", "y", "z"];
  const key = (name) => keys.indexOf(name) + 1;
  const series = new Series(file);
  for (let entry = 0; entry < 3; entry += 1) {
    const tables = new Bytes().varint(keys.length);
    for (const name of keys) tables.string(name);
    tables.varint(2).integer(0, 1).varint(keys.length - 3);
    for (const name of names) tables.varint(key(name)).integer(kinds["packed array"], 1);
    for (const name of [...nested, "image"]) tables.varint(key(name)).integer(kinds["nested packed array"], 1);
    tables.varint(key("vectors")).integer(kinds.record, 1).varint(key("number")).integer(kinds.float64, 1).integer(0, 1).varint(3);
    for (const name of ["x", "y", "z"]) tables.varint(key(name)).integer(kinds["packed array"], 1);
    tables.integer(kinds.record, 1).varint(1);
    for (const name of names) tables.varint(float64).varint(2 * lists[name].length).add(floats(lists[name]));
    for (const name of nested) {
      const [[rows, columns], value] = planes[name];
      tables.varint(float64).varint(2).varint(2 * rows).varint(2 * columns).varint(0).add(floats(Array.from({ length: rows * columns }, (_, place) => value(place))));
    }
    tables.varint(uint8).varint(3).varint(2 * 4).varint(2 * 6).varint(2 * 3).varint(0).add(Uint8Array.from({ length: 72 }, (_, place) => 3 * place));
    tables.varint(2);
    for (const phase of [0, 1, 2]) tables.varint(float64).varint(2 * 50).add(floats(Array.from({ length: 50 }, (_, place) => Math.sin(place / 8 + phase + entry / 4))));
    tables.float(NaN);
    series.append(7, entry, (start) => writeArchive(file, start, 0, [], tables));
  }
  series.close();
}

/// A chain of objects, and a list of all of them.
function makeObjects(file, count) {
  const stream = new Bytes().integer(kinds.array, 1).integer(kinds.reference, 1).varint(count);
  for (let number = 0; number < count; number += 1) stream.varint(number);
  const index = new Bytes();
  let before = 0;
  for (let number = 0; number < count; number += 1) {
    index.varint(stream.count - before);
    before = stream.count;
    stream.varint(1).float(number / 2).string(`<b>body ${number}</b>`).integer(number % 3, 1).varint((number + 1) % count);
  }
  const segment = (kind, bytes) => {
    const hashes = Array.from({ length: Math.ceil(bytes.length / blockByteCount) }, (_, place) =>
      xxh3(bytes.subarray(place * blockByteCount, (place + 1) * blockByteCount)));
    return { header: segmentHeader(kind, 0, 1, bytes.length, hashes), byteCount: bytes.length, pieces: [[0, bytes]] };
  };
  const tables = new Bytes().varint(4).string("mass").string("name").string("kind").string("next")
    .varint(1).string("4Demo4BodyC").string("Demo.Body").varint(0)
    .varint(1).integer(1 | 8, 1).varint(1).varint(4).varint(1).integer(kinds.float64, 1).varint(2).integer(kinds.string, 1)
    .varint(3).integer(kinds.uint8, 1).varint(4).integer(kinds.reference, 1).varint(count);
  writeArchive(file, 0, 1 | 2 | 4 | 8, [segment(0, stream.all()), segment(1, index.all())], tables);
}

/// Names and texts that would be markup, hide or turn others around; and numbers at the ends of their types.
function makeHostile(file) {
  const texts = [
    "</script><script>window.wasRun = true</script>", "<img src=x onerror='window.wasRun = true'>", "<!--", "]]>", "\u202Edesrever\u2066", "\0nul\u0000",
    "\u2028\u2029\uFEFF\u200B", "'\"`&amp;<b>", "javascript:window.wasRun = true", "{{script}}${window.wasRun = true}", "__proto__", "constructor",
    "x".repeat(1_000_000), "\u{1F600}\u0301\u{10FFFF}"];
  const numbers = [NaN, Infinity, -Infinity, 1.7976931348623157e308, 5e-324, -0];
  const tables = new Bytes().varint(texts.length + numbers.length);
  for (const text of texts) tables.string(text);
  numbers.forEach((_, place) => tables.string(`number${place}`));
  tables.varint(1).integer(0, 1).varint(texts.length + numbers.length);
  texts.forEach((_, place) => tables.varint(place + 1).integer(kinds.string, 1));
  numbers.forEach((_, place) => tables.varint(texts.length + place + 1).integer(kinds.float64, 1));
  tables.integer(kinds.record, 1).varint(1);
  for (const text of texts) tables.string(text);
  for (const number of numbers) tables.float(number);
  writeArchive(file, 0, 0, [], tables);
}

const [what, name, ...counts] = process.argv.slice(2);
const file = openSync(name, "w+");
({ series: makeSeries, objects: makeObjects, hostile: makeHostile, odd: makeOdd })[what](file, ...counts.map(Number));
closeSync(file);
