// Bytes that are read one after the other, and what refuses them.

/// A rule of the format that a file breaks, and the byte at which that is seen.
export class Refusal extends Error {
  constructor(rule, reason, offset) {
    super(offset === undefined ? `${rule}: ${reason}` : `${rule}: ${reason} (byte ${offset})`);
    this.rule = rule;
    this.reason = reason;
    this.offset = offset;
  }
}

/// What a file needs and this reader does not know: no fault of the file.
export class Unknown extends Error {}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/// The text of UTF-8; throws for other bytes.
export function text(bytes) {
  return strict.decode(bytes);
}

/// A place in bytes, which moves forward.
export class Cursor {
  /// - bytes: a Uint8Array.
  /// - rules: `end` is broken where the bytes end too early, `text` by what is not UTF-8.
  constructor(bytes, rules, offset = 0) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.rules = rules;
    this.offset = offset;
  }

  get left() {
    return this.bytes.length - this.offset;
  }

  refuse(rule, reason, offset = this.offset) {
    throw new Refusal(rule, reason, offset);
  }

  /// Moves past so many bytes, and gives where they began.
  pass(count) {
    const start = this.offset;
    if (count > this.left) this.refuse(this.rules.end, `${count} bytes are needed, and ${this.left} are left`);
    this.offset = start + Number(count);
    return start;
  }

  u8() {
    return this.bytes[this.pass(1)];
  }

  u16() {
    return this.view.getUint16(this.pass(2), true);
  }

  u32() {
    return this.view.getUint32(this.pass(4), true);
  }

  /// A number where it is exact as one, otherwise a BigInt: they can be compared with each other.
  u64() {
    return plain(this.view.getBigUint64(this.pass(8), true));
  }

  /// The 64 bits as they are.
  bits64() {
    return this.view.getBigUint64(this.pass(8), true);
  }

  f64() {
    return this.view.getFloat64(this.pass(8), true);
  }

  /// A varint of 1 to 9 bytes, as `u64`.
  varint() {
    const first = this.bytes[this.pass(1)];
    if (first & 1) return first >> 1;
    const count = first === 0 ? 9 : Math.clz32(first & -first) ^ 31;
    const start = this.pass(first === 0 ? 8 : count) - 1;
    if (first === 0) return plain(this.view.getBigUint64(start + 1, true));
    if (count < 4) {
      let value = 0;
      for (let place = count; place >= 0; place -= 1) value = value * 256 + this.bytes[start + place];
      return Math.floor(value / 2 ** (count + 1));
    }
    let value = 0n;
    for (let place = count; place >= 0; place -= 1) value = (value << 8n) | BigInt(this.bytes[start + place]);
    return plain(value >> BigInt(count + 1));
  }

  /// The bytes themselves, which are not copied.
  take(count) {
    const start = this.pass(count);
    return this.bytes.subarray(start, this.offset);
  }

  /// A string in front of which its length stands.
  string() {
    const length = this.varint();
    const start = this.offset;
    const bytes = this.take(length);
    try {
      return strict.decode(bytes);
    } catch {
      return this.refuse(this.rules.text, "a string is not UTF-8", start);
    }
  }
}

/// A number in place of a BigInt that is small enough.
export function plain(value) {
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/// The signed integer of a zigzag, as a BigInt.
export function zigzag(value) {
  const number = BigInt(value);
  return number & 1n ? -(number >> 1n) - 1n : number >> 1n;
}

/// Whether two runs of bytes are the same.
export function areSame(one, other) {
  if (one.length !== other.length) return false;
  for (let place = 0; place < one.length; place += 1) if (one[place] !== other[place]) return false;
  return true;
}

/// Whether all bytes are zero.
export function areZero(bytes) {
  for (let place = 0; place < bytes.length; place += 1) if (bytes[place] !== 0) return false;
  return true;
}

/// Bytes as hexadecimal digits.
export function hexadecimal(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/// Compares texts by their bytes in UTF-8, which is the order of their scalars and not that of JavaScript's units.
export function byteOrder(one, other) {
  const [first, second] = [Array.from(one), Array.from(other)];
  for (let place = 0; place < Math.min(first.length, second.length); place += 1) {
    const difference = first[place].codePointAt(0) - second[place].codePointAt(0);
    if (difference !== 0) return difference;
  }
  return first.length - second.length;
}
