// Whether the blocks of archives match their checksums, and what is lost where they do not.
import { Refusal, Unknown } from "../Reader/bytes.js";
import { blockBytes, checkFrame, segmentKinds, segmentNames } from "../Reader/segment.js";

const damageLimit = 1_000;

/// A problem as reports have it.
export function problemOf(error, entry, start = 0) {
  return { code: error instanceof Unknown ? "unsupported" : "damaged", message: error.reason ?? error.message, byteOffset: error.offset === undefined ? undefined : start + error.offset, entry };
}

/// The damaged blocks of an archive, in a problem; null where there are none.
///
/// - findPlaces: for each bulk segment, the path of its array; called where one is damaged.
/// - start: where the archive begins in its file.
export function damageOf({ contents, source }, findPlaces, entry, start) {
  const damage = [];
  let first = null;
  let bulk = 0;
  let places = null;
  for (const segment of contents.segments) {
    const number = segment.kind === segmentKinds.bulk ? bulk++ : undefined;
    const note = (error, block, place) => {
      if (!(error instanceof Refusal)) throw error;
      first ??= error;
      places ??= findPlaces();
      damage.push({
        segment: segmentNames[segment.kind], segmentNumber: number, block: place, byteOffset: start + (block?.start ?? segment.start),
        bytes: block?.stored ?? segment.header.length, losses: block ? lossesOf(segment, place, block, places.get(number)) : [] });
    };
    try {
      checkFrame(segment, source);
    } catch (error) {
      note(error);
    }
    segment.blocks.forEach((block, place) => {
      try {
        blockBytes(segment, block, source);
      } catch (error) {
        note(error, block, place);
      }
    });
  }
  return first && { ...problemOf(first, entry, start), damage: damage.slice(0, damageLimit), damagedBlocks: damage.length };
}

function lossesOf(segment, place, block, path) {
  if (path === undefined) return [];
  const firstElement = (place * segment.blockByteCount) / segment.elementByteCount;
  return [{ path, firstElement, elements: block.raw / segment.elementByteCount }];
}
