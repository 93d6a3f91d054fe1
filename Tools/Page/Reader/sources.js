// Where bytes are read from: memory, and files of which only some ranges are read.

/// Bytes in memory, as segments are read from them.
export class MemorySource {
  constructor(bytes) {
    this.all = bytes;
    this.byteCount = bytes.length;
  }

  /// Fewer at the end.
  bytes(offset, count) {
    return this.all.subarray(offset, offset + count);
  }
}

/// Some bytes of another source.
export class PartSource {
  constructor(source, start, byteCount) {
    Object.assign(this, { source, start, byteCount });
  }

  bytes(offset, count) {
    return this.source.bytes(this.start + offset, Math.max(Math.min(count, this.byteCount - offset), 0));
  }

  /// Reads bytes at once of which parts are asked for later.
  prefetch(offset, count) {
    this.source.prefetch?.(this.start + offset, count);
  }
}

/// Of what was read, so much is kept.
const keptByteCount = 64 << 20;

/// A file of which ranges are read when they are needed; the last ones are kept.
export class RangeSource {
  /// - load: gives the bytes at an offset, as many as are asked for.
  constructor(byteCount, load) {
    Object.assign(this, { byteCount, load, runs: [], ahead: 1 << 16 });
  }

  bytes(offset, count) {
    const end = Math.min(offset + count, this.byteCount);
    if (offset >= end) return new Uint8Array(0);
    return this.found(offset, end) ?? this.read(offset, end, Math.min(Math.max(end, offset + this.ahead), this.byteCount));
  }

  /// Reads bytes at once of which parts are asked for later.
  prefetch(offset, count) {
    this.bytes(offset, count);
  }

  found(offset, end) {
    const place = this.runs.findIndex(({ start, bytes }) => start <= offset && end <= start + bytes.length);
    if (place < 0) return null;
    const [run] = this.runs.splice(place, 1);
    this.runs.push(run);
    return run.bytes.subarray(offset - run.start, end - run.start);
  }

  read(offset, end, readEnd) {
    const bytes = this.load(offset, readEnd - offset);
    if (bytes.length !== readEnd - offset) throw new Error(`${bytes.length} bytes were read in place of ${readEnd - offset}: the file has changed`);
    this.runs.push({ start: offset, bytes });
    let kept = this.runs.reduce((sum, run) => sum + run.bytes.length, 0);
    while (this.runs.length > 1 && kept > keptByteCount) kept -= this.runs.shift().bytes.length;
    return bytes.subarray(0, end - offset);
  }
}
