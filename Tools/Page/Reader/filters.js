// Filters of blocks: their form, and how they are undone.

/// The numbers of filters, by name.
export const filterNumbers = { byteShuffle: 1, bitShuffle: 2, delta: 3, quantised: 4, rounded: 5 };

/// A filter of 16 bytes.
export function readFilter(cursor) {
  const [number, width, flags, parameter] = [cursor.u8(), cursor.u8(), cursor.u16(), cursor.u32()];
  const argument = cursor.bits64();
  return { number, width, flags, parameter, argument };
}

/// The bits of an argument as binary64.
export function asDouble(argument) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, argument);
  return view.getFloat64(0);
}

/// What is wrong with a filter; null for those that are right, or not known.
export function filterFault({ number, width, flags, parameter, argument }) {
  if (number === 0) return "filter 0";
  if (flags !== 0 || number > 5) return null;
  if (number <= 2) {
    if (width !== 0 || argument !== 0n) return "a shuffle with a width or an argument";
    return parameter >= (number === 1 ? 2 : 1) && parameter <= 255 ? null : `a shuffle of groups of ${parameter} bytes`;
  }
  if (number === 3) {
    if (![1, 2, 4, 8].includes(width)) return `differences of ${width} bytes`;
    if (parameter < 1 || parameter > 2 ** 20) return `a lag of ${parameter}`;
    return argument < BigInt(parameter) ? null : `a lag at first of ${argument}`;
  }
  if (number === 4) return quantisedFault(width, parameter, asDouble(argument));
  if (width !== 0 || parameter < 1 || parameter > 3) return "a note of another form";
  if (parameter === 3) return argument >= 1n && argument <= 52n ? null : `${argument} bits`;
  const value = asDouble(argument);
  return value > 0 && value < Infinity ? null : `a precision of ${value}`;
}

function quantisedFault(width, bits, precision) {
  if (width !== 4 && width !== 8) return `quantised numbers of ${width} bytes`;
  if (bits < 1 || bits > (width === 4 ? 17 : 44)) return `quantised to ${bits} bits`;
  if (!(precision > 0 && precision < Infinity)) return `a precision of ${precision}`;
  const step = precision * (63 / 32);
  if (!(step >= 2 ** -1022 && step <= 2 ** 1000)) return `a step of ${step}`;
  const threshold = 2 ** bits * step;
  const limits = width === 4 ? [2 ** -126, 2 ** 127] : [2 ** -1022, 2 ** 1023];
  return threshold >= limits[0] && threshold <= limits[1] ? null : `a threshold of ${threshold}`;
}

/// The name of what a reader would have to know; null where it knows all.
export function unknownFilter(filters) {
  const filter = filters.find(({ number, flags }) => number > 5 || flags !== 0);
  return filter ? `filter ${filter.number}${filter.flags === 0 ? "" : " with flags"}` : null;
}

/// Undoes filters, the last one first; the bytes are changed.
export function undone(filters, bytes) {
  return filters.reduceRight((result, filter) => {
    switch (filter.number) {
      case filterNumbers.byteShuffle: return unshuffledBytes(result, filter.parameter);
      case filterNumbers.bitShuffle: return unshuffledBits(result, filter.parameter);
      case filterNumbers.delta: return summed(result, filter);
      case filterNumbers.quantised: return dequantised(result, filter);
      default: return result;
    }
  }, bytes);
}

function unshuffledBytes(bytes, group) {
  const count = Math.floor(bytes.length / group);
  const result = bytes.slice();
  for (let byte = 0; byte < group; byte += 1) {
    const plane = byte * count;
    for (let place = 0; place < count; place += 1) result[place * group + byte] = bytes[plane + place];
  }
  return result;
}

function unshuffledBits(bytes, group) {
  const count = Math.floor(bytes.length / group / 8) * 8;
  const result = bytes.slice();
  result.fill(0, 0, count * group);
  for (let bit = 0; bit < 8 * group; bit += 1) {
    const plane = bit * count;
    for (let place = 0; place < count; place += 1) {
      const from = plane + place;
      if (bytes[from >> 3] & (1 << (from & 7))) result[place * group + (bit >> 3)] |= 1 << (bit & 7);
    }
  }
  return result;
}

function summed(bytes, { width, parameter: lag, argument }) {
  const first = Number(argument);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.floor(bytes.length / width);
  const before = (place) => (place >= lag ? place - lag : first !== 0 && place >= first ? place - first : -1);
  if (width === 8) {
    for (let place = 0; place < count; place += 1) {
      const stored = view.getBigUint64(8 * place, true);
      const difference = stored & 1n ? ~(stored >> 1n) : stored >> 1n;
      const other = before(place);
      view.setBigUint64(8 * place, BigInt.asUintN(64, difference + (other < 0 ? 0n : view.getBigUint64(8 * other, true))), true);
    }
    return bytes;
  }
  const [get, set] = width === 4 ? ["getUint32", "setUint32"] : width === 2 ? ["getUint16", "setUint16"] : ["getUint8", "setUint8"];
  for (let place = 0; place < count; place += 1) {
    const stored = view[get](width * place, true);
    const difference = stored & 1 ? ~(stored >>> 1) : stored >>> 1;
    const other = before(place);
    view[set](width * place, difference + (other < 0 ? 0 : view[get](width * other, true)), true);
  }
  return bytes;
}

/// Floating-point numbers of the integers that a quantised filter has made.
export function dequantised(bytes, { width, parameter: bits, argument }) {
  const step = asDouble(argument) * (63 / 32);
  const limit = 2 ** bits;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.floor(bytes.length / width);
  const scratch = new DataView(new ArrayBuffer(8));
  if (width === 4) {
    scratch.setFloat32(0, limit * step);
    const threshold = scratch.getUint32(0);
    for (let place = 0; place < count; place += 1) {
      const stored = view.getInt32(4 * place, true);
      const sign = stored < 0 ? 0x80000000 : 0;
      const integer = stored < 0 ? ~stored : stored;
      if (integer <= limit) {
        scratch.setFloat32(0, integer * step);
        view.setUint32(4 * place, (scratch.getUint32(0) | sign) >>> 0, true);
      } else {
        view.setUint32(4 * place, (((integer - limit + threshold) & 0x7FFFFFFF) | sign) >>> 0, true);
      }
    }
    return bytes;
  }
  scratch.setFloat64(0, limit * step);
  const threshold = scratch.getBigUint64(0);
  for (let place = 0; place < count; place += 1) {
    const stored = view.getBigInt64(8 * place, true);
    const sign = stored < 0n ? 1n << 63n : 0n;
    const integer = stored < 0n ? ~stored : stored;
    if (integer <= BigInt(limit)) {
      scratch.setFloat64(0, Number(integer) * step);
      view.setBigUint64(8 * place, scratch.getBigUint64(0) | sign, true);
    } else {
      const size = BigInt.asUintN(63, integer - BigInt(limit) + threshold);
      view.setBigUint64(8 * place, size | sign, true);
    }
  }
  return bytes;
}
