// Numbers in packed elements, and what is to be said of many of them.
import { half } from "../Reader/scalars.js";
import { shortest } from "./texts.js";

const scratch = new DataView(new ArrayBuffer(4));

function wideHalf(bits) {
  scratch.setUint32(0, bits << 16);
  return scratch.getFloat32(0);
}

/// The number of a byte with 4 bits of exponent and 3 of mantissa, which has no infinities.
function tiny(bits) {
  const [exponent, mantissa] = [(bits >> 3) & 15, bits & 7];
  const size = exponent === 15 && mantissa === 7 ? NaN : exponent ? (1 + mantissa / 8) * 2 ** (exponent - 7) : (mantissa / 8) * 2 ** -6;
  return bits & 0x80 ? -size : size;
}

/// For each kind of number how it is read, as a BigInt where it has 64 bits of an integer, and the bytes of the float it is written as.
const numberReaders = {
  int8: [(view, at) => view.getInt8(at)], int16: [(view, at) => view.getInt16(at, true)], int32: [(view, at) => view.getInt32(at, true)],
  int64: [(view, at) => view.getBigInt64(at, true)], uint8: [(view, at) => view.getUint8(at)], byte: [(view, at) => view.getUint8(at)],
  bool: [(view, at) => view.getUint8(at)], uint16: [(view, at) => view.getUint16(at, true)], uint32: [(view, at) => view.getUint32(at, true)],
  uint64: [(view, at) => view.getBigUint64(at, true)], float16: [(view, at) => half(view.getUint16(at, true)), 2],
  float32: [(view, at) => view.getFloat32(at, true), 4], float64: [(view, at) => view.getFloat64(at, true), 8],
  date: [(view, at) => view.getFloat64(at, true), 8], bfloat16: [(view, at) => wideHalf(view.getUint16(at, true)), 4],
  float8e4m3: [(view, at) => tiny(view.getUint8(at)), 4], float8e5m2: [(view, at) => half(view.getUint8(at) << 8), 4],
};

/// The scalars of elements: the name, where it is, and how it is read, which other scalars than numbers lack.
export function scalarsOf(formats, keys) {
  const found = [];
  let offset = 0;
  formats.forEach((format, field) => {
    for (let lane = 0; lane < format.lanes; lane += 1) {
      const name = keys === null ? String(lane) : `${keys[field] ?? field}${format.lanes > 1 ? `.${lane}` : ""}`;
      const [read, floatByteCount] = numberReaders[format.scalar] ?? [];
      found.push({ name, offset, format, read, floatByteCount });
      offset += format.scalarByteCount;
    }
  });
  return found;
}

const mostDistinct = 65_536;

/// What is said of numbers, which are added one by one.
export class Summary {
  constructor({ floatByteCount }) {
    Object.assign(this, { floatByteCount, count: 0, nan: 0, infinite: 0, mean: 0, squares: 0, unit: 1, distinct: new Set(), low: Infinity, high: -Infinity });
  }

  /// - number: as it is read; a BigInt is compared exactly.
  add(number) {
    this.count += 1;
    const value = Number(number);
    if (Number.isNaN(value)) {
      this.nan += 1;
      return;
    }
    if (this.minimum === undefined || number < this.minimum) this.minimum = number;
    if (this.maximum === undefined || number > this.maximum) this.maximum = number;
    if (this.distinct.size <= mostDistinct) this.distinct.add(number);
    if (!Number.isFinite(value)) {
      this.infinite += 1;
      return;
    }
    this.low = Math.min(this.low, value);
    this.high = Math.max(this.high, value);
    this.adjustUnit(Math.max(Math.abs(this.low), Math.abs(this.high)));
    // Welford's recurrence, in which neither the mean nor the squares overflow.
    const before = this.mean;
    const [difference, place] = [value - before, this.count - this.nan - this.infinite];
    this.mean += Number.isFinite(difference) ? difference / place : value / place - before / place;
    this.squares += (value / this.unit - before / this.unit) * (value / this.unit - this.mean / this.unit);
  }

  /// Squares of very large and very small numbers are no numbers; a power of 2 near them makes them 1.
  adjustUnit(most) {
    const unit = most === 0 || (most >= 2 ** -400 && most <= 2 ** 400) ? 1 : 2 ** Math.floor(Math.log2(most));
    if (unit === this.unit) return;
    // It grows, but for the first number.
    if (this.squares > 0) this.squares = this.squares * (this.unit / unit) * (this.unit / unit);
    this.unit = unit;
  }

  get finiteCount() {
    return this.count - this.nan - this.infinite;
  }

  /// As reports have it.
  report(name, histogram) {
    const text = (number) => (number === undefined ? undefined : this.floatByteCount ? shortest(number, this.floatByteCount) : String(number));
    const has = this.finiteCount > 0;
    return {
      name, count: this.count, minimum: text(this.minimum), maximum: text(this.maximum), mean: has ? this.mean : undefined,
      deviation: has ? Math.sqrt(this.squares / this.finiteCount) * this.unit : undefined, nan: this.nan, infinite: this.infinite,
      distinct: this.distinct.size <= mostDistinct ? this.distinct.size : undefined, histogram };
  }
}

/// How many numbers are in each of some parts of a range.
export class Histogram {
  constructor(lower, upper, partCount) {
    Object.assign(this, { lower, upper, counts: new Array(lower < upper ? partCount : 1).fill(0) });
  }

  add(value) {
    if (!(value >= this.lower && value <= this.upper)) return;
    // Halves, since the length of the range may be infinite.
    const length = this.upper / 2 - this.lower / 2;
    const part = length > 0 ? ((value / 2 - this.lower / 2) / length) * this.counts.length : 0;
    this.counts[Math.min(Math.floor(part), this.counts.length - 1)] += 1;
  }
}
