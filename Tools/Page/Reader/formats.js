// Packed formats: what an element of a packed array is.

const scalarTypes = [
  null, ["int8", 1], ["int16", 2], ["int32", 4], ["int64", 8], ["uint8", 1], ["uint16", 2], ["uint32", 4], ["uint64", 8],
  ["float16", 2], ["float32", 4], ["float64", 8], ["bool", 1], ["int128", 16], ["uint128", 16], ["uuid", 16], ["date", 8],
  ["byte", 1], ["duration", 16], ["continuousInstant", 16], ["suspendingInstant", 16], ["bfloat16", 2], ["float8e4m3", 1],
  ["float8e5m2", 1], ["decimal128", 16], [null, 1], [null, 2], [null, 4], [null, 8], [null, 16], [null, 16], [null, 32]];

const laneCounts = [1, 2, 3, 4, 8, 16, 32, 64];

const pair = { lanes: 2 };
const bound = { lanes: 1 };
const float64 = ["float64"];
const time = { lanes: 1, scalars: ["int64"] };
const meanings = [
  ["none", {}], ["range", pair], ["closedRange", pair], ["partialRangeFrom", bound], ["partialRangeUpTo", bound],
  ["partialRangeThrough", bound], ["locationAndLength", { lanes: 2, scalars: ["int64"] }], ["point", { lanes: 2, scalars: float64 }],
  ["size", { lanes: 2, scalars: float64 }], ["rectangle", { lanes: 4, scalars: float64 }], ["planeVector", { lanes: 2, scalars: float64 }],
  ["characterSet", { lanes: 1, scalars: ["byte"] }], ["complex", { lanes: 2, scalars: ["float16", "float32", "float64"] }],
  ["unixSeconds", time], ["unixMilliseconds", time], ["unixMicroseconds", time], ["unixNanoseconds", time],
  ["spanSeconds", time], ["spanMilliseconds", time], ["spanMicroseconds", time], ["spanNanoseconds", time],
  ["utf8", { lanes: 1, scalars: ["byte"] }]];

/// The format of a number; null where no format has it.
///
/// `scalar` and `meaning` are names, or numbers where this version has no name.
export function format(number) {
  if (number > 0xFFFF || (number & 0x1F) === 0) return null;
  const [scalar, byteCount] = scalarTypes[number & 0x1F];
  const lanes = laneCounts[(number >> 5) & 7];
  const [meaning, rule] = meanings[number >> 8] ?? [String(number >> 8), {}];
  if (rule.lanes !== undefined && rule.lanes !== lanes) return null;
  if (rule.scalars !== undefined && !rule.scalars.includes(scalar)) return null;
  return {
    number, scalar: scalar ?? String(number & 0x1F), isKnown: scalar !== null, lanes, meaning: meaning === "none" ? null : meaning,
    scalarByteCount: byteCount, byteCount: byteCount * lanes };
}
