import CGraphArchive
import GraphCodable

/// A series of integers of a block of numbers, field by field.
struct DraftNumbers {
  var page: UInt64 = 256
  var log: UInt8 = 0
  var predictors: [Bytes] = [[0, 0]]
  var tables: [Bytes] = [table((0, 128, 1))]
  var models: [Bytes] = [[1, 0, 0]]
  var pages: Bytes = []
  var states: [UInt16] = [0, 0, 0, 0]
  var skipped: UInt8 = 0
  var bits: Bytes = []

  /// A predictor: its shift, and earlier integers by their distance and factor.
  static func predictor(_ shift: UInt8, _ taps: (lag: UInt64, factor: Int16)...) -> Bytes {
    join([shift, UInt8(taps.count)], joined(taps.map { join(varint($0.lag), little($0.factor)) }))
  }

  /// A table: the bits of its bins, the gaps in front of them, and their weights.
  static func table(_ bins: (bits: UInt8, gap: UInt64, weight: UInt64)...) -> Bytes {
    let each = bins.map {
      join($0.gap == 0 ? [$0.bits] : join([$0.bits | 0x80], varint($0.gap)), varint($0.weight))
    }
    return join([UInt8(bins.count - 1)], joined(each))
  }

  var bytes: Bytes {
    join(
      varint(page), [log, UInt8(predictors.count)], joined(predictors), [UInt8(tables.count)],
      joined(tables), [UInt8(models.count)], joined(models), pages, joined(states.map { little($0) }),
      join([skipped], varint(UInt64(bits.count)), bits))
  }

  /// A block of one series, or of two.
  static func block(
    transform: UInt8 = 0, lowBits: UInt8 = 0, base: Double? = nil, rest: Bytes = [], _ series: DraftNumbers...
  ) -> Bytes {
    join(
      [transform, lowBits], base.map { little($0.bitPattern) } ?? [], joined(series.map(\.bytes)), rest)
  }

  /// A block as the library writes it; as it is where that is not smaller.
  static func compressed(_ raw: Bytes, width: UInt8, areFloats: Bool) -> Bytes {
    let hint = gca_numbers_hint(areFloats: areFloats, lanes: 0, row: 0)
    var (stored, count, memory) = (Bytes(repeating: 0, count: raw.count), 0, gca_numbers_memory())
    defer { gca_numbers_forget(&memory) }
    let status = gca_numbers_compress(
      &stored, raw.count, raw, raw.count, Int(width), hint, &memory, &count)
    return status == GCA_OK && count > 0 ? Bytes(stored[..<count]) : raw
  }
}
