// What an archive consists of.
import { format } from "../Reader/formats.js";
import { filterNumbers } from "../Reader/filters.js";
import { segmentKinds, segmentNames, unknown } from "../Reader/segment.js";
import { filterName, formatName } from "./texts.js";

const groupLimit = 2_048;

/// The tables of a graph's archive, as reports have them.
export function informationOf({ contents, header, streamByteCount }) {
  let bulk = 0;
  const segments = contents.segments.map((segment) => {
    const bytes = segment.blocks.reduce((sum, { stored }) => sum + stored, 0);
    const rawBytes = Number(segment.byteCount);
    const compressed = segment.blocks.filter(({ stored, raw }) => stored < raw).length;
    return {
      kind: segmentNames[segment.kind], number: segment.kind === segmentKinds.bulk ? bulk++ : undefined,
      format: segment.formatNumber ? formatName(format(segment.formatNumber)) : undefined, bytes, rawBytes, elementBytes: segment.elementByteCount,
      blockBytes: segment.blockByteCount, blocks: segment.blockCount, lz4Blocks: segment.codec === 1 ? compressed : 0,
      numbersBlocks: segment.codec === 2 ? compressed : 0,
      unknown: unknown(segment) ?? undefined, filters: segment.filters.filter(({ number }) => number !== filterNumbers.rounded).map(filterName),
      ratio: rawBytes / Math.max(bytes, 1) };
  });
  const sum = (name) => segments.reduce((total, segment) => total + segment[name], 0);
  return {
    userVersion: contents.userVersion, bytes: header.byteCount, rawBytes: header.byteCount - sum("bytes") + sum("rawBytes"),
    streamBytes: streamByteCount, objects: Number(contents.storedCount), shapes: contents.shapes.length, keys: contents.keys.length,
    classes: contents.classes.map(({ qualifiedName, mangledName, version }) => ({ name: qualifiedName, mangledName, version })),
    segments, metadata: contents.metadata.length > 0 ? Object.fromEntries(contents.metadata) : undefined };
}

/// For each segment its blocks; of many, each number is about some that follow each other.
export function blocksOf({ contents }) {
  return contents.segments.map(({ blocks }) => {
    const together = Math.max(1, Math.ceil(blocks.length / groupLimit));
    const [stored, raw] = [[], []];
    blocks.forEach((block, place) => {
      const group = Math.floor(place / together);
      stored[group] = (stored[group] ?? 0) + block.stored;
      raw[group] = (raw[group] ?? 0) + Number(block.raw);
    });
    return { together, stored, raw };
  });
}
