// XXH3-64 with seed 0 and the default secret; long inputs in 32-bit arithmetic, which engines do fast.
// The algorithm and its constants: github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md

const secret = Uint8Array.from((
  "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
  + "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
  + "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
).match(/../g), (digits) => parseInt(digits, 16));
const secretView = new DataView(secret.buffer);

const mask = 0xFFFFFFFFFFFFFFFFn;
const [prime32a, prime32b, prime32c] = [0x9E3779B1n, 0x85EBCA77n, 0xC2B2AE3Dn];
const [prime64a, prime64b, prime64c, prime64d, prime64e] = [
  0x9E3779B185EBCA87n, 0xC2B2AE3D27D4EB4Fn, 0x165667B19E3779F9n, 0x85EBCA77C2B2AE63n, 0x27D4EB2F165667C5n];

const key = (offset) => secretView.getBigUint64(offset, true);
const times = (one, other) => (one * other) & mask;

/// Both halves of the product, exclusive or.
function folded(one, other) {
  const product = one * other;
  return (product ^ (product >> 64n)) & mask;
}

function swapped(value) {
  let result = 0n;
  for (let place = 0n; place < 8n; place += 1n) result = (result << 8n) | ((value >> (8n * place)) & 0xFFn);
  return result;
}

const rotated = (value, count) => ((value << count) | (value >> (64n - count))) & mask;

function finished(hash) {
  const mixed = times(hash ^ (hash >> 37n), 0x165667919E3779F9n);
  return mixed ^ (mixed >> 32n);
}

/// The last steps of XXH64, for the shortest inputs.
function finishedShort(hash) {
  let mixed = times(hash ^ (hash >> 33n), prime64b);
  mixed = times(mixed ^ (mixed >> 29n), prime64c);
  return mixed ^ (mixed >> 32n);
}

/// The XXH3-64 of bytes, as a BigInt.
export function xxh3(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length;
  if (count <= 16) return shortHash(bytes, view, count);
  if (count <= 240) return middleHash(view, count);
  return longHash(view, count);
}

function shortHash(bytes, view, count) {
  if (count === 0) return finishedShort(key(56) ^ key(64));
  if (count <= 3) {
    const combined = (BigInt(bytes[0]) << 16n) | (BigInt(bytes[count >> 1]) << 24n) | BigInt(bytes[count - 1]) | (BigInt(count) << 8n);
    return finishedShort(combined ^ BigInt((secretView.getUint32(0, true) ^ secretView.getUint32(4, true)) >>> 0));
  }
  if (count <= 8) {
    const [first, last] = [BigInt(view.getUint32(0, true)), BigInt(view.getUint32(count - 4, true))];
    let hash = (last + (first << 32n)) ^ key(8) ^ key(16);
    hash ^= rotated(hash, 49n) ^ rotated(hash, 24n);
    hash = times(hash, 0x9FB21C651E98DF25n);
    hash = times(hash ^ ((hash >> 35n) + BigInt(count)), 0x9FB21C651E98DF25n);
    return hash ^ (hash >> 28n);
  }
  const low = view.getBigUint64(0, true) ^ key(24) ^ key(32);
  const high = view.getBigUint64(count - 8, true) ^ key(40) ^ key(48);
  return finished((BigInt(count) + swapped(low) + high + folded(low, high)) & mask);
}

function middleHash(view, count) {
  const mix = (offset, keys) =>
    folded(view.getBigUint64(offset, true) ^ key(keys), view.getBigUint64(offset + 8, true) ^ key(keys + 8));
  let hash = BigInt(count) * prime64a;
  if (count <= 128) {
    for (let round = Math.floor((count - 1) / 32); round >= 0; round -= 1) {
      hash += mix(16 * round, 32 * round) + mix(count - 16 * (round + 1), 32 * round + 16);
    }
    return finished(hash & mask);
  }
  for (let round = 0; round < 8; round += 1) hash += mix(16 * round, 16 * round);
  hash = finished(hash & mask);
  for (let round = 8; round < Math.floor(count / 16); round += 1) hash += mix(16 * round, 16 * (round - 8) + 3);
  return finished((hash + mix(count - 16, 119)) & mask);
}

const [stripe, stripesPerBlock] = [64, 16];

/// Eight sums of 64 bits, as halves of 32: low, high, low, …
class Sums {
  constructor() {
    this.halves = new Uint32Array(16);
    const starts = [prime32c, prime64a, prime64b, prime64c, prime64d, prime32b, prime64e, prime32a];
    starts.forEach((start, place) => this.set(place, start));
  }

  set(place, value) {
    this.halves[2 * place] = Number(value & 0xFFFFFFFFn);
    this.halves[2 * place + 1] = Number(value >> 32n);
  }

  get(place) {
    return (BigInt(this.halves[2 * place + 1]) << 32n) | BigInt(this.halves[2 * place]);
  }

  /// Adds a stripe of 64 bytes.
  add(view, offset, keys) {
    const sums = this.halves;
    for (let place = 0; place < 16; place += 2) {
      const low = view.getUint32(offset + 4 * place, true);
      const high = view.getUint32(offset + 4 * place + 4, true);
      const one = (low ^ secretView.getUint32(keys + 4 * place, true)) >>> 0;
      const other = (high ^ secretView.getUint32(keys + 4 * place + 4, true)) >>> 0;
      // The upper half of the product, in steps that doubles hold exactly.
      const upper = Math.floor((one * (other >>> 16) + Math.floor((one * (other & 0xFFFF)) / 65536)) / 65536);
      const product = sums[place] + (Math.imul(one, other) >>> 0);
      sums[place + 1] += upper + (product > 0xFFFFFFFF ? 1 : 0);
      sums[place] = product;
      const beside = place ^ 2;
      const sum = sums[beside] + low;
      sums[beside + 1] += high + (sum > 0xFFFFFFFF ? 1 : 0);
      sums[beside] = sum;
    }
  }

  scramble() {
    for (let place = 0; place < 8; place += 1) {
      const sum = this.get(place);
      this.set(place, times(sum ^ (sum >> 47n) ^ key(secret.length - 64 + 8 * place), prime32a));
    }
  }
}

function longHash(view, count) {
  const sums = new Sums();
  const stripeCount = Math.floor((count - 1) / stripe);
  for (let number = 0; number < stripeCount; number += 1) {
    sums.add(view, number * stripe, 8 * (number % stripesPerBlock));
    if (number % stripesPerBlock === stripesPerBlock - 1) sums.scramble();
  }
  sums.add(view, count - stripe, secret.length - stripe - 7);
  let hash = BigInt(count) * prime64a;
  for (let place = 0; place < 4; place += 1) {
    hash += folded(sums.get(2 * place) ^ key(11 + 16 * place), sums.get(2 * place + 1) ^ key(19 + 16 * place));
  }
  return finished(hash & mask);
}

/// The lower half of the XXH3-128 of bytes, as a BigInt: of more than 240 bytes it is their XXH3-64.
export function xxh3Lower128(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length;
  if (count > 240) return longHash(view, count);
  if (count > 16) return middleLower128(view, count);
  if (count > 8) {
    const last = view.getBigUint64(count - 8, true);
    const product = (view.getBigUint64(0, true) ^ last ^ key(32) ^ key(40)) * prime64a;
    const low = ((product & mask) + (BigInt(count - 1) << 54n)) & mask;
    const end = last ^ key(48) ^ key(56);
    const high = ((product >> 64n) + end + (end & 0xFFFFFFFFn) * (prime32b - 1n)) & mask;
    return finished(times(low ^ swapped(high), prime64b));
  }
  if (count > 3) {
    const input = BigInt(view.getUint32(0, true)) + (BigInt(view.getUint32(count - 4, true)) << 32n);
    const product = (input ^ key(16) ^ key(24)) * (prime64a + (BigInt(count) << 2n));
    let low = product & mask;
    const high = ((product >> 64n) + (low << 1n)) & mask;
    low ^= high >> 3n;
    low = times(low ^ (low >> 35n), 0x9FB21C651E98DF25n);
    return low ^ (low >> 28n);
  }
  return count > 0 ? shortHash(bytes, view, count) : finishedShort(key(64) ^ key(72));
}

function middleLower128(view, count) {
  const word = (offset) => view.getBigUint64(offset, true);
  const mix = (offset, keys) => folded(word(offset) ^ key(keys), word(offset + 8) ^ key(keys + 8));
  let [low, high] = [BigInt(count) * prime64a, 0n];
  const add = (first, second, keys) => {
    low = ((low + mix(first, keys)) & mask) ^ ((word(second) + word(second + 8)) & mask);
    high = ((high + mix(second, keys + 16)) & mask) ^ ((word(first) + word(first + 8)) & mask);
  };
  low &= mask;
  if (count <= 128) {
    for (let round = Math.floor((count - 1) / 32); round >= 0; round -= 1) add(16 * round, count - 16 * (round + 1), 32 * round);
    return finished((low + high) & mask);
  }
  for (let end = 32; end < 160; end += 32) add(end - 32, end - 16, end - 32);
  [low, high] = [finished(low), finished(high)];
  for (let end = 160; end <= count; end += 32) add(end - 32, end - 16, end - 157);
  add(count - 16, count - 32, 103);
  return finished((low + high) & mask);
}
