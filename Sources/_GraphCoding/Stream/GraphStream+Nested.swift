import _GraphFiles
import _GraphSupport

extension GraphStream {
  /// Reads the format, the lengths and the place of the elements of a nested packed array.
  ///
  /// Memory is allocated for lengths that are actually stored, not for counts that the stream claims.
  @inline(never)
  mutating func readNested() throws -> NestedArray {
    let element = try readNestedElement()
    let levelCount = try readVarint()
    guard levelCount > 0, levelCount <= byteCountLeft else {
      throw malformed("a nested array has \(levelCount) dimensions")
    }
    guard levelCount <= ArrayShape.maximumLevelCount else { throw tooManyDimensions(levelCount) }
    var shape = ArrayShape()
    for _ in 0..<levelCount { try readLevel(&shape) }
    let byteCount = try byteCount(of: UInt64(shape.count), element.byteCount)
    let place = try readVarint()
    return unsafe NestedArray(
      PackedElements(
        element: element, elementByteCount: element.byteCount, count: shape.count,
        place: place == 0
          ? .stream(try readBytes(byteCount)) : .segment(try segmentNumber(place - 1, element, byteCount))),
      shape)
  }

  private func tooManyDimensions(_ count: UInt64) -> GCodableError {
    GCodableError(
      .limitExceeded,
      "a nested array has \(count) dimensions; this package reads up to \(ArrayShape.maximumLevelCount)",
      byteOffset: offset)
  }

  /// Reads a packed format or, after a 0, the number of a layout.
  private mutating func readNestedElement() throws -> PackedElements.Element {
    let number = try readVarint()
    if number == 0 { return try readLayout() }
    guard let format = PackedFormat(number: number) else {
      throw malformed("packed format \(number) is none")
    }
    return .scalars(format)
  }

  /// Reads the lengths of the arrays of a level: one for all, or one for each.
  private mutating func readLevel(_ shape: inout ArrayShape) throws {
    let head = try readVarint()
    guard head == 1 else {
      guard head & 1 == 0, head > 0 else { throw malformed("the arrays of a dimension have no lengths") }
      guard case (let count, false) = Int(head >> 1).multipliedReportingOverflow(by: shape.count) else {
        throw malformed("a nested array of \(shape.count) arrays of \(head >> 1) does not fit")
      }
      return shape.append(length: Int(head >> 1), count: count)
    }
    guard UInt64(shape.count) <= byteCountLeft else {
      throw malformed("\(shape.count) lengths of arrays have \(byteCountLeft) bytes")
    }
    var starts = [0]
    for _ in 0..<shape.count {
      let length = try takeVarint()
      guard length <= Int.max,
        case (let next, false) = Int(length).addingReportingOverflow(starts[starts.count - 1])
      else { throw malformed("arrays of more than 2^63 elements do not fit") }
      starts.append(next)
    }
    shape.append(starts: starts)
  }
}
