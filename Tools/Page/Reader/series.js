// Series: the list of their entries, and the archives.
import { begins, checkFeatures, MemorySource, readArchive, readHeader } from "./archive.js";
import { areZero, Cursor, Refusal } from "./bytes.js";
import { readPairs } from "./contents.js";
import { piecesByteCount, PiecesSource, readPiecesHeader } from "./pieces.js";
import { real } from "./scalars.js";
import { xxh3 } from "./xxh3.js";

const unit = 64;
/// Of a header without features, and with zeros for what is reserved.
const plainHeaderHash = 0x366D76F874325539n;
const up = (offset) => Math.ceil(offset / unit) * unit;

/// Reads the record at an offset; null where there is none.
function readRecord(bytes, offset) {
  if (offset + 128 > bytes.length || !begins(bytes.subarray(offset, offset + 8), "gcrecord")) return null;
  const byteCount = new DataView(bytes.buffer, bytes.byteOffset + offset).getUint32(8, true);
  if (byteCount % unit !== 0 || byteCount < 128 || byteCount > 2 ** 20 || offset + byteCount > bytes.length) return null;
  const record = bytes.subarray(offset, offset + byteCount);
  const end = new Cursor(record, { end: "R3" }, byteCount - 16);
  if (end.u64() !== byteCount || end.bits64() !== xxh3(record.subarray(0, byteCount - 8))) return null;
  const cursor = new Cursor(record, { end: "R3", text: "R3" }, 12);
  const index = cursor.u32();
  if (cursor.u64() !== offset) return null;
  const found = {
    offset, byteCount, archive: cursor.u64(), stored: cursor.u64(), archiveHash: cursor.bits64(), number: cursor.u64(), before: cursor.bits64(),
    step: BigInt.asIntN(64, cursor.bits64()), timeBits: cursor.bits64(), whole: cursor.u64() };
  found.time = new DataView(record.buffer, record.byteOffset).getFloat64(72, true);
  found.hash = new DataView(record.buffer, record.byteOffset).getBigUint64(byteCount - 8, true);
  const isRight = index % unit === 0 && index <= byteCount - 128 && found.archive % unit === 0 && found.archive >= unit
    && found.stored > 40 && found.whole > 40 && found.whole < 2n ** 63n && found.number < 2n ** 63n - 1n
    && up(found.archive + found.stored) === offset;
  if (!isRight) return null;
  try {
    found.metadata = readPairs((_, least, read) => Array.from({ length: Number(cursor.varint()) }, () => read()), 0, cursor, "R3");
  } catch {
    return null;
  }
  const rest = byteCount - 16 - index - cursor.offset;
  return rest >= 0 && areZero(cursor.take(rest)) ? found : null;
}

/// The bytes that a header at an offset says are stored there; null where there is none.
function storedBytes(bytes, offset) {
  const start = bytes.subarray(offset, offset + piecesByteCount);
  try {
    return begins(start, "gcshared") ? readPiecesHeader(start).stored : readHeader(start.subarray(0, 40)).byteCount;
  } catch {
    return null;
  }
}

/// Lists the entries as a reader that verifies does: damage is refused.
function list(bytes) {
  const entries = [];
  const header = bytes.subarray(0, unit);
  let [end, before] = [unit, new DataView(header.buffer, header.byteOffset).getBigUint64(56, true)];
  for (;;) {
    const entry = next(bytes, end);
    if (entry === null) return entries;
    if (entry.archive !== end) throw new Refusal("R3", "bytes in front of an entry that are none", end);
    if (entry.before !== before) throw new Refusal("R3", "an entry that does not follow the one before", entry.offset);
    if (entries.length > 0 && entry.number <= entries.at(-1).number) throw new Refusal("R3", `entry ${entry.number} again`, entry.offset);
    entries.push(entry);
    [end, before] = [entry.offset + entry.byteCount, entry.hash];
  }
}

function next(bytes, end) {
  const stored = storedBytes(bytes, end);
  const expected = stored === null ? null : readRecord(bytes, up(end + Number(stored)));
  if (expected !== null && expected.archive === end) return expected;
  for (let offset = end; offset + 128 <= bytes.length; offset += unit) {
    const record = readRecord(bytes, offset);
    if (record !== null && record.archive >= end) return record;
  }
  return null;
}

/// Whether a file is a series that was created and not begun.
function isNotBegun(bytes) {
  if (bytes.length <= unit && areZero(bytes)) return true;
  return bytes.length < unit && "gcseries".startsWith(String.fromCharCode(...bytes.subarray(0, 8)));
}

function checkHeader(bytes) {
  const isSeries = begins(bytes, "gcseries");
  const matches = bytes.length >= unit && isSeries && new Cursor(bytes, {}, 56).bits64() === xxh3(bytes.subarray(0, 56));
  if (!matches) {
    const hash = bytes.length >= unit ? new Cursor(bytes, {}, 56).bits64() : null;
    if (isSeries || hash === plainHeaderHash || (bytes.length > unit && storedBytes(bytes, unit) !== null)) throw new Refusal("R3", "a header of a series that is damaged", 0);
    throw new Refusal("R4", "no series", 0);
  }
  const cursor = new Cursor(bytes, {}, 8);
  const [version, features] = [cursor.u16(), cursor.u16()];
  if (version !== 1) throw new Refusal("R1", `version ${version} of a series`, 8);
  checkFeatures(features, 0, "R1", 10);
}

/// The source of an entry's archive, whose header is compared with the record.
function entrySource(bytes, entry) {
  const stored = bytes.subarray(entry.archive, entry.archive + entry.stored);
  if (begins(stored, "gcshared")) {
    const header = readPiecesHeader(stored);
    if (header.end !== entry.archiveHash || header.stored !== entry.stored || header.whole !== entry.whole) {
      throw new Refusal("R3", "an archive in pieces that is another one than the record says", entry.archive);
    }
    return new PiecesSource(bytes, entry.archive, header);
  }
  let header = null;
  try {
    header = readHeader(stored);
  } catch (error) {
    if (["H4", "H5"].includes(error.rule)) throw error;
  }
  if (header?.own !== entry.archiveHash || header.byteCount !== entry.stored || entry.whole !== entry.stored) {
    throw new Refusal("R3", "an archive that is another one than the record says", entry.archive);
  }
  return new MemorySource(stored);
}

/// Reads all of a series, and gives its entries in the form of the corpus.
export function readSeries(bytes) {
  if (isNotBegun(bytes)) return { entries: [] };
  checkHeader(bytes);
  return {
    entries: list(bytes).map((entry) => {
      const source = entrySource(bytes, entry);
      const padding = entry.archive + entry.stored;
      if (!areZero(bytes.subarray(padding, entry.offset))) throw new Refusal("R2", "a byte behind an archive", padding);
      return {
        number: String(entry.number), step: String(entry.step), time: real(entry.timeBits, 16, entry.time), metadata: entry.metadata,
        offset: entry.archive, byteCount: entry.whole, archive: readArchive(source) };
    }),
  };
}
