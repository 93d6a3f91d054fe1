// The LZ4 block format.

/// The last bytes of a block are literals, and its last match begins so many before the end.
const [literalTail, matchTail] = [5, 12];

/// Expands a block; null where it does not expand to exactly so many bytes.
export function expanded(stored, byteCount) {
  const bytes = new Uint8Array(byteCount);
  let [from, to] = [0, 0];

  const length = (start) => {
    let sum = start;
    if (start < 15) return sum;
    for (;;) {
      if (from >= stored.length) return -1;
      const more = stored[from++];
      sum += more;
      if (more < 255) return sum;
    }
  };

  for (;;) {
    if (from >= stored.length) return null;
    const token = stored[from++];
    const literals = length(token >> 4);
    if (literals < 0 || literals > stored.length - from || literals > byteCount - to) return null;
    bytes.set(stored.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    // The last sequence has literals alone.
    if (from === stored.length) return to === byteCount ? bytes : null;
    if (stored.length - from < 2) return null;
    const distance = stored[from] | (stored[from + 1] << 8);
    from += 2;
    const more = length(token & 15);
    const match = more + 4;
    if (more < 0 || distance === 0 || distance > to || match > byteCount - to - literalTail || to > byteCount - matchTail) return null;
    if (distance >= match) {
      bytes.copyWithin(to, to - distance, to - distance + match);
      to += match;
    } else {
      for (const end = to + match; to < end; to += 1) bytes[to] = bytes[to - distance];
    }
  }
}
