import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// Packed arrays.
extension GraphComparer {
  func compare(_ left: PackedElements, _ right: PackedElements) throws {
    // Otherwise, a few bytes could make a segment expand again and again.
    try first.noteMention(of: left)
    try second.noteMention(of: right)
    let elements = (ValueText(first).elementText(left), ValueText(second).elementText(right))
    guard left.formats == right.formats, elements.0 == elements.1 else {
      return note(.type, "\(left.count) × \(elements.0)", "\(right.count) × \(elements.1)")
    }
    if left.count != right.count { note(.count, "\(left.count) elements", "\(right.count) elements") }
    let count = min(left.count, right.count)
    if try storedBlocksAreEqual(left, right) {
      progress?.advance(by: left.byteCount)
      return
    }
    var found = ArrayDifference()
    let formats = left.formats
    let size = left.elementByteCount
    let pieceCount = max(Segment.maximumBlockByteCount / size, 1)
    for start in stride(from: 0, to: count, by: pieceCount) {
      try progress?.checkCancellation()
      let range = (start * size)..<(min(start + pieceCount, count) * size)
      try unsafe first.withBytes(range, of: left) { left in
        try unsafe second.withBytes(range, of: right) { right in
          if unsafe memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0 { return }
          unsafe compare(left, right, from: start, size, formats, &found)
        }
      }
      progress?.advance(by: range.count)
    }
    guard let index = found.firstIndex else { return }
    let texts = try [(first, left), (second, right)].map { decoder, array in
      try unsafe decoder.withBytes((index * size)..<((index + 1) * size), of: array) {
        unsafe array.layout == nil
          ? ValueText(decoder).text(array.format, $0, of: 1, isArray: false) : "{ \(size) bytes }"
      }
    }
    at(.index(index)) {
      note(.elements, texts[0], texts[1], elementCount: found.count, distance: found.maximumDistance)
    }
  }

  /// Compares arrays of optionals.
  func compare(_ left: PackedOptionals, _ right: PackedOptionals) throws {
    try first.noteMention(of: left.presence)
    try second.noteMention(of: right.presence)
    let presence = (try left.presence(first), try right.presence(second))
    for index in 0..<min(left.count, right.count) where presence.0[index] != presence.1[index] {
      at(.index(index)) {
        note(.value, presence.0[index] ? "a value" : "nil", presence.1[index] ? "a value" : "nil")
      }
    }
    guard PackedTexts(left.array) == nil || PackedTexts(right.array) == nil else {
      return try compareTexts(left.array, right.array)
    }
    try compare(left.array.elements, right.array.elements)
  }

  /// Compares arrays of strings.
  func compareTexts(_ left: NestedArray, _ right: NestedArray) throws {
    try first.noteMention(of: left.elements)
    try second.noteMention(of: right.elements)
    guard let one = PackedTexts(left), let other = PackedTexts(right) else { return }
    if one.count != other.count { note(.count, "\(one.count) elements", "\(other.count) elements") }
    if left.shape.levels == right.shape.levels, try storedBlocksAreEqual(left.elements, right.elements) {
      progress?.advance(by: left.elements.byteCount)
      return
    }
    let count = min(one.count, other.count)
    for start in stride(from: 0, to: count, by: Self.comparedTextCount) {
      try progress?.checkCancellation()
      let range = start..<min(start + Self.comparedTextCount, count)
      let texts = (try one.bytes(in: range, first), try other.bytes(in: range, second))
      for index in range where texts.0[index - start] != texts.1[index - start] {
        try at(.index(index)) {
          note(
            .value, try text(texts.0[index - start], first), try text(texts.1[index - start], second))
        }
      }
      progress?.advance(by: texts.0.reduce(0) { $0 + $1.count })
    }
  }

  /// Strings that are compared at a time.
  private static var comparedTextCount: Int { 4096 }

  private func text(_ bytes: [UInt8], _ decoder: GDecoder) throws -> String {
    try unsafe bytes.withUnsafeBytes { try unsafe ValueText(decoder).text(.string($0)) }
  }

  /// Whether all blocks of two bulk segments are stored alike, by their checksums.
  private func storedBlocksAreEqual(_ left: PackedElements, _ right: PackedElements) throws -> Bool {
    guard case .segment(let one) = left.place, case .segment(let other) = right.place else { return false }
    return first.tables.reader.contents.bulk[one].segment == second.tables.reader.contents.bulk[other].segment
  }

  private func compare(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, from start: Int, _ size: Int,
    _ formats: [PackedFormat], _ found: inout ArrayDifference
  ) {
    for place in stride(from: 0, to: left.count, by: size) {
      let elements = unsafe (
        UnsafeRawBufferPointer(rebasing: left[place..<(place + size)]),
        UnsafeRawBufferPointer(rebasing: right[place..<(place + size)])
      )
      guard unsafe !elementsAreEqual(elements.0, elements.1, formats, &found.maximumDistance) else {
        continue
      }
      found.firstIndex = found.firstIndex ?? start + place / size
      found.count += 1
    }
  }

  /// Whether the scalars of two elements are the same, but for the tolerance.
  ///
  /// - Parameter distance: becomes the largest difference of two scalars that are not, if it was less.
  func elementsAreEqual(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ formats: [PackedFormat],
    _ distance: inout Double?
  ) -> Bool {
    if unsafe memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0 { return true }
    var (isEqual, offset) = (true, 0)
    for format in formats {
      guard let scalar = format.scalar else { return false }
      for _ in 0..<format.laneCount {
        let bytes = offset..<(offset + scalar.byteCount)
        offset += scalar.byteCount
        guard unsafe !left[bytes].elementsEqual(right[bytes]) else { continue }
        guard let one = unsafe scalar.number(left, at: bytes.lowerBound),
          let other = unsafe scalar.number(right, at: bytes.lowerBound)
        else {
          isEqual = false
          continue
        }
        if scalar.isFloat, tolerance.accepts(one, other) { continue }
        isEqual = false
        let difference = (one - other).magnitude
        if !difference.isNaN { distance = max(distance ?? 0, difference) }
      }
    }
    return isEqual
  }
}

/// Elements of two arrays that differ.
private struct ArrayDifference {
  var firstIndex: Int?
  var count = 0
  var maximumDistance: Double?
}

extension PackedFormat.Scalar {
  fileprivate var isFloat: Bool { [.float16, .float32, .float64, .date].contains(self) }

  /// The scalar as a number; nil where it is none.
  fileprivate func number(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Double? {
    // The element has the scalar, and all bytes are values of the types here.
    func load<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
      unsafe bytes.loadUnaligned(fromByteOffset: offset, as: type)
    }
    switch self {
    case .int8: return Double(load(Int8.self))
    case .int16: return Double(load(Int16.self))
    case .int32: return Double(load(Int32.self))
    case .int64: return Double(load(Int64.self))
    case .uint8, .byte, .bool: return Double(load(UInt8.self))
    case .uint16: return Double(load(UInt16.self))
    case .uint32: return Double(load(UInt32.self))
    case .uint64: return Double(load(UInt64.self))
    case .float32: return Double(load(Float.self))
    case .float64, .date: return load(Double.self)
    case .float16:
      #if os(macOS) && arch(x86_64)
        return nil
      #else
        return Double(Float16(bitPattern: load(UInt16.self)))
      #endif
    default: return nil
    }
  }
}
