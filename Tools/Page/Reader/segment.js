// Headers of segments, and what their blocks expand to.
import { areSame, areZero, Refusal, Unknown } from "./bytes.js";
import { filterFault, filterNumbers, readFilter, undone, unknownFilter } from "./filters.js";
import { format } from "./formats.js";
import { expanded } from "./lz4.js";
import { expandedNumbers } from "./numbers.js";
import { xxh3 } from "./xxh3.js";

/// What a segment holds.
export const segmentKinds = { graph: 0, index: 1, bulk: 2 };

/// The kinds by their numbers, as reports call them.
export const segmentNames = ["graph", "objectIndex", "bulk"];

/// Reads the header of a segment in the contents.
export function readSegment(cursor) {
  const start = cursor.offset;
  const refuse = (rule, reason, offset = start) => cursor.refuse(rule, reason, offset);
  if (cursor.left < 60) refuse("C3", "the contents end in a segment");
  if (cursor.u32() !== 0x47455347) refuse("S1", "a segment without its magic");
  const segment = { kind: cursor.u8(), codec: cursor.u8(), formatNumber: cursor.u16() };
  if (segment.kind > 2) refuse("S1", `a segment of kind ${segment.kind}`);
  Object.assign(segment, { byteCount: cursor.u64(), blockByteCount: cursor.u32(), elementByteCount: cursor.u32(), blockCount: cursor.u32() });
  const [filterCount, alignment] = [cursor.u8(), cursor.u8()];
  Object.assign(segment, { flags: cursor.u8(), ignoredFlags: cursor.u8(), parameter: cursor.u32() });
  cursor.u32();
  checkSizes(segment, refuse);
  if (filterCount > 4) refuse("S4", `${filterCount} filters`);
  if (alignment > 20) refuse("S4", `an alignment of 2^${alignment}`);
  segment.alignment = 2 ** alignment;
  if (segment.blockCount !== Math.ceil(segment.byteCount / segment.blockByteCount)) refuse("S5", `${segment.blockCount} blocks`);
  // A segment with so many blocks could not fit otherwise.
  if (16 * filterCount + 12 * segment.blockCount + 8 > cursor.left) refuse("C3", "the contents end in a segment");
  segment.filters = Array.from({ length: filterCount }, () => readFilter(cursor));
  checkFilters(segment, refuse);
  segment.blocks = Array.from({ length: segment.blockCount }, (_, number) => {
    const block = { stored: cursor.u32(), hash: cursor.bits64(), raw: Math.min(segment.blockByteCount, segment.byteCount - number * segment.blockByteCount) };
    if (block.stored < 1 || block.stored > block.raw || (segment.codec === 0 && block.stored !== block.raw)
      || ((segment.codec === 1 || segment.codec === 2) && 255 * block.stored < block.raw)) refuse("S6", `a block of ${block.stored} bytes for ${block.raw}`);
    return block;
  });
  const hashed = cursor.bytes.subarray(start, cursor.offset);
  if (cursor.bits64() !== xxh3(hashed)) refuse("S7", "a segment header that does not match its hash");
  segment.header = cursor.bytes.subarray(start, cursor.offset);
  return segment;
}

function checkSizes({ kind, byteCount, blockByteCount, elementByteCount, formatNumber }, refuse) {
  const isRight = byteCount >= 1 && byteCount <= 2 ** 56 && blockByteCount >= 1 && blockByteCount <= 2 ** 22 && elementByteCount >= 1
    && (kind === segmentKinds.bulk || elementByteCount === 1)
    && BigInt(byteCount) % BigInt(elementByteCount) === 0n && blockByteCount % elementByteCount === 0;
  if (!isRight) refuse("S2", `${byteCount} bytes, in blocks of ${blockByteCount} and elements of ${elementByteCount}`);
  if (formatNumber === 0) return;
  if (kind !== segmentKinds.bulk || format(formatNumber)?.byteCount !== elementByteCount) refuse("S3", `format ${formatNumber}`);
}

function checkFilters({ filters, codec }, refuse) {
  filters.forEach((filter, place) => {
    const fault = filterFault(filter);
    if (fault) refuse("S4", fault);
    if (place > 0 && (filter.number === filterNumbers.quantised || filter.number === filterNumbers.rounded)) {
      refuse("S4", `filter ${filter.number} behind another one`);
    }
    if (codec === 0 && filter.flags === 0 && filter.number < filterNumbers.rounded) refuse("S4", "a filter with codec 0");
  });
}

/// What a reader would have to know to expand compressed blocks of a segment; null where this one does.
export function unknown(segment) {
  if (segment.codec > 2) return `codec ${segment.codec}`;
  if (segment.flags !== 0) return "flags of the segment";
  if (!(segment.codec === 2 ? [1, 2, 4, 8] : [0]).includes(segment.parameter)) return "parameter of the codec";
  return unknownFilter(segment.filters);
}

/// Says where the segments stand: each begins behind `end`, at a multiple of its alignment.
export function place(segments, start) {
  let end = start;
  for (const segment of segments) {
    segment.front = end;
    segment.start = Math.ceil(end / segment.alignment) * segment.alignment;
    segment.blockStart = Math.ceil((segment.start + segment.header.length) / segment.alignment) * segment.alignment;
    end = segment.blockStart;
    for (const block of segment.blocks) {
      block.start = end;
      end += block.stored;
    }
    segment.end = end;
  }
  return end;
}

/// Refuses another header than that in the contents, and bytes around it.
export function checkFrame(segment, source) {
  const head = source.bytes(segment.start, segment.header.length);
  if (!areSame(head, segment.header)) throw new Refusal("S10", "a segment begins with another header than the contents have", segment.start);
  if (!areZero(source.bytes(segment.front, segment.start - segment.front))) throw new Refusal("S10", "bytes in front of a segment", segment.front);
  const behind = segment.start + segment.header.length;
  if (!areZero(source.bytes(behind, segment.blockStart - behind))) throw new Refusal("S10", "bytes behind the header of a segment", behind);
}

/// All bytes of a segment before compression; blocks that need what is not known are hashed, and end in `Unknown`.
export function segmentBytes(segment, source) {
  checkFrame(segment, source);
  return blocksBytes(segment, source, segment.blocks);
}

/// The bytes of some blocks of a segment, which follow each other.
export function blocksBytes(segment, source, blocks) {
  const missing = unknown(segment);
  if (blocks.length > 0) source.prefetch?.(blocks[0].start, blocks.at(-1).start + blocks.at(-1).stored - blocks[0].start);
  const pieces = blocks.map((block) => blockBytes(segment, block, source, missing));
  if (pieces.includes(null)) throw new Unknown(missing);
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  pieces.reduce((offset, piece) => {
    bytes.set(piece, offset);
    return offset + piece.length;
  }, 0);
  return bytes;
}

/// The bytes of a block before compression; null where that takes what is not known.
export function blockBytes(segment, block, source, missing = unknown(segment)) {
  const made = source.made?.(segment, block);
  if (made) return made;
  const stored = source.bytes(block.start, block.stored);
  if (xxh3(stored) !== block.hash) throw new Refusal("S11", "a block that does not match its hash", block.start);
  if (block.stored === block.raw) return stored.slice();
  if (missing !== null) return null;
  const bytes = segment.codec === 2 ? expandedNumbers(stored, block.raw, segment.parameter) : expanded(stored, block.raw);
  if (bytes === null) throw new Refusal("S12", "a block that does not expand to as many bytes as it had", block.start);
  return undone(segment.filters, bytes);
}
