// Kinds of values.

/// The numbers of kinds, by name.
export const kinds = {
  nil: 0x00, absent: 0x01, tagged: 0x02, record: 0x03, reference: 0x04, "conditional reference": 0x05, "nested packed array": 0x06,
  "packed optionals": 0x07, array: 0x08, set: 0x09, dictionary: 0x0A, "packed array": 0x0B, binary: 0x0C, fixed: 0x0D, "packed structs": 0x0E, opaque: 0x0F,
  string: 0x10, bool: 0x11, int8: 0x12, int16: 0x13, int32: 0x14, int64: 0x15, uint8: 0x16, uint16: 0x17, uint32: 0x18, uint64: 0x19,
  float16: 0x1A, float32: 0x1B, float64: 0x1C, "tagged if present": 0x22, "tagged identity": 0x42, "tagged conditional": 0x62,
};

const names = new Map(Object.entries(kinds).map(([name, number]) => [number, name]));

/// The name of a kind; those of later versions have their number.
export function kindName(number) {
  return names.get(number) ?? `0x${number.toString(16).toUpperCase()}`;
}

/// Whether values of a kind can be read, or passed over.
export function isKnownKind(number) {
  return names.has(number) || number >= 0x80;
}

/// Whether a kind can be that of a field or an element: known, and of a byte at least.
export function isFieldKind(number) {
  return isKnownKind(number) && number > kinds.absent;
}

/// Whether another kind stands in front of the value.
export function isTagged(number) {
  return [kinds.tagged, kinds["tagged if present"], kinds["tagged identity"], kinds["tagged conditional"]].includes(number);
}
