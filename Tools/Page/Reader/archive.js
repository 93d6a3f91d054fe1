// Archives: header, contents, object index and graph.
import { Cursor, hexadecimal, Refusal, Unknown } from "./bytes.js";
import { headerByteCount, readContents, shapeFlags } from "./contents.js";
import { kindName } from "./kinds.js";
import { segmentBytes } from "./segment.js";
import { GraphStream, shown } from "./stream.js";
import { xxh3 } from "./xxh3.js";

const ascii = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/// Whether bytes begin with a magic.
export function begins(bytes, magic) {
  return bytes.length >= magic.length && ascii(magic).every((byte, place) => bytes[place] === byte);
}

/// Refuses features that must be understood, other than those of `known`.
export function checkFeatures(features, known, rule, offset) {
  const needed = features & 0xFF & ~known;
  if (needed) throw new Refusal(rule, `feature ${Math.log2(needed & -needed)} must be understood`, offset);
}

/// The header of an archive whose 40 bytes are there.
export function readHeader(bytes) {
  const cursor = new Cursor(bytes.subarray(0, headerByteCount), { end: "H2" }, 8);
  if (!begins(bytes, "gcodable")) throw new Refusal("H1", "no archive", 0);
  if (bytes.length < headerByteCount) throw new Refusal("H2", `${bytes.length} bytes`, bytes.length);
  const [version, features, contents, byteCount, hash, own] = [
    cursor.u16(), cursor.u16(), cursor.u32(), cursor.u64(), cursor.bits64(), cursor.bits64()];
  if (own !== xxh3(bytes.subarray(0, 32))) throw new Refusal("H3", "a header that does not match its hash", 32);
  if (version !== 1) throw new Refusal("H4", `format version ${version}`, 8);
  return { features, contentsByteCount: contents, byteCount, hash, own };
}

/// Opens an archive: reads header, contents and object index.
export function openArchive(source) {
  const header = readHeader(source.bytes(0, headerByteCount));
  checkFeatures(header.features, 0, "H5", 10);
  if (header.byteCount !== source.byteCount) throw new Refusal("H6", `${source.byteCount} bytes in place of ${header.byteCount}`, 16);
  const start = source.byteCount - header.contentsByteCount;
  if (header.contentsByteCount === 0 || start < headerByteCount) throw new Refusal("H7", `contents of ${header.contentsByteCount} bytes`, 12);
  const bytes = source.bytes(start, header.contentsByteCount);
  if (xxh3(bytes) !== header.hash) throw new Refusal("C1", "contents that do not match their hash", start);
  const contents = moved(start, () => readContents(bytes));
  if (contents.segmentEnd !== start) throw new Refusal("S9", `segments that end at ${contents.segmentEnd}, and contents at ${start}`, start);
  return { source, header, contents };
}

function moved(start, read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal && error.offset !== undefined) throw new Refusal(error.rule, error.reason, error.offset + start);
    throw error;
  }
}

/// The offsets of the objects in the graph stream by their numbers; null for those that are not stored.
export function objectOffsets(contents, bytes, streamByteCount) {
  const objects = new Array(contents.objectCount).fill(null);
  if (contents.objectCount === 0) return objects;
  const cursor = new Cursor(bytes, { end: "I3" });
  let offset = 0;
  const offsets = Array.from({ length: contents.storedCount }, () => {
    const difference = cursor.varint();
    if (difference === 0 || difference >= streamByteCount - offset) cursor.refuse("I1", `an object that begins ${difference} bytes behind ${offset}`);
    offset += difference;
    return offset;
  });
  offsets.forEach((place, index) => {
    const number = contents.isInOrder ? index : cursor.varint();
    if (number >= contents.objectCount || objects[number] !== null) cursor.refuse("I2", `object ${number}`);
    objects[number] = place;
  });
  if (cursor.left > 0) cursor.refuse("I3", `${cursor.left} bytes behind the index`);
  return objects;
}

/// Reads all of an archive, and gives its tables and values in the form of the corpus.
export function readArchive(source) {
  const { contents } = openArchive(source);
  const stream = contents.graphSegment ? segmentBytes(contents.graphSegment, source) : contents.graph;
  const index = contents.indexSegment ? segmentBytes(contents.indexSegment, source) : contents.index;
  const objects = objectOffsets(contents, index, stream.length);
  const reader = new GraphStream(stream, contents, objects, source);
  const graph = reader.graph();
  for (const segment of contents.bulk) if (!reader.used.has(segment)) checkUnused(segment, source);
  return { ...tables(contents), root: graph.root, ...(graph.objects.length > 0 ? { objects: graph.objects } : {}) };
}

/// A segment that nothing mentions must match its hashes all the same.
function checkUnused(segment, source) {
  try {
    segmentBytes(segment, source);
  } catch (error) {
    if (!(error instanceof Unknown)) throw error;
  }
}

function tables({ userVersion, metadata, extensions, keys, classes, layouts, shapes }) {
  const some = (name, list, form) => (list.length > 0 ? { [name]: list.map(form) } : {});
  const keyed = (key) => (key === null ? {} : { key: keys[key] });
  return {
    ...(userVersion ? { userVersion } : {}),
    ...some("metadata", metadata, (pair) => pair),
    ...some("extensions", extensions, ({ number, bytes }) => ({ number: String(number), bytes: hexadecimal(bytes) })),
    keys,
    ...some("classes", classes, (found) => found),
    ...some("layouts", layouts, ({ fields }) => fields.map(({ key, format }) => ({ ...keyed(key), format: shown(format) }))),
    shapes: shapes.map(({ flag, classNumber, typeName, fields }) => {
      const flags = ["class", "open", "boxed", "list"].filter((name) => flag & shapeFlags[name]);
      return {
        ...(flags.length > 0 ? { flags } : {}), ...(classNumber === null ? {} : { class: classNumber }),
        ...(typeName === null ? {} : { typeName }), fields: fields.map(({ key, kind }) => ({ ...keyed(key), kind: kindName(kind) })) };
    }),
  };
}
