// Series: the list of their entries, and the archives.
import { begins, checkFeatures, readArchive, readHeader } from "./archive.js";
import { areZero, Cursor, Refusal } from "./bytes.js";
import { readPairs } from "./contents.js";
import { piecesByteCount, PiecesSource, readPiecesHeader } from "./pieces.js";
import { real } from "./scalars.js";
import { PartSource } from "./sources.js";
import { xxh3 } from "./xxh3.js";

const unit = 64;
/// Of a header without features, and with zeros for what is reserved.
const plainHeaderHash = 0x366D76F874325539n;
/// Of the index of 63 records without metadata, and the record with it.
const windowByteCount = 1 << 14;
const up = (offset) => Math.ceil(offset / unit) * unit;

/// The record whose bytes these are; null where they are none, or say another offset.
function recordOf(record, offset) {
  const byteCount = record.length;
  const end = new Cursor(record, { end: "R3" }, byteCount - 16);
  if (end.u64() !== byteCount || end.bits64() !== xxh3(record.subarray(0, byteCount - 8))) return null;
  const cursor = new Cursor(record, { end: "R3", text: "R3" }, 12);
  const index = cursor.u32();
  const place = cursor.u64();
  if (place !== (offset ?? place)) return null;
  const found = {
    offset: place, byteCount, archive: cursor.u64(), stored: cursor.u64(), archiveHash: cursor.bits64(), number: cursor.u64(), before: cursor.bits64(),
    step: BigInt.asIntN(64, cursor.bits64()), timeBits: cursor.bits64(), whole: cursor.u64() };
  found.time = new DataView(record.buffer, record.byteOffset).getFloat64(72, true);
  found.hash = new DataView(record.buffer, record.byteOffset).getBigUint64(byteCount - 8, true);
  const isRight = index % unit === 0 && index <= byteCount - 128 && found.archive % unit === 0 && found.archive >= unit
    && found.stored > 40 && found.whole > 40 && found.whole < 2n ** 63n && found.number < 2n ** 63n - 1n
    && up(found.archive + found.stored) === place;
  if (!isRight) return null;
  try {
    found.metadata = readPairs((_, least, read) => Array.from({ length: Number(cursor.varint()) }, () => read()), 0, cursor, "R3");
  } catch {
    return null;
  }
  const rest = byteCount - 16 - index - cursor.offset;
  if (rest < 0 || !areZero(cursor.take(rest))) return null;
  found.copies = cursor.take(index);
  return found;
}

/// The bytes that a record says it has at its start; null where none begins.
function recordByteCount(start) {
  if (start.length < 128 || !begins(start, "gcrecord")) return null;
  const byteCount = new DataView(start.buffer, start.byteOffset).getUint32(8, true);
  return byteCount % unit === 0 && byteCount >= 128 && byteCount <= 2 ** 20 ? byteCount : null;
}

/// Reads the record at an offset; null where there is none.
function readRecord(file, offset) {
  const byteCount = recordByteCount(file.bytes(offset, 128));
  if (byteCount === null || offset + byteCount > file.byteCount) return null;
  return recordOf(file.bytes(offset, byteCount), offset);
}

/// Reads the record that ends at an offset; null where there is none.
function readRecordBefore(file, end) {
  if (end < 128) return null;
  // Most are shorter, so this takes one request.
  file.prefetch?.(Math.max(end - windowByteCount, 0), Math.min(windowByteCount, end));
  const byteCount = new Cursor(file.bytes(end - 16, 16), {}).u64();
  return byteCount >= 128 && byteCount <= 2 ** 20 && byteCount <= end ? readRecord(file, end - byteCount) : null;
}

/// The bytes that a header at an offset says are stored there; null where there is none.
function storedBytes(file, offset) {
  const start = file.bytes(offset, piecesByteCount);
  try {
    return begins(start, "gcshared") ? readPiecesHeader(start).stored : readHeader(start.subarray(0, 40)).byteCount;
  } catch {
    return null;
  }
}

const headerHash = (file) => new Cursor(file.bytes(0, unit), {}, 56).bits64();

/// Lists the entries from the first one on, and calls `fault` with a refusal for each damage.
export function listEntries(file, fault) {
  const entries = [];
  let [end, before] = [unit, headerHash(file)];
  for (;;) {
    const entry = next(file, end);
    if (entry === null) return entries;
    if (entry.archive !== end) fault(new Refusal("R3", "bytes in front of an entry that are none", end));
    if (entry.before !== before) fault(new Refusal("R3", "an entry that does not follow the one before", entry.offset));
    if (entries.length > 0 && entry.number <= entries.at(-1).number) fault(new Refusal("R3", `entry ${entry.number} again`, entry.offset));
    entries.push(entry);
    [end, before] = [entry.offset + entry.byteCount, entry.hash];
  }
}

function next(file, end) {
  const stored = storedBytes(file, end);
  const expected = stored === null ? null : readRecord(file, up(end + Number(stored)));
  if (expected !== null && expected.archive === end) return expected;
  for (let offset = end; offset + 128 <= file.byteCount; offset += unit) {
    const record = readRecord(file, offset);
    if (record !== null && record.archive >= end) return record;
  }
  return null;
}

/// The last entry, where the file ends with it; null otherwise.
export function lastEntry(file) {
  return readRecordBefore(file, file.byteCount);
}

/// At most so many entries up to a last one, in their order, by the chain of their hashes; null where it does not hold.
export function entriesUpTo(file, last, most) {
  const found = [last];
  let copies = copiesOf(last);
  for (let entry = last; found.length < most && entry.archive > unit;) {
    const before = copies.pop() ?? readRecordBefore(file, entry.archive);
    if (!before || before.hash !== entry.before || BigInt(before.number) + 1n !== BigInt(entry.number)
      || before.offset + before.byteCount !== entry.archive) return null;
    if (before.copies.length > 0) copies = copiesOf(before);
    found.push(before);
    entry = before;
  }
  const first = found.at(-1);
  return first.archive === unit && first.before !== headerHash(file) ? null : found.reverse();
}

/// The records of an index, the oldest first; none where it is no list of them.
function copiesOf({ copies }) {
  const found = [];
  for (let offset = 0; offset < copies.length;) {
    const byteCount = recordByteCount(copies.subarray(offset, offset + 128));
    const copy = byteCount !== null && byteCount <= copies.length - offset ? recordOf(copies.subarray(offset, offset + byteCount)) : null;
    if (copy === null || copy.copies.length > 0) return [];
    found.push(copy);
    offset += byteCount;
  }
  return found;
}

/// Whether a file is a series that was created and not begun.
export function isNotBegun(file) {
  const start = file.bytes(0, unit);
  if (file.byteCount <= unit && areZero(start)) return true;
  return file.byteCount < unit && "gcseries".startsWith(String.fromCharCode(...start.subarray(0, 8)));
}

/// Refuses what is no series, or one of another version.
export function checkHeader(file) {
  const start = file.bytes(0, unit);
  const isSeries = begins(start, "gcseries");
  const matches = start.length >= unit && isSeries && new Cursor(start, {}, 56).bits64() === xxh3(start.subarray(0, 56));
  if (!matches) {
    const hash = start.length >= unit ? new Cursor(start, {}, 56).bits64() : null;
    if (isSeries || hash === plainHeaderHash || (file.byteCount > unit && storedBytes(file, unit) !== null)) throw new Refusal("R3", "a header of a series that is damaged", 0);
    throw new Refusal("R4", "no series", 0);
  }
  const cursor = new Cursor(start, {}, 8);
  const [version, features] = [cursor.u16(), cursor.u16()];
  if (version !== 1) throw new Refusal("R1", `version ${version} of a series`, 8);
  checkFeatures(features, 0, "R1", 10);
}

/// The source of an entry's archive, whose header is compared with the record.
export function entrySource(file, entry) {
  const start = file.bytes(entry.archive, Math.min(piecesByteCount, entry.stored));
  if (begins(start, "gcshared")) {
    const header = readPiecesHeader(start);
    if (header.end !== entry.archiveHash || header.stored !== entry.stored || header.whole !== entry.whole) {
      throw new Refusal("R3", "an archive in pieces that is another one than the record says", entry.archive);
    }
    return new PiecesSource(file, entry.archive, header);
  }
  let header = null;
  try {
    header = readHeader(start);
  } catch (error) {
    if (["H4", "H5"].includes(error.rule)) throw error;
  }
  if (header?.own !== entry.archiveHash || header.byteCount !== entry.stored || entry.whole !== entry.stored) {
    throw new Refusal("R3", "an archive that is another one than the record says", entry.archive);
  }
  return new PartSource(file, entry.archive, entry.stored);
}

/// Refuses bytes between an archive and its record.
export function checkPadding(file, { archive, stored, offset }) {
  if (!areZero(file.bytes(archive + stored, offset - archive - stored))) throw new Refusal("R2", "a byte behind an archive", archive + stored);
}

/// Reads all of a series, and gives its entries in the form of the corpus.
export function readSeries(file) {
  if (isNotBegun(file)) return { entries: [] };
  checkHeader(file);
  const refuse = (fault) => { throw fault; };
  return {
    entries: listEntries(file, refuse).map((entry) => {
      const source = entrySource(file, entry);
      checkPadding(file, entry);
      return {
        number: String(entry.number), step: String(entry.step), time: real(entry.timeBits, 16, entry.time), metadata: entry.metadata,
        offset: entry.archive, byteCount: entry.whole, archive: readArchive(source) };
    }),
  };
}
