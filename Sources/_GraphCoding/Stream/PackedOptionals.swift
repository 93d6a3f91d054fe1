import _GraphFiles
import _GraphSupport

/// A packed array of optionals whose head has been read: the elements, in whose places anything stands that are missing, and
/// which these are.
package final class PackedOptionals {
  /// A bit for each element that is set where there is one; no bytes where none is missing.
  package let presence: PackedElements
  /// The kind of the elements' array.
  package let kind: GraphKind
  package let array: NestedArray
  /// Where its head is in the stream.
  let arrayStart: UInt64

  init(_ presence: PackedElements, _ kind: GraphKind, _ array: NestedArray, at arrayStart: UInt64) {
    (self.presence, self.kind, self.array, self.arrayStart) = (presence, kind, array, arrayStart)
  }

  package var count: Int { array.shape.parts(of: 0, at: 0).count }

  /// The bits that tell which elements are there.
  package struct Presence {
    fileprivate let bytes: [UInt8]

    @inline(__always)
    package subscript(index: Int) -> Bool { bytes.isEmpty || bytes[index >> 3] >> UInt8(index & 7) & 1 == 1 }
  }

  /// Reads the bits.
  ///
  /// - Throws: `malformed` for bits behind the last element; `damaged`.
  package func presence(_ decoder: GDecoder) throws -> Presence {
    // Opened before memory is taken: an open segment has its blocks in the archive.
    let segment = try decoder.openSegment(of: presence)
    try MemoryRoom.require(presence.count, stride: 1)
    var bytes = [UInt8](repeating: 0, count: presence.count)
    try unsafe bytes.withUnsafeMutableBytes {
      try unsafe decoder.fill($0, GDecoder.Packed(elements: presence, segment: segment), stride: 1)
    }
    if let last = bytes.last, count & 7 != 0, last >> UInt8(count & 7) != 0 {
      throw decoder.malformed("an array of optionals has bits for elements that it does not have")
    }
    return Presence(bytes: bytes)
  }
}

extension GraphStream {
  /// Reads the heads of both arrays of packed optionals, and moves past them.
  @inline(never)
  mutating func readOptionals() throws -> PackedOptionals {
    let kind = GraphKind(rawValue: try readByte())
    guard [.packed, .packedStructs, .nestedPacked].contains(kind) else {
      throw malformed("an array of optionals is of \(kind)")
    }
    let presence = try readPacked(.packed)
    guard presence.format == .byte else { throw malformed("the bits of an array of optionals are not bytes") }
    let start = offset
    let array: NestedArray
    if kind == .nestedPacked {
      array = try readNested()
    } else {
      let elements = try readPacked(kind)
      array = NestedArray(elements, ArrayShape([elements.count]))
    }
    if case .segment(let bits) = presence.place, case .segment(bits) = array.elements.place {
      throw malformed("the bits of an array of optionals are its elements")
    }
    let optionals = PackedOptionals(presence, kind, array, at: start)
    guard presence.count == 0 || presence.count == (optionals.count + 7) / 8 else {
      throw malformed("\(optionals.count) optionals have \(presence.count) bytes of bits")
    }
    return optionals
  }
}
