// Archives in pieces: their tables of extents, and blocks that are made of others.
import { checkFeatures, openArchive, readHeader } from "./archive.js";
import { areZero, Cursor, Refusal } from "./bytes.js";
import { headerByteCount } from "./contents.js";
import { dequantised, filterFault, filterNumbers, readFilter, undone } from "./filters.js";
import { expanded } from "./lz4.js";
import { xxh3, xxh3Lower128 } from "./xxh3.js";

/// Bytes of the header of an archive in pieces.
export const piecesByteCount = 64;

const extentKinds = { own: 0, shared: 1, overlaid: 2, differences: 3 };
const features = { [extentKinds.overlaid]: 8, [extentKinds.differences]: 16 };

/// Reads the header of an archive in pieces.
export function readPiecesHeader(bytes) {
  const cursor = new Cursor(bytes, { end: "X1" }, 8);
  if (bytes.length < piecesByteCount) throw new Refusal("X1", `${bytes.length} bytes`);
  const header = { version: cursor.u16(), features: cursor.u16(), table: cursor.u32(), stored: cursor.u64(), whole: cursor.u64(), hash: cursor.bits64(), own: cursor.bits64() };
  header.end = new Cursor(bytes, {}, 56).bits64();
  if (header.end !== xxh3(bytes.subarray(0, 56))) throw new Refusal("R3", "a header in pieces that does not match its hash");
  if (header.version !== 1) throw new Refusal("X1", `version ${header.version} of an archive in pieces`, 8);
  checkFeatures(header.features, 8 | 16, "X1", 10);
  if (header.table < 1 || header.stored < piecesByteCount + header.table || header.whole <= headerByteCount) {
    throw new Refusal("X1", `a table of ${header.table} bytes in ${header.stored}`, 12);
  }
  return header;
}

/// The bytes of an archive in pieces, and the blocks that are made of others.
export class PiecesSource {
  constructor(file, start, header) {
    Object.assign(this, { file, start, header, byteCount: header.whole, fromOthers: new Map() });
    this.ownEnd = start + piecesByteCount;
    this.tableStart = start + header.stored - header.table;
    const table = file.bytes(this.tableStart, header.table);
    if (xxh3(table) !== header.hash) throw new Refusal("X2", "a table that does not match its hash", this.tableStart);
    this.extents = this.readTable(new Cursor(table, { end: "X3" }));
    this.checkOverlap();
    this.checkArchive();
  }

  refuse(rule, reason) {
    throw new Refusal(rule, reason, this.tableStart);
  }

  readTable(cursor) {
    const count = cursor.varint();
    if (count < 1 || count > cursor.left) this.refuse("X3", `${count} extents`);
    let place = 0;
    let lists = null;
    const extents = Array.from({ length: count }, () => {
      const extent = { place, byteCount: cursor.varint(), kind: cursor.u8() };
      if (extent.byteCount < 1 || extent.byteCount > this.byteCount - place) this.refuse("X3", "extents that do not cover the archive");
      if (extent.kind > 3 || (extent.kind >= 2 && !(this.header.features & features[extent.kind]))) this.refuse("X3", `an extent of kind ${extent.kind}`);
      if (extent.kind === extentKinds.own) extent.offset = this.own(extent);
      else if (extent.kind === extentKinds.shared) extent.offset = this.back(cursor.varint(), extent.byteCount);
      else {
        const raw = cursor.varint();
        Object.assign(extent, { raw, level: cursor.u8(), hash: cursor.bits64() });
        if (raw < 1 || raw > 2 ** 22 || raw < extent.byteCount || (extent.level > 12 && extent.level !== 255)
          || (extent.level === 255) !== (raw === extent.byteCount)) this.refuse("X3", `a block of ${raw} bytes`);
        if (extent.kind === extentKinds.overlaid) this.readOverlays(cursor, extent);
        else lists = this.readDifferences(cursor, extent, lists);
      }
      place += extent.byteCount;
      return extent;
    });
    if (place !== this.byteCount) this.refuse("X3", `extents of ${place} bytes for ${this.byteCount}`);
    if (this.ownEnd !== this.tableStart) this.refuse("X3", "extents that do not cover the bytes in front of the table");
    const blocks = cursor.varint();
    if (cursor.left !== 16 * Number(blocks)) this.refuse("X3", `${cursor.left} bytes for ${blocks} blocks`);
    this.blockCount = blocks;
    return extents;
  }

  /// Where an own extent is: it has the same remainder by 64 as in the archive.
  own({ place, byteCount }) {
    const offset = this.ownEnd + ((place - (this.ownEnd - this.start)) % 64 + 64) % 64;
    if (offset + byteCount > this.tableStart) this.refuse("X3", "own bytes that go on in the table");
    if (!areZero(this.file.bytes(this.ownEnd, offset - this.ownEnd))) throw new Refusal("R2", "a byte between those of an archive", this.ownEnd);
    this.ownEnd = offset + byteCount;
    return offset;
  }

  back(distance, byteCount) {
    const offset = this.start - Number(distance);
    if (offset < 64 || byteCount > Number(distance)) this.refuse("X4", "an extent that begins or ends elsewhere than in the entries before");
    return offset;
  }

  run(cursor, most) {
    const run = { byteCount: cursor.varint(), isOwn: false };
    if (run.byteCount < 1 || run.byteCount > most) this.refuse("X3", `a run of ${run.byteCount} bytes`);
    const distance = cursor.varint();
    if (distance === 0) {
      run.isOwn = true;
      run.offset = this.ownEnd;
      if (run.offset + run.byteCount > this.tableStart) this.refuse("X3", "a run that goes on in the table");
      this.ownEnd += run.byteCount;
    } else run.offset = this.back(distance, run.byteCount);
    return run;
  }

  /// The other block must not expand more than LZ4 can.
  baseRun(cursor, raw) {
    const run = this.run(cursor, raw);
    if (raw > 255 * run.byteCount) this.refuse("X3", "more than 255 bytes for a stored one");
    return run;
  }

  readOverlays(cursor, extent) {
    const count = cursor.varint();
    if (count > 32) this.refuse("X3", `${count} overlays`);
    extent.base = this.baseRun(cursor, extent.raw);
    extent.overlays = Array.from({ length: count }, () => this.run(cursor, extent.raw));
  }

  readDifferences(cursor, extent, before) {
    const width = cursor.u8();
    if (width === 0 ? before === null : ![1, 2, 4, 8].includes(width)) this.refuse("X3", `differences of ${width} bytes`);
    const lists = width === 0 ? before : { width, block: this.filters(cursor), base: this.filters(cursor), differences: this.filters(cursor, true) };
    const quantised = (filters) => (filters[0]?.number === filterNumbers.quantised ? filters[0] : null);
    const [one, other] = [quantised(lists.block), quantised(lists.base)];
    const isSame = one === null ? other === null : other !== null && one.width === other.width && one.parameter === other.parameter && one.argument === other.argument;
    extent.base = this.baseRun(cursor, extent.raw);
    extent.stored = this.baseRun(cursor, extent.raw);
    // A block that is stored as it is has no filter.
    const isFaulty = (extent.byteCount === extent.raw && lists.block.length > 0) || (extent.base.byteCount === extent.raw && lists.base.length > 0);
    if (!isSame || isFaulty) this.refuse("X3", "lists of filters that do not belong together");
    Object.assign(extent, { lists, quantised: one });
    return lists;
  }

  filters(cursor, isOfDifferences = false) {
    const count = cursor.u8();
    if (count > 4) this.refuse("X3", `${count} filters`);
    return Array.from({ length: count }, (_, place) => {
      const filter = readFilter(cursor);
      const most = isOfDifferences ? filterNumbers.delta : filterNumbers.quantised;
      if (filterFault(filter) || filter.flags !== 0 || filter.number > most || (filter.number === filterNumbers.quantised && place > 0)) {
        this.refuse("X3", `filter ${filter.number} in a table`);
      }
      return filter;
    });
  }

  /// No byte of the file is used twice.
  checkOverlap() {
    const runs = this.extents.flatMap((extent) => (extent.kind < 2 ? [extent] : [extent.base, ...(extent.overlays ?? [extent.stored])]));
    runs.sort((one, other) => one.offset - other.offset);
    runs.forEach((run, place) => {
      if (place > 0 && runs[place - 1].offset + runs[place - 1].byteCount > run.offset) this.refuse("X5", "two extents with bytes in common");
    });
  }

  checkArchive() {
    const start = this.bytes(0, headerByteCount);
    if (new Cursor(start, {}, 32).bits64() !== this.header.own) this.refuse("X6", "another hash of the archive's header");
    readHeader(start);
    const { contents } = openArchive(this);
    const blocks = new Map(contents.segments.flatMap((segment) => segment.blocks.map((block) => [block.start, { segment, block }])));
    if (blocks.size !== Number(this.blockCount)) this.refuse("X7", `${this.blockCount} blocks of ${blocks.size}`);
    for (const extent of this.extents.filter(({ kind }) => kind >= 2)) {
      const found = blocks.get(extent.place);
      if (!found || found.block.stored !== extent.byteCount || found.block.raw !== extent.raw) this.refuse("X8", "an extent that is no block");
      this.fromOthers.set(found.block.start, extent);
    }
  }

  /// Bytes of the archive that the file has as they are.
  bytes(offset, count) {
    const result = new Uint8Array(count);
    for (const extent of this.extents) {
      const [from, to] = [Math.max(offset, extent.place), Math.min(offset + count, extent.place + extent.byteCount)];
      if (from < to && extent.kind < 2) {
        const start = extent.offset + from - extent.place;
        result.set(this.file.bytes(start, to - from), from - offset);
      }
    }
    return result;
  }

  /// The bytes of a block that is made of another one, with its filters undone; null for others.
  made(segment, block) {
    const extent = this.fromOthers.get(block.start);
    if (!extent) return null;
    return extent.kind === extentKinds.overlaid ? this.overlaid(extent, segment) : this.differing(extent, segment);
  }

  runBytes({ offset, byteCount }) {
    return this.file.bytes(offset, byteCount);
  }

  base({ base, raw }) {
    const bytes = base.byteCount === raw ? this.runBytes(base).slice() : expanded(this.runBytes(base), raw);
    return bytes ?? this.refuse("X8", "another block that does not expand to as many bytes");
  }

  overlaid(extent, segment) {
    const bytes = this.base(extent);
    for (const overlay of extent.overlays) {
      const cursor = new Cursor(this.runBytes(overlay), { end: "X8" });
      for (let place = 0; cursor.left > 0;) {
        place += Number(cursor.varint());
        const more = cursor.take(cursor.varint());
        if (place + more.length > bytes.length) this.refuse("X8", "an overlay that goes beyond its block");
        bytes.set(more, place);
        place += more.length;
      }
    }
    if (xxh3Lower128(bytes) !== extent.hash) this.refuse("X8", "another hash of a block that is made of another one");
    return extent.byteCount === extent.raw ? bytes : undone(segment.filters, bytes);
  }

  differing(extent, segment) {
    const { lists, quantised } = extent;
    const isNote = ({ number }) => number === filterNumbers.rounded;
    const own = extent.byteCount === extent.raw ? [] : segment.filters.filter((filter) => !isNote(filter));
    if (!areAlike(own, lists.block)) this.refuse("X8", "other filters than the segment has");
    const rest = (filters) => (quantised ? filters.slice(1) : filters);
    const numbers = undone(rest(lists.base), this.base(extent));
    const stored = expanded(this.runBytes(extent.stored), extent.raw);
    if (stored === null) this.refuse("X8", "differences that do not expand to as many bytes");
    add(numbers, undone(lists.differences, stored), lists.width);
    if (xxh3Lower128(numbers) !== extent.hash) this.refuse("X8", "another hash of a block of differences");
    return quantised ? dequantised(numbers, quantised) : numbers;
  }
}

function areAlike(one, other) {
  return one.length === other.length && one.every((filter, place) =>
    ["number", "width", "flags", "parameter", "argument"].every((name) => filter[name] === other[place][name]));
}

/// Adds differences to integers of so many bytes; bytes behind the last whole one are those of the differences.
function add(numbers, differences, width) {
  const [target, source] = [numbers, differences].map((bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const count = Math.floor(numbers.length / width);
  for (let place = 0; place < count; place += 1) {
    let [stored, number] = [0n, 0n];
    for (let byte = width - 1; byte >= 0; byte -= 1) {
      stored = (stored << 8n) | BigInt(source.getUint8(place * width + byte));
      number = (number << 8n) | BigInt(target.getUint8(place * width + byte));
    }
    number += stored & 1n ? ~(stored >> 1n) : stored >> 1n;
    for (let byte = 0; byte < width; byte += 1) {
      target.setUint8(place * width + byte, Number(number & 0xFFn));
      number >>= 8n;
    }
  }
  numbers.set(differences.subarray(count * width), count * width);
}
