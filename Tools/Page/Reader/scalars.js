// Scalars of packed arrays, as the corpus writes them.
import { hexadecimal } from "./bytes.js";

/// A floating-point number: its bits, and the number where JSON has it.
export function real(bits, digits, number) {
  const text = { bits: bits.toString(16).padStart(digits, "0") };
  return Number.isFinite(number) ? { ...text, number } : text;
}

/// The number of a binary16.
export function half(bits) {
  const [exponent, mantissa] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 31 ? (mantissa ? NaN : Infinity) : exponent ? (1 + mantissa / 1024) * 2 ** (exponent - 15) : (mantissa / 1024) * 2 ** -14;
  return bits & 0x8000 ? -size : size;
}

/// The reader of each kind of number: a value of the bytes at an offset.
const readers = {
  int8: (view, at) => String(view.getInt8(at)),
  int16: (view, at) => String(view.getInt16(at, true)),
  int32: (view, at) => String(view.getInt32(at, true)),
  int64: (view, at) => String(view.getBigInt64(at, true)),
  uint8: (view, at) => String(view.getUint8(at)),
  uint16: (view, at) => String(view.getUint16(at, true)),
  uint32: (view, at) => String(view.getUint32(at, true)),
  uint64: (view, at) => String(view.getBigUint64(at, true)),
  float16: (view, at) => real(view.getUint16(at, true), 4, half(view.getUint16(at, true))),
  float32: (view, at) => real(view.getUint32(at, true), 8, view.getFloat32(at, true)),
  float64: (view, at) => real(view.getBigUint64(at, true), 16, view.getFloat64(at, true)),
  date: (view, at) => real(view.getBigUint64(at, true), 16, view.getFloat64(at, true)),
  bool: (view, at) => view.getUint8(at) !== 0,
};

/// The scalars of elements that are fields of these formats, one after the other.
export function scalars(formats, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = [];
  for (let offset = 0; offset < bytes.length;) {
    for (const { scalar, lanes, scalarByteCount } of formats) {
      for (let lane = 0; lane < lanes; lane += 1) {
        found.push(readers[scalar]?.(view, offset) ?? hexadecimal(bytes.subarray(offset, offset + scalarByteCount)));
        offset += scalarByteCount;
      }
    }
  }
  return found;
}

/// Where a bool is that is neither 0 nor 1; -1 where there is none.
export function faultyBool(formats, byteCount, bytes) {
  if (!formats.some(({ scalar }) => scalar === "bool")) return -1;
  for (let element = 0; element < bytes.length; element += byteCount) {
    let offset = element;
    for (const { scalar, lanes, byteCount: fieldByteCount } of formats) {
      if (scalar === "bool") for (let lane = 0; lane < lanes; lane += 1) if (bytes[offset + lane] > 1) return offset + lane;
      offset += fieldByteCount;
    }
  }
  return -1;
}
