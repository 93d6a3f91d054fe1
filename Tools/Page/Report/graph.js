// A graph of which values are read one object at a time: arrays stay where they are, and long lists are cut.
import { objectOffsets, openArchive } from "../Reader/archive.js";
import { Refusal } from "../Reader/bytes.js";
import { kindName } from "../Reader/kinds.js";
import { blocksBytes, segmentBytes } from "../Reader/segment.js";
import { GraphStream } from "../Reader/stream.js";

/// The values of a stream, with their kinds; a list has `count` and the `kept` ones.
class ValueStream extends GraphStream {
  constructor(bytes, contents, objects, source, keptCount) {
    super(bytes, contents, objects, source);
    this.keptCount = keptCount;
  }

  value(kind, depth) {
    return { kind: kindName(kind), ...super.value(kind, depth) };
  }

  several(count, read) {
    const kept = [];
    for (let place = 0; place < count; place += 1) {
      const value = read();
      if (place < this.keptCount) kept.push(value);
    }
    return { count, kept };
  }

  /// Where elements are, in place of what they are.
  elements(elements, count, segment, take) {
    const array = { formats: elements.formats, elementByteCount: elements.byteCount, layout: elements.member.layout, count: Number(count) };
    if (segment !== null) return { array: { ...array, segment: this.bulk(elements, count, segment), segmentNumber: Number(segment) } };
    const bytes = this.inline(elements, count);
    return { array: { ...array, bytes }, ...take?.(bytes) };
  }
}

/// An archive whose values are read when they are asked for.
export class Graph {
  /// - streamLimit: of a longer graph stream, only so many bytes are read.
  /// - keptCount: how many parts of each list are kept.
  constructor(source, { streamLimit, keptCount }) {
    const { header, contents } = openArchive(source);
    Object.assign(this, { source, header, contents });
    const segment = contents.graphSegment;
    this.streamByteCount = segment === null ? contents.graph.length : Number(segment.byteCount);
    this.stream = segment === null ? contents.graph : blocksBytes(segment, source, segment.blocks.slice(0, Math.ceil(streamLimit / segment.blockByteCount)));
    this.isCut = this.stream.length < this.streamByteCount;
    const index = contents.indexSegment ? segmentBytes(contents.indexSegment, source) : contents.index;
    this.objects = objectOffsets(contents, index, this.streamByteCount);
    this.reader = new ValueStream(this.stream, contents, this.objects, source, keptCount);
  }

  root() {
    return this.at(0, () => this.reader.outer());
  }

  /// An object that is stored.
  object(number) {
    return this.at(this.objects[number], () => ({ kind: "record", ...this.reader.record(1) }));
  }

  at(offset, read) {
    this.reader.used.clear();
    this.reader.cursor.offset = offset;
    try {
      if (this.isCut && offset >= this.stream.length) this.reader.cursor.refuse("G1", "behind the bytes that were read");
      return read();
    } catch (error) {
      if (this.isCut && error.rule === "G1") throw new Error(`the graph has ${this.streamByteCount} bytes, of which the first ${this.stream.length} were read`);
      throw error;
    }
  }

  /// The value that optionals, references and boxes lead to, the first object on the way, and whether that reference is conditional.
  resolved(value) {
    let [object, isConditional] = [undefined, false];
    for (let jumps = 0; jumps <= 64; jumps += 1) {
      if (value.boxed) value = value.boxed;
      else if (value.kind.startsWith("tagged")) value = value.value;
      else if (value.object !== undefined) {
        isConditional ||= value.kind === "conditional reference";
        object ??= value.object;
        if (this.objects[value.object] === null) return { value: { kind: value.kind, isNothing: true }, object, isConditional };
        value = this.object(value.object);
      } else return { value, object, isConditional };
    }
    throw new Refusal("G4", "boxes that lead to nothing else");
  }

  shape(record) {
    return this.contents.shapes[record.shape - 1];
  }

  className(record) {
    const number = record.shape === undefined ? null : this.shape(record).classNumber;
    return number === null ? undefined : this.contents.classes[number].qualifiedName;
  }

  /// The keys of the fields of packed structs; null for elements of one format.
  layoutKeys({ layout }) {
    return layout === undefined ? null : this.contents.layouts[layout - 1].fields.map(({ key }) => (key === null ? null : this.contents.keys[key]));
  }
}
