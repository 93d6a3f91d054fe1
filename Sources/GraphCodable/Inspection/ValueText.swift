import CGraphArchive
import Foundation

/// The text of a data unit at a decoder's cursor, by its kind alone; moves behind it.
struct ValueText {
  private let decoder: GDecoder

  /// Longer texts end in an ellipsis.
  static let maximumCount = 64
  /// Elements of a packed array that can show in that.
  private static let shownElementCount = 32

  init(_ decoder: GDecoder) { self.decoder = decoder }

  func text(_ kind: GraphKind) throws -> String {
    Self.shortened(try fullText(kind))
  }

  static func shortened(_ text: String) -> String {
    text.count > maximumCount ? text.prefix(maximumCount) + "…" : text
  }

  private func fullText(_ kind: GraphKind) throws -> String {
    switch kind {
    case .string: String(reflecting: try String._graphRead(decoder, kind))
    case .bool: "\(try Bool._graphRead(decoder, kind))"
    case .int8, .int16, .int32, .int64: "\(try Int64._graphRead(decoder, kind))"
    case .uint8, .uint16, .uint32, .uint64: "\(try UInt64._graphRead(decoder, kind))"
    case .float16: text(.float16, try decoder.readBytes(2), at: 0)
    case .float32: "\(try Float._graphRead(decoder, kind))"
    case .float64: "\(try Double._graphRead(decoder, kind))"
    case .fixed:
      try {
        let format = PackedFormat(rawValue: try decoder.readByte())
        guard format.byteCount > 0 else {
          throw decoder.malformed("packed format \(format.rawValue) is not known")
        }
        return text(format, try decoder.readBytes(UInt64(format.byteCount)), of: 1, isArray: false)
      }()
    case .packed: try packed()
    case .packedStructs: try packedStructs()
    default:
      try {
        let start = decoder.streamOffset
        try decoder.skip(kind)
        return "{ \(decoder.streamOffset - start) bytes }"
      }()
    }
  }

  /// The text of the elements of a container of scalars: with two kinds, of keys and their values.
  func list(_ kinds: [GraphKind], count: Int) throws -> String {
    var elements: [String] = []
    for index in 0..<count {
      let parts = try kinds.map { index < Self.shownElementCount ? try fullText($0) : try skipped($0) }
      if index < Self.shownElementCount { elements.append(parts.joined(separator: ": ")) }
    }
    let text = "[\(elements.joined(separator: ", "))\(count > elements.count ? ", …" : "")]"
    return text.count > Self.maximumCount ? text.prefix(Self.maximumCount) + "…" : text
  }

  private func skipped(_ kind: GraphKind) throws -> String {
    try decoder.skip(kind)
    return ""
  }

  private func packed() throws -> String {
    let head = try decoder.readPackedHead()
    switch head.place {
    case .stream(let bytes): return text(head.format, bytes, of: head.count, isArray: true)
    case .segment: return "{ \(head.count) × \(head.format), \(head.count * head.format.byteCount) bytes }"
    }
  }

  private func packedStructs() throws -> String {
    let formats = try decoder.readFieldFormats()
    let byteCount = formats.reduce(0) { $0 + $1.byteCount }
    let head = try decoder.readPackedElements(of: byteCount, format: .none)
    let names = formats.map(\.description).joined(separator: ", ")
    return "{ \(head.count) × (\(names)), \(head.count * byteCount) bytes }"
  }

  func text(
    _ format: PackedFormat, _ bytes: UnsafeRawBufferPointer, of count: Int, isArray: Bool
  ) -> String {
    guard let scalar = format.scalar else { return "{ \(bytes.count) bytes }" }
    let elements = (0..<min(count, Self.shownElementCount)).map { index in
      let lanes = (0..<format.laneCount).map {
        text(scalar, bytes, at: index * format.byteCount + $0 * scalar.byteCount)
      }
      guard lanes.count > 1 else { return lanes[0] }
      return "SIMD\(lanes.count)<\(scalar.swiftName)>(\(lanes.joined(separator: ", ")))"
    }
    let list = elements.joined(separator: ", ")
    return isArray ? "[\(list)\(count > elements.count ? ", …" : "")]" : list
  }

  /// Foundation traps on printing what no date is: beyond the years that its calendars have.
  private func dateText(_ seconds: Double) -> String {
    let known =
      Date.distantPast.timeIntervalSinceReferenceDate...Date.distantFuture.timeIntervalSinceReferenceDate
    return known.contains(seconds) ? "\(Date(timeIntervalSinceReferenceDate: seconds))" : "\(seconds) s"
  }

  private func text(_ scalar: PackedFormat.Scalar, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> String
  {
    func load<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
      bytes.loadUnaligned(fromByteOffset: offset, as: type)
    }
    switch scalar {
    case .int8: return "\(load(Int8.self))"
    case .int16: return "\(load(Int16.self))"
    case .int32: return "\(load(Int32.self))"
    case .int64: return "\(load(Int64.self))"
    case .uint8, .byte: return "\(load(UInt8.self))"
    case .uint16: return "\(load(UInt16.self))"
    case .uint32: return "\(load(UInt32.self))"
    case .uint64: return "\(load(UInt64.self))"
    case .float32: return "\(Float(bitPattern: load(UInt32.self)))"
    case .float64: return "\(Double(bitPattern: load(UInt64.self)))"
    case .bool: return "\(load(UInt8.self) != 0)"
    case .date: return dateText(load(Double.self))
    case .uuid: return "\(UUID(uuid: load(uuid_t.self)))"
    case .float16:
      #if os(macOS) && arch(x86_64)
        return hexText(bytes[offset..<(offset + 2)])
      #else
        return "\(Float16(bitPattern: load(UInt16.self)))"
      #endif
    case .int128, .uint128: return hexText(bytes[offset..<(offset + scalar.byteCount)])
    }
  }

  private func hexText(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    "0x" + bytes.reversed().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension PackedFormat.Scalar {
  /// The Swift type of such a scalar.
  fileprivate var swiftName: String {
    switch self {
    case .int8: "Int8"
    case .int16: "Int16"
    case .int32: "Int32"
    case .int64: "Int64"
    case .uint8: "UInt8"
    case .uint16: "UInt16"
    case .uint32: "UInt32"
    case .uint64: "UInt64"
    case .float16: "Float16"
    case .float32: "Float"
    case .float64: "Double"
    case .bool: "Bool"
    case .int128: "Int128"
    case .uint128: "UInt128"
    case .uuid: "UUID"
    case .date: "Date"
    case .byte: "Byte"
    }
  }
}

extension GraphKind {
  /// Whether values are numbers, or a fixed count of them.
  var isScalar: Bool { self == .fixed || (Self.bool.rawValue...Self.float64.rawValue).contains(rawValue) }
}
