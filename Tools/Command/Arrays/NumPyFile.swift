import GraphCodable

/// Writes an array in the format of NumPy (`numpy.save`).
struct NumPyFile {
  private let array: GraphRawArrayView

  init(_ array: GraphRawArrayView) { self.array = array }

  func write(to output: Output) throws {
    try output.bytes(try header)
    let progress = ArrayProgress(array)
    defer { progress.end() }
    for start in stride(from: 0, to: array.count, by: elementsPerPiece) {
      let end = min(start + elementsPerPiece, array.count)
      try output.bytes(try array[start..<end])
      progress.advance(by: end - start)
    }
  }

  private var elementsPerPiece: Int { max(1, (4 << 20) / array.elementByteCount) }

  /// The magic, the version, and what the elements are; its length is a multiple of 64.
  ///
  /// Version 1.0 is Latin-1 with a length of 16 bits, and 3.0 UTF-8 with one of 32.
  private var header: [UInt8] {
    get throws {
      let fields = array.fields
      var shape = array.shape
      var type: String
      if fields.count == 1, fields[0].key == nil {
        // The lanes of vectors are a dimension of their own.
        if fields[0].format.laneCount > 1 { shape.append(fields[0].format.laneCount) }
        type = "'\(Self.type(fields[0].format))'"
      } else {
        type = "[\(fields.enumerated().map(Self.field).joined(separator: ", "))]"
      }
      return try Self.header(type: type, shape: shape)
    }
  }

  /// - Parameter type: as Python writes it.
  static func header(type: String, shape: [Int]) throws -> [UInt8] {
    let lengths = shape.map { "\($0)," }.joined(separator: " ")
    var text = "{'descr': \(type), 'fortran_order': False, 'shape': (\(lengths)), }"
    let isShort = text.utf8.allSatisfy { $0 < 128 } && text.utf8.count < 65_000
    let start: [UInt8] = [0x93] + Array("NUMPY".utf8) + [isShort ? 1 : 3, 0]
    let lengthByteCount = isShort ? 2 : 4
    let byteCount = start.count + lengthByteCount + text.utf8.count
    text += String(repeating: " ", count: 63 - byteCount % 64) + "\n"
    guard let count = UInt32(exactly: text.utf8.count) else {
      throw Failure("the elements have too many fields for a file of NumPy")
    }
    let length = (0..<lengthByteCount).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    return start + length + Array(text.utf8)
  }

  private static func field(_ index: Int, _ field: GraphRawArrayView.Field) -> String {
    let name = field.key ?? "f\(index)"
    let quoted = name.replacing("\\", with: "\\\\").replacing("'", with: "\\'").visible
    let lanes = field.format.laneCount > 1 ? ", (\(field.format.laneCount),)" : ""
    return "('\(quoted)', '\(type(field.format))'\(lanes))"
  }

  private static func type(_ format: PackedFormat) -> String {
    switch format.meaning {
    case .unixSeconds: return "<M8[s]"
    case .unixMilliseconds: return "<M8[ms]"
    case .unixMicroseconds: return "<M8[us]"
    case .unixNanoseconds: return "<M8[ns]"
    case .spanSeconds: return "<m8[s]"
    case .spanMilliseconds: return "<m8[ms]"
    case .spanMicroseconds: return "<m8[us]"
    case .spanNanoseconds: return "<m8[ns]"
    default: return scalar(format)
    }
  }

  private static func scalar(_ format: PackedFormat) -> String {
    switch format.scalar {
    case .int8: "|i1"
    case .int16: "<i2"
    case .int32: "<i4"
    case .int64: "<i8"
    case .uint8, .byte: "|u1"
    case .uint16: "<u2"
    case .uint32: "<u4"
    case .uint64: "<u8"
    case .float16: "<f2"
    case .float32: "<f4"
    case .float64, .date: "<f8"
    case .bool: "|b1"
    // What NumPy has no type for.
    default: "|V\(format.byteCount / format.laneCount)"
    }
  }
}
