import _GraphCoding
import _GraphFiles
import _GraphSupport

/// An element of a packed array, or a field of one.
struct PackedPart {
  let array: PackedElements
  let index: Int
  /// Which field of a struct; nil for all of it.
  var field: Int?

  /// The formats of its fields, or its only one.
  @inline(never)
  var formats: [PackedFormat] {
    let formats = array.formats
    return field.map { [formats[$0]] } ?? formats
  }

  /// Whether it is a struct, which has fields.
  var isStruct: Bool { array.layout != nil && field == nil }

  /// Where its bytes are among those of all elements.
  var range: Range<Int> {
    let start = index * array.elementByteCount
    guard let layout = array.layout, let field else { return start..<(start + array.elementByteCount) }
    let fieldStart = start + layout.offsets[field]
    return fieldStart..<(fieldStart + layout.formats[field].byteCount)
  }

  /// A packed array with the part as its only element, as in a graph stream after its kind.
  func arrayBytes(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var builder = ByteBuilder()
    if field == nil, case .structure(_, let number) = array.element {
      builder.varint(UInt64(number))
    } else {
      builder.varint(UInt64(formats[0].rawValue))
    }
    builder.varint(1 << 1)
    unsafe builder.append(Array(bytes))
    return builder.bytes
  }

  /// The kind of that array.
  var arrayKind: GraphKind { isStruct ? .packedStructs : .packed }
}

extension GDecoder {
  /// Calls `body` with some bytes of the elements of a packed array; of a bulk segment, the blocks are expanded that
  /// have them.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  package func withBytes<Result>(
    _ range: Range<Int>, of array: PackedElements, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    if case .stream(let bytes) = array.place {
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
      try unsafe checkBools(bytes, from: range.lowerBound, of: array)
      return try unsafe body(bytes)
    }
    guard let open = try openSegment(of: array) else { throw malformed("an array is nowhere") }
    return try unsafe withBytes(range, of: array, in: open, body)
  }

  /// Does the same with an array whose segment has been opened, which takes O(n) in its blocks.
  @_semantics("optimize.sil.specialize.generic.never")
  package func withBytes<Result>(
    _ range: Range<Int>, of array: PackedElements, in open: ArchiveReader.OpenSegment,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let bytes = try tables.reader.bytes(range, of: open)
    return try withExtendedLifetime(bytes) {
      try unsafe checkBools(bytes.buffer, from: range.lowerBound, of: array)
      return try unsafe body(bytes.buffer)
    }
  }

  /// A copy of some runs of elements of a packed array, in sequence, after a head.
  func gather(_ runs: [Range<Int>], of array: PackedElements, behind head: [UInt8] = []) throws -> RawBytes {
    let bytes = ByteRuns(runs.map { array.byteRange(of: $0) })
    let copy = try RawBytes(byteCount: head.count + bytes.byteCount)
    try unsafe copy.fill { memory in
      unsafe memory.copyBytes(from: head)
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[head.count...])
      if case .stream(let stored) = array.place {
        bytes.forEach(in: 0..<stored.count) { range, place in
          unsafe PackedRoom(target).fill(from: place, UnsafeRawBufferPointer(rebasing: stored[range]))
        }
      } else if let open = try openSegment(of: array) {
        try tables.reader.gather(bytes, of: open, into: unsafe PackedRoom(target))
      }
      try unsafe checkBools(UnsafeRawBufferPointer(target), from: 0, of: array)
    }
    return copy
  }

  /// Checks the bools among some bytes of the elements of a packed array, from byte `start` on.
  ///
  /// - Complexity: O(n) in the bytes where there are any bools, O(1) otherwise.
  func checkBools(_ bytes: UnsafeRawBufferPointer, from start: Int, of array: PackedElements) throws {
    let ranges = array.boolRanges
    guard !ranges.isEmpty, unsafe !bytes.isEmpty else { return }
    if ranges == [0..<array.elementByteCount] { return try unsafe state.pointee.stream.checkBools(bytes) }
    let end = start + bytes.count
    for element in stride(
      from: start - start % array.elementByteCount, to: end, by: array.elementByteCount)
    {
      for range in ranges {
        let bools = ((element + range.lowerBound)..<(element + range.upperBound)).clamped(to: start..<end)
        // Inside `bytes`, because of the clamping.
        try unsafe state.pointee.stream.checkBools(
          UnsafeRawBufferPointer(
            rebasing: bytes[(bools.lowerBound - start)..<(bools.upperBound - start)]))
      }
    }
  }
}
