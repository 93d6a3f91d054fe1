// The contents of an archive: its tables.
import { byteOrder, Cursor } from "./bytes.js";
import { format } from "./formats.js";
import { isFieldKind } from "./kinds.js";
import { place, readSegment, segmentKinds } from "./segment.js";

/// Bytes of an archive's header, behind which the segments begin.
export const headerByteCount = 40;

const flags = { segments: 1, objects: 2, inOrder: 4, classes: 8, userVersion: 16, layouts: 32, metadata: 64, extensions: 128 };

/// The flags of a shape.
export const shapeFlags = { class: 1, open: 2, boxed: 4, named: 8, newKeys: 16, list: 32, typeName: 64 };

/// Reads the contents; offsets of refusals are those in the contents.
export function readContents(bytes) {
  const cursor = new Cursor(bytes, { end: "C3", text: "C4" });
  const has = cursor.u8();
  const count = (least) => {
    const start = cursor.offset;
    const number = cursor.varint();
    if (number > Math.floor(cursor.left / least)) cursor.refuse("C3", `${number} entries do not fit into ${cursor.left} bytes`, start);
    return Number(number);
  };
  const list = (flag, least, read) => (flag === 0 || has & flag ? Array.from({ length: count(least) }, () => read()) : []);
  if (has & flags.inOrder && !(has & flags.objects)) cursor.refuse("C2", "in order, without objects", 0);

  const contents = { segments: list(flags.segments, 60, () => readSegment(cursor)) };
  checkOrder(contents.segments, (has & flags.objects) !== 0, cursor);
  contents.segmentEnd = place(contents.segments, headerByteCount);
  contents.userVersion = has & flags.userVersion ? cursor.varint() : 0;
  if (has & flags.userVersion && (contents.userVersion < 1 || contents.userVersion > 65535)) cursor.refuse("C5", `user version ${contents.userVersion}`);
  contents.metadata = readPairs(list, flags.metadata, cursor, "C6");
  contents.extensions = list(flags.extensions, 2, () => {
    const number = cursor.varint();
    const extension = { number, bytes: cursor.take(count(1)) };
    if (BigInt(number) & 1n) cursor.refuse("C16", `extension ${number} must be understood`);
    return extension;
  });
  contents.keys = list(0, 1, () => cursor.string());
  if (new Set(contents.keys).size !== contents.keys.length) cursor.refuse("C7", "two equal keys");
  contents.classes = list(flags.classes, 3, () => {
    const found = { mangledName: cursor.string(), qualifiedName: cursor.string(), version: cursor.varint() };
    if (found.version > 0xFFFFFFFF) cursor.refuse("C8", `class version ${found.version}`);
    return found;
  });
  contents.layouts = list(flags.layouts, 3, () => readLayout(cursor, count, contents.keys));
  let firstNewKey = 0;
  contents.shapes = list(0, 2, () => {
    const shape = readShape(cursor, contents, firstNewKey);
    for (const { key } of shape.fields) if (key !== null) firstNewKey = Math.max(firstNewKey, key + 1);
    return shape;
  });
  readGraph(contents, has, cursor);
  return contents;
}

function checkOrder(segments, hasObjects, cursor) {
  const order = [segmentKinds.graph, segmentKinds.bulk, segmentKinds.index];
  segments.forEach(({ kind }, place) => {
    const before = segments[place - 1]?.kind;
    const isRight = place === 0 || order.indexOf(before) < order.indexOf(kind) || (kind === segmentKinds.bulk && before === kind);
    if (!isRight || (kind === segmentKinds.index && !hasObjects)) cursor.refuse("S8", `a segment of kind ${kind} out of order`);
  });
  if (segments.reduce((sum, { byteCount }) => sum + Number(byteCount), 0) > 2 ** 56) cursor.refuse("S2", "more than 2^56 bytes");
}

/// Pairs of texts whose keys ascend.
export function readPairs(list, flag, cursor, rule) {
  let before = null;
  return list(flag, 2, () => {
    const [start, key] = [cursor.offset, cursor.string()];
    if (before !== null && byteOrder(before, key) >= 0) cursor.refuse(rule, "metadata whose keys do not ascend", start);
    before = key;
    return [key, cursor.string()];
  });
}

function readLayout(cursor, count, keys) {
  const start = cursor.offset;
  const length = count(2);
  if (length === 0) cursor.refuse("C9", "a layout without fields", start);
  const used = new Set();
  let byteCount = 0;
  const fields = Array.from({ length }, () => {
    const key = readKey(cursor, keys, used, "C9");
    const found = format(cursor.varint());
    if (found === null) cursor.refuse("C9", "a layout with a number that no packed format has", start);
    byteCount += found.byteCount;
    if (byteCount > 2 ** 20) cursor.refuse("C9", "elements of more than 2^20 bytes", start);
    return { key, format: found };
  });
  return { fields, byteCount };
}

/// The number of a key, or null for none.
function readKey(cursor, keys, used, rule) {
  const start = cursor.offset;
  const number = cursor.varint();
  if (number === 0) return null;
  if (number > keys.length) cursor.refuse(rule, `key ${number} of ${keys.length}`, start);
  if (used.has(number)) cursor.refuse(rule, `key ${number} twice`, start);
  used.add(number);
  return number - 1;
}

function readShape(cursor, { keys, classes }, firstNewKey) {
  const start = cursor.offset;
  const flag = cursor.u8();
  const has = (name) => (flag & shapeFlags[name]) !== 0;
  if (flag & 0x80) cursor.refuse("C10", "unknown flags of a shape", start);
  const shape = { flag, classNumber: null, typeName: null, fields: [] };
  if (has("named")) {
    const number = cursor.varint();
    if (number < 1 || number > classes.length || !has("class")) cursor.refuse("C10", `class ${number} of ${classes.length}`, start);
    shape.classNumber = number - 1;
  }
  if (has("typeName")) {
    shape.typeName = cursor.string();
    if (shape.typeName === "" || has("class")) cursor.refuse("C10", "a type name that is empty or of a class", start);
  }
  const least = has("newKeys") ? 1 : 2;
  const countStart = cursor.offset;
  const count = cursor.varint();
  if (count > Math.floor(cursor.left / least)) cursor.refuse("C3", `${count} fields`, countStart);
  if (has("boxed") && (count > 0 || has("open") || has("list"))) cursor.refuse("C12", "a boxed shape with fields, or open, or a list", start);
  const used = new Set();
  for (let place = 0; place < count; place += 1) {
    const key = has("newKeys") ? firstNewKey + place : readKey(cursor, keys, used, "C11");
    if (key !== null && key >= keys.length) cursor.refuse("C11", `key ${key + 1} of ${keys.length}`, start);
    const kind = cursor.u8();
    if (!isFieldKind(kind)) cursor.refuse("C11", `a field of kind ${kind}`, cursor.offset - 1);
    shape.fields.push({ key, kind });
  }
  return shape;
}

function readGraph(contents, has, cursor) {
  const find = (kind) => contents.segments.find((segment) => segment.kind === kind) ?? null;
  contents.graphSegment = find(segmentKinds.graph);
  contents.indexSegment = find(segmentKinds.index);
  contents.bulk = contents.segments.filter(({ kind }) => kind === segmentKinds.bulk);
  Object.assign(contents, { objectCount: 0, storedCount: 0, isInOrder: true, index: null, graph: null });
  const start = cursor.offset;
  if (has & flags.objects) {
    contents.isInOrder = (has & flags.inOrder) !== 0;
    contents.objectCount = cursor.varint();
    contents.storedCount = contents.isInOrder ? contents.objectCount : cursor.varint();
    if (contents.objectCount === 0 || contents.storedCount > contents.objectCount) cursor.refuse("C13", `${contents.storedCount} of ${contents.objectCount} objects`, start);
    if (contents.indexSegment === null) {
      const place = cursor.offset;
      const length = cursor.varint();
      if (length > cursor.left) cursor.refuse("C3", `an index of ${length} bytes`, place);
      contents.index = cursor.take(length);
    }
  }
  if (contents.graphSegment === null) {
    if (cursor.left === 0) cursor.refuse("C15", "no graph stream");
    contents.graph = cursor.take(cursor.left);
  } else if (cursor.left > 0) cursor.refuse("C15", `${cursor.left} bytes that belong to nothing`);
  checkNumbers(contents, cursor, start);
}

/// What numbers of objects can be.
function checkNumbers(contents, cursor, start) {
  const { objectCount, storedCount, isInOrder, graphSegment, indexSegment } = contents;
  if (objectCount === 0) return;
  const streamByteCount = graphSegment?.byteCount ?? contents.graph.length;
  const indexByteCount = indexSegment?.byteCount ?? contents.index.length;
  const varints = Number(storedCount) * (isInOrder ? 1 : 2);
  const stored = graphSegment === null ? streamByteCount : graphSegment.end - graphSegment.start;
  const isRight = storedCount < streamByteCount && objectCount - storedCount <= Math.floor(streamByteCount / 2) + 1
    && indexByteCount >= varints && indexByteCount <= 9 * varints && objectCount <= 8 * stored;
  if (!isRight) cursor.refuse("C14", `${storedCount} of ${objectCount} objects in ${streamByteCount} bytes`, start);
}

