import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// Packed arrays.
extension GraphComparer {
  /// - Parameter isPresent: whether something in a place is an element of both; nil where all are.
  func compare(
    _ left: PackedElements, _ right: PackedElements, isPresent: ((Int) -> Bool)? = nil
  ) throws {
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
          unsafe compare(left, right, from: start, size, formats, isPresent, &found)
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
    let (one, other) = (try left.presence(first), try right.presence(second))
    let isPresent = { one[$0] && other[$0] }
    guard left.array.shape.levels.count == right.array.shape.levels.count else {
      return note(.type, left.array.shape.description, right.array.shape.description)
    }
    for index in 0..<min(left.count, right.count) where one[index] != other[index] {
      at(.index(index)) { note(.value, one[index] ? "a value" : "nil", other[index] ? "a value" : "nil") }
    }
    if left.array.shape.levels.count == 2, left.array.elements.isText, right.array.elements.isText {
      return try compareTexts(left.array, right.array, isPresent)
    }
    guard left.kind != .nestedPacked || left.array.shape.levels == right.array.shape.levels else {
      return note(.count, left.array.shape.description, right.array.shape.description)
    }
    try compare(
      left.array.elements, right.array.elements, isPresent: left.kind == .nestedPacked ? nil : isPresent)
  }

  /// Compares arrays of strings.
  ///
  /// - Parameter isPresent: whether something in a place is a string of both.
  func compareTexts(
    _ left: NestedArray, _ right: NestedArray, _ isPresent: (Int) -> Bool = { _ in true }
  ) throws {
    try first.noteMention(of: left.elements)
    try second.noteMention(of: right.elements)
    guard let one = PackedTexts(left), let other = PackedTexts(right) else { return }
    if one.count != other.count { note(.count, "\(one.count) elements", "\(other.count) elements") }
    if left.shape.levels == right.shape.levels, try storedBlocksAreEqual(left.elements, right.elements) {
      progress?.advance(by: left.elements.byteCount)
      return
    }
    let readers = (try PackedTextReader(one, first), try PackedTextReader(other, second))
    for index in 0..<min(one.count, other.count) where isPresent(index) {
      if index % 4096 == 0 { try progress?.checkCancellation() }
      try unsafe readers.0.withBytes(of: index) { left in
        try unsafe readers.1.withBytes(of: index) { right in
          progress?.advance(by: left.count)
          if unsafe left.elementsEqual(right) { return }
          try at(.index(index)) {
            unsafe note(
              .value, try ValueText(first).text(.string(left)), try ValueText(second).text(.string(right)))
          }
        }
      }
    }
  }

  /// Whether all blocks of two bulk segments are stored alike, by their checksums.
  private func storedBlocksAreEqual(_ left: PackedElements, _ right: PackedElements) throws -> Bool {
    guard case .segment(let one) = left.place, case .segment(let other) = right.place else { return false }
    return first.tables.reader.contents.bulk[one].segment == second.tables.reader.contents.bulk[other].segment
  }

  private func compare(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, from start: Int, _ size: Int,
    _ formats: [PackedFormat], _ isPresent: ((Int) -> Bool)?, _ found: inout ArrayDifference
  ) {
    for place in stride(from: 0, to: left.count, by: size) where isPresent?(start + place / size) != false {
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
