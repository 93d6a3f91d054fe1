import Foundation
import _GraphFiles
import _GraphSupport

/// The text of values without parts, and of packed arrays.
package struct ValueText {
  private let decoder: GDecoder

  /// Longer texts end in an ellipsis.
  static let maximumCount = 64
  /// Elements of a list that can show in that.
  package static let shownElementCount = 32

  package init(_ decoder: GDecoder) { self.decoder = decoder }

  package func text(_ leaf: GraphLeaf) throws -> String { Self.shortened(try fullText(leaf)) }

  package static func shortened(_ text: String) -> String {
    text.count > maximumCount ? text.prefix(maximumCount) + "…" : text
  }

  private func fullText(_ leaf: GraphLeaf) throws -> String {
    switch leaf {
    case .bool(let value): return "\(value)"
    case .signed(let value): return "\(value)"
    case .unsigned(let value): return "\(value)"
    case .float16(let bits): return unsafe withUnsafeBytes(of: bits) { unsafe text(.float16, $0, at: 0) }
    case .float32(let value): return "\(value)"
    case .float64(let value): return "\(value)"
    case .string(let bytes):
      guard let string = unsafe String(validatingUTF8Bytes: bytes) else {
        throw decoder.invalidValue(String.self, "\(bytes.count) bytes are not valid UTF-8")
      }
      return String(reflecting: string)
    case .binary(let bytes): return "{ \(bytes.count) bytes }"
    case .opaque(let number, let bytes): return "{ extension \(number), \(bytes.count) bytes }"
    case .fixed(let format, let bytes): return unsafe text(format, bytes, of: 1, isArray: false)
    }
  }

  /// The text of a list of scalars: with two in an element, of keys and their values.
  ///
  /// - Parameter elements: as many as are shown.
  package func list(_ elements: [[GraphLeaf]], of count: Int) throws -> String {
    let texts = try elements.map { try $0.map(fullText).joined(separator: ": ") }
    return Self.shortened("[\(texts.joined(separator: ", "))\(count > texts.count ? ", …" : "")]")
  }

  package func text(_ array: PackedElements) -> String {
    if case .stream(let bytes) = array.place, array.layout == nil {
      return unsafe text(array.format, bytes, of: array.count, isArray: true)
    }
    return "{ \(array.count) × \(elementText(array)), \(array.byteCount) bytes }"
  }

  /// The elements of a nested array in brackets, or a description if they do not fit.
  package func text(_ array: NestedArray) -> String {
    guard case .stream(let bytes) = array.elements.place, array.elements.layout == nil else {
      let elements = array.elements
      let lengths = elements.isText ? array.shape.lengths.dropLast() : array.shape.lengths
      return "{ \(ArrayShape.text(lengths)) × \(elementText(elements)), \(elements.byteCount) bytes }"
    }
    var text = ""
    unsafe append(array, 0, at: 0, bytes, to: &text)
    return text
  }

  private func append(
    _ array: NestedArray, _ index: Int, at level: Int, _ bytes: UnsafeRawBufferPointer, to text: inout String
  ) {
    let parts = array.shape.parts(of: index, at: level)
    guard level < array.shape.levels.count - 1 else {
      let size = array.elements.elementByteCount
      if array.elements.isText {
        // No more than shows.
        let shown = unsafe UnsafeRawBufferPointer(rebasing: bytes[parts].prefix(4 * Self.maximumCount))
        return unsafe text += String(reflecting: String(decoding: shown, as: UTF8.self))
      }
      return unsafe text += self.text(
        array.elements.format,
        UnsafeRawBufferPointer(rebasing: bytes[(parts.lowerBound * size)..<(parts.upperBound * size)]),
        of: parts.count, isArray: true)
    }
    text += "["
    for part in parts {
      if part > parts.lowerBound { text += ", " }
      // The rest does not show.
      guard text.utf8.count <= 4 * Self.maximumCount else {
        text += "…"
        break
      }
      unsafe append(array, part, at: level + 1, bytes, to: &text)
    }
    text += "]"
  }

  /// The format of an element, or those of the fields of a struct with their keys.
  package func elementText(_ array: PackedElements) -> String {
    guard let layout = array.layout else { return array.format.description }
    // No more than fit: a layout may have any number of fields, and any number of arrays.
    let fields = layout.fields.prefix(Self.shownElementCount).map { field in
      let key = field.keyNumber == 0 ? nil : decoder.tables.keys[Int(field.keyNumber) - 1]
      return (key.map { "\($0.prefix(Self.maximumCount)): " } ?? "") + field.format.description
    }
    return "(\(fields.joined(separator: ", ")))"
  }

  package func text(
    _ format: PackedFormat, _ bytes: UnsafeRawBufferPointer, of count: Int, isArray: Bool
  ) -> String {
    guard let scalar = format.scalar else { return "{ \(bytes.count) bytes }" }
    let elements = (0..<min(count, Self.shownElementCount)).map { index in
      let lanes = (0..<format.laneCount).map {
        unsafe text(scalar, bytes, at: index * format.byteCount + $0 * scalar.byteCount)
      }
      if let text = format.text(lanes) { return text }
      guard lanes.count > 1 else { return lanes[0] }
      return "SIMD\(lanes.count)<\(scalar.swiftName)>(\(lanes.joined(separator: ", ")))"
    }
    let list = elements.joined(separator: ", ")
    return isArray ? "[\(list)\(count > elements.count ? ", …" : "")]" : list
  }

  /// Foundation traps on printing dates beyond the years of its calendars.
  private func dateText(_ seconds: Double) -> String {
    let known =
      Date.distantPast.timeIntervalSinceReferenceDate...Date.distantFuture.timeIntervalSinceReferenceDate
    return known.contains(seconds) ? "\(Date(timeIntervalSinceReferenceDate: seconds))" : "\(seconds) s"
  }

  private func text(_ scalar: PackedFormat.Scalar, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> String
  {
    // The stream has checked that the elements exist. All bytes are values of the types here.
    func load<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
      unsafe bytes.loadUnaligned(fromByteOffset: offset, as: type)
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
        return unsafe hexText(bytes[offset..<(offset + 2)])
      #else
        return "\(Float16(bitPattern: load(UInt16.self)))"
      #endif
    case .bfloat16, .float8e4m3, .float8e5m2:
      let bits = scalar == .bfloat16 ? load(UInt16.self) : UInt16(load(UInt8.self))
      return "\(scalar.smallFloat(bits) ?? .nan)"
    case .int128, .uint128, .duration, .continuousInstant, .suspendingInstant, .decimal128:
      return unsafe hexText(bytes[offset..<(offset + scalar.byteCount)])
    }
  }

  private func hexText(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    unsafe "0x" + bytes.reversed().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension PackedFormat {
  /// The text of an element with a meaning of its own; nil for scalars and vectors.
  fileprivate func text(_ lanes: [String]) -> String? {
    switch meaning {
    case .range: lanes.joined(separator: "..<")
    case .closedRange: lanes.joined(separator: "...")
    case .partialRangeFrom: lanes[0] + "..."
    case .partialRangeUpTo: "..<" + lanes[0]
    case .partialRangeThrough: "..." + lanes[0]
    case .locationAndLength, .point, .size, .rectangle, .planeVector: "(\(lanes.joined(separator: ", ")))"
    case .complex: "\(lanes[0]) + \(lanes[1])i"
    case .unixSeconds: lanes[0] + " s since 1970"
    case .unixMilliseconds: lanes[0] + " ms since 1970"
    case .unixMicroseconds: lanes[0] + " µs since 1970"
    case .unixNanoseconds: lanes[0] + " ns since 1970"
    case .spanSeconds: lanes[0] + " s"
    case .spanMilliseconds: lanes[0] + " ms"
    case .spanMicroseconds: lanes[0] + " µs"
    case .spanNanoseconds: lanes[0] + " ns"
    case .characterSet, .utf8, .some(.none), nil: nil
    }
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
    case .duration: "Duration"
    case .continuousInstant: "ContinuousClock.Instant"
    case .suspendingInstant: "SuspendingClock.Instant"
    case .bfloat16: "BFloat16"
    case .float8e4m3: "Float8E4M3"
    case .float8e5m2: "Float8E5M2"
    case .decimal128: "Decimal128"
    }
  }
}

extension GraphKind {
  /// Whether values are numbers, or a fixed count of them.
  package var isScalar: Bool {
    self == .fixed || (Self.bool.rawValue...Self.float64.rawValue).contains(rawValue)
  }
}
