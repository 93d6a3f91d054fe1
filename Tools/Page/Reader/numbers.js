// Blocks of numbers, codec 2: each number is predicted from those before it, and what the prediction is off by is coded.

const numbersLimits = { predictors: 32, shift: 15, taps: 8, tables: 32, models: 16, period: 48, log: 12, leastPage: 256, block: 2 ** 22 };
const transforms = { integers: 0, ordered: 1, multiples: 2, quotients: 3 };

/// What is no block of numbers.
class NoBlock extends Error {}

function bounded(value, least, most) {
  if (value < least || value > most) throw new NoBlock();
  return value;
}

/// The bytes of a block from the front.
class Fields {
  constructor(bytes) {
    this.bytes = bytes;
    this.offset = 0;
  }

  take(count) {
    if (count > this.bytes.length - this.offset) throw new NoBlock();
    this.offset += count;
    return this.bytes.subarray(this.offset - count, this.offset);
  }

  u8(least = 0, most = 255) { return bounded(this.take(1)[0], least, most); }

  u16() {
    const [low, high] = this.take(2);
    return low | high << 8;
  }

  /// A varint as a BigInt.
  wide() {
    const first = this.u8();
    const length = first === 0 ? 9 : 32 - Math.clz32(first & -first);
    let value = BigInt(first);
    this.take(length - 1).forEach((byte, index) => { value |= BigInt(byte) << BigInt(8 * index + 8); });
    return value >> BigInt(length === 9 ? 8 : length);
  }

  varint(least, most) { return Number(bounded(this.wide(), BigInt(least), BigInt(most))); }
}

function readPredictor(fields) {
  const shift = BigInt(fields.u8(0, numbersLimits.shift));
  const taps = Array.from({ length: fields.u8(0, numbersLimits.taps) }, () => {
    const lag = fields.varint(1, numbersLimits.block);
    return { lag, factor: BigInt.asIntN(16, BigInt(fields.u16())) };
  });
  return { shift, half: 1n << shift >> 1n, taps };
}

/// What the states of a table stand for.
function readTable(fields, log, width) {
  const count = fields.u8() + 1;
  const [end, bins] = [1n << BigInt(8 * width), []];
  let [left, place] = [2 ** log, 0n];
  while (bins.length < count && left > 0) {
    const head = fields.u8();
    if (head & 0x80) place += fields.wide();
    const bits = bounded(head & 0x7f, 0, 8 * width);
    const weight = fields.varint(1, left);
    if (place + (1n << BigInt(bits)) > end) throw new NoBlock();
    bins.push({ start: place - end / 2n, bits, weight, next: weight });
    place += 1n << BigInt(bits);
    left -= weight;
  }
  if (left > 0 || bins.length < count) throw new NoBlock();
  const owners = [];
  let part = 0;
  for (const bin of bins) {
    for (let index = 0; index < bin.weight; index += 1, part += 1) {
      let slot = 0;
      for (let bit = 0; bit < log; bit += 1) slot |= (part >> bit & 1) << (log - 1 - bit);
      owners[slot] = bin;
    }
  }
  return owners.map((bin) => {
    const number = bin.next;
    bin.next += 1;
    const stateBits = log - (31 - Math.clz32(number));
    return { start: bin.start, bits: bin.bits, stateBits, next: number * 2 ** stateBits - 2 ** log };
  });
}

/// Up to 64 bits of some bytes, as a BigInt.
function takeBits(bytes, at, count) {
  let value = 0n;
  for (let byte = at >> 3, shift = -(at & 7); shift < count; byte += 1, shift += 8) {
    const part = BigInt(bytes[byte] ?? 0);
    value |= shift < 0 ? part >> BigInt(-shift) : part << BigInt(shift);
  }
  return BigInt.asUintN(count, value);
}

/// Integers with their signs, as BigInts.
function readIntegers(fields, count, width) {
  const pageSize = fields.varint(numbersLimits.leastPage, numbersLimits.block);
  if (pageSize % 4 !== 0) throw new NoBlock();
  const log = fields.u8(0, numbersLimits.log);
  const predictors = Array.from({ length: fields.u8(1, numbersLimits.predictors) }, () => readPredictor(fields));
  const tableCount = fields.u8(1, numbersLimits.tables);
  bounded(tableCount * 2 ** log, 0, Math.max(8192, 4 * count));
  const tables = Array.from({ length: tableCount }, () => readTable(fields, log, width));
  const models = Array.from({ length: fields.u8(1, numbersLimits.models) }, () => Array.from({ length: fields.u8(1, numbersLimits.period) }, () => {
    const predictor = predictors[fields.u8(0, predictors.length - 1)];
    return { predictor, table: tables[fields.u8(0, tableCount - 1)] };
  }));
  const pageCount = Math.ceil(count / pageSize);
  const pages = models.length > 1 ? fields.take(pageCount) : new Uint8Array(pageCount);
  for (const page of pages) bounded(page, 0, models.length - 1);
  const states = Array.from({ length: 4 }, () => bounded(fields.u16(), 0, 2 ** log - 1));
  let at = fields.u8(0, 7);
  const bits = fields.take(fields.varint(at > 0 ? 1 : 0, numbersLimits.block));
  const values = [];
  for (let index = 0; index < count; index += 1) {
    if (at > 8 * bits.length) throw new NoBlock();
    const model = models[pages[Math.floor(index / pageSize)]];
    const { predictor, table } = model[index % model.length];
    const slot = table[states[index % 4]];
    states[index % 4] = slot.next + Number(takeBits(bits, at, slot.stateBits));
    const off = takeBits(bits, at + slot.stateBits, slot.bits);
    at += slot.stateBits + slot.bits;
    let sum = predictor.half;
    for (const { lag, factor } of predictor.taps) if (lag <= index) sum += values[index - lag] * factor;
    values.push(BigInt.asIntN(8 * width, slot.start + off + (BigInt.asIntN(64, sum) >> predictor.shift)));
  }
  if (at !== 8 * bits.length || states.some((state) => state !== 0)) throw new NoBlock();
  return values;
}

/// The bits of a floating-point number as an integer in the order of the numbers, and back.
const ordered = (value, width) => (value < 0n ? value ^ ((1n << BigInt(8 * width - 1)) - 1n) : value);

/// The bits of an integer times a base, or divided by it, in order.
function scaled(integer, transform, base, width) {
  const view = new DataView(new ArrayBuffer(8));
  const number = transform === transforms.multiples ? Number(integer) * base : Number(integer) / base;
  if (width === 8) {
    view.setFloat64(0, number);
    return ordered(view.getBigInt64(0), 8);
  }
  view.setFloat32(0, number);
  return ordered(BigInt(view.getInt32(0)), 4);
}

function readBlock(stored, byteCount, width) {
  const fields = new Fields(stored);
  const count = Math.floor(byteCount / width);
  const fewest = Math.ceil(byteCount / 255);
  if (count < 1 || stored.length < fewest) throw new NoBlock();
  const transform = fields.u8(0, transforms.quotients);
  if (width < [1, 2, 4, 4][transform]) throw new NoBlock();
  const hasScale = transform >= transforms.multiples;
  const lowBits = fields.u8(0, hasScale ? 0 : 8 * width - 1);
  let base = 0;
  if (hasScale) {
    const bytes = fields.take(8);
    base = new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
    if (!(base >= 2 ** -1022 && base <= 2 ** 1022)) throw new NoBlock();
  }
  const first = readIntegers(fields, count, width);
  const second = hasScale || lowBits > 0 ? readIntegers(fields, count, width) : null;
  const result = new Uint8Array(byteCount);
  first.forEach((integer, index) => {
    let value = (hasScale ? scaled(integer, transform, base, width) : integer << BigInt(lowBits)) + (second?.[index] ?? 0n);
    value = BigInt.asIntN(8 * width, value);
    if (transform !== transforms.integers) value = ordered(value, width);
    for (let byte = 0; byte < width; byte += 1) result[index * width + byte] = Number(value >> BigInt(8 * byte) & 0xffn);
  });
  result.set(fields.take(byteCount - count * width), count * width);
  // Zeros fill up a block that would be too short.
  const zeros = fields.take(stored.length - fields.offset);
  if (zeros.some((byte) => byte !== 0) || (zeros.length > 0 && stored.length !== fewest)) throw new NoBlock();
  return result;
}

/// The bytes of a block before its filters are undone; null where it is none of so many bytes.
export function expandedNumbers(stored, byteCount, width) {
  try {
    return readBlock(stored, byteCount, width);
  } catch (error) {
    if (error instanceof NoBlock) return null;
    throw error;
  }
}
