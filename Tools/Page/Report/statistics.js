// Where the bytes of an archive go: classes, keys and arrays.
import { GraphStream } from "../Reader/stream.js";
import { keyStep } from "./texts.js";

const pattern = (key) => (key === null ? "[]" : keyStep(key).replace(/^(?!\[)/, "."));

/// A stream that is walked through for its bytes alone.
class MeasuredStream extends GraphStream {
  /// Adds up the bytes of the root, or of an object, in `fields`, and what it mentions in `arrays`.
  measure(offset, read) {
    Object.assign(this, { steps: [], fields: new Map(), arrays: [], fieldStart: offset });
    this.cursor.offset = offset;
    read();
    this.endField();
    return { fields: this.fields, arrays: this.arrays, byteCount: this.cursor.offset - offset };
  }

  endField() {
    const [name] = this.steps;
    if (name) this.fields.set(name, (this.fields.get(name) ?? 0) + this.cursor.offset - this.fieldStart);
    this.fieldStart = this.cursor.offset;
  }

  within(step, read) {
    const isOutermost = this.steps.length === 0;
    this.steps.push(step);
    if (isOutermost) this.fieldStart = this.cursor.offset;
    const value = read();
    if (isOutermost) this.endField();
    this.steps.pop();
    return value;
  }

  keyed(key) {
    if (this.steps.length === 1) this.endField();
    this.steps[this.steps.length - 1] = pattern(key === null ? null : this.contents.keys[key]);
    return {};
  }

  record(depth) {
    return this.within("", () => super.record(depth));
  }

  list(depth) {
    return this.within("[]", () => super.list(depth));
  }

  dictionary(depth) {
    return this.within("[]", () => super.dictionary(depth));
  }

  several(count, read) {
    for (let place = 0; place < count; place += 1) read();
    return [];
  }

  elements(elements, count, segment) {
    if (segment === null) this.inline(elements, count);
    else this.arrays.push({ name: this.steps.join(""), first: this.steps[0], segment: this.bulk(elements, count, segment) });
    return {};
  }
}

/// The report of a graph, all of whose stream was read.
export function statisticsOf(graph) {
  const { contents, stream, objects, header } = graph;
  const measured = new MeasuredStream(stream, contents, objects, graph.source);
  const segment = contents.graphSegment;
  const storedOf = ({ blocks }) => blocks.reduce((sum, { stored }) => sum + stored, 0);
  const ratio = segment === null ? 1 : storedOf(segment) / Math.max(stream.length, 1);
  const [classes, keys, arrays] = [new Map(), new Map(), new Map()];
  const add = (shares, name, count, streamBytes, bytes, rawBytes) => {
    const share = shares.get(name) ?? { name, count: 0, bytes: 0, rawBytes: 0, streamBytes: 0 };
    shares.set(name, share);
    share.count += count;
    share.streamBytes += streamBytes;
    share.bytes += bytes;
    share.rawBytes += rawBytes;
  };
  const owner = (name, offset, read) => {
    const found = measured.measure(offset, read);
    add(classes, name, 1, found.byteCount, found.byteCount * ratio, found.byteCount);
    for (const [field, byteCount] of found.fields) add(keys, name + field, 1, byteCount, byteCount * ratio, byteCount);
    for (const array of found.arrays) {
      const [stored, raw] = [storedOf(array.segment), Number(array.segment.byteCount)];
      add(classes, name, 0, 0, stored, raw);
      if (array.first) add(keys, name + array.first, 0, 0, stored, raw);
      add(arrays, name + array.name, 1, 0, stored, raw);
    }
  };
  owner("root", 0, () => measured.outer());
  objects.forEach((offset) => {
    if (offset === null) return;
    measured.cursor.offset = offset;
    const shape = contents.shapes[measured.cursor.varint() - 1];
    const name = shape && shape.classNumber !== null ? contents.classes[shape.classNumber].qualifiedName : "object";
    owner(name, offset, () => measured.record(1));
  });
  const sorted = (shares) => [...shares.values()].map((share) => ({ ...share, bytes: Math.round(share.bytes) }))
    .sort((one, other) => other.bytes - one.bytes || other.rawBytes - one.rawBytes);
  const counted = sorted(classes).reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    bytes: header.byteCount, overheadBytes: Math.max(header.byteCount - counted, 0), classes: sorted(classes), keys: sorted(keys), arrays: sorted(arrays) };
}
